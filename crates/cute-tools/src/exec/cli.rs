//! The command line of `cutec exec`.

use std::{ffi::OsString, path::PathBuf};

use clap::{Args, ValueEnum};
use cute_cuda::options;
use regex_lite::Regex;

use crate::run::simulation::{Simulation, devices};

/// Run a CUDA program without a GPU: its kernels run in the simulator.
///
/// The program is the unchanged host program: it is linked with libcudart (nvcc -cudart shared) or
/// libcuda, and finds libraries of the same names that call the simulator. Its kernels are taken
/// from the PTX in it. docs/programs.md describes how to build programs, and lists the functions of
/// CUDA that are answered. The exit code is the program's, or 1 if it is 0 and there are findings.
#[derive(Debug, Args)]
pub struct Cli {
    /// The program, and its arguments
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true)]
    pub program: Vec<OsString>,
    /// The device that the program sees
    #[arg(long, value_name = "NAME", value_parser = devices())]
    pub device: Option<String>,
    /// Number of multiprocessors of the device [default: the device's own]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub sms: Option<u32>,
    /// Check only kernels whose name matches; others are computed without a search for races
    #[arg(long, value_name = "REGEX", value_parser = regex)]
    pub check: Option<String>,
    /// Do not run kernels whose name matches
    #[arg(long, value_name = "REGEX", value_parser = regex)]
    pub skip: Option<String>,
    /// The options of all runs in the simulator
    #[command(flatten)]
    pub simulation: Simulation,
    /// Let the program go on after a launch with findings. Without it, later calls fail, as after
    /// an error on a device
    #[arg(long = "continue")]
    pub keep_going: bool,
    /// Record each launch in this folder, so that cutec run can repeat it
    #[arg(long, value_name = "FOLDER")]
    pub record: Option<PathBuf>,
    /// How to report
    #[arg(long, value_enum, value_name = "FORM", default_value = "text")]
    pub(crate) report: Form,
}

/// How to report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Findings and a summary on standard error
    Text,
    /// One JSON object, as the last line of standard output
    Json,
}

impl From<Form> for options::Form {
    fn from(form: Form) -> Self {
        match form {
            Form::Text => Self::Text,
            Form::Json => Self::Json,
        }
    }
}

/// Checks a regular expression.
fn regex(text: &str) -> Result<String, String> {
    Regex::new(text).map(|_| text.to_owned()).map_err(|why| why.to_string())
}
