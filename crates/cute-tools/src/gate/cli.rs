//! The command line of `cutec gate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use cute_algebra::Domain;
use cute_arch::Target;

use crate::{
    cli::{domain, extents, known_target},
    settings::Settings,
};

/// Measure the machine code of kernels, and fail where it became worse.
///
/// A row for each kernel, GPU and ptxas: registers, bytes of stack and of spilled registers, loads
/// and stores of local memory (LDL, STL), static and dynamic shared memory, instructions without
/// NOPs, and the blocks that a multiprocessor holds at once. Lines below a row have the loops with
/// MMAs, or without MMAs the innermost ones, and the lines of the source whose values are spilled.
/// With --baseline, a number that is worse than in that file is an error, and so is a kernel that
/// the file does not have. It needs ptxas and nvdisasm.
#[derive(Debug, Args)]
pub struct Cli {
    /// cute IR or PTX; - is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// GPU to compile for; may be repeated [default: that of PTX; else the first from sm_90a on
    /// that has the kernels' instructions]
    #[arg(long = "target", value_name = "GPU", value_parser = known_target())]
    pub targets: Vec<Target>,
    /// A ptxas, and the name that rows and the baseline have for it; may be repeated [default: the
    /// one that cutec uses, named by its version]
    #[arg(long = "assembler", value_name = "[NAME=]FILE")]
    pub assemblers: Vec<String>,
    /// Kernel to measure; may be repeated [default: all]
    #[arg(long = "kernel", value_name = "NAME")]
    pub kernels: Vec<String>,
    /// Rename the kernel before ptxas gets it, and compare with the code for its own name: ptxas
    /// compiles kernels with "cutlass" in their names differently
    #[arg(long, value_name = "NAME")]
    pub kernel_name: Option<String>,
    /// Threads of a block, for the blocks of a multiprocessor [default: the number that the kernel
    /// or a host function of its module declares]
    #[arg(long, value_name = "X,Y,Z", value_parser = extents)]
    pub block: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory [default: the amount in the kernel's attribute, or that of a
    /// host function of its module]
    #[arg(long, value_name = "BYTES")]
    pub shared: Option<u32>,
    /// Compare with the numbers in this file
    #[arg(long, value_name = "FILE.json")]
    pub baseline: Option<PathBuf>,
    /// Write the numbers into the file of --baseline; entries of others stay
    #[arg(long, requires = "baseline")]
    pub update: bool,
    /// By how many percent registers and instructions may exceed the baseline
    #[arg(long, value_name = "PERCENT", default_value_t = 0, requires = "baseline",
        value_parser = clap::value_parser!(u64).range(..=1000))]
    pub tolerance: u64,
    /// How to report
    #[arg(long, value_enum, value_name = "FORM", default_value = "text")]
    pub(crate) report: Form,
    /// Option for LLVM's backend, as llc takes it; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub llc: Vec<String>,
    /// Option for ptxas; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub ptxas: Vec<String>,
    /// The options of the compilation
    #[command(flatten)]
    pub(crate) settings: Settings,
    /// Domain policy if no cute.domain attribute specifies one
    #[arg(long, value_name = "POLICY", value_parser = domain())]
    pub domain: Option<Domain>,
}

/// How to report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// A table
    Text,
    /// One JSON object
    Json,
}
