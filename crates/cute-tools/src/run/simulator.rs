//! The place without a GPU.

use super::{
    cli::Cli,
    job::{Job, Outcome, Place},
    report::Report,
};
use crate::error::{Error, Result};
use cute_session::{
    Launch, Shape,
    simulate::{Checks, simulate},
};
use cute_sim::{Memory, Program};
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
            let none = || Error::NoMemory { bytes: bytes.len() };
            let buffer = memory.try_upload_bytes(bytes).ok_or_else(none)?;
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
    fn launch(&self, launch: &Launch<'_>, memory: &mut Memory) -> Result<Report> {
        let checks = Checks {
            schedule: self.options.schedule,
            budget: self.options.budget,
            races: !self.options.no_races,
            pedantic: self.options.pedantic,
            overflow: !self.options.allow_overflow,
        };
        let bar = progress(&launch.shape);
        let report = simulate(&self.program, &checks, launch, memory, |_| bar.inc(1));
        bar.finish_and_clear();
        Ok(Report::Simulator(report?))
    }
}

fn progress(shape: &Shape) -> ProgressBar {
    let blocks = shape.grid.iter().map(|n| u64::from(*n)).product();
    let style =
        ProgressStyle::with_template("{wide_bar} {pos} of {len} blocks, {elapsed} so far, {eta} left");
    // The bar is drawn on standard error if that is a terminal. It is updated by time, because one
    // block may run for long.
    let bar = ProgressBar::new(blocks).with_style(style.expect("the template is well formed"));
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}
