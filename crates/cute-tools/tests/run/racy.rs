//! Loads that race with a store of their size are mistakes if their values are used. Compilers let
//! threads with copies of an element load it, and drop the value.

use super::run_in;

/// Two warps load 32 words, threads below `limit` use them, and the first warp overwrites the
/// words.
fn kernel(load: &str, using: &str, limit: u32) -> String {
    format!(
        ".version 8.7
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y) {{
.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .b16 %h<3>; .reg .f32 %f<3>; .reg .pred %p<5>;
.shared .align 16 .b8 tile[256];
ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31;
mul.wide.u32 %rd3, %r2, 4; add.s64 %rd3, %rd1, %rd3; mul.wide.u32 %rd4, %r1, 4; add.s64 %rd4, %rd2, %rd4;
mov.u32 %r6, tile; shl.b32 %r7, %r1, 2; add.u32 %r6, %r6, %r7;
{load}
setp.ge.u32 %p1, %r1, {limit};
@%p1 bra SKIP;
{using}
SKIP:
setp.ge.u32 %p2, %r1, 32;
@%p2 bra END;
st.global.u32 [%rd3], 7;
END:
ret;
}}
"
    )
}

const LOAD: &str = "ld.global.u32 %r3, [%rd3];";

/// Ways to use a value, as themselves or through others.
const USES: [(&str, &str); 14] = [
    (
        "an address",
        "and.b32 %r4, %r3, 31; mul.wide.u32 %rd5, %r4, 4; add.s64 %rd5, %rd2, %rd5; ld.global.u32 %r5, [%rd5];",
    ),
    ("a condition", "setp.eq.u32 %p3, %r3, 0; @%p3 bra SKIP;"),
    ("a guard", "setp.eq.u32 %p3, %r3, 0; @%p3 st.global.u32 [%rd4], 1;"),
    ("a stored value", "st.global.u32 [%rd4], %r3;"),
    (
        "a stored sum of values",
        "cvt.rn.f32.u32 %f1, %r3; fma.rn.f32 %f2, %f1, %f1, %f1; st.global.f32 [%rd4], %f2;",
    ),
    ("a value in shared memory", "st.shared.u32 [%r6], %r3;"),
    ("a half", "cvt.u16.u32 %h1, %r3; st.global.u16 [%rd4], %h1;"),
    ("an atomic's operand", "red.global.add.u32 [%rd4], %r3;"),
    ("a shuffled value", "shfl.sync.bfly.b32 %r5, %r3, 1, 31, -1; st.global.u32 [%rd4], %r5;"),
    ("a sum into itself", "mov.u32 %r4, 1; add.u32 %r4, %r4, %r3; st.global.u32 [%rd4], %r4;"),
    ("a vote", "setp.eq.u32 %p3, %r3, 0; vote.sync.any.pred %p4, %p3, -1;"),
    ("a reduction", "redux.sync.add.u32 %r5, %r3, -1;"),
    (
        "a count of bytes",
        "and.b32 %r4, %r3, 4; cp.async.ca.shared.global [%r6], [%rd4], 4, %r4; cp.async.wait_all;",
    ),
    ("a chosen value", "setp.gt.u32 %p3, %r3, 5; selp.b32 %r5, 1, 2, %p3; st.global.u32 [%rd4], %r5;"),
];

/// Uses by nobody but threads that drop the result.
const DROPPED: [(&str, &str); 5] = [
    ("nothing", ""),
    ("a shuffle", "shfl.sync.bfly.b32 %r5, %r3, 1, 31, -1; add.u32 %r4, %r5, %r3;"),
    ("a sum into itself", "mov.u32 %r4, 1; add.u32 %r4, %r4, %r3;"),
    ("a sum", "add.u32 %r4, %r3, 1; mul.lo.u32 %r4, %r4, %r3; mov.b32 %f1, %r4;"),
    ("masked bits", "and.b32 %r4, %r3, 0; st.global.u32 [%rd4], %r4;"),
];

fn run(text: &str, more: &str) -> (Option<i32>, String) {
    let arguments = format!("--grid 1 --block 64 --arg x:i32[32]=range --arg y:i32[64]=range {more}");
    let (code, out, err) = run_in(&tempfile::tempdir().unwrap(), text, &arguments);
    (code, out + &err)
}

/// The races in a report: the line, its text.
fn errors(said: &str) -> Vec<&str> {
    said.lines().filter(|line| line.starts_with("error: k.mlir:")).collect()
}

#[test]
fn a_racy_load_is_a_mistake_once_its_value_is_used() {
    for (i, (used_as, using)) in USES.into_iter().enumerate() {
        let schedule = ["--schedule lazy", "--schedule reverse", "--schedule 3"][i % 3];
        let (code, said) = run(&kernel(LOAD, using, 64), schedule);
        let [error] = errors(&said)[..] else { panic!("{used_as}, {schedule}: {said}") };
        assert_eq!(code, Some(1), "{used_as}: {said}");
        for part in ["k.mlir:10: `ld.global.u32` in block", ": reads byte ", "`st.global.u32` (k.mlir:17)"] {
            assert!(error.contains(part), "{used_as}, {schedule}: {said}");
        }
        // The second warp drops its copy.
        let (code, said) = run(&kernel(LOAD, using, 32), schedule);
        assert_eq!((code, errors(&said).len()), (Some(0), 0), "{used_as}, {schedule}: {said}");
    }
}

#[test]
fn a_racy_load_that_nothing_uses_is_a_note() {
    for (used_as, using) in DROPPED {
        let (code, said) = run(&kernel(LOAD, using, 64), "");
        assert_eq!((code, errors(&said).len()), (Some(0), 0), "{used_as}: {said}");
        let (code, said) = run(&kernel(LOAD, using, 64), "--pedantic --schedule reverse");
        assert_eq!(code, Some(0), "{used_as}: {said}");
        assert!(
            said.starts_with("note: k.mlir:10: `ld.global.u32`")
                && said.contains("nothing uses the value\n  rule R1 "),
            "{used_as}: {said}"
        );
    }
}

#[test]
fn other_racy_reads_are_mistakes_at_once() {
    for load in [
        "ld.global.u16 %h1, [%rd3];",
        "ld.volatile.global.u32 %r3, [%rd3];",
        "cp.async.ca.shared.global [%r6], [%rd3], 4; cp.async.wait_all;",
    ] {
        for schedule in ["lazy", "reverse"] {
            let (code, said) = run(&kernel(load, "", 64), &format!("--schedule {schedule}"));
            assert_eq!((code, errors(&said).len()), (Some(1), 1), "{load}, {schedule}: {said}");
        }
    }
}

/// A race of a dropped load does not hide the one of another load of the same word.
#[test]
fn a_dropped_load_hides_no_other() {
    let loads = format!("{LOAD} ld.global.u32 %r8, [%rd3];");
    for (value, errors_at) in [("%r3", 1), ("%r8", 1), ("%r1", 0)] {
        for schedule in ["lazy", "eager", "reverse", "1", "2"] {
            let using = format!("st.global.u32 [%rd4], {value};");
            let (code, said) = run(&kernel(&loads, &using, 64), &format!("--schedule {schedule}"));
            let found = errors(&said).len();
            assert_eq!((code, found), (Some(errors_at as i32), errors_at), "{value}, {schedule}: {said}");
        }
    }
}

/// All lanes of a warp store a sum of squares that they computed by shuffles.
fn butterfly(first: &str, shuffle: &str, stored: &str) -> String {
    let step = |distance: u32| {
        format!("shfl.sync.{shuffle}.b32 %f3, %f2, {distance}, 31, -1; add.f32 %f2, %f2, %f3;\n")
    };
    let steps: String = [8, 4, 2, 1].into_iter().map(step).collect();
    format!(
        ".version 8.7
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y) {{
.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .f32 %f<5>;
ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mov.u32 %r1, %tid.x;
mul.wide.u32 %rd3, %r1, 4; add.s64 %rd3, %rd1, %rd3;
ld.global.f32 %f1, [%rd3];
mul.f32 %f2, %f1, %f1;
shfl.sync.{shuffle}.b32 %f3, %f2, 16, 31, -1;
{first}
{steps}
{stored}
ret;
}}
"
    )
}

#[test]
fn lanes_may_round_one_sum_in_different_ways() {
    let (contracted, plain) = ("fma.rn.f32 %f2, %f1, %f1, %f3;", "add.f32 %f2, %f2, %f3;");
    let store = "st.global.f32 [%rd2], %f2;";
    let run = |text: &str, more: &str| {
        let arguments = format!("--grid 1 --block 32 --arg x:f32[32]=random(3) --arg y:f32[1] {more}");
        let (code, out, err) = run_in(&tempfile::tempdir().unwrap(), text, &arguments);
        (code, out + &err)
    };
    for schedule in ["lazy", "reverse", "2"] {
        let schedule = format!("--schedule {schedule}");
        let (code, said) = run(&butterfly(contracted, "bfly", store), &schedule);
        assert!(
            code == Some(0) && said.starts_with("portability: k.mlir:") && said.contains("\n  rule R2 "),
            "{schedule}: {said}"
        );
        let (code, said) = run(&butterfly(contracted, "bfly", store), &format!("{schedule} --strict-isa"));
        assert!(code == Some(1) && said.starts_with("error: k.mlir:"), "{schedule}: {said}");
        // Equal sums.
        let (code, said) = run(&butterfly(plain, "bfly", store), &schedule);
        assert!(code == Some(0) && said.starts_with("k: 1 block"), "{schedule}: {said}");
        // Sums of different numbers, and near values that no shuffle has made.
        let near = "or.b32 %r2, %r1, 0x3f800000; shr.u32 %r3, %r1, 3; or.b32 %r3, %r3, 0x3f800000; mov.b32 %f4, %r3; \
                    add.f32 %f4, %f4, 0f00000000; st.global.f32 [%rd2], %f4;";
        for wrong in [butterfly(contracted, "down", store), butterfly(contracted, "bfly", near)] {
            let (code, said) = run(&wrong, &schedule);
            assert!(code == Some(1) && said.starts_with("error: k.mlir:"), "{schedule}: {wrong}{said}");
        }
    }
}

/// Terms that cancel differ in more than the last bits, and warps with copies of the same elements
/// round alike.
#[test]
fn a_butterfly_makes_one_sum_however_it_is_rounded() {
    let (contracted, store) = ("fma.rn.f32 %f2, %f1, %f1, %f3;", "st.global.f32 [%rd2], %f2;");
    let text = butterfly(contracted, "bfly", store);
    // The signs of products differ by lane, so that they cancel.
    let cancels = text
        .replace("mul.f32 %f2, %f1, %f1;", "and.b32 %r2, %r1, 1; cvt.rn.f32.u32 %f4, %r2; fma.rn.f32 %f4, %f4, 0fC0000000, 0f3F800000; mul.f32 %f4, %f4, %f1; mul.f32 %f2, %f1, %f4;")
        .replace(contracted, "fma.rn.f32 %f2, %f1, %f4, %f3;");
    // Both warps have the same elements.
    let copies = text.replace("mov.u32 %r1, %tid.x;", "mov.u32 %r1, %tid.x; and.b32 %r1, %r1, 31;");
    // Two halves of a warp, each with a sum of its own; and two warps with elements of their own.
    let halves = text.replace("shfl.sync.bfly.b32 %f3, %f2, 16, 31, -1;", "").replace(contracted, "");
    let run = |text: &str, block: u32, schedule: &str| {
        let arguments = format!(
            "--grid 1 --block {block} --arg x:f32[64]=random(3) --arg y:f32[1] --schedule {schedule}"
        );
        let (code, out, err) = run_in(&tempfile::tempdir().unwrap(), text, &arguments);
        (code, out + &err)
    };
    for schedule in ["lazy", "reverse", "1"] {
        for (right, block) in [(&cancels, 32), (&copies, 64), (&copies, 128)] {
            let (code, said) = run(right, block, schedule);
            assert!(
                code == Some(0) && said.starts_with("portability: k.mlir:"),
                "{block}, {schedule}: {right}{said}"
            );
        }
        for (wrong, block) in [(&halves, 32), (&text, 64)] {
            let (code, said) = run(wrong, block, schedule);
            assert!(code == Some(1) && said.contains("error: k.mlir:"), "{block}, {schedule}: {wrong}{said}");
        }
    }
}
