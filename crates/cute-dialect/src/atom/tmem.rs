//! `tcgen05.ld` and `tcgen05.st` as values.

use cute_arch::atoms;
use melior::ir::Type;

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
        let Self { lanes, bits, repeats, .. } = self;
        let (verb, op) = if self.store { ("STORE", "tcgen05.st") } else { ("LOAD", "tcgen05.ld") };
        let halves = if self.halves { "_16b" } else { "" };
        let named = |lanes, bits, repeats| {
            let name = format!("SM100_TMEM_{verb}_{lanes}dp{bits}b{repeats}x{halves}");
            atoms::CopyAtom::by_name(&name)
        };
        named(*lanes, *bits, *repeats).ok_or_else(|| {
            let shapes = [(16, 32), (16, 64), (16, 128), (16, 256), (32, 32)].map(|(lanes, bits)| {
                let most = (0..=7).rev().map(|i| 1 << i).find(|x| named(lanes, bits, *x).is_some());
                format!("{lanes} DP, {bits} bit, x1 to x{}", most.unwrap_or(1))
            });
            let legal = shapes.join("; ");
            format!(
                "there is no {op} of {lanes} DP, {bits} bit, x{repeats}; there are, in powers of two, {legal}"
            )
        })
    }
}
