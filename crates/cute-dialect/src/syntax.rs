//! The parts of types' bodies: keywords, integers, quoted text and element types, parsed and
//! printed.

use std::fmt::{Arguments, Write};

use std::fmt::Display;

use cute_algebra::ParseError;
use cute_ffi::syntax::{ParseResult, Parser};
use cute_placement::PlacementParseError;
use melior::ir::Type;

/// An enum whose cases have keywords in types.
macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $case:ident $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum $name { $($(#[$about])* $case),* }

        impl $name {
            /// All of them, with their keywords in types.
            pub const ALL: &[(&'static str, Self)] = &[$(($text, Self::$case)),*];

            /// The keyword in a type.
            pub fn name(self) -> &'static str {
                match self { $(Self::$case => $text),* }
            }
        }
    };
}
pub(crate) use named;

/// Writing to a string does not fail.
pub fn put(out: &mut String, text: Arguments<'_>) {
    let _ = out.write_fmt(text);
}

/// Tokens that must follow.
pub fn tokens(p: &Parser<'_>, tokens: &[&str]) -> ParseResult<()> {
    tokens.iter().try_for_each(|t| p.expect(t))
}

/// Parses one of several keywords.
pub fn one_of<T: Copy>(p: &Parser<'_>, what: &str, choices: &[(&str, T)]) -> ParseResult<T> {
    let at = p.at();
    let word = p.keyword();
    let found = choices.iter().find(|(name, _)| word.as_deref() == Some(name));
    let names = || choices.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    found.map_or_else(|| p.error(at, &format!("expected {what}: {}", names())), |(_, choice)| Ok(*choice))
}

/// A positive integer.
pub fn positive(p: &Parser<'_>, what: &str) -> ParseResult<i64> {
    let at = p.at();
    match p.integer() {
        Some(n) if n > 0 => Ok(n),
        _ => p.error(at, &format!("expected {what}")),
    }
}

/// An error of a parser that counts columns in its text.
pub trait HasColumn: Display {
    /// Byte offset in the text.
    fn column(&self) -> usize;
}

impl HasColumn for ParseError {
    fn column(&self) -> usize {
        self.column()
    }
}

impl HasColumn for PlacementParseError {
    fn column(&self) -> usize {
        self.column()
    }
}

/// A quoted body; an error points at its column inside the string. A bare rank, which some
/// descriptions of the dialect use, is not enough for a type.
pub fn quoted<T, E: HasColumn>(p: &Parser<'_>, parse: impl FnOnce(&str) -> Result<T, E>) -> ParseResult<T> {
    let at = p.at();
    let Some((text, inside)) = p.string() else {
        return match p.integer() {
            Some(n) => p.error(at, &format!("a rank such as {n} is not a complete type: write its contents in quotes, such as \"(4,8):(1,4)\" for a layout or \"(4,8)\" for a tuple")),
            None => p.error(at, "expected a quoted string"),
        };
    };
    parse(&text).or_else(|e| {
        let (shown, more) = match text.char_indices().nth(MOST_SHOWN) {
            Some((end, _)) => (&text[..end], "..."),
            None => (text.as_str(), ""),
        };
        p.error(inside.plus(e.column()), &format!("invalid \"{shown}{more}\": {e}"))
    })
}

/// Most characters of a body that an error repeats.
const MOST_SHOWN: usize = 200;

/// Takes the type of an element.
pub fn element_type<'c>(p: &Parser<'c>) -> ParseResult<Type<'c>> {
    let at = p.at();
    if let Some(t) = p.optional_type()? {
        return Ok(t);
    }
    let word = p.keyword().unwrap_or_default();
    let text = match element_called(&word) {
        Some(name) => format!("`{word}` is not a type of MLIR: write {name}"),
        None => "expected a type of elements, such as f16, bf16, f32, f8E4M3FN, i8 or i1".into(),
    };
    p.error(at, &text)
}

/// MLIR's name of a type that CUTLASS or C++ calls otherwise.
fn element_called(word: &str) -> Option<&'static str> {
    Some(match word {
        "half" | "half_t" | "float16" | "fp16" => "f16",
        "bfloat" | "bfloat16" | "bfloat16_t" => "bf16",
        "tfloat32_t" | "tfloat32" => "tf32",
        "float" | "float32" | "fp32" => "f32",
        "double" | "float64" | "fp64" => "f64",
        "float_e4m3_t" | "e4m3" | "fp8" => "f8E4M3FN",
        "float_e5m2_t" | "e5m2" => "f8E5M2",
        "float_e2m1_t" | "e2m1" => "f4E2M1FN",
        "float_ue8m0_t" | "ue8m0" => "f8E8M0FNU",
        "char" | "int8_t" | "int8" => "i8",
        "int" | "int32_t" | "int32" => "i32",
        "bool" => "i1",
        _ => return None,
    })
}
