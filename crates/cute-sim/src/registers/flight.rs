//! Registers that have not received their value.

use crate::finding::{FindingKind, WgmmaRule};
use crate::program::{Kernel, Slot};

/// The future value of a register in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Flight {
    /// The last MMA that adds to it; 0 means none.
    pub(crate) ticket: u32,
    /// The instruction of that.
    pub(crate) site: u32,
    /// The bits that it holds of the thread's part of the accumulators: the first, and how many.
    pub(crate) bit: u32,
    pub(crate) bits: u32,
}

/// The registers of a warp that are in flight, if it is undefined as well; others are stale.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flights {
    /// The mark of each register; empty in kernels without `wgmma`.
    pub(crate) slots: Vec<Flight>,
    /// The first register that may have a mark.
    pub(crate) first: Slot,
    pub(crate) end: Slot,
    /// The first instruction that read one, the lane, and the register.
    pub(crate) read: Option<(u32, u32, Flight)>,
}

impl Flights {
    pub(crate) fn new(kernel: &Kernel) -> Self {
        let count = if kernel.group_mmas.is_empty() { 0 } else { kernel.registers.len() };
        Flights { slots: vec![Flight::default(); count], first: Slot::MAX, ..Flights::default() }
    }

    #[inline]
    pub(crate) fn get(&self, slot: Slot) -> Option<Flight> {
        self.slots.get(slot as usize).copied().filter(|flight| flight.ticket != 0)
    }

    pub(crate) fn set(&mut self, slot: Slot, flight: Flight) {
        self.slots[slot as usize] = flight;
        self.first = self.first.min(slot);
        self.end = self.end.max(slot + 1);
    }

    /// The register is not in flight, though undefined.
    pub(crate) fn clear(&mut self, slot: Slot) {
        if let Some(flight) = self.slots.get_mut(slot as usize) {
            flight.ticket = 0;
        }
    }
}

/// The finding that a register in flight is used.
pub(crate) fn in_flight(kernel: &Kernel, flight: Flight) -> FindingKind {
    let site = &kernel.sites[flight.site as usize];
    let (op, location) = (site.op.to_string(), site.location.clone());
    FindingKind::Wgmma { rule: WgmmaRule::InFlight { op, location, younger: None } }
}
