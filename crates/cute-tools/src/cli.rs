//! The command line of `cutec`.

use std::{
    ffi::OsString,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use clap::{ArgAction, Args, Parser, ValueEnum, error::ErrorKind};
use cute_arch::Target;

use cute_driver::ptxas;

use crate::diagnostics::message;

/// Compile cute IR to PTX or cubin.
///
/// FILE is a module with one gpu.module. Beside a PTX or cubin file OUT lies its manifest, OUT.json: kernels, their
/// parameters, shared memory, block and cluster.
///
/// `cutec run FILE` runs a kernel in the simulator or on a GPU: see `cutec run --help`. `cutec build KERNEL` writes a kernel
/// for a choice of tiles and types, and compiles it: see `cutec build --help`.
#[derive(Debug, Parser)]
#[command(name = "cutec", version)]
pub struct Cli {
    /// cute IR; - is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// What to make of it
    #[command(flatten)]
    pub options: Options,
}

/// What to make of a module, and where it goes.
#[derive(Debug, Clone, Args)]
pub struct Options {
    /// GPU to compile for, needed unless --emit cute: sm_80, sm_86, sm_87, sm_89, sm_90, sm_90a, sm_100, sm_100f, sm_100a,
    /// sm_103, sm_103f, sm_103a, sm_110, sm_110f, sm_110a, sm_120, sm_120f, sm_120a, sm_121, sm_121f, sm_121a
    #[arg(long, value_name = "GPU")]
    pub target: Option<Target>,
    /// What to write
    #[arg(long, value_enum, value_name = "KIND", default_value = "ptx")]
    pub emit: Emit,
    /// File to write, complete or not at all; - is standard output, the default for all but cubin
    #[arg(short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Domain policy where no cute.domain attribute says otherwise
    #[arg(long, value_enum, value_name = "POLICY")]
    pub domain: Option<Domain>,
    /// Trap, with a message, where what an op assumes of run-time integers does not hold
    #[arg(long)]
    pub runtime_checks: bool,
    /// How arithmetic is compiled
    #[command(flatten)]
    pub arithmetic: Arithmetic,
    /// Let PTX and cubin name the lines of FILE
    #[arg(long)]
    pub lineinfo: bool,
    /// Seconds that ptxas may take
    #[arg(long, value_name = "SECONDS", default_value_t = ptxas::LIMIT.as_secs())]
    pub ptxas_timeout: u64,
}

/// How arithmetic is compiled.
#[derive(Debug, Clone, Args)]
pub struct Arithmetic {
    /// Treat all floating-point math as fastmath<fast>: approximate instructions that flush subnormals to zero
    #[arg(long)]
    pub fast_math: bool,
    /// Contract a product and the sum that it is used in to one fused multiply-add
    #[arg(long, value_name = "BOOL", default_value_t = true, action = ArgAction::Set)]
    pub fmad: bool,
    /// CUDA's libdevice.10.bc, for math that PTX has no instruction for; the one beside ptxas if it is not said. With none, or
    /// where there is none, f32 has polynomials and the rest is an error
    #[arg(long, value_name = "FILE")]
    pub libdevice: Option<PathBuf>,
}

/// What to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// The module as it is given
    Cute,
    /// The module in the llvm and nvvm dialects
    Mlir,
    /// LLVM IR, not optimized
    Llvm,
    /// PTX
    Ptx,
    /// Machine code, by ptxas
    Cubin,
    /// How to launch the kernels, as JSON
    Manifest,
}

/// The domain policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Domain {
    /// An operation's equation must hold (default)
    Strict,
    /// What CuTe accepts
    Extend,
}

/// Reads the arguments of this process, its name first. Help and version are printed here, as are errors, in one line.
///
/// # Errors
/// The code to exit with.
pub fn parse_from<C: Parser>(arguments: impl Iterator<Item = OsString>) -> Result<C, ExitCode> {
    C::try_parse_from(arguments).map_err(|e| match e.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => show(&e.to_string()),
        _ => {
            // clap's first paragraph says what is wrong, the rest is usage.
            let text = e.to_string();
            let lines = text.lines().take_while(|l| !l.is_empty()).map(str::trim);
            message(&lines.collect::<Vec<_>>().join(" "));
            ExitCode::FAILURE
        }
    })
}

/// Prints, to whoever still listens: `cutec --help | head` is no mistake.
fn show(text: &str) -> ExitCode {
    let printed = cute_output::stdout().and_then(|mut out| {
        out.write_all(text.as_bytes())?;
        out.flush()
    });
    match printed {
        Err(why) if why.kind() != io::ErrorKind::BrokenPipe => {
            message(&format!("error: cannot write 'standard output': {}", cute_output::plain(&why)));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn help_names_every_target() {
        Cli::command().debug_assert();
        let help = Cli::command().render_help().to_string();
        assert!(Target::all().iter().all(|t| help.contains(t.name())), "{help}");
    }
}
