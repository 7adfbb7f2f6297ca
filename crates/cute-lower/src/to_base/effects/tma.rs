//! Operations of a thread on TMA descriptors.

use cute_algebra::{AnyLayout, Dim, Int, Layout, ModePath, Width};
use cute_arch::tensor_map::MapField;
use cute_dialect::{types::DESCRIPTOR_BYTES, value::Value as Cute};
use cute_ffi::ir;
use melior::ir::{
    Attribute, BlockLike, Value,
    attribute::{DenseI32ArrayAttribute, TypeAttribute},
    r#type::IntegerType,
};

use super::{Lowered, Site};
use crate::{
    Builder, Built,
    emit::{Emit, ops::address_as_integer},
    values::bits_of,
};

/// `prefetch_tma_desc`: `prefetch.tensormap`.
pub fn prefetch_descriptor<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let b = Builder::before(at.op);
    let descriptor = descriptor(at)?;
    let unit = Attribute::unit(b.context());
    let mut attributes = vec![("tensormap", unit)];
    // LLVM generates two prefetches for a parameter of unknown address space.
    if is_parameter(at, descriptor) {
        attributes.push(("in_param_space", unit));
    }
    b.effect("nvvm.prefetch", &[descriptor], &attributes)?;
    Ok(Vec::new())
}

/// `copy_tma_desc`: every thread that reaches it copies the 128 bytes.
pub fn copy_descriptor<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    const WORDS: u32 = 16;
    let b = Builder::before(at.op);
    let (from, to) = (descriptor(at)?, address(at, 1)?);
    let t = b.parse_type("vector<2xi64>")?;
    let align = [("alignment", b.attr(i64::from(WORDS)))];
    for i in 0..i64::from(DESCRIPTOR_BYTES / WORDS) {
        let part = |base: Value<'c, 'c>| {
            let index = DenseI32ArrayAttribute::new(b.context(), &[i as i32]).into();
            let attributes = [("rawConstantIndices", index), ("elem_type", TypeAttribute::new(t).into())];
            b.typed("llvm.getelementptr", &[base], ir::type_of(base), &attributes)
        };
        let loaded = b.typed("llvm.load", &[part(from)?], t, &align)?;
        b.effect("llvm.store", &[loaded, part(to)?], &align)?;
    }
    Ok(Vec::new())
}

/// `update_tma_desc`: a warp reaches it, and one of its lanes replaces the address, the extents and
/// the strides. Modes that the descriptor does not have stay unchanged.
pub fn update_descriptor<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let b = Builder::before(at.op);
    let to = address(at, 2)?;
    let view = at.ask(at.call.memref(1))?;
    let Cute::CopyAtom(atom) = &*at.call.operands[0] else {
        return b.refuse("the verifier asks for an atom");
    };
    let (bits, atom) = (bits_of(&b, view)?, atom.as_tma().expect("the verifier asks for a descriptor"));
    let AnyLayout::Plain(tensor) = &view.layout else {
        return b.refuse("a descriptor has a stride for each mode: the tensor must have a plain layout");
    };
    if bits % 8 != 0 {
        return b.refuse(&format!("strides of elements of {bits} bits are not supported"));
    }
    let modes = at.ask(modes(&atom.basis, tensor))?;

    let elected = b.typed("nvvm.elect.sync", &[], IntegerType::new(b.context(), 1).into(), &[])?;
    let base = address_as_integer(at.op, at.graph().value(&view.iter.address), Width::I64);
    let mut numbers = Vec::new();
    for (extent, stride) in &modes {
        let extent = at.graph().value(&extent.materialize(Width::I32));
        let bytes = b.ask(stride.mul(&Emit::from_i64(bits / 8)))?;
        numbers.push((extent, at.graph().value(&bytes.materialize(Width::I64))));
    }
    let b = b.conditional(elected)?;
    let replace = |field: MapField, operands: &[Value<'c, 'c>]| {
        let field = field.name().replace('_', ".");
        b.command(&format!("llvm.nvvm.tensormap.replace.{field}"), &[&[to], operands].concat())
    };
    replace(MapField::GlobalAddress, &[base])?;
    for (i, (extent, stride)) in numbers.into_iter().enumerate() {
        replace(MapField::GlobalDim, &[b.i32(i as i64)?, extent])?;
        // The first stride is that of contiguous elements, which a descriptor does not store.
        if let Some(i) = i.checked_sub(1) {
            replace(MapField::GlobalStride, &[b.i32(i as i64)?, stride])?;
        }
    }
    Ok(Vec::new())
}

/// The tensor's extent and stride for each mode of a descriptor.
fn modes<'c>(
    basis: &Layout<Dim>,
    tensor: &Layout<Emit<'c>>,
) -> Result<Vec<(Emit<'c>, Emit<'c>)>, cute_dialect::Error> {
    let refuse = || {
        let basis = basis.to_string();
        cute_dialect::Error::Rule(format!(
            "a descriptor can be updated only if each of its modes is a mode of the tensor; tma_gbasis is {basis}"
        ))
    };
    let paths: Vec<_> = tensor.shape().view().leaf_paths();
    let leaves: Vec<_> = tensor.flat().collect();
    let mode = |i: usize| {
        let mode = basis.mode(i).map_err(|_| refuse())?;
        let (_, step) = mode.flat().next().filter(|_| mode.shape().is_leaf()).ok_or_else(refuse)?;
        let basis = step.basis();
        let path = basis.path().filter(|_| step.scale().as_static() == Some(1)).ok_or_else(refuse)?;
        let is_it = |p: &&ModePath| p.indices().iter().copied().eq(path.iter().map(|i| usize::from(*i)));
        let leaf = paths.iter().position(|p| is_it(&p)).ok_or_else(refuse)?;
        Ok((leaves[leaf].0.clone(), leaves[leaf].1.scale().clone()))
    };
    (0..basis.rank()).map(mode).collect()
}

/// The address in a pointer.
fn address<'c>(at: &Site<'_, 'c>, operand: usize) -> Built<Value<'c, 'c>> {
    match &*at.call.operands[operand] {
        Cute::Ptr(ptr) => Ok(at.graph().value(&ptr.address)),
        other => Builder::before(at.op).refuse(&format!("{} is not a pointer", other.what())),
    }
}

/// The address of the descriptor in the first operand.
fn descriptor<'c>(at: &Site<'_, 'c>) -> Built<Value<'c, 'c>> {
    let state = at.values.leaves_of(at.op, at.operand(0))?;
    Ok(at.graph().value(&state[0]))
}

/// Whether a value is a parameter of a kernel.
fn is_parameter<'c>(at: &Site<'_, 'c>, value: Value<'c, 'c>) -> bool {
    let block = ir::block_of(at.entry).expect("the entry is in a block");
    let Some(kernel) = ir::parent_of(block).filter(|f| ir::is_kernel(*f)) else { return false };
    let mut arguments = (0..block.argument_count()).filter_map(|i| ir::block_argument(kernel, i));
    arguments.any(|argument| ir::identity(argument) == ir::identity(value))
}
