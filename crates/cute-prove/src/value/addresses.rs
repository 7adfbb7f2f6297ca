//! Addresses of tensor memory, whose two highest bits choose a byte of four in a word of scale
//! factors.
//!
//! Compilers add to these bits by a rotation to the left by two, an addition, and a rotation back,
//! and move them into the instruction descriptor of an MMA by a shift and a mask.

use super::{SHARED_NUMBERS, Val};
use cute_machine::int::{IntOp, mask, signed};

/// An address that `tcgen05.alloc` stores has lane 0 in its high half, and one of 512 columns in
/// its low half (PTX ISA, "Tensor Memory Addressing"), so that it is less than this.
const COLUMNS: i64 = 512;

/// The offset from an address that was allocated, if their sum is one of 32 bits.
fn offset(value: Val) -> Option<(u32, i64)> {
    match value {
        Val::From(of, at) if of >= SHARED_NUMBERS && (0..(1 << 32) - COLUMNS).contains(&at) => Some((of, at)),
        _ => None,
    }
}

/// Whether an address that was allocated does not change the bits of the offset from this one on.
fn keeps(at: i64, bit: u32) -> bool {
    at & mask(bit) as i64 <= (1 << bit) - COLUMNS
}

/// A word of 32 bits, rotated to the left.
pub(super) fn rotated(value: Val, by: Val) -> Val {
    match (offset(value), value, by) {
        // The sum has no carry into the bits that change places.
        (Some((of, at)), _, Val::Known(2)) if at <= (1 << 30) - COLUMNS => Val::Rotated(of, 4 * at),
        (_, Val::Rotated(of, at), Val::Known(30)) if (0..(1 << 32) - 4 * COLUMNS).contains(&at) => {
            Val::From(of, at / 4 + ((at % 4) << 30))
        }
        _ => Val::Unknown,
    }
}

/// An operation on an address and a number; `None` if it is none of these.
pub(super) fn binary(op: IntOp, width: u32, a: Val, b: Val) -> Option<Val> {
    let (value, number) = match (op, a, b) {
        (_, value, Val::Known(number)) => (value, number & mask(width)),
        (IntOp::Add | IntOp::And, Val::Known(number), value) => (value, number & mask(width)),
        _ => return None,
    };
    match (op, value) {
        (IntOp::Add, Val::Rotated(of, at)) => Some(Val::Rotated(of, at.wrapping_add(signed(number, width)))),
        (IntOp::ShrU | IntOp::ShrClampedU, _) if width == 32 && number < 32 => {
            let ((of, at), by) = (offset(value)?, number as u32);
            Some(if keeps(at, by) { Val::Known((at >> by) as u64) } else { Val::Shifted(of, at, by) })
        }
        (IntOp::And, _) if width == 32 && number != 0 => {
            let (at, by) = match value {
                Val::Shifted(_, at, by) => (at, by),
                _ => (offset(value)?.1, 0),
            };
            keeps(at, by + number.trailing_zeros()).then_some(Val::Known((at >> by) as u64 & number))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Bounds, ternary};
    use cute_machine::int::IntTernary;

    const OF: u32 = SHARED_NUMBERS + 1;

    fn turned(value: Val, by: u64) -> Val {
        let turn = IntTernary::FunnelLeft { wraps: true };
        ternary(turn, 32, [value, value, Val::Known(by)], &mut Bounds::default())
    }

    fn with(op: IntOp, value: Val, number: u64) -> Val {
        crate::value::binary(op, 32, value, Val::Known(number), &mut Bounds::default())
    }

    #[test]
    fn a_byte_of_a_word_of_scale_factors_is_chosen() {
        let rotated = turned(Val::From(OF, 64), 2);
        assert_eq!(turned(with(IntOp::Add, rotated, 3), 30), Val::From(OF, 3 << 30 | 64));
        // Five bytes later, it is a byte of the next column.
        assert_eq!(turned(with(IntOp::Add, rotated, 5), 30), Val::From(OF, 1 << 30 | 65));
    }

    #[test]
    fn its_number_goes_into_a_descriptor() {
        let third = Val::From(OF, 3 << 30 | 64);
        assert_eq!(with(IntOp::And, with(IntOp::ShrU, third, 26), 48), Val::Known(48));
        assert_eq!(
            with(IntOp::And, with(IntOp::ShrClampedU, third, 1), 0x6000_0000),
            Val::Known(0x6000_0000)
        );
        assert_eq!(with(IntOp::And, third, 3 << 30), Val::Known(3 << 30));
    }

    #[test]
    fn what_depends_on_the_address_is_not_known() {
        let own = Val::From(OF, 64);
        assert_eq!(with(IntOp::And, own, 0x200), Val::Unknown);
        assert_eq!(with(IntOp::And, with(IntOp::ShrU, own, 1), 0x80), Val::Unknown);
        // The sum may reach bit 30.
        let near = Val::From(OF, (1 << 30) - 511);
        assert_eq!([turned(near, 2), with(IntOp::And, near, 3 << 30)], [Val::Unknown; 2]);
        // Other values may use the highest bits.
        assert_eq!(turned(Val::From(3, 64), 2), Val::Unknown);
        assert_eq!(turned(Val::From(OF, -1), 2), Val::Unknown);
        assert_eq!(turned(own, 3), Val::Unknown);
    }
}
