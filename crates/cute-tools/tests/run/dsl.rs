//! Modules in the style of CuTe DSL, in `dsl/`: each is compiled, run from its host function in the
//! simulator under either ABI, and compared with plain loops.

use super::run_in;
use half::f16;
use std::{fs, path::PathBuf, process::Command};
use tempfile::TempDir;

/// All of them.
const MODULES: [&str; 13] = [
    "add",
    "convert",
    "copy",
    "divmod",
    "dynamic",
    "fast",
    "gemm",
    "pipeline",
    "reduce",
    "scalars",
    "static",
    "transpose",
    "two",
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/run/dsl")
}

fn module(name: &str) -> String {
    fs::read_to_string(folder().join(format!("{name}.mlir"))).unwrap()
}

/// The arrays that a run of the host function leaves, as both ABIs leave them.
fn run<const N: usize>(name: &str, arguments: &str, arrays: [&str; N]) -> [Vec<f32>; N] {
    let run = |abi: &str| {
        let folder = tempfile::tempdir().unwrap();
        let out: String = arrays.iter().map(|a| format!(" --out {a}={a}.npy")).collect();
        let (code, report, err) =
            run_in(&folder, &module(name), &format!("--host {arguments}{out} --abi {abi}"));
        assert_eq!(code, Some(0), "{name} {arguments}: {report}{err}");
        arrays.map(|a| elements(&folder, a))
    };
    let [dsl, flat] = ["dsl", "flat"].map(run);
    assert_eq!(dsl, flat, "{name} {arguments}");
    dsl
}

/// The elements of a file, row by row.
fn elements(folder: &TempDir, array: &str) -> Vec<f32> {
    let bytes = fs::read(folder.path().join(format!("{array}.npy"))).unwrap();
    let file = npyz::NpyFile::new(bytes.as_slice()).unwrap();
    match file.dtype().descr().as_str() {
        "'<f2'" => file.into_vec::<f16>().unwrap().into_iter().map(f32::from).collect(),
        _ => file.into_vec::<f32>().unwrap(),
    }
}

#[test]
fn elements_are_added() {
    for (m, n) in [(8, 16), (13, 37), (1, 1)] {
        let shape = format!("{m}x{n}");
        let arguments =
            format!("--arg a:f32[{shape}]=random(1) --arg b:f32[{shape}]=random(2) --arg c:f32[{shape}]");
        let [a, b, c] = run("add", &arguments, ["a", "b", "c"]);
        let sums: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
        assert_eq!(c, sums);
    }
}

#[test]
fn vectors_are_copied() {
    let [x, y] = run("copy", "--arg x:f32[1536]=random(3) --arg y:f32[1536]", ["x", "y"]);
    assert_eq!(x, y);
}

#[test]
fn matrices_are_transposed() {
    for (m, n) in [(16, 32), (21, 35)] {
        let arguments = format!("--arg a:f32[{m}x{n}]=random(4) --arg b:f32[{n}x{m}]");
        let [a, b] = run("transpose", &arguments, ["a", "b"]);
        let transposed: Vec<f32> =
            (0..n).flat_map(|j| (0..m).map(move |i| i * n + j)).map(|at| a[at]).collect();
        assert_eq!(b, transposed);
    }
}

#[test]
fn rows_are_reduced() {
    for (m, n) in [(3, 128), (5, 77), (2, 1)] {
        let [a, y] = run("reduce", &format!("--arg a:f32[{m}x{n}]=random(5) --arg y:f32[{m}]"), ["a", "y"]);
        let most: Vec<f32> =
            a.chunks(n).map(|row| row.iter().copied().fold(f32::NEG_INFINITY, f32::max)).collect();
        assert_eq!(y, most);
    }
}

#[test]
fn matrices_are_multiplied() {
    for (m, n, k) in [(16, 8, 16), (32, 24, 48)] {
        let arguments =
            format!("--arg a:f16[{m}x{k}]=random(6) --arg b:f16[{n}x{k}]=random(7) --arg c:f32[{m}x{n}]");
        let [a, b, c] = run("gemm", &arguments, ["a", "b", "c"]);
        for (at, found) in c.iter().enumerate() {
            let (row, column) = (&a[at / n * k..][..k], &b[at % n * k..][..k]);
            let sum: f64 = row.iter().zip(column).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
            assert!((f64::from(*found) - sum).abs() < 1e-4, "{at}: {found} {sum}");
        }
    }
}

#[test]
fn tiles_are_summed_as_they_arrive() {
    for tiles in [1, 2, 5] {
        let [x, y] =
            run("pipeline", &format!("--arg x:f32[128x{tiles}]=random(8) --arg y:f32[128]"), ["x", "y"]);
        let sums: Vec<f32> = x.chunks(tiles).map(|tiles| tiles.iter().fold(0.0, |sum, v| sum + v)).collect();
        assert_eq!(y, sums);
    }
}

#[test]
fn kernels_run_one_after_another() {
    for (negate, sign) in [(0, 1.0), (1, -1.0)] {
        let arguments =
            format!("--arg x:f32[100]=random(9) --arg t:f32[100] --arg y:f32[100] --arg negate:i32={negate}");
        let [x, y] = run("two", &arguments, ["x", "y"]);
        let folded: Vec<f32> = (0..100).map(|i| (x[i] * x[i] + x[99 - i] * x[99 - i]) * sign).collect();
        assert_eq!(y, folded);
    }
}

#[test]
fn dynamic_shared_memory_has_the_size_that_the_host_function_computes() {
    let arguments = "--arg x:f32[192]=random(10) --arg y:f32[192]";
    for checks in ["", " --runtime-checks"] {
        let [x, y] = run("dynamic", &format!("{arguments}{checks}"), ["x", "y"]);
        let reversed: Vec<f32> = x.chunks(64).flat_map(|block| block.iter().rev().copied()).collect();
        assert_eq!(y, reversed);
    }
}

#[test]
fn divisors_are_made_by_the_host_function() {
    for (rows, columns) in [(7, 13), (16, 8), (5, 1)] {
        let n = rows * columns;
        let arguments =
            format!("--arg x:f32[{n}]=random(11) --arg y:f32[{columns}x{rows}] --arg columns:i32={columns}");
        let [x, y] = run("divmod", &arguments, ["x", "y"]);
        let spread: Vec<f32> = (0..n).map(|at| x[at % rows * columns + at / rows]).collect();
        assert_eq!(y, spread);
    }
}

#[test]
fn scalars_of_any_type_are_passed() {
    for (negative, bias) in [(0, 0.5), (-1, -0.5)] {
        let arguments = format!(
            "--arg x:f32[100]=random(12) --arg y:f32[100] --arg 3 --arg first:i64=10 --arg b:f16=0.5 --arg {negative}"
        );
        let [x, y] = run("scalars", &arguments, ["x", "y"]);
        // The product is not rounded.
        let expected = |i: usize| if i < 10 { 0.0 } else { x[i].mul_add(3.0, bias) };
        assert_eq!(y, (0..100).map(expected).collect::<Vec<_>>());
    }
}

#[test]
fn static_layouts_are_not_passed() {
    let [x, y] = run("static", "--arg x:f32[8x16]=random(13) --arg y:f32[8x16]", ["x", "y"]);
    let expected: Vec<f32> = x.iter().enumerate().map(|(i, x)| x + (i / 16) as f32).collect();
    assert_eq!(y, expected);
}

#[test]
fn vectors_are_converted() {
    let [x, y] =
        run("convert", "--arg x:f32[4x64]=random(14) --arg y:f16[4x64] --arg bias:f32=2", ["x", "y"]);
    let expected: Vec<f32> = x.iter().map(|x| f16::from_f32(x + 2.0).to_f32()).collect();
    assert_eq!(y, expected);
}

#[test]
fn fast_math_is_close() {
    let [x, y] = run("fast", "--arg x:f32[100]=random(15) --arg y:f32[100]", ["x", "y"]);
    for (x, y) in x.iter().zip(&y) {
        let expected = 1.0 / (1.0 + f64::from(-x).exp2());
        assert!((f64::from(*y) - expected).abs() < 1e-6, "{x}: {y} {expected}");
    }
}

#[test]
fn modules_compile_for_each_generation() {
    let mut files: Vec<_> = fs::read_dir(folder()).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let names: Vec<_> = files.iter().map(|f| f.file_stem().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, MODULES);
    for (file, target) in files.iter().flat_map(|f| ["sm_80", "sm_100a"].map(|t| (f, t))) {
        let mut c = Command::new(env!("CARGO_BIN_EXE_cutec"));
        let output = c.arg(file).args(["--target", target]).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {err}", file.display());
        let ptx = String::from_utf8_lossy(&output.stdout);
        assert!(ptx.contains(".visible .entry") && ptx.contains(".reqntid"), "{}", file.display());
        assert!(!ptx.contains(".local"), "{}: {ptx}", file.display());
    }
}

/// The messages about a module that does not compile: an error at a place of it, and nothing is
/// written.
fn refused(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.mlir"), text).unwrap();
    let run = |arguments: &str| {
        let mut c = Command::new(env!("CARGO_BIN_EXE_cutec"));
        let output = c.current_dir(folder.path()).args(arguments.split_whitespace()).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{arguments}: {err}");
        err
    };
    let err = run("k.mlir --target sm_90a -o k.ptx");
    let error = err.lines().find(|l| l.contains("error: ")).unwrap_or_else(|| panic!("{err}"));
    assert!(error.starts_with("k.mlir:"), "{err}");
    assert!(!err.contains("internal error"), "{err}");
    run("run k.mlir --host -o k.npy");
    let files: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(files, ["k.mlir"], "{err}");
    error.to_owned()
}

#[test]
fn truncated_modules_are_errors() {
    for name in ["gemm", "reduce"] {
        let text = module(name);
        let begin = text.find("module").unwrap();
        for part in 1..6 {
            let cut = begin + (text.len() - begin) * part / 6;
            refused(text.get(..cut).expect("the modules are of ASCII"));
        }
    }
}

#[test]
fn what_is_not_known_is_named_where_it_is() {
    let says = |name: &str, [old, new]: [&str; 2], why: &str| {
        let text = module(name);
        assert!(text.contains(old), "{name}: {old}");
        let changed = text.replacen(old, new, 1);
        let line = 1 + changed[..changed.find(new).unwrap()].matches('\n').count();
        let error = refused(&changed);
        assert!(error.starts_with(&format!("k.mlir:{line}:")) && error.contains(why), "{line}: {error}");
    };
    let barrier = r#""nvvm.barrier"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> ()"#;
    says("reduce", [barrier, r#""tile.barrier"() : () -> ()"#], "'tile.barrier'");
    says("reduce", [barrier, r#""nvvm.barrier.of.tomorrow"() : () -> ()"#], "nvvm.barrier.of.tomorrow");
    says("reduce", [barrier, r#""cute.barrier_of_tomorrow"() : () -> ()"#], "cute.barrier_of_tomorrow");
    says("reduce", [barrier, r#""cute_nvgpu.arch.tomorrow"() : () -> ()"#], "cute_nvgpu.arch.tomorrow");
    says("reduce", [barrier, r#""cuda.tomorrow"() : () -> ()"#], "cuda.tomorrow");
    says("add", ["nvvm.read.ptx.sreg.tid.x", "nvvm.read.ptx.sreg.tomorrow"], "nvvm.read.ptx.sreg.tomorrow");
    says("add", ["cute.elem_less(", "cute.elem_lesser("], "cute.elem_lesser");
    says("add", ["cuda.launch_cfg.cooperative[", "cuda.launch_cfg.tomorrow["], "cuda.launch_cfg.tomorrow");
    says("fast", ["!cute.memref<f32, gmem", "!cute.tensor<f32, gmem"], "tensor");
}

#[test]
fn launches_that_contradict_their_kernel_are_errors() {
    let says = |name: &str, changes: &[[&str; 2]], why: &str| {
        let mut text = module(name);
        for [old, new] in changes {
            assert!(text.contains(old), "{name}: {old}");
            text = text.replacen(old, new, 1);
        }
        let error = refused(&text);
        assert!(error.contains(why), "{error}");
    };
    says(
        "two",
        &[
            ["(%x, %t, %n)", "(%x, %t)"],
            [" : !cfg, (!vector, !vector, i32) ->", " : !cfg, (!vector, !vector) ->"],
        ],
        "'cuda.launch_ex' op passes 2 arguments, but @kernels::@square takes 3",
    );
    says(
        "static",
        &[
            ["(%x, %threads, %y)", "(%y, %threads, %x)"],
            [": !cfg, (!x, !threads, !y)", ": !cfg, (!y, !threads, !x)"],
        ],
        "'cuda.launch_ex' op argument #0 is !cute.memref<f32, gmem, \"(8,16):(1,8)\">, but @kernels::@rows takes",
    );
    says(
        "two",
        &[["@kernels::@fold<%cfg2>", "@kernels::@unfold<%cfg2>"]],
        "@kernels::@unfold, which is not a symbol",
    );
    says(
        "fast",
        &[["max_attrs = 3 : i32>", "max_attrs = 2 : i32>"]],
        "max_attrs is 2, but the result's type has room for 3",
    );
}

#[test]
fn arguments_that_contradict_the_host_function_are_errors() {
    let says = |name: &str, arguments: &str, why: &str| {
        let folder = tempfile::tempdir().unwrap();
        let (code, out, err) = run_in(&folder, &module(name), &format!("--host {arguments} --out y=y.npy"));
        assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
        assert!(err.contains("error: ") && err.contains(why), "{err}");
        assert!(!folder.path().join("y.npy").exists());
    };
    says("fast", "--arg x:f32[100]", "host function 'host' has 2 parameters");
    says(
        "fast",
        "--arg x:f16[100] --arg y:f32[100]",
        "parameter 'x' has elements of type f32, but the array has f16",
    );
    says("static", "--arg x:f32[8x17] --arg y:f32[8x16]", "the array 8x17 has 17 where mode 1 is 16");
    says("copy", "--arg x:f32[100] --arg y:f32[100]", "its type promises a multiple of 512");
    says(
        "dynamic",
        "--arg x:f32[32] --arg y:f32[32]",
        "'cuda.launch_ex' op launches kernel 'reverse', which the device would refuse: its grid is [0, 1, 1]",
    );
}
