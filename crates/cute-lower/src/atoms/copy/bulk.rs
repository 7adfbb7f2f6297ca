//! Bulk copies of contiguous bytes. A thread that comes to one issues it; of the ways, only that to global memory needs nothing that
//! the type of the atom does not say.

use cute_arch::Target;
use cute_dialect::atom::{BulkCopy, BulkWay, CopyFamily};
use melior::ir::attribute::DenseI32ArrayAttribute;

use super::{CopyCall, LowersCopy};
use crate::{
    atoms::{address, tile_address},
    build::{Build, Built, conditional},
};

impl<'c> LowersCopy<'c> for BulkCopy<'c> {
    fn copy(&self, b: &Build<'c>, target: Target, call: &CopyCall<'c>) -> Built<()> {
        let row = self.bulk();
        if !row.on.on(target) {
            return b.refuse(&format!("{target} has no {}; it is on {}", row.name, row.on));
        }
        if self.way != BulkWay::SharedToGlobal {
            return b.refuse(&format!(
                "a bulk copy to shared memory says at a barrier that it is complete, and !{} has no field for one: not supported",
                self.kind().name()
            ));
        }
        let conditional = call.pred.map(|pred| conditional(b, pred)).transpose()?;
        let b = conditional.as_ref().unwrap_or(b);
        let (to, _) = address(b, call.dst)?;
        let operands = [to, tile_address(b, call.src)?, b.i32(self.bits() / 8)?];
        let sizes = DenseI32ArrayAttribute::new(b.context(), &[1, 1, 1, 0, 0]).into();
        b.effect(
            "nvvm.cp.async.bulk.global.shared.cta",
            &operands,
            &[("operandSegmentSizes", sizes)],
            Vec::new(),
        )?;
        Ok(())
    }
}
