//! Why a program cannot be run with the simulator as its device.

use std::{
    io,
    path::{Path, PathBuf},
};

use cute_output::plain;

/// An error of `cutec exec`.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Error {
    #[error("there is no program '{program}': {}", if program.contains('/') { "the file does not exist" } else { "no folder of PATH has it; for a file of this folder, write ./ before it" })]
    NotFound { program: String },
    #[error("'{program}' is a folder, not a program")]
    Folder { program: String },
    #[error("'{program}' may not be executed; chmod +x allows it")]
    NotExecutable { program: String },
    #[error("cannot read '{program}': {}", plain(why))]
    Read { program: String, why: io::Error },
    #[error("'{program}' is not a program for this machine{}", advice(program))]
    NotProgram { program: String },
    #[error("'{program}' is linked statically, so that it loads no libraries: link it without -static")]
    Static { program: String },
    #[error(
        "'{program}' contains NVIDIA's runtime, which accepts NVIDIA's driver alone: link it with `nvcc -cudart shared`, or \
         with `nvcc -L$(cutec --libdir)`"
    )]
    StaticRuntime { program: String },
    #[error(
        "'{program}' was linked with {runtime}, but only the runtimes of CUDA 12 and 13 are answered: compile it with one of these"
    )]
    OtherRuntime { program: String, runtime: String },
    #[error(
        "'{program}' runs as another user or group than you (set-user-ID), and loads no libraries that you choose; run `cutec \
         exec` as that user"
    )]
    SetUser { program: String },
    #[error(
        "'{library}' is not there: it belongs beside cutec, in '{}', or in lib/ beside that folder; in a checkout, `cargo build -p \
         cute-cuda` makes it",
        beside.display()
    )]
    NoLibrary { library: &'static str, beside: PathBuf },
    #[error("there are no libraries of CUDA's names for this machine: Linux on x86-64 and AArch64 have them")]
    NoStubs,
    #[error("there is no folder for libraries: set XDG_CACHE_HOME or HOME")]
    NoCache,
    #[error("cannot make the folder '{}': {}", folder.display(), plain(why))]
    Cache { folder: PathBuf, why: io::Error },
    #[error(
        "'{}' cannot be a folder for libraries, because the loader splits its list at '{sign}': set XDG_CACHE_HOME to another one",
        folder.display()
    )]
    Split { folder: PathBuf, sign: char },
    #[error("cannot {step}: {}", plain(why))]
    System { step: &'static str, why: io::Error },
    #[error("cannot start '{program}': {}", plain(why))]
    Start { program: String, why: io::Error },
}

/// How a source becomes a program.
fn advice(program: &str) -> &'static str {
    match Path::new(program).extension().and_then(|extension| extension.to_str()) {
        Some("cu") => "; compile it first: nvcc -cudart shared",
        Some("ptx") => "; cutec run runs a kernel",
        Some("py") => "; write python before it",
        _ => "",
    }
}
