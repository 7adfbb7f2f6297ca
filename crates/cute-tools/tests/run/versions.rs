//! One module in the style of each version of CuTe DSL, in `versions/`: compiled, and run from its
//! host function in the simulator.

use super::run_in;
use std::{fs, path::PathBuf, process::Command};

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/run/versions/{name}.mlir"))
}

fn module(name: &str) -> String {
    fs::read_to_string(file(name)).unwrap()
}

/// The words that a run of the host function leaves in arrays, as bits.
fn run<const N: usize>(name: &str, arguments: &str, arrays: [&str; N]) -> [Vec<u32>; N] {
    let folder = tempfile::tempdir().unwrap();
    let out: String = arrays.iter().map(|a| format!(" --out {a}={a}.npy")).collect();
    let arguments = format!("--host --target sm_100a {arguments}{out}");
    let (code, report, err) = run_in(&folder, &module(name), &arguments);
    assert_eq!(code, Some(0), "{name} {arguments}: {report}{err}");
    arrays.map(|a| {
        let bytes = fs::read(folder.path().join(format!("{a}.npy"))).unwrap();
        let file = npyz::NpyFile::new(bytes.as_slice()).unwrap();
        match file.dtype().descr().as_str() {
            "'<f4'" => file.into_vec::<f32>().unwrap().into_iter().map(f32::to_bits).collect(),
            _ => file.into_vec::<i32>().unwrap().into_iter().map(i32::cast_unsigned).collect(),
        }
    })
}

fn floats(bits: &[u32]) -> Vec<f32> {
    bits.iter().map(|bits| f32::from_bits(*bits)).collect()
}

#[test]
fn modules_of_each_version_compile() {
    for name in ["v43", "v44", "v45", "v46"] {
        let mut c = Command::new(env!("CARGO_BIN_EXE_cutec"));
        let output = c.arg(file(name)).args(["--target", "sm_100a"]).output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let ptx = String::from_utf8_lossy(&output.stdout);
        assert!(ptx.contains(".visible .entry") && !ptx.contains(".local"), "{name}: {ptx}");
    }
}

#[test]
fn an_operand_that_its_own_region_defines_is_an_error() {
    let text = module("v43");
    let broken = text.replacen("%row, %column = cute.fast_divmod", "%in, %column = cute.fast_divmod", 1);
    let broken = broken.replacen("%in = ", "%inside = ", 1);
    assert_ne!(text, broken);
    let folder = tempfile::tempdir().unwrap();
    let (code, _, err) =
        run_in(&folder, &broken, "--host --target sm_100a --arg f32[4x6] --arg f32[4x1x6] --arg i32=6");
    let line = 1 + broken.lines().position(|line| line.contains("scf.if %in")).unwrap();
    assert_eq!(code, Some(1), "{err}");
    let error = "error: %in is an operand of the operation whose own region defines it";
    assert!(err.contains(&format!(":{line}:14: {error}")), "{err}");
}

#[test]
fn version_4_3_converts_to_eight_bits() {
    for (rows, columns) in [(4, 6), (1, 40), (33, 1)] {
        let n = rows * columns;
        let arguments = format!(
            "--arg x:f32[4x{n}]=random(1) --arg y:f32[4x{rows}x{columns}] --arg columns:i32={columns}"
        );
        let [x, y] = run("v43", &arguments, ["x", "y"]).map(|bits| floats(&bits));
        assert_eq!(x.len(), y.len());
        for (x, y) in x.iter().zip(&y) {
            // Three bits follow the first one, down to 2^-6.
            let step = x.abs().log2().floor().max(-6.0).exp2() / 8.0;
            assert!((x - y).abs() <= step / 2.0 && (y / step).fract() == 0.0, "{x} {y}");
        }
    }
}

#[test]
fn version_4_4_takes_the_work_of_other_blocks() {
    for n in [300, 32, 1] {
        let arguments = format!("--arg x:f32[{n}]=random(2) --arg y:f32[{n}]");
        let [x, y] = run("v44", &arguments, ["x", "y"]).map(|bits| floats(&bits));
        assert_eq!(y, x.iter().map(|x| x + 1.0).collect::<Vec<_>>());
    }
}

#[test]
fn version_4_5_asks_for_the_shared_memory_that_a_kernel_allocates() {
    let arguments = "--arg x:f32[64x3]=random(3) --arg y:f32[64x3] --arg sizes:i32[3]";
    let [x, y, sizes] = run("v45", arguments, ["x", "y", "sizes"]);
    let reversed: Vec<u32> = (0..64).rev().flat_map(|row| x[3 * row..][..3].to_vec()).collect();
    assert_eq!(y, reversed);
    // Three words, and 256 bytes at the next multiple of 128.
    assert_eq!(sizes, [12, 372, 384]);
}

#[test]
fn version_4_6_arrives_at_barriers_of_other_blocks() {
    let [x, y] = run("v46", "--arg x:f32[32x4]=random(4) --arg y:f32[32x4]", ["x", "y"]);
    assert_eq!(y, x);
}

/// The error for a changed module of a version.
fn refused(name: &str, old: &str, new: &str) -> String {
    let text = module(name);
    assert!(text.contains(old), "{name}: {old}");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.mlir"), text.replacen(old, new, 1)).unwrap();
    let mut c = Command::new(env!("CARGO_BIN_EXE_cutec"));
    c.current_dir(folder.path()).args(["k.mlir", "--target", "sm_100a", "-o", "k.ptx"]);
    let output = c.output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(!folder.path().join("k.ptx").exists(), "{err}");
    err
}

#[test]
fn what_no_version_has_is_an_error_at_its_place() {
    let size = "cute.kernel_smem_size @kernels::@reverse : i64";
    let err = refused("v45", size, "cute.kernel_smem_size @kernels::@missing : i64");
    assert!(
        err.contains("'cute.kernel_smem_size' op: names @kernels::@missing, which is not a kernel"),
        "{err}"
    );
    let err = refused("v45", "@kernels::@reverse<", "@kernels::@missing<");
    assert!(err.contains("launches @kernels::@missing, which is not a symbol of this module"), "{err}");
    let err = refused("v46", "nvvm.cluster.arrive.relaxed", "nvvm.cluster.arrive.later");
    let error =
        "k.mlir:27:7: error: 'nvvm.cluster.arrive.later' op is not known; it may be one of a newer CuTe DSL";
    assert!(err.contains(error) && err.contains("; did you mean 'nvvm.cluster.arrive.relaxed'?"), "{err}");
    let err = refused("v46", "nvvm.cluster.arrive.relaxed", "\"nvvm.cluster.arrive.later\"() : () -> ()");
    assert!(err.contains("k.mlir:27:7: error: 'nvvm.cluster.arrive.later' op is not known"), "{err}");
    let err = refused("v46", "nvvm.cluster.arrive.relaxed", "cuda.result_assert_success %bar : !llvm.ptr<3>");
    assert!(
        err.contains(
            "k.mlir:27:7: error: 'cuda.result_assert_success' op of CuTe DSL 4.7 and later is not supported: "
        ),
        "{err}"
    );
    let cast = "llvm.addrspacecast %remote : !llvm.ptr<7> to !llvm.ptr<3>";
    let used = format!("{cast}\n        nvvm.mbarrier.init.shared %cast, %c2 : !llvm.ptr<3>, i32");
    let err = refused("v46", cast, &used);
    assert!(err.contains("'llvm.addrspacecast' op is used by 'nvvm.mbarrier.init.shared'"), "{err}");
}

#[test]
fn a_module_that_was_cut_is_an_error_that_says_so() {
    for (name, at) in [
        ("v43", "%narrow ="),
        ("v44", "scf.yield %ctaid"),
        ("v45", "%cfg = cuda"),
        ("v46", "nvvm.cluster.wait"),
    ] {
        let text = module(name);
        let end = &text[text.find(at).unwrap()..];
        let err = refused(name, end, "");
        assert!(err.contains("error: ") && err.contains("brackets: is the file complete?"), "{err}");
    }
}

#[test]
fn an_op_that_a_version_does_not_have_is_an_error_in_each_of_them() {
    for (name, old, new, near) in [
        ("v43", "cute.fast_divmod.compute(", "cute.fast_divmod.computes(", "cute.fast_divmod.compute"),
        ("v44", "nvvm.mbarrier.txn ", "nvvm.mbarrier.txns ", "nvvm.mbarrier.txn"),
        ("v45", "cute.recast_iter(", "cute.recast_iters(", "cute.recast_iter"),
        ("v46", "nvvm.mapa ", "nvvm.mappa ", "nvvm.mapa"),
    ] {
        let text = module(name);
        let line = 1 + text[..text.find(old).unwrap()].matches('\n').count();
        let err = refused(name, old, new);
        let op = new.trim_end_matches(['(', ' ']);
        assert!(err.contains(&format!("k.mlir:{line}:")), "{err}");
        let error =
            format!("'{op}' op is not known; it may be one of a newer CuTe DSL; did you mean '{near}'?");
        assert!(err.contains(&error), "{err}");
    }
}

#[test]
fn ops_of_the_extension_are_an_error_that_names_its_variable_in_each_version() {
    for (name, old) in [
        ("v43", "cute.fast_divmod.compute("),
        ("v44", "nvvm.mbarrier.txn "),
        ("v45", "cute.recast_iter("),
        ("v46", "nvvm.mapa "),
    ] {
        for new in ["lir.later(", "\"lir.later\"("] {
            let err = refused(name, old, new);
            assert!(err.contains("'lir.later' op of CuTe DSL 4.7 and later is not supported: "), "{err}");
            assert!(err.contains("trace the kernel with CUTE_DSL_USE_EXTENSION_COMPILER=0"), "{err}");
        }
    }
}

/// The exit code and the errors of a compilation.
fn compiled(text: &str, target: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.mlir"), text).unwrap();
    let mut c = Command::new(env!("CARGO_BIN_EXE_cutec"));
    let output = c.current_dir(folder.path()).args(["k.mlir", "--target", target]).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn shared_memory_that_the_target_does_not_have_is_an_error_at_the_kernel() {
    let (v45, allocations) = (module("v45"), include_str!("../../../../lit/Import/allocations.mlir"));
    let generic = allocations.replacen(
        "cute_nvgpu.arch.alloc_smem(4) :",
        "\"cute_nvgpu.arch.alloc_smem\"() <{input = 4 : i32}> : () ->",
        1,
    );
    for (target, most) in
        [("sm_80", 166_912), ("sm_90a", 232_448), ("sm_100a", 232_448), ("sm_120a", 101_376)]
    {
        // A text and the size in it, the largest one that fits, what one more needs, and the bytes
        // of an element. In v45, the tile begins at a multiple of 128 bytes, after three words.
        for (text, size, most_elements, needed, bytes) in [
            (&*v45, ["align<128>, \"(", "256", "):(1)\""], most - 128, most + 1, 1),
            (&*generic, ["alloc_smem\"() <{input = ", "4", " : i32}>"], most / 4, most + 4, 4),
            (allocations, ["%p = cute_nvgpu.arch.alloc_smem(", "4", ") :"], most / 4, most + 4, 4),
        ] {
            let [before, own, after] = size;
            let with = |count: u32| {
                let text = text.replacen(&size.concat(), &format!("{before}{count}{after}"), 1);
                compiled(&text, target)
            };
            assert!(text.contains(&format!("{before}{own}{after}")));
            let (code, err) = with(most_elements);
            assert_eq!(code, Some(0), "{target} {before}: {err}");
            let (code, err) = with(most_elements + 1);
            assert_eq!(code, Some(1), "{target} {before}: {err}");
            let error = format!(
                ": it needs {needed} bytes of shared memory, but {target} has at most {most} per block\n"
            );
            let line = 2 + text[..text.find("\n    cuda.kernel").unwrap()].matches('\n').count();
            assert!(
                err.contains(&format!("k.mlir:{line}:5: error: kernel '")) && err.contains(&error),
                "{err}"
            );
            let first = format!("note: {} bytes: cute.memref.alloca", (most_elements + 1) * bytes);
            assert!(err.lines().find(|line| line.contains(": note: ")).unwrap().ends_with(&first), "{err}");
        }
    }
}

/// Whether a module is imported in a profile, and the errors.
fn imported(of: &str, profile: &str) -> (bool, String) {
    let mut c = Command::new(env!("CARGO_BIN_EXE_cutec"));
    let output = c.arg("import").arg(file(of)).args(["--profile", profile]).output().unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn profiles_accept_modules_of_their_versions_alone() {
    for (name, accepted, refused) in [
        ("v43", &["auto", "dsl-4.3", "dsl-4.4", "dsl-4.7", "zml"][..], &["cute-rs"][..]),
        ("v44", &["auto", "dsl-4.4", "dsl-4.5", "dsl-4.6", "dsl-4.7", "zml"], &["dsl-4.3", "cute-rs"]),
        ("v45", &["auto", "dsl-4.5", "dsl-4.6", "dsl-4.7", "zml"], &["dsl-4.3", "dsl-4.4", "cute-rs"]),
        ("v46", &["auto", "dsl-4.6", "dsl-4.7", "zml"], &["dsl-4.3", "dsl-4.4", "cute-rs"]),
    ] {
        for profile in accepted {
            let (accepts, err) = imported(name, profile);
            assert!(accepts && !err.contains("profile"), "{name} as {profile}: {err}");
        }
        for profile in refused {
            let (accepts, err) = imported(name, profile);
            assert!(!accepts, "{name} as {profile}");
            let says =
                format!("but the profile is {profile}; all forms of this module are those of the profile");
            let lines: Vec<_> = err.lines().filter(|line| line.contains("error: ")).collect();
            assert!(!lines.is_empty() && lines.iter().all(|line| line.contains(&says)), "{name}: {err}");
        }
    }
}
