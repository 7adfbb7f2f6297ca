//! The parts of a cluster that accesses of memory and asynchronous operations touch, lent for an
//! instruction or for an act of an agent. Registers and lanes of warps, barriers of threads and
//! tensor memory are not among them.
//!
//! | file | subject |
//! |---|---|
//! | `addresses` | the places of addresses, and the values there |
//! | `races` | accesses of threads, and their races |
//! | `transfers` | accesses of agents |
//! | `tiles`, `swizzles` | tiles that MMAs read, and the swizzles of their descriptors |

mod addresses;
mod races;
mod swizzles;
mod tiles;
mod transfers;

pub(crate) use addresses::{Addresses, value_at};
pub(crate) use races::Same;
pub(crate) use transfers::state_finding;

use super::device::Machine;
use super::journal::Journal;
use super::scene::Scene;
use crate::engine::Engine;
use crate::finding::FindingKind;
use crate::memory::span::Span;
use crate::race::{Clocks, View};
use crate::registers::unknown::Local;
use crate::shared::SharedMemory;

pub(crate) struct Parts<'c, 'm> {
    pub(crate) shared: &'c mut SharedMemory,
    pub(crate) clocks: &'c mut Clocks,
    pub(crate) engine: &'c mut Engine,
    pub(crate) journal: &'c mut Journal<'m>,
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

    /// The knowledge of a thread, for an agent that acts for it.
    pub(crate) fn view(&self, thread: u32) -> View {
        self.clocks.view(thread, self.machine().threads())
    }
}
