//! GEMM in f32 on the threads themselves: 16 x 16 threads, each with 4 x 4 adjacent elements of
//! every 64 x 64 accumulators.
//!
//! Tiles in shared memory are stored by columns with padding between them. Lanes that load 8
//! columns of 4 rows access 32 different banks, and a thread reads 4 rows at once.

use cute_algebra::Tile;
use cute_arch::{Element, Target, atoms::Major};
use cute_build::{
    atoms::{self, Cache},
    types::{self, Space},
};
use melior::{
    Context,
    ir::{Module, Type},
};

use super::{AccumulatorStore, Load, Plan, options::STAGES, room::Limits, types::rule};
use crate::{
    Error,
    options::{KernelBuilder, Number, Range, check_ranges, kernel_options},
    tiling,
};

kernel_options! {
    GemmSimt {
        number m_tile = 128 in Range::multiples(64, 64, 384), "Rows of A that a block multiplies";
        number n_tile = 128 in Range::multiples(64, 64, 384), "Rows of B that a block multiplies";
        number k_tile = 8 in Range::powers(2, 8), "Columns of A and B in a stage";
        number stages = 3 in STAGES, "K tiles in shared memory";
        flag aligned, "M, N and K are multiples of the tile: no predicates";
    }
}

/// Threads along M and N.
const THREADS: i64 = 16;
/// Neighbours of a thread along M and N.
const NEIGHBOURS: i64 = 4;
/// Registers of a thread beside accumulators, operands and addresses of rows, as ptxas counts them.
const OTHER_REGISTERS: i64 = 48;

impl GemmSimt {
    /// A description of the kernel and its launch, as a comment before its IR.
    pub const ABOUT: &'static str = "\
D = alpha A B^T + beta C in f32 on 16 x 16 threads: A (M,K), B (N,K), C and D (M,N), the last mode contiguous.\n\
\n\
  grid  (ceil(M / m_tile), ceil(N / n_tile)), block 256\n\
  dynamic shared memory  (m_tile + n_tile + 64 / k_tile) x k_tile x stages x 4 bytes\n\
\n\
Written by `cutec build gemm_simt --emit cute`; `cutec build gemm_simt --help` lists tiles.";
    /// The kernel's symbol.
    pub const NAME: &'static str = "gemm_simt";

    /// Threads of a block.
    pub fn threads(&self) -> i64 {
        THREADS * THREADS
    }

    /// Rows and columns of D that a block computes; the grid is (M, N).
    pub fn tile(&self) -> [i64; 2] {
        [self.m_tile, self.n_tile]
    }

    /// Bytes of dynamic shared memory.
    pub fn shared_memory(&self) -> i64 {
        self.bytes(self.m_tile) + self.bytes(self.n_tile)
    }

    fn bytes(&self, rows: i64) -> i64 {
        self.pitch(rows) * self.k_tile * self.stages * 4
    }

    /// Distance between columns: the lanes of a warp load `32 / k_tile` rows of each column, from
    /// as many banks.
    fn pitch(&self, rows: i64) -> i64 {
        rows + 32 / self.k_tile
    }

    /// Rows that the threads load at once.
    fn rows(&self) -> i64 {
        self.threads() / self.k_tile
    }

    /// Registers of a thread: accumulators, two columns of A and B, addresses of rows, and others.
    fn registers(&self) -> i64 {
        let Self { m_tile, n_tile, .. } = self;
        let accumulators = m_tile * n_tile / self.threads();
        accumulators + 2 * (m_tile + n_tile) / THREADS + 2 * (m_tile + n_tile) / self.rows() + OTHER_REGISTERS
    }
}

impl KernelBuilder for GemmSimt {
    const NAME: &'static str = Self::NAME;
    const SPILLS: u32 = 256;

    fn numbers(&self) -> Vec<Number> {
        self.numbers()
    }

    fn about(&self) -> &'static str {
        Self::ABOUT
    }

    fn check(&self, target: Option<Target>) -> Result<(), Error> {
        check_ranges(&self.numbers())?;
        let Self { m_tile, n_tile, k_tile, stages, .. } = *self;
        let rows = self.rows();
        rule(m_tile % rows == 0 && n_tile % rows == 0, || {
            format!(
                "a tile of {m_tile} x {n_tile}: {} threads load {rows} rows of a K tile of {k_tile} at once; take a multiple of {rows}",
                self.threads()
            )
        })?;
        let limits = Limits::of(target);
        limits.check_registers([m_tile, n_tile], self.threads(), self.registers())?;
        limits.check_memory(stages, self.shared_memory() / stages, 0, 0)
    }

    fn build_for<'c>(&self, c: &'c Context, target: Option<Target>) -> Result<Module<'c>, Error> {
        self.check(target)?;
        let elem = Type::float32(c);
        let g2s = atoms::cp_async(elem, Cache::Always, 32)?;
        let mode = || {
            tiling::strided([THREADS, NEIGHBOURS], [NEIGHBOURS, 1]).map(|mode| Tile::Layout(mode.to_dim()))
        };
        let permutation = Tile::Modes(vec![mode()?, mode()?, Tile::Underscore]);
        let threads = tiling::strided([THREADS, THREADS, 1], [THREADS, 1, 0])?;
        let mma = atoms::tiled_mma(atoms::fma([elem; 3])?, threads, permutation)?;
        let (k, stages) = (self.k_tile, self.stages);
        let shared = |rows: i64| {
            let pitch = self.pitch(rows);
            let layout = tiling::strided([rows, k, stages], [1, pitch, pitch * k])?;
            types::pointer(elem, Space::Smem).align(16).memref(layout)
        };
        let load = || Ok::<_, Error>(Load::Plain(atoms::universal_copy(elem, 128)?));
        let copy = tiling::row_copy(g2s, self.threads(), k, 1)?;
        let plan = Plan {
            name: Self::NAME,
            tile: [self.m_tile, self.n_tile, k],
            stages,
            threads: self.threads() as i32,
            memory: self.shared_memory(),
            aligned: self.aligned,
            elem: Element::F32,
            bits: 32,
            accumulator: Element::F32,
            vector: 32,
            k: 1,
            majors: [Major::K; 2],
            g2s: [copy.clone(), copy],
            mma,
            shared: [shared(self.m_tile)?, shared(self.n_tile)?],
            behind_a: self.bytes(self.m_tile),
            load: [load()?, load()?],
            accumulators: AccumulatorStore::Direct(atoms::element_copy(elem)?),
        };
        plan.module(c)
    }
}
