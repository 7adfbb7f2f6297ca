//! Moves: between registers, their parts, and state spaces.

use crate::call::Call;
use crate::{Assembler, malformed};
use cute_arch::space::PARAMETER;
use cute_ptx::{Operation, Role, ScalarType, StateSpace};
use cute_sim::program::{Cast, MemoryOp, Move, ScalarOp, Slot, Unary};
use cute_sim::{Error, Malformed};

impl Assembler {
    /// `mov` between a register and its parts, from the lowest on.
    pub(crate) fn parts(&mut self, call: &Call) -> Result<(), Error> {
        let bits = call.needed::<ScalarType>()?.bits();
        let packs = call.instruction.row.operation == Operation::Pack;
        let role = if packs { Role::VALUES } else { Role::RESULT };
        let mut parts: Vec<Option<Slot>> = call.all(role).map(|held| Some(held.slot)).collect();
        // One of two halves.
        match () {
            () if call.has("lo") => parts.push(None),
            () if call.has("hi") => parts.insert(0, None),
            () => {}
        }
        let count = parts.len() as u32;
        let part = bits / count.max(1);
        if ![8, 16, 32, 64].contains(&part) || part * count != bits {
            return Err(malformed(
                &call.at,
                Malformed::OperandCount,
                format!("{count} parts of a register of {bits} bits"),
            ));
        }
        // A register of 128 bits is two slots.
        let (slots, slot_bits) = (bits.div_ceil(64), bits.min(64));
        if packs {
            let src = self.registers_of(call, count)?;
            self.emit(&call.at, ScalarOp::Gather { dst: src, from: parts.into_iter().flatten().collect() });
            let dst = call.slot(Role::RESULT)?;
            self.emit(&call.at, ScalarOp::Regroup { dst, src, from: part, to: slot_bits, lanes: slots });
        } else {
            let dst = self.registers_of(call, count)?;
            let src = call.slot(Role::A)?;
            self.emit(&call.at, ScalarOp::Regroup { dst, src, from: slot_bits, to: part, lanes: count });
            for (part, src) in parts.into_iter().zip(dst..) {
                if let Some(dst) = part {
                    self.emit(&call.at, ScalarOp::Copy(Move { dst, src, len: 1 }));
                }
            }
        }
        Ok(())
    }

    /// `mov`.
    pub(crate) fn bits(&mut self, call: &Call) -> Result<(), Error> {
        let (dst, src) = (call.slot(Role::RESULT)?, call.slot(Role::A)?);
        // A register of 128 bits is two slots.
        let len = if call.keyword() == Some(ScalarType::B128) { 2 } else { 1 };
        self.emit(&call.at, ScalarOp::Copy(Move { dst, src, len }));
        Ok(())
    }

    pub(crate) fn address_cast(&mut self, call: &Call) -> Result<(), Error> {
        let space = call.needed::<StateSpace>()?.address_space();
        let (from, to) = if call.has("to") { (0, space) } else { (space, 0) };
        let at = Unary { dst: call.slot(Role::RESULT)?, a: call.slot(Role::A)?, lanes: 1 };
        self.emit(&call.at, ScalarOp::Cast { cast: Cast::AddressSpace { from, to }, at });
        Ok(())
    }

    /// `isspacep`.
    pub(crate) fn space_of(&mut self, call: &Call) -> Result<(), Error> {
        let is_parameter = call.has("param") || call.has("param::entry");
        let space = if is_parameter { PARAMETER } else { call.needed::<StateSpace>()?.address_space() };
        let (dst, address) = (call.slot(Role::RESULT)?, call.slot(Role::A)?);
        self.emit(&call.at, MemoryOp::IsInSpace { dst, address, space });
        Ok(())
    }
}
