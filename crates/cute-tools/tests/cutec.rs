//! `cutec` as its users run it: files in, files out, exit codes and texts.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    process::{Command, Stdio},
};

use cute_arch::Target;
use serde_json::Value;
use tempfile::TempDir;

/// A kernel with one parameter of each kind, whose branches each wait at a barrier of their own.
const KERNEL: &str = r#"gpu.module @m {
  gpu.func @k(%p: !llvm.ptr<1>, %n: i32, %l: i64, %f: f32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c = arith.cmpi slt, %t, %n : i32
    cf.cond_br %c, ^a, ^b
  ^a:
    llvm.inline_asm has_side_effects "bar.sync 0;", "~{memory}" : () -> ()
    llvm.store %f, %p : f32, !llvm.ptr<1>
    cf.br ^c
  ^b:
    llvm.inline_asm has_side_effects "bar.sync 0;", "~{memory}" : () -> ()
    cf.br ^c
  ^c:
    gpu.return
  }
}
"#;

/// What a run left.
struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

/// A folder to run in.
struct Place(TempDir);

impl Place {
    /// With `k.mlir` in it.
    fn with(text: &str) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::write(place.path("k.mlir"), text).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &str) -> Command {
        let mut c = Command::new(env!("CARGO_BIN_EXE_cutec"));
        c.current_dir(self.0.path()).args(arguments.split_whitespace()).stdin(Stdio::null());
        c
    }

    fn run(&self, arguments: &str) -> Run {
        finish(self.command(arguments))
    }

    /// Runs; it must succeed.
    fn good(&self, arguments: &str) -> String {
        let run = self.run(arguments);
        assert_eq!(run.code, Some(0), "{arguments}: {}", run.err);
        run.out
    }

    /// Runs; it must fail, in one line, and leave nothing.
    fn bad(&self, arguments: &str) -> String {
        let before = self.files();
        let run = self.run(arguments);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{arguments}: {}", run.err);
        assert_eq!(self.files(), before, "{arguments}");
        assert!(run.err.starts_with("error: ") && run.err.lines().count() == 1, "{arguments}: {}", run.err);
        run.err.trim_start_matches("error: ").trim_end().to_string()
    }

    fn files(&self) -> Vec<(PathBuf, u64)> {
        let files = fs::read_dir(self.0.path()).unwrap().map(|e| e.unwrap());
        let mut files: Vec<_> = files.map(|e| (e.path(), e.metadata().unwrap().len())).collect();
        files.sort();
        files
    }

    /// A ptxas that says `text` and exits with `code`.
    fn ptxas(&self, text: &str, code: i32) -> PathBuf {
        let file = self.path("ptxas");
        let script = format!("#!/bin/sh\necho \"{text}\" >&2\n: >\"$6\"\nexit {code}\n");
        fs::write(&file, script).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        file
    }
}

fn finish(mut c: Command) -> Run {
    let done = c.output().unwrap();
    let text = |b: Vec<u8>| String::from_utf8(b).unwrap();
    Run { code: done.status.code(), out: text(done.stdout), err: text(done.stderr) }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn every_target_gets_its_ptx() {
    let place = Place::with(KERNEL);
    for t in Target::all() {
        let ptx = place.good(&format!("k.mlir --target {t}"));
        let version = t.ptx_version();
        assert!(ptx.contains(&format!(".target {t}\n")), "{ptx}");
        assert!(ptx.contains(&format!(".version {}.{}\n", version / 10, version % 10)), "{ptx}");
        assert!(ptx.contains(".visible .entry k("), "{ptx}");
    }
}

#[test]
fn barriers_of_two_branches_stay_two() {
    let ptx = Place::with(KERNEL).good("k.mlir --target sm_90a");
    assert_eq!(ptx.matches("bar.sync").count(), 2, "{ptx}");
}

#[test]
fn a_barrier_in_a_function_keeps_its_callers_apart() {
    let asm = "llvm.inline_asm has_side_effects \"bar.sync 0;\", \"~{memory}\" : () -> ()";
    let text = KERNEL.replace(asm, "func.call @wait() : () -> ()");
    let wait = format!(
        "  func.func @wait() attributes {{passthrough = [\"noinline\"]}} {{\n    {asm}\n    return\n  }}\n}}\n"
    );
    let text = text.trim_end().strip_suffix('}').unwrap().to_string() + &wait;
    let ptx = Place::with(&text).good("k.mlir --target sm_90a");
    let (kernel, _) = ptx.split_once("// .globl\twait").unwrap();
    assert_eq!(kernel.matches("call.uni wait").count(), 2, "{ptx}");
}

#[test]
fn the_manifest_says_how_to_launch() {
    let place = Place::with(KERNEL);
    let manifest = json(&place.good("k.mlir --target sm_90a --emit manifest"));
    assert_eq!(manifest["target"], "sm_90a");
    let kernel = &manifest["kernels"][0];
    let facts = ["type", "kind", "width", "offset"];
    let parameters: Vec<_> = kernel["parameters"].as_array().unwrap().iter().collect();
    let table: Vec<_> = parameters.iter().map(|p| facts.map(|f| p[f].to_string())).collect();
    assert_eq!(
        table,
        [
            ["\"!llvm.ptr<1>\"", "\"pointer\"", "8", "0"],
            ["\"i32\"", "\"i32\"", "4", "8"],
            ["\"i64\"", "\"i64\"", "8", "16"],
            ["\"f32\"", "\"f32\"", "4", "24"],
        ]
    );
    assert_eq!(parameters[3]["name"], "k_param_3");
    assert_eq!(kernel["block"], json("[128, 1, 1]"));
    assert_eq!(kernel["cluster"], Value::Null);
    assert_eq!(kernel["shared_memory"], json(r#"{"static": 0, "dynamic": false}"#));

    // The same lies beside the PTX.
    place.good("k.mlir --target sm_90a -o k.ptx");
    assert_eq!(json(&fs::read_to_string(place.path("k.json")).unwrap()), manifest);
    assert!(fs::read_to_string(place.path("k.ptx")).unwrap().contains(".entry k("));
}

#[test]
fn shared_memory_is_that_of_the_kernel() {
    let place = Place::with(
        "gpu.module @m {
           gpu.func @a() workgroup(%x: memref<3xi8, 3>, %y: memref<64xi32, 3>) kernel {
             %i = arith.constant 0 : index
             %v = arith.constant 0 : i8
             %w = arith.constant 0 : i32
             memref.store %v, %x[%i] : memref<3xi8, 3>
             memref.store %w, %y[%i] : memref<64xi32, 3>
             gpu.return
           }
           gpu.func @b() kernel attributes {cute.dynamic_shared_memory = 9000 : i64} {
             %v = arith.constant 0 : i8
             %i = arith.constant 0 : index
             %s = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
             memref.store %v, %s[%i] : memref<?xi8, #gpu.address_space<workgroup>>
             gpu.return
           }
         }",
    );
    let manifest = json(&place.good("k.mlir --target sm_80 --emit manifest"));
    let shared = |i: usize| manifest["kernels"][i]["shared_memory"].clone();
    assert_eq!(shared(0), json(r#"{"static": 260, "dynamic": false}"#));
    assert_eq!(shared(1), json(r#"{"static": 0, "dynamic": true, "dynamic_size": 9000}"#));
}

#[test]
fn each_stage_can_be_seen() {
    let place = Place::with(KERNEL);
    assert!(place.good("k.mlir --target sm_80 --emit mlir").contains("llvm.func @k(%arg0: !llvm.ptr<1>"));
    let llvm = place.good("k.mlir --target sm_80 --emit llvm");
    assert!(llvm.contains("define ptx_kernel void @k(ptr addrspace(1)"), "{llvm}");
    assert!(llvm.contains("target triple = \"nvptx64-nvidia-cuda\""), "{llvm}");
}

#[test]
fn dashes_are_standard_input_and_output() {
    let place = Place::with("");
    fs::write(place.path("k"), KERNEL).unwrap();
    let mut c = place.command("- --target sm_80 -o -");
    c.stdin(fs::File::open(place.path("k")).unwrap());
    let run = finish(c);
    assert!(run.code == Some(0) && run.out.contains(".entry k("), "{}", run.err);
}

#[test]
fn lineinfo_names_the_lines() {
    let place = Place::with(KERNEL);
    let ptx = place.good("k.mlir --target sm_90a --lineinfo");
    assert!(ptx.contains("\t.file\t1 \"k.mlir\""), "{ptx}");
    assert!(ptx.contains("\t.loc\t1 8 5"), "line 8 stores: {ptx}");
    assert!(!place.good("k.mlir --target sm_90a").contains(".loc"));
}

#[test]
fn the_domain_policy_is_a_default() {
    let divide = "%0 = cute.tiled_divide(%l, %t) : (!cute.layout<\"128:1\">, !cute.shape<\"40\">) -> \
                  !cute.layout<\"(40,4):(1,40)\">";
    let text = format!(
        "module {{\n  func.func @f(%l: !cute.layout<\"128:1\">, %t: !cute.shape<\"40\">) {{\n    {divide}\n    \
         return\n  }}\n}}\n"
    );
    let place = Place::with(&text);
    for strict in ["", "--domain strict"] {
        let run = place.run(&format!("k.mlir --target sm_80 --emit mlir {strict}"));
        assert_eq!(run.code, Some(1));
        assert!(run.err.starts_with("k.mlir:3:10: error: 'cute.tiled_divide' op "), "{}", run.err);
    }
    place.good("k.mlir --target sm_80 --emit mlir --domain extend");
}

#[test]
fn diagnostics_show_the_line() {
    let run = Place::with("module {\n  func.func @f( {\n}\n").run("k.mlir --target sm_80 -o k.ptx");
    assert_eq!(run.code, Some(1));
    let caret = "k.mlir:2:16: error: expected non-function type\n  func.func @f( {\n               ^\n";
    assert_eq!(run.err, caret);

    let wrong = "func.func @f() -> i32 {\n  %0 = arith.constant 1 : i64\n  return %0 : i64\n}\n";
    let place = Place::with(wrong);
    let run = place.run("k.mlir --target sm_80 -o k.ptx");
    assert_eq!(run.code, Some(1));
    assert!(run.err.starts_with("k.mlir:3:3: error: type of return operand 0"), "{}", run.err);
    assert!(!place.path("k.ptx").exists());
}

#[test]
fn errors_are_one_line_and_leave_nothing() {
    let place = Place::with(KERNEL);
    fs::write(place.path("empty.mlir"), "").unwrap();
    fs::write(place.path("bytes.mlir"), b"module {}\xff").unwrap();
    fs::write(place.path("zero.mlir"), b"module {}\0").unwrap();
    fs::write(place.path("two.mlir"), KERNEL.to_string() + &KERNEL.replace("@m", "@n")).unwrap();
    let vast = "gpu.module @m {\n  gpu.func @k(%i: index) workgroup(%x: memref<65536xi8, 3>) kernel {\n    %v = \
                memref.load %x[%i] : memref<65536xi8, 3>\n    memref.store %v, %x[%i] : memref<65536xi8, 3>\n    \
                gpu.return\n  }\n}\n";
    fs::write(place.path("vast.mlir"), vast).unwrap();
    let lacks = "gpu.module @m {\n  gpu.func @k(%a: !llvm.ptr<3>, %n: i32) kernel {\n    nvvm.tcgen05.alloc %a, %n \
                 {group = #nvvm.cta_group<cta_1>} : !llvm.ptr<3>, i32\n    gpu.return\n  }\n}\n";
    fs::write(place.path("lacks.mlir"), lacks).unwrap();
    fs::create_dir(place.path("folder")).unwrap();

    let cases = [
        ("none.mlir --target sm_80 -o k.ptx", "cannot read 'none.mlir': No such file or directory"),
        ("folder --target sm_80 -o k.ptx", "cannot read 'folder': Is a directory"),
        ("bytes.mlir --target sm_80 -o k.ptx", "'bytes.mlir' is not UTF-8 text (byte 9)"),
        ("zero.mlir --target sm_80 -o k.ptx", "'zero.mlir' is not UTF-8 text (byte 9)"),
        ("empty.mlir --target sm_80 -o k.ptx", "no gpu.module with a kernel in 'empty.mlir'"),
        (
            "two.mlir --target sm_80 -o k.ptx",
            "'two.mlir' has kernels in more than one gpu.module (@m, @n); compile one at a time",
        ),
        (
            "vast.mlir --target sm_80 -o k.ptx",
            "kernel 'k' declares 65536 bytes of shared memory, sm_80 allows 49152; use dynamic shared memory for more",
        ),
        (
            "lacks.mlir --target sm_90a -o k.ptx",
            "LLVM cannot compile this: Cannot select: intrinsic %llvm.nvvm.tcgen05.alloc.shared.cg1",
        ),
        (
            "k.mlir --target sm_70 -o k.ptx",
            "invalid value 'sm_70' for '--target <GPU>': unknown target 'sm_70'; targets are sm_80, sm_86, sm_89, \
             sm_90a, sm_100a, sm_103a, sm_120a",
        ),
        ("k.mlir", "the following required arguments were not provided: --target <GPU>"),
        ("k.mlir --target sm_80 --emit cubin", "--emit cubin needs -o FILE"),
        ("k.mlir --target sm_80 -o k.mlir", "-o would overwrite 'k.mlir', which is being compiled"),
        (
            "k.mlir --target sm_80 -o k.json",
            "the manifest of 'k.json' would have the same name; choose a name that does not end in .json",
        ),
        ("k.mlir --target sm_80 -o folder", "cannot write 'folder': is a directory"),
        ("k.mlir --target sm_80 -o none/k.ptx", "cannot write 'none/k.ptx': No such file or directory"),
    ];
    for (arguments, error) in cases {
        assert_eq!(place.bad(arguments), error, "{arguments}");
    }
}

#[test]
fn an_old_result_survives_a_failure() {
    let place = Place::with("module {}");
    fs::write(place.path("k.ptx"), "old").unwrap();
    place.bad("k.mlir --target sm_80 -o k.ptx");
    assert_eq!(fs::read_to_string(place.path("k.ptx")).unwrap(), "old");
}

/// Offset and width of each parameter as the cubin has them: attribute EIATTR_KPARAM_INFO (0x17) of `.nv.info.k`, whose
/// 12 bytes are an index, ordinal and offset of 16 bits each, and the width in the upper 14 bits of a word.
fn cubin_parameters(cubin: &[u8]) -> Vec<(u64, u64)> {
    let at = |i: usize| u16::from_le_bytes([cubin[i], cubin[i + 1]]);
    let found = (0..cubin.len().saturating_sub(16)).filter(|i| cubin[*i..].starts_with(&[4, 0x17, 12, 0]));
    let mut all: Vec<_> = found.map(|i| (at(i + 8), at(i + 10), at(i + 14) >> 2)).collect();
    // Blackwell's cubins hold the table twice.
    all.sort();
    all.dedup();
    all.into_iter().map(|(_, offset, width)| (offset.into(), width.into())).collect()
}

#[test]
fn cubins_need_ptxas_and_agree_with_the_manifest() {
    let place =
        Place::with(&KERNEL.replace("%f: f32", "%f: f32, %h: f16, %v: vector<4xf32>, %b: i8, %z: i64"));
    let Ok(_) = cute_tools::ptxas::find() else {
        let error = place.bad("k.mlir --target sm_80 --emit cubin -o k.cubin");
        assert!(error.contains("there is no ptxas in PATH or a .venv"), "{error}");
        return;
    };
    for t in Target::all() {
        let run = place.run(&format!("k.mlir --target {t} --emit cubin -o k.cubin --lineinfo"));
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert!(run.err.starts_with("k: ") && run.err.contains(" registers, 0 bytes spilled"), "{}", run.err);
        let manifest = json(&fs::read_to_string(place.path("k.json")).unwrap());
        let parameters = manifest["kernels"][0]["parameters"].as_array().unwrap().iter();
        let number = |p: &Value, fact: &str| p[fact].as_u64().unwrap();
        let said: Vec<_> = parameters.map(|p| (number(p, "offset"), number(p, "width"))).collect();
        assert_eq!(cubin_parameters(&fs::read(place.path("k.cubin")).unwrap()), said, "{t}");
    }
}

#[test]
fn what_ptxas_says_is_passed_on() {
    let place = Place::with(KERNEL);
    let run = |ptxas: PathBuf| {
        let mut c = place.command("k.mlir --target sm_90a --emit cubin -o k.cubin");
        c.env("CUTE_PTXAS", ptxas);
        let run = finish(c);
        assert_eq!(run.code, Some(1));
        assert!(!place.path("k.cubin").exists() && !place.path("k.json").exists());
        run.err
    };
    let serialized =
        "ptxas info : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized";
    let err = run(place.ptxas(serialized, 0));
    assert_eq!(err, format!("error: ptxas compiles the kernel slowly:\n{serialized}\n"));
    let err = run(place.ptxas("ptxas fatal : no", 255));
    assert_eq!(err, "error: ptxas refused the PTX for sm_90a:\nptxas fatal : no\n");
    let err = run(place.path("none"));
    assert!(
        err.starts_with("error: CUTE_PTXAS names '") && err.ends_with("none', which is no executable file\n")
    );
}

#[test]
fn a_lowered_kernel_is_compiled_as_it_is() {
    let place = Place::with(
        "gpu.module @m {
           llvm.func @k(%p: !llvm.ptr<1>, %d: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64})
               attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 384>, nvvm.cluster_dim = array<i32: 2>} {
             llvm.return
           }
         }",
    );
    let ptx = place.good("k.mlir --target sm_90a -o -");
    assert!(ptx.contains(".reqntid 384") && ptx.contains(".param .align 64 .b8 k_param_1[128]"), "{ptx}");
    let kernel = json(&place.good("k.mlir --target sm_90a --emit manifest"))["kernels"][0].clone();
    assert_eq!((&kernel["block"], &kernel["cluster"]), (&json("[384, 1, 1]"), &json("[2, 1, 1]")));
    let by_value = r#"{"name": "k_param_1", "type": "!llvm.array<128 x i8>", "width": 128, "offset": 64, "kind": "bytes"}"#;
    assert_eq!(kernel["parameters"][1], json(by_value));
}
