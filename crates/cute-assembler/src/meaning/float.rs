//! Arithmetic of floats.

use super::packed::Packing;
use crate::call::Call;
use crate::{Assembler, Held, malformed, unmodelled};
use cute_machine::float::{FloatOp, FloatUnary};
use cute_machine::format::Rounding;
use cute_machine::int::{IntOp, mask};
use cute_machine::rounded::{Function, Rounded};
use cute_machine::types::Scalar;
use cute_ptx::{Float, Role, RoundingMode, ScalarType};
use cute_sim::program::{Binary, Cast, ScalarOp, Slot, Ternary, Unary};
use cute_sim::{Error, Malformed, Unmodelled};

impl Assembler {
    pub(crate) fn float(&mut self, call: &Call, operation: Float) -> Result<(), Error> {
        let nan = call.has("NaN") || call.has("nan");
        let xorsign = call.has("xorsign");
        let function = match operation {
            Float::Neg => return self.sign_of(call, FloatUnary::Neg),
            Float::Abs => return self.sign_of(call, FloatUnary::Abs),
            Float::Add => Function::Add,
            Float::Sub => Function::Sub,
            Float::Mul => Function::Mul,
            Float::Div if call.has("approx") => Function::DivApprox,
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
            Float::Min => Function::Min { nan, xorsign },
            Float::Max => Function::Max { nan, xorsign },
        };
        let packing @ Packing { scalar: ty, .. } = self.floats_of(call)?;
        if let Some(kind) = ["approx", "full"].into_iter().find(|kind| call.has(kind)) {
            self.approximate.insert(format!("{}.{kind}.{}", call.instruction.row.mnemonic(), ty.ptx()));
        }
        let roles = [Role::A, Role::B, Role::C];
        let mut sources: Vec<Slot> = roles.into_iter().filter_map(|role| call.maybe_slot(role)).collect();
        if let Some(narrow) = call.instruction.named("narrow").and_then(floats) {
            self.widen(call, narrow.1, &mut sources)?;
        }
        let result = call.slot(Role::RESULT)?;
        // The fast forms of f64 compute with the upper half of a number alone.
        let halves = ty == Scalar::F64 && call.has("approx") && call.has("ftz");
        if halves {
            sources[0] = self.upper_half(call, sources[0])?;
        }
        let instruction = Rounded {
            function,
            ty,
            rounding: call.keyword().map_or(Rounding::NearestEven, rounding_of),
            ftz: call.has("ftz"),
            saturate: call.has("sat"),
            relu: call.has("relu"),
        };
        let compute = |assembler: &mut Self, dst: Slot, sources: &[Slot]| {
            assembler.rounded(call, instruction, packing, dst, sources.to_vec())
        };
        if call.is_text {
            self.packed(call, packing, result, &sources, compute)?;
        } else {
            compute(self, result, &sources)?;
        }
        if halves {
            let upper = self.upper_half(call, result)?;
            self.copy_of(&call.at, result, upper);
        }
        Ok(())
    }

    /// The type of the numbers: of text it is the instruction's, otherwise that of the operands.
    fn floats_of(&self, call: &Call) -> Result<Packing, Error> {
        let packing = |(lanes, scalar)| Packing { lanes, scalar };
        let named = call.keyword().and_then(floats).map(packing);
        if call.is_text {
            return named.ok_or_else(|| malformed(&call.at, Malformed::Modifier, "no type of floats"));
        }
        let result = call.held(Role::RESULT)?;
        let held = result.ty.lanes().filter(|(_, scalar)| scalar.is_float()).map(packing);
        let held = held
            .ok_or_else(|| unmodelled(&call.at, Unmodelled::Operand, format!("a result {:?}", result.ty)))?;
        let roles = [Role::A, Role::B, Role::C];
        let mut sources = roles.into_iter().filter_map(|role| call.maybe(role));
        if sources.any(|Held { ty, .. }| *ty != result.ty) || named.is_some_and(|named| named != held) {
            return Err(malformed(
                &call.at,
                Malformed::OperandType,
                "operands of other types than the instruction's",
            ));
        }
        Ok(held)
    }

    /// Computes with numbers in registers of their own.
    fn rounded(
        &mut self,
        call: &Call,
        instruction: Rounded,
        packing: Packing,
        dst: Slot,
        mut sources: Vec<Slot>,
    ) -> Result<(), Error> {
        let (Packing { lanes, scalar: ty }, function) = (packing, instruction.function);
        if call.has("abs") && !call.has("xorsign") {
            for source in &mut sources {
                let at = Unary { dst: self.registers_of(call, lanes)?, a: *source, lanes };
                self.emit(&call.at, ScalarOp::FloatUnary { op: FloatUnary::Abs, ty, at });
                *source = at.dst;
            }
        }
        // The least or the greatest of three is that of two of them, and of the third.
        if let (Function::Min { .. } | Function::Max { .. }, [a, b, c]) = (function, &sources[..]) {
            let of_two = self.registers_of(call, lanes)?;
            let at = Ternary { dst: of_two, a: *a, b: *b, c: *b, lanes };
            self.emit(&call.at, ScalarOp::Rounded { instruction, at });
            sources = vec![of_two, *c];
        }
        let source = |i: usize| sources.get(i).copied().unwrap_or(sources[0]);
        let at = Ternary { dst, a: source(0), b: source(1), c: source(2), lanes };
        self.emit(&call.at, ScalarOp::Rounded { instruction, at });
        Ok(())
    }

    /// Widens all operands except the last one to f32.
    fn widen(&mut self, call: &Call, from: Scalar, sources: &mut [Slot]) -> Result<(), Error> {
        let Some((_, narrow)) = sources.split_last_mut() else { return Ok(()) };
        for source in narrow {
            let at = Unary { dst: self.temporary(&call.at)?, a: *source, lanes: 1 };
            self.emit(&call.at, ScalarOp::Cast { cast: Cast::Float { from, to: Scalar::F32 }, at });
            *source = at.dst;
        }
        Ok(())
    }

    /// An f64 without the lower half of its bits.
    fn upper_half(&mut self, call: &Call, a: Slot) -> Result<Slot, Error> {
        let upper = self.number(&call.at, !mask(32))?;
        self.int_of(&call.at, IntOp::And, 64, [a, upper])
    }

    /// `neg` and `abs` of floats, which change the sign alone.
    fn sign_of(&mut self, call: &Call, op: FloatUnary) -> Result<(), Error> {
        let packing = self.floats_of(call)?;
        let (result, a) = (call.slot(Role::RESULT)?, call.slot(Role::A)?);
        let compute = |assembler: &mut Self, dst: Slot, sources: &[Slot]| {
            let mut a = sources[0];
            if call.has("ftz") {
                a = assembler.flushed(call, packing, a)?;
            }
            let at = Unary { dst, a, lanes: packing.lanes };
            assembler.emit(&call.at, ScalarOp::FloatUnary { op, ty: packing.scalar, at });
            Ok(())
        };
        if call.is_text {
            self.packed(call, packing, result, &[a], compute)
        } else {
            compute(self, result, &[a])
        }
    }

    /// `copysign`: the sign of A, and the magnitude of B.
    pub(crate) fn sign_copied(&mut self, call: &Call) -> Result<(), Error> {
        let Packing { lanes, scalar: ty } = Packing::of(call.needed()?);
        let (dst, a, b) = (call.slot(Role::RESULT)?, call.slot(Role::B)?, call.slot(Role::A)?);
        self.emit(&call.at, ScalarOp::Float { op: FloatOp::CopySign, ty, at: Binary { dst, a, b, lanes } });
        Ok(())
    }

    /// Numbers of which the subnormal ones have become zero, with their sign.
    pub(super) fn flushed(&mut self, call: &Call, packing: Packing, a: Slot) -> Result<Slot, Error> {
        let dst = self.registers_of(call, packing.lanes)?;
        self.pass(call, packing, [dst, a], (true, false))?;
        Ok(dst)
    }

    /// Numbers after the modifiers `.ftz` and `.sat`.
    pub(super) fn pass(
        &mut self,
        call: &Call,
        Packing { lanes, scalar: ty }: Packing,
        [dst, a]: [Slot; 2],
        (ftz, saturate): (bool, bool),
    ) -> Result<(), Error> {
        let zero = self.constant(&call.at, vec![1 << (ty.bits() - 1); lanes as usize])?;
        let instruction = Rounded { ftz, saturate, ..Rounded::plain(Function::Add, ty) };
        let at = Ternary { dst, a, b: zero, c: zero, lanes };
        self.emit(&call.at, ScalarOp::Rounded { instruction, at });
        Ok(())
    }
}

/// The rounding that a modifier names.
pub(crate) fn rounding_of(mode: RoundingMode) -> Rounding {
    match mode {
        RoundingMode::NearestEven => Rounding::NearestEven,
        RoundingMode::TowardZero => Rounding::TowardZero,
        RoundingMode::Up => Rounding::Up,
        RoundingMode::Down => Rounding::Down,
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
