//! The command line of `cutec mutate`.

use crate::run;
use clap::{Arg, Args, ValueEnum, builder::PossibleValuesParser};
use cute_mutate::{Kind, judge::MutantChoice};
use std::{ffi::OsString, path::PathBuf, time::Duration};

/// The end of `cutec mutate --help`.
const MANUAL: &str = "\
Two tests can be asked:
  cutec mutate FILE OPTIONS         A run, with the options of cutec run. The test compares the arrays after it
                                    with those of the kernel as it is, up to --tolerance.
  cutec mutate -- COMMAND           A command that runs kernels by cutec run or by the Python package. It runs once
                                    without a mutant, and must succeed, and then once for each mutant of the
                                    kernels that it has run. A mutant is noticed if the command fails.

In both, findings of the simulator are kept aside: the test sees values alone, as on a device. The report counts
both, and lists the mutants that the test does not notice. docs/mutants.md explains it.";

/// Ask a test whether it notices mistakes in a kernel: a fence, a wait or a barrier is missing, or
/// a count, a parity, a mask, a predicate, a stride or a swizzle is off by one step.
#[derive(Debug, Args)]
#[command(after_long_help = MANUAL, mut_args = adapted)]
#[group(skip)]
pub struct Cli {
    /// The number of mutants, or all
    #[arg(long, value_name = "N", default_value = "60", value_parser = count)]
    pub mutants: Count,
    /// The seed that chooses the mutants
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Change only things of these kinds; may be repeated
    #[arg(long = "change", value_name = "KIND", value_delimiter = ',',
        value_parser = PossibleValuesParser::new(Kind::ALL.map(Kind::name)))]
    pub kinds: Vec<String>,
    /// The text that is changed: the PTX of FILE, or its cute IR, whose mutants are those of its
    /// synchronisation
    #[arg(long, value_enum, value_name = "TEXT", default_value = "ptx", conflicts_with = "command")]
    pub(crate) of: Text,
    /// Print the mutants, and ask nothing
    #[arg(long)]
    pub list: bool,
    /// Write the text of each mutant to this folder
    #[arg(long, value_name = "FOLDER")]
    pub save: Option<PathBuf>,
    /// Begin no mutant after this many seconds
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<u64>,
    /// Seconds that the command may take [default: 10 times as long as without a mutant, and 10
    /// seconds more]
    #[arg(long, value_name = "SECONDS", requires = "command", value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: Option<u64>,
    /// Fail if the test notices fewer of the mutants whose values are known than this, in percent
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u64).range(..=100))]
    pub least: Option<u64>,
    /// The run
    #[command(flatten, next_help_heading = "Options of the run")]
    pub run: run::cli::Cli,
    /// The test, and its arguments
    #[arg(last = true, help_heading = "Arguments", value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// The text that is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Text {
    /// PTX
    Ptx,
    /// cute IR
    Ir,
}

/// A number of mutants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// All that there are.
    All,
    /// So many.
    Of(usize),
}

fn count(text: &str) -> Result<Count, String> {
    match text {
        "all" => Ok(Count::All),
        _ => match text.parse() {
            Ok(number) if number > 0 => Ok(Count::Of(number)),
            _ => Err("it is a positive number, or all".into()),
        },
    }
}

/// Options of `cutec run` without a use here.
pub(super) const WITHOUT: [&str; 9] =
    ["gpu", "compare", "cache", "trace", "html", "trace_blocks", "keep_arrays", "outputs", "through"];

/// The options of `cutec run` as they are here.
fn adapted(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "file" => {
            let help = "cute IR or PTX, which is run with the options of cutec run; left out for a command";
            arg.required(false).default_value("-").hide_default_value(true).help(help)
        }
        "grid" => arg.required_unless_present_any(["command", "list", "save"]),
        "tolerance" => Arg::new("tolerance")
            .long("tolerance")
            .value_name("T")
            .value_parser(run::cli::tolerance)
            .help(
                "How far an element may be off before the test of FILE fails: T * max(1, |the kernel's|) [default: 0, or the \
                 error that PTX documents for the approximate instructions of the kernel]",
            ),
        id if WITHOUT.contains(&id) => arg.hide(true),
        _ => arg,
    }
}

impl Cli {
    /// The choice of mutants.
    pub(super) fn choice(&self) -> MutantChoice {
        let kinds = Kind::ALL.into_iter().filter(|kind| self.kinds.iter().any(|name| name == kind.name()));
        MutantChoice {
            count: match self.mutants {
                Count::All => None,
                Count::Of(count) => Some(count),
            },
            seed: self.seed,
            kinds: kinds.collect(),
            kernels: self.run.kernel.iter().cloned().collect(),
            time: self.time.map(Duration::from_secs),
        }
    }

    /// An option of `cutec run` that is given and has no use here.
    pub(super) fn unused(&self) -> Option<&'static str> {
        let given = [("--through", self.run.through.is_some())];
        let mut given = self.run.results().into_iter().chain(given);
        given.find(|(_, is_given)| *is_given).map(|(name, _)| name)
    }
}
