//! Element types of MLIR and of the hardware.

use cute_arch::Element;
use cute_ffi::floats::{FloatType, complex_element, float_type};
use melior::{
    Context,
    ir::{Type, r#type::IntegerType},
};

use crate::scalars::{bit_width, integer};

/// The hardware element of an MLIR type; signless integers are signed, as in CuTe DSL.
pub fn element(t: Type<'_>) -> Option<Element> {
    if let Some(i) = integer(t) {
        return Some(match (i.width(), i.is_unsigned()) {
            (32, false) => Element::S32,
            (16, false) => Element::S16,
            (8, false) => Element::S8,
            (8, true) => Element::U8,
            (4, false) => Element::S4,
            (4, true) => Element::U4,
            (1, _) => Element::U1,
            _ => return None,
        });
    }
    if let Some(part) = complex_element(t) {
        return (float_type(part) == Some(FloatType::F64)).then_some(Element::C64);
    }
    Some(match float_type(t)? {
        FloatType::F64 => Element::F64,
        FloatType::F32 => Element::F32,
        FloatType::Tf32 => Element::Tf32,
        FloatType::F16 => Element::F16,
        FloatType::Bf16 => Element::Bf16,
        FloatType::F8E4M3FN => Element::E4m3,
        FloatType::F8E5M2 => Element::E5m2,
        FloatType::F6E2M3FN => Element::E2m3,
        FloatType::F6E3M2FN => Element::E3m2,
        FloatType::F4E2M1FN => Element::E2m1,
        FloatType::F8E8M0FNU => Element::Ue8m0,
    })
}

/// The LLVM type that holds an element: small and unusual floats, and signed or unsigned integers,
/// are signless integers there.
pub fn storage<'c>(c: &'c Context, t: Type<'c>) -> Type<'c> {
    let plain = matches!(element(t), Some(Element::F64 | Element::F32 | Element::F16 | Element::Bf16));
    match bit_width(t) {
        Some(bits) if !plain => IntegerType::new(c, bits).into(),
        _ => t,
    }
}

/// MLIR's type of scales.
pub fn scale_name(scale: Element) -> &'static str {
    if scale == Element::Ue8m0 { "f8E8M0FNU" } else { "f8E4M3FN" }
}
