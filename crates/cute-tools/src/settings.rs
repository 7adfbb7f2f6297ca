//! The options of a compilation on command lines, made from their declaration. The commands declare
//! `--target` themselves, because each of them has its own default.

use std::path::Path;

use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
    parser::ValueSource,
};
use cute_arch::Target;
use cute_driver::{
    libdevice,
    options::{self, DeclaredOption, Options},
};
use cute_session::Error;

use crate::error::Result;

/// The option for CUDA's libdevice. Unless it is given, the tools take the file next to ptxas.
const LIBDEVICE: &str = "libdevice";

/// The options that were given, each with its value.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings(Vec<(&'static str, String)>);

impl Settings {
    /// The options of a compilation for a target.
    ///
    /// # Errors
    /// The errors of [`Options::set`] and [`libdevice::find`].
    pub fn options(&self, target: Target) -> Result<Options> {
        let mut options = Options::new(target);
        for (option, value) in &self.0 {
            options.set(option, value).map_err(|why| match why {
                options::Error::Libdevice(why) => Error::Libdevice(why).into(),
                why => crate::error::Error::from(why),
            })?;
        }
        if self.libdevice().is_none() {
            options.libdevice = libdevice::find(None).map_err(Error::from)?;
        }
        Ok(options)
    }

    /// Gives an option, unless it is given.
    pub(crate) fn set(&mut self, option: &'static str, value: &str) {
        if self.0.iter().all(|(own, _)| *own != option) {
            self.0.push((option, value.to_owned()));
        }
    }

    /// The file that was given for libdevice.
    pub fn libdevice(&self) -> Option<&Path> {
        self.0.iter().find(|(option, _)| *option == LIBDEVICE).map(|(_, file)| Path::new(file))
    }
}

/// The declared options other than `--target`.
fn declared() -> impl Iterator<Item = &'static DeclaredOption> {
    Options::ALL.iter().filter(|option| option.name != "target")
}

/// Whether the option takes no value.
fn is_flag(option: &DeclaredOption) -> bool {
    option.value_name.is_empty()
}

/// Parses the value of an option; the help lists the legal ones.
pub(crate) fn parser(option: &DeclaredOption) -> Option<impl TypedValueParser<Value = String>> {
    let value = |(name, meaning)| match meaning {
        "" => PossibleValue::new(name),
        meaning => PossibleValue::new(name).help(meaning),
    };
    let values: Vec<_> = (option.values)().into_iter().map(value).collect();
    (!values.is_empty()).then(|| PossibleValuesParser::new(values))
}

fn argument(option: &DeclaredOption) -> Arg {
    let argument = Arg::new(option.name).long(option.name).help(option.help());
    if is_flag(option) {
        return argument.action(ArgAction::SetTrue);
    }
    let argument = argument.value_name(option.value_name);
    let Some(parser) = parser(option) else { return argument };
    let argument = argument.value_parser(parser);
    match option.default {
        "" => argument,
        default => argument.default_value(default),
    }
}

impl Args for Settings {
    fn augment_args(command: Command) -> Command {
        command.args(declared().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Settings {
    fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<Self, clap::Error> {
        let given =
            declared().filter(|option| matches.value_source(option.name) == Some(ValueSource::CommandLine));
        let value = |option: &'static DeclaredOption| match is_flag(option) {
            true => Some((option.name, "true".to_owned())),
            false => Some((option.name, matches.get_one::<String>(option.name)?.clone())),
        };
        Ok(Self(given.filter_map(value).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> std::result::Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
