//! The sources of a run, with findings at their lines and the cost of accesses beside them: the
//! text that was run, and the files that it names as its origin, as far as the caller has them.

use super::html::Html;
use super::names::{Names, places};
use super::verdict::plural;
use super::{Listed, class, sides};
use crate::timeline::Timeline;
use cute_launch::report::Reports;
use cute_sim::place::{SourcePlace, SourcePoint};
use cute_sim::{Finding, Report, Traffic};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a text that is shown as a whole. Of a longer one, the lines around findings are.
const MOST: usize = 1 << 20;

/// Lines that are shown before and after one.
const AROUND: u32 = 5;

const LARGE: &str =
    "The file is large: only lines that a finding or an access names are shown, with those around them.";
const LIBRARY: &str = "Lines that a finding or an access names, with those around them.";

/// The texts of a page, and the names of its files.
pub(super) struct Sources<'a> {
    pub(super) names: Names,
    /// Those that the text that was run names as its origin, and then that text itself.
    texts: Vec<Text<'a>>,
}

/// A text, by line.
struct Text<'a> {
    /// Its name, as places have it.
    file: &'a str,
    text: &'a str,
    /// The beginning of the names of its lines on the page.
    anchor: String,
    /// By line, the findings whose own side is there, with their numbers on the page.
    findings: BTreeMap<u32, Vec<(usize, &'a Finding)>>,
    /// By line, the findings whose other side is there.
    others: BTreeMap<u32, Vec<usize>>,
    /// By line, what its accesses cost: wavefronts, and the least number of them.
    costs: BTreeMap<(u32, bool), (u64, u64)>,
    /// Whether all of it is of interest, unlike a header of a library.
    is_users: bool,
}

impl<'a> Text<'a> {
    fn new(file: &'a str, text: &'a str, anchor: String, is_users: bool) -> Self {
        let (findings, others, costs) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Text { file, text, anchor, findings, others, costs, is_users }
    }

    /// The line of it that a place names.
    fn line(&self, place: &SourcePlace) -> Option<u32> {
        place.line_in(self.file)
    }

    fn add_findings(&mut self, listed: &[Listed<'a>]) {
        for Listed { number, finding, .. } in listed {
            for (side, (_, place)) in sides(finding).into_iter().enumerate() {
                let Some(line) = self.line(place) else { continue };
                match side {
                    0 => self.findings.entry(line).or_default().push((*number, *finding)),
                    _ => self.others.entry(line).or_default().push(*number),
                }
            }
        }
    }

    fn add_costs(&mut self, report: &Report) {
        for site in &report.sites {
            let Some(line) = self.line(&site.location) else { continue };
            let cost = self.costs.entry((line, site.traffic == Traffic::Shared)).or_default();
            (cost.0, cost.1) = (cost.0 + site.passes, cost.1 + site.ideal);
        }
    }

    /// The lines to show, or all.
    fn shown(&self) -> Option<BTreeSet<u32>> {
        if self.text.len() <= MOST && self.is_users {
            return None;
        }
        let named = self.findings.keys().chain(self.others.keys());
        let named = named.chain(self.costs.keys().map(|(line, _)| line));
        Some(named.flat_map(|line| line.saturating_sub(AROUND)..=line + AROUND).collect())
    }
}

/// The files that a run names as the origin of its text: those whose texts
/// [`Context::sources`](super::Context::sources) may have.
pub fn named<'r>(file: &str, reports: &'r Reports) -> Vec<&'r str> {
    let mut all: Vec<&str> = Vec::new();
    places(reports, |place| {
        for point in place.points().filter(|point| point.file.path() != file && point.file.shown() != file) {
            if !all.contains(&point.file.path()) {
                all.push(point.file.path());
            }
        }
    });
    all
}

impl<'a> Sources<'a> {
    pub(super) fn new(
        (file, text): (&'a str, &'a str),
        reports: &'a Reports,
        listed: &[Listed<'a>],
        others: &'a BTreeMap<String, String>,
        timeline: Option<&Timeline>,
    ) -> Self {
        let mut known = named(file, reports);
        let mut users: BTreeSet<&str> = BTreeSet::new();
        places(reports, |place| users.extend(place.user_point().map(|point| point.file.path())));
        // A name that is also that of the text itself stays that of the text.
        // The files in which kernels are written come before those of the functions that they call.
        let mut outermost: BTreeSet<&str> = BTreeSet::new();
        places(reports, |place| {
            let call = place.inlined.last().and_then(|call| call.points.first());
            outermost.extend(call.or(place.point.as_ref()).map(|point| point.file.path()));
        });
        known.sort_by_key(|name| !outermost.contains(name));
        let own = known.into_iter().filter_map(|name| others.get_key_value(name));
        let mut texts: Vec<Text<'a>> = (1..)
            .zip(own)
            .map(|(number, (name, text))| {
                Text::new(name, text, format!("S{number}L"), users.contains(name.as_str()))
            })
            .collect();
        texts.push(Text::new(file, text, "L".into(), true));
        for text in &mut texts {
            text.add_findings(listed);
            reports.simulated().for_each(|(_, report)| text.add_costs(report));
        }
        Sources { names: Names::of(file, reports, timeline), texts }
    }

    /// The point of a place that a reader wants to see: the innermost one in the user's own files,
    /// if their texts are here, and otherwise the text that was run.
    fn target(&self, location: &SourcePlace) -> Option<(&Text<'a>, u32)> {
        let (own, run) = (&self.texts[..self.texts.len() - 1], self.texts.last()?);
        let of = |point: &SourcePoint| {
            let text = own.iter().find(|text| text.file == point.file.path())?;
            (point.line > 0).then_some((text, point.line))
        };
        let points = location.user_point().into_iter().chain(&location.point);
        let calls = location.inlined.iter().flat_map(|call| &call.points);
        points.chain(calls).find_map(of).or_else(|| Some((run, run.line(location)?)))
    }

    /// A location, with a link to the line that it names.
    pub(super) fn link(&self, html: &mut Html, location: &SourcePlace) {
        let shown = self.names.short(&location.to_string());
        match self.target(location) {
            Some((text, line)) => {
                html.raw("<a href=")
                    .quoted(format!("#{}{line}", text.anchor))
                    .raw(">")
                    .text(shown)
                    .raw("</a>");
                self.link_run(html, location, text);
            }
            None => {
                html.text(shown);
            }
        }
    }

    /// The line of the text that was run, if the link leads to another text.
    fn link_run(&self, html: &mut Html, location: &SourcePlace, linked: &Text<'_>) {
        if let Some(run) = self.texts.last().filter(|run| run.file != linked.file)
            && let Some(line) = run.line(location)
        {
            html.raw(" <a href=").quoted(format!("#{}{line}", run.anchor)).raw(">");
            html.text(format!("line {line}")).raw("</a>");
        }
    }

    /// The texts that the one that was run names.
    pub(super) fn write_origins(&self, html: &mut Html) {
        for text in &self.texts[..self.texts.len() - 1] {
            self.write_text(html, text, &format!("Source: {}", text.file), false);
        }
    }

    /// The text that was run, folded if its origin is on the page.
    pub(super) fn write_run(&self, html: &mut Html) {
        let Some(text) = self.texts.last() else { return };
        let (heading, is_folded) = match self.texts.len() {
            1 => (format!("Source: {}", text.file), false),
            _ => (format!("The text that was run: {}", text.file), true),
        };
        self.write_text(html, text, &heading, is_folded);
    }

    fn write_text(&self, html: &mut Html, text: &Text<'a>, heading: &str, is_folded: bool) {
        html.element("h2", heading).raw("\n");
        if text.text.is_empty() {
            html.element("p", "The text of the source is not known.").raw("\n");
            return;
        }
        if is_folded {
            html.raw("<details>").element("summary", plural(text.text.lines().count(), "line"));
        }
        let shown = text.shown();
        if shown.is_some() {
            html.element("p", if text.is_users { LARGE } else { LIBRARY });
        }
        let caption = "Beside a line: wavefronts of shared memory and sectors of global memory, and in parentheses the least number for \
             the same bytes.";
        let lines = format!("Lines of {}.", self.names.short(text.file));
        html.open_table("source", if text.costs.is_empty() { &lines } else { caption });
        for (line, code) in (1..).zip(text.text.lines()) {
            if shown.as_ref().is_some_and(|shown| !shown.contains(&line)) {
                continue;
            }
            self.write_line(html, text, line, code);
        }
        html.close_table();
        if is_folded {
            html.raw("</details>\n");
        }
    }

    fn write_line(&self, html: &mut Html, text: &Text<'a>, line: u32, code: &str) {
        let (own, others) = (text.findings.get(&line), text.others.get(&line));
        html.raw("<tr id=").quoted(format!("{}{line}", text.anchor));
        html.raw(if own.is_some() || others.is_some() { " class=\"hit\">" } else { ">" });
        html.element("td class=\"l\"", line).element("td class=\"code\"", code);
        html.raw("<td class=\"cost\">");
        for (is_shared, unit) in [(true, "wavefront"), (false, "sector")] {
            if let Some((passes, least)) = text.costs.get(&(line, is_shared)) {
                html.text(format!("{} ({least}) ", plural(*passes as usize, unit)));
            }
        }
        html.raw("</td></tr>\n");
        for (number, finding) in own.into_iter().flatten() {
            html.raw("<tr><td></td><td colspan=\"2\"><div class=\"finding ").raw(class(finding)).raw("\">");
            html.element("b", finding.grade);
            let kind = finding.kind.name().replace('_', " ");
            html.text(format!(": {kind} at `{}`, ", finding.op)).raw("<a href=");
            html.quoted(format!("#F{number}")).raw(">").text(format!("finding {number}")).raw("</a>");
            for (what, place) in sides(finding).into_iter().skip(1) {
                html.raw("; ").text(what).raw(" ");
                self.link(html, place);
            }
            html.raw("</div></td></tr>\n");
        }
        for number in others.into_iter().flatten() {
            html.raw("<tr><td></td><td colspan=\"2\"><div class=\"finding\">").text("the other side of ");
            html.raw("<a href=").quoted(format!("#F{number}")).raw(">").text(format!("finding {number}"));
            html.raw("</a></div></td></tr>\n");
        }
    }
}
