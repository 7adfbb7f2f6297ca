//! Ops of tensor memory, whose group of blocks CuTe DSL calls `#nvvm.tcgen05_group<cta_1>`, and
//! upstream calls `#nvvm.cta_group<cta_1>`. No published module has these ops: their spellings are
//! inferred.

use super::version::Version::V4_5;
use super::{BETWEEN, Custom, Drift, Origin, one_of};
use crate::site::{Rewritten, Site};

pub(super) const ROWS: &[Drift] = &[
    grouped("nvvm.tcgen05.alloc", "nvvm.tcgen05.alloc.drifted"),
    drifted("nvvm.tcgen05.alloc.drifted"),
    grouped("nvvm.tcgen05.dealloc", "nvvm.tcgen05.dealloc.drifted"),
    drifted("nvvm.tcgen05.dealloc.drifted"),
    grouped("nvvm.tcgen05.relinquish_alloc_permit", "nvvm.tcgen05.relinquish_alloc_permit.drifted"),
    drifted("nvvm.tcgen05.relinquish_alloc_permit.drifted"),
    grouped("nvvm.tcgen05.shift", "nvvm.tcgen05.shift.drifted"),
    drifted("nvvm.tcgen05.shift.drifted"),
];

/// An op of upstream. In custom assembly, one with CuTe DSL's group gets another name, because
/// upstream checks the attribute.
const fn grouped(name: &'static str, other: &'static str) -> Drift {
    Drift {
        name,
        origin: Origin::inferred(V4_5),
        becomes: name,
        custom: Custom::Marked { mark: "tcgen05_group", name: other },
        rewrite: |op| match op.has_mnemonic("group", "tcgen05_group") {
            true => renamed(op, op.name()),
            false => Ok(false),
        },
    }
}

/// An op with CuTe DSL's group, under that other name.
const fn drifted(name: &'static str) -> Drift {
    Drift {
        name,
        origin: Origin::inferred(V4_5),
        becomes: "",
        custom: Custom::Upstream,
        rewrite: |op| renamed(op, op.name().strip_suffix(BETWEEN).unwrap_or(op.name())),
    }
}

/// Renames the group, which is the op's only attribute.
fn renamed(op: &Site<'_, '_>, name: &str) -> Rewritten {
    let group = match one_of(op, "group", &["cta_1", "cta_2"])? {
        Some(1) => "#nvvm.cta_group<cta_2>",
        _ => "#nvvm.cta_group<cta_1>",
    };
    op.become_op(name, &op.operands, &[("group", group)])
}
