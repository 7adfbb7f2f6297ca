//! Parses the bodies of types and attributes through MLIR's parser.

use std::ffi::{c_char, c_void};

use melior::{Context, StringRef, ir::Type};
use mlir_sys::{MlirContext, MlirStringCallback, MlirStringRef, MlirType};

use crate::types::Kind;

unsafe extern "C" {
    fn cuteParseOptional(p: *mut c_void, token: MlirStringRef) -> bool;
    fn cuteParseKeyword(p: *mut c_void, f: MlirStringCallback, u: *mut c_void) -> bool;
    fn cuteParseString(p: *mut c_void, f: MlirStringCallback, u: *mut c_void) -> bool;
    fn cuteParseInteger(p: *mut c_void, i: *mut i64) -> bool;
    fn cuteParseDimensions(p: *mut c_void, dimensions: *mut i64, count: isize) -> bool;
    fn cuteParseType(p: *mut c_void) -> MlirType;
    fn cuteParseOptionalType(p: *mut c_void, found: *mut bool) -> MlirType;
    fn cuteParserLocation(p: *mut c_void) -> *const c_char;
    fn cuteParserError(p: *mut c_void, at: *const c_char, text: MlirStringRef);
    fn cuteParserContext(p: *mut c_void) -> MlirContext;
    fn cutePrintText(p: *mut c_void, text: MlirStringRef);
}

/// A place in the source.
#[derive(Debug, Clone, Copy)]
pub struct SourcePosition(*const c_char);

/// MLIR's parser, for one type body. Every failure is reported through [`Parser::error`].
pub struct Parser<'c> {
    raw: *mut c_void,
    context: &'c Context,
    kind: Option<Kind>,
}

/// The error was reported already.
#[derive(Debug)]
pub struct Reported;

/// Result of parsing.
pub type ParseResult<T> = Result<T, Reported>;

/// MLIR's parser, for the body of a type of `kind` or of an attribute.
///
/// # Safety
/// `raw` is MLIR's parser, which lives for `'c`.
pub(crate) unsafe fn parser_of<'c>(raw: *mut c_void, kind: Option<Kind>) -> Parser<'c> {
    // SAFETY: promised by the caller; the context lives longer.
    let context = unsafe { crate::context(cuteParserContext(raw)) };
    Parser { raw, context, kind }
}

/// Prints a text verbatim.
///
/// # Safety
/// `printer` is MLIR's printer.
pub(crate) unsafe fn print_text(printer: *mut c_void, text: &str) {
    // SAFETY: promised by the caller; C++ copies the text.
    unsafe { cutePrintText(printer, StringRef::new(text).to_raw()) }
}

impl<'c> Parser<'c> {
    /// The context in which types are created.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// The location of the next token.
    pub fn at(&self) -> SourcePosition {
        // SAFETY: `raw` is MLIR's parser for the duration of the call into Rust.
        SourcePosition(unsafe { cuteParserLocation(self.raw) })
    }

    /// Reports an error.
    pub fn error<T>(&self, at: SourcePosition, text: &str) -> ParseResult<T> {
        // SAFETY: `at` came from this parser.
        unsafe { cuteParserError(self.raw, at.0, StringRef::new(text).to_raw()) };
        Err(Reported)
    }

    /// Takes the token (`<`, `>`, `(`, `)`, `,`, `=`, `->` or a keyword) if it is next.
    pub fn optional(&self, token: &str) -> bool {
        // SAFETY: as above.
        unsafe { cuteParseOptional(self.raw, StringRef::new(token).to_raw()) }
    }

    /// Takes the token or reports what was expected, with the syntax of the type.
    pub fn expect(&self, token: &str) -> ParseResult<()> {
        if self.optional(token) {
            return Ok(());
        }
        let syntax = self.kind.and_then(|kind| {
            kind.example().map(|example| format!("; a !{} is written {example}", kind.name()))
        });
        self.error(self.at(), &format!("expected '{token}'{}", syntax.unwrap_or_default()))
    }

    /// Takes a keyword if one is next.
    pub fn keyword(&self) -> Option<String> {
        let mut out = String::new();
        // SAFETY: `append` writes to `out`, which outlives the call.
        unsafe { cuteParseKeyword(self.raw, Some(append), (&raw mut out).cast()) }.then_some(out)
    }

    /// Takes a string if one is next; the location is that of its first character, after the quote.
    pub fn string(&self) -> Option<(String, SourcePosition)> {
        let at = self.at();
        let mut out = String::new();
        // SAFETY: as above.
        let found = unsafe { cuteParseString(self.raw, Some(append), (&raw mut out).cast()) };
        found.then(|| (out, SourcePosition(at.0.wrapping_add(1))))
    }

    /// Takes an integer if one is next.
    pub fn integer(&self) -> Option<i64> {
        let mut i = 0;
        // SAFETY: `i` is writable.
        unsafe { cuteParseInteger(self.raw, &mut i) }.then_some(i)
    }

    /// Takes extents such as `16x8x16`; MLIR reports errors.
    pub fn dimensions<const N: usize>(&self) -> ParseResult<[i64; N]> {
        let mut out = [0; N];
        // SAFETY: `out` has room for `N` extents.
        let found = unsafe { cuteParseDimensions(self.raw, out.as_mut_ptr(), N as isize) };
        if found { Ok(out) } else { Err(Reported) }
    }

    /// Takes a type; MLIR reports errors.
    pub fn r#type(&self) -> ParseResult<Type<'c>> {
        // SAFETY: null, or a live type of the context.
        unsafe { Type::from_option_raw(cuteParseType(self.raw)) }.ok_or(Reported)
    }

    /// Takes a type if one is next; MLIR reports the error of one that is malformed.
    pub fn optional_type(&self) -> ParseResult<Option<Type<'c>>> {
        let mut found = false;
        // SAFETY: `found` is writable; null, or a live type of the context.
        let t = unsafe { Type::from_option_raw(cuteParseOptionalType(self.raw, &mut found)) };
        if t.is_none() && found { Err(Reported) } else { Ok(t) }
    }
}

impl SourcePosition {
    /// `columns` further right.
    pub fn plus(self, columns: usize) -> Self {
        Self(self.0.wrapping_add(columns))
    }
}

unsafe extern "C" fn append(s: MlirStringRef, out: *mut c_void) {
    // SAFETY: `out` is the String given with the callback, `s` is readable for the call.
    unsafe { (*out.cast::<String>()).push_str(crate::text(s)) }
}
