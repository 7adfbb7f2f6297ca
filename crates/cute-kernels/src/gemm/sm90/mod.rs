//! GEMM on the tensor cores of Hopper: `wgmma` on tiles that the TMA loads, by specialised
//! warpgroups.

mod kernel;
mod plan;

use clap::ValueEnum;
use cute_arch::{Element, Target, atoms::Major};
use melior::{Context, ir::Module};

use self::plan::Plan;
pub use super::{
    activation::Activation,
    types::{Out, Types},
};
use super::{
    options::{CLUSTER, about_gemm, gemm_options},
    problem::{Problem, Scheduler},
    room::Limits,
    shares::{GROUP, Shares},
    types::{self, Numbers, rule},
};
use crate::{
    Error,
    options::{KernelBuilder, Number, Range, check_ranges},
    tma::{Loads, SharedTile},
};

/// How warpgroups share the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WarpgroupSchedule {
    /// All multiply parts of one tile
    Cooperative,
    /// Each multiplies its own tile while another stores the previous one
    Pingpong,
}

gemm_options! {
    GemmSm90 {
        number m_tile = 128 in Range::multiples(ATOM_M, ATOM_M, 512), "Rows of A per block";
        number n_tile = 256 in Range::multiples(32, 32, 256), "Rows of B per block";
    } {
        optional consumers in Range::between(1, 3),
            "Warpgroups that multiply, each 64 rows of a tile at once", "2, or 1 for a cooperative tile of 64 rows";
        choice schedule: WarpgroupSchedule = WarpgroupSchedule::Cooperative, "How warpgroups share the work";
        number m_cluster = 2 in CLUSTER, "Blocks of a cluster along M, which share tiles of B";
    } {
        optional promote in Range::between(1, 65536),
            "Number of K tiles of f8 after which accumulators are added to a total in f32, because the tensor \
             cores keep fewer bits than f32", "never";
    }
}

/// Rows of an MMA of a warpgroup.
const ATOM_M: i64 = 64;
/// Registers of a thread that multiplies, beside its accumulators.
const OTHER_REGISTERS: i64 = 40;

impl GemmSm90 {
    /// A description of the kernel and its launch, as a comment before its IR.
    pub const ABOUT: &'static str = about_gemm!(
        "the TMA and wgmma",
        "\
Rows (or columns, if those are contiguous) and the matrices of a batch begin at multiples of 16 bytes.\n\
\n\
The host function makes the descriptors and launches clusters with at most `blocks` blocks in total, each of which computes one\n\
tile of D after the other. A block has a warpgroup that loads tiles and warpgroups that multiply them.\n\
\n\
Written by `cutec build gemm_sm90 --emit cute`; `cutec build gemm_sm90 --help` lists tiles and types."
    );
    /// The kernel's symbol.
    pub const NAME: &'static str = "gemm_sm90";

    fn consumers(&self) -> i64 {
        let own = match self.schedule {
            WarpgroupSchedule::Cooperative => (self.m_tile / ATOM_M).clamp(1, 2),
            WarpgroupSchedule::Pingpong => 2,
        };
        self.consumers.unwrap_or(own)
    }

    fn plan(&self, limits: Limits) -> Result<Plan, Error> {
        check_ranges(&self.numbers())?;
        let n = Numbers::new(self.types, self.out)?.plain("wgmma")?.with_plain_result("gemm_sm90")?;
        let (consumers, cluster) = (self.consumers(), [self.m_cluster, self.n_cluster]);
        let k = self.k_tile.unwrap_or(n.k_tile());
        let [m_tile, n_tile] = [self.m_tile, self.n_tile];
        let together = if self.schedule == WarpgroupSchedule::Pingpong { 1 } else { consumers };
        rule(together == consumers || consumers == 2, || {
            format!("{consumers} warpgroups with the schedule pingpong are not supported; take two")
        })?;
        rule(m_tile % (ATOM_M * together) == 0, || {
            format!(
                "a tile of {m_tile} rows is not a multiple of {}, which {} at once",
                ATOM_M * together,
                if together == 1 {
                    "a warpgroup multiplies".into()
                } else {
                    format!("{together} warpgroups multiply")
                }
            )
        })?;
        rule(n_tile % n.columns() == 0, || {
            format!(
                "a tile of {n_tile} columns: D is stored {0} columns at a time; take a multiple of {0}",
                n.columns()
            )
        })?;
        rule(k % n.k == 0, || {
            format!("a K tile of {k} is not a multiple of {}, which wgmma takes at once", n.k)
        })?;
        let most = Target::MAX_PORTABLE_CLUSTER;
        rule(cluster[0] * cluster[1] <= most.into(), || {
            format!("clusters of {} x {} blocks: {most} in all are possible", cluster[0], cluster[1])
        })?;
        for (name, major) in [("A", self.a_major), ("B", self.b_major)] {
            rule(major == Major::K || n.bits == 16, || {
                format!(
                    "{name} of {} must be K-major: wgmma transposes 16-bit elements only; transpose {name} in memory, or take f16 or bf16",
                    types::name(n.operand)
                )
            })?;
        }
        rule(self.promote.is_none() || (n.bits == 8 && n.accumulator == Element::F32), || {
            format!("MMAs of {} already accumulate in f32; leave out --promote", types::name(n.operand))
        })?;
        let registers = Shares::of(limits, consumers);
        let copies = if self.promote.is_some() { 2 } else { 1 };
        let (accumulators, most) =
            (copies * m_tile * n_tile / (GROUP * together), registers.consumer - OTHER_REGISTERS);
        rule(accumulators <= most, || {
            format!(
                "a tile of {m_tile} x {n_tile} has {accumulators} accumulators for each of {} threads, which leaves \
                 too few registers: at most {most} are possible; take a smaller tile{}",
                GROUP * together,
                if together == 1 { ", or two warpgroups that multiply it together" } else { "" }
            )
        })?;
        let shared = [("A", m_tile, self.a_major, cluster[1]), ("B", n_tile, self.b_major, cluster[0])];
        let shared = shared.map(|(name, rows, major, shares)| {
            rule(rows % (8 * shares) == 0 && (major == Major::K || rows % (64 * shares) == 0), || {
                format!(
                    "{shares} blocks cannot load equal parts of a tile of {rows} rows of {name}: take a \
                     multiple of {}",
                    64 * shares
                )
            })?;
            SharedTile::new(name, n.elem, [rows, k], major)
        });
        let [a, b] = shared;
        let shared = [a?, b?];
        let out_tile = SharedTile::new("D", n.out, [ATOM_M, n.columns()], Major::K)?;
        let finish = self.finish(&n)?;
        let loads = [cluster[1], cluster[0]].map(|blocks| Loads { pair: false, blocks });
        let (majors, tile, batch) = ([self.a_major, self.b_major], [m_tile, n_tile], self.batch);
        let scheduler = Scheduler::Static;
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
            scales: None,
        };
        let stages = limits.stages(self.stages, problem.stage(), Plan::slots(&problem, consumers))?;
        let promote = self.promote;
        Ok(Plan { name: Self::NAME, problem, k, stages, consumers, together, promote, registers })
    }
}

impl KernelBuilder for GemmSm90 {
    const NAME: &'static str = Self::NAME;
    /// The largest tiles leave few registers for the polynomials of an activation.
    const SPILLS: u32 = 256;

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
