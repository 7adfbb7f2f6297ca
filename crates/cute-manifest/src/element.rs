//! The names of element types in MLIR.

use cute_arch::Element;

/// Elements and the names of their types; signless integers are signed, as in CuTe DSL.
const NAMES: [(Element, &str); 19] = [
    (Element::C64, "complex<f64>"),
    (Element::F64, "f64"),
    (Element::F32, "f32"),
    (Element::Tf32, "tf32"),
    (Element::F16, "f16"),
    (Element::Bf16, "bf16"),
    (Element::E4m3, "f8E4M3FN"),
    (Element::E5m2, "f8E5M2"),
    (Element::E2m3, "f6E2M3FN"),
    (Element::E3m2, "f6E3M2FN"),
    (Element::E2m1, "f4E2M1FN"),
    (Element::Ue8m0, "f8E8M0FNU"),
    (Element::S32, "i32"),
    (Element::S16, "i16"),
    (Element::S8, "i8"),
    (Element::U8, "ui8"),
    (Element::S4, "i4"),
    (Element::U4, "ui4"),
    (Element::U1, "i1"),
];

/// MLIR's name for the type of an element; an E4M3 without a sign is stored as one with a sign.
pub fn type_name(element: Element) -> Option<&'static str> {
    let stored = if element == Element::Ue4m3 { Element::E4m3 } else { element };
    NAMES.into_iter().find(|(own, _)| *own == stored).map(|(_, name)| name)
}

/// The bits of an element whose type has this name.
pub fn bits(name: &str) -> Option<u32> {
    let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let integer = name.starts_with(['i', 'u', 's']).then(|| digits.parse().ok()).flatten();
    integer.or_else(|| NAMES.into_iter().find(|(_, own)| *own == name).map(|(element, _)| element.bits()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_bits() {
        for element in Element::all() {
            let Some(name) = type_name(element) else { continue };
            assert_eq!(bits(name), Some(element.bits()), "{name}");
        }
        assert_eq!([bits("i64"), bits("ui16"), bits("index"), bits("f31")], [Some(64), Some(16), None, None]);
    }
}
