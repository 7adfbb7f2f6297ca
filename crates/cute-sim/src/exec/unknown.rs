//! Undefined values: their origins, and their undefined bits.
//!
//! A warp has a mask of lanes for each register, and most instructions use nothing else. The
//! details are kept here, and are used only if a lane has an undefined value. An undefined value
//! may be copied; it is a finding when it decides something or leaves the thread.

use super::alu::lanes_of;
use crate::machine::warp::Warp;
use crate::program::Slot;
pub(crate) use crate::registers::unknown::{Local, Origin, Unknown, local_place};
use cute_machine::int::{self, IntOp, NoWrap, mask, permute};

/// The operands of an instruction in a lane, of which some bits are undefined.
pub(crate) struct Operands<const N: usize> {
    /// The number of the element, for operands that are vectors.
    part: u32,
    lane: u32,
    values: [u64; N],
    unknown: [Option<Unknown>; N],
}

impl<const N: usize> Operands<N> {
    /// The undefined bits of each.
    fn bits(&self) -> [u64; N] {
        self.unknown.map(|unknown| unknown.map_or(0, |u| u.bits))
    }
}

impl Warp {
    /// The undefined part of a lane's register.
    pub(crate) fn unknown(&self, slot: Slot, lane: u32) -> Option<Unknown> {
        (self.undefined_in(slot) >> lane & 1 != 0).then(|| match self.flights.get(slot) {
            Some(flight) => Unknown { origin: Origin::Flight(flight), bits: u64::MAX },
            None => self.unknowns.get(slot, lane),
        })
    }

    /// Says that a lane's register is undefined, or that it is not.
    pub(crate) fn set_unknown(&mut self, slot: Slot, lane: u32, unknown: Option<Unknown>) {
        self.undefined[slot as usize] &= !(1 << lane);
        if let Some(unknown) = unknown.filter(|u| u.bits != 0) {
            self.undefined[slot as usize] |= 1 << lane;
            match unknown.origin {
                Origin::Flight(flight) => self.flights.set(slot, flight),
                _ => {
                    self.end_flight(slot, 1 << lane);
                    self.unknowns.set(slot, lane, unknown);
                }
            }
        }
    }

    /// The register is not in flight any more, because these lanes of it are undefined for another
    /// reason. Other lanes that are still undefined keep the instruction in flight as their origin.
    fn end_flight(&mut self, slot: Slot, lanes: u32) {
        if let Some(flight) = self.flights.get(slot) {
            let unknown = Unknown { origin: Origin::Flight(flight), bits: u64::MAX };
            for lane in lanes_of(self.undefined_in(slot) & !lanes) {
                self.unknowns.set(slot, lane, unknown);
            }
            self.flights.clear(slot);
        }
    }

    /// A register is undefined in these lanes because one that it is made of is.
    #[cold]
    pub(crate) fn inherit(&mut self, dst: Slot, lanes: u32, sources: &[Slot]) {
        if lanes == 0 {
            return;
        }
        sources.iter().for_each(|source| self.note_read(*source, lanes));
        self.end_flight(dst, lanes);
        for lane in lanes_of(lanes) {
            let source = sources.iter().find_map(|s| self.unknown(*s, lane));
            if let Some(Unknown { origin, .. }) = source {
                self.unknowns.set(dst, lane, Unknown { origin, bits: u64::MAX });
            }
        }
    }

    /// A register is undefined in these lanes because the one that it is a copy of is.
    #[cold]
    pub(crate) fn inherit_copy(&mut self, dst: Slot, lanes: u32, src: Slot) {
        if lanes == 0 || self.copy_flight(dst, src, lanes) {
            return;
        }
        self.end_flight(dst, lanes);
        for lane in lanes_of(lanes) {
            let unknown = self.unknowns.get(src, lane);
            self.unknowns.set(dst, lane, unknown);
        }
    }

    /// The operands in each lane where one of them is undefined. An instruction may replace them,
    /// so this is called before it.
    pub(crate) fn undefined_operands<const N: usize>(
        &self,
        slots: [Slot; N],
        parts: u32,
        active: u32,
    ) -> Vec<Operands<N>> {
        let mut found = Vec::new();
        for part in 0..parts {
            let undefined = slots.iter().fold(0, |u, slot| u | self.undefined_in(slot + part));
            found.extend(lanes_of(undefined & active).map(|lane| Operands {
                part,
                lane,
                values: slots.map(|slot| self.get(slot + part)[lane as usize]),
                unknown: slots.map(|slot| self.unknown(slot + part, lane)),
            }));
        }
        found
    }

    /// After `op` on registers that are undefined in a lane: computes the undefined bits. Bits that
    /// are masked off do not count.
    pub(crate) fn refine(&mut self, op: IntOp, width: u32, dst: Slot, operands: &[Operands<2>]) {
        for operands in operands {
            let ([x, y], [u, v]) = (operands.values, operands.bits());
            let bits = match op {
                IntOp::And => u & (y | v) | v & (x | u),
                IntOp::Or => u & (!y | v) | v & (!x | u),
                IntOp::Xor => u | v,
                IntOp::Shl | IntOp::ShlClamped if v == 0 && y < u64::from(width) => u << y,
                IntOp::ShrU | IntOp::ShrClampedU if v == 0 && y < u64::from(width) => (u & mask(width)) >> y,
                _ => u64::MAX,
            };
            let value = int::binary(op, width, NoWrap::default(), x, y).ok();
            self.refine_lane(dst, operands, value, bits & mask(width));
        }
    }

    /// After `prmt`: a byte is undefined where the one that it is picked from is.
    pub(crate) fn refine_permuted(&mut self, dst: Slot, operands: &[Operands<3>]) {
        for operands in operands {
            let ([a, b, selector], [u, v, w]) = (operands.values, operands.bits());
            let bits = if w == 0 { permute(u, v, selector) } else { u64::MAX };
            self.refine_lane(dst, operands, Some(permute(a, b, selector)), bits);
        }
    }

    /// Sets the value of a lane of which these bits are undefined.
    fn refine_lane<const N: usize>(
        &mut self,
        dst: Slot,
        operands: &Operands<N>,
        value: Option<u64>,
        bits: u64,
    ) {
        let Some(Unknown { origin, .. }) = operands.unknown.iter().flatten().next() else { return };
        let (dst, lane) = (dst + operands.part, operands.lane);
        if let Some(value) = value {
            self.registers[dst as usize][lane as usize] = value;
        }
        self.set_unknown(dst, lane, Some(Unknown { origin: *origin, bits }));
    }

    /// Like [`refine`](Self::refine), after keeping the lowest bits of a register.
    pub(crate) fn refine_truncated(&mut self, dst: Slot, src: Slot, width: u32, active: u32) {
        for lane in lanes_of(self.undefined_in(dst) & active) {
            let unknown = self.unknowns.get(src, lane);
            self.registers[dst as usize][lane as usize] = self.get(src)[lane as usize] & mask(width);
            self.set_unknown(dst, lane, Some(Unknown { bits: unknown.bits & mask(width), ..unknown }));
        }
    }
}
