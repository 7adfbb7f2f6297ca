//! A run as one page of HTML, which has everything in it: it opens from disk and prints. It has no
//! script, and its content security policy forbids everything but its own style.
//!
//! | module | subject |
//! |---|---|
//! | `html` | markup and escaped text |
//! | `verdict` | the verdict in words, and where the warps of a deadlock are |
//! | `source` | the sources with findings at their lines |
//! | `names` | short names of files |
//! | `memory` | banks of shared memory, sectors, what a kernel takes |
//! | `lines` | the timeline as a picture, and who waited for whom |

mod html;
mod lines;
mod memory;
mod names;
mod source;
mod verdict;

use crate::timeline::Timeline;
use base64::{Engine, prelude::BASE64_STANDARD};
use cute_launch::{Shape, report::Reports};
use cute_sim::names::readable;
use cute_sim::{Finding, FindingKind, Grade, Report, Waiting, place::SourcePlace};
use html::Html;
use sha2::{Digest, Sha256};
use source::Sources;
use std::collections::BTreeMap;
use verdict::plural;

pub use source::named;

/// The style of all pages, to which the policy refers by its hash.
const STYLE: &str = include_str!("style.css");

/// The reason of a run that a finding ended.
pub const ENDED: &str = "the run ended before its blocks did";

/// Findings of a kind that are shown; the others are folded.
const MOST_OPEN: usize = 8;

/// Launches that are shown; the others are folded.
const MOST_LAUNCHES: usize = 4;

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

/// What a caller knows about a run besides, all of which may be left out. The page reads no files
/// and no clock: with the same context, it has the same bytes.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// Texts of the files that the one that was run names as its origin, by the names that
    /// [`named`] returns: the CUDA or Python source of PTX.
    pub sources: BTreeMap<String, String>,
    /// What reproduces the run, such as its command line: a word for each, and its text.
    pub facts: Vec<(String, String)>,
}

/// The ends of names that are read as sources. A text that is not trusted must not make the page
/// show any file.
const ENDS: [&str; 14] =
    ["cu", "cuh", "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "inl", "mlir", "py", "rs"];

/// Bytes of a source at most.
const MOST_BYTES: usize = 4 << 20;

impl Context {
    /// Adds the sources that the run's text names, as far as `read` finds them: under their own
    /// names, and then, by as much of the end of the name as there is, in each of the folders. Only
    /// names with the ends of sources are read.
    pub fn find_sources(
        &mut self,
        (file, reports): (&str, &Reports),
        folders: &[String],
        read: impl Fn(&str) -> Option<String>,
    ) {
        for name in named(file, reports) {
            if !name.rsplit_once('.').is_some_and(|(_, end)| ENDS.contains(&end)) {
                continue;
            }
            let parts: Vec<&str> = name.split('/').filter(|part| !["", ".", ".."].contains(part)).collect();
            let in_folder = |folder: &String| {
                let folder = if folder.is_empty() { "." } else { folder.trim_end_matches('/') }.to_owned();
                (0..parts.len()).map(move |from| (folder.clone(), from))
            };
            let others = folders.iter().flat_map(in_folder);
            let others = others.map(|(folder, from)| format!("{folder}/{}", parts[from..].join("/")));
            let found = std::iter::once(name.to_owned()).chain(others).find_map(|path| read(&path));
            if let Some(text) = found.filter(|text| text.len() <= MOST_BYTES) {
                self.sources.insert(name.to_owned(), text);
            }
        }
    }

    /// Adds a fact.
    pub fn fact(&mut self, what: &str, text: impl Into<String>) {
        self.facts.push((what.to_owned(), text.into()));
    }
}

/// A finding of the page.
struct Listed<'a> {
    /// From 1 on.
    number: usize,
    /// The number of its launch, from 0.
    launch: usize,
    finding: &'a Finding,
}

impl Page<'_> {
    /// The page.
    pub fn write(&self) -> String {
        self.with(&Context::default())
    }

    /// The page with what the caller knows besides.
    pub fn with(&self, context: &Context) -> String {
        let mut html = Html::default();
        self.head(&mut html);
        let listed = listed(self.reports);
        let sources =
            Sources::new((self.file, self.text), self.reports, &listed, &context.sources, self.timeline);
        self.summary(&mut html, &sources, &listed);
        verdict::warps(&mut html, &sources, &listed);
        findings(&mut html, &sources, self.reports, &listed);
        self.facts(&mut html, &sources, context);
        sources.write_origins(&mut html);
        let launches: Vec<_> = self.reports.simulated().collect();
        for (number, (shape, report)) in launches.iter().enumerate() {
            if number == MOST_LAUNCHES {
                let more = plural(launches.len() - number, "more launch");
                html.raw("<details>").element("summary", more).raw("\n");
            }
            html.element("h2", format!("Launch {}: {shape}", number + 1)).raw("\n");
            self.launch(&mut html, &sources, number, shape, report);
        }
        if launches.len() > MOST_LAUNCHES {
            html.raw("</details>\n");
        }
        sources.write_run(&mut html);
        html.raw("</main>\n</body>\n</html>\n");
        html.0
    }

    fn head(&self, html: &mut Html) {
        let hash = BASE64_STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
        let policy =
            format!("default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'");
        html.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"").raw(&policy).raw("\">\n");
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
        html.text(format!("{}: report of a run", self.heading())).raw("</title>\n<style>");
        html.raw(STYLE).raw("</style>\n</head>\n<body>\n<main>\n");
    }

    /// The kernels that ran, as a heading.
    fn heading(&self) -> String {
        let mut names: Vec<String> = Vec::new();
        for (shape, _) in self.reports.simulated() {
            let name = readable(&shape.kernel).into_owned();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        match names.len() {
            0 => self.file.to_owned(),
            1..=3 => names.join(", "),
            n => format!("{}, {} and {} more kernels", names[0], names[1], n - 2),
        }
    }

    fn summary(&self, html: &mut Html, sources: &Sources<'_>, listed: &[Listed<'_>]) {
        html.element("h1", format!("{}: report of a run", self.heading())).raw("\n");
        verdict::write(html, sources, self.reports, listed);
        match self.interrupted {
            Some(ENDED) => {
                html.element(
                    "p class=\"stop\"",
                    "The run ended there. This page shows what was seen until then.",
                );
            }
            Some(why) => {
                let text = format!("Interrupted: {why}. This page shows what was seen until then.");
                html.element("p class=\"stop\" role=\"alert\"", text).raw("\n");
            }
            None => {}
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
        let counted = match (errors, portability, notes) {
            (0, 0, 0) => String::new(),
            (errors, 0, notes) => format!("Errors: {errors}; notes: {notes}."),
            (errors, _, notes) => format!("Errors: {errors}; portability: {portability}; notes: {notes}."),
        };
        let more = if hidden == 0 { String::new() } else { format!(" Notes that are not shown: {hidden}.") };
        let most = match left_out {
            0 => String::new(),
            _ => format!(" {left_out} of them are only counted."),
        };
        let counted = format!("{counted}{most}{more}");
        if !counted.is_empty() {
            let tag = if errors == 0 { "p class=\"good\"" } else { "p class=\"error\"" };
            html.element(tag, counted.trim()).raw("\n");
        }
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

    /// What reproduces the run.
    fn facts(&self, html: &mut Html, sources: &Sources<'_>, context: &Context) {
        html.element("h2", "The run").raw("\n");
        html.open_table("", "What this page is about, and what makes it again.");
        let mut row = |what: &str, text: &str| {
            html.raw("<tr>")
                .element("th scope=\"row\"", what)
                .element("td class=\"fact\"", text)
                .raw("</tr>\n");
        };
        row("file", self.file);
        context.facts.iter().for_each(|(what, text)| row(what, text));
        let names: Vec<String> = self.reports.schedules().iter().map(ToString::to_string).collect();
        match names.as_slice() {
            [] => {}
            [one] => row("schedule", one),
            many => row(
                "schedules",
                &format!(
                    "{}; counters and timelines are those of {}, and each finding names the schedules that show it. Numbers are \
                     seeds: --schedule {} repeats one",
                    many.join(", "),
                    many[0],
                    many[many.len() - 1]
                ),
            ),
        }
        for (short, name) in sources.names.list().filter(|(_, name)| *name != self.file) {
            row(short, name);
        }
        html.close_table();
    }

    fn launch(&self, html: &mut Html, source: &Sources<'_>, number: usize, shape: &Shape, report: &Report) {
        let stats = &report.stats;
        let all = [
            ("blocks", stats.blocks),
            ("threads", stats.threads),
            ("instructions", stats.instructions),
            ("loads by threads", stats.loads),
            ("stores by threads", stats.stores),
            ("asynchronous copies", stats.async_copies),
            ("completed barriers of blocks", stats.barriers),
        ];
        let all: Vec<_> = all.into_iter().filter(|(_, count)| *count > 0).collect();
        html.open_table("", "Counts, summed over threads. What is not listed did not occur.");
        html.heads(&all.iter().map(|(name, _)| *name).collect::<Vec<_>>()).raw("<tr>");
        all.iter().for_each(|(_, count)| {
            html.number(*count);
        });
        html.raw("</tr>\n").close_table();
        memory::taken(html, source, number, shape, report, self.timeline, self.registers);
        memory::banks(html, source, report);
        memory::sectors(html, source, report);
        if let Some(timeline) = self.timeline {
            lines::write(html, source, timeline, number);
        }
        if !report.output.is_empty() {
            html.element("h3", "Output of the kernel").element("pre", &report.output).raw("\n");
            if report.output_left_out > 0 {
                let text = format!("{} more bytes of output are left out.", report.output_left_out);
                html.element("p", text).raw("\n");
            }
        }
    }
}

/// The findings of all launches, those of a kind together.
fn listed(reports: &Reports) -> Vec<Listed<'_>> {
    let all = reports.simulated().enumerate();
    let mut all: Vec<(usize, &Finding)> =
        all.flat_map(|(launch, (_, report))| report.findings.iter().map(move |f| (launch, f))).collect();
    let mut kinds: Vec<&str> = Vec::new();
    for (_, finding) in &all {
        if !kinds.contains(&finding.kind.name()) {
            kinds.push(finding.kind.name());
        }
    }
    all.sort_by_key(|(_, finding)| kinds.iter().position(|kind| *kind == finding.kind.name()));
    (1..).zip(all).map(|(number, (launch, finding))| Listed { number, launch, finding }).collect()
}

/// The waits of a deadlock.
fn waits(finding: &Finding) -> &[Waiting] {
    match &finding.kind {
        FindingKind::Deadlock { waits, .. } => waits,
        _ => &[],
    }
}

/// The findings by kind, with links to both sides, and what each kind is.
fn findings(html: &mut Html, sources: &Sources<'_>, reports: &Reports, listed: &[Listed<'_>]) {
    html.element("h2", "Findings").raw("\n");
    if listed.is_empty() {
        html.element("p", "None.").raw("\n");
        return;
    }
    let several = reports.simulated().count() > 1;
    for group in listed.chunk_by(|a, b| a.finding.kind.name() == b.finding.kind.name()) {
        let kind = group[0].finding.kind.name();
        html.element("h3", format!("{}: {}", kind.replace('_', " "), plural(group.len(), "finding")))
            .raw("\n");
        for (at, one) in group.iter().enumerate() {
            if at == MOST_OPEN {
                html.raw("<details>").element("summary", format!("{} more", group.len() - at)).raw("\n");
            }
            let Listed { number, launch, finding } = one;
            html.raw("<div id=").quoted(format!("F{number}")).raw(" class=\"finding ");
            html.raw(class(finding)).raw("\">");
            describe(html, sources, finding);
            html.raw("\n");
            for (what, place) in sides(finding) {
                html.text(what).raw(" ");
                sources.link(html, place);
                html.raw("  ");
            }
            if several {
                html.text(format!("launch {}  ", launch + 1));
            }
            if *number < listed.len() {
                html.raw("<a href=").quoted(format!("#F{}", number + 1)).raw(">next finding</a>");
            }
            html.raw("</div>\n");
        }
        if group.len() > MOST_OPEN {
            html.raw("</details>\n");
        }
        if let Some(text) = cute_sim::explain(kind) {
            html.raw("<details>").element("summary", "What this is, and how it is repaired");
            // The rules that it reports are many, and on a page of their own.
            let text = text.split("\n\nRules that it reports").next().unwrap_or_default().trim().to_owned();
            let more = format!("{text}\n\nThe rules behind it: cutec --explain {kind}");
            html.element("p class=\"explained\"", more).raw("</details>\n");
        }
    }
}

fn class(finding: &Finding) -> &'static str {
    match finding.grade {
        Grade::Error => "error",
        Grade::Portability => "portability",
        Grade::Note => "note",
    }
}

/// The places of a finding: its own, the other side of a race, and the other waits of a deadlock.
fn sides(finding: &Finding) -> Vec<(&'static str, &SourcePlace)> {
    let mut sides = vec![("here:", &finding.location)];
    sides.extend(finding.kind.other_side().map(|place| ("the other side:", place)));
    let others = waits(finding).iter().map(|wait| &wait.location).filter(|place| **place != finding.location);
    sides.extend(others.map(|place| ("the other side:", place)));
    sides
}

/// The text of a finding.
fn describe(html: &mut Html, sources: &Sources<'_>, finding: &Finding) {
    html.element("b", finding.grade).text(format!(": {}", sources.names.short(&finding.to_string())));
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
