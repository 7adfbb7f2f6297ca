//! Launches in the simulator.

use cute_manifest::Passed;
use cute_sim::events::Watcher;
use cute_sim::names::readable;
use cute_sim::order::Stream;
use cute_sim::program::{self, Param};
use cute_sim::tensor::Sums;
use cute_sim::{Arg, Election, Memory, Program, Schedule, Stop};
use std::{num::NonZero, sync::Arc};

use crate::{
    allow::{Allow, accept},
    error::{Error, Result},
    launch::{Launch, Shape},
    only::OnlyBlocks,
};

/// The checks of the simulator.
#[derive(Debug, Clone)]
pub struct Checks {
    /// The order of events where the hardware leaves it open.
    pub schedule: Schedule,
    /// The lane that `elect.sync` elects, if not the one of the schedule.
    pub elect: Option<Election>,
    /// The blocks of each grid that run, if not all of them.
    pub only: Option<OnlyBlocks>,
    /// Refuse a launch that reaches an instruction without a model. Otherwise such an instruction
    /// is a finding when a thread gets there.
    pub strict_ptx: bool,
    /// Instructions that all threads together may execute. By default, 10^6 for each thread and at
    /// least 10^10, with a limit on instructions that change no memory.
    pub budget: Option<u64>,
    /// A limit on the default budget. Unlike with a budget, a kernel that does nothing useful for
    /// long is a hang.
    pub most: Option<u64>,
    /// Look for races.
    pub races: bool,
    /// Report all notes: violations of the instruction set that widely used kernels contain.
    pub pedantic: bool,
    /// Report as an error what the instruction set forbids and widely used libraries rely on.
    pub strict_isa: bool,
    /// Findings that are accepted: they are counted, and do not make a run fail.
    pub allow: Vec<Allow>,
    /// Report `nsw` and `nuw` arithmetic that wraps.
    pub overflow: bool,
    /// Stops the run before its end.
    pub stop: Stop,
    /// How tensor cores add floats, if not as those of the target's device.
    pub sums: Option<Sums>,
    /// Count the words of each bank of shared memory.
    pub banks: bool,
    /// Run the blocks of a kernel with atomic accesses or bulk reductions on one host thread, so
    /// that their order is that of the schedule.
    pub orders_blocks: bool,
    /// Run all blocks on one host thread, so that also kernels with races always compute the same.
    pub repeatable: bool,
    /// The loads whose values are followed, as [`cute_sim::Launch::followed_loads`] describes.
    pub followed_loads: Arc<[u32]>,
    /// Go on with the next launch after one with errors that ran to its end, as a device does.
    pub goes_on: bool,
    /// Run launches with the clusters that they prefer, where they name some.
    pub preferred_clusters: bool,
    /// Sees the events of the launches under the first schedule.
    pub watcher: Option<Watcher>,
}

impl Default for Checks {
    fn default() -> Self {
        Self {
            schedule: Schedule::default(),
            elect: None,
            only: None,
            strict_ptx: false,
            budget: None,
            most: None,
            races: true,
            pedantic: false,
            strict_isa: false,
            allow: Vec::new(),
            overflow: true,
            stop: Stop::default(),
            sums: None,
            banks: false,
            orders_blocks: false,
            repeatable: false,
            followed_loads: Arc::new([]),
            goes_on: false,
            preferred_clusters: false,
            watcher: None,
        }
    }
}

/// The place of a launch among others.
#[derive(Debug, Clone, Copy, Default)]
pub struct InStream {
    /// One of those of the memory.
    pub stream: Stream,
    /// Whether a later operation may run beside it.
    pub is_overlapped: bool,
}

/// Runs a launch in a stream. `finished` is called for each block that ends.
///
/// # Errors
/// [`Error::Simulator`] if the launch cannot run; findings are in the report.
pub fn simulate(
    program: &Program,
    checks: &Checks,
    asked: &Launch<'_>,
    place: InStream,
    memory: &mut Memory,
    finished: impl Fn(u32) + Sync,
) -> Result<cute_sim::Report> {
    let (launch, args) = described(program, checks, asked, place)?;
    let report = program.simulate(&launch, memory, &args, finished);
    let mut report = report.map_err(|e| Error::Simulator(Box::new(e)))?;
    accept(&checks.allow, &mut report);
    Ok(report)
}

/// A launch as the simulator takes it, and its arguments.
///
/// # Errors
/// Those of [`chosen`].
pub fn described(
    program: &Program,
    checks: &Checks,
    asked: &Launch<'_>,
    place: InStream,
) -> Result<(cute_sim::Launch, Vec<Arg>)> {
    let Shape { kernel, grid, block, shared_memory, cluster, .. } = &asked.shape;
    let mut launch = cute_sim::Launch::new(kernel, *grid, *block);
    launch.target = asked.target;
    launch.sums = checks.sums.unwrap_or(Sums::from(asked.target));
    launch.dynamic_shared = *shared_memory;
    launch.cluster = asked.shape.followed(asked.kernel).filter(|_| checks.preferred_clusters).or(*cluster);
    launch.schedule = checks.schedule;
    launch.elect = checks.elect;
    launch.only_blocks = chosen(checks, &asked.shape)?;
    // A given budget is the only limit.
    (launch.budget, launch.idle) = match checks.budget {
        Some(budget) => (budget, u64::MAX),
        None => (budget(&asked.shape).min(checks.most.unwrap_or(u64::MAX)), launch.idle),
    };
    launch.check_races = checks.races;
    launch.pedantic = checks.pedantic;
    launch.strict_isa = checks.strict_isa;
    launch.begins_early = asked.shape.programmatic;
    launch.cooperative = asked.shape.cooperative;
    launch.stream = place.stream;
    launch.is_overlapped = place.is_overlapped;
    launch.check_overflow = checks.overflow;
    launch.stop = checks.stop.clone();
    launch.count_banks = checks.banks;
    launch.followed_loads = checks.followed_loads.clone();
    launch.watcher = checks.watcher.clone();
    if checks.repeatable || checks.orders_blocks && program.has_updates(kernel) {
        launch.host_threads = NonZero::new(1);
    }
    Ok((launch, arguments(program, asked)))
}

/// Refuses a launch that reaches an instruction without a model, if the checks ask for that.
///
/// # Errors
/// [`Error::Simulator`].
pub fn refuse_unknown(program: &Program, checks: &Checks, launch: &Launch<'_>) -> Result<()> {
    let kernel = program.kernels.iter().find(|kernel| kernel.name == launch.shape.kernel);
    match kernel.filter(|_| checks.strict_ptx).and_then(program::Kernel::refused) {
        Some(why) => Err(Error::Simulator(Box::new(why))),
        None => Ok(()),
    }
}

/// The blocks of a launch that run, if the checks choose some.
///
/// # Errors
/// [`Error::Launch`]: a block that is not in the grid, or a launch whose blocks wait for each
/// other.
pub fn chosen(checks: &Checks, shape: &Shape) -> Result<Option<Arc<[[u32; 3]]>>> {
    let Some(only) = &checks.only else { return Ok(None) };
    let refuse = |why| Error::Launch { callee: format!("kernel '{}'", readable(&shape.kernel)), why };
    if shape.cooperative {
        let why = "its launch is cooperative: the blocks of its grid wait for each other, so that some of them \
                   cannot run without the others";
        return Err(refuse(why.into()));
    }
    only.of(shape.grid).map(Some).map_err(refuse)
}

/// The arguments of a launch: one for each leaf, or, for a program in which each parameter is its
/// bytes, one for each parameter.
fn arguments(program: &Program, asked: &Launch<'_>) -> Vec<Arg> {
    let by_value = |kernel: &&program::Kernel| {
        kernel.name == asked.shape.kernel && kernel.params.len() == asked.kernel.parameters.len()
    };
    let is_bytes = |param: &Param| matches!(param, Param::Value { .. });
    if program.kernels.iter().find(by_value).is_some_and(|kernel| kernel.params.iter().all(is_bytes)) {
        return asked.kernel.pack(&asked.words).into_iter().map(Arg::Bytes).collect();
    }
    let mut words = asked.words.iter().copied();
    let mut argument = |leaf: Passed| match leaf.kind.as_str() {
        // A vector of 32-bit integers takes one argument for each of them.
        "bytes" if leaf.r#type.starts_with("vector<") => {
            let words = words.by_ref().take((leaf.width as usize).div_ceil(8));
            let halves = words.flat_map(|word| [word & u64::from(u32::MAX), word >> 32]);
            halves.take(leaf.width as usize / 4).map(Arg::Bits).collect()
        }
        "descriptor" | "bytes" => {
            let words = words.by_ref().take((leaf.width as usize).div_ceil(8));
            let mut bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
            bytes.truncate(leaf.width as usize);
            vec![Arg::Bytes(bytes)]
        }
        _ => vec![Arg::Bits(words.next().expect("there is a word for each leaf"))],
    };
    asked.kernel.leaves().into_iter().flat_map(&mut argument).collect()
}

/// The instruction budget of a kernel that ends, which depends on its threads. Most kernels that do
/// not end are found long before.
fn budget(shape: &Shape) -> u64 {
    let threads = shape.grid.iter().chain(&shape.block).fold(1u64, |n, e| n.saturating_mul(u64::from(*e)));
    threads.saturating_mul(BUDGET_OF_THREAD).max(BUDGET)
}

/// Default budget per thread, and the minimum for all threads.
const BUDGET_OF_THREAD: u64 = 1_000_000;
const BUDGET: u64 = 10_000_000_000;
