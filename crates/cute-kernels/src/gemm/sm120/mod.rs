//! GEMM on the tensor cores of Blackwell of the `sm_120` family: `mma.sync` on tiles that the TMA
//! loads, by specialised warps.
//!
//! The family has no tensor memory and no multicast, and 99 KB of shared memory per block. So a
//! block is alone, and its stages are short.

mod factors;
mod kernel;
mod multiply;
mod plan;

use cute_arch::{Target, atoms::Major};
use melior::{Context, ir::Module};

use self::plan::Plan;
use super::{
    options::{about_gemm, gemm_options},
    problem::{Problem, Scheduler},
    room::Limits,
    scales::Scales,
    shares::{GROUP, Shares},
    types::{self, Numbers, Types, rule},
};
use crate::{
    Error,
    options::{KernelBuilder, Number, Range, check_ranges},
    tma::{Loads, SharedTile},
};

gemm_options! {
    GemmSm120 {
        number m_tile = 128 in Range::multiples(GROUP_M, GROUP_M, 256), "Rows of A per block";
        number n_tile = 128 in Range::multiples(32, 32, 256), "Rows of B per block";
    } {
        number m_groups = 1 in Range::powers(1, 4), "Warpgroups along M, each of which multiplies 64 rows of a tile at once";
        number n_groups = 2 in Range::powers(1, 4), "Warpgroups along N, each of which multiplies an equal part of the columns";
    }
}

/// Rows that the four warps of a warpgroup multiply at once, 16 each.
const GROUP_M: i64 = 64;
/// Registers of a thread beside accumulators and operands.
const OTHER_REGISTERS: i64 = 24;

impl GemmSm120 {
    /// A description of the kernel and its launch, as a comment before its IR.
    pub const ABOUT: &'static str = about_gemm!(
        "the TMA and mma.sync",
        "\
mxf8, mxf4 and nvf4 have scale factors SFA and SFB: blocks of 512 bytes (256,2), each for 128 rows and four factors\n\
along K, (256,2,rows / 128,factors / 4), adjacent along K. Factors beyond K must not be NaN. Rows (or columns, if those are contiguous)\n\
and the matrices of a batch begin at multiples of 16 bytes.\n\
\n\
The host function makes the descriptors and launches at most `blocks` blocks, each of which computes one tile of D after the other.\n\
A block has a warpgroup that loads tiles and warpgroups that multiply and store them.\n\
\n\
Written by `cutec build gemm_sm120 --emit cute`; `cutec build gemm_sm120 --help` lists tiles and types."
    );
    /// The kernel's symbol.
    pub const NAME: &'static str = "gemm_sm120";

    fn plan(&self, limits: Limits) -> Result<Plan, Error> {
        check_ranges(&self.numbers())?;
        let n = Numbers::new(self.types, self.out)?.with_plain_result("gemm_sm120")?;
        rule(!matches!(self.types, Types::Mxf8E5m2 | Types::Mxf6E2m3 | Types::Mxf6E3m2), || {
            "gemm_sm120 takes mxf8, mxf4 and nvf4 of the types with scale factors: take one of them, or gemm_sm100"
                .into()
        })?;
        let [m_tile, n_tile] = [self.m_tile, self.n_tile];
        let [m_groups, n_groups] = [self.m_groups, self.n_groups];
        let k = self.k_tile.unwrap_or(n.short_k_tile());
        let groups = m_groups * n_groups;
        limits.check_block(GROUP * (groups + 1))?;
        let (rows, columns) = (GROUP_M * m_groups, n.columns() * n_groups);
        rule(m_tile % rows == 0, || {
            format!(
                "a tile of {m_tile} rows is not a multiple of {rows}, which {m_groups} warpgroups multiply at once"
            )
        })?;
        rule(n_tile % columns == 0, || {
            format!(
                "a tile of {n_tile} columns: each of {n_groups} warpgroups stores {} columns of D at a time; take a multiple of {columns}",
                n.columns()
            )
        })?;
        rule(k % n.k == 0, || {
            format!("a K tile of {k} is not a multiple of {}, which mma.sync takes at once", n.k)
        })?;
        let scales = Scales::of_blocks(&n, [m_tile, n_tile], k)?;
        let operands = [("A", m_tile, self.a_major), ("B", n_tile, self.b_major)];
        let shared = operands.map(|(name, rows, major)| {
            rule(major == Major::K || n.bits == 16, || {
                format!(
                    "{name} of {} must be K-major: ldmatrix transposes 16-bit elements only; transpose {name} in memory, or take f16 or bf16",
                    types::name(n.operand)
                )
            })?;
            SharedTile::new(name, n.elem, [rows, k], major)
        });
        let [a, b] = shared;
        let shared = [a?, b?];
        let accumulators = m_tile * n_tile / (GROUP * groups);
        // 32 bytes of each row, by 32 lanes, for the k-block that is multiplied and for the next.
        let operands = 2 * (m_tile / (4 * m_groups) + n_tile / n_groups) / 4;
        // A word for a row of each MMA of a k-block.
        let factors = (m_tile / rows + n_tile / n_groups / 8) * i64::from(n.scale.is_some());
        let registers = Shares::of(limits, groups);
        let needed = accumulators + operands + factors + OTHER_REGISTERS;
        rule(needed <= registers.consumer, || {
            format!(
                "a tile of {m_tile} x {n_tile} needs about {needed} registers for each of {} threads that multiply, which have {}: take a smaller tile",
                GROUP * groups,
                registers.consumer
            )
        })?;
        let (finish, batch) = (self.finish(&n)?, self.batch);
        let out_tile = SharedTile::new("D", n.out, [GROUP_M, n.columns()], Major::K)?;
        let (majors, tile, cluster) = ([self.a_major, self.b_major], [m_tile, n_tile], [1, 1]);
        let (scheduler, loads) = (Scheduler::Static, [Loads::ALONE; 2]);
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
        let stages = limits.stages(self.stages, problem.stage(), Plan::slots(&problem, groups))?;
        Ok(Plan { name: Self::NAME, problem, k, stages, groups: [m_groups, n_groups], registers })
    }
}

/// The limits of a target, or of the family, all of whose members have the same shared memory: the
/// default is not to fill that of another family.
fn limits(target: Option<Target>) -> Limits {
    Limits::of(target.or(Some(Target::Sm120a)))
}

impl KernelBuilder for GemmSm120 {
    const NAME: &'static str = Self::NAME;
    /// The largest tiles leave few registers for D of 8 bits and for the polynomials of an
    /// activation.
    const SPILLS: u32 = 256;

    fn numbers(&self) -> Vec<Number> {
        self.numbers()
    }

    fn about(&self) -> &'static str {
        Self::ABOUT
    }

    fn check(&self, target: Option<Target>) -> Result<(), Error> {
        self.plan(limits(target)).map(drop)
    }

    fn build_for<'c>(&self, context: &'c Context, target: Option<Target>) -> Result<Module<'c>, Error> {
        self.plan(limits(target))?.module(context)
    }
}
