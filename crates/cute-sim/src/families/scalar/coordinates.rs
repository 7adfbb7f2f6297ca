//! Coordinates beyond their extents. Such a coordinate is not a mistake: tiles at the edge and
//! tiles that are loaded ahead have them. So the address that is made of it is marked, like an
//! undefined value, and an access through the address is one. Only marked addresses cost anything.

use crate::lanes::lanes_of;
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
