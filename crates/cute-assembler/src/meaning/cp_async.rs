//! `cp.async`: copies of a few bytes, and their groups.

use crate::call::Call;
use crate::{Assembler, malformed};
use cute_machine::types::Scalar;
use cute_ptx::{Operation as O, Role};
use cute_sim::address::{GLOBAL, SHARED};
use cute_sim::program::{CpAsyncOp, Op, Site, Slot};
use cute_sim::{Error, Malformed};

impl Assembler {
    pub(crate) fn cp_async(&mut self, call: &Call) -> Result<(), Error> {
        let op = match call.instruction.row.operation {
            O::AsyncCopy => return self.asynchronous_copy(call),
            O::AsyncCommit => CpAsyncOp::Commit,
            _ => {
                let pending = self.groups(call)?;
                // A wait for all copies is one for those that are not in a group, too.
                if call.maybe(Role::COUNT).is_none() {
                    self.emit(&call.at, Op::CpAsync(CpAsyncOp::Commit));
                }
                CpAsyncOp::Wait { pending }
            }
        };
        self.emit(&call.at, Op::CpAsync(op));
        Ok(())
    }

    /// A copy, whose bytes an intrinsic has in its name.
    fn asynchronous_copy(&mut self, call: &Call) -> Result<(), Error> {
        let size = match [4, 8, 16].into_iter().find(|size| call.has(&size.to_string())) {
            Some(size) => size,
            None => self.number_of(call, Role::COUNT)?,
        };
        let ((_, to), (_, from)) = (call.pointer(Role::ADDRESS)?, call.pointer(Role::SOURCE)?);
        if (to, from) != (SHARED, GLOBAL) {
            return Err(malformed(
                &call.at,
                Malformed::Modifier,
                "a copy that is not from global to shared memory",
            ));
        }
        if call.has("cg") && size != 16 {
            return Err(malformed(
                &call.at,
                Malformed::OperandValue,
                format!("`.cg` of {size} bytes, where it copies 16"),
            ));
        }
        let mut read = call.maybe_slot(Role::BYTES);
        // A predicate that holds ignores the source.
        if let Some(held) =
            call.maybe(Role::BYTES).filter(|held| held.ty.lanes() == Some((1, Scalar::Int(1))))
        {
            let (none, all) = (self.number(&call.at, 0)?, self.number(&call.at, size as u64)?);
            read = Some(self.either(&call.at, held.slot, [none, all])?);
        }
        self.async_copy(&call.at, [call.slot(Role::ADDRESS)?, call.slot(Role::SOURCE)?], size, read)
    }

    /// `cp.async`, from the source to the destination; `read`: the bytes that come from there.
    ///
    /// # Errors
    ///
    /// Returns an error for a size that the instruction does not take.
    fn async_copy(
        &mut self,
        at: &Site,
        [dst, src]: [Slot; 2],
        size: i64,
        read: Option<Slot>,
    ) -> Result<(), Error> {
        let size = u32::try_from(size).ok().filter(|size| [4, 8, 16].contains(size));
        let size =
            size.ok_or_else(|| malformed(at, Malformed::OperandValue, "a size that is not 4, 8 or 16"))?;
        self.emit(at, Op::CpAsync(CpAsyncOp::Copy { dst, src, size, read }));
        Ok(())
    }
}
