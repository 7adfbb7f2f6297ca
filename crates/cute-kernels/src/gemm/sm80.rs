//! GEMM on the tensor cores of Ampere and later: `mma.sync`, fed by `ldmatrix` from swizzled shared
//! memory.
//!
//! `cp.async` writes rows of 16 bytes, and `ldmatrix` reads 8 rows at one column of 16 bytes. The
//! swizzle keeps both free of bank conflicts.

use clap::ValueEnum;
use cute_algebra::{ComposedLayout, Dim, Inner, Swizzle, Tuple};
use cute_arch::{Element, Target, atoms::Major};
use cute_build::{
    atoms::{self, Cache, CopyAtom, TiledMma},
    types::{self, Space},
};
use melior::{
    Context,
    ir::{Module, Type},
};

use super::{
    AccumulatorStore, Load, Plan,
    options::{K_TILE, STAGES},
    plan::{ACCUMULATOR, STORE},
    room::Limits,
    sm80_tma::TmaPlan,
    types::{name as type_name, rule},
};
use crate::{
    Error,
    options::{KernelBuilder, Number, Range, check_ranges, kernel_options},
    tiling,
    tma::SharedTile,
};

/// The types of the numbers that are multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Types {
    /// f16, accumulators f32
    F16,
    /// bf16, accumulators f32
    Bf16,
    /// f32 rounded to tf32, accumulators f32
    Tf32,
    /// i8, accumulators i32
    S8,
}

/// The unit that loads tiles to shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TileCopy {
    /// Every thread, by cp.async
    #[value(name = "cp.async")]
    Async,
    /// The TMA, on Hopper and later; the module has a host function that makes its descriptors
    Tma,
}

kernel_options! {
    GemmSm80 {
        choice types: Types = Types::F16, "Types of A and B, and of the accumulators";
        number m_tile = 128 in TILE, "Rows of A that a block multiplies";
        number n_tile = 128 in TILE, "Rows of B that a block multiplies";
        optional k_tile in K_TILE, "Columns of A and B in a stage", "64 bytes";
        number stages = 4 in STAGES, "K tiles in shared memory";
        number m_warps = 2 in WARPS, "Warps along M";
        number n_warps = 2 in WARPS, "Warps along N";
        major a_major or "m", "The contiguous mode of A (M,K)";
        major b_major or "n", "The contiguous mode of B (N,K)";
        flag aligned, "M, N and K are multiples of the tile: no predicates";
        choice copy: TileCopy = TileCopy::Async, "How tiles are loaded to shared memory";
    }
}

/// Rows of A or B of a block.
const TILE: Range = Range::multiples(16, 16, 512);
/// Warps along a mode.
const WARPS: Range = Range::between(1, 16);

/// Facts of a choice of types.
struct Numbers {
    /// The elements in memory, and in the form that the MMA takes.
    elem: Element,
    operand: Element,
    accumulator: Element,
    bits: i64,
    /// K of an MMA.
    k: i64,
}

impl Types {
    fn numbers(self) -> Numbers {
        let (operand, accumulator) = match self {
            Self::F16 => (Element::F16, Element::F32),
            Self::Bf16 => (Element::Bf16, Element::F32),
            Self::Tf32 => (Element::Tf32, Element::F32),
            Self::S8 => (Element::S8, Element::S32),
        };
        // In memory, tf32 is f32.
        let elem = if operand == Element::Tf32 { Element::F32 } else { operand };
        let bits = i64::from(elem.bits());
        let k = 256 / bits;
        Numbers { elem, operand, accumulator, bits, k }
    }
}

/// Rows and columns of a warp's MMA. Columns are doubled, because one `ldmatrix` loads two of them.
const ATOM_M: i64 = 16;
const ATOM_N: i64 = 8;
/// Bits of a copy of one thread.
const VECTOR: i64 = 128;
/// Elements of 16 bits that are swizzled together.
const SWIZZLED: i64 = 64;
/// Registers of a thread beside accumulators, operands and addresses of rows, as ptxas counts them.
const OTHER_REGISTERS: i64 = 8;
/// Threads of the warp that loads tiles by the TMA.
const PRODUCER: i64 = cute_arch::WARP as i64;

impl GemmSm80 {
    /// A description of the kernel and its launch, as a comment before its IR.
    pub const ABOUT: &'static str = "\
D = alpha A B^T + beta C by mma.sync: A (M,K), B (N,K), C and D (M,N), the last mode contiguous unless\n\
--a-major or --b-major chooses another.\n\
\n\
  grid  (ceil(M / m_tile), ceil(N / n_tile)), block 32 x m_warps x n_warps\n\
  dynamic shared memory  (m_tile + n_tile) x k_tile x stages elements, at least m_tile x 16 x n_warps accumulators\n\
\n\
Written by `cutec build gemm_sm80 --emit cute`; `cutec build gemm_sm80 --help` lists tiles and types.";
    /// The comment ahead of a kernel that loads its tiles by the TMA.
    pub const ABOUT_TMA: &'static str = "\
D = alpha A B^T + beta C by the TMA and mma.sync: A (M,K), B (N,K), C and D (M,N), the last mode contiguous unless\n\
--a-major or --b-major chooses another. Rows, and columns where those are contiguous, begin at multiples of 16 bytes.\n\
\n\
The host function makes the descriptors and launches a block of 32 x m_warps x n_warps + 32 threads for each tile of D.\n\
\n\
Written by `cutec build gemm_sm80 --copy tma --emit cute`; `cutec build gemm_sm80 --help` lists tiles and types.";
    /// The kernel's symbol.
    pub const NAME: &'static str = "gemm_sm80";

    /// The description of the kernel that these options build.
    pub fn about(&self) -> &'static str {
        if self.copy == TileCopy::Tma { Self::ABOUT_TMA } else { Self::ABOUT }
    }

    fn k_tile(&self) -> i64 {
        self.k_tile.unwrap_or(512 / self.types.numbers().bits)
    }

    /// Threads of a block.
    pub fn threads(&self) -> i64 {
        32 * self.m_warps * self.n_warps
    }

    /// Rows and columns of D that a block computes; the grid is (M, N).
    pub fn tile(&self) -> [i64; 2] {
        [self.m_tile, self.n_tile]
    }

    /// Bytes of dynamic shared memory.
    pub fn shared_memory(&self) -> i64 {
        let [stage, accumulators] = self.bytes();
        (stage * self.stages).max(accumulators)
    }

    /// Columns of accumulators that go through shared memory at a time.
    fn columns(&self) -> i64 {
        2 * ATOM_N * self.n_warps
    }

    /// Threads along the contiguous mode of a tile if that is not K: whole blocks of 128 bytes, so
    /// that an access never covers two columns of one block.
    fn across(&self, tile: i64) -> i64 {
        let (mut a, mut b) = (tile * self.types.numbers().bits / VECTOR, self.threads());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    }

    /// Rows of a tile that `cp.async` loads at once, or columns if the rows are contiguous.
    fn at_once(&self, tile: i64, major: Major) -> i64 {
        match major {
            Major::Mn => self.threads() / self.across(tile),
            _ => self.threads() / (self.k_tile() * self.types.numbers().bits / VECTOR).max(1),
        }
    }

    /// Registers of a thread: accumulators, operands of one k-block or, if threads load tiles, of
    /// two, and the addresses of rows that it loads.
    fn registers(&self) -> i64 {
        let Self { m_tile, n_tile, m_warps, n_warps, .. } = *self;
        let accumulators = m_tile * n_tile / self.threads();
        // 32 bytes of each row, by 32 lanes.
        let operands = (m_tile / m_warps + n_tile / n_warps) / 4;
        let loads = |tile, major| {
            let calls = if major == Major::Mn { self.k_tile() } else { tile } / self.at_once(tile, major);
            2 * calls
        };
        let beside = match self.copy {
            TileCopy::Tma => operands,
            TileCopy::Async => 2 * operands + loads(m_tile, self.a_major) + loads(n_tile, self.b_major),
        };
        accumulators + beside + OTHER_REGISTERS
    }

    /// Threads of a block, with those that only load tiles.
    fn all_threads(&self) -> i64 {
        self.threads() + if self.copy == TileCopy::Tma { PRODUCER } else { 0 }
    }

    /// Checks the conditions of every kind of copy.
    fn check_tile(&self, limits: Limits) -> Result<(), Error> {
        check_ranges(&self.numbers())?;
        let (n, k) = (self.types.numbers(), self.k_tile());
        let threads = self.all_threads();
        let (m_unit, n_unit) = (ATOM_M * self.m_warps, self.columns());
        limits.check_block(threads)?;
        rule(self.m_tile % m_unit == 0 && self.n_tile % n_unit == 0 && k % n.k == 0, || {
            format!(
                "a tile of {} x {} x {k} is not a multiple of {m_unit} x {n_unit} x {}, which {} x {} warps multiply at once",
                self.m_tile, self.n_tile, n.k, self.m_warps, self.n_warps
            )
        })?;
        for (name, major) in [("A", self.a_major), ("B", self.b_major)] {
            rule(major == Major::K || n.bits == 16, || {
                format!(
                    "{name} of {} must be K-major: ldmatrix transposes 16-bit elements only; transpose {name} in memory, or take f16 or bf16",
                    type_name(n.operand)
                )
            })?;
        }
        Ok(())
    }

    /// Checks the condition of `cp.async`: the threads divide the tiles.
    fn check_threads(&self) -> Result<(), Error> {
        let (n, k, threads) = (self.types.numbers(), self.k_tile(), self.threads());
        let operands = [("A", "M", self.m_tile, self.a_major), ("B", "N", self.n_tile, self.b_major)];
        let of_k = |major| operands.iter().any(|f| f.3 == major);
        rule(!of_k(Major::K) || [32, 64].contains(&(k * n.bits / 8)) || (k * n.bits / 8) % 128 == 0, || {
            format!(
                "rows of {} bytes are not swizzled: a K tile has 32, 64 or a multiple of 128 bytes",
                k * n.bits / 8
            )
        })?;
        for (name, mode, tile, major) in operands {
            if major == Major::K {
                let rows = self.at_once(tile, major);
                rule(rows > 0 && tile % rows == 0, || {
                    format!(
                        "{threads} threads load {rows} rows at once, which does not divide tiles of {tile} rows of {name}"
                    )
                })?;
                continue;
            }
            rule(tile % SWIZZLED == 0, || {
                format!(
                    "a tile of {tile} of {mode}, which is contiguous, is not a multiple of {SWIZZLED}: 128 bytes are swizzled"
                )
            })?;
            let columns = self.at_once(tile, major);
            rule(k % columns == 0, || {
                format!(
                    "{threads} threads load {columns} columns of {name} at once, which does not divide a K tile of {k}"
                )
            })?;
        }
        let accumulators = self.columns() * ACCUMULATOR / STORE;
        rule(threads % accumulators == 0 && self.m_tile % (threads / accumulators) == 0, || {
            format!(
                "{threads} threads do not store {} rows of {} accumulators evenly",
                self.m_tile,
                self.columns()
            )
        })
    }

    /// The bytes of a stage, and of the tile of D that takes the place of all stages.
    fn bytes(&self) -> [i64; 2] {
        let stage = (self.m_tile + self.n_tile) * self.k_tile() * self.types.numbers().bits / 8;
        [stage, self.m_tile * self.columns() * ACCUMULATOR / 8]
    }

    /// The tiled MMA, and the atoms that load A and B to registers.
    fn atoms<'c>(&self, c: &'c Context) -> Result<(TiledMma<'c>, [CopyAtom<'c>; 2]), Error> {
        let n = self.types.numbers();
        let (operand, accumulator) = (types::element(c, n.operand)?, types::element(c, n.accumulator)?);
        let load = |major| atoms::ldmatrix(operand, 4, major == Major::Mn);
        let mma = atoms::mma_sync([ATOM_M, ATOM_N, n.k], [operand, operand, accumulator])?;
        let warps = [self.m_warps, self.n_warps];
        let tiled = tiling::tiled_mma(mma, warps, [ATOM_M * self.m_warps, self.columns(), n.k])?;
        Ok((tiled, [load(self.a_major)?, load(self.b_major)?]))
    }

    /// The tiles of A, of B, and of D, which the TMA moves.
    fn boxes(&self) -> Result<[SharedTile; 3], Error> {
        let (n, k) = (self.types.numbers(), self.k_tile());
        rule(!self.aligned, || {
            "the TMA stays inside the matrices without predicates: leave out --aligned".into()
        })?;
        Ok([
            SharedTile::new("A", n.elem, [self.m_tile, k], self.a_major)?,
            SharedTile::new("B", n.elem, [self.n_tile, k], self.b_major)?,
            SharedTile::new("D", n.accumulator, self.tile(), Major::K)?,
        ])
    }

    fn tma_plan<'c>(&self, c: &'c Context) -> Result<TmaPlan<'c>, Error> {
        let (n, k, majors) = (self.types.numbers(), self.k_tile(), [self.a_major, self.b_major]);
        let [a, b, out_tile] = self.boxes()?;
        let (mma, load) = self.atoms(c)?;
        Ok(TmaPlan {
            name: Self::NAME,
            tile: [self.m_tile, self.n_tile, k],
            stages: self.stages,
            consumers: self.threads(),
            elem: n.elem,
            accumulator: n.accumulator,
            k: n.k,
            majors,
            mma,
            load,
            shared: [a, b],
            out_tile,
        })
    }

    fn plan<'c>(&self, c: &'c Context) -> Result<Plan<'c>, Error> {
        let n = self.types.numbers();
        let (elem, accumulator) = (types::element(c, n.elem)?, types::element(c, n.accumulator)?);
        let (k, threads, columns) = (self.k_tile(), self.threads(), self.columns());

        let g2s = atoms::cp_async(elem, Cache::Global, VECTOR)?;
        let store = atoms::universal_copy(accumulator, STORE)?;
        let (mma, [load_a, load_b]) = self.atoms(c)?;
        let shared = |rows, major| -> Result<Type<'c>, Error> {
            let layout = match major {
                Major::Mn => tiling::swizzled_columns(rows, k, self.stages, n.bits)?,
                _ => tiling::swizzled_rows(rows, k, self.stages, n.bits)?,
            };
            Ok(types::pointer(elem, Space::Smem).align(1024).memref(layout)?)
        };
        let loads = |rows, major| {
            let values = VECTOR / n.bits;
            match major {
                Major::Mn => tiling::column_copy(g2s.clone(), threads, self.across(rows), values),
                _ => tiling::row_copy(g2s.clone(), threads, k, values),
            }
        };
        let (a, b) = (self.a_major, self.b_major);
        // log2 of the 32 bytes in a row of accumulators.
        let eighths = i64::from(columns.ilog2()) - 3;
        // Two neighbours a thread, four lanes a row: 32 bytes of a row stay together.
        let swizzle = Swizzle::new(eighths.min(2), 3, eighths)?;
        let tile = tiling::strided([self.m_tile, columns], [columns, 1])?.to_dim();
        let tile = ComposedLayout::new(Inner::Swizzle(swizzle), Tuple::leaf(Dim::fixed(0)), tile);
        Ok(Plan {
            name: Self::NAME,
            tile: [self.m_tile, self.n_tile, k],
            stages: self.stages,
            threads: threads as i32,
            memory: self.shared_memory(),
            aligned: self.aligned,
            elem: n.elem,
            bits: n.bits,
            accumulator: n.accumulator,
            vector: VECTOR,
            k: n.k,
            majors: [a, b],
            g2s: [loads(self.m_tile, a)?, loads(self.n_tile, b)?],
            mma,
            shared: [shared(self.m_tile, a)?, shared(self.n_tile, b)?],
            behind_a: self.m_tile * k * self.stages * n.bits / 8,
            load: [Load::Tiled(load_a), Load::Tiled(load_b)],
            accumulators: AccumulatorStore::Shared {
                tile: types::pointer(accumulator, Space::Smem).align(1024).memref(tile)?,
                columns,
                store: Box::new(tiling::row_copy(store, threads, columns, STORE / ACCUMULATOR)?),
            },
        })
    }
}

impl KernelBuilder for GemmSm80 {
    const NAME: &'static str = Self::NAME;
    const SPILLS: u32 = 512;

    fn numbers(&self) -> Vec<Number> {
        self.numbers()
    }

    fn about(&self) -> &'static str {
        self.about()
    }

    fn check(&self, target: Option<Target>) -> Result<(), Error> {
        let limits = Limits::of(target);
        self.check_tile(limits)?;
        let ([stage, mut accumulators], mut barriers) = (self.bytes(), 0);
        match self.copy {
            TileCopy::Async => self.check_threads()?,
            TileCopy::Tma => {
                accumulators = self.boxes()?[2].bytes();
                barriers = TmaPlan::barriers(self.stages);
            }
        }
        limits.check_memory(self.stages, stage, accumulators, barriers)?;
        limits.check_registers(self.tile(), self.all_threads(), self.registers())
    }

    fn build_for<'c>(&self, context: &'c Context, target: Option<Target>) -> Result<Module<'c>, Error> {
        self.check(target)?;
        match self.copy {
            TileCopy::Async => self.plan(context)?.module(context),
            TileCopy::Tma => self.tma_plan(context)?.module(context),
        }
    }
}
