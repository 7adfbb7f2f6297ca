//! The parts that a GEMM is made of.

use cute_algebra::{Dim, Layout, Stride, Tuple, Width};
use cute_arch::{Element, atoms::Major};
use cute_build::{
    Kernel, Kernels,
    atoms::{CopyAtom, TiledCopy, TiledMma},
    types::{self, Space},
};
use melior::{
    Context,
    ir::{Location, Module, Type},
};

use super::pipeline::Pipeline;
use crate::{Error, launch::argument_extent};

/// Atoms, tiles and numbers of a GEMM.
pub(super) struct Plan<'c> {
    /// The kernel's symbol.
    pub name: &'static str,
    /// Tile of a block.
    pub tile: [i64; 3],
    /// K tiles in shared memory.
    pub stages: i64,
    /// Threads of a block.
    pub threads: i32,
    /// Bytes of dynamic shared memory.
    pub memory: i64,
    /// Whether tiles divide the matrices.
    pub aligned: bool,
    /// Elements of A and B in memory, with their bits, and of the accumulators.
    pub elem: Element,
    /// Bits of an element.
    pub bits: i64,
    /// Type of the accumulators, of 32 bits.
    pub accumulator: Element,
    /// Bits of a `cp.async`.
    pub vector: i64,
    /// K of an MMA.
    pub k: i64,
    /// The contiguous mode of A and of B.
    pub majors: [Major; 2],
    /// The tiled copies of A and B from global to shared memory.
    pub g2s: [TiledCopy<'c>; 2],
    /// The tiled MMA.
    pub mma: TiledMma<'c>,
    /// A and B in shared memory.
    pub shared: [Type<'c>; 2],
    /// The byte at which B begins there.
    pub behind_a: i64,
    /// The loads from shared memory to registers.
    pub load: [Load<'c>; 2],
    /// The stores from registers to global memory.
    pub accumulators: AccumulatorStore<'c>,
}

/// Loads from shared memory to registers.
pub(super) enum Load<'c> {
    /// By a tiled copy of an atom, in the order of the MMA.
    Tiled(CopyAtom<'c>),
    /// By an atom, to the MMA's own registers.
    Plain(CopyAtom<'c>),
}

/// Stores from registers to global memory.
pub(super) enum AccumulatorStore<'c> {
    /// Through shared memory of this type and number of columns, then by a tiled copy of 128 bits
    /// per thread.
    Shared {
        /// The tile of accumulators in shared memory.
        tile: Type<'c>,
        columns: i64,
        /// The tiled copy.
        store: Box<TiledCopy<'c>>,
    },
    /// By an atom, directly from the MMA's registers.
    Direct(CopyAtom<'c>),
}

/// Bits of an accumulator, and of a store of accumulators.
pub(super) const ACCUMULATOR: i64 = 32;
/// See [`ACCUMULATOR`].
pub(super) const STORE: i64 = 128;

impl<'c> Plan<'c> {
    pub fn module(self, context: &'c Context) -> Result<Module<'c>, Error> {
        let vector = self.vector / self.bits;
        let [m, n, k] = if self.aligned { self.tile } else { [1; 3] };
        // Accumulators are stored as whole vectors, or one by one.
        let store = if matches!(self.accumulators, AccumulatorStore::Shared { .. }) {
            STORE / ACCUMULATOR
        } else {
            1
        };
        let matrix = |elem: Element, [rows, columns]: [i64; 2], major: Major, vector: i64| {
            // The contiguous mode and the pitch are whole vectors.
            let extents = match major {
                Major::Mn => [rows.max(vector), columns],
                _ => [rows, columns.max(vector)],
            };
            let bytes = vector * i64::from(elem.bits()) / 8;
            let pointer = types::pointer(types::element(context, elem)?, Space::Gmem).align(bytes);
            pointer.memref(row_major(extents.map(|n| Dim::dynamic(Width::I32, n)), major, vector)?)
        };
        let [a, b] = [(m, self.majors[0]), (n, self.majors[1])]
            .map(|(rows, major)| matrix(self.elem, [rows, k], major, vector));
        let accumulators = matrix(self.accumulator, [m, n], Major::K, store)?;
        let number = types::element(context, self.accumulator)?;
        let parameters = [
            ("A", a?),
            ("B", b?),
            ("C", accumulators),
            ("D", accumulators),
            ("alpha", number),
            ("beta", number),
        ];
        let kernel = Kernel::new(context, self.name, parameters).block(self.threads);
        let [m, n, _] = self.tile;
        let names = parameters.map(|(name, _)| name);
        let grid = [(0, m), (1, n)].map(|(mode, tile)| {
            let extent = argument_extent(&names, "D", mode).unwrap_or_default();
            format!("ceil({extent} / {tile})")
        });
        let kernel = kernel.expects(&equal_extents(&names, false), &grid);
        let kernels = Kernels::at(Location::unknown(context))?;
        kernels.kernel(&kernel.dynamic_shared_memory(self.memory), |code, arguments| {
            Pipeline::new(&self, *code, arguments)?.write()
        })?;
        Ok(kernels.finish()?)
    }
}

/// The extents of a GEMM's arguments that must be equal, M, N, K and the number of matrices of a
/// batch, by the names of its parameters.
pub(super) fn equal_extents(parameters: &[&str], batch: bool) -> Vec<String> {
    let group = |extents: &[(&str, usize)]| {
        let extents = extents.iter().filter_map(|(name, mode)| argument_extent(parameters, name, *mode));
        extents.collect::<Vec<_>>().join(" = ")
    };
    let mut all = vec![
        group(&[("A", 0), ("C", 0), ("D", 0)]),
        group(&[("B", 0), ("C", 1), ("D", 1), ("bias", 0)]),
        group(&[("A", 1), ("B", 1)]),
    ];
    if batch {
        all.push(group(&[("A", 2), ("B", 2), ("C", 2), ("D", 2), ("bias", 1)]));
    }
    all
}

/// A matrix with dynamic extents, of which one mode is contiguous, and the pitch of the other a
/// multiple of `vector`.
fn row_major(extents: [Dim; 2], major: Major, vector: i64) -> Result<Layout<Dim>, cute_algebra::Error> {
    let (one, pitch) = (Stride::int(Dim::fixed(1)), Stride::int(Dim::dynamic(Width::I64, vector)));
    let strides = if major == Major::Mn { [one, pitch] } else { [pitch, one] };
    Layout::new(Tuple::from_leaves(extents), Tuple::from_leaves(strides))
}
