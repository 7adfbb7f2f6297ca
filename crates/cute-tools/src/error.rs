//! Why there is no result. Each text is one line behind `error: `, but for what ptxas wrote.

use cute_arch::Target;
use cute_dialect::DYNAMIC_SHARED_MEMORY;
use cute_output::plain;
use std::{io, path::PathBuf};

/// Result of a step.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a step failed.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Error {
    /// There is no such kernel.
    #[error(transparent)]
    Kernel(#[from] cute_kernels::Error),
    /// MLIR's diagnostics said it.
    #[error("compilation failed")]
    Reported,
    #[error("cannot read '{file}': {}", plain(why))]
    Read { file: String, why: io::Error },
    #[error("'{file}' is not UTF-8 text (byte {at})")]
    NotText { file: String, at: usize },
    #[error(transparent)]
    Write(#[from] cute_output::Error),
    #[error("--emit cubin needs -o FILE")]
    CubinNeedsFile,
    #[error("-o would overwrite '{file}', which is being compiled")]
    OutputIsInput { file: String },
    #[error("the manifest of '{file}' would have the same name; choose a name that does not end in .json")]
    OutputIsManifest { file: String },
    /// A pass failed and said nothing, or is not registered.
    #[error("'{file}' did not go through the passes: {why}")]
    Passes { file: String, why: String },
    #[error("no gpu.module with a kernel in '{file}'")]
    NoKernel { file: String },
    #[error("'{file}' has kernels in more than one gpu.module ({}); compile one at a time", modules.join(", "))]
    ManyModules { file: String, modules: Vec<String> },
    #[error("there is no kernel '{name}' in '{file}'; it has {}", kernels.join(", "))]
    NoSuchKernel { name: String, file: String, kernels: Vec<String> },
    #[error("'{file}' has the kernels {}; choose one with --kernel", kernels.join(", "))]
    WhichKernel { file: String, kernels: Vec<String> },
    #[error("kernel '{kernel}' has {expected} parameters ({}), --arg was given {given} times", parameters.join(", "))]
    ArgumentCount { kernel: String, expected: usize, given: usize, parameters: Vec<String> },
    #[error("--arg {argument}: {why}")]
    Argument { argument: String, why: String },
    #[error("--out {argument}: {why}")]
    Out { argument: String, why: String },
    #[error("kernel '{kernel}': {why}")]
    Launch { kernel: String, why: String },
    #[error("{option} is for the simulator, which --gpu leaves out; --compare runs both")]
    ForSimulator { option: &'static str },
    #[error(transparent)]
    Simulator(Box<cute_sim::Error>),
    /// The report says what.
    #[error("kernel '{kernel}' has {count} finding{}", if *count == 1 { "" } else { "s" })]
    Findings { kernel: String, count: usize },
    #[error("{count} of {of} arrays are not the simulator's")]
    Differs { count: usize, of: usize },
    #[error("no CUDA driver: libcuda.so.1 could not be loaded ({why})")]
    NoDriver { why: String },
    #[error("the CUDA driver is for CUDA {}.{}, --gpu needs {}.{} or later", found.0, found.1, least.0, least.1)]
    OldDriver { found: (i32, i32), least: (i32, i32) },
    #[error("the CUDA driver finds no device")]
    NoDevice,
    #[error("no target runs on {device} (compute capability {}.{}); the oldest is {oldest}", capability.0, capability.1)]
    NoTarget { device: String, capability: (u32, u32), oldest: Target },
    #[error(
        "--target {target} does not run on {device} (compute capability {}.{}); leave it out for {own}", capability.0,
        capability.1
    )]
    OtherTarget { target: Target, device: String, capability: (u32, u32), own: Target },
    #[error("cannot {step}: {name} ({text})")]
    Driver { step: String, name: String, text: String },
    #[error("{0}")]
    Llvm(String),
    #[error(
        "kernel '{kernel}' declares {bytes} bytes of shared memory, {target} allows {limit}; use dynamic shared \
         memory for more"
    )]
    StaticSharedMemory { kernel: String, bytes: u64, target: String, limit: u32 },
    #[error("kernel '{kernel}': {DYNAMIC_SHARED_MEMORY} counts bytes, an integer from 0 on, found {given}")]
    DynamicSharedMemory { kernel: String, given: String },
    #[error("CUTE_PTXAS names '{}', which is no executable file", file.display())]
    NotExecutable { file: PathBuf },
    #[error(
        "there is no ptxas in PATH or a .venv, and CUTE_PTXAS is not set; install it with './dev build' or \
         'pip install nvidia-cuda-nvcc', or use --emit ptx"
    )]
    NoPtxas,
    #[error("cannot run ptxas '{}': {}", file.display(), plain(why))]
    PtxasDidNotRun { file: PathBuf, why: io::Error },
    #[error("ptxas refused the PTX for {target}:\n{text}")]
    Ptxas { target: String, text: String },
    #[error("ptxas compiles the kernel slowly:\n{text}")]
    PtxasPerformance { text: String },
}
