//! Parsing of bodies through MLIR's parser.

use std::ffi::{c_char, c_void};

use melior::{
    Context, StringRef,
    ir::{Type, TypeLike},
};
use mlir_sys::{MlirContext, MlirStringCallback, MlirStringRef, MlirType};

use super::{ops::OpKind, types::Kind};
use crate::types;
use cute_algebra::text::closest;

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
pub struct At(*const c_char);

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
pub type Parsed<T> = Result<T, Reported>;

impl<'c> Parser<'c> {
    /// The context types are made in.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// Where the next token begins.
    pub fn at(&self) -> At {
        // SAFETY: `raw` is MLIR's parser for the duration of the call into Rust.
        At(unsafe { cuteParserLocation(self.raw) })
    }

    /// Reports an error.
    pub fn error<T>(&self, at: At, text: &str) -> Parsed<T> {
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
    pub fn expect(&self, token: &str) -> Parsed<()> {
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

    /// Takes a string if one is next; the place is that of its first character, behind the quote.
    pub fn string(&self) -> Option<(String, At)> {
        let at = self.at();
        let mut out = String::new();
        // SAFETY: as above.
        let found = unsafe { cuteParseString(self.raw, Some(append), (&raw mut out).cast()) };
        found.then(|| (out, At(at.0.wrapping_add(1))))
    }

    /// Takes an integer if one is next.
    pub fn integer(&self) -> Option<i64> {
        let mut i = 0;
        // SAFETY: `i` is writable.
        unsafe { cuteParseInteger(self.raw, &mut i) }.then_some(i)
    }

    /// Takes extents such as `16x8x16`; MLIR reports the error.
    pub fn dimensions<const N: usize>(&self) -> Parsed<[i64; N]> {
        let mut out = [0; N];
        // SAFETY: `out` has room for `N` extents.
        let found = unsafe { cuteParseDimensions(self.raw, out.as_mut_ptr(), N as isize) };
        if found { Ok(out) } else { Err(Reported) }
    }

    /// Takes a type; MLIR reports the error.
    pub fn r#type(&self) -> Parsed<Type<'c>> {
        // SAFETY: null, or a live type of the context.
        unsafe { Type::from_option_raw(cuteParseType(self.raw)) }.ok_or(Reported)
    }
}

impl<'c> Parser<'c> {
    /// Takes the type of an element.
    pub fn element(&self) -> Parsed<Type<'c>> {
        let (at, mut found) = (self.at(), false);
        // SAFETY: `found` is writable; null, or a live type of the context.
        let t = unsafe { Type::from_option_raw(cuteParseOptionalType(self.raw, &mut found)) };
        match t {
            Some(t) => Ok(t),
            None if found => Err(Reported),
            None => {
                let word = self.keyword().unwrap_or_default();
                let text = match element_called(&word) {
                    Some(name) => format!("`{word}` is not a type of MLIR: write {name}"),
                    None => "expected a type of elements, such as f16, bf16, f32, f8E4M3FN, i8 or i1".into(),
                };
                self.error(at, &text)
            }
        }
    }
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

/// The error about a name that no type or op of the dialects has. MLIR puts the name of an op before it.
fn unknown_name(kind: i32, name: &str) -> String {
    let did_you_mean = |names: &mut dyn Iterator<Item = &'static str>, sigil: &str| {
        closest(name, names).map_or_else(String::new, |close| format!("; did you mean '{sigil}{close}'?"))
    };
    match kind {
        0 => {
            let close = did_you_mean(&mut Kind::ALL.iter().map(|kind| kind.name()), "!");
            format!("unknown type '!{name}'{close}")
        }
        _ => format!("is unknown{}", did_you_mean(&mut OpKind::ALL.iter().map(|kind| kind.name()), "")),
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_unknown_name(
    kind: i32,
    name: MlirStringRef,
    push: MlirStringCallback,
    u: *mut c_void,
) {
    let Some(push) = push else { return };
    // SAFETY: the name lives for the call; `push` and `u` belong together, and `push` copies the text.
    unsafe {
        let text = unknown_name(kind, super::text(name));
        push(StringRef::new(&text).to_raw(), u);
    }
}

impl At {
    /// `columns` further right.
    pub fn plus(self, columns: usize) -> Self {
        Self(self.0.wrapping_add(columns))
    }
}

unsafe extern "C" fn append(s: MlirStringRef, out: *mut c_void) {
    // SAFETY: `out` is the String given with the callback, `s` is readable for the call.
    unsafe { (*out.cast::<String>()).push_str(super::text(s)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_type_parse(raw: *mut c_void, context: MlirContext, kind: i32) -> MlirType {
    let null = MlirType { ptr: std::ptr::null() };
    // SAFETY: MLIR calls with its live parser and context.
    let context = unsafe { super::context(context) };
    let Some(kind) = usize::try_from(kind).ok().and_then(|i| Kind::ALL.get(i)) else { return null };
    let parser = Parser { raw, context, kind: Some(*kind) };
    let location = melior::ir::Location::unknown(context);
    let parsed = super::guarded(kind.name(), location, || types::parse(&parser, *kind).ok());
    parsed.map_or(null, |t| t.to_raw())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_coord_attribute_error(
    t: MlirType,
    push: MlirStringCallback,
    u: *mut c_void,
) -> bool {
    // SAFETY: MLIR calls with a live type.
    let t = unsafe { Type::from_raw(t) };
    let location = melior::ir::Location::unknown(super::types::context_of(t));
    let why = super::guarded("#cute.coord", location, || Some(types::why_no_attribute(t)));
    let (Some(Some(why)), Some(push)) = (why, push) else { return false };
    // SAFETY: `push` and `u` belong together; `push` copies the text.
    unsafe { push(StringRef::new(&why).to_raw(), u) };
    true
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_text_parse(
    raw: *mut c_void,
    mnemonic: MlirStringRef,
    push: MlirStringCallback,
    u: *mut c_void,
) -> bool {
    // SAFETY: MLIR's parser is live for the call, and with it its context.
    let context = unsafe { super::context(cuteParserContext(raw)) };
    let parser = Parser { raw, context, kind: None };
    let location = melior::ir::Location::unknown(context);
    // SAFETY: the text lives for the call.
    let mnemonic = unsafe { super::text(mnemonic) };
    let parsed = super::guarded("attribute", location, || types::parse_text(&parser, mnemonic).ok());
    let (Some(text), Some(push)) = (parsed, push) else { return false };
    // SAFETY: `push` and `u` belong together; `push` copies the text.
    unsafe { push(StringRef::new(&text).to_raw(), u) };
    true
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_text_print(raw: *mut c_void, text: MlirStringRef) {
    // SAFETY: the printer and the text live for the call.
    unsafe {
        let text = format!("<\"{}\">", super::text(text));
        cutePrintText(raw, StringRef::new(&text).to_raw());
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_type_part(t: MlirType, part: i32) -> MlirType {
    // SAFETY: MLIR calls with a live type.
    let t = unsafe { Type::from_raw(t) };
    let location = melior::ir::Location::unknown(super::types::context_of(t));
    let part = super::guarded("type parts", location, || types::part(t, part));
    part.map_or(MlirType { ptr: std::ptr::null() }, |t| t.to_raw())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_type_leaves(
    t: MlirType,
    push: unsafe extern "C" fn(MlirType, *mut c_void),
    u: *mut c_void,
) -> bool {
    // SAFETY: MLIR calls with a live type.
    let t = unsafe { Type::from_raw(t) };
    let location = melior::ir::Location::unknown(super::types::context_of(t));
    let leaves = super::guarded("type leaves", location, || types::leaf_types(t));
    let Some(leaves) = leaves else { return false };
    // SAFETY: `push` and `u` belong together.
    leaves.iter().for_each(|leaf| unsafe { push(leaf.to_raw(), u) });
    true
}
