//! The builders by name, with options as text: for callers that have no command line of their own.

use clap::{Args, Command};
use cute_arch::Target;
use melior::Context;

use crate::{
    Error,
    gemm::{simt::GemmSimt, sm80::GemmSm80, sm90::GemmSm90, sm100::GemmSm100, sm120::GemmSm120},
    layernorm::Layernorm,
    module,
    options::KernelBuilder,
    quantize::{Dequantize, Quantize},
};

/// Writes a kernel, for words of a command line.
type Text = fn(&Context, Vec<String>, Option<Target>) -> Result<String, Error>;

/// One of the kernels that `cutec build` writes.
pub struct Builder {
    /// Its name, as in `cutec build NAME`.
    pub name: &'static str,
    command: fn() -> Command,
    text: Text,
}

impl Builder {
    const fn of<K: KernelBuilder>(name: &'static str) -> Self {
        Self { name, command: command::<K>, text: text::<K> }
    }

    /// The builder with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        BUILDERS.iter().find(|builder| builder.name == name)
    }

    /// The names of its options, and whether each has a value.
    pub fn options(&self) -> Vec<(String, bool)> {
        let command = (self.command)();
        let named = command.get_arguments().filter_map(|arg| {
            let name = arg.get_long().filter(|name| *name != "help")?;
            Some((name.to_owned(), arg.get_action().takes_values()))
        });
        named.collect()
    }

    /// The kernel as text, for options by their names. `true` and `false` are the values of those
    /// that have none.
    ///
    /// # Errors
    /// Options that the builder refuses.
    pub fn text(
        &self,
        context: &Context,
        options: &[(String, String)],
        target: Option<Target>,
    ) -> Result<String, Error> {
        let known = self.options();
        let mut words = Vec::new();
        for (name, value) in options {
            match known.iter().find(|(own, _)| own == name) {
                Some((_, false)) if value == "true" => words.push(format!("--{name}")),
                Some((_, false)) if value == "false" => {}
                Some((_, false)) => {
                    return Err(Error::Parameters(format!("--{name} is true or false, not '{value}'")));
                }
                // An unknown one is an error of the parser.
                _ => words.push(format!("--{name}={value}")),
            }
        }
        (self.text)(context, words, target)
    }
}

/// All of them.
pub static BUILDERS: [Builder; 8] = [
    Builder::of::<GemmSm80>("gemm_sm80"),
    Builder::of::<GemmSm90>("gemm_sm90"),
    Builder::of::<GemmSm100>("gemm_sm100"),
    Builder::of::<GemmSm120>("gemm_sm120"),
    Builder::of::<GemmSimt>("gemm_simt"),
    Builder::of::<Layernorm>("layernorm"),
    Builder::of::<Quantize>("quantize"),
    Builder::of::<Dequantize>("dequantize"),
];

fn command<K: Args>() -> Command {
    K::augment_args(Command::new("builder").no_binary_name(true).disable_help_flag(true))
}

fn text<K: KernelBuilder>(
    context: &Context,
    words: Vec<String>,
    target: Option<Target>,
) -> Result<String, Error> {
    let parsed = command::<K>().try_get_matches_from(words).and_then(|matches| K::from_arg_matches(&matches));
    let kernel = parsed.map_err(|error| {
        let text = error.to_string();
        let text = text.split("\n\nUsage").next().unwrap_or_default().trim();
        Error::Parameters(text.strip_prefix("error: ").unwrap_or(text).to_owned())
    })?;
    let module = kernel.build_for(context, target)?;
    Ok(module::text(&module, kernel.about()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_those_of_the_command_line() {
        let builder = Builder::named("gemm_sm90").unwrap();
        let options = builder.options();
        assert!(options.contains(&("types".into(), true)), "{options:?}");
        let context = Context::new();
        let refused = |name: &str, value: &str| {
            let options = [(name.to_owned(), value.to_owned())];
            builder.text(&context, &options, None).unwrap_err().to_string()
        };
        assert!(refused("tipes", "bf16").contains("--tipes"));
        assert!(refused("types", "bf17").contains("bf17"));
        assert!(Builder::named("gemm_sm91").is_none());
    }
}
