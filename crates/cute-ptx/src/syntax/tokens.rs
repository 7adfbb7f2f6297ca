//! The words of a text of PTX, for those who change it.

use super::cursor::Cursor;
use std::ops::Range;

/// A word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'a> {
    /// The name of a register, a label or a symbol, or an opcode without modifiers.
    Name(&'a str),
    /// A directive, without the dot.
    Directive(&'a str),
    /// Digits and letters: an integer or a float.
    Number(&'a str),
}

/// The words of a text, and where they stand. Opcodes with modifiers, special registers with
/// dots, texts in quotes, comments and punctuation are left out.
///
/// ```
/// use cute_ptx::syntax::{Token, tokens};
///
/// let text = ".loc 1 5 0 // here
///             ld.global.u32 %r1, [table+8]; mov.u32 %r2, %tid.x;";
/// let found: Vec<_> = tokens(text).map(|(_, token)| token).collect();
/// assert_eq!(found[..2], [Token::Directive("loc"), Token::Number("1")]);
/// assert_eq!(found[4..], ["%r1", "table", "8", "%r2"].map(|word| match word {
///     "8" => Token::Number(word),
///     _ => Token::Name(word),
/// }));
/// let (place, _) = tokens(text).find(|(_, token)| *token == Token::Name("table")).unwrap();
/// assert_eq!(text[place], *"table");
/// ```
pub fn tokens(text: &str) -> impl Iterator<Item = (Range<usize>, Token<'_>)> {
    let mut cursor = Cursor::new(text, 1);
    std::iter::from_fn(move || {
        loop {
            let byte = cursor.peek()?;
            let from = cursor.at();
            let token = match byte {
                b'"' => {
                    if cursor.string().is_err() {
                        return None;
                    }
                    continue;
                }
                b'.' => cursor.directive().map(Token::Directive),
                b'0'..=b'9' => Some(Token::Number(cursor.digits())),
                _ => cursor.dotted().filter(|name| !name.contains('.')).map(Token::Name),
            };
            if let Some(token) = token {
                return Some((from..cursor.at(), token));
            }
            if cursor.at() == from {
                cursor.step();
            }
        }
    })
}
