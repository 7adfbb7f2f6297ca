//! Single instructions that CuTe DSL 4.5 and later asks for, in `single/`: each module is compiled,
//! run in the simulator, and compared with Rust.

use super::run_in;
use std::{fs, path::PathBuf, process::Command};
use tempfile::TempDir;

fn module(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/run/single/{name}.mlir"))
}

/// The words that a run of a module's kernel leaves in arrays.
fn run<const N: usize>(name: &str, arguments: &str, arrays: [&str; N]) -> [Vec<u32>; N] {
    let folder = tempfile::tempdir().unwrap();
    let out: String = arrays.iter().map(|a| format!(" --out {a}={a}.npy")).collect();
    let text = fs::read_to_string(module(name)).unwrap();
    let (code, report, err) = run_in(&folder, &text, &format!("--target sm_100a --grid 1 {arguments}{out}"));
    assert_eq!(code, Some(0), "{name}: {report}{err}");
    arrays.map(|array| words(&folder, array))
}

fn words(folder: &TempDir, array: &str) -> Vec<u32> {
    let bytes = fs::read(folder.path().join(format!("{array}.npy"))).unwrap();
    let file = npyz::NpyFile::new(bytes.as_slice()).unwrap();
    match file.dtype().descr().as_str() {
        "'<f4'" => file.into_vec::<f32>().unwrap().into_iter().map(f32::to_bits).collect(),
        _ => file.into_vec::<i32>().unwrap().into_iter().map(|word| word as u32).collect(),
    }
}

/// The PTX of a module.
fn ptx(name: &str, target: &str) -> String {
    let mut cutec = Command::new(env!("CARGO_BIN_EXE_cutec"));
    let output = cutec.arg(module(name)).args(["--target", target, "--emit", "ptx"]).output().unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn has_all(ptx: &str, instructions: &[&str]) {
    for instruction in instructions {
        assert!(ptx.contains(instruction), "no `{instruction}` in\n{ptx}");
    }
}

#[test]
fn numbers_are_computed_and_packed() {
    let arguments = "--arg out:i32[10] --arg f32=-3 --arg f32=2 --arg f32=1 --arg i32=-2 --arg i32=3";
    let [out] = run("numbers", arguments, ["out"]);
    // The greater magnitude of -3 and 2 has the sign of their product.
    let [least, most, magnitude, flushed, absolute] = [-3f32, 2., -3., 2., 3.].map(f32::to_bits);
    let high = ((-6i64) >> 32) as u32;
    assert_eq!(out[..6], [least, most, magnitude, flushed, absolute, high]);
    // -3 is above 2 in both pairs: `c4` and `40` of e4m3, `d` and `4` of e2m1.
    assert_eq!(out[6..], [-6i32 as u32, 0xc440, 0xd4, 1f32.to_bits()]);
    has_all(
        &ptx("numbers", "sm_100a"),
        &[
            "mul.hi.s32",
            "cvt.rn.satfinite.e4m3x2.f32",
            "cvt.rn.satfinite.e2m1x2.f32",
            "max.ftz.NaN.f32",
            "st.relaxed.gpu.global.v4.b32",
            "st.release.sys.global.b32",
        ],
    );
}

#[test]
fn memory_is_updated_in_its_order_and_scope() {
    let [ints, floats] = run("updates", "--arg ints:i32[72] --arg floats:f32[4]", ["ints", "floats"]);
    let mut tickets = ints[1..65].to_vec();
    tickets.sort_unstable();
    assert_eq!((ints[0], tickets), (64, (0..64).collect()));
    assert_eq!(ints[65..], [63, 2, 0, 32, 0, 1, 2]);
    assert_eq!(floats, [32f32, 0., 32., 32.].map(f32::to_bits));
    has_all(
        &ptx("updates", "sm_90a"),
        &[
            "atom.global.add.u32",
            "atom.acq_rel.sys.global.cas.b32",
            "red.relaxed.gpu.global.add.v2.f32",
            "barrier.sync \t3, 64",
            "bar.sync \t3",
            "barrier.red.popc.u32",
            "bar.red.and.pred",
            "bar.red.or.pred",
        ],
    );
}

#[test]
fn loads_and_waits_have_modifiers() {
    let [from, out] = run("waits", "--arg from:i32[32]=range --arg out:i32[36]", ["from", "out"]);
    let reversed: Vec<u32> = from.iter().rev().chain(&from[..4]).copied().collect();
    assert_eq!(out, reversed);
    has_all(
        &ptx("waits", "sm_90a"),
        &["mbarrier.try_wait.parity.shared.b64", "ld.acquire.gpu.global.v4.b32"],
    );
}
