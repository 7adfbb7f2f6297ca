//! The command line of `cutec`.

use std::{
    ffi::OsString,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use clap::{
    ArgAction, Args, Parser, Subcommand, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
    error::ErrorKind,
};
use cute_arch::Target;
use cute_dialect::parameters;
use cute_driver::ptxas;

use crate::{build, diagnostics::message, host, import, run};

/// Compile cute IR to PTX or cubin, run it, or build a kernel.
///
/// FILE is a module with one gpu.module. Beside a PTX or cubin file OUT lies its manifest, OUT.json: kernels, their
/// parameters, shared memory, block and cluster.
#[derive(Debug, Parser)]
#[command(name = "cutec", version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Cutec {
    /// Another command than to compile
    #[command(subcommand)]
    pub command: Option<Command>,
    /// A compilation
    #[command(flatten)]
    pub compile: Cli,
}

/// What else `cutec` does.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a kernel in the simulator or on a GPU
    Run(run::cli::Cli),
    /// Write a kernel for a choice of tiles and types, and compile it
    Build(build::Cli),
    /// Print a module of CuTe DSL in today's dialects
    Import(import::Cli),
    /// Write a host function as C for the CUDA driver
    Host(host::Cli),
}

/// A compilation.
#[derive(Debug, Args)]
pub struct Cli {
    /// cute IR; - is standard input
    // There is none behind another command.
    #[arg(value_name = "FILE", required = true)]
    pub file: Option<PathBuf>,
    /// What to make of it
    #[command(flatten)]
    pub options: Options,
}

/// What to make of a module, and where it goes.
#[derive(Debug, Clone, Args)]
pub struct Options {
    /// GPU to compile for, needed unless --emit cute
    #[arg(long, value_name = "GPU", value_parser = target())]
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
    /// How kernels are passed their arguments; by default dsl for kernels of CuTe DSL (cuda.kernel), flat for others
    #[arg(long, value_enum, value_name = "ABI")]
    pub abi: Option<Abi>,
    /// Trap, with a message, where what an op assumes of run-time integers does not hold, and where an assertion of CuTe DSL does
    /// not
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

/// How kernels are passed their arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Abi {
    /// As CuTe DSL does: one parameter for each argument, a struct of what of it is not static
    Dsl,
    /// One parameter for each address, extent and stride that is not static
    Flat,
}

impl From<Abi> for parameters::Abi {
    fn from(abi: Abi) -> Self {
        match abi {
            Abi::Dsl => Self::Dsl,
            Abi::Flat => Self::Flat,
        }
    }
}

/// The domain policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Domain {
    /// An operation's equation must hold (default)
    Strict,
    /// What CuTe accepts
    Extend,
}

/// Parses a target; the help lists all of them.
pub(crate) fn target() -> impl TypedValueParser<Value = Target> {
    PossibleValuesParser::new(Target::all().iter().map(|t| t.name()))
        .map(|name| name.parse().expect("a name of a target"))
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
        Cutec::command().debug_assert();
        let help = Cutec::command().render_help().to_string();
        assert!(Target::all().iter().all(|t| help.contains(t.name())), "{help}");
    }
}
