//! A cluster: blocks that are resident together and can access each other's shared memory. This is
//! the state that its warps' instructions use; the warps themselves are in
//! [`resident`](super::resident).
//!
//! Nothing but this file sees all parts: each kind of instruction borrows those that it may touch.

use super::WARP;
use super::device::Machine;
use super::journal::Journal;
use super::parts::{Meetings, Parts, TensorParts};
use super::scene::Scene;
use crate::block::BlockId;
use crate::course::Course;
use crate::engine::Engine;
use crate::families::barrier::arrivals::Barriers;
use crate::families::cluster::rendezvous::Rendezvous;
use crate::families::launch::grids::Grids;
use crate::families::setmaxnreg::pool::{Pool, Pools};
use crate::finding::FindingKind;
use crate::memory::address::SHARED_BASE;
use crate::memory::tensor::TensorMemories;
use crate::program::{OF_GROUPS, OF_GROUPS_BYTES};
use crate::race::Clocks;
use crate::shared::SharedMemory;

pub(crate) struct Cluster<'m> {
    shared: SharedMemory,
    tensor: TensorMemories,
    clocks: Clocks,
    /// The barriers of each block.
    barriers: Vec<Barriers>,
    rendezvous: Rendezvous,
    pools: Pools,
    grids: Grids,
    engine: Engine,
    journal: Journal<'m>,
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
        let mut engine = Engine::new(machine.launch.schedule, blocks * machine.warps());
        if machine.has_lasting_waits() {
            engine.course = Some(Box::new(Course::new(blocks * machine.warps() * WARP)));
        }
        Cluster {
            shared,
            tensor: TensorMemories::new(blocks),
            clocks: Clocks::new(number * blocks, blocks, machine.threads()).with_fences(machine.fences),
            barriers: std::iter::repeat_with(Barriers::default).take(blocks as usize).collect(),
            rendezvous: Rendezvous::default(),
            pools: if machine.kernel.has_groups {
                Pools::new(&Pool::new(machine.registers_at_launch(), machine.warps()), blocks)
            } else {
                Pools::default()
            },
            grids: Grids::new(blocks),
            engine,
            journal: Journal::new(machine, number),
        }
    }
}

impl<'m> Cluster<'m> {
    /// Names of threads, instructions and memory.
    #[inline]
    pub(crate) fn scene(&self) -> &Scene<'m> {
        self.journal.scene()
    }

    #[inline]
    pub(crate) fn machine(&self) -> &'m Machine<'m> {
        self.journal.machine()
    }

    /// Lends the parts that accesses of memory and asynchronous operations touch.
    #[inline]
    pub(crate) fn parts(&mut self) -> Parts<'_, 'm> {
        let Cluster { shared, clocks, engine, journal, .. } = self;
        Parts { shared, clocks, engine, journal }
    }

    /// Lends those that tensor cores touch.
    #[inline]
    pub(crate) fn tensor_parts(&mut self) -> TensorParts<'_, 'm> {
        let Cluster { shared, clocks, engine, journal, tensor, .. } = self;
        TensorParts { parts: Parts { shared, clocks, engine, journal }, tensor }
    }

    /// Lends those that threads meet at.
    #[inline]
    pub(crate) fn meetings(&mut self) -> Meetings<'_, 'm> {
        let Cluster { barriers, rendezvous, clocks, engine, journal, .. } = self;
        Meetings { barriers, rendezvous, clocks, engine, journal }
    }

    /// Lends those that instructions about launches touch.
    pub(crate) fn of_launches(&mut self) -> (Parts<'_, 'm>, &mut Grids) {
        let Cluster { shared, clocks, engine, journal, grids, .. } = self;
        (Parts { shared, clocks, engine, journal }, grids)
    }

    /// Lends those that changes of registers touch.
    pub(crate) fn of_registers(&mut self) -> (&mut Pools, &mut Journal<'m>) {
        let Cluster { pools, journal, .. } = self;
        (pools, journal)
    }
}

/// The parts that turns and reports ask.
impl<'m> Cluster<'m> {
    #[inline]
    pub(super) fn journal(&self) -> &Journal<'m> {
        &self.journal
    }

    #[inline]
    pub(super) fn journal_mut(&mut self) -> &mut Journal<'m> {
        &mut self.journal
    }

    /// Its journal, when all is over.
    pub(super) fn into_journal(self) -> Journal<'m> {
        self.journal
    }

    #[inline]
    pub(super) fn engine(&self) -> &Engine {
        &self.engine
    }

    #[inline]
    pub(super) fn shared(&self) -> &SharedMemory {
        &self.shared
    }

    pub(super) fn tensor(&self) -> &TensorMemories {
        &self.tensor
    }

    /// The barriers of each block.
    pub(super) fn barriers(&self) -> &[Barriers] {
        &self.barriers
    }

    pub(super) fn pools(&self) -> &Pools {
        &self.pools
    }

    pub(super) fn grids(&self) -> &Grids {
        &self.grids
    }

    /// A warp of this block runs.
    pub(super) fn run(&mut self, block: BlockId) {
        self.parts().run(block);
    }
}
