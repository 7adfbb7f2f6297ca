//! Groups of asynchronous operations.

use super::{NONE, Row, ptx};
use crate::operation::Operation as O;

pub(super) const ROWS: &[Row] = &[
    ptx(
        O::RemoteStore,
        &[
            "st.async.{?weak}.{space?=shared::cluster}.mbarrier::complete_tx::bytes.{?v2}.{?v4}.{type=b32,b64,u32,u64,s32,s64,f32,f64} [at@shared::cluster], {values}, [barrier@shared::cluster]",
        ],
    ),
    ptx(
        O::RemoteReduce,
        &[
            "red.async.{?relaxed}.{scope?=cluster}.{space?=shared::cluster}.mbarrier::complete_tx::bytes.{update=add.u64} [at@shared::cluster], {values}:u64, [barrier@shared::cluster]",
            "red.async.{?relaxed}.{scope?=cluster}.{space?=shared::cluster}.mbarrier::complete_tx::bytes.{update=inc*,dec*,min*,max*,and*,or*,xor*,add.u32,add.s32} [at@shared::cluster], {values}, [barrier@shared::cluster]",
        ],
    ),
    Row {
        operation: O::MapReplace,
        ptx: &[
            "tensormap.replace.tile.{field=rank,global_address,elemtype,interleave_layout,swizzle_mode,fill_mode}.{space?=global,shared*}.b1024.{type=b32,b64} [at], a",
            "tensormap.replace.tile.{field=box_dim,global_dim,global_stride,element_stride}.{space?=global,shared*}.b1024.{type=b32,b64} [at], ordinal, a",
        ],
        nvvm: NONE,
        intrinsic: &[
            "tensormap.replace.{field=rank,global.address,elemtype,interleave.layout,swizzle.mode,fill.mode} at, a",
            "tensormap.replace.{field=box.dim,global.dim,global.stride,element.stride} at, ordinal, a",
        ],
    },
    ptx(
        O::MapCopy,
        &[
            "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.{scope=cta,cluster,gpu,sys}.sync.aligned [at@global], [from@shared::cta], #bytes",
        ],
    ),
    // A register of bits is the number of bytes that are read, and a predicate says that none are.
    Row {
        operation: O::AsyncCopy,
        ptx: &[
            "cp.async.{ca|cg}.shared.global.{!L2::cache_hint}.{hint*} [at@shared], [from@global], #count, _:u64",
            "cp.async.{ca|cg}.shared::cta.global.{!L2::cache_hint}.{hint*} [at@shared], [from@global], #count, _:u64",
            "cp.async.{ca|cg}.shared.global.{!L2::cache_hint}.{hint*} [at@shared], [from@global], #count, bytes, _:u64",
            "cp.async.{ca|cg}.shared::cta.global.{!L2::cache_hint}.{hint*} [at@shared], [from@global], #count, bytes, _:u64",
            "cp.async.{ca|cg}.shared.global.{hint*} [at@shared], [from@global], #count, bytes?",
            "cp.async.{ca|cg}.shared::cta.global.{hint*} [at@shared], [from@global], #count, bytes?",
        ],
        nvvm: &["cp.async.shared.global at, from, bytes? | size=#count, modifier={ca|cg}"],
        intrinsic: &[
            "cp.async.ca.shared.global.{4|8|16} at, from",
            "cp.async.ca.shared.global.{4|8|16}.{!s} at, from, bytes",
            "cp.async.cg.shared.global.{!16} at, from",
            "cp.async.cg.shared.global.{!16}.{!s} at, from, bytes",
        ],
    },
    Row {
        operation: O::AsyncCommit,
        ptx: &["cp.async.commit_group"],
        nvvm: &["cp.async.commit.group"],
        intrinsic: &["cp.async.commit.group"],
    },
    Row {
        operation: O::AsyncWait,
        ptx: &["cp.async.wait_group #count", "cp.async.wait_all"],
        nvvm: &["cp.async.wait.group | n=#count"],
        intrinsic: &["cp.async.wait.group #count", "cp.async.wait.all"],
    },
    Row {
        operation: O::GroupFence,
        ptx: &["wgmma.fence.sync.aligned"],
        nvvm: &["wgmma.fence.aligned"],
        intrinsic: &["wgmma.fence.sync.aligned"],
    },
    Row {
        operation: O::GroupCommit,
        ptx: &["wgmma.commit_group.sync.aligned"],
        nvvm: &["wgmma.commit.group.sync.aligned"],
        intrinsic: &["wgmma.commit_group.sync.aligned"],
    },
    Row {
        operation: O::GroupWait,
        ptx: &["wgmma.wait_group.sync.aligned #count"],
        nvvm: &["wgmma.wait.group.sync.aligned | group=#count"],
        intrinsic: &["wgmma.wait_group.sync.aligned #count"],
    },
];
