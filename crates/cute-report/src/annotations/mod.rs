//! Findings for services that show them beside the source: continuous integration, editors, review.
//!
//! | module | format |
//! |---|---|
//! | `sarif` | SARIF 2.1.0: JSON for code scanning and editors |
//! | `github` | workflow commands of GitHub Actions |
//! | `junit` | JUnit's XML: a test case for each launch and schedule |
//! | `failure` | a run that did not begin, in each of them |

mod failure;
mod github;
mod junit;
mod sarif;

pub use failure::Failed;
pub use sarif::merged;

use cute_launch::report::Reports;
use cute_sim::place::{SourcePlace, SourcePoint};
use cute_sim::{Finding, Grade};

/// The findings of a run, for a service.
#[derive(Debug, Clone, Copy)]
pub struct Annotations<'a> {
    /// The name of the file that was run.
    pub file: &'a str,
    /// The report of the run.
    pub reports: &'a Reports,
    /// The folder that names of files are relative to, such as the root of the repository.
    pub folder: Option<&'a str>,
    /// The version of the program.
    pub version: &'a str,
}

/// A format of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// SARIF 2.1.0.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// JUnit's XML.
    Junit,
}

impl Annotations<'_> {
    /// The text of a service's format.
    pub fn write(&self, service: Service) -> String {
        match service {
            Service::Sarif => sarif::write(self),
            Service::Github => github::write(self),
            Service::Junit => junit::write(self),
        }
    }

    /// The name of a point's file: relative to the folder, if the folder has it.
    fn name<'p>(&self, point: &'p SourcePoint) -> &'p str {
        name_in(self.folder, point)
    }
}

/// The name of a point's file: relative to the folder, if the folder has it.
fn name_in<'p>(folder: Option<&str>, point: &'p SourcePoint) -> &'p str {
    let path = point.file.path();
    let below = |folder: &str| path.strip_prefix(folder.trim_end_matches('/'))?.strip_prefix('/');
    folder.and_then(below).unwrap_or(path)
}

/// The point that an annotation stands at: the innermost one in the user's own files.
fn point(place: &SourcePlace) -> Option<&SourcePoint> {
    place.user_point().filter(|point| point.line > 0)
}

/// All that is told about a finding, in lines.
fn told(finding: &Finding) -> String {
    let mut text = finding.to_string();
    for line in [finding.rule.map(ToString::to_string), finding.repeats()].into_iter().flatten() {
        text.push_str("\n  ");
        text.push_str(&line);
    }
    let names: Vec<String> = finding.schedules.iter().map(ToString::to_string).collect();
    if !names.is_empty() {
        text.push_str("\n  under the schedules ");
        text.push_str(&names.join(", "));
    }
    text
}

/// The word of a grade among those of a service: for errors, portability and notes.
fn word(grade: Grade, [error, portability, note]: [&'static str; 3]) -> &'static str {
    match grade {
        Grade::Error => error,
        Grade::Portability => portability,
        Grade::Note => note,
    }
}

#[cfg(test)]
mod tests;
