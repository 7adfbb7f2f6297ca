//! [`Reduction`]: the operations by which bulk copies update memory. The rows that list the elements
//! of each are in `rows`.

use crate::{atoms::rows::reductions, tensor_map::MapElement};

/// The operation that a reduction applies to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Reduction {
    Add,
    Min,
    Max,
    Inc,
    Dec,
    And,
    Or,
    Xor,
}

impl Reduction {
    /// All of them, with CuTe's names.
    pub const ALL: &[(&'static str, Self)] = &[
        ("ADD", Self::Add),
        ("MIN", Self::Min),
        ("MAX", Self::Max),
        ("INC", Self::Inc),
        ("DEC", Self::Dec),
        ("AND", Self::And),
        ("OR", Self::Or),
        ("XOR", Self::Xor),
    ];

    /// CuTe's name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, own)| *own == self).expect("ALL has every reduction").0
    }

    /// PTX's name.
    pub fn ptx(self) -> String {
        self.name().to_lowercase()
    }

    /// The one that PTX calls like this.
    ///
    /// ```
    /// use cute_arch::atoms::Reduction;
    /// assert_eq!(Reduction::of_ptx("xor"), Some(Reduction::Xor));
    /// assert_eq!(Reduction::of_ptx("XOR"), None);
    /// ```
    pub fn of_ptx(name: &str) -> Option<Self> {
        Self::ALL.iter().map(|(_, own)| *own).find(|own| own.ptx() == name)
    }

    /// The elements that an instruction reduces by this operation. A map may name f32 with
    /// subnormals as zero instead of f32.
    pub fn elements(self, by: BulkReduction) -> impl Iterator<Item = MapElement> {
        let takes = move |row: &&reductions::Row| row.instruction == by && row.operations.contains(&self);
        reductions::ROWS.iter().filter(takes).flat_map(|row| row.elements.iter().copied())
    }

    /// Whether an instruction reduces elements of this type by this operation.
    ///
    /// ```
    /// use cute_arch::{atoms::{BulkReduction, Reduction}, tensor_map::MapElement};
    /// assert!(Reduction::Add.takes(BulkReduction::Tensor, MapElement::F32));
    /// assert!(!Reduction::Inc.takes(BulkReduction::Tensor, MapElement::F32));
    /// ```
    pub fn takes(self, by: BulkReduction, element: MapElement) -> bool {
        let element = if element == MapElement::F32Ftz { MapElement::F32 } else { element };
        self.elements(by).any(|own| own == element)
    }
}

/// The instructions that reduce memory asynchronously.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BulkReduction {
    /// `cp.reduce.async.bulk.tensor`: a box into a tensor, whose map names the element type.
    Tensor,
    /// `cp.reduce.async.bulk` of contiguous elements into global memory.
    Global,
    /// The same into the shared memory of the cluster.
    Cluster,
}
