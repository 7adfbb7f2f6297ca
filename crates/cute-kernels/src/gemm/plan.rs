//! What a GEMM is made of.

use melior::{Context, ir::Module, ir::Type};

use crate::{
    Error,
    module::{Signature, module},
};

use super::pipeline::Pipeline;

/// Atoms, tiles and numbers of a GEMM.
pub(super) struct Plan<'c> {
    /// The kernel's symbol.
    pub name: &'static str,
    /// Tile of a block.
    pub tile: [i64; 3],
    /// K tiles in shared memory.
    pub stages: i64,
    /// Threads of a block.
    pub threads: i64,
    /// Whether tiles divide the matrices.
    pub aligned: bool,
    /// Elements of A and B in memory, with their bits, and of the sums.
    pub elem: &'static str,
    /// Bits of an element.
    pub bits: i64,
    /// Type of the sums, of 32 bits.
    pub sum: &'static str,
    /// Bits of a `cp.async`.
    pub vector: i64,
    /// K of an MMA.
    pub k: i64,
    /// The tiled copy from global to shared memory, and its atom.
    pub bring: [Type<'c>; 2],
    /// The tiled MMA, and its atom.
    pub mma: [Type<'c>; 2],
    /// A and B in shared memory.
    pub shared: [String; 2],
    /// The byte at which B begins there.
    pub behind_a: i64,
    /// From there to registers.
    pub load: [Load<'c>; 2],
    /// From registers to global memory.
    pub sums: Sums<'c>,
}

/// From shared memory to registers.
pub(super) enum Load<'c> {
    /// By a tiled copy in the order of the MMA, and its atom.
    Tiled([Type<'c>; 2]),
    /// By an atom, on what the MMA has.
    Plain(Type<'c>),
}

/// From registers to global memory.
pub(super) enum Sums<'c> {
    /// Through shared memory of this type and so many columns, then by a tiled copy of 128 bits a thread, and its atom.
    Shared {
        /// The tile of sums in shared memory.
        tile: String,
        /// Its columns.
        columns: i64,
        /// The tiled copy and its atom.
        store: [Type<'c>; 2],
    },
    /// By an atom, from where the MMA has them.
    Direct(Type<'c>),
}

/// Bits of a sum, and of a store of them.
pub(super) const SUM: i64 = 32;
/// See [`SUM`].
pub(super) const STORE: i64 = 128;

impl<'c> Plan<'c> {
    /// Rows that a thread copies of a tile of so many rows.
    pub fn rows(&self, rows: i64) -> i64 {
        rows * (self.tile[2] * self.bits / self.vector) / self.threads
    }

    /// The kernel.
    pub fn module(self, context: &'c Context) -> Result<Module<'c>, Error> {
        let vector = self.vector / self.bits;
        let [m, n, k] = if self.aligned { self.tile } else { [1, 1, vector] };
        // Sums are stored as whole vectors, or one by one.
        let store = if matches!(self.sums, Sums::Shared { .. }) { STORE / SUM } else { 1 };
        let matrix = |elem: &str, rows: i64, columns: i64, vector: i64, bits: i64| {
            let align = match vector * bits / 8 {
                bytes if bytes == bits / 8 => String::new(),
                bytes => format!(", align<{bytes}>"),
            };
            let [rows, columns, pitch] =
                [("", rows), ("", columns), ("i64", vector)].map(|(i64, d)| dynamic(i64, d));
            format!("!cute.memref<{elem}, gmem{align}, \"({rows},{columns}):({pitch},1)\">")
        };
        let factor = |rows| matrix(self.elem, rows, k, vector, self.bits);
        let sums = matrix(self.sum, m, n.max(store), store, SUM);
        let parameters = [
            ("A", factor(m)),
            ("B", factor(n)),
            ("C", sums.clone()),
            ("D", sums),
            ("alpha", self.sum.to_string()),
            ("beta", self.sum.to_string()),
        ];
        let signature = Signature { name: self.name, parameters: &parameters, threads: self.threads };
        Ok(module(context, &signature, |code, arguments| Pipeline::new(&self, *code, arguments)?.write())?)
    }
}

/// A dynamic leaf: `?{i64 div=8}`.
fn dynamic(width: &str, divisor: i64) -> String {
    let divisor = if divisor > 1 { format!("div={divisor}") } else { String::new() };
    match [width, &divisor]
        .map(str::to_string)
        .into_iter()
        .filter(|s| !s.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
    {
        facts if facts.is_empty() => "?".into(),
        facts => format!("?{{{facts}}}"),
    }
}
