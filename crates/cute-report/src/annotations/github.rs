//! Workflow commands of GitHub Actions, one line for each finding:
//! `::error file=k.cu,line=7,col=3,title=race::text`.

use super::{Annotations, Failed, name_in, point, told, word};
use cute_sim::place::SourcePoint;
use std::fmt::Write;

pub(super) fn write(all: &Annotations<'_>) -> String {
    let mut text = String::new();
    for (_, report) in all.reports.simulated() {
        for finding in &report.findings {
            let command = word(finding.grade, ["error", "warning", "notice"]);
            let at = point(&finding.location).map(|point| (all.name(point), point));
            text.push_str(&line(command, at, finding.kind.name(), &told(finding)));
        }
    }
    text
}

pub(super) fn failed(why: &Failed<'_>) -> String {
    let at = why.point().map(|point| (name_in(why.folder, point), point));
    line("error", at, why.title(), why.message)
}

/// One command, about a point of a file with this name.
fn line(command: &str, at: Option<(&str, &SourcePoint)>, title: &str, message: &str) -> String {
    let mut text = format!("::{command} ");
    if let Some((name, point)) = at {
        let _ = write!(text, "file={},line={},", property(name), point.line);
        if let Some(column) = point.known_column() {
            let _ = write!(text, "col={column},");
        }
    }
    let _ = writeln!(text, "title={}::{}", property(title), data(message));
    text
}

/// A message: it ends at the end of the line.
fn data(text: &str) -> String {
    cute_text::lines(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property: it ends at a comma or at the colons before the message, too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
