//! Conversions between floats, as in PTX's `cvt`.

use super::format::{Overflow, Rounding, decode, encode};
use cute_arch::Element;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Conversion {
    pub(crate) from: Element,
    pub(crate) to: Element,
    pub(crate) rounding: Rounding,
    pub(crate) overflow: Overflow,
    /// Negative numbers become zero.
    pub(crate) relu: bool,
}

const FLOATS: &str = "the decoder makes conversions between floats only";

impl Conversion {
    /// Converts the code of a number.
    pub(crate) fn apply(&self, code: u64) -> u64 {
        let value = decode(self.from, code).expect(FLOATS);
        let value = if self.relu && value <= 0.0 { 0.0 } else { value };
        encode(self.to, value, self.rounding, self.overflow).expect(FLOATS)
    }
}

/// Bits of an element where `cvt` packs several: 6 bits take a byte, 4 bits are adjacent.
pub(crate) fn packed_bits(element: Element) -> u32 {
    if element.bits() == 6 { 8 } else { element.bits() }
}
