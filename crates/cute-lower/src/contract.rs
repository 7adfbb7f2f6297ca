//! `cute-contract-fma`: fuses a product and the sum that uses it into one fused multiply-add, which
//! rounds once.
//!
//! It follows CUDA's `--fmad=true`: it does not require flags on the ops, and it contracts a
//! product if all its uses are sums, so that the product need not be computed as well. The sum over
//! a vector of products becomes as many fused multiply-adds, from the first element to the last.
//! The pass runs before LLVM and before the simulator, and LLVM contracts nothing itself (see
//! `cute_ffi::llvm::translate`), so that all of them compute the same.

use cute_ffi::{
    ir::{self, op_name, walk},
    lowered::{Fastmath, MachineType, element_of, machine_type, vector_parts},
    rewrite::Rewriter,
};
use melior::ir::{
    Attribute, Value,
    operation::{OperationLike, OperationRef},
};

use crate::{Builder, Built, math::value::elements, values::result};

/// The names of the ops in a dialect, and of its attribute for flags.
struct Names {
    multiply: &'static str,
    add: &'static str,
    subtract: &'static str,
    negate: &'static str,
    fma: &'static str,
    flags: &'static str,
}

const DIALECTS: [Names; 2] = [
    Names {
        multiply: "arith.mulf",
        add: "arith.addf",
        subtract: "arith.subf",
        negate: "arith.negf",
        fma: "math.fma",
        flags: "fastmath",
    },
    Names {
        multiply: "llvm.fmul",
        add: "llvm.fadd",
        subtract: "llvm.fsub",
        negate: "llvm.fneg",
        fma: "llvm.intr.fma",
        flags: "fastmathFlags",
    },
];

/// `x * y`, or `-(x * y)`.
struct Product<'c> {
    op: OperationRef<'c, 'c>,
    is_negated: bool,
}

/// Runs the pass.
pub fn run(rewriter: &Rewriter<'_>) -> Built<()> {
    for op in walk(rewriter.root()) {
        let name = op_name(op);
        if is_reduction(op) {
            contract_reduction(rewriter, op)?;
        } else if let Some(names) = DIALECTS.iter().find(|d| name == d.add || name == d.subtract) {
            contract(rewriter, op, names)?;
        }
    }
    Ok(())
}

/// Contracts the sum with its first operand if that is a product, otherwise with the second.
fn contract<'c>(rewriter: &'c Rewriter<'c>, sum: OperationRef<'c, 'c>, names: &Names) -> Built<()> {
    let result = result(sum);
    let t = ir::type_of(result);
    let ([first, second], true) = (two(sum), has_fma(t)) else { return Ok(()) };
    let subtracts = op_name(sum) == names.subtract;
    // In first - second, a product in the second place is negated; with a product in the first
    // place, the other operand is negated.
    let (product, other, negates_other) =
        match (names.product(rewriter, first), names.product(rewriter, second)) {
            (Some(product), _) => (product, second, subtracts),
            (None, Some(Product { op, is_negated })) => {
                (Product { op, is_negated: is_negated != subtracts }, first, false)
            }
            (None, None) => return Ok(()),
        };
    let b = Builder::before(sum);
    let flags = flags(sum, product.op, names);
    let negated = |value| b.typed(names.negate, &[value], t, &flags);
    let [mut x, y] = two(product.op);
    if product.is_negated {
        x = negated(x)?;
    }
    let other = if negates_other { negated(other)? } else { other };
    let fused = b.typed(names.fma, &[x, y, other], t, &flags)?;
    rewriter.replace_uses(result, fused);
    rewriter.erase(sum);
    ir::operands(sum).into_iter().for_each(|value| erase_unused(rewriter, value));
    Ok(())
}

/// Whether an op is the sum over a vector in the order of its elements.
pub fn is_reduction(op: OperationRef<'_, '_>) -> bool {
    let add = "#vector.kind<add>";
    let adds = || op.attribute("kind").ok() == Attribute::parse(ir::context(op), add);
    let reorders = || Fastmath::of(op).is_some_and(|flags| flags.has(Fastmath::REASSOCIATE));
    op_name(op) == "vector.reduction" && adds() && !reorders()
}

/// Contracts the sum over a vector of products.
fn contract_reduction<'c>(rewriter: &'c Rewriter<'c>, sum: OperationRef<'c, 'c>) -> Built<()> {
    let (operands, names) = (ir::operands(sum), &DIALECTS[0]);
    let Some(Product { op: product, is_negated: false }) = names.product(rewriter, operands[0]) else {
        return Ok(());
    };
    let t = ir::type_of(result(sum));
    let Some((extents, _)) = vector_parts(ir::type_of(operands[0])).filter(|_| has_fma(t)) else {
        return Ok(());
    };
    let b = Builder::before(sum);
    let flags = flags(sum, product, names);
    let length = extents.iter().product::<i64>() as usize;
    let [x, y] = two(product);
    let (x, y) = (elements(&b, x, length, t)?, elements(&b, y, length, t)?);
    let mut total = operands.get(1).copied();
    for factors in x.into_iter().zip(y) {
        total = Some(match total {
            Some(total) => b.typed(names.fma, &[factors.0, factors.1, total], t, &flags)?,
            None => b.typed(names.multiply, &[factors.0, factors.1], t, &flags)?,
        });
    }
    rewriter.replace_uses(result(sum), total.expect("vectors have elements"));
    rewriter.erase(sum);
    erase_unused(rewriter, operands[0]);
    Ok(())
}

/// Erases the product, and the negation before it, that a value was.
fn erase_unused<'c>(rewriter: &'c Rewriter<'c>, value: Value<'c, 'c>) {
    let Some(op) = ir::definer(value) else { return };
    let is_ours = DIALECTS.iter().any(|d| [d.multiply, d.negate].contains(&op_name(op)));
    if is_ours && !rewriter.is_used(value) {
        rewriter.erase(op);
        if let [one] = ir::operands(op)[..] {
            erase_unused(rewriter, one);
        }
    }
}

impl Names {
    /// The product that defines a value, if only sums use it.
    fn product<'c>(&self, rewriter: &'c Rewriter<'c>, value: Value<'c, 'c>) -> Option<Product<'c>> {
        let is_sum = |user| [self.add, self.subtract].contains(&op_name(user)) || is_reduction(user);
        let sums = |value| rewriter.users(value).all(is_sum);
        let op = ir::definer(value)?;
        if op_name(op) == self.multiply && sums(value) {
            return Some(Product { op, is_negated: false });
        }
        if op_name(op) != self.negate || !sums(value) {
            return None;
        }
        let negated = *ir::operands(op).first()?;
        let op = ir::definer(negated).filter(|op| op_name(*op) == self.multiply)?;
        (rewriter.users(negated).count() == 1).then_some(Product { op, is_negated: true })
    }
}

fn two<'c>(op: OperationRef<'c, 'c>) -> [Value<'c, 'c>; 2] {
    ir::operands(op)[..].try_into().expect("additions and multiplications have two operands")
}

/// Whether PTX has a fused multiply-add of the type.
fn has_fma(t: melior::ir::Type<'_>) -> bool {
    use MachineType::{Bf16, F16, F32, F64};
    matches!(machine_type(element_of(t)), Some(F16 | Bf16 | F32 | F64))
}

/// The flags of both ops, where they are the same.
fn flags<'c>(
    sum: OperationRef<'c, 'c>,
    product: OperationRef<'c, 'c>,
    names: &Names,
) -> Vec<(&'static str, Attribute<'c>)> {
    let name = names.flags;
    match (sum.attribute(name), product.attribute(name)) {
        (Ok(a), Ok(b)) if a == b => vec![(name, a)],
        _ => Vec::new(),
    }
}
