//! Allocation of tensor memory, by one warp of a CTA or of each CTA of a pair. Its address passes
//! through shared memory.

use cute_algebra::{CopySide, coalesce};
use cute_arch::{
    Feature, Target,
    atoms::{CopyAtom, Tcgen05Group},
    space, tmem,
};
use cute_ffi::{
    ir::{self, op_name},
    rewrite::Rewriter,
};
use cute_ptx::Keyword;
use melior::{
    dialect::llvm,
    ir::{
        Attribute, Value,
        attribute::IntegerAttribute,
        operation::{OperationLike, OperationRef},
        r#type::IntegerType,
    },
};

use super::{available::require, pointer};
use crate::{
    Builder, Built,
    values::{bits_of, result, view_of},
};

/// Lowers an op that allocates, finds or frees tensor memory, or gives up the right to allocate.
pub(super) fn lower<'c>(rewriter: &Rewriter<'_>, op: OperationRef<'c, 'c>, target: Target) -> Built<()> {
    let b = Builder::before(op);
    require(&b, "tensor memory", Feature::Tcgen05.on(), target)?;
    let operands = ir::operands(op);
    let group = [("group", group(&b, if op.has_attribute("is_two_cta") { 2 } else { 1 })?)];
    let issue = |name: &str, operands: &[Value<'c, 'c>]| b.effect(name, operands, &group);
    match (op_name(op), &operands[..]) {
        ("cute_nvgpu.arch.sm100.alloc_tmem", [columns, at]) => {
            check(&b, *columns)?;
            issue("nvvm.tcgen05.alloc", &[pointer(&b, *at)?, *columns])
        }
        ("cute_nvgpu.arch.sm100.dealloc_tmem", [first, columns]) => {
            check(&b, *columns)?;
            issue("nvvm.tcgen05.dealloc", &[place(&b, *first)?, *columns])
        }
        ("cute_nvgpu.arch.sm100.retrieve_tmem_ptr", [at]) => {
            let word = IntegerType::new(b.context(), 32).into();
            let align = [("alignment", b.attr(4i64))];
            let loaded = b.typed("llvm.load", &[pointer(&b, *at)?], word, &align)?;
            let made = b.typed("cute.inttoptr", &[loaded], ir::type_of(result(op)), &[])?;
            rewriter.replace_uses(result(op), made);
            Ok(())
        }
        _ => issue("nvvm.tcgen05.relinquish_alloc_permit", &[]),
    }
}

/// The number of CTAs that execute an instruction together, as an attribute of NVVM.
pub(super) fn group<'c>(b: &Builder<'c>, ctas: i64) -> Built<Attribute<'c>> {
    let group = if ctas == 2 { Tcgen05Group::Pair } else { Tcgen05Group::One };
    b.attribute(&group.nvvm_attribute())
}

/// A pointer of ours to tensor memory, an integer, as one of LLVM's.
pub(super) fn place<'c>(b: &Builder<'c>, iter: Value<'c, 'c>) -> Built<Value<'c, 'c>> {
    let word = pointer(b, iter)?;
    b.typed("llvm.inttoptr", &[word], llvm::r#type::pointer(b.context(), space::TENSOR), &[])
}

/// Checks that the elements of a call lie where its instruction finds them in tensor memory.
pub(super) fn lies_as<'c>(b: &Builder<'c>, row: &CopyAtom, side: CopySide, view: Value<'c, 'c>) -> Built<()> {
    let view = view_of(view);
    let Some(layout) = view.layout.as_plain().and_then(|layout| layout.to_const()) else {
        return b.refuse(&format!(
            "a view of tensor memory must have a static plain layout, found {}",
            view.layout
        ));
    };
    let wanted = b.ask(row.in_tensor_memory(side, bits_of(b, &view)?))?;
    let found = b.ask(coalesce(&layout))?;
    if found == wanted {
        return Ok(());
    }
    b.refuse(&format!(
        "{} accesses tensor memory in the layout {wanted}, but the view has the layout {found}; partition the tensor by a tiled copy of an atom whose lanes and bits fit it",
        row.name
    ))
}

/// Checks that a constant number of columns can be allocated.
fn check<'c>(b: &Builder<'c>, columns: Value<'c, 'c>) -> Built<()> {
    let constant = ir::definer(columns).filter(|op| op_name(*op) == "arith.constant");
    let number =
        constant.and_then(|op| op.attribute("value").ok()).and_then(|n| IntegerAttribute::try_from(n).ok());
    match number.map(|n| n.value()) {
        Some(n) => b.ask(tmem::check_columns(n)),
        None => Ok(()),
    }
}
