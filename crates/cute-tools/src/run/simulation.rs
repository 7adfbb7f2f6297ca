//! The options that runs in the simulator share: those of `cutec run` and `cutec exec`.

use std::path::PathBuf;

use clap::{Args, builder::PossibleValuesParser};
use cute_cuda::device;
use cute_launch::{Allow, OnlyBlocks, sample::MOST_SCHEDULES};
use cute_sim::{Schedule, tensor::Sums};

/// Takes the name of a device.
pub fn devices() -> PossibleValuesParser {
    PossibleValuesParser::new(device::known().iter().map(|device| device.name))
}

/// The options of all runs in the simulator.
#[derive(Debug, Clone, Default, Args)]
pub struct Simulation {
    /// Run under one order of events where the hardware leaves it open: lazy, eager, reverse, or a
    /// seed for a random order
    #[arg(long, value_name = "ORDER", value_parser = str::parse::<Schedule>, conflicts_with = "schedules")]
    pub schedule: Option<Schedule>,
    /// Run under several: the first N of lazy, eager, reverse, and the seeds 1, 2, ..; arrays and
    /// counters are those of lazy [default: 3 for a kernel with asynchronous operations (bulk
    /// copies, mbarriers, wgmma, tcgen05), 1 for others; at most 100000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_SCHEDULES)))]
    pub schedules: Option<u32>,
    /// Run only these blocks of each grid, in whole clusters: a list of first, last, random:COUNT,
    /// numbers (x fastest) and positions as in (1,2,0). Races are looked for among them, and they
    /// alone are counted
    #[arg(long, value_name = "LIST", value_parser = str::parse::<OnlyBlocks>)]
    pub only_blocks: Option<OnlyBlocks>,
    /// How tensor cores add floats: as those of a GPU do, such as sm_90, or plain, in f32 [default:
    /// the GPU that the kernel is for]
    #[arg(long, value_name = "GPU", value_parser = str::parse::<Sums>)]
    pub sums: Option<Sums>,
    /// Do not check for races, which is faster
    #[arg(long)]
    pub no_races: bool,
    /// Report notes: violations of the instruction set that widely used kernels contain, and that
    /// generated code cannot show. Without it, they are only counted. Notes do not fail the run
    #[arg(long)]
    pub pedantic: bool,
    /// Report as an error what the instruction set forbids although widely used libraries rely on
    /// it. Without it, such a finding is reported as `portability`, and does not fail the run
    #[arg(long)]
    pub strict_isa: bool,
    /// Accept findings of a kind, or those in a file or at a line: they are counted, and do not
    /// fail the run; the entries of cute-allow.toml in the current directory are added
    #[arg(long, value_name = "KIND[@FILE[:LINE]]", value_parser = str::parse::<Allow>)]
    pub allow: Vec<Allow>,
    /// Write what happened in which order: for ui.perfetto.dev if FILE ends in .pftrace or
    /// .perfetto-trace, for Chrome if it ends in .json. Findings do not keep it from being written
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Write a report to look at, to print or to keep: one page of HTML with everything in it.
    /// Findings do not keep it from being written
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// A folder with the sources that PTX names, for the page of --html; may be repeated. Sources
    /// that are at the named place, or beside the file, are found without it
    #[arg(long = "source", value_name = "DIR", requires = "html")]
    pub sources: Vec<PathBuf>,
}
