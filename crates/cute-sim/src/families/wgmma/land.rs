//! Sums that are complete reach the registers of a warp.

use super::model::Wgmma;
use super::queue::{Accumulator, WgmmaQueue};
use crate::lanes::{Lanes, lanes_of};
use crate::machine::WARP;
use crate::machine::cluster::Cluster;
use crate::machine::group::GROUP;
use crate::machine::warp::Warp;
use crate::program::Slot;
use crate::registers::flight::Flight;
use crate::registers::unknown::{Origin, Unknown};
use cute_machine::int::mask;

impl Warp {
    /// The value, and its undefined part, of a register in flight that a lane loads from local
    /// memory, where it was stored before its MMA was complete: if the MMA is complete for this
    /// warp now.
    pub(crate) fn arrived_late(
        &self,
        cluster: &Cluster<'_>,
        unknown: Unknown,
        lane: u32,
    ) -> Option<(u64, Option<Unknown>)> {
        let Origin::Flight(flight) = unknown.origin else { return None };
        let queue = cluster.engine.warpgroups.get(self.group_id())?;
        let waited = queue.warps[self.number() as usize % GROUP].waited;
        let own = queue.accumulators.iter().find(|own| own.last == flight.ticket && own.last <= waited)?;
        let model = own.model;
        let unknown =
            if own.undefined.is_empty() { None } else { self.unknown_part(lane, flight, own, model) };
        Some((self.part_of(lane, flight, own, model), unknown))
    }

    /// Fills the registers in flight with their part of the accumulators that are complete for the
    /// warp.
    pub(super) fn land_sums(&mut self, queue: &mut WgmmaQueue, waited: u32) {
        let own = 1 << (self.number() as usize % GROUP);
        let lands = |of: &&mut Accumulator| of.last <= waited && of.settled & own == 0;
        for accumulator in queue.accumulators.iter_mut().filter(lands) {
            accumulator.settled |= own;
            let model = accumulator.model;
            for slot in self.registers.flights() {
                let flight = self.registers.flight(slot).filter(|flight| flight.ticket == accumulator.last);
                if let Some(flight) = flight {
                    self.land(slot, flight, accumulator, model);
                }
            }
        }
    }

    /// Fills a register in flight with its value.
    fn land(&mut self, slot: Slot, flight: Flight, accumulator: &Accumulator, model: &Wgmma) {
        let active = self.registers.undefined_in(slot);
        let value: Lanes = std::array::from_fn(|lane| self.part_of(lane as u32, flight, accumulator, model));
        self.registers.set(slot, active, &value, 0);
        if accumulator.undefined.is_empty() {
            return;
        }
        for lane in lanes_of(active) {
            let unknown = self.unknown_part(lane, flight, accumulator, model);
            self.registers.set_unknown(slot, lane, unknown);
        }
    }

    fn places<'m>(
        &self,
        lane: u32,
        flight: Flight,
        model: &'m Wgmma,
    ) -> impl Iterator<Item = usize> + use<'m> {
        let width = model.sum_bits();
        let thread = (self.number() as usize % GROUP) * WARP as usize + lane as usize;
        (0..flight.bits / width).map(move |j| model.place((flight.bit / width + j) as usize, thread))
    }

    fn part_of(&self, lane: u32, flight: Flight, accumulator: &Accumulator, model: &Wgmma) -> u64 {
        let codes =
            self.places(lane, flight, model).map(|place| model.code(&accumulator.accumulators, place));
        codes.zip(0..).fold(0, |bits, (code, j)| bits | u64::from(code) << (j * model.sum_bits()))
    }

    fn unknown_part(
        &self,
        lane: u32,
        flight: Flight,
        accumulator: &Accumulator,
        model: &Wgmma,
    ) -> Option<Unknown> {
        let origins =
            self.places(lane, flight, model).map(|place| accumulator.undefined.get(&(place as u32)));
        let mut unknown: Option<Unknown> = None;
        for (origin, j) in origins.zip(0..) {
            if let Some(origin) = origin {
                let unknown = unknown.get_or_insert(Unknown { origin: *origin, bits: 0 });
                unknown.bits |= mask(model.sum_bits()) << (j * model.sum_bits());
            }
        }
        unknown
    }
}
