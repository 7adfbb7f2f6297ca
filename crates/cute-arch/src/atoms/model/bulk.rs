//! [`BulkAtom`]: the fields of a row for an asynchronous bulk copy, by TMA or of contiguous bytes.
//! It contains no rows.

use super::{CopySpace, Generation};
use crate::feature::Availability;
use cute_algebra::{CopyLayouts, Layout, Stride, error::Result};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// An instruction that one thread issues and that the copy engine completes.
///
/// The size is not part of the row: it is a box of a tensor, or a number of bytes.
/// [`layouts`](Self::layouts) takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BulkAtom {
    /// CuTe's name: `SM90_TMA_LOAD`. If CuTe's C++ has no atom, a name in the same style.
    pub name: &'static str,
    /// The generation of GPUs that introduced it, as in its name.
    pub generation: Generation,
    /// The instruction, with all that chooses it.
    pub instruction: BulkInstruction,
    /// The source space.
    pub from: CopySpace,
    /// The destination space.
    pub to: CopySpace,
    /// The targets that have it.
    pub on: Availability,
}

/// The fields that choose a bulk copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BulkInstruction {
    /// Load, store, reduction, prefetch or send.
    pub operation: BulkOperation,
    /// Its addressing mode.
    pub mode: BulkMode,
    /// Whether it writes the same bytes to several CTAs of a cluster.
    pub multicast: bool,
    /// CTAs that wait for it at one barrier: 1, or 2 with `.cta_group::2`.
    pub ctas: u32,
}

/// The kinds of bulk copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BulkOperation {
    /// Global to shared memory; a barrier counts the bytes.
    Load,
    /// Shared to global memory, as part of a group.
    Store,
    /// Shared memory into global memory by an operation, as part of a group.
    Reduce(Reduction),
    /// Global memory into the second cache.
    Prefetch,
    /// Shared memory to that of another CTA of the cluster; a barrier there counts the bytes.
    Send,
    /// Shared memory into that of another CTA by an operation; a barrier there counts the bytes.
    SendReduce(Reduction),
}

/// The operation that a reduction applies to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
}

/// The addressing mode of a bulk copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BulkMode {
    /// Contiguous bytes: `cp.async.bulk`.
    Bytes,
    /// A box of the tensor that a descriptor describes.
    Tiled,
    /// Pixels that a filter of a convolution reaches.
    Im2col,
    /// Four rows of a matrix, each anywhere: gather and scatter.
    Rows4,
}

impl BulkMode {
    /// The ranks that its tensors can have; `None` for copies without a tensor.
    pub const fn ranks(self) -> Option<RangeInclusive<usize>> {
        match self {
            Self::Bytes => None,
            Self::Tiled => Some(1..=5),
            Self::Im2col => Some(3..=5),
            Self::Rows4 => Some(2..=2),
        }
    }
}

impl BulkAtom {
    /// The layouts that tilings need for a call that moves `bits`, in values of `value_bits`. Its
    /// threads are the CTAs that wait for it, each of which has `bits`.
    ///
    /// ```
    /// use cute_arch::atoms::BulkAtom;
    /// let pair = BulkAtom::by_name("SM100_TMA_2SM_LOAD").unwrap();
    /// let layouts = pair.layouts(1024, 16)?;
    /// assert_eq!((layouts.thr_id().to_string(), layouts.src().to_string()), ("2:1".into(), "(2,64):(64,1)".into()));
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn layouts(&self, bits: i64, value_bits: i64) -> Result<CopyLayouts> {
        let ctas = i64::from(self.instruction.ctas);
        let among = |step| Layout::scalar(ctas, Stride::int(if ctas > 1 { step } else { 0 }));
        let thr_id = among(1)?;
        let box_of = Layout::from_modes([among(bits)?, Layout::scalar(bits, Stride::int(1))?]);
        CopyLayouts::of_bits(thr_id, &box_of, &box_of, &box_of, value_bits)
    }
}
