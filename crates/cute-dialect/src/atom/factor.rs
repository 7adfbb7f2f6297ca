//! The elements that an MMA takes, and what the type of a descriptor states about its matrix. Each
//! rule has its text here: the verifier applies it to types, and `cute-check-fragments` to the ops
//! that made a value.

use std::fmt::Display;

use cute_algebra::MmaOperand;
use cute_arch::atoms::Major;
use melior::ir::{Type, TypeLike};

use super::MmaAtom;
use crate::{
    error::{Error, Result},
    scalars::{bit_width, integer},
};

/// A or B of an MMA in shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Factor<'c> {
    /// A or B.
    pub which: MmaOperand,
    /// The mode that lies contiguous.
    pub major: Major,
    /// The elements of the memory.
    pub elem: Type<'c>,
}

impl<'c> Factor<'c> {
    /// A matrix that an atom reads from memory of these elements.
    pub fn of(atom: &MmaAtom<'c>, which: MmaOperand, elem: Type<'c>) -> Self {
        let (a, b) = atom.options.majors;
        Self { which, major: if which == MmaOperand::A { a } else { b }, elem }
    }

    /// Checks that an atom can take the matrix as this operand.
    ///
    /// # Errors
    /// Returns [`Error::Rule`] if it is the other matrix, or its major or elements are not the
    /// atom's.
    pub fn check(&self, atom: &MmaAtom<'c>, which: MmaOperand) -> Result<()> {
        let Self { which: own, major, elem } = *self;
        if own != which {
            return Err(Error::Rule(format!(
                "{which} is given the descriptors of {own}: exchange them, or make those of {which} by cute.mma.make_fragment {which}, from a partition {which}"
            )));
        }
        let wanted = Self::of(atom, which, elem).major;
        if major != wanted {
            let [found, wanted] = [major, wanted].map(major_name);
            return Err(Error::Rule(format!(
                "{which} has descriptors of {found}-major memory, but the atom reads {which} {wanted}-major: use the atom with which the fragment was made, or one with {found} in ab_major"
            )));
        }
        OperandHome::Memory.check(which, atom, which, elem)
    }

    /// The facts as a descriptor's type states them: `f16, A, k`.
    pub fn described(&self) -> String {
        format!("{}, {}, {}", self.elem, self.which, major_name(self.major))
    }
}

/// The name of a major in types.
pub fn major_name(major: Major) -> &'static str {
    if major == Major::Mn { "mn" } else { "k" }
}

/// The place that holds the elements of an operand.
#[derive(Debug, Clone, Copy)]
pub enum OperandHome {
    /// Memory that descriptors point at.
    Memory,
    /// The fragment that is the operand: registers or tensor memory.
    Fragment,
}

impl OperandHome {
    /// Checks that elements of this type, which have the width of the atom's, can be those that the
    /// atom takes; `name` is the operand's.
    ///
    /// # Errors
    /// Returns [`Error::Rule`] with both types.
    pub fn check(
        self,
        name: impl Display,
        atom: &MmaAtom<'_>,
        which: MmaOperand,
        elem: Type<'_>,
    ) -> Result<()> {
        let wanted = atom.elems[which as usize];
        // Elements of 4 and 6 bits in a byte each are bytes.
        if atom.fragment_elem(which) != wanted || is_read_as(elem, wanted) {
            return Ok(());
        }
        let takes = if which == MmaOperand::C { "accumulates" } else { "multiplies" };
        Err(Error::Rule(match self {
            Self::Memory => format!(
                "{name}'s memory holds {elem}, but the atom {takes} {wanted}: recast the iterator to {wanted}, or use an atom of {elem}"
            ),
            Self::Fragment => format!(
                "{name}'s fragment holds {elem}, but the atom {takes} {wanted}: make the fragment by cute.mma.make_fragment of this atom, or use an atom of {elem}"
            ),
        }))
    }
}

/// Whether memory of these elements may hold what an instruction reads as `read`.
///
/// Integers as memory are storage: floats may lie in them, and without a sign they hold either kind
/// of integer. The instruction's own integers without a sign are signed. A tf32 is an f32 whose low
/// bits do not count.
fn is_read_as(held: Type<'_>, read: Type<'_>) -> bool {
    match (integer(held), integer(read)) {
        // Accumulators add alike with and without a sign.
        (Some(held), Some(read)) => {
            held.is_signless() || !matches!(read.width(), 2..=16) || held.is_unsigned() == read.is_unsigned()
        }
        (Some(_), None) => true,
        (None, Some(_)) => false,
        (None, None) => {
            held == read || [held, read].iter().all(|t| bit_width(*t) == Some(32) && t.is_float())
        }
    }
}

/// Whether a copy between memory of these elements, of the same width, keeps their meaning.
pub fn is_copied_as(src: Type<'_>, dst: Type<'_>) -> bool {
    is_read_as(src, dst) || is_read_as(dst, src)
}
