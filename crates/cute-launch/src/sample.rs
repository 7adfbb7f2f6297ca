//! Runs under several schedules. Each is a sample of what a device may do, so findings are merged,
//! and arrays are compared.

use crate::{
    array::Array,
    compare::{Comparison, First, compare},
    elected::Run,
    error::Result,
    launch::Launch,
};
use cute_sim::{Buffer, Image, Memory, Program, Report, Schedule, workers};
use serde::Serialize;
use std::{
    fmt,
    ops::Range,
    sync::{Mutex, PoisonError},
};

/// The number of schedules by default, for kernels with asynchronous operations.
const SAMPLE: u32 = 3;

/// The same for launches with preferred clusters: one with each of the two.
const WITH_CHOICE: u32 = 2;

/// The most schedules of a run. Each is a run of its own, and findings list those that show them.
pub const MOST_SCHEDULES: u32 = 100_000;

/// Bytes of arrays up to which schedules run at the same time. The shadow of an array is many times
/// larger than the array.
const SMALL: usize = 16 << 20;

/// The schedules to run: those that are requested, or as many as the kernels need.
pub fn schedules(
    one: Option<Schedule>,
    count: Option<u32>,
    program: &Program,
    launches: &[Launch<'_>],
) -> Vec<Schedule> {
    let is_asynchronous = || launches.iter().any(|launch| program.is_asynchronous(&launch.kernel.name));
    let has_choice = || launches.iter().any(|launch| launch.shape.followed(launch.kernel).is_some());
    let default = || match () {
        () if is_asynchronous() => SAMPLE,
        () if has_choice() => WITH_CHOICE,
        () => 1,
    };
    match one {
        Some(schedule) => vec![schedule],
        None => Schedule::sample(count.unwrap_or_else(default)).collect(),
    }
}

/// The number of schedules to run at the same time: more than one only if one of them leaves cores
/// idle. Each runs as it would alone.
pub fn at_once(schedules: usize, program: &Program, launches: &[Launch<'_>], bytes: usize) -> usize {
    let blocks = |launch: &Launch<'_>| match program.has_updates(&launch.shape.kernel) {
        // Such blocks are on one host thread.
        true => 1,
        false => launch.shape.grid.iter().map(|n| *n as usize).product::<usize>(),
    };
    let most = launches.iter().map(blocks).max().unwrap_or(1).max(1);
    let idle = if bytes > SMALL { 1 } else { workers::cores() / most };
    idle.clamp(1, schedules.max(1))
}

/// Runs schedules, some at the same time, and hands the results to `finished` in order. Each begins
/// with the same memory. The last argument of `run` is whether it runs alone.
///
/// # Errors
/// Returns the first error of `run`, in the order of the schedules.
pub fn each(
    schedules: &[Schedule],
    at_once: usize,
    image: &Image,
    run: impl Fn(Schedule, Memory, bool) -> Result<Run> + Sync,
    mut finished: impl FnMut(Schedule, Run),
) -> Result<()> {
    if let [one] = schedules {
        finished(*one, run(*one, image.begin(), true)?);
        return Ok(());
    }
    for some in schedules.chunks(at_once) {
        let results: Vec<Result<Run>> = match some {
            [one] => vec![run(*one, image.begin(), true)],
            many => {
                let numbered = many.iter().copied().enumerate();
                let waiting = numbered.map(|(i, schedule)| (i, schedule, image.begin())).collect::<Vec<_>>();
                let waiting = Mutex::new(waiting);
                let take = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop();
                // There may be fewer threads than schedules.
                let work = || {
                    let mut own = Vec::new();
                    while let Some((i, schedule, memory)) = take() {
                        own.push((i, run(schedule, memory, false)));
                    }
                    own
                };
                let mut results: Vec<_> = workers::run(many.len(), work).into_iter().flatten().collect();
                results.sort_by_key(|(i, _)| *i);
                results.into_iter().map(|(_, result)| result).collect()
            }
        };
        for (schedule, result) in some.iter().zip(results) {
            finished(*schedule, result?);
        }
    }
    Ok(())
}

/// Adds the reports of a run to those of the runs before. A launch that only some of them reach has
/// the counters of the first of these.
pub fn merge(all: &mut Vec<Report>, schedule: Schedule, mut reports: Vec<Report>) {
    reports.iter_mut().for_each(|report| report.label(schedule));
    for (i, report) in reports.into_iter().enumerate() {
        match all.get_mut(i) {
            Some(one) => one.merge(report),
            None => all.push(report),
        }
    }
}

/// Sorts the schedules of each finding as they were run.
pub fn sort(all: &mut [Report], schedules: &[Schedule]) {
    for report in all {
        let all = report.findings.iter_mut().chain(&mut report.hidden_notes);
        for finding in all.chain(&mut report.accepted) {
            finding.schedules.sort_by_key(|own| schedules.iter().position(|schedule| schedule == own));
        }
    }
}

/// An array whose contents depend on the schedule, in runs without findings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// Its name and type.
    pub array: String,
    /// The first schedule of the run.
    pub first: Schedule,
    /// The schedules whose arrays differ from it.
    pub others: Vec<Schedule>,
    /// Elements of the array, and those that differ under the first of the others.
    pub elements: usize,
    /// Those that differ.
    pub differ: usize,
    /// The first of these.
    pub at: Vec<usize>,
    /// Its values under the two schedules.
    pub values: [String; 2],
    /// The largest relative difference; null if that is not a number.
    pub max_relative: f64,
    /// Whether the elements are floats, whose sums depend on their order.
    pub is_float: bool,
}

/// Compares the arrays of a run with those of the first, where a kernel has touched them.
pub fn differ(
    all: &mut Vec<Difference>,
    (arrays, buffers): (&[Array], &[Buffer]),
    (first, theirs): (Schedule, &Memory),
    (schedule, own): (Schedule, &Memory),
) {
    for (array, buffer) in arrays.iter().zip(buffers) {
        let ranges = own.differing(theirs, *buffer);
        if ranges.is_empty() {
            continue;
        }
        let Comparison { array: name, elements, beyond, max_relative, first: element, .. } =
            compared(array, *buffer, &ranges, [own, theirs]);
        let Some(First { at, gpu, simulator }) = element else { continue };
        match all.iter_mut().find(|difference| difference.array == name) {
            Some(known) => known.others.push(schedule),
            None => all.push(Difference {
                array: name,
                first,
                others: vec![schedule],
                elements,
                differ: beyond,
                at,
                values: [simulator, gpu],
                max_relative,
                is_float: array.element.epsilon() > 0.0,
            }),
        }
    }
}

/// Compares an array in two memories that are the same outside of some ranges of bytes, which are
/// whole elements.
fn compared(array: &Array, buffer: Buffer, ranges: &[Range<usize>], memories: [&Memory; 2]) -> Comparison {
    let size = array.element.bytes();
    if !array.lies_row_by_row() {
        let [own, theirs] = memories.map(|memory| array.rows(memory.download_bytes(buffer)));
        return compare(array, &own, &theirs, 0.0);
    }
    let mut comparison = Comparison::of(array, 0.0);
    for range in ranges {
        let [own, theirs] = memories.map(|memory| {
            let mut bytes = vec![0; range.len()];
            memory.look(buffer, range.start, &mut bytes);
            bytes
        });
        comparison.compare(array, range.start / size, &own, &theirs);
    }
    comparison
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { array, first, others, elements, differ, at, values: [a, b], .. } = self;
        let names: Vec<String> = others.iter().map(ToString::to_string).collect();
        let (other, names) = (&names[0], names.join(", "));
        write!(
            f,
            "{array} depends on the schedule, although no run has an error: {differ} of {elements} elements differ, the first \
             at {at:?}: {a} under {first}, {b} under {other}"
        )?;
        if others.len() > 1 {
            write!(f, " (different under {names})")?;
        }
        match self.is_float {
            true => write!(
                f,
                "; that is legal if atomic operations or bulk reductions add floats in any order (largest relative difference \
                 {:e})",
                self.max_relative
            ),
            false => f.write_str(
                "; that is legal only if the kernel means to depend on an order that the hardware leaves open",
            ),
        }
    }
}
