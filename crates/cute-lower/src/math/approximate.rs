//! PTX's approximate instructions, for ops that allow them.
//!
//! | op | becomes |
//! |---|---|
//! | `exp2`, `exp` | `ex2(x)`, `ex2(x * log2(e))` |
//! | `log2`, `log`, `log10` | `lg2(x)`, `lg2(x) * ln(2)`, `lg2(x) * log10(2)` |
//! | `tanh`, `sin`, `cos`, `sqrt`, `rsqrt` | the instruction of that name |
//! | `tan` | `sin(x) * rcp(cos(x))` |
//! | `powf` | `ex2(y * lg2(x))` |
//! | `1 / x`, `x / y` | `rcp(x)`, `div(x, y)` |
//!
//! The instructions are those of f32. f16 and bf16 are extended and rounded back, except for
//! `exp2`, which has its own instructions. f64 has no approximate instructions here.

use std::f64::consts::{LN_2, LOG2_E, LOG10_2};

use cute_arch::Target;
use cute_ffi::{
    ir::{self, op_name},
    lowered::{Fastmath, MachineType, element_of, float_constant, machine_type, vector_parts},
};
use melior::ir::{
    Attribute, Type, Value,
    operation::{OperationLike, OperationRef},
};

use super::value::{by_element, constant, to_single};
use crate::{Builder, Built, values::result};

/// Ops that have approximate instructions.
pub const NAMES: [&str; 13] = [
    "arith.divf",
    "math.cos",
    "math.exp",
    "math.exp2",
    "math.log",
    "math.log10",
    "math.log2",
    "math.powf",
    "math.rsqrt",
    "math.sin",
    "math.sqrt",
    "math.tan",
    "math.tanh",
];

/// The approximations that an op allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Accuracy {
    /// Nothing approximate.
    Exact,
    /// `fastmath<afn>`: approximate instructions that keep subnormals.
    Approximate,
    /// `fastmath<fast>`: instructions that flush subnormal operands and results to zero, as CUDA's
    /// `--use_fast_math` does.
    Flushed,
}

impl Accuracy {
    /// The approximations that an op's flags allow, or that the option allows for all ops.
    pub fn of(op: OperationRef<'_, '_>, fast_math: bool) -> Self {
        match Fastmath::of(op) {
            flags if fast_math || flags.is_some_and(|flags| flags.has(Fastmath::FAST)) => Self::Flushed,
            Some(flags) if flags.has(Fastmath::APPROXIMATE) => Self::Approximate,
            _ => Self::Exact,
        }
    }
}

/// Lowers the op to approximate instructions; `None` if it does not allow them or there are none.
pub fn lower<'c>(
    op: OperationRef<'c, 'c>,
    accuracy: Accuracy,
    target: Target,
) -> Built<Option<Value<'c, 'c>>> {
    let name = op_name(op);
    let t = ir::type_of(result(op));
    let element = machine_type(element_of(t));
    let has_instruction = matches!(element, Some(MachineType::F16 | MachineType::Bf16 | MachineType::F32));
    if accuracy == Accuracy::Exact || !NAMES.contains(&name) || !has_instruction {
        return Ok(None);
    }
    let a = Approximate { b: Builder::before(op), flushes: accuracy == Accuracy::Flushed };
    let operands = ir::operands(op);
    if name == "math.exp2"
        && let Some(flushes) = own_ex2(element, a.flushes, target)
    {
        return Approximate { flushes, ..a }.halves_ex2(operands[0]).map(Some);
    }
    let wide = to_single(&a.b, &operands)?;
    let x = wide[0];
    let value = match name {
        "math.exp2" => a.ex2(x)?,
        "math.exp" => a.ex2(a.scaled(x, LOG2_E)?)?,
        "math.log2" => a.unary("lg2", x)?,
        "math.log" => a.scaled(a.unary("lg2", x)?, LN_2)?,
        "math.log10" => a.scaled(a.unary("lg2", x)?, LOG10_2)?,
        "math.tanh" => a.tanh(x)?,
        "math.sin" => a.unary("sin", x)?,
        "math.cos" => a.unary("cos", x)?,
        "math.tan" => {
            let (sin, cos) = (a.unary("sin", x)?, a.unary("cos", x)?);
            a.multiply(sin, a.reciprocal(cos)?)?
        }
        "math.sqrt" => a.unary("sqrt", x)?,
        "math.rsqrt" => a.unary("rsqrt", x)?,
        "math.powf" => a.ex2(a.multiply(wide[1], a.unary("lg2", x)?)?)?,
        _ if is_one(operands[0]) => a.reciprocal(wide[1])?,
        _ => a.divide(&wide)?,
    };
    if ir::type_of(value) == t {
        return Ok(Some(value));
    }
    a.b.typed("arith.truncf", &[value], t, &[]).map(Some)
}

/// Whether `ex2` of the type exists, and whether it flushes subnormals: that of bf16 does, that of
/// f16 does not.
fn own_ex2(element: Option<MachineType<'_>>, flushes: bool, target: Target) -> Option<bool> {
    match element {
        Some(MachineType::F16) => Some(false),
        Some(MachineType::Bf16) => (flushes && target.compute_capability() >= (9, 0)).then_some(true),
        _ => None,
    }
}

/// Whether a value is the constant 1.
fn is_one(value: Value<'_, '_>) -> bool {
    let constant = ir::definer(value).and_then(|op| op.attribute("value").ok());
    constant.and_then(float_constant) == Some(1.0)
}

/// Builds the instructions.
#[derive(Clone, Copy)]
struct Approximate<'c> {
    b: Builder<'c>,
    flushes: bool,
}

impl<'c> Approximate<'c> {
    /// The instruction for each element.
    fn instruction(&self, name: &str, operands: &[Value<'c, 'c>], group: usize) -> Built<Value<'c, 'c>> {
        by_element(&self.b, operands, group, |x| self.b.intrinsic(name, x, ir::type_of(x[0]), &[]))
    }

    fn flush(&self) -> &'static str {
        if self.flushes { ".ftz" } else { "" }
    }

    fn unary(&self, name: &str, x: Value<'c, 'c>) -> Built<Value<'c, 'c>> {
        self.instruction(&format!("llvm.nvvm.{name}.approx{}.f", self.flush()), &[x], 1)
    }

    fn ex2(&self, x: Value<'c, 'c>) -> Built<Value<'c, 'c>> {
        self.instruction(&format!("llvm.nvvm.ex2.approx{}", self.flush()), &[x], 1)
    }

    /// `ex2` of f16 or bf16, two at a time where they are even in number.
    fn halves_ex2(&self, x: Value<'c, 'c>) -> Built<Value<'c, 'c>> {
        let count: i64 = vector_parts(ir::type_of(x)).map_or(1, |(extents, _)| extents.iter().product());
        let group = if count % 2 == 0 { 2 } else { 1 };
        self.instruction(&format!("llvm.nvvm.ex2.approx{}", self.flush()), &[x], group)
    }

    /// The instruction has no intrinsic: LLVM selects it for an approximate `tanh`. It has no form
    /// that flushes.
    fn tanh(&self, x: Value<'c, 'c>) -> Built<Value<'c, 'c>> {
        let flags = [("fastmathFlags", self.flags())];
        by_element(&self.b, &[x], 1, |x| self.b.intrinsic("llvm.tanh", x, ir::type_of(x[0]), &flags))
    }

    fn flags(&self) -> Attribute<'c> {
        Fastmath::APPROXIMATE.attribute(self.b.context())
    }

    fn reciprocal(&self, x: Value<'c, 'c>) -> Built<Value<'c, 'c>> {
        if self.flushes {
            return self.unary("rcp", x);
        }
        // The form that keeps subnormals has no intrinsic: LLVM selects it for an approximate
        // division of 1.
        let single: Type<'c> = Type::float32(self.b.context());
        let flags = [("fastmathFlags", self.flags())];
        by_element(&self.b, &[x], 1, |x| {
            let one = constant(&self.b, single, 1.0)?;
            self.b.typed("llvm.fdiv", &[one, x[0]], single, &flags)
        })
    }

    /// `div.full` is correct for all divisors; `div.approx`, which CUDA uses with
    /// `--use_fast_math`, gives 0 for divisors above 2^126.
    fn divide(&self, operands: &[Value<'c, 'c>]) -> Built<Value<'c, 'c>> {
        let name = if self.flushes { "llvm.nvvm.div.approx.ftz.f" } else { "llvm.nvvm.div.full" };
        self.instruction(name, operands, 1)
    }

    fn multiply(&self, x: Value<'c, 'c>, y: Value<'c, 'c>) -> Built<Value<'c, 'c>> {
        self.b.typed("arith.mulf", &[x, y], ir::type_of(x), &[])
    }

    fn scaled(&self, x: Value<'c, 'c>, factor: f64) -> Built<Value<'c, 'c>> {
        self.multiply(x, constant(&self.b, ir::type_of(x), factor)?)
    }
}
