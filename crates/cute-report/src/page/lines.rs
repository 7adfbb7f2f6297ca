//! The timeline as a picture of its first cluster, and who waited for whom.

use super::html::Html;
use super::source::Source;
use crate::timeline::{ClusterLine, GROUP, Kind, Owner, Slice, Timeline, Track};
use cute_sim::place::SourcePlace;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Columns of the picture, and where they begin.
const WIDTH: u64 = 1000;
const LEFT: u64 = 190;

/// The height of a row, and of its bars.
const ROW: u64 = 13;
const BAR: u64 = 10;

/// Rows and arrows of the picture at most.
const MOST_ROWS: usize = 160;
const MOST_ARROWS: usize = 300;

/// Lines of the table at most.
const MOST_PAIRS: usize = 30;

pub(super) fn write(html: &mut Html, source: &Source<'_>, timeline: &Timeline) {
    let Some(cluster) = timeline.clusters.first() else { return };
    html.element("h2", "Who waited for whom").raw("\n");
    pairs(html, source, timeline);
    html.element("h2", "Timeline").raw("\n");
    let others = timeline.clusters.len() - 1;
    let shown = match others {
        0 => String::new(),
        _ => format!(" The picture shows the first cluster of {}; a trace has all.", others + 1),
    };
    html.element(
        "p",
        format!("The timeline shows {}; the unit is a step of the simulator.{shown}", timeline.order()),
    )
    .raw("\n<p>");
    for kind in [Kind::Run, Kind::Wait, Kind::Arrive, Kind::Copy, Kind::Mma, Kind::Phase] {
        html.raw("<span class=\"key ").raw(kind.name()).raw("\"></span>").text(kind.name());
    }
    html.raw("</p>\n");
    picture(html, cluster);
}

fn picture(html: &mut Html, cluster: &ClusterLine) {
    let mut rows = cluster.shown();
    rows.truncate(MOST_ROWS);
    let steps = cluster.steps.max(1);
    let x = |step: u64| LEFT + step * WIDTH / steps;
    let (width, height) = (LEFT + WIDTH + 10, (rows.len() as u64 + 2) * ROW);
    let mut place = BTreeMap::new();
    let _ = writeln!(
        html.0,
        "<div class=\"scroll\"><svg role=\"img\" aria-label=\"timeline\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" xmlns=\"http://www.w3.org/2000/svg\">"
    );
    let mut by_track: BTreeMap<usize, Vec<&Slice>> = BTreeMap::new();
    cluster.slices.iter().for_each(|slice| by_track.entry(slice.track).or_default().push(slice));
    let mut block = None;
    for (row, track) in (0..).zip(&rows) {
        let y = row * ROW + 2;
        place.insert(*track, y + BAR / 2);
        let Track { rank, owner, row: again } = &cluster.tracks[*track];
        let name = match (block.replace(*rank) == Some(*rank), again) {
            (false, _) => {
                let [bx, by, bz] = cluster.blocks[*rank as usize];
                format!("({bx},{by},{bz}) {}", short(owner))
            }
            (true, 0) => short(owner),
            (true, _) => String::new(),
        };
        let _ = write!(html.0, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">", LEFT - 6, y + BAR);
        html.text(name).raw("</text>\n");
        bars(html, by_track.get(track).map_or(&[], Vec::as_slice), y, &x);
    }
    for flow in cluster.flows.iter().take(MOST_ARROWS) {
        let (from, to) = (&cluster.slices[flow.from], &cluster.slices[flow.to]);
        let (Some(a), Some(b)) = (place.get(&from.track), place.get(&to.track)) else { continue };
        let _ = writeln!(
            html.0,
            "<line class=\"flow\" x1=\"{}\" y1=\"{a}\" x2=\"{}\" y2=\"{b}\"/>",
            x(from.to),
            x(to.to)
        );
    }
    let y = rows.len() as u64 * ROW + 14;
    for part in 0..=4 {
        let step = steps * part / 4;
        let anchor = if part == 4 { "end" } else { "middle" };
        let _ = writeln!(html.0, "<text x=\"{}\" y=\"{y}\" text-anchor=\"{anchor}\">{step}</text>", x(step));
    }
    html.raw("</svg></div>\n");
}

/// The name of an owner that fits beside its row.
fn short(owner: &Owner) -> String {
    match owner {
        Owner::Barrier(name) => {
            let name = name.replace("mbarrier at byte ", "mbarrier ");
            name.split(" of ").next().unwrap_or_default().to_owned()
        }
        other => other.name(),
    }
}

/// Where a bar begins and ends, and its slices.
type Bar<'a> = (u64, u64, Vec<&'a Slice>);

/// The slices of a track, each as a bar. Those that are narrower than a column and of one kind are
/// drawn as one.
fn bars(html: &mut Html, slices: &[&Slice], y: u64, x: &impl Fn(u64) -> u64) {
    // Slices within turns are drawn over them.
    let mut layers: BTreeMap<Kind, Vec<Bar<'_>>> = BTreeMap::new();
    for slice in slices {
        let (from, to) = (x(slice.from), x(slice.to).max(x(slice.from) + 1));
        let layer = layers.entry(slice.kind).or_default();
        match layer.last_mut() {
            Some((_, end, all)) if from < *end => {
                *end = to.max(*end);
                all.push(slice);
            }
            _ => layer.push((from, to, vec![slice])),
        }
    }
    for (kind, bars) in layers {
        for (number, (from, to, all)) in bars.into_iter().enumerate() {
            let class = match kind {
                Kind::Phase if number % 2 == 1 => "phase2",
                kind => kind.name(),
            };
            let _ = write!(
                html.0,
                "<rect class=\"{class}\" x=\"{from}\" y=\"{y}\" width=\"{}\" height=\"{BAR}\"><title>",
                to - from
            );
            match all.as_slice() {
                [one] => html.text(told(one)),
                many => html.text(format!("{} x {}", many.len(), kind.name())),
            };
            html.raw("</title></rect>\n");
        }
    }
}

/// A slice in words.
fn told(slice: &Slice) -> String {
    let Slice { name, place, barrier, phase, from, to, .. } = slice;
    let mut text = name.to_string();
    if let (Some(barrier), false) = (barrier, slice.kind == Kind::Phase) {
        let _ = match phase {
            Some(phase) => write!(text, ", phase {phase} of {barrier}"),
            None => write!(text, ", {barrier}"),
        };
    }
    if slice.bytes > 0 {
        let _ = write!(text, ", {} bytes", slice.bytes);
    }
    if !place.is_unknown() {
        let _ = write!(text, " ({place})");
    }
    let _ = write!(text, ": steps {from} to {to}");
    if slice.open {
        text.push_str(", not over");
    }
    text
}

/// A wait of one owner and the text of its place, and the arrival and the place that ended it.
type Pair = (String, String, String, String);

#[derive(Default)]
struct Sum {
    times: u64,
    steps: u64,
    /// Those of the wait and of the arrival.
    places: [SourcePlace; 2],
}

/// The waits, by who waited and whose arrival ended them, longest first.
fn pairs(html: &mut Html, source: &Source<'_>, timeline: &Timeline) {
    let mut all: BTreeMap<Pair, Sum> = BTreeMap::new();
    for cluster in &timeline.clusters {
        let of = |slice: &Slice| cluster.tracks[slice.track].owner.name();
        let mut ended = vec![None; cluster.slices.len()];
        cluster.flows.iter().for_each(|flow| ended[flow.to] = Some(flow.from));
        // Waits for groups of own operations, which the simulator completes at once, take one step.
        let is_left_out = |slice: &Slice| {
            !slice.open && (slice.to == slice.from + 1 || slice.barrier.as_deref() == Some(GROUP))
        };
        let waits = cluster
            .slices
            .iter()
            .zip(ended)
            .filter(|(slice, _)| slice.kind == Kind::Wait && !is_left_out(slice));
        for (wait, by) in waits {
            let by = by.map(|by| &cluster.slices[by]);
            let (ender, place) = match (by, wait.open) {
                (Some(by), _) => (format!("{}: {}", of(by), by.name), by.place.clone()),
                (None, true) => ("nobody: not over".to_owned(), SourcePlace::default()),
                (None, false) => {
                    (wait.barrier.as_deref().unwrap_or("others").to_owned(), SourcePlace::default())
                }
            };
            let pair = (of(wait), wait.place.to_string(), ender, place.to_string());
            let sum = all.entry(pair).or_default();
            (sum.times, sum.steps) = (sum.times + 1, sum.steps + wait.to - wait.from);
            sum.places = [wait.place.clone(), place];
        }
    }
    let mut all: Vec<(Pair, Sum)> = all.into_iter().collect();
    all.sort_by(|(a, one), (b, other)| other.steps.cmp(&one.steps).then_with(|| a.cmp(b)));
    html.element("p", "Waits of the warps of a warpgroup for each other are not in the table.");
    html.raw("<div class=\"scroll\"><table>");
    html.heads(&["who waited", "at", "times", "steps", "for", "at"]);
    for ((who, _, whom, _), Sum { times, steps, places: [at, place] }) in all.iter().take(MOST_PAIRS) {
        html.raw("<tr>").element("td", who).raw("<td>");
        source.link(html, at);
        html.raw("</td>").number(*times).number(*steps).element("td", whom).raw("<td>");
        source.link(html, place);
        html.raw("</td></tr>\n");
    }
    html.raw("</table></div>\n");
    if all.len() > MOST_PAIRS {
        html.element("p", format!("{} more are not shown.", all.len() - MOST_PAIRS));
    }
    if all.is_empty() {
        html.element("p", "Nobody waited.");
    }
}
