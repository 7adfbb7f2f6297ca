//! Element types of MLIR and of the hardware.

use cute_arch::Element;
use melior::{
    Context,
    ir::{Type, r#type::IntegerType},
};

use crate::scalars::{bit_width, integer};

/// What the hardware calls a type of MLIR; integers without sign are signed, as in CuTe DSL.
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
    Some(match t.to_string().as_str() {
        "f64" => Element::F64,
        "f32" => Element::F32,
        "tf32" => Element::Tf32,
        "f16" => Element::F16,
        "bf16" => Element::Bf16,
        "f8E4M3FN" => Element::E4m3,
        "f8E5M2" => Element::E5m2,
        "f6E2M3FN" => Element::E2m3,
        "f6E3M2FN" => Element::E3m2,
        "f4E2M1FN" => Element::E2m1,
        "f8E8M0FNU" => Element::Ue8m0,
        "complex<f64>" => Element::C64,
        _ => return None,
    })
}

/// The type that LLVM keeps an element in: small and odd floats, and integers with a sign, are integers there.
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
