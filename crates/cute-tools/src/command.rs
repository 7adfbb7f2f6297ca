//! The command line of `cutec`: its commands, each with the options that its own module declares.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use cute_output::Sink;

use crate::{
    autopsy, build,
    cli::Cli,
    compile,
    error::{Error, Near, Result},
    exec, gate, host, import, mutate, prove, rules, run,
};

/// Compile cute IR to PTX or cubin, run it, or build a kernel.
///
/// FILE is a module with one gpu.module. For a PTX or cubin file OUT, a manifest OUT.json is
/// written next to it: kernels, their parameters, shared memory, block and cluster.
#[derive(Debug, Parser)]
#[command(name = "cutec", version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Cutec {
    /// Another command than to compile
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Explain a finding, such as race, a rule that a finding names, such as X1, or the rule of an
    /// error, such as unmodelled-call: its meaning, its source and its repair
    #[arg(long, value_name = "ID", exclusive = true)]
    pub explain: Option<String>,
    /// Print the folder with the libraries of CUDA's names that `cutec exec` gives to programs, for
    /// linkers: nvcc -L$(cutec --libdir) x.cu. For nvcc 12 it is --libdir=12
    #[arg(long, value_name = "VERSION", exclusive = true, num_args = 0..=1, require_equals = true,
        default_missing_value = "13", value_parser = clap::value_parser!(u32).range(12..=13))]
    pub libdir: Option<u32>,
    /// A compilation
    #[command(flatten)]
    pub compile: Cli,
}

/// The other commands of `cutec`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a kernel in the simulator or on a GPU
    Run(Box<run::cli::Cli>),
    /// Run a CUDA program without a GPU: its kernels run in the simulator
    Exec(Box<exec::cli::Cli>),
    /// Write a kernel for a choice of tiles and types, and compile it
    Build(build::Cli),
    /// Tell what words of mbarriers, from a debugger, say about a hang
    Autopsy(autopsy::Cli),
    /// Ask a test whether it notices mistakes in a kernel
    Mutate(Box<mutate::cli::Cli>),
    /// Prove that the barriers of a kernel are right for every number of iterations
    Prove(Box<prove::cli::Cli>),
    /// Measure the machine code of kernels, and fail where it became worse
    Gate(Box<gate::cli::Cli>),
    /// Print a module of CuTe DSL in today's dialects
    Import(import::Cli),
    /// Write a host function as C for the CUDA driver
    Host(host::Cli),
}

impl Cutec {
    /// Runs the command, and returns the exit code.
    ///
    /// # Errors
    /// Those of the command.
    pub fn run(&self) -> Result<ExitCode> {
        match &self.command {
            Some(Command::Exec(options)) => return exec::run(options),
            Some(Command::Run(options)) => run::run(options),
            Some(Command::Build(options)) => build::run(options),
            Some(Command::Autopsy(options)) => autopsy::run(options),
            Some(Command::Mutate(options)) => mutate::run(options),
            Some(Command::Prove(options)) => prove::run(options),
            Some(Command::Gate(options)) => gate::run(options),
            Some(Command::Import(options)) => import::run(options),
            Some(Command::Host(options)) => host::run(options),
            None => match (&self.explain, self.libdir) {
                (Some(id), _) => explain(id),
                (None, Some(version)) => exec::print_folder(version),
                (None, None) => compile::run(&self.compile),
            },
        }?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Prints what a finding or a rule is.
fn explain(id: &str) -> Result<()> {
    let unknown = || Error::NoRule { id: id.to_owned(), near: Near(rules::near(id)) };
    let text = rules::explain(id).ok_or_else(unknown)?;
    Ok(cute_output::write(&[(Sink::Stdout, text.as_bytes())])?)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use cute_arch::Target;

    use super::*;

    #[test]
    fn help_names_every_target() {
        Cutec::command().debug_assert();
        let help = Cutec::command().render_help().to_string();
        assert!(Target::all().iter().all(|t| help.contains(t.name())), "{help}");
    }
}
