//! The errors that stop a launch.

use crate::recognise::NotPtx;
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
    #[error("{}", not_ptx(file, *kind))]
    NotPtx { file: String, kind: Option<NotPtx> },
    #[error("'{file}' has no kernel")]
    NoKernel { file: String },
    #[error("'{file}' has the kernels {kernels}")]
    WhichKernel { file: String, kernels: Names },
    #[error("{names} names are given for the {parameters} parameters of kernel '{}'", readable(kernel))]
    ParameterNames { kernel: String, names: usize, parameters: usize },
    #[error("{}{why}", if path.is_empty() { String::new() } else { format!("{path}: ") })]
    Operations { path: String, why: String },
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
    #[error("variable {variable}: {why}")]
    Variable { variable: String, why: String },
    #[error(
        "the kernel touches more of its arrays than the {of} bytes that {option} allows; raise the limit"
    )]
    Room { of: u64, option: String },
    #[error("the simulator has no memory for an array of {bytes} bytes")]
    NoMemory { bytes: usize },
}

cute_rules::rules! {
    /// The rule that a launch breaks.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum LaunchRule {
        /// The manifest is of another file.
        Manifest = "launch-manifest": "The manifest beside PTX describes its kernels.",
            "the manifest '..' does not fit its PTX: ..", "Compile the kernel again, or remove the manifest.";
        /// There is no such kernel.
        NoSuchKernel = "launch-no-such-kernel": "The file has the kernel that a launch names.",
            "there is no kernel '..' in '..'; it has ..", "Name one of the kernels that the message lists.";
        /// Several kernels have the name.
        SeveralKernels = "launch-several-kernels": "A readable name is the name of one kernel.",
            "'..' is the name of several kernels in '..': ..", "Write the symbol that the message gives in brackets.";
        /// The file is another kind of text.
        NotPtx = "launch-not-ptx": "A file with kernels is PTX or a module of MLIR.", "'..' is .., not PTX: ..",
            "Follow the advice of the message, which depends on what the file is.";
        /// There is no kernel.
        NoKernel = "launch-no-kernel": "A file that is run has a kernel.", "'..' has no kernel",
            "Mark a function as an entry: `.entry` in PTX, `gpu.kernel` in IR.";
        /// There are several kernels.
        WhichKernel = "launch-which-kernel": "The kernel is named if the file has several.",
            "'..' has the kernels ..", "Name the kernel.";
        /// The names of parameters.
        ParameterNames = "launch-parameter-names": "There are at most as many names as parameters.",
            ".. names are given for the .. parameters of kernel '..'", "Give one name per parameter.";
        /// The host function fails.
        Host = "launch-host": "A host function computes its launches from its arguments without an error.",
            "..", "Correct the host function or its arguments where the message points.";
        /// The host function returns an error.
        HostCode = "launch-host-code": "A host function returns 0 if no call of the driver failed.",
            "host function '..' returned .., although no call of the driver failed",
            "Look for the value that the host function checks before it returns.";
        /// A launch of a host function.
        HostLaunch = "launch-host-refused": "The device accepts each launch of a host function.",
            "..: 'cuda.launch_ex' op launches kernel '..', which the device would refuse: ..",
            "Correct the configuration of the launch that the message points to.";
        /// A launch that a device would refuse.
        Launch = "launch-limits": "The extents, the shared memory and the attributes of a launch are within the limits \
            of the kernel and of the target.", "..: ..", "Change the value that the message names to one that it allows.";
        /// A file of operations.
        Operations = "launch-operations": "The operations of a file of launches have their fields, and name arrays, streams and \
            events that exist.", "operations[..]..: ..", "Correct the field to which the path in the message leads.";
        /// The number of arguments.
        ArgumentCount = "launch-argument-count": "A launch has one argument per parameter.",
            ".. has .. parameters (..), but there are .. arguments", "Give the arguments that the message lists, in their order.";
        /// An argument breaks a promise.
        Argument = "launch-argument": "An argument has the type, the shape and the layout that its parameter promises.",
            "argument ..: ..", "Change the argument as the message says; docs/tools.md describes the forms of arguments.";
        /// A variable of the module.
        Variable = "launch-variable": "A variable that is set is one of the module, and gets as many bytes as it has.",
            "variable ..: ..", "Name a variable that a kernel uses, and give it a value of its size.";
        /// The limit of memory.
        Room = "launch-memory-limit": "The arrays that a kernel touches fit the limit of the run.",
            "the kernel touches more of its arrays than the .. bytes that .. allows; raise the limit",
            "Raise the limit with the option that the message names, or run with smaller arrays.";
        /// The memory of the simulator.
        NoMemory = "launch-no-memory": "The simulator has memory for each array.",
            "the simulator has no memory for an array of .. bytes", "Run with smaller arrays, or on a larger machine.";
    }
}

/// That a file is not PTX, what it is, and the way to PTX.
fn not_ptx(file: &str, kind: Option<NotPtx>) -> String {
    match kind {
        Some(kind) => format!("'{file}' is {kind}, not PTX: {}", kind.advice()),
        None => format!("'{file}' is not PTX: it does not begin with `.version`"),
    }
}

impl Error {
    /// The id of the broken rule; that of findings is the kind of the first one.
    pub fn id(&self) -> Option<&'static str> {
        let rule = match self {
            Self::Manifest { .. } => LaunchRule::Manifest,
            Self::NoSuchKernel { .. } => LaunchRule::NoSuchKernel,
            Self::SeveralKernels { .. } => LaunchRule::SeveralKernels,
            Self::NotPtx { .. } => LaunchRule::NotPtx,
            Self::NoKernel { .. } => LaunchRule::NoKernel,
            Self::WhichKernel { .. } => LaunchRule::WhichKernel,
            Self::ParameterNames { .. } => LaunchRule::ParameterNames,
            Self::Host(_) => LaunchRule::Host,
            Self::HostCode { .. } => LaunchRule::HostCode,
            Self::HostLaunch { .. } => LaunchRule::HostLaunch,
            Self::Simulator(why) => return why.id(),
            Self::Launch { .. } => LaunchRule::Launch,
            Self::Operations { .. } => LaunchRule::Operations,
            Self::ArgumentCount { .. } => LaunchRule::ArgumentCount,
            Self::Argument { .. } => LaunchRule::Argument,
            Self::Variable { .. } => LaunchRule::Variable,
            Self::Room { .. } => LaunchRule::Room,
            Self::NoMemory { .. } => LaunchRule::NoMemory,
        };
        Some(rule.id())
    }

    /// Where it is, if it is about a place.
    pub fn place(&self) -> Option<&SourcePlace> {
        match self {
            Self::HostLaunch { location, .. } => Some(location),
            Self::Simulator(why) => why.place(),
            _ => None,
        }
    }
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
