//! The place without a GPU.

use super::{
    cli::Cli,
    element::Element,
    job::{Job, Outcome, Place, Report, Value},
};
use crate::error::{Error, Result};
use cute_sim::{Arg, Buffer, Launch, Memory, Program};
use half::{bf16, f16};
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// A decoded program, and how to run it.
pub struct Simulator<'o> {
    /// Of the whole file.
    pub program: Program,
    /// Budget and checks.
    pub options: &'o Cli,
}

impl Place for Simulator<'_> {
    fn run(&self, job: &Job<'_>) -> Result<Outcome> {
        let mut memory = Memory::new();
        let buffers: Vec<_> = job.arrays.iter().map(|a| memory.upload_bytes(&a.bytes)).collect();
        job.arrays.iter().zip(&buffers).for_each(|(a, b)| memory.name(*b, &a.name));
        let args: Vec<_> = job.values.iter().map(|v| arg(*v, &buffers)).collect();
        let mut launch = Launch::new(&job.kernel.name, job.grid, job.block);
        launch.dynamic_shared = job.shared;
        launch.cluster = self.options.cluster;
        launch.schedule = self.options.schedule;
        // A given budget is the only limit.
        (launch.budget, launch.idle) = match self.options.budget {
            Some(budget) => (budget, u64::MAX),
            None => (budget(job), launch.idle),
        };
        launch.check_races = !self.options.no_races;
        launch.check_overflow = !self.options.allow_overflow;
        let bar = progress(&launch);
        let report = self.program.simulate(&launch, &mut memory, &args, |_| bar.inc(1));
        bar.finish_and_clear();
        let report = report.map_err(|e| Error::Simulator(Box::new(e)))?;
        Ok(Outcome {
            report: Report::Simulator(report),
            arrays: job.arrays.iter().zip(&buffers).map(|(a, b)| a.rows(memory.download_bytes(*b))).collect(),
            written: Some(buffers.iter().map(|b| memory.is_written(*b)).collect()),
        })
    }
}

/// Instructions for kernels that end, by their threads. Most of those that do not end are found long before.
fn budget(job: &Job<'_>) -> u64 {
    let threads = job.grid.iter().chain(&job.block).fold(1u64, |n, e| n.saturating_mul(u64::from(*e)));
    threads.saturating_mul(BUDGET_OF_THREAD).max(BUDGET)
}

/// Instructions of a thread, and of all at least, where `--budget` says nothing.
const BUDGET_OF_THREAD: u64 = 1_000_000;
const BUDGET: u64 = 10_000_000_000;

fn arg(value: Value, buffers: &[Buffer]) -> Arg {
    match value {
        Value::Array(i) => Arg::Buffer(buffers[i]),
        Value::Null => Arg::Null,
        Value::Scalar(element, bits) => match element {
            Element::F16 => Arg::F16(f16::from_bits(bits as u16)),
            Element::Bf16 => Arg::Bf16(bf16::from_bits(bits as u16)),
            Element::F32 => Arg::F32(f32::from_bits(bits as u32)),
            Element::F64 => Arg::F64(f64::from_bits(bits)),
            Element::I1 => Arg::Bool(bits != 0),
            Element::I8 | Element::U8 | Element::E4m3 | Element::E5m2 | Element::E8m0 => Arg::I8(bits as i8),
            Element::I16 | Element::U16 => Arg::I16(bits as i16),
            Element::I32 | Element::U32 => Arg::I32(bits as i32),
            Element::I64 => Arg::I64(bits as i64),
        },
    }
}

fn progress(launch: &Launch) -> ProgressBar {
    let blocks = launch.grid.iter().map(|n| u64::from(*n)).product();
    let style =
        ProgressStyle::with_template("{wide_bar} {pos} of {len} blocks, {elapsed} so far, {eta} left");
    // On standard error, and if that is a terminal. It is drawn by the clock: one block may run for long.
    let bar = ProgressBar::new(blocks).with_style(style.expect("the template is well formed"));
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}
