//! GEMM on the tensor cores of Blackwell: `tcgen05.mma` on tiles that the TMA loads, by one block
//! or a pair of them, with accumulators in tensor memory and specialised warps.

mod kernel;
mod plan;

use cute_arch::atoms::Major;
use melior::{Context, ir::Module};

use self::plan::Plan;
pub use super::problem::Scheduler;
use super::{
    options::gemm_options,
    problem::Problem,
    store::Registers,
    types::{self, Numbers, rule},
};
use crate::{
    Error,
    tma::{Loads, SharedTile},
};

gemm_options! {
    GemmSm100,
    tile {
        /// Blocks that multiply one tile: 1, or 2 for a pair
        #[arg(long, default_value_t = 2)]
        pub ctas: i64,
        /// Rows of A per MMA: 64 or 128 for one block, 128 or 256 for a pair
        #[arg(long, default_value_t = 256)]
        pub m_tile: i64,
        /// Rows of B per MMA
        #[arg(long, default_value_t = 256)]
        pub n_tile: i64,
    }
    cluster {
        /// Blocks of a cluster along M; every second block shares tiles of B in a pair [default:
        /// one block or pair]
        #[arg(long)]
        pub m_cluster: Option<i64>,
    }
    work {
        /// How clusters share tiles out
        #[arg(long, value_enum, default_value = "static")]
        pub scheduler: Scheduler,
    }
    defaults {
        ctas: 2,
        m_tile: 256,
        n_tile: 256,
        m_cluster: None,
        scheduler: Scheduler::Static,
    }
}

/// The largest number of columns of an MMA.
const MOST_COLUMNS: i64 = 256;

impl GemmSm100 {
    /// A description of the kernel and its launch, as a comment before its IR.
    pub const ABOUT: &'static str = "\
D = act(alpha A B^T + beta C + bias) by the TMA and tcgen05.mma. alpha, beta C, bias and act are there if the kernel was built with them.\n\
A is (M,K), B (N,K), C and D (M,N), bias (N). The last mode is contiguous unless --a-major or --b-major chooses another; with --batch all\n\
have a further mode L. Rows (or columns, if those are contiguous) and the matrices of a batch begin at multiples of 16 bytes.\n\
\n\
The host function makes the descriptors and launches clusters with at most `blocks` blocks in total, each of which computes one\n\
tile of D after the other. With --scheduler clc it launches one cluster per tile and has no `blocks`; clusters that run cancel others\n\
and compute their tiles. A block has one warp that loads tiles, one that issues MMAs, one that allocates tensor memory, and four\n\
that store D.\n\
\n\
Written by `cutec build gemm_sm100 --emit cute`; `cutec build gemm_sm100 --help` lists tiles and types.";
    /// The kernel's symbol.
    pub const NAME: &'static str = "gemm_sm100";

    /// The kernel and its host function as cute IR.
    ///
    /// # Errors
    /// Returns an error if the parameters do not fit together.
    pub fn build<'c>(&self, context: &'c Context) -> Result<Module<'c>, Error> {
        self.plan()?.module(context)
    }

    fn plan(&self) -> Result<Plan, Error> {
        let n = Numbers::new(self.types, self.out)?;
        let (ctas, m_tile, n_tile) = (self.ctas, self.m_tile, self.n_tile);
        let k = self.k_tile.unwrap_or(n.k_tile());
        rule([1, 2].contains(&ctas), || {
            format!("{ctas} blocks that multiply one tile: 1 or 2 are possible")
        })?;
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
        rule((1..=MOST_COLUMNS).contains(&n_tile) && n_tile % n.columns() == 0, || {
            format!(
                "a tile of {n_tile} columns: D is stored {} columns at a time, and a tile has at most {MOST_COLUMNS} columns, because tensor memory holds two tiles",
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
        rule(k > 0 && k % n.k == 0, || {
            format!("a K tile of {k} is not a multiple of {}, which tcgen05.mma takes at once", n.k)
        })?;
        let cluster = [self.m_cluster.unwrap_or(ctas), self.n_cluster];
        rule(
            cluster.iter().all(|c| [1, 2, 4].contains(c))
                && cluster[0] * cluster[1] <= 8
                && cluster[0] % ctas == 0,
            || {
                format!(
                    "clusters of {} x {} blocks: {} along M and 1, 2 or 4 along N are possible, and 8 in all",
                    cluster[0],
                    cluster[1],
                    if ctas == 2 { "2 or 4, whole pairs," } else { "1, 2 or 4" }
                )
            },
        )?;
        for (name, major) in [("A", self.a_major), ("B", self.b_major)] {
            rule(major == Major::K || n.bits < 32, || {
                format!(
                    "{name} of {} is multiplied with K contiguous only: elements of 32 bits are not transposed; transpose {name} in memory, or take f16 or bf16",
                    types::name(n.factor)
                )
            })?;
        }
        let pair = ctas == 2;
        let loads = [cluster[1], cluster[0] / ctas].map(|blocks| Loads { pair, blocks });
        let parts = [("A", rows, self.a_major, loads[0]), ("B", n_tile / ctas, self.b_major, loads[1])];
        let shared = parts.map(|(name, rows, major, Loads { blocks, .. })| {
            let unit = if major == Major::K { 8 } else { n.k_tile() };
            rule(blocks == 1 || rows % (unit * blocks) == 0, || {
                format!(
                    "{blocks} blocks cannot bring equal parts of a tile of {rows} rows of {name}: take a multiple of {}",
                    unit * blocks
                )
            })?;
            SharedTile::new(name, n.elem, [rows, k], major)
        });
        let [a, b] = shared;
        let shared = [a?, b?];
        let (finish, batch) = (self.finish(&n)?, self.batch);
        let sums = SharedTile::new("D", n.out, [rows, n.columns()], Major::K)?;
        let (majors, tile) = ([self.a_major, self.b_major], [rows, n_tile]);
        let scheduler = self.scheduler;
        let problem =
            Problem { numbers: n, majors, batch, finish, tile, cluster, scheduler, shared, loads, sums };
        let stages = types::stages(self.stages, problem.stage(), Plan::slots(&problem, registers))?;
        Ok(Plan { name: Self::NAME, problem, k, stages, ctas, registers })
    }
}
