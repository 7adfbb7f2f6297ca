//! Lanes of one instruction that store the same sum, rounded in different ways.
//!
//! In a butterfly of shuffles, the lanes add the same values in different orders. The sums agree,
//! unless a compiler contracts the first addition with a product: `fma(x, x, y)` rounds one product
//! and not the other. Then the lanes store values that differ in their last bits, and it is open
//! which of them stays.

use crate::program::{Collective, Kernel, Move, Op, Slot};
use cute_machine::int::mask;
use smallvec::{SmallVec, smallvec};

/// The difference up to which two floats count as one number: units in the last place.
const UNITS: u64 = 4;

/// Instructions before a store that are looked at.
const REACH: usize = 4096;

/// Whether two floats of this size have one sign and differ by a few units in the last place. The
/// codes of floats of one sign are ordered as the floats are.
pub(crate) fn is_near(a: u64, b: u64, bytes: usize) -> bool {
    let sign = 1 << (8 * bytes - 1);
    (a ^ b) & sign == 0 && (a & mask(8 * bytes as u32)).abs_diff(b & mask(8 * bytes as u32)) <= UNITS
}

/// Whether a store stores the result of arithmetic on floats that other lanes computed, too, as far
/// as the code before it tells: the last instructions that write the value, and the operands of
/// these, are arithmetic, moves and shuffles.
pub(super) fn stores_shuffled_sums(kernel: &Kernel, site: u32) -> bool {
    let Some(Op::Store { src, .. }) = kernel.code.get(site as usize) else { return false };
    let mut needed: SmallVec<[Slot; 8]> = smallvec![*src];
    let (mut is_sum, mut is_shuffled) = (false, false);
    for op in kernel.code[..site as usize].iter().rev().take(REACH) {
        let (start, lanes, sources): (Slot, u32, SmallVec<[Slot; 3]>) = match op {
            Op::Float { at, .. } => (at.dst, at.lanes, smallvec![at.a, at.b]),
            Op::Fma { at, .. } | Op::Rounded { at, .. } => (at.dst, at.lanes, smallvec![at.a, at.b, at.c]),
            Op::Copy(Move { dst, src, len }) => (*dst, *len, smallvec![*src]),
            Op::Collective { op: Collective::Shuffle { dst, value, .. }, .. } => (*dst, 1, smallvec![*value]),
            _ => continue,
        };
        let Some(i) = needed.iter().position(|slot| (start..start + lanes).contains(slot)) else { continue };
        let part = needed.swap_remove(i) - start;
        needed.extend(sources.into_iter().map(|source| source + part));
        is_sum |= matches!(op, Op::Float { .. } | Op::Fma { .. } | Op::Rounded { .. });
        is_shuffled |= is_sum && matches!(op, Op::Collective { .. });
    }
    is_shuffled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_near_that_differ_by_a_few_units() {
        let [a, b, c] = [1.5f32, 1.500_000_2, 1.500_002].map(|x| u64::from(x.to_bits()));
        assert!(is_near(a, b, 4) && is_near(b, a, 4) && !is_near(a, c, 4));
        assert!(!is_near(0, 1 << 31, 4) && !is_near(a, a ^ 1 << 31, 4));
        assert!(is_near(0x3c00, 0x3c04, 2) && !is_near(0x3c00, 0x3c05, 2));
    }
}
