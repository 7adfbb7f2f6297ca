//! The timeline of a launch as a picture of its first cluster and as a table, and who waited for whom.

use super::html::Html;
use super::source::Sources;
use super::verdict::plural;
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

/// Lines of the table of slices at most.
const MOST_TOLD: usize = 200;

/// Columns of a bar that has a name, those of a character, and the least letters of a name.
const LEAST_NAMED: u64 = 12;
const CHARACTER: u64 = 6;
const LEAST_LETTERS: usize = 5;

/// The waits and the timeline of a launch, by its number.
pub(super) fn write(html: &mut Html, source: &Sources<'_>, timeline: &Timeline, launch: usize) {
    let clusters: Vec<&ClusterLine> = timeline.of(launch).collect();
    let Some(cluster) = clusters.first() else { return };
    html.element("h3", "Who waited for whom").raw("\n");
    pairs(html, source, &clusters);
    html.element("h3", "Timeline").raw("\n");
    let shown = match clusters.len() {
        1 => String::new(),
        n => format!(" The picture shows the first cluster of {n}; a trace has all."),
    };
    html.element(
        "p",
        format!("The timeline shows {}; the unit is a step of the simulator.{shown}", timeline.order()),
    )
    .raw("\n<p>");
    for kind in KINDS {
        html.raw("<span class=\"key ").raw(kind.name()).raw("\"></span>").text(kind.name());
    }
    html.raw("</p>\n");
    picture(html, source, cluster, launch);
    table(html, source, cluster);
}

/// The kinds of the legend.
const KINDS: [Kind; 7] =
    [Kind::Run, Kind::Wait, Kind::Arrive, Kind::Copy, Kind::Mma, Kind::Idle, Kind::Phase];

/// What the picture shows, as rows: copies, MMAs, waits and what ended them, in their order.
fn table(html: &mut Html, source: &Sources<'_>, cluster: &ClusterLine) {
    let is_told = |slice: &&Slice| !matches!(slice.kind, Kind::Run | Kind::Phase | Kind::Arrive);
    let mut told: Vec<&Slice> = cluster.slices.iter().filter(is_told).collect();
    if told.is_empty() {
        return;
    }
    told.sort_by_key(|slice| (slice.from, slice.to, slice.track));
    html.raw("<details>").element("summary", "The same as a table").raw("\n");
    html.open_table("", "Copies, MMAs and waits, by their first step.");
    html.heads(&["from", "to", "in", "what", "at"]);
    for slice in told.iter().take(MOST_TOLD) {
        html.raw("<tr>").number(slice.from).number(slice.to);
        let Track { rank, owner, .. } = &cluster.tracks[slice.track];
        let owner = match cluster.blocks.len() {
            1 => owner.name(),
            _ => format!("block of rank {rank}, {}", owner.name()),
        };
        html.element("td", source.names.short(&owner))
            .element("td", source.names.short(&what(slice)))
            .raw("<td>");
        if !slice.place.is_unknown() {
            source.link(html, &slice.place);
        }
        html.raw("</td></tr>\n");
    }
    html.close_table();
    if told.len() > MOST_TOLD {
        html.element("p", format!("{} more are not shown; a trace has all.", told.len() - MOST_TOLD));
    }
    html.raw("</details>\n");
}

/// A slice without its place and its steps.
fn what(slice: &Slice) -> String {
    let Slice { name, barrier, phase, .. } = slice;
    let mut text = name.to_string();
    if let (Some(barrier), false) = (barrier, slice.kind == Kind::Phase) {
        let _ = match phase {
            Some(phase) => write!(text, ", phase {phase} of {barrier}"),
            None => write!(text, ", {barrier}"),
        };
    }
    if let Some(subject) = slice.subject.as_ref().filter(|subject| !subject.extents.is_empty()) {
        let all: Vec<String> = subject.extents.iter().map(ToString::to_string).collect();
        let _ = write!(text, ", box {}", all.join("x"));
    }
    if slice.bytes > 0 {
        let _ = write!(text, ", {}", plural(slice.bytes as usize, "byte"));
    }
    if slice.open {
        text.push_str(", not over");
    }
    text
}

fn picture(html: &mut Html, source: &Sources<'_>, cluster: &ClusterLine, launch: usize) {
    let mut rows = cluster.shown();
    rows.truncate(MOST_ROWS);
    let steps = cluster.steps.max(1);
    let x = |step: u64| LEFT + step * WIDTH / steps;
    let (width, height) = (LEFT + WIDTH + 10, (rows.len() as u64 + 2) * ROW);
    let mut place = BTreeMap::new();
    let _ = writeln!(
        html.0,
        "<div class=\"scroll\" tabindex=\"0\"><svg role=\"img\" aria-label=\"timeline of launch {}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" xmlns=\"http://www.w3.org/2000/svg\">",
        launch + 1
    );
    let mut by_track: BTreeMap<usize, Vec<&Slice>> = BTreeMap::new();
    cluster.slices.iter().for_each(|slice| by_track.entry(slice.track).or_default().push(slice));
    by_track.values_mut().for_each(|slices| slices.sort_by_key(|slice| slice.from));
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
        bars(html, source, by_track.get(track).map_or(&[], Vec::as_slice), y, &x);
    }
    let mut arrows = String::new();
    for flow in cluster.flows.iter().take(MOST_ARROWS) {
        let (from, to) = (&cluster.slices[flow.from], &cluster.slices[flow.to]);
        let (Some(a), Some(b)) = (place.get(&from.track), place.get(&to.track)) else { continue };
        let _ = write!(arrows, "M{} {a}L{} {b}", x(from.to), x(to.to));
    }
    if !arrows.is_empty() {
        let _ = writeln!(html.0, "<path class=\"flow\" d=\"{arrows}\"/>");
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
fn bars(html: &mut Html, source: &Sources<'_>, slices: &[&Slice], y: u64, x: &impl Fn(u64) -> u64) {
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
        // Bars that are too narrow for a name are one element.
        let mut narrow: BTreeMap<&str, String> = BTreeMap::new();
        for (number, (from, to, all)) in bars.into_iter().enumerate() {
            let class = match kind {
                Kind::Phase if number % 2 == 1 => "phase2",
                kind => kind.name(),
            };
            let width = to - from;
            if width < LEAST_NAMED {
                let _ = write!(narrow.entry(class).or_default(), "M{from} {y}h{width}v{BAR}h-{width}z");
                continue;
            }
            let _ = write!(
                html.0,
                "<rect class=\"{class}\" x=\"{from}\" y=\"{y}\" width=\"{width}\" height=\"{BAR}\"><title>"
            );
            let name = match all.as_slice() {
                [one] => {
                    html.text(source.names.short(&told(one)));
                    label(one)
                }
                many => {
                    html.text(format!("{} x {}", many.len(), kind.name()));
                    String::new()
                }
            };
            html.raw("</title></rect>");
            let room = (width / CHARACTER) as usize;
            if room >= LEAST_LETTERS && !name.is_empty() {
                let shown: String = name.chars().take(room).collect();
                let is_phase = if kind == Kind::Phase { " of-phase" } else { "" };
                let _ = write!(
                    html.0,
                    "<text class=\"name{is_phase}\" x=\"{}\" y=\"{}\">",
                    from + 2,
                    y + BAR - 2
                );
                html.text(shown).raw("</text>");
            }
            html.raw("\n");
        }
        for (class, path) in narrow {
            let _ = writeln!(html.0, "<path class=\"{class}\" d=\"{path}\"/>");
        }
    }
}

/// The name on a bar.
fn label(slice: &Slice) -> String {
    match (slice.kind, &slice.barrier) {
        (Kind::Run | Kind::Arrive, _) => String::new(),
        (Kind::Wait, Some(barrier)) => {
            let barrier = short(&Owner::Barrier(barrier.to_string()));
            match slice.phase {
                Some(phase) => format!("phase {phase} of {barrier}"),
                None => barrier,
            }
        }
        (Kind::Idle, _) => slice.name.replace("tensor core idle", "idle"),
        _ => slice.name.to_string(),
    }
}

/// A slice in words.
fn told(slice: &Slice) -> String {
    let mut text = what(slice);
    if !slice.place.is_unknown() {
        let _ = match slice.until.is_unknown() {
            true => write!(text, " ({})", slice.place),
            false => write!(text, " ({} to {})", slice.place, slice.until),
        };
    }
    let _ = write!(text, ": steps {} to {}", slice.from, slice.to);
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
fn pairs(html: &mut Html, source: &Sources<'_>, clusters: &[&ClusterLine]) {
    let mut all: BTreeMap<Pair, Sum> = BTreeMap::new();
    for cluster in clusters {
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
                (None, true) => {
                    let on = wait.barrier.as_deref().unwrap_or("others");
                    let phase = wait.phase.map_or(String::new(), |phase| format!("phase {phase} of "));
                    (format!("{phase}{on}, which nobody ended"), SourcePlace::default())
                }
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
    if all.is_empty() {
        html.element("p", "Nobody waited.");
        return;
    }
    html.open_table(
        "",
        "Waits, the longest first. Waits of the warps of a warpgroup for each other are left out.",
    );
    html.heads(&["who waited", "at", "times", "steps", "for", "at"]);
    for ((who, _, whom, _), Sum { times, steps, places: [at, place] }) in all.iter().take(MOST_PAIRS) {
        html.raw("<tr>").element("td", source.names.short(who)).raw("<td>");
        source.link(html, at);
        html.raw("</td>").number(*times).number(*steps).element("td", source.names.short(whom)).raw("<td>");
        source.link(html, place);
        html.raw("</td></tr>\n");
    }
    html.close_table();
    if all.len() > MOST_PAIRS {
        html.element("p", format!("{} more are not shown.", all.len() - MOST_PAIRS));
    }
}
