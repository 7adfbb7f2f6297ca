//! Descriptors of what `tcgen05.cp` reads.

use cute_algebra::{self as algebra, CopySide, Dim};
use cute_arch::{
    atoms::Major,
    smem::{DescriptorOf, UNIT},
};

use super::{
    Call,
    atoms::declares,
    fragments::{SmemMatrix, at_unit, swizzle_of, whole_periods},
};
use crate::{
    atom::{CopyAtom, CopyFamily, S2tCopy, bits_of_element},
    error::{Error, Result},
    partition::copied,
    value::{Machine, MemRef, SmemDesc, SmemDescView, Space, Value},
};

/// The atom and the partition that `atom.get_copy_s2t_smem_desc_view` is given.
pub fn operands<'a, 'c, I: Machine>(
    call: &'a Call<'_, 'c, I>,
) -> Result<(&'a S2tCopy<'c>, &'a MemRef<'c, I>)> {
    let atom = match call.operand(0)? {
        Value::CopyAtom(atom) => atom,
        Value::TiledCopy(tiled) => &tiled.atom,
        _ => return call.wrong(0, "a copy atom"),
    };
    let CopyAtom::S2t(atom) = atom else {
        return call.wrong(0, "a copy of shared to tensor memory, such as !cute_nvgpu.atom.s2t_copy");
    };
    Ok((atom, call.memref(1)?))
}

/// `atom.get_copy_s2t_smem_desc_view`: the declared type must be that of the descriptors.
pub fn descriptors<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    let (atom, view) = operands(call)?;
    let view = MemRef { iter: view.iter.at(()), layout: view.layout.map(|i| i.dim()) };
    declares(call, Value::SmemDescView(matrix(atom, &view)?.view))
}

/// A copy's partition `(V,Rest..)` of shared memory, as one descriptor for each call. Mode 0 counts
/// its units of 16 bytes.
///
/// The instruction reads lanes and the bits of each lane. A repetition in its output is a mode of
/// stride 0 after them.
pub fn matrix<'c>(atom: &S2tCopy<'c>, view: &MemRef<'c, Dim>) -> Result<SmemMatrix<'c>> {
    let MemRef { iter, layout } = view;
    if iter.space != Space::Smem {
        return Err(Error::Rule(format!(
            "tcgen05.cp reads shared memory, but the source is in {}",
            iter.space.name()
        )));
    }
    copied("source", view, atom.elem)?;
    let Some(layout) = layout.as_plain().and_then(|layout| layout.to_const()) else {
        return Err(Error::Rule(format!("the source must have a static plain layout, found {layout}")));
    };
    let bits = bits_of_element(atom.elem);
    let (first, values) = (layout.mode(0)?, atom.bits_of(CopySide::Src) / bits);
    let found = algebra::size(&first)?;
    if layout.is_leaf() || found != values {
        return Err(Error::Rule(format!(
            "the source must be partitioned as (V, rest..), where V has the {values} elements of a call, found {layout}"
        )));
    }
    let major = if atom.k_major == Some(false) { Major::Mn } else { Major::K };
    let swizzle = swizzle_of(iter)?;
    let tile = atom.fill()?.taken(bits, &first).map_err(|why| Error::Rule(why.to_string()))?;
    let fields = swizzle.descriptor(DescriptorOf::Tcgen05, major, &tile, bits, 0)?;
    at_unit("the source", iter)?;
    whole_periods(swizzle, "the source", &layout, bits)?;
    let layout = algebra::upcast(&layout, UNIT / bits)?.map(|n| Dim::fixed(*n));
    Ok(SmemMatrix { view: SmemDescView { iter: SmemDesc::new(None), layout }, fields })
}
