//! The command line. Knows options and streams; each mode of work is a module of its own.

use std::{
    fs::File,
    io::{self, BufReader, IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
};

use clap::{Parser, ValueEnum};
use cute_algebra::Domain;

use crate::{
    banks,
    error::{Error, Result},
    eval::Session,
    explain, help, json, registry, repl, svg, table,
};

/// CuTe's layout algebra at the shell.
#[derive(Debug, Parser)]
#[command(version, after_help = AFTER_HELP, disable_help_subcommand = true)]
struct Options {
    /// `strict` rejects what CuTe computes but does not mean; `extend` is CuTe's behaviour
    #[arg(long, value_enum, default_value_t = Policy::Extend)]
    domain: Policy,
    /// Read requests {"op","args"}, one a line or a JSON array, and answer each with a line
    #[arg(long)]
    json: bool,
    /// Expressions; or a command or function and its arguments; with --json, files to read
    #[arg(allow_negative_numbers = true)]
    words: Vec<String>,
    #[command(flatten)]
    picture: svg::Picture,
    #[command(flatten)]
    question: banks::Question,
}

const AFTER_HELP: &str = "\
Commands:
  EXPR...             evaluate, such as 'composition((20):(2), (5,4):(4,1))' or 'A = (4,8):(8,1)'
  FUNCTION ARG...     the same, one argument a word: complement 4:32 256
  table LAYOUT        print the values as a table
  svg LAYOUT          draw the values; --bits N colours them by their banks of shared memory
  svg TV LAYOUT       draw which thread has what of a tile (--tile)
  svg FUNCTION ARG... the same of a tiled MMA or a tiled copy, such as svg tiled_mma ATOM ATOM_LAYOUT PERMUTATION
  banks LAYOUT        count the bank conflicts of each --access of a tile of elements of --bits N; --choose a layout without
  explain EXPR        show the steps of an operation
  list                list the functions
  help [FUNCTION]     explain a function

Without words: a prompt on a terminal, else the lines of standard input.
Columns in errors count from 1.";

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Policy {
    Strict,
    Extend,
}

/// Where requests and expressions are read from.
fn stdin() -> BufReader<io::Stdin> {
    BufReader::new(io::stdin())
}

pub(crate) fn main() -> ExitCode {
    let options = Options::parse();
    let mut session = Session::new(match options.domain {
        Policy::Strict => Domain::Strict,
        Policy::Extend => Domain::Extend,
    });
    match run(&options, &mut session) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // Whoever reads our output may stop reading.
        Err(Error::Io(error) | Error::Output(cute_output::Error { why: error, .. }))
            if error.kind() == io::ErrorKind::BrokenPipe =>
        {
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether everything went well; errors that are reported line by line do not end it.
fn run(options: &Options, session: &mut Session) -> Result<bool> {
    let mut out = cute_output::stdout()?;
    let words: Vec<&str> = options.words.iter().map(String::as_str).collect();
    if let (["banks", tile], false) = (words.as_slice(), options.json) {
        options.picture.only_bits()?;
        let (text, free) = banks::answer(session, tile, options.picture.bits, &options.question)?;
        return Ok(write_all(&mut out, &text)? && free);
    }
    options.question.none()?;
    if options.json {
        options.picture.none()?;
        return answer_all(&options.words, session, &mut out);
    }
    if let ["svg", words @ ..] = words.as_slice() {
        return svg::run(session, words, &options.picture).map(|()| true);
    }
    options.picture.none()?;
    match words.as_slice() {
        [] if io::stdin().is_terminal() => repl::prompt(session),
        [] => repl::lines(session, stdin(), &mut out),
        ["list"] => write_all(&mut out, &help::list()),
        ["help"] => write_all(&mut out, &help::overview()),
        ["help", name] => write_all(&mut out, &help::function(name, session)?),
        ["table", text] => write_all(&mut out, &table::print(session, text)?),
        ["explain", what @ ..] => {
            let text = expression(what).ok_or_else(|| one_argument("explain"))?;
            write_all(&mut out, &explain::print(session, &text)?)
        }
        [name @ ("banks" | "help" | "table" | "list"), ..] => Err(one_argument(name)),
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

fn argument(session: &Session, i: usize, text: &str) -> Result<(usize, crate::value::Value)> {
    let value = crate::syntax::expression(text).and_then(|node| session.node(&node));
    Ok((1, value.map_err(|error| Error::Argument { index: i + 1, error: Box::new(error) })?))
}

/// The expression that words are: one is itself, more are a function and its arguments.
pub(crate) fn expression(words: &[&str]) -> Option<String> {
    match words {
        [text] => Some(text.to_string()),
        [name, args @ ..] if registry::find(name).is_some() => Some(format!("{name}({})", args.join(", "))),
        _ => None,
    }
}

fn one_argument(name: &str) -> Error {
    Error::Request(format!("'{name}' takes one argument; quote an expression with spaces or brackets"))
}

fn write_all(out: &mut impl Write, text: &str) -> Result<bool> {
    out.write_all(text.as_bytes())?;
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
