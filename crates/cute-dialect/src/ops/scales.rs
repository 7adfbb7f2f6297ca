//! Scale factors that an MMA takes from registers: the part of a thread, and its registers.

use cute_algebra::{self as algebra, AnyLayout, Dim, Int, Layout, LayoutLike, MmaOperand};
use cute_arch::block_scaled::sf_of_thread;
use cute_ffi::types::context_of;

use super::{AttributeName, Call, atoms::registers};
use crate::{
    atom::{MmaAtom, type_of_element},
    error::{Error, Result},
    partition::GemmOperand,
    value::{Machine, MemRef},
};

/// The matrix, or the scale factors of one, that `operand_id` names.
pub fn matrix<I: Machine>(call: &Call<'_, '_, I>) -> Result<GemmOperand> {
    let id = call.attributes.index(AttributeName::OperandId)?;
    let expected = "0 for A, 1 for B, 2 for C, 3 for SFA or 4 for SFB";
    GemmOperand::NAMED.get(id).copied().ok_or(Error::Attribute { name: "operand_id", expected })
}

/// The tiling by which an op distributes the matrix that it names, and the place of that matrix in
/// it.
pub fn tiling_of_matrix<I: Machine>(call: &Call<'_, '_, I>) -> Result<(algebra::TiledMma, MmaOperand)> {
    let (mma, matrix) = (call.tiled_mma(0)?, matrix(call)?);
    if !matrix.is_scales() {
        return Ok((mma.tiling()?, matrix.matrix()));
    }
    let tiling = mma.tiling_of_scales().ok_or_else(|| no_scales(&mma.atom, matrix))?;
    Ok((tiling?, matrix.matrix()))
}

/// Explains why an MMA has no registers for scale factors.
fn no_scales(atom: &MmaAtom<'_>, matrix: GemmOperand) -> Error {
    let of_thread = "the fma of a thread";
    let named = atom.entry.map_or(of_thread, |entry| &entry.name);
    let instead = match atom.entry.is_some_and(|entry| entry.scale.is_some()) {
        true => {
            "copy them to tensor memory, and make a view of the layout of make_tmem_layout_sfa or make_tmem_layout_sfb"
        }
        false => "it takes none",
    };
    Error::Rule(format!(
        "{named} has no scale factors in registers, so {} has no partition: {instead}",
        matrix.name()
    ))
}

/// The registers for a thread's part of the scale factors of A or of B, in the order of their
/// strides. Elements that share a factor in the partition share it here; in a mere shape, those do
/// that share it in the instruction.
pub fn fragment<'c>(
    atom: &MmaAtom<'c>,
    matrix: GemmOperand,
    like: &AnyLayout<Dim>,
    of_shape: bool,
) -> Result<MemRef<'c, Dim>> {
    let entry = atom.entry.filter(|entry| entry.scale_layouts().is_some());
    let (entry, own) =
        entry.and_then(|entry| Some((entry, sf_of_thread(entry)?))).ok_or_else(|| no_scales(atom, matrix))?;
    let (like, own) = (like.outer(), own.to_dim());
    let (name, first) = (matrix.name(), like.mode(0)?);
    if like.rank() < 3 || !algebra::size(&first)?.is(algebra::size(&own)?.expect_static()) {
        return Err(Error::Rule(format!(
            "{name} must be partitioned as (V, rest..) of rank 3 or more, where V has {} elements, found {}",
            algebra::size(&own)?,
            like.shape()
        )));
    }
    let modes = like.modes().skip(1).map(|mode| mode.to_owned());
    let like = match of_shape {
        true => Layout::from_modes([own.clone()].into_iter().chain(modes)),
        false => like.clone(),
    };
    let layout = algebra::make_fragment_like(&like)?;
    let found = layout.mode(0)?;
    if algebra::coalesce(&found)? != algebra::coalesce(&own)? {
        return Err(Error::Rule(format!(
            "mode 0 of {name} is {first}, but elements share scale factors as {own} in one call of the atom: lay the factors out over the \
             coordinates of the elements, as sm120_make_smem_layout_sfa or sm120_make_smem_layout_sfb of cute-calc does"
        )));
    }
    let elem =
        entry.scale.as_ref().and_then(|scale| type_of_element(context_of(atom.elems[0]), scale.element));
    registers(elem.expect("MLIR has the types of scales"), &layout)
}
