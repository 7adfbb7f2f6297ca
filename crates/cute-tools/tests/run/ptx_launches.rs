//! Launches of kernels in files of PTX: grids of clusters, instructions without a model, launches
//! from the device.

use super::run_in;

/// Exit code, standard output and error in a new folder.
fn run(text: &str, arguments: &str) -> (Option<i32>, String, String) {
    run_in(&tempfile::tempdir().unwrap(), text, arguments)
}

const HEAD: &str = ".version 9.0\n.target sm_90\n.address_size 64\n";

/// Each thread stores the number of blocks, that of clusters, and the rank in the cluster.
const CLUSTERS: &str = ".visible .entry k(.param .u64 out) DIRECTIVES
{
  .reg .b32 %r<8>; .reg .b64 %d<3>;
  ld.param.u64 %d0, [out];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %nctaid.x;
  mov.u32 %r2, %nclusterid.x;
  mov.u32 %r3, %cluster_ctarank;
  mad.lo.u32 %r4, %r1, 100, %r3;
  mad.lo.u32 %r4, %r2, 10, %r4;
  mul.wide.u32 %d1, %r0, 4;
  add.u64 %d0, %d0, %d1;
  st.global.u32 [%d0], %r4;
  ret;
}
";

#[test]
fn a_grid_of_clusters_has_their_blocks() {
    let text = |directives: &str| HEAD.to_owned() + &CLUSTERS.replace("DIRECTIVES", directives);
    let folder = tempfile::tempdir().unwrap();
    let of_clusters = text(".blocksareclusters .reqntid 1 .reqnctapercluster 2");
    let out = "--arg out:i32[8] --out out=o.npy";
    let (code, shown, err) = run_in(&folder, &of_clusters, &format!("--grid 3 {out}"));
    assert_eq!((code, err.as_str()), (Some(0), ""), "{shown}");
    assert!(shown.starts_with("k: 6 blocks, 6 threads"), "{shown}");
    let stored = || {
        let file = npyz::NpyFile::new(std::fs::File::open(folder.path().join("o.npy")).unwrap()).unwrap();
        file.into_vec::<i32>().unwrap()
    };
    assert_eq!(stored(), [630, 631, 630, 631, 630, 631, 0, 0]);
    // Without the directive a grid has blocks.
    let of_blocks = text(".reqntid 1 .reqnctapercluster 2");
    assert_eq!(run_in(&folder, &of_blocks, &format!("--grid 6 {out}")).0, Some(0));
    assert_eq!(stored(), [630, 631, 630, 631, 630, 631, 0, 0]);
    for (missing, other) in [("reqntid", ".reqnctapercluster 2"), ("reqnctapercluster", ".reqntid 1")] {
        let (code, _, err) = run(&text(&format!(".blocksareclusters {other}")), &format!("--grid 3 {out}"));
        assert_eq!(code, Some(1));
        assert!(err.contains(&format!("`.blocksareclusters` needs `.{missing}`")), "{err}");
    }
}

#[test]
fn strictness_is_about_the_kernel_that_is_launched() {
    let video = "vabsdiff.u32.u32.u32 %r1, %r1, %r1, %r1;";
    let kernel = |name: &str, body: &str| {
        format!(".visible .entry {name}() .reqntid 32 {{ .reg .b32 %r<4>; mov.b32 %r1, 1; {body} ret; }}\n")
    };
    let function = format!(".func f() {{ .reg .b32 %r<4>; mov.b32 %r1, 1; {video} ret; }}\n");
    let skipped = format!("bra end; {video} end:");
    let text = HEAD.to_owned()
        + &function
        + &kernel("good", "")
        + &kernel("own", video)
        + &kernel("skips", &skipped)
        + &kernel("calls", "call f, ();");
    for (name, lax, strict) in [("good", 0, 0), ("own", 1, 1), ("skips", 0, 1), ("calls", 1, 1)] {
        let launch = format!("--kernel {name} --grid 1");
        let (code, out, _) = run(&text, &launch);
        assert_eq!(code, Some(lax), "{name}: {out}");
        let (code, out, err) = run(&text, &format!("{launch} --strict-ptx"));
        assert_eq!(code, Some(strict), "{name}: {out}{err}");
        // Nothing has run.
        assert_eq!(out.is_empty(), strict == 1, "{out}");
        assert_eq!(err.contains("(a video instruction) is not modelled"), strict == 1, "{err}");
    }
}

/// As nvcc compiles `child<<<1, 32>>>(p)`.
const PARENT: &str = ".extern .func (.param .b64 func_retval0) __cudaCDP2GetParameterBufferV2
(.param .b64 a, .param .align 4 .b8 b[12], .param .align 4 .b8 c[12], .param .b32 d);
.visible .entry child() { ret; }
.visible .entry parent(.param .u32 n) .reqntid 32
{
  .reg .pred %p<2>; .reg .b32 %r<3>; .reg .b64 %d<3>;
  ld.param.u32 %r0, [n];
  setp.eq.s32 %p1, %r0, 0;
  @%p1 bra end;
  ADDRESS
  {
    .param .b64 param0; st.param.b64 [param0+0], %d1;
    .param .align 4 .b8 param1[12]; st.param.b32 [param1+0], 1;
    .param .align 4 .b8 param2[12]; st.param.b32 [param2+0], 32;
    .param .b32 param3; st.param.b32 [param3+0], 0;
    .param .b64 retval0;
    call.uni (retval0), __cudaCDP2GetParameterBufferV2, (param0, param1, param2, param3);
    ld.param.b64 %d2, [retval0+0];
  }
end:
  ret;
}
";

#[test]
fn a_launch_from_the_device_is_refused_by_name() {
    for (address, what) in [
        (
            "mov.u64 %d1, child;",
            "the address of the kernel `child`, with which a kernel launches another one (dynamic parallelism)",
        ),
        (
            "mov.u64 %d1, 0;",
            "a call of `__cudaCDP2GetParameterBufferV2`, which serves a launch from the device (dynamic parallelism)",
        ),
    ] {
        let text = HEAD.to_owned() + &PARENT.replace("ADDRESS", address);
        let (code, out, _) = run(&text, "--kernel parent --grid 1 --arg 1");
        assert_eq!(code, Some(1));
        assert!(out.contains(what), "{what}: {out}");
        let (code, _, err) = run(&text, "--kernel parent --grid 1 --arg 0");
        assert_eq!((code, err.as_str()), (Some(0), ""), "no thread gets there");
        let (code, _, err) = run(&text, "--kernel parent --grid 1 --arg 0 --strict-ptx");
        assert_eq!(code, Some(1));
        assert!(err.contains(what), "{what}: {err}");
    }
}
