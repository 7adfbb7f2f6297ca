//! Loads and stores of lanes' own memory at the same place in each: memory that LLVM would keep in
//! registers.
//!
//! Each function does for all lanes at once what `access` does for each, if there are no findings
//! about any of them. It returns the remaining lanes: none or all.

use crate::lanes::lanes_of;
use crate::machine::stack::Stack;
use crate::memory::span::Together;
use crate::program::{Access, Slot};
use crate::registers::Registers;
use cute_machine::int::mask;

/// Loads memory that all lanes have written.
pub(super) fn load_own(
    registers: &mut Registers,
    stack: &Stack,
    access: &Access,
    (dst, at): (Slot, &Together),
    active: u32,
) -> u32 {
    let (allocation, start) = (at.allocation() as usize, at.starts[0] as usize);
    let written = |lane: u32| {
        let local = &stack.locals(lane as usize)[allocation];
        local.memory.is_written(start, access.bytes as usize)
    };
    if !lanes_of(active).all(written) {
        return active;
    }
    for leaf in &access.leaves {
        let (at, bytes) = (start + leaf.offset as usize, leaf.bytes as usize);
        let mut value = [0; 32];
        for lane in lanes_of(active) {
            let read = stack.locals(lane as usize)[allocation].memory.read(at, bytes);
            value[lane as usize] = read & mask(leaf.bits);
        }
        registers.set(dst + leaf.slot, active, &value, 0);
    }
    0
}

/// Stores values that are defined in all lanes.
pub(super) fn store_own(
    registers: &Registers,
    stack: &mut Stack,
    access: &Access,
    (src, at): (Slot, &Together),
    active: u32,
) -> u32 {
    let undefined = access.leaves.iter().fold(0, |u, leaf| u | registers.undefined_in(src + leaf.slot));
    if undefined & active != 0 {
        return active;
    }
    let (allocation, start) = (at.allocation() as usize, at.starts[0] as usize);
    for leaf in &access.leaves {
        let (at, bytes) = (start + leaf.offset as usize, leaf.bytes as usize);
        for lane in lanes_of(active) {
            let value = registers.get(src + leaf.slot)[lane as usize];
            stack.locals_mut(lane as usize)[allocation].memory.write(at, bytes, value);
        }
    }
    0
}
