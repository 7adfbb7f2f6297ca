//! A place's report about launches: text for people, JSON for tools.

use crate::{allow::Allow, bind::Face, coverage::Unwritten, launch::Shape, sample::Difference};
use cute_sim::{Accuracy, Finding, FindingKind, HeapBlock, Schedule};
use cute_text::{line, lines};
use serde::{Serialize, Serializer, ser::SerializeStruct};
use std::fmt;

/// The version of a report in JSON. It is raised when a field is removed or changes its meaning;
/// fields are added without.
pub const VERSION: u32 = 1;

/// The reports of the launches of a run, in order.
#[derive(Debug)]
pub struct Reports {
    /// The host function that launched, if one did.
    pub(crate) host: Option<String>,
    /// Whether the launches are numbered.
    pub(crate) are_several: bool,
    pub(crate) launches: Vec<(Shape, Report)>,
    /// The simulator's schedules.
    pub(crate) schedules: Vec<Schedule>,
    /// The arrays in which they differ.
    pub differences: Vec<Difference>,
    /// Arrays of which kernels have written a part, after a run of all blocks without an error.
    pub unwritten: Vec<Unwritten>,
    /// Allocations of the device's heap that are never freed: their number, their bytes, and the
    /// first of them.
    pub(crate) heap_left: Option<(usize, u64, HeapBlock)>,
    /// Entries of the list of accepted findings that match none.
    pub(crate) unmatched: Vec<Allow>,
    /// Warnings about the file, such as that it is newer than known.
    pub warnings: Vec<String>,
}

impl Reports {
    pub(crate) fn of(launches: Vec<(Shape, Report)>) -> Self {
        Self {
            host: None,
            are_several: false,
            launches,
            schedules: Vec::new(),
            differences: Vec::new(),
            unwritten: Vec::new(),
            heap_left: None,
            unmatched: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The report of one launch in the simulator, under these schedules.
    pub fn of_one(shape: Shape, report: cute_sim::Report, schedules: Vec<Schedule>) -> Self {
        Self { schedules, ..Self::of(vec![(shape, Report::Simulator(Box::new(report)))]) }
    }
}

/// The report of a place.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Report {
    /// Findings and counters.
    Simulator(Box<cute_sim::Report>),
    /// The times that a GPU took.
    Gpu(Timing),
}

/// A launch on a GPU.
#[derive(Debug, Serialize)]
pub struct Timing {
    /// The symbol of the kernel.
    pub kernel: String,
    /// The driver's name of the GPU.
    pub device: String,
    /// The target of the code.
    pub target: String,
    /// `cubin`, or `PTX` that the driver assembled.
    pub code: &'static str,
    /// From an event before the launch to one after it.
    pub milliseconds: f32,
}

impl Report {
    /// Mistakes of the kernel.
    pub fn findings(&self) -> usize {
        match self {
            Self::Simulator(report) => report.error_count(),
            Self::Gpu(_) => 0,
        }
    }

    /// Notes that the report counts but does not show.
    fn hidden_notes(&self) -> usize {
        match self {
            Self::Simulator(report) => report.hidden_notes.len() + report.hidden_left_out.len(),
            Self::Gpu(_) => 0,
        }
    }

    /// The documented errors of the kernel's approximate instructions; a device does not report
    /// them.
    pub fn approximate(&self) -> &[Accuracy] {
        match self {
            Self::Simulator(report) => &report.approximate,
            Self::Gpu(_) => &[],
        }
    }
}

impl fmt::Display for Report {
    /// Output and counters; [`Reports::found`] has the findings.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Simulator(report) => {
                f.write_str(&lines(&report.output))?;
                if report.output_left_out > 0 {
                    writeln!(f, "\n[{} more bytes of output are left out]", report.output_left_out)?;
                }
                write!(f, "{}", report.counted())
            }
            Self::Gpu(Timing { kernel, device, target, code, milliseconds }) => {
                writeln!(f, "{kernel} on {device} ({target}, {code}): {milliseconds:.4} ms between events")
            }
        }
    }
}

impl Reports {
    /// The reports of the simulator, launch by launch.
    pub fn simulated(&self) -> impl Iterator<Item = (&Shape, &cute_sim::Report)> {
        self.launches.iter().filter_map(|(shape, report)| match report {
            Report::Simulator(report) => Some((shape, &**report)),
            Report::Gpu(_) => None,
        })
    }

    /// The simulator's schedules, in the order in which they were run.
    pub fn schedules(&self) -> &[Schedule] {
        &self.schedules
    }

    /// Entries of the list of accepted findings that match none.
    pub fn unmatched(&self) -> &[Allow] {
        &self.unmatched
    }

    /// Whether all launches of the simulator ran to their end.
    pub fn are_complete(&self) -> bool {
        self.simulated().all(|(_, report)| report.is_complete)
    }

    /// The first kernel with mistakes, and their number.
    pub fn findings(&self) -> Option<(&str, usize)> {
        let counts = self.launches.iter().map(|(shape, report)| (shape.kernel.as_str(), report.findings()));
        counts.into_iter().find(|(_, count)| *count > 0)
    }

    /// The findings of all launches as text, without counters and output.
    pub fn found(&self) -> String {
        let mut text = String::new();
        for (i, (shape, report)) in self.launches.iter().enumerate() {
            let Report::Simulator(report) = report else { continue };
            let launch = self.are_several.then(|| format!("launch {}: {shape}", i + 1));
            text += &report.found(launch.as_deref()).to_string();
        }
        text
    }

    /// The lines below the findings, with options in the spelling of a caller.
    pub fn remarks(&self, face: Face) -> String {
        let differences = self.differences.iter().map(|difference| format!("note: {difference}"));
        let unwritten = self.unwritten.iter().map(|unwritten| format!("note: {unwritten}"));
        let mut remarks: Vec<String> = differences.chain(unwritten).collect();
        if let Some((count, bytes, HeapBlock { made, .. })) = &self.heap_left {
            let (are, s) = if *count == 1 { ("is", "") } else { ("are", "s") };
            remarks.push(format!(
                "note: {count} allocation{s} of the device's heap, {bytes} bytes, {are} not freed; `malloc` ({}) made the first one",
                line(&made.location.to_string())
            ));
        }
        match self.launches.iter().map(|(_, report)| report.hidden_notes()).sum::<usize>() {
            0 => {}
            1 => remarks.push(format!("1 note is not shown: {} shows it", face.flag("pedantic"))),
            count => {
                remarks.push(format!("{count} notes are not shown: {} shows them", face.flag("pedantic")))
            }
        }
        let waits = |finding: &Finding| matches!(finding.kind, FindingKind::Hang { .. });
        if self.simulated().any(|(_, report)| report.sample.is_some() && report.findings.iter().any(waits)) {
            remarks.push(
                "only some blocks of the grid ran: a kernel whose blocks wait for each other, as at a barrier of the grid, \
                 needs all of them"
                    .to_owned(),
            );
        }
        for finding in self.simulated().flat_map(|(_, report)| &report.accepted) {
            let (kind, location, count) = (finding.kind.name(), &finding.location, finding.count);
            remarks.push(format!("accepted: {kind} at {location}, {count} times"));
        }
        if !self.unmatched.is_empty() {
            let entries: Vec<String> = self.unmatched.iter().map(ToString::to_string).collect();
            remarks.push(format!("accepted, but not found: {}", entries.join(", ")));
        }
        if self.schedules.len() > 1 {
            let names: Vec<String> = self.schedules.iter().map(ToString::to_string).collect();
            remarks.push(format!("run under the schedules {}", names.join(", ")));
        }
        remarks.join("\n\n")
    }

    fn launches(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.are_several {
            return self.launches.iter().try_for_each(|(_, report)| write!(f, "{report}"));
        }
        if let Some(host) = self.host.as_ref().filter(|_| self.launches.is_empty()) {
            writeln!(f, "{} launches no kernel", line(host))?;
        }
        for (i, (shape, report)) in self.launches.iter().enumerate() {
            writeln!(f, "launch {}: {shape}", i + 1)?;
            write!(f, "{report}")?;
        }
        Ok(())
    }

    /// The documented errors of the kernels' approximate instructions; a device does not report
    /// them.
    pub fn approximate(&self) -> Vec<Accuracy> {
        let mut all: Vec<Accuracy> = Vec::new();
        for accuracy in self.launches.iter().flat_map(|(_, report)| report.approximate()) {
            if !all.contains(accuracy) {
                all.push(*accuracy);
            }
        }
        all
    }
}

/// A report as text, with options in the spelling of a caller.
#[derive(Debug, Clone, Copy)]
pub struct InWordsOf<'r>(pub &'r Reports, pub Face);

impl fmt::Display for Reports {
    /// In the words of the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        InWordsOf(self, Face::CommandLine).fmt(f)
    }
}

impl fmt::Display for InWordsOf<'_> {
    /// The findings first, then output and counters of each launch.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(reports, face) = self;
        f.write_str(&reports.found())?;
        reports.launches(f)?;
        match reports.remarks(*face) {
            none if none.is_empty() => Ok(()),
            remarks => writeln!(f, "\n{remarks}"),
        }
    }
}

/// The report of a launch, with the facts about its run.
#[derive(Serialize)]
pub struct LaunchReport<'r> {
    version: u32,
    #[serde(flatten)]
    report: &'r Report,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    schedules: &'r [Schedule],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    differences: &'r [Difference],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    unwritten: &'r [Unwritten],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    unmatched: &'r [Allow],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    warnings: &'r [String],
}

impl Reports {
    fn with_run<'r>(&'r self, report: &'r Report) -> LaunchReport<'r> {
        let Self { schedules, differences, unwritten, unmatched, warnings, .. } = self;
        LaunchReport { version: VERSION, report, schedules, differences, unwritten, unmatched, warnings }
    }

    /// The report of each launch. The last one has the facts about the whole run, such as the
    /// arrays that differ at its end.
    pub fn each(&self) -> Vec<LaunchReport<'_>> {
        let mut all: Vec<_> = self.launches.iter().map(|(_, report)| self.with_run(report)).collect();
        if let Some((_, others)) = all.split_last_mut() {
            for report in others {
                (report.differences, report.unmatched, report.warnings) = (&[], &[], &[]);
                report.unwritten = &[];
            }
        }
        all
    }
}

impl Serialize for Reports {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Launched<'r> {
            launch: &'r Shape,
            report: &'r Report,
        }
        let Self { schedules, differences, unwritten, unmatched, warnings, .. } = self;
        match (&self.host, self.launches.as_slice()) {
            (None, [(_, report)]) if !self.are_several => self.with_run(report).serialize(serializer),
            (host, all) => {
                let launches: Vec<_> =
                    all.iter().map(|(launch, report)| Launched { launch, report }).collect();
                let mut object = serializer.serialize_struct("Reports", 8)?;
                object.serialize_field("version", &VERSION)?;
                object.serialize_field("host", host)?;
                object.serialize_field("launches", &launches)?;
                match schedules.is_empty() {
                    true => object.skip_field("schedules")?,
                    false => object.serialize_field("schedules", schedules)?,
                }
                match differences.is_empty() {
                    true => object.skip_field("differences")?,
                    false => object.serialize_field("differences", differences)?,
                }
                match unwritten.is_empty() {
                    true => object.skip_field("unwritten")?,
                    false => object.serialize_field("unwritten", unwritten)?,
                }
                match unmatched.is_empty() {
                    true => object.skip_field("unmatched")?,
                    false => object.serialize_field("unmatched", unmatched)?,
                }
                match warnings.is_empty() {
                    true => object.skip_field("warnings")?,
                    false => object.serialize_field("warnings", warnings)?,
                }
                object.end()
            }
        }
    }
}
