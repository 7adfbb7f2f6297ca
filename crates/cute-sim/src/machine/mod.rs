//! Running a kernel: clusters on all host threads and in turns, the warps of a cluster's blocks in
//! turns, the lanes of a warp together.
//!
//! | file | subject |
//! |---|---|
//! | `launch` | the description of a launch |
//! | `device` | the state that all clusters share |
//! | `grid`, `starts` | the turns of clusters; the order in which they begin |
//! | `workers` | the host threads |
//! | `cluster`, `block` | the state of a cluster's warps; its blocks |
//! | `parts` | the parts of a cluster that it lends |
//! | `issuing`, `issuer` | the parts of a warp that it lends; the lanes that execute an instruction |
//! | `resident` | the turns of a cluster's warps |
//! | `group` | instructions of warpgroups |
//! | `convergence`, `stack` | the lanes of a warp, diverged and together; their local memory |
//! | `warp`, `wait` | a warp: its registers, its lanes diverged and together; why they wait |
//! | `marks` | what instructions leave on a warp: its turn, its last read, its questions |
//! | `leaving` | blocks that return too early |
//! | `gather`, `divergence` | lanes that execute an instruction together, and those that never reach it |
//! | `stuck` | deadlock reports |
//! | `rounding` | lanes that store one sum, rounded in different ways |
//! | `journal` | what a cluster tells: findings, counters, output, events |
//! | `scene` | the names of threads, instructions and memory |
//! | `counters`, `printed` | counters, and what kernels print |
//! | `observe` | waits, as an observer sees them |
//!
//! The effect of each instruction is in [`exec`](crate::exec).

mod block;
pub(crate) mod cluster;
pub(crate) mod convergence;
mod counters;
pub(crate) mod device;
pub(crate) mod divergence;
mod gather;
mod grid;
pub(crate) mod group;
pub(crate) mod issuer;
pub(crate) mod issuing;
pub(crate) mod journal;
mod launch;
mod leaving;
pub(crate) mod marks;
mod observe;
pub(crate) mod parts;
pub(crate) mod poll;
pub(crate) mod printed;
mod resident;
pub(crate) mod rounding;
pub(crate) mod scene;
mod spins;
pub(crate) mod stack;
mod starts;
mod stop;
mod stuck;
mod wait;
pub(crate) mod warp;
pub mod workers;

pub use crate::schedule::{Elected, Election, Schedule};
pub use launch::{Arg, Launch, Start};
pub use stop::Stop;

use crate::error::Error;
use crate::events::Launched;
use crate::finding::FindingKind;
use crate::memory::Memory;
use crate::program::{Kernel, Program};
use crate::race::{Dependence, Executed};
use crate::report::{LeftOut, Report, Stats};
use counters::Counters;
use cute_machine::accuracy::accuracies;
use device::Machine;
use launch::Given;
use printed::Printed;
use resident::Outcome;
use std::collections::BTreeSet;
use std::sync::PoisonError;

pub(crate) use cute_arch::WARP;

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

    /// How the threads of a launch begin, for those who follow them without running it.
    ///
    /// # Errors
    ///
    /// [`Error::NoKernel`] and [`Error::Launch`].
    pub fn start(&self, launch: &Launch, memory: &mut Memory, args: &[Arg]) -> Result<Start, Error> {
        let kernel = self.kernels.iter().find(|k| k.name == launch.kernel);
        let kernel = kernel.ok_or_else(|| Error::NoKernel(launch.kernel.clone()))?;
        let variables = memory.place(&kernel.variables);
        let Given { registers, constants } = launch.give(kernel, memory, args, &variables)?;
        Ok(Start { registers, constants: constants.into_iter().map(|constant| constant.bytes).collect() })
    }

    /// Runs one launch of a kernel to its end, or until a finding stops it, and returns the report.
    ///
    /// Clusters run in any order, concurrently on several host threads, and take turns where they
    /// wait for each other: all clusters of the grid are resident together, up to 2 GiB of host
    /// memory. A block without a cluster is a cluster of its own. The warps of a cluster take
    /// turns. The results and findings within a cluster are the same every time, for the same
    /// [`Schedule`]. `finished` is called for each block that ends.
    ///
    /// A race, or a read of an uninitialised byte of shared memory, is recorded, and the cluster
    /// continues. After any other finding its cluster stops, and so do later clusters. `memory`
    /// then holds what was written until then.
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
        let variables = memory.place(&kernel.variables);
        let meets = launch.cooperative && kernel.meets_grid();
        let workspace = if meets { memory.workspace(launch.stream) } else { 0 };
        if kernel.uses_heap() {
            memory.make_heap();
        }
        let given = launch.give(kernel, memory, args, &variables)?;
        let begun = memory.launches.begin(&launch.kernel, launch.stream, launch.begins_early);
        let beside = begun.beside.clone().filter(|_| launch.check_races);
        let machine = Machine::new(kernel, launch, given, memory, (workspace, beside));
        let clusters = machine.running();
        if let Some(watcher) = &launch.watcher {
            let Launch { kernel, grid, schedule, .. } = launch;
            watcher.0.launch(&Launched { kernel, grid: *grid, schedule: *schedule });
        }
        let total = grid::run(&machine, clusters, &finished);
        let (is_complete, sample) = (!machine.is_stopped(), machine.sample());
        let Machine { shadow, sync, .. } = machine;
        let is_kept = launch.is_overlapped && launch.check_races;
        let executed = is_kept.then(|| Executed {
            kernel: kernel.name.clone(),
            sites: kernel.sites.iter().map(|site| (site.op.clone(), site.location.clone())).collect(),
            grid: launch.grid,
            cluster: launch.cluster(kernel),
            block: launch.block,
            shadow,
            sync: sync.into_inner().unwrap_or_else(PoisonError::into_inner),
        });
        memory.launches.end(&begun, total.dependence, executed);
        let mut report = total.report(kernel, launch.pedantic);
        let hangs = |f: &crate::finding::Finding| matches!(f.kind, FindingKind::Hang { .. });
        report.is_complete = is_complete && !report.findings.iter().any(hangs);
        report.sample = sample;
        Ok(report)
    }
}

/// The combined results of clusters.
struct Total {
    /// Those of clusters with findings or output.
    outcomes: Vec<Said>,
    counters: Counters,
    stats: Stats,
    dependence: Dependence,
    racy_loads: BTreeSet<u32>,
}

struct Said {
    place: u32,
    findings: Vec<crate::finding::Finding>,
    left_out: LeftOut,
    output: Printed,
}

impl Total {
    fn new(kernel: &Kernel) -> Self {
        let counters = Counters::new(kernel.code.len());
        let dependence = Dependence::of_blocks(&[]);
        let racy_loads = BTreeSet::new();
        Total { outcomes: Vec::new(), counters, stats: Stats::default(), dependence, racy_loads }
    }

    fn add(&mut self, outcome: Outcome) {
        self.counters.add(&outcome.counters);
        self.stats.add(&outcome.stats);
        self.dependence = self.dependence.join(outcome.dependence);
        let Outcome { place, findings, left_out, output, racy_loads, .. } = outcome;
        self.racy_loads.extend(racy_loads);
        if !findings.is_empty() || !output.is_empty() {
            self.outcomes.push(Said { place, findings, left_out, output });
        }
    }

    fn join(mut self, other: Total) -> Total {
        self.counters.add(&other.counters);
        self.stats.add(&other.stats);
        self.dependence = self.dependence.join(other.dependence);
        self.outcomes.extend(other.outcomes);
        self.racy_loads.extend(other.racy_loads);
        self
    }

    fn report(mut self, kernel: &Kernel, pedantic: bool) -> Report {
        self.outcomes.sort_by_key(|o| o.place);
        let mut findings: Vec<crate::finding::Finding> = Vec::new();
        let (mut left_out, mut output) = (LeftOut::default(), Printed::default());
        for said in self.outcomes {
            output.join(&said.output);
            left_out.extend(said.left_out);
            for finding in said.findings {
                // The same mistake in another cluster.
                match findings.iter().position(|f| f.is_like(&finding)) {
                    Some(i) => findings[i].absorb(finding),
                    None if findings.len() < MOST_FINDINGS => findings.push(finding),
                    None => left_out.add(&finding),
                }
            }
        }
        left_out.forget(&findings);
        let (left_out, hidden_left_out) = left_out.divide(pedantic);
        let (output, output_left_out) = output.finish();
        let (findings, hidden_notes) =
            findings.into_iter().partition(|finding| pedantic || finding.is_shown_by_default());
        Report {
            kernel: kernel.name.clone(),
            findings,
            left_out,
            hidden_notes,
            hidden_left_out,
            accepted: Vec::new(),
            is_complete: true,
            sample: None,
            racy_loads: self.racy_loads.into_iter().collect(),
            stats: self.stats,
            sites: self.counters.sites(kernel),
            buffers: self.counters.buffers(kernel),
            elections: self.counters.elections(kernel),
            sums: self.counters.sums.clone(),
            mix: self.counters.mix(kernel),
            executed: self.counters.threads,
            approximate: kernel.approximate.iter().flat_map(|name| accuracies(name)).copied().collect(),
            output,
            output_left_out,
        }
    }
}
