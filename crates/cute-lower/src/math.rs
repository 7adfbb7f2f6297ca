//! `cute-lower-math`: what PTX has of the `math` dialect, as intrinsics that LLVM selects. MLIR's own conversion of GPU code calls
//! CUDA's libdevice instead, which is not linked.

use cute_dialect::boundary::ir::{self, op_name, replace_uses, walk};
use melior::ir::{
    Attribute, Type,
    attribute::FloatAttribute,
    operation::{OperationLike, OperationRef},
};

use crate::build::{Build, Built, Failed};

/// An op, the op or else the intrinsic that does the same, and the attribute that its integer form has. MLIR's conversion of GPU
/// code refuses some ops of intrinsics; what goes by name it leaves alone.
const INTRINSICS: [(&str, &str, Option<&str>); 15] = [
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
];

/// What says the same with ops that there are.
const INSTEAD: [(&str, &str); 4] = [
    ("math.exp", "; exp(x) is math.exp2(x * log2(e))"),
    ("math.powf", "; x^n of a known integer n is multiplications"),
    ("math.exp2", "; of f64 PTX has none"),
    ("arith.remf", "; x mod y is x - y * math.trunc(x / y)"),
];

/// Runs the pass.
pub fn run<'c>(root: OperationRef<'c, 'c>) -> Built<()> {
    for op in walk(root) {
        let name = op_name(op);
        if !name.starts_with("math.") && name != "arith.remf" {
            continue;
        }
        let result = ir::result(op, 0).ok_or(Failed)?;
        let t = ir::type_of(result);
        let text = t.to_string();
        let known = INTRINSICS.iter().find(|(math, ..)| *math == name);
        let known = known.filter(|_| name != "math.exp2" || !text.contains("f64"));
        let Some((_, intrinsic, poison)) = known else {
            let instead = INSTEAD.iter().find(|(math, _)| *math == name).map_or("", |(_, instead)| instead);
            return Build::before(op)
                .refuse(&format!("not supported: it needs CUDA's libdevice, which is not linked{instead}"));
        };
        // LLVM has vectors of one dimension.
        if text.starts_with("vector<") && text.matches('x').count() > 1 || text.contains("index") {
            return Build::before(op)
                .refuse(&format!("{t} is not supported, only scalars and vectors of rank 1"));
        }
        lower(op, intrinsic, *poison, t).map(|value| replace_uses(result, value))?;
        ir::erase(op);
    }
    Ok(())
}

fn lower<'c>(
    op: OperationRef<'c, 'c>,
    intrinsic: &str,
    poison: Option<&str>,
    t: Type<'c>,
) -> Built<melior::ir::Value<'c, 'c>> {
    let b = Build::before(op);
    let c = b.context();
    let attribute = |text: &str| Attribute::parse(c, text).ok_or(Failed);
    let mut attributes = Vec::new();
    if let Ok(flags) = op.attribute("fastmath") {
        // The same words in both dialects.
        attributes.push(("fastmathFlags", attribute(&flags.to_string().replace("#arith", "#llvm"))?));
    }
    if let Some(poison) = poison {
        attributes.push((poison, attribute("false")?));
    }
    let value = match intrinsic.starts_with("llvm.intr.") {
        true => b.typed(intrinsic, &ir::operands(op), t, &attributes)?,
        false => b.intrinsic(intrinsic, &ir::operands(op), t, &attributes)?,
    };
    if op_name(op) != "math.rsqrt" {
        return Ok(value);
    }
    let one = match t.to_string() {
        vector if vector.starts_with("vector<") => attribute(&format!("dense<1.0> : {vector}"))?,
        _ => FloatAttribute::new(c, t, 1.0).into(),
    };
    let one = b.typed("llvm.mlir.constant", &[], t, &[("value", one)])?;
    b.typed("llvm.fdiv", &[one, value], t, &attributes)
}
