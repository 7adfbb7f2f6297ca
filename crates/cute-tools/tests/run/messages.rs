//! Messages of `cutec run` that say what to do.

use super::{GOOD, KERNELS, run_in};
use std::{fs, path::Path, process::Command};
use tempfile::TempDir;

/// Standard error and output of a run that fails.
fn fails(folder: &TempDir, text: &str, arguments: &str) -> String {
    let (code, out, err) = run_in(folder, text, arguments);
    assert_eq!(code, Some(1), "{out}{err}");
    out + &err
}

/// The text of an example.
fn example(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)).unwrap()
}

#[test]
fn a_file_without_a_type_gives_its_own() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run_in(&folder, KERNELS, &format!("{GOOD} --out y=a.npy")).0, Some(0));
    let reference = GOOD.replace("=range", "=a.npy") + " --out y=b.npy";
    assert_eq!(run_in(&folder, KERNELS, &reference).0, Some(0));
    let expected = fs::read(folder.path().join("b.npy")).unwrap();
    for form in ["a.npy", "x=a.npy", "x:a.npy", "x:f32=a.npy", "f32=a.npy"] {
        let arguments = GOOD.replace("x:f32[100]=range", form) + " --out y=c.npy";
        let (code, _, err) = run_in(&folder, KERNELS, &arguments);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{form}");
        assert_eq!(fs::read(folder.path().join("c.npy")).unwrap(), expected, "{form}");
    }
    let says = |form: &str| fails(&folder, KERNELS, &GOOD.replace("x:f32[100]=range", form));
    assert!(
        says("x:none.npy").contains("--arg x:none.npy: cannot read 'none.npy': "),
        "{}",
        says("x:none.npy")
    );
    assert!(says("x:f16=a.npy").contains("'a.npy' as f16: "), "{}", says("x:f16=a.npy"));
    let forms = "write an array as TYPE[EXTENTS] or TYPE[EXTENTS]=VALUES, such as f16[128x64]=random(7); an array from a \
                 file as FILE.npy; a number as NUMBER or TYPE=NUMBER; an address as &A+16; a struct as {&A,i32=5}; or null\n";
    let unknown = says("x");
    assert!(
        unknown.ends_with(&format!("error: --arg x: 'x' is not an array or a number; {forms}")),
        "{unknown}"
    );
    let wrong = says("x:f31=a.npy");
    assert!(wrong.ends_with(&format!("'f31' is not a type; {forms}")), "{wrong}");
}

#[test]
fn help_describes_arguments() {
    let output = Command::new(env!("CARGO_BIN_EXE_cutec")).args(["run", "--help"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let (options, manual) =
        text.split_once("Arguments:\n  Give one --arg").expect("the manual is at the end");
    assert!(options.contains("Arguments, at the end of --help, has the details"), "{options}");
    for form in [
        "FILE.npy",
        "random(SEED)",
        "&NAME,&NAME+BYTES,null",
        "null",
        "the same number in all elements, such as 0",
    ] {
        assert!(manual.contains(form), "{form}: {manual}");
    }
}

#[test]
fn a_kernel_with_a_host_function_is_launched_by_it() {
    let said = fails(&tempfile::tempdir().unwrap(), &example("tma/gemm.mlir"), "--grid 1");
    let advice = "give --shared BYTES, or give it the attribute cute.dynamic_shared_memory; or let the host function '";
    assert!(said.contains(advice) && said.ends_with("' launch it, with --host\n"), "{said}");
}

/// Element 0 of a fragment is stored before anything has written it.
const UNWRITTEN: &str = r#"!fragment = !cute.memref<f32, rmem, align<32>, "4:1">
!out = !cute.memref<f32, gmem, "4:1">
gpu.module @m {
  gpu.func @k(%out: !out) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %at = cute.make_coord() : () -> !cute.coord<"0">
    %other = cute.memref.alloca() : !fragment
    %fragment = cute.memref.alloca() : !fragment
    %v = cute.memref.load(%fragment, %at) : (!fragment, !cute.coord<"0">) -> f32
    cute.memref.store(%out, %at, %v) : (!out, !cute.coord<"0">, f32) -> ()
    gpu.return
  }
}
"#;

#[test]
fn an_unwritten_fragment_is_named_by_its_own_line() {
    let said = fails(&tempfile::tempdir().unwrap(), UNWRITTEN, "--grid 1 --arg f32[4]");
    assert!(
        said.contains("(k.mlir:8:10) read byte 0 of the local memory (fragment) allocated at k.mlir:7:17"),
        "{said}"
    );
}

/// All lanes of a warp release a stage that one arrival releases.
#[test]
fn an_instruction_that_arrives_too_often_is_named_first() {
    let text = example("blackwell/umma.mlir");
    let mut lines: Vec<&str> = text.lines().collect();
    let commit = lines.iter().position(|line| line.contains("nvvm.tcgen05.commit")).unwrap();
    assert!(lines[commit - 1].contains("scf.if") && lines[commit + 1].trim() == "}");
    (lines[commit - 1], lines[commit + 1]) = ("", "");
    let arguments = "--target sm_100a --host --arg f16[136x328]=random(1) --arg f16[200x328]=random(2) --arg f32[136x200] \
                     --schedule eager";
    let said = fails(&tempfile::tempdir().unwrap(), &lines.join("\n"), arguments);
    let cause = format!(
        "k.mlir:{}:13: `nvvm.tcgen05.commit` in block (0, 0, 0), thread (32, 0, 0): the mbarrier at byte 0 of shared memory \
         @cute_smem_1 (allocated at k.mlir:108:18) gets 32 arrivals from 32 lanes of a warp that execute this instruction \
         together, but each of its phases expects 1: let one elected thread execute it",
        commit + 1
    );
    assert!(said.contains(&cause), "{said}");
}

/// The first MMA adds to accumulators that nothing has written; the wait is there.
#[test]
fn accumulators_that_were_never_initialised_are_named() {
    let text = example("hopper/wgmma.mlir").replace("cute.make_atom(%false)", "cute.make_atom(%true)");
    let arguments = "--host --schedule lazy --arg A:f16[64x64]=random(1) --arg B:f16[128x64]=random(2) --arg C:f32[64x128]";
    let said = fails(&tempfile::tempdir().unwrap(), &text, arguments);
    assert!(said.contains("before anything wrote it"), "{said}");
    assert!(!said.contains("has not written yet"), "{said}");
}
