//! One scalar conversion, and one regrouping of bits.

use crate::finding::FindingKind;
use crate::memory::address;
use crate::program::Cast;
use cute_machine::float::{decode, encode, of_integer};
use cute_machine::int::{mask, signed};
use cute_machine::types::Scalar;

pub(crate) fn cast(cast: Cast, a: u64) -> Result<u64, FindingKind> {
    Ok(match cast {
        Cast::Truncate { width } => a & mask(width),
        Cast::SignExtend { from, to } => signed(a, from) as u64 & mask(to),
        Cast::Float { from, to } => encode(to, decode(from, a)),
        Cast::SignedToFloat { from, to, rounding } => of_integer(to, signed(a, from).into(), rounding),
        Cast::UnsignedToFloat { to, rounding } => of_integer(to, a.into(), rounding),
        Cast::FloatToSigned { from, to } | Cast::FloatToUnsigned { from, to } if decode(from, a).is_nan() => {
            if from == Scalar::F64 || to == 64 {
                1 << (to - 1)
            } else {
                0
            }
        }
        Cast::FloatToSigned { from, to } => {
            let limit = (mask(to) >> 1) as i64;
            (decode(from, a) as i64).clamp(-limit - 1, limit) as u64 & mask(to)
        }
        Cast::FloatToUnsigned { from, to } => (decode(from, a) as u64).min(mask(to)),
        Cast::AddressSpace { from, to } => address::cast(a, from, to)?,
    })
}

/// Element `i`, of `to` bits, of a value whose elements have `from` bits. One width divides the
/// other.
pub(crate) fn regroup(at: impl Fn(u32) -> u64, from: u32, to: u32, i: u32) -> u64 {
    if to < from {
        let per_source = from / to;
        return at(i / per_source) >> (i % per_source * to) & mask(to);
    }
    let parts = to / from;
    (0..parts).fold(0, |bits, part| bits | at(i * parts + part) << (part * from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regrouping_is_little_endian_and_undone_by_its_inverse() {
        let bytes = [0x11, 0x22, 0x33, 0x44];
        assert_eq!(regroup(|i| bytes[i as usize], 8, 32, 0), 0x44332211);
        let back: Vec<_> = (0..4).map(|i| regroup(|_| 0x44332211, 32, 8, i)).collect();
        assert_eq!(back, bytes);
    }

    #[test]
    fn a_float_out_of_range_gives_the_nearest_integer() {
        let to_i8 = Cast::FloatToSigned { from: Scalar::F32, to: 8 };
        let run = |v: f32| cast(to_i8, v.to_bits().into()).unwrap() as u8 as i8;
        assert_eq!([run(-1e9), run(-1.9), run(300.0), run(f32::NAN)], [-128, -1, 127, 0]);
    }
}
