//! A prefetch's requirements on its atom and source: the phases of a copy without a destination.

use cute_algebra::CopySide;
use cute_ffi::ops::OpKind;

use super::{
    memory::{copied, memory},
    mode0_of, modes,
};
use crate::{
    call::Call,
    error::{Error, Result},
    value::{Machine, Space},
};

/// The source is global memory, in whole calls of an atom that reads it.
pub fn check_prefetch<I: Machine>(call: &Call<'_, '_, I>) -> Result<()> {
    let (atom, shape) = (call.copy_atom()?, call.shape_of(1)?);
    let Some(end) = atom.prefetches() else {
        return Err(Error::Rule(format!(
            "{} has no prefetch; !cute_nvgpu.atom.tma_load and !cute_nvgpu.atom.universal_copy have one",
            call.operand(0)?.what()
        )));
    };
    if let Some(view) = memory(call, 1, "source", end)? {
        if !matches!(view.iter.space, Space::Gmem | Space::Generic) {
            let space = view.iter.space.name();
            return Err(Error::Rule(format!(
                "a prefetch loads gmem into L2, but the source lies in {space}"
            )));
        }
        copied("source", view, atom.elem())?;
    }
    let values = atom.values_of(CopySide::Src);
    mode0_of(&shape, "source", &atom, CopySide::Src)?;
    let all = modes(&shape).into_iter().try_fold(I::from_i64(1), |n, m| n.mul(&m))?;
    if call.kind == OpKind::PrefetchAtomCall && !all.is(values) {
        let n = all.dim();
        return Err(Error::Rule(format!(
            "the source has {n} elements, but one call of the atom takes {values}; use cute.prefetch"
        )));
    }
    Ok(())
}
