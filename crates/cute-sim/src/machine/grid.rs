//! The order in which clusters run. Clusters of a launch are resident together, as many as fit into
//! memory, and take turns: one that waits for another lets it run. So the behaviour of a grid does
//! not depend on the cores of the host.
//!
//! A cluster keeps its host thread until it ends, repeats itself, or has used up a time slice while
//! it works on memory that other clusters may change. A new cluster precedes one that was
//! interrupted, and one that repeats itself runs again only when some other cluster has changed
//! something. When all of them repeat themselves, and none has changed anything since, the kernel
//! hangs.

use super::Total;
use super::device::Machine;
use super::resident::{Resident, Slice};
use super::workers;
use crate::program::Op;
use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The state that the host threads share.
struct State {
    /// Clusters that have begun and not ended.
    resident: u32,
    /// Counts slices in which a cluster changed something, or ended.
    epoch: u64,
    /// Resident clusters that repeat themselves without any change since they began to.
    stuck: u32,
    /// All are stuck; is it the kernel's fault?
    hangs: Option<bool>,
}

struct Grid<'m> {
    machine: &'m Machine<'m>,
    clusters: u32,
    most_resident: u32,
    state: Mutex<State>,
    changed: Condvar,
}

/// A resident cluster, and if it repeats itself, since when.
struct Held<'m> {
    cluster: Resident<'m>,
    stuck: Option<u64>,
    /// The epoch after its last slice.
    until: Option<u64>,
}

/// Runs all clusters.
pub(crate) fn run(machine: &Machine<'_>, clusters: u32, finished: &(impl Fn(u32) + Sync)) -> Total {
    let state = State { resident: 0, epoch: 0, stuck: 0, hangs: None };
    let most_resident = machine.most_resident().min(clusters);
    let grid = Grid { machine, clusters, most_resident, state: Mutex::new(state), changed: Condvar::new() };
    // The choice of cancelled clusters must not depend on the host.
    let is_controlled =
        machine.kernel.code.iter().any(|op| matches!(op, Op::Launch(op) if op.requests_clusters()));
    let threads = match is_controlled {
        true => 1,
        false => machine.launch.host_threads.map_or_else(workers::cores, NonZero::get),
    };
    let threads = threads.clamp(1, clusters as usize);
    let totals = workers::run(threads, || grid.work(finished));
    let mut total = totals.into_iter().fold(Total::new(machine.kernel), Total::join);
    // How many of the later clusters had begun when one could not continue depends on the host.
    let left = u64::from(machine.left()) * u64::from(machine.cluster_blocks());
    total.stats.blocks += left;
    total.stats.threads += left * u64::from(machine.threads());
    total
}

impl<'m> Grid<'m> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs clusters until there is none left for this host thread.
    fn work(&self, finished: &impl Fn(u32)) -> Total {
        let mut total = Total::new(self.machine.kernel);
        let mut held = VecDeque::new();
        while let Some((mut one, epoch)) = self.next(&mut held) {
            let before = one.cluster.changes();
            let slice = one.cluster.run(one.until != Some(epoch));
            let mut state = self.lock();
            if one.cluster.changes() != before || slice == Slice::Done {
                state.epoch += 1;
                state.stuck = 0;
            }
            one.stuck = (slice == Slice::Repeats).then_some(epoch);
            one.until = Some(state.epoch);
            state.stuck += u32::from(one.stuck == Some(state.epoch));
            if slice == Slice::Done {
                state.resident -= 1;
                drop(state);
                let number = one.cluster.number();
                total.add(one.cluster.finish());
                self.finished(number, finished);
            } else {
                drop(state);
                held.push_back(one);
            }
            self.changed.notify_all();
        }
        // Left are those that hang.
        let hangs = self.lock().hangs == Some(true);
        for Held { mut cluster, .. } in held {
            if hangs {
                cluster.hangs(
                    (self.most_resident < self.clusters).then_some((self.most_resident, self.clusters)),
                );
            }
            let number = cluster.number();
            total.add(cluster.finish());
            self.finished(number, finished);
        }
        total
    }

    /// Reports that the blocks of a cluster have ended.
    fn finished(&self, cluster: u32, finished: &impl Fn(u32)) {
        let blocks = self.machine.cluster_blocks();
        (cluster * blocks..(cluster + 1) * blocks).for_each(finished);
    }

    /// The cluster to run next, and the epoch.
    fn next(&self, held: &mut VecDeque<Held<'m>>) -> Option<(Held<'m>, u64)> {
        let mut state = self.lock();
        loop {
            if state.hangs.is_some() {
                return None;
            }
            let epoch = state.epoch;
            let is_fresh = self.machine.has_waiting();
            if state.resident < self.most_resident
                && let Some(start) = self.machine.begin()
            {
                state.resident += 1;
                drop(state);
                return Some((
                    Held { cluster: Resident::new(self.machine, start), stuck: None, until: None },
                    epoch,
                ));
            }
            if let Some(i) = held.iter().position(|h| h.stuck.is_none_or(|since| since < epoch)) {
                return held.remove(i).map(|one| (one, epoch));
            }
            if held.is_empty() && !is_fresh {
                return None;
            }
            if state.stuck == state.resident {
                // Clusters that wait for a stopped cluster are not to blame.
                state.hangs = Some(!self.machine.is_stopped());
                self.changed.notify_all();
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
