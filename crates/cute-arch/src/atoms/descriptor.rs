//! The instruction descriptor of `tcgen05.mma` (PTX, "Instruction descriptor"). This module
//! contains bits and atoms.

mod reading;

pub use reading::{BadField, InstructionDescriptor, Tcgen05Group, Tcgen05Kind};

use super::model::{Instruction, Major, MmaAtom, MmaUnit};
use crate::element::Element;

/// The first bits of the fields.
mod bit {
    pub(super) const D_FORMAT: u32 = 4;
    pub(super) const A_FORMAT: u32 = 7;
    pub(super) const B_FORMAT: u32 = 10;
    pub(super) const A_MN_MAJOR: u32 = 15;
    pub(super) const B_MN_MAJOR: u32 = 16;
    pub(super) const N: u32 = 17;
    pub(super) const SCALE_UE8M0: u32 = 23;
    pub(super) const M: u32 = 24;
}

/// The bits that negate A and B: what an atom is given at run time, and not part of its type.
pub const NEGATE_BITS: [u32; 2] = [13, 14];

impl MmaAtom {
    /// The 32 bits that give `tcgen05.mma` its shape, types and majors; M and N are those of both
    /// CTAs of a pair. The descriptor does not negate, scale down or use sparsity.
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
        let Instruction { unit: MmaUnit::Tcgen05, sparse: false, scaled, .. } = self.instruction else {
            return None;
        };
        let mn = |asked, takes| match (asked, takes) {
            (Major::Any, _) => None,
            (asked, Major::Any) => Some(u32::from(asked == Major::Mn)),
            (asked, takes) => (asked == takes).then_some(u32::from(asked == Major::Mn)),
        };
        let [m, n, k] = self.shape;
        let packed = k * self.a.element.bits() == 256 && scaled && self.a.element == Element::E2m1;
        let format = |element| if packed { Some(1) } else { format(element) };
        let kind = match (&self.scale, scaled) {
            (Some(scale), true) => u32::from(scale.element == Element::Ue8m0) << bit::SCALE_UE8M0,
            _ => accumulator(self.d)? << bit::D_FORMAT,
        };
        Some(
            kind | format(self.a.element)? << bit::A_FORMAT
                | format(self.b.element)? << bit::B_FORMAT
                | mn(a_major, self.a_major)? << bit::A_MN_MAJOR
                | mn(b_major, self.b_major)? << bit::B_MN_MAJOR
                | (n >> 3) << bit::N
                | (m >> 4) << bit::M,
        )
    }
}

fn accumulator(d: Element) -> Option<u32> {
    match d {
        Element::F16 => Some(0),
        Element::F32 => Some(1),
        Element::S32 => Some(2),
        _ => None,
    }
}

/// Each kind of instruction has its own numbers for types.
fn format(element: Element) -> Option<u32> {
    Tcgen05Kind::numbered(element).map(|(_, format)| format)
}
