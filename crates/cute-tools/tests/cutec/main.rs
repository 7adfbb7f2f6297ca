//! `cutec` as its users run it: files in, files out, exit codes and texts.

mod assembly;
mod autopsy;
mod cache;
mod explain;
mod files;
#[path = "../../../../tests/common/full.rs"]
mod full;
mod gate;
mod limits;
mod manifest;
mod mutate;
mod ptxas;
mod registers;
mod terminal;

use std::{
    fs,
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

/// The result of a run.
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
        let version = cute_driver::backend::version(*t);
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

/// An op that CuTe DSL may spell otherwise, as upstream has it, makes no module CuTe DSL's.
#[test]
fn a_barrier_is_not_of_cute_dsl() {
    let place =
        Place::with("gpu.module @m {\n  gpu.func @k() kernel {\n    nvvm.barrier\n    gpu.return\n  }\n}\n");
    let run = place.run("k.mlir --target sm_80 -o -");
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
}

#[test]
fn diagnostics_show_the_line() {
    let run = Place::with("module {\n  func.func @f( {\n}\n").run("k.mlir --target sm_80 -o k.ptx");
    assert_eq!(run.code, Some(1));
    let caret = "k.mlir:2:16: error: expected non-function type\n  func.func @f( {\n               ^\n";
    let open = "note: 'k.mlir' ends inside of 2 brackets: is the file complete?\n";
    assert_eq!(run.err, format!("{caret}{open}"));

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
    let lacks = "gpu.module @m {\n  gpu.func @k() kernel {\n    llvm.call_intrinsic \"llvm.nvvm.tcgen05.wait.ld\"() : () -> ()\n    \
                 gpu.return\n  }\n}\n";
    fs::write(place.path("lacks.mlir"), lacks).unwrap();
    fs::create_dir(place.path("folder")).unwrap();

    let cases = [
        ("none.mlir --target sm_80 -o k.ptx", "cannot read 'none.mlir': No such file or directory"),
        ("folder --target sm_80 -o k.ptx", "cannot read 'folder': Is a directory"),
        ("bytes.mlir --target sm_80 -o k.ptx", "'bytes.mlir' is not UTF-8 text (byte 9)"),
        ("/dev/zero --target sm_80 -o k.ptx", "'/dev/zero' has more than 268435456 bytes"),
        ("zero.mlir --target sm_80 -o k.ptx", "'zero.mlir' has a NUL (byte 9), so it is not a text"),
        ("empty.mlir --target sm_80 -o k.ptx", "'empty.mlir': there is no gpu.module with a kernel"),
        (
            "two.mlir --target sm_80 -o k.ptx",
            "'two.mlir': there are kernels in more than one gpu.module (@m, @n); compile one at a time",
        ),
        (
            "lacks.mlir --target sm_90a -o k.ptx",
            "'lacks.mlir': LLVM cannot compile this: Cannot select: intrinsic %llvm.nvvm.tcgen05.wait.ld",
        ),
        (
            "k.mlir --target sm_70 -o k.ptx",
            "invalid value 'sm_70' for '--target <GPU>' [possible values: sm_80, sm_86, sm_87, sm_89, sm_90, sm_90a, sm_100, \
             sm_100f, sm_100a, sm_103, sm_103f, sm_103a, sm_110, sm_110f, sm_110a, sm_120, sm_120f, sm_120a, sm_121, \
             sm_121f, sm_121a]",
        ),
        ("k.mlir", "the following required arguments were not provided: --target <GPU>"),
        ("k.mlir --emit llvm", "the following required arguments were not provided: --target <GPU>"),
        ("k.mlir --target sm_80 --emit cubin", "--emit cubin needs -o FILE"),
        ("k.mlir --target sm_80 -o k.mlir", "-o would overwrite 'k.mlir', which is being compiled"),
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

#[test]
fn a_byte_order_mark_is_left_out() {
    let place = Place::with(&format!("\u{feff}{KERNEL}"));
    place.good("k.mlir --target sm_80 -o k.ptx");
    let run = Place::with("\u{feff}gpu.module @m { x }").run("k.mlir --target sm_80");
    assert!(run.err.starts_with("k.mlir:1:17: error: "), "{}", run.err);
}

#[test]
fn a_reader_that_leaves_is_no_panic() {
    let place = Place::with(KERNEL);
    let run = |arguments: &str| {
        // The pipe is closed before anything is written.
        let script = format!("({} {arguments}; echo $? >&2) | true", env!("CARGO_BIN_EXE_cutec"));
        let mut shell = Command::new("sh");
        shell.current_dir(place.0.path()).args(["-c", &format!("exec 3>&1; {script}")]);
        finish(shell).err
    };
    assert_eq!(run("--help"), "0\n");
    assert_eq!(run("build --help"), "0\n");
    let err = run("k.mlir --target sm_80");
    assert!(err == "0\n" || err == "error: cannot write 'standard output': Broken pipe\n1\n", "{err}");
    // Nobody hears what is wrong either.
    let mut c = place.command("none.mlir --target sm_80");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    assert_eq!(c.stderr(writer).status().unwrap().code(), Some(1));
}

#[test]
fn help_names_the_command() {
    let place = Place::with(KERNEL);
    for command in ["run", "build"] {
        let help = place.good(&format!("{command} --help"));
        assert!(help.contains(&format!("Usage: cutec {command} ")), "{help}");
    }
}

#[test]
fn a_copy_of_many_calls_is_a_warning_and_of_too_many_an_error() {
    let copy = |elements: u32| {
        format!(
            "!m = !cute.memref<f32, gmem, \"{elements}:1\">\n!a = !cute_nvgpu.atom.universal_copy<f32>\n\
             gpu.module @m {{\n  gpu.func @k(%x: !m, %y: !m) kernel {{\n    %a = cute.make_atom() : () -> !a\n    \
             cute.copy(%a, %x, %y) : (!a, !m, !m)\n    gpu.return\n  }}\n}}\n"
        )
    };
    let run = Place::with(&copy(5000)).run("k.mlir --target sm_80 --emit mlir");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let warning = "k.mlir:6:5: warning: 'cute.copy' op is unrolled to 5000 calls of its atom, which takes";
    assert!(run.err.starts_with(warning), "{}", run.err);
    let run = Place::with(&copy(16385)).run("k.mlir --target sm_80 --emit mlir");
    let error = "k.mlir:6:5: error: 'cute.copy' op: 16385 calls of its atom are in mode 0, which is \
                 unrolled; at most 16384 can be. Divide the views so that most calls are in later modes, or";
    assert_eq!(run.code, Some(1));
    assert!(run.err.starts_with(error), "{}", run.err);
    let run = Place::with(&copy(4096)).run("k.mlir --target sm_80 --emit mlir");
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
}
