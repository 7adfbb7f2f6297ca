//! Conversions of pairs with scale factors: between floats and `s2f6x2`, which is two integers of 8
//! bits whose unit is 2^-6, and from narrow floats to bf16.
//!
//! Each number has a scale factor, a power of 2. What becomes an integer is divided by it, and
//! rounded to the nearest one; what becomes a bf16 is multiplied by it. All products are exact in
//! f64. A conversion from `s2f6x2` without factors is the one whose factors are 1.

use super::convert::elements;
use super::packed::packing;
use crate::call::Call;
use crate::{Assembler, malformed};
use cute_arch::Element;
use cute_machine::convert::{Conversion, packed_bits};
use cute_machine::float::FloatUnary;
use cute_machine::format::{Overflow, Rounding};
use cute_machine::int::IntOp;
use cute_machine::rounded::{Function, Rounded};
use cute_machine::types::Scalar;
use cute_ptx::{Role, ScalarType};
use cute_sim::program::{Cast, Move, Piece, ScalarOp, Slot, Ternary, Unary};
use cute_sim::{Error, Malformed};

/// The numbers of a register.
const COUNT: u32 = 2;

/// Bits behind the point.
const FRACTION: u64 = 6;

/// Two scale factors that are 1.
const ONES: u64 = 0x7f7f;

/// The exponent of a scale factor of 1, and that of an f64.
const BIAS: u64 = 127;
const BIAS_OF_F64: u64 = 1023;

/// The code of a scale factor that is not a number.
const NOT_A_SCALE: u64 = 0xff;

/// The source of a conversion.
#[derive(Debug, Clone, Copy)]
enum Number {
    /// A float of this type, to an integer.
    Float(Scalar),
    /// An integer.
    Fixed,
    /// A float of at most 8 bits.
    Narrow(Element),
}

impl Assembler {
    pub(crate) fn scaled_conversion(&mut self, call: &Call) -> Result<(), Error> {
        let scales = match call.maybe_slot(Role::C) {
            Some(scales) => scales,
            None => self.number(&call.at, ONES)?,
        };
        let scales = self.unpacked(call, scales, (COUNT, Scalar::Int(8)))?;
        let (numbers, from) = self.scaled_numbers(call)?;
        let results = self.registers_of(call, COUNT)?;
        for lane in 0..COUNT {
            let registers = [results + lane, numbers + lane, scales + lane];
            match from {
                Number::Float(ty) => self.fixed_of_float(call, ty, registers)?,
                Number::Fixed | Number::Narrow(_) => self.scaled_up(call, from, registers)?,
            }
        }
        let dst = call.slot(Role::RESULT)?;
        if let Number::Float(_) = from {
            self.emit(&call.at, packing(dst, results, (COUNT, Scalar::Int(8))));
            return Ok(());
        }
        let overflow = if call.has("satfinite") { Overflow::Saturate } else { Overflow::Ieee };
        let (from, to, rounding) = (Element::F64, Element::Bf16, Rounding::NearestEven);
        let conversion = Conversion { from, to, rounding, overflow, relu: call.has("relu") };
        let src = (0..COUNT).map(|lane| Piece { slot: results + lane, bits: 64 }).collect();
        let dst = [Piece { slot: dst, bits: 32 }].into();
        self.emit(&call.at, ScalarOp::Convert { conversion, count: COUNT, random: None, src, dst });
        Ok(())
    }

    /// The numbers to convert, the lower one first, each in a register.
    fn scaled_numbers(&mut self, call: &Call) -> Result<(Slot, Number), Error> {
        let from = call.instruction.named::<ScalarType>("from");
        let from = from.ok_or_else(|| malformed(&call.at, Malformed::Modifier, "no type from"))?;
        let (bits, number) = match from {
            ScalarType::F32 => {
                let numbers = self.registers_of(call, COUNT)?;
                for (dst, role) in (numbers..).zip([Role::B, Role::A]) {
                    self.emit(&call.at, ScalarOp::Copy(Move { dst, src: call.slot(role)?, len: 1 }));
                }
                return Ok((numbers, Number::Float(Scalar::F32)));
            }
            ScalarType::Bf16x2 => (16, Number::Float(Scalar::Bf16)),
            ScalarType::S2f6x2 => (8, Number::Fixed),
            narrow => {
                let (_, element) = elements(call, narrow)?;
                (packed_bits(element), Number::Narrow(element))
            }
        };
        Ok((self.unpacked(call, call.slot(Role::A)?, (COUNT, Scalar::Int(bits)))?, number))
    }

    /// An integer from a float: the nearest one that has 8 bits, and the greatest one from NaN.
    fn fixed_of_float(
        &mut self,
        call: &Call,
        from: Scalar,
        [dst, number, scale]: [Slot; 3],
    ) -> Result<(), Error> {
        let wide = Unary { dst: self.temporary(&call.at)?, a: number, lanes: 1 };
        self.emit(&call.at, ScalarOp::Cast { cast: Cast::Float { from, to: Scalar::F64 }, at: wide });
        let factor = self.power(call, IntOp::Sub, BIAS_OF_F64 + BIAS + FRACTION, scale)?;
        let product = self.of_f64(call, Function::Mul, [wide.dst, factor])?;
        let whole = Unary { dst: self.temporary(&call.at)?, a: product, lanes: 1 };
        self.emit(&call.at, ScalarOp::FloatUnary { op: FloatUnary::RoundEven, ty: Scalar::F64, at: whole });
        let plain = |least| match least {
            true => Function::Min { nan: false, xorsign: false },
            false => Function::Max { nan: false, xorsign: false },
        };
        let low = if call.has("relu") { 0.0 } else { f64::from(i8::MIN) };
        let [low, high] = [low, f64::from(i8::MAX)].map(f64::to_bits);
        let [low, high] = [self.number(&call.at, low)?, self.number(&call.at, high)?];
        let bounded = self.of_f64(call, plain(true), [whole.dst, high])?;
        let bounded = self.of_f64(call, plain(false), [bounded, low])?;
        let integer = Unary { dst: self.temporary(&call.at)?, a: bounded, lanes: 1 };
        self.emit(
            &call.at,
            ScalarOp::Cast { cast: Cast::FloatToSigned { from: Scalar::F64, to: 32 }, at: integer },
        );
        let byte = self.number(&call.at, 0xff)?;
        self.int(&call.at, IntOp::And, 32, [dst, integer.dst, byte]);
        Ok(())
    }

    /// An f64 from a number and its scale.
    fn scaled_up(&mut self, call: &Call, from: Number, [dst, number, scale]: [Slot; 3]) -> Result<(), Error> {
        let wide = self.temporary(&call.at)?;
        let bias = match from {
            Number::Narrow(element) => {
                let (to, rounding, overflow) = (Element::F64, Rounding::NearestEven, Overflow::Ieee);
                let conversion = Conversion { from: element, to, rounding, overflow, relu: false };
                let src = [Piece { slot: number, bits: packed_bits(element) }].into();
                let dst = [Piece { slot: wide, bits: 64 }].into();
                self.emit(&call.at, ScalarOp::Convert { conversion, count: 1, random: None, src, dst });
                BIAS_OF_F64 - BIAS
            }
            Number::Fixed | Number::Float(_) => {
                let cast = Cast::SignedToFloat { from: 8, to: Scalar::F64, rounding: Rounding::NearestEven };
                self.emit(&call.at, ScalarOp::Cast { cast, at: Unary { dst: wide, a: number, lanes: 1 } });
                BIAS_OF_F64 - BIAS - FRACTION
            }
        };
        let factor = self.power(call, IntOp::Add, bias, scale)?;
        let product = self.of_f64(call, Function::Mul, [wide, factor])?;
        self.copy_of(&call.at, dst, product);
        Ok(())
    }

    /// The f64 whose exponent's bits are a number plus or minus those of the scale; NaN if the
    /// scale is not a number.
    fn power(&mut self, call: &Call, op: IntOp, from: u64, scale: Slot) -> Result<Slot, Error> {
        let (from, shift) = (self.number(&call.at, from)?, self.number(&call.at, 52)?);
        let exponent = self.int_of(&call.at, op, 64, [from, scale])?;
        let bits = self.int_of(&call.at, IntOp::ShlClamped, 64, [exponent, shift])?;
        let (none, nan) = (self.number(&call.at, NOT_A_SCALE)?, self.number(&call.at, f64::NAN.to_bits())?);
        let is_number = self.temporary(&call.at)?;
        self.differ(&call.at, 64, [is_number, scale, none]);
        self.either(&call.at, is_number, [bits, nan])
    }

    fn of_f64(&mut self, call: &Call, function: Function, [a, b]: [Slot; 2]) -> Result<Slot, Error> {
        let at = Ternary { dst: self.temporary(&call.at)?, a, b, c: b, lanes: 1 };
        self.emit(&call.at, ScalarOp::Rounded { instruction: Rounded::plain(function, Scalar::F64), at });
        Ok(at.dst)
    }
}
