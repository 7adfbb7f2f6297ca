//! Arithmetic, and what PTX's text has beside it: moves and comparisons.

use crate::call::Call;
use crate::tensor::pieces;
use crate::{Decoder, Held, malformed, unmodelled};
use cute_machine::format::Rounding;
use cute_machine::int::{IntOp, NoWrap};
use cute_machine::predicate::IntPredicate;
use cute_machine::rounded::{Function, Rounded};
use cute_machine::types::Scalar;
use cute_ptx::{Compare, Float, Integer, Operation, Role, RoundingMode, ScalarType, Sign, StateSpace};
use cute_sim::Error;
use cute_sim::program::{Binary, Cast, Move, Op, Piece, Ternary, Unary};

impl Decoder<'_> {
    pub(super) fn integer(&mut self, call: &Call<'_, '_>, operation: Integer) -> Result<(), Error> {
        let ty = call.keyword::<ScalarType>();
        let signed = ty.is_some_and(ScalarType::is_signed) || call.has("sext");
        let (dst, a) = (call.slot(Role::Result)?, call.slot(Role::A)?);
        let (mut b, mut width) = (call.maybe_slot(Role::B), ty.map_or(32, ScalarType::bits));
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
            // Registers hold their bits zero-extended: narrowing masks, and widening copies.
            Integer::Convert => {
                (b, width) = (Some(self.constant(call.op, vec![u64::from(u32::MAX)])?), 64);
                IntOp::And
            }
            Integer::Extend => {
                if call.has("wrap") {
                    let (digits, limit) = (self.temporary(call.op)?, self.constant(call.op, vec![31])?);
                    let at = Binary { dst: digits, a: call.slot(Role::B)?, b: limit, lanes: 1 };
                    self.emit(call.op, Op::Int { op: IntOp::And, width, no_wrap: NoWrap::default(), at });
                    b = Some(digits);
                }
                if signed { IntOp::ExtendS } else { IntOp::ExtendU }
            }
        };
        let b = b.ok_or_else(|| malformed(call.op, "the operand `b` is missing"))?;
        self.emit(
            call.op,
            Op::Int { op, width, no_wrap: NoWrap::default(), at: Binary { dst, a, b, lanes: 1 } },
        );
        Ok(())
    }

    pub(super) fn float(&mut self, call: &Call<'_, '_>, operation: Float) -> Result<(), Error> {
        let nan = call.has("NaN") || call.has("nan");
        let function = match operation {
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
            named
                .filter(|(lanes, _)| *lanes == 1)
                .ok_or_else(|| unmodelled(call.op, "arithmetic on packed floats"))?
        } else {
            let held = result.ty.lanes().filter(|(_, scalar)| scalar.is_float());
            held.ok_or_else(|| unmodelled(call.op, format!("a result {:?}", result.ty)))?
        };
        let sources: Vec<&Held> =
            [Role::A, Role::B, Role::C].into_iter().filter_map(|role| call.maybe(role)).collect();
        if !call.is_text
            && (sources.iter().any(|h| h.ty != result.ty) || named.is_some_and(|named| named != (lanes, ty)))
        {
            return Err(malformed(call.op, "operands of other types than the instruction's"));
        }
        let (ftz, saturate, relu) = (call.has("ftz"), call.has("sat"), call.has("relu"));
        let instruction = Rounded { function, ty, rounding, ftz, saturate, relu };
        if !instruction.is_exact() {
            return Err(unmodelled(call.op, "f64 rounded other than to the nearest"));
        }
        if let Some(kind) = ["approx", "full"].into_iter().find(|kind| call.has(kind)) {
            self.approximate.insert(format!("{}.{kind}.{}", call.instruction.row.mnemonic(), ty.ptx()));
        }
        let source = |i: usize| sources.get(i).unwrap_or(&sources[0]).slot;
        let at = Ternary { dst: result.slot, a: source(0), b: source(1), c: source(2), lanes };
        self.emit(call.op, Op::Rounded { instruction, at });
        Ok(())
    }

    /// `mov`.
    pub(super) fn bits(&mut self, call: &Call<'_, '_>) -> Result<(), Error> {
        let (dst, src) = (call.slot(Role::Result)?, call.slot(Role::A)?);
        self.emit(call.op, Op::Copy(Move { dst, src, len: 1 }));
        Ok(())
    }

    pub(super) fn address_cast(&mut self, call: &Call<'_, '_>) -> Result<(), Error> {
        let space = call.needed::<StateSpace>()?.address_space();
        let (from, to) = if call.has("to") { (0, space) } else { (space, 0) };
        let at = Unary { dst: call.slot(Role::Result)?, a: call.slot(Role::A)?, lanes: 1 };
        self.emit(call.op, Op::Cast { cast: Cast::AddressSpace { from, to }, at });
        Ok(())
    }

    pub(super) fn comparison(&mut self, call: &Call<'_, '_>) -> Result<(), Error> {
        use Compare as C;
        use IntPredicate as P;
        let ty = call.needed::<ScalarType>()?;
        let predicate = match (call.needed::<Compare>()?, ty.is_signed()) {
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
        };
        let at = Binary {
            dst: call.slot(Role::Result)?,
            a: call.slot(Role::A)?,
            b: call.slot(Role::B)?,
            lanes: 1,
        };
        self.emit(call.op, Op::IntCompare { predicate, width: ty.bits(), at });
        Ok(())
    }

    pub(super) fn selection(&mut self, call: &Call<'_, '_>) -> Result<(), Error> {
        let at = Ternary {
            dst: call.slot(Role::Result)?,
            a: call.slot(Role::Condition)?,
            b: call.slot(Role::A)?,
            c: call.slot(Role::B)?,
            lanes: 1,
        };
        self.emit(call.op, Op::Select { at, per_lane: false });
        Ok(())
    }

    pub(super) fn permutation(&mut self, call: &Call<'_, '_>) -> Result<(), Error> {
        let [a, b, c] = [Role::A, Role::B, Role::C].map(|role| call.slot(role));
        let at = Ternary { dst: call.slot(Role::Result)?, a: a?, b: b?, c: c?, lanes: 1 };
        self.emit(call.op, Op::Permute { at });
        Ok(())
    }

    /// Numbers of A times bytes of B, added to C: four bytes, or two numbers of 16 bits, with the
    /// lower or the upper bytes of B.
    pub(super) fn dot_product(&mut self, call: &Call<'_, '_>) -> Result<(), Error> {
        let is_bytes = call.instruction.row.operation == Operation::DotBytes;
        let upper = call.has("hi")
            || call.has("b_hi")
            || call.maybe(Role::Id).is_some() && self.number_of(call, Role::Id)? != 0;
        let (width, skip) = if is_bytes { (8, 0) } else { (16, if upper { 2 } else { 0 }) };
        let sign = |label: &str| {
            let sign = call.instruction.named::<Sign>(label);
            sign.map(|sign| sign == Sign::Signed)
                .ok_or_else(|| malformed(call.op, format!("no sign {label}")))
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
                _ => Err(malformed(call.op, "an operand whose width is not 32 bits")),
            }
        };
        let (a, b, c) = (word(Role::A)?, word(Role::B)?, call.slot(Role::C)?);
        let (dst, signed) = (call.slot(Role::Result)?, (sign("of_a")?, sign("of_b")?));
        self.emit(call.op, Op::Dot { dst, a, b, c, width, skip, signed });
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
