//! The parts that a GEMM is made of.

use cute_arch::atoms::Major;
use melior::{Context, ir::Module, ir::Type};

use crate::{
    Error,
    module::{Signature, module},
};

use super::{pipeline::Pipeline, sums::Arithmetic};

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
    /// Bytes of dynamic shared memory.
    pub memory: i64,
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
    /// The contiguous mode of A and of B.
    pub majors: [Major; 2],
    /// The tiled copies of A and B from global to shared memory, and their atoms.
    pub bring: [[Type<'c>; 2]; 2],
    /// The tiled MMA, and its atom.
    pub mma: [Type<'c>; 2],
    /// A and B in shared memory.
    pub shared: [String; 2],
    /// The byte at which B begins there.
    pub behind_a: i64,
    /// The loads from shared memory to registers.
    pub load: [Load<'c>; 2],
    /// The stores from registers to global memory.
    pub sums: Sums<'c>,
}

/// Loads from shared memory to registers.
pub(super) enum Load<'c> {
    /// By a tiled copy of an atom, in the order of the MMA.
    Tiled(Type<'c>),
    /// By an atom, to the MMA's own registers.
    Plain(Type<'c>),
}

/// Stores from registers to global memory.
pub(super) enum Sums<'c> {
    /// Through shared memory of this type and number of columns, then by a tiled copy of 128 bits
    /// per thread, and its atom.
    Shared {
        /// The tile of sums in shared memory.
        tile: String,
        /// Its columns.
        columns: i64,
        /// The tiled copy and its atom.
        store: [Type<'c>; 2],
    },
    /// By an atom, directly from the MMA's registers.
    Direct(Type<'c>),
}

/// Bits of a sum, and of a store of sums.
pub(super) const SUM: i64 = 32;
/// See [`SUM`].
pub(super) const STORE: i64 = 128;

impl<'c> Plan<'c> {
    /// The arithmetic on sums.
    pub fn arithmetic(&self) -> Arithmetic {
        Arithmetic(self.sum)
    }

    /// The kernel.
    pub fn module(self, context: &'c Context) -> Result<Module<'c>, Error> {
        let vector = self.vector / self.bits;
        let [m, n, k] = if self.aligned { self.tile } else { [1; 3] };
        // Sums are stored as whole vectors, or one by one.
        let store = if matches!(self.sums, Sums::Shared { .. }) { STORE / SUM } else { 1 };
        // The contiguous mode and the pitch are whole vectors.
        let matrix = |elem: &str, [rows, columns]: [i64; 2], major: Major, vector: i64, bits: i64| {
            let align = match vector * bits / 8 {
                bytes if bytes == bits / 8 => String::new(),
                bytes => format!(", align<{bytes}>"),
            };
            let pitch = dynamic("i64", vector);
            let [shape, stride] = match major {
                Major::Mn => [[rows.max(vector), columns], [1, 0]],
                _ => [[rows, columns.max(vector)], [0, 1]],
            };
            let [rows, columns] = shape.map(|extent| dynamic("", extent));
            let stride = stride.map(|one| if one == 1 { "1".to_string() } else { pitch.clone() }).join(",");
            format!("!cute.memref<{elem}, gmem{align}, \"({rows},{columns}):({stride})\">")
        };
        let factor = |rows, major| matrix(self.elem, [rows, k], major, vector, self.bits);
        let sums = matrix(self.sum, [m, n], Major::K, store, SUM);
        let [a, b] = self.majors;
        let parameters = [
            ("A", factor(m, a)),
            ("B", factor(n, b)),
            ("C", sums.clone()),
            ("D", sums),
            ("alpha", self.sum.to_string()),
            ("beta", self.sum.to_string()),
        ];
        let Self { name, threads, memory: shared, .. } = self;
        let signature = Signature { name, parameters: &parameters, threads, shared };
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
