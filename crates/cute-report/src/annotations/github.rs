//! Workflow commands of GitHub Actions, one line for each finding:
//! `::error file=k.cu,line=7,col=3,title=race::text`.

use super::{Annotations, point, told, word};
use std::fmt::Write;

pub(super) fn write(all: &Annotations<'_>) -> String {
    let mut text = String::new();
    for (_, report) in all.reports.simulated() {
        for finding in &report.findings {
            text.push_str("::");
            text.push_str(word(finding.grade, ["error", "warning", "notice"]));
            text.push(' ');
            if let Some(point) = point(&finding.location) {
                let _ = write!(text, "file={},line={},", property(all.name(point)), point.line);
                if let Some(column) = point.known_column() {
                    let _ = write!(text, "col={column},");
                }
            }
            let _ = writeln!(text, "title={}::{}", property(finding.kind.name()), data(&told(finding)));
        }
    }
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
