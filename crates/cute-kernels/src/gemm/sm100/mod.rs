//! GEMM on the tensor cores of Blackwell: `tcgen05.mma` on tiles that the TMA brings, by one block or a pair of them, with sums in
//! tensor memory, and warps with roles.

mod kernel;
mod plan;

use clap::Args;
use cute_arch::atoms::Major;
use melior::{Context, ir::Module};

use self::plan::Plan;
use super::{
    finish::{Activation, Finish},
    problem::Problem,
    store::Registers,
    types::{self, Numbers, Out, Types, major, rule},
};
use crate::{
    Error,
    tma::{Loads, SharedTile},
};

/// What to build.
#[derive(Debug, Clone, Args)]
pub struct GemmSm100 {
    /// Types of A and B
    #[arg(long, value_enum, default_value = "bf16")]
    pub types: Types,
    /// Type of D; that of A for f16 and bf16, that of the sums otherwise
    #[arg(long, value_enum)]
    pub out: Option<Out>,
    /// Blocks that multiply one tile: 1, or a pair
    #[arg(long, default_value_t = 2)]
    pub ctas: i64,
    /// Rows of A that are multiplied at once: 64 or 128 by a block, 128 or 256 by a pair
    #[arg(long, default_value_t = 256)]
    pub m_tile: i64,
    /// Rows of B that are multiplied at once
    #[arg(long, default_value_t = 256)]
    pub n_tile: i64,
    /// Columns of A and B in a stage; 128 bytes of them where it is left out
    #[arg(long)]
    pub k_tile: Option<i64>,
    /// K tiles in shared memory; as many as fit where it is left out
    #[arg(long)]
    pub stages: Option<i64>,
    /// Blocks of a cluster along M, of which each second one shares tiles of B in a pair; one pair or block where it is left out
    #[arg(long)]
    pub m_cluster: Option<i64>,
    /// Blocks of a cluster along N, which share tiles of A
    #[arg(long, default_value_t = 1)]
    pub n_cluster: i64,
    /// D is scaled by alpha, a number of f32 given at run time
    #[arg(long)]
    pub alpha: bool,
    /// C (M,N), of D's type, is added to D, scaled by beta, a number of f32 given at run time
    #[arg(long)]
    pub beta: bool,
    /// A vector (N) of f32 is added to each row of D
    #[arg(long)]
    pub bias: bool,
    /// What D goes through at last
    #[arg(long, value_enum)]
    pub activation: Option<Activation>,
    /// Many products at once: A (M,K,L), B (N,K,L), C and D (M,N,L), bias (N,L)
    #[arg(long)]
    pub batch: bool,
    /// The contiguous mode of A (M,K)
    #[arg(long, default_value = "k", value_parser = major("m"))]
    pub a_major: Major,
    /// The contiguous mode of B (N,K)
    #[arg(long, default_value = "k", value_parser = major("n"))]
    pub b_major: Major,
}

impl Default for GemmSm100 {
    fn default() -> Self {
        Self {
            types: Types::Bf16,
            out: None,
            ctas: 2,
            m_tile: 256,
            n_tile: 256,
            k_tile: None,
            stages: None,
            m_cluster: None,
            n_cluster: 1,
            alpha: false,
            beta: false,
            bias: false,
            activation: None,
            batch: false,
            a_major: Major::K,
            b_major: Major::K,
        }
    }
}

/// Columns of an MMA at most.
const MOST_COLUMNS: i64 = 256;

impl GemmSm100 {
    /// What it does and how it is launched, as a comment ahead of its IR.
    pub const ABOUT: &'static str = "\
D = act(alpha A B^T + beta C + bias) by the TMA and tcgen05.mma, of which it has what it was built with: A (M,K), B (N,K), C and D (M,N),\n\
bias (N), the last mode contiguous where --a-major and --b-major do not say otherwise; with --batch all have a further mode L. Rows,\n\
columns where those are contiguous, and matrices of a batch begin at multiples of 16 bytes.\n\
\n\
The host function makes the descriptors and launches clusters of at most `blocks` blocks in all, each of which takes one tile of D\n\
after the other. A block has a warp that brings tiles, one that starts products, one that allocates tensor memory, and four that store D.\n\
\n\
Written by `cutec build gemm_sm100 --emit cute`; `cutec build gemm_sm100 --help` lists tiles and types.";
    /// The kernel's symbol.
    pub const NAME: &'static str = "gemm_sm100";

    /// The kernel and its host function as cute IR.
    ///
    /// # Errors
    /// Parameters that do not fit together.
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
                    "a tile of {m_tile} rows: a block multiplies 64 or 128 at once, and 256 are those of a pair, --ctas 2"
                )));
            }
            _ => {
                return Err(Error::Parameters(format!(
                    "a tile of {m_tile} rows: a pair of blocks multiplies 128 or 256 at once, and 64 are those of a block, --ctas 1"
                )));
            }
        };
        rule((1..=MOST_COLUMNS).contains(&n_tile) && n_tile % n.columns() == 0, || {
            format!(
                "a tile of {n_tile} columns: D is stored by {} columns, and tcgen05.mma has at most {MOST_COLUMNS}, of which tensor memory holds two tiles",
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
                    n.factor
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
            SharedTile::new(name, (n.elem, n.bits), [rows, k], major)
        });
        let [a, b] = shared;
        let shared = [a?, b?];
        let Self { alpha, beta, bias, activation, batch, .. } = *self;
        let finish = Finish { alpha, beta, bias, activation };
        rule(n.sum == "f32" || finish.is_none(), || {
            "alpha, beta, a bias and activations of sums of i32: not supported; take D = A B^T, or floats"
                .into()
        })?;
        let sums = SharedTile::new("D", (n.out, n.out_bits), [rows, n.columns()], Major::K)?;
        let (majors, tile) = ([self.a_major, self.b_major], [rows, n_tile]);
        let problem = Problem { numbers: n, majors, batch, finish, tile, cluster, shared, loads, sums };
        let stages = types::stages(self.stages, problem.stage(), Plan::slots(&problem, registers))?;
        Ok(Plan { name: Self::NAME, problem, k, stages, ctas, registers })
    }
}
