//! Registers that have not received their value: accumulators of a `wgmma` whose wait is missing.
//!
//! Such a register is undefined in all lanes, and is marked with the value of the accumulators that
//! it will hold. A copy of it has the same mark: on the device all copies are one register, which
//! the instruction has not written yet. An operation that computes with it reads a register in
//! flight, which is a finding.

use super::Registers;
use crate::finding::{FindingKind, WgmmaRule};
use crate::program::{Kernel, Slot};
use std::ops::Range;

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
pub(super) struct Flights {
    /// The mark of each register; empty before the first.
    slots: Vec<Flight>,
    /// The first register that may have a mark.
    first: Slot,
    end: Slot,
    /// The first instruction that read one, the lane, and the register.
    read: Option<(u32, u32, Flight)>,
}

impl Flights {
    pub(super) fn new() -> Self {
        Flights { first: Slot::MAX, ..Flights::default() }
    }

    #[inline]
    pub(super) fn get(&self, slot: Slot) -> Option<Flight> {
        self.slots.get(slot as usize).copied().filter(|flight| flight.ticket != 0)
    }

    /// Marks a register, one of `count`.
    pub(super) fn set(&mut self, slot: Slot, flight: Flight, count: usize) {
        if self.slots.is_empty() {
            self.slots.resize(count, Flight::default());
        }
        self.slots[slot as usize] = flight;
        self.first = self.first.min(slot);
        self.end = self.end.max(slot + 1);
    }

    /// The register is not in flight, though undefined.
    pub(super) fn clear(&mut self, slot: Slot) {
        if let Some(flight) = self.slots.get_mut(slot as usize) {
            flight.ticket = 0;
        }
    }
}

impl Registers {
    /// The mark of the register, if it is in flight.
    pub(crate) fn flight(&self, slot: Slot) -> Option<Flight> {
        if self.undefined_in(slot) == 0 { None } else { self.flights.get(slot) }
    }

    /// The register is in flight from now on in these lanes.
    pub(crate) fn depart(&mut self, slot: Slot, active: u32, flight: Flight) {
        self.undefined[slot as usize] |= active;
        self.flights.set(slot, flight, self.undefined.len());
    }

    /// If the source is in flight, the target becomes so too, and nothing else is copied.
    #[cold]
    pub(crate) fn copy_flight(&mut self, dst: Slot, src: Slot, active: u32) -> bool {
        let Some(flight) = self.flight(src) else { return false };
        self.depart(dst, active, flight);
        true
    }

    /// Like [`copy_flight`](Self::copy_flight), for `bits` bits that begin in the source at bit
    /// `shift`.
    #[cold]
    pub(crate) fn regroup_flight(
        &mut self,
        dst: Slot,
        src: Slot,
        shift: u32,
        bits: u32,
        active: u32,
    ) -> bool {
        let Some(flight) = self.flight(src) else { return false };
        self.depart(dst, active, Flight { bit: flight.bit + shift, bits, ..flight });
        true
    }

    /// If the register is in flight, lanes of it are read.
    pub(crate) fn note_read(&mut self, slot: Slot, lanes: u32) {
        if self.undefined_in(slot) & lanes != 0
            && let Some(flight) = self.flights.get(slot)
        {
            let lane = (self.undefined_in(slot) & lanes).trailing_zeros();
            self.flights.read.get_or_insert((self.at, lane, flight));
        }
    }

    /// The instruction that has read a register in flight first, a lane of it, and the register's
    /// mark, if there was one since the last call.
    pub(crate) fn take_read(&mut self) -> Option<(u32, u32, Flight)> {
        self.flights.read.take()
    }

    /// The registers that may be in flight.
    pub(crate) fn flights(&self) -> Range<Slot> {
        self.flights.first..self.flights.end
    }
}

/// The finding that a register in flight is used.
pub(crate) fn in_flight(kernel: &Kernel, flight: Flight) -> FindingKind {
    let site = &kernel.sites[flight.site as usize];
    let (op, location) = (site.op.to_string(), site.location.clone());
    FindingKind::Wgmma { rule: WgmmaRule::InFlight { op, location, younger: None } }
}
