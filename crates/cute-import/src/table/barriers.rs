//! Barriers of a block's threads, and waits with a time limit. No published module has these
//! ops: their spellings are inferred.

use super::version::{
    Producer::{CuteDsl, CuteRs},
    Version::V4_5,
};
use super::{Custom, Drift, Origin, one_of};
use crate::site::{Rewritten, Site};

pub(super) const ROWS: &[Drift] = &[
    Drift {
        name: "nvvm.barrier.cta.sync",
        origin: Origin::inferred(V4_5).by(&[CuteDsl, CuteRs]),
        becomes: "llvm.call_intrinsic",
        custom: Custom::Typed,
        rewrite: |op| match op.operands[..] {
            [_] => call(op, "sync", "all"),
            [_, _] => call(op, "sync", "count"),
            _ => Err("needs a barrier, and may have a number of threads".into()),
        },
    },
    Drift {
        name: "nvvm.barrier.cta.arrive",
        origin: Origin::inferred(V4_5),
        becomes: "llvm.call_intrinsic",
        custom: Custom::Typed,
        rewrite: |op| match op.operands[..] {
            [_, _] => call(op, "arrive", "count"),
            _ => Err("needs a barrier and a number of threads".into()),
        },
    },
    Drift {
        name: "nvvm.barrier.cta.red",
        origin: Origin::inferred(V4_5),
        becomes: "llvm.call_intrinsic",
        custom: Custom::Typed,
        rewrite: reduction,
    },
    Drift {
        name: "nvvm.mbarrier.try_wait.parity.timelimit",
        origin: Origin::inferred(V4_5),
        becomes: "nvvm.mbarrier.try_wait",
        custom: Custom::Typed,
        rewrite: |op| wait(op, "nvvm.mbarrier.try_wait"),
    },
    Drift {
        name: "nvvm.mbarrier.try_wait.timelimit",
        origin: Origin::inferred(V4_5),
        becomes: "nvvm.mbarrier.try_wait",
        custom: Custom::Typed,
        rewrite: |op| wait(op, "nvvm.mbarrier.try_wait"),
    },
    Drift {
        name: "nvvm.mbarrier.wait",
        origin: Origin::inferred(V4_5),
        becomes: "nvvm.mbarrier.try_wait or nvvm.mbarrier.test.wait",
        custom: Custom::Typed,
        rewrite: |op| match one_of(op, "kind", &["try", "test"])? {
            Some(1) => wait(op, "nvvm.mbarrier.test.wait"),
            _ => wait(op, "nvvm.mbarrier.try_wait"),
        },
    },
];

/// LLVM's intrinsic, which upstream's op has in its aligned form alone.
fn call(op: &Site<'_, '_>, what: &str, threads: &str) -> Rewritten {
    let aligned = if op.flag("aligned") { ".aligned" } else { "" };
    let intrinsic = format!("\"llvm.nvvm.barrier.cta.{what}{aligned}.{threads}\"");
    let segments = format!("array<i32: {}, 0>", op.operands.len());
    let attributes = [
        ("intrin", intrinsic.as_str()),
        ("operandSegmentSizes", segments.as_str()),
        ("op_bundle_sizes", "array<i32>"),
    ];
    op.become_op("llvm.call_intrinsic", &op.operands, &attributes)
}

/// The predicate is the intrinsic's last operand.
fn reduction(op: &Site<'_, '_>) -> Rewritten {
    let kinds = ["and", "or", "popc"];
    let kind = kinds[one_of(op, "kind", &kinds)?.ok_or("has no kind")?];
    let (operands, threads) = match op.operands[..] {
        [predicate, id] => (vec![id, predicate], "all"),
        [predicate, id, threads] => (vec![id, threads, predicate], "count"),
        _ => return Err("needs a predicate and a barrier, and may have a number of threads".into()),
    };
    let aligned = if op.flag("aligned") { ".aligned" } else { "" };
    let intrinsic = format!("\"llvm.nvvm.barrier.cta.red.{kind}{aligned}.{threads}\"");
    let segments = format!("array<i32: {}, 0>", operands.len());
    let attributes = [
        ("intrin", intrinsic.as_str()),
        ("operandSegmentSizes", segments.as_str()),
        ("op_bundle_sizes", "array<i32>"),
    ];
    op.become_op("llvm.call_intrinsic", &operands, &attributes)
}

/// A wait for a phase: its parity is an i32, and its token an i64.
pub(super) fn wait(op: &Site<'_, '_>, name: &str) -> Rewritten {
    let scope = match one_of(op, "scope", &["cta", "cluster"])? {
        Some(1) => "#nvvm.mem_scope<cluster>",
        _ => "#nvvm.mem_scope<cta>",
    };
    let relaxed = if one_of(op, "order", &["acquire", "relaxed"])? == Some(1) { "true" } else { "false" };
    op.become_op(name, &op.operands, &[("scope", scope), ("relaxed", relaxed)])
}
