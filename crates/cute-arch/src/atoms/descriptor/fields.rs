//! The fields of an instruction descriptor by CUTLASS's names.

use super::{NEGATE_BITS, SCALE_BITS, bit};

/// The name of a field, its first bit and its length.
type Field = (&'static str, u32, u32);

const COMMON: [Field; 10] = [
    ("sparse_id2", bit::SPARSE_ID, 2),
    ("sparse_flag", bit::SPARSE, 1),
    ("a_format", bit::A_FORMAT, 3),
    ("b_format", bit::B_FORMAT, 3),
    ("a_negate", NEGATE_BITS[0], 1),
    ("b_negate", NEGATE_BITS[1], 1),
    ("a_major", bit::A_MN_MAJOR, 1),
    ("b_major", bit::B_MN_MAJOR, 1),
    ("n_dim", bit::N, 6),
    ("m_dim", bit::M, 5),
];
const PLAIN: [Field; 3] =
    [("saturate", bit::SATURATES, 1), ("c_format", bit::D_FORMAT, 2), ("max_shift", bit::MAX_SHIFT, 2)];
const SCALED: [Field; 4] = [
    ("a_sf_id", SCALE_BITS[0], 2),
    ("b_sf_id", SCALE_BITS[1], 2),
    ("scale_format", bit::SCALE_UE8M0, 1),
    ("k_size", bit::WIDE_K, 1),
];

/// The fields of a descriptor as numbers, by the names of CUTLASS's `InstrDescriptor`, or of
/// `InstrDescriptorBlockScaled` for an instruction with scale factors.
///
/// ```
/// use cute_arch::atoms::descriptor_fields;
/// let fields: Vec<_> = descriptor_fields(0x48b0_04a0, true).collect();
/// assert!(fields.contains(&("n_dim", 192 / 8)) && fields.contains(&("a_sf_id", 2)));
/// ```
pub fn descriptor_fields(word: u32, is_scaled: bool) -> impl Iterator<Item = (&'static str, u32)> {
    let own: &[Field] = if is_scaled { &SCALED } else { &PLAIN };
    COMMON.iter().chain(own).map(move |(name, from, bits)| (*name, word >> from & ((1 << bits) - 1)))
}
