//! The instruction descriptor of `tcgen05.mma` (PTX, "Instruction descriptor"). This module
//! contains bits and atoms.

mod reading;

pub use reading::{BadField, DescribedScales, InstructionDescriptor, Tcgen05Group};

use super::kind::ACCUMULATORS;
use super::model::{Major, MmaAtom};
use crate::element::Element;

/// The first bits of the fields.
mod bit {
    pub(super) const SATURATES: u32 = 3;
    pub(super) const D_FORMAT: u32 = 4;
    pub(super) const B_SCALES: u32 = 4;
    pub(super) const A_FORMAT: u32 = 7;
    pub(super) const B_FORMAT: u32 = 10;
    pub(super) const A_MN_MAJOR: u32 = 15;
    pub(super) const B_MN_MAJOR: u32 = 16;
    pub(super) const N: u32 = 17;
    pub(super) const SCALE_UE8M0: u32 = 23;
    pub(super) const M: u32 = 24;
    pub(super) const A_SCALES: u32 = 29;
}

/// The bits that negate A and B: what an atom is given at run time, and not part of its type.
pub const NEGATE_BITS: [u32; 2] = [13, 14];

impl MmaAtom {
    /// The 32 bits that give `tcgen05.mma` its shape, types and majors; M and N are those of both
    /// CTAs of a pair. The descriptor does not negate, scale down or use sparsity, and takes the
    /// first scale factors of a word.
    ///
    /// `None` if the atom is not a `tcgen05.mma`, or does not support a matrix of this major.
    ///
    /// ```
    /// use cute_arch::atoms::{Major, MmaAtom};
    /// let atom = MmaAtom::by_name("SM100_MMA_F16BF16_2x1SM_SS<bfloat16_t,float,256,256>").unwrap();
    /// assert_eq!(atom.instruction_descriptor(Major::K, Major::K), Some(0x10400490));
    /// assert_eq!(atom.instruction_descriptor(Major::Mn, Major::K), Some(0x10408490));
    /// ```
    pub fn instruction_descriptor(&self, a_major: Major, b_major: Major) -> Option<u32> {
        let kind = self.tcgen05_kind().filter(|_| !self.instruction.sparse)?;
        let mn = |asked, takes| match (asked, takes) {
            (Major::Any, _) => None,
            (asked, Major::Any) => Some(u32::from(asked == Major::Mn)),
            (asked, takes) => (asked == takes).then_some(u32::from(asked == Major::Mn)),
        };
        let [m, n, _] = self.shape;
        let format = |element| number(kind.row().formats, element);
        let numbers = match &self.scale {
            Some(scale) => u32::from(scale.element == Element::Ue8m0) << bit::SCALE_UE8M0,
            None => number(&ACCUMULATORS, self.d)? << bit::D_FORMAT,
        };
        Some(
            numbers
                | format(self.a.element)? << bit::A_FORMAT
                | format(self.b.element)? << bit::B_FORMAT
                | mn(a_major, self.a_major)? << bit::A_MN_MAJOR
                | mn(b_major, self.b_major)? << bit::B_MN_MAJOR
                | (n >> 3) << bit::N
                | (m >> 4) << bit::M,
        )
    }
}

/// The number of a type in a field.
fn number(numbers: &[(u32, Element)], element: Element) -> Option<u32> {
    numbers.iter().find(|(_, own)| *own == element).map(|(number, _)| *number)
}
