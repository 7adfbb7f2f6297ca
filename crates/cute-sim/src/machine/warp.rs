//! One warp: 32 lanes, which diverge and meet again. The order of blocks makes branches join where
//! they meet.

use super::WARP;
use super::cluster::Cluster;
use super::convergence::{Convergence, Together};
use super::device::Machine;
use super::issuer::Issuer;
use super::marks::Marks;
use super::stack::Stack;
pub(crate) use super::wait::Wait;
use crate::block::BlockId;
use crate::families::bulk::sent::SentBoxes;
use crate::families::cluster::lanes::LanesAtCluster;
use crate::finding::FindingKind;
use crate::finding::LaneFinding;
use crate::memory::address::in_block;
use crate::program::Kernel;
use crate::registers::Registers;
use crate::registers::flight::in_flight;

#[derive(Clone)]
pub(crate) struct Warp {
    block: BlockId,
    /// Number in the block.
    number: u32,
    /// Number of its first thread in the cluster.
    first_thread: u32,
    pub(crate) lanes: Convergence,
    pub(crate) at_cluster: LanesAtCluster,
    pub(crate) stack: Stack,
    pub(crate) registers: Registers,
    pub(crate) marks: Marks,
    pub(crate) sent: SentBoxes,
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
            at_cluster: LanesAtCluster::default(),
            lanes: Convergence::new(exists, machine.kernel.start),
            stack: Stack::default(),
            registers: Registers::new(registers, machine.undefined.clone(), !exists),
            marks: Marks::new(),
            sent: SentBoxes::default(),
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.lanes.is_over()
    }

    /// Runs until no lane can continue, or for `quantum` instructions.
    pub(crate) fn run(&mut self, cluster: &mut Cluster<'_>, quantum: u32) -> Result<(), LaneFinding> {
        let ended = self.take_turn(cluster, quantum);
        // That a register in flight was read matters more than the consequences.
        self.read_in_flight(cluster.machine().kernel).and(ended).map_err(|mut finding| {
            let (kernel, issuer) = (cluster.machine().kernel, self.issuer(0));
            let engine = cluster.parts().engine;
            engine.warpgroups.name_group(&self.registers, &issuer, kernel, &mut finding.kind);
            finding
        })
    }

    /// Reports that registers in flight were read, if they were, by the instruction that runs.
    fn read_in_flight(&mut self, kernel: &Kernel) -> Result<(), LaneFinding> {
        let Some((at, lane, flight)) = self.registers.take_read() else { return Ok(()) };
        self.lanes.run(at);
        Err(LaneFinding { lane, kind: in_flight(kernel, flight) })
    }

    fn take_turn(&mut self, cluster: &mut Cluster<'_>, quantum: u32) -> Result<(), LaneFinding> {
        let kernel = cluster.machine().kernel;
        self.marks.begin_turn(quantum);
        while self.lanes.ready() != 0 {
            if self.marks.has_had_turn() {
                self.lanes.interrupt();
                return Ok(());
            }
            let Together { mut pc, lanes: active, limit } = self.lanes.group();
            while pc < limit {
                self.lanes.run(pc);
                self.registers.run(pc);
                self.marks.count();
                let Some(op) = kernel.code.get(pc as usize) else { return Ok(()) };
                cluster.journal_mut().count(pc, active)?;
                let flow = self.step(op, active, cluster);
                if cluster.journal().has_met_stranger() {
                    self.met_stranger(cluster, active);
                }
                match flow? {
                    Flow::Next => pc += 1,
                    // Turns end at the start of a loop, so that a loop without effect is
                    // recognised.
                    Flow::To(target) if self.marks.has_had_turn() && target <= pc => {
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
        if let Some(place) = cluster.journal_mut().take_stranger() {
            let thread = self.thread(active.trailing_zeros());
            cluster.journal_mut().remark(self.lanes.at(), thread, FindingKind::NotBegun { place });
        }
    }

    /// Whether it will behave like the other one, as long as memory does not change.
    pub(crate) fn is_as(&self, other: &Warp) -> bool {
        self.is_where(other) && self.registers.are_those_of(&other.registers)
    }

    /// Whether it is the same but for its registers.
    pub(crate) fn is_where(&self, other: &Warp) -> bool {
        self.lanes.is_as(&other.lanes)
            && self.at_cluster == other.at_cluster
            && self.stack.is_as(&other.stack)
    }

    /// The instruction and lane for a report that the warp does not end: the last read of its loop,
    /// if there is one.
    pub(crate) fn spins_at(&self) -> (u32, u32) {
        if let Some(last) = self.marks.last_read() {
            return last;
        }
        let lane = (self.lanes.ready() | self.lanes.exists() & !self.lanes.done()).trailing_zeros() % WARP;
        (self.lanes.pc(lane), lane)
    }

    /// Its block.
    #[inline]
    pub(crate) fn block(&self) -> BlockId {
        self.block
    }

    /// Its number in the block.
    #[inline]
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// Number in the cluster of a lane's thread.
    pub(crate) fn thread(&self, lane: u32) -> u32 {
        self.first_thread + lane
    }

    /// The instruction that runs, of some lanes.
    #[inline]
    pub(crate) fn issuer(&self, lanes: u32) -> Issuer {
        let Warp { first_thread, block, number, .. } = *self;
        let (site, exists, executed) = (self.lanes.at(), self.lanes.exists(), self.marks.executed());
        Issuer { site, lanes, exists, first: first_thread, block, warp: number, executed }
    }
}

pub(crate) fn first_lane(lanes: u32, kind: FindingKind) -> LaneFinding {
    LaneFinding { lane: lanes.trailing_zeros(), kind }
}
