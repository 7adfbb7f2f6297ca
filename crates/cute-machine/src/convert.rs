//! Conversions between floats, as in PTX's `cvt`.

use super::format::{Overflow, Rounding, decode, encode};
use cute_arch::Element;
use serde::{Deserialize, Serialize};

/// A conversion between two element types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conversion {
    /// The type of the operand.
    pub from: Element,
    /// The type of the result.
    pub to: Element,
    /// How a result is rounded that is not representable.
    pub rounding: Rounding,
    /// The result of a number that is too large.
    pub overflow: Overflow,
    /// Negative numbers become zero.
    pub relu: bool,
}

const FLOATS: &str = "the decoder makes conversions between floats only";

impl Conversion {
    /// Converts the code of a number.
    pub fn apply(&self, code: u64) -> u64 {
        let value = decode(self.from, code).expect(FLOATS);
        let value = if self.relu && value <= 0.0 { 0.0 } else { value };
        encode(self.to, value, self.rounding, self.overflow).expect(FLOATS)
    }
}

/// Bits of an element where `cvt` packs several: 6 bits take a byte, 4 bits are adjacent.
pub fn packed_bits(element: Element) -> u32 {
    if element.bits() == 6 { 8 } else { element.bits() }
}
