//! Conversions: `cvt`. Registers hold the bits of a number, zero-extended.

use super::float::{floats, rounding_of};
use super::packed::Packing;
use crate::call::Call;
use crate::matrix::pieces;
use crate::{Assembler, Held, malformed};
use cute_arch::Element;
use cute_machine::convert::{Conversion, packed_bits};
use cute_machine::float::{FloatUnary, element};
use cute_machine::format::{Overflow, Rounding};
use cute_machine::int::{IntOp, mask};
use cute_machine::types::{Scalar, Type};
use cute_ptx::{ConversionRounding, Operation, Role, ScalarType, WholeNumber};
use cute_sim::program::{Cast, Piece, ScalarOp, Slot, Unary};
use cute_sim::{Error, Malformed};

impl Assembler {
    /// `cvt` with an integer on one side or on both.
    pub(crate) fn conversion_of_integer(&mut self, call: &Call) -> Result<(), Error> {
        let (to, from) = (named(call, "to")?, named(call, "from")?);
        let (dst, mut a) = (call.slot(Role::RESULT)?, call.slot(Role::A)?);
        let widths = [bits_of_register(call, Role::RESULT)?, bits_of_register(call, Role::A)?];
        if !call.is_text && widths != [to.bits(), from.bits()] {
            return Err(unfit(call));
        }
        let mode = call.keyword().map_or(Rounding::NearestEven, rounding_of);
        // A register may be wider than the type of the number.
        if floats(from).is_none() && bits_of_register(call, Role::A)? > from.bits() {
            a = self.cast_of(call, Cast::Truncate { width: from.bits() }, a)?;
        }
        let cast = match (floats(from), floats(to)) {
            (None, None) => {
                if call.has("sat") {
                    a = self.clamped(call, a, from, to)?;
                }
                match to.bits() > from.bits() && from.is_signed() {
                    true => Cast::SignExtend { from: from.bits(), to: to.bits() },
                    false => Cast::Truncate { width: to.bits() },
                }
            }
            (None, Some((_, to))) if from.is_signed() => {
                Cast::SignedToFloat { from: from.bits(), to, rounding: mode }
            }
            (None, Some((_, to))) => Cast::UnsignedToFloat { to, rounding: mode },
            (Some((_, scalar)), _) => {
                a = self.whole(call, scalar, a)?;
                if to.is_signed() {
                    Cast::FloatToSigned { from: scalar, to: to.bits() }
                } else {
                    Cast::FloatToUnsigned { from: scalar, to: to.bits() }
                }
            }
        };
        self.emit(&call.at, ScalarOp::Cast { cast, at: Unary { dst, a, lanes: 1 } });
        match floats(to) {
            Some((lanes, scalar)) if call.has("sat") => {
                self.pass(call, Packing { lanes, scalar }, [dst, dst], (false, true))
            }
            Some(_) => Ok(()),
            None => self.extended(call, Role::RESULT, to),
        }
    }

    /// `cvt` to a whole number of the same type, with a modifier that names the direction.
    pub(crate) fn whole_number(&mut self, call: &Call) -> Result<(), Error> {
        let packing @ Packing { scalar, .. } = Packing::of(named(call, "to")?);
        let whole = self.whole(call, scalar, call.slot(Role::A)?)?;
        let registers = [call.slot(Role::RESULT)?, whole];
        self.pass(call, packing, registers, (false, call.has("sat")))
    }

    /// The whole number in the direction that the instruction names.
    fn whole(&mut self, call: &Call, ty: Scalar, mut a: Slot) -> Result<Slot, Error> {
        if call.has("ftz") && ty == Scalar::F32 {
            a = self.flushed(call, Packing { lanes: 1, scalar: ty }, a)?;
        }
        let op = match call.needed()? {
            WholeNumber::Nearest => FloatUnary::RoundEven,
            WholeNumber::TowardZero => FloatUnary::Trunc,
            WholeNumber::Up => FloatUnary::Ceil,
            WholeNumber::Down => FloatUnary::Floor,
        };
        let at = Unary { dst: self.temporary(&call.at)?, a, lanes: 1 };
        self.emit(&call.at, ScalarOp::FloatUnary { op, ty, at });
        Ok(at.dst)
    }

    fn cast_of(&mut self, call: &Call, cast: Cast, a: Slot) -> Result<Slot, Error> {
        let at = Unary { dst: self.temporary(&call.at)?, a, lanes: 1 };
        self.emit(&call.at, ScalarOp::Cast { cast, at });
        Ok(at.dst)
    }

    /// The nearest integer that a type has.
    fn clamped(&mut self, call: &Call, a: Slot, from: ScalarType, to: ScalarType) -> Result<Slot, Error> {
        let (width, mut a) = (from.bits(), a);
        let most = if to.is_signed() { mask(to.bits()) >> 1 } else { mask(to.bits()) };
        let mut limit = |assembler: &mut Self, op, bits: u64| {
            let bits = assembler.number(&call.at, bits & mask(width))?;
            a = assembler.int_of(&call.at, op, width, [a, bits])?;
            Ok::<(), Error>(())
        };
        if from.is_signed() {
            if !to.is_signed() {
                limit(self, IntOp::MaxS, 0)?;
            } else if to.bits() < width {
                limit(self, IntOp::MaxS, !most)?;
            }
            if most < mask(width) >> 1 {
                limit(self, IntOp::MinS, most)?;
            }
        } else if most < mask(width) {
            limit(self, IntOp::MinU, most)?;
        }
        Ok(a)
    }

    /// Extends a signed number to the register that holds it, which may be wider.
    pub(super) fn extended(&mut self, call: &Call, role: Role, ty: ScalarType) -> Result<(), Error> {
        for held in call.all(role) {
            let bits = register_bits(held);
            if ty.is_signed() && bits > ty.bits() {
                let cast = Cast::SignExtend { from: ty.bits(), to: bits };
                self.emit(
                    &call.at,
                    ScalarOp::Cast { cast, at: Unary { dst: held.slot, a: held.slot, lanes: 1 } },
                );
            }
        }
        Ok(())
    }

    /// `cvt` between floats, of one number or of several that are packed.
    pub(crate) fn conversion_of_float(&mut self, call: &Call) -> Result<(), Error> {
        let (to, from) = (named(call, "to")?, named(call, "from")?);
        let ((count, of_to), (of_each, of_from)) = (elements(call, to)?, elements(call, from)?);
        let mode = call.keyword().unwrap_or(ConversionRounding::NearestEven);
        let rounding = match mode {
            ConversionRounding::NearestAway => Rounding::NearestAway,
            ConversionRounding::TowardZero => Rounding::TowardZero,
            ConversionRounding::Up => Rounding::Up,
            ConversionRounding::Down => Rounding::Down,
            ConversionRounding::NearestEven | ConversionRounding::Random => Rounding::NearestEven,
        };
        // PTX has no conversion to e4m3 and e5m2 that does not saturate.
        let saturates = call.has("satfinite") || matches!(of_to, Element::E4m3 | Element::E5m2);
        let overflow = if saturates { Overflow::Saturate } else { Overflow::Ieee };
        let conversion = Conversion { from: of_from, to: of_to, rounding, overflow, relu: call.has("relu") };
        let mut sources: Vec<Held> = match call.maybe(Role::A) {
            Some(a) => [Some(a), call.maybe(Role::B)].into_iter().flatten().cloned().collect(),
            None => call.all(Role::VALUES).cloned().collect(),
        };
        if call.is_text && sources.len() as u32 * of_each != count {
            let found = sources.len();
            return Err(malformed(
                &call.at,
                Malformed::OperandCount,
                format!("{found} operands for a conversion of {count} numbers"),
            ));
        }
        let bits = packed_bits(of_from) * of_each;
        if call.has("ftz") && from == ScalarType::F32 {
            for source in &mut sources {
                source.slot = self.flushed(call, Packing::of(from), source.slot)?;
            }
        }
        // The first of several numbers is the upper one, also in a vector of f32.
        let result = call.held(Role::RESULT)?;
        let (mut src, dst) = if call.is_text {
            let src: Box<[Piece]> = sources.iter().map(|held| Piece { slot: held.slot, bits }).collect();
            (src, Box::from([Piece { slot: result.slot, bits: packed_bits(of_to) * count }]))
        } else {
            (pieces(&sources), pieces(std::slice::from_ref(result)))
        };
        if of_each == 1 {
            src.reverse();
        }
        let width = |pieces: &[Piece]| pieces.iter().map(|piece| piece.bits).sum::<u32>();
        let is_whole = src.iter().all(|piece| piece.bits.is_multiple_of(packed_bits(of_from)));
        if !is_whole || width(&src) < count * packed_bits(of_from) || width(&dst) < count * packed_bits(of_to)
        {
            return Err(unfit(call));
        }
        let random = if mode == ConversionRounding::Random { Some(call.slot(Role::C)?) } else { None };
        self.emit(&call.at, ScalarOp::Convert { conversion, count, random, src, dst });
        let modifiers = (call.has("ftz") && to == ScalarType::F32, call.has("sat"));
        if modifiers != (false, false) {
            self.pass(call, Packing::of(to), [result.slot; 2], modifiers)?;
        }
        Ok(())
    }

    /// `cvt.pack`: A and B, clamped, and above them the bits of C.
    pub(crate) fn integers_packed(&mut self, call: &Call) -> Result<(), Error> {
        let (bits, signed) = match () {
            () if call.has("u16") => (16, false),
            () if call.has("s16") => (16, true),
            () if call.has("u8") => (8, false),
            () if call.has("s8") => (8, true),
            () if call.has("u4") => (4, false),
            () if call.has("s4") => (4, true),
            () if call.has("u2") => (2, false),
            () => (2, true),
        };
        let (least, most) = if signed { (!(mask(bits) >> 1), mask(bits) >> 1) } else { (0, mask(bits)) };
        let (least, most) = (self.number(&call.at, least & mask(32))?, self.number(&call.at, most)?);
        let (low, shift) = (self.number(&call.at, mask(bits))?, self.number(&call.at, bits.into())?);
        let mut word = call.maybe_slot(Role::C);
        for role in [Role::A, Role::B] {
            let part = self.int_of(&call.at, IntOp::MaxS, 32, [call.slot(role)?, least])?;
            let part = self.int_of(&call.at, IntOp::MinS, 32, [part, most])?;
            let part = self.int_of(&call.at, IntOp::And, 32, [part, low])?;
            word = Some(match word {
                Some(above) => {
                    let above = self.int_of(&call.at, IntOp::ShlClamped, 32, [above, shift])?;
                    self.int_of(&call.at, IntOp::Or, 32, [above, part])?
                }
                None => part,
            });
        }
        if let Some(word) = word {
            self.copy_of(&call.at, call.slot(Role::RESULT)?, word);
        }
        Ok(())
    }

    /// The conversion that an operation is.
    pub(crate) fn conversion(&mut self, call: &Call) -> Result<(), Error> {
        match call.instruction.row.operation {
            Operation::ToWhole => self.whole_number(call),
            Operation::ConvertFloat => self.conversion_of_float(call),
            Operation::PackIntegers => self.integers_packed(call),
            _ => self.conversion_of_integer(call),
        }
    }
}

/// The error for registers that do not hold what is converted.
fn unfit(call: &Call) -> Error {
    malformed(&call.at, Malformed::OperandType, "operands and result do not fit the conversion")
}

/// The type that a form calls so.
fn named(call: &Call, label: &str) -> Result<ScalarType, Error> {
    let ty = call.instruction.named::<ScalarType>(label);
    ty.ok_or_else(|| malformed(&call.at, Malformed::Modifier, format!("no type {label}")))
}

/// The bits of a register.
fn register_bits(held: &Held) -> u32 {
    match held.ty {
        Type::Scalar(scalar) => scalar.bits(),
        _ => 64,
    }
}

fn bits_of_register(call: &Call, role: Role) -> Result<u32, Error> {
    Ok(register_bits(call.held(role)?))
}

/// The numbers of a type of floats.
pub(super) fn elements(call: &Call, ty: ScalarType) -> Result<(u32, Element), Error> {
    use ScalarType as S;
    Ok(match ty {
        S::E4m3x2 => (2, Element::E4m3),
        S::E5m2x2 => (2, Element::E5m2),
        S::E2m3x2 => (2, Element::E2m3),
        S::E3m2x2 => (2, Element::E3m2),
        S::E2m1x2 => (2, Element::E2m1),
        S::Ue8m0x2 => (2, Element::Ue8m0),
        S::E4m3x4 => (4, Element::E4m3),
        S::E5m2x4 => (4, Element::E5m2),
        S::E2m3x4 => (4, Element::E2m3),
        S::E3m2x4 => (4, Element::E3m2),
        S::E2m1x4 => (4, Element::E2m1),
        S::Tf32 => (1, Element::Tf32),
        _ => {
            let (lanes, scalar) = floats(ty)
                .ok_or_else(|| malformed(&call.at, Malformed::OperandType, "a type that is not of floats"))?;
            (lanes, element(scalar))
        }
    })
}
