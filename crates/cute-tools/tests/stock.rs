//! The plugin in LLVM's own tools compiles each example as `cutec` does. The commands are those
//! that docs/tools.md shows.

#[path = "common/built.rs"]
mod built;
#[path = "../../../tests/common/documents.rs"]
#[allow(dead_code, reason = "this test runs the commands itself")]
mod documents;
#[path = "../../../tests/common/full.rs"]
mod full;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
};

use cute_driver::{Lowered, Options, ptxas, signature};
use cute_ffi::parse;
use cute_mlir::Target;
use documents::{Step, root, steps};
use melior::Context;
use tempfile::TempDir;

/// The targets for which `./dev run` compiles the examples.
const TARGETS: [Target; 3] = [Target::Sm90a, Target::Sm100a, Target::Sm120a];

/// The tools, and the functions that the page defines.
struct Tools {
    folder: TempDir,
    path: String,
    functions: String,
}

impl Tools {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = built::place(&root(), folder.path());
        let defined = steps(&root().join("docs/tools.md")).into_iter().filter_map(|step| match step {
            Step::Define { text } => Some(text),
            _ => None,
        });
        Self { path, functions: defined.collect(), folder }
    }

    /// The output of a command that reads a text.
    fn run(&self, command: &str, input: &str) -> String {
        let mut shell = Command::new("bash");
        shell.args(["-o", "pipefail", "-c", &format!("{}\n{command}", self.functions)]);
        shell.current_dir(self.folder.path()).env("PATH", &self.path);
        let mut shell =
            shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("bash");
        shell.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("the input");
        let output = shell.wait_with_output().expect("an end");
        let errors = String::from_utf8_lossy(&output.stderr);
        // Choices that the kernel leaves open are remarks.
        let faults = ["error:", "warning:", "note:"].iter().any(|fault| errors.contains(fault));
        let silent = errors.is_empty() || errors.contains("remark:") && !faults;
        assert!(output.status.success() && silent, "{command}: {}\n{errors}", output.status);
        String::from_utf8(output.stdout).expect("text")
    }
}

/// The examples, in the folder and one below it.
/// A sample has every third example.
const STEP: usize = 3;

fn examples() -> Vec<PathBuf> {
    let inside = |folder: &Path| {
        let entries = fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("an entry").path()).collect::<Vec<_>>()
    };
    let (folders, mut files): (Vec<_>, Vec<_>) =
        inside(&root().join("examples")).into_iter().partition(|path| path.is_dir());
    files.extend(folders.iter().flat_map(|folder| inside(folder)));
    files.retain(|path| path.extension().is_some_and(|extension| extension == "mlir"));
    files.sort();
    files
}

/// The program that the simulator runs, and PTX.
struct Compiled {
    program: Vec<u8>,
    ptx: String,
}

/// A module in the LLVM and NVVM dialects as the simulator decodes it.
fn program(module: &melior::ir::Module<'_>) -> Vec<u8> {
    cute_decode::decode(module.as_operation()).expect("a program").to_bytes()
}

/// The steps of `cutec`; `None` if the example is not for the target.
fn by_cutec(name: &str, source: &str, target: Target) -> Option<Compiled> {
    let context = Context::new();
    cute_mlir::load(&context);
    context.attach_diagnostic_handler(|_| true);
    let mut module = parse::module(&context, source, name).expect("the example parses");
    let (options, signatures) = (Options::new(target), signature::of(&module, |_, _, _| None));
    cute_driver::lower(&context, &mut module, &options).ok()?;
    let program = program(&module);
    let mut lowered =
        Lowered { context: &context, module: &mut module, options: &options, signatures: &signatures };
    let code = lowered.translate().expect("LLVM IR").code;
    Some(Compiled { program, ptx: code.into_ptx().expect("PTX").text })
}

/// An example that `mlir-translate` of LLVM 22 does not survive: its verifier of an atomic
/// `llvm.load` looks for a module around the `gpu.module`.
const UNTRANSLATED: &str = "examples/splitk.mlir";

/// The PTX of the page's steps.
fn ptx_by_tools(tools: &Tools, name: &str, target: Target) -> String {
    let features = cute_driver::backend::llvm_features(target);
    tools.run(&format!("stock {name} {target} {features}"), "")
}

/// The program of the page's first step.
fn program_by_tools(tools: &Tools, name: &str, target: Target) -> Vec<u8> {
    let plugin = "target/release/libcute_mlir.so";
    // MLIR 22 does not read back all that it prints in the short form, such as some `nvvm.barrier`.
    let lowered = tools.run(
        &format!(
            "mlir-opt-22 --load-dialect-plugin={plugin} --load-pass-plugin={plugin} --mlir-print-op-generic \
             --mlir-print-debuginfo --mlir-print-local-scope \
             --pass-pipeline='builtin.module(cute-compile{{target={target}}})' {name}"
        ),
        "",
    );
    let context = Context::new();
    cute_mlir::load(&context);
    program(&parse::module(&context, &lowered, "lowered").expect("what mlir-opt prints"))
}

/// PTX without comments and blank lines.
fn bare(ptx: &str) -> String {
    let lines = ptx.lines().map(|line| line.split("//").next().unwrap_or_default().trim_end());
    lines.filter(|line| !line.is_empty()).flat_map(|line| [line, "\n"]).collect()
}

/// Both ways simulate the same program and write the same PTX, so that registers, spills and
/// instructions are the same. ptxas has no remark about it. A sample has each example for one of
/// its targets; with `CUTE_FULL` set, all.
#[test]
fn each_example_is_compiled_as_by_cutec() {
    let (tools, has_ptxas) = (Tools::new(), ptxas::find().is_ok());
    if !has_ptxas {
        println!("ptxas is not there: its remarks are not checked");
    }
    let examples = examples();
    // Compares an example for its targets, or in a sample for one of them, and returns these.
    let check = |index: usize, path: &Path| {
        let source = fs::read_to_string(path).expect("an example");
        let name = path.strip_prefix(root()).expect("an example").display().to_string();
        let mut targets = Vec::new();
        for of in (0..TARGETS.len()).map(|of| (of + index) % TARGETS.len()) {
            let target = TARGETS[of];
            let Some(ours) = by_cutec(&name, &source, target) else { continue };
            targets.push(of);
            let theirs = program_by_tools(&tools, &name, target);
            assert!(theirs == ours.program, "{name}: not the program of cutec for {target}");
            if name != UNTRANSLATED {
                let ptx = ptx_by_tools(&tools, &name, target);
                assert_eq!(bare(&ptx), bare(&ours.ptx), "{name}: not the PTX of cutec for {target}");
            }
            if has_ptxas {
                let assembled = ptxas::assemble(&ours.ptx, target, false, ptxas::LIMIT);
                assembled.unwrap_or_else(|why| panic!("{name} for {target}: {why}"));
            }
            if full::shard().is_none() {
                break;
            }
        }
        assert!(!targets.is_empty(), "{name} is for no target");
        targets
    };
    let (next, compiled) = (AtomicUsize::new(0), Mutex::new([0; TARGETS.len()]));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((index, path)) =
                    Some(next.fetch_add(1, Relaxed)).and_then(|i| Some((i, examples.get(i)?)))
                {
                    if !full::takes(index, STEP) {
                        continue;
                    }
                    let targets = check(index, path);
                    targets.into_iter().for_each(|target| compiled.lock().expect("a count")[target] += 1);
                }
            });
        }
    });
    let compiled = compiled.into_inner().expect("counts");
    let [hopper, blackwell, geforce] = compiled;
    if full::shard().is_some_and(|shard| shard.of == 1) {
        assert!(hopper >= 19 && blackwell >= 18 && geforce >= 12, "{compiled:?}");
    }
}

/// LLVM IR for a GPU whose branches both wait at a barrier, and then add a product.
const BRANCHES: &str = r#"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(i1 %c, ptr %p, float %x, float %y) {
  br i1 %c, label %a, label %b
a:
  call void asm sideeffect "bar.sync 0;", ""()
  br label %end
b:
  call void asm sideeffect "bar.sync 0;", ""()
  br label %end
end:
  %product = fmul contract float %x, %y
  %sum = fadd contract float %product, %x
  store float %sum, ptr %p
  ret void
}
"#;

/// Without the plugin, LLVM merges the barriers of two branches and contracts the sum.
#[test]
fn the_plugin_keeps_barriers_and_sums_apart() {
    let tools = Tools::new();
    let opt = |plugin: &str, text: &str| tools.run(&format!("opt-22 -S -O3 {plugin}"), text);
    let plugin = "--load-pass-plugin=target/release/libcute_mlir.so";
    let counts =
        |text: &str| ["bar.sync", "contract", "convergent"].map(|what| text.matches(what).count() > 1);
    let (without, with) = (opt("", BRANCHES), opt(plugin, BRANCHES));
    assert_eq!([&without, &with].map(|text| text.matches("bar.sync").count()), [1, 2], "{with}");
    assert_eq!(counts(&without), [false, true, false], "{without}");
    assert_eq!(counts(&with), [true, false, true], "{with}");
    // The code of other machines is left alone.
    let host = BRANCHES.replace("nvptx64-nvidia-cuda", "x86_64-unknown-linux-gnu").replace("ptx_kernel ", "");
    assert_eq!(opt(plugin, &host), opt("", &host));
}
