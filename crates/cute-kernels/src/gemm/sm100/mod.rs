//! GEMM on the tensor cores of Blackwell: `tcgen05.mma` on tiles that the TMA loads, by one block
//! or a pair of them, with accumulators in tensor memory and specialised warps.

mod factors;
mod kernel;
mod plan;

use cute_arch::{Target, atoms::Major, tmem::COLUMNS};
use melior::{Context, ir::Module};

use self::plan::Plan;
pub use super::problem::Scheduler;
use super::{
    options::{CLUSTER, about_gemm, gemm_options},
    problem::Problem,
    room::Limits,
    scales::Scales,
    store::Registers,
    types::{self, Numbers, rule},
};
use crate::{
    Error,
    options::{KernelBuilder, Number, Range, check_ranges},
    tma::{Loads, SharedTile},
};

gemm_options! {
    GemmSm100 {
        maybe b_types: types::Types, "Types of B, if they are not those of A: mx types by each other, e4m3 by e5m2";
        number ctas = 2 in Range::between(1, 2), "Blocks that multiply one tile, 2 for a pair";
        number m_tile = 256 in Range::powers(64, 256),
            "Rows of A per MMA, 64 or 128 for one block, 128 or 256 for a pair";
        number n_tile = 256 in Range::multiples(32, 32, 256),
            "Rows of B per MMA; tensor memory holds two tiles of D, or one of 256 columns beside scale factors";
    } {
        optional m_cluster in CLUSTER,
            "Blocks of a cluster along M; every second block shares tiles of B in a pair", "one block or pair";
    } {
        choice scheduler: Scheduler = Scheduler::Static, "How clusters share tiles out";
    }
}

impl GemmSm100 {
    /// A description of the kernel and its launch, as a comment before its IR.
    pub const ABOUT: &'static str = about_gemm!(
        "the TMA and tcgen05.mma",
        "\
mxf8, mxf4 and nvf4 have scale factors SFA and SFB: blocks of 512 bytes (256,2), each for 128 rows and four factors\n\
along K as tcgen05.mma takes them, (256,2,rows / 128,factors / 4), adjacent along K. Factors beyond K must not be NaN.\n\
With --out mxf8, mxf4 or nvf4, D is quantized, and its factors SFD are written in the same blocks, four along N each; with nvf4, D and\n\
SFD are those of `norm_constant` D. Rows (or columns, if those are contiguous) and the matrices of a batch begin at multiples of 16 bytes.\n\
\n\
The host function makes the descriptors and launches clusters with at most `blocks` blocks in total, each of which computes one\n\
tile of D after the other. With --scheduler clc it launches one cluster per tile and has no `blocks`; clusters that run cancel others\n\
and compute their tiles. A block has one warp that loads tiles, one that issues MMAs, one that allocates tensor memory, and four\n\
that store D.\n\
\n\
Written by `cutec build gemm_sm100 --emit cute`; `cutec build gemm_sm100 --help` lists tiles and types."
    );
    /// The kernel's symbol.
    pub const NAME: &'static str = "gemm_sm100";

    fn plan(&self, limits: Limits) -> Result<Plan, Error> {
        check_ranges(&self.numbers())?;
        let n = Numbers::new(self.types, self.out)?.mixed(self.types, self.b_types.unwrap_or(self.types))?;
        let (ctas, m_tile, n_tile) = (self.ctas, self.m_tile, self.n_tile);
        let k = self.k_tile.unwrap_or(n.k_tile());
        let (rows, registers) = match (ctas, m_tile) {
            (1, 64) => (64, Registers::Pairs),
            (1, 128) | (2, 256) => (128, Registers::Rows),
            (2, 128) => (64, Registers::Halves),
            (1, _) => {
                return Err(Error::Parameters(format!(
                    "a tile of {m_tile} rows: one block multiplies 64 or 128 rows at once; 256 rows need a pair of blocks, --ctas 2"
                )));
            }
            _ => {
                return Err(Error::Parameters(format!(
                    "a tile of {m_tile} rows: a pair of blocks multiplies 128 or 256 rows at once; 64 rows need a single block, --ctas 1"
                )));
            }
        };
        rule(n_tile % n.columns() == 0, || {
            format!(
                "a tile of {n_tile} columns: D is stored {0} columns at a time; take a multiple of {0}",
                n.columns()
            )
        })?;
        rule(n_tile % (n.columns() * registers.boxes()) == 0, || {
            format!(
                "a tile of 128 x {n_tile} by a pair of blocks: the halves of its columns are stored by {} columns; take a multiple of {}",
                n.columns(),
                2 * n.columns()
            )
        })?;
        rule(n.quantized.is_none() || registers == Registers::Rows, || {
            format!(
                "a tile of {m_tile} rows for {ctas} blocks: D is quantized by threads that have whole rows of it; take {} rows, --m-tile {}",
                128 * ctas,
                128 * ctas
            )
        })?;
        rule(k % n.k == 0, || {
            format!("a K tile of {k} is not a multiple of {}, which tcgen05.mma takes at once", n.k)
        })?;
        let cluster = [self.m_cluster.unwrap_or(ctas), self.n_cluster];
        let most = Target::MAX_PORTABLE_CLUSTER;
        rule(cluster[0] * cluster[1] <= most.into() && cluster[0] % ctas == 0, || {
            format!(
                "clusters of {} x {} blocks: {}{most} in all are possible",
                cluster[0],
                cluster[1],
                if ctas == 2 { "whole pairs along M, and " } else { "" }
            )
        })?;
        for (name, major) in [("A", self.a_major), ("B", self.b_major)] {
            rule(major == Major::K || n.bits < 32, || {
                format!(
                    "{name} of {} must be K-major: tcgen05.mma does not transpose 32-bit elements; transpose {name} in memory, or take f16 or bf16",
                    types::name(n.operand)
                )
            })?;
        }
        let pair = ctas == 2;
        let loads = [cluster[1], cluster[0] / ctas].map(|blocks| Loads { pair, blocks });
        let parts = [("A", rows, self.a_major, loads[0]), ("B", n_tile / ctas, self.b_major, loads[1])];
        let elements = [0, 1].map(|which| n.elements(which)[0]);
        let shared = [0, 1].map(|which| {
            let ((name, rows, major, Loads { blocks, .. }), elem) = (parts[which], elements[which]);
            let unit = if major == Major::K { 8 } else { n.k_tile() };
            rule(blocks == 1 || rows % (unit * blocks) == 0, || {
                format!(
                    "{blocks} blocks cannot load equal parts of a tile of {rows} rows of {name}: take a multiple of {}",
                    unit * blocks
                )
            })?;
            match n.bits {
                8 => SharedTile::of_bytes(name, elem, [rows, k], major),
                _ => SharedTile::new(name, elem, [rows, k], major),
            }
        });
        let [a, b] = shared;
        let shared = [a?, b?];
        let (finish, batch) = (self.finish(&n)?, self.batch);
        let out_tile = SharedTile::new("D", n.out, [rows, n.columns()], Major::K)?;
        let (majors, tile) = ([self.a_major, self.b_major], [rows, n_tile]);
        let scheduler = self.scheduler;
        let scales = Scales::of(&n, tile, k)?;
        rule(n.scale.is_none() || majors == [Major::K; 2], || {
            "A and B with scale factors must be K-major".to_owned()
        })?;
        let problem = Problem {
            numbers: n,
            majors,
            batch,
            finish,
            tile,
            cluster,
            scheduler,
            shared,
            loads,
            out_tile,
            scales,
        };
        let stages = limits.stages(self.stages, problem.stage(), Plan::slots(&problem, registers))?;
        let plan = Plan { name: Self::NAME, problem, k, stages, ctas, tiles: 2, registers };
        // Tensor memory holds a second tile beside the scale factors, or does not.
        Ok(Plan { tiles: if plan.columns() <= COLUMNS { 2 } else { 1 }, ..plan })
    }
}

impl KernelBuilder for GemmSm100 {
    const NAME: &'static str = Self::NAME;
    const SPILLS: u32 = 16;

    fn numbers(&self) -> Vec<Number> {
        self.numbers()
    }

    fn about(&self) -> &'static str {
        Self::ABOUT
    }

    fn check(&self, target: Option<Target>) -> Result<(), Error> {
        self.plan(Limits::of(target)).map(drop)
    }

    fn build_for<'c>(&self, context: &'c Context, target: Option<Target>) -> Result<Module<'c>, Error> {
        self.plan(Limits::of(target))?.module(context)
    }
}
