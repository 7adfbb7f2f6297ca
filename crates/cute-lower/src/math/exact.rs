//! Ops of the `math` dialect that LLVM has intrinsics for which NVPTX selects, and those that need
//! only a comparison or two.
//!
//! All are as exact as IEEE 754 requires, except `exp2` of f32: it is `ex2.approx`, like CUDA's
//! `exp2f` without fast math, and off by at most 2 units in the last place.

use cute_build::predicate::{self, FloatPredicate};
use cute_ffi::{
    ir::{self, op_name},
    lowered::{Fastmath, MachineType, element_of, machine_type},
};
use melior::ir::{Attribute, Type, Value, operation::OperationRef, r#type::IntegerType};

use super::value;
use crate::{Builder, Built, values::result};

/// An op, the equivalent op or intrinsic, and the attribute of its integer form. MLIR's conversion
/// of GPU code rejects some ops of intrinsics, but accepts intrinsics by name.
const INTRINSICS: [(&str, &str, Option<&str>); 17] = [
    ("math.fma", "llvm.intr.fma", None),
    ("math.sqrt", "llvm.sqrt", None),
    ("math.rsqrt", "llvm.sqrt", None),
    ("math.exp2", "llvm.exp2", None),
    ("math.absf", "llvm.fabs", None),
    ("math.copysign", "llvm.copysign", None),
    ("math.floor", "llvm.floor", None),
    ("math.ceil", "llvm.ceil", None),
    ("math.trunc", "llvm.intr.trunc", None),
    ("math.round", "llvm.round", None),
    ("math.roundeven", "llvm.roundeven", None),
    ("math.absi", "llvm.intr.abs", Some("is_int_min_poison")),
    ("math.ctlz", "llvm.intr.ctlz", Some("is_zero_poison")),
    ("math.cttz", "llvm.intr.cttz", Some("is_zero_poison")),
    ("math.ctpop", "llvm.intr.ctpop", None),
    ("arith.maxnumf", "llvm.maxnum", None),
    ("arith.minnumf", "llvm.minnum", None),
];

/// The op's value; `None` if there is no intrinsic.
pub fn lower<'c>(op: OperationRef<'c, 'c>) -> Built<Option<Value<'c, 'c>>> {
    let b = Builder::before(op);
    let name = op_name(op);
    let x = ir::operands(op);
    let t = ir::type_of(result(op));
    let element = machine_type(element_of(ir::type_of(x[0])));
    match name {
        "math.isnan" => return compare(&b, FloatPredicate::Uno, x[0], x[0]).map(Some),
        "math.isinf" | "math.isfinite" => {
            let magnitude = b.intrinsic("llvm.fabs", &x, ir::type_of(x[0]), &[])?;
            let infinity = value::constant(&b, ir::type_of(x[0]), f64::INFINITY)?;
            let predicate = if name == "math.isinf" { FloatPredicate::Oeq } else { FloatPredicate::One };
            return compare(&b, predicate, magnitude, infinity).map(Some);
        }
        "math.clampf" => {
            let above = b.typed("arith.maximumf", &x[..2], t, &value::flags(op))?;
            return b.typed("arith.minimumf", &[above, x[2]], t, &value::flags(op)).map(Some);
        }
        _ => {}
    }
    let Some((_, intrinsic, poison)) = INTRINSICS.iter().find(|(math, ..)| *math == name) else {
        return Ok(None);
    };
    if matches!(element, Some(MachineType::Index)) {
        return b.refuse(&format!("{t} is not supported, only integers of fixed width"));
    }
    match (name, element) {
        ("math.exp2", Some(MachineType::F64)) => Ok(None),
        // PTX's own `ex2` of f16 and bf16 is approximate. CUDA computes it through f32, and so does
        // this code.
        ("math.exp2", Some(MachineType::F16 | MachineType::Bf16)) => {
            let wide = value::to_single(&b, &x)?;
            let made = b.intrinsic(intrinsic, &wide, ir::type_of(wide[0]), &attributes(op, *poison)?)?;
            b.typed("arith.truncf", &[made], t, &[]).map(Some)
        }
        _ => intrinsics(op, intrinsic, *poison, t).map(Some),
    }
}

fn compare<'c>(
    b: &Builder<'c>,
    predicate: FloatPredicate,
    x: Value<'c, 'c>,
    y: Value<'c, 'c>,
) -> Built<Value<'c, 'c>> {
    let c = b.context();
    let t = value::with_element(ir::type_of(x), IntegerType::new(c, 1).into());
    b.typed("arith.cmpf", &[x, y], t, &[predicate::attribute(c, predicate.number())])
}

/// The attributes of the intrinsic: the same flags, and its treatment of poison.
fn attributes<'c>(
    op: OperationRef<'c, 'c>,
    poison: Option<&'static str>,
) -> Built<Vec<(&'static str, Attribute<'c>)>> {
    let b = Builder::before(op);
    let mut attributes = Vec::new();
    if let Some(flags) = Fastmath::of(op) {
        attributes.push(("fastmathFlags", flags.attribute(b.context())));
    }
    if let Some(poison) = poison {
        attributes.push((poison, b.attribute("false")?));
    }
    Ok(attributes)
}

fn intrinsics<'c>(
    op: OperationRef<'c, 'c>,
    intrinsic: &str,
    poison: Option<&'static str>,
    t: Type<'c>,
) -> Built<Value<'c, 'c>> {
    let b = Builder::before(op);
    let attributes = attributes(op, poison)?;
    let value = match intrinsic.starts_with("llvm.intr.") {
        true => b.typed(intrinsic, &ir::operands(op), t, &attributes)?,
        false => b.intrinsic(intrinsic, &ir::operands(op), t, &attributes)?,
    };
    if op_name(op) != "math.rsqrt" {
        return Ok(value);
    }
    let one = value::constant(&b, t, 1.0)?;
    b.typed("llvm.fdiv", &[one, value], t, &attributes)
}
