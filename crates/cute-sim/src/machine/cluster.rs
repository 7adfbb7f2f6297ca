//! A cluster: blocks that are resident together and can access each other's shared memory. This is
//! the state that its warps' instructions use; the warps themselves are in
//! [`resident`](super::resident).

use super::WARP;
use super::barrier::Barriers;
use super::counters::Counters;
use super::device::Machine;
use super::findings::{self, Findings};
use super::printed::Printed;
use super::racy::Racy;
use super::registers::Pool;
use super::rendezvous::Rendezvous;
use super::rounding::Replaced;
use super::shared::SharedMemory;
use super::watch::Watch;
use super::workers;
use crate::block::BlockId;
use crate::course::Course;
use crate::engine::Engine;
use crate::finding::LaneFinding;
use crate::finding::{AccessKind, Finding, FindingKind, Grade, HeapRule, Party, Place, Places};
use crate::heap::Lost;
use crate::memory::address::SHARED_BASE;
use crate::memory::tensor::TensorMemory;
use crate::program::{OF_GROUPS, OF_GROUPS_BYTES, Op};
use crate::race::{Clocks, Dependence, Gap, Race, Scope, SyncTable, Who};
use cute_machine::place::SourcePlace;
use std::cell::OnceCell;

/// How often a thread lets other host threads go on, until it takes its value for another one than
/// theirs.
const PATIENCE: u32 = 64;

/// Tells whether memory holds what is about to be written.
pub(crate) type Same<'a> = Option<&'a dyn Fn(&Cluster<'_>) -> bool>;

pub(crate) struct Cluster<'m> {
    pub(crate) machine: &'m Machine<'m>,
    /// Number in the grid.
    pub(crate) number: u32,
    /// The block whose warp runs.
    pub(crate) block: BlockId,
    /// Blocks whose threads are all done, by rank.
    pub(crate) exited: u32,
    pub(crate) shared: SharedMemory,
    /// The tensor memory of each block, if it was used.
    pub(crate) tensor: Vec<Option<Box<TensorMemory>>>,
    pub(crate) clocks: Clocks,
    /// The barriers of each block.
    pub(crate) barriers: Vec<Barriers>,
    pub(crate) rendezvous: Rendezvous,
    /// The registers of each block, if there are instructions of warpgroups.
    pub(crate) registers: Vec<Pool>,
    /// The knowledge that atomic and volatile accesses of shared memory publish.
    pub(crate) sync: SyncTable,
    pub(crate) engine: Engine,
    /// A place of a block that may not have begun, used by the instruction that is executed.
    pub(crate) stranger: OnceCell<Place>,
    /// The values that the store which is executed replaces.
    pub(crate) replaced: Replaced,
    pub(crate) counters: Counters,
    pub(crate) findings: Findings,
    /// Loads that race with stores.
    pub(crate) racy: Racy,
    pub(crate) output: Printed,
    pub(crate) barriers_completed: u64,
    /// Writes, arrivals, output.
    pub(crate) changes: u64,
    /// Those that may have changed nothing in the end, since [`compares`](Self::compares).
    pub(crate) soft: u64,
    /// Whether stores are compared with what is there.
    pub(crate) compares: bool,
    /// An atomic or volatile access of global memory happened in this slice.
    pub(crate) meets_others: bool,
    /// The `griddepcontrol` instructions of each block.
    pub(crate) dependence: Vec<Dependence>,
    pub(crate) allowance: u64,
    /// Instructions of warps, and acts of agents.
    pub(crate) steps: u64,
    pub(crate) watch: Option<Box<Watch>>,
}

/// Instruction, thread and finding.
pub(crate) type Stop = (u32, u32, FindingKind);

impl<'m> Cluster<'m> {
    pub(crate) fn new(machine: &'m Machine<'m>, number: u32) -> Self {
        let blocks = machine.cluster_blocks();
        let stride = machine.shared_stride();
        let mut shared = SharedMemory::new(stride, blocks, machine.launch.check_races);
        if let Some(object) = machine.kernel.shared.iter().find(|object| object.name == OF_GROUPS) {
            let at = (object.address - SHARED_BASE) as usize;
            let zeros = [0; OF_GROUPS_BYTES as usize];
            (0..blocks as usize)
                .for_each(|block| shared.bytes_mut().write_slice(block * stride + at, &zeros));
        }
        Cluster {
            machine,
            number,
            block: machine.block_id(number, 0),
            exited: 0,
            shared,
            tensor: (0..blocks).map(|_| None).collect(),
            clocks: Clocks::new(number * blocks, blocks, machine.threads()).with_fences(machine.fences),
            barriers: std::iter::repeat_with(Barriers::default).take(blocks as usize).collect(),
            rendezvous: Rendezvous::default(),
            registers: if machine.kernel.has_groups {
                vec![Pool::new(machine); blocks as usize]
            } else {
                Vec::new()
            },
            sync: SyncTable::default(),
            engine: Engine {
                course: machine
                    .has_lasting_waits()
                    .then(|| Box::new(Course::new(blocks * machine.warps() * WARP))),
                ..Engine::new(machine.launch.schedule, blocks * machine.warps())
            },
            stranger: OnceCell::new(),
            replaced: Replaced::default(),
            counters: machine.counters(),
            findings: Findings::default(),
            racy: Racy::default(),
            output: Printed::default(),
            barriers_completed: 0,
            changes: 0,
            soft: 0,
            compares: false,
            meets_others: false,
            dependence: vec![Dependence::default(); blocks as usize],
            allowance: 0,
            steps: 0,
            watch: Watch::new(machine, number),
        }
    }
}

impl Cluster<'_> {
    /// Whether no other block accesses the shared memory.
    pub(crate) fn is_alone(&self) -> bool {
        self.barriers.len() == 1
    }

    /// A warp of this block runs.
    pub(crate) fn run(&mut self, block: BlockId) {
        self.block = block;
        self.clocks.run(block.rank);
    }

    /// Counts an instruction of some lanes.
    pub(crate) fn count(&mut self, pc: u32, active: u32) -> Result<(), LaneFinding> {
        let n = u64::from(active.count_ones());
        if self.allowance < n {
            self.allowance += self.machine.allowance();
            if self.allowance < n {
                let kind =
                    FindingKind::Budget { limit: self.machine.launch.budget, repeats: self.loop_at(pc) };
                return Err(LaneFinding { lane: active.trailing_zeros(), kind });
            }
        }
        self.allowance -= n;
        self.steps += 1;
        self.counters.threads[pc as usize] += n;
        Ok(())
    }

    /// The block of a thread of the cluster.
    pub(crate) fn block_of(&self, thread: u32) -> BlockId {
        let rank = thread / (self.machine.warps() * WARP);
        self.machine.block_id(self.number, rank)
    }

    /// A thread's position in its block.
    pub(crate) fn thread(&self, number: u32) -> [u32; 3] {
        let [bx, by, _] = self.machine.launch.block;
        let number = number % (self.machine.warps() * WARP);
        [number % bx, number / bx % by, number / bx / by]
    }

    /// The number in the cluster of the thread that accesses memory in a lane.
    pub(super) fn thread_of(&self, who: &Who, lane: u32) -> u32 {
        (who.rank * self.machine.warps() + who.warp) * WARP + lane
    }

    /// Name and place of an instruction.
    pub(crate) fn site(&self, pc: u32) -> (String, SourcePlace) {
        match self.machine.kernel.sites.get(pc as usize) {
            Some(site) => (site.op.to_string(), site.location.clone()),
            None => (self.machine.kernel.name.clone(), SourcePlace::default()),
        }
    }

    /// A finding about a thread of the cluster.
    pub(crate) fn finding(&self, site: u32, thread: u32, kind: FindingKind) -> Finding {
        let (op, location) = self.site(site);
        let block = self.block_of(thread).position;
        let grade = match kind.grade() {
            Grade::Portability if self.machine.launch.strict_isa => Grade::Error,
            grade => grade,
        };
        Finding {
            grade,
            rule: kind.rule(),
            kind,
            op,
            location,
            block,
            thread: self.thread(thread),
            launch: self.machine.number,
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

    /// Records a remark about the accesses of two instructions, the later one first. With `alike`,
    /// those of other instructions with these names are the same remark, because kernels unroll
    /// them.
    #[cold]
    fn remark_race(&mut self, (site, other): (u32, u32), thread: u32, kind: FindingKind, alike: bool) {
        if !alike {
            return self.remark(site, thread, kind);
        }
        let name = |site: u32| &*self.machine.kernel.sites[site as usize].op;
        let finding = self.finding(site, thread, kind).identified_by_names(name(site), name(other));
        self.findings.note(finding);
    }

    /// The earlier access of a race.
    pub(super) fn other_party(&self, Race { record, thread, .. }: &Race) -> Party {
        let former = self.machine.beside.as_ref().and_then(|beside| beside.party(record));
        former.unwrap_or_else(|| {
            let (op, location) = self.site(record.site);
            Party {
                access: record.kind,
                op,
                location,
                block: self.machine.position(record.made_by()),
                thread: self.thread(*thread),
                completion: self.completion(record).map(Box::new),
            }
        })
    }

    /// A race of a thread as a finding's kind, with what is missing, if that is known.
    pub(super) fn race_kind(
        &self,
        who: &Who,
        thread: u32,
        (place, offset): (Place, i64),
        race: &Race,
        other: Party,
    ) -> FindingKind {
        let by_barrier = !self.is_alone() && self.reaches_too_few();
        let mut kind = findings::race(who, race, place, offset, other, by_barrier);
        if let FindingKind::Race { why, .. } = &mut kind {
            *why = self
                .both_initialise(who, race)
                .or_else(|| why.take())
                .or_else(|| self.missing_half(who, thread, race));
        }
        kind
    }

    /// Whether a write leaves what the other access of a race has written, so that it does not
    /// matter which comes first. A cluster that another host thread runs may have recorded its
    /// store and not made it yet, so it gets time for that.
    pub(crate) fn agrees(&self, race: &Race, same: Same<'_>) -> bool {
        let record = race.record;
        let Some(same) = same.filter(|_| !record.kind.is_read()) else { return false };
        let is_of_other = || {
            let is_stranger = self.clocks.first_of(record.made_by()).is_none();
            is_stranger && record.kind == AccessKind::Write && !record.is_former()
        };
        let again = |_: u32| {
            workers::let_others_run();
            same(self)
        };
        same(self) || is_of_other() && self.machine.waits_for_stores(|| (0..PATIENCE).any(again))
    }

    /// Notes that a lane writes what a thread of another block has written, with the same value.
    #[cold]
    pub(crate) fn note_same_value(&mut self, who: &Who, lane: u32, place: Place, offset: i64, race: &Race) {
        let Race { record, gap, .. } = race;
        let is_of_thread = !record.is_former() && record.agent().is_none() && gap.is_none();
        if !is_of_thread || record.made_by() == who.block || who.kind != AccessKind::Write {
            return;
        }
        let other = Box::new(self.other_party(race));
        let kind = FindingKind::SameValue { access: who.kind, place, offset, other };
        let finding = self.finding(who.site, self.thread_of(who, lane), kind);
        self.findings.note(finding);
    }

    /// Notes a race of a lane at a byte of an allocation.
    pub(crate) fn note_race(&mut self, who: &Who, lane: u32, place: Place, offset: i64, race: Race) {
        let (record, thread) = (race.record, self.thread_of(who, lane));
        if let Some(heap) = self.machine.heap.as_ref().filter(|_| record.is_of_heap()) {
            let (access, offset) = (who.kind, offset.max(0) as u64);
            let rule = Box::new(match heap.lost(offset) {
                Lost::Freed { block, offset, by } => HeapRule::Freed { access, block, offset, by },
                Lost::Outside { before } => HeapRule::Outside { access, offset, before },
            });
            let finding = self.finding(who.site, thread, FindingKind::Heap { rule });
            self.findings.note(finding);
            return;
        }
        let other = self.other_party(&race);
        if race.gap.is_some_and(Gap::is_remark) {
            // For global memory, it is left open which thread executes the fence.
            if !matches!(place, Place::Buffer { .. }) {
                let kind = findings::race(who, &race, place, offset, other, false);
                let alike = matches!(race.gap, Some(Gap::Tensor { .. }));
                self.remark_race((who.site, record.site), thread, kind, alike);
            }
            return;
        }
        if record.kind.is_read() {
            self.findings.note_raced(record.site);
        }
        if let Some((_, load)) = self.racy_load(who, lane, &race) {
            self.racy.loads.insert(load);
        }
        self.doubt_tensor_loads(&record);
        let is_of_one = (record.site, record.made_by()) == (who.site, who.block);
        let of_warp = record.warps == 1 << who.warp;
        let replaced = std::mem::take(&mut self.replaced);
        let kind = match self.race_kind(who, thread, (place, offset), &race, other) {
            FindingKind::Race { access, place, offset, other, .. }
                if is_of_one && replaced.is_rounded(self.machine.kernel, who.site, of_warp) =>
            {
                FindingKind::RaceRounded { access, place, offset, other }
            }
            FindingKind::Race { access, place, offset, other, .. } if self.is_compared(who, &record) => {
                FindingKind::RaceCompared { access, place, offset, other }
            }
            kind => kind,
        };
        let finding = self.finding(who.site, thread, kind);
        self.findings.note(finding);
    }

    /// Whether a thread has arrived at an `mbarrier` of another block, and the arrival or the waits
    /// have a scope that does not reach that block, or no order.
    fn reaches_too_few(&self) -> bool {
        let code = &self.machine.kernel.code;
        let is_too_narrow = |(relaxed, scope): (bool, Scope)| relaxed || scope < Scope::Cluster;
        let waits = || {
            code.iter().any(|op| match op {
                Op::Mbarrier(op) if op.waits() => op.reach().is_some_and(is_too_narrow),
                _ => false,
            })
        };
        let mut remote = self.engine.barriers.all().flat_map(|(at, barrier)| {
            let rank = self.shared.rank_of(at);
            let arrivals = barrier.history().by_site();
            arrivals.filter(move |came| self.block_of(came.thread).rank != rank).filter_map(|came| match code
                .get(came.site as usize)
            {
                Some(Op::Mbarrier(op)) if op.arrives_itself() => op.reach(),
                _ => None,
            })
        });
        remote.any(|reach| is_too_narrow(reach) || waits())
    }
}
