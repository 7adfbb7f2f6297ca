//! `tcgen05.cp`: copies from shared to tensor memory. [`elect`](crate::atoms::elect) ensures that
//! one lane issues a copy.

use cute_algebra::CopySide;
use cute_arch::{Target, atoms::Broadcast};
use cute_dialect::atom::S2tCopy;

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
        let entry = self.entry().or_else(|why| b.refuse(&why))?;
        require(b, &entry.name, entry.on, target)?;
        lies_as(b, entry, CopySide::Dst, call.dst)?;
        let conditional = call.pred.map(|pred| b.conditional(pred)).transpose()?;
        let b = conditional.as_ref().unwrap_or(b);
        let multicast = match self.broadcast {
            Broadcast::Nothing => "none",
            Broadcast::Lw0213 => "warpx2_02_13",
            Broadcast::Lw0123 => "warpx2_01_23",
            Broadcast::X4 => "warpx4",
        };
        let shape = format!("#nvvm.tcgen05_cp_shape<shape_{}x{}b>", self.lanes, self.bits);
        let attributes = [
            ("shape", b.attribute(&shape)?),
            ("multicast", b.attribute(&format!("#nvvm.tcgen05_cp_multicast<{multicast}>"))?),
            ("group", group(b, self.ctas)?),
        ];
        let to = place(b, b.inferred("cute.get_iter", &[call.dst], &[])?)?;
        b.effect("nvvm.tcgen05.cp", &[to, descriptor(b, call.src)?], &attributes)
    }
}
