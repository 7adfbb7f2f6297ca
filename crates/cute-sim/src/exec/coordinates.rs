//! Coordinates beyond their extents. Such a coordinate is not a mistake: tiles at the edge and
//! tiles that are loaded ahead have them. So the address that is made of it is marked, like an
//! undefined value, and an access through the address is one. Only marked addresses cost anything.

use super::alu::lanes_of;
use crate::finding::FindingKind;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use crate::program::{Coordinates, Move, Op, Slot};
use crate::registers::unknown::{Origin, Unknown};
use cute_machine::int::{mask, signed};

impl Warp {
    /// Copies an address, and marks it in the lanes where a coordinate is not below its extent. A
    /// negative coordinate is a large number without a sign.
    pub(crate) fn coordinates(&mut self, of: &Coordinates, active: u32) {
        self.registers.copy(&Move { dst: of.dst, src: of.src, len: 1 }, active);
        for own in &of.indices {
            let (index, extent) = (self.registers.get(own.index), self.registers.get(own.extent));
            let mut beyond = 0;
            for (lane, (index, extent)) in index.iter().zip(extent).enumerate() {
                beyond |= u32::from(index >= extent) << lane;
            }
            if beyond & active != 0 {
                self.mark_beyond(of, beyond & active);
            }
        }
    }

    #[cold]
    fn mark_beyond(&mut self, of: &Coordinates, lanes: u32) {
        for (own, number) in of.indices.iter().zip(0..) {
            let unknown = self.registers.undefined_in(own.index) | self.registers.undefined_in(own.extent);
            for lane in lanes_of(lanes & !unknown & !self.registers.undefined_in(of.dst)) {
                let value = |slot: Slot| self.registers.get(slot)[lane as usize] & mask(own.width);
                let (index, extent) = (value(own.index), value(own.extent));
                if index >= extent {
                    let [index, extent] = [index, extent].map(|value| signed(value, own.width));
                    let origin = Origin::Beyond { at: self.at, number, index, extent };
                    self.registers.set_unknown(of.dst, lane, Some(Unknown { origin, bits: u64::MAX }));
                }
            }
        }
    }

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
            let mode = match &cluster.machine.kernel.code[at as usize] {
                Op::Coordinates(of) => of.indices[number as usize].mode.to_string(),
                _ => String::new(),
            };
            let (op, location) = cluster.site(self.at);
            let kind = FindingKind::Coordinate { mode, index, extent, op, location };
            let finding = cluster.finding(at, self.thread(lane), kind);
            cluster.findings.note(finding);
        }
    }
}
