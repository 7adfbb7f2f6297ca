//! Loads and stores of a warp whose lanes access one allocation, up to the first possible finding.
//!
//! Each function processes the lanes in order as `access` does. It returns the lanes from the first
//! one on that may need more: a race, or a byte that is not initialised. These lanes are unchanged,
//! so that `access` can continue with them.

use super::own::{load_own, store_own};
use crate::finding::AccessKind;
use crate::lanes::{Lanes, lanes_of};
use crate::machine::issuing::Issuing;
use crate::machine::parts::Parts;
use crate::memory::address::{CONSTANT, GLOBAL, LOCAL, SHARED};
use crate::memory::span::Together;
use crate::program::{Access, Slot};
use crate::race::Reach;
use cute_machine::int::mask;

/// The lanes of `active` before the first that does not pass.
fn leading(active: u32, pass: impl Fn(usize) -> bool) -> u32 {
    match lanes_of(active).find(|lane| !pass(*lane as usize)) {
        Some(lane) => active & ((1 << lane) - 1),
        None => active,
    }
}

pub(super) fn load_together(
    parts: &mut Parts<'_, '_>,
    own: &mut Issuing<'_>,
    access: &Access,
    dst: Slot,
    at: &Together,
    active: u32,
) -> u32 {
    if at.space() == LOCAL {
        return load_own(own.registers, own.stack, access, (dst, at), active);
    }
    let bytes = access.bytes as usize;
    let mut lanes = active;
    match at.space() {
        SHARED => lanes = leading(lanes, |i| parts.shared.bytes().is_written(at.starts[i] as usize, bytes)),
        GLOBAL if parts.machine().begins_undefined(at.allocation()) => return active,
        _ => {}
    }
    lanes &= !watch_together(parts, own, at, lanes, bytes, AccessKind::Read);
    for leaf in &access.leaves {
        let value = read_together(parts, at, leaf.offset as usize, leaf.bytes as usize, lanes);
        own.registers.set(dst + leaf.slot, lanes, &value.map(|v| v & mask(leaf.bits)), 0);
    }
    active & !lanes
}

pub(super) fn store_together(
    parts: &mut Parts<'_, '_>,
    own: &mut Issuing<'_>,
    access: &Access,
    src: Slot,
    at: &Together,
    active: u32,
) -> u32 {
    if at.space() == LOCAL {
        return store_own(own.registers, own.stack, access, (src, at), active);
    }
    let undefined = access.leaves.iter().fold(0, |u, leaf| u | own.registers.undefined_in(src + leaf.slot));
    if undefined & active != 0 || at.space() == CONSTANT {
        return active;
    }
    if at.space() == GLOBAL && parts.engine.copies.of(own.issuer.warp_of_cluster()).any() {
        return active;
    }
    let bytes = access.bytes as usize;
    let mut lanes = active;
    if at.space() == SHARED {
        lanes = leading(lanes, |i| parts.shared.bytes().taken(at.starts[i] as usize, bytes).is_none());
    }
    lanes &= !watch_together(parts, own, at, lanes, bytes, AccessKind::Write);
    for lane in lanes_of(lanes) {
        for leaf in &access.leaves {
            let value = own.registers.get(src + leaf.slot)[lane as usize];
            parts.write(&mut [], at.of(lane), leaf.offset as usize, leaf.bytes as usize, value);
        }
    }
    active & !lanes
}

/// Like `watch`, for lanes in order. Returns the lanes from the first one on that races.
fn watch_together(
    parts: &mut Parts<'_, '_>,
    own: &Issuing<'_>,
    at: &Together,
    lanes: u32,
    bytes: usize,
    kind: AccessKind,
) -> u32 {
    if !parts.machine().launch.check_races || bytes == 0 {
        return 0;
    }
    let who = own.issuer.who(parts.scene(), at.space(), kind, Reach::default());
    match at.space() {
        GLOBAL => parts.machine().shadow.quiet(at.allocation(), &at.starts, bytes, &who, lanes, parts.clocks),
        SHARED => {
            let mut window = parts.shared.shadow();
            window.quiet(&at.starts, bytes, &who, lanes, parts.clocks)
        }
        _ => 0,
    }
}

/// Up to 8 bytes at `delta` of each lane's span.
fn read_together(parts: &Parts<'_, '_>, at: &Together, delta: usize, bytes: usize, lanes: u32) -> Lanes {
    let index = at.allocation() as usize;
    match at.space() {
        GLOBAL => match parts.machine().buffers.get(index) {
            Some(buffer) => gather(at, lanes, |start| buffer.read(start + delta, bytes)),
            None => [0; 32],
        },
        SHARED => gather(at, lanes, |start| parts.shared.bytes().read(start + delta, bytes)),
        _ => std::array::from_fn(|lane| match lanes >> lane & 1 {
            0 => 0,
            _ => parts.read(&[], at.of(lane as u32), delta, bytes),
        }),
    }
}

fn gather(at: &Together, lanes: u32, read: impl Fn(usize) -> u64) -> Lanes {
    let mut value = [0; 32];
    for lane in lanes_of(lanes) {
        value[lane as usize] = read(at.starts[lane as usize] as usize);
    }
    value
}
