//! Arithmetic that upstream spells otherwise.
//!
//! Published modules have `fmax` of two operands, the packed sums and products, and, after later
//! passes, `cvt.packfloat.f32` and `mul`. The other spellings are inferred.

use super::version::Version::{V4_3, V4_5};
use super::{Custom, Drift, Origin, one_of};
use crate::site::{Rewritten, Site};
use cute_ffi::ir::type_of;
use melior::ir::attribute::IntegerAttribute;
use melior::ir::operation::{OperationLike, OperationResult};
use melior::ir::{Type, Value};

pub(super) const ROWS: &[Drift] = &[
    Drift {
        name: "nvvm.fmax",
        origin: Origin::seen(V4_3),
        becomes: "arith.maxnumf or arith.maximumf",
        custom: Custom::Fixed { operands: "f32, f32", result: "f32" },
        rewrite: |op| extremum(op, "max"),
    },
    // Inferred, like `fmax`.
    Drift {
        name: "nvvm.fmin",
        origin: Origin::inferred(V4_5),
        becomes: "arith.minnumf or arith.minimumf",
        custom: Custom::Fixed { operands: "f32, f32", result: "f32" },
        rewrite: |op| extremum(op, "min"),
    },
    // Inferred.
    Drift {
        name: "nvvm.fabs",
        origin: Origin::inferred(V4_5),
        becomes: "math.absf",
        custom: Custom::Fixed { operands: "f32", result: "f32" },
        rewrite: |op| {
            unless_flushed(op)?;
            op.become_op("math.absf", &op.operands, &[])
        },
    },
    Drift {
        name: "nvvm.add.packed.f32x2",
        origin: Origin::seen(V4_3),
        becomes: "arith.addf",
        custom: Custom::Typed,
        rewrite: |op| packed(op, "add", "arith.addf"),
    },
    // Inferred, like the sum.
    Drift {
        name: "nvvm.sub.packed.f32x2",
        origin: Origin::inferred(V4_5),
        becomes: "arith.subf",
        custom: Custom::Typed,
        rewrite: |op| packed(op, "sub", "arith.subf"),
    },
    Drift {
        name: "nvvm.mul.packed.f32x2",
        origin: Origin::seen(V4_3),
        becomes: "arith.mulf",
        custom: Custom::Typed,
        rewrite: |op| packed(op, "mul", "arith.mulf"),
    },
    Drift {
        name: "nvvm.fma.packed.f32x2",
        origin: Origin::seen(V4_3),
        becomes: "math.fma",
        custom: Custom::Typed,
        rewrite: |op| packed(op, "fma", "math.fma"),
    },
    Drift {
        name: "nvvm.mul",
        origin: Origin::seen(V4_3),
        becomes: "arith.muli, arith.mulsi_extended or arith.mului_extended",
        custom: Custom::Typed,
        rewrite: product,
    },
    Drift {
        name: "nvvm.cvt.packfloat.f32",
        origin: Origin::seen(V4_3),
        becomes: "llvm.inline_asm",
        custom: Custom::Fixed { operands: "f32, f32, i32", result: "i32" },
        rewrite: pack_floats,
    },
];

/// The bits of an f32's sign.
const SIGN: &str = "-2147483648 : i32";

/// The less or the greater of two or three numbers. Without `nan`, PTX returns the other number
/// for a NaN. With `abs`, it compares magnitudes, and the result has the product's sign.
fn extremum(op: &Site<'_, '_>, kind: &str) -> Rewritten {
    let (nan, magnitudes) = (op.flag("nan"), op.flag("abs"));
    let (first, rest) = match &op.operands[..] {
        [first, rest @ ..] if rest.len() == 1 || (rest.len() == 2 && !magnitudes) => (first, rest),
        _ if magnitudes => return Err("has abs, and so needs 2 operands".into()),
        _ => return Err("needs 2 or 3 operands".into()),
    };
    let ty = type_of(*first);
    let of_two = |a, b| {
        if op.flag("ftz") {
            let flag = if nan { ".nan" } else { "" };
            let intrinsic = format!("\"llvm.nvvm.f{kind}.ftz{flag}.f\"");
            let segments = "array<i32: 2, 0>";
            let attributes = [
                ("intrin", intrinsic.as_str()),
                ("operandSegmentSizes", segments),
                ("op_bundle_sizes", "array<i32>"),
            ];
            return op.value("llvm.call_intrinsic", &[a, b], &attributes, ty);
        }
        let name = format!("arith.{kind}{}", if nan { "imumf" } else { "numf" });
        op.value(&name, &[a, b], &[], ty)
    };
    if !magnitudes {
        let mut result = *first;
        for other in rest {
            result = of_two(result, *other)?;
        }
        return op.become_value(result);
    }
    let word = op.parse_type("i32")?;
    let bits = |value| op.value("llvm.bitcast", &[value], &[], word);
    let size = |value| op.value("math.absf", &[value], &[], ty);
    let sign = op.value("arith.constant", &[], &[("value", SIGN)], word)?;
    let differing = op.value("arith.xori", &[bits(*first)?, bits(rest[0])?], &[], word)?;
    let sign = op.value("arith.andi", &[differing, sign], &[], word)?;
    let magnitude = bits(of_two(size(*first)?, size(rest[0])?)?)?;
    let signed = op.value("arith.ori", &[magnitude, sign], &[], word)?;
    op.become_value(op.value("llvm.bitcast", &[signed], &[], ty)?)
}

fn unless_flushed(op: &Site<'_, '_>) -> Result<(), String> {
    if op.flag("ftz") { Err("has ftz = true, which is not supported".into()) } else { Ok(()) }
}

/// Arithmetic on two f32 at once. With rounding to nearest it becomes plain arithmetic; with
/// another mode it becomes PTX's instruction.
fn packed(op: &Site<'_, '_>, instruction: &str, plain: &str) -> Rewritten {
    let rounding = ["rn", "none", "rz", "rm", "rp"];
    let rounding = rounding[one_of(op, "rnd", &rounding)?.unwrap_or(0)];
    let flush = op.flag("ftz");
    if matches!(rounding, "rn" | "none") && !flush {
        return op.become_op(plain, &op.operands, &[]);
    }
    let rounding = if rounding == "none" { "rn" } else { rounding };
    let (i64, pair) = (op.parse_type("i64")?, op.parse_type("vector<2xf32>")?);
    let bits = op.operands.iter().map(|v| op.value("llvm.bitcast", &[*v], &[], i64));
    let bits = bits.collect::<Result<Vec<_>, _>>()?;
    let registers: String = (1..=bits.len()).map(|i| format!(", ${i}")).collect();
    let flush = if flush { ".ftz" } else { "" };
    let text = format!("\"{instruction}.{rounding}{flush}.f32x2 $0{registers};\"");
    let constraints = format!("\"=l{}\"", ",l".repeat(bits.len()));
    let attributes = [("asm_string", text.as_str()), ("constraints", constraints.as_str())];
    let sum = op.value("llvm.inline_asm", &bits, &attributes, i64)?;
    op.become_value(op.value("llvm.bitcast", &[sum], &[], pair)?)
}

/// The low or the high half of a product, or all of it.
fn product(op: &Site<'_, '_>) -> Rewritten {
    let modes = ["lo", "hi", "wide"];
    let mode = match one_of(op, "mode", &modes)? {
        Some(mode) => mode,
        // A keyword of its own, as modules after later passes have it.
        None => modes.iter().position(|mode| op.attribute(mode).is_some()).ok_or("has no mode")?,
    };
    let [a, b] = op.operands[..] else { return Err("needs 2 operands".into()) };
    let signed = op.flag("is_signed");
    let ty = type_of(a);
    match modes[mode] {
        "lo" => op.become_op("arith.muli", &[a, b], &[]),
        "hi" => {
            let name = if signed { "arith.mulsi_extended" } else { "arith.mului_extended" };
            let both = op.make(name, &[a, b], &[], &[ty, ty])?;
            op.become_value(cute_ffi::ir::result(both, 1).ok_or("has no high half")?)
        }
        _ => {
            let [wide] = op.results()[..] else { return Err("needs 1 result".into()) };
            let name = if signed { "arith.extsi" } else { "arith.extui" };
            let [a, b] = [a, b].map(|value| op.value(name, &[value], &[], wide));
            op.become_op("arith.muli", &[a?, b?], &[])
        }
    }
}

/// Two floats as one register; the first is the upper one. Pairs of bytes are the lower half of
/// the register.
fn pack_floats(op: &Site<'_, '_>) -> Rewritten {
    one_of(op, "rnd", &["rn"])?;
    let [upper, lower, merged] = op.operands[..] else { return Err("needs 3 operands".into()) };
    if !is_zero(merged) {
        return Err("merges its result into a register, which is supported for 0 alone".into());
    }
    if op.flag("extractHi") {
        return Err("has extractHi = true, which is not supported".into());
    }
    let formats = ["f16x2", "bf16x2", "e4m3x2", "e5m2x2", "e2m1x2", "e2m3x2", "e3m2x2"];
    let format = formats[one_of(op, "to", &formats)?.ok_or("has no format")?];
    let saturates = one_of(op, "sat", &["none", "satfinite"])? == Some(1);
    let is_narrow = !format.ends_with("f16x2");
    // PTX's conversions to 8 bits and less always saturate.
    let saturates = if saturates || is_narrow { ".satfinite" } else { "" };
    let relu = if op.flag("relu") { ".relu" } else { "" };
    let name = format!("cvt.rn{saturates}{relu}.{format}.f32");
    let (text, letter, bits) = match format {
        // PTX has no wider register for a pair of four bits.
        "e2m1x2" => (
            format!("{{ .reg .b8 pair; {name} pair, $1, $2; mov.b32 $0, {{pair, pair, pair, pair}}; }}"),
            'r',
            32,
        ),
        _ if is_narrow => (format!("{name} $0, $1, $2;"), 'h', 16),
        _ => (format!("{name} $0, $1, $2;"), 'r', 32),
    };
    let made: Type<'_> = op.parse_type(&format!("i{bits}"))?;
    let (text, constraints) = (format!("\"{text}\""), format!("\"={letter},f,f\""));
    let attributes = [("asm_string", text.as_str()), ("constraints", constraints.as_str())];
    let packed = op.value("llvm.inline_asm", &[upper, lower], &attributes, made)?;
    if bits == 16 {
        return op.become_op("llvm.zext", &[packed], &[]);
    }
    if is_narrow {
        let byte = op.value("arith.constant", &[], &[("value", "255 : i32")], made)?;
        return op.become_op("arith.andi", &[packed, byte], &[]);
    }
    op.become_value(packed)
}

/// Whether a value is the constant 0.
fn is_zero(value: Value<'_, '_>) -> bool {
    let owner = OperationResult::try_from(value).ok();
    let value = owner.and_then(|result| result.owner().attribute("value").ok());
    value.and_then(|value| IntegerAttribute::try_from(value).ok()).is_some_and(|value| value.value() == 0)
}
