//! What runs, wherever it runs: a kernel, its launch and its arguments, checked against the manifest and the target.

use super::{
    argument::{self, Spec, Values},
    cli::Cli,
    element::Element,
    npy,
};
use crate::{
    error::{Error, Result},
    manifest::{Kernel, Parameter},
};
use cute_arch::Target;
use serde::Serialize;
use std::{fmt, path::Path};

/// Where a kernel runs.
pub trait Place {
    /// Runs a kernel to its end.
    ///
    /// # Errors
    /// What keeps it from running, or from being run to its end.
    fn run(&self, job: &Job<'_>) -> Result<Outcome>;
}

/// What a place has to say of a run.
#[derive(Debug)]
pub struct Outcome {
    /// Printed for people, serialised for tools.
    pub report: Report,
    /// The bytes of each array behind the run.
    pub arrays: Vec<Vec<u8>>,
}

/// The report of a place.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Report {
    /// Findings and counters.
    Simulator(cute_sim::Report),
    /// Time.
    Gpu(Timing),
}

/// A launch on a GPU.
#[derive(Debug, Serialize)]
pub struct Timing {
    /// Its name.
    pub kernel: String,
    /// The driver's name of the GPU.
    pub device: String,
    /// What the code is compiled for.
    pub target: String,
    /// `cubin`, or `PTX` that the driver assembled.
    pub code: &'static str,
    /// From an event before the launch to one behind it.
    pub milliseconds: f32,
}

impl Report {
    /// Mistakes of the kernel.
    pub fn findings(&self) -> usize {
        match self {
            Self::Simulator(report) => report.findings.len(),
            Self::Gpu(_) => 0,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Simulator(report) => write!(f, "{}{report}", report.output),
            Self::Gpu(Timing { kernel, device, target, code, milliseconds }) => {
                writeln!(f, "{kernel} on {device} ({target}, {code}): {milliseconds:.4} ms between events")
            }
        }
    }
}

/// One launch of a kernel.
#[derive(Debug)]
pub struct Job<'m> {
    /// What the manifest says of it.
    pub kernel: &'m Kernel,
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// One for each parameter.
    pub values: Vec<Value>,
    /// Global memory.
    pub arrays: Vec<Array>,
}

/// What a parameter gets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// The address of an array, by its number.
    Array(usize),
    /// The null pointer.
    Null,
    /// A number: its lowest bytes.
    Scalar(Element, u64),
}

/// An array in global memory, before the run.
#[derive(Debug)]
pub struct Array {
    /// As its `--arg` names it.
    pub name: Option<String>,
    /// Of its elements.
    pub element: Element,
    /// Row-major.
    pub shape: Vec<usize>,
    /// Little-endian.
    pub bytes: Vec<u8>,
}

impl<'m> Job<'m> {
    /// The job that a command line asks for.
    ///
    /// # Errors
    /// [`Error::Launch`], [`Error::ArgumentCount`], [`Error::Argument`].
    pub fn new(kernel: &'m Kernel, options: &Cli, target: Target) -> Result<Self> {
        let known = kernel.block.map(|b| b.map(|n| n.max(0) as u32));
        let block = options.block.or(known).ok_or_else(|| Error::Launch {
            kernel: kernel.name.clone(),
            why: "it says nothing of its block; say --block X,Y,Z".into(),
        })?;
        let shared = shared(kernel, options.shared)
            .map_err(|why| Error::Launch { kernel: kernel.name.clone(), why })?;
        let (values, arrays) = arguments(kernel, &options.arguments)?;
        let job = Self { kernel, grid: options.grid, block, shared, values, arrays };
        match job.misfit(target) {
            Some(why) => Err(Error::Launch { kernel: kernel.name.clone(), why }),
            None => Ok(job),
        }
    }

    /// What of the launch neither the kernel nor the target takes.
    fn misfit(&self, target: Target) -> Option<String> {
        let Self { grid, block, shared, kernel, .. } = self;
        let product = |extents: [i32; 3]| extents.iter().map(|n| i64::from(*n)).product::<i64>();
        let threads: u64 = block.iter().map(|n| u64::from(*n)).product();
        let most = u64::from(target.max_threads_per_block());
        let most = kernel.max_block.map_or(most, |b| most.min(product(b).max(0) as u64));
        let all = kernel.shared_memory.r#static + u64::from(*shared);
        let over = |extents: &[u32; 3], most: [u32; 3]| extents.iter().zip(most).any(|(n, most)| *n > most);
        if let Some(required) = kernel.block.filter(|b| b.map(|n| n as u32) != *block) {
            Some(format!("a block {block:?}, compiled for {required:?}"))
        } else if threads > most {
            Some(format!("a block {block:?} of {threads} threads, there are at most {most}"))
        } else if over(block, target.max_block()) {
            Some(format!("a block {block:?}, {target} has at most {:?}", target.max_block()))
        } else if over(grid, target.max_grid()) {
            Some(format!("a grid {grid:?}, {target} has at most {:?}", target.max_grid()))
        } else if let Some(c) = kernel.cluster.filter(|c| (0..3).any(|i| grid[i] % (c[i].max(1) as u32) != 0))
        {
            Some(format!("a grid {grid:?}, no multiple of its clusters {c:?}"))
        } else if all > target.max_dynamic_shared_memory().into() {
            let most = target.max_dynamic_shared_memory();
            Some(format!("{all} bytes of shared memory, {target} has at most {most} for a block"))
        } else {
            None
        }
    }
}

/// Bytes of dynamic shared memory: those asked for, where they are enough, or those that the kernel needs.
fn shared(kernel: &Kernel, asked: Option<u32>) -> std::result::Result<u32, String> {
    let needed = kernel.shared_memory.dynamic_size;
    match (asked.map(u64::from), needed) {
        (Some(asked), Some(needed)) if asked < needed => Err(format!(
            "--shared {asked} is too small, it needs {needed} bytes of dynamic shared memory: leave --shared out"
        )),
        (None, None) if kernel.shared_memory.dynamic => Err(format!(
            "it has dynamic shared memory, and does not say how many bytes; say --shared BYTES, or give it the attribute {}",
            cute_dialect::DYNAMIC_SHARED_MEMORY
        )),
        // More than any target has is refused with the rest of the launch.
        (asked, needed) => Ok(asked.or(needed).unwrap_or(0).try_into().unwrap_or(u32::MAX)),
    }
}

fn arguments(kernel: &Kernel, texts: &[String]) -> Result<(Vec<Value>, Vec<Array>)> {
    if texts.len() != kernel.parameters.len() {
        return Err(Error::ArgumentCount {
            kernel: kernel.name.clone(),
            expected: kernel.parameters.len(),
            given: texts.len(),
            parameters: kernel.parameters.iter().map(|p| p.r#type.clone()).collect(),
        });
    }
    let mut arrays = Vec::new();
    let values = texts.iter().zip(&kernel.parameters).map(|(text, parameter)| {
        let value = bind(text, parameter, &mut arrays);
        value.map_err(|why| Error::Argument { argument: text.clone(), why })
    });
    Ok((values.collect::<Result<_>>()?, arrays))
}

/// Makes a value for a parameter.
fn bind(text: &str, parameter: &Parameter, arrays: &mut Vec<Array>) -> std::result::Result<Value, String> {
    let (name, spec) = argument::parse(text)?;
    if let Some(name) = name.as_ref().filter(|n| arrays.iter().any(|a| a.name.as_ref() == Some(n))) {
        return Err(format!("the name '{name}' is taken"));
    }
    if parameter.kind == "bytes" {
        let what = "aggregates are not supported here, only in cute_sim";
        return Err(format!("parameter {} is {}: {what}", parameter.name, parameter.r#type));
    }
    let is_pointer = parameter.kind == "pointer";
    match spec {
        Spec::Null | Spec::Array { .. } if !is_pointer => {
            Err(format!("parameter {} is {}, no pointer", parameter.name, parameter.r#type))
        }
        Spec::Scalar(..) if is_pointer => Err(format!(
            "parameter {} is a pointer: give it an array, such as f32[128x64], or null",
            parameter.name
        )),
        Spec::Null => Ok(Value::Null),
        Spec::Scalar(element, number) => argument::scalar(element, &number, parameter),
        Spec::Array { element, shape, values } => {
            let count: usize = shape.iter().product();
            let bytes = match &values {
                Values::File(file) => npy::read(Path::new(file), element, &shape)?,
                values => argument::bytes(element, count, values),
            };
            arrays.push(Array { name, element, shape, bytes });
            Ok(Value::Array(arrays.len() - 1))
        }
    }
}
