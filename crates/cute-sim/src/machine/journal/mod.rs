//! The journal of a cluster: what it has to tell about its run. It collects findings, counters, the
//! output, events for an observer, and how much has changed since when. A function that reports
//! something needs the journal, and what it quotes, but not the rest of the cluster.
//!
//! | file | subject |
//! |---|---|
//! | `findings` | the findings, each mistake once |
//! | `races` | races as findings |
//! | `hints` | which half of a pattern that would order a race is missing |
//! | `orders` | the order of accesses, and how threads wait for asynchronous ones |
//! | `undefined`, `beyond` | reads of what nothing has written; addresses beyond their tensor |
//! | `racy` | loads that race, and the uses of their values |
//! | `watch` | events for an observer |

mod beyond;
mod findings;
mod hints;
pub(crate) mod orders;
mod races;
pub(crate) mod racy;
mod undefined;
pub(super) mod watch;

use super::counters::Counters;
use super::device::Machine;
use super::printed::Printed;
use super::rounding::Replaced;
use super::scene::Scene;
use crate::block::BlockId;
use crate::finding::{Finding, FindingKind, Grade, Iterated, LaneFinding, Place, Places};
use crate::report::LeftOut;
use crate::schedule::Schedule;
use crate::tensor::sums::Weakest;
use findings::Findings;
use racy::Racy;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use watch::Watch;

pub(crate) struct Journal<'m> {
    scene: Scene<'m>,
    findings: Findings,
    racy: Racy,
    /// The values that the store which is executed replaces.
    replaced: Replaced,
    /// A place of a block that may not have begun, used by the instruction that is executed.
    stranger: OnceCell<Place>,
    counters: Counters,
    /// Instructions of warps, and acts of agents.
    steps: u64,
    /// Executions of instructions that are left of those that the cluster has taken.
    allowance: u64,
    changes: Changes,
    barriers_completed: u64,
    /// An atomic or volatile access of global memory happened in this slice.
    has_met_others: bool,
    output: Printed,
    watch: Option<Box<Watch>>,
}

/// The number of changes: writes, arrivals, output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    all: u64,
    /// Those that may have changed nothing in the end, since [`compares`](Self::compares).
    soft: u64,
    /// Whether stores are compared with what is there.
    compares: bool,
}

/// The content of a journal at the end.
pub(super) struct Told {
    pub(super) findings: Vec<Finding>,
    pub(super) left_out: LeftOut,
    pub(super) counters: Counters,
    pub(super) output: Printed,
    pub(super) barriers_completed: u64,
    pub(super) racy_loads: BTreeSet<u32>,
}

impl<'m> Journal<'m> {
    pub(super) fn new(machine: &'m Machine<'m>, number: u32) -> Self {
        Journal {
            scene: Scene::new(machine, number),
            findings: Findings::default(),
            racy: Racy::default(),
            replaced: Replaced::default(),
            stranger: OnceCell::new(),
            counters: machine.counters(),
            steps: 0,
            allowance: 0,
            changes: Changes::default(),
            barriers_completed: 0,
            has_met_others: false,
            output: Printed::default(),
            watch: Watch::new(machine, number),
        }
    }

    /// Names of threads, instructions and memory.
    #[inline]
    pub(crate) fn scene(&self) -> &Scene<'m> {
        &self.scene
    }

    pub(crate) fn machine(&self) -> &'m Machine<'m> {
        self.scene.machine()
    }
}

impl Journal<'_> {
    /// A warp of this block runs.
    pub(super) fn run(&mut self, block: BlockId) {
        self.scene.run(block);
    }

    /// Counts an instruction of some lanes.
    pub(super) fn count(&mut self, pc: u32, active: u32) -> Result<(), LaneFinding> {
        let n = u64::from(active.count_ones());
        if self.allowance < n {
            self.allowance += self.machine().allowance();
            if self.allowance < n {
                let kind =
                    FindingKind::Budget { limit: self.machine().launch.budget, repeats: self.loop_at(pc) };
                return Err(LaneFinding { lane: active.trailing_zeros(), kind });
            }
        }
        self.allowance -= n;
        self.steps += 1;
        self.counters.threads[pc as usize] += n;
        Ok(())
    }

    /// The innermost loop around an instruction.
    #[cold]
    fn loop_at(&self, pc: u32) -> Option<Box<Iterated>> {
        let end = self.machine().kernel.loop_around(pc as usize)?;
        let ((op, location), times) = (self.scene.site(end as u32), self.counters.threads[end]);
        // The branch of a loop that has just begun has not been executed.
        (times > 0).then(|| Box::new(Iterated { op, location, times }))
    }

    /// A slice of the cluster begins.
    pub(super) fn begin_slice(&mut self) {
        self.has_met_others = false;
    }

    /// The cluster uses what all clusters share, and others may have to act first.
    pub(crate) fn meets_others(&mut self) {
        self.has_met_others = true;
    }

    /// Whether it has done so in this slice.
    pub(super) fn has_met_others(&self) -> bool {
        self.has_met_others
    }

    /// An agent acts.
    pub(crate) fn acts(&mut self) {
        self.steps += 1;
    }

    #[inline]
    pub(crate) fn counters(&self) -> &Counters {
        &self.counters
    }

    #[inline]
    pub(crate) fn counters_mut(&mut self) -> &mut Counters {
        &mut self.counters
    }

    /// The least certain rule of sums.
    pub(crate) fn sums(&mut self) -> &mut Option<Weakest> {
        &mut self.counters.sums
    }

    /// All threads of a barrier have met.
    pub(crate) fn completes_barrier(&mut self) {
        self.barriers_completed += 1;
    }

    /// A thread prints this.
    pub(crate) fn prints(&mut self, text: &str) {
        self.output.push(text, &self.scene.machine().printed);
    }

    /// The clusters' budget gets back what was not needed.
    pub(super) fn finish(self) -> Told {
        let Journal { scene, findings, racy, counters, output, barriers_completed, allowance, .. } = self;
        scene.machine().give_back(allowance);
        let (findings, left_out) = findings.finish();
        let racy_loads = racy.loads;
        Told { findings, left_out, counters, output, barriers_completed, racy_loads }
    }
}

/// Changes.
impl Journal<'_> {
    /// Counts changes.
    #[inline]
    pub(crate) fn changes(&mut self, times: u64) {
        self.changes.all += times;
    }

    /// A change that may change nothing in the end, such as an arrival: a state that repeats tells.
    /// Under a random schedule, it proves nothing.
    pub(crate) fn changes_softly(&mut self) {
        self.changes.all += 1;
        let is_certain = !matches!(self.machine().launch.schedule, Schedule::Random(_));
        self.changes.soft += u64::from(self.changes.compares && is_certain);
    }

    /// Whether stores are compared with what is there.
    #[inline]
    pub(crate) fn compares(&self) -> bool {
        self.changes.compares
    }

    /// A change wrote what was there.
    pub(crate) fn changes_nothing(&mut self) {
        self.changes.soft += 1;
    }

    /// The changes up to now.
    pub(crate) fn changes_so_far(&self) -> Changes {
        self.changes
    }

    /// Forgets the changes since then.
    pub(crate) fn forget_changes_since(&mut self, then: Changes) {
        self.changes = then;
    }

    /// Counts all changes.
    pub(crate) fn all_changes(&self) -> u64 {
        self.changes.all
    }

    /// Counts acts that other clusters may depend on, and those of this one that do not return to
    /// what was before.
    pub(crate) fn firm_changes(&self) -> u64 {
        self.changes.all - self.changes.soft
    }

    /// Stores are compared with what is there, or not any more.
    pub(super) fn compare(&mut self, compares: bool) {
        self.changes.compares = compares;
    }
}

/// Findings.
impl Journal<'_> {
    /// A finding about a thread of the cluster.
    pub(crate) fn finding(&self, site: u32, thread: u32, kind: FindingKind) -> Finding {
        let machine = self.machine();
        let (op, location) = self.scene.site(site);
        let block = self.scene.block_of(thread).position;
        let grade = match kind.grade() {
            Grade::Portability if machine.launch.strict_isa => Grade::Error,
            grade => grade,
        };
        Finding {
            grade,
            rule: kind.rule(),
            kind,
            op,
            location,
            block,
            thread: self.scene.thread(thread),
            launch: machine.number,
            by_host: false,
            count: 1,
            places: Places::default(),
            schedules: Vec::new(),
            mistake: 0,
            side: 0,
        }
        .identified()
    }

    /// Records a finding after which the threads go on.
    #[cold]
    pub(crate) fn remark(&mut self, site: u32, thread: u32, kind: FindingKind) {
        let finding = self.finding(site, thread, kind);
        self.findings.note(finding);
    }

    /// Records a read of an empty byte. If a thread writes it later, it was a race.
    #[cold]
    pub(crate) fn remark_early_read(&mut self, site: u32, thread: u32, kind: FindingKind) {
        let finding = self.finding(site, thread, kind);
        self.findings.note_early_read(site, finding);
    }

    /// Records a remark about the accesses of two instructions, the later one first. With `alike`,
    /// those of other instructions with these names are the same remark, because kernels unroll
    /// them.
    #[cold]
    fn remark_race(&mut self, (site, other): (u32, u32), thread: u32, kind: FindingKind, alike: bool) {
        if !alike {
            return self.remark(site, thread, kind);
        }
        let sites = &self.machine().kernel.sites;
        let name = |site: u32| &*sites[site as usize].op;
        let finding = self.finding(site, thread, kind).identified_by_names(name(site), name(other));
        self.findings.note(finding);
    }

    /// The instruction that is executed uses a place of a block that may not have begun.
    #[cold]
    pub(crate) fn meets_stranger(&self, place: Place) {
        let _ = self.stranger.set(place);
    }

    /// Whether it does.
    #[inline]
    pub(super) fn has_met_stranger(&self) -> bool {
        self.stranger.get().is_some()
    }

    /// That place.
    pub(super) fn take_stranger(&mut self) -> Option<Place> {
        self.stranger.take()
    }

    /// The store that is executed replaces these values.
    pub(crate) fn replaces(&mut self, replaced: Replaced) {
        self.replaced = replaced;
    }
}
