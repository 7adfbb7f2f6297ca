//! Running a kernel: clusters on all host threads and in turns, the warps of a cluster's blocks in turns, the lanes of a
//! warp together.
//!
//! | file | subject |
//! |---|---|
//! | `launch` | what a launch asks for |
//! | `device` | what all clusters share |
//! | `grid` | which cluster runs when |
//! | `cluster`, `block` | what the instructions of a cluster's warps see; its blocks |
//! | `resident`, `schedule` | the warps of a cluster in turns, and in which order |
//! | `group`, `registers` | four warps that execute an instruction together; the registers that they hand to each other |
//! | `warp` | a warp: its registers, its lanes apart and together |
//! | `leaving` | blocks that return too early |
//! | `barrier`, `rendezvous` | barriers of a block and of a warp; the barrier of a cluster |
//! | `stuck` | what to say when nobody comes |
//! | `counters`, `findings` | what is counted and found |
//!
//! What each instruction does is in [`exec`](crate::exec).

pub(crate) mod barrier;
pub(crate) mod block;
pub(crate) mod cluster;
mod counters;
mod device;
mod findings;
mod grid;
pub(crate) mod group;
mod launch;
mod leaving;
mod registers;
mod rendezvous;
mod resident;
pub(crate) mod schedule;
mod stuck;
pub(crate) mod warp;

pub use launch::{Arg, Launch};
pub use schedule::Schedule;

use crate::error::Error;
use crate::memory::Memory;
use crate::program::{Kernel, Program};
use crate::report::{Report, Stats};
use crate::value::accuracy::accuracies;
use counters::Counters;
use device::Machine;
use resident::Outcome;

/// Lanes of a warp.
pub(crate) const WARP: u32 = 32;

/// Different findings that a report holds at most.
const MOST_FINDINGS: usize = 256;

impl Program {
    /// Runs one launch of a kernel, and fails if the kernel did something wrong.
    ///
    /// # Errors
    ///
    /// Those of [`simulate`](Self::simulate), and [`Error::Findings`] with the whole report.
    pub fn run(&self, launch: &Launch, memory: &mut Memory, args: &[Arg]) -> Result<Report, Error> {
        let report = self.simulate(launch, memory, args, |_| {})?;
        if report.errors().next().is_none() { Ok(report) } else { Err(Error::Findings(Box::new(report))) }
    }

    /// Runs one launch of a kernel to its end, or as far as it goes, and reports what it did.
    ///
    /// Clusters run in any order, at once on several host threads, and take turns where they wait for each other: all
    /// clusters of the grid are resident together, up to 2 GiB of host memory. A block that is in no cluster is one. The
    /// warps of a cluster take turns; what the kernel computes and what is found within a cluster is the same every time,
    /// for the same [`Schedule`]. `finished` hears of each block that ends.
    ///
    /// A race or a read of an empty byte of shared memory is noted, and the cluster goes on; after any other finding its
    /// cluster stops, and so do the clusters behind it. `memory` then holds what was written until there.
    ///
    /// # Errors
    ///
    /// [`Error::NoKernel`] and [`Error::Launch`] before anything runs.
    pub fn simulate(
        &self,
        launch: &Launch,
        memory: &mut Memory,
        args: &[Arg],
        finished: impl Fn(u32) + Sync,
    ) -> Result<Report, Error> {
        let kernel = self.kernels.iter().find(|k| k.name == launch.kernel);
        let kernel = kernel.ok_or_else(|| Error::NoKernel(launch.kernel.clone()))?;
        let given = launch.give(kernel, memory, args)?;
        let machine = Machine::new(kernel, launch, given, memory);
        let clusters = machine.clusters().iter().product();
        Ok(grid::run(&machine, clusters, &finished).report(kernel))
    }
}

/// What clusters left behind.
struct Total {
    /// Of clusters that found or printed something.
    outcomes: Vec<Said>,
    counters: Counters,
    stats: Stats,
}

struct Said {
    number: u32,
    findings: Vec<crate::finding::Finding>,
    output: String,
}

impl Total {
    fn new(kernel: &Kernel) -> Self {
        let counters = Counters::new(kernel.code.len());
        Total { outcomes: Vec::new(), counters, stats: Stats::default() }
    }

    fn add(&mut self, outcome: Outcome) {
        self.counters.add(&outcome.counters);
        self.stats.add(&outcome.stats);
        let Outcome { number, findings, output, .. } = outcome;
        if !findings.is_empty() || !output.is_empty() {
            self.outcomes.push(Said { number, findings, output });
        }
    }

    fn join(mut self, other: Total) -> Total {
        self.counters.add(&other.counters);
        self.stats.add(&other.stats);
        self.outcomes.extend(other.outcomes);
        self
    }

    fn report(mut self, kernel: &Kernel) -> Report {
        self.outcomes.sort_by_key(|o| o.number);
        let mut findings: Vec<crate::finding::Finding> = Vec::new();
        let mut output = String::new();
        for said in self.outcomes {
            output += &said.output;
            for finding in said.findings {
                // The same mistake in another cluster.
                match findings.iter().position(|f| f.is_like(&finding)) {
                    Some(i) => findings[i].count += finding.count,
                    None if findings.len() < MOST_FINDINGS => findings.push(finding),
                    None => {}
                }
            }
        }
        Report {
            kernel: kernel.name.clone(),
            findings,
            stats: self.stats,
            sites: self.counters.sites(kernel),
            mix: self.counters.mix(kernel),
            approximate: kernel.approximate.iter().flat_map(|name| accuracies(name)).copied().collect(),
            output,
        }
    }
}
