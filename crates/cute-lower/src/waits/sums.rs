//! Keeps what is computed before a wait before it, as part of `cute-lower-waits`.
//!
//! LLVM takes the loop of a wait for one like any other, and moves what stands before a loop and is
//! used only behind it to its end. For a sum that is wrong twice: the time of the wait is lost, and
//! all of its terms are held in registers instead of the sum. To prevent that, an empty assembly
//! uses such values before the wait. It becomes no instruction.

use std::{collections::HashSet, iter::successors};

use cute_ffi::{
    ir::{self, op_name, walk},
    lowered::{TIE_ATTRIBUTE, element_of, vector_of},
    rewrite::Rewriter,
};
use melior::ir::{Attribute, Type, TypeLike, Value, attribute::StringAttribute, operation::OperationRef};

use super::WAIT;
use crate::{Builder, Built};

/// Ops that make one floating-point value of several.
const COMBINES: [&str; 16] = [
    "arith.addf",
    "arith.divf",
    "arith.maximumf",
    "arith.maxnumf",
    "arith.minimumf",
    "arith.minnumf",
    "arith.mulf",
    "arith.subf",
    "llvm.fadd",
    "llvm.fdiv",
    "llvm.fmul",
    "llvm.fsub",
    "llvm.intr.fma",
    "llvm.intr.maxnum",
    "llvm.intr.minnum",
    "math.fma",
];

/// Other ops on such values, with which LLVM moves what they are given.
const MOVES: [&str; 8] = [
    "arith.bitcast",
    "arith.truncf",
    "llvm.bitcast",
    "llvm.extractelement",
    "llvm.fptrunc",
    "llvm.insertelement",
    "vector.extract",
    "vector.from_elements",
];

/// Keeps the sums of a function before its waits, and before the loops that these are in.
pub(super) fn keep<'c>(rewriter: &'c Rewriter<'c>, function: OperationRef<'c, 'c>) -> Built<()> {
    let (mut blocks, mut waits) = (Vec::new(), HashSet::new());
    for op in walk(function) {
        blocks.extend(ir::blocks(op));
        if op_name(op) == WAIT {
            let outer = |op: &OperationRef<'c, 'c>| ir::block_of(*op).and_then(ir::parent_of);
            waits.extend(successors(Some(op), outer).map(ir::op_identity));
        }
    }
    blocks.into_iter().try_for_each(|block| {
        let ops = ir::ops(block);
        let is_wait = |op: &OperationRef<'c, 'c>| {
            matches!(op_name(*op), WAIT | "scf.for" | "scf.while") && waits.contains(&ir::op_identity(*op))
        };
        let places: Vec<_> = (0..ops.len()).filter(|place| is_wait(&ops[*place])).collect();
        keep_in(rewriter, &ops, &places)
    })
}

/// Keeps the sums of a block before the ops at these places.
fn keep_in<'c>(rewriter: &'c Rewriter<'c>, ops: &[OperationRef<'c, 'c>], waits: &[usize]) -> Built<()> {
    let mut from = 0;
    for wait in waits {
        let mut staying = HashSet::new();
        for op in ops[from..*wait].iter().rev() {
            let value = ir::result(*op, 0).filter(|value| rewriter.is_used(*value));
            let is_before = |user: OperationRef<'c, 'c>| staying.contains(&ir::op_identity(user));
            let is_used_before = value.is_some_and(|value| rewriter.users(value).any(is_before));
            let sum = value.filter(|_| COMBINES.contains(&op_name(*op)));
            if let Some(sum) = sum.filter(|_| !is_used_before) {
                hold(&Builder::before(ops[*wait]), sum)?;
            }
            // A store is to a register that is still memory on the stack: its loads may come later.
            let moves = op_name(*op) == "llvm.store"
                || [&COMBINES[..], &MOVES].iter().any(|all| all.contains(&op_name(*op)));
            if is_used_before || sum.is_some() || !moves {
                staying.insert(ir::op_identity(*op));
            }
        }
        from = *wait;
    }
    Ok(())
}

/// Uses a value, if it is one of a register's size.
fn hold<'c>(b: &Builder<'c>, value: Value<'c, 'c>) -> Built<()> {
    let Some(constraint) = constraint(ir::type_of(value)) else { return Ok(()) };
    let text = |text: &str| StringAttribute::new(b.context(), text).into();
    let unit = Attribute::unit(b.context());
    let attributes = [
        ("asm_string", text("")),
        ("constraints", text(constraint)),
        ("has_side_effects", unit),
        (TIE_ATTRIBUTE, unit),
    ];
    b.effect("llvm.inline_asm", &[value], &attributes)
}

/// The letter for a register of a type in assembly; `None` if a value of it does not fill one.
fn constraint(t: Type<'_>) -> Option<&'static str> {
    let element = element_of(t);
    let width = element.is_float().then(|| ir::float_width(element))?;
    let is_packed = |length: i64| t == vector_of(&[length], element);
    match width {
        16 if t == element => Some("h"),
        32 if t == element => Some("f"),
        64 if t == element => Some("d"),
        16 if is_packed(2) => Some("r"),
        32 if is_packed(2) => Some("l"),
        _ => None,
    }
}
