//! The tools on MLIR: `cute-opt` (mlir-opt with the cute dialect) and `cutec`, the compiler, which is this library.
//!
//! It knows files, processes and the order of things. It must not know what a pass or a layout does.
//!
//! | module | what it knows |
//! |---|---|
//! | [`cli`] | the command line |
//! | [`source`] | the text to compile |
//! | [`diagnostics`] | MLIR's diagnostics, printed as mlir-opt does |
//! | [`compile`] | from text to lowered IR, LLVM IR, PTX and cubin |
//! | [`manifest`] | what a program needs to know to launch a kernel |
//! | [`ptxas`] | NVIDIA's assembler: where it is, what it says |
//! | [`output`] | writing all results or none |

#![forbid(unsafe_code)]

pub mod cli;
pub mod compile;
pub mod diagnostics;
pub mod error;
pub mod manifest;
pub mod output;
pub mod ptxas;
pub mod source;

use std::process::ExitCode;

pub use error::Error;

/// `cutec`: compiles what the command line asks for. The exit code is 1 when anything failed.
pub fn main() -> ExitCode {
    cute_dialect::boundary::llvm::exit_on_fatal_errors();
    let options = match cli::parse() {
        Ok(options) => options,
        Err(code) => return code,
    };
    match compile::run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if !matches!(error, Error::Reported) {
                eprintln!("error: {error}");
            }
            ExitCode::FAILURE
        }
    }
}
