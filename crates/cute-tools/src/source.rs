//! The text to compile: reading it, and making it one module.

use std::{
    fs,
    io::{self, Read},
    path::Path,
};

use crate::error::{Error, Result};

/// Begins a module around ops that have none.
const OPEN: &str = "module {";

/// What some editors begin UTF-8 text with.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Bytes that a text may have: enough for any module, and an end for `/dev/zero`.
const MOST_BYTES: usize = 256 << 20;

/// A text and its name.
#[derive(Debug)]
pub struct Source {
    /// How locations and errors name it.
    pub name: String,
    /// What MLIR parses: one `module`.
    pub text: String,
    /// What was put into the text, in place of nothing.
    inserted: Insertion,
    /// The text as it was read.
    original: String,
}

/// Characters put into one line of a text.
#[derive(Debug, Default, Clone, Copy)]
struct Insertion {
    line: usize,
    column: usize,
    length: usize,
}

impl Source {
    /// Reads a file, or standard input for `-`, and readies it: see [`Source::new`].
    ///
    /// # Errors
    /// [`Error::Read`] and [`Error::NotText`].
    pub fn read(file: &Path) -> Result<Self> {
        let stdin = file == Path::new("-");
        let name = if stdin { "<stdin>".to_string() } else { file.display().to_string() };
        let read = if stdin { bytes(io::stdin()) } else { fs::File::open(file).and_then(bytes) };
        let bytes = read.map_err(|why| Error::Read { file: name.clone(), why })?;
        if bytes.len() > MOST_BYTES {
            return Err(Error::TooLarge { file: name, most: MOST_BYTES });
        }
        // A NUL would end the text for MLIR.
        if let Some(at) = bytes.iter().position(|b| *b == 0) {
            return Err(Error::NotText { file: name, at });
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self::new(name, text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text).to_owned())),
            Err(e) => Err(Error::NotText { file: name, at: e.utf8_error().valid_up_to() }),
        }
    }

    /// A text whose outermost op is a `module`: the one it has, or one around all its ops, as mlir-opt makes it. Lines
    /// keep their numbers.
    pub fn new(name: String, original: String) -> Self {
        let Some(at) = implicit_module(&original) else {
            return Self { name, text: original.clone(), inserted: Insertion::default(), original };
        };
        let text = format!("{}{OPEN}{}\n}}", &original[..at], &original[at..]);
        let column = at - original[..at].rfind('\n').map_or(0, |n| n + 1) + 1;
        let line = original[..at].matches('\n').count() + 1;
        Self { name, text, inserted: Insertion { line, column, length: OPEN.len() }, original }
    }

    /// The column of the text as it was read, from one of the text that MLIR parsed.
    pub fn column(&self, line: usize, column: usize) -> usize {
        let i = self.inserted;
        if line != i.line || column < i.column {
            column
        } else {
            i.column.max(column.saturating_sub(i.length))
        }
    }

    /// The name of the value that is spelled at a place of the text that MLIR parsed; none for a number.
    pub fn value_name(&self, line: usize, column: usize) -> Option<&str> {
        let line = self.text.lines().nth(line.checked_sub(1)?)?;
        let rest = line.get(column.checked_sub(1)?..)?.strip_prefix('%')?;
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"_$.-".contains(c));
        let name = &rest[..end.unwrap_or(rest.len())];
        name.starts_with(|c: char| !c.is_ascii_digit()).then_some(name)
    }

    /// A line of the text as it was read, counted from 1.
    pub fn line(&self, number: usize) -> Option<&str> {
        self.original.lines().nth(number.checked_sub(1)?)
    }
}

/// All that there is to read, but for what lies behind the first byte too many.
fn bytes(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Where a module is to begin around the ops of a text: behind the aliases, which must stay outside. `None` if there
/// is a module.
fn implicit_module(text: &str) -> Option<usize> {
    let (mut at, mut behind_aliases) = (blank(text, 0), 0);
    while text[at..].starts_with(['#', '!']) || text[at..].starts_with("{-#") {
        behind_aliases = match text[at..].strip_prefix("{-#") {
            Some(resources) => resources.find("#-}").map_or(text.len(), |n| at + n + 6),
            None => alias_end(text, at),
        };
        at = blank(text, behind_aliases);
    }
    let op = text[at..].trim_start_matches('"');
    let rest = op.strip_prefix("builtin.").unwrap_or(op).strip_prefix("module");
    let is_module = rest.is_some_and(|r| !r.starts_with(|c: char| c.is_alphanumeric() || "_$.".contains(c)));
    (!is_module).then_some(behind_aliases)
}

/// Where something other than white space and comments begins.
fn blank(text: &str, mut at: usize) -> usize {
    loop {
        let rest = text[at..].trim_start();
        at = text.len() - rest.len();
        match rest.strip_prefix("//") {
            Some(comment) => at += 2 + comment.find('\n').unwrap_or(comment.len()),
            None => return at,
        }
    }
}

/// Where the line begins behind the alias that begins at `at`; an alias ends at the end of a line with all brackets
/// closed.
fn alias_end(text: &str, at: usize) -> usize {
    nested(&text[at..], |depth, c| depth == 0 && c == '\n').map_or(text.len(), |n| at + n + 1)
}

/// The first character, outside strings and comments, that `is_end` takes with the bracket depth before it.
fn nested(text: &str, is_end: impl Fn(usize, char) -> bool) -> Option<usize> {
    let (mut depth, mut quoted, mut last) = (0usize, false, ' ');
    let mut characters = text.char_indices().peekable();
    while let Some((i, c)) = characters.next() {
        let next = characters.peek().map(|(_, c)| *c);
        if quoted {
            if c == '\\' {
                characters.next();
            }
            quoted = c != '"';
            continue;
        }
        if c == '/' && next == Some('/') {
            while characters.next_if(|(_, c)| *c != '\n').is_some() {}
            continue;
        }
        if is_end(depth, c) {
            return Some(i);
        }
        // `->`, `>=` and `<=` are no brackets.
        let arrow = (c == '>' && (last == '-' || next == Some('='))) || (c == '<' && next == Some('='));
        match c {
            '"' => quoted = true,
            '(' | '[' | '{' => depth += 1,
            '<' if !arrow => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '>' if !arrow => depth = depth.saturating_sub(1),
            _ => {}
        }
        last = c;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> String {
        Source::new("t".into(), text.into()).text
    }

    #[test]
    fn a_module_stays_as_it_is() {
        for text in
            ["// m\n module {}", "#a = 1 : i32\nbuiltin.module @m {}", "\"builtin.module\"() ({}) : () -> ()"]
        {
            assert_eq!(parsed(text), text);
        }
        assert_eq!(parsed("modular.op"), "module {modular.op\n}");
    }

    #[test]
    fn other_ops_get_a_module_behind_the_aliases() {
        let text = "#m = affine_map<(d0)\n -> (d0)>\n!t = i32 // \"\nfunc.func private @f()";
        let (aliases, op) = text.split_at(text.find("func").unwrap());
        assert_eq!(parsed(text), format!("{aliases}module {{{op}\n}}"));
    }

    #[test]
    fn columns_are_those_of_the_file() {
        let s = Source::new("t".into(), "gpu.module @m".into());
        assert_eq!(s.text, "module {gpu.module @m\n}");
        assert_eq!((s.column(1, 9), s.column(1, 13), s.column(2, 1)), (1, 5, 1));
        assert_eq!(s.line(1), Some("gpu.module @m"));
    }

    #[test]
    fn values_are_named_where_they_are_spelled() {
        let s = Source::new("t".into(), "gpu.func @k(%src: i32,\n  %a.b-1 : i32, %0: i32)".into());
        assert_eq!(s.value_name(1, 13 + OPEN.len()), Some("src"));
        assert_eq!((s.value_name(2, 3), s.value_name(2, 17)), (Some("a.b-1"), None));
        assert_eq!((s.value_name(2, 4), s.value_name(9, 1), s.value_name(0, 0)), (None, None, None));
    }
}
