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
        for (buffer, array) in buffers.iter().zip(&job.arrays) {
            if let Some(name) = &array.name {
                memory.name(*buffer, name);
            }
        }
        let args: Vec<_> = job.values.iter().map(|v| arg(*v, &buffers)).collect();
        let mut launch = Launch::new(&job.kernel.name, job.grid, job.block);
        launch.dynamic_shared = job.shared;
        launch.budget = self.options.budget.unwrap_or(launch.budget);
        launch.check_races = !self.options.no_races;
        launch.check_overflow = !self.options.allow_overflow;
        let bar = progress(&launch);
        let report = self.program.simulate(&launch, &mut memory, &args, |_| bar.inc(1));
        bar.finish_and_clear();
        let report = report.map_err(|e| Error::Simulator(Box::new(e)))?;
        Ok(Outcome {
            report: Report::Simulator(report),
            arrays: buffers.iter().map(|b| memory.download_bytes(*b)).collect(),
        })
    }
}

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
            Element::I8 | Element::U8 => Arg::I8(bits as i8),
            Element::I16 | Element::U16 => Arg::I16(bits as i16),
            Element::I32 | Element::U32 => Arg::I32(bits as i32),
            Element::I64 => Arg::I64(bits as i64),
        },
    }
}

fn progress(launch: &Launch) -> ProgressBar {
    let blocks = launch.grid.iter().map(|n| u64::from(*n)).product();
    let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} blocks, {eta} left");
    // On standard error, and if that is a terminal.
    ProgressBar::new(blocks).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
