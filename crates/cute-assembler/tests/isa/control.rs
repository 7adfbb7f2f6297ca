//! The course of threads, requests for clusters, prefetches and clears (PTX ISA 9.7.12, 9.7.9).

use super::{run_threads, run_with_tile};

fn fails(body: &str, message: &str) {
    match run_threads(64, body, [0; 16], [0; 16]) {
        Err(error) => assert!(error.to_string().contains(message), "{body}: {error}"),
        Ok(found) => panic!("{body}: {found:?}"),
    }
}

/// A thread that ends does not keep the others from going on.
#[test]
fn threads_end_alone() {
    let body = "setp.eq.u32 %p1, %r8, 1; @%p1 exit; setp.eq.u32 %p2, %r8, 5; @%p2 ret; activemask.b32 %r1;
        setp.eq.u32 %p3, %r8, 0; @%p3 st.global.b32 [%rd1], %r1; exit; trap;";
    assert_eq!(run_threads(64, body, [0; 16], [0; 16]).unwrap()[0], !0b10_0010);
    fails("setp.eq.u32 %p1, %r8, 63; @%p1 trap;", "trap");
    fails("setp.eq.u32 %p1, %r8, 63; @%p1 brkpt;", "the kernel traps");
}

/// Registers move down and up, at the ends of their range.
#[test]
fn registers_are_released_and_taken() {
    let body =
        "setmaxnreg.dec.sync.aligned.u32 24; setmaxnreg.inc.sync.aligned.u32 32; st.global.b32 [%rd1], 1;";
    assert_eq!(run_threads(128, body, [0; 16], [0; 16]).unwrap()[0], 1);
    for count in ["16", "25", "264"] {
        let text = format!("setmaxnreg.dec.sync.aligned.u32 {count};");
        fails(&text, "a multiple of 8 from 24 to 256 is needed");
    }
}

/// There is no other cluster to cancel.
#[test]
fn requests_for_clusters_are_refused() {
    let request = "mbarrier.init.shared.b64 [bar], 1; fence.proxy.async; mbarrier.arrive.expect_tx.shared.b64 _, [bar], 16;
        clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [tile], [bar];
        L: mbarrier.try_wait.parity.shared.b64 %p0, [bar], 0; @!%p0 bra L;
        { .reg .b128 w; ld.shared.b128 w, [tile]; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, w; }
        selp.b32 %r1, 1, 2, %p1; st.global.b32 [%rd1], %r1;";
    assert_eq!(run_with_tile(request, [0; 16], [0; 16]).unwrap()[0], 2);
    let wrong = request.replace("[tile], [bar]", "[tile+8], [bar]");
    let error = run_with_tile(&wrong, [0; 16], [0; 16]).unwrap_err().to_string();
    assert!(error.contains("is not aligned to 16 bytes"), "{error}");
}

/// Prefetches and priorities change no byte.
#[test]
fn prefetches_change_nothing() {
    for text in [
        "cp.async.bulk.prefetch.L2.global [%rd0], 64;",
        "cp.async.bulk.prefetch.L2.global [%rd0], 0;",
        "createpolicy.fractional.L2::evict_first.b64 %rd2, 1.0; cp.async.bulk.prefetch.L2.global.L2::cache_hint [%rd0], 32, %rd2;",
        "cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%rd0, {%r8, %r8}];",
        "cp.async.bulk.prefetch.tensor.4d.L2.global.im2col [%rd0, {%r8, %r8, %r8, %r8}], {%h1, %h2};",
        "cp.async.bulk.prefetch.tensor.4d.L2.global.im2col::w [%rd0, {%r8, %r8, %r8, %r8}], {%h1, %h2};",
        "cp.async.bulk.prefetch.tensor.4d.L2.global.im2col::w::128 [%rd0, {%r8, %r8, %r8, %r8}], {%h1, %h2};",
        "prefetch.global.L1 [%rd0]; prefetch.global.L2::evict_last [%rd0]; prefetchu.L1 [%rd0];",
        "applypriority.global.L2::evict_normal [%rd0], 128;",
        "nanosleep.u32 4294967295; pmevent 1; griddepcontrol.wait; griddepcontrol.launch_dependents;",
    ] {
        let body = format!("{text} ld.global.b32 %r1, [%rd0+60]; st.global.b32 [%rd1], %r1;");
        assert_eq!(run_with_tile(&body, [3; 16], [0; 16]).unwrap()[0], 3, "{text}");
    }
}

/// Sizes of `st.bulk` are multiples of 8.
#[test]
fn shared_memory_is_cleared() {
    for (size, cleared) in [(0, 0), (8, 2), (56, 14), (64, 16)] {
        let copy: String = (0..16)
            .map(|i| format!("ld.shared.b32 %r1, [tile+{0}]; st.global.b32 [%rd1+{0}], %r1;", 4 * i))
            .collect();
        let body = format!("mov.b64 %rd2, {size}; st.bulk.weak.shared::cta [tile], %rd2, 0; {copy}");
        let found = run_with_tile(&body, [9; 16], [0; 16]).unwrap();
        assert_eq!(found, std::array::from_fn(|i| if i < cleared { 0 } else { 9 }), "{size}");
    }
    for (text, message) in [
        ("mov.b64 %rd2, 72; st.bulk.weak.shared::cta [tile], %rd2, 0;", "8 bytes at byte 64 of"),
        ("mov.b64 %rd2, 8; st.bulk.weak.shared::cta [tile+4], %rd2, 0;", "is not aligned to 8 bytes"),
        ("mov.b64 %rd2, 8; st.bulk.weak.shared::cta [tile], %rd2, 1;", "a value that is not 0"),
    ] {
        let error = run_with_tile(text, [9; 16], [0; 16]).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
}
