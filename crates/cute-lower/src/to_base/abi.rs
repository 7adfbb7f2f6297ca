//! Kernels whose arguments are passed as structs, as those of CuTe DSL ([`Abi::Dsl`]). After
//! everything else is lowered, the leaves of an argument become one parameter, from which they are
//! extracted at the entry.

use cute_dialect::parameters::{Abi, Leaf, Nest, Role, nested};
use cute_ffi::{ir, rewrite::Rewriter};
use melior::{
    Context,
    dialect::llvm,
    ir::{
        Type, Value,
        attribute::{ArrayAttribute, TypeAttribute},
        operation::{OperationLike, OperationRef},
        r#type::FunctionType,
    },
};

use super::entry::{Entry, alignment};
use crate::{Builder, Built};

/// Turns the parameters of a kernel into structs if its ABI has them. If `told`, LLVM gets the
/// alignment of the addresses in them. Returns the numbers of the arguments of its body that the
/// type of the kernel no longer has, and that are unused.
pub(super) fn pack<'c>(
    rewriter: &'c Rewriter<'c>,
    kernel: OperationRef<'c, 'c>,
    entry: &Entry<'c>,
    told: bool,
) -> Built<Vec<usize>> {
    let first = ir::body(kernel).and_then(ir::first_op).filter(|_| entry.abi == Abi::Dsl);
    let Some(first) = first else { return Ok(Vec::new()) };
    let build = Builder::before(first);
    let c = ir::context(kernel);
    let given = kernel.attribute(ARGUMENTS).and_then(ArrayAttribute::try_from).ok();
    let (mut types, mut attributes, mut unused) = (Vec::new(), Vec::new(), Vec::new());
    let mut leaf = 0;
    for parameter in &entry.parameters {
        let own = leaf..leaf + parameter.leaves.len();
        leaf = own.end;
        if own.is_empty() {
            continue;
        }
        let arguments: Vec<_> = own.clone().filter_map(|i| ir::block_argument(kernel, i)).collect();
        types.push(match nested(parameter.r#type) {
            Nest::Leaf(leaf) => leaf.r#type,
            nest => {
                let t = in_llvm(c, &nest);
                take_apart(rewriter, &build, &arguments, (t, &nest), told)?;
                unused.extend(own.clone().skip(1));
                t
            }
        });
        attributes.extend(given.and_then(|all| all.element(own.start).ok()));
    }
    let t = FunctionType::new(c, &types, &[]);
    ir::set_attribute(kernel, "function_type", TypeAttribute::new(t.into()).into());
    if given.is_some() {
        ir::set_attribute(kernel, ARGUMENTS, ArrayAttribute::new(c, &attributes).into());
    }
    Ok(unused)
}

const ARGUMENTS: &str = "arg_attrs";

/// Makes the first of the arguments a struct of type `t`, and replaces all of them by its fields.
fn take_apart<'c>(
    rewriter: &'c Rewriter<'c>,
    build: &Builder<'c>,
    arguments: &[Value<'c, 'c>],
    (t, nest): (Type<'c>, &Nest<Leaf<'c>>),
    told: bool,
) -> Built<()> {
    let whole = arguments[0];
    rewriter.set_type(whole, t);
    let mut taken = Vec::new();
    for (path, leaf) in nest.paths() {
        let stored = build.part(whole, &path, leaf.stored)?;
        let is_narrow = leaf.stored != leaf.r#type;
        let value = if is_narrow { build.typed("arith.extui", &[stored], leaf.r#type, &[])? } else { stored };
        taken.push((stored, value, leaf));
    }
    for (argument, (_, value, _)) in arguments.iter().zip(&taken) {
        rewriter.replace_uses(*argument, *value);
    }
    for (stored, _, _) in &taken {
        // It was the argument, whose uses are the part's now.
        let part = ir::definer(*stored).expect("it was built");
        rewriter.set_operands(part, &[whole]);
    }
    for (_, value, leaf) in taken.iter().filter(|(.., leaf)| told && leaf.role == Role::Pointer) {
        if let Some(align) = alignment(leaf) {
            let i64 = build.parse_type("i64")?;
            let align = build.typed("llvm.mlir.constant", &[], i64, &[("value", build.attr(align))])?;
            let bundle = [
                ("op_bundle_sizes", build.attribute("array<i32: 2>")?),
                ("op_bundle_tags", build.attribute("[\"align\"]")?),
            ];
            build.effect("llvm.intr.assume", &[build.truth(true)?, *value, align], &bundle)?;
        }
    }
    Ok(())
}

/// The struct in LLVM.
fn in_llvm<'c>(c: &'c Context, nest: &Nest<Leaf<'c>>) -> Type<'c> {
    match nest {
        Nest::Leaf(leaf) => leaf.stored,
        Nest::Struct(fields) => {
            let fields: Vec<_> = fields.iter().map(|field| in_llvm(c, field)).collect();
            llvm::r#type::r#struct(c, &fields, false)
        }
    }
}
