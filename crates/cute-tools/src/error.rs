//! The errors of the tools. Each text is one line after `error: `, except for output of ptxas.

use cute_arch::{Target, UnknownTarget};
use cute_driver::{libdevice, ptxas};
use cute_launch::error::wanted;
use cute_output::plain;
use cute_sim::{SourcePlace, names::readable};
use std::{fmt, io};

/// Result of a step.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a step failed.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Error {
    /// The kernel cannot be built.
    #[error(transparent)]
    Kernel(#[from] cute_kernels::Error),
    #[error("cannot read '{file}': {}", plain(why))]
    Read { file: String, why: io::Error },
    #[error("{}", launch(.0))]
    Launch(#[from] cute_launch::Error),
    /// A step between reading and writing.
    #[error("{}{}", .0, advice(.0))]
    Session(#[from] cute_session::Error),
    #[error(transparent)]
    Option(#[from] cute_driver::options::Error),
    #[error(transparent)]
    Write(#[from] cute_output::Error),
    #[error(transparent)]
    Target(#[from] UnknownTarget),
    #[error(transparent)]
    Gate(#[from] crate::gate_error::Error),
    #[error(transparent)]
    Exec(#[from] crate::exec_error::Error),
    #[error(transparent)]
    Autopsy(#[from] cute_report::autopsy::Error),
    #[error("--at {text}: write VARIABLE or VARIABLE+BYTE, as in full+16")]
    At { text: String },
    #[error(transparent)]
    Mutate(#[from] crate::mutate_error::Error),
    /// A run of a mutant has no result.
    #[error(transparent)]
    Mutant(#[from] cute_mutate::session::Interrupted),
    #[error(transparent)]
    NoScore(#[from] cute_mutate::judge::NoScore),
    #[error("{option} has no use in a proof")]
    NotForProofs { option: &'static str },
    #[error("{why}")]
    Proof { why: Box<cute_prove::Error> },
    #[error("--removable changes PTX; with --through ptx it is that of the module")]
    NeedsPtx,
    #[error("the kernel is wrong for n = {n}")]
    Wrong { n: i64 },
    #[error("it is not decided whether the kernel is right for every n")]
    Undecided,
    #[error("the following required arguments were not provided: --target <GPU>")]
    NeedsTarget,
    #[error("--emit cubin needs -o FILE")]
    CubinNeedsFile,
    #[error("-o would overwrite '{file}', which {role}")]
    OutputIsInput { file: String, role: &'static str },
    #[error("--out {argument}: {why}")]
    Out { argument: String, why: String },
    #[error("{option}: {why}")]
    Output { option: String, why: &'static str },
    #[error("{option}: {} writes this file", if other.starts_with("--out") { "another --out" } else { other })]
    SameFile { option: String, other: String },
    #[error("{option} {file}: {why}")]
    View { option: &'static str, file: String, why: String },
    #[error("--trace-blocks {blocks}: {why}")]
    TraceBlocks { blocks: String, why: String },
    #[error("--trace-blocks selects blocks for a timeline: give --trace FILE or --html FILE too")]
    BlocksWithoutTrace,
    #[error("the run was interrupted{left}")]
    Interrupted { left: UnwrittenFiles },
    #[error("--host runs functions of cute IR; a file of PTX has kernels alone")]
    PtxHasNoHost,
    #[error("{option} applies to the simulator, which does not run with --gpu; add --compare to run both")]
    ForSimulator { option: &'static str },
    #[error(
        "'{id}' is neither a finding, such as race, nor a rule, such as X1 or unmodelled-call{near}; docs/simulator.md and \
         docs/rules.md list them, and a report in JSON names them as kind and id"
    )]
    NoRule { id: String, near: Near },
    #[error("{file}: {why}")]
    Allow { file: String, why: String },
    #[error("{file}: {why}")]
    Operations { file: String, why: String },
    /// The report has the details.
    #[error("kernel '{}' has {count} finding{}{left}", readable(kernel), if *count == 1 { "" } else { "s" })]
    Findings { kernel: String, count: usize, left: UnwrittenFiles },
    #[error("{count} of {of} arrays differ from the simulator's{left}")]
    Differs { count: usize, of: usize, left: UnwrittenFiles },
    #[error("no CUDA driver: libcuda.so.1 could not be loaded ({why})")]
    NoDriver { why: String },
    #[error("the CUDA driver is for CUDA {}.{}, but --gpu needs {}.{} or later", found.0, found.1, least.0, least.1)]
    OldDriver { found: (i32, i32), least: (i32, i32) },
    #[error("the CUDA driver finds no device")]
    NoDevice,
    #[error("no target runs on {device} (compute capability {}.{}); the oldest is {oldest}", capability.0, capability.1)]
    NoTarget { device: String, capability: (u32, u32), oldest: Target },
    #[error(
        "--target {target} does not run on {device} (compute capability {}.{}); leave it out for {own}", capability.0,
        capability.1
    )]
    OtherTarget { target: Target, device: String, capability: (u32, u32), own: Target },
    #[error("cannot {step}: {name} ({text})")]
    Driver { step: String, name: String, text: String },
}

impl Error {
    /// The id of the broken rule, if it is one of a launch or of the simulator.
    pub fn id(&self) -> Option<&'static str> {
        match self {
            Self::Proof { why } => why.id(),
            _ => self.launch().and_then(cute_launch::Error::id),
        }
    }

    /// Where it is, if it is about a place.
    pub fn place(&self) -> Option<&SourcePlace> {
        match self {
            Self::Proof { why } => why.place(),
            _ => self.launch().and_then(cute_launch::Error::place),
        }
    }

    fn launch(&self) -> Option<&cute_launch::Error> {
        match self {
            Self::Launch(why) | Self::Session(cute_session::Error::Launch(why)) => Some(why),
            _ => None,
        }
    }
}

impl From<cute_prove::Error> for Error {
    fn from(why: cute_prove::Error) -> Self {
        match why {
            cute_prove::Error::Launch(why) => Self::Launch(why),
            why => Self::Proof { why: Box::new(why) },
        }
    }
}

/// The option that helps, appended to the message of a session.
fn advice(error: &cute_session::Error) -> &'static str {
    use cute_session::Error as E;
    match error {
        E::Libdevice(libdevice::Error::NotBitcode { .. }) => {
            "; --libdevice needs libdevice.10.bc of a CUDA toolkit or of 'pip install nvidia-nvvm', or none"
        }
        E::Ptxas(ptxas::Error::NotFound) => ", or use --emit ptx",
        E::Ptxas(ptxas::Error::TimeLimit { .. }) => "; --ptxas-timeout SECONDS gives it more",
        E::NoHost { .. } => "; to run a kernel alone, leave out --host and give --grid",
        E::WhichHost { .. } => "; choose one with --host NAME",
        _ => "",
    }
}

/// Ids that were probably meant.
#[derive(Debug)]
pub struct Near(pub Vec<&'static str>);

impl fmt::Display for Near {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [] => Ok(()),
            near => write!(f, "; did you mean {}?", near.join(" or ")),
        }
    }
}

/// Files in `--out` that a failed run leaves unchanged, because an old file is easily mistaken for
/// a result.
#[derive(Debug)]
pub struct UnwrittenFiles(pub Vec<String>);

impl fmt::Display for UnwrittenFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.iter().map(|n| format!("'{n}'")).collect::<Vec<_>>().join(", ");
        match self.0.len() {
            0 => Ok(()),
            1 => write!(f, "; {names} is not written"),
            _ => write!(f, "; {names} are not written"),
        }
    }
}

/// An error of a launch, with the options that it is about.
fn launch(error: &cute_launch::Error) -> String {
    use cute_launch::Error::{Argument, ArgumentCount, Variable, WhichKernel};
    match error {
        ArgumentCount { callee, whole, leaves, given } => {
            format!("{callee} has {}, but --arg was given {}", wanted(whole, leaves), times(*given))
        }
        Argument { argument, why } => format!("--arg {argument}: {why}"),
        Variable { variable, why } => format!("--variable {variable}: {why}"),
        WhichKernel { .. } => format!("{error}; choose one with --kernel"),
        other => other.to_string(),
    }
}

fn times(n: usize) -> String {
    if n == 1 { "once".into() } else { format!("{n} times") }
}
