//! Conversions between floats, as PTX's `cvt` has them.

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
    /// The code of the number that a code stands for.
    pub(crate) fn apply(&self, code: u64) -> u64 {
        let value = decode(self.from, code).expect(FLOATS);
        let value = if self.relu && value <= 0.0 { 0.0 } else { value };
        encode(self.to, value, self.rounding, self.overflow).expect(FLOATS)
    }
}

/// Bits that an element takes where `cvt` packs several: 6 bits lie in a byte, 4 bits side by side.
pub(crate) fn packed_bits(element: Element) -> u32 {
    if element.bits() == 6 { 8 } else { element.bits() }
}
