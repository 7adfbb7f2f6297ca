//! The questions that MLIR asks about our ops, types and attributes, and the functions that answer
//! them.
//!
//! C++ calls the `extern "C"` functions of this module. They convert the arguments to safe types,
//! call the [`Dialect`], and turn a panic into an error at the op.

use std::{ffi::c_void, panic::catch_unwind, sync::OnceLock};

use melior::{
    dialect::DialectRegistry,
    ir::{Attribute, AttributeLike, Location, Type, TypeLike, Value, ValueLike, operation::OperationRef},
};
use mlir_sys::*;

use crate::{
    context, give, guarded,
    ops::{HostOp, OpKind},
    syntax::{ParseResult, Parser, parser_of, print_text},
    text,
    types::{Kind, context_of},
};

unsafe extern "C" {
    fn cuteAnswerType(answer: *mut c_void, t: MlirType);
    fn cuteAnswerAttribute(answer: *mut c_void, a: MlirAttribute);
    fn cuteAnswerValue(answer: *mut c_void, v: MlirValue);
    fn cuteRegisterDialects(r: MlirDialectRegistry);
}

/// The meaning of the dialects: one function per kind of question.
pub struct Dialect {
    /// Answers a question about an op. `None` means a failure, which was reported, or that there is
    /// nothing to fold.
    pub answer: for<'c, 'a> fn(&OpRequest<'c, 'a>) -> Option<OpAnswer<'c, 'a>>,
    /// Checks an op of the `cuda` dialect. `None` means that it is invalid, which was reported.
    pub verify_host: for<'c, 'a> fn(HostOp, OperationRef<'c, 'a>) -> Option<()>,
    /// Reports the errors of other ops in the function of an op that is not valid.
    pub verify_others: for<'c, 'a> fn(OperationRef<'c, 'a>),
    /// Reports the errors of the ops that a parser has read before one whose result types cannot be
    /// inferred from these operands.
    pub verify_parsed: for<'c, 'a> fn(&[Value<'c, 'a>]),
    /// Parses the body of a type.
    pub parse_type: for<'c> fn(&Parser<'c>, Kind) -> ParseResult<Type<'c>>,
    /// Parses the body of a `#cute.<mnemonic>`; returns its normal form.
    pub parse_text: fn(&Parser<'_>, &str) -> ParseResult<String>,
    /// A part of a type that the assembly format leaves out.
    pub part: for<'c> fn(Type<'c>, TypePart) -> Option<Type<'c>>,
    /// The types of the run-time values of a type; `None` for a type of another dialect.
    pub leaves: for<'c> fn(Type<'c>) -> Option<Vec<Type<'c>>>,
    /// The reason why a type cannot be the type of a `#cute.coord`.
    pub why_no_coordinate: fn(Type<'_>) -> Option<String>,
    /// The mnemonic of the attributes that name fields of an atom's run-time state; `None` for a
    /// type without such state.
    pub field_attribute: fn(Type<'_>) -> Option<&'static str>,
    /// The error for an unknown name. MLIR puts the name of an op before it.
    pub unknown: fn(NameKind, &str) -> String,
}

/// The questions that MLIR asks about an op.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpQuestion {
    /// Is the op valid?
    Verify,
    /// Are its results constants?
    Fold,
    /// Which result types does it have?
    Infer,
}

/// A question about one op.
pub struct OpRequest<'c, 'a> {
    /// The kind of the op.
    pub kind: OpKind,
    /// Verification, inference or folding.
    pub question: OpQuestion,
    /// The operands, in the order of the op's definition.
    pub operands: Vec<Value<'c, 'a>>,
    /// The op; `None` while its result types are inferred.
    pub operation: Option<OperationRef<'c, 'a>>,
    /// Attributes and properties, as one dictionary.
    pub attributes: Attribute<'c>,
    /// The location for diagnostics.
    pub location: Location<'c>,
    /// Whether diagnostics are suppressed.
    pub quiet: bool,
}

/// An answer about an op.
pub enum OpAnswer<'c, 'a> {
    /// The op is valid.
    Valid,
    /// Its result types.
    Types(Vec<Type<'c>>),
    /// Its results, as constants.
    Attributes(Vec<Attribute<'c>>),
    /// Its only result, as a value that already exists.
    Value(Value<'c, 'a>),
}

/// A part of a type that the assembly format leaves out: `CutePart` of Boundary.h.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypePart {
    /// The iterator of a view.
    Iter,
    /// The layout of a view.
    Layout,
    /// The vector of a view's elements.
    Vector,
    /// The atom of a tiled copy or MMA.
    Atom,
    /// The shape of a layout, or of a view's.
    Shape,
    /// The stride of a layout.
    Stride,
    /// The inner function of a composed layout.
    Inner,
    /// The offset of a composed layout.
    Offset,
    /// The outer layout of a composed layout.
    Outer,
}

impl TypePart {
    const ALL: &[Self] = &[
        Self::Iter,
        Self::Layout,
        Self::Vector,
        Self::Atom,
        Self::Shape,
        Self::Stride,
        Self::Inner,
        Self::Offset,
        Self::Outer,
    ];
}

/// The kind of thing that has a name: `CuteNameKind` of Boundary.h.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    /// A type of the dialect, by its mnemonic.
    Type,
    /// An op of the dialect, by its name.
    Op,
}

static DIALECT: OnceLock<Dialect> = OnceLock::new();

/// Registers the dialects `cute`, `cute_nvgpu` and `cuda` with the meaning `dialect`.
pub fn register(registry: &DialectRegistry, dialect: Dialect) {
    // SAFETY: the registry is live.
    unsafe { register_raw(registry.to_raw(), dialect) }
}

/// # Safety
/// The registry is live.
pub(crate) unsafe fn register_raw(registry: MlirDialectRegistry, dialect: Dialect) {
    install(dialect);
    // SAFETY: promised by the caller.
    unsafe { cuteRegisterDialects(registry) }
}

/// Makes `dialect` the meaning of the dialects, before C++ registers them.
pub(crate) fn install(dialect: Dialect) {
    DIALECT.get_or_init(|| dialect);
}

fn dialect() -> &'static Dialect {
    DIALECT.get().expect("contexts get the dialects from registries, which `register` fills")
}

/// The member of `all` at the position that C++ uses for it.
fn member<T: Copy>(all: &[T], position: i32) -> T {
    let found = usize::try_from(position).ok().and_then(|i| all.get(i).copied());
    found.unwrap_or_else(|| panic!("C++ asks with the number {position}, of {}", all.len()))
}

/// `CuteRequest` of Boundary.h.
#[repr(C)]
pub(crate) struct RawRequest {
    question: i32,
    quiet: bool,
    op: MlirOperation,
    location: MlirLocation,
    num_operands: isize,
    operands: *const MlirValue,
    attributes: MlirAttribute,
    answer: *mut c_void,
}

/// Answers a request; false means failure, with diagnostics emitted unless it is quiet, or "nothing
/// to fold".
///
/// # Safety
/// `raw` is a valid request for the duration of the call.
pub(crate) unsafe fn respond(kind: OpKind, raw: *mut RawRequest) -> bool {
    // SAFETY: promised by the caller, as for all that the request points at.
    let raw = unsafe { &*raw };
    let operands = unsafe { values(raw.num_operands, raw.operands) };
    let location = unsafe { Location::from_raw(raw.location) };
    let operation = (!raw.op.ptr.is_null()).then(|| unsafe { OperationRef::from_raw(raw.op) });
    let attributes = unsafe { Attribute::from_raw(raw.attributes) };
    let answer = guarded(kind.name(), location, || {
        let question = member(&[OpQuestion::Verify, OpQuestion::Fold, OpQuestion::Infer], raw.question);
        let quiet = raw.quiet;
        (dialect().answer)(&OpRequest { kind, question, operands, operation, attributes, location, quiet })
    });
    match answer {
        None => return false,
        Some(OpAnswer::Valid) => {}
        // SAFETY: `answer` is the sink that belongs to the question.
        Some(OpAnswer::Types(types)) => {
            types.iter().for_each(|t: &Type| unsafe { cuteAnswerType(raw.answer, t.to_raw()) });
        }
        // SAFETY: as above.
        Some(OpAnswer::Attributes(attributes)) => {
            attributes.iter().for_each(|a| unsafe { cuteAnswerAttribute(raw.answer, a.to_raw()) });
        }
        // SAFETY: as above; the value is live, since it is an operand of a live op.
        Some(OpAnswer::Value(value)) => unsafe { cuteAnswerValue(raw.answer, value.to_raw()) },
    }
    true
}

/// The values of a list of C++.
///
/// # Safety
/// The list has this number of live values.
unsafe fn values<'c, 'a>(count: isize, first: *const MlirValue) -> Vec<Value<'c, 'a>> {
    match usize::try_from(count) {
        // SAFETY: promised by the caller.
        Ok(n) if n > 0 => unsafe {
            std::slice::from_raw_parts(first, n).iter().map(|v| Value::from_raw(*v)).collect()
        },
        _ => Vec::new(),
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_verify_others(op: MlirOperation) {
    // SAFETY: MLIR calls with a live op.
    let op = unsafe { OperationRef::from_raw(op) };
    guarded("the verification of other ops", crate::ir::location(op), || {
        (dialect().verify_others)(op);
        Some(())
    });
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_verify_parsed(count: isize, operands: *const MlirValue) {
    // SAFETY: C++ calls with the operands of an op that it parses.
    let operands = unsafe { values(count, operands) };
    let Some(first) = operands.first() else { return };
    let location = Location::unknown(context_of(first.r#type()));
    guarded("the verification of parsed ops", location, || {
        (dialect().verify_parsed)(&operands);
        Some(())
    });
}

/// Answers whether an op of the `cuda` dialect is valid; false means that diagnostics were emitted.
///
/// # Safety
/// `raw` is a valid request for the duration of the call.
pub(crate) unsafe fn respond_host(kind: HostOp, raw: *mut RawRequest) -> bool {
    // SAFETY: promised by the caller; the op is live.
    let (op, location) = unsafe { (OperationRef::from_raw((*raw).op), Location::from_raw((*raw).location)) };
    guarded(kind.name(), location, || (dialect().verify_host)(kind, op)).is_some()
}

const NO_TYPE: MlirType = MlirType { ptr: std::ptr::null() };

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_type_parse(raw: *mut c_void, c: MlirContext, kind: i32) -> MlirType {
    // SAFETY: MLIR calls with its live parser and context.
    let c = unsafe { context(c) };
    let parsed = guarded("the parser of types", Location::unknown(c), || {
        let kind = member(Kind::ALL, kind);
        // SAFETY: as above.
        let parser = unsafe { parser_of(raw, Some(kind)) };
        guarded(kind.name(), Location::unknown(c), || (dialect().parse_type)(&parser, kind).ok())
    });
    parsed.map_or(NO_TYPE, |t| t.to_raw())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_text_parse(
    raw: *mut c_void,
    mnemonic: MlirStringRef,
    push: MlirStringCallback,
    u: *mut c_void,
) -> bool {
    // SAFETY: MLIR's parser and the text live for the call; `push` and `u` belong together.
    unsafe {
        let (parser, mnemonic) = (parser_of(raw, None), text(mnemonic));
        let location = Location::unknown(parser.context());
        let parsed = guarded(mnemonic, location, || (dialect().parse_text)(&parser, mnemonic).ok());
        parsed.is_some_and(|normal| give(&normal, push, u))
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_text_print(raw: *mut c_void, body: MlirStringRef) {
    // SAFETY: the printer and the text live for the call.
    unsafe { print_text(raw, &format!("<\"{}\">", text(body))) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_unknown_name(
    kind: i32,
    name: MlirStringRef,
    push: MlirStringCallback,
    u: *mut c_void,
) {
    // SAFETY: the name lives for the call; `push` and `u` belong together.
    unsafe {
        let name = text(name);
        let unknown =
            catch_unwind(|| (dialect().unknown)(member(&[NameKind::Type, NameKind::Op], kind), name));
        give(&unknown.unwrap_or_else(|_| format!("internal error: '{name}' is unknown")), push, u);
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_coord_attribute_error(
    t: MlirType,
    push: MlirStringCallback,
    u: *mut c_void,
) -> bool {
    // SAFETY: MLIR calls with a live type; `push` and `u` belong together.
    unsafe {
        let t = Type::from_raw(t);
        let location = Location::unknown(context_of(t));
        let why = guarded("#cute.coord", location, || Some((dialect().why_no_coordinate)(t)));
        why.flatten().is_some_and(|why| give(&why, push, u))
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_field_attribute(t: MlirType, push: MlirStringCallback, u: *mut c_void) -> bool {
    // SAFETY: MLIR calls with a live type; `push` and `u` belong together.
    unsafe {
        let t = Type::from_raw(t);
        let location = Location::unknown(context_of(t));
        let name = guarded("fields of atoms", location, || Some((dialect().field_attribute)(t)));
        name.flatten().is_some_and(|name| give(name, push, u))
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_type_part(t: MlirType, part: i32) -> MlirType {
    // SAFETY: MLIR calls with a live type.
    let t = unsafe { Type::from_raw(t) };
    let part = guarded("type parts", Location::unknown(context_of(t)), || {
        (dialect().part)(t, member(TypePart::ALL, part))
    });
    part.map_or(NO_TYPE, |t| t.to_raw())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_type_leaves(
    t: MlirType,
    push: unsafe extern "C" fn(MlirType, *mut c_void),
    u: *mut c_void,
) -> bool {
    // SAFETY: MLIR calls with a live type.
    let t = unsafe { Type::from_raw(t) };
    let leaves = guarded("type leaves", Location::unknown(context_of(t)), || (dialect().leaves)(t));
    let Some(leaves) = leaves else { return false };
    // SAFETY: `push` and `u` belong together.
    leaves.iter().for_each(|leaf| unsafe { push(leaf.to_raw(), u) });
    true
}
