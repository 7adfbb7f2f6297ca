//! Running a kernel: blocks on all host threads and in turns, the warps of a block in turns, the lanes of a warp together.
//!
//! | file | subject |
//! |---|---|
//! | `machine` | what all blocks share |
//! | `grid` | which block runs when |
//! | `block` | a block and its warps in turns |
//! | `warp` | a warp: its registers, its lanes apart and together |
//! | `step` | what each instruction does |
//! | `alu`, `scalar` | arithmetic of 32 lanes |
//! | `access`, `atomic` | loads, stores, atomic operations |
//! | `span`, `together` | where lanes access, and all of them at once |
//! | `barrier`, `stuck` | barriers of a block and of a warp, and when nobody comes |
//! | `call` | device functions |
//! | `collective` | shuffles, votes and their like |
//! | `copy` | `cp.async` |
//! | `unknown` | values that nothing gave |
//! | `tensor` | `mma.sync`, `ldmatrix`, `stmatrix` |
//! | `print`, `printf` | `vprintf` and traps; what a format and its arguments make |
//! | `counters`, `findings` | what is counted and found |

mod access;
mod alu;
mod atomic;
mod barrier;
mod block;
mod call;
mod collective;
mod copy;
mod counters;
mod findings;
mod grid;
mod launch;
mod machine;
mod print;
mod printf;
mod scalar;
mod span;
mod step;
mod stuck;
mod tensor;
mod together;
mod unknown;
mod warp;

pub use launch::{Arg, Launch};

use crate::error::Error;
use crate::memory::Memory;
use crate::program::{Kernel, Program};
use crate::report::{Report, Stats};
use crate::value::accuracy::accuracies;
use block::Outcome;
use counters::Counters;
use machine::Machine;

/// Lanes of a warp.
pub(crate) const WARP: u32 = 32;

/// Different findings that a report holds at most.
const MOST_FINDINGS: usize = 256;

impl Program {
    /// Runs one launch of a kernel, and fails if the kernel did something wrong.
    ///
    /// # Errors
    ///
    /// Those of [`simulate`](Self::simulate), and [`Error::Findings`] with the whole report.
    pub fn run(&self, launch: &Launch, memory: &mut Memory, args: &[Arg]) -> Result<Report, Error> {
        let report = self.simulate(launch, memory, args, |_| {})?;
        if report.findings.is_empty() { Ok(report) } else { Err(Error::Findings(Box::new(report))) }
    }

    /// Runs one launch of a kernel to its end, or as far as it goes, and reports what it did.
    ///
    /// Blocks run in any order, at once on several host threads, and take turns where they wait for each other: all blocks
    /// of the grid are resident together, up to 2 GiB of host memory. The warps of a block take turns; what the kernel
    /// computes and what is found within a block is the same every time. `finished` hears of each block that ends.
    ///
    /// A race or a read of an empty byte of shared memory is noted, and the block goes on; after any other finding its
    /// block stops, and so do the blocks behind it. `memory` then holds what was written until there.
    ///
    /// # Errors
    ///
    /// [`Error::NoKernel`] and [`Error::Launch`] before anything runs.
    pub fn simulate(
        &self,
        launch: &Launch,
        memory: &mut Memory,
        args: &[Arg],
        finished: impl Fn(u32) + Sync,
    ) -> Result<Report, Error> {
        let kernel = self.kernels.iter().find(|k| k.name == launch.kernel);
        let kernel = kernel.ok_or_else(|| Error::NoKernel(launch.kernel.clone()))?;
        let registers = launch.registers(kernel, memory, args)?;
        let machine = Machine::new(kernel, launch, &registers, memory);
        let blocks = launch.grid.iter().product();
        Ok(grid::run(&machine, blocks, &finished).report(kernel))
    }
}

/// What blocks left behind.
struct Total {
    /// Of blocks that found or printed something.
    outcomes: Vec<Said>,
    counters: Counters,
    stats: Stats,
}

struct Said {
    number: u32,
    findings: Vec<crate::finding::Finding>,
    output: String,
}

impl Total {
    fn new(kernel: &Kernel) -> Self {
        let counters = Counters::new(kernel.code.len());
        Total { outcomes: Vec::new(), counters, stats: Stats::default() }
    }

    fn add(&mut self, outcome: Outcome) {
        self.counters.add(&outcome.counters);
        self.stats.add(&outcome.stats);
        let Outcome { number, findings, output, .. } = outcome;
        if !findings.is_empty() || !output.is_empty() {
            self.outcomes.push(Said { number, findings, output });
        }
    }

    fn join(mut self, other: Total) -> Total {
        self.counters.add(&other.counters);
        self.stats.add(&other.stats);
        self.outcomes.extend(other.outcomes);
        self
    }

    fn report(mut self, kernel: &Kernel) -> Report {
        self.outcomes.sort_by_key(|o| o.number);
        let mut findings: Vec<crate::finding::Finding> = Vec::new();
        let mut output = String::new();
        for said in self.outcomes {
            output += &said.output;
            for finding in said.findings {
                // The same mistake in another block.
                match findings.iter().position(|f| f.is_like(&finding)) {
                    Some(i) => findings[i].count += finding.count,
                    None if findings.len() < MOST_FINDINGS => findings.push(finding),
                    None => {}
                }
            }
        }
        Report {
            kernel: kernel.name.clone(),
            findings,
            stats: self.stats,
            sites: self.counters.sites(kernel),
            mix: self.counters.mix(kernel),
            approximate: kernel.approximate.iter().flat_map(|name| accuracies(name)).copied().collect(),
            output,
        }
    }
}
