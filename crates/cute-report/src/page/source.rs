//! The source, with findings at their lines and the cost of accesses beside them.

use super::html::Html;
use super::{class, describe, sides};
use cute_launch::report::Reports;
use cute_sim::{Finding, Traffic, place::SourcePlace};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a text that is shown as a whole. Of a longer one, the lines around findings are.
const MOST: usize = 1 << 20;

/// Lines that are shown before and after one.
const AROUND: u32 = 5;

/// A source, by line.
pub(super) struct Source<'a> {
    file: &'a str,
    text: &'a str,
    /// By line, the findings whose own side is there, with their numbers on the page.
    findings: BTreeMap<u32, Vec<(usize, &'a Finding)>>,
    /// By line, the findings whose other side is there.
    others: BTreeMap<u32, Vec<usize>>,
    /// By line, what its accesses cost: passes, and the least number of them.
    costs: BTreeMap<(u32, bool), (u64, u64)>,
}

impl<'a> Source<'a> {
    pub(super) fn new(file: &'a str, text: &'a str, reports: &'a Reports) -> Self {
        let (findings, others, costs) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut source = Source { file, text, findings, others, costs };
        let mut number = 0;
        for (_, report) in reports.simulated() {
            for finding in &report.findings {
                number += 1;
                for (side, (_, place)) in sides(finding).into_iter().enumerate() {
                    let Some(line) = place.line_in(file) else { continue };
                    match side {
                        0 => source.findings.entry(line).or_default().push((number, finding)),
                        _ => source.others.entry(line).or_default().push(number),
                    }
                }
            }
            for site in &report.sites {
                let Some(line) = site.location.line_in(file) else { continue };
                let cost = source.costs.entry((line, site.traffic == Traffic::Shared)).or_default();
                (cost.0, cost.1) = (cost.0 + site.passes, cost.1 + site.ideal);
            }
        }
        source
    }

    /// A location, with a link to the line of this file that it names.
    pub(super) fn link(&self, html: &mut Html, location: &SourcePlace) {
        match location.line_in(self.file) {
            Some(line) => {
                html.raw("<a href=").quoted(format!("#L{line}")).raw(">").text(location).raw("</a>");
            }
            None => {
                html.text(location);
            }
        }
    }

    /// The lines to show, or all.
    fn shown(&self) -> Option<BTreeSet<u32>> {
        if self.text.len() <= MOST {
            return None;
        }
        let named = self.findings.keys().chain(self.others.keys());
        let named = named.chain(self.costs.keys().map(|(line, _)| line));
        Some(named.flat_map(|line| line.saturating_sub(AROUND)..=line + AROUND).collect())
    }

    pub(super) fn write(&self, html: &mut Html) {
        html.element("h2", format!("Source: {}", self.file)).raw("\n");
        html.element(
            "p",
            "Beside a line: wavefronts of shared memory and sectors of global memory, and in parentheses the least number for the \
             same bytes.",
        );
        if self.text.is_empty() {
            html.element("p", "The text of the source is not known.").raw("\n");
            return;
        }
        let shown = self.shown();
        if shown.is_some() {
            html.element("p", "The file is large: only lines that a finding or an access names are shown, with those around them.");
        }
        html.raw("<div class=\"scroll\"><table class=\"source\">\n");
        for (line, text) in (1..).zip(self.text.lines()) {
            if shown.as_ref().is_some_and(|shown| !shown.contains(&line)) {
                continue;
            }
            let (own, others) = (self.findings.get(&line), self.others.get(&line));
            html.raw("<tr id=").quoted(format!("L{line}"));
            html.raw(if own.is_some() || others.is_some() { " class=\"hit\">" } else { ">" });
            html.element("td class=\"l\"", line).element("td class=\"code\"", text);
            html.raw("<td class=\"cost\">");
            for (is_shared, unit) in [(true, "wavefronts"), (false, "sectors")] {
                if let Some((passes, least)) = self.costs.get(&(line, is_shared)) {
                    html.text(format!("{passes} {unit} ({least}) "));
                }
            }
            html.raw("</td></tr>\n");
            for (number, finding) in own.into_iter().flatten() {
                html.raw("<tr><td></td><td colspan=\"2\"><div class=\"finding ")
                    .raw(class(finding))
                    .raw("\">");
                describe(html, finding);
                html.raw("\n<a href=")
                    .quoted(format!("#F{number}"))
                    .raw(">")
                    .text(format!("finding {number}"));
                html.raw("</a>");
                for (what, place) in sides(finding).into_iter().skip(1) {
                    html.raw(" ").text(what).raw(" ");
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
        html.raw("</table></div>\n");
    }
}
