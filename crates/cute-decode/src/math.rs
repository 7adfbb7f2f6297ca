//! Functions of CUDA's libdevice, by their names.

use super::{Decoder, malformed};
use cute_machine::float::{FloatOp, FloatUnary};
use cute_machine::format::Rounding;
use cute_machine::types::Scalar;
use cute_sim::program::{Binary, Cast, ScalarOp, Unary};
use cute_sim::{Error, Malformed};
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

/// The functions of libdevice.
enum Function {
    Unary(FloatUnary),
    Binary(FloatOp),
    /// A float to the power of an integer.
    Power,
}

/// The function of libdevice, and whether it computes in f64 or in f32.
fn libdevice(name: &str) -> Option<(Function, Scalar)> {
    use Function::{Binary, Power, Unary};
    let base = name.strip_prefix("__nv_")?;
    let function = |base| {
        Some(match base {
            "acos" => Unary(FloatUnary::Acos),
            "acosh" => Unary(FloatUnary::Acosh),
            "asin" => Unary(FloatUnary::Asin),
            "asinh" => Unary(FloatUnary::Asinh),
            "atan" => Unary(FloatUnary::Atan),
            "atanh" => Unary(FloatUnary::Atanh),
            "cbrt" => Unary(FloatUnary::Cbrt),
            "cos" => Unary(FloatUnary::Cos),
            "cosh" => Unary(FloatUnary::Cosh),
            "erf" => Unary(FloatUnary::Erf),
            "erfc" => Unary(FloatUnary::Erfc),
            "exp" => Unary(FloatUnary::Exp),
            "exp2" => Unary(FloatUnary::Exp2),
            "expm1" => Unary(FloatUnary::ExpM1),
            "log" => Unary(FloatUnary::Log),
            "log10" => Unary(FloatUnary::Log10),
            "log1p" => Unary(FloatUnary::Log1p),
            "log2" => Unary(FloatUnary::Log2),
            "sin" => Unary(FloatUnary::Sin),
            "sinh" => Unary(FloatUnary::Sinh),
            "tan" => Unary(FloatUnary::Tan),
            "tanh" => Unary(FloatUnary::Tanh),
            "atan2" => Binary(FloatOp::Atan2),
            "fmod" => Binary(FloatOp::Rem),
            "pow" => Binary(FloatOp::Power),
            "powi" => Power,
            _ => return None,
        })
    };
    match function(base) {
        Some(double) => Some((double, Scalar::F64)),
        None => Some((function(base.strip_suffix('f')?)?, Scalar::F32)),
    }
}

impl Decoder<'_> {
    /// A call of a function of libdevice: computed in f64 and rounded once.
    pub(super) fn call_libdevice(&mut self, name: &str, op: Ir<'_, '_>) -> Result<bool, Error> {
        let Some((function, ty)) = libdevice(name) else { return Ok(false) };
        let count = if let Function::Unary(_) = function { 1 } else { 2 };
        if op.operand_count() != count {
            return Err(malformed(
                op,
                Malformed::OperandCount,
                format!("{} operands for {count}", op.operand_count()),
            ));
        }
        let (a, of) = self.scalar_operand(op, 0)?;
        let dst = self.result(op)?.slot;
        if of != ty {
            return Err(malformed(op, Malformed::OperandType, "an operand that does not fit the function"));
        }
        match function {
            Function::Unary(kind) => {
                self.emit(op, ScalarOp::FloatUnary { op: kind, ty, at: Unary { dst, a, lanes: 1 } });
            }
            Function::Binary(kind) => {
                let (b, _) = self.scalar_operand(op, 1)?;
                self.emit(op, ScalarOp::Float { op: kind, ty, at: Binary { dst, a, b, lanes: 1 } });
            }
            Function::Power => {
                let (n, _) = self.scalar_operand(op, 1)?;
                let cast = Cast::SignedToFloat { from: 32, to: ty, rounding: Rounding::NearestEven };
                self.emit(op, ScalarOp::Cast { cast, at: Unary { dst, a: n, lanes: 1 } });
                self.emit(
                    op,
                    ScalarOp::Float { op: FloatOp::Power, ty, at: Binary { dst, a, b: dst, lanes: 1 } },
                );
            }
        }
        Ok(true)
    }
}
