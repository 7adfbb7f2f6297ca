//! Decodes ops that compute one value from others.

use cute_ffi::ir;
use cute_machine::{
    float::{self, FloatOp},
    int::mask,
    predicate::{FloatPredicate, IntPredicate},
};
use melior::ir::{
    Attribute,
    attribute::{DenseElementsAttribute, DenseI32ArrayAttribute, FloatAttribute, TypeAttribute},
    operation::OperationLike,
};

use super::{Decoded, Decoder, Op, fail, integer};
use crate::arithmetic::{float_op, int_op, no_wrap};
use cute_host::{
    arithmetic::{BinaryOp, Compare, Convert, UnaryOp},
    program::{Expr, Id},
    types::Type,
};

/// In `rawConstantIndices`: the index is an operand.
const DYNAMIC: i32 = i32::MIN;

impl Decoder {
    /// The expression for the result of an op; `None` for an op that is not allowed in a host
    /// function.
    pub(super) fn expression(&mut self, name: &str, op: Op<'_, '_>) -> Decoded<Option<Expr>> {
        let operand = |i: usize| match ir::operands(op).get(i) {
            Some(value) => self.value(op, *value),
            None => Err(fail(op, "has too few operands")),
        };
        if let Some(binary) = binary(name, op) {
            return Ok(Some(Expr::Binary(binary, operand(0)?, operand(1)?)));
        }
        if let Some(convert) = convert(name) {
            return Ok(Some(Expr::Convert(convert, operand(0)?)));
        }
        Ok(Some(match name {
            "arith.constant" | "llvm.mlir.constant" => Expr::Constant(self.constant(op)?),
            "llvm.mlir.zero" => Expr::Constant(0),
            "ub.poison" | "llvm.mlir.poison" | "llvm.mlir.undef" => Expr::Undefined,
            "arith.select" | "llvm.select" => Expr::Select(operand(0)?, operand(1)?, operand(2)?),
            "arith.negf" => Expr::Unary(UnaryOp::Negate, operand(0)?),
            "llvm.intr.ctlz" | "math.ctlz" => Expr::Unary(UnaryOp::LeadingZeros, operand(0)?),
            "arith.cmpi" | "arith.cmpf" => {
                let Some(compare) = comparison(name, op) else {
                    return Err(fail(op, "has a predicate that is not supported in a host function"));
                };
                Expr::Compare(compare, operand(0)?, operand(1)?)
            }
            "arith.bitcast" | "llvm.bitcast" | "llvm.addrspacecast" => Expr::Same(operand(0)?),
            "arith.index_cast" | "arith.index_castui" => {
                self.resized(op, operand(0)?, name == "arith.index_cast")
            }
            "llvm.inttoptr" | "llvm.ptrtoint" => self.resized(op, operand(0)?, false),
            "llvm.getelementptr" => self.element(op, operand(0)?)?,
            _ => return Ok(None),
        }))
    }

    /// An integer with the number of bits of the result.
    fn resized(&self, op: Op<'_, '_>, from: Id, keeps_sign: bool) -> Expr {
        let to = ir::result(op, 0).and_then(|result| self.type_of(op, result).ok()).map_or(64, Type::bits);
        match self.program.types[from].bits() {
            bits if bits == to => Expr::Same(from),
            bits if bits > to => Expr::Convert(Convert::Truncate, from),
            _ if keeps_sign => Expr::Convert(Convert::SignExtend, from),
            _ => Expr::Convert(Convert::ZeroExtend, from),
        }
    }

    /// The bits of a constant.
    fn constant(&self, op: Op<'_, '_>) -> Decoded<u64> {
        let t = match ir::result(op, 0) {
            Some(result) => self.type_of(op, result)?,
            None => return Err(fail(op, "has no result")),
        };
        let value = op.attribute("value").ok();
        if let Type::Zeros(_) = t {
            let is_zero = value.is_some_and(is_zero);
            return is_zero.then_some(0).ok_or_else(|| {
                fail(op, "has a vector that is not 0, which is not supported in a host function")
            });
        }
        let number = value.and_then(integer).map(|n| n as u64 & mask(t.bits()));
        let float = || FloatAttribute::try_from(value?).ok().map(|f| float::encode(t.scalar(), f.value()));
        number.or_else(float).ok_or_else(|| fail(op, "has a value that is not a number of at most 64 bits"))
    }

    /// An address with one index, which counts elements.
    fn element(&mut self, op: Op<'_, '_>, base: Id) -> Decoded<Expr> {
        let element = op.attribute("elem_type").ok().and_then(|t| TypeAttribute::try_from(t).ok());
        let bits = element.and_then(|t| super::machine(t.value())).map(Type::bits);
        let constants = op.attribute("rawConstantIndices").ok();
        let constants = constants.and_then(|a| DenseI32ArrayAttribute::try_from(a).ok());
        let index = constants.filter(|a| a.len() == 1).and_then(|a| a.element(0).ok());
        let (Some(bits), Some(index)) = (bits, index) else {
            return Err(fail(op, "has an element or indices that are not supported in a host function"));
        };
        let bytes = u64::from(bits.div_ceil(8));
        if index != DYNAMIC {
            return Ok(Expr::Offset { base, bytes: (i64::from(index) as u64).wrapping_mul(bytes) });
        }
        match ir::operands(op).get(1) {
            Some(index) => Ok(Expr::Element { base, index: self.value(op, *index)?, bytes }),
            None => Err(fail(op, "has too few operands")),
        }
    }
}

/// An operation of the `arith` dialect on two values. Of floats, only those that C has as operators
/// are supported.
fn binary(name: &str, op: Op<'_, '_>) -> Option<BinaryOp> {
    if !name.starts_with("arith.") {
        return None;
    }
    if let Some(int) = int_op(name) {
        return Some(BinaryOp::Int(int, no_wrap(int, op)));
    }
    let is_of_c = |op: &FloatOp| matches!(op, FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div);
    float_op(name).filter(is_of_c).map(BinaryOp::Float)
}

fn convert(name: &str) -> Option<Convert> {
    Some(match name {
        "arith.extsi" => Convert::SignExtend,
        "arith.extui" => Convert::ZeroExtend,
        "arith.trunci" => Convert::Truncate,
        "arith.sitofp" => Convert::SignedToFloat,
        "arith.uitofp" => Convert::UnsignedToFloat,
        "arith.extf" | "arith.truncf" => Convert::Float,
        _ => return None,
    })
}

/// A comparison. Of floats, only those that are false or true of NaN as in C are supported.
fn comparison(name: &str, op: Op<'_, '_>) -> Option<Compare> {
    use FloatPredicate as F;
    let number = op.attribute("predicate").ok().and_then(integer)?;
    if name == "arith.cmpi" {
        return IntPredicate::from_number(number).map(Compare::Int);
    }
    let predicate = F::from_number(number)?;
    let is_of_c = matches!(predicate, F::Oeq | F::Ogt | F::Oge | F::Olt | F::Ole | F::Une);
    is_of_c.then_some(Compare::Float(predicate))
}

/// Whether a constant is a vector of words that are all 0.
fn is_zero(value: Attribute<'_>) -> bool {
    let Ok(vector) = DenseElementsAttribute::try_from(value) else { return false };
    vector.is_splat() && vector.i32_element(0) == Ok(0)
}
