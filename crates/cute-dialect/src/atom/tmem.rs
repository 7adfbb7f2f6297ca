//! `tcgen05.ld` and `tcgen05.st` as values.

use cute_algebra::CopySide;
use cute_arch::atoms::{self, CopyInstruction, TmemShape};
use cute_ffi::types::Kind;
use melior::ir::Type;

use super::copy::{CopyFamily, bits_of_row};

/// A shape of tensor memory, between its lanes and the registers of a warp.
#[derive(Debug, Clone, PartialEq)]
pub struct TmemCopy<'c> {
    /// Element type.
    pub elem: Type<'c>,
    /// Lanes of tensor memory, 16 or 32: CuTe's data paths.
    pub lanes: i64,
    /// Bits of a lane.
    pub bits: i64,
    /// How often the shape repeats along the columns.
    pub repeats: i64,
    /// Whether each word of tensor memory holds 16 bits, packed or unpacked on their way.
    pub halves: bool,
    /// Whether it writes tensor memory.
    pub store: bool,
}

impl TmemCopy<'_> {
    /// The row of the registry; otherwise what there is.
    pub fn entry(&self) -> Result<&'static atoms::CopyAtom, String> {
        let Self { lanes, bits, repeats, halves, .. } = *self;
        let op = if self.store { "tcgen05.st" } else { "tcgen05.ld" };
        let row = |lanes: i64, bits: i64, repeats: i64| {
            let number = |n: i64| u32::try_from(n).ok();
            let (lanes, bits, repeats) = (number(lanes)?, number(bits)?, number(repeats)?);
            let shape = TmemShape { lanes, bits, repeats, halves };
            let load_or_store =
                if self.store { CopyInstruction::TmemStore } else { CopyInstruction::TmemLoad };
            atoms::CopyAtom::of(load_or_store(shape))
        };
        row(lanes, bits, repeats).ok_or_else(|| {
            let shapes = [(16, 32), (16, 64), (16, 128), (16, 256), (32, 32)].map(|(lanes, bits)| {
                let most = (0..=7).rev().map(|i| 1 << i).find(|x| row(lanes, bits, *x).is_some());
                format!("{lanes} DP, {bits} bit, x1 to x{}", most.unwrap_or(1))
            });
            let legal = shapes.join("; ");
            format!(
                "there is no {op} of {lanes} DP, {bits} bit, x{repeats}; there are, in powers of two, {legal}"
            )
        })
    }
}

impl<'c> CopyFamily<'c> for TmemCopy<'c> {
    fn elem(&self) -> Type<'c> {
        self.elem
    }

    fn kind(&self) -> Kind {
        if self.store { Kind::TmemStore } else { Kind::TmemLoad }
    }

    fn row(&self) -> Option<Result<&'static atoms::CopyAtom, String>> {
        Some(self.entry())
    }

    fn bits(&self) -> i64 {
        bits_of_row(self.entry(), if self.store { CopySide::Src } else { CopySide::Dst })
    }

    fn check(&self) -> Result<(), String> {
        self.entry().map(|_| ())
    }
}
