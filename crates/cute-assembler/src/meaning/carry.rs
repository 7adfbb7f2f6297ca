//! Integers of several words: sums, differences and products with the carry flag.

use crate::call::Call;
use crate::{Assembler, Held};
use cute_machine::int::{IntOp, IntTernary};
use cute_machine::types::{Scalar, Type};
use cute_ptx::{Integer, Role};
use cute_sim::Error;
use cute_sim::program::{Binary, ScalarOp, Site, Slot, Ternary};

impl Assembler {
    /// The register of the carry flag.
    fn carry(&mut self, at: &Site) -> Result<Slot, Error> {
        if let Some(slot) = self.carry {
            return Ok(slot);
        }
        let slot = self.allocate(at, &Type::Scalar(Scalar::Int(1)))?;
        self.undefined.push((slot..slot + 1, at.clone()));
        self.carry = Some(slot);
        Ok(slot)
    }

    /// `add.cc`, `addc`, and the same of differences and of products. A difference carries what it
    /// borrows.
    pub(crate) fn carries(
        &mut self,
        call: &Call,
        operation: Integer,
        signed: bool,
        width: u32,
    ) -> Result<(), Error> {
        let reads = call.instruction.form.first().is_some_and(|first| first.ends_with('c'));
        let (mut a, mut b) = (call.slot(Role::A)?, call.slot(Role::B)?);
        if operation == Integer::MulAddCarry {
            let (dst, c) = (self.temporary(&call.at)?, self.number(&call.at, 0)?);
            let high = call.has("hi");
            let op = if high { IntTernary::MulAddHigh(signed) } else { IntTernary::MulAdd };
            self.emit(&call.at, ScalarOp::IntTernary { op, width, at: Ternary { dst, a, b, c, lanes: 1 } });
            (a, b) = (dst, call.slot(Role::C)?);
        }
        let op = if operation == Integer::SubCarry { IntOp::Sub } else { IntOp::Add };
        let carry = self.carry(&call.at)?;
        let first = self.wrapping(call, op, width, [a, b])?;
        let (mut result, mut wraps) = (first, first + 1);
        if reads {
            let second = self.wrapping(call, op, width, [first, carry])?;
            (result, wraps) = (second, self.int_of(&call.at, IntOp::Or, 1, [first + 1, second + 1])?);
        }
        if call.has("cc") {
            self.copy_of(&call.at, carry, wraps);
        }
        if let Some(Held { slot, .. }) = call.maybe(Role::RESULT) {
            self.copy_of(&call.at, *slot, result);
        }
        Ok(())
    }

    /// A result, and in the next register whether it wrapped.
    fn wrapping(&mut self, call: &Call, op: IntOp, width: u32, [a, b]: [Slot; 2]) -> Result<Slot, Error> {
        let dst = self.registers_of(call, 2)?;
        let at = Binary { dst, a, b, lanes: 1 };
        self.emit(&call.at, ScalarOp::Overflowing { op, width, signed: false, at });
        Ok(dst)
    }
}
