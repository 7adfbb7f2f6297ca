//! `llvm.atomicrmw` and `llvm.cmpxchg`.

use super::fences::order;
use super::{Decoder, malformed, unmodelled};
use crate::ir;
use cute_machine::float::FloatOp;
use cute_machine::int::IntOp;
use cute_machine::types::{Scalar, Type};
use cute_sim::program::Order;
use cute_sim::program::{MemoryOp, Update};
use cute_sim::{Error, Malformed, Unmodelled};
use melior::ir::operation::OperationRef;

type Ir<'c, 'a> = OperationRef<'c, 'a>;

/// The numbering of `bin_op`, which is LLVM's.
fn update(number: i64) -> Option<Update> {
    Some(match number {
        0 => Update::Exchange,
        1 => Update::Int(IntOp::Add),
        2 => Update::Int(IntOp::Sub),
        3 => Update::Int(IntOp::And),
        4 => Update::NotAnd,
        5 => Update::Int(IntOp::Or),
        6 => Update::Int(IntOp::Xor),
        7 => Update::Int(IntOp::MaxS),
        8 => Update::Int(IntOp::MinS),
        9 => Update::Int(IntOp::MaxU),
        10 => Update::Int(IntOp::MinU),
        11 => Update::Float(FloatOp::Add),
        12 => Update::Float(FloatOp::Sub),
        13 => Update::Float(FloatOp::MaxNum),
        14 => Update::Float(FloatOp::MinNum),
        15 => Update::IncrementWrap,
        16 => Update::DecrementWrap,
        _ => return None,
    })
}

impl Decoder<'_> {
    pub(super) fn atomic(&mut self, name: &str, op: Ir<'_, '_>) -> Result<bool, Error> {
        match name {
            "llvm.atomicrmw" => {
                let number = ir::int_attr(op, "bin_op")
                    .ok_or_else(|| malformed(op, Malformed::Attribute, "no bin_op"))?;
                let update = update(number).ok_or_else(|| {
                    unmodelled(op, Unmodelled::Modifier, format!("atomic operation {number}"))
                })?;
                let (value, scalar) = self.scalar_operand(op, 1)?;
                let (address, access) = self.access(op, 0, &Type::Scalar(scalar))?;
                let fits = match update {
                    Update::Exchange => true,
                    Update::Float(_) => scalar.is_float(),
                    _ => matches!(scalar, Scalar::Int(8 | 16 | 32 | 64)),
                };
                if !fits {
                    return Err(unmodelled(
                        op,
                        Unmodelled::Instruction,
                        format!("this operation on {scalar:?}"),
                    ));
                }
                let old = self.result(op)?.slot;
                let expected = value;
                self.emit(
                    op,
                    MemoryOp::Atomic { update, scalar, address, access, value, expected, old, swapped: None },
                );
            }
            "llvm.cmpxchg" => {
                let (expected, scalar) = self.scalar_operand(op, 1)?;
                let (value, _) = self.scalar_operand(op, 2)?;
                let (address, access) = self.access(op, 0, &Type::Scalar(scalar))?;
                let ordering = |name: &str| order(ir::int_attr(op, name).unwrap_or(0));
                let failed = ordering("failure_ordering").acquire;
                let made = &mut self.accesses[access as usize];
                made.strong = true;
                made.order = Order { failed, ..ordering("success_ordering") };
                let old = self.result(op)?.slot;
                let (update, swapped) = (Update::CompareExchange, Some(old + 1));
                self.emit(
                    op,
                    MemoryOp::Atomic { update, scalar, address, access, value, expected, old, swapped },
                );
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}
