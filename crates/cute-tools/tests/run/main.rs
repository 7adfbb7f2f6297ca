//! `cutec run` as its users run it.

mod accepted;
mod arrays;
mod auto;
mod builders;
mod changed;
mod conform;
mod coordinates;
mod coverage;
mod dsl;
mod dsl47;
mod foreign_proofs;
#[path = "../../../../tests/common/full.rs"]
mod full;
mod gemms;
mod host;
mod host_c;
mod lanes;
mod large;
mod maps;
mod messages;
mod mismatch;
mod mutants;
mod mutated;
mod narrow;
mod operations;
mod promises;
mod proofs;
mod proved;
mod ptx_launches;
mod ptx_messages;
mod public;
mod racy;
mod recipes;
#[path = "../../../../tests/common/record.rs"]
mod record;
mod scale_factors;
mod scaled;
mod schedules;
mod single;
mod structs;
mod through_ptx;
mod tma;
mod traces;
mod variables;
mod verdicts;
mod versions;

use std::{fs, process::Command};

use serde_json::Value;
use tempfile::TempDir;

const KERNELS: &str = r#"gpu.module @m {
  gpu.func @twice(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: i32) kernel {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %s = nvvm.read.ptx.sreg.ntid.x : i32
    %base = arith.muli %b, %s : i32
    %i = arith.addi %base, %t : i32
    %in = arith.cmpi slt, %i, %n : i32
    cf.cond_br %in, ^in, ^out
  ^in:
    %px = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %py = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %px : !llvm.ptr<1> -> f32
    %w = llvm.fadd %v, %v : f32
    llvm.store %w, %py : f32, !llvm.ptr<1>
    cf.br ^out
  ^out:
    gpu.return
  }
  gpu.func @fixed() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    gpu.return
  }
}
"#;

/// Exit code, standard output and error of `cutec run k.mlir` with these arguments, in a folder
/// with the file.
fn run_in(folder: &TempDir, text: &str, arguments: &str) -> (Option<i32>, String, String) {
    fs::write(folder.path().join("k.mlir"), text).unwrap();
    let mut c = Command::new(env!("CARGO_BIN_EXE_cutec"));
    c.current_dir(folder.path()).args(["run", "k.mlir"]).args(arguments.split_whitespace());
    let output = c.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn run(arguments: &str) -> (Option<i32>, String, String) {
    run_in(&tempfile::tempdir().unwrap(), KERNELS, arguments)
}

const GOOD: &str =
    "--kernel twice --grid 2 --block 64 --arg x:f32[100]=range --arg y:f32[100] --arg n:i32=100";

#[test]
fn arrays_come_from_files_and_go_to_files() {
    let folder = tempfile::tempdir().unwrap();
    let first = run_in(&folder, KERNELS, &format!("{GOOD} --out y=a.npy"));
    assert_eq!((first.0, first.2.as_str()), (Some(0), ""));
    let again = GOOD.replace("=range", "=a.npy") + " --out y=b.npy --report json";
    let (code, out, err) = run_in(&folder, KERNELS, &again);
    assert_eq!(code, Some(0), "{err}");
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&report["stats"]["threads"], &report["stats"]["loads"]), (&128.into(), &100.into()));
    assert_eq!(report["findings"], Value::Array(Vec::new()));
    let file = npyz::NpyFile::new(fs::File::open(folder.path().join("b.npy")).unwrap()).unwrap();
    assert_eq!(file.shape(), [100]);
    assert_eq!(file.into_vec::<f32>().unwrap(), (0..100).map(|i| 4.0 * i as f32).collect::<Vec<_>>());
}

#[test]
fn a_finding_fails_the_run_and_names_the_line() {
    let (code, out, err) = run(&GOOD.replace("n:i32=100", "101"));
    assert_eq!(code, Some(1));
    assert!(out.contains("k.mlir:13:10: `llvm.load` in block (1, 0, 0), thread (36, 0, 0): 4 bytes at byte 400 of buffer x, which has 400 bytes"), "{out}");
    assert_eq!(err, "error: kernel 'twice' has 1 finding\n");
    let json = GOOD.replace("n:i32=100", "101") + " --report json";
    let report: Value = serde_json::from_str(&run(&json).1).unwrap();
    assert_eq!((&report["kernel"], report["findings"].as_array().map(Vec::len)), (&"twice".into(), Some(1)));
}

/// Threads write a tile, and one of them fences for all and sends it.
const ISSUER_FENCES: &str = r#"gpu.module @m {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  gpu.func @send(%out: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %bytes = llvm.mlir.constant(128 : i32) : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %a = llvm.getelementptr %slot[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %t, %a : i32, !llvm.ptr<3>
    nvvm.barrier0
    %first = llvm.icmp "eq" %t, %zero : i32
    cf.cond_br %first, ^send, ^end
  ^send:
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.cp.async.bulk.global.shared.cta %out, %slot, %bytes : !llvm.ptr<1>, !llvm.ptr<3>
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0 {read}
    cf.br ^end
  ^end:
    gpu.return
  }
}
"#;

#[test]
fn a_portability_finding_fails_only_strictly() {
    let folder = tempfile::tempdir().unwrap();
    let send = "--grid 1 --arg out:i32[32] --out out=a.npy";
    let (code, out, err) = run_in(&folder, ISSUER_FENCES, send);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("portability: k.mlir:15:5: `nvvm.cp.async.bulk.global.shared.cta`"), "{out}");
    assert!(out.contains("\n  rule X1 (PTX ISA, Async proxy); relied on by: ThunderKittens"), "{out}");
    let (code, out, err) = run_in(&folder, ISSUER_FENCES, &format!("{send} --strict-isa"));
    assert!(code == Some(1) && err.contains("1 finding; 'a.npy' is not written"), "{err}");
    assert!(out.contains("error: k.mlir:15:5: `nvvm.cp.async.bulk.global.shared.cta`"), "{out}");
    let (_, out, _) = run_in(&folder, ISSUER_FENCES, &format!("{send} --pedantic --report json"));
    let report: Value = serde_json::from_str(&out).unwrap();
    let finding = &report["findings"][0];
    assert_eq!(
        (&finding["grade"], &finding["kind"]["kind"], &finding["kind"]["rule"]),
        (&"portability".into(), &"proxy_order".into(), &"own_fence".into())
    );
    assert_eq!((&finding["rule"]["id"], &finding["rule"]["seen_to_fail"]), (&"X1".into(), &"".into()));
}

#[test]
fn the_block_is_the_kernels_own_if_it_is_not_said() {
    let (code, out, err) = run("--kernel fixed --grid 2");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.starts_with("fixed: 2 blocks, 128 threads"), "{out}");
}

#[test]
fn a_file_has_the_type_and_shape_that_its_argument_says() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run_in(&folder, KERNELS, &format!("{GOOD} --out y=a.npy")).0, Some(0));
    let says = |array: &str, text: &str| {
        let arguments = GOOD.replace("x:f32[100]=range", array) + " --out y=b.npy";
        let (code, out, err) = run_in(&folder, KERNELS, &arguments);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{array}: {err}");
        assert!(err.starts_with(&format!("error: --arg {array}: ")) && err.contains(text), "{array}: {err}");
        assert!(!folder.path().join("b.npy").exists());
    };
    says("x:f32[10x10]=a.npy", "'a.npy' has the shape [100], not [10, 10]");
    says("x:i32[100]=a.npy", "'a.npy' as i32: ");
    says("x:bf16[100]=a.npy", "'a.npy' as bf16: ");
    fs::write(folder.path().join("c.npy"), "no array").unwrap();
    says("x:f32[100]=c.npy", "'c.npy' is not a .npy file");
}

#[test]
fn what_does_not_fit_is_said_before_anything_runs() {
    let says = |arguments: &str, text: &str| {
        let (code, out, err) = run(arguments);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{arguments}: {err}");
        assert!(err.starts_with("error: ") && err.contains(text), "{arguments}: {err}");
    };
    says("--grid 1", "'k.mlir' has the kernels twice, fixed; choose one with --kernel");
    says("--grid 1 --kernel third", "there is no kernel 'third' in 'k.mlir'; it has twice, fixed");
    says("--grid 0 --kernel fixed", "an extent of 0 launches nothing");
    says("--kernel fixed", "arguments were not provided: --grid <X,Y,Z>");
    says(
        "--grid 1 --kernel fixed --block 32",
        "kernel 'fixed': its block is [32, 1, 1], but it was compiled \
                                                for [64, 1, 1]",
    );
    says(
        "--grid 1,65536 --kernel fixed",
        "kernel 'fixed': its grid is [1, 65536, 1], but sm_90a allows at most [2147483647, 65535",
    );
    says(
        &GOOD.replace("--block 64", ""),
        "kernel 'twice': it does not specify its block; give --block X,Y,Z",
    );
    says(
        &GOOD.replace("--block 64", "--block 1025"),
        "its block [1025, 1, 1] has 1025 threads, but at most 1024 are possible",
    );
    says(
        &GOOD.replace("--block 64", "--block 1,1,65"),
        "its block is [1, 1, 65], but sm_90a allows at most [1024, 1024, 64]",
    );
    says(
        &format!("{GOOD} --shared 300000"),
        "it needs 300000 bytes of shared memory, but sm_90a has at most 232448 per block",
    );
    says("--grid 1 --kernel fixed --arg 1", "kernel 'fixed' has 0 parameters, but --arg was given once");
    says(
        &GOOD.replace(" --arg n:i32=100", ""),
        "3 parameters (x (!llvm.ptr<1>), y (!llvm.ptr<1>), n (i32)), but --arg was given 2 times",
    );
    says(&GOOD.replace("n:i32=100", "n:f32=100"), "--arg n:f32=100: parameter 'n' is i32, not f32");
    says(&GOOD.replace("n:i32=100", "3.5"), "parameter 'n' is i32, but 3.5 is a float");
    says(&GOOD.replace("n:i32=100", "i32[4]"), "parameter 'n' is i32, not a pointer");
    says(
        &GOOD.replace("y:f32[100]", "7.5"),
        "parameter 'y' is a pointer: give it an array, such as f32[128x64], an address, such as &A+16 or 0x7000, or null",
    );
    says(&GOOD.replace("=range", "=none.npy"), "cannot read 'none.npy'");
    says(&GOOD.replace("x:f32", "x:f33"), "there is no type 'f33'; there are f16, bf16, f32,");
    says(&GOOD.replace("y:f32", "x:f32"), "--arg x:f32[100]: this is parameter 'y'; 'x' is another one");
    says(
        &GOOD.replace("x:f32", "a:f32").replace("y:f32", "a:f32"),
        "--arg a:f32[100]: the name 'a' is taken",
    );
    says(&format!("{GOOD} --out z=z.npy"), "--out z=z.npy: there is no array 'z'; there are x, y");
    says(&GOOD.replace("n:i32=100", "x:100"), "this is parameter 'n'; 'x' is another one");
    says(&format!("{GOOD} --out y"), "--out y: write NAME=FILE.npy");
    says(
        &format!("{GOOD} --memory 0"),
        "the kernel touches more of its arrays than the 0 bytes that --memory allows; raise the limit",
    );
    says(&GOOD.replace("x:f32[100]", "x:f32[9999999999x9999999999]"), "more bytes than there are addresses");
    says(
        &format!("{GOOD} --target sm_70"),
        "invalid value 'sm_70' for '--target <GPU>' [possible values: sm_80,",
    );
    says(&format!("{GOOD} --compare"), "arguments were not provided: --gpu");
    says(&format!("{GOOD} --block 2000"), "cannot be used multiple times");
}

#[test]
fn an_operation_without_a_model_is_named_before_anything_runs() {
    let shift = "    %z = llvm.mlir.zero : !llvm.ptr<6>\n    nvvm.tcgen05.shift %z : !llvm.ptr<6>\n";
    let text = KERNELS.replace("    gpu.return\n  }\n}", &format!("{shift}    gpu.return\n  }}\n}}"));
    let folder = tempfile::tempdir().unwrap();
    let (code, _, err) = run_in(&folder, &text, "--kernel fixed --grid 1");
    assert_eq!(code, Some(1));
    assert_eq!(
        err,
        "error: k.mlir:22:5: `nvvm.tcgen05.shift`: the operation (PTX does not say in which direction it shifts) is not \
         modelled\n"
    );
}

#[test]
fn an_endless_kernel_stops_at_its_budget() {
    let text = "gpu.module @m { gpu.func @k() kernel { cf.br ^l\n^l:\n  cf.br ^l } }";
    let (code, out, _) = run_in(&tempfile::tempdir().unwrap(), text, "--grid 1 --block 32 --budget 1000");
    assert_eq!(code, Some(1));
    assert!(out.contains("the budget of 1000 instructions is used up"), "{out}");
}

#[test]
fn a_parameter_by_value_takes_bytes() {
    let text = r#"gpu.module @m {
      llvm.func @k(%s: !llvm.ptr {llvm.byval = !llvm.struct<(i32, i32)>}, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
        %p = llvm.getelementptr %s[1] : (!llvm.ptr) -> !llvm.ptr, i32
        %x = llvm.load %p : !llvm.ptr -> i32
        llvm.store %x, %out : i32, !llvm.ptr<1>
        llvm.return
      }
    }"#;
    let run = |arguments: &str| {
        let folder = tempfile::tempdir().unwrap();
        let (code, _, err) = run_in(&folder, text, &format!("--grid 1 --block 1 {arguments}"));
        (code, err, fs::read(folder.path().join("o.npy")).ok())
    };
    let (code, err, out) = run("--arg i32[2]=range --arg o:i32[1] --out o=o.npy");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.is_some_and(|bytes| bytes.ends_with(&1i32.to_le_bytes())));
    let refused = |argument: &str, why: &str| {
        let (code, err, _) = run(&format!("--arg {argument} --arg o:i32[1]"));
        assert_eq!(
            (code, err),
            (Some(1), format!("error: --arg {argument}: parameter 's' has 8 bytes{why}\n"))
        );
    };
    let forms = "an array of 8 bytes, such as u8[8]=FILE.npy, a struct, such as {&A+16,i32=5}, or tensor_map(ARRAY,box=..)";
    refused("1", &format!(": give it {forms}"));
    refused("i32[3]", ", but the array has 12");
    refused("tensor_map(o,box=1)", ", but a tensor map has 128");
}

/// The conversion of `gpu.func` drops the attribute.
#[test]
fn a_parameter_of_a_gpu_func_is_passed_by_value_too() {
    let text = r#"gpu.module @m {
      gpu.func @k(%_m: !cute.memref<i32, gmem, "(4,?):(1,4)">, %s: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<32 x i32>}, %out: !llvm.ptr<1>) kernel {
        %p = llvm.getelementptr %s[1] : (!llvm.ptr) -> !llvm.ptr, i32
        %x = llvm.load %p : !llvm.ptr -> i32
        llvm.store %x, %out : i32, !llvm.ptr<1>
        gpu.return
      }
    }"#;
    let folder = tempfile::tempdir().unwrap();
    let arguments =
        "--grid 1 --block 1 --arg _m:i32[4x8] --arg s:i32[32]=range --arg out:i32[1] --out out=o.npy";
    for through in ["", " --through ptx"] {
        let (code, _, err) = run_in(&folder, text, &format!("{arguments}{through}"));
        assert_eq!((code, err.as_str()), (Some(0), ""));
        let out = fs::read(folder.path().join("o.npy")).unwrap();
        assert!(out.ends_with(&1i32.to_le_bytes()), "{out:?}");
    }
    let mut cutec = Command::new(env!("CARGO_BIN_EXE_cutec"));
    cutec.current_dir(folder.path()).args(["k.mlir", "--target", "sm_90a", "-o", "k.ptx"]);
    assert!(cutec.status().unwrap().success());
    let ptx = fs::read_to_string(folder.path().join("k.ptx")).unwrap();
    assert!(ptx.contains(".param .align 64 .b8 k_param_2[128]"), "{ptx}");
    let manifest: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("k.ptx.json")).unwrap()).unwrap();
    let parameter = &manifest["kernels"][0]["parameters"][2];
    assert_eq!(
        (&parameter["width"], &parameter["alignment"], &parameter["kind"]),
        (&128.into(), &64.into(), &"bytes".into())
    );
}

/// Element (%i,0) of a 4 x n matrix, if there is one.
const CHECKED: &str = r#"gpu.module @m {
  gpu.func @k(%m: !cute.memref<i32, gmem, "(4,?):(1,4)">, %i: i32) kernel {
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,0)">
    %l = cute.get_layout(%m) : !cute.memref<i32, gmem, "(4,?):(1,4)">
    %x = cute.crd2idx(%c, %l) : (!cute.coord<"(?,0)">, !cute.layout<"(4,?):(1,4)">) -> !cute.int_tuple<"?">
    cute.print(%x) : !cute.int_tuple<"?">
    gpu.return
  }
}
"#;

#[test]
fn checked_code_prints_and_traps() {
    let run = |index: u32, options: &str| {
        let folder = tempfile::tempdir().unwrap();
        let arguments = format!("--grid 1 --block 2 --arg i32[4x8] --arg 8 --arg {index} {options}");
        run_in(&folder, CHECKED, &arguments)
    };
    let (code, out, err) = run(3, "--runtime-checks");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.starts_with("3\n3\nk: 1 block"), "{out}");
    let (code, out, _) = run(4, "--runtime-checks");
    assert_eq!(code, Some(1));
    // Findings come first, then the output of the kernel.
    let trap = "error: k.mlir:5:10: `llvm.intr.trap` in block (0, 0, 0), thread (0, 0, 0): the kernel traps: \
        'cute.crd2idx' op index 4 is outside [0, 4)\n";
    assert!(out.starts_with(trap), "{out}");
    assert!(out.contains("\n'cute.crd2idx' op index 4 is outside [0, 4)\n"), "{out}");
    assert_eq!(run(4, "").0, Some(0));
}

/// Prints a matrix whose number of rows is known at run time.
const SHOWN: &str = r#"!x = !cute.memref<f16, gmem, "(?,4):(4,1)">
gpu.module @m {
  gpu.func @k(%x: !x) kernel {
    cute.print_view(%x) : !x
    gpu.return
  }
}
"#;

#[test]
fn a_kernel_prints_a_view() {
    let run = |text: &str, array: &str| {
        let folder = tempfile::tempdir().unwrap();
        run_in(&folder, text, &format!("--grid 1 --block 1 --arg {array}=range"))
    };
    let (code, out, err) = run(SHOWN, "f16[3x4]");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let (header, rest) = out.split_once('\n').unwrap();
    assert!(header.starts_with("tensor(raw_ptr(0x"), "{header}");
    assert!(header.ends_with(": f16, gmem, align<2>) o (3,4):(4,1), data="), "{header}");
    let rows = "       [[ 0.000000,  1.000000,  2.000000,  3.000000, ],
        [ 4.000000,  5.000000,  6.000000,  7.000000, ],
        [ 8.000000,  9.000000,  10.000000,  11.000000, ]])\n";
    assert!(rest.starts_with(rows), "{rest}");
    let (code, _, err) = run(&SHOWN.replace("f16,", "f8E4M3FN,"), "u8[3x4]");
    assert_eq!(code, Some(1));
    let why = "k.mlir:4:5: error: 'cute.print_view' op: cannot print elements of type f8E4M3FN, only f16, \
        bf16, f32, f64 and integers: convert the tensor first";
    assert!(err.contains(why), "{err}");
}

/// The last of 1000 words of dynamic shared memory, stored and loaded.
const DYNAMIC: &str = r#"gpu.module @m {
  gpu.func @k() kernel attributes {SIZE known_block_size = array<i32: 1, 1, 1>} {
    %p = cute_nvgpu.arch.get_dyn_smem() : !cute.ptr<i32, smem, align<16>>
    %view = cute.make_view(%p) : !cute.memref<i32, smem, align<16>, "1000:1">
    %at = cute.static : !cute.coord<"999">
    %v = arith.constant 7 : i32
    cute.memref.store(%view, %at, %v) : (!cute.memref<i32, smem, align<16>, "1000:1">, !cute.coord<"999">, i32) -> ()
    gpu.return
  }
}
"#;

#[test]
fn a_kernel_says_its_dynamic_shared_memory() {
    let run = |size: &str, arguments: &str| {
        let text = DYNAMIC.replace("SIZE", size);
        run_in(&tempfile::tempdir().unwrap(), &text, &format!("--grid 1 {arguments}"))
    };
    let known = "cute.dynamic_shared_memory = 4000 : i64,";
    for (size, arguments) in
        [(known, ""), (known, "--shared 4000"), (known, "--shared 5000"), ("", "--shared 4000")]
    {
        let (code, _, err) = run(size, arguments);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{size} {arguments}");
    }
    for (size, arguments, text) in [
        (
            known,
            "--shared 3999",
            "kernel 'k': --shared 3999 is too small: the kernel needs 4000 bytes of dynamic shared memory. Omit --shared",
        ),
        (
            "",
            "",
            "kernel 'k': it has dynamic shared memory, but does not specify the number of bytes; give --shared BYTES, or give it the attribute cute.dynamic_shared_memory",
        ),
        (
            "cute.dynamic_shared_memory = 99999999999 : i64,",
            "",
            "kernel 'k': it needs 99999999999 bytes of shared memory, but sm_90a has at most 232448 per block",
        ),
        (
            "cute.dynamic_shared_memory = -1 : i64,",
            "",
            "'k.mlir': kernel 'k': cute.dynamic_shared_memory counts bytes, an integer from 0 on, found -1 : i64",
        ),
        (
            "cute.dynamic_shared_memory = \"much\",",
            "",
            "'k.mlir': kernel 'k': cute.dynamic_shared_memory counts bytes, an integer from 0 on, found \"much\"",
        ),
    ] {
        let (code, _, err) = run(size, arguments);
        assert_eq!(code, Some(1), "{size} {arguments}");
        assert!(err.contains(&format!("error: {text}\n")), "{size} {arguments}: {err}");
    }
}

#[test]
fn auto_is_the_number_of_sms() {
    let x = "--kernel twice --block 64 --arg x:f32[100]=range --arg y:f32[100]";
    let (code, out, err) = run(&format!("{x} --arg n:i32=auto --grid auto --sms 3 --report json"));
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let report: Value = serde_json::from_str(&out).unwrap();
    // Three blocks, and three elements are doubled.
    assert_eq!([&report["stats"]["blocks"], &report["stats"]["stores"]], [3, 3], "{out}");
    let why = "auto is the number of SMs; give the number of the simulated GPU with --sms";
    for arguments in ["--grid auto --arg 100", "--grid 2 --arg auto"] {
        let (code, _, err) = run(&format!("{x} {arguments}"));
        assert!(code == Some(1) && err.contains(why), "{err}");
    }
}
