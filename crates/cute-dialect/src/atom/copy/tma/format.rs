//! The element format of a descriptor, by the type of the elements.

use cute_arch::tensor_map::MapElement;
use cute_ffi::floats::{FloatType, float_type};
use melior::ir::Type;

use crate::scalars::{bit_width, integer};

/// The format of an element type. Elements of 4 bits are packed in shared memory too; those of
/// 6 bits have a byte each there, because no descriptor packs them.
pub fn format_of(elem: Type<'_>) -> Option<MapElement> {
    use MapElement as E;
    let signed = integer(elem).is_some_and(|t| t.is_signed());
    Some(match (float_type(elem), bit_width(elem)?) {
        (Some(FloatType::F16), _) => E::F16,
        (Some(FloatType::Bf16), _) => E::Bf16,
        (Some(FloatType::F32), _) => E::F32,
        (Some(FloatType::Tf32), _) => E::Tf32,
        (Some(FloatType::F64), _) => E::F64,
        (_, 32) if signed => E::S32,
        (_, 64) if signed => E::S64,
        (Some(FloatType::F6E2M3FN | FloatType::F6E3M2FN), _) => E::U6In8,
        (_, 4) => E::U4,
        (_, 8) => E::U8,
        (_, 16) => E::U16,
        (_, 32) => E::U32,
        (_, 64) => E::U64,
        _ => return None,
    })
}
