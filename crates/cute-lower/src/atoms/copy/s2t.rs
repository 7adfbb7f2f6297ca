//! `tcgen05.cp`: copies from shared to tensor memory. [`elect`](crate::atoms::elect) ensures that
//! one lane issues a copy.

use cute_algebra::CopySide;
use cute_arch::Target;
use cute_dialect::atom::S2tCopy;
use cute_ptx::{Keyword, RowShape};

use super::{CopyCall, LowersCopy};
use crate::{
    Builder, Built,
    atoms::{
        available::require,
        mma::descriptor,
        tmem::{group, lies_as, place},
    },
};

impl<'c> LowersCopy<'c> for S2tCopy<'c> {
    fn copy(&self, b: &Builder<'c>, target: Target, call: &CopyCall<'c>) -> Built<()> {
        let entry = b.ask(self.entry())?;
        require(b, &entry.name, entry.on, target)?;
        lies_as(b, entry, CopySide::Dst, call.dst)?;
        let conditional = call.pred.map(|pred| b.conditional(pred)).transpose()?;
        let b = conditional.as_ref().unwrap_or(b);
        let Some(shape) = RowShape::of(self.lanes, self.bits) else {
            return b
                .refuse(&format!("tcgen05.cp has no shape of {} rows of {} bits", self.lanes, self.bits));
        };
        let attributes = [
            ("shape", b.attribute(&shape.nvvm_attribute())?),
            ("multicast", b.attribute(&self.broadcast.nvvm_attribute())?),
            ("group", group(b, self.ctas)?),
        ];
        let to = place(b, b.inferred("cute.get_iter", &[call.dst], &[])?)?;
        b.effect("nvvm.tcgen05.cp", &[to, descriptor(b, call.src)?], &attributes)
    }
}
