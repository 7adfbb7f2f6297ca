//! A place's report about launches: text for people, JSON for tools.

use cute_session::Shape;
use cute_sim::Accuracy;
use serde::{Serialize, Serializer, ser::SerializeStruct};
use std::fmt;

/// The reports of the launches of a run, in order.
#[derive(Debug)]
pub struct Reports {
    /// The host function that launched, if one did.
    pub(super) host: Option<String>,
    pub(super) launches: Vec<(Shape, Report)>,
}

/// The report of a place.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Report {
    /// Findings and counters.
    Simulator(cute_sim::Report),
    /// Time.
    Gpu(Timing),
}

/// A launch on a GPU.
#[derive(Debug, Serialize)]
pub struct Timing {
    /// Its name.
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
            Self::Simulator(report) => report.errors().count(),
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
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Simulator(report) => write!(f, "{}{report}", report.output),
            Self::Gpu(Timing { kernel, device, target, code, milliseconds }) => {
                writeln!(f, "{kernel} on {device} ({target}, {code}): {milliseconds:.4} ms between events")
            }
        }
    }
}

impl Reports {
    /// Mistakes of kernels, and which of them made them: the last that ran.
    pub fn findings(&self) -> Option<(&str, usize)> {
        let (shape, report) = self.launches.last()?;
        Some((shape.kernel.as_str(), report.findings())).filter(|(_, count)| *count > 0)
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

impl fmt::Display for Reports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(host) = &self.host else {
            return self.launches.iter().try_for_each(|(_, report)| report.fmt(f));
        };
        if self.launches.is_empty() {
            writeln!(f, "{host} launches no kernel")?;
        }
        for (i, (shape, report)) in self.launches.iter().enumerate() {
            writeln!(f, "launch {}: {shape}", i + 1)?;
            report.fmt(f)?;
        }
        Ok(())
    }
}

impl Serialize for Reports {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Launched<'r> {
            launch: &'r Shape,
            report: &'r Report,
        }
        match (&self.host, self.launches.as_slice()) {
            (None, [(_, one)]) => one.serialize(serializer),
            (host, all) => {
                let launches: Vec<_> =
                    all.iter().map(|(launch, report)| Launched { launch, report }).collect();
                let mut object = serializer.serialize_struct("Reports", 2)?;
                object.serialize_field("host", host)?;
                object.serialize_field("launches", &launches)?;
                object.end()
            }
        }
    }
}
