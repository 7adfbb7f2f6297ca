//! A cluster: blocks that are resident together and can access each other's shared memory. This is
//! the state that its warps' instructions use; the warps themselves are in
//! [`resident`](super::resident).

use super::WARP;
use super::device::Machine;
use super::journal::Journal;
use super::journal::races::Orders;
use super::scene::Scene;
use super::shared::SharedMemory;
use super::warp::Warp;
use super::workers;
use crate::block::BlockId;
use crate::course::Course;
use crate::engine::Engine;
use crate::events::Event;
use crate::families::barrier::arrivals::Barriers;
use crate::families::cluster::rendezvous::Rendezvous;
use crate::families::setmaxnreg::pool::Pool;
use crate::finding::{AccessKind, FindingKind, Place};
use crate::memory::address::SHARED_BASE;
use crate::memory::tensor::TensorMemory;
use crate::program::{OF_GROUPS, OF_GROUPS_BYTES};
use crate::race::{Clocks, Dependence, Race, SyncTable, Who};

/// How often a thread lets other host threads go on, until it takes its value for another one than
/// theirs.
const PATIENCE: u32 = 64;

/// Tells whether memory holds what is about to be written.
pub(crate) type Same<'a> = Option<&'a dyn Fn(&Cluster<'_>) -> bool>;

pub(crate) struct Cluster<'m> {
    pub(crate) machine: &'m Machine<'m>,
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
            exited: 0,
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
}

impl Cluster<'_> {
    /// A warp of this block runs.
    pub(crate) fn run(&mut self, block: BlockId) {
        self.journal.run(block);
        self.clocks.run(block.rank);
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
        let Cluster { journal, clocks, engine, .. } = self;
        journal.note_same_value(Orders { clocks, engine }, (who, lane), (place, offset), race);
    }

    /// Notes a race of a lane at a byte of an allocation.
    #[cold]
    pub(crate) fn note_race(&mut self, who: &Who, lane: u32, place: Place, offset: i64, race: Race) {
        let Cluster { journal, clocks, engine, .. } = self;
        journal.note_race(Orders { clocks, engine }, (who, lane), (place, offset), race);
    }

    /// Reports the races of loads whose values a warp has used.
    #[inline]
    pub(crate) fn note_uses(&mut self, warp: &Warp) {
        if warp.registers.has_uses() {
            for (lane, site) in warp.registers.doubts().take() {
                self.uses_tensor(warp, site);
                self.journal.note_use((warp.thread(lane), site));
            }
        }
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
