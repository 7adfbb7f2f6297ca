//! Bulk copies and reductions of contiguous bytes. [`elect`](crate::atoms::elect) ensures that one
//! lane issues a copy.
//!
//! NVVM and LLVM have no `cp.reduce.async.bulk` without a tensor map, so it is inline assembly.

use cute_algebra::Width;
use cute_arch::{Target, atoms::Reduction, space, tensor_map::BulkReduction};
use cute_dialect::{
    atom::{BulkCopy, BulkWay, CopyFamily},
    types::scalar_type,
};
use cute_ffi::ir;
use melior::{
    dialect::llvm,
    ir::{Attribute, Value, attribute::StringAttribute},
};

use super::{CopyCall, LowersCopy};
use crate::{
    Builder, Built,
    atoms::{
        address,
        available::require,
        fields::Fields,
        issue::{Operands, in_cluster},
        pointer, tile_address,
    },
};

/// Why a copy to shared memory needs a barrier.
const COMPLETE: &str = "a bulk copy to shared memory signals its completion at a barrier";

impl<'c> LowersCopy<'c> for BulkCopy<'c> {
    fn copy(&self, b: &Builder<'c>, target: Target, call: &CopyCall<'c>) -> Built<()> {
        let row = self.bulk();
        require(b, row.name, row.on, target)?;
        let conditional = call.pred.map(|pred| b.conditional(pred)).transpose()?;
        let b = conditional.as_ref().unwrap_or(b);
        match self.way {
            BulkWay::GlobalToShared => load(self, b, call),
            BulkWay::SharedToGlobal => store(self, b, call),
            BulkWay::SharedToShared => send(self, b, call),
        }
    }
}

fn bytes<'c>(copy: &BulkCopy<'c>, b: &Builder<'c>) -> Built<Value<'c, 'c>> {
    b.i32(copy.bits() / 8)
}

/// A copy from global memory to this CTA, or to several.
fn load<'c>(copy: &BulkCopy<'c>, b: &Builder<'c>, call: &CopyCall<'c>) -> Built<()> {
    let fields = Fields(call.atom);
    let barrier = pointer(b, fields.needed(b, "tma_bar", COMPLETE)?)?;
    let mut to = tile_address(b, call.dst)?;
    let mut mask = Vec::new();
    if copy.multicast {
        to = in_cluster(b, to, None, space::CLUSTER)?;
        let why = "a multicast needs the CTAs of the cluster that receive the bytes";
        mask.push(fields.needed(b, "mcast_mask", why)?);
    }
    let (from, _) = address(b, call.src)?;
    let operands = vec![vec![to], vec![from], vec![barrier], vec![bytes(copy, b)?], mask, fields.cache(b)?];
    Operands(operands).issue(b, "nvvm.cp.async.bulk.shared.cluster.global", &[])
}

/// A copy from this CTA to global memory.
fn store<'c>(copy: &BulkCopy<'c>, b: &Builder<'c>, call: &CopyCall<'c>) -> Built<()> {
    let (to, _) = address(b, call.dst)?;
    let from = tile_address(b, call.src)?;
    if let Some(by) = copy.reduction {
        let operands = [word(b, to, Width::I64)?, word(b, from, Width::I32)?, bytes(copy, b)?];
        let ways = "global.shared::cta.bulk_group";
        return reduce(b, (copy, by), ways, "[$0], [$1], $2", &operands);
    }
    let operands = vec![vec![to], vec![from], vec![bytes(copy, b)?], vec![], vec![]];
    Operands(operands).issue(b, "nvvm.cp.async.bulk.global.shared.cta", &[])
}

/// A copy from this CTA to another of the cluster. The destination and the barrier are given by
/// their addresses in this CTA, and denote the same places in the other CTA.
fn send<'c>(copy: &BulkCopy<'c>, b: &Builder<'c>, call: &CopyCall<'c>) -> Built<()> {
    let fields = Fields(call.atom);
    let barrier = pointer(b, fields.needed(b, "tma_bar", COMPLETE)?)?;
    let rank = fields.needed(
        b,
        "cta_rank",
        "a copy to another CTA needs the CTA of the cluster that receives the bytes",
    )?;
    let in_other =
        |local| b.typed("nvvm.mapa", &[local, rank], llvm::r#type::pointer(b.context(), space::CLUSTER), &[]);
    let (to, at) = (in_other(tile_address(b, call.dst)?)?, in_other(barrier)?);
    let from = tile_address(b, call.src)?;
    if let Some(by) = copy.reduction {
        let [to, from, at] = [word(b, to, Width::I32)?, word(b, from, Width::I32)?, word(b, at, Width::I32)?];
        let ways = "shared::cluster.shared::cta.mbarrier::complete_tx::bytes";
        return reduce(b, (copy, by), ways, "[$0], [$1], $2, [$3]", &[to, from, bytes(copy, b)?, at]);
    }
    let operands = [to, from, in_cluster(b, at, None, space::SHARED)?, bytes(copy, b)?];
    b.effect("nvvm.cp.async.bulk.shared.cluster.shared.cta", &operands, &[])
}

/// An address as a number, in a register of this width.
fn word<'c>(b: &Builder<'c>, pointer: Value<'c, 'c>, width: Width) -> Built<Value<'c, 'c>> {
    b.typed("llvm.ptrtoint", &[pointer], scalar_type(b.context(), width), &[])
}

/// A reduction, whose text has these operands.
fn reduce<'c>(
    b: &Builder<'c>,
    (copy, by): (&BulkCopy<'c>, Reduction),
    ways: &str,
    operands: &str,
    values: &[Value<'c, 'c>],
) -> Built<()> {
    let element = copy.element().expect("the verifier requires elements that are reduced");
    let operation = BulkReduction::ptx(by, element);
    let wide = scalar_type(b.context(), Width::I64);
    let registers = values.iter().map(|value| if ir::type_of(*value) == wide { "l" } else { "r" });
    let constraints: Vec<&str> = registers.chain(["~{memory}"]).collect();
    let text = |text: &str| StringAttribute::new(b.context(), text).into();
    let attributes = [
        ("asm_string", text(&format!("cp.reduce.async.bulk.{ways}.{operation} {operands};"))),
        ("constraints", text(&constraints.join(","))),
        ("has_side_effects", Attribute::unit(b.context())),
    ];
    b.effect("llvm.inline_asm", values, &attributes)
}
