//! The answer of `cutec prove` about a kernel of a builder.

use std::{fmt, process::Command};

use regex_lite::Regex;

pub enum Answer {
    Proved,
    /// The reason, with the instruction but without its line.
    Undecided(String),
    /// The size and the finding, or an error.
    Wrong(String),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Proved => write!(f, "proved"),
            Answer::Undecided(why) => write!(f, "not decided: {why}"),
            Answer::Wrong(what) => write!(f, "{what}"),
        }
    }
}

/// The answer about the kernel that a builder writes for some options.
pub fn asked(builder: &str, options: &[&str], launch: &[&str], seconds: &str) -> Answer {
    let folder = tempfile::tempdir().expect("a folder");
    let cutec = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cutec"));
        let output = command.current_dir(folder.path()).args(words).output().expect("cutec runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.success(), text(&output.stdout), text(&output.stderr))
    };
    let build = [&["build", builder], options, &["--emit", "cute", "-o", "k.mlir"]].concat();
    let (is_built, _, err) = cutec(&build);
    assert!(is_built, "{builder} {options:?}: {err}");
    let (_, out, err) = cutec(&[&["prove", "k.mlir", "--seconds", seconds], launch].concat());
    let first = out.lines().next().unwrap_or_default();
    match first.strip_prefix("not decided: ") {
        _ if first.starts_with("proved: ") => Answer::Proved,
        Some(why) => {
            let place = Regex::new(r"^[\w.]+:\d+(:\d+)?: ").expect("a pattern");
            Answer::Undecided(place.replace(why, "").into_owned())
        }
        None => Answer::Wrong(format!("{out}{err}").trim_end().replace('\n', " / ")),
    }
}
