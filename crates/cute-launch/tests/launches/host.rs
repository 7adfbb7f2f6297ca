//! Copies, sets, frees and the host's own accesses: when they return, and what they race with.

use super::{file, finding, findings, is_silent, launch, outcome};

/// A thread loads a box of eight elements by a tensor map, and stores the first one.
pub const LOAD: &str = ".visible .entry load(.param .align 64 .b8 m[128], .param .u64 y) .reqntid 1 {
  .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %d<4>;
  .shared .align 128 .b8 tile[128]; .shared .align 8 .b8 full[8];
  mov.b64 %d1, m;
  cvta.param.u64 %d1, %d1;
  ld.param.u64 %d2, [y];
  mov.u32 %r1, tile;
  mov.u32 %r2, full;
  mov.u32 %r3, 0;
  mbarrier.init.shared.b64 [%r2], 1;
  fence.mbarrier_init.release.cluster;
  mbarrier.arrive.expect_tx.shared.b64 %d3, [%r2], 32;
  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%d1, {%r3, %r3}], [%r2];
WAIT:
  mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0;
  @!%p1 bra WAIT;
  ld.shared.u32 %r4, [%r1];
  st.global.u32 [%d2], %r4;
  ret;
}
";

fn copy(from: &str, to: &str, stream: Option<&str>) -> String {
    let stream =
        stream.map_or_else(String::new, |stream| format!(", \"async\": true, \"stream\": \"{stream}\""));
    format!("{{\"copy\": {{\"from\": \"{from}\", \"to\": \"{to}\"}}{stream}}}")
}

fn host(does: &str, array: &str) -> String {
    format!("{{\"host\": \"{does}\", \"array\": \"{array}\"}}")
}

const SYNCHRONIZE: &str = r#"{"synchronize": "s"}"#;

#[test]
fn an_asynchronous_copy_to_pinned_memory_does_not_wait() {
    let found = finding(&[&copy("X", "P", Some("s")), &host("reads", "P")]);
    assert_eq!(
        found,
        "l.json:6: `read P on the host`: reads byte 0 of buffer P, and nothing orders it with the write by `copy X to P` \
         (l.json:5), in stream s, for which the host has not waited: synchronise it with that stream, or with an event that \
         the stream records afterwards"
    );
    is_silent(&[&copy("X", "P", Some("s")), SYNCHRONIZE, &host("reads", "P")]);
    // To pageable memory, and without `async`, the copy has ended when the call returns.
    is_silent(&[&copy("X", "G", Some("s")), &host("reads", "G")]);
    is_silent(&[&copy("X", "P", None), &host("reads", "P")]);
}

#[test]
fn the_source_of_a_copy_is_read_when_it_is_staged() {
    finding(&[&copy("P", "X", Some("s")), &host("writes", "P")]);
    is_silent(&[&copy("P", "X", Some("s")), SYNCHRONIZE, &host("writes", "P")]);
    is_silent(&[&copy("P", "X", None), &host("writes", "P")]);
    // Pageable memory has been read when the call returns, but the device has not got all of it.
    is_silent(&[&copy("G", "X", Some("s")), &host("writes", "G")]);
    is_silent(&[&copy("G", "X", None), &host("writes", "G")]);
    let found = finding(&[&copy("G", "X", None), &launch("copy", "s")]);
    assert!(
        found.contains("reads byte 0 of buffer X, and nothing orders it with the write by `copy G to X` (l.json:5), in stream \
            default, for which stream s has not waited"),
        "{found}"
    );
    is_silent(&[&copy("P", "X", None), &launch("copy", "s")]);
    is_silent(&[&copy("G", "X", None), &launch("copy", "b")]);
}

#[test]
fn a_copy_races_with_a_kernel_of_another_stream() {
    let found = finding(&[&launch("write", "t"), &copy("X", "P", Some("s"))]);
    assert_eq!(
        found,
        "l.json:6: `copy X to P`: reads byte 0 of buffer X, and nothing orders it with the write by thread (0, 0, 0) of block \
         (0, 0, 0), `st.global.u32` (k.ptx:15), of launch 1 (`write`) in stream t, for which stream s has not waited: let it \
         wait for an event that stream t records afterwards, or synchronise the host in between"
    );
    is_silent(&[&launch("write", "t"), &copy("X", "P", Some("t"))]);
    // Other bytes.
    let part = r#"{"copy": {"from": "P", "to": "X+256", "bytes": 256}, "async": true, "stream": "s"}"#;
    let half = launch("write", "t").replace("\"grid\": [2]", "\"grid\": [1]");
    is_silent(&[&half, part]);
    finding(&[&half, &part.replace("X+256", "X+252")]);
    finding(&[&copy("P", "X", Some("s")), &copy("P", "X", Some("t"))]);
    is_silent(&[&copy("X", "Y", Some("s")), &copy("X", "P", Some("t"))]);
}

#[test]
fn a_set_of_the_device_returns_at_once() {
    let set = r#"{"set": "X", "value": 1, "async": true, "stream": "s"}"#;
    finding(&[set, &launch("copy", "t")]);
    is_silent(&[set, &launch("copy", "s")]);
    let set = r#"{"set": "X", "value": 1}"#;
    finding(&[set, &launch("copy", "t")]);
    is_silent(&[set, &launch("copy", "b")]);
    // Pinned memory has been set when the call returns.
    is_silent(&[r#"{"set": "P"}"#, &host("reads", "P")]);
    finding(&[r#"{"set": "P", "async": true, "stream": "s"}"#, &host("reads", "P")]);
}

#[test]
fn the_host_leaves_alone_what_a_kernel_uses() {
    for array in ["P", "M"] {
        let own = launch("write", "s").replace("&X", &format!("&{array}"));
        let found = finding(&[&own, &host("reads", array)]);
        assert!(
            found.contains("of launch 1 (`write`) in stream s, for which the host has not waited"),
            "{found}"
        );
        is_silent(&[&own, SYNCHRONIZE, &host("reads", array)]);
        is_silent(&[&host("writes", array), &own]);
    }
}

#[test]
fn memory_is_freed_after_its_last_use() {
    let free = |stream: &str| format!("{{\"free\": \"X\", \"async\": true, \"stream\": \"{stream}\"}}");
    let found = finding(&[&launch("copy", "s"), &free("t")]);
    assert!(
        found.starts_with(
            "l.json:6: `free X`: writes byte 0 of buffer X, and nothing orders it with the read"
        ),
        "{found}"
    );
    is_silent(&[&launch("copy", "s"), &free("s")]);
    // Afterwards nothing uses it, ordered or not.
    let found = finding(&[&free("s"), &launch("copy", "s")]);
    assert!(
        found.contains(
            "reads byte 0 of buffer X, after the write by `free X` (l.json:5), which frees the memory"
        ),
        "{found}"
    );
    let found = finding(&[&free("s"), &launch("copy", "t")]);
    assert!(
        found.contains("and nothing orders it with the write by `free X` (l.json:5), in stream s"),
        "{found}"
    );
    finding(&[r#"{"free": "X"}"#, &launch("copy", "s")]);
    is_silent(&[&launch("copy", "s"), r#"{"free": "X"}"#, &launch("copy", "s").replace("&X", "&M")]);
    finding(&[r#"{"free": "X"}"#, &copy("X", "Y", None), &launch("trigger", "s")]);
}

/// A tensor map keeps the address of its array.
#[test]
fn a_map_of_freed_memory_is_not_used() {
    let text = |first: &str, last: &str| {
        let load = r#"{"launch": "load", "grid": [1], "args": ["tensor_map(X,shape=4x32,strides=16,box=4x2)", "&Y"]}"#;
        let operations: Vec<&str> = [first, load, last].into_iter().filter(|one| !one.is_empty()).collect();
        file(&operations)
    };
    let free = r#"{"free": "X"}"#;
    let used = outcome(&text(free, "")).unwrap().reports.found();
    assert!(
        used.contains(
            "reads byte 0 of buffer X through the async proxy, after the write by `free X` (l.json:5), which frees the memory"
        ),
        "{used}"
    );
    let outcome = outcome(&text("", free)).unwrap();
    assert_eq!(outcome.reports.findings(), None, "{}", outcome.reports);
}

#[test]
fn copies_and_sets_change_the_arrays() {
    let text = file(&[
        r#"{"set": "Y", "value": 1}"#,
        r#"{"copy": {"from": "X+8", "to": "P+4", "bytes": 4}}"#,
        &launch("copy", "default").replace("&X", "&P"),
        &copy("Y", "M", None),
    ]);
    let outcome = outcome(&text).unwrap();
    // Arrays of the device come first, then pinned, pageable and managed memory.
    let bytes = |i: usize| match &outcome.arrays[i] {
        cute_launch::after::After::Simulated(memory, buffer) => memory.download::<i32>(*buffer),
        other => panic!("{other:?}"),
    };
    assert_eq!(bytes(2)[..3], [5, 2, 5]);
    assert_eq!((&bytes(1)[..3], &bytes(4)[..3]), (&[5, 2, 5][..], &[5, 2, 5][..]));
    assert_eq!(findings(&[r#"{"set": "Y"}"#, &launch("copy", "default")]).len(), 0);
}
