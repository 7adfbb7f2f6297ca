//! Arithmetic, and what PTX's text has beside it: moves and comparisons.

use crate::call::Call;
use crate::matrix::pieces;
use crate::{Assembler, Held, malformed, unmodelled};
use cute_machine::float::FloatUnary;
use cute_machine::format::Rounding;
use cute_machine::int::{IntOp, IntTernary, IntUnary, NoWrap, mask};
use cute_machine::predicate::{FloatPredicate, IntPredicate};
use cute_machine::rounded::{Function, Rounded};
use cute_machine::types::{Scalar, Type};
use cute_ptx::{
    Combination, Compare, Float, FloatCompare, Integer, Operation, Role, RoundingMode, ScalarType, Sign,
    StateSpace,
};
use cute_sim::Error;
use cute_sim::program::{Binary, Cast, Move, Op, Piece, Slot, Ternary, Unary};

impl Assembler {
    pub(crate) fn integer(&mut self, call: &Call, operation: Integer) -> Result<(), Error> {
        let ty = call.keyword::<ScalarType>();
        let signed = ty.is_some_and(ScalarType::is_signed) || call.has("sext");
        let (dst, mut a) = (call.slot(Role::Result)?, call.slot(Role::A)?);
        let (mut b, width) = (call.maybe_slot(Role::B), ty.map_or(32, ScalarType::bits));
        let op = match operation {
            Integer::Add => IntOp::Add,
            Integer::Sub => IntOp::Sub,
            Integer::Mul => IntOp::Mul,
            Integer::And => IntOp::And,
            Integer::Or => IntOp::Or,
            Integer::Xor => IntOp::Xor,
            Integer::Shl => IntOp::Shl,
            Integer::Shr if signed => IntOp::ShrS,
            Integer::Shr => IntOp::ShrU,
            Integer::Min if signed => IntOp::MinS,
            Integer::Min => IntOp::MinU,
            Integer::Max if signed => IntOp::MaxS,
            Integer::Max => IntOp::MaxU,
            Integer::Div if signed => IntOp::DivS,
            Integer::Div => IntOp::DivU,
            Integer::Rem if signed => IntOp::RemS,
            Integer::Rem => IntOp::RemU,
            Integer::AddSaturated => IntOp::AddSatS,
            Integer::SubSaturated => IntOp::SubSatS,
            Integer::Not => {
                b = Some(self.constant(&call.at, vec![mask(width)])?);
                IntOp::Xor
            }
            Integer::Neg => {
                (a, b) = (self.constant(&call.at, vec![0])?, Some(a));
                IntOp::Sub
            }
            Integer::Abs => return self.integer_unary(call, IntUnary::Abs, width),
            Integer::Popcount => return self.integer_unary(call, IntUnary::Popcount, width),
            Integer::LeadingZeros => return self.integer_unary(call, IntUnary::LeadingZeros, width),
            Integer::ReverseBits => return self.integer_unary(call, IntUnary::ReverseBits, width),
            Integer::MulHigh
            | Integer::MulWide
            | Integer::MulAdd
            | Integer::MulAddHigh
            | Integer::MulAddWide
            | Integer::FunnelLeft
            | Integer::FunnelRight
            | Integer::ExtractBits
            | Integer::Logic => return self.integer_ternary(call, operation, signed, width),
            Integer::Extend => {
                if call.has("wrap") {
                    let (digits, limit) = (self.temporary(&call.at)?, self.constant(&call.at, vec![31])?);
                    let at = Binary { dst: digits, a: call.slot(Role::B)?, b: limit, lanes: 1 };
                    self.emit(&call.at, Op::Int { op: IntOp::And, width, no_wrap: NoWrap::default(), at });
                    b = Some(digits);
                }
                if signed { IntOp::ExtendS } else { IntOp::ExtendU }
            }
        };
        let b = b.ok_or_else(|| malformed(&call.at, "the operand `b` is missing"))?;
        self.emit(
            &call.at,
            Op::Int { op, width, no_wrap: NoWrap::default(), at: Binary { dst, a, b, lanes: 1 } },
        );
        Ok(())
    }

    fn integer_unary(&mut self, call: &Call, op: IntUnary, width: u32) -> Result<(), Error> {
        let at = Unary { dst: call.slot(Role::Result)?, a: call.slot(Role::A)?, lanes: 1 };
        self.emit(&call.at, Op::IntUnary { op, width, at });
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
            Integer::FunnelLeft => IntTernary::FunnelLeft { wraps },
            Integer::FunnelRight => IntTernary::FunnelRight { wraps },
            Integer::ExtractBits => IntTernary::ExtractBits(signed),
            Integer::Logic => {
                let table = self.number_of(call, Role::Id)?;
                let table = u8::try_from(table);
                IntTernary::Logic(table.map_err(|_| malformed(&call.at, "a table that is not 0 to 255"))?)
            }
            _ => IntTernary::MulAdd,
        };
        let [dst, a, b] = [Role::Result, Role::A, Role::B].map(|role| call.slot(role));
        let c = match call.maybe_slot(Role::C) {
            Some(c) => c,
            None => self.constant(&call.at, vec![0])?,
        };
        self.emit(
            &call.at,
            Op::IntTernary { op, width, at: Ternary { dst: dst?, a: a?, b: b?, c, lanes: 1 } },
        );
        Ok(())
    }

    pub(crate) fn float(&mut self, call: &Call, operation: Float) -> Result<(), Error> {
        let nan = call.has("NaN") || call.has("nan");
        let function = match operation {
            Float::Neg => return self.sign_of(call, FloatUnary::Neg),
            Float::Abs => return self.sign_of(call, FloatUnary::Abs),
            Float::Add => Function::Add,
            Float::Sub => Function::Sub,
            Float::Mul => Function::Mul,
            Float::Div => Function::Div,
            Float::Fma => Function::Fma,
            Float::Sqrt => Function::Sqrt,
            Float::Rcp => Function::Rcp,
            Float::Rsqrt => Function::Rsqrt,
            Float::Ex2 => Function::Ex2,
            Float::Lg2 => Function::Lg2,
            Float::Sin => Function::Sin,
            Float::Cos => Function::Cos,
            Float::Tanh => Function::Tanh,
            Float::Min => Function::Min { nan },
            Float::Max => Function::Max { nan },
        };
        let rounding = match call.keyword() {
            None | Some(RoundingMode::NearestEven) => Rounding::NearestEven,
            Some(RoundingMode::TowardZero) => Rounding::TowardZero,
            Some(RoundingMode::Up) => Rounding::Up,
            Some(RoundingMode::Down) => Rounding::Down,
        };
        let result = call.held(Role::Result)?;
        let named = call.keyword().and_then(floats);
        let (lanes, ty) = if call.is_text {
            named.ok_or_else(|| malformed(&call.at, "no type of floats"))?
        } else {
            let held = result.ty.lanes().filter(|(_, scalar)| scalar.is_float());
            held.ok_or_else(|| unmodelled(&call.at, format!("a result {:?}", result.ty)))?
        };
        let sources: Vec<&Held> =
            [Role::A, Role::B, Role::C].into_iter().filter_map(|role| call.maybe(role)).collect();
        if !call.is_text
            && (sources.iter().any(|h| h.ty != result.ty) || named.is_some_and(|named| named != (lanes, ty)))
        {
            return Err(malformed(&call.at, "operands of other types than the instruction's"));
        }
        let (ftz, saturate, relu) = (call.has("ftz"), call.has("sat"), call.has("relu"));
        let instruction = Rounded { function, ty, rounding, ftz, saturate, relu };
        if !instruction.is_exact() {
            return Err(unmodelled(&call.at, "f64 rounded other than to the nearest"));
        }
        if let Some(kind) = ["approx", "full"].into_iter().find(|kind| call.has(kind)) {
            self.approximate.insert(format!("{}.{kind}.{}", call.instruction.row.mnemonic(), ty.ptx()));
        }
        let mut slots: Vec<Slot> = sources.iter().map(|held| held.slot).collect();
        let dst = if call.is_text && lanes > 1 {
            for slot in &mut slots {
                *slot = self.unpacked(call, *slot, (lanes, ty))?;
            }
            self.registers_of(call, lanes)?
        } else {
            result.slot
        };
        // The least or the greatest of three is that of two of them, and of the third.
        if let (Function::Min { .. } | Function::Max { .. }, [a, b, c]) = (function, &slots[..]) {
            let of_two = self.registers_of(call, lanes)?;
            let at = Ternary { dst: of_two, a: *a, b: *b, c: *b, lanes };
            self.emit(&call.at, Op::Rounded { instruction, at });
            slots = vec![of_two, *c];
        }
        let source = |i: usize| slots.get(i).copied().unwrap_or(slots[0]);
        let at = Ternary { dst, a: source(0), b: source(1), c: source(2), lanes };
        self.emit(&call.at, Op::Rounded { instruction, at });
        if dst != result.slot {
            self.emit(&call.at, packing(result.slot, dst, (lanes, ty)));
        }
        Ok(())
    }

    /// `neg` and `abs` of floats, which change the sign alone.
    fn sign_of(&mut self, call: &Call, op: FloatUnary) -> Result<(), Error> {
        let (lanes, ty) = call.keyword().and_then(floats).ok_or_else(|| malformed(&call.at, "no type"))?;
        let (result, mut a) = (call.slot(Role::Result)?, call.slot(Role::A)?);
        let mut dst = result;
        if lanes > 1 {
            (a, dst) = (self.unpacked(call, a, (lanes, ty))?, self.registers_of(call, lanes)?);
        }
        if call.has("ftz") {
            let flushed = self.registers_of(call, lanes)?;
            self.flush(call, ty, Unary { dst: flushed, a, lanes })?;
            a = flushed;
        }
        self.emit(&call.at, Op::FloatUnary { op, ty, at: Unary { dst, a, lanes } });
        if dst != result {
            self.emit(&call.at, packing(result, dst, (lanes, ty)));
        }
        Ok(())
    }

    /// Subnormal numbers become zero, with their sign.
    fn flush(&mut self, call: &Call, ty: Scalar, at: Unary) -> Result<(), Error> {
        let zero = self.constant(&call.at, vec![1 << (ty.bits() - 1); at.lanes as usize])?;
        let (function, rounding) = (Function::Add, Rounding::NearestEven);
        let instruction = Rounded { function, ty, rounding, ftz: true, saturate: false, relu: false };
        let at = Ternary { dst: at.dst, a: at.a, b: zero, c: zero, lanes: at.lanes };
        self.emit(&call.at, Op::Rounded { instruction, at });
        Ok(())
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
        self.emit(&call.at, Op::Regroup { dst, src, from: lanes * ty.bits(), to: ty.bits(), lanes });
        Ok(dst)
    }

    /// `mov` between a register and its parts, from the lowest on.
    pub(crate) fn parts(&mut self, call: &Call) -> Result<(), Error> {
        let bits = call.needed::<ScalarType>()?.bits();
        let packs = call.instruction.row.operation == Operation::Pack;
        let role = if packs { Role::Values } else { Role::Result };
        let parts: Vec<Slot> = call.all(role).map(|held| held.slot).collect();
        let count = parts.len() as u32;
        let part = bits / count.max(1);
        if ![8, 16, 32, 64].contains(&part) || part * count != bits {
            return Err(malformed(&call.at, format!("{count} parts of a register of {bits} bits")));
        }
        // A register of 128 bits is two slots.
        let (slots, slot_bits) = (bits.div_ceil(64), bits.min(64));
        if packs {
            let src = self.registers_of(call, count)?;
            self.emit(&call.at, Op::Gather { dst: src, from: parts.into() });
            let dst = call.slot(Role::Result)?;
            self.emit(&call.at, Op::Regroup { dst, src, from: part, to: slot_bits, lanes: slots });
        } else {
            let dst = self.registers_of(call, count)?;
            let src = call.slot(Role::A)?;
            self.emit(&call.at, Op::Regroup { dst, src, from: slot_bits, to: part, lanes: count });
            for (part, src) in parts.into_iter().zip(dst..) {
                self.emit(&call.at, Op::Copy(Move { dst: part, src, len: 1 }));
            }
        }
        Ok(())
    }

    /// `cvt` with an integer on one side or on both. Registers hold their bits zero-extended.
    pub(crate) fn conversion_of_text(&mut self, call: &Call) -> Result<(), Error> {
        let ty = |label: &str| {
            let ty = call.instruction.named::<ScalarType>(label);
            ty.ok_or_else(|| malformed(&call.at, format!("no type {label}")))
        };
        let (to, from) = (ty("to")?, ty("from")?);
        let (dst, mut a) = (call.slot(Role::Result)?, call.slot(Role::A)?);
        let at = |a: Slot| Unary { dst, a, lanes: 1 };
        let cast = match (floats(from), floats(to)) {
            (None, None) if to.bits() < from.bits() => Cast::Truncate { width: to.bits() },
            (None, None) if from.is_signed() && from.bits() < to.bits() => {
                Cast::SignExtend { from: from.bits(), to: to.bits() }
            }
            (None, None) => {
                self.emit(&call.at, Op::Copy(Move { dst, src: a, len: 1 }));
                return Ok(());
            }
            (None, Some((_, to))) if from.is_signed() => Cast::SignedToFloat { from: from.bits(), to },
            (None, Some((_, to))) => Cast::UnsignedToFloat { to },
            (Some((_, from)), _) => {
                let rounding =
                    [("rni", FloatUnary::RoundEven), ("rmi", FloatUnary::Floor), ("rpi", FloatUnary::Ceil)];
                if call.has("ftz") {
                    let flushed = self.temporary(&call.at)?;
                    self.flush(call, from, Unary { dst: flushed, a, lanes: 1 })?;
                    a = flushed;
                }
                if let Some((_, op)) = rounding.into_iter().find(|(word, _)| call.has(word)) {
                    let whole = self.temporary(&call.at)?;
                    let at = Unary { dst: whole, a, lanes: 1 };
                    self.emit(&call.at, Op::FloatUnary { op, ty: from, at });
                    a = whole;
                }
                if to.is_signed() {
                    Cast::FloatToSigned { from, to: to.bits() }
                } else {
                    Cast::FloatToUnsigned { from, to: to.bits() }
                }
            }
        };
        self.emit(&call.at, Op::Cast { cast, at: at(a) });
        Ok(())
    }

    /// `mov`.
    pub(crate) fn bits(&mut self, call: &Call) -> Result<(), Error> {
        let (dst, src) = (call.slot(Role::Result)?, call.slot(Role::A)?);
        self.emit(&call.at, Op::Copy(Move { dst, src, len: 1 }));
        Ok(())
    }

    pub(crate) fn address_cast(&mut self, call: &Call) -> Result<(), Error> {
        let space = call.needed::<StateSpace>()?.address_space();
        let (from, to) = if call.has("to") { (0, space) } else { (space, 0) };
        let at = Unary { dst: call.slot(Role::Result)?, a: call.slot(Role::A)?, lanes: 1 };
        self.emit(&call.at, Op::Cast { cast: Cast::AddressSpace { from, to }, at });
        Ok(())
    }

    /// `setp`, whose result another predicate may be combined with.
    pub(crate) fn comparison(&mut self, call: &Call) -> Result<(), Error> {
        let ty = call.needed::<ScalarType>()?;
        let (result, [mut a, mut b]) = (call.slot(Role::Result)?, [call.slot(Role::A)?, call.slot(Role::B)?]);
        let combined: Option<Combination> = call.keyword();
        let dst = if combined.is_some() { self.temporary(&call.at)? } else { result };
        if let Some((_, scalar)) = floats(ty) {
            if call.has("ftz") {
                for operand in [&mut a, &mut b] {
                    let flushed = self.temporary(&call.at)?;
                    self.flush(call, scalar, Unary { dst: flushed, a: *operand, lanes: 1 })?;
                    *operand = flushed;
                }
            }
            let predicate = float_predicate(call.needed()?);
            self.emit(
                &call.at,
                Op::FloatCompare { predicate, ty: scalar, at: Binary { dst, a, b, lanes: 1 } },
            );
        } else {
            let predicate = integer_predicate(call.needed()?, ty.is_signed());
            let at = Binary { dst, a, b, lanes: 1 };
            self.emit(&call.at, Op::IntCompare { predicate, width: ty.bits(), at });
        }
        if let Some(combined) = combined {
            let op = match combined {
                Combination::And => IntOp::And,
                Combination::Or => IntOp::Or,
                Combination::Xor => IntOp::Xor,
            };
            let at = Binary { dst: result, a: dst, b: call.slot(Role::Condition)?, lanes: 1 };
            self.emit(&call.at, Op::Int { op, width: 1, no_wrap: NoWrap::default(), at });
        }
        Ok(())
    }

    pub(crate) fn selection(&mut self, call: &Call) -> Result<(), Error> {
        let at = Ternary {
            dst: call.slot(Role::Result)?,
            a: call.slot(Role::Condition)?,
            b: call.slot(Role::A)?,
            c: call.slot(Role::B)?,
            lanes: 1,
        };
        self.emit(&call.at, Op::Select { at, per_lane: false });
        Ok(())
    }

    pub(crate) fn permutation(&mut self, call: &Call) -> Result<(), Error> {
        let [a, b, c] = [Role::A, Role::B, Role::C].map(|role| call.slot(role));
        let at = Ternary { dst: call.slot(Role::Result)?, a: a?, b: b?, c: c?, lanes: 1 };
        self.emit(&call.at, Op::Permute { at });
        Ok(())
    }

    /// Numbers of A times bytes of B, added to C: four bytes, or two numbers of 16 bits, with the
    /// lower or the upper bytes of B.
    pub(crate) fn dot_product(&mut self, call: &Call) -> Result<(), Error> {
        let is_bytes = call.instruction.row.operation == Operation::DotBytes;
        let upper = call.has("hi")
            || call.has("b_hi")
            || call.maybe(Role::Id).is_some() && self.number_of(call, Role::Id)? != 0;
        let (width, skip) = if is_bytes { (8, 0) } else { (16, if upper { 2 } else { 0 }) };
        let sign = |label: &str| {
            let sign = call.instruction.named::<Sign>(label);
            sign.map(|sign| sign == Sign::Signed)
                .ok_or_else(|| malformed(&call.at, format!("no sign {label}")))
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
                _ => Err(malformed(&call.at, "an operand whose width is not 32 bits")),
            }
        };
        let (a, b, c) = (word(Role::A)?, word(Role::B)?, call.slot(Role::C)?);
        let (dst, signed) = (call.slot(Role::Result)?, (sign("of_a")?, sign("of_b")?));
        self.emit(&call.at, Op::Dot { dst, a, b, c, width, skip, signed });
        Ok(())
    }
}

/// The lanes and the scalar of a type of floats.
pub(super) fn floats(ty: ScalarType) -> Option<(u32, Scalar)> {
    Some(match ty {
        ScalarType::F16 => (1, Scalar::F16),
        ScalarType::Bf16 => (1, Scalar::Bf16),
        ScalarType::F32 => (1, Scalar::F32),
        ScalarType::F64 => (1, Scalar::F64),
        ScalarType::F16x2 => (2, Scalar::F16),
        ScalarType::Bf16x2 => (2, Scalar::Bf16),
        ScalarType::F32x2 => (2, Scalar::F32),
        _ => return None,
    })
}

/// Packs numbers into one register.
fn packing(dst: Slot, src: Slot, (lanes, ty): (u32, Scalar)) -> Op {
    Op::Regroup { dst, src, from: ty.bits(), to: lanes * ty.bits(), lanes: 1 }
}

fn integer_predicate(compare: Compare, signed: bool) -> IntPredicate {
    use Compare as C;
    use IntPredicate as P;
    match (compare, signed) {
        (C::Eq, _) => P::Eq,
        (C::Ne, _) => P::Ne,
        (C::Lt, true) => P::Slt,
        (C::Le, true) => P::Sle,
        (C::Gt, true) => P::Sgt,
        (C::Ge, true) => P::Sge,
        (C::Lt, false) => P::Ult,
        (C::Le, false) => P::Ule,
        (C::Gt, false) => P::Ugt,
        (C::Ge, false) => P::Uge,
    }
}

fn float_predicate(compare: FloatCompare) -> FloatPredicate {
    use FloatCompare as C;
    use FloatPredicate as P;
    match compare {
        C::Eq => P::Oeq,
        C::Ne => P::One,
        C::Lt => P::Olt,
        C::Le => P::Ole,
        C::Gt => P::Ogt,
        C::Ge => P::Oge,
        C::Equ => P::Ueq,
        C::Neu => P::Une,
        C::Ltu => P::Ult,
        C::Leu => P::Ule,
        C::Gtu => P::Ugt,
        C::Geu => P::Uge,
        C::Num => P::Ord,
        C::Nan => P::Uno,
    }
}
