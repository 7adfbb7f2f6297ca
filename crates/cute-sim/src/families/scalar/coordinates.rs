//! Coordinates beyond their extents. Such a coordinate is not a mistake: tiles at the edge and
//! tiles that are loaded ahead have them. So the address that is made of it is marked, like an
//! undefined value, and an access through the address is one. Only marked addresses cost anything.

use crate::finding::FindingKind;
use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use crate::program::{Coordinates, Move, Slot};
use crate::registers::Registers;
use crate::registers::unknown::{Origin, Unknown};
use cute_machine::int::{mask, signed};

/// Copies an address, and marks it in the lanes where a coordinate is not below its extent. A
/// negative coordinate is a large number without a sign.
pub(super) fn coordinates(registers: &mut Registers, of: &Coordinates, active: u32) {
    registers.copy(&Move { dst: of.dst, src: of.src, len: 1 }, active);
    for own in &of.indices {
        let (index, extent) = (registers.get(own.index), registers.get(own.extent));
        let mut beyond = 0;
        for (lane, (index, extent)) in index.iter().zip(extent).enumerate() {
            beyond |= u32::from(index >= extent) << lane;
        }
        if beyond & active != 0 {
            mark_beyond(registers, of, beyond & active);
        }
    }
}

#[cold]
fn mark_beyond(registers: &mut Registers, of: &Coordinates, lanes: u32) {
    for (own, number) in of.indices.iter().zip(0..) {
        let unknown = registers.undefined_in(own.index) | registers.undefined_in(own.extent);
        for lane in lanes_of(lanes & !unknown & !registers.undefined_in(of.dst)) {
            let value = |slot: Slot| registers.get(slot)[lane as usize] & mask(own.width);
            let (index, extent) = (value(own.index), value(own.extent));
            if index >= extent {
                let [index, extent] = [index, extent].map(|value| signed(value, own.width));
                let origin = Origin::Beyond { at: registers.at(), number, index, extent };
                registers.set_unknown(of.dst, lane, Some(Unknown { origin, bits: u64::MAX }));
            }
        }
    }
}

impl Warp {
    /// The lanes access memory through an address, or hand it on: where it is made of a coordinate
    /// beyond its extent, that is a mistake of the op that made it.
    #[inline]
    pub(crate) fn use_address(&self, cluster: &mut Cluster<'_>, address: Slot, lanes: u32) {
        if self.registers.undefined_in(address) & lanes != 0 {
            self.note_beyond(cluster, address, self.registers.undefined_in(address) & lanes);
        }
    }

    #[cold]
    fn note_beyond(&self, cluster: &mut Cluster<'_>, address: Slot, lanes: u32) {
        for lane in lanes_of(lanes) {
            let Some(Unknown { origin: Origin::Beyond { at, number, index, extent }, .. }) =
                self.registers.unknown(address, lane)
            else {
                continue;
            };
            let made = cluster.machine.kernel.code[at as usize].scalar();
            let mode = made.and_then(|op| op.mode(number)).unwrap_or_default().to_string();
            let (op, location) = cluster.scene().site(self.at);
            let kind = FindingKind::Coordinate { mode, index, extent, op, location };
            cluster.journal.remark(at, self.thread(lane), kind);
        }
    }
}
