//! The commands, which are the same at a shell, at a prompt and in requests. Each returns data that
//! has a text.

mod help;

use cute_algebra::text::closest;
use serde::Deserialize;
use serde_json::{Map, Value as Json};

use crate::{
    atoms::found,
    banks::{Question, Report, report},
    candidates::{self, CandidateList, Limits},
    error::{Error, Result},
    eval::Session,
    explain,
    options::{self, Setting},
    registry,
    svg::{self, Picture},
    table::Table,
    tilings::Atom,
    tma::{self, TmaOptions},
};

/// The commands: name, arguments and description.
pub const COMMANDS: [(&str, &str, &str); 9] = [
    ("table", "LAYOUT", "print the values as a table"),
    ("explain", "EXPR", "show the steps of an operation"),
    ("banks", "LAYOUT", "count the bank conflicts of each --access to a tile whose elements have --bits N"),
    (
        "candidates",
        "SHAPE",
        "list layouts of a tile whose elements have --bits N, the ones with the fewest wavefronts of each --access first",
    ),
    (
        "tma",
        "TENSOR TILE TILER",
        "list box by box what the TMA copies for the tiles of a tensor of --element TYPE",
    ),
    ("svg", "LAYOUT -o FILE", "draw the values, or the thread and value of each element of a tile"),
    (
        "atoms",
        "[PATTERN]",
        "list the atoms whose names match, such as SM80_* or LDSM, or whose instructions do: m16n8k16",
    ),
    ("list", "", "list the functions"),
    ("help", "[NAME]", "explain expressions, a function, a command or an atom"),
];

/// The options of all commands, by the command that declares them.
pub const SETTINGS: [&[Setting]; 4] =
    [Picture::SETTINGS, Question::SETTINGS, Limits::SETTINGS, TmaOptions::SETTINGS];

/// The answer of a command.
pub enum Answer {
    /// Text, or a picture.
    Text(String),
    /// The values of a layout.
    Table(Table),
    /// Bank conflicts.
    Conflicts(Report),
    /// Layouts for a tile.
    Candidates(CandidateList),
}

impl Answer {
    /// The answer as text.
    pub fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Table(table) => table.text(),
            Self::Conflicts(report) => report.text(),
            Self::Candidates(list) => list.text(),
        }
    }

    /// The answer as an object, if it is more than text.
    pub fn structure(&self) -> Option<Json> {
        match self {
            Self::Text(_) => None,
            Self::Table(table) => Some(table.structure()),
            Self::Conflicts(report) => Some(report.structure()),
            Self::Candidates(list) => Some(list.structure()),
        }
    }

    /// Whether the command succeeded. `banks`, for instance, fails if it finds conflicts where none
    /// were wanted.
    pub fn is_good(&self) -> bool {
        match self {
            Self::Text(_) | Self::Table(_) | Self::Candidates(_) => true,
            Self::Conflicts(report) => report.is_good(),
        }
    }
}

impl From<String> for Answer {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// Whether there is a command with that name.
pub fn exists(name: &str) -> bool {
    COMMANDS.iter().any(|(command, ..)| *command == name)
}

/// Checks that each of the options belongs to the command.
pub fn check(command: &str, options: &Map<String, Json>) -> Result<()> {
    options::check(&SETTINGS, command, options)
}

/// Runs the command in `words` and returns its answer; `None` if the words are not a command.
pub fn run(session: &Session, words: &[&str], options: &Map<String, Json>) -> Result<Option<Answer>> {
    let [name, arguments @ ..] = words else { return Ok(None) };
    let bad = |error: serde_json::Error| Error::Request(format!("options of '{name}': {error}"));
    Ok(Some(match (*name, arguments) {
        ("tma", [tensor, memory, tiler]) => {
            let options = TmaOptions::deserialize(options).map_err(bad)?;
            tma::list(session, [tensor, memory, tiler], &options)?.into()
        }
        ("tma", _) => {
            let what =
                "'tma' takes a tensor, the tile in shared memory and the tiler; quote what has brackets";
            return Err(Error::Request(what.into()));
        }
        ("banks", [tile]) => {
            let mut options = options.clone();
            let bits = options.remove("bits").and_then(|bits| bits.as_i64());
            let question = Question::deserialize(&options).map_err(bad)?;
            Answer::Conflicts(report(session, tile, bits, &question)?)
        }
        ("candidates", [shape]) => {
            let mut options = options.clone();
            let bits = options.remove("bits").and_then(|bits| bits.as_i64());
            let accesses = options.remove("access").map(Vec::<String>::deserialize);
            let accesses = accesses.transpose().map_err(bad)?.unwrap_or_default();
            let limits = Limits::deserialize(&options).map_err(bad)?;
            Answer::Candidates(candidates::list(session, shape, bits, &accesses, &limits)?)
        }
        ("svg", words) => {
            let picture = Picture::deserialize(options).map_err(bad)?;
            svg::picture(session, words, &picture)?.into()
        }
        ("list", []) => help::list().into(),
        ("help", []) => help::overview().into(),
        ("help", [name]) => help::topic(name, session)?.into(),
        ("atoms", []) => names("*")?.into(),
        ("atoms", [pattern]) => names(pattern)?.into(),
        ("table", [text]) => Answer::Table(Table::of(session.argument("the table", text)?)?),
        ("explain", what) => {
            let text = registry::expression(what).ok_or_else(|| one_argument("explain"))?;
            explain::explain(session, &text)?.into()
        }
        (name, _) if exists(name) => return Err(one_argument(name)),
        _ => return Ok(None),
    }))
}

fn one_argument(name: &str) -> Error {
    Error::Request(format!("'{name}' takes one argument; quote an expression with spaces or brackets"))
}

/// The names of the atoms that match, one per line.
fn names(pattern: &str) -> Result<String> {
    let text: String = found(pattern).map(|atom| format!("{}\n", atom.name())).collect();
    if text.is_empty() {
        let suggestion = match pattern.contains("bulk") || pattern.to_ascii_uppercase().contains("TMA") {
            true => Some("tma(TENSOR, TILE, TILER)"),
            false => closest(pattern.trim_matches('*'), Atom::names()),
        };
        let suggestion = suggestion.map(|name| format!("; did you mean '{name}'?")).unwrap_or_default();
        return Err(Error::Request(format!("no atom matches '{pattern}'{suggestion}")));
    }
    Ok(text)
}
