//! The commands at the shell and at the prompt: their options on a command line, and the file that
//! `svg` writes.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, Parser,
    builder::{PossibleValuesParser, ValueParser},
    value_parser,
};
use cute_eval::{
    command::{Answer, SETTINGS, check, run as evaluate},
    eval::Session,
    options::{Kind, Setting},
};
use cute_output::Sink;
use serde_json::{Map, Value as Json};

use crate::error::{Error, Result};

/// The options of `svg`, `banks` and `tma`, as `cute-eval` declares them, and the file to write.
#[derive(Debug, Default, Clone)]
pub struct Extras {
    output: Option<PathBuf>,
    options: Map<String, Json>,
}

/// The commands that only the prompt has.
pub const PROMPT_COMMANDS: [&str; 3] = ["vars", "quit", "exit"];

/// The option for the file of a picture.
const OUTPUT: &str = "output";

fn settings() -> impl Iterator<Item = &'static Setting> {
    SETTINGS.into_iter().flatten()
}

fn option(setting: &Setting) -> Arg {
    let Setting { name, value, kind, doc, heading, .. } = *setting;
    let parser: ValueParser = match kind {
        Kind::Text | Kind::Texts => value_parser!(String),
        Kind::Word(words) => PossibleValuesParser::new(words.iter().copied()).into(),
        Kind::Integer => value_parser!(i64).into(),
        Kind::Count => value_parser!(u32).into(),
        Kind::Address => value_parser!(u64).into(),
    };
    let action = if kind == Kind::Texts { ArgAction::Append } else { ArgAction::Set };
    Arg::new(name)
        .long(name)
        .value_name(value)
        .value_parser(parser)
        .action(action)
        .allow_negative_numbers(kind == Kind::Integer)
        .help(doc.trim())
        .help_heading(heading)
}

impl Args for Extras {
    fn augment_args(command: Command) -> Command {
        let output = Arg::new(OUTPUT)
            .short('o')
            .long(OUTPUT)
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help("The file to write; `-` is standard output")
            .help_heading("Options of svg");
        command.arg(output).args(settings().map(option))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Extras {
    fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<Self, clap::Error> {
        let mut extras = Self::default();
        extras.update_from_arg_matches(matches)?;
        Ok(extras)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> std::result::Result<(), clap::Error> {
        self.output = matches.get_one(OUTPUT).cloned();
        for Setting { name, kind, .. } in settings() {
            let value = match kind {
                Kind::Text | Kind::Word(_) => matches.get_one::<String>(name).cloned().map(Json::from),
                Kind::Texts => {
                    matches.get_many::<String>(name).map(|texts| texts.cloned().map(Json::from).collect())
                }
                Kind::Integer => matches.get_one::<i64>(name).copied().map(Json::from),
                Kind::Count => matches.get_one::<u32>(name).copied().map(Json::from),
                Kind::Address => matches.get_one::<u64>(name).copied().map(Json::from),
            };
            self.options.extend(value.map(|value| (name.to_string(), value)));
        }
        Ok(())
    }
}

impl Extras {
    /// Checks that only options of the command are given.
    pub fn belong_to(&self, command: &str) -> Result<()> {
        check(command, &self.options)?;
        match self.output {
            Some(_) if command != "svg" => Err(Error::request("--output is an option of svg")),
            _ => Ok(()),
        }
    }
}

/// A command as it is typed at the prompt.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
pub(crate) struct Line {
    #[arg(allow_negative_numbers = true)]
    pub words: Vec<String>,
    #[command(flatten)]
    pub options: Extras,
}

/// Runs the command in `words` and returns its answer; `None` if the words are not a command. The
/// picture of `svg` is written to its file.
pub fn run(session: &Session, words: &[&str], extras: &Extras) -> Result<Option<Answer>> {
    let name = words.first().copied().unwrap_or_default();
    extras.belong_to(name)?;
    if name != "svg" {
        return Ok(evaluate(session, words, &extras.options)?);
    }
    let Some(path) = &extras.output else {
        return Err(Error::request("svg needs a file to write, -o FILE; -o - is standard output"));
    };
    let Some(picture) = evaluate(session, words, &extras.options)? else { return Ok(None) };
    cute_output::write(&[(Sink::of(Some(path)), picture.text().as_bytes())])?;
    Ok(Some(String::new().into()))
}

/// Reports an error; standard error may be closed.
pub fn report(error: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "error: {}", cute_text::line(&error.to_string()));
}
