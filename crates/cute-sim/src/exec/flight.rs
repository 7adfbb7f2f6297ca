//! Registers that have not received their value: accumulators of a `wgmma` whose wait is missing.
//!
//! Such a register is undefined in all lanes, and is marked with the value of the accumulators that
//! it will hold. A copy of it has the same mark: on the device all copies are one register, which
//! the instruction has not written yet. An operation that computes with it reads a register in
//! flight, which is a finding.

use super::alu::LaneFinding;
use crate::finding::{FindingKind, WgmmaRule};
use crate::machine::cluster::Cluster;
use crate::machine::group::GROUP;
use crate::machine::warp::Warp;
use crate::program::{Kernel, Slot};
pub(crate) use crate::registers::flight::{Flight, in_flight};

impl Warp {
    /// The mark of the register, if it is in flight.
    pub(crate) fn flight(&self, slot: Slot) -> Option<Flight> {
        if self.undefined_in(slot) == 0 { None } else { self.flights.get(slot) }
    }

    /// The register is in flight from now on in these lanes.
    pub(crate) fn depart(&mut self, slot: Slot, active: u32, flight: Flight) {
        self.undefined[slot as usize] |= active;
        self.flights.set(slot, flight);
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

    /// Reports that registers in flight were read, if they were, by the instruction that runs.
    pub(crate) fn read_in_flight(&mut self, kernel: &Kernel) -> Result<(), LaneFinding> {
        let Some((at, lane, flight)) = self.flights.read.take() else { return Ok(()) };
        self.at = at;
        Err(LaneFinding { lane, kind: in_flight(kernel, flight) })
    }
}

impl Warp {
    /// Says what would complete the MMA of a register in flight.
    fn group_behind(&self, cluster: &mut Cluster<'_>, ticket: u32) -> Option<u32> {
        let queue = cluster.wgmma_queue(self.block.rank, self.warpgroup() as u32);
        let groups = &queue.warps[self.number as usize % GROUP].groups;
        let own = groups.iter().position(|(last, _)| *last >= ticket)?;
        Some((groups.len() - 1 - own) as u32)
    }

    /// Completes a finding about a register in flight.
    pub(crate) fn name_group(&self, cluster: &mut Cluster<'_>, kind: &mut FindingKind) {
        let FindingKind::Wgmma { rule: WgmmaRule::InFlight { location, younger, .. } } = kind else { return };
        let sites = &cluster.machine.kernel.sites;
        let flights = (self.flights.first..self.flights.end).filter_map(|slot| self.flight(slot));
        let is_it = |flight: &Flight| sites[flight.site as usize].location == *location;
        if let Some(flight) = flights.filter(is_it).max_by_key(|flight| flight.ticket) {
            *younger = self.group_behind(cluster, flight.ticket);
        }
    }
}
