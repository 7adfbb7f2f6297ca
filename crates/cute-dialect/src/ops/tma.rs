//! TMA descriptors, and the boxes that its copies take.

use cute_algebra::{AnyLayout, BoxTiler, Boxes, Dim, Layout, LayoutLike, Tuple, size_at};
use cute_arch::{
    atoms::Reduction,
    tensor_map::{BOX_LIMITS, MapElement, MapPlan, MapSwizzle, NoBoxCopy, unswizzled},
};

use melior::ir::attribute::TypeAttribute;

use super::{AttributeName, Call, OpKind, moved};
use crate::{
    atom::{CopyFamily, LoadMode, TmaCopy, TmaKind, format_of},
    error::{Error, Result},
    partition::in_box,
    types::{DESCRIPTOR_ALIGN, bit_width},
    value::{CoordTensor, Machine, MemRef, Ptr, Space, Value},
};

/// The result of an op that describes a tensor to the TMA.
pub struct DescribedTensor<'c, I> {
    /// The copy by the descriptor.
    pub atom: TmaCopy<'c>,
    /// The box that one copy moves.
    pub boxes: Boxes<I>,
    /// The plan for encoding the descriptor, over the leaves of the tensor's layout.
    pub plan: MapPlan<I>,
}

/// `atom.make_non_exec_tiled_tma_load`, `_store` and `_reduce`: the atom, and the coordinates that
/// the TMA takes.
pub fn make_descriptor<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    let DescribedTensor { atom, boxes, .. } = describe(call)?;
    let (origin, layout) = (boxes.origin(), boxes.coordinates);
    Ok(vec![Value::CopyAtom(atom.into()), Value::CoordTensor(CoordTensor { origin, layout })])
}

/// The result of [`make_descriptor`], with the plan for encoding the descriptor.
pub fn describe<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<DescribedTensor<'c, I>> {
    let view = call.memref(0)?;
    if !matches!(view.iter.space, Space::Gmem | Space::Generic) {
        let space = view.iter.space.name();
        return Err(Error::Rule(format!("a descriptor must describe a tensor in gmem, found {space}")));
    }
    let Some(elem) = view.iter.elem else { return call.wrong(0, "a memref of elements") };
    let Some(tensor) = view.layout.as_plain() else {
        return Err(Error::Rule(
            "a descriptor has a stride for each mode: the tensor must have a plain layout".into(),
        ));
    };
    let memory = call.pure_layout(1)?.to_dim();
    let (memory, swizzle) = of_tile(&memory).map_err(|error| Error::Rule(error.to_string()))?;
    let boxes = Boxes::new(tensor, memory, &call.plain(2)?.to_dim(), BOX_LIMITS)?;

    let mut ctas = 1;
    let (kind, load, reduction) = match call.kind {
        OpKind::MakeNonExecTiledTmaStore => (TmaKind::NonExecStore, LoadMode::Sm90, Reduction::Add),
        OpKind::MakeNonExecTiledTmaReduce => {
            let reduction = required(
                call,
                AttributeName::Kind,
                "tma_reduce_kind",
                Reduction::ALL,
                "a #cute_nvgpu.tma_reduce_kind",
            )?;
            (TmaKind::NonExecReduce, LoadMode::Sm90, reduction)
        }
        _ => {
            ctas = call.attributes.index(AttributeName::NumMulticast)?;
            if ctas == 0 {
                return Err(Error::Attribute {
                    name: "num_multicast",
                    expected: "how many CTAs receive a box",
                });
            }
            let load = required(
                call,
                AttributeName::Kind,
                "tiled_tma_load",
                LoadMode::ALL,
                "a #cute_nvgpu.tiled_tma_load",
            )?;
            (TmaKind::NonExecLoad, load, Reduction::Add)
        }
    };
    let asked = keyword(call, AttributeName::TmaFormat, "tma_data_format", &MapElement::KEYWORDS);
    let internal = call.attributes.raw(AttributeName::InternalType);
    let internal = internal.and_then(|a| TypeAttribute::try_from(a).ok()).map_or(elem, |a| a.value());
    let Some(format) = asked.or_else(|| format_of(internal)) else {
        return Err(Error::Rule(format!("the TMA has no format of {internal}")));
    };
    let Some(bits) = bit_width(elem).map(i64::from) else {
        return Err(Error::NoSize { elem: elem.to_string(), rule: "the TMA cannot count its bytes".into() });
    };
    let atom = TmaCopy {
        kind,
        elem,
        bits: boxes.elements().saturating_mul(bits),
        basis: boxes.basis.clone(),
        load,
        multicast: load.is_multicast(),
        reduction,
        format: Some(format),
        strides: Tuple::from_modes([]),
    };
    atom.check()?;
    let plan = MapPlan::new(&boxes, format, swizzle, i64::try_from(ctas).unwrap_or(i64::MAX))?;
    plan.check().map_err(|broken| Error::Rule(broken.to_string()))?;
    Ok(DescribedTensor { atom, boxes, plan })
}

/// The layout of a tile in shared memory without its swizzle, and the swizzle, which must be one
/// that the TMA supports.
fn of_tile(memory: &AnyLayout<Dim>) -> std::result::Result<(&Layout<Dim>, MapSwizzle), NoBoxCopy> {
    let (plain, swizzle) = unswizzled(memory)?;
    Ok((plain, MapSwizzle::of(swizzle).ok_or(NoBoxCopy::Swizzle(swizzle))?))
}

fn keyword<I: Machine, T: Copy>(
    call: &Call<'_, '_, I>,
    name: AttributeName,
    mnemonic: &str,
    choices: &[(&str, T)],
) -> Option<T> {
    let (_, word) = call.attributes.word(name).filter(|(own, _)| *own == mnemonic)?;
    choices.iter().find(|(choice, _)| *choice == word).map(|(_, choice)| *choice)
}

fn required<I: Machine, T: Copy>(
    call: &Call<'_, '_, I>,
    name: AttributeName,
    mnemonic: &str,
    choices: &[(&str, T)],
    expected: &'static str,
) -> Result<T> {
    keyword(call, name, mnemonic, choices).ok_or(Error::Attribute { name: name.name(), expected })
}

/// The TMA atom of operand 0.
fn atom<'a, 'c, I: Machine>(call: &'a Call<'_, 'c, I>) -> Result<&'a TmaCopy<'c>> {
    let Value::CopyAtom(atom) = call.operand(0)? else { return call.wrong(0, "an atom of the TMA") };
    match atom.as_tma() {
        Some(tma) => Ok(tma),
        None => call.wrong(0, "an atom of the TMA"),
    }
}

/// The atom in operand 0, which the host has made.
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
        None => call.wrong(0, "a tiled TMA atom; im2col, gather and scatter atoms have no executable type"),
    }
}

/// `atom.tma_partition`: a tile in shared memory and tiles of coordinates, each as
/// `((box,boxes),rest..)`.
pub fn partition<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    let (atom, memory) = (atom(call)?, call.memref(3)?);
    let Value::CoordTensor(tensor) = call.operand(4)? else { return call.wrong(4, "a coord_tensor") };
    smem(memory.iter.space)?;
    in_box("memory", memory, atom)?;
    let (own, wanted) = (size_at(&memory.layout, &[0])?, size_at(&tensor.layout, &[0])?);
    if own.eq(&wanted) == Some(false) {
        let (own, wanted) = (own.dim(), wanted.dim());
        return Err(Error::Rule(format!(
            "mode 0 of the memory has {own} elements, but mode 0 of the coordinates has {wanted}"
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

/// `prefetch_tma_desc`, `copy_tma_desc` and `update_tma_desc`: no results, only checks.
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

/// Checks that the memory at a pointer can hold a descriptor.
fn room<I: Machine>(ptr: &Ptr<'_, I>) -> Result<()> {
    if !matches!(ptr.space, Space::Smem | Space::Gmem | Space::Generic) || ptr.align % DESCRIPTOR_ALIGN != 0 {
        return Err(Error::Rule(format!(
            "a copy of a descriptor must lie in smem or gmem, aligned to {DESCRIPTOR_ALIGN} bytes, found {} \
             aligned to {}",
            ptr.space.name(),
            ptr.align
        )));
    }
    Ok(())
}

/// Checks that the descriptor can describe a tensor.
fn of_tensor<I: Machine>(atom: &TmaCopy<'_>, tensor: &MemRef<'_, I>) -> Result<()> {
    let found = tensor.iter.elem.and_then(bit_width);
    if tensor.iter.space != Space::Gmem || found != bit_width(atom.elem) {
        let elem = tensor.iter.elem.map_or("none".to_string(), |t| t.to_string());
        return Err(Error::Rule(format!(
            "the descriptor must describe a tensor of {} in gmem, found {elem} in {}",
            atom.elem,
            tensor.iter.space.name()
        )));
    }
    Ok(())
}
