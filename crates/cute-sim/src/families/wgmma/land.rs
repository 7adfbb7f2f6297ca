//! Sums that are complete reach the registers of a warp.

use super::member::{group_of, member_of};
use super::model::Wgmma;
use super::queue::{Accumulator, Warpgroups, WgmmaQueue};
use crate::lanes::{Lanes, lanes_of};
use crate::machine::issuer::Issuer;
use crate::program::Slot;
use crate::registers::Registers;
use crate::registers::flight::Flight;
use crate::registers::unknown::{Origin, Unknown};
use cute_arch::WARP;
use cute_machine::int::mask;

impl Warpgroups {
    /// The value, and its undefined part, of a register in flight that a lane loads from local
    /// memory, where it was stored before its MMA was complete: if the MMA is complete for this
    /// warp now.
    #[inline]
    pub(crate) fn arrived_late(
        &self,
        issuer: &Issuer,
        unknown: Unknown,
        lane: u32,
    ) -> Option<(u64, Option<Unknown>)> {
        let Origin::Flight(flight) = unknown.origin else { return None };
        let queue = self.get(group_of(issuer))?;
        let warp = member_of(issuer);
        let waited = queue.warps[warp].waited;
        let own = queue.accumulators.iter().find(|own| own.last == flight.ticket && own.last <= waited)?;
        let unknown = if own.undefined.is_empty() { None } else { unknown_part((warp, lane), flight, own) };
        Some((part_of((warp, lane), flight, own), unknown))
    }
}

/// Fills the registers in flight of a warp of the group with their part of the accumulators that
/// are complete for the warp.
pub(super) fn land_sums(registers: &mut Registers, queue: &mut WgmmaQueue, warp: usize, waited: u32) {
    let own = 1 << warp;
    let lands = |of: &&mut Accumulator| of.last <= waited && of.settled & own == 0;
    for accumulator in queue.accumulators.iter_mut().filter(lands) {
        accumulator.settled |= own;
        for slot in registers.flights() {
            let flight = registers.flight(slot).filter(|flight| flight.ticket == accumulator.last);
            if let Some(flight) = flight {
                land(registers, slot, warp, flight, accumulator);
            }
        }
    }
}

/// Fills a register in flight with its value.
fn land(registers: &mut Registers, slot: Slot, warp: usize, flight: Flight, accumulator: &Accumulator) {
    let active = registers.undefined_in(slot);
    let value: Lanes = std::array::from_fn(|lane| part_of((warp, lane as u32), flight, accumulator));
    registers.set(slot, active, &value, 0);
    if accumulator.undefined.is_empty() {
        return;
    }
    for lane in lanes_of(active) {
        let unknown = unknown_part((warp, lane), flight, accumulator);
        registers.set_unknown(slot, lane, unknown);
    }
}

/// The places in the matrix of the sums of a register, in a lane of a warp of the group.
fn places((warp, lane): (usize, u32), flight: Flight, model: &'static Wgmma) -> impl Iterator<Item = usize> {
    let width = model.sum_bits();
    let thread = warp * WARP as usize + lane as usize;
    (0..flight.bits / width).map(move |j| model.place((flight.bit / width + j) as usize, thread))
}

#[inline]
fn part_of(lane: (usize, u32), flight: Flight, accumulator: &Accumulator) -> u64 {
    let model = accumulator.model;
    let codes = places(lane, flight, model).map(|place| model.code(&accumulator.accumulators, place));
    codes.zip(0..).fold(0, |bits, (code, j)| bits | u64::from(code) << (j * model.sum_bits()))
}

fn unknown_part(lane: (usize, u32), flight: Flight, accumulator: &Accumulator) -> Option<Unknown> {
    let model = accumulator.model;
    let origins = places(lane, flight, model).map(|place| accumulator.undefined.get(&(place as u32)));
    let mut unknown: Option<Unknown> = None;
    for (origin, j) in origins.zip(0..) {
        if let Some(origin) = origin {
            let unknown = unknown.get_or_insert(Unknown { origin: *origin, bits: 0 });
            unknown.bits |= mask(model.sum_bits()) << (j * model.sum_bits());
        }
    }
    unknown
}
