//! The errors that stop a launch.

use cute_machine::place::SourcePlace;
use cute_manifest::Kernel;
use cute_sim::names::readable;
use std::{borrow::Cow, fmt};

/// Result of a step.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a kernel cannot be launched.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Error {
    #[error("the manifest '{file}' does not fit its PTX: {why}")]
    Manifest { file: String, why: String },
    #[error("there is no kernel '{name}' in '{file}'; it has {kernels}")]
    NoSuchKernel { name: String, file: String, kernels: Names },
    #[error("'{name}' is the name of several kernels in '{file}': {kernels}")]
    SeveralKernels { name: String, file: String, kernels: Names },
    #[error("'{file}' has no kernel")]
    NoKernel { file: String },
    #[error("'{file}' has the kernels {kernels}")]
    WhichKernel { file: String, kernels: Names },
    #[error("{names} names are given for the {parameters} parameters of kernel '{}'", readable(kernel))]
    ParameterNames { kernel: String, names: usize, parameters: usize },
    #[error(transparent)]
    Host(#[from] cute_host::Error),
    #[error("host function '{host}' returned {code}, although no call of the driver failed")]
    HostCode { host: String, code: i32 },
    #[error(
        "{location}: 'cuda.launch_ex' op launches kernel '{}', which the device would refuse: {why}",
        readable(kernel)
    )]
    HostLaunch { location: SourcePlace, kernel: String, why: String },
    #[error(transparent)]
    Simulator(Box<cute_sim::Error>),
    #[error("{callee}: {why}")]
    Launch { callee: String, why: String },
    #[error("{callee} has {}, but there {}", wanted(whole, leaves), arguments(*given))]
    ArgumentCount { callee: String, whole: Vec<String>, leaves: Vec<String>, given: usize },
    #[error("argument {argument}: {why}")]
    Argument { argument: String, why: String },
    #[error(
        "the kernel touches more of its arrays than the {of} bytes that {option} allows; raise the limit"
    )]
    Room { of: u64, option: String },
    #[error("the simulator has no memory for an array of {bytes} bytes")]
    NoMemory { bytes: usize },
}

/// Parameters, values or kernels that a message lists at most.
const LISTED: usize = 12;

/// The parameters and values of a callee, as text.
pub fn wanted(whole: &[String], leaves: &[String]) -> String {
    let list = |n: usize, what: &str, list: &[String]| {
        let names = match list.len().saturating_sub(LISTED) {
            _ if list.is_empty() => String::new(),
            0 => format!(" ({})", list.join(", ")),
            more => format!(" ({} and {more} more)", list[..LISTED].join(", ")),
        };
        format!("{n} {what}{}{names}", if n == 1 { "" } else { "s" })
    };
    let whole_text = list(whole.len(), "parameter", whole);
    if whole.len() == leaves.len() {
        return whole_text;
    }
    format!("{whole_text}, passed as {}", list(leaves.len(), "value", leaves))
}

/// The number of arguments in a message.
fn arguments(given: usize) -> String {
    if given == 1 { "is 1 argument".to_owned() } else { format!("are {given} arguments") }
}

/// The names of kernels in a message: readable ones, with the symbol where they are equal.
#[derive(Debug)]
pub struct Names(Vec<String>);

impl Names {
    pub(crate) fn of<'m>(kernels: impl IntoIterator<Item = &'m Kernel>) -> Self {
        let symbols: Vec<&str> = kernels.into_iter().map(|kernel| kernel.name.as_str()).collect();
        let names: Vec<_> = symbols.iter().map(|symbol| readable(symbol)).collect();
        let is_unique = |name: &str| names.iter().filter(|other| **other == name).count() == 1;
        let name = |(symbol, name): (&&str, &Cow<'_, str>)| match is_unique(name) {
            true => name.to_string(),
            false => format!("{name} ({symbol})"),
        };
        Self(symbols.iter().zip(&names).map(name).collect())
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0[..self.0.len().min(LISTED)].join(", "))?;
        match self.0.len().saturating_sub(LISTED) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}
