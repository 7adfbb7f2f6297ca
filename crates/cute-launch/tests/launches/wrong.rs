//! Files that cannot be run: the message names the place and the way out.

use super::{file, launch, outcome};

fn why(operations: &[&str]) -> String {
    outcome(&file(operations)).expect_err("it cannot run").to_string()
}

#[test]
fn names_and_sizes_are_checked_before_anything_runs() {
    let streams = "the streams are b, c, s, t, default, per-thread";
    let arrays = "the arrays are: G, M, P, X, Y";
    for (operation, expected) in [
        (launch("write", "q"), format!("operations[0].stream: there is no stream 'q'; {streams}")),
        (
            r#"{"wait": "e", "stream": "s"}"#.into(),
            "operations[0].wait: no operation records event 'e'; no event is".into(),
        ),
        (
            r#"{"synchronize": "q"}"#.into(),
            format!("operations[0].synchronize: there is no stream 'q'; {streams}"),
        ),
        (r#"{"set": "Q"}"#.into(), format!("operations[0].set: there is no array 'Q'; {arrays}")),
        (
            r#"{"set": "X", "stream": "s"}"#.into(),
            "operations[0].stream: an operation in stream 's' needs \"async\": true".into(),
        ),
        (r#"{"copy": {"to": "X", "from": "Q"}}"#.into(), format!("operations[0].copy.from: there is no array 'Q'; {arrays}")),
        (
            r#"{"copy": {"to": "X", "from": "Y+4"}}"#.into(),
            "operations[0].copy: there are 508 bytes of 'Y', but 512 of 'X'; give \"bytes\" to copy some of them".into(),
        ),
        (
            r#"{"copy": {"to": "X", "from": "Y+4", "bytes": 512}}"#.into(),
            "operations[0].copy.bytes: 512 bytes are to be copied, but there are 508 of 'Y' and 512 of 'X'".into(),
        ),
        (
            r#"{"copy": {"to": "X+513", "from": "Y"}}"#.into(),
            "operations[0].copy.to: 'X' has 512 bytes, so that there is no byte 513".into(),
        ),
        (
            r#"{"host": "reads", "array": "X"}"#.into(),
            "operations[0].array: 'X' is memory of the device, which the host cannot access: copy it to an array of \"pinned\" or \
             \"pageable\", or list it in \"managed\""
                .into(),
        ),
        (r#"{"destroy": "default"}"#.into(), "operations[0].destroy: stream 'default' cannot be destroyed".into()),
        (
            launch("write", "s").replace("&Y", "&Q"),
            "operations[0]: argument &Q: no array has the name 'Q'; the arrays are: X, Y, P, G, M".into(),
        ),
        (
            launch("write", "s").replace("&Y", "f33"),
            "operations[0].args[1]: 'f33' is not an array or a number; ".into(),
        ),
        (
            launch("write", "s").replace("&Y", "u32[128]"),
            "operations[0].args[1]: an array belongs into \"arrays\", and an argument names it".into(),
        ),
        (launch("wrote", "s"), "operations[0]: there is no kernel 'wrote' in 'k.ptx'; it has write, ".into()),
        (
            launch("write", "s").replace("[64]", "[2048]"),
            "operations[0]: kernel 'write': its block [2048, 1, 1] has 2048 threads, but at most 1024 are possible".into(),
        ),
        (
            launch("write", "s").replace(", \"&Y\"", ""),
            "operations[0]: kernel 'write' has 2 parameters (x (.u64), y (.u64)), but there is 1 argument".into(),
        ),
    ] {
        let why = why(&[&operation]);
        assert!(why.starts_with(&expected), "{why}\n{expected}");
    }
}

#[test]
fn something_is_launched() {
    let text = "{\"operations\": [{\"synchronize\": true}]}";
    assert_eq!(
        outcome(text).expect_err("there is no launch").to_string(),
        "operations: there is no launch among them, so that there is nothing to run"
    );
}

#[test]
fn a_stream_that_was_destroyed_takes_nothing_more() {
    let destroy = r#"{"destroy": "s"}"#;
    assert_eq!(
        why(&[destroy, &launch("write", "s")]),
        "operations[1].stream: operations[0] has destroyed stream 's'"
    );
    // Its earlier operations go on.
    super::finding(&[&launch("write", "s"), destroy, &launch("copy", "t")]);
}

#[test]
fn a_stream_and_an_event_of_one_name_cannot_be_told_apart() {
    assert_eq!(
        why(&[r#"{"record": "s", "stream": "s"}"#, r#"{"synchronize": "s"}"#]),
        "operations[1].synchronize: 's' is a stream and an event; give them different names"
    );
}
