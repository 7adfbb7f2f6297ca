//! Line by line: the prompt with its history, and lines from a pipe. An error is reported and does not end it.

use std::{
    io::{self, BufRead, Read, Write},
    path::PathBuf,
};

use rustyline::{DefaultEditor, error::ReadlineError};

use crate::{
    error::{Error, Result},
    eval::Session,
    explain, help, table,
};

/// Longest line that is read from a pipe.
const MAX_LINE: u64 = 1 << 26;

enum Answer {
    Text(String),
    Quit,
}

/// Reads from the terminal until `:quit` or the end of input.
pub fn prompt(session: &mut Session) -> Result<bool> {
    let mut editor = DefaultEditor::new().map_err(io::Error::other)?;
    let history = history_file();
    if let Some(file) = &history {
        // Without a history yet, there is nothing to load.
        let _ = editor.load_history(file);
    }
    println!("cute-calc {}; :help for help, :quit to end", env!("CARGO_PKG_VERSION"));
    loop {
        match editor.readline("> ") {
            Ok(line) => {
                let _ = editor.add_history_entry(line.trim());
                match answer(session, &line) {
                    Ok(Answer::Text(text)) => print!("{text}"),
                    Ok(Answer::Quit) => break,
                    Err(error) => eprintln!("error: {error}"),
                }
            }
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(io::Error::other(error).into()),
        }
    }
    if let Some(file) = &history {
        let saved = file.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(ReadlineError::from);
        if let Err(error) = saved.and_then(|()| editor.save_history(file)) {
            eprintln!("warning: the history is not saved to {}: {error}", file.display());
        }
    }
    Ok(true)
}

/// Evaluates every line of `source`. Whether all went well.
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
            Ok(Answer::Text(text)) => out.write_all(text.as_bytes())?,
            Ok(Answer::Quit) => return Ok(good),
            Err(error) => {
                good = false;
                eprintln!("error: line {number}: {error}");
            }
        }
        out.flush()?;
    }
}

fn answer(session: &mut Session, line: &str) -> Result<Answer> {
    let line = line.trim_end();
    let text = line.trim_start();
    if text.is_empty() || text.starts_with('#') {
        return Ok(Answer::Text(String::new()));
    }
    let Some(command) = text.strip_prefix(':') else {
        return Ok(Answer::Text(session.statement(line)?.answer()?));
    };
    let (command, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    Ok(Answer::Text(match (command, rest.trim()) {
        ("help" | "h", "") => help::overview(),
        ("help" | "h", name) => help::function(name, session)?,
        ("list", "") => help::list(),
        ("vars", "") => session.variables().map(|(name, value)| format!("{name} = {value}\n")).collect(),
        ("table", text) => table::print(session, text)?,
        ("explain", text) => explain::print(session, text)?,
        ("quit" | "q" | "exit", "") => return Ok(Answer::Quit),
        _ => return Err(Error::Command(command.chars().take(24).collect())),
    }))
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
