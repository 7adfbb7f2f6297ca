//! Barriers of blocks, `mbarrier`, and groups of `cp.async` in PTX's text: predicates, counts and
//! sizes at the edges (PTX ISA: bar / barrier, mbarrier, cp.async).

use super::{run_threads, run_with_tile};

/// The words that thread 0 and the last of 64 threads store as `%r7`.
fn of_block(body: &str) -> Result<[u32; 2], String> {
    let body = format!(
        "{body} setp.eq.u32 %p7, %r8, 0; @%p7 st.global.b32 [%rd1], %r7;
         setp.eq.u32 %p7, %r8, 63; @%p7 st.global.b32 [%rd1+4], %r7;"
    );
    run_threads(64, &body, [0; 16], [77; 16]).map(|found| [found[0], found[1]]).map_err(|e| e.to_string())
}

/// Predicates that hold in threads below a limit.
#[test]
fn predicates_are_combined_by_all_threads() {
    for name in ["bar", "barrier", "barrier.cta"] {
        for (limit, count, and, or) in [(0, 0, 0, 0), (1, 1, 0, 1), (63, 63, 0, 1), (64, 64, 1, 1)] {
            let of = |reduction: &str, read: &str| {
                let text = format!("setp.lt.u32 %p1, %r8, {limit}; {name}.red.{reduction}; {read}");
                assert_eq!(of_block(&text).map(|words| words[0] == words[1]), Ok(true), "{text}");
                of_block(&text).unwrap()[0]
            };
            assert_eq!(of("popc.u32 %r7, 0, %p1", ""), count, "{name} {limit}");
            assert_eq!(of("popc.u32 %r7, 15, 64, !%p1", ""), 64 - count, "{name} {limit}");
            assert_eq!(of("and.pred %p2, 1, %p1", "selp.b32 %r7, 1, 0, %p2;"), and, "{name} {limit}");
            assert_eq!(of("or.pred %p2, 1, 64, %p1", "selp.b32 %r7, 1, 0, %p2;"), or, "{name} {limit}");
        }
    }
    for (text, message) in [
        ("setp.eq.u32 %p1, %r8, 0; bar.red.popc.u32 %r7, 16, %p1;", "barrier 16"),
        ("setp.eq.u32 %p1, %r8, 0; barrier.red.popc.u32 %r7, 1, 33, %p1;", "counts multiples of 32"),
        ("bar.red.popc.u32 %r7, 1, %p1;", "undefined"),
        ("bar.sync 1, 96; mov.b32 %r7, 1;", "only 64 of 96 threads wait here"),
    ] {
        let error = of_block(text).unwrap_err();
        assert!(error.contains(message), "{text}: {error}");
    }
}

/// The first warp arrives, and the second one waits for what it has stored.
#[test]
fn arrivals_do_not_wait() {
    let exchange = |arrive: &str, sync: &str| {
        format!(
            "mov.b32 %r7, 5; setp.ge.u32 %p1, %r8, 32; @%p1 bra second;
             setp.eq.u32 %p2, %r8, 0; @%p2 st.shared.b32 [tile], 9; {arrive} bra done;
             second: {sync} ld.shared.b32 %r7, [tile]; done:"
        )
    };
    for (arrive, sync) in [
        ("bar.arrive 1, 64;", "bar.sync 1, 64;"),
        ("barrier.arrive 1, 64;", "barrier.sync 1, 64;"),
        ("barrier.cta.arrive.aligned 15, 64;", "barrier.cta.sync.aligned 15, 64;"),
    ] {
        assert_eq!(of_block(&exchange(arrive, sync)), Ok([5, 9]), "{arrive}");
    }
    for (arrive, sync, message) in [
        ("", "barrier.sync 1, 64;", "barrier 1 completes with 64 threads, but 32 of them have returned"),
        ("barrier.arrive 1, 96;", "barrier.sync 1, 64;", "barrier 1 completes with"),
        ("barrier.arrive 16, 64;", "", "barrier 16"),
        ("barrier.arrive 1, 65;", "", "counts multiples of 32"),
    ] {
        let error = of_block(&exchange(arrive, sync)).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
}

/// The bits of `%p0` to `%p3`, and `%r7`, after a body in one thread.
fn at_barrier(body: &str) -> Result<[u32; 2], String> {
    let mut bits = String::from("mov.b32 %r6, 0;");
    for i in 0..4 {
        bits += &format!(" selp.b32 %r5, {}, 0, %p{i}; or.b32 %r6, %r6, %r5;", 1 << i);
    }
    let body = format!(
        "setp.ne.u32 %p0, 0, 0; setp.ne.u32 %p1, 0, 0; setp.ne.u32 %p2, 0, 0; setp.ne.u32 %p3, 0, 0;
         mov.b32 %r7, 0; {body} {bits} st.global.v2.b32 [%rd1], {{%r6, %r7}};"
    );
    let found = run_with_tile(&body, [0x0403_0201; 16], [0; 16]).map_err(|e| e.to_string())?;
    Ok([found[0], found[1]])
}

/// A new barrier is in phase 0, so that a wait for parity 1 passes.
#[test]
fn phases_end_when_nothing_is_pending() {
    let tests = "mbarrier.test_wait.parity.shared.b64 %p0, [bar], 0; mbarrier.test_wait.parity.shared.b64 %p1, [bar], 1;";
    for (body, expected) in [
        ("mbarrier.init.shared.b64 [bar], 1;", 0b10),
        ("mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.shared.b64 _, [bar];", 0b01),
        ("mbarrier.init.shared.b64 [bar], 2; mbarrier.arrive.shared.b64 _, [bar];", 0b10),
        ("mbarrier.init.shared.b64 [bar], 2; mbarrier.arrive.shared.b64 _, [bar], 2;", 0b01),
        ("mbarrier.init.shared.b64 [bar], 1048575; mbarrier.arrive.shared.b64 _, [bar], 1048575;", 0b01),
        // Bytes that are expected are waited for; they may be complete before.
        (
            "mbarrier.init.shared.b64 [bar], 1; mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 16;
             mbarrier.arrive.shared.b64 _, [bar];",
            0b10,
        ),
        (
            "mbarrier.init.shared.b64 [bar], 1; mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 16;
             mbarrier.arrive.shared.b64 _, [bar]; mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 16;",
            0b01,
        ),
        (
            "mbarrier.init.shared.b64 [bar], 1; mbarrier.complete_tx.shared::cta.b64 [bar], 16;
             mbarrier.arrive.expect_tx.shared.b64 _, [bar], 16;",
            0b01,
        ),
        // An arrival that drops is not expected in the next phase.
        (
            "mbarrier.init.shared.b64 [bar], 2; mbarrier.arrive_drop.shared.b64 %rd2, [bar];
             mbarrier.arrive.shared.b64 %rd2, [bar]; mbarrier.arrive.shared.b64 %rd2, [bar];",
            0b10,
        ),
        (
            "mbarrier.init.shared.b64 [bar], 2; mbarrier.arrive_drop.expect_tx.shared.b64 %rd2, [bar], 8;
             mbarrier.arrive.shared.b64 %rd2, [bar]; mbarrier.complete_tx.shared.b64 [bar], 8;",
            0b01,
        ),
    ] {
        assert_eq!(at_barrier(&format!("{body} {tests}")), Ok([expected, 0]), "{body}");
    }
    // A token is of the phase before the arrival, with the arrivals that were pending then.
    let token = "mbarrier.init.shared.b64 [bar], 3; mbarrier.arrive.shared.b64 %rd2, [bar];
        mbarrier.test_wait.shared.b64 %p0, [bar], %rd2; mbarrier.pending_count.b64 %r7, %rd2;
        mbarrier.arrive.noComplete.shared.b64 %rd3, [bar], 1; mbarrier.arrive.shared.b64 %rd4, [bar];
        mbarrier.test_wait.shared.b64 %p1, [bar], %rd2; mbarrier.try_wait.shared.b64 %p2, [bar], %rd4;
        mbarrier.pending_count.b64 %r4, %rd4; mad.lo.u32 %r7, %r4, 16, %r7;";
    assert_eq!(at_barrier(token), Ok([0b110, 16 + 3]));
}

#[test]
fn counts_and_uses_of_barriers_are_checked() {
    for (body, message) in [
        ("mbarrier.init.shared.b64 [bar], 0;", "count"),
        ("mbarrier.init.shared.b64 [bar], 1048576;", "count"),
        ("mbarrier.arrive.shared.b64 _, [bar];", "not initialised"),
        ("mbarrier.test_wait.parity.shared.b64 %p0, [bar], 0;", "not initialised"),
        ("mbarrier.expect_tx.shared.b64 [bar], 4;", "not initialised"),
        ("mbarrier.init.shared.b64 [tile+4], 1;", "is not aligned to 8 bytes"),
        (
            "mbarrier.init.shared.b64 [bar], 1; mbarrier.inval.shared.b64 [bar]; mbarrier.arrive.shared.b64 _, [bar];",
            "not initialised",
        ),
        ("mbarrier.init.shared.b64 [bar], 1; ld.shared.b32 %r7, [bar];", "mbarrier"),
        ("mbarrier.init.shared.b64 [bar], 1; mbarrier.expect_tx.shared.b64 [bar], 1048576;", "1048575"),
        (
            "mbarrier.init.shared.b64 [bar], 1; L: mbarrier.try_wait.parity.shared.b64 %p0, [bar], 0; @!%p0 bra L;",
            "no thread can go on",
        ),
    ] {
        match at_barrier(body) {
            Err(error) => assert!(error.contains(message), "{body}: {error}"),
            Ok(found) => panic!("{body}: {found:?}"),
        }
    }
}

/// `cp.async` of each size, its groups, and an arrival behind it.
#[test]
fn copies_are_complete_after_their_wait() {
    let wait = "cp.async.wait_all;";
    let read = "ld.shared.b32 %r7, [tile];";
    for (body, expected) in [
        (
            format!("st.shared.b64 [tile], 0; cp.async.ca.shared.global [tile], [%rd0], 4; {wait} {read}"),
            0x0403_0201,
        ),
        (
            format!(
                "cp.async.cg.shared.global [tile], [%rd0], 16; cp.async.commit_group; cp.async.wait_group 0; {read}"
            ),
            0x0403_0201,
        ),
        // Bytes that do not come from the source are zero.
        (format!("cp.async.ca.shared.global [tile], [%rd0], 4, 3; {wait} {read}"), 0x0003_0201),
        (format!("cp.async.ca.shared.global [tile], [%rd0], 8, 0; {wait} {read}"), 0),
        (format!("cp.async.ca.shared.global [tile], [%rd0], 16, 16; {wait} {read}"), 0x0403_0201),
        // A predicate that holds ignores the source.
        (
            format!("setp.eq.u32 %p4, 0, 0; cp.async.ca.shared.global [tile], [%rd0], 4, %p4; {wait} {read}"),
            0,
        ),
        (
            format!(
                "mbarrier.init.shared.b64 [bar], 1; cp.async.ca.shared.global [tile], [%rd0], 8, 1;
                 cp.async.mbarrier.arrive.noinc.shared.b64 [bar];
                 L: mbarrier.try_wait.parity.shared.b64 %p4, [bar], 0; @!%p4 bra L; {read}"
            ),
            1,
        ),
        // Without `.noinc` the phase expects one arrival more.
        (
            format!(
                "mbarrier.init.shared.b64 [bar], 1; cp.async.ca.shared.global [tile], [%rd0], 8, 2;
                 cp.async.mbarrier.arrive.shared.b64 [bar]; mbarrier.arrive.shared.b64 _, [bar];
                 L: mbarrier.try_wait.parity.shared.b64 %p4, [bar], 0; @!%p4 bra L; {read}"
            ),
            0x0201,
        ),
    ] {
        assert_eq!(at_barrier(&body), Ok([0, expected]), "{body}");
    }
    for (body, message) in [
        ("cp.async.ca.shared.global [tile], [%rd0], 4; ld.shared.b32 %r7, [tile];", "asynchronous copy"),
        ("cp.async.ca.shared.global [tile], [%rd0], 12;", "a size that is not 4, 8 or 16"),
        ("cp.async.cg.shared.global [tile], [%rd0], 8;", "`.cg` of 8 bytes"),
        ("cp.async.ca.shared.global [tile], [%rd0], 4, 5;", "reads 5 source bytes but is 4 bytes wide"),
        ("cp.async.ca.shared.global [tile+4], [%rd0], 8;", "is not aligned to 8 bytes"),
        ("cp.async.ca.shared.global [tile], [%rd0+8], 16;", "is not aligned to 16 bytes"),
        ("cp.async.ca.shared.global [tile+64], [%rd0], 4;", "4 bytes at byte"),
        (
            "mbarrier.init.shared.b64 [bar], 2; cp.async.mbarrier.arrive.noinc.shared.b64 [bar]; L: mbarrier.try_wait.parity.shared.b64 %p4, [bar], 0; @!%p4 bra L;",
            "no thread can go on",
        ),
    ] {
        match at_barrier(body) {
            Err(error) => assert!(error.contains(message), "{body}: {error}"),
            Ok(found) => panic!("{body}: {found:?}"),
        }
    }
}
