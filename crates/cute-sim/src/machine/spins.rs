//! Clusters that repeat a state although they write: a store of the value that is there, or an
//! arrival at an `mbarrier` that the next one follows, changes nothing in the end.
//!
//! Two states are alike if the lanes are at the same instructions, and equal in all registers on
//! which these instructions depend: a register that only counts the iterations is left out. Without
//! anything from outside, what follows the second is what followed the first.

use super::cluster::Cluster;
use super::warp::Warp;
use crate::families::cp_async::queue::Queue;
use crate::families::mbarrier::barrier::{Mbarrier, PhaseState};
use crate::program::Slot;
use std::collections::BTreeSet;

/// Instructions of warps between two states, at least; most kernels have ended by then.
const LEAST: u64 = 1 << 16;

/// A state is taken no more often than once in this part of all instructions.
const PART: u64 = 16;

/// Phase, pending arrivals, arrivals that are expected, and bytes, by the place of the barrier.
type Phases = Vec<(usize, [i64; 4])>;

/// A state of a cluster.
struct Seen {
    /// Instructions of warps before.
    at: u64,
    warps: Vec<Warp>,
    queues: Vec<Queue>,
    phases: Phases,
    /// Phases that had ended.
    completed: u64,
    arrived: Vec<usize>,
    /// How often each instruction had been executed.
    counts: Vec<u64>,
    /// The instructions that have been executed since, as far as they were looked at, and the
    /// registers on which they depend.
    relevant: Option<(BTreeSet<usize>, Option<BTreeSet<Slot>>)>,
    /// States since that differ only in registers, and the number at which to look again.
    alike: u64,
    look: u64,
}

/// The search for a state that repeats.
#[derive(Default)]
pub(super) struct Spins {
    seen: Option<Box<Seen>>,
    /// Instructions at which the next search begins.
    next: u64,
    /// The changes when it began, if nothing was stored that was not there since.
    since: Option<u64>,
    /// Instructions until a later state replaces the one to compare with.
    span: u64,
    /// Phases of barriers end again and again in what repeats.
    pub(super) ends_phases: bool,
}

impl Spins {
    /// Other clusters may have changed what this one reads.
    pub(super) fn restart(&mut self, executed: u64) {
        let was_close = self.seen.take().is_some() || self.since.is_some();
        (self.since, self.next) = (None, if was_close { executed } else { self.next });
    }

    /// Whether the cluster is in an earlier state again. `executed` counts the instructions of its
    /// warps.
    pub(super) fn repeat(&mut self, cluster: &mut Cluster<'_>, warps: &[Warp], executed: u64) -> bool {
        if executed < self.next.max(LEAST) && self.since.is_none() {
            return false;
        }
        let firm = cluster.journal().firm_changes();
        if self.since != Some(firm) {
            // Something has changed since the last round, or nothing was compared yet.
            let failed = self.since.is_some();
            self.seen = None;
            self.since = if failed { None } else { Some(firm) };
            self.next = executed + LEAST.max(executed / PART);
            self.span = LEAST;
            cluster.journal_mut().compare(!failed);
            return false;
        }
        let repeats = self.seen.as_mut().is_some_and(|seen| seen.repeats(cluster, warps));
        if let Some(seen) = self.seen.as_ref().filter(|_| repeats) {
            self.ends_phases = seen.completed != cluster.engine().barriers.completed();
            return true;
        }
        // Brent's cycle detection: each state is compared with one that is once to twice as old.
        if self.seen.as_ref().is_none_or(|seen| executed - seen.at > self.span) {
            self.span *= if self.seen.is_some() { 2 } else { 1 };
            self.seen = Some(Box::new(Seen::new(cluster, warps, executed)));
        }
        false
    }
}

/// The states of the barriers, if the schedule has no part in the order of arrivals.
fn phases(cluster: &Cluster<'_>) -> Phases {
    let of = |(at, own): (usize, &Mbarrier)| {
        let PhaseState { phase, pending, expected, bytes, .. } = own.state();
        (at, [phase as i64 & 1, pending.into(), expected.into(), bytes])
    };
    cluster.engine().barriers.all().map(of).collect()
}

/// The threads that have arrived at each barrier of the blocks, and the copies that are on their
/// way.
fn arrived(cluster: &Cluster<'_>) -> Vec<usize> {
    let barriers = cluster.barriers().iter().flat_map(|own| (0..16).map(|id| own.arrived(id)));
    let engine = cluster.engine();
    barriers.chain([engine.copies.following(), engine.landings.pending(), engine.cores.waiting()]).collect()
}

impl Seen {
    fn new(cluster: &Cluster<'_>, warps: &[Warp], at: u64) -> Self {
        Seen {
            at,
            warps: warps.to_vec(),
            queues: cluster.engine().copies.queues().to_vec(),
            phases: phases(cluster),
            completed: cluster.engine().barriers.completed(),
            arrived: arrived(cluster),
            counts: cluster.journal().counters().threads.clone(),
            relevant: None,
            alike: 0,
            look: 1,
        }
    }

    fn repeats(&mut self, cluster: &Cluster<'_>, warps: &[Warp]) -> bool {
        let pairs = || self.warps.iter().zip(warps);
        if !pairs().all(|(one, other)| one.is_where(other)) {
            return false;
        }
        let is_same = pairs().all(|(one, other)| one.registers.are_those_of(&other.registers));
        if !is_same {
            self.alike += 1;
            if self.alike == self.look {
                self.look *= 2;
                self.look_at_registers(cluster);
            }
            if !self.is_alike(warps) {
                return false;
            }
        }
        // More may have been executed than was looked at.
        self.look_at_registers(cluster);
        let is_repeated = if is_same { !self.is_timed(cluster) } else { self.is_alike(warps) };
        is_repeated
            && self.queues == *cluster.engine().copies.queues()
            && self.phases == phases(cluster)
            && self.arrived == arrived(cluster)
    }

    /// Whether the registers are equal on which the instructions depend.
    fn is_alike(&self, warps: &[Warp]) -> bool {
        let Some((_, Some(relevant))) = &self.relevant else { return false };
        let mut pairs = self.warps.iter().zip(warps);
        pairs.all(|(one, other)| {
            relevant.iter().all(|slot| one.registers.has_that_of(&other.registers, *slot))
        })
    }

    /// Whether the clock may decide what happens.
    fn is_timed(&self, cluster: &Cluster<'_>) -> bool {
        let Some((executed, relevant)) = &self.relevant else { return false };
        relevant.is_none() && executed.iter().any(|pc| cluster.machine().kernel.clock(*pc).is_some())
    }

    fn look_at_registers(&mut self, cluster: &Cluster<'_>) {
        let counts = self.counts.iter().zip(&cluster.journal().counters().threads);
        let executed = counts.enumerate().filter(|(_, (before, now))| before != now);
        let executed: BTreeSet<usize> = executed.map(|(pc, _)| pc).collect();
        if self.relevant.as_ref().is_none_or(|(known, _)| *known != executed) {
            let relevant = cluster.machine().kernel.relevant(&executed);
            self.relevant = Some((executed, relevant));
        }
    }
}
