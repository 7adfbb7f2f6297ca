//! The verdict in words, at the top of the page, and where the warps of a deadlock are.

use super::html::Html;
use super::source::Sources;
use super::{Listed, waits};
use cute_launch::{Shape, report::Reports};
use cute_sim::names::readable;
use cute_sim::{Finding, FindingKind, Grade, Report, Waiting, WaitingWarp};
use std::fmt::Write;

/// Groups of warps that the verdict on a deadlock names, and kinds of findings.
const MOST_NAMED: usize = 4;

/// Characters of a sentence about a finding.
const MOST_CHARACTERS: usize = 260;

/// The sentences of the verdict.
pub(super) fn write(html: &mut Html, sources: &Sources<'_>, reports: &Reports, listed: &[Listed<'_>]) {
    let mut kinds: Vec<&Listed<'_>> = Vec::new();
    for one in listed.iter().filter(|one| one.finding.grade == Grade::Error) {
        if !kinds.iter().any(|known| known.finding.kind.name() == one.finding.kind.name()) {
            kinds.push(one);
        }
    }
    // What ended the run comes first.
    kinds.sort_by_key(|one| !ends_run(&one.finding.kind));
    if kinds.is_empty() {
        let text = match listed.len() {
            0 => clean(reports),
            n => format!(
                "{} without an error: {} to look at.",
                clean(reports).trim_end_matches('.'),
                plural(n, "finding")
            ),
        };
        html.element("p class=\"verdict good\"", text).raw("\n");
        return;
    }
    for one in kinds.iter().take(MOST_NAMED) {
        html.raw("<p class=\"verdict error\">");
        html.text(sources.names.short(&sentence(one.finding)));
        html.raw(" <a href=").quoted(format!("#F{}", one.number)).raw(">");
        html.text(format!("finding {}", one.number)).raw("</a></p>\n");
    }
    if kinds.len() > MOST_NAMED {
        html.element("p", format!("{} more kinds of findings are below.", kinds.len() - MOST_NAMED));
    }
}

/// A number and a word, in the singular or the plural.
pub(super) fn plural(count: usize, word: &str) -> String {
    let end = match count {
        1 => "",
        _ if word.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{count} {word}{end}")
}

fn clean(reports: &Reports) -> String {
    let all: Vec<(&Shape, &Report)> = reports.simulated().collect();
    let mut names: Vec<String> = Vec::new();
    for (shape, _) in &all {
        let name = format!("`{}`", readable(&shape.kernel));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let more = names.len().saturating_sub(3);
    names.truncate(3);
    let others = if more == 0 { String::new() } else { format!(" and {more} more") };
    let launches =
        if all.len() == 1 { String::new() } else { format!(" in {}", plural(all.len(), "launch")) };
    let end = if reports.are_complete() { "ran to the end" } else { "did not run to the end" };
    format!("No findings: {}{others} {end}{launches}.", names.join(", "))
}

fn ends_run(kind: &FindingKind) -> bool {
    matches!(kind, FindingKind::Deadlock { .. } | FindingKind::Hang { .. } | FindingKind::Budget { .. })
}

/// A finding in one sentence.
fn sentence(finding: &Finding) -> String {
    if let FindingKind::Deadlock { waits, threads, .. } = &finding.kind {
        return deadlock(waits, *threads);
    }
    let mut name = finding.kind.name().replace('_', " ");
    name[..1].make_ascii_uppercase();
    let at =
        format!("`{}` at {}", cute_text::line(&finding.op), cute_text::line(&finding.location.to_string()));
    let is_race = finding.kind.name().starts_with("race") || finding.kind.name() == "same_value";
    if let Some(other) = finding.other().filter(|_| is_race)
        && let Some(op) = other.op
    {
        let place = other.location.to_string();
        return format!(
            "{name}: {at}, and `{}` at {}, which nothing orders.",
            cute_text::line(op),
            cute_text::line(&place)
        );
    }
    let text = cute_text::line(&finding.kind.to_string()).into_owned();
    format!("{name}: {at}: {}", cut(&text))
}

fn cut(text: &str) -> String {
    if text.chars().count() <= MOST_CHARACTERS {
        return format!("{}.", text.trim_end_matches('.'));
    }
    let some: String = text.chars().take(MOST_CHARACTERS).collect();
    format!("{} ..", some.rsplit_once(' ').map_or(some.as_str(), |(whole, _)| whole))
}

fn deadlock(waits: &[Waiting], threads: u32) -> String {
    let waiting: u32 = waits.iter().map(|wait| wait.threads).sum();
    let mut text = format!("Deadlock: {waiting} of {threads} threads wait");
    if waiting < threads {
        text.push_str(", and the others have returned");
    }
    let several = has_blocks(waits);
    for (number, wait) in waits.iter().take(MOST_NAMED).enumerate() {
        text.push_str(if number == 0 { ": " } else { "; " });
        let warps: Vec<String> = runs(&wait.warps).iter().map(|run| run.name(several)).collect();
        let location = wait.location.to_string();
        let _ =
            write!(text, "{} at {} for {}", warps.join(", "), cute_text::line(&location), condition(wait));
    }
    if waits.len() > MOST_NAMED {
        let _ = write!(text, "; and {} more groups", waits.len() - MOST_NAMED);
    }
    text + "."
}

fn has_blocks(waits: &[Waiting]) -> bool {
    let mut blocks = waits.iter().flat_map(|wait| &wait.warps).map(|warp| warp.block);
    let first = blocks.next();
    blocks.any(|block| Some(block) != first)
}

/// What a group waits for, in a few words.
fn condition(wait: &Waiting) -> String {
    match &wait.state {
        Some(state) => match state.phase {
            Some(phase) => format!("phase {phase} of the {}", cute_text::line(&state.barrier)),
            None => state.barrier.clone(),
        },
        None => cute_text::line(&wait.what).into_owned(),
    }
}

/// Neighbouring warps of a block with the same lanes.
struct Run {
    first: WaitingWarp,
    last: u32,
}

impl Run {
    fn name(&self, with_block: bool) -> String {
        let WaitingWarp { block: [x, y, z], warp, lanes } = self.first;
        let mut text = match self.last - warp {
            0 => format!("warp {warp}"),
            _ => format!("warps {warp} to {}", self.last),
        };
        if lanes.count_ones() < 32 {
            let _ = write!(text, " ({})", plural(lanes.count_ones() as usize, "lane"));
        }
        if with_block {
            let _ = write!(text, " of block ({x}, {y}, {z})");
        }
        text
    }
}

fn runs(warps: &[WaitingWarp]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for warp in warps {
        match runs.last_mut() {
            Some(run)
                if (run.first.block, run.first.lanes, run.last + 1)
                    == (warp.block, warp.lanes, warp.warp) =>
            {
                run.last = warp.warp;
            }
            _ => runs.push(Run { first: *warp, last: warp.warp }),
        }
    }
    runs
}

/// A table of the warps of a deadlock: where each of them is, and what its barrier has and lacks.
pub(super) fn warps(html: &mut Html, sources: &Sources<'_>, listed: &[Listed<'_>]) {
    for one in listed.iter().filter(|one| !waits(one.finding).is_empty()) {
        let waits = waits(one.finding);
        let several = has_blocks(waits);
        html.element("h2", "Where the warps are").raw("\n");
        let caption = format!("The waits of the deadlock, finding {}", one.number);
        html.open_table("warps", &caption);
        html.heads(&[
            "warps",
            "at",
            "wait for",
            "phase",
            "arrived",
            "bytes missing",
            "who came, and who could still come",
        ]);
        for wait in waits {
            html.raw("<tr><td>");
            let names: Vec<String> = runs(&wait.warps).iter().map(|run| run.name(several)).collect();
            html.text(names.join(", ")).raw("</td><td><code>").text(&wait.op).raw("</code> ");
            sources.link(html, &wait.location);
            html.raw("</td>");
            match &wait.state {
                Some(state) => {
                    html.element("td", sources.names.short(&state.barrier));
                    html.element(
                        "td class=\"n\"",
                        state.phase.map_or(String::new(), |phase| phase.to_string()),
                    );
                    html.element("td class=\"n\"", format!("{} of {}", state.arrived, state.expected));
                    html.element("td class=\"n\"", bytes(state.pending_bytes, state.expected_bytes));
                }
                None => {
                    html.element("td", sources.names.short(&wait.what)).raw("<td></td><td></td><td></td>");
                }
            }
            html.raw("<td>");
            for detail in &wait.details {
                html.raw("<div>").text(sources.names.short(detail)).raw("</div>");
            }
            if let (Some(state), true) = (&wait.state, wait.details.is_empty()) {
                let missing = state.expected.saturating_sub(state.arrived);
                let others: u32 = waits.iter().map(|other| other.threads).sum::<u32>() - wait.threads;
                html.text(format!(
                    "{} missing; {others} other threads wait elsewhere",
                    plural(missing as usize, "arrival")
                ));
            }
            html.raw("</td></tr>\n");
        }
        html.close_table();
    }
}

fn bytes(pending: i64, expected: i64) -> String {
    match pending {
        0 if expected == 0 => String::new(),
        0 => "none".into(),
        more if more > 0 => format!("{more} of {expected}"),
        fewer => format!("{} too many", -fewer),
    }
}
