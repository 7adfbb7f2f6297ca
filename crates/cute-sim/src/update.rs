//! Updates of a value in memory, which are atomic.

use crate::finding::FindingKind;
use cute_machine::float::{self, FloatOp};
use cute_machine::int::{self, IntOp, NoWrap, mask};
use cute_machine::rounded::{Function, Rounded};
use cute_machine::types::Scalar;
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The function of an atomic operation on the old value and its operand.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are those of PTX")]
pub enum Update {
    Exchange,
    Int(IntOp),
    /// `nand`.
    NotAnd,
    Float(FloatOp),
    /// To 0 above the limit, otherwise one more.
    IncrementWrap,
    /// To the limit at 0 or above the limit, otherwise one less.
    DecrementWrap,
    /// The operand, if the old value is the expected one.
    CompareExchange,
}

/// Blocks on several host threads update global memory one at a time.
static UPDATE: Mutex<()> = Mutex::new(());

/// While it lives, no other block updates global memory or reads it atomically. So a writer's
/// knowledge is published before its value can be read.
pub(crate) fn one_at_a_time() -> MutexGuard<'static, ()> {
    UPDATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The result of an update of an old value.
pub(crate) fn apply(
    update: Update,
    scalar: Scalar,
    old: u64,
    value: u64,
    expected: u64,
) -> Result<u64, FindingKind> {
    let width = scalar.bits();
    Ok(match update {
        Update::Exchange => value,
        Update::Int(op) => int::binary(op, width, NoWrap::default(), old, value)?,
        Update::NotAnd => !(old & value) & mask(width),
        Update::Float(op) => float::binary(op, scalar, old, value),
        Update::IncrementWrap => {
            if old >= value {
                0
            } else {
                old + 1
            }
        }
        Update::DecrementWrap => {
            if old == 0 || old > value {
                value
            } else {
                old - 1
            }
        }
        Update::CompareExchange => {
            if old == expected {
                value
            } else {
                old
            }
        }
    })
}

/// The result of an update in global memory, where sums of f32 flush subnormal numbers to zero,
/// with their sign (PTX ISA: atom, red, cp.reduce.async.bulk).
pub(crate) fn apply_in_global(
    update: Update,
    scalar: Scalar,
    old: u64,
    value: u64,
    expected: u64,
) -> Result<u64, FindingKind> {
    if (update, scalar) != (Update::Float(FloatOp::Add), Scalar::F32) {
        return apply(update, scalar, old, value, expected);
    }
    let sum = Rounded { ftz: true, ..Rounded::plain(Function::Add, scalar) };
    Ok(sum.apply([old, value, 0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn updates_that_wrap_do_so_at_their_operand() {
        let run = |update, old| apply(update, Scalar::Int(32), old, 3, 0).unwrap();
        assert_eq!([0, 2, 3, 9].map(|old| run(Update::IncrementWrap, old)), [1, 3, 0, 0]);
        assert_eq!([0, 2, 3, 9].map(|old| run(Update::DecrementWrap, old)), [3, 1, 2, 3]);
        assert_eq!(apply(Update::NotAnd, Scalar::Int(8), 0b1100, 0b1010, 0), Ok(0b1111_0111));
        assert_eq!(apply(Update::CompareExchange, Scalar::Int(32), 5, 7, 5), Ok(7));
        assert_eq!(apply(Update::CompareExchange, Scalar::Int(32), 6, 7, 5), Ok(6));
    }
}
