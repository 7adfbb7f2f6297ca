//! A block: its warps in turns, its shared memory, clocks, counters and findings.

use super::WARP;
use super::alu::LaneFinding;
use super::barrier::{self, Barriers};
use super::counters::Counters;
use super::findings::{self, Findings};
use super::machine::Machine;
use super::stuck::stuck;
use super::warp::Warp;
use crate::finding::{Finding, FindingKind, Party, Place};
use crate::memory::tracked::Tracked;
use crate::race::{Cell, Clocks, Known, Race, Who};
use crate::report::Stats;
use std::collections::HashMap;

pub(super) struct Block<'m> {
    pub(super) machine: &'m Machine<'m>,
    /// Number in the grid, x fastest.
    pub(super) number: u32,
    pub(super) position: [u32; 3],
    /// The window, from `SHARED_BASE` on.
    pub(super) shared: Tracked,
    /// A cell for each word of the window.
    pub(super) cells: Vec<Cell>,
    pub(super) clocks: Clocks,
    pub(super) barriers: Barriers,
    /// What threads passed on by atomic operations: by address space, allocation and byte.
    pub(super) passed: HashMap<(u32, u32, usize), Known>,
    pub(super) counters: Counters,
    pub(super) findings: Findings,
    pub(super) output: String,
    pub(super) barriers_completed: u64,
    /// Writes, arrivals, output.
    pub(super) changes: u64,
    /// An atomic or volatile access of global memory happened in this slice.
    pub(super) meets_others: bool,
    allowance: u64,
}

/// What a block leaves behind.
pub(super) struct Outcome {
    pub(super) number: u32,
    pub(super) findings: Vec<Finding>,
    pub(super) counters: Counters,
    pub(super) stats: Stats,
    pub(super) output: String,
}

/// A block that has begun, with its warps.
pub(super) struct Resident<'m> {
    block: Block<'m>,
    warps: Vec<Warp>,
    /// What the warps were when nothing had changed any more.
    seen: Option<Vec<Warp>>,
    /// Rounds since the last change, and the changes until then.
    quiet: u64,
    changes: u64,
    /// Instructions of warps until the last change.
    busy: u64,
}

/// How a block's time slice ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slice {
    /// It has nothing more to do.
    Done,
    /// It has more to do, and others may have something to do before.
    Over,
    /// Its warps are again what they were, and it has changed nothing since: without others it will do that for ever.
    Repeats,
}

/// Instructions of warps after which a block that works on memory of all blocks lets others run.
const SLICE: u64 = 1 << 14;

impl<'m> Resident<'m> {
    pub(super) fn new(machine: &'m Machine<'m>, number: u32) -> Self {
        let [bx, by, bz] = machine.launch.block;
        let [gx, gy, _] = machine.launch.grid;
        let threads = bx * by * bz;
        let bytes = machine.shared_bytes() as usize;
        let cells = if machine.launch.check_races { bytes.div_ceil(4) } else { 0 };
        let block = Block {
            machine,
            number,
            position: [number % gx, number / gx % gy, number / gx / gy],
            shared: Tracked::new(bytes),
            cells: vec![Cell::default(); cells],
            clocks: Clocks::new(threads),
            barriers: Barriers::default(),
            passed: HashMap::new(),
            counters: Counters::new(machine.kernel.code.len()),
            findings: Findings::default(),
            output: String::new(),
            barriers_completed: 0,
            changes: 0,
            meets_others: false,
            allowance: 0,
        };
        let warps = (0..threads.div_ceil(WARP)).map(|n| Warp::new(n, threads, machine)).collect();
        Resident { block, warps, seen: None, quiet: 0, changes: 0, busy: 0 }
    }

    pub(super) fn number(&self) -> u32 {
        self.block.number
    }

    /// Counts what the block did that others, or its own other warps, may depend on.
    pub(super) fn changes(&self) -> u64 {
        self.block.changes
    }

    fn executed(&self) -> u64 {
        self.warps.iter().map(|w| w.executed).sum()
    }

    /// Runs for a time slice, to the end, or to a finding after which the block cannot go on.
    pub(super) fn run(&mut self) -> Slice {
        let start = self.executed();
        // What others did meanwhile may be what this block waited for.
        self.busy = start;
        self.block.meets_others = false;
        loop {
            if self.block.machine.is_stopped_before(self.block.number) {
                return Slice::Done;
            }
            match self.block.round(&mut self.warps) {
                Ok(true) => return Slice::Done,
                Ok(false) => {}
                Err(stop) => {
                    self.stop(stop);
                    return Slice::Done;
                }
            }
            if self.repeats() {
                return Slice::Repeats;
            }
            let executed = self.executed();
            let limit = self.block.machine.launch.idle;
            if executed - self.busy > limit {
                let kind = FindingKind::Hang { repeats: false, instructions: limit, resident: None };
                self.stop(self.endless(kind));
                return Slice::Done;
            }
            if self.block.meets_others && executed - start > SLICE {
                return Slice::Over;
            }
        }
    }

    /// Are the warps what they were before, with no change since? Each state is compared with one that is from once to
    /// twice as old, in rounds since the last change (Brent's cycle detection).
    fn repeats(&mut self) -> bool {
        if self.block.changes != self.changes {
            (self.changes, self.quiet, self.seen) = (self.block.changes, 0, None);
            self.busy = self.executed();
            return false;
        }
        self.quiet += 1;
        let is_as = |seen: &Vec<Warp>| seen.iter().zip(&self.warps).all(|(a, b)| a.is_as(b));
        if self.seen.as_ref().is_some_and(is_as) {
            return true;
        }
        if self.quiet.is_power_of_two() {
            self.seen = Some(self.warps.clone());
        }
        false
    }

    /// That a warp which can go on has no end to come to: where it reads memory, if it does.
    fn endless(&self, kind: FindingKind) -> Stop {
        let spins = self.warps.iter().find(|w| w.ready != 0).or(self.warps.first());
        spins.map_or((0, 0, kind.clone()), |warp| {
            let (site, lane) = warp.spins_at();
            (site, warp.thread(lane), kind)
        })
    }

    /// Notes that the kernel hangs in this block; `resident` of so many blocks are there at once.
    pub(super) fn hangs(&mut self, resident: Option<(u32, u32)>) {
        let (site, thread, kind) =
            self.endless(FindingKind::Hang { repeats: true, instructions: 0, resident });
        let finding = self.block.finding(site, thread, kind);
        self.block.findings.note(site, 0, finding);
    }

    fn stop(&mut self, (site, thread, kind): Stop) {
        self.block.machine.stop_at(self.block.number);
        let finding = self.block.finding(site, thread, kind);
        self.block.findings.note(site, 0, finding);
    }

    pub(super) fn finish(self) -> Outcome {
        let Block { machine, number, findings, counters, output, barriers_completed, allowance, .. } =
            self.block;
        machine.give_back(allowance);
        let threads = machine.launch.block.iter().map(|n| u64::from(*n)).product();
        let stats =
            Stats { blocks: 1, threads, barriers: barriers_completed, ..counters.stats(machine.kernel) };
        Outcome { number, findings: findings.finish(), counters, stats, output }
    }
}

/// Instruction, thread and what it did.
pub(super) type Stop = (u32, u32, FindingKind);

impl Block<'_> {
    /// A turn for each warp that can go on. Answers whether all are done.
    fn round(&mut self, warps: &mut [Warp]) -> Result<bool, Stop> {
        let mut went = false;
        for w in 0..warps.len() {
            if warps[w].ready == 0 {
                continue;
            }
            went = true;
            if let Err(LaneFinding { lane, mut kind }) = warps[w].run(self) {
                let thread = warps[w].thread(lane);
                self.name_copy(warps, thread, &mut kind);
                return Err((warps[w].at, thread, kind));
            }
            barrier::settle(self, warps)?;
        }
        if warps.iter().all(Warp::is_done) {
            return Ok(true);
        }
        if went { Ok(false) } else { Err(stuck(self, warps)) }
    }

    /// Counts an instruction of some lanes.
    pub(super) fn count(&mut self, pc: u32, active: u32) -> Result<(), LaneFinding> {
        let n = u64::from(active.count_ones());
        if self.allowance < n {
            self.allowance += self.machine.allowance();
            if self.allowance < n {
                let kind = FindingKind::Budget { limit: self.machine.launch.budget };
                return Err(LaneFinding { lane: active.trailing_zeros(), kind });
            }
        }
        self.allowance -= n;
        self.counters.threads[pc as usize] += n;
        Ok(())
    }

    /// A thread's position in its block.
    pub(super) fn thread(&self, number: u32) -> [u32; 3] {
        let [bx, by, _] = self.machine.launch.block;
        [number % bx, number / bx % by, number / bx / by]
    }

    /// Name and place of an instruction.
    pub(super) fn site(&self, pc: u32) -> (String, String) {
        match self.machine.kernel.sites.get(pc as usize) {
            Some(site) => (site.op.clone(), site.location.clone()),
            None => (self.machine.kernel.name.clone(), String::new()),
        }
    }

    pub(super) fn finding(&self, site: u32, thread: u32, kind: FindingKind) -> Finding {
        let (op, location) = self.site(site);
        Finding { kind, op, location, block: self.position, thread: self.thread(thread), count: 1 }
    }

    /// Notes a race of a lane at a byte of an allocation.
    pub(super) fn note_race(&mut self, who: &Who, lane: u32, place: Place, offset: i64, race: Race) {
        let Race { record, thread } = race;
        let (op, location) = self.site(record.site);
        let [gx, gy, _] = self.machine.launch.grid;
        let other = Party {
            access: record.kind,
            op,
            location,
            block: [record.block % gx, record.block / gx % gy, record.block / gx / gy],
            thread: self.thread(thread),
        };
        if record.kind.is_read() {
            self.findings.note_raced(record.site);
        }
        let thread = who.warp * WARP + lane;
        let finding = self.finding(who.site, thread, findings::race(who, &race, place, offset, other));
        self.findings.note(who.site, record.site, finding);
    }
}
