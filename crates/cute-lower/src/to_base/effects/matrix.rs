//! Descriptors of matrices in shared memory: what the types say of them is known, their address is not.

use cute_algebra::{Int, Payload, Width};
use cute_arch::smem::ADDRESS_FIELD;
use cute_dialect::{
    ops::fragments::smem_matrix,
    value::{MemRef, Value as Cute},
};

use super::{Lowered, Site};
use crate::{build::Build, to_base::values::Made};

/// Units of 16 bytes, in which descriptors count.
const UNIT_BITS: i32 = 4;

/// `mma.make_fragment` of a matrix that the instruction reads from shared memory: its first descriptor. The fields beside the
/// address are one constant, and no carry leaves the address.
pub fn descriptors<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let (atom, which) = (at.ask(at.call.mma_atom())?, at.ask(at.call.mma_operand())?);
    let Cute::MemRef(view) = &*at.call.operands[1] else {
        return Build::before(at.op).refuse("a descriptor is of a memref in shared memory");
    };
    let known = MemRef { iter: view.iter.at(()), layout: view.layout.map(|i| i.dim()) };
    let matrix = at.ask(smem_matrix(atom, which, &known))?;
    let (low, word) = (Width::I32, Width::I64);
    let units = view.iter.address.as_integer(low).shift_left(-UNIT_BITS, low);
    let field = units.and(&Payload::constant(ADDRESS_FIELD, low), low).resize(low, word);
    let fields = Payload::constant(matrix.fields.cast_signed(), word);
    Ok(vec![Made::Leaves(vec![field.add(&fields, word)])])
}
