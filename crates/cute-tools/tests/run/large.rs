//! Arrays of more than 2^31 bytes, of which kernels touch little, and samples of large grids.

use super::{GOOD, run, run_in};
use std::{fs, process::Command};
use tempfile::TempDir;

/// Bytes that a process may allocate: far less than the arrays have.
const KIBIBYTES: u32 = 700 << 10;

/// The elements of an array of 2.2 GB.
const ELEMENTS: u64 = 275_000_000;

/// Like `run_in`, for a file of PTX and with a limit on the memory that the process allocates.
fn run_within(folder: &TempDir, text: &str, arguments: &str) -> (Option<i32>, String, String) {
    fs::write(folder.path().join("k.ptx"), text).unwrap();
    let mut c = Command::new("sh");
    let limited = format!("ulimit -d {KIBIBYTES} && exec \"$0\" run k.ptx \"$@\"");
    let c = c.current_dir(folder.path()).args(["-c", &limited, env!("CARGO_BIN_EXE_cutec")]);
    let output = c.args(arguments.split_whitespace()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Each thread adds 1 to the element that it is given. The offset in bytes is computed by OFFSET.
const ADD: &str = "
.version 9.0
.target sm_90
.address_size 64
.visible .entry add(.param .u64 x) .reqntid 256
{
  .reg .b32 %r<5>; .reg .b64 %d<4>;
  ld.param.u64 %d0, [x];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %tid.x;
  mad.lo.s32 %r2, %r0, 256, %r1;
  OFFSET
  add.s64 %d0, %d0, %d1;
  ld.global.u64 %d2, [%d0];
  add.s64 %d2, %d2, 1;
  st.global.u64 [%d0], %d2;
  ret;
}
";

/// The arguments of `ADD` with one block for 256 elements.
fn whole_grid() -> String {
    format!("--grid {} --arg x:i64[{ELEMENTS}]=range", ELEMENTS / 256)
}

#[test]
fn an_offset_of_32_bits_does_not_reach_the_end_of_a_large_array() {
    let folder = tempfile::tempdir().unwrap();
    let narrow = ADD.replace("OFFSET", "mul.lo.s32 %r3, %r2, 8; cvt.s64.s32 %d1, %r3;");
    let wide = ADD.replace("OFFSET", "mul.wide.s32 %d1, %r2, 8;");
    let ends = format!("{} --only-blocks first,last", whole_grid());
    let (code, out, _) = run_within(&folder, &narrow, &ends);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("error: k.ptx:14: `ld.global.u64`"), "{out}");
    let offset = i64::from(((ELEMENTS / 256 * 256 - 256) as i32).wrapping_mul(8));
    assert!(out.contains(&format!("8 bytes at byte {offset} of buffer x,")), "{out}");
    assert!(out.contains("which has 2200000000 bytes"), "{out}");
    let (code, out, err) = run_within(&folder, &wide, &ends);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.starts_with("add: 2 blocks, 512 threads,"), "{out}");
    // The first blocks alone show nothing.
    let (code, out, _) = run_within(&folder, &narrow, &format!("{} --only-blocks 0,1", whole_grid()));
    assert_eq!(code, Some(0), "{out}");
}

#[test]
fn schedules_of_a_large_array_are_compared_where_a_kernel_touches_it() {
    let folder = tempfile::tempdir().unwrap();
    let wide = ADD.replace("OFFSET", "mul.wide.s32 %d1, %r2, 8;");
    let sample = whole_grid().replace("range", "random(7)") + " --only-blocks last,random:3 --schedules 3";
    let (code, out, err) = run_within(&folder, &wide, &sample);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("run under the schedules lazy, eager, reverse"), "{out}");
    // The order of the threads decides the values.
    let last = ADD.replace("OFFSET", "mov.u64 %d1, 2199999992; cvt.u64.u32 %d3, %r2;");
    let last = last
        .replace("add.s64 %d2, %d2, 1;", "mov.u64 %d2, %d3;")
        .replace("st.global", "st.relaxed.gpu.global");
    let last = last.replace("ld.global", "ld.relaxed.gpu.global");
    let (_, out, _) = run_within(&folder, &last, &sample);
    assert!(
        out.contains("depends on the schedule, although no run has an error: 1 of 275000000 elements"),
        "{out}"
    );
    assert!(out.contains("the first at [274999999]"), "{out}");
}

#[test]
fn memory_is_limited_where_it_is_touched() {
    let folder = tempfile::tempdir().unwrap();
    let wide = ADD.replace("OFFSET", "mul.wide.s32 %d1, %r2, 8;");
    let (code, out, err) = run_within(&folder, &wide, "--grid 1000 --memory 1 --arg x:i64[275000000]");
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert_eq!(
        err,
        "error: the kernel touches more of its arrays than the 1048576 bytes that --memory allows; raise the limit\n"
    );
    // Pages of 512 blocks have 1 MiB.
    let (code, out, err) = run_within(&folder, &wide, "--grid 512 --memory 1 --arg x:i64[275000000]");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
}

#[test]
fn a_sample_counts_and_writes_its_blocks_alone() {
    let folder = tempfile::tempdir().unwrap();
    let twice = |only: &str| {
        let arguments =
            format!("{} --out y=y.npy --only-blocks {only}", GOOD.replace("--grid 2", "--grid 4"));
        run_in(&folder, super::KERNELS, &arguments)
    };
    let (code, out, err) = twice("(1,0),3");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let counted = "only 2 of the 4 blocks of the grid ran, and only these are counted and checked for races";
    assert!(out.starts_with("twice: 2 blocks, 128 threads,") && out.contains(counted), "{out}");
    let file = npyz::NpyFile::new(fs::File::open(folder.path().join("y.npy")).unwrap()).unwrap();
    let y = file.into_vec::<f32>().unwrap();
    let expected: Vec<f32> = (0..100).map(|i| if i < 64 { 0.0 } else { 2.0 * i as f32 }).collect();
    assert_eq!(y, expected);
    for (only, why) in [
        ("4", "kernel 'twice': block 4 is not in the grid 4,1,1 of 4 blocks"),
        ("first,(0,2)", "kernel 'twice': block (0,2,0) is not in the grid 4,1,1 of 4 blocks"),
        ("random:0", "random:0 chooses no block; give a number from 1 on"),
        ("middle", "'middle' is not a choice of blocks"),
        ("first,,last", "a choice of blocks is empty"),
    ] {
        let (code, out, err) = twice(only);
        assert!(code != Some(0) && out.is_empty() && err.contains(why), "{only}: {err}");
    }
    let json = run(&format!("{GOOD} --report json --only-blocks first")).1;
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["sample"], serde_json::json!({ "blocks": 1, "of": 2 }));
    let (_, _, err) = run(&format!("{GOOD} --gpu --compare --only-blocks first"));
    assert!(err.contains("cannot be used with"), "{err}");
}

/// Blocks count themselves at a flag, and wait until all have.
const MEETS: &str = ".version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x) .reqntid 1
{
  .reg .b32 %r<3>; .reg .b64 %d<1>; .reg .pred %p;
  ld.param.u64 %d0, [x];
  mov.u32 %r0, %nctaid.x;
  atom.acq_rel.gpu.global.add.u32 %r1, [%d0], 1;
again:
  ld.acquire.gpu.global.u32 %r2, [%d0];
  setp.ne.u32 %p, %r2, %r0;
  @%p bra again;
  ret;
}
";

#[test]
fn blocks_that_wait_for_others_need_the_whole_grid() {
    let folder = tempfile::tempdir().unwrap();
    let meets = |only: &str| run_in(&folder, MEETS, &format!("--grid 4 --arg x:i32[1] {only}"));
    assert_eq!(meets("").0, Some(0));
    let (code, out, _) = meets("--only-blocks first,last");
    assert_eq!(code, Some(1));
    assert!(
        out.contains(
            "a kernel whose blocks wait for each other, as at a barrier of the grid, needs all of them"
        ),
        "{out}"
    );
}

/// Each block stores the rank of its cluster.
const CLUSTERS: &str = ".version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out) .reqntid 1 .reqnctapercluster 2
{
  .reg .b32 %r<2>; .reg .b64 %d<2>;
  ld.param.u64 %d0, [out];
  mov.u32 %r0, %ctaid.x;
  mul.wide.u32 %d1, %r0, 4;
  add.u64 %d0, %d0, %d1;
  add.u32 %r1, %r0, 1;
  st.global.u32 [%d0], %r1;
  ret;
}
";

#[test]
fn whole_clusters_run() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, err) =
        run_in(&folder, CLUSTERS, "--grid 8 --arg out:i32[8] --out out=o.npy --only-blocks 3,last");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.starts_with("k: 4 blocks, 4 threads"), "{out}");
    let file = npyz::NpyFile::new(fs::File::open(folder.path().join("o.npy")).unwrap()).unwrap();
    assert_eq!(file.into_vec::<i32>().unwrap(), [0, 0, 3, 4, 0, 0, 7, 8]);
}
