//! The command line of `cutec prove`.

use crate::run;
use clap::{Arg, Args};

/// The end of `cutec prove --help`.
const MANUAL: &str = "\
The size is n. It stands in braces in --arg and --array, as in --arg 'A:bf16[128x{64*n}]' --arg 'K:{64*n}', with
numbers, +, -, * and parentheses. The grid, the block and everything else are fixed.

The answer is one of
  proved           at every n from --first on, with the properties and the assumptions
  counterexample   the smallest n and the schedule under which the simulator finds a mistake, and the command
                   that runs it
  not decided      the place that the analysis does not understand, and why

docs/prove.md explains it.";

/// Prove that the barriers of a kernel are right for every number of iterations.
#[derive(Debug, Args)]
#[command(after_long_help = MANUAL, mut_args = adapted)]
#[group(skip)]
pub struct Cli {
    /// The smallest n
    #[arg(long, value_name = "N", default_value_t = 1, allow_hyphen_values = true)]
    pub first: i64,
    /// Answer after this number of seconds that it is not decided
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, allow_hyphen_values = true)]
    pub seconds: f64,
    /// The launch
    #[command(flatten, next_help_heading = "Options of the launch")]
    pub run: run::cli::Cli,
}

/// Options of `cutec run` without a use here.
const WITHOUT: [&str; 20] = [
    "gpu",
    "compare",
    "cache",
    "trace",
    "html",
    "trace_blocks",
    "keep_arrays",
    "outputs",
    "launches",
    "schedule",
    "schedules",
    "elect",
    "only_blocks",
    "no_races",
    "pedantic",
    "allow",
    "tolerance",
    "strict_ptx",
    "cooperative",
    "allow_overflow",
];

/// The options of `cutec run` as they are here.
fn adapted(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        id if WITHOUT.contains(&id) => arg.hide(true),
        _ => arg,
    }
}

impl Cli {
    /// An option of `cutec run` that is given and has no use here.
    pub(super) fn unused(&self) -> Option<&'static str> {
        let (run, simulation) = (&self.run, &self.run.simulation);
        let given = [
            ("--launches", run.launches.is_some()),
            ("--schedule", simulation.schedule.is_some()),
            ("--schedules", simulation.schedules.is_some()),
            ("--elect", run.elect.is_some()),
            ("--only-blocks", simulation.only_blocks.is_some()),
            ("--no-races", simulation.no_races),
            ("--pedantic", simulation.pedantic),
            ("--allow", !simulation.allow.is_empty()),
            ("--tolerance", run.tolerance.is_some()),
            ("--strict-ptx", run.strict_ptx),
            ("--cooperative", run.cooperative),
            ("--report", !matches!(run.report, run::cli::Form::Text | run::cli::Form::Json)),
            ("--allow-overflow", run.allow_overflow),
        ];
        let mut given = self.run.results().into_iter().chain(given);
        given.find(|(_, is_given)| *is_given).map(|(name, _)| name)
    }
}
