//! Uses of addresses that are made of coordinates beyond their extents.

use super::Journal;
use crate::finding::FindingKind;
use crate::lanes::lanes_of;
use crate::machine::issuer::Issuer;
use crate::program::Slot;
use crate::registers::Registers;
use crate::registers::unknown::{Origin, Unknown};

impl Journal<'_> {
    /// The lanes access memory through an address, or hand it on: where it is made of a coordinate
    /// beyond its extent, that is a mistake of the op that made it.
    #[inline]
    pub(crate) fn use_address(&mut self, registers: &Registers, issuer: &Issuer, address: Slot) {
        if registers.undefined_in(address) & issuer.lanes != 0 {
            self.note_beyond(registers, issuer, address, registers.undefined_in(address) & issuer.lanes);
        }
    }

    #[cold]
    fn note_beyond(&mut self, registers: &Registers, issuer: &Issuer, address: Slot, lanes: u32) {
        for lane in lanes_of(lanes) {
            let Some(Unknown { origin: Origin::Beyond { at, number, index, extent }, .. }) =
                registers.unknown(address, lane)
            else {
                continue;
            };
            let made = self.machine().kernel.code[at as usize].scalar();
            let mode = made.and_then(|op| op.mode(number)).unwrap_or_default().to_string();
            let (op, location) = self.scene.site(issuer.site);
            let kind = FindingKind::Coordinate { mode, index, extent, op, location };
            self.remark(at, issuer.thread(lane), kind);
        }
    }
}
