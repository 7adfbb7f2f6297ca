//! `cute-lower-atoms`: lowers each atom call to llvm and nvvm ops. Addresses stay cute pointers
//! behind a cast to `!llvm.ptr`, which `cute-to-base` resolves. A kernel whose shared memory the
//! target does not have is an error.

mod available;
mod convert;
mod copy;
mod elect;
mod fields;
mod fragment;
mod issue;
mod mma;
mod scales;
mod tmem;
mod tmem_waits;
mod umma;
mod wgmma;

use cute_algebra::{AnyLayout, Crd, Dim, Tuple};
use cute_arch::Target;
use cute_dialect::{
    types::{llvm_pointer, value_of},
    value::Value as Cute,
};
use cute_ffi::{
    ir::{self, op_name, walk},
    rewrite::Rewriter,
};
use melior::ir::Value;

pub use available::first_target;

use crate::{Builder, Built, shared, values::view_of};

/// Runs the pass for a target.
pub fn run(rewriter: &Rewriter<'_>, target: &str) -> Built<()> {
    let target = match target.parse::<Target>() {
        Ok(target) => target,
        Err(e) => return Builder::before(rewriter.root()).fail(&format!("cute-lower-atoms: {e}")),
    };
    shared::check(rewriter.root(), target)?;
    tmem_waits::run(rewriter.root())?;
    elect::run(rewriter)?;
    for op in walk(rewriter.root()) {
        match op_name(op) {
            "cute.copy_atom_call" => copy::lower(op, target)?,
            "cute.mma_atom_call" => mma::lower(op, target)?,
            "cute.prefetch_atom_call" => copy::prefetch(op, target)?,
            "cute.placement.convert" => convert::lower(op)?,
            "cute_nvgpu.arch.sm100.alloc_tmem"
            | "cute_nvgpu.arch.sm100.retrieve_tmem_ptr"
            | "cute_nvgpu.arch.sm100.dealloc_tmem"
            | "cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit" => tmem::lower(rewriter, op, target)?,
            _ => {
                available::check(op, target)?;
                continue;
            }
        }
        rewriter.erase(op);
    }
    Ok(())
}

/// The address of the first byte of a tile that an instruction swizzles itself: the view's address
/// without any swizzle.
fn tile_address<'c>(b: &Builder<'c>, view: Value<'c, 'c>) -> Built<Value<'c, 'c>> {
    let mut iter = b.inferred("cute.get_iter", &[view], &[])?;
    if let AnyLayout::Composed(_) = view_of(view).layout {
        let layout = b.inferred("cute.get_layout", &[view], &[])?;
        let offset = b.inferred("cute.composed_get_offset", &[layout], &[])?;
        iter = b.inferred("cute.add_offset", &[iter, offset], &[])?;
    }
    pointer(b, iter)
}

/// A pointer of ours as one of LLVM's.
fn pointer<'c>(b: &Builder<'c>, iter: Value<'c, 'c>) -> Built<Value<'c, 'c>> {
    let Cute::Ptr(ptr) = value_of(ir::type_of(iter)).into_owned() else {
        return b.refuse("a view of coordinates has no address");
    };
    b.typed("builtin.unrealized_conversion_cast", &[iter], llvm_pointer(b.context(), ptr.space), &[])
}

/// The address of a view's first element, and its known alignment.
fn address<'c>(b: &Builder<'c>, view: Value<'c, 'c>) -> Built<(Value<'c, 'c>, i64)> {
    let memref = view_of(view);
    let mut iter = b.inferred("cute.get_iter", &[view], &[])?;
    if let AnyLayout::Composed(_) = memref.layout {
        // With a swizzle, element 0 need not lie at the pointer.
        let layout = b.inferred("cute.get_layout", &[view], &[])?;
        let zero = b.make_coord(Tuple::leaf(Crd::Int(Dim::fixed(0))), &[])?;
        let offset = b.inferred("cute.crd2idx", &[zero, layout], &[])?;
        iter = b.inferred("cute.add_offset", &[iter, offset], &[])?;
    }
    if !memref.iter.swizzle.is_identity() {
        iter = b.inferred("cute.apply_swizzle", &[iter], &[])?;
    }
    let align = if let Cute::Ptr(ptr) = &*value_of(ir::type_of(iter)) { ptr.align } else { 1 };
    Ok((pointer(b, iter)?, align))
}
