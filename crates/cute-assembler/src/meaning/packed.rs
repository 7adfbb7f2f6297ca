//! Several numbers in one register, and short forms of frequent instructions.

use super::float::floats;
use crate::Assembler;
use crate::call::Call;
use cute_machine::int::{IntOp, NoWrap};
use cute_machine::predicate::IntPredicate;
use cute_machine::types::{Scalar, Type};
use cute_ptx::ScalarType;
use cute_sim::Error;
use cute_sim::program::{Binary, Move, ScalarOp, Site, Slot, Ternary};

/// The numbers that a register holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Packing {
    pub(super) lanes: u32,
    pub(super) scalar: Scalar,
}

impl Packing {
    /// Those of a type of integers or of bits.
    pub(super) fn of_integers(ty: ScalarType) -> Self {
        let lanes = match ty {
            ScalarType::U16x2 | ScalarType::S16x2 => 2,
            ScalarType::U8x4 | ScalarType::S8x4 => 4,
            _ => 1,
        };
        Packing { lanes, scalar: Scalar::Int(ty.bits() / lanes) }
    }

    /// Those of any type.
    pub(super) fn of(ty: ScalarType) -> Self {
        floats(ty).map_or_else(|| Self::of_integers(ty), |(lanes, scalar)| Packing { lanes, scalar })
    }
}

impl Assembler {
    /// A register with this number.
    pub(super) fn number(&mut self, at: &Site, bits: u64) -> Result<Slot, Error> {
        self.constant(at, vec![bits])
    }

    /// An operation of integers: the result, and two operands.
    pub(super) fn int(&mut self, at: &Site, op: IntOp, width: u32, registers: [Slot; 3]) {
        self.lanes_of_int(at, op, width, 1, registers);
    }

    /// An operation on consecutive registers.
    pub(super) fn lanes_of_int(
        &mut self,
        at: &Site,
        op: IntOp,
        width: u32,
        lanes: u32,
        [dst, a, b]: [Slot; 3],
    ) {
        self.emit(
            at,
            ScalarOp::Int { op, width, no_wrap: NoWrap::default(), at: Binary { dst, a, b, lanes } },
        );
    }

    /// An operation of integers, with its result in a register of its own.
    pub(super) fn int_of(
        &mut self,
        at: &Site,
        op: IntOp,
        width: u32,
        [a, b]: [Slot; 2],
    ) -> Result<Slot, Error> {
        let dst = self.temporary(at)?;
        self.int(at, op, width, [dst, a, b]);
        Ok(dst)
    }

    /// Whether two numbers differ.
    pub(super) fn differ(&mut self, at: &Site, width: u32, [dst, a, b]: [Slot; 3]) {
        let at_registers = Binary { dst, a, b, lanes: 1 };
        self.emit(at, ScalarOp::IntCompare { predicate: IntPredicate::Ne, width, at: at_registers });
    }

    /// The first of two registers if the condition holds, and otherwise the second.
    pub(super) fn either(&mut self, at: &Site, condition: Slot, [b, c]: [Slot; 2]) -> Result<Slot, Error> {
        let dst = self.temporary(at)?;
        let select = Ternary { dst, a: condition, b, c, lanes: 1 };
        self.emit(at, ScalarOp::Select { at: select, per_lane: false });
        Ok(dst)
    }

    /// A copy of a register.
    pub(super) fn copy_of(&mut self, at: &Site, dst: Slot, src: Slot) {
        self.emit(at, ScalarOp::Copy(Move { dst, src, len: 1 }));
    }

    /// Consecutive registers.
    pub(crate) fn registers_of(&mut self, call: &Call, count: u32) -> Result<Slot, Error> {
        self.allocate(&call.at, &Type::Array(count, Type::Scalar(Scalar::Int(64)).into()))
    }

    /// The numbers that a register packs, each in a register.
    pub(crate) fn unpacked(
        &mut self,
        call: &Call,
        src: Slot,
        (lanes, ty): (u32, Scalar),
    ) -> Result<Slot, Error> {
        let dst = self.registers_of(call, lanes)?;
        self.emit(&call.at, ScalarOp::Regroup { dst, src, from: lanes * ty.bits(), to: ty.bits(), lanes });
        Ok(dst)
    }

    /// Computes with the numbers that registers pack: `compute` receives registers for the results,
    /// and those of the operands.
    pub(super) fn packed(
        &mut self,
        call: &Call,
        Packing { lanes, scalar }: Packing,
        result: Slot,
        sources: &[Slot],
        compute: impl FnOnce(&mut Self, Slot, &[Slot]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if lanes == 1 {
            return compute(self, result, sources);
        }
        let apart = sources.iter().map(|source| self.unpacked(call, *source, (lanes, scalar)));
        let apart = apart.collect::<Result<Vec<_>, _>>()?;
        let dst = self.registers_of(call, lanes)?;
        compute(self, dst, &apart)?;
        self.emit(&call.at, packing(result, dst, (lanes, scalar)));
        Ok(())
    }
}

/// Packs numbers into one register.
pub(super) fn packing(dst: Slot, src: Slot, (lanes, ty): (u32, Scalar)) -> ScalarOp {
    ScalarOp::Regroup { dst, src, from: ty.bits(), to: lanes * ty.bits(), lanes: 1 }
}
