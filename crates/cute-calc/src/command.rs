//! The commands, which are the same at the shell and at the prompt. Each returns text.

use std::io::{self, Write};

use clap::Parser;
use cute_algebra::text::closest;

use crate::{
    banks,
    error::{Error, Result},
    eval::Session,
    explain, help, registry, svg, table,
    tilings::Atom,
    tma,
};

/// The commands: name, arguments and description.
pub const COMMANDS: [(&str, &str, &str); 8] = [
    ("table", "LAYOUT", "print the values as a table"),
    ("explain", "EXPR", "show the steps of an operation"),
    ("banks", "LAYOUT", "count the bank conflicts of each --access to a tile whose elements have --bits N"),
    (
        "tma",
        "TENSOR TILE TILER",
        "list box by box what the TMA copies for the tiles of a tensor of --element TYPE",
    ),
    ("svg", "LAYOUT -o FILE", "draw the values, or the thread and value of each element of a tile"),
    ("atoms", "[PATTERN]", "list the atoms whose names match, such as SM80_* or LDSM"),
    ("list", "", "list the functions"),
    ("help", "[NAME]", "explain expressions, a function, a command or an atom"),
];

/// The options of `svg`, `banks` and `tma`.
#[derive(Debug, Default, clap::Args)]
pub struct Extras {
    #[command(flatten)]
    pub picture: svg::Picture,
    #[command(flatten)]
    pub question: banks::Question,
    #[command(flatten)]
    pub copy: tma::TmaOptions,
}

impl Extras {
    /// Checks that no option is given.
    pub fn none(&self) -> Result<()> {
        self.question.none()?;
        self.copy.none()?;
        self.picture.none()
    }
}

/// A command as it is typed at the prompt.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
pub struct Line {
    #[arg(allow_negative_numbers = true)]
    pub words: Vec<String>,
    #[command(flatten)]
    pub options: Extras,
}

/// The text of a command's answer, and whether the command succeeded. `banks`, for instance, fails
/// if it finds conflicts where none were wanted.
pub struct Answer {
    pub text: String,
    pub good: bool,
}

impl From<String> for Answer {
    fn from(text: String) -> Self {
        Self { text, good: true }
    }
}

/// Whether there is a command with that name.
pub fn exists(name: &str) -> bool {
    COMMANDS.iter().any(|(command, ..)| *command == name)
}

/// Runs the command in `words` and returns its answer; `None` if the words are not a command.
pub fn run(session: &Session, words: &[&str], options: &Extras) -> Result<Option<Answer>> {
    let Extras { picture, question, copy } = options;
    if let ["tma", tensor, memory, tiler] = words {
        picture.none()?;
        question.none()?;
        return Ok(Some(tma::print(session, [tensor, memory, tiler], copy)?.into()));
    }
    if let ["tma", ..] = words {
        let what = "'tma' takes a tensor, the tile in shared memory and the tiler; quote what has brackets";
        return Err(Error::Request(what.into()));
    }
    copy.none()?;
    if let ["banks", tile] = words {
        picture.only_bits()?;
        return banks::answer(session, tile, picture.bits, question).map(Some);
    }
    question.none()?;
    if let ["svg", words @ ..] = words {
        svg::run(session, words, picture)?;
        return Ok(Some(String::new().into()));
    }
    picture.none()?;
    let text = match words {
        ["list"] => help::list(),
        ["help"] => help::overview(),
        ["help", name] => help::topic(name, session)?,
        ["atoms"] => names("*")?,
        ["atoms", pattern] => names(pattern)?,
        ["table", text] => table::print(session, text)?,
        ["explain", what @ ..] => {
            let text = expression(what).ok_or_else(|| one_argument("explain"))?;
            explain::print(session, &text)?
        }
        [name, ..] if exists(name) => return Err(one_argument(name)),
        _ => return Ok(None),
    };
    Ok(Some(text.into()))
}

/// The expression in `words`: a single word is the expression; several words are a function and its
/// arguments.
pub fn expression(words: &[&str]) -> Option<String> {
    match words {
        [text] => Some(text.to_string()),
        [name, args @ ..] if registry::find(name).is_some() => Some(format!("{name}({})", args.join(", "))),
        _ => None,
    }
}

/// Reports an error; standard error may be closed.
pub fn report(error: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "error: {error}");
}

fn one_argument(name: &str) -> Error {
    Error::Request(format!("'{name}' takes one argument; quote an expression with spaces or brackets"))
}

/// The names of the atoms that match, one per line.
fn names(pattern: &str) -> Result<String> {
    let text: String =
        Atom::names().filter(|name| matches(pattern, name)).map(|name| format!("{name}\n")).collect();
    if text.is_empty() {
        let suggestion = closest(pattern.trim_matches('*'), Atom::names());
        let suggestion = suggestion.map(|name| format!("; did you mean '{name}'?")).unwrap_or_default();
        return Err(Error::Request(format!("no atom matches '{pattern}'{suggestion}")));
    }
    Ok(text)
}

/// Whether `name` matches the pattern: `*` is any text, `?` any letter; without either, part of the
/// name.
fn matches(pattern: &str, name: &str) -> bool {
    if !pattern.contains(['*', '?']) {
        return name.to_ascii_lowercase().contains(&pattern.to_ascii_lowercase());
    }
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // reached[i]: whether the pattern so far matches the first i letters.
    let mut reached: Vec<bool> = (0..=name.len()).map(|i| i == 0).collect();
    for wanted in &pattern {
        reached = if *wanted == '*' {
            reached
                .iter()
                .scan(false, |any, here| {
                    *any |= here;
                    Some(*any)
                })
                .collect()
        } else {
            let fits = |letter: &char| *wanted == '?' || wanted.eq_ignore_ascii_case(letter);
            std::iter::once(false)
                .chain(reached.iter().zip(&name).map(|(here, c)| *here && fits(c)))
                .collect()
        };
    }
    reached.last() == Some(&true)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_whole_names_or_parts() {
        for pattern in ["SM80_*", "*_TN", "sm80*f16*", "SM?0_16x8x16_F32F16F16F32_TN", "16x8x16", "*", "**"] {
            assert!(matches(pattern, "SM80_16x8x16_F32F16F16F32_TN"), "{pattern}");
        }
        for pattern in ["SM80", "SM90_*", "SM80_?", "*_NT", "x"] {
            let expected = pattern == "SM80" || pattern == "x";
            assert_eq!(matches(pattern, "SM80_16x8x16_F32F16F16F32_TN"), expected, "{pattern}");
        }
    }
}
