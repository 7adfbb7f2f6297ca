//! Accesses to tensor memory that are over, although no thread can know it from a wait.
//!
//! * A value of `tcgen05.ld` that something has used has been loaded. So the columns may be
//!   overwritten, or freed, after a synchronisation behind that use, even without
//!   `tcgen05.wait::ld` (T4). One register stands for all of its load, on the assumption that a
//!   device waits for an instruction as a whole.
//! * What a warp knows to be over is so when it returns, and a barrier of the cluster that is
//!   complete without the warp follows. But the warp has published nothing (T9).
//!
//! A warp with values that have been used has one more agent, whose acts are the loads that are
//! over. Uses are known in a run that [follows](crate::Launch::followed_loads) the loads.

use super::queue::TensorCores;
use super::words::broken;
use crate::engine::Engine;
use crate::finding::TensorRule;
use crate::lanes::lanes_of;
use crate::machine::WARP;
use crate::machine::issuer::Issuer;
use crate::machine::issuing::Issuing;
use crate::machine::parts::TensorParts;
use crate::program::Slot;
use crate::race::{Clocks, Race, Record, TensorOrder};
use crate::registers::unknown::{Origin, Unknown};

/// An access that is over, and why.
#[derive(Debug, Clone, Copy)]
pub(super) enum Over {
    /// Something has used what was loaded. The first thread of the warp.
    Used(Record, u32),
    /// Threads know of it that have returned.
    Returned(Record),
}

/// Whether the earlier access of a race is over for an acting thread, which `knows` acts of agents
/// up to a time. The first such access is kept.
pub(super) fn is_over(
    engine: &Engine,
    race: &Race,
    thread: u32,
    knows: impl Fn(u32, u32) -> bool,
    first: &mut Option<Over>,
) -> bool {
    let record = race.record;
    let Some(agent) = record.agent() else { return false };
    let over = if engine.tensor_order.was_told_by_returned(thread, agent, record.time) {
        Some(Over::Returned(record))
    } else {
        let own = engine.cores.warps.iter().find(|(_, own)| own.agent == agent);
        let used = own.filter(|(_, own)| own.over.is_some_and(|over| knows(over, record.time)));
        used.map(|((thread, _), _)| Over::Used(record, *thread))
    };
    if let Some(over) = over {
        first.get_or_insert(over);
    }
    over.is_some()
}

/// Marks what the warp has loaded, so that its uses are noticed.
#[cold]
pub(super) fn follow_tensor(own: &mut Issuing<'_>, slot: Slot) {
    for lane in 0..WARP {
        let load = (lane, own.issuer.site);
        let set = own.registers.doubts().of(load);
        own.registers.doubts().renew(load);
        let unknown = Unknown { origin: Origin::Doubt(set), bits: u32::MAX.into() };
        own.registers.set_unknown(slot, lane, Some(unknown));
    }
}

/// Reports that columns are used again behind an access that is over.
pub(super) fn remark_over(lent: &mut TensorParts<'_, '_>, issuer: &Issuer, over: Option<Over>) {
    let Some(over) = over else { return };
    let (Over::Used(record, _) | Over::Returned(record)) = over;
    let (op, location) = lent.parts.scene().site(record.site);
    let rule = match over {
        Over::Used(_, first) => {
            TensorRule::Unwaited { op, location, warp: first / WARP % lent.parts.machine().warps() }
        }
        Over::Returned(_) => TensorRule::Returned { op, location },
    };
    lent.parts.journal.remark(issuer.site, issuer.thread(0), broken(rule));
}

impl TensorCores {
    /// A lane has used what an instruction of its warp has loaded from tensor memory.
    #[cold]
    pub(crate) fn note_use(
        &mut self,
        order: &mut TensorOrder,
        clocks: &mut Clocks,
        issuer: &Issuer,
        site: u32,
    ) {
        let Some(own) = self.warps.get_mut(&(issuer.first, false)) else { return };
        let before = own.unused.len();
        own.unused.retain(|_, load| *load != site);
        if own.unused.len() < before {
            // Loads need not return in order.
            let time = own.unused.keys().next().map_or(own.time, |first| first - 1);
            let agent = *own.over.get_or_insert_with(|| order.agent(clocks));
            let threads = lanes_of(issuer.exists).map(|lane| issuer.thread(lane));
            clocks.learn_all(threads, agent, time);
        }
    }
}
