//! Tensor memory: its allocation, whose address passes through a word of shared memory, and copies
//! by four warps.

use cute_algebra::LayoutLike;
use cute_arch::tmem::tmem_copy;

use super::{Call, OpKind};
use crate::{
    atom::{CopyAtom, bits_of_element},
    error::{Error, Result},
    partition::copied,
    scalars::integer,
    value::{Machine, Ptr, Space, TiledCopy, Value},
};

/// `atom.make_tmem_copy`: the atom tiled over four warps, for tensors with the layout of this one.
/// `atom.make_s2t_copy`: over a CTA or a pair.
pub fn make_copy<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let (Value::CopyAtom(atom), view) = (call.operand(0)?, call.memref(1)?) else {
        return call.wrong(0, "a copy atom");
    };
    if view.iter.space != Space::Tmem {
        let space = view.iter.space.name();
        return Err(Error::Rule(format!("the tensor must lie in tmem, found {space}")));
    }
    let elem = atom.elem();
    copied("tensor", view, elem)?;
    let (is_it, wanted) = match call.kind {
        OpKind::MakeS2tCopy => (
            matches!(atom, CopyAtom::S2t(_)),
            "a copy of shared to tensor memory, such as !cute_nvgpu.atom.s2t_copy",
        ),
        _ => {
            (matches!(atom, CopyAtom::Tmem(_)), "a copy of tensor memory, such as !cute_nvgpu.atom.tmem_load")
        }
    };
    let Some(Ok(row)) = atom.row().filter(|_| is_it) else { return call.wrong(0, wanted) };
    let layout = view.layout.outer();
    let Some(constant) = view.layout.as_plain().and_then(|layout| layout.to_const()) else {
        return Err(Error::Rule(format!(
            "the tensor must have a static plain layout, found {}",
            layout.to_dim()
        )));
    };
    let copy = tmem_copy(row, bits_of_element(elem), &constant)?;
    Ok(Value::TiledCopy(TiledCopy::new(atom.clone(), &copy)))
}

/// Nothing is made, everything is checked.
pub fn check<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    match call.kind {
        OpKind::AllocTmem => word(call.ptr(1)?)?,
        OpKind::RetrieveTmemPtr => {
            word(call.ptr(0)?)?;
            match call.declared(0)? {
                Value::Ptr(made) => tensor_memory(made)?,
                other => {
                    return Err(Error::Rule(format!(
                        "the result must be a !cute.ptr, found {}",
                        other.what()
                    )));
                }
            }
        }
        OpKind::DeallocTmem => tensor_memory(call.ptr(0)?)?,
        _ => {}
    }
    Ok(Vec::new())
}

/// Checks that a pointer points at a word of shared memory.
fn word<I: Machine>(ptr: &Ptr<'_, I>) -> Result<()> {
    let is_word = ptr.elem.and_then(integer).is_some_and(|t| t.width() == 32);
    if is_word && ptr.space == Space::Smem {
        return Ok(());
    }
    let elem = ptr.elem.map_or("none".to_string(), |t| t.to_string());
    Err(Error::Rule(format!(
        "the address of tensor memory is kept in an i32 in smem, but the pointer is to {elem} in {}",
        ptr.space.name()
    )))
}

fn tensor_memory<I: Machine>(ptr: &Ptr<'_, I>) -> Result<()> {
    if ptr.space == Space::Tmem {
        return Ok(());
    }
    Err(Error::Rule(format!("a pointer to tmem is expected, found one to {}", ptr.space.name())))
}
