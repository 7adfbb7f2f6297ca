//! The place without a GPU.

use super::{
    cli::Cli,
    job::{self, Job, Outcome, Place},
    report::{Report, Shape},
};
use crate::error::{Error, Result};
use cute_driver::manifest::Passed;
use cute_sim::{Arg, Launch, Memory, Program};
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// A decoded program, and how to run it.
pub struct Simulator<'o> {
    /// The program of the whole file.
    pub program: Program,
    /// Budget and checks.
    pub options: &'o Cli,
}

impl Place for Simulator<'_> {
    fn run(&self, job: &Job<'_>) -> Result<Outcome> {
        let mut memory = Memory::new();
        let (buffers, addresses) = job.upload(|bytes| {
            let buffer = memory.upload_bytes(bytes);
            Ok((buffer, memory.address(buffer).expect("the buffer is one of this memory")))
        })?;
        job.arrays.iter().zip(&buffers).for_each(|(a, b)| memory.name(*b, &a.name));
        let mut reports = Vec::new();
        for launch in job.launches(&addresses)? {
            let report = self.launch(&launch, &mut memory)?;
            let is_wrong = report.findings() > 0;
            reports.push((launch.shape, report));
            if is_wrong {
                break;
            }
        }
        Ok(Outcome {
            reports: job.reports(reports),
            arrays: job.arrays.iter().zip(&buffers).map(|(a, b)| a.rows(memory.download_bytes(*b))).collect(),
            written: Some(buffers.iter().map(|b| memory.is_written(*b)).collect()),
        })
    }
}

impl Simulator<'_> {
    fn launch(&self, asked: &job::Launch<'_>, memory: &mut Memory) -> Result<Report> {
        let Shape { kernel, grid, block, shared_memory, cluster, .. } = &asked.shape;
        let mut launch = Launch::new(kernel, *grid, *block);
        launch.dynamic_shared = *shared_memory;
        launch.cluster = *cluster;
        launch.schedule = self.options.schedule;
        // A given budget is the only limit.
        (launch.budget, launch.idle) = match self.options.budget {
            Some(budget) => (budget, u64::MAX),
            None => (budget(&asked.shape), launch.idle),
        };
        launch.check_races = !self.options.no_races;
        launch.pedantic = self.options.pedantic;
        launch.check_overflow = !self.options.allow_overflow;
        let mut words = asked.words.iter().copied();
        let mut argument = |leaf: Passed| match leaf.kind.as_str() {
            "descriptor" => Arg::words(&words.by_ref().take(leaf.width as usize / 8).collect::<Vec<_>>()),
            _ => Arg::Bits(words.next().expect("there is a word for each leaf")),
        };
        let args: Vec<_> = asked.kernel.leaves().into_iter().map(&mut argument).collect();
        let bar = progress(&launch);
        let report = self.program.simulate(&launch, memory, &args, |_| bar.inc(1));
        bar.finish_and_clear();
        Ok(Report::Simulator(report.map_err(|e| Error::Simulator(Box::new(e)))?))
    }
}

/// The instruction budget of a kernel that ends, which depends on its threads. Most kernels that do
/// not end are found long before.
fn budget(shape: &Shape) -> u64 {
    let threads = shape.grid.iter().chain(&shape.block).fold(1u64, |n, e| n.saturating_mul(u64::from(*e)));
    threads.saturating_mul(BUDGET_OF_THREAD).max(BUDGET)
}

/// Default budget per thread, and the minimum for all threads.
const BUDGET_OF_THREAD: u64 = 1_000_000;
const BUDGET: u64 = 10_000_000_000;

fn progress(launch: &Launch) -> ProgressBar {
    let blocks = launch.grid.iter().map(|n| u64::from(*n)).product();
    let style =
        ProgressStyle::with_template("{wide_bar} {pos} of {len} blocks, {elapsed} so far, {eta} left");
    // The bar is drawn on standard error if that is a terminal. It is updated by time, because one
    // block may run for long.
    let bar = ProgressBar::new(blocks).with_style(style.expect("the template is well formed"));
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}
