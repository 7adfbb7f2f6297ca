//! Launches against launches: streams, events, the default streams, dependent launches.

use super::{early, file, finding, findings, findings_of, is_silent, launch, outcome};
use cute_sim::Grade;

const RECORD: &str = r#"{"record": "e", "stream": "s"}"#;
const WAIT: &str = r#"{"wait": "e", "stream": "t"}"#;
const DEVICE: &str = r#"{"synchronize": true}"#;

#[test]
fn streams_race_without_an_event() {
    let (write, copy) = (launch("write", "s"), launch("copy", "t"));
    let found = finding(&[&write, &copy]);
    assert!(
        found.contains("reads byte 0 of buffer X, and nothing orders it with the write by thread (0, 0, 0) of block (0, 0, 0), \
            `st.global.u32` (k.ptx:15), of launch 1 (`write`) in stream s, for which stream t has not waited: let it wait for an \
            event that stream s records afterwards, or synchronise the host in between"),
        "{found}"
    );
    assert!(found.starts_with("k.ptx:29: `ld.global.u32` in block"), "{found}");
    is_silent(&[&write, RECORD, WAIT, &copy]);
    is_silent(&[&write, DEVICE, &copy]);
    is_silent(&[&write, r#"{"synchronize": "s"}"#, &copy]);
    is_silent(&[&write, RECORD, r#"{"synchronize": "e"}"#, &copy]);
    is_silent(&[&launch("write", "t"), &copy]);
    // The host has waited for the other stream.
    finding(&[&write, r#"{"synchronize": "t"}"#, &copy]);
    // A later write races with an earlier read, and with an earlier write.
    finding(&[&launch("copy", "t"), &write]);
    finding(&[&write, &launch("clear", "t")]);
    // Writes of the same value agree.
    is_silent(&[&write, &launch("write", "t")]);
    is_silent(&[&copy.replace("&Y", "&P"), &launch("copy", "s")]);
}

#[test]
fn atomic_operations_of_two_streams_exclude_each_other() {
    is_silent(&[&launch("add", "s"), &launch("add", "t")]);
    finding(&[&launch("add", "s"), &launch("copy", "t")]);
}

/// The wait keeps the record that was the last one when it was enqueued.
#[test]
fn a_later_record_does_not_move_a_wait() {
    let (write, copy) = (launch("write", "s"), launch("copy", "t"));
    finding(&[RECORD, WAIT, &write, RECORD, &copy]);
    is_silent(&[RECORD, &write, RECORD, WAIT, &copy]);
}

#[test]
fn a_wait_for_an_event_that_is_recorded_later_orders_nothing() {
    let (write, copy) = (launch("write", "s"), launch("copy", "t"));
    let found = finding(&[WAIT, &write, RECORD, &copy]);
    assert!(
        found.ends_with(
            "; its wait at l.json:5 orders nothing, because the event had not been recorded by then"
        ),
        "{found}"
    );
    is_silent(&[&write, RECORD, WAIT, &copy]);
}

#[test]
fn the_legacy_stream_waits_for_blocking_streams_and_they_for_it() {
    for (one, other) in
        [("b", "default"), ("default", "b"), ("per-thread", "default"), ("default", "per-thread")]
    {
        is_silent(&[&launch("write", one), &launch("copy", other)]);
    }
    // Through the legacy stream, two blocking streams are ordered.
    let between = launch("trigger", "default");
    is_silent(&[&launch("write", "b"), &between, &launch("copy", "c")]);
    finding(&[&launch("write", "b"), &launch("copy", "c")]);
    for (one, other) in [("s", "default"), ("default", "s"), ("per-thread", "b"), ("b", "per-thread")] {
        let found = finding(&[&launch("write", one), &launch("copy", other)]);
        assert!(found.contains(&format!("in stream {one}, for which stream {other} has not")), "{found}");
    }
    finding(&[&launch("write", "b"), &between.replace("default", "s"), &launch("copy", "c")]);
}

#[test]
fn a_dependent_launch_needs_its_wait() {
    let found = finding(&[&launch("write_early", "s"), &early("copy", "s")]);
    assert!(
        found.contains("in launch 1 (`write_early`), which may not have ended when launch 2 (`copy`) begins: execute `griddepcontrol.wait`"),
        "{found}"
    );
    is_silent(&[&launch("write_early", "s"), &early("copy_late", "s")]);
    is_silent(&[&launch("write_early", "s"), &launch("copy", "s")]);
    // An event between the two orders them, as the whole stream does.
    is_silent(&[&launch("write_early", "s"), RECORD, &early("copy", "s")]);
    // It waits for the launch before in its own stream, not for other streams.
    let found = finding(&[&launch("write", "t"), &launch("trigger", "s"), &early("copy_late", "s")]);
    assert!(
        found.contains("of launch 1 (`write`) in stream t, for which stream s has not waited"),
        "{found}"
    );
}

#[test]
fn a_chain_of_dependent_launches_passes_on_only_what_it_waits_for() {
    let first = launch("write_early", "s");
    let third = early("copy_late", "s");
    let found = finding(&[&first, &early("trigger", "s"), &third]);
    assert!(found.contains("`griddepcontrol.wait` waits only for the launch directly before"), "{found}");
    is_silent(&[&first, &early("pass_on", "s"), &third]);
    // A block that exits early lets dependents begin, and the wait of the others counts at the end.
    is_silent(&[&first, &early("exits", "s"), &third]);
    finding(&[&first, &early("exits", "s"), &early("copy", "s")]);
}

/// Dependents begin when each block has triggered or has ended.
#[test]
fn a_block_that_ends_has_triggered() {
    let first = launch("write_after", "s");
    let found = finding(&[&first, &early("copy", "s")]);
    assert!(found.contains("in launch 1 (`write_after`), which may not have ended when launch 2"), "{found}");
    is_silent(&[&first, &early("copy_late", "s")]);
    // Without any trigger, dependents begin when all blocks have ended, but see nothing before they
    // have waited.
    finding(&[&launch("write", "s"), &early("copy", "s")]);
    is_silent(&[&launch("write", "s"), &early("copy_late", "s")]);
}

/// The launch in the middle waits before it triggers, so that the first has ended; a launch that
/// never waits need not see what it wrote.
#[test]
fn what_the_first_of_three_wrote_is_seen_after_a_wait() {
    let (first, middle) = (launch("write", "s"), early("wait_first", "s"));
    let found = findings_of(&[&first, &middle, &early("copy", "s")]);
    let [(Grade::Portability, found)] = &found[..] else { panic!("{found:?}") };
    assert!(
        found.starts_with("k.ptx:29: `ld.global.u32` in block (0, 0, 0)")
            && found.contains(
                "reads byte 0 of buffer X, and nothing makes it see the write by thread (0, 0, 0) of block (0, 0, 0), \
                 `st.global.u32` (k.ptx:15), in launch 1 (`write`), which has ended when launch 3 (`copy`) begins, because the \
                 launch between them waits for it before it lets others begin; execute `griddepcontrol.wait` before the access"
            ),
        "{found}"
    );
    is_silent(&[&first, &middle, &early("copy_late", "s")]);
    is_silent(&[&first, &middle, &launch("copy", "s")]);
    // Writes follow what has ended, whoever sees it.
    is_silent(&[&first, &middle, &early("clear", "s")]);
    is_silent(&[&launch("copy", "s"), &middle, &early("write", "s")]);
    // Whatever had ended when the middle began is seen.
    is_silent(&[&first, &launch("trigger", "s"), &middle, &early("copy", "s")]);
}

#[test]
fn the_event_of_a_begin_orders_nothing_of_the_launch() {
    let begun = launch("write", "s").replace('}', ", \"begun\": \"e\"}");
    finding(&[&begun, WAIT, &launch("copy", "t")]);
    is_silent(&[&begun, RECORD, WAIT, &launch("copy", "t")]);
    is_silent(&[
        &launch("write", "s"),
        &launch("trigger", "s").replace('}', ", \"begun\": \"e\"}"),
        WAIT,
        &launch("copy", "t"),
    ]);
}

/// A programmatic event is recorded when all blocks have triggered or have ended; a launch behind a
/// wait for it waits for that launch by `griddepcontrol.wait`.
#[test]
fn a_programmatic_event_orders_a_launch_that_waits() {
    let event = |kernel: &str, at_start: &str| {
        launch(kernel, "s").replace('}', &format!(", \"triggered\": \"e\"{at_start}}}"))
    };
    for at_start in ["", ", \"trigger_at_start\": true"] {
        let first = event("write_early", at_start);
        let found = finding(&[&first, WAIT, &launch("copy", "t")]);
        assert!(
            found.contains(
                "in launch 1 (`write_early`), which may not have ended when launch 2 (`copy`) begins: execute"
            ),
            "{found}"
        );
        is_silent(&[&first, WAIT, &launch("copy_late", "t")]);
        is_silent(&[&first, RECORD, WAIT, &launch("copy", "t")]);
        // Later operations follow a launch that has waited, and no other.
        is_silent(&[&first, WAIT, &launch("pass_on", "t"), &launch("copy", "t")]);
        finding(&[&first, WAIT, &launch("trigger", "t"), &launch("copy", "t")]);
        // A copy cannot wait.
        let copy = r#"{"copy": {"from": "X", "to": "Y"}, "async": true, "stream": "t"}"#;
        finding(&[&first, WAIT, copy]);
        is_silent(&[&first, RECORD, WAIT, copy]);
        // A launch before that in the stream has ended.
        is_silent(&[&launch("write", "s"), &event("trigger", at_start), WAIT, &launch("copy", "t")]);
    }
    // The launch waits for its own predecessor before it triggers, but not before its start.
    let all = |at_start| {
        let second =
            event("wait_first", at_start).replace(", \"triggered", ", \"programmatic\": true, \"triggered");
        findings(&[&launch("write_early", "s"), &second, WAIT, &launch("copy", "t")]).len()
    };
    assert_eq!((all(""), all(", \"trigger_at_start\": true")), (0, 1));
}

#[test]
fn reports_name_operations_and_streams() {
    let text = file(&[&launch("write", "s"), RECORD, WAIT, &launch("copy", "t")]);
    let outcome = outcome(&text).unwrap();
    let shown = outcome.reports.to_string();
    assert!(shown.contains("launch 2: copy with grid [2, 1, 1], block [64, 1, 1], stream t\n"), "{shown}");
    let json = serde_json::to_value(&outcome.reports).unwrap();
    let launch = |i: usize| &json["launches"][i]["launch"];
    assert_eq!((&launch(1)["operation"], &launch(1)["stream"]), (&3.into(), &"t".into()));
    assert_eq!(launch(0)["operation"], 0);
    assert_eq!(outcome.arrays[1].rows(&arrays()[1]).len(), 512);
}

/// The shape of X and Y.
fn arrays() -> Vec<cute_launch::array::Array> {
    use std::sync::Arc;
    let array = |name: &str| cute_launch::array::Array {
        name: name.into(),
        element: "u32".parse().expect("a type"),
        shape: vec![128],
        contents: Arc::new(vec![0u8; 512]),
        order: cute_launch::fill::DimensionOrder::default(),
        holes: Vec::new(),
        rows: None,
        is_undefined: false,
        layout: None,
    };
    vec![array("X"), array("Y")]
}

/// Two streams that wait for each other's later record do not wait at all.
#[test]
fn waits_in_a_circle_order_nothing() {
    let event = |does: &str, event: &str, stream: &str| {
        format!("{{\"{does}\": \"{event}\", \"stream\": \"{stream}\"}}")
    };
    let waits = [event("wait", "f", "s"), event("wait", "e", "t")];
    let (write, copy) = (launch("write", "s"), launch("copy", "t"));
    let records = [event("record", "e", "s"), event("record", "f", "t")];
    let found = finding(&[&*waits[0], &waits[1], &write, &copy, &records[0], &records[1]]);
    assert!(
        found.ends_with(
            "; its wait at l.json:6 orders nothing, because the event had not been recorded by then"
        )
    );
    is_silent(&[&*write, &records[0], &waits[1], &copy, &records[1], &waits[0]]);
}

#[test]
fn ten_thousand_launches_in_a_stream_run() {
    let one = launch("trigger", "s").replace("[2]", "[1]").replace("[64]", "[1]");
    let text = file(&vec![one; 10_000]);
    let outcome = outcome(&text).unwrap();
    assert_eq!((outcome.reports.simulated().count(), outcome.reports.findings()), (10_000, None));
}

/// Each launch of a stream meets those of the other one; the accesses of the last are compared.
#[test]
fn many_launches_end_soon() {
    let one = launch("add", "s").replace("[2]", "[1]").replace("[64]", "[1]");
    let other = one.replace("\"s\"", "\"t\"");
    let operations: Vec<&str> = [&*one, &*other].into_iter().cycle().take(400).collect();
    is_silent(&operations);
    // A chain of dependent launches, of which some wait.
    let [one, other] = ["trigger", "pass_on"].map(|kernel| early(kernel, "s").replace("[64]", "[1]"));
    let operations: Vec<&str> = [&*one, &*other].into_iter().cycle().take(400).collect();
    is_silent(&operations);
}
