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

    /// The same conversion of number `i` from below, which rounds by its share of a random word.
    ///
    /// f16 takes 13 bits and bf16 all 16 of the half with the same number. Of four numbers of 8 or
    /// of 6 bits, the lower two share the lower half. Of four numbers of 4 bits, two share the
    /// lower bytes of both halves.
    pub fn randomly(self, word: u32, i: u32) -> Self {
        let (start, length) = match self.to {
            Element::F16 => (16 * i, 13),
            Element::E2m1 => (16 * (i & 1) + 8 * (i >> 1), 8),
            Element::Bf16 => (16 * i, 16),
            _ => (16 * (i >> 1), 16),
        };
        let bits = (word >> start & ((1 << length) - 1)) as u16;
        Conversion { rounding: Rounding::Random { bits, length }, ..self }
    }
}

/// Bits of an element where `cvt` packs several: 6 bits take a byte, 4 bits are adjacent.
pub fn packed_bits(element: Element) -> u32 {
    if element.bits() == 6 { 8 } else { element.bits() }
}
