//! Integer and float arithmetic, comparisons, selections and conversions, of `llvm` and `arith`
//! alike.

use super::{Decoder, malformed, unmodelled};
use crate::ir;
use cute_assembler::Held;
use cute_ffi::lowered::Fastmath;
use cute_machine::format::Rounding;
use cute_machine::rounded::{Function, Rounded};
use cute_machine::types::{Scalar, Type};
use cute_machine::{
    float::{FloatOp, FloatUnary},
    predicate::FloatPredicate,
};
use cute_machine::{
    int::{IntOp, IntTernary, IntUnary, NoWrap},
    predicate::IntPredicate,
};
use cute_sim::program::{Binary, Cast, Move, ScalarOp, Ternary, Unary};
use cute_sim::{Error, Malformed, Unmodelled};
use melior::ir::operation::OperationRef;

type Ir<'c, 'a> = OperationRef<'c, 'a>;

/// An operation on two integers.
pub(crate) fn int_op(name: &str) -> Option<IntOp> {
    Some(match name {
        "llvm.add" | "arith.addi" => IntOp::Add,
        "llvm.sub" | "arith.subi" => IntOp::Sub,
        "llvm.mul" | "arith.muli" => IntOp::Mul,
        "llvm.sdiv" | "arith.divsi" => IntOp::DivS,
        "llvm.udiv" | "arith.divui" => IntOp::DivU,
        "arith.ceildivsi" => IntOp::CeilDivS,
        "arith.ceildivui" => IntOp::CeilDivU,
        "arith.floordivsi" => IntOp::FloorDivS,
        "llvm.srem" | "arith.remsi" => IntOp::RemS,
        "llvm.urem" | "arith.remui" => IntOp::RemU,
        "llvm.and" | "arith.andi" => IntOp::And,
        "llvm.or" | "arith.ori" => IntOp::Or,
        "llvm.xor" | "arith.xori" => IntOp::Xor,
        "llvm.shl" | "arith.shli" => IntOp::Shl,
        "llvm.ashr" | "arith.shrsi" => IntOp::ShrS,
        "llvm.lshr" | "arith.shrui" => IntOp::ShrU,
        "llvm.intr.sadd.sat" => IntOp::AddSatS,
        "llvm.intr.uadd.sat" => IntOp::AddSatU,
        "llvm.intr.ssub.sat" => IntOp::SubSatS,
        "llvm.intr.usub.sat" => IntOp::SubSatU,
        "llvm.intr.smin" | "arith.minsi" => IntOp::MinS,
        "llvm.intr.smax" | "arith.maxsi" => IntOp::MaxS,
        "llvm.intr.umin" | "arith.minui" => IntOp::MinU,
        "llvm.intr.umax" | "arith.maxui" => IntOp::MaxU,
        _ => return None,
    })
}

/// `llvm.intr.sadd.with.overflow` and its like: the operation, and whether it is signed.
fn overflowing(name: &str) -> Option<(IntOp, bool)> {
    let name = name.strip_prefix("llvm.intr.")?.strip_suffix(".with.overflow")?;
    let op = match name.get(1..)? {
        "add" => IntOp::Add,
        "sub" => IntOp::Sub,
        "mul" => IntOp::Mul,
        _ => return None,
    };
    Some((op, name.starts_with('s')))
}

fn int_unary(name: &str) -> Option<IntUnary> {
    Some(match name {
        "llvm.intr.abs" => IntUnary::Abs,
        "llvm.intr.ctpop" => IntUnary::Popcount,
        "llvm.intr.ctlz" => IntUnary::LeadingZeros,
        "llvm.intr.cttz" => IntUnary::TrailingZeros,
        "llvm.intr.bitreverse" => IntUnary::ReverseBits,
        "llvm.intr.bswap" => IntUnary::SwapBytes,
        _ => return None,
    })
}

/// An operation on two floats.
pub(crate) fn float_op(name: &str) -> Option<FloatOp> {
    Some(match name {
        "llvm.fadd" | "arith.addf" => FloatOp::Add,
        "llvm.fsub" | "arith.subf" => FloatOp::Sub,
        "llvm.fmul" | "arith.mulf" => FloatOp::Mul,
        "llvm.fdiv" | "arith.divf" => FloatOp::Div,
        "llvm.frem" | "arith.remf" => FloatOp::Rem,
        "llvm.intr.minnum" | "arith.minnumf" => FloatOp::MinNum,
        "llvm.intr.maxnum" | "arith.maxnumf" => FloatOp::MaxNum,
        "llvm.intr.minimum" | "arith.minimumf" => FloatOp::Minimum,
        "llvm.intr.maximum" | "arith.maximumf" => FloatOp::Maximum,
        "llvm.intr.minimumnum" => FloatOp::MinNum,
        "llvm.intr.maximumnum" => FloatOp::MaxNum,
        "llvm.intr.copysign" | "math.copysign" => FloatOp::CopySign,
        "llvm.intr.pow" | "math.powf" => FloatOp::Power,
        "llvm.intr.atan2" | "math.atan2" => FloatOp::Atan2,
        _ => return None,
    })
}

fn float_unary(name: &str) -> Option<FloatUnary> {
    Some(match name {
        "llvm.fneg" | "arith.negf" => FloatUnary::Neg,
        "llvm.intr.fabs" => FloatUnary::Abs,
        "llvm.intr.sqrt" => FloatUnary::Sqrt,
        "llvm.intr.exp" => FloatUnary::Exp,
        "llvm.intr.exp2" => FloatUnary::Exp2,
        "llvm.intr.exp10" => FloatUnary::Exp10,
        "llvm.intr.log10" => FloatUnary::Log10,
        "llvm.intr.tanh" => FloatUnary::Tanh,
        "llvm.intr.round" => FloatUnary::RoundAway,
        "llvm.intr.log" => FloatUnary::Log,
        "llvm.intr.log2" => FloatUnary::Log2,
        "llvm.intr.sin" => FloatUnary::Sin,
        "llvm.intr.cos" => FloatUnary::Cos,
        "llvm.intr.tan" => FloatUnary::Tan,
        "llvm.intr.asin" => FloatUnary::Asin,
        "llvm.intr.acos" => FloatUnary::Acos,
        "llvm.intr.atan" => FloatUnary::Atan,
        "llvm.intr.sinh" => FloatUnary::Sinh,
        "llvm.intr.cosh" => FloatUnary::Cosh,
        "llvm.intr.floor" => FloatUnary::Floor,
        "llvm.intr.ceil" => FloatUnary::Ceil,
        "llvm.intr.rint" | "llvm.intr.nearbyint" | "llvm.intr.roundeven" => FloatUnary::RoundEven,
        "llvm.intr.trunc" => FloatUnary::Trunc,
        _ => return None,
    })
}

/// The promises that an op makes about its result. `nsw` and `nuw` are 1 and 2 in
/// `#arith.overflow` and in its counterpart of the llvm dialect.
pub(crate) fn no_wrap(kind: IntOp, op: Ir<'_, '_>) -> NoWrap {
    let flagged = matches!(kind, IntOp::Add | IntOp::Sub | IntOp::Mul | IntOp::Shl);
    let flags = if flagged { ir::overflow_flags(op) } else { 0 };
    NoWrap { signed: flags & 1 != 0, unsigned: flags & 2 != 0 }
}

impl Decoder<'_> {
    pub(super) fn arithmetic(&mut self, name: &str, op: Ir<'_, '_>) -> Result<bool, Error> {
        if let Some(kind) = int_op(name) {
            let no_wrap = no_wrap(kind, op);
            let (at, scalar) = self.binary(op)?;
            let width = int_width(op, scalar)?;
            self.emit(op, ScalarOp::Int { op: kind, width, no_wrap, at });
        } else if let Some((kind, signed)) = overflowing(name) {
            self.overflowing(op, kind, signed)?;
        } else if let Some(kind) = int_unary(name) {
            let (at, scalar) = self.unary(op)?;
            let width = int_width(op, scalar)?;
            self.emit(op, ScalarOp::IntUnary { op: kind, width, at });
        } else if let Some(kind) = float_op(name) {
            let (at, ty) = self.binary(op)?;
            let ty = float_type(op, ty)?;
            let approximate = || Fastmath::of(op).is_some_and(|flags| flags.has(Fastmath::APPROXIMATE));
            if (kind, ty) == (FloatOp::Div, Scalar::F32) && approximate() {
                self.approximate_quotients(op, at);
            } else {
                self.emit(op, ScalarOp::Float { op: kind, ty, at });
            }
        } else if let Some(kind) = float_unary(name) {
            let (at, ty) = self.unary(op)?;
            let ty = float_type(op, ty)?;
            // The instruction that LLVM selects for a device.
            let instruction = match kind {
                FloatUnary::Exp2 => Some("ex2"),
                FloatUnary::Log2 => Some("lg2"),
                FloatUnary::Sin => Some("sin"),
                FloatUnary::Cos => Some("cos"),
                FloatUnary::Tanh => Some("tanh"),
                _ => None,
            };
            if let Some(instruction) = instruction {
                self.approximate.insert(format!("{instruction}.approx.{}", ty.ptx()));
            }
            self.emit(op, ScalarOp::FloatUnary { op: kind, ty, at });
        } else if let Some(kind) = name.strip_prefix("llvm.intr.vector.reduce.") {
            return self.reduction(op, kind);
        } else {
            match name {
                "llvm.icmp" | "arith.cmpi" => self.int_compare(op)?,
                "llvm.fcmp" | "arith.cmpf" => self.float_compare(op)?,
                "llvm.intr.fma" | "llvm.intr.fmuladd" | "math.fma" => self.fma(op)?,
                "llvm.intr.fshl" => self.funnel(op, IntTernary::FunnelLeft { wraps: true })?,
                "llvm.intr.fshr" => self.funnel(op, IntTernary::FunnelRight { wraps: true })?,
                "llvm.select" | "arith.select" => self.select(op)?,
                _ => return self.conversion(name, op),
            }
        }
        Ok(true)
    }

    /// The instructions that LLVM selects for divisions that may be approximate: `rcp.approx.f32`
    /// if the dividend is the constant 1, and otherwise `div.approx.f32`.
    fn approximate_quotients(&mut self, op: Ir<'_, '_>, Binary { dst, a, b, lanes }: Binary) {
        for lane in 0..lanes {
            let (dst, a, b) = (dst + lane, a + lane, b + lane);
            let is_one = self.known.get(&a) == Some(&1f32.to_bits().into());
            let (name, function, a) = match is_one {
                true => ("rcp.approx.f32", Function::Rcp, b),
                false => ("div.approx.f32", Function::DivApprox, a),
            };
            self.approximate.insert(name.to_owned());
            let at = Ternary { dst, a, b, c: b, lanes: 1 };
            self.emit(op, ScalarOp::Rounded { instruction: Rounded::plain(function, Scalar::F32), at });
        }
    }

    /// The operand of a lane-by-lane operation: its registers, lanes and scalar type.
    fn lanes(&self, op: Ir<'_, '_>, index: usize) -> Result<(u32, u32, Scalar), Error> {
        let Held { slot, ty } = self.operand(op, index)?;
        let (lanes, scalar) =
            ty.lanes().ok_or_else(|| unmodelled(op, Unmodelled::Type, format!("type {ty:?}")))?;
        Ok((slot, lanes, scalar))
    }

    /// Registers for the result, after checking that it has as many lanes as the operands.
    fn lane_result(&mut self, op: Ir<'_, '_>, lanes: u32) -> Result<(u32, Scalar), Error> {
        let Held { slot, ty } = self.result(op)?;
        match ty.lanes() {
            Some((n, scalar)) if n == lanes => Ok((slot, scalar)),
            _ => Err(malformed(op, Malformed::OperandType, "the result has other lanes than the operands")),
        }
    }

    fn unary(&mut self, op: Ir<'_, '_>) -> Result<(Unary, Scalar), Error> {
        let (a, lanes, scalar) = self.lanes(op, 0)?;
        let (dst, _) = self.lane_result(op, lanes)?;
        Ok((Unary { dst, a, lanes }, scalar))
    }

    fn binary(&mut self, op: Ir<'_, '_>) -> Result<(Binary, Scalar), Error> {
        let (a, lanes, scalar) = self.lanes(op, 0)?;
        let (b, lanes_b, scalar_b) = self.lanes(op, 1)?;
        if (lanes, scalar) != (lanes_b, scalar_b) {
            return Err(malformed(op, Malformed::OperandType, "operands of different types"));
        }
        let (dst, _) = self.lane_result(op, lanes)?;
        Ok((Binary { dst, a, b, lanes }, scalar))
    }

    /// `llvm.intr.fshl` and `fshr`: shifts of two words of 32 bits, of which the first is the upper
    /// one.
    fn funnel(&mut self, op: Ir<'_, '_>, kind: IntTernary) -> Result<(), Error> {
        let (b, lanes, scalar) = self.lanes(op, 0)?;
        let width = int_width(op, scalar)?;
        if width != 32 {
            return Err(unmodelled(
                op,
                Unmodelled::Instruction,
                format!("the shift of two numbers of {width} bits"),
            ));
        }
        let ((a, ..), (c, ..)) = (self.lanes(op, 1)?, self.lanes(op, 2)?);
        let (dst, _) = self.lane_result(op, lanes)?;
        self.emit(op, ScalarOp::IntTernary { op: kind, width, at: Ternary { dst, a, b, c, lanes } });
        Ok(())
    }

    /// `llvm.intr.vector.reduce.*`: combines the elements in order, after the start value that sums
    /// and products of floats have.
    fn reduction(&mut self, op: Ir<'_, '_>, kind: &str) -> Result<bool, Error> {
        let int = match kind {
            "add" => Some(IntOp::Add),
            "mul" => Some(IntOp::Mul),
            "and" => Some(IntOp::And),
            "or" => Some(IntOp::Or),
            "xor" => Some(IntOp::Xor),
            "smax" => Some(IntOp::MaxS),
            "smin" => Some(IntOp::MinS),
            "umax" => Some(IntOp::MaxU),
            "umin" => Some(IntOp::MinU),
            _ => None,
        };
        let float = match kind {
            "fadd" => Some(FloatOp::Add),
            "fmul" => Some(FloatOp::Mul),
            "fmax" => Some(FloatOp::MaxNum),
            "fmin" => Some(FloatOp::MinNum),
            "fmaximum" => Some(FloatOp::Maximum),
            "fminimum" => Some(FloatOp::Minimum),
            _ => None,
        };
        if int.is_none() && float.is_none() {
            return Ok(false);
        }
        let has_start = matches!(kind, "fadd" | "fmul");
        let (vector, lanes, scalar) = self.lanes(op, usize::from(has_start))?;
        let mut elements: Vec<u32> = (vector..vector + lanes).collect();
        if has_start {
            elements.insert(0, self.scalar_operand(op, 0)?.0);
        }
        let Some((&first, rest)) = elements.split_first() else {
            return Err(malformed(op, Malformed::OperandType, "a vector without elements"));
        };
        let mut sum = first;
        for (i, element) in rest.iter().enumerate() {
            let is_last = i + 1 == rest.len();
            let dst = if is_last { self.result(op)?.slot } else { self.allocate(op, &Type::Scalar(scalar))? };
            let at = Binary { dst, a: sum, b: *element, lanes: 1 };
            if let Some(kind) = int {
                self.emit(
                    op,
                    ScalarOp::Int { op: kind, width: int_width(op, scalar)?, no_wrap: NoWrap::default(), at },
                );
            } else if let Some(kind) = float {
                self.emit(op, ScalarOp::Float { op: kind, ty: float_type(op, scalar)?, at });
            }
            sum = dst;
        }
        if rest.is_empty() {
            self.alias(op, first)?;
        }
        Ok(true)
    }

    fn overflowing(&mut self, op: Ir<'_, '_>, kind: IntOp, signed: bool) -> Result<(), Error> {
        let (a, lanes, scalar) = self.lanes(op, 0)?;
        let (b, ..) = self.lanes(op, 1)?;
        let width = int_width(op, scalar)?;
        let Held { slot: dst, ty } = self.result(op)?;
        if ty.slots() != 2 * u64::from(lanes) {
            return Err(malformed(op, Malformed::OperandType, "the result is not a value and a flag"));
        }
        self.emit(op, ScalarOp::Overflowing { op: kind, width, signed, at: Binary { dst, a, b, lanes } });
        Ok(())
    }

    fn int_compare(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let predicate = ir::int_attr(op, "predicate").and_then(IntPredicate::from_number);
        let predicate = predicate.ok_or_else(|| malformed(op, Malformed::Attribute, "no predicate"))?;
        let (at, scalar) = self.binary(op)?;
        let width = if let Scalar::Ptr(_) = scalar { 64 } else { int_width(op, scalar)? };
        self.emit(op, ScalarOp::IntCompare { predicate, width, at });
        Ok(())
    }

    fn float_compare(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let predicate = ir::int_attr(op, "predicate").and_then(FloatPredicate::from_number);
        let predicate = predicate.ok_or_else(|| malformed(op, Malformed::Attribute, "no predicate"))?;
        let (at, ty) = self.binary(op)?;
        let ty = float_type(op, ty)?;
        self.emit(op, ScalarOp::FloatCompare { predicate, ty, at });
        Ok(())
    }

    fn fma(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let (a, lanes, ty) = self.lanes(op, 0)?;
        let (b, lanes_b, ty_b) = self.lanes(op, 1)?;
        let (c, lanes_c, ty_c) = self.lanes(op, 2)?;
        if (lanes, ty) != (lanes_b, ty_b) || (lanes, ty) != (lanes_c, ty_c) {
            return Err(malformed(op, Malformed::OperandType, "operands of different types"));
        }
        let ty = float_type(op, ty)?;
        let (dst, _) = self.lane_result(op, lanes)?;
        self.emit(op, ScalarOp::Fma { ty, at: Ternary { dst, a, b, c, lanes } });
        Ok(())
    }

    fn select(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let (condition, then, otherwise) = (self.operand(op, 0)?, self.operand(op, 1)?, self.operand(op, 2)?);
        let per_lane = condition.ty != Type::Scalar(Scalar::Int(1));
        let lanes = then.ty.slots() as u32;
        if then.ty != otherwise.ty || (per_lane && condition.ty != Type::Vector(lanes, Scalar::Int(1))) {
            return Err(malformed(op, Malformed::OperandType, "operands do not fit each other"));
        }
        let dst = self.result(op)?.slot;
        let at = Ternary { dst, a: condition.slot, b: then.slot, c: otherwise.slot, lanes };
        self.emit(op, ScalarOp::Select { at, per_lane });
        Ok(())
    }

    fn conversion(&mut self, name: &str, op: Ir<'_, '_>) -> Result<bool, Error> {
        const NAMES: [&str; 26] = [
            "llvm.sext",
            "arith.extsi",
            "llvm.zext",
            "arith.extui",
            "llvm.trunc",
            "arith.trunci",
            "arith.index_cast",
            "arith.index_castui",
            "llvm.fpext",
            "arith.extf",
            "llvm.fptrunc",
            "arith.truncf",
            "llvm.sitofp",
            "arith.sitofp",
            "llvm.uitofp",
            "arith.uitofp",
            "llvm.fptosi",
            "arith.fptosi",
            "llvm.fptoui",
            "arith.fptoui",
            "llvm.inttoptr",
            "llvm.ptrtoint",
            "llvm.addrspacecast",
            "llvm.bitcast",
            "arith.bitcast",
            "llvm.freeze",
        ];
        if !NAMES.contains(&name) {
            return Ok(false);
        }
        let operand = self.operand(op, 0)?;
        if name == "llvm.freeze" {
            let (dst, len) = (self.result(op)?.slot, operand.ty.slots() as u32);
            self.emit(op, ScalarOp::Freeze(Move { dst, src: operand.slot, len }));
            return Ok(true);
        }
        let result = self.result_type(op)?;
        let (Some((n, from)), Some((m, to))) = (operand.ty.lanes(), result.lanes()) else {
            return Err(unmodelled(
                op,
                Unmodelled::Instruction,
                format!("a conversion of {:?} to {result:?}", operand.ty),
            ));
        };
        if name.ends_with(".bitcast") {
            return self.bitcast(op, operand.slot, (n, from), (m, to)).map(|()| true);
        }
        if n != m {
            return Err(malformed(op, Malformed::OperandType, "the result has other lanes than the operand"));
        }
        let cast = match (name.split_once('.').map_or(name, |(_, n)| n), from, to) {
            ("addrspacecast", Scalar::Ptr(from), Scalar::Ptr(to)) => Some(Cast::AddressSpace { from, to }),
            ("inttoptr", Scalar::Int(_), Scalar::Ptr(_)) => None,
            ("ptrtoint", Scalar::Ptr(_), Scalar::Int(64)) => None,
            ("ptrtoint", Scalar::Ptr(_), Scalar::Int(width)) => Some(Cast::Truncate { width }),
            ("sext" | "extsi" | "index_cast", Scalar::Int(from), Scalar::Int(to)) if from < to => {
                Some(Cast::SignExtend { from, to })
            }
            ("zext" | "extui" | "index_castui" | "index_cast", Scalar::Int(a), Scalar::Int(b)) if a <= b => {
                None
            }
            ("trunc" | "trunci" | "index_castui" | "index_cast", Scalar::Int(a), Scalar::Int(width))
                if a > width =>
            {
                Some(Cast::Truncate { width })
            }
            ("fpext" | "fptrunc" | "extf" | "truncf", from, to) if from.is_float() && to.is_float() => {
                Some(Cast::Float { from, to })
            }
            ("sitofp", Scalar::Int(from), to) if to.is_float() => {
                Some(Cast::SignedToFloat { from, to, rounding: Rounding::NearestEven })
            }
            ("uitofp", Scalar::Int(_), to) if to.is_float() => {
                Some(Cast::UnsignedToFloat { to, rounding: Rounding::NearestEven })
            }
            ("fptosi", from, Scalar::Int(to)) if from.is_float() => Some(Cast::FloatToSigned { from, to }),
            ("fptoui", from, Scalar::Int(to)) if from.is_float() => Some(Cast::FloatToUnsigned { from, to }),
            _ => {
                return Err(unmodelled(
                    op,
                    Unmodelled::Instruction,
                    format!("a conversion of {from:?} to {to:?}"),
                ));
            }
        };
        match cast {
            None => self.alias(op, operand.slot)?,
            Some(cast) => {
                let dst = self.result(op)?.slot;
                self.emit(op, ScalarOp::Cast { cast, at: Unary { dst, a: operand.slot, lanes: n } });
            }
        }
        Ok(true)
    }

    fn bitcast(
        &mut self,
        op: Ir<'_, '_>,
        src: u32,
        from: (u32, Scalar),
        to: (u32, Scalar),
    ) -> Result<(), Error> {
        let (a, b) = (from.1.bits(), to.1.bits());
        if u64::from(from.0) * u64::from(a) != u64::from(to.0) * u64::from(b) {
            return Err(malformed(op, Malformed::OperandType, "the result has other bits than the operand"));
        }
        if a == b {
            return self.alias(op, src);
        }
        if a.max(b) % a.min(b) != 0 {
            return Err(unmodelled(
                op,
                Unmodelled::Instruction,
                format!("a bitcast of lanes of {a} to {b} bits"),
            ));
        }
        let dst = self.result(op)?.slot;
        self.emit(op, ScalarOp::Regroup { dst, src, from: a, to: b, lanes: to.0 });
        Ok(())
    }
}

fn int_width(op: Ir<'_, '_>, scalar: Scalar) -> Result<u32, Error> {
    match scalar {
        Scalar::Int(width) => Ok(width),
        other => Err(malformed(op, Malformed::OperandType, format!("integer arithmetic on {other:?}"))),
    }
}

fn float_type(op: Ir<'_, '_>, scalar: Scalar) -> Result<Scalar, Error> {
    if scalar.is_float() {
        Ok(scalar)
    } else {
        Err(malformed(op, Malformed::OperandType, format!("float arithmetic on {scalar:?}")))
    }
}
