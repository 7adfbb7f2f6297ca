//! JUnit's XML: a test case for each launch and schedule, which fails if it shows an error.

use super::{Annotations, Failed, name_in, point, told};
use cute_launch::{Shape, bind::Face};
use cute_sim::{Finding, Grade, Report, Schedule};
use cute_text::{line, markup};
use std::fmt::Write;

pub(super) fn write(all: &Annotations<'_>) -> String {
    let (mut cases, mut tests, mut failures) = (String::new(), 0, 0);
    for (number, (shape, report)) in (1..).zip(all.reports.simulated()) {
        for schedule in all.reports.schedules() {
            tests += 1;
            failures += u32::from(case(all, &mut cases, (number, shape), report, *schedule));
        }
    }
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\"");
    let file = attribute(all.file);
    let remarks = match all.reports.remarks(Face::CommandLine) {
        none if none.is_empty() => none,
        remarks => format!("    <system-out>{}</system-out>\n", markup(&remarks)),
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"cutec\" {counts}>\n  \
         <testsuite name=\"{file}\" {counts}>\n{cases}{remarks}  </testsuite>\n</testsuites>\n"
    )
}

pub(super) fn failed(why: &Failed<'_>) -> String {
    let counts = "tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\"";
    let (file, kind, message) = (attribute(why.file), attribute(why.title()), attribute(why.message));
    let at = why
        .point()
        .map(|point| format!(" file=\"{}\" line=\"{}\"", attribute(name_in(why.folder, point)), point.line));
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"cutec\" {counts}>\n  \
         <testsuite name=\"{file}\" {counts}>\n    <testcase classname=\"{file}\" name=\"run\"{}>\n      \
         <error type=\"{kind}\" message=\"{message}\">{}</error>\n    </testcase>\n  </testsuite>\n</testsuites>\n",
        at.unwrap_or_default(),
        markup(why.message)
    )
}

/// Writes a test case, and returns whether it fails.
fn case(
    all: &Annotations<'_>,
    text: &mut String,
    (number, shape): (u32, &Shape),
    report: &Report,
    schedule: Schedule,
) -> bool {
    let is_shown = |finding: &&Finding| finding.schedules.is_empty() || finding.schedules.contains(&schedule);
    let (errors, others): (Vec<&Finding>, Vec<&Finding>) =
        report.findings.iter().filter(is_shown).partition(|finding| finding.grade == Grade::Error);
    let name = attribute(&format!("launch {number}: {shape}, schedule {schedule}"));
    let _ = write!(text, "    <testcase classname=\"{}\" name=\"{name}\"", attribute(all.file));
    if let Some(point) = errors.first().and_then(|first| point(&first.location)) {
        let _ = write!(text, " file=\"{}\" line=\"{}\"", attribute(all.name(point)), point.line);
    }
    text.push_str(">\n");
    let list = |findings: &[&Finding]| {
        let each = |finding: &&Finding| format!("{}: {}", finding.grade, told(finding));
        markup(&findings.iter().map(each).collect::<Vec<_>>().join("\n\n"))
    };
    if let Some(first) = errors.first() {
        let message = match errors.len() {
            1 => first.to_string(),
            count => format!("{count} errors; the first: {first}"),
        };
        let (kind, message) = (first.kind.name(), attribute(&message));
        let _ = writeln!(
            text,
            "      <failure type=\"{kind}\" message=\"{message}\">{}</failure>",
            list(&errors)
        );
    }
    if !others.is_empty() {
        let _ = writeln!(text, "      <system-out>{}</system-out>", list(&others));
    }
    text.push_str("    </testcase>\n");
    !errors.is_empty()
}

/// The value of an attribute. Readers make spaces of its newlines, so they are shown.
fn attribute(text: &str) -> String {
    markup(&line(&text.replace('\n', " ")))
}
