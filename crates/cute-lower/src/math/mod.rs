//! `cute-lower-math`: lowers the `math` dialect to operations of PTX.
//!
//! | an op that | becomes |
//! |---|---|
//! | allows approximation (`fastmath<afn>`, or an option) | approximate instructions: see [`approximate`] |
//! | has an LLVM intrinsic that NVPTX selects | the intrinsic: see [`exact`] |
//! | has a function in libdevice, if that will be linked | a call, made by MLIR's GPU conversion |
//! | has a polynomial in MLIR, on f32 or narrower, if libdevice is not linked | the polynomial, in f32 |
//!
//! All other ops are errors. Ops on vectors of other ranks than 1 become ops on vectors of rank 1.

mod approximate;
mod exact;
pub mod value;

use approximate::Accuracy;
use cute_arch::Target;
use cute_ffi::{
    ir::{self, op_name, walk},
    lowered::{MachineType, element_of, machine_type, vector_of, vector_parts},
    rewrite::{Patterns, Rewriter},
};
use melior::ir::{Type, TypeLike, Value, operation::OperationRef};

use crate::{Builder, Built, values::result};

/// Ops of the `arith` dialect for which MLIR's conversion of GPU code calls libdevice, or which
/// have approximate instructions.
const ARITHMETIC: [&str; 4] = ["arith.divf", "arith.maxnumf", "arith.minnumf", "arith.remf"];

/// Ops that [`exact`] leaves and for which MLIR's conversion of GPU code calls libdevice.
const LIBDEVICE: [&str; 29] = [
    "arith.remf",
    "math.acos",
    "math.acosh",
    "math.asin",
    "math.asinh",
    "math.atan",
    "math.atan2",
    "math.atanh",
    "math.cbrt",
    "math.cos",
    "math.cosh",
    "math.erf",
    "math.erfc",
    "math.exp",
    "math.exp2",
    "math.expm1",
    "math.fpowi",
    "math.log",
    "math.log10",
    "math.log1p",
    "math.log2",
    "math.powf",
    "math.rsqrt",
    "math.sin",
    "math.sinh",
    "math.sqrt",
    "math.tan",
    "math.tanh",
    "math.sincos",
];

/// Equivalent formulations with supported ops.
const INSTEAD: [(&str, &str); 3] = [
    ("math.ipowi", "; x^n of a known integer n is multiplications"),
    ("math.powf", "; x^n of a known integer n is multiplications"),
    ("arith.remf", "; x mod y is x - y * math.trunc(x / y)"),
];

/// Runs the pass.
pub fn run(rewriter: &mut Rewriter<'_>, target: &str, fast_math: bool, libdevice: bool) -> Built<()> {
    let target = match target.parse::<Target>() {
        Ok(target) => target,
        Err(e) => return Builder::before(rewriter.root()).fail(&format!("cute-lower-math: {e}")),
    };
    let left = instructions(rewriter, target, fast_math)?;
    if libdevice {
        let missing = left.into_iter().find(|op| !LIBDEVICE.contains(&op_name(*op)));
        return missing.map_or(Ok(()), |op| refuse(op, "not supported: libdevice has no function for it"));
    }
    if left.is_empty() {
        return Ok(());
    }
    for op in left {
        if is_double(op) {
            return refuse(op, NEEDS_LIBDEVICE);
        }
        if op_name(op).starts_with("math.") {
            in_single(rewriter, op)?;
        }
    }
    if !rewriter.apply(Patterns::Polynomials) {
        return Builder::before(rewriter.root())
            .fail("cute-lower-math: MLIR's polynomials do not come to an end");
    }
    // Polynomials are of fma, copysign, floor and the like.
    let left = instructions(rewriter, target, fast_math)?;
    left.first().map_or(Ok(()), |op| refuse(*op, NEEDS_LIBDEVICE))
}

const NEEDS_LIBDEVICE: &str =
    "not supported: it needs CUDA's libdevice, which is not linked (--libdevice FILE does that)";

fn refuse(op: OperationRef<'_, '_>, why: &str) -> Built<()> {
    let name = op_name(op);
    let afn = match !is_double(op) && approximate::NAMES.contains(&name) {
        true => "; fastmath<afn> or --fast-math allows PTX's approximate instructions",
        false => "",
    };
    let instead = INSTEAD.iter().find(|(math, _)| *math == name).map_or("", |(_, instead)| instead);
    Builder::before(op).refuse(&format!("{why}{afn}{instead}"))
}

/// Whether the op computes in f64.
fn is_double(op: OperationRef<'_, '_>) -> bool {
    let operand = ir::operands(op).first().map(|x| element_of(ir::type_of(*x)));
    matches!(operand.and_then(machine_type), Some(MachineType::F64))
}

/// Replaces ops by instructions, and returns those that are left.
fn instructions<'c>(
    rewriter: &'c Rewriter<'c>,
    target: Target,
    fast_math: bool,
) -> Built<Vec<OperationRef<'c, 'c>>> {
    let mut left = Vec::new();
    for op in walk(rewriter.root()) {
        let name = op_name(op);
        if !name.starts_with("math.") && !ARITHMETIC.contains(&name) {
            continue;
        }
        for op in flat(rewriter, op)? {
            let made = match approximate::lower(op, Accuracy::of(op, fast_math), target)? {
                Some(value) => Some(value),
                None => exact::lower(op)?,
            };
            match made {
                Some(value) => replace(rewriter, op, &[value])?,
                None if name == "arith.divf" => {}
                None => left.push(op),
            }
        }
    }
    Ok(left)
}

fn replace<'c>(rewriter: &'c Rewriter<'c>, op: OperationRef<'c, 'c>, values: &[Value<'c, 'c>]) -> Built<()> {
    for (i, value) in values.iter().enumerate() {
        rewriter.replace_uses(ir::result(op, i).expect("a value for each result"), *value);
    }
    rewriter.erase(op);
    Ok(())
}

/// The op on vectors of rank 1, if it is one on vectors of another; the two that `math.sincos` is.
fn flat<'c>(rewriter: &'c Rewriter<'c>, op: OperationRef<'c, 'c>) -> Built<Vec<OperationRef<'c, 'c>>> {
    let b = Builder::before(op);
    let operands = ir::operands(op);
    let t = ir::type_of(result(op));
    if op_name(op) == "math.sincos" {
        let flags = value::flags(op);
        let sin = b.typed("math.sin", &operands, t, &flags)?;
        let cos = b.typed("math.cos", &operands, t, &flags)?;
        replace(rewriter, op, &[sin, cos])?;
        let made: Vec<_> = [sin, cos]
            .into_iter()
            .filter_map(ir::definer)
            .map(|op| flat(rewriter, op))
            .collect::<Built<_>>()?;
        return Ok(made.concat());
    }
    match vector_parts(t) {
        Some((extents, element)) if extents.len() != 1 => {
            let x = operands.iter().map(|x| value::flat(&b, *x)).collect::<Built<Vec<_>>>()?;
            let row = vector_of(&[extents.iter().product()], element);
            let made = b.typed(op_name(op), &x, row, &value::flags(op))?;
            replace(rewriter, op, &[b.typed("vector.shape_cast", &[made], t, &[])?])?;
            Ok(ir::definer(made).into_iter().collect())
        }
        _ => Ok(vec![op]),
    }
}

/// Gives an op of f16 or bf16 operands of f32 and rounds its result back, because polynomials
/// compute in f32.
fn in_single<'c>(rewriter: &'c Rewriter<'c>, op: OperationRef<'c, 'c>) -> Built<()> {
    let b = Builder::before(op);
    let t = ir::type_of(result(op));
    let single: Type<'c> = Type::float32(b.context());
    if element_of(t) == single || !element_of(t).is_float() {
        return Ok(());
    }
    let wide = value::to_single(&b, &ir::operands(op))?;
    let made = b.typed(op_name(op), &wide, value::with_element(t, single), &value::flags(op))?;
    replace(rewriter, op, &[b.typed("arith.truncf", &[made], t, &[])?])
}
