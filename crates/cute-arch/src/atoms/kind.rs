//! The kinds of `tcgen05.mma`: a row for each, with all that depends on the kind. It must not
//! contain anything about compiling or executing atoms.
//!
//! Source: PTX ISA, "Data types", "Instruction descriptor" and "Block scaling" of `tcgen05`.

use super::model::{MmaAtom, MmaUnit, Scale};
use super::rows::common::pairs;
use crate::element::Element::{
    self, Bf16, E2m1, E2m3, E3m2, E4m3, E5m2, F16, F32, S8, S32, Tf32, U8, Ue4m3, Ue8m0,
};
use crate::feature::Feature;
use serde::{Deserialize, Serialize};

/// Bits of K that a dense instruction multiplies at once, padding included.
const BITS_OF_K: u32 = 256;

/// The longer K of fp4 with scale factors, which a descriptor can ask for.
pub(super) const WIDE_K: u32 = 96;

/// The types that a `tcgen05.mma` multiplies: its `.kind`.
///
/// ```
/// use cute_arch::{Element, atoms::{MmaAtom, Tcgen05Kind}};
/// let atom = MmaAtom::by_name("SM100_MMA_MXF4_SS<e2m1,e2m1,float,ue4m3,128,64,16>").unwrap();
/// let kind = atom.tcgen05_kind().unwrap();
/// assert_eq!((kind, kind.k()), (Tcgen05Kind::Mxf4nvf4, 64));
/// assert!(kind.is_scaled() && kind.default_scales().is_none());
/// assert_eq!(Tcgen05Kind::F16.accumulators(Element::Bf16, Element::Bf16), [Element::F32]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Tcgen05Kind {
    /// f16 and bf16.
    F16,
    /// tf32.
    Tf32,
    /// Floats of 8, 6 and 4 bits, each in a byte.
    F8f6f4,
    /// Integers of 8 bits.
    I8,
    /// Floats of 8, 6 and 4 bits, each in a byte, with a scale factor for each row.
    Mxf8f6f4,
    /// Packed floats of 4 bits, with scale factors.
    Mxf4,
    /// The same, with a choice of scale factors.
    Mxf4nvf4,
}

/// The properties of a kind.
#[derive(Debug, Clone, Copy)]
pub struct Tcgen05KindRow {
    /// Its name, which is NVVM's keyword as well.
    pub name: &'static str,
    /// PTX's keyword.
    pub keyword: &'static str,
    /// Bits that an element of A or B takes in shared and in tensor memory.
    pub bits: u32,
    /// The number of each element type in the format fields of the instruction descriptor.
    pub formats: &'static [(u32, Element)],
    /// The types of D, A, B and C that atoms have.
    pub products: &'static [[Element; 4]],
    /// The scale factors of blocks of A and B; an empty list if the kind does not scale.
    pub scales: &'static [BlockScale],
    /// The targets that have it.
    pub on: Feature,
    /// The targets that have it for a sparse A.
    pub sparse_on: Feature,
}

/// Scale factors of a row of A, or of a column of B, within one instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockScale {
    /// The type of a factor.
    pub element: Element,
    /// Factors along K: the `4` in `.scale_vec::4X`. A K of 96 has 3 where that of 64 has 2.
    pub count: u32,
}

impl BlockScale {
    /// The bytes of a word that may hold the first factor of a row: those where the factors of one
    /// MMA after the other begin.
    pub fn first_bytes(self) -> impl Iterator<Item = u32> + Clone {
        (0..4).step_by(1 << self.count.trailing_zeros().min(2))
    }

    /// Two powers of two: `.scale_vec::2X`.
    pub(super) const MX: Self = X2;
    /// Four floats: `.scale_vec::4X`.
    pub(super) const NV: Self = X4_OF_FLOATS;
    /// Four powers of two.
    pub(super) const MX_16: Self = X4;
    /// One power of two.
    pub(super) const ONE: Self = X1;
}

const SMALL: &[(u32, Element)] = &[(0, E4m3), (1, E5m2), (3, E2m3), (4, E3m2), (5, E2m1)];
const TO_F32: [[Element; 4]; 25] = pairs(F32);
const TO_F16: [[Element; 4]; 25] = pairs(F16);
const TO_BOTH: [[Element; 4]; 50] = {
    let mut all = [[F32; 4]; 50];
    let mut i = 0;
    while i < 25 {
        (all[i], all[25 + i]) = (TO_F32[i], TO_F16[i]);
        i += 1;
    }
    all
};

/// A row, with its name in both spellings.
macro_rules! row {
    ($name:literal, $($field:ident: $value:expr),* $(,)?) => {
        Tcgen05KindRow {
            name: $name,
            keyword: concat!("kind::", $name),
            $($field: $value,)*
            ..DENSE
        }
    };
}

/// A kind without scale factors; the base of other rows.
const DENSE: Tcgen05KindRow = Tcgen05KindRow {
    name: "",
    keyword: "",
    bits: 8,
    formats: SMALL,
    products: &TO_BOTH,
    scales: &[],
    on: Feature::Tcgen05,
    sparse_on: Feature::Tcgen05,
};

const X1: BlockScale = BlockScale { element: Ue8m0, count: 1 };
const X2: BlockScale = BlockScale { element: Ue8m0, count: 2 };
const X4: BlockScale = BlockScale { element: Ue8m0, count: 4 };
const X4_OF_FLOATS: BlockScale = BlockScale { element: Ue4m3, count: 4 };

/// The rows, in the order of the enum.
const ROWS: &[Tcgen05KindRow; 7] = &[
    row!("f16", bits: 16, formats: &[(0, F16), (1, Bf16)],
        products: &[[F32, F16, F16, F32], [F32, Bf16, Bf16, F32], [F16; 4]]),
    row!("tf32", bits: 32, formats: &[(2, Tf32)], products: &[[F32, Tf32, Tf32, F32]]),
    row!("f8f6f4",),
    row!("i8", formats: &[(0, U8), (1, S8)], products: &[[S32, S8, S8, S32], [S32, U8, U8, S32]],
        on: Feature::Tcgen05Integer, sparse_on: Feature::Tcgen05Integer),
    row!("mxf8f6f4", products: &TO_F32, scales: &[X1]),
    row!("mxf4", bits: 4, formats: &[(1, E2m1)], products: &[[F32, E2m1, E2m1, F32]], scales: &[X2],
        sparse_on: Feature::Tcgen05SparseFp4),
    row!("mxf4nvf4", bits: 4, formats: &[(1, E2m1)], products: &[[F32, E2m1, E2m1, F32]],
        scales: &[X2, X4, X4_OF_FLOATS], sparse_on: Feature::Tcgen05SparseFp4),
];

/// The numbers of accumulators in the instruction descriptor of a kind without scale factors. D is
/// f32 if there are some.
pub(super) const ACCUMULATORS: [(u32, Element); 3] = [(0, F16), (1, F32), (2, S32)];

impl Tcgen05Kind {
    /// The kinds, in the order in which PTX lists them.
    pub const ALL: [Self; 7] =
        [Self::F16, Self::Tf32, Self::F8f6f4, Self::I8, Self::Mxf8f6f4, Self::Mxf4, Self::Mxf4nvf4];

    /// All properties.
    pub const fn row(self) -> &'static Tcgen05KindRow {
        &ROWS[self as usize]
    }

    /// Whether blocks of A and B have scale factors: `.block_scale`.
    pub const fn is_scaled(self) -> bool {
        !self.row().scales.is_empty()
    }

    /// K of a dense A. That of a sparse one is twice as long.
    pub const fn k(self) -> u32 {
        BITS_OF_K / self.row().bits
    }

    /// Elements of a dense K that share one of these scale factors.
    pub(super) const fn vector(self, scale: BlockScale) -> u32 {
        self.k() / scale.count
    }

    /// The number of scale factors along K where an instruction names none: that of all its rows.
    pub fn default_scales(self) -> Option<u32> {
        let (first, others) = self.row().scales.split_first()?;
        others.iter().all(|other| other.count == first.count).then_some(first.count)
    }

    /// Whether a dense A and B may have this K.
    pub fn has_k(self, k: u32) -> bool {
        k == self.k() || k == WIDE_K && self.is_scaled() && self.row().bits == 4
    }

    /// Whether A and B are integers: they are not negated, and D may saturate.
    pub fn is_integer(self) -> bool {
        self.row().formats.iter().all(|(_, element)| element.integer().is_some())
    }

    /// Whether every element fills the bits that it takes.
    pub fn fills(self, element: Element) -> bool {
        element.bits() == self.row().bits
    }

    /// The accumulators of A and B of these types: those that both have with their own kind.
    pub fn accumulators(self, a: Element, b: Element) -> Vec<Element> {
        let has = |d: Element, x: Element| self.row().products.contains(&[d, x, x, d]);
        let all = ACCUMULATORS.into_iter().map(|(_, d)| d);
        all.filter(|d| has(*d, a) && has(*d, b)).collect()
    }
}

impl MmaAtom {
    /// The kind, if the atom is a `tcgen05.mma`.
    pub fn tcgen05_kind(&self) -> Option<Tcgen05Kind> {
        let is_tcgen05 = self.instruction.unit == MmaUnit::Tcgen05;
        self.kinds().next().filter(|_| is_tcgen05)
    }

    /// The kinds, if the atom is an `mma.sync` with scale factors: they are those of `tcgen05.mma`,
    /// and two of them have powers of two per 32 fp4.
    ///
    /// ```
    /// use cute_arch::atoms::{MmaAtom, Tcgen05Kind};
    /// let atom = MmaAtom::by_name("SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue8m0,32>").unwrap();
    /// assert_eq!(atom.mma_sync_kinds(), [Tcgen05Kind::Mxf4, Tcgen05Kind::Mxf4nvf4]);
    /// ```
    pub fn mma_sync_kinds(&self) -> Vec<Tcgen05Kind> {
        let is_scaled = self.instruction.unit == MmaUnit::MmaSync && self.instruction.scaled;
        self.kinds().filter(|_| is_scaled).collect()
    }

    /// The number and the type of the scale factors of a row of A, if there are any.
    pub fn block_scale(&self) -> Option<BlockScale> {
        let Scale { element, vector, .. } = self.scale.as_ref()?;
        Some(BlockScale { element: *element, count: self.shape[2] / vector })
    }

    /// The kinds with the types, K and scale factors of this atom.
    fn kinds(&self) -> impl Iterator<Item = Tcgen05Kind> {
        // A sparse A has twice the K, and a factor for twice as many elements.
        let dense = |count: u32| if self.instruction.sparse { count / 2 } else { count };
        Tcgen05Kind::ALL.into_iter().filter(move |kind| {
            let row = kind.row();
            let scales = match &self.scale {
                None => row.scales.is_empty(),
                Some(scale) => {
                    let count = kind.k() / dense(scale.vector);
                    row.scales.contains(&BlockScale { element: scale.element, count })
                }
            };
            let types = [self.d, self.a.element, self.b.element, self.c.element];
            kind.has_k(dense(self.shape[2])) && scales && row.products.contains(&types)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atoms::mma_atoms;

    #[test]
    fn each_atom_of_tcgen05_has_a_kind_that_its_targets_have() {
        let mut seen = Vec::new();
        for atom in mma_atoms().filter(|atom| atom.instruction.unit == MmaUnit::Tcgen05) {
            let kind = atom.tcgen05_kind().unwrap_or_else(|| panic!("{} has no kind", atom.name));
            let row = kind.row();
            let on = if atom.instruction.sparse { row.sparse_on } else { row.on };
            if atom.shape[2] != WIDE_K {
                assert_eq!(atom.on, on.on(), "{}", atom.name);
            }
            assert!(atom.on.targets().all(|target| target.has(on)), "{}", atom.name);
            assert_eq!(atom.instruction.scaled, kind.is_scaled(), "{}", atom.name);
            seen.push(kind);
        }
        assert!(Tcgen05Kind::ALL.iter().all(|kind| seen.contains(kind)));
    }

    #[test]
    fn rows_are_in_the_order_of_the_kinds() {
        for (i, kind) in Tcgen05Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, i);
            assert_eq!(format!("{kind:?}").to_lowercase(), kind.row().name);
            assert!(kind.row().formats.iter().all(|(_, element)| element.bits() <= kind.row().bits));
        }
    }
}
