//! Comparisons, tests and selections.

use super::packed::Packing;
use crate::call::Call;
use crate::{Assembler, malformed};
use cute_machine::float::FloatUnary;
use cute_machine::int::{IntOp, mask};
use cute_machine::predicate::{FloatPredicate, IntPredicate};
use cute_machine::types::Scalar;
use cute_ptx::{Combination, Compare, FloatClass, FloatCompare, Role, ScalarType};
use cute_sim::program::{Binary, ScalarOp, Slot, Ternary, Unary};
use cute_sim::{Error, Malformed};

impl Assembler {
    /// Whether A and B compare as the instruction says, for each number of a register.
    fn compared(&mut self, call: &Call, ty: ScalarType) -> Result<Vec<Slot>, Error> {
        let packing @ Packing { lanes, scalar } = Packing::of(ty);
        let (mut a, mut b) = (call.slot(Role::A)?, call.slot(Role::B)?);
        if lanes > 1 {
            (a, b) = (self.unpacked(call, a, (lanes, scalar))?, self.unpacked(call, b, (lanes, scalar))?);
        }
        if call.has("ftz") {
            for operand in [&mut a, &mut b] {
                *operand = self.flushed(call, packing, *operand)?;
            }
        }
        let dst = self.registers_of(call, lanes)?;
        let at = Binary { dst, a, b, lanes };
        let op = if scalar.is_float() {
            ScalarOp::FloatCompare { predicate: float_predicate(call.needed()?), ty: scalar, at }
        } else {
            let predicate = integer_predicate(call.needed()?, ty.is_signed());
            ScalarOp::IntCompare { predicate, width: scalar.bits(), at }
        };
        self.emit(&call.at, op);
        Ok((dst..dst + lanes).collect())
    }

    /// A predicate, combined with the condition if the instruction has one.
    fn combined(&mut self, call: &Call, predicate: Slot) -> Result<Slot, Error> {
        let Some(combination) = call.keyword() else { return Ok(predicate) };
        self.int_of(&call.at, combining(combination), 1, [predicate, call.slot(Role::CONDITION)?])
    }

    /// `setp`. The second result is for the opposite, or for the upper number of a pair.
    pub(crate) fn comparison(&mut self, call: &Call) -> Result<(), Error> {
        let truths = self.compared(call, call.needed()?)?;
        let mut results = vec![(call.maybe_slot(Role::RESULT), self.combined(call, truths[0])?)];
        if let Some(flag) = call.maybe_slot(Role::FLAG) {
            let other = match truths.get(1) {
                Some(upper) => *upper,
                None => {
                    let one = self.number(&call.at, 1)?;
                    self.int_of(&call.at, IntOp::Xor, 1, [truths[0], one])?
                }
            };
            results.push((Some(flag), self.combined(call, other)?));
        }
        for (dst, src) in results {
            if let Some(dst) = dst {
                self.copy_of(&call.at, dst, src);
            }
        }
        Ok(())
    }

    /// `set`: all bits, or the number 1 of a type of floats, if the comparison holds.
    pub(crate) fn comparison_to_number(&mut self, call: &Call) -> Result<(), Error> {
        let to = call
            .instruction
            .named::<ScalarType>("to")
            .ok_or_else(|| malformed(&call.at, Malformed::Modifier, "no type"))?;
        let Packing { scalar, .. } = Packing::of(to);
        let yes = match scalar {
            Scalar::Int(width) => mask(width),
            float => cute_machine::float::encode(float, 1.0),
        };
        let (yes, no) = (self.number(&call.at, yes)?, self.number(&call.at, 0)?);
        let truths = self.compared(call, call.needed()?)?;
        let lanes = truths.len() as u32;
        let numbers = self.registers_of(call, lanes)?;
        for (dst, truth) in (numbers..).zip(truths) {
            let a = self.combined(call, truth)?;
            let at = Ternary { dst, a, b: yes, c: no, lanes: 1 };
            self.emit(&call.at, ScalarOp::Select { at, per_lane: false });
        }
        let result = call.slot(Role::RESULT)?;
        if lanes > 1 {
            self.emit(&call.at, super::packed::packing(result, numbers, (lanes, scalar)));
        } else {
            self.copy_of(&call.at, result, numbers);
        }
        Ok(())
    }

    /// `selp`.
    pub(crate) fn selection(&mut self, call: &Call) -> Result<(), Error> {
        let condition = call.slot(Role::CONDITION)?;
        self.selected(call, condition)
    }

    /// A if the condition holds, and B otherwise.
    fn selected(&mut self, call: &Call, condition: Slot) -> Result<(), Error> {
        let (dst, b, c) = (call.slot(Role::RESULT)?, call.slot(Role::A)?, call.slot(Role::B)?);
        let at = Ternary { dst, a: condition, b, c, lanes: 1 };
        self.emit(&call.at, ScalarOp::Select { at, per_lane: false });
        Ok(())
    }

    /// `slct`: A if C is at least 0, which NaN is not.
    pub(crate) fn selection_by_sign(&mut self, call: &Call) -> Result<(), Error> {
        let by = call
            .instruction
            .named("by")
            .ok_or_else(|| malformed(&call.at, Malformed::Modifier, "no type of C"))?;
        let packing @ Packing { scalar, .. } = Packing::of(by);
        let (dst, mut a) = (self.temporary(&call.at)?, call.slot(Role::C)?);
        if call.has("ftz") {
            a = self.flushed(call, packing, a)?;
        }
        let at = Binary { dst, a, b: self.number(&call.at, 0)?, lanes: 1 };
        let op = if scalar.is_float() {
            ScalarOp::FloatCompare { predicate: FloatPredicate::Oge, ty: scalar, at }
        } else {
            ScalarOp::IntCompare { predicate: IntPredicate::Sge, width: scalar.bits(), at }
        };
        self.emit(&call.at, op);
        self.selected(call, dst)
    }

    /// `testp`: magnitudes compare as their bits do.
    pub(crate) fn test_of_float(&mut self, call: &Call) -> Result<(), Error> {
        let Packing { scalar: ty, .. } = Packing::of(call.needed()?);
        let (class, width) = (call.needed::<FloatClass>()?, ty.bits());
        let infinite = cute_machine::float::encode(ty, f64::INFINITY);
        let normal = if ty == Scalar::F64 { 1 << 52 } else { 1 << 23 };
        let magnitude = self.temporary(&call.at)?;
        let at = Unary { dst: magnitude, a: call.slot(Role::A)?, lanes: 1 };
        self.emit(&call.at, ScalarOp::FloatUnary { op: FloatUnary::Abs, ty, at });
        let mut is = |dst, predicate, bits| {
            let at = Binary { dst, a: magnitude, b: self.number(&call.at, bits)?, lanes: 1 };
            self.emit(&call.at, ScalarOp::IntCompare { predicate, width, at });
            Ok::<(), Error>(())
        };
        let result = call.slot(Role::RESULT)?;
        match class {
            FloatClass::Finite => is(result, IntPredicate::Ult, infinite),
            FloatClass::Infinite => is(result, IntPredicate::Eq, infinite),
            FloatClass::Number => is(result, IntPredicate::Ule, infinite),
            FloatClass::NotANumber => is(result, IntPredicate::Ugt, infinite),
            FloatClass::Normal | FloatClass::Subnormal => {
                // From 1 to the largest subnormal number: zero wraps to the end.
                let (one, less) = (self.number(&call.at, 1)?, self.temporary(&call.at)?);
                self.int(&call.at, IntOp::Sub, width, [less, magnitude, one]);
                let is_subnormal = self.temporary(&call.at)?;
                let limit = self.number(&call.at, normal - 1)?;
                let at = Binary { dst: is_subnormal, a: less, b: limit, lanes: 1 };
                self.emit(&call.at, ScalarOp::IntCompare { predicate: IntPredicate::Ult, width, at });
                if class == FloatClass::Subnormal {
                    self.copy_of(&call.at, result, is_subnormal);
                    return Ok(());
                }
                let (finite, limit) = (self.temporary(&call.at)?, self.number(&call.at, infinite)?);
                let at = Binary { dst: finite, a: magnitude, b: limit, lanes: 1 };
                self.emit(&call.at, ScalarOp::IntCompare { predicate: IntPredicate::Ult, width, at });
                let other = self.int_of(&call.at, IntOp::Xor, 1, [is_subnormal, one])?;
                self.int(&call.at, IntOp::And, 1, [result, finite, other]);
                Ok(())
            }
        }
    }
}

/// The operation on bits that combines two predicates.
pub(super) fn combining(combination: Combination) -> IntOp {
    match combination {
        Combination::And => IntOp::And,
        Combination::Or => IntOp::Or,
        Combination::Xor => IntOp::Xor,
    }
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
