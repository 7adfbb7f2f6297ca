//! A run as one page of HTML, which has everything in it: it opens from disk and prints. It has no
//! script, and its content security policy forbids everything but its own style.
//!
//! | module | subject |
//! |---|---|
//! | `html` | markup and escaped text |
//! | `source` | the source with findings at their lines |
//! | `memory` | banks of shared memory, sectors, what a kernel takes |
//! | `lines` | the timeline as a picture, and who waited for whom |

mod html;
mod lines;
mod memory;
mod source;

use crate::timeline::Timeline;
use base64::{Engine, prelude::BASE64_STANDARD};
use cute_launch::{Shape, report::Reports};
use cute_sim::{Finding, Grade, Report, place::SourcePlace};
use html::Html;
use sha2::{Digest, Sha256};
use source::Source;

/// The style of all pages, to which the policy refers by its hash.
const STYLE: &str = include_str!("style.css");

/// The input of a page.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// The name of the source, as locations have it.
    pub file: &'a str,
    /// Its lines.
    pub text: &'a str,
    /// The report of the run.
    pub reports: &'a Reports,
    /// The recording of its first schedule.
    pub timeline: Option<&'a Timeline>,
    /// Lines about the registers of kernels, as ptxas counts them.
    pub registers: &'a [String],
    /// The reason why the run did not end by itself, if it did not.
    pub interrupted: Option<&'a str>,
}

impl Page<'_> {
    /// The page.
    pub fn write(&self) -> String {
        let mut html = Html::default();
        self.head(&mut html);
        let source = Source::new(self.file, self.text, self.reports);
        self.summary(&mut html);
        findings(&mut html, &source, self.reports);
        for (number, (shape, report)) in self.reports.simulated().enumerate() {
            html.element("h2", format!("Launch {}: {shape}", number + 1)).raw("\n");
            self.launch(&mut html, &source, shape, report);
        }
        if let Some(timeline) = self.timeline {
            lines::write(&mut html, &source, timeline);
        }
        source.write(&mut html);
        html.raw("</body>\n</html>\n");
        html.0
    }

    fn head(&self, html: &mut Html) {
        let hash = BASE64_STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
        let policy =
            format!("default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'");
        html.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"").raw(&policy).raw("\">\n");
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
        html.text(format!("{}: report of a run", self.file)).raw("</title>\n<style>");
        html.raw(STYLE).raw("</style>\n</head>\n<body>\n");
    }

    fn summary(&self, html: &mut Html) {
        html.element("h1", format!("{}: report of a run", self.file)).raw("\n");
        if let Some(why) = self.interrupted {
            let text = format!("Interrupted: {why}. This page shows what was seen until then.");
            html.element("p class=\"stop\" role=\"alert\"", text).raw("\n");
        }
        let errors: usize = self.reports.simulated().map(|(_, report)| report.error_count()).sum();
        let left_out: usize = self.reports.simulated().map(|(_, report)| report.left_out.len()).sum();
        let of = |grade| {
            let own = |(_, report): (&Shape, &Report)| {
                report.findings.iter().filter(|f| f.grade == grade).count() + report.left_out.of(grade)
            };
            self.reports.simulated().map(own).sum::<usize>()
        };
        let (portability, notes) = (of(Grade::Portability), of(Grade::Note));
        let hidden =
            |(_, report): (&Shape, &Report)| report.hidden_notes.len() + report.hidden_left_out.len();
        let hidden: usize = self.reports.simulated().map(hidden).sum();
        let verdict = match (errors, portability, notes) {
            (0, 0, 0) => "No findings".to_owned(),
            (errors, 0, notes) => format!("Errors: {errors}; notes: {notes}"),
            (errors, _, notes) => format!("Errors: {errors}; portability: {portability}; notes: {notes}"),
        };
        let tag = if errors == 0 { "p class=\"good\"" } else { "p class=\"error\"" };
        let more = if hidden == 0 { String::new() } else { format!(" Notes that are not shown: {hidden}.") };
        let most = match left_out {
            0 => String::new(),
            _ => format!(" {left_out} of them are only counted."),
        };
        html.element(tag, format!("{verdict}.{most}{more}")).raw("\n");
        let schedules = self.reports.schedules();
        let names: Vec<String> = schedules.iter().map(ToString::to_string).collect();
        let text = match names.as_slice() {
            [] => String::new(),
            [one] => format!("Schedule: {one}."),
            many => format!(
                "Schedules: {}. Counters and the timeline are those of {}; each finding names the schedules that show it.",
                many.join(", "),
                many[0]
            ),
        };
        html.element("p", text).raw("\n");
        for warning in &self.reports.warnings {
            html.element("div class=\"finding note\"", format!("warning: {warning}")).raw("\n");
        }
        for difference in &self.reports.differences {
            html.element("div class=\"finding note\"", format!("note: {difference}")).raw("\n");
        }
        for unwritten in &self.reports.unwritten {
            html.element("div class=\"finding note\"", format!("note: {unwritten}")).raw("\n");
        }
    }

    fn launch(&self, html: &mut Html, source: &Source<'_>, shape: &Shape, report: &Report) {
        let stats = &report.stats;
        html.raw("<table>").heads(&[
            "blocks",
            "threads",
            "instructions",
            "loads",
            "stores",
            "asynchronous copies",
            "barriers",
        ]);
        html.raw("<tr>");
        let all = [
            stats.blocks,
            stats.threads,
            stats.instructions,
            stats.loads,
            stats.stores,
            stats.async_copies,
            stats.barriers,
        ];
        all.into_iter().for_each(|number| {
            html.number(number);
        });
        html.raw("</tr></table>\n");
        memory::taken(html, shape, report, self.timeline, self.registers);
        memory::banks(html, source, report);
        memory::sectors(html, source, report);
        if !report.output.is_empty() {
            html.element("h3", "Output of the kernel").element("pre", &report.output).raw("\n");
            if report.output_left_out > 0 {
                let text = format!("{} more bytes of output are left out.", report.output_left_out);
                html.element("p", text).raw("\n");
            }
        }
    }
}

/// The findings of all launches, with links to both sides.
fn findings(html: &mut Html, source: &Source<'_>, reports: &Reports) {
    html.element("h2", "Findings").raw("\n");
    let mut number = 0;
    for (_, report) in reports.simulated() {
        for finding in &report.findings {
            number += 1;
            html.raw("<div id=").quoted(format!("F{number}")).raw(" class=\"finding ");
            html.raw(class(finding)).raw("\">");
            describe(html, finding);
            html.raw("\n");
            for (what, place) in sides(finding) {
                html.text(what).raw(" ");
                source.link(html, place);
                html.raw("  ");
            }
            html.raw("</div>\n");
        }
    }
    if number == 0 {
        html.element("p", "None.").raw("\n");
    }
}

fn class(finding: &Finding) -> &'static str {
    match finding.grade {
        Grade::Error => "error",
        Grade::Portability => "portability",
        Grade::Note => "note",
    }
}

/// The places of a finding: its own, and the other side of a race.
fn sides(finding: &Finding) -> Vec<(&'static str, &SourcePlace)> {
    let mut sides = vec![("here:", &finding.location)];
    sides.extend(finding.kind.other_side().map(|place| ("the other side:", place)));
    sides
}

/// The text of a finding.
fn describe(html: &mut Html, finding: &Finding) {
    html.element("b", finding.grade).text(format!(": {finding}"));
    if let Some(rule) = finding.rule {
        html.text(format!("; {rule}"));
    }
    if let Some(repeats) = finding.repeats() {
        html.text(format!(" ({repeats})"));
    }
    if !finding.schedules.is_empty() {
        let names: Vec<String> = finding.schedules.iter().map(ToString::to_string).collect();
        html.text(format!(" (under {})", names.join(", ")));
    }
}

#[cfg(test)]
mod tests;
