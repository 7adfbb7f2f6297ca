//! Bulk copies and reductions.

use crate::call::Call;
use crate::{Assembler, malformed};
use cute_algebra::{Swizzle, parse_swizzle};
use cute_arch::atoms::{BulkMode, Tcgen05Group};
use cute_machine::types::Scalar;
use cute_ptx::{Operation as O, Role, ScalarType};
use cute_sim::program::{BoxKind, Bulk, BulkFar, BulkMove, BulkOp, BulkUpdate, Op, Slot};
use cute_sim::{Error, Malformed};

impl Assembler {
    pub(crate) fn bulk(&mut self, call: &Call) -> Result<(), Error> {
        let op = match call.instruction.row.operation {
            O::BulkCommit => BulkOp::Commit,
            O::BulkWait => BulkOp::Wait { pending: self.groups(call)?, read: call.has("read") },
            operation => BulkOp::Copy(self.bulk_copy(call, operation)?.into()),
        };
        self.emit(&call.at, Op::Bulk(op));
        Ok(())
    }

    fn bulk_copy(&self, call: &Call, operation: O) -> Result<Bulk, Error> {
        // A barrier counts what arrives in shared memory.
        let is_load = call.maybe(Role::BARRIER).is_some();
        let (near, far) = if is_load { (Role::ADDRESS, Role::SOURCE) } else { (Role::SOURCE, Role::ADDRESS) };
        let moves = if is_load {
            let pair = match call.maybe(Role::CTAS) {
                Some(_) => self.number_of(call, Role::CTAS)? == 2,
                None => call.keyword() == Some(Tcgen05Group::Pair),
            };
            let (barrier, mask) = (call.slot(Role::BARRIER)?, self.mask_of_blocks(call)?);
            BulkMove::Load { barrier, mask, pair, reduce: bulk_reduction(call)? }
        } else {
            BulkMove::Store { reduce: bulk_reduction(call)?, bytes: call.maybe_slot(Role::MASK) }
        };
        let far = match operation {
            O::BoxLoad | O::BoxStore | O::BoxReduce => tensor_box(call, is_load)?,
            O::BulkSend | O::BulkReduce if is_load => {
                BulkFar::Shared { address: call.slot(far)?, size: call.slot(Role::BYTES)? }
            }
            _ => BulkFar::Global { address: call.slot(far)?, size: call.slot(Role::BYTES)? },
        };
        let (shared, space) = call.pointer(near)?;
        Ok(Bulk { shared, space, far, moves })
    }

    /// The blocks that receive a copy, unless a number says that it has no mask.
    fn mask_of_blocks(&self, call: &Call) -> Result<Option<Slot>, Error> {
        let is_masked = match call.maybe(Role::MASKED) {
            Some(_) => self.number_of(call, Role::MASKED)? != 0,
            None => true,
        };
        Ok(call.maybe_slot(Role::MASK).filter(|_| is_masked))
    }
}

/// The update of a reduction, with the type of the elements unless a map has it.
fn bulk_reduction(call: &Call) -> Result<Option<BulkUpdate>, Error> {
    Ok(match call.instruction.row.operation {
        O::BoxReduce => Some((call.needed()?, None)),
        O::BulkReduce => Some((call.needed()?, Some(element(call.needed()?)))),
        _ => None,
    })
}

/// The box of a tensor map, with the swizzle with which the kernel accesses the shared memory.
fn tensor_box(call: &Call, is_load: bool) -> Result<BulkFar, Error> {
    let (map, space) = call.pointer(Role::MAP)?;
    let coordinates = call.all(Role::COORDINATES).chain(call.all(Role::OFFSETS));
    let coordinates = coordinates.map(|held| held.slot).collect();
    let kind = match call.keyword() {
        Some(BulkMode::Rows4) => BoxKind::Rows,
        Some(BulkMode::Im2col) if is_load => BoxKind::PixelsAtOffsets,
        Some(BulkMode::Im2col) => BoxKind::Pixels,
        _ => BoxKind::Tile,
    };
    let read = |text: &String| {
        parse_swizzle(text).map_err(|why| malformed(&call.at, Malformed::OperandValue, why.to_string()))
    };
    let swizzle: Option<Swizzle> = call.swizzle.as_ref().map(read).transpose()?;
    Ok(BulkFar::Box { map, space, coordinates, kind, swizzle })
}

/// The type of an element, and whether it has a sign.
fn element(ty: ScalarType) -> (Scalar, bool) {
    match ty {
        ScalarType::F16 => (Scalar::F16, true),
        ScalarType::Bf16 => (Scalar::Bf16, true),
        ScalarType::F32 => (Scalar::F32, true),
        ScalarType::F64 => (Scalar::F64, true),
        other => (Scalar::Int(other.bits()), other.is_signed()),
    }
}
