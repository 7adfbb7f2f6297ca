//! The position of a parser in a string, and parse errors. This module handles tokens and is
//! independent of layouts.

use crate::error::Error;

/// The maximum nesting depth of brackets.
pub(crate) const MAX_DEPTH: usize = 64;

/// A parse error, with the column at which it occurred. Columns count from 1 in messages.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// Another token was found.
    #[error("column {}: expected {expected}, found {found}", column + 1)]
    Unexpected {
        /// Byte offset in the string.
        column: usize,
        /// The expected tokens.
        expected: &'static str,
        /// The token that was found.
        found: String,
    },
    /// Brackets nest too deep.
    #[error("column {}: more than {MAX_DEPTH} nested brackets", column + 1)]
    TooDeep {
        /// Byte offset in the string.
        column: usize,
    },
    /// The text is well formed, but it is not a valid value of the algebra.
    #[error("column {}: {error}", column + 1)]
    Invalid {
        /// Byte offset at which the value starts.
        column: usize,
        /// The error of the algebra.
        error: Error,
    },
}

impl ParseError {
    /// Byte offset in the string.
    pub fn column(&self) -> usize {
        match self {
            Self::Unexpected { column, .. } | Self::TooDeep { column } | Self::Invalid { column, .. } => {
                *column
            }
        }
    }
}

pub(crate) type Result<T> = std::result::Result<T, ParseError>;

/// A position in a text. Its methods skip spaces, and move on behind what they read.
///
/// It is public for crates with notations of their own that contain integers, names and lists.
#[derive(Clone)]
pub struct Cursor<'a> {
    text: &'a str,
    column: usize,
    depth: usize,
}

impl<'a> Cursor<'a> {
    /// The beginning of a text.
    pub fn new(text: &'a str) -> Self {
        Self { text, column: 0, depth: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.column..]
    }

    fn skip_spaces(&mut self) {
        let rest = self.rest();
        self.column += rest.len() - rest.trim_start().len();
    }

    /// Column of the next token.
    pub fn column(&mut self) -> usize {
        self.skip_spaces();
        self.column
    }

    /// The next character behind spaces.
    pub fn peek(&mut self) -> Option<char> {
        self.skip_spaces();
        self.rest().chars().next()
    }

    /// Whether the token comes next; it is read then.
    pub fn eat(&mut self, token: &str) -> bool {
        self.skip_spaces();
        let found = self.rest().starts_with(token);
        if found {
            self.column += token.len();
        }
        found
    }

    /// Reads a token. Fails with `expected`, the words for it, if another one comes next.
    pub fn expect(&mut self, token: &'static str, expected: &'static str) -> Result<()> {
        if self.eat(token) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// The error that something else comes next.
    pub fn unexpected(&mut self, expected: &'static str) -> ParseError {
        let column = self.column();
        let rest = self.rest();
        let found = match rest.chars().next() {
            None => "the end".to_string(),
            Some(_) => {
                let word: String = rest
                    .chars()
                    .enumerate()
                    .take_while(|(i, c)| *i == 0 || c.is_alphanumeric())
                    .map(|(_, c)| c)
                    .take(24)
                    .collect();
                format!("`{word}`")
            }
        };
        ParseError::Unexpected { column, expected, found }
    }

    /// Fails unless the text ends here.
    pub fn end(&mut self, expected: &'static str) -> Result<()> {
        if self.peek().is_none() { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// `["-"] digit+`
    pub fn integer(&mut self) -> Result<i64> {
        self.skip_spaces();
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('-'));
        let digits = rest.bytes().skip(sign).take_while(u8::is_ascii_digit).count();
        let token = &rest[..sign + digits];
        if digits == 0 {
            return Err(self.unexpected("an integer"));
        }
        let value = token.parse().map_err(|_| self.unexpected("an integer of 64 bits"))?;
        self.column += token.len();
        Ok(value)
    }

    /// `(letter | "_") (letter | digit | "_")*`
    pub fn word(&mut self, expected: &'static str) -> Result<&'a str> {
        self.skip_spaces();
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        if !rest.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return Err(self.unexpected(expected));
        }
        self.column += end;
        Ok(&rest[..end])
    }

    /// Runs `f` one bracket deeper.
    pub fn nested<T, E: From<ParseError>>(
        &mut self,
        f: impl FnOnce(&mut Self) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        if self.depth >= MAX_DEPTH {
            return Err(ParseError::TooDeep { column: self.column() }.into());
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// `open item (separator item)* close`, or `open close`, after `open`.
    pub fn list<T, E: From<ParseError>>(
        &mut self,
        separator: &str,
        close: &str,
        expected: &'static str,
        mut item: impl FnMut(&mut Self) -> std::result::Result<T, E>,
    ) -> std::result::Result<Vec<T>, E> {
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items);
        }
        self.nested(|cursor| -> std::result::Result<(), E> {
            loop {
                items.push(item(cursor)?);
                if cursor.eat(close) {
                    return Ok(());
                }
                if !cursor.eat(separator) {
                    return Err(cursor.unexpected(expected).into());
                }
            }
        })?;
        Ok(items)
    }
}

/// Adds the column at which the value starts to an algebra error.
pub(crate) fn at<T>(column: usize, result: crate::error::Result<T>) -> Result<T> {
    result.map_err(|error| ParseError::Invalid { column, error })
}
