//! The functions that are applied to the results.

use std::f64::consts::FRAC_1_SQRT_2;

use clap::ValueEnum;
use cute_ffi::ir::type_of;
use melior::ir::Type;

use crate::{Builder, Built, Value};

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
    pub(super) fn of<'c>(self, code: &Builder<'c>, values: Value<'c>, count: i64) -> Built<Value<'c>> {
        match self {
            Self::Relu => code.named("relu").max(values, all(code, values, 0.0)?),
            Self::Gelu => by_parts(code, (values, count), gelu),
            Self::Silu => silu(code, values),
        }
    }
}

/// A number in each element of a vector like `values`.
fn all<'c>(code: &Builder<'c>, values: Value<'c>, number: f64) -> Built<Value<'c>> {
    code.named("number").float(type_of(values), number)
}

fn gelu<'c>(code: &Builder<'c>, values: Value<'c>) -> Built<Value<'c>> {
    let x = code.named("x").mul(values, all(code, values, FRAC_1_SQRT_2)?)?;
    let erf = code.named("erf").inferred("math.erf", &[x], &[])?;
    let operand = code.named("factor").add(erf, all(code, values, 1.0)?)?;
    let half = code.named("half").mul(values, all(code, values, 0.5)?)?;
    code.named("gelu").mul(half, operand)
}

fn silu<'c>(code: &Builder<'c>, values: Value<'c>) -> Built<Value<'c>> {
    let power = code.named("negative").inferred("arith.negf", &[values], &[])?;
    let fast = [("fastmath", code.attribute("#arith.fastmath<fast>")?)];
    let power = code.named("power").inferred("math.exp", &[power], &fast)?;
    let below = code.named("below").add(power, all(code, values, 1.0)?)?;
    code.named("silu").inferred("arith.divf", &[values, below], &fast)
}

/// A function of a vector of f32, [`TOGETHER`] elements at a time.
fn by_parts<'c>(
    code: &Builder<'c>,
    (values, count): (Value<'c>, i64),
    function: impl Fn(&Builder<'c>, Value<'c>) -> Built<Value<'c>>,
) -> Built<Value<'c>> {
    let whole = type_of(values);
    let t = Type::vector(&[TOGETHER as u64], Type::float32(code.context()));
    let list = |n: i64| code.attribute(&format!("[{n}]"));
    let mut made = values;
    for first in (0..count).step_by(TOGETHER as usize) {
        let place = [("offsets", list(first)?), ("strides", list(1)?)];
        let taken = [&place[..], &[("sizes", list(TOGETHER)?)]].concat();
        let part = code.named("part").typed("vector.extract_strided_slice", &[values], t, &taken)?;
        let part = function(code, part)?;
        made = code.named("made").typed("vector.insert_strided_slice", &[part, made], whole, &place)?;
    }
    Ok(made)
}
