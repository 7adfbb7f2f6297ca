//! Address computation, loads, stores, local allocations.

use super::fences::{order, scope};
use super::{Decoder, malformed, unmodelled};
use crate::ir;
use cute_assembler::Held;
use cute_machine::types::{Scalar, Type};
use cute_sim::address::LOCAL;
use cute_sim::program::{Access, MemoryOp, ScalarOp, Slot, Term};
use cute_sim::{Error, Malformed, Unmodelled};
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

/// In `rawConstantIndices`: the index is the next operand.
const DYNAMIC: i64 = i32::MIN as i64;

/// The alignment in bytes that an operation declares.
pub(super) fn alignment(op: Ir<'_, '_>) -> Result<Option<u64>, ir::Unread> {
    // As in LLVM, 0 means that no alignment is declared.
    let Some(declared) = ir::int_attr(op, "alignment").filter(|n| *n != 0) else { return Ok(None) };
    let valid = u64::try_from(declared).ok().filter(|n| n.is_power_of_two());
    valid.ok_or(ir::Unread::Alignment(declared)).map(Some)
}

impl Decoder<'_> {
    pub(super) fn memory(&mut self, name: &str, op: Ir<'_, '_>) -> Result<bool, Error> {
        match name {
            "llvm.mlir.addressof" => self.address_of(op)?,
            "llvm.getelementptr" => self.element_address(op)?,
            "llvm.load" => {
                let ty = self.result_type(op)?;
                let (address, access) = self.access(op, 0, &ty)?;
                let dst = self.result(op)?.slot;
                self.emit(op, MemoryOp::Load { dst, address, access });
            }
            "llvm.store" => {
                let value = self.operand(op, 0)?;
                let (address, access) = self.access(op, 1, &value.ty)?;
                self.emit(op, MemoryOp::Store { src: value.slot, address, access });
            }
            "llvm.alloca" => self.alloca(op)?,
            // Hints, which are not used.
            "llvm.intr.assume" | "llvm.intr.lifetime.start" | "llvm.intr.lifetime.end" => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn element_address(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let (base, scalar) = self.scalar_operand(op, 0)?;
        if !matches!(scalar, Scalar::Ptr(_)) {
            return Err(malformed(op, Malformed::OperandType, "the base is not a pointer"));
        }
        let element = ir::type_attr(op, "elem_type")
            .ok_or_else(|| malformed(op, Malformed::Attribute, "no elem_type"))?;
        let mut ty = ir::machine_type(element).map_err(|what| unmodelled(op, Unmodelled::Type, what))?;
        let indices = ir::ints_attr(op, "rawConstantIndices")
            .ok_or_else(|| malformed(op, Malformed::Attribute, "no rawConstantIndices"))?;
        let mut offset = 0i64;
        let mut terms = Vec::new();
        let mut next_operand = 1;
        for (depth, &index) in indices.iter().enumerate() {
            if let (Type::Struct { .. }, true) = (&ty, depth > 0) {
                let field = u64::try_from(index).ok().and_then(|i| ty.element(i));
                let (_, part) = field
                    .ok_or_else(|| malformed(op, Malformed::OperandValue, format!("no field {index}")))?;
                offset = offset.wrapping_add(ty.field_offset(index as usize) as i64);
                ty = part;
                continue;
            }
            if depth > 0 {
                ty = match ty {
                    Type::Array(_, t) => *t,
                    Type::Vector(_, s) => Type::Scalar(s),
                    other => {
                        return Err(malformed(
                            op,
                            Malformed::OperandType,
                            format!("an index into {other:?}"),
                        ));
                    }
                };
            }
            let scale = i64::try_from(ty.size())
                .map_err(|_| unmodelled(op, Unmodelled::Size, "a type of this size"))?;
            if index != DYNAMIC {
                offset = offset.wrapping_add(index.wrapping_mul(scale));
                continue;
            }
            let (slot, scalar) = self.scalar_operand(op, next_operand)?;
            let Scalar::Int(width) = scalar else {
                return Err(malformed(op, Malformed::OperandType, "an index that is not an integer"));
            };
            terms.push(Term { slot, width, scale });
            next_operand += 1;
        }
        if terms.is_empty() && offset == 0 {
            return self.alias(op, base);
        }
        let dst = self.result(op)?.slot;
        self.emit(op, ScalarOp::Address { dst, base, offset, terms: terms.into() });
        Ok(())
    }

    /// Registers of the pointer operand and the number of the access through it.
    pub(super) fn access(&mut self, op: Ir<'_, '_>, pointer: usize, ty: &Type) -> Result<(Slot, u32), Error> {
        let ordering = ir::int_attr(op, "ordering").unwrap_or(0);
        let strong = ordering != 0 || op.has_attribute("volatile_");
        let (address, scalar) = self.scalar_operand(op, pointer)?;
        let Scalar::Ptr(space) = scalar else {
            return Err(malformed(op, Malformed::OperandType, "the address is not a pointer"));
        };
        let leaves =
            ty.leaves().ok_or_else(|| unmodelled(op, Unmodelled::Type, format!("{ty:?} in memory")))?;
        let align = alignment(op)
            .map_err(|what| malformed(op, Malformed::Attribute, what))?
            .unwrap_or_else(|| ty.align());
        self.accesses.push(Access {
            strong,
            order: order(ordering),
            scope: {
                let name = ir::str_attr(op, "syncscope").unwrap_or_default();
                scope(&name)
                    .ok_or_else(|| unmodelled(op, Unmodelled::Modifier, format!("the scope `{name}`")))?
            },
            space,
            bytes: leaves.iter().map(|l| u64::from(l.offset + l.bytes)).max().unwrap_or(0),
            align,
            leaves: leaves.into(),
        });
        Ok((address, self.accesses.len() as u32 - 1))
    }

    fn alloca(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let (count, _) = self.scalar_operand(op, 0)?;
        let element = ir::type_attr(op, "elem_type")
            .ok_or_else(|| malformed(op, Malformed::Attribute, "no elem_type"))?;
        let size = ir::machine_type(element).map_err(|what| unmodelled(op, Unmodelled::Type, what))?.size();
        let Held { slot: dst, ty } = self.result(op)?;
        let generic = match ty {
            Type::Scalar(Scalar::Ptr(0)) => true,
            Type::Scalar(Scalar::Ptr(LOCAL)) => false,
            other => return Err(unmodelled(op, Unmodelled::Variable, format!("an alloca of {other:?}"))),
        };
        self.emit(op, MemoryOp::Alloca { dst, count, size, generic });
        Ok(())
    }
}
