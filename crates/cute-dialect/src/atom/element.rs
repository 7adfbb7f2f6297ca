//! Element types of MLIR and of the hardware.

use cute_arch::Element;
use cute_ffi::floats::{FloatType, complex_element, float_type};
pub use cute_manifest::element::type_name;
use melior::{
    Context,
    ir::{Type, r#type::IntegerType},
};

use crate::scalars::{bit_width, integer};

/// The floats of MLIR that are elements of the hardware, by their types.
const FLOATS: [(FloatType, Element); 11] = [
    (FloatType::F64, Element::F64),
    (FloatType::F32, Element::F32),
    (FloatType::Tf32, Element::Tf32),
    (FloatType::F16, Element::F16),
    (FloatType::Bf16, Element::Bf16),
    (FloatType::F8E4M3FN, Element::E4m3),
    (FloatType::F8E5M2, Element::E5m2),
    (FloatType::F6E2M3FN, Element::E2m3),
    (FloatType::F6E3M2FN, Element::E3m2),
    (FloatType::F4E2M1FN, Element::E2m1),
    (FloatType::F8E8M0FNU, Element::Ue8m0),
];

/// The integers, likewise.
const INTEGERS: [Element; 7] =
    [Element::S32, Element::S16, Element::S8, Element::U8, Element::S4, Element::U4, Element::U1];

/// The hardware element of an MLIR type.
pub fn element(t: Type<'_>) -> Option<Element> {
    if let Some(i) = integer(t) {
        let is =
            |e: &Element| e.bits() == i.width() && (i.width() == 1 || e.integer() == Some(!i.is_unsigned()));
        return INTEGERS.into_iter().find(is);
    }
    if let Some(part) = complex_element(t) {
        return (float_type(part) == Some(FloatType::F64)).then_some(Element::C64);
    }
    let float = float_type(t)?;
    FLOATS.into_iter().find(|(own, _)| *own == float).map(|(_, element)| element)
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

/// MLIR's type of an element, the inverse of [`element`].
pub fn type_of_element<'c>(c: &'c Context, element: Element) -> Option<Type<'c>> {
    Type::parse(c, type_name(element)?)
}
