//! Evaluation line by line: the prompt with its history, and lines from a pipe. An error is
//! reported and does not end the session.

use std::{
    io::{self, BufRead, Read, Write},
    path::PathBuf,
};

use clap::Parser;
use cute_eval::{command::exists, eval::Session, registry, syntax::uncommented};
use rustyline::{Config, Editor, error::ReadlineError, history::DefaultHistory};

use crate::{
    command::{self, Line, PROMPT_COMMANDS, report},
    complete::Names,
    error::{Error, Result},
    output::print,
};

/// The maximum length of a line from a pipe.
const MAX_LINE: u64 = 1 << 26;

enum Answer {
    Text(String),
    Quit,
}

/// Reads from the terminal until `quit` or the end of input.
pub fn prompt(session: &mut Session, out: &mut impl Write) -> Result<bool> {
    let config = Config::builder().completion_type(rustyline::CompletionType::List).build();
    let mut editor = Editor::<Names, DefaultHistory>::with_config(config).map_err(io::Error::other)?;
    let history = history_file();
    if let Some(file) = &history {
        // There may be no history yet.
        let _ = editor.load_history(file);
    }
    print(out, format_args!("cute-calc {}; help for help, quit to end\n", env!("CARGO_PKG_VERSION")))?;
    loop {
        let variables = session.variables().map(|(name, _)| name.to_string()).collect();
        editor.set_helper(Some(Names { variables }));
        match editor.readline("> ") {
            Ok(line) => {
                let _ = editor.add_history_entry(line.trim());
                match answer(session, &line) {
                    Ok(Answer::Text(text)) => print(out, text)?,
                    Ok(Answer::Quit) => break,
                    Err(error) => report(error),
                }
                out.flush()?;
            }
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(io::Error::other(error).into()),
        }
    }
    if let Some(file) = &history {
        let saved = file.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(ReadlineError::from);
        if let Err(error) = saved.and_then(|()| editor.save_history(file)) {
            let _ =
                writeln!(io::stderr(), "warning: the history is not saved to {}: {error}", file.display());
        }
    }
    Ok(true)
}

/// Evaluates every line of `source`. Returns whether all succeeded.
pub fn lines(session: &mut Session, mut source: impl BufRead, out: &mut impl Write) -> Result<bool> {
    let (mut number, mut good) = (0, true);
    let mut line = Vec::new();
    loop {
        line.clear();
        if source.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(good);
        }
        number += 1;
        match answer(session, &String::from_utf8_lossy(&line)) {
            Ok(Answer::Text(text)) => print(out, text)?,
            Ok(Answer::Quit) => return Ok(good),
            Err(error) => {
                good = false;
                report(format_args!("line {number}: {error}"));
            }
        }
        out.flush()?;
    }
}

fn answer(session: &mut Session, line: &str) -> Result<Answer> {
    let line = line.trim_end();
    let text = line.trim_start();
    if uncommented(text).trim().is_empty() {
        return Ok(Answer::Text(String::new()));
    }
    match command_of(session, line)? {
        None => Ok(Answer::Text(session.statement(line)?.answer()?)),
        Some(("quit" | "q" | "exit", "")) => Ok(Answer::Quit),
        Some(("vars", "")) => {
            let lines = session.variables().map(|(name, value)| format!("{name} = {value}\n"));
            Ok(Answer::Text(lines.collect()))
        }
        Some((name, rest)) => Ok(Answer::Text(run(session, name, rest)?)),
    }
}

/// Splits a line into a command and the rest. After `:` any word is a command; otherwise only a
/// command's name that is neither a variable nor defined by this line.
fn command_of<'a>(session: &Session, line: &'a str) -> Result<Option<(&'a str, &'a str)>> {
    let text = line.trim_start();
    let (text, marked) = text.strip_prefix(':').map_or((text, false), |text| (text, true));
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let known = exists(name) || PROMPT_COMMANDS.contains(&name);
    let rest = rest.trim_start();
    if marked {
        let name = match name {
            "h" => "help",
            "q" => "quit",
            _ if known => name,
            _ => return Err(Error::Command(name.chars().take(24).collect())),
        };
        return Ok(Some((name, rest)));
    }
    let named = session.variables().any(|(variable, _)| variable == name);
    Ok((known && !named && !rest.starts_with('=')).then_some((name, rest)))
}

/// The answer of a shell command. `rest` is the end of the line; columns count from the start of
/// the line.
fn run(session: &Session, name: &str, rest: &str) -> Result<String> {
    let words = words(rest);
    let Line { words, options } = Line::try_parse_from(words).map_err(|error| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        Error::request(line.trim_start_matches("error: "))
    })?;
    let mut words: Vec<_> = words.iter().map(String::as_str).collect();
    // An expression may have spaces.
    let whole = matches!(name, "table" | "explain") && !words.is_empty();
    if whole && words.first().is_none_or(|first| registry::find(first).is_none()) {
        words = vec![rest];
    }
    words.insert(0, name);
    match command::run(session, &words, &options)? {
        Some(answer) => Ok(answer.text()),
        None => Err(Error::Command(name.to_string())),
    }
}

/// The words of a line, as a shell splits it, except that spaces in brackets do not end a word.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut depth, mut quote) = (None::<String>, 0usize, None);
    for c in line.chars() {
        match (quote, c) {
            (Some(end), c) if c == end => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() && depth == 0 => words.extend(word.take()),
            (_, c) => {
                depth = match c {
                    '(' | '[' => depth + 1,
                    ')' | ']' => depth.saturating_sub(1),
                    _ => depth,
                };
                word.get_or_insert_default().push(c);
            }
        }
    }
    words.extend(word);
    words
}

/// `cute-calc/history` in the directory for the user's data.
fn history_file() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let data = match set("XDG_DATA_HOME").filter(|path| path.is_absolute()) {
        Some(data) => data,
        None if cfg!(windows) => set("APPDATA")?,
        None if cfg!(target_os = "macos") => set("HOME")?.join("Library/Application Support"),
        None => set("HOME")?.join(".local/share"),
    };
    Some(data.join("cute-calc").join("history"))
}
