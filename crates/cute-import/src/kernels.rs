//! Kernels that are functions with a mark, as cute-rs and zml write them: `func.func` with
//! `cute.kernel` or `gpu.kernel`, in a `gpu.module` or directly in the module.
//!
//! Such a kernel becomes a `gpu.func`. One with a parameter by value, `llvm.byval`, becomes an
//! `llvm.func`, because `gpu.func` has only pointers to such parameters.

use cute_dialect::{types::value_of, value::Value};
use cute_ffi::{ir, rewrite::Rewriter};
use melior::{
    Context,
    dialect::llvm,
    ir::{
        Attribute, Block, BlockLike, Identifier, Region, RegionLike, Type,
        attribute::{ArrayAttribute, StringAttribute, TypeAttribute},
        operation::{OperationBuilder, OperationLike, OperationRef},
        r#type::FunctionType,
    },
};

/// The marks of a kernel.
const MARKS: [&str; 2] = ["cute.kernel", "gpu.kernel"];
/// The function that carries them.
pub const FUNCTION: &str = "func.func";

/// Whether a text may have such kernels.
pub fn may_have(text: &str) -> bool {
    text.contains(FUNCTION) && MARKS.iter().any(|mark| text.contains(mark))
}

/// Rewrites these kernels, and counts them. The error is about an op.
pub fn rewrite<'c, 'a>(rewriter: &'a Rewriter<'c>) -> Result<usize, (OperationRef<'c, 'a>, String)> {
    let root = rewriter.root();
    let is_marked = |op: &OperationRef<'c, 'a>| {
        ir::op_name(*op) == FUNCTION && MARKS.iter().any(|mark| op.has_attribute(mark))
    };
    let kernels: Vec<_> = ir::walk(root).into_iter().filter(is_marked).collect();
    let is_outside = |op: OperationRef<'c, 'a>| op.parent_operation() == Some(root);
    if kernels.iter().any(|op| is_outside(*op)) {
        enclose(rewriter, &kernels).map_err(|why| (kernels[0], why))?;
    }
    for kernel in &kernels {
        become_kernel(rewriter, *kernel).map_err(|why| (*kernel, why))?;
    }
    Ok(kernels.len())
}

/// Moves the functions of the module into a `gpu.module`.
fn enclose<'c, 'a>(rewriter: &'a Rewriter<'c>, kernels: &[OperationRef<'c, 'a>]) -> Result<(), String> {
    let root = rewriter.root();
    let context = ir::context(root);
    let region = Region::new();
    region.append_block(Block::new(&[]));
    let key = |name: &str| Identifier::new(context, name);
    let module = OperationBuilder::new("gpu.module", ir::location(kernels[0]))
        .add_attributes(&[(key("sym_name"), StringAttribute::new(context, "kernels").into())])
        .add_regions([region])
        .build()
        .map_err(|why| why.to_string())?;
    let functions: Vec<_> =
        ir::body(root).into_iter().flat_map(ir::ops).filter(|op| ir::op_name(*op) == FUNCTION).collect();
    let module = ir::insert_before(functions[0], module);
    let end = OperationBuilder::new("cute_drift.end", ir::location(root)).build();
    let body = ir::body(module).ok_or("has no body")?;
    let end = body.append_operation(end.map_err(|why| why.to_string())?);
    for function in functions {
        rewriter.move_before(function, end);
    }
    rewriter.erase(end);
    ir::set_attribute(root, "gpu.container_module", Attribute::unit(context));
    Ok(())
}

/// Replaces a function by a kernel with its body.
fn become_kernel<'c>(rewriter: &Rewriter<'c>, op: OperationRef<'c, '_>) -> Result<(), String> {
    let context = ir::context(op);
    let key = |name: &str| Identifier::new(context, name);
    let attributes: Vec<_> = op.attributes().collect();
    let by_value = op.attribute("arg_attrs").is_ok_and(is_by_value);
    let dropped = ["cute.kernel", "gpu.kernel", "sym_visibility", "res_attrs", "function_type"];
    let is_kept = |name: &Identifier<'_>| name.as_string_ref().as_str().is_ok_and(|n| !dropped.contains(&n));
    let mut kept: Vec<_> = attributes.into_iter().filter(|(name, _)| is_kept(name)).collect();
    let function_type = op.attribute("function_type").ok().and_then(|t| TypeAttribute::try_from(t).ok());
    let function_type = function_type.ok_or("has no type")?.value();
    let (name, end) = if by_value { ("llvm.func", "llvm.return") } else { ("gpu.func", "gpu.return") };
    let function_type = if by_value { of_llvm(context, function_type)? } else { function_type };
    kept.push((key("function_type"), TypeAttribute::new(function_type).into()));
    kept.push((key(if by_value { "nvvm.kernel" } else { "gpu.kernel" }), Attribute::unit(context)));
    let made = OperationBuilder::new(name, ir::location(op))
        .add_attributes(&kept)
        .add_regions([Region::new()])
        .build()
        .map_err(|why| why.to_string())?;
    let made = ir::insert_before(op, made);
    rewriter.move_body(op, made);
    rewriter.erase(op);
    for inner in ir::walk(made).into_iter().filter(|op| ir::op_name(*op) == "func.return") {
        if !ir::operands(inner).is_empty() {
            return Err("is a kernel, which returns nothing".into());
        }
        let new = OperationBuilder::new(end, ir::location(inner)).build().map_err(|why| why.to_string())?;
        ir::insert_before(inner, new);
        rewriter.erase(inner);
    }
    Ok(())
}

/// Whether one of the parameters with these attributes is passed by value.
fn is_by_value(all: Attribute<'_>) -> bool {
    let Ok(all) = ArrayAttribute::try_from(all) else { return false };
    let mut each = (0..all.len()).filter_map(|i| all.element(i).ok());
    each.any(|of_one| ir::dictionary_get(of_one, "llvm.byval").is_some())
}

/// `!llvm.func<void (ptr, i64)>` for `(!llvm.ptr, i64) -> ()`.
fn of_llvm<'c>(context: &'c Context, function: Type<'c>) -> Result<Type<'c>, String> {
    let function = FunctionType::try_from(function).map_err(|why| why.to_string())?;
    let inputs: Vec<_> = (0..function.input_count()).filter_map(|i| function.input(i).ok()).collect();
    let is_foreign = |t: &&Type<'c>| matches!(value_of(**t).as_ref(), Value::Scalar(_) | Value::Other(_));
    if let Some(ours) = inputs.iter().find(|t| !is_foreign(t)) {
        return Err(format!("has a parameter by value beside one of type {ours}; pass a pointer instead"));
    }
    Ok(llvm::r#type::function(llvm::r#type::void(context), &inputs, false))
}
