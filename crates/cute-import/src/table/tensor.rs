//! Ops of tensor memory, whose group of blocks CuTe DSL calls `#nvvm.tcgen05_group<cta_1>`, and
//! upstream calls `#nvvm.cta_group<cta_1>`. The Python sources have these ops, and no published
//! module does: their spellings are inferred. So is that of marks in a trace, which are not
//! supported.

use super::{Custom, Drift, one_of};
use crate::site::{Rewritten, Site};

pub(super) const ROWS: &[Drift] = &[
    Drift { name: "nvvm.tcgen05.alloc", custom: Custom::Typed, rewrite: grouped },
    Drift { name: "nvvm.tcgen05.dealloc", custom: Custom::Typed, rewrite: grouped },
    Drift { name: "nvvm.tcgen05.relinquish_alloc_permit", custom: Custom::Upstream, rewrite: grouped },
    Drift { name: "nvvm.tcgen05.shift", custom: Custom::Typed, rewrite: grouped },
    Drift { name: "nvvm.trace.mark", custom: Custom::Typed, rewrite: |_| mark() },
    Drift { name: "nvvm.trace_mark", custom: Custom::Typed, rewrite: |_| mark() },
];

/// Renames the group, which is the op's only attribute.
fn grouped(op: &Site<'_, '_>) -> Rewritten {
    if op.word("group").is_none() || op.has_mnemonic("group", "cta_group") {
        return Ok(false);
    }
    let group = match one_of(op, "group", &["cta_1", "cta_2"])? {
        Some(1) => "#nvvm.cta_group<cta_2>",
        _ => "#nvvm.cta_group<cta_1>",
    };
    op.become_op(op.name(), &op.operands, &[("group", group)])
}

fn mark() -> Rewritten {
    Err("marks a trace of iket, which is not supported; compile the kernel without its instrumentation"
        .into())
}
