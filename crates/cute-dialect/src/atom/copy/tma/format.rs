//! Element formats of descriptors.

use cute_arch::tensor_map::MapElement;
use cute_ffi::floats::{FloatType, float_type};
use melior::ir::Type;

use crate::{
    scalars::{bit_width, integer},
    syntax::named,
};

named! {
    /// Element formats of descriptors.
    TmaFormat {
        U8 "U8", U16 "U16", U32 "U32", S32 "S32", U64 "U64", S64 "S64", F16 "F16_RN", F32 "F32_RN",
        F32Ftz "F32_FTZ_RN", F64 "F64_RN", Bf16 "BF16_RN", U4 "U4", U4In8 "U4_UNPACK_U8", U6In8 "U6_UNPACK_U8",
        Tf32 "TF32_RN", Tf32Ftz "TF32_FTZ_RN",
    }
}

impl TmaFormat {
    /// The format of an element type. Elements of 4 bits are packed in shared memory too; those of
    /// 6 bits have a byte each there, because no descriptor packs them.
    pub fn of(elem: Type<'_>) -> Option<Self> {
        let signed = integer(elem).is_some_and(|t| t.is_signed());
        Some(match (float_type(elem), bit_width(elem)?) {
            (Some(FloatType::F16), _) => Self::F16,
            (Some(FloatType::Bf16), _) => Self::Bf16,
            (Some(FloatType::F32), _) => Self::F32,
            (Some(FloatType::Tf32), _) => Self::Tf32,
            (Some(FloatType::F64), _) => Self::F64,
            (_, 32) if signed => Self::S32,
            (_, 64) if signed => Self::S64,
            (Some(FloatType::F6E2M3FN | FloatType::F6E3M2FN), _) => Self::U6In8,
            (_, 4) => Self::U4,
            (_, 8) => Self::U8,
            (_, 16) => Self::U16,
            (_, 32) => Self::U32,
            (_, 64) => Self::U64,
            _ => return None,
        })
    }

    /// The corresponding hardware format.
    pub fn element(self) -> MapElement {
        match self {
            Self::U8 => MapElement::U8,
            Self::U16 => MapElement::U16,
            Self::U32 => MapElement::U32,
            Self::S32 => MapElement::S32,
            Self::U64 => MapElement::U64,
            Self::S64 => MapElement::S64,
            Self::F16 => MapElement::F16,
            Self::F32 => MapElement::F32,
            Self::F32Ftz => MapElement::F32Ftz,
            Self::F64 => MapElement::F64,
            Self::Bf16 => MapElement::Bf16,
            Self::U4 => MapElement::U4,
            Self::U4In8 => MapElement::U4In8,
            Self::U6In8 => MapElement::U6In8,
            Self::Tf32 => MapElement::Tf32,
            Self::Tf32Ftz => MapElement::Tf32Ftz,
        }
    }

    /// Bits of an element in global memory.
    pub fn bits(self) -> u32 {
        self.element().bits()
    }
}
