//! Timelines as files for other programs.
//!
//! | module | subject |
//! |---|---|
//! | `perfetto` | packets of track events, for ui.perfetto.dev and trace_processor |
//! | `proto` | the wire format of protobuf, as far as those need it |
//! | `chrome` | JSON, for chrome://tracing and others that read its format |
//!
//! Both have a process for each launch and for each block. A block's tracks are its warps, its
//! units that execute asynchronous operations, and its mbarriers.

mod chrome;
mod perfetto;
mod proto;

use crate::timeline::{
    ClusterLine, Counter, Kind, LaunchLine, MOST_BYTES, Owner, Slice, Timeline, Track, Unit,
};
use cute_sim::place::SourcePlace;
use std::path::Path;

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Protobuf of Perfetto.
    Perfetto,
    /// JSON of Chrome.
    Chrome,
}

/// A file whose name does not tell its format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the name of a trace ends in .pftrace or .perfetto-trace for Perfetto, or in .json for Chrome")]
pub struct UnknownFormat;

impl Format {
    /// The format that the name of a file asks for.
    ///
    /// # Errors
    /// Returns [`UnknownFormat`] for other names.
    pub fn of(file: &Path) -> Result<Self, UnknownFormat> {
        match file.extension().and_then(|e| e.to_str()) {
            Some("pftrace" | "perfetto-trace") => Ok(Format::Perfetto),
            Some("json") => Ok(Format::Chrome),
            _ => Err(UnknownFormat),
        }
    }
}

/// The content of a file.
#[derive(Debug)]
pub struct Written {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// The reason why it ends before the run does, if it does.
    pub stopped: Option<String>,
}

/// The file of a timeline. `interrupted` tells why the run did not end by itself, if that is known.
pub fn write(timeline: &Timeline, format: Format, interrupted: Option<&str>) -> Written {
    within(timeline, format, interrupted, MOST_BYTES)
}

/// Writes clusters in order, as long as they fit into this number of bytes.
fn within(timeline: &Timeline, format: Format, interrupted: Option<&str>, most: usize) -> Written {
    let mut sheet: Box<dyn Sheet> = match format {
        Format::Perfetto => Box::new(perfetto::Packets::default()),
        Format::Chrome => Box::new(chrome::Events::default()),
    };
    let mut ids = Ids::default();
    let title = timeline.title();
    let mut launches = Vec::new();
    for (number, launch) in timeline.launches.iter().enumerate() {
        let process = ids.process();
        let LaunchLine { kernel, grid, begins, .. } = launch;
        sheet.process(process, &format!("launch {} of {kernel}, {title}", number + 1));
        let track = ids.track(process);
        sheet.track(track, "launch", 0);
        let name = format!("{kernel}, grid {grid:?}");
        let end = timeline.end_of(number).max(begins + 1);
        sheet.slice(track, &Piece { name: &name, category: "launch", from: *begins, to: end, args: &[] });
        launches.push((track, end));
    }
    let mut stopped = None;
    for cluster in &timeline.clusters {
        let (before, known) = (sheet.mark(), ids);
        let full = || format!("{} MB are full", MOST_BYTES >> 20);
        let begins = timeline.launches.get(cluster.launch).map_or(0, |launch| launch.begins);
        let end = cluster.cut.unwrap_or(u64::MAX);
        let mut upto = end;
        loop {
            cluster_to(&mut *sheet, &mut ids, timeline, cluster, upto);
            if sheet.mark().bytes <= most || upto == 0 {
                break;
            }
            // Bytes are about in proportion to steps; what does not fit is dropped from the end.
            let (own, room) = (sheet.mark().bytes - before.bytes, most.saturating_sub(before.bytes));
            let share = room as f64 / own as f64 * 0.9;
            upto = (upto.min(cluster.steps) as f64 * share) as u64;
            sheet.back(before);
            ids = known;
        }
        if upto != u64::MAX {
            let block = cluster.blocks.first().copied().unwrap_or_default();
            let why = match upto {
                0 => format!("the trace stops before block {block:?}, because {}", full()),
                step => format!("the trace stops at step {step} of block {block:?}, because {}", full()),
            };
            if let Some((track, _)) = launches.get(cluster.launch) {
                sheet.instant(*track, &why, begins + upto);
            }
            stopped = Some(why);
            break;
        }
    }
    if let Some(why) = interrupted
        && let Some((track, end)) = launches.last()
    {
        sheet.instant(*track, &format!("interrupted: {why}"), *end);
    }
    Written { bytes: sheet.finish(&title, interrupted, stopped.as_deref()), stopped }
}

/// A place in a sheet.
#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    bytes: usize,
    items: usize,
}

/// The process of a track, and its own number, from 1 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TrackId {
    process: u64,
    number: u64,
}

/// Numbers that have been used.
#[derive(Debug, Clone, Copy, Default)]
struct Ids {
    processes: u64,
    tracks: u64,
    flows: u64,
}

impl Ids {
    fn process(&mut self) -> u64 {
        self.processes += 1;
        self.processes
    }

    fn track(&mut self, process: u64) -> TrackId {
        self.tracks += 1;
        TrackId { process, number: self.tracks }
    }

    fn flow(&mut self) -> u64 {
        self.flows += 1;
        self.flows
    }
}

/// A number or text beside a slice.
enum Arg<'a> {
    Number(u64),
    Text(&'a str),
    Owned(String),
    Place(&'a SourcePlace),
}

/// A slice of a file, in steps.
struct Piece<'a> {
    name: &'a str,
    category: &'a str,
    from: u64,
    to: u64,
    args: &'a [(&'static str, Arg<'a>)],
}

/// A slice with its flows: those that it begins, and the one that ends it.
struct Linked<'a> {
    track: TrackId,
    piece: Piece<'a>,
    begins: &'a [u64],
    ends: Option<u64>,
}

/// A file that is written.
trait Sheet {
    fn process(&mut self, process: u64, name: &str);
    fn track(&mut self, track: TrackId, name: &str, order: u64);
    fn counter(&mut self, track: TrackId, name: &str, unit: Unit, order: u64);
    fn count(&mut self, track: TrackId, name: &str, step: u64, number: u64);
    fn begin(&mut self, slice: &Linked<'_>);
    fn end(&mut self, slice: &Linked<'_>);
    fn instant(&mut self, track: TrackId, name: &str, step: u64);
    fn mark(&self) -> Mark;
    /// Forgets what was written after a mark.
    fn back(&mut self, mark: Mark);
    fn finish(&mut self, title: &str, interrupted: Option<&str>, stopped: Option<&str>) -> Vec<u8>;

    fn slice(&mut self, track: TrackId, piece: &Piece<'_>) {
        let Piece { name, category, from, to, .. } = *piece;
        let piece = Piece { name, category, from, to, args: &[] };
        let slice = Linked { track, piece, begins: &[], ends: None };
        self.begin(&slice);
        self.end(&slice);
    }
}

/// The order of what happens at one step: slices end before others begin, those within a turn
/// before the turn, and arrivals before the waits that they end.
const END: u8 = 0;
const END_BY: u8 = 1;
const END_OF_TURN: u8 = 2;
const COUNT: u8 = 3;
const BEGIN: u8 = 4;

/// Writes the steps of a cluster before one.
fn cluster_to(sheet: &mut dyn Sheet, ids: &mut Ids, timeline: &Timeline, cluster: &ClusterLine, upto: u64) {
    let Some(launch) = timeline.launches.get(cluster.launch) else { return };
    let ClusterLine { tracks, slices, flows, counters, .. } = cluster;
    let mut processes: Vec<Option<u64>> = vec![None; cluster.blocks.len()];
    let mut process_of = |sheet: &mut dyn Sheet, ids: &mut Ids, rank: u32| {
        *processes[rank as usize].get_or_insert_with(|| {
            let [x, y, z] = cluster.blocks[rank as usize];
            let process = ids.process();
            let of = match cluster.blocks.len() {
                1 => String::new(),
                _ => format!(", rank {rank} of cluster {}", cluster.number),
            };
            let launch = match timeline.launches.len() {
                1 => String::new(),
                _ => format!("launch {}, ", cluster.launch + 1),
            };
            let name = format!("{launch}block ({x}, {y}, {z}){of}");
            sheet.process(process, &name);
            process
        })
    };
    let mut known = vec![None; tracks.len()];
    for (rank, number) in cluster.shown().into_iter().enumerate() {
        let Track { rank: block, owner, row } = &tracks[number];
        let track = {
            let process = process_of(sheet, ids, *block);
            ids.track(process)
        };
        let name = match (owner, row) {
            (Owner::Warp(_), 1..) => format!("{}, other waits", owner.name()),
            (_, 1..) => format!("{} {}", owner.name(), row + 1),
            _ => owner.name(),
        };
        sheet.track(track, &name, rank as u64);
        known[number] = Some(track);
    }
    let mut count_of = Vec::new();
    for (i, Counter { rank, unit, name, .. }) in counters.iter().enumerate() {
        let process = process_of(sheet, ids, *rank);
        let track = ids.track(process);
        sheet.counter(track, name, *unit, (tracks.len() + i) as u64);
        count_of.push((track, name));
    }
    let is_shown = |slice: usize| slices[slice].from < upto;
    let mut links: Vec<(Vec<u64>, Option<u64>)> = vec![(Vec::new(), None); slices.len()];
    for flow in flows.iter().filter(|flow| is_shown(flow.from) && is_shown(flow.to)) {
        if slices[flow.from].to <= upto && slices[flow.to].to <= upto {
            let id = ids.flow();
            links[flow.from].0.push(id);
            links[flow.to].1 = Some(id);
        }
    }
    let mut marks: Vec<(u64, u8, usize)> = Vec::new();
    for (number, slice) in slices.iter().enumerate().filter(|(number, _)| is_shown(*number)) {
        marks.push((slice.from, BEGIN, number));
        let class = match (slice.kind, links[number].1) {
            (Kind::Run, _) => END_OF_TURN,
            (_, Some(_)) => END_BY,
            (_, None) => END,
        };
        marks.push((slice.to.min(upto), class, number));
    }
    let mut points: Vec<(usize, usize)> = Vec::new();
    for (counter, Counter { points: all, .. }) in counters.iter().enumerate() {
        for (point, _) in all.iter().enumerate().filter(|(_, (step, _))| *step < upto) {
            marks.push((all[point].0, COUNT, points.len()));
            points.push((counter, point));
        }
    }
    marks.sort_unstable();
    for (_, class, number) in marks {
        if class == COUNT {
            let (counter, point) = points[number];
            let ((step, now), (track, name)) = (counters[counter].points[point], &count_of[counter]);
            sheet.count(*track, name, launch.begins + step, now);
            continue;
        }
        let slice = &slices[number];
        let Some(track) = known[slice.track] else { continue };
        let (name, args) = described(slice);
        let (from, to) = (launch.begins + slice.from, launch.begins + slice.to.min(upto));
        let piece = Piece { name: &name, category: slice.kind.name(), from, to, args: &args };
        let linked = Linked { track, piece, begins: &links[number].0, ends: links[number].1 };
        if class == BEGIN { sheet.begin(&linked) } else { sheet.end(&linked) }
    }
}

fn listed(numbers: &[impl ToString], between: &str) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}

fn listed_parts(parts: &[(u64, u64)]) -> String {
    let part = |(first, end): &(u64, u64)| format!("bytes {first} to {end}");
    parts.iter().map(part).collect::<Vec<_>>().join(", ")
}

/// The name of a slice, and what is told beside it.
fn described(slice: &Slice) -> (String, Vec<(&'static str, Arg<'_>)>) {
    let mut name = slice.name.to_string();
    if let (Kind::Wait, Some(barrier)) = (slice.kind, &slice.barrier) {
        name = match slice.phase {
            Some(phase) => format!("wait for phase {phase} of {barrier}"),
            None => format!("wait for {barrier}"),
        };
    }
    if slice.open && slice.kind == Kind::Phase {
        name.push_str(", not complete");
    }
    let mut args = Vec::new();
    if !slice.place.is_unknown() {
        args.push(("location", Arg::Place(&slice.place)));
    }
    if !slice.until.is_unknown() {
        args.push(("until", Arg::Place(&slice.until)));
    }
    if let Some(subject) = &slice.subject {
        args.extend(subject.array.as_ref().map(|array| ("array", Arg::Text(array))));
        let words = [
            ("coordinates", listed(&subject.coordinates, ", ")),
            ("box", listed(&subject.extents, "x")),
            ("shared memory", listed_parts(&subject.shared)),
        ];
        args.extend(
            words.into_iter().filter(|(_, text)| !text.is_empty()).map(|(k, text)| (k, Arg::Owned(text))),
        );
    }
    if slice.kind == Kind::Wait && *slice.name != *name {
        args.push(("instruction", Arg::Text(&slice.name)));
    }
    if let Some(barrier) = &slice.barrier {
        args.push(("barrier", Arg::Text(barrier)));
    }
    let numbers = [
        ("phase", slice.phase),
        ("lanes", Some(slice.lanes.into()).filter(|n| *n > 0)),
        ("bytes", Some(slice.bytes).filter(|n| *n > 0)),
        ("stage", slice.stage.map(u64::from)),
        ("issued by warp", slice.issuer.map(u64::from)),
        ("not over at the end", slice.open.then_some(1)),
    ];
    args.extend(numbers.into_iter().filter_map(|(key, n)| Some((key, Arg::Number(n?)))));
    (name, args)
}

#[cfg(test)]
mod read;
#[cfg(test)]
mod tests;
