//! Undefined values: their origins, and their undefined bits.
//!
//! There is a mask of lanes for each register, and most instructions use nothing else. The
//! details are kept here, and are used only if a lane has an undefined value. An undefined value
//! may be copied; it is a finding when it decides something or leaves the thread.

use super::Registers;
use super::unknown::{Origin, Unknown};
use crate::lanes::lanes_of;
use crate::operand::Slot;
use cute_machine::int::{self, IntOp, IntTernary, NoWrap, mask, permute};

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

impl Registers {
    /// The undefined part of a lane's register.
    pub(crate) fn unknown(&self, slot: Slot, lane: u32) -> Option<Unknown> {
        (self.undefined_in(slot) >> lane & 1 != 0).then(|| match self.flights.get(slot) {
            Some(flight) => Unknown { origin: Origin::Flight(flight), bits: u64::MAX },
            None => self.unknowns.get(slot, lane),
        })
    }

    /// The origin of a value that is computed from some with these origins: all followed loads, or
    /// else the first other one, and then the loads count as used. A coordinate beyond its extent
    /// is followed only where the value is defined otherwise.
    pub(crate) fn origin_of(&self, origins: impl Iterator<Item = Origin>) -> Option<Origin> {
        let (mut doubt, mut other, mut beyond) = (None, None, None);
        for origin in origins {
            match (origin, doubt) {
                (Origin::Beyond { .. }, _) => beyond = beyond.or(Some(origin)),
                (Origin::Doubt(set), Some(before)) => {
                    doubt = Some(self.doubts.borrow_mut().both(before, set))
                }
                (Origin::Doubt(set), None) => doubt = Some(set),
                (origin, _) => other = other.or(Some(origin)),
            }
        }
        match (other, doubt) {
            (Some(_), Some(set)) => self.doubts.borrow_mut().use_set(set),
            (None, Some(set)) => return Some(Origin::Doubt(set)),
            _ => {}
        }
        other.or(beyond)
    }

    /// Whether a lane's register is undefined in some of these bits. If it depends on followed
    /// loads alone, it is defined, and those have been used.
    fn lacks(&self, slot: Slot, lane: u32, bits: u64) -> bool {
        match self.unknown(slot, lane) {
            Some(Unknown { origin: Origin::Doubt(set), bits: own }) => {
                if own & bits != 0 {
                    self.doubts.borrow_mut().use_set(set);
                }
                false
            }
            Some(Unknown { origin: Origin::Beyond { .. }, .. }) => false,
            unknown => unknown.is_some_and(|u| u.bits & bits != 0),
        }
    }

    /// The first of these lanes in which some of these bits of a register are undefined.
    #[cold]
    pub(crate) fn first_undefined(&self, slot: Slot, lanes: u32, bits: u64) -> Option<u32> {
        // Each lane uses its value.
        lanes_of(lanes).fold(None, |first, lane| first.or(self.lacks(slot, lane, bits).then_some(lane)))
    }

    /// The followed loads that a register depends on in these lanes are used, so that it need not
    /// be followed further.
    #[inline]
    pub(crate) fn use_followed(&mut self, slot: Slot, lanes: u32) {
        if self.undefined_in(slot) & lanes != 0 {
            self.use_marked(slot, self.undefined_in(slot) & lanes);
        }
    }

    #[cold]
    fn use_marked(&mut self, slot: Slot, lanes: u32) {
        for lane in lanes_of(lanes) {
            if let Some(Unknown { origin: Origin::Doubt(set), .. }) = self.unknown(slot, lane) {
                self.doubts.get_mut().use_set(set);
                self.undefined[slot as usize] &= !(1 << lane);
            }
        }
    }

    /// Says that a lane's register is undefined, or that it is not.
    pub(crate) fn set_unknown(&mut self, slot: Slot, lane: u32, unknown: Option<Unknown>) {
        self.undefined[slot as usize] &= !(1 << lane);
        if let Some(unknown) = unknown.filter(|u| u.bits != 0) {
            self.undefined[slot as usize] |= 1 << lane;
            match unknown.origin {
                Origin::Flight(flight) => self.flights.set(slot, flight, self.undefined.len()),
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

    /// A register is undefined in these lanes because one that it is made of is. It may be one of
    /// these itself, as in a sum, and was undefined in the lanes `before` then.
    #[cold]
    pub(crate) fn inherit(&mut self, dst: Slot, lanes: u32, before: u32, sources: &[Slot]) {
        if lanes == 0 {
            return;
        }
        sources.iter().for_each(|source| self.note_read(*source, lanes));
        self.end_flight(dst, lanes);
        for lane in lanes_of(lanes) {
            let known = sources.iter().filter(|source| **source != dst || before >> lane & 1 != 0);
            let origins = known.filter_map(|s| self.unknown(*s, lane)).map(|u| u.origin);
            if let Some(origin) = self.origin_of(origins) {
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

    /// Like [`undefined_operands`](Self::undefined_operands), for one number in each register. It
    /// is cheap where all of them are defined.
    pub(crate) fn undefined_lanes<const N: usize>(&self, slots: [Slot; N], active: u32) -> Vec<Operands<N>> {
        match slots.iter().fold(0, |lanes, slot| lanes | self.undefined_in(*slot)) & active {
            0 => Vec::new(),
            lanes => self.undefined_operands(slots, 1, lanes),
        }
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
                // A shift moves the undefined bits, and one to the right repeats an undefined sign.
                IntOp::Shl | IntOp::ShrU if v != 0 || y >= u64::from(width) => u64::MAX,
                IntOp::Shl | IntOp::ShrU | IntOp::ShlClamped | IntOp::ShrClampedU | IntOp::ShrClampedS
                    if v == 0 =>
                {
                    int::binary(op, width, NoWrap::default(), u & mask(width), y).unwrap_or(u64::MAX)
                }
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
            let bits = if w & SELECTORS == 0 { permute(u, v, selector) } else { u64::MAX };
            self.refine_lane(dst, operands, Some(permute(a, b, selector)), bits);
        }
    }

    /// After an operation on three integers that moves bits or combines them one by one.
    pub(crate) fn refine_ternary(&mut self, op: IntTernary, width: u32, dst: Slot, operands: &[Operands<3>]) {
        for operands in operands {
            let ([a, b, c], [u, v, w]) = (operands.values, operands.bits());
            let bits = match op {
                // Sign bits are repeated, and so is whether they are defined.
                IntTernary::ExtractBits(_) if (v | w) & POSITIONS == 0 => int::ternary(op, width, u, b, c),
                IntTernary::FunnelLeft { .. } | IntTernary::FunnelRight { .. } if w == 0 => {
                    int::ternary(op, width, u, v, c)
                }
                IntTernary::Logic(table) => undefined_logic(table, [(a, u), (b, v), (c, w)]) & mask(width),
                _ => continue,
            };
            self.refine_lane(dst, operands, Some(int::ternary(op, width, a, b, c)), bits);
        }
    }

    /// After a conversion between integers: the undefined bits are converted like the others.
    pub(crate) fn refine_cast(&mut self, dst: Slot, operands: &[Operands<1>], convert: impl Fn(u64) -> u64) {
        for operands in operands {
            let ([value], [bits]) = (operands.values, operands.bits());
            self.refine_lane(dst, operands, Some(convert(value)), convert(bits));
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
        let Some(origin) = self.origin_of(operands.unknown.iter().flatten().map(|u| u.origin)) else {
            return;
        };
        let (dst, lane) = (dst + operands.part, operands.lane);
        if let Some(value) = value {
            self.values[dst as usize][lane as usize] = value;
        }
        self.set_unknown(dst, lane, Some(Unknown { origin, bits }));
    }
}

/// The bits of the third operand of `prmt` that pick bytes.
const SELECTORS: u64 = 0xffff;

/// The bits of a position, or of a length, of a field.
const POSITIONS: u64 = 0xff;

/// The bits of a function of three bits, given by its table, that depend on undefined ones: some
/// choice of these gives 0, and another one 1. Each operand has its value, and its undefined bits.
fn undefined_logic(table: u8, operands: [(u64, u64); 3]) -> u64 {
    let [mut zeros, mut ones] = [0; 2];
    for row in 0..8u32 {
        let possible = (0..3).zip(operands).fold(u64::MAX, |possible, (i, (value, undefined))| {
            let is_set = row >> (2 - i) & 1 != 0;
            possible & (undefined | if is_set { value } else { !value })
        });
        let results = if table >> row & 1 != 0 { &mut ones } else { &mut zeros };
        *results |= possible;
    }
    zeros & ones
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_of_logic_is_defined_if_no_choice_changes_it() {
        let [and, xor, pick] = [0x80, 0x96, 0xca];
        // An undefined bit beside 0 and beside 1.
        assert_eq!(undefined_logic(and, [(0, 0b11), (0b01, 0), (0b11, 0)]), 0b01);
        assert_eq!(undefined_logic(xor, [(0, 0b11), (0, 0b10), (0b11, 0)]) & 0b111, 0b11);
        // `a ? b : c`: the bit that is not picked may be undefined.
        assert_eq!(undefined_logic(pick, [(0b01, 0), (0, 0b11), (0, 0b01)]) & 0b11, 0b01);
        assert_eq!(undefined_logic(pick, [(0, 0b1), (0b1, 0), (0b1, 0)]) & 0b1, 0);
    }
}
