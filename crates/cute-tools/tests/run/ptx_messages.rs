//! Messages about kernels of C++ in PTX: findings first, one for each mistake, and readable names.

use super::run_in;
use serde_json::json;

/// The arguments of the kernels here.
const LAUNCH: &str = "--grid 1 --block 64";

fn fails(text: &str, arguments: &str) -> String {
    let (code, out, err) = run_in(&tempfile::tempdir().unwrap(), text, arguments);
    assert_eq!(code, Some(1), "{out}{err}");
    out + &err
}

/// `template<class T, int N> __global__ void copy(T*)` for several numbers: all threads store their
/// numbers in the same words, at two lines of the source, of which the first is unrolled.
fn copies(numbers: &[u32]) -> String {
    let mut text =
        ".version 8.7\n.target sm_90a\n.address_size 64\n.file 1 \"/somewhere/else/src/copy.cu\"\n"
            .to_owned();
    for number in numbers {
        let name = format!("_Z4copyIfLi{number}EEvPT_");
        text += &format!(".visible .entry {name}(.param .u64 {name}_param_0) {{\n");
        text += ".reg .b32 %r<3>; .reg .b64 %rd<3>; .shared .align 4 .b8 tile[256];\n";
        text += &format!("ld.param.u64 %rd1, [{name}_param_0]; mov.u32 %r1, %tid.x;\n");
        for line in 0..8 {
            let call = if line < 5 { 7 } else { 9 };
            text += &format!(".loc 1 3 5, function_name $L__s, inlined_at 1 {call} 2\n");
            text += &format!("st.shared.u32 [tile+{}], %r1;\n", 4 * line);
        }
        text += "ret;\n}\n";
    }
    text
}

#[test]
fn findings_come_first_and_one_mistake_is_one_finding() {
    let said = fails(&copies(&[4]), &format!("{LAUNCH} --arg f32[1]"));
    let place = ".../else/src/copy.cu:3:5, inlined at .../else/src/copy.cu:7:2 (k.mlir:";
    assert!(said.starts_with(&format!("error: {place}")), "{said}");
    let of_line =
        |line: u32| said.matches(&format!("error: {}", place.replace(":7:", &format!(":{line}:")))).count();
    assert_eq!((of_line(7), of_line(9)), (1, 1), "{said}");
    assert!(
        said.contains(", at 5 places: `st.shared.u32` (k.mlir:9), `st.shared.u32` (k.mlir:11), "),
        "{said}"
    );
    assert!(said.contains(" (k.mlir:13) and 2 more places\n"), "{said}");
    let (findings, counters) = said.split_once("\n\ncopy<float, 4>: 1 block, ").expect(&said);
    assert!(
        !findings.contains(" blocks, ")
            && counters.ends_with("error: kernel 'copy<float, 4>' has 2 findings\n"),
        "{said}"
    );
    let json = fails(&copies(&[4]), &format!("{LAUNCH} --arg f32[1] --report json"));
    let json: serde_json::Value = serde_json::from_str(json.split_once("\nerror:").unwrap().0).unwrap();
    let first = &json["findings"][0];
    assert_eq!(first["places"]["count"], 5, "{first}");
    let origin = json!({"file": "k.mlir", "line": 13, "column": null});
    assert_eq!(first["places"]["first"][2]["place"]["origin"], origin);
    assert_eq!(first["chain"][1], "/somewhere/else/src/copy.cu:7:2", "{first}");
    assert_eq!(first["kind"]["other"]["chain"], first["chain"], "{first}");
}

/// Both sides of a race are data: no program has to take a text apart.
#[test]
fn both_sides_of_a_race_have_places_as_fields() {
    let json = fails(&copies(&[4]), &format!("{LAUNCH} --arg f32[1] --report json"));
    let report: serde_json::Value = serde_json::from_str(json.split_once("\nerror:").unwrap().0).unwrap();
    assert_eq!(report["version"], 1);
    let first = &report["findings"][0];
    let file = "/somewhere/else/src/copy.cu";
    let call = json!({"function": null, "file": file, "line": 7, "column": 2});
    for (side, thread) in [(first, [1, 0, 0]), (&first["other"], [0, 0, 0])] {
        let place = &side["place"];
        assert_eq!((&place["file"], &place["line"], &place["column"]), (&json!(file), &json!(3), &json!(5)));
        assert_eq!(place["inlined"], json!([call]), "{first}");
        assert_eq!(place["origin"]["file"], "k.mlir", "{first}");
        assert_eq!((&side["thread"], &side["block"]), (&json!(thread), &json!([0, 0, 0])), "{first}");
        assert_eq!(side["launch"], 1, "{first}");
    }
    assert_eq!(
        (&first["other"]["access"], &first["other"]["op"]),
        (&json!("write"), &json!("st.shared.u32"))
    );
}

#[test]
fn kernels_have_their_names_in_the_source() {
    let two = copies(&[4, 8]);
    let said = fails(&two, &format!("{LAUNCH} --arg f32[1]"));
    assert!(
        said.ends_with("'k.mlir' has the kernels copy<float, 4>, copy<float, 8>; choose one with --kernel\n"),
        "{said}"
    );
    for name in ["_Z4copyIfLi8EEvPT_", "copy<float, 8>"] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("k.mlir"), &two).unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cutec"));
        command.args(["run", "k.mlir", "--kernel", name, "--grid", "1", "--block", "64", "--arg", "f32[1]"]);
        let output = command.current_dir(folder.path()).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains("\n\ncopy<float, 8>: 1 block"), "{said}");
    }
    let said = fails(&copies(&[4]), &format!("{LAUNCH} --kernel copy --arg f32[1]"));
    assert!(said.contains("copy<float, 4>: 1 block"), "{said}");
    let said = fails(&two, &format!("{LAUNCH} --kernel copy --arg f32[1]"));
    assert!(
        said.ends_with("'copy' is the name of several kernels in 'k.mlir': copy<float, 4>, copy<float, 8>\n"),
        "{said}"
    );
    let said = fails(&copies(&[4]), LAUNCH);
    assert!(
        said.ends_with(
            "kernel 'copy<float, 4>' has 1 parameter (param_0 (.u64)), but --arg was given 0 times\n"
        ),
        "{said}"
    );
}

/// Kernels of several hundred template arguments are not printed as such.
#[test]
fn messages_stay_short() {
    let long = "x".repeat(3000);
    let text = copies(&[4]).replace("_Z4copyIfLi4EEvPT_", &format!("_ZN8__main__{long}"));
    let said = fails(&text, LAUNCH);
    assert!(said.len() < 300, "{said}");
    let parameters: String = (0..400).map(|i| format!(".param .u64 p{i}, ")).collect();
    let many = copies(&[4]).replace("(.param .u64", &format!("({parameters}.param .u64"));
    let said = fails(&many, LAUNCH);
    assert!(said.len() < 700 && said.contains("has 401 parameters (p0 (.u64), "), "{said}");
}

const PAIR: &str = r"
.version 8.7
.target sm_100a
.address_size 64
.visible .entry k() .reqntid 32 .explicitcluster .reqnctapercluster 2
{
  .reg .pred %p<4>; .reg .b32 %r<6>; .reg .b16 %h<2>;
  .shared .align 8 .b64 full;
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %cluster_ctarank;
  setp.ne.u32 %p0, %r0, 0;
  setp.ne.u32 %p1, %r1, 0;
  mov.u32 %r2, full;
  @%p0 bra INITIALISED;
  mbarrier.init.shared::cta.b64 [%r2], 1;
  fence.mbarrier_init.release.cluster;
INITIALISED:
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  @%p0 bra MEET;
  @%p1 bra WAIT;
  mov.b16 %h0, MASK;
  tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%r2], %h0;
  bra WAIT;
WAIT:
  // waits
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0;
  @!%p2 bra WAIT;
MEET:
  bar.warp.sync 0xffffffff;
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  ret;
}
";

#[test]
fn a_deadlock_lists_a_commit_that_went_elsewhere() {
    let said = fails(&PAIR.replace("MASK", "1"), "--grid 2");
    assert!(said.contains("no thread can go on"), "{said}");
    assert!(
        said.contains("1 arrival by `tcgen05.commit")
            && said.contains(
                "went to the mbarrier at the same place of block 0 of the cluster, and none came here"
            ),
        "{said}"
    );
    let (code, out, err) = run_in(&tempfile::tempdir().unwrap(), &PAIR.replace("MASK", "3"), "--grid 2");
    assert_eq!(code, Some(0), "{out}{err}");
}

/// The barrier of the cluster is there, and does not help.
#[test]
fn a_commit_to_a_block_that_leaves_names_its_mbarrier() {
    let leaves = PAIR.replace("MASK", "3").replace("@%p1 bra WAIT;", "@%p1 bra MEET;");
    let leaves = leaves.replace("  bra WAIT;\n", "  bra MEET;\n");
    let said = fails(&leaves, "--grid 2 --schedule lazy");
    assert!(
        said.contains("the commit may arrive at the mbarrier at byte 0 of shared memory @full"),
        "{said}"
    );
    assert!(said.contains("a barrier of the cluster does not wait for the tensor cores"), "{said}");
}

#[test]
fn kernels_with_named_barriers_run_under_several_schedules() {
    let kernel = |barrier: &str| {
        format!(
            ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k() {{ .reg .b32 %r<2>; mov.b32 %r1, 2; {barrier} ret; }}"
        )
    };
    for (barrier, several) in [
        ("bar.sync 0;", false),
        ("barrier.sync 1;", true),
        ("bar.sync 0, 64;", true),
        ("bar.sync %r1;", true),
    ] {
        let (code, out, err) = run_in(&tempfile::tempdir().unwrap(), &kernel(barrier), LAUNCH);
        assert_eq!(code, Some(0), "{out}{err}");
        assert_eq!(out.contains("run under the schedules lazy, eager, reverse"), several, "{barrier}: {out}");
    }
}
