//! The elements of arrays that a run has written, those that several blocks write alike, and arrays
//! that begin undefined.

use super::{
    changed::{Changed, example, generations, kinds},
    run_in,
};

/// Kernels for all generations that write a part of their output, and why.
const OF_ALL: [Changed; 4] = [
    // The coordinates of the blocks are exchanged.
    Changed {
        example: "copy",
        change: ["cute.make_coord(%block_m, %block_n)", "cute.make_coord(%block_n, %block_m)"],
        arguments: Some("--grid 1,4 --arg src:f32[100x60]=random(1) --arg dst:f32[100x60]"),
    },
    // So are those of the threads.
    Changed {
        example: "gemm/1_naive",
        change: ["%m = arith.addi %first_m, %ty", "%m = arith.addi %first_n, %ty"],
        arguments: None,
    },
    // Every block has the first rows.
    Changed {
        example: "layernorm",
        change: ["%block = nvvm.read.ptx.sreg.ctaid.x : i32", "%block = arith.constant 0 : i32"],
        arguments: None,
    },
    Changed {
        example: "softmax",
        change: ["%block = nvvm.read.ptx.sreg.ctaid.x : i32", "%block = arith.constant 0 : i32"],
        arguments: None,
    },
];

/// The grid has the numbers of blocks exchanged.
const fn grid(example: &'static str, arguments: &'static str) -> Changed {
    let change = ["gridDim = (%grid_m, %grid_n, %c1)", "gridDim = (%grid_n, %grid_m, %c1)"];
    Changed { example, change, arguments: Some(arguments) }
}

/// Kernels of one generation.
const OF_ONE: [Changed; 5] = [
    grid(
        "hopper/warp_roles",
        "--host --arg A:f16[72x136]=random(1) --arg B:f16[200x136]=random(2) --arg C:f32[72x200]",
    ),
    grid(
        "hopper/wgmma",
        "--host --arg A:f16[72x136]=random(1) --arg B:f16[300x136]=random(2) --arg C:f32[72x300]",
    ),
    grid(
        "tma/gemm",
        "--host --arg A:f16[200x136]=random(1) --arg B:f16[40x136]=random(2) --arg C:f32[200x40]",
    ),
    grid("tma/transpose", "--host --arg A:f16[40x136]=random(7) --arg B:f16[136x40]"),
    grid(
        "blackwell/umma",
        "--target sm_100a --host --arg A:f16[136x72]=random(1) --arg B:f16[72x72]=random(2) --arg C:f32[136x72]",
    ),
];

/// Checks that no element is left out, and that none is written by several blocks, by the report of
/// a pedantic run. Different values of several blocks are a race.
pub(super) fn writes_each_once(out: &str) {
    let wrong = |line: &&str| line.contains("never written") || line.contains("both have the same value");
    let wrong: Vec<&str> = out.lines().filter(wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn elements_that_nothing_has_written_are_counted() {
    let of_all = OF_ALL.iter().enumerate().flat_map(|(kernel, changed)| {
        generations(kernel).map(move |target| (changed, format!("--target {target}")))
    });
    let all = of_all.chain(OF_ONE.iter().map(|changed| (changed, String::new())));
    for (changed, more) in all {
        let [right, wrong] = changed.reports(&more);
        assert!(
            right["unwritten"].is_null() && kinds(&right).is_empty(),
            "{} {more}: {right}",
            changed.example
        );
        assert!(kinds(&wrong).is_empty(), "{} {more}: {:?}", changed.example, kinds(&wrong));
        let unwritten = &wrong["unwritten"][0];
        let [some, all] = ["unwritten", "elements"].map(|name| unwritten[name].as_u64().unwrap());
        assert!((1..all).contains(&some), "{} {more}: {unwritten}", changed.example);
    }
}

#[test]
fn elements_that_blocks_write_alike_are_a_note() {
    for (kernel, changed) in OF_ALL.iter().enumerate().skip(1) {
        for target in generations(kernel) {
            let [right, wrong] = changed.reports(&format!("--target {target} --pedantic"));
            assert!(kinds(&right).is_empty(), "{} for {target}: {:?}", changed.example, kinds(&right));
            let findings = wrong["findings"].as_array().unwrap();
            let note = findings.iter().find(|finding| finding["kind"]["kind"] == "same_value");
            let note =
                note.unwrap_or_else(|| panic!("{} for {target}: {:?}", changed.example, kinds(&wrong)));
            assert_eq!(note["grade"], "note");
        }
    }
    let [_, hidden] = OF_ALL[2].reports("");
    assert_eq!((kinds(&hidden).len(), &hidden["hidden_notes"]), (0, &1.into()));
}

/// By loads, by `cp.async`, by the TMA, and by atomics.
#[test]
fn a_read_of_an_element_that_nothing_has_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for (name, of, is_read) in [
        ("copy", "src:f32[100x60]=random(1)", true),
        ("copy", "dst:f32[100x60]", false),
        ("transpose", "src:f16[72x136]=random(1)", true),
        ("transpose", "dst:f16[136x72]", false),
        ("tma/transpose", "A:f16[72x136]=random(7)", true),
        ("tma/transpose", "B:f16[136x72]", false),
        ("gemm_simt", "C:f32[70x66]=random(3)", true),
        ("gemm_simt", "D:f32[70x66]", false),
        ("gemm_sm80", "C:f32[72x80]=random(3)", true),
        ("hopper/warp_roles", "C:f32[136x200]", false),
        ("blackwell/umma", "C:f32[136x200]", false),
        ("atomics", "counts:i32[256]", true),
    ] {
        let (text, arguments) = example(name);
        assert!(arguments.contains(of), "{name}: {arguments}");
        let undefined = format!("{}=undef", of.split('=').next().unwrap());
        let (code, out, err) = run_in(&folder, &text, &arguments.replace(of, &undefined));
        let buffer = of.split(':').next().unwrap();
        match is_read {
            true => assert!(
                out.contains(&format!("of buffer {buffer} is read before it is written")),
                "{name}: {out}"
            ),
            false => assert_eq!(code, Some(0), "{name}: {out}{err}"),
        }
    }
}

/// A note says the same as text and in a page. It is about a run of all blocks.
#[test]
fn a_note_says_how_many_elements_are_left() {
    let folder = tempfile::tempdir().unwrap();
    let (text, _) = example("copy");
    let arguments = "--grid 1,2 --arg src:f32[100x60]=random(1) --arg dst:f32[100x60]";
    let note = "note: dst: f32[100x60]: 2160 of 6000 elements were never written, the first at [64, 0]";
    let (code, out, err) = run_in(&folder, &text, &format!("{arguments} --html k.html"));
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains(note), "{out}");
    assert!(std::fs::read_to_string(folder.path().join("k.html")).unwrap().contains(note));
    let (_, some, _) = run_in(&folder, &text, &format!("{arguments} --only-blocks first"));
    assert!(!some.contains("never written"), "{some}");
}

/// Memory for a layout has the elements of the layout, and pages that nothing touches cost nothing.
#[test]
fn only_elements_of_the_layout_count() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
!m = !cute.memref<f32, gmem, "(8,4):(6,1)">
gpu.module @k {
  gpu.func @f(%y: !m) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %one = arith.constant 1.0 : f32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %at = cute.make_coord(%t) : (i32) -> !cute.coord<"?">
    cute.memref.store(%y, %at, %one) : (!m, !cute.coord<"?">, f32) -> ()
    gpu.return
  }
}
"#;
    for array in ["f32[8x4,strides=6x1]", "f32[48]", "f32[46]=undef"] {
        let (code, out, err) = run_in(&folder, text, &format!("--grid 1 --arg y:{array}"));
        assert!(code == Some(0) && !out.contains("never written"), "{array}: {out}{err}");
    }
    let huge = text.replace("(8,4):(6,1)", "?:1");
    let (code, out, _) = run_in(&folder, &huge, "--grid 1 --arg y:f32[1000000000]=undef --memory 1");
    assert!(code == Some(0) && out.contains("999999968 of 1000000000 elements were never written"), "{out}");
}
