//! The parts of a cluster, lent for an instruction or for an act of an agent: `Parts` are those
//! that accesses of memory and asynchronous operations touch, without registers and lanes of warps,
//! barriers of threads and tensor memory; `Meetings` has the barriers and no memory, and
//! `TensorParts` has tensor memory.
//!
//! | file | subject |
//! |---|---|
//! | `addresses` | the places of addresses, and the values there |
//! | `access` | reads and writes, and whether they may happen |
//! | `order` | the order that atomic and volatile accesses make |
//! | `races` | accesses of threads, and their races |
//! | `transfers` | accesses of agents |
//! | `tiles`, `swizzles` | tiles that MMAs read, and the swizzles of their descriptors |

mod access;
mod addresses;
mod order;
mod races;
mod swizzles;
mod tiles;
mod transfers;

pub(crate) use addresses::{Addresses, value_at};
pub(crate) use transfers::state_finding;

use super::device::Machine;
use super::journal::Journal;
use super::scene::Scene;
use crate::block::BlockId;
use crate::course::Course;
use crate::engine::Engine;
use crate::families::barrier::arrivals::Barriers;
use crate::families::cluster::rendezvous::Rendezvous;
use crate::finding::FindingKind;
use crate::memory::span::Span;
use crate::memory::tensor::TensorMemories;
use crate::race::{Clocks, View};
use crate::registers::unknown::Local;
use crate::shared::SharedMemory;

pub(crate) struct Parts<'c, 'm> {
    pub(crate) shared: &'c mut SharedMemory,
    pub(crate) clocks: &'c mut Clocks,
    pub(crate) engine: &'c mut Engine,
    pub(crate) journal: &'c mut Journal<'m>,
}

/// The parts that threads meet at: barriers of blocks, and of the cluster.
pub(crate) struct Meetings<'c, 'm> {
    /// Those of each block.
    pub(crate) barriers: &'c mut [Barriers],
    pub(crate) rendezvous: &'c mut Rendezvous,
    pub(crate) clocks: &'c mut Clocks,
    pub(crate) engine: &'c mut Engine,
    pub(crate) journal: &'c mut Journal<'m>,
}

/// The parts that tensor cores touch.
pub(crate) struct TensorParts<'c, 'm> {
    pub(crate) parts: Parts<'c, 'm>,
    pub(crate) tensor: &'c mut TensorMemories,
}

/// The parts that any instruction of lanes together touches.
pub(crate) trait Lent<'m> {
    fn machine(&self) -> &'m Machine<'m>;

    /// The order of execution, in a kernel with waits for phases that last.
    fn course(&mut self) -> Option<&mut Course>;
}

impl<'m> Lent<'m> for Parts<'_, 'm> {
    fn machine(&self) -> &'m Machine<'m> {
        self.journal.machine()
    }

    fn course(&mut self) -> Option<&mut Course> {
        self.engine.course.as_deref_mut()
    }
}

impl<'m> Lent<'m> for Meetings<'_, 'm> {
    fn machine(&self) -> &'m Machine<'m> {
        self.journal.machine()
    }

    fn course(&mut self) -> Option<&mut Course> {
        self.engine.course.as_deref_mut()
    }
}

impl<'m> Lent<'m> for TensorParts<'_, 'm> {
    fn machine(&self) -> &'m Machine<'m> {
        self.parts.journal.machine()
    }

    fn course(&mut self) -> Option<&mut Course> {
        self.parts.engine.course.as_deref_mut()
    }
}

impl<'m> Meetings<'_, 'm> {
    /// Names of threads, instructions and memory.
    #[inline]
    pub(crate) fn scene(&self) -> &Scene<'m> {
        self.journal.scene()
    }

    /// The barriers of the block that runs.
    pub(crate) fn own(&self) -> &Barriers {
        &self.barriers[self.scene().block().rank as usize]
    }

    pub(crate) fn own_mut(&mut self) -> &mut Barriers {
        &mut self.barriers[self.journal.scene().block().rank as usize]
    }
}

impl<'m> Parts<'_, 'm> {
    /// Names of threads, instructions and memory.
    #[inline]
    pub(crate) fn scene(&self) -> &Scene<'m> {
        self.journal.scene()
    }

    #[inline]
    pub(crate) fn machine(&self) -> &'m Machine<'m> {
        self.journal.machine()
    }

    #[inline]
    pub(crate) fn addresses(&self) -> Addresses<'_, 'm> {
        let Parts { shared, clocks, journal, .. } = self;
        Addresses { shared, clocks, journal }
    }

    /// Finds the allocation of an access and checks that it holds all of it.
    pub(crate) fn span(
        &self,
        locals: &[Local],
        address: u64,
        space: u32,
        bytes: u64,
        align: u64,
    ) -> Result<Span, FindingKind> {
        self.addresses().span(locals, address, space, bytes, align)
    }

    /// A warp of this block runs.
    pub(crate) fn run(&mut self, block: BlockId) {
        self.journal.run(block);
        self.clocks.run(block.rank);
    }

    /// The knowledge of a thread, for an agent that acts for it.
    pub(crate) fn view(&self, thread: u32) -> View {
        self.clocks.view(thread, self.machine().threads())
    }
}
