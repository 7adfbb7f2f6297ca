//! Descriptors of the TMA and the boxes that its copies take.

use cute_algebra::{
    BoxLimits, BoxTiler, Boxes, Dim, Inner, Layout, LayoutLike, Stride, Tuple, size, size_at,
};
use cute_arch::{
    atoms::{BulkMode, Reduction},
    smem::SmemSwizzle,
};

use super::{Call, OpKind, moved};
use crate::{
    atom::{CopyFamily, LoadMode, TmaCopy, TmaFormat, TmaKind},
    error::{Error, Result},
    partition::copied,
    types::{DESCRIPTOR_ALIGN, bit_width},
    value::{CoordTensor, Machine, MemRef, Ptr, Space, Value},
};

/// Most elements of a box along a mode.
const MOST_ELEMENTS: i64 = 256;
/// Bytes that all strides of a tensor but the first are multiples of.
const STRIDE_BYTES: i64 = 16;

/// `atom.make_non_exec_tiled_tma_load`, `_store` and `_reduce`: the atom, and the coordinates that the TMA takes.
pub fn make_descriptor<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    let view = call.memref(0)?;
    if !matches!(view.iter.space, Space::Gmem | Space::Generic) {
        let space = view.iter.space.name();
        return Err(Error::Rule(format!("a descriptor is of a tensor in gmem, found {space}")));
    }
    let Some(elem) = view.iter.elem else { return call.wrong(0, "a memref of elements") };
    let Some(tensor) = view.layout.as_plain() else {
        return Err(Error::Rule(
            "a descriptor has a stride for each mode: the tensor must have a plain layout".into(),
        ));
    };
    let bits = i64::from(bit_width(elem).unwrap_or(0));
    let memory = in_memory(call)?;
    let values = call.plain(2)?.to_dim();
    let ranks = BulkMode::Tiled.ranks().expect("boxes are of tensors");
    let limits = BoxLimits { extent: MOST_ELEMENTS, modes: *ranks.end() };
    let boxes = Boxes::new(&tensor.to_dim(), &memory, &values, limits)?;
    strides(&tensor.to_dim(), &boxes, bits)?;

    let (kind, load, reduction) = match call.kind {
        OpKind::MakeNonExecTiledTmaStore => (TmaKind::NonExecStore, LoadMode::Sm90, Reduction::Add),
        OpKind::MakeNonExecTiledTmaReduce => {
            let reduction =
                required(call, "kind", "tma_reduce_kind", Reduction::ALL, "a #cute_nvgpu.tma_reduce_kind")?;
            (TmaKind::NonExecReduce, LoadMode::Sm90, reduction)
        }
        _ => {
            if call.index_attribute("num_multicast")? == 0 {
                return Err(Error::Attribute {
                    name: "num_multicast",
                    expected: "how many CTAs receive a box",
                });
            }
            let load =
                required(call, "kind", "tiled_tma_load", LoadMode::ALL, "a #cute_nvgpu.tiled_tma_load")?;
            (TmaKind::NonExecLoad, load, Reduction::Add)
        }
    };
    let asked = keyword(call, "tma_format", "tma_data_format", TmaFormat::ALL);
    let Some(format) = asked.or_else(|| TmaFormat::of(elem)) else {
        return Err(Error::Rule(format!("the TMA has no format of {elem}")));
    };
    let atom = TmaCopy {
        kind,
        elem,
        bits: size(&boxes.basis)?.as_static().expect("a box is static").saturating_mul(bits),
        basis: boxes.basis.clone(),
        load,
        multicast: load.is_multicast(),
        reduction,
        format: Some(format),
        strides: Tuple::from_modes([]),
    };
    atom.check().map_err(Error::Rule)?;
    let origin = Tuple::from_leaves((0..boxes.basis.rank()).map(|_| I::from_i64(0)));
    let layout = coordinates(tensor, &boxes)?;
    Ok(vec![Value::CopyAtom(atom.into()), Value::CoordTensor(CoordTensor { origin, layout })])
}

/// The layout of a tile in shared memory without its swizzle, which must be one of the TMA's.
fn in_memory<I: Machine>(call: &Call<'_, '_, I>) -> Result<Layout<Dim>> {
    let layout = call.pure_layout(1)?.to_dim();
    let swizzle = match layout.as_composed().map(|layout| layout.inner()) {
        Some(Inner::Layout(_)) => {
            return Err(Error::Rule(format!(
                "the TMA swizzles, it finds no address by another layout: {layout}"
            )));
        }
        Some(Inner::Swizzle(swizzle)) => *swizzle,
        None => cute_algebra::Swizzle::IDENTITY,
    };
    if !SmemSwizzle::ALL.into_iter().any(|s| s.swizzle() == swizzle) {
        let all = SmemSwizzle::ALL.map(|s| s.swizzle().to_string()).join(", ");
        return Err(Error::Rule(format!("the TMA swizzles by {all}, not by {swizzle}")));
    }
    Ok(layout.outer().clone())
}

/// That the tensor is contiguous along the first mode of a box, and the TMA can count its other strides.
fn strides(tensor: &Layout<Dim>, boxes: &Boxes, bits: i64) -> Result<()> {
    for ((_, own), step) in tensor.flat().zip(boxes.coordinates.stride().leaves()) {
        let Some(stride) = own.as_static().filter(|_| !step.is(0)) else { continue };
        let bytes = stride.saturating_mul(bits) / 8;
        match step.basis().path() {
            Some([0]) if step.is_static() && boxes.basis.mode(0)?.is_leaf() && stride != 1 => {
                return Err(Error::Rule(format!(
                    "the first mode of a box is contiguous in the tensor, its stride in {tensor} is {stride}"
                )));
            }
            Some([0]) | None => {}
            Some(_) if bytes % STRIDE_BYTES != 0 => {
                return Err(Error::Rule(format!(
                    "strides of a tensor but that of the first mode of a box are multiples of {STRIDE_BYTES} bytes, \
                     {stride} of {tensor} is {bytes} bytes"
                )));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// The coordinates of a tensor over the leaves of its own shape and strides.
fn coordinates<I: Machine>(tensor: &Layout<I>, boxes: &Boxes) -> Result<Layout<I>> {
    let steps = boxes.coordinates.stride().leaves().iter().zip(tensor.flat());
    let stride = |(step, (_, own)): (&Stride<Dim>, (&I, &Stride<I>))| {
        let scale = match (step.scale().as_static(), step.basis().path()) {
            (Some(n), _) => I::from_i64(n),
            (None, Some([0])) => own.scale().clone(),
            (None, _) => {
                let why = "a tensor of more than 5 modes of more than one element is not supported";
                return Err(Error::Rule(why.into()));
            }
        };
        Ok(Stride::scaled(scale, step.basis()))
    };
    let strides = steps.map(stride).collect::<Result<Vec<_>>>()?;
    let strides = Tuple::from_profile(tensor.shape().profile().clone(), strides);
    Ok(Layout::new(tensor.shape().clone(), strides.expect("one stride for each leaf"))?)
}

fn keyword<I: Machine, T: Copy>(
    call: &Call<'_, '_, I>,
    name: &str,
    mnemonic: &str,
    choices: &[(&str, T)],
) -> Option<T> {
    let (_, word) = call.keyword(name).filter(|(own, _)| own == mnemonic)?;
    choices.iter().find(|(choice, _)| *choice == word).map(|(_, choice)| *choice)
}

fn required<I: Machine, T: Copy>(
    call: &Call<'_, '_, I>,
    name: &'static str,
    mnemonic: &str,
    choices: &[(&str, T)],
    expected: &'static str,
) -> Result<T> {
    keyword(call, name, mnemonic, choices).ok_or(Error::Attribute { name, expected })
}

/// The TMA atom of operand 0.
fn atom<'a, 'c, I: Machine>(call: &'a Call<'_, 'c, I>) -> Result<&'a TmaCopy<'c>> {
    let Value::CopyAtom(atom) = call.operand(0)? else { return call.wrong(0, "an atom of the TMA") };
    match atom.as_tma() {
        Some(tma) => Ok(tma),
        None => call.wrong(0, "an atom of the TMA"),
    }
}

/// The atom of operand 0, which the host has made.
fn descriptor<'a, 'c, I: Machine>(call: &'a Call<'_, 'c, I>) -> Result<&'a TmaCopy<'c>> {
    let atom = atom(call)?;
    if atom.kind.is_executable() {
        return call.wrong(0, "an atom that has a descriptor and cannot be executed, such as !cute_nvgpu.atom.non_exec_tiled_tma_load");
    }
    Ok(atom)
}

/// `atom.make_exec_tma`: the same copy, as a thread executes it.
pub fn make_executable<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    match descriptor(call)?.executable() {
        Some(copy) => Ok(Value::CopyAtom(copy.into())),
        None => call.wrong(0, "an atom of boxes: no type names the executable form of others"),
    }
}

/// `atom.tma_partition`: a tile in shared memory and tiles of coordinates, each as `((box,boxes),rest..)`.
pub fn partition<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    let (atom, memory) = (atom(call)?, call.memref(3)?);
    let Value::CoordTensor(tensor) = call.operand(4)? else { return call.wrong(4, "a coord_tensor") };
    smem(memory.iter.space)?;
    copied("memory", memory, atom.elem)?;
    let (own, wanted) = (size_at(&memory.layout, &[0])?, size_at(&tensor.layout, &[0])?);
    if own.eq(&wanted) == Some(false) {
        let (own, wanted) = (own.dim(), wanted.dim());
        return Err(Error::Rule(format!(
            "mode 0 of the memory has {own} elements, mode 0 of the coordinates {wanted}"
        )));
    }
    let values = atom.values();
    if own.as_static().is_some_and(|n| n % values != 0) {
        let own = own.dim();
        return Err(Error::Rule(format!(
            "mode 0 has {own} elements, not a multiple of the {values} of a box"
        )));
    }
    let tile = memory.layout.outer().mode(0)?;
    let tiler = BoxTiler::new(&tile, values, call.coord(1)?, call.plain(2)?)?;
    let (layout, begin) = tiler.partition(&memory.layout)?;
    let in_memory = moved(call.operand(3)?, layout, &begin)?;
    let (layout, begin) = tiler.partition(&tensor.layout)?;
    Ok(vec![in_memory, moved(call.operand(4)?, layout.into(), &begin)?])
}

fn smem(space: Space) -> Result<()> {
    if space == Space::Smem {
        return Ok(());
    }
    Err(Error::Rule(format!("the TMA copies tiles in smem, found {}", space.name())))
}

/// `prefetch_tma_desc`, `copy_tma_desc` and `update_tma_desc`: nothing is made, everything is checked.
pub fn on_descriptor<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    let atom = descriptor(call)?;
    match call.kind {
        OpKind::CopyTmaDesc => room(call.ptr(1)?)?,
        OpKind::UpdateTmaDesc => {
            of_tensor(atom, call.memref(1)?)?;
            room(call.ptr(2)?)?;
        }
        _ => {}
    }
    Ok(Vec::new())
}

/// That a pointer has room for a descriptor.
fn room<I: Machine>(ptr: &Ptr<'_, I>) -> Result<()> {
    if !matches!(ptr.space, Space::Smem | Space::Gmem | Space::Generic) || ptr.align % DESCRIPTOR_ALIGN != 0 {
        return Err(Error::Rule(format!(
            "a copy of a descriptor lies in smem or gmem, aligned to {DESCRIPTOR_ALIGN} bytes, found {} aligned to {}",
            ptr.space.name(),
            ptr.align
        )));
    }
    Ok(())
}

/// That a tensor is one that the descriptor can be made to describe.
fn of_tensor<I: Machine>(atom: &TmaCopy<'_>, tensor: &MemRef<'_, I>) -> Result<()> {
    let found = tensor.iter.elem.and_then(bit_width);
    if tensor.iter.space != Space::Gmem || found != bit_width(atom.elem) {
        let elem = tensor.iter.elem.map_or("none".to_string(), |t| t.to_string());
        return Err(Error::Rule(format!(
            "the descriptor is of a tensor of {} in gmem, found {elem} in {}",
            atom.elem,
            tensor.iter.space.name()
        )));
    }
    Ok(())
}
