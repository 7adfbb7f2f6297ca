//! Arrivals, bytes that are expected or have come, and the ends of phases.

use super::barrier::Mbarriers;
use super::missed::report_missed;
use super::misused::{misused, misused_after};
use crate::engine::Engine;
use crate::events::{Act, Event};
use crate::finding::{FindingKind, MbarrierMisuse};
use crate::machine::journal::Journal;
use crate::race::{Clocks, Known, Scope};

/// The knowledge that an arrival at another block's barrier publishes to all waiting threads: that
/// reads are over, and completed acts of agents. The rest is published to waits whose scope is the
/// cluster, if the arrival has that scope.
pub(super) fn arrive_elsewhere(
    engine: &mut Engine,
    clocks: &mut Clocks,
    at: usize,
    thread: u32,
    (scope, relaxed): (Scope, bool),
) -> Known {
    let own = if relaxed {
        engine.relaxed.passes_on(thread, scope, Scope::Cluster).cloned()
    } else {
        Some(clocks.release(None, &[thread]))
    };
    let barriers = &mut engine.barriers;
    let barrier = barriers.get_mut(at);
    let before = barrier.as_ref().and_then(|barrier| barrier.passed.clone());
    let Some(own) = own else { return before.unwrap_or_default() };
    if let Some(barrier) = barrier.filter(|_| scope > Scope::Block) {
        barrier.passed_far = Some(Clocks::both(barrier.passed_far.as_ref(), &own));
    }
    clocks.hand_over(before.as_ref(), &own, |agent| barriers.hands_over(agent))
}

/// Raises the number of bytes that a barrier expects; a negative number has arrived. `act` is the
/// instruction, if it is not a copy that arrives.
pub(crate) fn expect_bytes(
    barriers: &mut Mbarriers,
    journal: &mut Journal<'_>,
    at: usize,
    bytes: i64,
    act: Option<Act>,
) -> Result<(), FindingKind> {
    let Some(barrier) = barriers.get_mut(at) else {
        return Err(misused(journal.scene(), at, MbarrierMisuse::Uninitialised));
    };
    let expected = barrier.expect(bytes);
    let bytes = barrier.bytes;
    expected.map_err(|misuse| misused(journal.scene(), at, misuse))?;
    journal.tell(|_| Event::Pending { act, barrier: at, bytes });
    Ok(())
}

/// Arrivals of a thread and its instruction.
pub(crate) struct Arrivals {
    pub(crate) count: u32,
    /// Later phases need that many fewer.
    pub(crate) drop: bool,
    /// The knowledge that they pass on.
    pub(crate) passed: Known,
    pub(crate) who: (u32, u32),
    /// Instructions that the thread's warp had executed.
    pub(crate) when: u64,
}

/// Arrivals at a barrier, which pass on something, and the end of the phase if it was the last.
pub(crate) fn arrive(
    barriers: &mut Mbarriers,
    journal: &mut Journal<'_>,
    at: usize,
    arrivals: Arrivals,
) -> Result<(), FindingKind> {
    let Arrivals { count, drop, passed, who, when } = arrivals;
    let Some(barrier) = barriers.get_mut(at) else {
        return Err(misused(journal.scene(), at, MbarrierMisuse::Uninitialised));
    };
    let last = barrier.history.last_in(barrier.phase);
    barrier.passed = Some(passed);
    let arrived = barrier.arrive(count, drop);
    barrier.history.note(who, when, barrier.phase, count);
    arrived.map_err(|misuse| misused_after(journal.scene(), at, misuse, last))?;
    complete_phase(barriers, journal, at, who);
    Ok(())
}

/// Ends the phase of a barrier if all is there, by the act of this thread and instruction.
pub(crate) fn complete_phase(
    barriers: &mut Mbarriers,
    journal: &mut Journal<'_>,
    at: usize,
    who: (u32, u32),
) {
    journal.changes_softly();
    let Some(barrier) = barriers.get_mut(at) else { return };
    let phase = barrier.phase;
    if barrier.complete_phase() {
        let has_missed = !barrier.waits.missed.is_empty();
        barriers.note_completed();
        journal.tell(|_| Event::EndsPhase { barrier: at, phase });
        if has_missed {
            report_missed(barriers, journal, at, who);
        }
    }
}
