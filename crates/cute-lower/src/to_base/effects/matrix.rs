//! Descriptors of matrices in shared memory: their types determine all fields except the address.

use cute_algebra::{Dim, Int, Payload, Width};
use cute_arch::smem::ADDRESS_FIELD;
use cute_dialect::{
    ops::{
        fragments::{SmemMatrix, smem_matrix},
        s2t,
    },
    value::{MemRef, Value as Cute},
};

use super::{Lowered, Site};
use crate::{Builder, to_base::values::Made};

/// Units of 16 bytes, in which descriptors count.
const UNIT_BITS: i32 = 4;

/// `mma.make_fragment` of a matrix that the instruction reads from shared memory: its first
/// descriptor.
pub fn descriptors<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let (atom, which) = (at.ask(at.call.mma_atom())?, at.ask(at.call.attributes.mma_operand())?);
    first(at, |view| smem_matrix(atom, which, view))
}

/// `atom.get_copy_s2t_smem_desc_view`: the first descriptor.
pub fn of_copy<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let (atom, _) = at.ask(s2t::operands(at.call))?;
    first(at, |view| s2t::matrix(atom, view))
}

/// The first descriptor of the view that is operand 1. The fields beside the address are one
/// constant, and the addition of the address never carries into them.
fn first<'c>(
    at: &Site<'_, 'c>,
    matrix: impl FnOnce(&MemRef<'c, Dim>) -> Result<SmemMatrix<'c>, cute_dialect::Error>,
) -> Lowered<'c> {
    let Cute::MemRef(view) = &*at.call.operands[1] else {
        return Builder::before(at.op).refuse("a descriptor is of a memref in shared memory");
    };
    let known = MemRef { iter: view.iter.at(()), layout: view.layout.map(|i| i.dim()) };
    let matrix = at.ask(matrix(&known))?;
    let (low, word) = (Width::I32, Width::I64);
    let units = view.iter.address.as_integer(low).shift_left(-UNIT_BITS, low);
    let field = units.and(&Payload::constant(ADDRESS_FIELD, low), low).resize(low, word);
    let fields = Payload::constant(matrix.fields.cast_signed(), word);
    Ok(vec![Made::Leaves(vec![field.add(&fields, word)])])
}
