//! Bulk copies of contiguous bytes. [`elect`](crate::atoms::elect) has seen to it that one lane issues a copy.

use cute_arch::Target;
use cute_dialect::atom::{BulkCopy, BulkWay, CopyFamily};
use melior::ir::Value;

use super::{CopyCall, LowersCopy};
use crate::{
    atoms::{
        address,
        fields::Fields,
        issue::{Operands, in_cluster},
        pointer, tile_address,
    },
    build::{Build, Built, conditional},
};

/// Why a copy to shared memory needs a barrier.
const COMPLETE: &str = "a bulk copy to shared memory says at a barrier that it is complete";

impl<'c> LowersCopy<'c> for BulkCopy<'c> {
    fn copy(&self, b: &Build<'c>, target: Target, call: &CopyCall<'c>) -> Built<()> {
        let row = self.bulk();
        if !row.on.on(target) {
            return b.refuse(&format!("{target} has no {}; it is on {}", row.name, row.on));
        }
        let conditional = call.pred.map(|pred| conditional(b, pred)).transpose()?;
        let b = conditional.as_ref().unwrap_or(b);
        match self.way {
            BulkWay::GlobalToShared => load(self, b, call),
            BulkWay::SharedToGlobal => store(self, b, call),
            BulkWay::SharedToShared => send(self, b, call),
        }
    }
}

fn bytes<'c>(copy: &BulkCopy<'c>, b: &Build<'c>) -> Built<Value<'c, 'c>> {
    b.i32(copy.bits() / 8)
}

/// From global memory to this CTA, or to several.
fn load<'c>(copy: &BulkCopy<'c>, b: &Build<'c>, call: &CopyCall<'c>) -> Built<()> {
    let fields = Fields(call.atom);
    let barrier = pointer(b, fields.needed(b, "tma_bar", COMPLETE)?)?;
    let mut to = tile_address(b, call.dst)?;
    let mut mask = Vec::new();
    if copy.multicast {
        to = in_cluster(b, to, None, 7)?;
        let why = "a multicast says which CTAs of the cluster receive the bytes";
        mask.push(fields.needed(b, "mcast_mask", why)?);
    }
    let (from, _) = address(b, call.src)?;
    let operands = vec![vec![to], vec![from], vec![barrier], vec![bytes(copy, b)?], mask, fields.cache(b)?];
    Operands(operands).issue(b, "nvvm.cp.async.bulk.shared.cluster.global", &[])
}

/// From this CTA to global memory.
fn store<'c>(copy: &BulkCopy<'c>, b: &Build<'c>, call: &CopyCall<'c>) -> Built<()> {
    let (to, _) = address(b, call.dst)?;
    let operands = vec![vec![to], vec![tile_address(b, call.src)?], vec![bytes(copy, b)?], vec![], vec![]];
    Operands(operands).issue(b, "nvvm.cp.async.bulk.global.shared.cta", &[])
}

/// From this CTA to another of the cluster. The destination and the barrier are named by their addresses in this CTA: those at
/// the same place in the other CTA are meant.
fn send<'c>(copy: &BulkCopy<'c>, b: &Build<'c>, call: &CopyCall<'c>) -> Built<()> {
    let fields = Fields(call.atom);
    let barrier = pointer(b, fields.needed(b, "tma_bar", COMPLETE)?)?;
    let rank = fields.needed(
        b,
        "cta_rank",
        "a copy to another CTA says which CTA of the cluster receives the bytes",
    )?;
    let in_other = |local| b.typed("nvvm.mapa", &[local, rank], b.parse_type("!llvm.ptr<7>"), &[]);
    let (to, at) = (in_other(tile_address(b, call.dst)?)?, in_other(barrier)?);
    let operands = [to, tile_address(b, call.src)?, in_cluster(b, at, None, 3)?, bytes(copy, b)?];
    b.effect("nvvm.cp.async.bulk.shared.cluster.shared.cta", &operands, &[], Vec::new()).map(|_| ())
}
