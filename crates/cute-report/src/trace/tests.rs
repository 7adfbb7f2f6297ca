//! Files of a timeline that is made by hand, read back.

use super::read::{bytes, fields, number, packets};
use super::*;
use crate::timeline::{Flow, LaunchRecorder};
use cute_sim::place::{SourceFile, SourcePoint};
use serde_json::Value;
use std::collections::HashMap;

fn slice(track: usize, from: u64, to: u64, kind: Kind, name: &str) -> Slice {
    Slice {
        track,
        from,
        to,
        kind,
        name: name.into(),
        place: SourcePoint::new(SourceFile::of("k.mlir"), 3, Some(5)).into(),
        until: Default::default(),
        subject: None,
        stage: None,
        barrier: Some("mbarrier".into()),
        phase: Some(0),
        lanes: 1,
        bytes: 0,
        issuer: None,
        open: false,
    }
}

/// A warp waits for an arrival by another one.
fn example() -> Timeline {
    let launch = LaunchLine {
        kernel: "k".into(),
        grid: [2, 1, 1],
        schedule: cute_sim::Schedule::Random(7),
        begins: 0,
    };
    let track = |owner| Track { rank: 0, owner, row: 0 };
    let cluster = |number| ClusterLine {
        number,
        blocks: vec![[number, 0, 0]],
        steps: 12,
        whole: true,
        tracks: vec![track(Owner::Warp(1)), track(Owner::Warp(0))],
        slices: vec![
            slice(0, 2, 10, Kind::Wait, "mbarrier.try_wait"),
            slice(1, 8, 9, Kind::Arrive, "mbarrier.arrive"),
        ],
        flows: vec![Flow { from: 1, to: 0 }],
        counters: vec![Counter {
            rank: 0,
            unit: Unit::Bytes,
            name: "bytes pending, mbarrier".into(),
            points: vec![(0, 0), (3, 512), (9, 0)],
        }],
        ..ClusterLine::default()
    };
    Timeline { launches: vec![launch], clusters: vec![cluster(0), cluster(1)] }
}

#[test]
fn packets_describe_tracks_before_their_events() {
    let written = write(&example(), Format::Perfetto, Some("a reason"));
    assert_eq!(written.stopped, None);
    let (mut parents, mut names) = (HashMap::new(), Vec::new());
    let (mut begun, mut ended, mut depth) = (Vec::new(), Vec::new(), HashMap::<u64, u64>::new());
    for packet in packets(&written.bytes) {
        assert_eq!(number(&packet, 10), Some(1));
        if let Some(descriptor) = bytes(&packet, 60) {
            let descriptor = fields(descriptor);
            let id = number(&descriptor, 1).unwrap();
            assert!(parents.insert(id, number(&descriptor, 5)).is_none(), "the id {id} is used twice");
            assert!(number(&descriptor, 5).is_none_or(|parent| parents.contains_key(&parent)));
            let name = bytes(&descriptor, 2).or_else(|| bytes(&fields(bytes(&descriptor, 3)?), 6));
            names.push(String::from_utf8(name.unwrap().to_vec()).unwrap());
        }
        let Some(event) = bytes(&packet, 11).map(fields) else { continue };
        let track = number(&event, 11).unwrap();
        assert!(parents.contains_key(&track));
        let depth = depth.entry(track).or_default();
        match number(&event, 9) {
            Some(1) => *depth += 1,
            Some(2) => *depth -= 1,
            _ => {}
        }
        assert!(*depth <= 1);
        begun.extend(number(&event, 47));
        ended.extend(number(&event, 48));
    }
    assert_eq!((&begun, &begun), (&ended, &vec![1, 2]));
    assert!(depth.values().all(|depth| *depth == 0));
    assert!(names[0].contains("order, not time: random order with seed 7"), "{names:?}");
    assert_eq!(names[2..6], ["block (0, 0, 0)", "warp 0", "warp 1", "bytes pending, mbarrier"]);
}

#[test]
fn json_binds_flows_to_slices() {
    let written = write(&example(), Format::Chrome, Some("a \"reason\""));
    let trace: Value = serde_json::from_slice(&written.bytes).unwrap();
    assert_eq!(trace["otherData"]["interrupted"], "a \"reason\"");
    let events = trace["traceEvents"].as_array().unwrap();
    let at = |e: &Value| e["ts"].as_f64().unwrap();
    let within = |flow: &Value| {
        events.iter().any(|e| {
            e["ph"] == "X"
                && (&e["pid"], &e["tid"]) == (&flow["pid"], &flow["tid"])
                && (at(e)..=at(e) + e["dur"].as_f64().unwrap()).contains(&at(flow))
        })
    };
    let flows: Vec<&Value> = events.iter().filter(|e| e["cat"] == "flow").collect();
    assert_eq!(flows.len(), 4);
    assert!(flows.iter().all(|flow| within(flow)));
    let of = |phase: &str, id: u64| flows.iter().find(|f| f["ph"] == phase && f["id"] == id).map(|f| at(f));
    assert!((1..=2).all(|id| of("s", id) < of("f", id)));
}

#[test]
fn a_full_file_says_where_it_stops() {
    let whole = write(&example(), Format::Perfetto, None).bytes.len();
    for format in [Format::Perfetto, Format::Chrome] {
        for most in [0, whole / 2, whole * 3 / 4] {
            let written = within(&example(), format, None, most);
            let stopped = written.stopped.unwrap();
            assert!(stopped.starts_with("the trace stops "), "{stopped}");
            assert!(String::from_utf8_lossy(&written.bytes).contains(&stopped));
        }
        assert_eq!(within(&example(), format, None, 10 * whole).stopped, None);
    }
}

#[test]
fn the_name_of_a_file_tells_its_format() {
    let of = |name: &str| Format::of(Path::new(name));
    assert_eq!((of("a.pftrace"), of("b/c.perfetto-trace")), (Ok(Format::Perfetto), Ok(Format::Perfetto)));
    assert_eq!(of("t.json"), Ok(Format::Chrome));
    for wrong in ["", "trace", "t.JSON5", "t.txt", ".json"] {
        assert_eq!(of(wrong), Err(UnknownFormat), "{wrong}");
    }
}

#[test]
fn an_empty_recording_is_a_valid_file() {
    let timeline = LaunchRecorder::new(Default::default()).take();
    assert!(!timeline.is_whole());
    assert!(write(&timeline, Format::Perfetto, None).bytes.is_empty());
    let json = write(&timeline, Format::Chrome, None).bytes;
    assert!(serde_json::from_slice::<Value>(&json).is_ok());
}
