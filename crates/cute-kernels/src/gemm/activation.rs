//! The functions that are applied to the results.

use std::f64::consts::FRAC_1_SQRT_2;

use clap::ValueEnum;
use cute_ffi::ir::type_of;

use crate::code::{Code, Ssa, Written};

/// The function that is applied to the results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Activation {
    /// max(x, 0)
    Relu,
    /// x (1 + erf(x / sqrt(2))) / 2
    Gelu,
    /// x / (1 + exp(-x))
    Silu,
}

/// Elements that a long function is computed for at once. Without this limit, the intermediate
/// results of all elements of a thread would need registers.
const TOGETHER: i64 = 4;

impl Activation {
    /// Whether an element takes enough instructions for a loop to be better.
    pub(super) fn is_long(self) -> bool {
        self != Self::Relu
    }

    /// The function of a vector with this number of floats.
    pub(super) fn of<'c>(self, code: &Code<'c>, values: Ssa<'c>, count: i64) -> Written<Ssa<'c>> {
        match self {
            Self::Relu => code.binary(("relu", "arith.maxnumf"), values, all(code, values, 0.0)?),
            Self::Gelu => by_parts(code, (values, count), gelu),
            Self::Silu => silu(code, values),
        }
    }
}

/// A number in each element of a vector like `values`.
fn all<'c>(code: &Code<'c>, values: Ssa<'c>, number: f64) -> Written<Ssa<'c>> {
    let t = type_of(values);
    let value = code.attribute(&format!("dense<{number:?}> : {t}"))?;
    code.typed(("number", "arith.constant"), &[], t, &[("value", value)])
}

fn gelu<'c>(code: &Code<'c>, values: Ssa<'c>) -> Written<Ssa<'c>> {
    let x = code.binary(("x", "arith.mulf"), values, all(code, values, FRAC_1_SQRT_2)?)?;
    let erf = code.op(("erf", "math.erf"), &[x], &[])?;
    let factor = code.binary(("factor", "arith.addf"), erf, all(code, values, 1.0)?)?;
    let half = code.binary(("half", "arith.mulf"), values, all(code, values, 0.5)?)?;
    code.binary(("gelu", "arith.mulf"), half, factor)
}

fn silu<'c>(code: &Code<'c>, values: Ssa<'c>) -> Written<Ssa<'c>> {
    let power = code.op(("negative", "arith.negf"), &[values], &[])?;
    let fast = [("fastmath", code.attribute("#arith.fastmath<fast>")?)];
    let power = code.op(("power", "math.exp"), &[power], &fast)?;
    let below = code.binary(("below", "arith.addf"), power, all(code, values, 1.0)?)?;
    code.op(("silu", "arith.divf"), &[values, below], &fast)
}

/// A function of a vector of f32, [`TOGETHER`] elements at a time.
fn by_parts<'c>(
    code: &Code<'c>,
    (values, count): (Ssa<'c>, i64),
    function: impl Fn(&Code<'c>, Ssa<'c>) -> Written<Ssa<'c>>,
) -> Written<Ssa<'c>> {
    let whole = type_of(values);
    let t = code.parse_type(&format!("vector<{TOGETHER}xf32>"))?;
    let list = |n: i64| code.attribute(&format!("[{n}]"));
    let mut made = values;
    for first in (0..count).step_by(TOGETHER as usize) {
        let place = [("offsets", list(first)?), ("strides", list(1)?)];
        let taken = [&place[..], &[("sizes", list(TOGETHER)?)]].concat();
        let part = code.typed(("part", "vector.extract_strided_slice"), &[values], t, &taken)?;
        let part = function(code, part)?;
        made = code.typed(("made", "vector.insert_strided_slice"), &[part, made], whole, &place)?;
    }
    Ok(made)
}
