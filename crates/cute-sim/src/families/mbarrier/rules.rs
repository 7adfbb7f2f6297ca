//! Rules of `mbarrier`, and misuses of it.

use crate::quoted::{NamedInstruction, Party, named};
use cute_machine::place::SourcePlace;
use serde::Serialize;

crate::isa::rules! {
    "M1", "an mbarrier has 8 bytes, aligned to 8, which only mbarrier operations use until `mbarrier.inval`",
        "mbarrier: Size and alignment", "`barrier_storage`, `misaligned`";
    "M2", "a phase ends when no arrivals and no bytes are missing",
        "mbarrier: Phase Completion", "`deadlock`";
    "M3", "bytes may arrive before they are expected, as long as an arrival is missing",
        "mbarrier: expect-tx operation", "none: legal";
    "M4", "`expect_tx` alone is not an arrival",
        "mbarrier.expect_tx", "`deadlock`";
    "M5", "a surplus arrival counts in the next phase; it is an error if no arrivals but some bytes are missing, if lanes that arrive together exceed a phase, or if a thread waits and the arrival could have changed places with one of the phase before",
        "mbarrier: Arrive-on operation", "`mbarrier`, or `deadlock` with the arrivals by phase";
    "M6", "arrival counts are 1 to 1048575; pending bytes are -1048575 to 1048575",
        "mbarrier: Contents", "`mbarrier`";
    "M7", "a wait for parity P passes when the current phase has the other parity; on a new barrier, a wait for parity 1 passes",
        "mbarrier.test_wait", "`race`, `deadlock`";
    "M8", "a wait can only test the current phase and the previous one, so a phase ends after every wait for the phase before",
        "mbarrier.test_wait", "`missed_phase` (between lanes that wait together portability), `race`, `deadlock`";
    "M9", "any number of threads, or none, may wait for a complete phase, with or without a test before",
        "mbarrier.test_wait", "none: legal";
    "M10", "`try_wait` may return false at any time, so its result must be used; a `test_wait` whose result is not used orders nothing",
        "mbarrier.try_wait", "`mbarrier`, `race`";
    "M11", "a thread waits only for barriers of its own block; a remote arrival takes an address from `mapa`, uses the form `shared::cluster`, and returns no state",
        "mbarrier.arrive, mapa", "`other_block`; rejected";
    "M12", "a wait acquires from arrivals of its phase with release, and from the copies that the phase counts; relaxed arrivals publish nothing without a fence",
        "Memory Consistency Model", "`race`";
    "M13", "only the thread that waits, or that reads an atomic, acquires; other lanes need a barrier, also lane 0 where an elected lane has waited",
        "Memory Consistency Model", "`race`";
    "M14", "an arrival publishes writes, and a wait acquires them, only within its scope; its scope does not limit counts, reads that have finished, or bulk copies that are complete",
        "Memory Consistency Model", "`race`";
    "M15", "`fence.mbarrier_init` and a barrier of the cluster separate `mbarrier.init` from its use by another block; a barrier suffices within a block, also before the TMA uses it",
        "membar / fence", "`race`";
    "M16", "`mbarrier.inval` precedes any other use of the bytes, and follows every use of the barrier; for waits that have returned, order of execution is enough",
        "mbarrier.inval", "`barrier_storage`, `mbarrier`";
}

/// A misuse of an `mbarrier`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "misuse", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum MbarrierMisuse {
    /// It was not initialised, or it was invalidated.
    #[error("is not initialised: `mbarrier.init` must come first, and then a barrier before its use")]
    Uninitialised,
    /// It is initialised while it is in use.
    #[error(
        "is initialised already, at {location}: `mbarrier.inval` must come before it is initialised again"
    )]
    Again {
        /// The location of the initialisation.
        location: SourcePlace,
    },
    /// A count of arrivals that is out of range.
    #[error("cannot count {count} arrivals: a count is from 1 to 1048575")]
    Count { count: u32 },
    /// More arrivals than the phase expects.
    #[error(
        "gets {count} {} in phase {phase}, but that phase expects {}{}",
        if *count == 1 { "arrival" } else { "arrivals" },
        if *pending == 0 { "no more".to_owned() } else { format!("only {pending} more") },
        after(.last)
    )]
    Arrivals {
        count: u32,
        /// Arrivals that are expected.
        pending: u32,
        /// The phase, counted from 0.
        phase: u64,
        /// The arrival before.
        last: Option<Box<Party>>,
    },
    /// One execution of an instruction arrives more often than a phase expects.
    #[error(
        "gets {count} arrivals from {lanes} lanes of a warp that execute this instruction together, but each of its phases \
         expects {expected}: let one elected thread execute it"
    )]
    Surplus {
        count: u64,
        /// Lanes that arrive.
        lanes: u32,
        /// Arrivals that each phase expects.
        expected: u32,
    },
    /// Chance decides which arrivals end a phase.
    #[error(
        "has phases that too many threads may end: phase {phase} expects {expected} {} and counted that of {}, the next phase \
         counted that of {}, and nothing orders the second after the first: initialise the mbarrier with the number of all \
         threads that arrive in a phase",
        if *expected == 1 { "arrival" } else { "arrivals" },
        named(earlier),
        named(later)
    )]
    Mixed {
        /// The phase that the first arrival helped to end.
        phase: u64,
        /// Arrivals that each phase expects.
        expected: u32,
        /// The arrival in that phase.
        earlier: Box<Party>,
        /// The arrival in the next phase.
        later: Box<Party>,
    },
    /// It is invalidated while others may still use it.
    #[error(
        "is invalidated, but nothing orders that after its use by {}: a barrier of threads must lie between the two",
        named(other)
    )]
    InUse { other: Box<Party> },
    /// The count of bytes leaves its range.
    #[error(
        "cannot have {bytes} bytes pending: the tx-count ranges from -1048575 to 1048575{}",
        if *bytes < 0 { "; more bytes have arrived than were ever expected" } else { "" }
    )]
    Bytes {
        /// Bytes that are expected and have not arrived; negative if more have arrived than are
        /// expected.
        bytes: i64,
    },
    /// The result of the test of its phase is not used.
    #[error(
        "is tested by a `try_wait` whose result is not used: it may return before the phase is complete, so repeat it \
         in a loop until the result is true"
    )]
    Ignored,
    /// An arrival that promises not to complete the phase would.
    #[error("would complete its phase by an arrival with `.noComplete`")]
    Completes,
}

impl MbarrierMisuse {
    /// The instruction that it names without an access.
    pub(crate) fn named(&self) -> Option<NamedInstruction<'_>> {
        match self {
            Self::Again { location } => Some(NamedInstruction::at(location)),
            _ => None,
        }
    }

    /// The thread that it names, with its instruction.
    pub(crate) fn party(&self) -> Option<&Party> {
        match self {
            Self::Arrivals { last, .. } => last.as_deref(),
            Self::Mixed { earlier: other, .. } | Self::InUse { other } => Some(other),
            _ => None,
        }
    }
}

fn after(last: &Option<Box<Party>>) -> String {
    last.as_ref().map_or_else(String::new, |last| format!("; the previous arrival is {last}"))
}
