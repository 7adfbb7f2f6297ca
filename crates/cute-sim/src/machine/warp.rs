//! One warp: 32 lanes, which diverge and meet again. The order of blocks makes branches join where
//! they meet.

use super::WARP;
use super::cluster::Cluster;
use super::convergence::{Convergence, Together};
use super::device::Machine;
use super::issuer::Issuer;
use super::poll::Poll;
use super::stack::Stack;
pub(crate) use super::wait::Wait;
use crate::block::BlockId;
use crate::families::bulk::sent::SentBoxes;
use crate::families::cp_async::queue::Queue;
use crate::finding::FindingKind;
use crate::finding::LaneFinding;
use crate::memory::address::in_block;
use crate::program::Slot;
use crate::registers::Registers;

/// The number of instructions within which a spinning warp reads the value that it waits for.
const SPIN: u64 = 20_000;

/// The number of instructions that an atomic or volatile access of a lane counts for, because other
/// warps may have to act first.
pub(crate) const MEETING: u32 = 100;

#[derive(Clone)]
pub(crate) struct Warp {
    pub(crate) block: BlockId,
    /// Number in the block.
    pub(crate) number: u32,
    /// Number of its first thread in the cluster.
    first_thread: u32,
    pub(crate) lanes: Convergence,
    /// Lanes that arrived at the cluster's barrier: in this phase, and in one that is complete.
    pub(crate) cluster_arrived: u32,
    pub(crate) cluster_passed: u32,
    pub(crate) stack: Stack,
    pub(crate) registers: Registers,
    /// The last output of each lane.
    pub(crate) printed: [String; 32],
    /// Remaining instructions of the turn.
    pub(crate) turn: u32,
    pub(crate) executed: u64,
    /// The last instruction that read memory, its first lane, and what had been executed then.
    pub(crate) last_read: (u32, u32, u64),
    /// For each lane, the last question for a phase of an `mbarrier` that was not complete.
    pub(crate) polls: [Option<Poll>; 32],
    pub(crate) sent: SentBoxes,
    /// A wait for a phase has returned in some lanes, or they have learned of others' waits, since
    /// all lanes met.
    pub(crate) has_learned: bool,
}

/// The next instruction of a group of lanes.
pub(crate) enum Flow {
    Next,
    To(u32),
    /// Different or none: each lane's counter holds it.
    Apart,
}

impl Warp {
    pub(crate) fn new(block: BlockId, number: u32, machine: &Machine<'_>) -> Self {
        let mut registers = machine.registers.clone();
        // An address of shared memory contains the rank of its block.
        for slot in machine.kernel.located.iter().filter(|_| block.rank > 0) {
            registers[*slot as usize].iter_mut().for_each(|at| *at = in_block(*at, block.rank.into()));
        }
        let lanes = (machine.threads() - number * WARP).min(WARP);
        let exists = if lanes == WARP { u32::MAX } else { (1 << lanes) - 1 };
        Warp {
            block,
            number,
            first_thread: (block.rank * machine.warps() + number) * WARP,
            cluster_arrived: 0,
            cluster_passed: 0,
            lanes: Convergence::new(exists, machine.kernel.start),
            stack: Stack::default(),
            registers: Registers::new(registers, machine.undefined.clone(), !exists),
            printed: Default::default(),
            turn: 0,
            executed: 0,
            last_read: (0, 0, 0),
            polls: [None; 32],
            sent: SentBoxes::default(),
            has_learned: false,
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.lanes.is_over()
    }

    /// Runs until no lane can continue, or for `quantum` instructions.
    pub(crate) fn run(&mut self, cluster: &mut Cluster<'_>, quantum: u32) -> Result<(), LaneFinding> {
        let ended = self.take_turn(cluster, quantum);
        // That a register in flight was read matters more than the consequences.
        self.read_in_flight(cluster.machine.kernel).and(ended).map_err(|mut finding| {
            self.name_group(cluster, &mut finding.kind);
            finding
        })
    }

    fn take_turn(&mut self, cluster: &mut Cluster<'_>, quantum: u32) -> Result<(), LaneFinding> {
        let kernel = cluster.machine.kernel;
        self.turn = quantum;
        while self.lanes.ready() != 0 {
            if self.turn == 0 {
                self.lanes.interrupt();
                return Ok(());
            }
            let Together { mut pc, lanes: active, limit } = self.lanes.group();
            while pc < limit {
                self.turn = self.turn.saturating_sub(1);
                self.lanes.run(pc);
                self.registers.run(pc);
                self.executed += 1;
                let Some(op) = kernel.code.get(pc as usize) else { return Ok(()) };
                cluster.journal.count(pc, active)?;
                let flow = self.step(op, active, cluster);
                if cluster.journal.has_met_stranger() {
                    self.met_stranger(cluster, active);
                }
                match flow? {
                    Flow::Next => pc += 1,
                    // Turns end at the start of a loop, so that a loop without effect is
                    // recognised.
                    Flow::To(target) if self.turn == 0 && target <= pc => {
                        self.lanes.park(active, target);
                        self.lanes.interrupt();
                        return Ok(());
                    }
                    Flow::To(target) => pc = target,
                    Flow::Apart => break,
                }
            }
            // Diverged lanes already have their counters.
            if pc >= limit {
                self.lanes.park(active, pc);
            }
        }
        self.lanes.rest();
        Ok(())
    }

    /// Reports that the instruction used memory of a block that may not have begun.
    #[cold]
    fn met_stranger(&self, cluster: &mut Cluster<'_>, active: u32) {
        if let Some(place) = cluster.journal.take_stranger() {
            let thread = self.thread(active.trailing_zeros());
            cluster.journal.remark(self.lanes.at(), thread, FindingKind::NotBegun { place });
        }
    }

    /// Whether it will behave like the other one, as long as memory does not change.
    pub(crate) fn is_as(&self, other: &Warp) -> bool {
        self.is_where(other) && self.registers.are_those_of(&other.registers)
    }

    /// Whether it is the same but for its registers.
    pub(crate) fn is_where(&self, other: &Warp) -> bool {
        self.lanes.is_as(&other.lanes)
            && (self.cluster_arrived, self.cluster_passed) == (other.cluster_arrived, other.cluster_passed)
            && self.stack.is_as(&other.stack)
    }

    /// The instruction and lane for a report that the warp does not end: the last read of its loop,
    /// if there is one.
    pub(crate) fn spins_at(&self) -> (u32, u32) {
        let (read, lane, when) = self.last_read;
        if when > 0 && self.executed - when < SPIN {
            return (read, lane);
        }
        let lane = (self.lanes.ready() | self.lanes.exists() & !self.lanes.done()).trailing_zeros() % WARP;
        (self.lanes.pc(lane), lane)
    }

    /// Number in the cluster of a lane's thread.
    pub(crate) fn thread(&self, lane: u32) -> u32 {
        self.first_thread + lane
    }

    /// The instruction that runs, of some lanes.
    #[inline]
    pub(crate) fn issuer(&self, lanes: u32) -> Issuer {
        let Warp { first_thread, block, number, executed, .. } = *self;
        let (site, exists) = (self.lanes.at(), self.lanes.exists());
        Issuer { site, lanes, exists, first: first_thread, block, warp: number, executed }
    }

    /// The lanes access memory through an address, or hand it on.
    #[inline]
    pub(crate) fn use_address(&self, cluster: &mut Cluster<'_>, address: Slot, lanes: u32) {
        cluster.journal.use_address(&self.registers, &self.issuer(lanes), address);
    }

    /// The requests of its threads.
    pub(crate) fn queue<'c>(&self, cluster: &'c Cluster<'_>) -> &'c Queue {
        &cluster.engine.queues[(self.first_thread / WARP) as usize]
    }

    pub(crate) fn queue_mut<'c>(&self, cluster: &'c mut Cluster<'_>) -> &'c mut Queue {
        &mut cluster.engine.queues[(self.first_thread / WARP) as usize]
    }
}

pub(crate) fn first_lane(lanes: u32, kind: FindingKind) -> LaneFinding {
    LaneFinding { lane: lanes.trailing_zeros(), kind }
}
