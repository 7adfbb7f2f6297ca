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
    /// A description of the kernel, as [`KernelBuilder::about`] gives it without options.
    pub about: fn() -> &'static str,
    command: fn() -> Command,
    text: Text,
}

/// An option as it is declared, for faces that declare it anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Described {
    /// Its name, with dashes.
    pub name: String,
    /// `flag`, `number` or `choice`.
    pub kind: &'static str,
    /// The values of a choice.
    pub choices: Vec<String>,
    /// The default; without one, the builder chooses.
    pub default: Option<String>,
    /// Its sentence, with the range of a number.
    pub sentence: String,
}

impl Builder {
    const fn of<K: KernelBuilder>(name: &'static str) -> Self {
        Self { name, about: about::<K>, command: command::<K>, text: text::<K> }
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

    /// Its options as they are declared.
    pub fn described(&self) -> Vec<Described> {
        let command = (self.command)();
        let described = command.get_arguments().filter_map(|arg| {
            let name = arg.get_long().filter(|name| *name != "help")?.to_owned();
            let takes_value = arg.get_action().takes_values();
            let possible = if takes_value { arg.get_possible_values() } else { Vec::new() };
            let kind = match () {
                () if !takes_value => "flag",
                () if possible.is_empty() => "number",
                () => "choice",
            };
            let default = arg.get_default_values().first();
            Some(Described {
                name,
                kind,
                choices: possible.iter().map(|value| value.get_name().to_owned()).collect(),
                default: default.map(|text| text.to_string_lossy().into_owned()).filter(|_| takes_value),
                sentence: arg.get_help().map(ToString::to_string).unwrap_or_default(),
            })
        });
        described.collect()
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

fn about<K: KernelBuilder>() -> &'static str {
    K::default().about()
}

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
        let described = builder.described();
        let of = |name: &str| described.iter().find(|one| one.name == name).expect("it is an option");
        assert_eq!((of("types").kind, of("types").default.as_deref()), ("choice", Some("bf16")));
        assert!(of("types").choices.contains(&"e4m3".to_owned()));
        assert_eq!(
            (of("m-tile").kind, of("batch").kind, of("batch").default.as_deref()),
            ("number", "flag", None)
        );
        assert!(of("m-tile").sentence.contains("a multiple of 64"), "{:?}", of("m-tile"));
    }
}
