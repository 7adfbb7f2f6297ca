//! The instruction descriptor of `tcgen05.mma` (PTX, "Instruction descriptor"). This module
//! contains bits and atoms.

mod columns;
mod fields;
mod reading;

pub use columns::zero_columns;
pub use fields::descriptor_fields;
pub use reading::{BadField, DescribedScales, InstructionDescriptor, Tcgen05Group};

use super::kind::{ACCUMULATORS, Tcgen05Kind, WIDE_K};
use super::model::{Major, MmaAtom};
use crate::element::Element;

/// The first bits of the fields.
mod bit {
    pub(super) const SPARSE_ID: u32 = 0;
    pub(super) const SPARSE: u32 = 2;
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
    pub(super) const MAX_SHIFT: u32 = 30;
    pub(super) const WIDE_K: u32 = 31;
}

/// The bits that negate A and B: what an atom is given at run time, and not part of its type.
pub const NEGATE_BITS: [u32; 2] = [13, 14];

/// The descriptor with the first scale factors of A and of B at these addresses in tensor memory:
/// two bits of it are the byte of the column, which the top bits of an address name.
///
/// ```
/// use cute_arch::atoms::with_scales_at;
/// // Both begin at byte 2, in columns 384 and 400.
/// assert_eq!(with_scales_at(0x08b0_0480, [0x8000_0180, 0x8000_0190]), 0x48b0_04a0);
/// ```
pub fn with_scales_at(descriptor: u32, addresses: [u32; 2]) -> u32 {
    let fields = SCALE_BITS.into_iter().zip(addresses);
    fields.fold(descriptor, |word, (from, address)| word & !(3 << from) | (address >> BYTE_OF_COLUMN) << from)
}

/// The first bits of the types of A and of B, of three bits each.
pub const FORMAT_BITS: [u32; 2] = [bit::A_FORMAT, bit::B_FORMAT];

/// The bits of the first scale factor of A and of B.
pub const SCALE_BITS: [u32; 2] = [bit::A_SCALES, bit::B_SCALES];

/// The first of the bits of an address in tensor memory that name the byte of a column.
pub const BYTE_OF_COLUMN: u32 = 30;

impl InstructionDescriptor {
    /// The 32 bits of these fields, for an instruction of this kind; `None` if it does not have one
    /// of the types, or a number does not fit its field. [`read`](Self::read) is the inverse, and
    /// refuses what the instruction does not take.
    ///
    /// ```
    /// use cute_arch::atoms::{InstructionDescriptor, Tcgen05Group, Tcgen05Kind};
    /// let fields = InstructionDescriptor::read(0x10408490, Tcgen05Kind::F16, Tcgen05Group::Pair).unwrap();
    /// assert_eq!(fields.word(Tcgen05Kind::F16), Some(0x10408490));
    /// assert_eq!(fields.word(Tcgen05Kind::I8), None);
    /// ```
    pub fn word(&self, kind: Tcgen05Kind) -> Option<u32> {
        let [m, n, k] = self.shape;
        let format = |element| number(kind.row().formats, element);
        let field = |value: u32, from: u32, bits: u32| (value >> bits == 0).then_some(value << from);
        let extent = |value: u32, unit: u32, from, bits| {
            value.is_multiple_of(unit).then(|| field(value / unit, from, bits)).flatten()
        };
        let major = |major, from| match major {
            Major::Any => None,
            major => Some(u32::from(major == Major::Mn) << from),
        };
        let [negate_a, negate_b] = [0, 1].map(|i| u32::from(self.negate[i]) << NEGATE_BITS[i]);
        let numbers = match &self.scales {
            Some(scales) if kind.is_scaled() => {
                let [a, b] = scales.first;
                u32::from(scales.element == Element::Ue8m0) << bit::SCALE_UE8M0
                    | field(a, bit::A_SCALES, 2)?
                    | field(b, bit::B_SCALES, 2)?
            }
            None if !kind.is_scaled() => {
                number(&ACCUMULATORS, self.d)? << bit::D_FORMAT
                    | u32::from(self.saturates) << bit::SATURATES
                    | field(self.max_shift, bit::MAX_SHIFT, 2)?
            }
            _ => return None,
        };
        let wide = kind.has_k(k).then(|| u32::from(k == WIDE_K) << bit::WIDE_K)?;
        Some(
            numbers
                | wide
                | format(self.a)? << bit::A_FORMAT
                | format(self.b)? << bit::B_FORMAT
                | negate_a
                | negate_b
                | major(self.majors[0], bit::A_MN_MAJOR)?
                | major(self.majors[1], bit::B_MN_MAJOR)?
                | extent(n, 8, bit::N, 6)?
                | extent(m, 16, bit::M, 5)?,
        )
    }
}

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
        if !self.a_major.reads(a_major) || !self.b_major.reads(b_major) {
            return None;
        }
        let fields = InstructionDescriptor {
            shape: self.shape,
            d: self.d,
            a: self.a.element,
            b: self.b.element,
            negate: [false; 2],
            majors: [a_major, b_major],
            saturates: false,
            max_shift: 0,
            scales: self.scale.as_ref().map(|scale| DescribedScales {
                element: scale.element,
                first: [0; 2],
                count: self.shape[2] / scale.vector,
            }),
        };
        fields.word(kind)
    }
}

/// The number of a type in a field.
fn number(numbers: &[(u32, Element)], element: Element) -> Option<u32> {
    numbers.iter().find(|(_, own)| *own == element).map(|(number, _)| *number)
}
