//! Reading and writing registers.

use super::Registers;
use super::flight::in_flight;
use super::unknown::Origin;
use crate::finding::{FindingKind, LaneFinding};
use crate::lanes::{Lanes, lanes_of};
use crate::operand::{Move, Slot};
use crate::program::Kernel;
use cute_machine::int::mask;

impl Registers {
    /// Whether the values are those of other registers, and what of them is undefined.
    pub(crate) fn are_those_of(&self, other: &Registers) -> bool {
        (&self.values, &self.undefined) == (&other.values, &other.undefined)
    }

    pub(crate) fn has_that_of(&self, other: &Registers, slot: Slot) -> bool {
        let slot = slot as usize;
        (&self.values[slot], self.undefined[slot]) == (&other.values[slot], other.undefined[slot])
    }

    pub(crate) fn get(&self, slot: Slot) -> &Lanes {
        &self.values[slot as usize]
    }

    pub(crate) fn undefined_in(&self, slot: Slot) -> u32 {
        self.undefined[slot as usize]
    }

    /// Sets the active lanes of a register, of which some are undefined.
    pub(crate) fn set(&mut self, slot: Slot, active: u32, value: &Lanes, undefined: u32) {
        let u = &mut self.undefined[slot as usize];
        *u = *u & !active | undefined & active;
        let register = &mut self.values[slot as usize];
        // Lanes that have ended are not affected.
        if active | self.ended == u32::MAX {
            *register = *value;
        } else {
            for (i, (to, from)) in register.iter_mut().zip(value).enumerate() {
                *to = if active >> i & 1 != 0 { *from } else { *to };
            }
        }
    }

    pub(crate) fn set_lane(&mut self, slot: Slot, lane: u32, value: u64) {
        self.values[slot as usize][lane as usize] = value;
        self.undefined[slot as usize] &= !(1 << lane);
    }

    /// Sets the active lanes of a register to the result of others. Where one of those is
    /// undefined, the result is too.
    #[inline(always)]
    pub(crate) fn set_from(&mut self, dst: Slot, active: u32, value: &Lanes, sources: &[Slot]) {
        let undefined = sources.iter().fold(0, |u, slot| u | self.undefined_in(*slot));
        let before = self.undefined_in(dst);
        self.set(dst, active, value, undefined);
        if undefined & active != 0 {
            self.inherit(dst, undefined & active, before, sources);
        }
    }

    pub(crate) fn move_lane(&mut self, dst: Slot, src: Slot, lane: u32) {
        let unknown = self.unknown(src, lane);
        let value = self.values[src as usize][lane as usize];
        self.set_lane(dst, lane, value);
        self.set_unknown(dst, lane, unknown);
    }

    /// Whether the register is defined in all these lanes.
    #[inline]
    pub(crate) fn defined(
        &self,
        kernel: &Kernel,
        slot: Slot,
        active: u32,
        role: &'static str,
    ) -> Result<(), LaneFinding> {
        match self.undefined[slot as usize] & active {
            0 => Ok(()),
            lanes => match self.first_undefined(slot, lanes, u64::MAX) {
                Some(lane) => Err(self.undefined_value(kernel, slot, lane, role)),
                None => Ok(()),
            },
        }
    }

    /// Whether the lowest bits of the register are defined in all these lanes.
    #[inline]
    pub(crate) fn defined_bits(
        &self,
        kernel: &Kernel,
        (slot, bits): (Slot, u32),
        active: u32,
        role: &'static str,
    ) -> Result<(), LaneFinding> {
        match self.undefined[slot as usize] & active {
            0 => Ok(()),
            lanes => match self.first_undefined(slot, lanes, mask(bits)) {
                Some(lane) => Err(self.undefined_value(kernel, slot, lane, role)),
                None => Ok(()),
            },
        }
    }

    /// The finding that an undefined value is used.
    #[cold]
    pub(crate) fn undefined_value(
        &self,
        kernel: &Kernel,
        slot: Slot,
        lane: u32,
        role: &'static str,
    ) -> LaneFinding {
        let origin = self.unknown(slot, lane).map_or(Origin::Register(slot), |u| u.origin);
        if let Origin::Flight(flight) = origin {
            return LaneFinding { lane, kind: in_flight(kernel, flight) };
        }
        let kind = FindingKind::Undefined { role, origin: Box::new(origin.describe(kernel)) };
        LaneFinding { lane, kind }
    }

    pub(crate) fn copy(&mut self, m: &Move, active: u32) {
        for i in 0..m.len {
            let undefined = self.undefined_in(m.src + i);
            if undefined & active != 0 && self.copy_flight(m.dst + i, m.src + i, active) {
                continue;
            }
            let value = self.values[(m.src + i) as usize];
            self.set(m.dst + i, active, &value, undefined);
            if undefined & active != 0 {
                self.inherit_copy(m.dst + i, undefined & active, m.src + i);
            }
        }
    }

    /// The lanes with each list of values.
    pub(crate) fn alike(&self, active: u32, slots: &[Slot]) -> Vec<u32> {
        let mut known: Vec<(Vec<u64>, u32)> = Vec::new();
        for lane in lanes_of(active) {
            let own: Vec<u64> = slots.iter().map(|slot| self.get(*slot)[lane as usize]).collect();
            match known.iter_mut().find(|(values, _)| *values == own) {
                Some((_, lanes)) => *lanes |= 1 << lane,
                None => known.push((own, 1 << lane)),
            }
        }
        known.into_iter().map(|(_, lanes)| lanes).collect()
    }

    /// The bits of a lane's register are defined, whatever they are.
    pub(crate) fn freeze(&mut self, slot: Slot, lanes: u32) {
        self.undefined[slot as usize] &= !lanes;
    }
}
