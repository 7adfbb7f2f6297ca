//! Habits of public kernels, each of which stopped a run or was called a mistake before.

use super::run_in;

fn run(text: &str, more: &str) -> (Option<i32>, String) {
    let (code, out, err) = run_in(&tempfile::tempdir().unwrap(), text, more);
    (code, out + &err)
}

const HEAD: &str = ".version 8.7\n.target sm_100a\n.address_size 64\n";

/// Threads load in a loop, and clamp their indices; `last` iterations use what they have loaded.
/// Then the first thread stores in place.
fn clamped(last: u32) -> String {
    format!(
        "{HEAD}.visible .entry k(.param .u64 x, .param .u64 y) {{
.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .f32 %f<3>; .reg .pred %p<5>;
ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mov.u32 %r1, %tid.x; mov.u32 %r2, 0;
LOOP:
mad.lo.u32 %r3, %r2, 64, %r1; min.u32 %r4, %r3, 99;
mul.wide.u32 %rd3, %r4, 4; add.s64 %rd3, %rd1, %rd3; ld.global.f32 %f1, [%rd3];
setp.ge.u32 %p1, %r2, {last}; @%p1 bra SKIP;
mul.wide.u32 %rd4, %r3, 4; add.s64 %rd4, %rd2, %rd4; st.global.f32 [%rd4], %f1;
SKIP:
add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 2; @%p2 bra LOOP;
setp.ne.u32 %p3, %r1, 0; @%p3 bra END;
st.global.f32 [%rd1+396], 0f40000000;
END: ret;
}}
"
    )
}

#[test]
fn a_racy_load_of_a_loop_is_no_mistake_because_an_earlier_one_was_used() {
    let arguments = "--grid 1 --block 64 --arg x:f32[100]=range --arg y:f32[128]";
    for schedule in ["lazy", "reverse"] {
        let (code, said) = run(&clamped(1), &format!("{arguments} --schedule {schedule}"));
        assert_eq!((code, said.contains("error")), (Some(0), false), "{said}");
        let (code, said) = run(&clamped(2), &format!("{arguments} --schedule {schedule}"));
        assert!(code == Some(1) && said.contains("`ld.global.f32`"), "{schedule}: {said}");
    }
}

/// Lanes store the rows of a matrix, of which those at distances of 16 have computed the same sums
/// of products, one of them contracted.
fn rows(sum: &str) -> String {
    format!(
        "{HEAD}.visible .entry k(.param .u64 x) {{
.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .shared .align 16 .b8 tile[128];
ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd1, %rd2;
ld.global.f32 %f1, [%rd2]; mul.rn.f32 %f2, %f1, %f1;
shfl.sync.bfly.b32 %f3, %f2, 16, 31, -1;
{sum}
mov.b32 %r2, %f4;
and.b32 %r3, %r1, 3; shl.b32 %r3, %r3, 4; mov.u32 %r4, tile; add.u32 %r4, %r4, %r3;
stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r4], {{%r2}};
ret;
}}
"
    )
}

#[test]
fn rows_that_differ_by_their_rounding_are_portability() {
    let arguments = "--grid 1 --block 32 --arg x:f32[32]=random(3)";
    let (code, said) = run(&rows("fma.rn.f32 %f4, %f1, %f1, %f3;"), arguments);
    assert!(code == Some(0) && said.contains("portability") && said.contains("rule R2"), "{said}");
    // The sums are the same.
    let (code, said) = run(&rows("add.rn.f32 %f4, %f2, %f3;"), arguments);
    assert_eq!((code, said.contains("portability")), (Some(0), false), "{said}");
    // Other values are a race.
    let (code, said) = run(&rows("add.rn.f32 %f4, %f1, %f1;"), arguments);
    assert!(code == Some(1) && said.contains("`stmatrix"), "{said}");
}

/// Allocates with an address, and commits to the barrier at another one.
fn tensor(allocated: &str, commit: &str) -> String {
    format!(
        "{HEAD}.visible .entry k() {{
.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<3>;
.shared .align 8 .b8 bar[8]; .shared .align 4 .b8 at[4];
mov.u32 %r1, bar; cvt.u64.u32 %rd1, %r1; cvta.shared.u64 %rd2, %rd1;
mov.u32 %r2, at; cvt.u64.u32 %rd3, %r2; cvta.shared.u64 %rd4, %rd3;
mov.u32 %r3, %tid.x; setp.ne.u32 %p1, %r3, 0;
@!%p1 mbarrier.init.shared.b64 [%r1], 1;
bar.warp.sync -1;
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [{allocated}], 32;
tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
bar.warp.sync -1;
@!%p1 tcgen05.commit.cta_group::1.mbarrier::arrive::one{commit};
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r1], 0; @!%p2 bra WAIT;
ld.shared.b32 %r4, [%r2];
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, 32;
ret;
}}
"
    )
}

#[test]
fn generic_addresses_and_offsets_of_tcgen05_may_be_exchanged_on_devices() {
    let arguments = "--grid 1 --block 32";
    for (allocated, commit, says) in [
        ("%r2", ".shared::cluster.b64 [%r1]", None),
        ("%r2", ".b64 [%rd2]", None),
        (
            "%rd4",
            ".shared::cluster.b64 [%r1]",
            Some("is a generic address, but `.shared::cta` takes an offset"),
        ),
        ("%r2", ".b64 [%rd1]", Some("is an offset in shared memory, but an instruction without")),
    ] {
        let (code, said) = run(&tensor(allocated, commit), arguments);
        assert_eq!(code, Some(0), "{allocated}, {commit}: {said}");
        assert_eq!(said.contains("portability"), says.is_some(), "{said}");
        assert!(says.is_none_or(|text| said.contains(text)), "{said}");
        let (code, _) = run(&tensor(allocated, commit), &format!("{arguments} --strict-isa"));
        assert_eq!(code, Some(i32::from(says.is_some())), "{allocated}, {commit}");
    }
}

/// Warp 1 loads eight words of each lane of tensor memory, and `uses` them; then warp 0, which has
/// allocated and written the columns, frees them. `meet` is what lies between.
fn freed_columns(uses: &str, meet: &str) -> String {
    format!(
        "{HEAD}.visible .entry k(.param .u64 x) .reqntid 64, 1, 1 .reqnctapercluster 1, 1, 1 {{
.reg .b64 %rd<9>; .reg .b32 %r<40>; .reg .pred %p<5>; .shared .align 16 .b8 at[16];
ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 8; add.s64 %rd2, %rd1, %rd2;
setp.ge.u32 %p1, %r1, 32; @%p1 bra ALLOCATED;
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], 32;
ALLOCATED:
tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;
ld.shared.u32 %r2, [at]; shr.u32 %r3, %r1, 5; shl.b32 %r3, %r3, 21; add.u32 %r4, %r2, %r3;
tcgen05.st.sync.aligned.32x32b.x2.b32 [%r4], {{%r1, %r1}};
tcgen05.wait::st.sync.aligned;
@!%p1 bra MET;
tcgen05.ld.sync.aligned.32x32b.x2.b32 {{%r5, %r6}}, [%r4];
{uses}
MET:
{meet}
@%p1 bra END;
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32;
END: ret;
}}
"
    )
}

const MEET: &str = "tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;";

#[test]
fn what_was_loaded_and_used_may_be_freed_without_a_wait() {
    let run_with = |uses: &str, meet: &str, more: &str| {
        run(&freed_columns(uses, meet), &format!("--grid 1 --block 64 --arg x:i32[128] {more}"))
    };
    let said_of = |(_, said): &(_, String)| said.contains("portability: ");
    let store = "st.global.u32 [%rd2], %r5;";
    for schedule in ["lazy", "eager", "reverse", "3"] {
        let more = format!("--schedule {schedule}");
        let waited = run_with(&format!("tcgen05.wait::ld.sync.aligned; {store}"), MEET, &more);
        assert_eq!((waited.0, said_of(&waited)), (Some(0), false), "{schedule}: {waited:?}");
        // One register stands for the whole load.
        let used = run_with(store, MEET, &more);
        assert_eq!((used.0, said_of(&used)), (Some(0), true), "{schedule}: {used:?}");
        assert!(used.1.contains("warp 1 has used"), "{schedule}: {used:?}");
        for unused in ["", "add.u32 %r7, %r5, %r6;"] {
            let (code, said) = run_with(unused, MEET, &more);
            assert!(code == Some(1) && said.contains("error: "), "{schedule}: {said}");
        }
        // The use comes too late, or there is a load whose values nothing uses.
        let late = format!("{MEET} @!%p1 bra FREES; {store} FREES:");
        let more_loads = format!("tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%r9}}, [%r4+1]; {store}");
        for (uses, meet) in [("", &*late), (&*more_loads, MEET)] {
            let (code, said) = run_with(uses, meet, &more);
            assert!(code == Some(1) && said.contains("error: "), "{schedule}: {said}");
        }
    }
}

#[test]
fn columns_are_freed_behind_warps_that_have_returned() {
    let leaves = "@%p1 bra END; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";
    let waits = "tcgen05.wait::ld.sync.aligned; st.global.u32 [%rd2], %r5;";
    for schedule in ["lazy", "eager", "reverse"] {
        let more = format!("--grid 1 --block 64 --cluster 1 --arg x:i32[128] --schedule {schedule}");
        let (code, said) = run(&freed_columns(waits, leaves), &more);
        assert!(code == Some(0) && said.contains("only threads that have returned know"), "{said}");
        assert!(said.contains("portability: ") && said.contains("rule T9"), "{said}");
        // Without the wait, not even those know.
        let (code, said) = run(&freed_columns("", leaves), &more);
        assert!(code == Some(1) && said.contains("error: "), "{schedule}: {said}");
    }
}

/// Lanes read 64 words of shared memory, of which the first 32 have been written, and `using` is
/// what they do with the second of their two words.
fn read_behind(using: &str) -> String {
    format!(
        "{HEAD}.visible .entry k(.param .u64 x) {{
.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<5>; .shared .align 16 .b8 tile[256];
ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd1, %rd2;
mov.u32 %r2, tile; shl.b32 %r3, %r1, 2; add.u32 %r2, %r2, %r3;
st.shared.u32 [%r2], %r1; bar.sync 0;
ld.shared.u32 %r4, [%r2]; ld.shared.u32 %r5, [%r2+4];
{using}
st.global.u32 [%rd2], %r4;
ret;
}}
"
    )
}

#[test]
fn an_element_behind_a_run_may_be_read_and_not_used() {
    let run_with = |using: &str, more: &str| {
        run(&read_behind(using), &format!("--grid 1 --block 32 --arg x:i32[32] {more}"))
    };
    // The last lane reads behind the run, and its index says that it takes its first word.
    let merge = "setp.eq.u32 %p1, %r1, 31; setp.lt.u32 %p2, %r4, %r5; or.pred %p3, %p1, %p2; selp.b32 %r4, %r4, %r5, %p3;";
    for unused in ["", "add.u32 %r6, %r5, 1;", merge] {
        let (code, said) = run_with(unused, "");
        assert!(
            code == Some(0) && !said.contains("uninitialised") && !said.contains("error"),
            "{unused}: {said}"
        );
    }
    for used in ["add.u32 %r4, %r4, %r5;", "setp.lt.u32 %p2, %r4, %r5; @%p2 mov.u32 %r4, 0;"] {
        let (code, said) = run_with(used, "");
        assert!(
            code == Some(1) && said.contains("`ld.shared.u32` in block (0, 0, 0), thread (31, 0, 0)"),
            "{said}"
        );
    }
}
