//! Fields of bits, and searches for bits as PTX defines them.

/// The low `width` bits set.
#[inline]
pub fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The value read as signed.
#[inline]
pub fn signed(value: u64, width: u32) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    ((value << unused) as i64) >> unused
}

/// No bit was found.
const NOTHING: u64 = u32::MAX as u64;

/// `bfind`: the number of the last bit that is not the sign, or the distance from it to the last
/// bit of the width; 0xffffffff if there is none.
pub fn find(width: u32, value: u64, is_signed: bool, shift: bool) -> u64 {
    let value = value & mask(width);
    let bits = if is_signed && signed(value, width) < 0 { !value & mask(width) } else { value };
    match bits.checked_ilog2() {
        None => NOTHING,
        Some(last) if shift => u64::from(width - 1 - last),
        Some(last) => last.into(),
    }
}

/// `fns`: the bit that is set as the `offset`th from bit `base` on, downwards if it is negative;
/// 0xffffffff if there is none. An offset of 0 is the base itself.
pub fn nth_set(value: u32, base: u64, offset: i32) -> u64 {
    let is_set = |bit: &u64| value >> bit & 1 != 0;
    let nth = offset.unsigned_abs().saturating_sub(1) as usize;
    let found = match offset {
        _ if base > 31 => None,
        0 => Some(base).filter(is_set),
        1.. => (base..32).filter(is_set).nth(nth),
        _ => (0..=base).rev().filter(is_set).nth(nth),
    };
    found.unwrap_or(NOTHING)
}

/// `bmsk`: `length` bits from bit `from` on. Numbers beyond the width count by their low bits if
/// they wrap, and otherwise reach to the end.
pub fn field(width: u32, from: u64, length: u64, wraps: bool) -> u64 {
    let limit = u64::from(width);
    let [from, length] = [from, length].map(|n| if wraps { n % limit } else { n.min(limit) });
    let after = (from + length).min(limit);
    mask(after as u32) & !mask(from as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_bit_that_is_not_the_sign() {
        let of = |value: i64, shift| find(32, value as u64, true, shift);
        assert_eq!([0, 1, -1, -2, 0x4000_0000].map(|v| of(v, false)), [NOTHING, 0, NOTHING, 0, 30]);
        assert_eq!([1, -2, i64::from(i32::MIN)].map(|v| of(v, true)), [31, 31, 1]);
        assert_eq!(find(64, u64::MAX, false, false), 63);
        assert_eq!(find(64, 1 << 40, false, true), 23);
    }

    /// The examples of PTX ISA, `fns`.
    #[test]
    fn set_bits_are_counted_from_a_base() {
        let of = |base, offset| nth_set(0xaaaa_aaaa, base, offset);
        assert_eq!([of(3, 1), of(3, -1), of(2, 1), of(2, -1)], [3, 3, 3, 1]);
        assert_eq!([of(3, 0), of(2, 0), of(1, 16), of(1, 17), of(1, -2)], [3, NOTHING, 31, NOTHING, NOTHING]);
    }

    #[test]
    fn a_field_ends_with_the_width() {
        assert_eq!(field(32, 1, 2, true), 6);
        assert_eq!([field(32, 28, 8, false), field(32, 28, 8, true)], [0xf000_0000; 2]);
        assert_eq!([field(32, 32, 4, false), field(32, 32, 4, true)], [0, 0xf]);
        assert_eq!([field(32, 4, 32, false), field(32, 4, 32, true)], [0xffff_fff0, 0]);
        assert_eq!(field(64, 40, 64, false), 0xffff_ff00_0000_0000);
    }
}
