//! A cluster: blocks that are resident together and can access each other's shared memory. This is
//! the state that its warps' instructions use; the warps themselves are in
//! [`resident`](super::resident).

use super::WARP;
use super::device::Machine;
use super::journal::Journal;
use super::parts::{Addresses, Parts, state_finding, value_at};
use super::scene::Scene;
use crate::block::BlockId;
use crate::course::Course;
use crate::engine::Engine;
use crate::events::Event;
use crate::families::barrier::arrivals::Barriers;
use crate::families::cluster::rendezvous::Rendezvous;
use crate::families::setmaxnreg::pool::Pool;
use crate::finding::{FindingKind, Place};
use crate::memory::address::SHARED_BASE;
use crate::memory::span::Span;
use crate::memory::tensor::TensorMemory;
use crate::memory::tracked::ByteState;
use crate::program::{OF_GROUPS, OF_GROUPS_BYTES};
use crate::race::{Clocks, Dependence, Race, SyncTable, Who};
use crate::registers::unknown::Local;
use crate::shared::SharedMemory;

pub(crate) struct Cluster<'m> {
    pub(crate) machine: &'m Machine<'m>,
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
    pub(crate) journal: Journal<'m>,
    /// An atomic or volatile access of global memory happened in this slice.
    pub(crate) meets_others: bool,
    /// The `griddepcontrol` instructions of each block.
    pub(crate) dependence: Vec<Dependence>,
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
            shared,
            tensor: (0..blocks).map(|_| None).collect(),
            clocks: Clocks::new(number * blocks, blocks, machine.threads()).with_fences(machine.fences),
            barriers: std::iter::repeat_with(Barriers::default).take(blocks as usize).collect(),
            rendezvous: Rendezvous::default(),
            registers: if machine.kernel.has_groups {
                vec![Pool::new(machine.registers_at_launch(), machine.warps()); blocks as usize]
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
            journal: Journal::new(machine, number),
            meets_others: false,
            dependence: vec![Dependence::default(); blocks as usize],
        }
    }
}

impl<'m> Cluster<'m> {
    /// Names of threads, instructions and memory.
    #[inline]
    pub(crate) fn scene(&self) -> &Scene<'m> {
        self.journal.scene()
    }

    /// Lends the parts that accesses of memory and asynchronous operations touch.
    #[inline]
    pub(crate) fn parts(&mut self) -> Parts<'_, 'm> {
        let Cluster { shared, clocks, engine, journal, .. } = self;
        Parts { shared, clocks, engine, journal }
    }

    /// Finds the allocation of an access and checks that it holds all of it.
    #[inline]
    pub(crate) fn span(
        &self,
        locals: &[Local],
        address: u64,
        space: u32,
        bytes: u64,
        align: u64,
    ) -> Result<Span, FindingKind> {
        let Cluster { shared, clocks, journal, .. } = self;
        Addresses { shared, clocks, journal }.span(locals, address, space, bytes, align)
    }
}

impl Cluster<'_> {
    /// A warp of this block runs.
    pub(crate) fn run(&mut self, block: BlockId) {
        self.journal.run(block);
        self.clocks.run(block.rank);
    }

    /// The reason why a byte `delta` bytes into the span does not have the state that the access
    /// needs.
    pub(crate) fn state_finding(
        &self,
        locals: &[Local],
        span: Span,
        delta: usize,
        state: ByteState,
    ) -> FindingKind {
        state_finding(self.scene(), &self.engine.barriers, locals, (span, delta), state)
    }

    /// Notes a race of a lane at a byte of an allocation.
    #[cold]
    pub(crate) fn note_race(&mut self, who: &Who, lane: u32, place: Place, offset: i64, race: Race) {
        self.parts().note_race((who, lane), (place, offset), race);
    }

    /// Up to 8 bytes at `delta` of the span.
    pub(crate) fn read(&self, locals: &[Local], span: Span, delta: usize, bytes: usize) -> u64 {
        value_at(self.machine, &self.shared, locals, span, delta, bytes)
    }

    /// Tells how many columns of tensor memory a block has.
    pub(crate) fn tell_columns(&mut self, rank: u32) {
        let memory = self.tensor[rank as usize].as_ref();
        self.journal.tell(|_| {
            let allocated = memory.map_or(0, |memory| memory.live().map(|own| own.count).sum());
            Event::Columns { rank, allocated }
        });
    }
}
