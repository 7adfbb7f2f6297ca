//! Data races: two accesses of a byte, one of them a write, that nothing orders.
//!
//! *Order* is happens-before. A block counts time in steps of its synchronisations; [`Clocks`] says, for each pair of
//! threads, up to which time the one knows what the other did. [`Cell`] keeps, for each word of memory, the accesses that
//! a later one has to be ordered with. A full barrier of the block orders everything before it at once, and is one number.

mod clock;
mod global;
mod shadow;

pub(crate) use clock::{Clocks, Known};
pub(crate) use global::{GlobalShadow, SyncTable};
pub(crate) use shadow::{Cell, Record, Who};

use crate::finding::AccessKind;

/// Notes an access of `bytes` bytes at `at` in cells of consecutive words, as [`GlobalShadow::access`] does.
pub(crate) fn access(
    cells: &mut [Cell],
    at: usize,
    bytes: usize,
    who: Who,
    kind: AccessKind,
    clocks: &Clocks,
) -> Option<(usize, Record)> {
    let mut race = None;
    let first = at / 4;
    for (word, cell) in (first..(at + bytes).div_ceil(4)).zip(cells.get_mut(first..)?) {
        let mask = global::byte_mask(word, at, bytes);
        if let Some(record) = cell.access(who, kind, mask, clocks)
            && race.is_none()
        {
            race = Some((global::first_byte(word, mask & record.bytes, at), record));
        }
    }
    race
}
