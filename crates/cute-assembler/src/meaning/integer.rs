//! Arithmetic of integers.

use super::packed::Packing;
use crate::call::Call;
use crate::matrix::pieces;
use crate::{Assembler, Held, malformed};
use cute_machine::int::{IntOp, IntTernary, IntUnary, mask};
use cute_ptx::{Combination, Integer, Operation, PermuteMode, Role, ScalarType, Sign};
use cute_sim::program::{Piece, ScalarOp, Slot, Ternary, Unary};
use cute_sim::{Error, Malformed};

impl Assembler {
    pub(crate) fn integer(&mut self, call: &Call, operation: Integer) -> Result<(), Error> {
        if operation == Integer::LogicTest {
            return self.tested_logic(call);
        }
        let ty = call.keyword::<ScalarType>();
        let signed = ty.is_some_and(ScalarType::is_signed) || call.has("sext");
        let named = ty.map_or(32, ScalarType::bits);
        let width = if call.is_text { named } else { bits_of(call.held(Role::A)?) };
        // LLVM's `flo` takes several widths.
        if width != named && operation != Integer::Find {
            return Err(malformed(
                &call.at,
                Malformed::OperandType,
                format!("an operand of {width} bits, where the instruction has {named}"),
            ));
        }
        let result = call.slot(Role::RESULT)?;
        let a = call.slot(Role::A)?;
        let op = match operation {
            Integer::Add => IntOp::Add,
            Integer::Sub => IntOp::Sub,
            Integer::Mul => IntOp::Mul,
            Integer::And => IntOp::And,
            Integer::Or => IntOp::Or,
            Integer::Xor => IntOp::Xor,
            Integer::Shl => IntOp::ShlClamped,
            Integer::Shr if signed => IntOp::ShrClampedS,
            Integer::Shr => IntOp::ShrClampedU,
            Integer::Min if signed => IntOp::MinS,
            Integer::Min => IntOp::MinU,
            Integer::Max if signed => IntOp::MaxS,
            Integer::Max => IntOp::MaxU,
            Integer::Div if signed => IntOp::DivS,
            Integer::Div => IntOp::DivU,
            Integer::Rem if signed => IntOp::RemS,
            Integer::Rem => IntOp::RemU,
            Integer::AddSaturated if signed => IntOp::AddSatS,
            Integer::AddSaturated => IntOp::AddSatU,
            Integer::SubSaturated if signed => IntOp::SubSatS,
            Integer::SubSaturated => IntOp::SubSatU,
            Integer::Field if call.has("wrap") => IntOp::MaskWrapped,
            Integer::Field => IntOp::MaskClamped,
            Integer::Extend if signed => IntOp::ExtendS,
            Integer::Extend => IntOp::ExtendU,
            Integer::Not => {
                let ones = self.number(&call.at, mask(width))?;
                self.int(&call.at, IntOp::Xor, width, [result, a, ones]);
                return Ok(());
            }
            Integer::Neg => {
                let packing = Packing::of_integers(ty.unwrap_or(ScalarType::S32));
                return self.packed(call, packing, result, &[a], |assembler, dst, sources| {
                    let (lanes, width) = (packing.lanes, packing.scalar.bits());
                    let zeros = assembler.constant(&call.at, vec![0; lanes as usize])?;
                    assembler.lanes_of_int(&call.at, IntOp::Sub, width, lanes, [dst, zeros, sources[0]]);
                    Ok(())
                });
            }
            Integer::Abs => return self.integer_unary(call, IntUnary::Abs, width),
            Integer::Popcount => return self.integer_unary(call, IntUnary::Popcount, width),
            Integer::LeadingZeros => return self.integer_unary(call, IntUnary::LeadingZeros, width),
            Integer::ReverseBits => return self.integer_unary(call, IntUnary::ReverseBits, width),
            Integer::IsZero => return self.integer_unary(call, IntUnary::IsZero, width),
            Integer::Find => {
                let asked = call.maybe(Role::ID).is_some() && self.number_of(call, Role::ID)? != 0;
                let find = IntUnary::Find { signed, shift: asked || call.has("shiftamt") };
                return self.integer_unary(call, find, width);
            }
            Integer::AddCarry | Integer::SubCarry | Integer::MulAddCarry => {
                return self.carries(call, operation, signed, width);
            }
            Integer::InsertBits => return self.insertion(call, width),
            Integer::MulAddHighSaturated => {
                return self.saturated(call, IntTernary::MulAddHigh(true), width);
            }
            Integer::MulAdd24 if call.has("sat") => {
                return self.saturated(call, IntTernary::MulAdd24 { signed, high: true }, width);
            }
            Integer::MulHigh
            | Integer::MulWide
            | Integer::MulAdd
            | Integer::MulAddHigh
            | Integer::MulAddWide
            | Integer::MulAdd24
            | Integer::Distance
            | Integer::NthSet
            | Integer::FunnelLeft
            | Integer::FunnelRight
            | Integer::ExtractBits
            | Integer::Logic
            | Integer::LogicTest => return self.integer_ternary(call, operation, signed, width),
        };
        let mut b = call.slot(Role::B)?;
        if operation == Integer::Extend && call.has("wrap") {
            let limit = self.number(&call.at, 31)?;
            b = self.int_of(&call.at, IntOp::And, width, [b, limit])?;
        }
        let packing = Packing::of_integers(ty.unwrap_or(ScalarType::U32));
        self.packed(call, packing, result, &[a, b], |assembler, dst, sources| {
            let (lanes, width) = (packing.lanes, packing.scalar.bits());
            assembler.lanes_of_int(&call.at, op, width, lanes, [dst, sources[0], sources[1]]);
            if call.has("relu") {
                let zero = assembler.constant(&call.at, vec![0; lanes as usize])?;
                assembler.lanes_of_int(&call.at, IntOp::MaxS, width, lanes, [dst, dst, zero]);
            }
            Ok(())
        })
    }

    fn integer_unary(&mut self, call: &Call, op: IntUnary, width: u32) -> Result<(), Error> {
        let at = Unary { dst: call.slot(Role::RESULT)?, a: call.slot(Role::A)?, lanes: 1 };
        self.emit(&call.at, ScalarOp::IntUnary { op, width, at });
        Ok(())
    }

    fn integer_ternary(
        &mut self,
        call: &Call,
        operation: Integer,
        signed: bool,
        width: u32,
    ) -> Result<(), Error> {
        let wraps = call.has("wrap");
        let op = match operation {
            Integer::MulHigh | Integer::MulAddHigh => IntTernary::MulAddHigh(signed),
            Integer::MulWide | Integer::MulAddWide => IntTernary::MulAddWide(signed),
            Integer::MulAdd24 => IntTernary::MulAdd24 { signed, high: call.has("hi") },
            Integer::Distance => IntTernary::Distance(signed),
            Integer::FunnelLeft => IntTernary::FunnelLeft { wraps },
            Integer::FunnelRight => IntTernary::FunnelRight { wraps },
            Integer::ExtractBits => IntTernary::ExtractBits(signed),
            Integer::Logic => self.logic_of(call)?,
            Integer::NthSet => {
                let [dst, a] = [call.slot(Role::RESULT)?, call.slot(Role::A)?];
                let (b, c) = (call.slot(Role::OFFSET)?, call.slot(Role::COUNT)?);
                let at = Ternary { dst, a, b, c, lanes: 1 };
                self.emit(&call.at, ScalarOp::IntTernary { op: IntTernary::NthSet, width, at });
                return Ok(());
            }
            _ => IntTernary::MulAdd,
        };
        let c = match call.maybe_slot(Role::C) {
            Some(c) => c,
            None => self.number(&call.at, 0)?,
        };
        self.int_ternary(call, op, width, call.slot(Role::RESULT)?, c)
    }

    /// An operation on the operands A and B, and on a third one.
    fn int_ternary(
        &mut self,
        call: &Call,
        op: IntTernary,
        width: u32,
        dst: Slot,
        c: Slot,
    ) -> Result<(), Error> {
        let at = Ternary { dst, a: call.slot(Role::A)?, b: call.slot(Role::B)?, c, lanes: 1 };
        self.emit(&call.at, ScalarOp::IntTernary { op, width, at });
        Ok(())
    }

    /// The high bits of a product, and a saturated sum with C.
    fn saturated(&mut self, call: &Call, product: IntTernary, width: u32) -> Result<(), Error> {
        let (high, zero) = (self.temporary(&call.at)?, self.number(&call.at, 0)?);
        self.int_ternary(call, product, width, high, zero)?;
        let sum = [call.slot(Role::RESULT)?, high, call.slot(Role::C)?];
        self.int(&call.at, IntOp::AddSatS, width, sum);
        Ok(())
    }

    /// The table of `lop3`.
    fn logic_of(&self, call: &Call) -> Result<IntTernary, Error> {
        let table = u8::try_from(self.number_of(call, Role::ID)?);
        Ok(IntTernary::Logic(
            table
                .map_err(|_| malformed(&call.at, Malformed::OperandValue, "a table that is not 0 to 255"))?,
        ))
    }

    /// `lop3` whose result is compared with 0.
    fn tested_logic(&mut self, call: &Call) -> Result<(), Error> {
        let (logic, bits) = (self.logic_of(call)?, self.temporary(&call.at)?);
        self.int_ternary(call, logic, 32, bits, call.slot(Role::C)?)?;
        let zero = self.number(&call.at, 0)?;
        let is_set = self.temporary(&call.at)?;
        self.differ(&call.at, 32, [is_set, bits, zero]);
        let combination: Combination = call.needed()?;
        let condition = call.slot(Role::CONDITION)?;
        let flag = call.slot(Role::FLAG)?;
        if let Some(result) = call.maybe_slot(Role::RESULT) {
            self.copy_of(&call.at, result, bits);
        }
        self.int(&call.at, super::compare::combining(combination), 1, [flag, is_set, condition]);
        Ok(())
    }

    /// `bfi`: bits of A replace a field of B.
    fn insertion(&mut self, call: &Call, width: u32) -> Result<(), Error> {
        let low = self.number(&call.at, 0xff)?;
        let from = self.int_of(&call.at, IntOp::And, 32, [call.slot(Role::OFFSET)?, low])?;
        let length = self.int_of(&call.at, IntOp::And, 32, [call.slot(Role::COUNT)?, low])?;
        let field = self.int_of(&call.at, IntOp::MaskClamped, width, [from, length])?;
        let a = self.int_of(&call.at, IntOp::ShlClamped, width, [call.slot(Role::A)?, from])?;
        // The table of `c ? a : b`.
        let at = Ternary { dst: call.slot(Role::RESULT)?, a, b: call.slot(Role::B)?, c: field, lanes: 1 };
        self.emit(&call.at, ScalarOp::IntTernary { op: IntTernary::Logic(0xe4), width, at });
        Ok(())
    }

    /// `prmt`. A mode chooses among four selectors by the lowest bits of C.
    pub(crate) fn permutation(&mut self, call: &Call) -> Result<(), Error> {
        let (a, mut c) = (call.slot(Role::A)?, call.slot(Role::C)?);
        let b = call.maybe_slot(Role::B).unwrap_or(a);
        if let Some(selectors) = call.keyword().and_then(selectors) {
            let (all, low) = (self.number(&call.at, selectors)?, self.number(&call.at, 3)?);
            let index = self.int_of(&call.at, IntOp::And, 32, [c, low])?;
            let bits = self.number(&call.at, 4)?;
            let start = self.int_of(&call.at, IntOp::ShlClamped, 32, [index, bits])?;
            c = self.int_of(&call.at, IntOp::ShrClampedU, 64, [all, start])?;
        }
        self.emit(
            &call.at,
            ScalarOp::Permute { at: Ternary { dst: call.slot(Role::RESULT)?, a, b, c, lanes: 1 } },
        );
        Ok(())
    }

    /// Numbers of A times bytes of B, added to C: four bytes, or two numbers of 16 bits, with the
    /// lower or the upper bytes of B.
    pub(crate) fn dot_product(&mut self, call: &Call) -> Result<(), Error> {
        let is_bytes = call.instruction.row.operation == Operation::DotBytes;
        let upper = call.has("hi")
            || call.has("b_hi")
            || call.maybe(Role::ID).is_some() && self.number_of(call, Role::ID)? != 0;
        let (width, skip) = if is_bytes { (8, 0) } else { (16, if upper { 2 } else { 0 }) };
        let sign = |label: &str| {
            let sign = call.instruction.named::<Sign>(label);
            sign.map(|sign| sign == Sign::Signed)
                .ok_or_else(|| malformed(&call.at, Malformed::Modifier, format!("no sign {label}")))
        };
        let word = |role: Role| {
            let held = call.held(role)?;
            let pieces = if call.is_text {
                Box::new([Piece { slot: held.slot, bits: 32 }])
            } else {
                pieces(std::slice::from_ref(held))
            };
            match pieces.iter().map(|piece| piece.bits).sum() {
                32u32 => Ok(pieces),
                _ => {
                    Err(malformed(&call.at, Malformed::OperandType, "an operand whose width is not 32 bits"))
                }
            }
        };
        let (a, b, c) = (word(Role::A)?, word(Role::B)?, call.slot(Role::C)?);
        let (dst, signed) = (call.slot(Role::RESULT)?, (sign("of_a")?, sign("of_b")?));
        self.emit(&call.at, ScalarOp::Dot { dst, a, b, c, width, skip, signed });
        Ok(())
    }
}

/// The bits of a value.
fn bits_of(held: &Held) -> u32 {
    held.ty.scalars().iter().map(|scalar| scalar.bits()).sum()
}

/// The selectors of a mode for 0 to 3 in operand C, the first in the lowest 16 bits.
fn selectors(mode: PermuteMode) -> Option<u64> {
    Some(match mode {
        PermuteMode::Digits => return None,
        PermuteMode::Forward => 0x6543_5432_4321_3210,
        PermuteMode::Backward => 0x0123_7012_6701_5670,
        PermuteMode::Replicate8 => 0x3333_2222_1111_0000,
        PermuteMode::ClampLeft => 0x3333_3222_3211_3210,
        PermuteMode::ClampRight => 0x3210_2210_1110_0000,
        PermuteMode::Replicate16 => 0x3232_1010_3232_1010,
    })
}
