//! `mbarrier`. Release and acquire are the default, and a pointer determines the memory that the
//! barrier lies in.

use super::{Family, NONE, Row};
use crate::keyword::keywords;
use crate::operation::Operation as O;
use crate::role::roles;

pub(super) const FAMILY: Family = Family { rows: ROWS, words: WORDS, roles: ROLES, ..Family::NONE };

const ROWS: &[Row] = &[
    Row {
        operation: O::BarrierInit,
        ptx: &["mbarrier.init.{space?=shared*}.b64 [at], count"],
        nvvm: &["mbarrier.init at, count, guard?"],
        intrinsic: &["mbarrier.init.{?shared} at, count"],
    },
    Row {
        operation: O::BarrierInvalidate,
        ptx: &["mbarrier.inval.{space?=shared*}.b64 [at]"],
        nvvm: &["mbarrier.inval at"],
        intrinsic: &["mbarrier.inval.{?shared} at"],
    },
    Row {
        operation: O::BarrierExpect,
        ptx: &["mbarrier.expect_tx.{?relaxed}.{scope?=cta,cluster}.{space?=shared*}.b64 [at], bytes"],
        nvvm: &["mbarrier.expect_tx at, bytes | scope={scope=cta,cluster}"],
        intrinsic: &["mbarrier.expect.tx.{scope=scope*}.{space=space*} at, bytes"],
    },
    Row {
        operation: O::BarrierComplete,
        ptx: &["mbarrier.complete_tx.{?relaxed}.{scope?=cta,cluster}.{space?=shared*}.b64 [at], bytes"],
        nvvm: &["mbarrier.complete_tx at, bytes | scope={scope=cta,cluster}"],
        intrinsic: &["mbarrier.complete.tx.{scope=scope*}.{space=space*} at, bytes"],
    },
    Row {
        operation: O::BarrierPhaseArrive,
        ptx: &[
            "mbarrier.{arrive}.{?release}.{?relaxed}.{scope?=cta,cluster}.{space?=shared*}.b64 d:u64?, [at], count?",
            "mbarrier.{arrive}.{!expect_tx}.{?release}.{?relaxed}.{scope?=cta,cluster}.{space?=shared*}.b64 d:u64?, [at], bytes",
            "mbarrier.{arrive}.{!noComplete}.{?release}.{scope?=cta}.{space?=shared::cta,shared}.b64 d:u64, [at], count",
        ],
        nvvm: &[
            "mbarrier.{arrive} at, count? -> d? | scope={scope=cta,cluster}, relaxed?",
            "mbarrier.{arrive}.{!expect_tx} at, bytes, guard? -> d? | scope={scope=cta,cluster}, relaxed?",
            "mbarrier.{arrive}.{nocomplete|noComplete} at, count -> d",
        ],
        intrinsic: &[
            "mbarrier.{arrive}.{?shared} at -> d",
            "mbarrier.{arrive}.{?relaxed}.{scope=scope*}.{space=space*} at, count? -> d?",
            "mbarrier.{arrive}.{!expect}.tx.{?relaxed}.{scope=scope*}.{space=space*} at, bytes -> d?",
            "mbarrier.{arrive}.{!noComplete}.{?shared} at, count -> d",
        ],
    },
    Row {
        operation: O::BarrierPhaseWait,
        ptx: &[
            "mbarrier.{wait}.{!parity}.{?acquire}.{?relaxed}.{scope?=cta,cluster}.{space?=shared*}.b64 d:pred, [at], phase:u32, ticks?",
            "mbarrier.{wait}.{?acquire}.{?relaxed}.{scope?=cta,cluster}.{space?=shared*}.b64 d:pred, [at], phase:u64, ticks?",
        ],
        nvvm: &[
            "mbarrier.{wait} at, phase, ticks? -> d | scope={scope=cta,cluster}, relaxed?",
            "mbarrier.{wait=try_wait}.{!parity} at, phase, ticks",
        ],
        intrinsic: &[
            "mbarrier.{wait=test.wait}.{?shared} at, phase -> d",
            "mbarrier.{wait}.{?parity}.{?relaxed}.{scope=scope*}.{space=space.cta} at, phase -> d",
            "mbarrier.{wait=try.wait}.{?parity}.{!tl}.{?relaxed}.{scope=scope*}.{space=space.cta} at, phase, ticks -> d",
        ],
    },
    Row {
        operation: O::BarrierPending,
        ptx: &["mbarrier.pending_count.b64 d:u32, a:u64"],
        nvvm: NONE,
        intrinsic: &["mbarrier.pending.count a -> d"],
    },
    Row {
        operation: O::BarrierFollow,
        ptx: &["cp.async.mbarrier.arrive.{?noinc}.{space?=shared*}.b64 [at]"],
        nvvm: &["cp.async.mbarrier.arrive at | noinc?"],
        intrinsic: &["cp.async.mbarrier.arrive.{?noinc}.{?shared} at"],
    },
];

roles! {
    const ROLES;

    /// A parity, or a token of a phase.
    PHASE "phase" U64,
    /// A limit of time, which is not modelled.
    TICKS "ticks" U32,
}

keywords! {
    const WORDS;

    /// Whether later phases expect the thread's arrival.
    Arrive "arrive" "" {
        /// They do.
        Stays ["arrive"] ["arrive"] ["arrive"],
        /// They do not.
        Drops ["arrive_drop"] ["arrive_drop"] ["arrive.drop"],
    }

    /// How long a wait for a barrier takes.
    PhaseWait "wait" "" {
        /// It answers at once.
        Test ["test_wait"] ["test.wait"] ["test.wait"],
        /// It may wait for a limited time.
        Try ["try_wait"] ["try_wait"] ["try.wait"],
    }
}
