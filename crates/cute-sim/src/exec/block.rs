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
use crate::memory::address::SHARED_BASE;
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

/// Runs a block to its end or to a finding that it cannot go on after.
pub(super) fn run(machine: &Machine<'_>, number: u32) -> Outcome {
    let [bx, by, bz] = machine.launch.block;
    let [gx, gy, _] = machine.launch.grid;
    let threads = bx * by * bz;
    let bytes = (machine.kernel.shared_end(machine.launch.dynamic_shared) - SHARED_BASE) as usize;
    let mut block = Block {
        machine,
        number,
        position: [number % gx, number / gx % gy, number / gx / gy],
        shared: Tracked::new(bytes),
        cells: if machine.launch.check_races { vec![Cell::default(); bytes.div_ceil(4)] } else { Vec::new() },
        clocks: Clocks::new(threads),
        barriers: Barriers::default(),
        passed: HashMap::new(),
        counters: Counters::new(machine.kernel.code.len()),
        findings: Findings::default(),
        output: String::new(),
        barriers_completed: 0,
        allowance: 0,
    };
    let mut warps: Vec<Warp> = (0..threads.div_ceil(WARP)).map(|n| Warp::new(n, threads, machine)).collect();
    if let Err((site, thread, kind)) = block.run(&mut warps) {
        machine.stop_at(number);
        let finding = block.finding(site, thread, kind);
        block.findings.note(site, 0, finding);
    }
    machine.give_back(block.allowance);
    let stats = Stats {
        blocks: 1,
        threads: threads.into(),
        barriers: block.barriers_completed,
        ..block.counters.stats(machine.kernel)
    };
    Outcome {
        number,
        findings: block.findings.finish(),
        counters: block.counters,
        stats,
        output: block.output,
    }
}

/// Instruction, thread and what it did.
pub(super) type Stop = (u32, u32, FindingKind);

impl Block<'_> {
    fn run(&mut self, warps: &mut [Warp]) -> Result<(), Stop> {
        loop {
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
                return Ok(());
            }
            if !went {
                return Err(stuck(self, warps));
            }
            if self.machine.is_stopped_before(self.number) {
                return Ok(());
            }
        }
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
    pub(super) fn note_race(
        &mut self,
        who: &Who,
        lane: u32,
        place: Place,
        offset: i64,
        Race { record, thread }: Race,
    ) {
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
        let finding = self.finding(who.site, thread, findings::race(who.kind, place, offset, other));
        self.findings.note(who.site, record.site, finding);
    }
}
