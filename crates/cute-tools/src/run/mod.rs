//! `cutec run`: a kernel in the simulator. What it is given is checked against the manifest, its report printed.

pub mod argument;
pub mod cli;
pub mod npy;

use crate::{
    compile,
    error::{Error, Result},
    manifest::{self, Kernel, Manifest, Parameter},
    output::{self, Sink},
};
use argument::{Element, Spec, Values};
use cli::{Cli, Form};
use cute_sim::{Arg, Buffer, Launch, Memory, Program, Report};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;

/// Runs a kernel.
///
/// # Errors
/// What keeps it from running; and [`Error::Findings`], behind the report, if it did something wrong.
pub fn run(options: &Cli) -> Result<()> {
    let (program, manifest) = load(options)?;
    let file = options.file.display().to_string();
    let kernel = choose(&manifest, options.kernel.as_deref(), &file)?;
    let mut memory = Memory::new();
    let (args, arrays) = arguments(kernel, &options.arguments, &mut memory)?;
    let outputs = options.outputs.iter().map(|o| output(o, &arrays)).collect::<Result<Vec<_>>>()?;
    let block = options.block.or_else(|| kernel.block.map(|b| b.map(|n| n.max(0) as u32)));
    let mut launch = Launch::new(&kernel.name, options.grid, block.unwrap_or([1; 3]));
    (launch.dynamic_shared, launch.budget) = (options.shared, options.budget);
    (launch.check_races, launch.check_overflow) = (!options.no_races, !options.allow_overflow);
    let bar = progress(&launch);
    let report = program.simulate(&launch, &mut memory, &args, |_| bar.inc(1));
    bar.finish_and_clear();
    let report = report.map_err(|e| Error::Simulator(Box::new(e)))?;
    print(&report, options.report)?;
    if !report.findings.is_empty() {
        return Err(Error::Findings { kernel: kernel.name.clone(), count: report.findings.len() });
    }
    let mut files = Vec::new();
    for (text, array, path) in &outputs {
        let bytes = npy::write(array.element, &array.shape, &memory.download_bytes(array.buffer));
        let bytes = bytes.map_err(|why| Error::Out { argument: text.clone(), why })?;
        files.push((Sink::of(Some(Path::new(path))), bytes));
    }
    let files: Vec<_> = files.iter().map(|(sink, bytes)| (sink.clone(), bytes.as_slice())).collect();
    output::write(&files)
}

/// The decoded program, and what it takes.
fn load(options: &Cli) -> Result<(Program, Manifest)> {
    let pipeline = compile::pipeline(options.target, options.runtime_checks);
    compile::lowered(&options.file, &pipeline, options.domain, |stage, mut module| {
        let gpu_module = compile::kernel_module(&module, stage.file)?;
        let program = Program::decode(gpu_module).map_err(|e| Error::Simulator(Box::new(e)))?;
        stage.run(&mut module, "builtin.module(gpu.module(convert-nvvm-to-llvm))")?;
        let gpu_module = compile::kernel_module(&module, stage.file)?;
        let code = stage.translate(gpu_module, options.target)?;
        Ok((program, manifest::of(gpu_module, &code, options.target)))
    })
}

fn choose<'m>(manifest: &'m Manifest, name: Option<&str>, file: &str) -> Result<&'m Kernel> {
    let kernels = || manifest.kernels.iter().map(|k| k.name.clone()).collect();
    match (name, manifest.kernels.as_slice()) {
        (Some(name), all) => all.iter().find(|k| k.name == name).ok_or_else(|| Error::NoSuchKernel {
            name: name.into(),
            file: file.into(),
            kernels: kernels(),
        }),
        (None, [one]) => Ok(one),
        (None, _) => Err(Error::WhichKernel { file: file.into(), kernels: kernels() }),
    }
}

/// An array in memory.
#[derive(Debug, Clone)]
struct Array {
    name: Option<String>,
    element: Element,
    shape: Vec<usize>,
    buffer: Buffer,
}

fn arguments(kernel: &Kernel, texts: &[String], memory: &mut Memory) -> Result<(Vec<Arg>, Vec<Array>)> {
    if texts.len() != kernel.parameters.len() {
        return Err(Error::ArgumentCount {
            kernel: kernel.name.clone(),
            expected: kernel.parameters.len(),
            given: texts.len(),
            parameters: kernel.parameters.iter().map(|p| p.r#type.clone()).collect(),
        });
    }
    let mut arrays = Vec::new();
    let args = texts.iter().zip(&kernel.parameters).map(|(text, parameter)| {
        let arg = bind(text, parameter, memory, &mut arrays);
        arg.map_err(|why| Error::Argument { argument: text.clone(), why })
    });
    Ok((args.collect::<Result<_>>()?, arrays))
}

/// Makes an argument for a parameter.
fn bind(
    text: &str,
    parameter: &Parameter,
    memory: &mut Memory,
    arrays: &mut Vec<Array>,
) -> std::result::Result<Arg, String> {
    let (name, spec) = argument::parse(text)?;
    let is_pointer = parameter.kind == "pointer";
    match spec {
        Spec::Null | Spec::Array { .. } if !is_pointer => {
            Err(format!("parameter {} is {}, no pointer", parameter.name, parameter.r#type))
        }
        Spec::Scalar(..) if is_pointer => Err(format!(
            "parameter {} is a pointer: give it an array, such as f32[128x64], or null",
            parameter.name
        )),
        Spec::Null => Ok(Arg::Null),
        Spec::Scalar(element, number) => argument::scalar(element, &number, parameter),
        Spec::Array { element, shape, values } => {
            let count: usize = shape.iter().product();
            let bytes = match &values {
                Values::File(file) => npy::read(Path::new(file), element, &shape)?,
                values => argument::bytes(element, count, values),
            };
            let buffer = memory.upload_bytes(&bytes);
            arrays.push(Array { name, element, shape, buffer });
            Ok(Arg::Buffer(buffer))
        }
    }
}

/// `NAME=FILE`, with its array.
fn output(text: &str, arrays: &[Array]) -> Result<(String, Array, String)> {
    let fail = |why: String| Error::Out { argument: text.into(), why };
    let (name, file) = text.split_once('=').ok_or_else(|| fail("write NAME=FILE.npy".into()))?;
    let array = arrays.iter().find(|a| a.name.as_deref() == Some(name));
    let array = array.ok_or_else(|| fail(format!("no --arg has the name '{name}'")))?;
    // Before the run, lest it was for nothing.
    npy::write(array.element, &[0], &[]).map_err(fail)?;
    Ok((text.into(), array.clone(), file.into()))
}

fn progress(launch: &Launch) -> ProgressBar {
    let blocks = launch.grid.iter().map(|n| u64::from(*n)).product();
    let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} blocks, {eta} left");
    // It draws on a terminal only.
    ProgressBar::new(blocks).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn print(report: &Report, form: Form) -> Result<()> {
    let text = match form {
        Form::Text => format!("{}{report}", report.output),
        Form::Json => serde_json::to_string_pretty(report).unwrap_or_default() + "\n",
    };
    output::write(&[(Sink::Stdout, text.as_bytes())])
}
