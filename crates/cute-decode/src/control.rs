//! Branches, and the values that they pass to blocks.

use super::{Decoder, malformed, unmodelled};
use crate::ir::{self, Elements};
use cute_machine::int::mask;
use cute_machine::types::Scalar;
use cute_sim::program::{ControlOp, Edge, Move};
use cute_sim::{Error, Malformed, Unmodelled};
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

impl Decoder<'_> {
    pub(super) fn control(&mut self, name: &str, op: Ir<'_, '_>) -> Result<bool, Error> {
        match name {
            "llvm.br" | "cf.br" => {
                let edges = self.edges(op, 0, 1)?;
                self.emit(op, ControlOp::Jump { edge: edges });
            }
            "llvm.cond_br" | "cf.cond_br" => {
                let (condition, _) = self.scalar_operand(op, 0)?;
                let edges = self.edges(op, 1, 2)?;
                self.emit(op, ControlOp::Branch { condition, then: edges, otherwise: edges + 1 });
            }
            "llvm.switch" | "cf.switch" => self.switch(op)?,
            "llvm.return" => self.return_from(op)?,
            "llvm.unreachable" => self.emit(op, ControlOp::Unreachable),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn switch(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let (flag, scalar) = self.scalar_operand(op, 0)?;
        let Scalar::Int(width) = scalar else {
            return Err(malformed(op, Malformed::OperandType, "a flag that is not an integer"));
        };
        let successors = op.successor_count();
        let values = match op.attribute("case_values").ok().map(ir::elements) {
            None => Vec::new(),
            Some(Some(Elements::Splat(v, _))) => vec![v; successors.saturating_sub(1)],
            Some(Some(Elements::List(values, _))) => values,
            Some(None) => return Err(unmodelled(op, Unmodelled::Operand, "case_values")),
        };
        if values.len() + 1 != successors {
            return Err(malformed(
                op,
                Malformed::OperandCount,
                format!("{} values for {successors} successors", values.len()),
            ));
        }
        let default = self.edges(op, 1, successors)?;
        let cases = values.iter().map(|v| v & mask(width)).zip(default + 1..).collect();
        self.emit(op, ControlOp::Switch { flag, cases, default });
        Ok(())
    }

    /// The number of the first of the operation's edges; their operands follow each other from
    /// `first_operand` on.
    fn edges(&mut self, op: Ir<'_, '_>, first_operand: usize, count: usize) -> Result<u32, Error> {
        let first = self.edges.len() as u32;
        let mut operand = first_operand;
        if op.successor_count() != count {
            return Err(malformed(
                op,
                Malformed::OperandCount,
                format!("{} successors for {count}", op.successor_count()),
            ));
        }
        for block in op.successors() {
            let number = self.block_numbers.get(&ir::block_key(block));
            let target =
                *number.ok_or_else(|| malformed(op, Malformed::Structure, "a branch out of the function"))?;
            let mut moves = Vec::new();
            for i in 0..block.argument_count() {
                let argument =
                    block.argument(i).map_err(|e| malformed(op, Malformed::Structure, e.to_string()))?;
                let to = self.held(op, argument.into())?;
                let from = self.operand(op, operand)?;
                if to.ty != from.ty {
                    return Err(malformed(
                        op,
                        Malformed::OperandType,
                        "an operand does not fit the block's argument",
                    ));
                }
                operand += 1;
                if to.slot != from.slot {
                    moves.push(Move { dst: to.slot, src: from.slot, len: to.ty.slots() as u32 });
                }
            }
            let overlap =
                moves.iter().enumerate().any(|(i, m)| moves[..i].iter().any(|earlier| reads(m, earlier)));
            self.edges.push(Edge { target, moves: moves.into(), overlap });
        }
        Ok(first)
    }
}

/// Whether `m` reads the target of `earlier`.
fn reads(m: &Move, earlier: &Move) -> bool {
    m.src < earlier.dst + earlier.len && earlier.dst < m.src + m.len
}
