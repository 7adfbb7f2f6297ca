//! One question to a test: which kernel takes the place of which, and what the runs said.

use cute_launch::Ptx;
use cute_sim::{Program, program::Kernel};
use serde::{Deserialize, Serialize};
use std::{env, fmt, path::PathBuf};

/// A text in the place of another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Substitution {
    /// The text of the kernel.
    pub text: String,
    /// The mutant.
    pub instead: String,
}

/// Instructions for the runs of a process.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    /// The mutant; without one, kernels run as they are.
    pub substitution: Option<Substitution>,
    /// Other floats in the place of those of all arrays, by a seed. Arrays of the caller are not
    /// written then.
    pub other_floats: Option<u64>,
    /// Instructions that a run may execute.
    pub budget: Option<u64>,
    /// Whether [`Ran`] has the texts of kernels.
    pub lists_texts: bool,
    /// The file to which each run appends its [`Ran`], as a line of JSON.
    pub record: Option<PathBuf>,
}

/// The part of the mutant in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Applied {
    /// The run has another kernel, or there is no mutant.
    No,
    /// It ran.
    Yes,
    /// It is the same program as the kernel.
    Same,
    /// It is not a program.
    Unreadable,
}

/// A kernel that ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ran {
    /// The name and the text of its file, if the trial lists them and they are known.
    pub text: Option<(String, String)>,
    /// The symbols of the kernels that were launched.
    pub kernels: Vec<String>,
    /// Whether it was the mutant.
    pub applied: Applied,
    /// The kinds of errors.
    pub found: Vec<String>,
    /// Whether a finding ended the run.
    pub ended: bool,
    /// A number that follows from the arrays.
    pub digest: u64,
    /// The instructions that were executed.
    pub instructions: u64,
}

/// The variable of the environment that names the file of a [`Trial`], for other processes.
pub const VARIABLE: &str = "CUTE_MUTANT";

impl Trial {
    /// The trial that this process is a part of, by its environment.
    ///
    /// # Errors
    /// That the file cannot be read.
    pub fn of_environment() -> Result<Option<Self>, String> {
        let Some(file) = env::var_os(VARIABLE) else { return Ok(None) };
        let failed = |why: &dyn fmt::Display| {
            format!("{VARIABLE} names '{}', which cannot be read: {why}", PathBuf::from(&file).display())
        };
        let text = std::fs::read_to_string(&file).map_err(|why| failed(&why))?;
        serde_json::from_str(&text).map(Some).map_err(|why| failed(&why))
    }
}

/// Reads the program of a mutant, or says why it does not count.
///
/// # Errors
/// [`Applied::Unreadable`] or [`Applied::Same`].
pub fn program(original: &Program, read: impl FnOnce() -> Option<Program>) -> Result<Program, Applied> {
    let mut changed = read().ok_or(Applied::Unreadable)?;
    let mut is_same = true;
    for kernel in &original.kernels {
        match changed.kernels.iter().find(|other| other.name == kernel.name) {
            // An instruction without a model is an error of the change.
            Some(other) if other.refused().is_some() && kernel.refused().is_none() => {
                return Err(Applied::Unreadable);
            }
            Some(other) => is_same &= meaning(kernel) == meaning(other),
            // That of another file.
            None => changed.kernels.push(kernel.clone()),
        }
    }
    if is_same { Err(Applied::Same) } else { Ok(changed) }
}

/// The instructions of a kernel, without the places that they come from.
fn meaning(kernel: &Kernel) -> Vec<u8> {
    let Kernel { code, edges, accesses, registers, constants, addressed, .. } = kernel;
    let parts = (code, edges, accesses, registers, constants, addressed);
    postcard::to_allocvec(&parts).expect("a program has a form in bytes")
}

/// Reads PTX as a mutant.
pub fn read_ptx(name: &str, text: &str) -> Option<Program> {
    let folder = env::current_dir().ok();
    Ptx::read(name, text, folder.as_deref()).ok().map(|ptx| ptx.program)
}
