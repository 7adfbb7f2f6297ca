//! The course of a thread, and what it may ask of the machine.

use super::{Family, NONE, Row, Spellings, ptx};
use crate::keyword::keywords;
use crate::operation::Operation as O;
use crate::role::roles;

pub(super) const FAMILY: Family =
    Family { rows: ROWS, apart: APART, words: WORDS, roles: ROLES, ..Family::NONE };

const ROWS: &[Row] = &[
    Row {
        operation: O::Registers,
        ptx: &["setmaxnreg.{registers}.sync.aligned.u32 #count"],
        nvvm: &["setmaxregister | action={registers}, regCount=#count"],
        intrinsic: &["setmaxnreg.{registers}.sync.aligned.u32 #count"],
    },
    Row {
        operation: O::GridDependency,
        ptx: &["griddepcontrol.{grid}"],
        nvvm: &["griddepcontrol | kind={grid}"],
        intrinsic: &["griddepcontrol.{grid}"],
    },
    Row {
        operation: O::MapAddress,
        ptx: &["mapa.{space?=shared::cluster}.{type=u32,u64} d, a, rank"],
        nvvm: &["mapa a, rank -> d"],
        intrinsic: &["mapa a, rank -> d", "mapa.shared.cluster a, rank -> d"],
    },
    Row {
        operation: O::BlockRank,
        ptx: &["getctarank.{space?=shared::cluster}.{type=u32,u64} d:u32, a"],
        nvvm: NONE,
        intrinsic: &["getctarank a -> d", "getctarank.shared.cluster a -> d"],
    },
    // Events count for profilers alone.
    Row {
        operation: O::Nothing,
        ptx: &["pmevent #count", "pmevent.mask #count"],
        nvvm: &["pmevent"],
        intrinsic: &["pm.event.mask #count"],
    },
    // A hint about time, whose length nothing depends on.
    Row {
        operation: O::Nothing,
        ptx: &["nanosleep.u32 _:u32"],
        nvvm: &["nanosleep _"],
        intrinsic: &["nanosleep _"],
    },
    Row { operation: O::Exit, ptx: &["exit"], nvvm: &["exit"], intrinsic: &["exit"] },
    Row { operation: O::Trap, ptx: &["trap", "brkpt"], nvvm: &["breakpoint"], intrinsic: NONE },
    Row {
        operation: O::Move,
        ptx: &["mov.{type} d, a"],
        nvvm: NONE,
        intrinsic: &["move.{i16|i32|i64|float|double|ptr} a -> d"],
    },
    Row {
        operation: O::Pack,
        ptx: &["mov.{type=b16,b32,b64,b128} d, {values}"],
        nvvm: NONE,
        intrinsic: &["lohi.i2d values, values -> d | type=b64"],
    },
    Row {
        operation: O::Unpack,
        ptx: &["mov.{type=b16,b32,b64,b128} {d}, a"],
        nvvm: NONE,
        intrinsic: &["d2i.{lo|hi} a -> d | type=b64"],
    },
    ptx(O::AddressCast, &["cvta.{?to}.{space}.{type=u32,u64} d, a"]),
    Row {
        operation: O::IsInSpace,
        ptx: &["isspacep.{space} d:pred, a:pointer", "isspacep.{param|param::entry} d:pred, a:pointer"],
        nvvm: NONE,
        intrinsic: &["isspacep.{space=const,global,local,shared,shared.cluster} a -> d"],
    },
    Row {
        operation: O::TryCancel,
        ptx: &[
            "clusterlaunchcontrol.try_cancel.async.{space?=shared::cta}.mbarrier::complete_tx::bytes.{?multicast::cluster::all}.b128 [at], [barrier]",
        ],
        nvvm: &["clusterlaunchcontrol.try.cancel at, barrier | multicast?"],
        intrinsic: &["clusterlaunchcontrol.try_cancel.async.{?multicast}.shared at, barrier"],
    },
    Row {
        operation: O::QueryCancel,
        ptx: &[
            "clusterlaunchcontrol.query_cancel.{query=is_canceled}.pred.b128 d:pred, a:b128",
            "clusterlaunchcontrol.query_cancel.{query=get*}.b32.b128 d, a:b128",
        ],
        nvvm: &["clusterlaunchcontrol.query.cancel a -> d | query_type={query}"],
        intrinsic: &["clusterlaunchcontrol.query_cancel.{query} a -> d"],
    },
    ptx(O::QueryBlock, &["clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {values}, a:b128"]),
];

const APART: Spellings = Spellings { ptx: &["bra", "brx.idx", "call", "ret"], nvvm: NONE, intrinsic: NONE };

roles! {
    const ROLES;

    /// The rank of a block.
    RANK "rank" U32,
}

keywords! {
    const WORDS;

    /// The direction in which a warpgroup's number of registers changes.
    Registers "registers" "#nvvm<action *>" {
        /// Up.
        Increase ["inc"] ["increase"] ["inc"],
        /// Down.
        Decrease ["dec"] ["decrease"] ["dec"],
    }

    /// The order of a grid and the grids before and after it.
    GridDependency "grid" "#nvvm<grid_dep_action *>" {
        /// It waits for those before.
        Wait ["wait"] ["wait"] ["wait"],
        /// It lets those after begin.
        Launch ["launch_dependents"] ["launch_dependents"] ["launch.dependents"],
    }

    /// A question about the answer to a request for a cluster.
    Query "query" "#nvvm<cluster_launch_control_query_type *>" {
        /// Will some cluster not run?
        IsCanceled ["is_canceled"] ["is_canceled"] ["is_canceled"],
        /// The first position of its first block.
        FirstX ["get_first_ctaid::x"] ["get_first_cta_id_x"] ["get_first_ctaid.x"],
        /// The second.
        FirstY ["get_first_ctaid::y"] ["get_first_cta_id_y"] ["get_first_ctaid.y"],
        /// The third.
        FirstZ ["get_first_ctaid::z"] ["get_first_cta_id_z"] ["get_first_ctaid.z"],
    }
}
