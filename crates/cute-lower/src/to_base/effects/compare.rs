//! Comparisons of values, leaf by leaf. Leaves whose comparison has a known result need no code.

use cute_algebra::Int;
use cute_build::predicate::{self, IntPredicate};
use cute_dialect::ops::{layouts::compared, tuples::equated};
use cute_ffi::ir;
use melior::ir::{Type, Value, attribute::IntegerAttribute, r#type::IntegerType};

use super::{Lowered, Site};
use crate::emit::{Emit, ops::op as emit_op};

/// `elem_less`.
pub fn elem_less<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let pairs = at.ask(compared(at.call))?;
    at.made([conjunction(at, &pairs, Int::lt, IntPredicate::Slt)])
}

/// `equal`: values of different structure are not.
pub fn equal<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    match at.ask(equated(at.call))? {
        Some(pairs) => at.made([conjunction(at, &pairs, Int::eq, IntPredicate::Eq)]),
        None => at.made([flag(at, false)]),
    }
}

/// `a0 < b0 && a1 < b1 && ..`, or of another comparison.
fn conjunction<'c>(
    at: &Site<'_, 'c>,
    pairs: &[(Emit<'c>, Emit<'c>)],
    known: impl Fn(&Emit<'c>, &Emit<'c>) -> Option<bool>,
    predicate: IntPredicate,
) -> Value<'c, 'c> {
    let c = ir::context(at.op);
    let i1: Type = IntegerType::new(c, 1).into();
    let mut all: Option<Value<'c, 'c>> = None;
    for (a, b) in pairs {
        match known(a, b) {
            Some(true) => continue,
            Some(false) => return flag(at, false),
            None => {}
        }
        let width = a.dim().width().max(b.dim().width()).expect("static leaves are compared already");
        let sides = [a, b].map(|x| at.graph().value(&x.materialize(width)));
        let holds = emit_op(at.op, "arith.cmpi", &sides, i1, &[predicate::attribute(c, predicate.number())]);
        all = Some(match all {
            None => holds,
            Some(rest) => emit_op(at.op, "arith.andi", &[rest, holds], i1, &[]),
        });
    }
    all.unwrap_or_else(|| flag(at, true))
}

fn flag<'c>(at: &Site<'_, 'c>, value: bool) -> Value<'c, 'c> {
    let i1: Type = IntegerType::new(ir::context(at.op), 1).into();
    let value = IntegerAttribute::new(i1, i64::from(value)).into();
    emit_op(at.op, "arith.constant", &[], i1, &[("value", value)])
}
