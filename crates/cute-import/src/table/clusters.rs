//! Addresses and barriers in other blocks of a cluster, commits to them, and requests for the work
//! of another cluster.

use cute_arch::space::{CLUSTER, SHARED};
use cute_ffi::{
    ir::type_of,
    lowered::{MachineType, machine_type},
};
use melior::dialect::llvm::r#type::pointer;

use super::version::Version::{V4_3, V4_4, V4_5};
use super::{Custom, Drift, Origin, one_of};
use crate::site::{Rewritten, Site};

pub(super) const ROWS: &[Drift] = &[
    Drift {
        name: "nvvm.mbarrier.txn",
        origin: Origin::seen(V4_3),
        becomes: "nvvm.mbarrier.arrive, nvvm.mbarrier.arrive.expect_tx or nvvm.mbarrier.expect_tx",
        custom: Custom::Typed,
        rewrite: transaction,
    },
    Drift {
        name: "nvvm.mapa.shared.cluster",
        origin: Origin::seen(V4_3),
        becomes: "nvvm.mapa",
        custom: Custom::Typed,
        rewrite: map_to_cluster,
    },
    Drift {
        name: "nvvm.tcgen05.commit.arrive",
        origin: Origin::seen(V4_3),
        becomes: "nvvm.tcgen05.commit",
        custom: Custom::Typed,
        rewrite: commit,
    },
    Drift {
        name: "nvvm.clusterlaunchcontrol.try_cancel.multicast",
        origin: Origin::seen(V4_4),
        becomes: "nvvm.clusterlaunchcontrol.try.cancel",
        custom: Custom::Fixed { operands: "!llvm.ptr<3>, !llvm.ptr<3>", result: "()" },
        rewrite: |op| {
            op.become_op("nvvm.clusterlaunchcontrol.try.cancel", &op.operands, &[("multicast", "unit")])
        },
    },
    Drift {
        name: "nvvm.clusterlaunchcontrol.query_cancel.is_canceled",
        origin: Origin::seen(V4_4),
        becomes: "nvvm.clusterlaunchcontrol.query.cancel",
        custom: Custom::Fixed { operands: "i128", result: "i1" },
        rewrite: |op| query(op, "is_canceled"),
    },
    Drift {
        name: "nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.x",
        origin: Origin::seen(V4_4),
        becomes: "nvvm.clusterlaunchcontrol.query.cancel",
        custom: Custom::Fixed { operands: "i128", result: "i32" },
        rewrite: |op| query(op, "get_first_cta_id_x"),
    },
    Drift {
        name: "nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.y",
        origin: Origin::seen(V4_4),
        becomes: "nvvm.clusterlaunchcontrol.query.cancel",
        custom: Custom::Fixed { operands: "i128", result: "i32" },
        rewrite: |op| query(op, "get_first_cta_id_y"),
    },
    Drift {
        name: "nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.z",
        origin: Origin::seen(V4_4),
        becomes: "nvvm.clusterlaunchcontrol.query.cancel",
        custom: Custom::Fixed { operands: "i128", result: "i32" },
        rewrite: |op| query(op, "get_first_cta_id_z"),
    },
    // CuTe DSL 4.5 and later.
    Drift {
        name: "nvvm.tcgen05.commit",
        origin: Origin::seen(V4_5),
        becomes: "nvvm.tcgen05.commit",
        custom: Custom::Marked { mark: "tcgen05_group", name: "nvvm.tcgen05.commit.arrive" },
        rewrite: |op| match op.has_mnemonic("group", "tcgen05_group") {
            true => commit(op),
            false => Ok(false),
        },
    },
    Drift {
        name: "llvm.addrspacecast",
        origin: Origin::seen(V4_5),
        becomes: "",
        custom: Custom::Upstream,
        rewrite: cast_to_shared,
    },
];

/// A transaction on an mbarrier of this block or of another block in the cluster.
fn transaction(op: &Site<'_, '_>) -> Rewritten {
    one_of(op, "scope", &["cta"])?;
    let remote = one_of(op, "space", &["cta", "cluster"])? == Some(1);
    let address = cute_ffi::ir::type_of(*op.operands.first().ok_or("has no address")?);
    if remote != matches!(machine_type(address), Some(MachineType::Pointer(CLUSTER))) {
        let space = if remote { "cluster" } else { "cta" };
        return Err(format!("has space = {space}, but the address {address} is not in that space"));
    }
    let name = match one_of(op, "kind", &["arrive", "arrive_expect_tx", "expect_tx"])? {
        Some(1) => "nvvm.mbarrier.arrive.expect_tx",
        Some(2) => "nvvm.mbarrier.expect_tx",
        _ => "nvvm.mbarrier.arrive",
    };
    op.become_op(name, &op.operands, &[])
}

/// Upstream gives an address in the cluster its own type.
fn map_to_cluster(op: &Site<'_, '_>) -> Rewritten {
    takes_cluster(op)?;
    op.become_typed("nvvm.mapa", &op.operands, &[], &[pointer(op.context(), CLUSTER)])
}

/// Ops that take an address in the cluster.
const IN_CLUSTER: [&str; 6] = [
    "nvvm.mbarrier.txn",
    "nvvm.mbarrier.arrive",
    "nvvm.mbarrier.arrive.expect_tx",
    "nvvm.mbarrier.arrive_drop",
    "nvvm.mbarrier.complete_tx",
    "nvvm.mbarrier.expect_tx",
];

/// Refuses a result in the cluster that an op uses which is not known to take such an address.
fn takes_cluster(op: &Site<'_, '_>) -> Result<(), String> {
    match op.users().into_iter().find(|user| !IN_CLUSTER.contains(user)) {
        Some(user) => {
            Err(format!("is used by '{user}', which is not known to take an address in the cluster"))
        }
        None => Ok(()),
    }
}

fn query(op: &Site<'_, '_>, what: &str) -> Rewritten {
    let attribute = format!("#nvvm<cluster_launch_control_query_type {what}>");
    op.become_op("nvvm.clusterlaunchcontrol.query.cancel", &op.operands, &[("query_type", &attribute)])
}

/// Upstream names the CTAs of a commit by another attribute.
fn commit(op: &Site<'_, '_>) -> Rewritten {
    let group = match one_of(op, "group", &["cta_1", "cta_2"])? {
        Some(1) => "#nvvm.cta_group<cta_2>",
        _ => "#nvvm.cta_group<cta_1>",
    };
    op.become_op("nvvm.tcgen05.commit", &op.operands, &[("group", group)])
}

/// CuTe DSL 4.5 maps an address to another block of the cluster by upstream's `nvvm.mapa`, and then
/// casts the result to shared memory, because ops on barriers take such addresses. They also say
/// that the address is one in the cluster, so here it stays one.
fn cast_to_shared(op: &Site<'_, '_>) -> Rewritten {
    let [from] = op.operands[..] else { return Ok(false) };
    let is_in = |t, space| matches!(machine_type(t), Some(MachineType::Pointer(s)) if s == space);
    if !is_in(type_of(from), CLUSTER) || !op.results().iter().all(|t| is_in(*t, SHARED)) {
        return Ok(false);
    }
    takes_cluster(op)?;
    op.become_value(from)
}
