//! `tcgen05`: operations of NVVM.

use super::{Decoder, malformed, site, unmodelled};
use crate::ir;
use cute_arch::atoms::{Broadcast, Tcgen05Group, Tcgen05Kind};
use cute_assembler::matrix::pieces;
use cute_assembler::tensor::{row_copy, scale_count, tensor_move};
use cute_machine::types::{Scalar, Type};
use cute_ptx::{Keyword, RowShape, ScaleVector, Spelling, TensorFence, TensorShape, TensorWait};
use cute_sim::address::TENSOR;
use cute_sim::program::{Op, RowCopy, Slot, Tcgen05Op, TensorMma, TensorOperand, TensorScales};
use cute_sim::tensor::TmemMove;
use cute_sim::{Error, Malformed, Unmodelled};
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

impl Decoder<'_> {
    /// `nvvm.tcgen05.` and the name.
    pub(super) fn nvvm_tcgen05(&mut self, op: Ir<'_, '_>, name: &str) -> Result<bool, Error> {
        let slot = |decoder: &Self, index| decoder.scalar_operand(op, index).map(|(slot, _)| slot);
        let pair = keyword(op, "group")? == Some(Tcgen05Group::Pair);
        match name {
            "alloc" | "dealloc" | "relinquish_alloc_permit" | "commit" | "cp" => {
                self.one_group(&site(op), pair)?
            }
            "mma" | "mma.block_scale" => {
                self.one_group(&site(op), keyword(op, "ctaGroup")? == Some(Tcgen05Group::Pair))?
            }
            _ => {}
        }
        let what = match name {
            "alloc" => {
                let (to, scalar) = self.scalar_operand(op, 0)?;
                let Scalar::Ptr(space) = scalar else {
                    return Err(malformed(op, Malformed::OperandType, "no pointer"));
                };
                Tcgen05Op::Alloc { to, space, columns: slot(self, 1)?, pair }
            }
            "dealloc" => Tcgen05Op::Dealloc { address: slot(self, 0)?, columns: slot(self, 1)?, pair },
            "relinquish_alloc_permit" => Tcgen05Op::Relinquish,
            "ld" => {
                let shape = self.tensor_shape(op, "pack", op.result_count(), 0)?;
                let offset = (op.operand_count() > 1).then(|| slot(self, 1)).transpose()?;
                let (address, registers) = (slot(self, 0)?, pieces(&[self.result(op)?]));
                self.has_registers(&site(op), shape, registers.len())?;
                Tcgen05Op::Load { shape, address, offset, registers }
            }
            "st" => {
                let shape = self.tensor_shape(op, "unpack", 1, 1)?;
                let offset = (op.operand_count() > 2).then(|| slot(self, 2)).transpose()?;
                let (address, registers) = (slot(self, 0)?, pieces(&[self.operand(op, 1)?]));
                self.has_registers(&site(op), shape, registers.len())?;
                Tcgen05Op::Store { shape, address, offset, registers }
            }
            "wait" => Tcgen05Op::Wait { stores: keyword(op, "kind")? == Some(TensorWait::Store) },
            "fence" => match keyword(op, "kind")? {
                Some(TensorFence::Before) => Tcgen05Op::Fence { before: true },
                Some(TensorFence::After) => Tcgen05Op::Fence { before: false },
                None => {
                    return Err(malformed(
                        op,
                        Malformed::Attribute,
                        "neither before nor after the synchronisation of threads",
                    ));
                }
            },
            "commit" => {
                let (barrier, scalar) = self.scalar_operand(op, 0)?;
                let Scalar::Ptr(space) = scalar else {
                    return Err(malformed(op, Malformed::OperandType, "no pointer"));
                };
                let mask = (op.operand_count() > 1).then(|| slot(self, 1)).transpose()?;
                Tcgen05Op::Commit { barrier, space, mask }
            }
            "mma" => Tcgen05Op::Multiply(self.tensor_mma(op)?),
            "mma.block_scale" => Tcgen05Op::Multiply(self.scaled_mma(op)?),
            "mma.ws" => Tcgen05Op::Multiply(self.stationary_mma(op)?),
            "cp" => {
                let rows = row_copy_of(op)?;
                Tcgen05Op::Copy { address: slot(self, 0)?, source: slot(self, 1)?, rows, pair }
            }
            "shift" => {
                return Err(unmodelled(
                    op,
                    Unmodelled::Instruction,
                    "`tcgen05.shift`: PTX does not state its direction, so it",
                ));
            }
            _ => return Ok(false),
        };
        self.emit(op, Op::Tcgen05(Box::new(what)));
        Ok(true)
    }

    /// The shape of a load, by its result, or of a store, by an operand.
    fn tensor_shape(
        &mut self,
        op: Ir<'_, '_>,
        halves: &str,
        results: usize,
        operand: usize,
    ) -> Result<&'static TmemMove, Error> {
        let named: TensorShape =
            keyword(op, "shape")?.ok_or_else(|| malformed(op, Malformed::Attribute, "no shape"))?;
        let ty =
            if operand == 0 && results == 1 { self.result_type(op)? } else { self.operand(op, operand)?.ty };
        let registers = match ty {
            Type::Scalar(Scalar::Int(32)) => 1,
            Type::Vector(count, Scalar::Int(32)) => count,
            other => return Err(malformed(op, Malformed::OperandType, format!("registers {other:?}"))),
        };
        tensor_move(&site(op), named, registers, op.has_attribute(halves))
    }

    /// The place of an MMA's A: the second operand.
    fn tensor_operand(&self, op: Ir<'_, '_>) -> Result<TensorOperand, Error> {
        Ok(match self.scalar_operand(op, 1)? {
            (slot, Scalar::Ptr(TENSOR)) => TensorOperand::Tensor(slot),
            (slot, _) => TensorOperand::Shared(slot),
        })
    }

    /// `tcgen05.mma.ws`. Its collectors are a matter of speed.
    fn stationary_mma(&mut self, op: Ir<'_, '_>) -> Result<TensorMma, Error> {
        let slot = |index| self.scalar_operand(op, index).map(|(slot, _)| slot);
        let [d, b, instruction, adds] = [slot(0)?, slot(2)?, slot(3)?, slot(4)?];
        Ok(TensorMma {
            kind: kind(op)?,
            group: Tcgen05Group::WeightStationary,
            d,
            a: self.tensor_operand(op)?,
            b,
            instruction,
            adds,
            scale: None,
            scales: None,
            zero_columns: (op.operand_count() > 5).then(|| slot(5)).transpose()?,
            disabled: Box::default(),
        })
    }

    /// `tcgen05.mma` with scale factors. Its collectors are a matter of speed.
    fn scaled_mma(&mut self, op: Ir<'_, '_>) -> Result<TensorMma, Error> {
        let kind = kind(op)?;
        let named = match ir::keyword_attr(op, "blockScale") {
            Some("default") => None,
            _ => keyword::<ScaleVector>(op, "blockScale")?.map(|vector| vector.count(kind)),
        };
        let Some(count) = scale_count(&site(op), kind, named)? else {
            return Err(malformed(
                op,
                Malformed::Modifier,
                format!("{} has no scale factors", kind.row().keyword),
            ));
        };
        let slot = |index| self.scalar_operand(op, index).map(|(slot, _)| slot);
        let [d, b, instruction, adds] = [slot(0)?, slot(2)?, slot(3)?, slot(4)?];
        Ok(TensorMma {
            kind,
            group: keyword(op, "ctaGroup")?.unwrap_or(Tcgen05Group::One),
            d,
            a: self.tensor_operand(op)?,
            b,
            instruction,
            adds,
            scale: None,
            scales: Some(TensorScales { addresses: [slot(5)?, slot(6)?], count }),
            zero_columns: None,
            disabled: Box::default(),
        })
    }

    fn tensor_mma(&mut self, op: Ir<'_, '_>) -> Result<TensorMma, Error> {
        let kind = kind(op)?;
        if op.has_attribute("aShift") {
            return Err(unmodelled(
                op,
                Unmodelled::Modifier,
                "`ashift`: PTX does not state its direction, so it",
            ));
        }
        let group = keyword(op, "ctaGroup")?.unwrap_or(Tcgen05Group::One);
        let segments = ir::ints_attr(op, "operandSegmentSizes").unwrap_or_default();
        let [1, 1, 1, 1, 1, has_scale, has_mask] = segments[..] else {
            return Err(malformed(op, Malformed::Attribute, "no operandSegmentSizes"));
        };
        let slot = |index| self.scalar_operand(op, index).map(|(slot, _)| slot);
        let a = self.tensor_operand(op)?;
        let scale = (has_scale != 0).then(|| slot(5)).transpose()?;
        let disabled: Box<[Slot]> = if has_mask != 0 {
            let mask = self.operand(op, 5 + has_scale as usize)?;
            (mask.slot..mask.slot + mask.ty.slots() as u32).collect()
        } else {
            Box::default()
        };
        let [d, b, instruction, adds] = [slot(0)?, slot(2)?, slot(3)?, slot(4)?];
        Ok(TensorMma {
            kind,
            group,
            d,
            a,
            b,
            instruction,
            adds,
            scale,
            scales: None,
            zero_columns: None,
            disabled,
        })
    }
}

fn kind(op: Ir<'_, '_>) -> Result<Tcgen05Kind, Error> {
    keyword(op, "kind")?.ok_or_else(|| malformed(op, Malformed::Attribute, "no kind"))
}

/// The shape of a `tcgen05.cp`.
fn row_copy_of(op: Ir<'_, '_>) -> Result<RowCopy, Error> {
    if op.has_attribute("srcFormat") {
        return Err(unmodelled(
            op,
            Unmodelled::Instruction,
            "a source of packed numbers: PTX does not state which bits of a byte they have, so it",
        ));
    }
    let shape: RowShape =
        keyword(op, "shape")?.ok_or_else(|| malformed(op, Malformed::Attribute, "no shape"))?;
    row_copy(&site(op), shape, keyword(op, "multicast")?.unwrap_or(Broadcast::Nothing))
}

/// The meaning of an attribute's keyword.
fn keyword<K: Keyword>(op: Ir<'_, '_>, name: &str) -> Result<Option<K>, Error> {
    let Some(word) = ir::keyword_attr(op, name) else { return Ok(None) };
    K::read(Spelling::Nvvm, word)
        .map(Some)
        .ok_or_else(|| unmodelled(op, Unmodelled::Modifier, format!("the {name} {word}")))
}
