//! The command line: options and streams. Each mode of work is a module of its own.

use std::{
    fs::File,
    io::{self, BufReader, IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
};

use clap::{
    Parser,
    builder::{PossibleValuesParser, TypedValueParser},
};
use cute_algebra::Domain;
use cute_eval::{error::Error as InputError, eval::Session, registry, value::Value};

use crate::{
    command,
    error::{Error, Result},
    json,
    output::print,
    repl,
};

/// CuTe's layout algebra at the shell.
#[derive(Debug, Parser)]
#[command(version, after_help = AFTER_HELP, disable_help_subcommand = true)]
struct Options {
    /// `strict` rejects inputs whose result breaks the operation's equation; `extend` is CuTe's
    /// behaviour
    #[arg(long, value_parser = policy(), default_value = Domain::Extend.name())]
    domain: Domain,
    /// Read requests {"op","args"}, one per line or as a JSON array, and answer each with a line
    #[arg(long)]
    json: bool,
    /// Expressions; or a command or function and its arguments; with --json, files to read
    #[arg(allow_negative_numbers = true)]
    words: Vec<String>,
    #[command(flatten)]
    command: command::Extras,
}

const AFTER_HELP: &str = "\
Commands:
  EXPR...             evaluate, such as 'composition((20):(2), (5,4):(4,1))' or 'A = (4,8):(8,1)'
  FUNCTION ARG...     the same, with one argument per word: complement 4:32 256
  table LAYOUT        print the values as a table
  svg LAYOUT          draw the values; --bits N colours them by their banks of shared memory
  svg TV LAYOUT       draw the thread and value of each element of a tile (--tile)
  svg FUNCTION ARG... draw a tiled MMA or a tiled copy, such as svg tiled_mma ATOM ATOM_LAYOUT PERMUTATION
  banks LAYOUT        count the bank conflicts of each --access to a tile with elements of --bits N; --choose a layout without
  candidates SHAPE    list layouts of a tile with elements of --bits N, the best for each --access first
  tma TENSOR TILE TILER   list box by box what the TMA copies for the tiles of a tensor of --element TYPE
  explain EXPR        show the steps of an operation
  atoms [PATTERN]     list the atoms whose names match, such as 'SM80_*', or whose instructions do, such as m16n8k16
  list                list the functions
  help [NAME]         explain a function, a command or an atom

Without words: a prompt on a terminal, else the lines of standard input.
Columns in errors count from 1. The exit code is 1 when anything failed. With --json each answer says whether its
request failed, and the exit code is 1 only when requests cannot be read or answers cannot be written.";

/// Parses a domain policy; the help lists all of them.
fn policy() -> impl TypedValueParser<Value = Domain> {
    PossibleValuesParser::new(Domain::ALL.map(Domain::name)).try_map(|name| name.parse::<Domain>())
}

/// The source of requests and expressions.
fn stdin() -> BufReader<io::Stdin> {
    BufReader::new(io::stdin())
}

pub(crate) fn main() -> ExitCode {
    let options = match Options::try_parse() {
        Ok(options) => options,
        // It repeats a word of the command line.
        Err(error) if error.use_stderr() => {
            let _ = write!(io::stderr(), "{}", cute_text::lines(&error.to_string()));
            return ExitCode::from(2);
        }
        Err(help) => help.exit(),
    };
    let mut session = Session::new(options.domain);
    match run(&options, &mut session) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // The reader of the output may stop reading.
        Err(Error::Io(error) | Error::Output(cute_output::Error { why: error, .. }))
            if error.kind() == io::ErrorKind::BrokenPipe =>
        {
            ExitCode::SUCCESS
        }
        Err(error) => {
            command::report(error);
            ExitCode::FAILURE
        }
    }
}

/// Returns whether everything succeeded. An error that is reported for a line does not end the run.
fn run(options: &Options, session: &mut Session) -> Result<bool> {
    let mut out = cute_output::stdout()?;
    if options.json {
        options.command.belong_to("")?;
        return answer_all(&options.words, session, &mut out);
    }
    let words: Vec<&str> = options.words.iter().map(String::as_str).collect();
    if let Some(answer) = command::run(session, &words, &options.command)? {
        return Ok(write_all(&mut out, &answer.text())? && answer.is_good());
    }
    match words.as_slice() {
        [] if io::stdin().is_terminal() => repl::prompt(session, &mut out),
        [] => repl::lines(session, stdin(), &mut out),
        [name, args @ ..] if registry::find(name).is_some() && !args.is_empty() => {
            let args = args.iter().enumerate().map(|(i, text)| argument(session, i, text));
            let value = session.call(1, name, args.collect::<Result<_>>()?)?;
            write_all(&mut out, &value.answer()?)
        }
        expressions => {
            for text in expressions {
                let value = session.statement(text)?;
                write_all(&mut out, &value.answer()?)?;
            }
            Ok(true)
        }
    }
}

fn argument(session: &Session, i: usize, text: &str) -> Result<(usize, Value)> {
    let value = session.expression(text);
    Ok((1, value.map_err(|error| InputError::Argument { index: i + 1, error: Box::new(error) })?))
}

fn write_all(out: &mut impl Write, text: &str) -> Result<bool> {
    print(out, text)?;
    Ok(true)
}

fn answer_all(files: &[String], session: &Session, out: &mut impl Write) -> Result<bool> {
    if files.is_empty() {
        json::answer(session, stdin(), out)?;
    }
    for file in files {
        let path = PathBuf::from(file);
        let source = File::open(&path).map_err(|error| Error::File { path, error })?;
        json::answer(session, BufReader::new(source), out)?;
    }
    Ok(true)
}
