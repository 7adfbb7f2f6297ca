//! The report about a launch: findings, counters of each memory access in the source, the mix of
//! instructions. It can be printed as a table, or serialised.

use crate::finding::{Finding, Grade};
use crate::names::readable;
use crate::schedule::{Elected, Schedule};
use crate::tensor::sums::Weakest;
use cute_machine::accuracy::Accuracy;
use cute_machine::place::{SourcePlace, described};
use cute_text::line;
use serde::{Serialize, Serializer};
use std::collections::HashSet;
use std::fmt;

/// Totals of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Stats {
    /// Blocks run.
    pub blocks: u64,
    /// Threads run.
    pub threads: u64,
    /// Instructions executed, summed over threads. Operations that only rename bits do not count.
    pub instructions: u64,
    /// Loads executed, each counted once a thread whatever its width.
    pub loads: u64,
    /// Stores executed, likewise.
    pub stores: u64,
    /// Asynchronous copies issued, likewise.
    pub async_copies: u64,
    /// Block barriers completed.
    pub barriers: u64,
}

impl Stats {
    pub(crate) fn add(&mut self, other: &Stats) {
        self.blocks += other.blocks;
        self.threads += other.threads;
        self.instructions += other.instructions;
        self.loads += other.loads;
        self.stores += other.stores;
        self.async_copies += other.async_copies;
        self.barriers += other.barriers;
    }
}

/// The memory that a [`SiteCount`] counts passes of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Traffic {
    /// Shared memory: a pass is a wavefront, in which each of the 32 banks delivers one word.
    Shared,
    /// Global memory: a pass is a sector of 32 bytes.
    Global,
}

/// One operation that accesses memory, over the whole launch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SiteCount {
    /// The operation's name.
    pub op: String,
    /// The source location.
    #[serde(flatten, serialize_with = "described")]
    pub location: SourcePlace,
    /// Bytes and sectors that the accesses of this instruction moved.
    pub traffic: Traffic,
    /// Accesses of a warp.
    pub warps: u64,
    /// Accesses of a thread.
    pub threads: u64,
    /// Bytes that the threads requested.
    pub bytes: u64,
    /// Wavefronts or sectors.
    pub passes: u64,
    /// The minimum number of passes for the same number of bytes.
    pub ideal: u64,
}

impl SiteCount {
    pub(crate) fn add(&mut self, other: &SiteCount) {
        self.warps += other.warps;
        self.threads += other.threads;
        self.bytes += other.bytes;
        self.passes += other.passes;
        self.ideal += other.ideal;
    }

    /// Passes more than needed: bank conflicts, or sectors fetched for a few of their bytes.
    pub fn excess(&self) -> u64 {
        self.passes.saturating_sub(self.ideal)
    }
}

/// A variable in shared memory, and the accesses to it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct BufferCount {
    /// Its symbol.
    pub name: String,
    /// The source location that allocates it.
    #[serde(flatten, serialize_with = "described")]
    pub location: SourcePlace,
    /// Its size.
    pub bytes: u64,
    /// In the order of the code.
    pub accesses: Vec<BankCount>,
}

/// The accesses of one operation to a buffer in shared memory, by bank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BankCount {
    /// Its share of the operation's count.
    #[serde(flatten)]
    pub count: SiteCount,
    /// The words that each of the 32 banks delivered.
    pub words: Vec<u64>,
    /// The words among these that lanes wait for, because a wavefront takes one word of a bank, and
    /// the lanes could otherwise be served at once.
    pub conflicts: Vec<u64>,
    /// The first byte of the buffer that was accessed.
    pub first: u64,
    /// The byte after the last one.
    pub end: u64,
    /// An execution by a warp with the most conflicts; a bulk copy has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<Box<WarpAccess>>,
}

/// An execution of an access to a buffer in shared memory by a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct WarpAccess {
    /// Wavefronts, and their minimum.
    pub passes: u64,
    /// The minimum for the same lanes.
    pub ideal: u64,
    /// Bytes of each lane.
    pub bytes: u64,
    /// The active lanes, one bit each.
    pub lanes: u32,
    /// The byte of the buffer at which each lane begins; 0 for lanes that are not active.
    pub offsets: [u64; 32],
}

impl WarpAccess {
    /// Whether it has more conflicts than another one. Of equal ones, the order of offsets decides,
    /// because clusters run in any order.
    pub(crate) fn is_worse(&self, other: &Self) -> bool {
        let excess = |own: &Self| own.passes - own.ideal;
        let key = |own: &Self| (own.offsets, own.lanes, own.bytes);
        excess(self) > excess(other) || excess(self) == excess(other) && key(self) < key(other)
    }
}

/// The worse of two executions.
pub(crate) fn worse(own: Option<WarpAccess>, other: Option<WarpAccess>) -> Option<WarpAccess> {
    match (own, other) {
        (Some(own), Some(other)) if !own.is_worse(&other) => Some(other),
        (own, other) => own.or(other),
    }
}

impl BankCount {
    pub(crate) fn add(&mut self, other: &BankCount) {
        self.count.add(&other.count);
        self.words.iter_mut().zip(&other.words).for_each(|(all, own)| *all += own);
        self.conflicts.iter_mut().zip(&other.conflicts).for_each(|(all, own)| *all += own);
        (self.first, self.end) = (self.first.min(other.first), self.end.max(other.end));
        self.worst = worse(self.worst.as_deref().copied(), other.worst.as_deref().copied()).map(Box::new);
    }
}

/// The number of times that threads executed an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpCount {
    /// The operation's name.
    pub op: String,
    /// Executions, summed over threads.
    pub threads: u64,
}

/// Blocks of a grid that ran without the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Sample {
    /// Their number.
    pub blocks: u64,
    /// The blocks of the grid.
    pub of: u64,
}

/// The report about a launch.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The kernel's name.
    pub kernel: String,
    /// The findings of each [`Grade`]; empty if there are none.
    pub findings: Vec<Finding>,
    /// Findings beyond those that a report has room for; serialised as their number.
    #[serde(skip_serializing_if = "LeftOut::is_empty")]
    pub left_out: LeftOut,
    /// Notes that only a [`pedantic`](crate::Launch::pedantic) launch reports; serialised as their
    /// number.
    #[serde(serialize_with = "count")]
    pub hidden_notes: Vec<Finding>,
    /// Such notes beyond those that a report has room for; serialised as their number.
    #[serde(skip_serializing_if = "LeftOut::is_empty")]
    pub hidden_left_out: LeftOut,
    /// Findings that the user accepts, which do not make a run fail. The simulator itself accepts
    /// none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accepted: Vec<Finding>,
    /// Whether all threads ran to their end. Otherwise memory holds what was stored until then.
    pub is_complete: bool,
    /// The blocks that ran, if not all of the grid did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<Sample>,
    /// Counts over the whole launch, or over the blocks of the sample.
    pub stats: Stats,
    /// Memory accesses, most passes first.
    pub sites: Vec<SiteCount>,
    /// The banks of shared memory, buffer by buffer, if the launch [counts
    /// them](crate::Launch::count_banks).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buffers: Vec<BufferCount>,
    /// Loads that race with a store of their size, by the numbers of their instructions in order.
    /// If the values of some are not used, a launch that
    /// [follows](crate::Launch::followed_loads) them tells which.
    #[serde(skip)]
    pub racy_loads: Vec<u32>,
    /// The elections, in the order of the code.
    #[serde(skip)]
    pub elections: Vec<Elected>,
    /// Executions of each instruction, summed over threads and schedules, for
    /// [`Kernel::reached`](crate::program::Kernel::reached).
    #[serde(skip)]
    pub executed: Vec<u64>,
    /// Operations, most executions first.
    pub mix: Vec<OpCount>,
    /// Approximate instructions of the kernel, with the possible difference between a device's
    /// results and those here.
    pub approximate: Vec<Accuracy>,
    /// The least certain rule by which tensor cores have added floats, if they have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sums: Option<Weakest>,
    /// The beginning of the kernel's output, block after block.
    pub output: String,
    /// Bytes of output that follow it.
    #[serde(skip_serializing_if = "is_zero")]
    pub output_left_out: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Different findings that are counted only.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LeftOut(HashSet<(Grade, u64)>);

impl LeftOut {
    /// The number of all.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of those of a grade.
    pub fn of(&self, wanted: Grade) -> usize {
        self.0.iter().filter(|(grade, _)| *grade == wanted).count()
    }

    pub(crate) fn add(&mut self, finding: &Finding) {
        self.0.insert((finding.grade, finding.mistake));
    }

    pub(crate) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Removes those that are in a list after all: of another cluster, or schedule.
    pub(crate) fn forget(&mut self, listed: &[Finding]) {
        for finding in listed {
            self.0.remove(&(finding.grade, finding.mistake));
        }
    }

    /// Those that are shown, and the others.
    pub(crate) fn divide(self, pedantic: bool) -> (Self, Self) {
        let (shown, hidden) = self.0.into_iter().partition(|(grade, _)| pedantic || *grade != Grade::Note);
        (Self(shown), Self(hidden))
    }
}

impl Serialize for LeftOut {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.len().serialize(serializer)
    }
}

impl Report {
    /// The findings that make a run fail.
    pub fn errors(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.grade == Grade::Error)
    }

    /// The number of different findings that make a run fail, with those that are left out.
    pub fn error_count(&self) -> usize {
        self.errors().count() + self.left_out.of(Grade::Error)
    }

    /// Labels all findings with the schedule of the launch, before a [`merge`](Self::merge).
    pub fn label(&mut self, schedule: Schedule) {
        let all = self.findings.iter_mut().chain(&mut self.hidden_notes).chain(&mut self.accepted);
        all.for_each(|finding| finding.schedules = vec![schedule]);
    }

    /// Adds the findings of the same launch under other schedules. A mistake that both reports show
    /// is one finding, which counts the occurrences here. Counters and output stay, except for the
    /// executions of instructions.
    pub fn merge(&mut self, other: Report) {
        self.executed.iter_mut().zip(&other.executed).for_each(|(all, more)| *all += more);
        for (all, more) in [
            (&mut self.findings, other.findings),
            (&mut self.hidden_notes, other.hidden_notes),
            (&mut self.accepted, other.accepted),
        ] {
            for finding in more {
                match all.iter_mut().find(|one| one.is_like(&finding)) {
                    Some(one) => {
                        one.schedules.extend_from_slice(&finding.schedules);
                        one.also_at(finding);
                    }
                    None => all.push(finding),
                }
            }
        }
        self.left_out.extend(other.left_out);
        self.left_out.forget(&self.findings);
        self.hidden_left_out.extend(other.hidden_left_out);
        self.hidden_left_out.forget(&self.hidden_notes);
    }

    /// Passes more than needed, over all accesses of this memory.
    pub fn excess(&self, traffic: Traffic) -> u64 {
        self.sites.iter().filter(|s| s.traffic == traffic).map(SiteCount::excess).sum()
    }
}

fn count<S: Serializer>(findings: &[Finding], serializer: S) -> Result<S::Ok, S::Error> {
    findings.len().serialize(serializer)
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// A number and its noun.
fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The findings of a report as text: each begins with its grade, and ends with an empty line.
#[derive(Debug, Clone, Copy)]
pub struct Found<'r> {
    report: &'r Report,
    launch: Option<&'r str>,
}

/// The counters of a report as text.
#[derive(Debug, Clone, Copy)]
pub struct Counted<'r>(&'r Report);

impl Report {
    /// The findings as text. `launch` tells which of several launches they are about.
    pub fn found<'r>(&'r self, launch: Option<&'r str>) -> Found<'r> {
        Found { report: self, launch }
    }

    /// The counters as text.
    pub fn counted(&self) -> Counted<'_> {
        Counted(self)
    }
}

impl fmt::Display for Report {
    /// The findings, then the counters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.found(None), self.counted())
    }
}

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.report.findings {
            writeln!(f, "{}: {finding}", finding.grade)?;
            if let Some(rule) = finding.rule {
                writeln!(f, "  {rule}")?;
            }
            if let Some(repeats) = finding.repeats() {
                writeln!(f, "  {repeats}")?;
            }
            if !finding.schedules.is_empty() {
                let names: Vec<String> = finding.schedules.iter().map(ToString::to_string).collect();
                writeln!(f, "  under the schedule{} {}", plural(names.len()), names.join(", "))?;
            }
            if let Some(launch) = self.launch.filter(|_| !finding.by_host) {
                writeln!(f, "  in {launch}")?;
            }
            writeln!(f)?;
        }
        let left_out = self.report.left_out.len();
        if left_out > 0 {
            let shown = self.report.findings.len();
            let all = shown + left_out;
            writeln!(f, "{shown} of {all} different findings are shown; the others are only counted\n")?;
        }
        Ok(())
    }
}

impl fmt::Display for Counted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { kernel, sample, stats, sites, mix, sums, .. } = self.0;
        let Stats { blocks, threads, instructions, barriers, .. } = stats;
        writeln!(
            f,
            "{}: {}, {}, {}, {}",
            readable(kernel),
            counted(*blocks, "block"),
            counted(*threads, "thread"),
            counted(*instructions, "instruction"),
            counted(*barriers, "barrier")
        )?;
        if let Some(Sample { blocks, of }) = sample {
            writeln!(
                f,
                "only {blocks} of the {of} blocks of the grid ran, and only these are counted and checked for races"
            )?;
        }
        if let Some(sums) = sums {
            writeln!(f, "{sums}")?;
        }
        if !sites.is_empty() {
            writeln!(
                f,
                "\n{:>12} {:>12} {:>10}  {:>10} {:>12}  access",
                "taken", "least", "", "warps", "bytes"
            )?;
        }
        for s in sites {
            let unit = match s.traffic {
                Traffic::Shared => "wavefronts",
                Traffic::Global => "sectors",
            };
            writeln!(
                f,
                "{:>12} {:>12} {unit:<10}  {:>10} {:>12}  {} ({})",
                s.passes,
                s.ideal,
                s.warps,
                s.bytes,
                line(&s.op),
                line(&s.location.to_string())
            )?;
        }
        if !mix.is_empty() {
            writeln!(f, "\n{:>12}  instruction", "threads")?;
        }
        for OpCount { op, threads } in mix {
            writeln!(f, "{threads:>12}  {}", line(op))?;
        }
        Ok(())
    }
}
