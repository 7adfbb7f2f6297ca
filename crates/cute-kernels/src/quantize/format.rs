//! The formats of quantized matrices, and the types of other matrices.

use clap::ValueEnum;
use cute_arch::{Element, Feature, Target, block_scaled::SfVec};

use crate::Error;

use super::units::UNIT;

/// Elements and the factors that scale them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum QuantizedFormat {
    /// f8 with 4 bits of exponent, a power of two per 32
    #[value(name = "mxf8-e4m3")]
    Mxf8E4m3,
    /// f8 with 5 bits of exponent, a power of two per 32
    #[value(name = "mxf8-e5m2")]
    Mxf8E5m2,
    /// f6 with 2 bits of exponent, a power of two per 32
    #[value(name = "mxf6-e2m3")]
    Mxf6E2m3,
    /// f6 with 3 bits of exponent, a power of two per 32
    #[value(name = "mxf6-e3m2")]
    Mxf6E3m2,
    /// f4, a power of two per 32
    Mxf4,
    /// f4, an e4m3 without a sign per 16, and a factor of the whole matrix
    Nvf4,
}

impl QuantizedFormat {
    /// The elements.
    pub fn element(self) -> Element {
        match self {
            Self::Mxf8E4m3 => Element::E4m3,
            Self::Mxf8E5m2 => Element::E5m2,
            Self::Mxf6E2m3 => Element::E2m3,
            Self::Mxf6E3m2 => Element::E3m2,
            Self::Mxf4 | Self::Nvf4 => Element::E2m1,
        }
    }

    /// The scale factors.
    pub fn factor(self) -> Element {
        if self == Self::Nvf4 { Element::Ue4m3 } else { Element::Ue8m0 }
    }

    /// Elements that share a factor.
    pub fn vector(self) -> SfVec {
        if self == Self::Nvf4 { SfVec::V16 } else { SfVec::V32 }
    }

    /// Units of threads that share a factor.
    pub(super) fn units(self) -> i64 {
        self.vector().elements() / UNIT
    }

    /// Whether the whole matrix has a factor, too.
    pub fn is_scaled_twice(self) -> bool {
        self == Self::Nvf4
    }

    /// The exponent of the largest number.
    pub(super) fn exponent(self) -> i64 {
        match self.element() {
            Element::E4m3 => 8,
            Element::E5m2 => 15,
            Element::E3m2 => 4,
            _ => 2,
        }
    }

    /// The fraction of the largest number, of this number of bits.
    pub(super) fn fraction(self, bits: i64) -> i64 {
        // 1.75, 1.875 and 1.5.
        let eighths = match self.element() {
            Element::E4m3 | Element::E5m2 | Element::E3m2 => 6,
            Element::E2m3 => 7,
            _ => 4,
        };
        eighths << (bits - 3)
    }

    pub(super) fn check(self, target: Option<Target>) -> Result<(), Error> {
        let Some(target) = target else { return Ok(()) };
        let element = self.element();
        Feature::check_conversions(element, element, target).map_err(Error::Parameters)
    }
}

/// The type of a matrix that is quantized, or made of a quantized one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Wide {
    /// f32
    F32,
    /// f16
    F16,
    /// bf16
    Bf16,
}

impl Wide {
    /// The elements.
    pub fn element(self) -> Element {
        match self {
            Self::F32 => Element::F32,
            Self::F16 => Element::F16,
            Self::Bf16 => Element::Bf16,
        }
    }
}
