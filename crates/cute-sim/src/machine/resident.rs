//! A cluster that has begun, with its warps, and the order in which they run.

use super::cluster::{Cluster, Stop};
use super::device::Machine;
use super::journal::Told;
use super::observe::observe;
use super::poll::{await_phases, time_out};
use super::printed::Printed;
use super::spins::Spins;
use super::starts::Start;
use super::stuck::stuck;
use super::warp::Warp;
use super::{WARP, group};
use crate::events::Event;
use crate::families::cp_async::queue::Queue;
use crate::finding::LaneFinding;
use crate::finding::{Finding, FindingKind};
use crate::race::Dependence;
use crate::report::{LeftOut, Stats};
use crate::schedule::Turns;
use std::collections::BTreeSet;

/// The results of a cluster.
pub(crate) struct Outcome {
    /// The place of the cluster in the order in which they began.
    pub(crate) place: u32,
    pub(crate) findings: Vec<Finding>,
    pub(crate) left_out: LeftOut,
    pub(crate) counters: super::counters::Counters,
    pub(crate) stats: Stats,
    pub(crate) output: Printed,
    pub(crate) dependence: Dependence,
    pub(crate) racy_loads: BTreeSet<u32>,
}

pub(crate) struct Resident<'m> {
    cluster: Cluster<'m>,
    /// Its place in the order in which clusters begin.
    place: u32,
    /// Block by block.
    warps: Vec<Warp>,
    turns: Turns,
    /// The state of the warps and their pending requests at the last round without changes.
    seen: Option<(Vec<Warp>, Vec<Queue>)>,
    spins: Spins,
    /// Rounds since the last change; and, until then, the changes and the instructions of warps.
    quiet: u64,
    changes: u64,
    changed_at: u64,
    /// Instructions of warps until the last change.
    busy: u64,
    /// Whether asynchronous work has been done since then because the warps waited for long.
    is_urged: bool,
}

/// The part of `Launch::idle` after which asynchronous work is done that no thread waits for.
const PATIENCE: u64 = 100;

/// Instructions of warps without a change before a state is kept.
const SILENCE: u64 = 1 << 12;

/// The end of a cluster's time slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slice {
    /// The cluster has ended.
    Done,
    /// The cluster can continue, and others may run before.
    Over,
    /// Its warps are in an earlier state again, and it has changed nothing since: without others it
    /// will repeat that forever.
    Repeats,
}

/// Warp instructions after which a cluster that works on memory of all clusters lets others run.
const SLICE: u64 = 1 << 14;

impl<'m> Resident<'m> {
    pub(crate) fn new(machine: &'m Machine<'m>, Start { place, number }: Start) -> Self {
        let blocks = (0..machine.cluster_blocks()).map(|rank| machine.block_id(number, rank));
        let warps: Vec<Warp> = blocks
            .flat_map(|block| (0..machine.warps()).map(move |n| Warp::new(block, n, machine)))
            .collect();
        let turns = Turns::new(machine.launch.schedule, number, warps.len());
        let cluster = Cluster::new(machine, number);
        let (seen, is_urged) = (None, false);
        let spins = Spins::default();
        Resident {
            cluster,
            place,
            warps,
            turns,
            seen,
            spins,
            quiet: 0,
            changes: 0,
            changed_at: 0,
            busy: 0,
            is_urged,
        }
    }

    pub(crate) fn number(&self) -> u32 {
        self.cluster.scene().number()
    }

    /// Counts acts of the cluster that others may depend on.
    pub(crate) fn changes(&self) -> u64 {
        self.cluster.journal().firm_changes()
    }

    fn executed(&self) -> u64 {
        self.warps.iter().map(|w| w.marks.executed()).sum()
    }

    /// Runs for a time slice, to the end, or to a finding after which the cluster cannot continue.
    /// `others_changed` tells that other clusters may have changed something since the last slice.
    pub(crate) fn run(&mut self, others_changed: bool) -> Slice {
        let start = self.executed();
        if others_changed {
            self.spins.restart(start);
        }
        let mut slice = None;
        // Changes by others in the meantime may be what this cluster waited for.
        (self.busy, self.is_urged) = (start, false);
        self.cluster.journal_mut().begin_slice();
        loop {
            if self.cluster.machine().is_stopped_before(self.place) {
                return Slice::Done;
            }
            match self.round() {
                Ok(true) => return Slice::Done,
                Ok(false) => {}
                Err(stop) => {
                    self.stop(stop);
                    return Slice::Done;
                }
            }
            let limit = self.cluster.machine().launch.idle;
            let repeats = self.repeats();
            if repeats || self.waits_long(limit / PATIENCE) {
                match self.settle(true) {
                    Ok(true) => {
                        (self.busy, self.is_urged) = (self.executed(), false);
                        continue;
                    }
                    Ok(false) if repeats && self.go_on_apart() => continue,
                    Ok(false) if repeats => return Slice::Repeats,
                    Ok(false) => {}
                    Err(stop) => {
                        self.stop(stop);
                        return Slice::Done;
                    }
                }
            }
            let executed = self.executed();
            if executed - self.busy > limit {
                let kind = FindingKind::Hang { repeats: false, instructions: limit, resident: None };
                self.stop(self.endless(kind));
                return Slice::Done;
            }
            if self.cluster.journal().has_met_others()
                && executed - start > *slice.get_or_insert_with(|| self.turns.slice(SLICE))
            {
                return Slice::Over;
            }
        }
    }

    /// Gives a turn to each warp that can continue. If there is none, does asynchronous work.
    /// Returns whether all are done.
    fn round(&mut self) -> Result<bool, Stop> {
        let went = self.turns()?;
        if self.warps.iter().all(Warp::is_done) {
            return Ok(true);
        }
        if !went && !self.settle(true)? && !self.go_on_apart() {
            if !time_out(&mut self.warps) {
                return Err(stuck(&self.cluster, &self.warps));
            }
            observe(&mut self.cluster, &self.warps);
            self.turns()?;
        }
        Ok(false)
    }

    /// Does asynchronous work. Returns whether there was any.
    fn settle(&mut self, all: bool) -> Result<bool, Stop> {
        let settled = self.cluster.tensor_parts().settle(&mut self.warps, &mut self.turns, all);
        observe(&mut self.cluster, &self.warps);
        settled
    }

    /// Lets threads go on that wait in vain for others, where devices go on without these. Returns
    /// whether there were any.
    fn go_on_apart(&mut self) -> bool {
        let Resident { cluster, warps, .. } = self;
        let mut went = false;
        for block in warps.chunks_mut(cluster.machine().warps() as usize) {
            went |= group::go_on_apart(cluster, block);
        }
        observe(cluster, warps);
        went
    }

    /// Gives a turn to each warp that can continue. Returns whether there was one.
    fn turns(&mut self) -> Result<bool, Stop> {
        let Resident { cluster, warps, turns, .. } = self;
        let mut went = false;
        for w in turns.order() {
            let warp = &mut warps[w];
            if warp.lanes.ready() == 0 {
                continue;
            }
            went = true;
            let rank = warp.block().rank;
            cluster.run(warp.block());
            let by = warp.actor();
            cluster
                .journal_mut()
                .tell(|_| Event::Runs { by, site: warp.lanes.pc(warp.lanes.ready().trailing_zeros()) });
            let ran = warp.run(cluster, turns.quantum());
            cluster.parts().note_uses(&warp.registers, &warp.issuer(0));
            if let Err(LaneFinding { lane, mut kind }) = ran {
                let (at, thread) = (warp.lanes.at(), warp.thread(lane));
                cluster.engine().copies.name_copy(cluster.scene(), thread, &mut kind);
                return Err((at, thread, kind));
            }
            let site = warp.lanes.at();
            observe(cluster, warps);
            cluster.journal_mut().tell(|_| Event::Rests { by, site });
            let block = cluster.machine().warps_of(warps, rank);
            cluster.meetings().settle_barriers(block)?;
            group::settle(cluster, block)?;
            if block.iter().all(Warp::is_done) && !cluster.shared().has_ended(rank) {
                cluster.parts().shared.end(rank);
                if let Some(stop) = cluster.tensor_parts().leaves_behind(rank) {
                    return Err(stop);
                }
                cluster.parts().left_in_use(rank)?;
            }
            cluster.meetings().settle_rendezvous(warps);
            if cluster.engine().has_news() {
                cluster.tensor_parts().settle(warps, turns, false)?;
            }
            observe(cluster, warps);
        }
        Ok(went)
    }

    /// Whether the warps are in an earlier state again, with no change since. Each state is
    /// compared with one that is once to twice as old, in rounds since the last change (Brent's
    /// cycle detection). Short silences are common, and a copy of all registers costs more than
    /// they do, so that the first copy is made after [`SILENCE`].
    fn repeats(&mut self) -> bool {
        let executed = self.executed();
        if self.spins.repeat(&mut self.cluster, &self.warps, executed) {
            return true;
        }
        let changes = self.cluster.journal().all_changes();
        if changes != self.changes {
            (self.changes, self.quiet, self.seen) = (changes, 0, None);
            (self.changed_at, self.busy, self.is_urged) = (executed, executed, false);
            return false;
        }
        self.quiet += 1;
        let is_as = |(warps, queues): &(Vec<Warp>, Vec<Queue>)| {
            warps.iter().zip(&self.warps).all(|(a, b)| a.is_as(b))
                && *queues == *self.cluster.engine().copies.queues()
        };
        if self.seen.as_ref().is_some_and(is_as) {
            return true;
        }
        if self.quiet.is_power_of_two() && executed - self.changed_at >= SILENCE {
            self.seen = Some((self.warps.clone(), self.cluster.engine().copies.queues().to_vec()));
        }
        false
    }

    /// Whether the cluster has executed this many instructions since its last change, for the first
    /// time since then. A loop that reads the clock does not repeat a state, and yet it may wait
    /// for asynchronous work.
    fn waits_long(&mut self, patience: u64) -> bool {
        let is_long = self.executed() - self.busy > patience;
        is_long && !std::mem::replace(&mut self.is_urged, true)
    }

    /// Reports that a warp which can continue will never end, at its last read of memory, if there
    /// is one. If threads wait for a phase, or ask for one in a loop, reports that instead.
    fn endless(&self, kind: FindingKind) -> Stop {
        if !self.spins.ends_phases
            && let Some(warps) = await_phases(&self.cluster.engine().barriers, &self.warps)
        {
            return stuck(&self.cluster, &warps);
        }
        let spins = self.warps.iter().find(|w| w.lanes.ready() != 0).or(self.warps.first());
        spins.map_or((0, 0, kind.clone()), |warp| {
            let (site, lane) = warp.spins_at();
            (site, warp.thread(lane), kind)
        })
    }

    /// Records that the kernel hangs in this cluster; `resident` gives the number of resident
    /// clusters and of all clusters.
    pub(crate) fn hangs(&mut self, resident: Option<(u32, u32)>) {
        let (site, thread, kind) =
            self.endless(FindingKind::Hang { repeats: true, instructions: 0, resident });
        self.cluster.journal_mut().remark(site, thread, kind);
    }

    fn stop(&mut self, (site, thread, kind): Stop) {
        observe(&mut self.cluster, &self.warps);
        self.cluster.machine().stop_at(self.place);
        self.cluster.journal_mut().remark(site, thread, kind);
    }

    pub(crate) fn finish(self) -> Outcome {
        let Resident { place, cluster, warps, .. } = self;
        let (machine, dependence) = (cluster.machine(), cluster.grids().dependence());
        let mut journal = cluster.into_journal();
        journal.end_watch(warps.iter().all(Warp::is_done));
        let has_ended =
            |thread: u32| warps[(thread / WARP) as usize].lanes.done() >> (thread % WARP) & 1 != 0;
        journal.note_unused(has_ended);
        let Told { findings, left_out, counters, output, barriers_completed, racy_loads } = journal.finish();
        let blocks = u64::from(machine.cluster_blocks());
        let stats = Stats {
            blocks,
            threads: blocks * u64::from(machine.threads()),
            barriers: barriers_completed,
            ..counters.stats(machine.kernel)
        };
        Outcome { place, findings, left_out, counters, stats, output, dependence, racy_loads }
    }
}
