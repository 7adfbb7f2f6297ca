//! Element types of arrays and scalars: their names, and a Rust type for the bytes of each.

use cute_arch::Element as Format;
use cute_manifest::element::type_name;
use cute_sim::format::{self, Overflow, Rounding};
use half::{bf16, f16};
use std::{fmt, str::FromStr};

macro_rules! elements {
    ($($variant:ident $name:expr, $t:ty;)*) => {
        /// An element type.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum Element { $($variant),* }

        const ALL: &[Element] = &[$(Element::$variant),*];

        impl Element {
            fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// Bytes of an element in rows and in files. In memory it may take [less](Self::bits).
            pub fn bytes(self) -> usize {
                match self { $(Self::$variant => size_of::<$t>()),* }
            }

            /// Appends the bytes of a number of this type, little-endian.
            pub fn encode(self, value: f64, to: &mut Vec<u8>) {
                match self { $(Self::$variant => to.extend(<$t>::of(value).to_le_bytes())),* }
            }

            /// The value in little-endian bytes, and its difference from another.
            pub fn difference(self, bytes: &[u8], from: &[u8]) -> Difference {
                match self { $(Self::$variant => <$t>::read(bytes).difference(<$t>::read(from))),* }
            }
        }
    };
}

elements! {
    F16 of_mlir(Format::F16), f16;
    Bf16 of_mlir(Format::Bf16), bf16;
    F32 of_mlir(Format::F32), f32;
    F64 of_mlir(Format::F64), f64;
    E4m3 of_mlir(Format::E4m3), E4m3;
    E5m2 of_mlir(Format::E5m2), E5m2;
    E8m0 of_mlir(Format::Ue8m0), Ue8m0;
    E2m3 of_mlir(Format::E2m3), E2m3;
    E3m2 of_mlir(Format::E3m2), E3m2;
    E2m1 of_mlir(Format::E2m1), E2m1;
    I1 "i1", u8;
    I8 "i8", i8;
    I16 "i16", i16;
    I32 "i32", i32;
    I64 "i64", i64;
    U8 "u8", u8;
    U16 "u16", u16;
    U32 "u32", u32;
    U64 "u64", u64;
}

fn of_mlir(format: Format) -> &'static str {
    type_name(format).expect("MLIR has a type of these floats")
}

impl Element {
    /// The float that it is.
    fn format(self) -> Option<Format> {
        Some(match self {
            Self::F16 => Format::F16,
            Self::Bf16 => Format::Bf16,
            Self::F32 => Format::F32,
            Self::F64 => Format::F64,
            Self::E4m3 => Format::E4m3,
            Self::E5m2 => Format::E5m2,
            Self::E8m0 => Format::Ue8m0,
            Self::E2m3 => Format::E2m3,
            Self::E3m2 => Format::E3m2,
            Self::E2m1 => Format::E2m1,
            Self::I1 | Self::I8 | Self::I16 | Self::I32 | Self::I64 => return None,
            Self::U8 | Self::U16 | Self::U32 | Self::U64 => return None,
        })
    }

    /// Bits of an element in memory.
    pub fn bits(self) -> u32 {
        self.format().map_or(8 * self.bytes() as u32, Format::bits)
    }

    /// The distance from 1 to the next number of the type; 0 for integers.
    pub fn epsilon(self) -> f64 {
        let fraction = self.format().and_then(Format::float).map(|float| float.fraction);
        fraction.map_or(0.0, |bits| (-f64::from(bits)).exp2())
    }
}

/// A number of 64 bits without a sign: its digits, or `0x` and hexadecimal digits.
pub(crate) fn unsigned(text: &str) -> Option<u64> {
    let (digits, radix) = text.strip_prefix("0x").map_or((text, 10), |digits| (digits, 16));
    let is_number = digits.bytes().all(|digit| char::from(digit).is_digit(radix));
    is_number.then(|| u64::from_str_radix(digits, radix).ok()).flatten()
}

/// Two numbers to compare.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The first, and the one it is measured from.
    pub values: [String; 2],
    /// |a - b|; 0 for two NaN.
    pub absolute: f64,
    /// |b|.
    pub size: f64,
}

impl Difference {
    /// |a - b| / |b|; 0 where both are 0.
    pub fn relative(&self) -> f64 {
        if self.absolute == 0.0 { 0.0 } else { self.absolute / self.size }
    }
}

/// A Rust type that represents an element type.
trait Number: Sized {
    fn of(value: f64) -> Self;
    /// Missing bytes are zero.
    fn read(bytes: &[u8]) -> Self;
    fn difference(self, from: Self) -> Difference;
}

/// The nearest bf16. `bf16::from_f64` drops the lower half of the word before it rounds, so that a
/// number just above the middle of two counts as the middle.
pub(crate) fn nearest_bf16(value: f64) -> bf16 {
    let near = value as f32;
    let exact = f64::from(near);
    if exact == value || value.is_nan() {
        return bf16::from_f32(near);
    }
    // Towards zero, with the last bit set: no such f32 is the middle of two of bf16.
    let towards_zero = near.to_bits() - u32::from(exact.abs() > value.abs());
    bf16::from_f32(f32::from_bits(towards_zero | 1))
}

macro_rules! numbers {
    ($($t:ty: $of:expr, $value:expr, $absolute:expr;)*) => {$(
        impl Number for $t {
            fn of(value: f64) -> Self {
                $of(value)
            }

            fn read(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<$t>()];
                own.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
                <$t>::from_le_bytes(own)
            }

            fn difference(self, from: Self) -> Difference {
                let values = [self.to_string(), from.to_string()];
                let [absolute, size] = [$absolute(&self, &from), $value(&from).abs()];
                Difference { values, absolute, size }
            }
        }
    )*};
}

macro_rules! integers {
    ($($t:ty)*) => { numbers! { $($t:
        |v: f64| v as i128 as $t,
        |v: &$t| *v as f64,
        |a: &$t, b: &$t| i128::from(*a).abs_diff(i128::from(*b)) as f64;
    )* } };
}

numbers! {
    f16: f16::from_f64, |v: &f16| v.to_f64(), |a: &f16, b: &f16| distance(a.to_f64(), b.to_f64());
    bf16: nearest_bf16, |v: &bf16| v.to_f64(), |a: &bf16, b: &bf16| distance(a.to_f64(), b.to_f64());
    f32: |v: f64| v as f32, |v: &f32| f64::from(*v), |a: &f32, b: &f32| distance((*a).into(), (*b).into());
    f64: |v: f64| v, |v: &f64| *v, |a: &f64, b: &f64| distance(*a, *b);
}
integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

/// Floats of 8 bits or less: numbers are rounded to the nearest, and to the largest where they are
/// larger.
macro_rules! bytes {
    ($($t:ident)*) => {$(
        struct $t(u8);

        impl $t {
            fn value(&self) -> f64 {
                format::decode(Format::$t, self.0.into()).expect("the element is a float")
            }

            fn to_le_bytes(&self) -> [u8; 1] {
                [self.0]
            }

            fn from_le_bytes([byte]: [u8; 1]) -> Self {
                Self(byte)
            }
        }

        impl fmt::Display for $t {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.value().fmt(f)
            }
        }

        numbers! { $t:
            |v: f64| {
                let code = format::encode(Format::$t, v, Rounding::NearestEven, Overflow::Saturate);
                $t(code.expect("the element is a float") as u8)
            },
            |v: &$t| v.value(),
            |a: &$t, b: &$t| distance(a.value(), b.value());
        }
    )*};
}

bytes! { E4m3 E5m2 Ue8m0 E2m3 E3m2 E2m1 }

fn distance(a: f64, b: f64) -> f64 {
    if a == b || a.is_nan() && b.is_nan() { 0.0 } else { (a - b).abs() }
}

impl Element {
    /// The least and the greatest integer of this type, and of the bits that it has: `i8` takes
    /// -128 to 255.
    pub(crate) fn range(self) -> (i128, i128) {
        let bits = if self == Self::I1 { 1 } else { self.bits() };
        let least = if self == Self::I1 || self.name().starts_with('u') { 0 } else { -(1 << (bits - 1)) };
        (least, (1 << bits) - 1)
    }

    /// The bits of an integer that the text is, such as `-4`, `2e3` or `0xff`.
    ///
    /// # Errors
    /// Another number, or one out of [range](Self::range).
    pub(crate) fn integer(self, text: &str) -> Result<u64, String> {
        let whole = |v: f64| (v.fract() == 0.0 && v.abs() < 1e38).then_some(v as i128);
        let number = unsigned(text).map(i128::from).or_else(|| text.parse::<i128>().ok());
        let number = number.or_else(|| text.parse::<f64>().ok().and_then(whole));
        let Some(number) = number else {
            return Err(match text.parse::<f64>() {
                Ok(_) => format!("{text} is not an integer, as {self} needs"),
                Err(_) => format!("'{text}' is not a valid {self}"),
            });
        };
        let (least, most) = self.range();
        match (least..=most).contains(&number) {
            true => Ok(number as u64),
            false => Err(format!("{text} is not a valid {self}: its range is {least} to {most}")),
        }
    }

    pub(crate) fn is_float(self) -> bool {
        self.format().is_some()
    }

    /// Whether a kernel expects arrays of this type behind a pointer to elements of an MLIR type
    /// with this number of bits. Signs are ignored, elements of less than a byte may be given as
    /// the bytes in which they are packed, and types without a name here are raw bytes.
    pub fn stands_for(self, element: &str, bits: Option<u32>) -> bool {
        let is_raw = self.name().starts_with(['u', 'i']);
        let named = element.parse::<Self>().ok();
        match (named, bits) {
            (Some(named), _) if self == named => true,
            (Some(named), _) if named.bits() < 8 => is_raw && self != Self::I1 && self.bytes() == 1,
            (Some(named), _) if named.is_float() || named == Self::I1 => false,
            (None, _) if element == "tf32" => self == Self::F32,
            (None, None) => true,
            (_, bits) => is_raw && self != Self::I1 && 8 * self.bytes() as u32 == bits.unwrap_or(8).max(8),
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Element {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || ALL.iter().map(|e| e.name()).collect::<Vec<_>>().join(", ");
        let found = ALL.iter().copied().find(|e| e.name() == text);
        found.ok_or_else(|| format!("there is no type '{text}'; there are {}", names()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_back_and_bytes_are_the_number() {
        for e in ALL {
            assert_eq!(e.to_string().parse(), Ok(*e));
            let [one, four] = [1.0, 4.0].map(|v| encoded(*e, v));
            assert_eq!(one.len(), e.bytes(), "{e}");
            let d = e.difference(&one, &four);
            assert_eq!((d.values, d.absolute, d.size), (["1".into(), "4".into()], 3.0, 4.0), "{e}");
        }
        assert_eq!(encoded(Element::I8, 300.0), [44]);
        assert_eq!(encoded(Element::E4m3, 1e9), [0x7e]);
        assert_eq!(encoded(Element::E2m1, -2.5), [0xc]);
        assert_eq!([Element::E2m1, Element::E3m2, Element::F32].map(Element::bits), [4, 6, 32]);
    }

    #[test]
    fn one_and_its_epsilon_are_neighbours() {
        for e in ALL.iter().filter(|e| e.is_float()) {
            let [one, next] = [1.0, 1.0 + e.epsilon()].map(|v| encoded(*e, v));
            assert_eq!(e.difference(&next, &one).absolute, e.epsilon(), "{e}");
        }
        assert_eq!(
            [Element::F32, Element::E8m0, Element::I32].map(Element::epsilon),
            [f32::EPSILON.into(), 1.0, 0.0]
        );
    }

    #[test]
    fn integers_have_a_range() {
        assert_eq!(Element::U64.integer("18446744073709551615"), Ok(u64::MAX));
        assert_eq!([Element::I8.integer("-128"), Element::I8.integer("255")], [Ok(-128i64 as u64), Ok(255)]);
        assert_eq!(Element::I32.integer("2e3"), Ok(2000));
        let wrong = |e: Element, text: &str| e.integer(text).unwrap_err();
        assert_eq!(wrong(Element::I8, "300"), "300 is not a valid i8: its range is -128 to 255");
        assert_eq!(
            wrong(Element::U64, "-1"),
            "-1 is not a valid u64: its range is 0 to 18446744073709551615"
        );
        assert_eq!(wrong(Element::I32, "1.5"), "1.5 is not an integer, as i32 needs");
        assert_eq!(
            [wrong(Element::I32, "x"), wrong(Element::I1, "2")].map(|e| e.starts_with(['\'', '2'])),
            [true; 2]
        );
    }

    fn encoded(e: Element, value: f64) -> Vec<u8> {
        let mut bytes = Vec::new();
        e.encode(value, &mut bytes);
        bytes
    }

    #[test]
    fn a_bf16_is_the_nearest_to_all_digits_of_a_number() {
        // Between 0x3ec4 and 0x3ec5: their middle, and what lies next to it on both sides.
        let middle = f64::from_bits(0x3fd8_9000_0000_0000);
        let beside = |by: i64| f64::from_bits(middle.to_bits().wrapping_add_signed(by));
        for (value, bits) in [
            (middle, 0x3ec4),
            (beside(1), 0x3ec5),
            (beside(1 << 30), 0x3ec5),
            (beside(-1), 0x3ec4),
            (-beside(1), 0xbec5),
            (1.0, 0x3f80),
            (-0.0, 0x8000),
            (1e300, 0x7f80),
            (-1e300, 0xff80),
            (f64::from(f32::MAX), 0x7f80),
            (1e-300, 0),
            (-1e-300, 0x8000),
            (f64::NEG_INFINITY, 0xff80),
        ] {
            assert_eq!(nearest_bf16(value).to_bits(), bits, "{value:e}");
            assert_eq!(encoded(Element::Bf16, value), nearest_bf16(value).to_le_bytes(), "{value:e}");
        }
        assert!(nearest_bf16(f64::NAN).is_nan());
    }

    #[test]
    fn an_array_stands_for_elements_of_its_type_or_raw_ones() {
        for (array, element, bits, stands) in [
            ("f16", "f16", 16, true),
            ("f32", "f16", 16, false),
            ("u16", "bf16", 16, false),
            ("u32", "i32", 32, true),
            ("i64", "i32", 32, false),
            ("f32", "tf32", 32, true),
            ("u8", "i4", 4, true),
            ("u8", "f4E2M1FN", 4, true),
            ("f4E2M1FN", "f4E2M1FN", 4, true),
            ("f6E2M3FN", "f6E3M2FN", 6, false),
            ("f8E4M3FN", "f6E3M2FN", 6, false),
            ("u16", "f6E3M2FN", 6, false),
            ("u8", "f8E4M3", 8, true),
            ("f8E4M3FN", "f8E5M2", 8, false),
            ("i1", "i8", 8, false),
        ] {
            let array: Element = array.parse().unwrap();
            assert_eq!(array.stands_for(element, Some(bits)), stands, "{array} for {element}");
        }
    }

    #[test]
    fn a_difference_is_exact_and_knows_what_is_no_number() {
        let of = |a: f64, b: f64| Element::F64.difference(&a.to_le_bytes(), &b.to_le_bytes());
        assert_eq!((of(f64::NAN, f64::NAN).absolute, of(0.0, -0.0).relative()), (0.0, 0.0));
        assert!(of(f64::NAN, 1.0).absolute.is_nan());
        assert_eq!(of(f64::INFINITY, f64::INFINITY).absolute, 0.0);
        assert_eq!((of(1.0, 0.0).relative(), of(3.0, -2.0).relative()), (f64::INFINITY, 2.5));
        let big = Element::I64.difference(&i64::MAX.to_le_bytes(), &(i64::MAX - 1).to_le_bytes());
        assert_eq!(big.absolute, 1.0);
    }
}
