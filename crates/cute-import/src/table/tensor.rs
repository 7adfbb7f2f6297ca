//! Ops of tensor memory, whose group of blocks CuTe DSL calls `#nvvm.tcgen05_group<cta_1>` and upstream
//! calls `#nvvm.cta_group<cta_1>`. The Python sources have these ops, and no published module does:
//! their spellings are inferred. So is that of marks in a trace, which are not supported.

use super::{Custom, Drift, one_of};
use crate::site::{Rewritten, Site};

pub(super) const ROWS: &[Drift] = &[
    Drift { name: "nvvm.tcgen05.alloc", custom: Custom::Typed, rewrite: |op| grouped(op, &[]) },
    Drift { name: "nvvm.tcgen05.dealloc", custom: Custom::Typed, rewrite: |op| grouped(op, &[]) },
    Drift {
        name: "nvvm.tcgen05.relinquish_alloc_permit",
        custom: Custom::Upstream,
        rewrite: |op| grouped(op, &[]),
    },
    Drift { name: "nvvm.tcgen05.shift", custom: Custom::Typed, rewrite: |op| grouped(op, &[]) },
    Drift {
        name: "nvvm.tcgen05.cp",
        custom: Custom::Upstream,
        rewrite: |op| grouped(op, &["shape", "multicast", "srcFormat"]),
    },
    Drift { name: "nvvm.trace.mark", custom: Custom::Typed, rewrite: |_| mark() },
    Drift { name: "nvvm.trace_mark", custom: Custom::Typed, rewrite: |_| mark() },
];

/// Renames the group, and keeps these attributes.
fn grouped(op: &Site<'_, '_>, kept: &[&str]) -> Rewritten {
    let is_own = |text: String| text.starts_with("#nvvm.tcgen05_group") || text.starts_with('"');
    if !op.attribute("group").is_some_and(|group| is_own(group.to_string())) {
        return Ok(false);
    }
    let group = match one_of(op, "group", &["cta_1", "cta_2"])? {
        Some(1) => "#nvvm.cta_group<cta_2>",
        _ => "#nvvm.cta_group<cta_1>",
    };
    let texts: Vec<_> =
        kept.iter().filter_map(|name| Some((*name, op.attribute(name)?.to_string()))).collect();
    let mut attributes: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
    attributes.push(("group", group));
    op.become_op(op.name(), &op.operands, &attributes)
}

fn mark() -> Rewritten {
    Err("marks a trace of iket, which is not supported; compile the kernel without its instrumentation"
        .into())
}
