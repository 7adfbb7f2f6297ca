//! The number formats of NVIDIA's matrix units, as facts. It must not contain the arithmetic on
//! them.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A type of matrix elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Element {
    /// IEEE binary64.
    F64,
    /// IEEE binary32.
    F32,
    /// The sign, 8 exponent and 10 fraction bits of an f32, in the upper 19 bits of a 32-bit word.
    Tf32,
    /// IEEE binary16.
    F16,
    /// The upper half of an f32.
    Bf16,
    /// OCP FP8 E4M3: no infinity, one NaN per sign.
    E4m3,
    /// OCP FP8 E5M2: IEEE-like.
    E5m2,
    /// OCP MX FP6 E2M3: finite numbers only.
    E2m3,
    /// OCP MX FP6 E3M2: finite numbers only.
    E3m2,
    /// OCP MX FP4 E2M1: finite numbers only.
    E2m1,
    /// OCP MX scale E8M0: a power of two, without sign or zero.
    Ue8m0,
    /// E4M3 without its sign, a scale.
    Ue4m3,
    /// Signed integer, 32 bits.
    S32,
    /// Signed integer, 16 bits.
    S16,
    /// Signed integer, 8 bits.
    S8,
    /// Unsigned integer, 8 bits.
    U8,
    /// Signed integer, 4 bits.
    S4,
    /// Unsigned integer, 4 bits.
    U4,
    /// A single bit.
    U1,
    /// Two f64: real and imaginary part.
    C64,
    /// Three f64: the sums of Gauss's complex product with three multiplications.
    Gc64,
}

/// The bit fields of a float: `(-1)^sign * 2^(e - bias) * (1 + f / 2^fraction)`, subnormal if
/// `e = 0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FloatFormat {
    /// Whether the top bit is a sign.
    pub signed: bool,
    /// Exponent bits.
    pub exponent: u32,
    /// Fraction bits.
    pub fraction: u32,
    /// The difference between the exponent field and the exponent.
    pub bias: i32,
    /// The meaning of the largest exponent field.
    pub special: Special,
}

/// The codes of a format that are not numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Special {
    /// The largest exponent is infinity and NaN.
    Ieee,
    /// All ones is NaN; otherwise the largest exponent is like any other.
    AllOnesNan,
    /// Every code is a number.
    None,
}

const ALL: [(Element, &str, u32); 21] = {
    use Element::*;
    [
        (F64, "f64", 64),
        (F32, "f32", 32),
        (Tf32, "tf32", 32),
        (F16, "f16", 16),
        (Bf16, "bf16", 16),
        (E4m3, "e4m3", 8),
        (E5m2, "e5m2", 8),
        (E2m3, "e2m3", 6),
        (E3m2, "e3m2", 6),
        (E2m1, "e2m1", 4),
        (Ue8m0, "ue8m0", 8),
        (Ue4m3, "ue4m3", 8),
        (S32, "s32", 32),
        (S16, "s16", 16),
        (S8, "s8", 8),
        (U8, "u8", 8),
        (S4, "s4", 4),
        (U4, "u4", 4),
        (U1, "u1", 1),
        (C64, "c64", 128),
        (Gc64, "gc64", 192),
    ]
};

impl Element {
    /// Every element type.
    pub fn all() -> impl Iterator<Item = Self> {
        ALL.into_iter().map(|(e, ..)| e)
    }

    const fn facts(self) -> (Element, &'static str, u32) {
        ALL[self as usize]
    }

    /// Its name in PTX: `e4m3`.
    pub const fn name(self) -> &'static str {
        self.facts().1
    }

    /// The type that CUTLASS's C++ calls so: `half_t`, `float_e4m3_t`, `int8_t`.
    pub fn by_cpp_name(name: &str) -> Option<Self> {
        let name = name.rsplit("::").next()?;
        Some(match name {
            "double" => Self::F64,
            "float" => Self::F32,
            "tfloat32_t" => Self::Tf32,
            "half_t" => Self::F16,
            "bfloat16_t" => Self::Bf16,
            "int32_t" => Self::S32,
            "int8_t" => Self::S8,
            "uint8_t" => Self::U8,
            small => small.strip_prefix("float_")?.strip_suffix("_t")?.parse().ok()?,
        })
    }

    /// Bits of a packed element; a tf32 takes a whole word.
    pub const fn bits(self) -> u32 {
        self.facts().2
    }

    /// The format, if the type is one float.
    pub const fn float(self) -> Option<FloatFormat> {
        use Special::*;
        let (exponent, fraction, special) = match self {
            Self::F64 => (11, 52, Ieee),
            Self::F32 => (8, 23, Ieee),
            Self::Tf32 => (8, 10, Ieee),
            Self::F16 => (5, 10, Ieee),
            Self::Bf16 => (8, 7, Ieee),
            Self::E5m2 => (5, 2, Ieee),
            Self::E4m3 | Self::Ue4m3 => (4, 3, AllOnesNan),
            Self::Ue8m0 => (8, 0, AllOnesNan),
            Self::E2m3 => (2, 3, None),
            Self::E3m2 => (3, 2, None),
            Self::E2m1 => (2, 1, None),
            _ => return Option::None,
        };
        let signed = !matches!(self, Self::Ue4m3 | Self::Ue8m0);
        Some(FloatFormat { signed, exponent, fraction, bias: (1 << (exponent - 1)) - 1, special })
    }

    /// Whether it is an integer, and if so, whether it is signed.
    pub const fn integer(self) -> Option<bool> {
        match self {
            Self::S32 | Self::S16 | Self::S8 | Self::S4 => Some(true),
            Self::U8 | Self::U4 | Self::U1 => Some(false),
            _ => None,
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not the name of an element type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown element type '{name}'; types are {}", ALL.map(|(_, n, _)| n).join(", "))]
pub struct UnknownElement {
    /// The given name.
    pub name: String,
}

impl FromStr for Element {
    type Err = UnknownElement;

    fn from_str(name: &str) -> Result<Self, UnknownElement> {
        Self::all().find(|e| e.name() == name).ok_or_else(|| UnknownElement { name: name.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_back() {
        for (i, e) in Element::all().enumerate() {
            assert_eq!(e as usize, i, "the table is in the order of the enum");
            assert_eq!(e.name().parse(), Ok(e));
        }
        let error = "fp7".parse::<Element>().unwrap_err().to_string();
        assert!(error.starts_with("unknown element type 'fp7'; types are f64, f32,"), "{error}");
    }

    #[test]
    fn the_fields_of_a_float_fill_it() {
        for e in Element::all() {
            let Some(f) = e.float() else { continue };
            let used = u32::from(f.signed) + f.exponent + f.fraction;
            let spare = match e {
                Element::Tf32 => 13,
                Element::Ue4m3 => 1,
                _ => 0,
            };
            assert_eq!(used + spare, e.bits(), "{e}");
        }
    }
}
