//! The command line of `cutec run`.

use super::{
    npy::Npy,
    simulation::{Simulation, devices},
};
use crate::{
    cli::{Producer, domain, extents, known_target},
    settings::Settings,
};
use clap::{Args, ValueEnum};
use cute_algebra::Domain;
use cute_arch::Target;
use cute_cuda::device::{self, Device};
use cute_launch::{
    bind::{Arguments, Face, Given, Sms, Variables},
    job::{Grid, RequestedExtents},
    map,
    simulate::Checks,
};
use cute_report::timeline::Blocks;
use cute_sim::Election;
use std::path::PathBuf;

/// The end of `cutec run --help`, up to the arguments that are tensor maps.
const MANUAL: &str = "\
Arguments:
  Give one --arg for each parameter of the kernel, in order. It is one of
    [NAME:]TYPE[EXTENTS]          an array of zeros, such as f16[128x64]
    [NAME:]TYPE[EXTENTS]=VALUES   an array with values, such as A:f32[128x64]=random(7)
    [NAME:][TYPE=]FILE.npy        an array with the extents, values and type of a file; NAME=FILE.npy too
    TYPE[EXTENTS,strides=S0xS1..] an array whose elements lie that far apart, such as f32[3x5,strides=8x1];
                                  FILE.npy[strides=..] too
    [NAME:][TYPE=]NUMBER          a scalar, such as 64, n:64 or n:i32=64; auto is the number of SMs
    null                          the null pointer

  TYPE is f16, bf16, f32, f64, f8E4M3FN, f8E5M2, f8E8M0FNU, i1, i8, i16, i32, i64, u8, u16, u32 or u64.
  VALUES are one of
    NUMBER                        the same number in all elements, such as 0 or 1.5
    range                         0 1 2 ..
    random(SEED)                  numbers in [-1, 1), or integers from -8 to 7
    undef                         none: a read of an element that nothing has written is an error
    FILE.npy                      a file with an array of this type and these extents
    &NAME,&NAME+BYTES,null,..     for i64 and u64: the addresses of other arrays, also those of --array
  A pointer may also be given as
    &NAME+BYTES                   the address of a byte of the array of another --arg or --array
    NUMBER                        an address as it is, such as 0x7000
    &{..}, &tensor_map(..), &bytes(..)
                                  the address of global memory that begins with one of these three:
  A parameter by value may also be given as
    {&A+16,i32=5,f32=1.0,{null}}  a struct with addresses, numbers and structs, laid out as in C
    bytes(FILE){16:&A,40:&B+64}   the bytes of a file, or bytes(0x00ff..), with addresses in place of the 8 bytes
                                  at these offsets; 64:tensor_map(..) replaces 128 bytes, and 24:i32=5 four
    i64[2]=&A,&B                  these addresses
";

const MANUAL_AFTER_MAPS: &str =
    "  A .npy file does not name the type of bf16 and 8-bit floats: they have the type of the parameter, or
  the one in front of the file, as in f8E5M2=x.npy.

  An array for a !cute.memref also gives the extents and strides that its type leaves to run time. The
  elements lie row by row, unless the type, the --arg or a column-major file gives other strides.
  Instead, there may be one --arg for each value that is passed at run time, as cutec --emit manifest
  lists them: a pointer, then each dynamic extent and stride. Before the run, the promises of the types
  are checked (divisors, alignment, positive extents).

  With --host the arguments are those of a function that launches kernels, without streams. The
  function determines grids, blocks, shared memory and clusters, and arrays keep their contents from
  launch to launch.";

fn manual() -> String {
    [MANUAL, map::HELP, MANUAL_AFTER_MAPS].concat()
}

/// A run in the simulator or on a GPU.
#[derive(Debug, Clone, Args)]
#[command(after_long_help = manual())]
pub struct Cli {
    /// cute IR or PTX; - is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Kernel to run [default: the only one of FILE]
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,
    /// Host function to run, with its launches in order; the only one of FILE if NAME is left out
    #[arg(long, value_name = "NAME", conflicts_with_all = ["kernel", "grid", "block", "shared", "cluster"])]
    pub host: Option<Option<String>>,
    /// Blocks: X, X,Y or X,Y,Z; auto is one for each SM, in whole clusters
    #[arg(long, value_name = "X,Y,Z", value_parser = grid, required_unless_present_any = ["host", "launches"])]
    pub grid: Option<Grid>,
    /// Run what a host enqueues: a file in JSON with arrays, streams and operations, such as
    /// launches, copies and events, in their order
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["kernel", "host", "grid", "block", "shared", "cluster",
        "arguments", "arrays", "gpu"])]
    pub launches: Option<PathBuf>,
    /// Device that is simulated: its tensor cores, and its number of SMs [default: one that the
    /// kernel is for]
    #[arg(long, value_name = "NAME", conflicts_with = "gpu", value_parser = devices())]
    pub device: Option<String>,
    /// Number of SMs, for auto [default: that of the simulated GPU; with --gpu, that of the GPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub sms: Option<u32>,
    /// Threads of a block [default: the number that the kernel requires]
    #[arg(long, value_name = "X,Y,Z", value_parser = extents)]
    pub block: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory [default: the amount in the kernel's attribute]
    #[arg(long, value_name = "BYTES")]
    pub shared: Option<u32>,
    /// An argument, one for each parameter: [NAME:]TYPE[EXTENTS][=VALUES], [NAME:]FILE.npy,
    /// [NAME:][TYPE=]NUMBER or null; Arguments, at the end of --help, has the details
    #[arg(long = "arg", value_name = "ARGUMENT", allow_hyphen_values = true)]
    pub arguments: Vec<String>,
    /// An array that is not an argument, but reachable through addresses:
    /// NAME:TYPE[EXTENTS][=VALUES] or NAME=FILE.npy
    #[arg(long = "array", value_name = "ARRAY", allow_hyphen_values = true)]
    pub arrays: Vec<String>,
    /// Values of a variable of the module, such as one that CUDA C++ declares __constant__ or
    /// __device__: NAME:TYPE[EXTENTS]=VALUES, NAME:TYPE=NUMBER, NAME=FILE.npy or NAME:{..}.
    /// NAME:TYPE[EXTENTS] keeps the values of the module, for --out
    #[arg(long = "variable", value_name = "VARIABLE", allow_hyphen_values = true, conflicts_with = "gpu")]
    pub variables: Vec<String>,
    /// Write an array after a run without errors; NAME is that of its --arg, or else of the
    /// parameter, or that of a --variable
    #[arg(long = "out", value_name = "NAME=FILE.npy")]
    pub outputs: Vec<String>,
    /// GPU to lower for [default: the first from sm_90a on that has the kernels' instructions; with
    /// --gpu, the GPU of this machine]; sm_107, sm_107f and sm_107a are for PTX alone
    #[arg(long, value_name = "GPU", value_parser = known_target())]
    pub target: Option<Target>,
    /// Run on a GPU, through its driver (CUDA 12.8 or later)
    #[arg(long)]
    pub gpu: bool,
    /// Run in the simulator first, and compare what both leave in the arrays
    #[arg(long, requires = "gpu", conflicts_with = "only_blocks")]
    pub compare: bool,
    /// How far an element of the GPU's may be off: T * max(1, |simulator's|) [default: 0, or the
    /// error that PTX documents for the approximate instructions of the kernel]
    #[arg(long, value_name = "T", requires = "compare", value_parser = tolerance)]
    pub tolerance: Option<f64>,
    /// How to report
    #[arg(long, value_enum, value_name = "FORM", default_value = "text")]
    pub(crate) report: Form,
    /// Instructions that all threads together may execute under each schedule [default: 10^6 per
    /// thread, at least 10^10, and a limit on instructions that change no memory]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub budget: Option<u64>,
    /// MiB that arrays may take: those of files, and the pages of others that kernels touch
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(..1 << 40))]
    pub memory: u64,
    /// Blocks of a cluster: X, X,Y or X,Y,Z [default: the kernel's attributes]
    #[arg(long, value_name = "X,Y,Z", value_parser = extents)]
    pub cluster: Option<[u32; 3]>,
    /// Launch the kernel so that all blocks of the grid are resident at once and may wait for each
    /// other, as cudaLaunchCooperativeKernel does; with --sms N, a grid that N SMs do not hold is
    /// refused
    #[arg(long, conflicts_with_all = ["host", "launches", "only_blocks"])]
    pub cooperative: bool,
    /// The options of all runs in the simulator
    #[command(flatten)]
    pub simulation: Simulation,
    /// The lane that elect.sync elects: first, last, or a number; the lowest of the mask if it does
    /// not have that one [default: first; last under the schedule reverse]
    #[arg(long, value_name = "LANE", value_parser = str::parse::<Election>)]
    pub elect: Option<Election>,
    /// Write the arrays of --out after findings, too: what was stored until the run ended
    #[arg(long)]
    pub keep_arrays: bool,
    /// Simulate the PTX that the kernels compile to, which is what ptxas gets
    #[arg(long, value_enum, value_name = "FORM")]
    pub through: Option<Through>,
    /// Refuse a kernel if its PTX, or a function that it calls, has an instruction that the
    /// simulator does not know. Without it, such an instruction is an error when a thread gets
    /// there
    #[arg(long)]
    pub strict_ptx: bool,
    /// Let nsw and nuw arithmetic wrap
    #[arg(long)]
    pub allow_overflow: bool,
    /// The blocks in the trace and in the timeline of the page: numbers in the grid, x fastest, as
    /// in 0,4-7 [default: all]
    #[arg(long, value_name = "LIST", value_parser = str::parse::<Blocks>)]
    pub trace_blocks: Option<Blocks>,
    /// Keep what the run says in this folder, and say it again when nothing has changed that it
    /// depends on: the options, the files that are read, and cutec itself
    #[arg(long, value_name = "FOLDER")]
    pub cache: Option<PathBuf>,
    /// The options of the compilation
    #[command(flatten)]
    pub(crate) settings: Settings,
    /// Domain policy if no cute.domain attribute specifies one
    #[arg(long, value_name = "POLICY", value_parser = domain())]
    pub domain: Option<Domain>,
    /// The producer of the module
    #[command(flatten)]
    pub(crate) producer: Producer,
}

impl Cli {
    /// The options about the results of one run, and whether each is given: commands that make many
    /// runs refuse them.
    pub(crate) fn results(&self) -> [(&'static str, bool); 8] {
        let simulation = &self.simulation;
        [
            ("--gpu", self.gpu),
            ("--compare", self.compare),
            ("--cache", self.cache.is_some()),
            ("--trace", simulation.trace.is_some()),
            ("--html", simulation.html.is_some()),
            ("--trace-blocks", self.trace_blocks.is_some()),
            ("--keep-arrays", self.keep_arrays),
            ("--out", !self.outputs.is_empty()),
        ]
    }

    /// Whether the simulator runs.
    pub fn simulates(&self) -> bool {
        !self.gpu || self.compare
    }

    /// The launch of a kernel.
    pub fn extents(&self) -> RequestedExtents {
        let grid = self.grid.expect("the command line requires it where no host function is run");
        RequestedExtents {
            preferred_cluster: None,
            grid,
            block: self.block,
            shared: self.shared,
            cluster: self.cluster,
            cooperative: self.cooperative,
        }
    }

    /// The arguments of a launch.
    pub fn arguments<'a>(
        &self,
        given: &'a [Given],
        arrays: &'a [Given],
        variables: Variables<'a>,
        sms: Sms,
    ) -> Arguments<'a> {
        let (memory, face) = (self.memory << 20, Face::CommandLine);
        Arguments { given, arrays, variables, memory, sms, files: &Npy, face }
    }

    /// The checks of the simulator.
    pub fn checks(&self) -> Checks {
        Checks {
            budget: self.budget,
            races: !self.simulation.no_races,
            pedantic: self.simulation.pedantic,
            strict_isa: self.simulation.strict_isa,
            allow: self.simulation.allow.clone(),
            overflow: !self.allow_overflow,
            sums: self.simulation.sums.or(self.named().map(|device| device.target.into())),
            elect: self.elect,
            only: self.simulation.only_blocks.clone(),
            strict_ptx: self.strict_ptx,
            ..Checks::default()
        }
    }

    /// The device that is simulated.
    pub fn named(&self) -> Option<Device> {
        self.device.as_deref().and_then(|name| device::named(name).ok())
    }

    /// An option that is the simulator's.
    pub fn simulators_option(&self) -> Option<&'static str> {
        let given = [
            ("--budget", self.budget.is_some()),
            ("--cluster", self.cluster.is_some()),
            ("--schedule", self.simulation.schedule.is_some()),
            ("--schedules", self.simulation.schedules.is_some()),
            ("--elect", self.elect.is_some()),
            ("--only-blocks", self.simulation.only_blocks.is_some()),
            ("--sums", self.simulation.sums.is_some()),
            ("--no-races", self.simulation.no_races),
            ("--pedantic", self.simulation.pedantic),
            ("--strict-isa", self.simulation.strict_isa),
            ("--allow", !self.simulation.allow.is_empty()),
            ("--keep-arrays", self.keep_arrays),
            ("--through", self.through.is_some()),
            ("--strict-ptx", self.strict_ptx),
            ("--allow-overflow", self.allow_overflow),
            ("--trace", self.simulation.trace.is_some()),
            ("--html", self.simulation.html.is_some()),
            ("--trace-blocks", self.trace_blocks.is_some()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
    }
}

/// A form that kernels are simulated in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Through {
    /// PTX
    Ptx,
}

/// How to report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Tables, followed by findings
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, for code scanning and editors
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
    /// JUnit's XML, a test case for each launch and schedule
    Junit,
}

fn grid(text: &str) -> Result<Grid, String> {
    if text == "auto" { Ok(Grid::Auto) } else { extents(text).map(Grid::Extents) }
}

pub(crate) fn tolerance(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|t| t.is_finite() && *t >= 0.0);
    value.ok_or_else(|| "a tolerance must be a number that is not negative, as in 1e-3".into())
}

#[cfg(test)]
mod tests {
    use cute_sim::Schedule;

    use super::*;

    #[test]
    fn extents_are_one_to_three_positive_numbers() {
        assert_eq!(extents("4"), Ok([4, 1, 1]));
        assert_eq!(extents("4, 2,3"), Ok([4, 2, 3]));
        for wrong in ["", "0", "4,0", "1,2,3,4", "x", "-1", "4294967296"] {
            assert!(extents(wrong).is_err(), "{wrong}");
        }
        for (text, schedule) in [("reverse", Schedule::Reverse), ("7", Schedule::Random(7))] {
            assert_eq!(text.parse(), Ok(schedule));
        }
        assert!("-7".parse::<Schedule>().is_err());
        assert_eq!(tolerance("1e-3"), Ok(1e-3));
        for wrong in ["-1", "nan", "inf", "x"] {
            assert!(tolerance(wrong).is_err(), "{wrong}");
        }
    }
}
