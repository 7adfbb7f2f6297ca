//! Element types of MLIR and of the hardware.

use cute_arch::Element;
use cute_ffi::floats::{FloatType, complex_element, float_type};
use melior::{
    Context,
    ir::{Type, r#type::IntegerType},
};

use crate::scalars::{bit_width, integer};

/// The floats of MLIR that are elements of the hardware, with the names of their types.
const FLOATS: [(FloatType, Element, &str); 11] = [
    (FloatType::F64, Element::F64, "f64"),
    (FloatType::F32, Element::F32, "f32"),
    (FloatType::Tf32, Element::Tf32, "tf32"),
    (FloatType::F16, Element::F16, "f16"),
    (FloatType::Bf16, Element::Bf16, "bf16"),
    (FloatType::F8E4M3FN, Element::E4m3, "f8E4M3FN"),
    (FloatType::F8E5M2, Element::E5m2, "f8E5M2"),
    (FloatType::F6E2M3FN, Element::E2m3, "f6E2M3FN"),
    (FloatType::F6E3M2FN, Element::E3m2, "f6E3M2FN"),
    (FloatType::F4E2M1FN, Element::E2m1, "f4E2M1FN"),
    (FloatType::F8E8M0FNU, Element::Ue8m0, "f8E8M0FNU"),
];

/// The integers, likewise; signless integers are signed, as in CuTe DSL.
const INTEGERS: [(Element, &str); 7] = [
    (Element::S32, "i32"),
    (Element::S16, "i16"),
    (Element::S8, "i8"),
    (Element::U8, "ui8"),
    (Element::S4, "i4"),
    (Element::U4, "ui4"),
    (Element::U1, "i1"),
];

/// The hardware element of an MLIR type.
pub fn element(t: Type<'_>) -> Option<Element> {
    if let Some(i) = integer(t) {
        let is =
            |e: &Element| e.bits() == i.width() && (i.width() == 1 || e.integer() == Some(!i.is_unsigned()));
        return INTEGERS.into_iter().map(|(element, _)| element).find(is);
    }
    if let Some(part) = complex_element(t) {
        return (float_type(part) == Some(FloatType::F64)).then_some(Element::C64);
    }
    let float = float_type(t)?;
    FLOATS.into_iter().find(|(own, ..)| *own == float).map(|(_, element, _)| element)
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

/// MLIR's name for the type of an element; an E4M3 without a sign is stored as one with a sign.
pub fn type_name(element: Element) -> Option<&'static str> {
    let stored = match element {
        Element::C64 => return Some("complex<f64>"),
        Element::Ue4m3 => Element::E4m3,
        element => element,
    };
    let all = FLOATS.into_iter().map(|(_, element, name)| (element, name)).chain(INTEGERS);
    all.into_iter().find(|(own, _)| *own == stored).map(|(_, name)| name)
}

/// MLIR's type of an element, the inverse of [`element`].
pub fn type_of_element<'c>(c: &'c Context, element: Element) -> Option<Type<'c>> {
    Type::parse(c, type_name(element)?)
}
