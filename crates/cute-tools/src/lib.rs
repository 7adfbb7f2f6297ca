//! The tools on MLIR: `cute-opt` (mlir-opt with the cute dialect) and `cutec`, the compiler, which
//! is this library.
//!
//! This crate handles files, processes and the order of steps. It must not contain the logic of
//! passes or layouts.
//!
//! | module | subject |
//! |---|---|
//! | [`cli`] | the options that commands share |
//! | [`settings`] | the options of a compilation, from their declaration |
//! | [`source`] | the text to compile, from a file |
//! | [`diagnostics`] | standard output and standard error |
//! | [`compile`] | files in, files out; `cute-session` does the steps between |
//! | [`import`] | `cutec import`: modules of CuTe DSL |
//! | [`host`] | `cutec host`: host functions as C |
//! | [`build`] | `cutec build`: kernels of `cute-kernels` |
//! | [`autopsy`] | `cutec autopsy`: words of mbarriers of a hang |
//! | [`gate`] | `cutec gate`: the machine code of kernels, against numbers from before |
//! | [`gate_error`] | why there are no numbers of machine code, or worse ones |
//! | [`exec`] | `cutec exec`: CUDA programs whose kernels run in the simulator |
//! | [`exec_error`] | why a program cannot be run so |
//! | [`mutate`] | `cutec mutate`: mistakes that a test should notice |
//! | [`mutate_error`] | why a test cannot be asked about them |
//! | [`prove`] | `cutec prove`: barriers at every size |
//! | `overwrite` | outputs that would replace inputs |
//! | [`run`] | `cutec run`: kernels in the simulator, or on a GPU |
//! | [`rules`] | the rules of all crates, for `cutec --explain` |
//! | [`command`] | the command line of `cutec` |

#![deny(unsafe_code)]

pub mod autopsy;
pub mod build;
pub mod cli;
pub mod command;
pub mod compile;
pub mod diagnostics;
pub mod error;
pub mod exec;
pub mod exec_error;
pub mod gate;
pub mod gate_error;
pub mod host;
pub mod import;
pub mod mutate;
pub mod mutate_error;
mod overwrite;
pub mod prove;
pub mod rules;
pub mod run;
pub mod settings;
pub mod source;

use std::process::ExitCode;

pub use error::Error;

/// `cute-opt`: mlir-opt with our dialects and passes.
pub fn opt() -> ExitCode {
    cute_lower::register_passes();
    std::process::exit(cute_ffi::opt::main(cute_dialect::MEANING, import::for_opt))
}

/// `cutec`: executes the command line. The exit code is 1 if anything failed, or
/// that of the program that was executed.
pub fn main() -> ExitCode {
    cute_ffi::llvm::exit_on_fatal_errors();
    let result = cli::parse_from(std::env::args_os()).map(|cutec: command::Cutec| cutec.run());
    match result {
        Err(code) => code,
        Ok(Ok(code)) => code,
        Ok(Err(error)) => {
            use cute_session::Error::{Ptxas, Reported};
            match &error {
                Error::Session(Reported) => {}
                // The output of ptxas has several lines.
                Error::Session(Ptxas(_)) => diagnostics::message(&format!("error: {error}")),
                _ => diagnostics::message(&format!("error: {}", cute_text::line(&error.to_string()))),
            }
            ExitCode::FAILURE
        }
    }
}
