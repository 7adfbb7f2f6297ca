//! The place without a GPU.

use super::{
    bind::Array,
    cli::Cli,
    job::{Job, Outcome, Place},
    report::Report,
    sample::{at_once, differ, each, merge, schedules},
};
use crate::error::{Error, Result};
use cute_session::{
    Launch, Shape,
    simulate::{Checks, simulate},
};
use cute_sim::{Buffer, Memory, Program, Schedule};
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
        let launches = job.launches(&addresses)?;
        let Cli { schedule, schedules: count, .. } = self.options;
        let schedules = schedules(*schedule, *count, &self.program, &launches);
        let bytes = job.arrays.iter().map(|array| array.bytes.len()).sum();
        let at_once = at_once(schedules.len(), &launches, bytes);

        let run = |schedule: Schedule, mut memory: Memory, is_alone: bool| {
            let reports = self.launches(&launches, schedule, &mut memory, is_alone)?;
            Ok((reports, memory))
        };
        let (mut reports, mut differences) = (Vec::new(), Vec::new());
        let mut first: Option<First> = None;
        each(&schedules, at_once, memory, run, |schedule, (own, memory)| {
            let is_right = own.iter().all(|report| report.errors().next().is_none());
            match &first {
                None => {
                    let written = buffers.iter().map(|b| memory.is_written(*b)).collect();
                    let arrays = arrays(&job.arrays, &buffers, &memory);
                    first = Some(First { schedule, is_right, arrays, written });
                }
                Some(first) if first.is_right && is_right => {
                    let own = arrays(&job.arrays, &buffers, &memory);
                    let theirs = (first.schedule, &first.arrays[..]);
                    differ(&mut differences, &job.arrays, theirs, (schedule, &own));
                }
                Some(_) => {}
            }
            match schedules.len() {
                1 => reports = own,
                _ => merge(&mut reports, schedule, own),
            }
        })?;
        let shapes = launches.into_iter().map(|launch| launch.shape);
        let reports = shapes.zip(reports.into_iter().map(Report::Simulator)).collect();
        let (arrays, written) =
            first.map_or_else(Default::default, |First { arrays, written, .. }| (arrays, written));
        let mut reports = job.reports(reports);
        // Arrays may differ because of an error, which is reported itself.
        reports.differences = if reports.findings().is_none() { differences } else { Vec::new() };
        reports.schedules = schedules;
        Ok(Outcome { reports, arrays, written: Some(written) })
    }
}

/// The result of the first schedule.
struct First {
    schedule: Schedule,
    /// Whether it has no error.
    is_right: bool,
    /// The contents of the arrays, and whether a kernel stored to them.
    arrays: Vec<Vec<u8>>,
    written: Vec<bool>,
}

/// The bytes of each array, row by row.
fn arrays(arrays: &[Array], buffers: &[Buffer], memory: &Memory) -> Vec<Vec<u8>> {
    arrays.iter().zip(buffers).map(|(a, b)| a.rows(memory.download_bytes(*b))).collect()
}

impl Simulator<'_> {
    /// Runs the launches in order, up to the first with an error.
    fn launches(
        &self,
        launches: &[Launch<'_>],
        schedule: Schedule,
        memory: &mut Memory,
        is_alone: bool,
    ) -> Result<Vec<cute_sim::Report>> {
        let checks = Checks {
            schedule,
            budget: self.options.budget,
            races: !self.options.no_races,
            pedantic: self.options.pedantic,
            overflow: !self.options.allow_overflow,
        };
        let mut reports = Vec::new();
        for (i, launch) in launches.iter().enumerate() {
            let bar = if is_alone { progress(&launch.shape) } else { ProgressBar::hidden() };
            let next = launches.get(i + 1);
            let report = simulate(&self.program, &checks, launch, next, memory, |_| bar.inc(1));
            bar.finish_and_clear();
            reports.push(report?);
            if reports.last().is_some_and(|report| report.errors().next().is_some()) {
                break;
            }
        }
        Ok(reports)
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
