//! Modules of upstream stay as they are: `nvvm.mlir` has every op of the NVVM dialect of the
//! installed LLVM, as stock `mlir-opt` accepts it.

use melior::Context;
use melior::dialect::DialectRegistry;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const ALL: &str = include_str!("nvvm.mlir");

/// The folder of LLVM, as for the build.
fn llvm() -> PathBuf {
    PathBuf::from(env::var("MLIR_SYS_220_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into()))
}

/// The output of a tool of LLVM.
fn output(tool: &str, arguments: &[&str]) -> String {
    let tool = llvm().join("bin").join(tool);
    let output = Command::new(&tool).args(arguments).output();
    let output = output.unwrap_or_else(|e| panic!("{}: {e}", tool.display()));
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The ops that the dialect's tables define.
fn ops_of_nvvm() -> Vec<String> {
    let include = llvm().join("include");
    let tables = include.join("mlir/Dialect/LLVMIR/NVVMOps.td");
    let [include, tables] = [include, tables].map(|path| path.display().to_string());
    let docs = output("mlir-tblgen", &["-gen-op-doc", "-I", &include, &tables]);
    let name = |line: &str| Some(line.strip_prefix("### `")?.split_once('`')?.0.to_owned());
    docs.lines().filter_map(name).collect()
}

/// Whether upstream's dialects accept a module, with all rules of its ops.
fn is_accepted(text: &str) -> bool {
    let context = Context::new();
    let registry = DialectRegistry::new();
    melior::utility::register_all_dialects(&registry);
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    cute_ffi::parse::module(&context, text, "nvvm.mlir").is_some()
}

#[test]
fn the_module_has_every_op_and_mlir_opt_accepts_it() {
    let ops = ops_of_nvvm();
    assert!(ops.len() > 180, "{}", ops.len());
    let words: Vec<&str> = ALL.split_whitespace().collect();
    let missing: Vec<_> = ops.iter().filter(|op| !words.contains(&op.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nvvm.mlir");
    output("mlir-opt", &[&file.display().to_string(), "-o", "/dev/null"]);
    assert!(is_accepted(ALL));
}

#[test]
fn the_import_leaves_upstreams_ops_alone() {
    // Each line alone, so that a failure names the op.
    let (head, rest) = ALL.split_at(ALL.find("    %envreg0").expect("the first op"));
    let made = ["%i8", "%zero"].map(|value| {
        let line = rest.lines().find(|line| line.trim_start().starts_with(&format!("{value} =")));
        (value, line.expect("it is made"))
    });
    for line in rest.lines().filter(|line| line.contains("nvvm.")) {
        let before = made.iter().filter(|(value, _)| line.contains(value));
        let before: String = before.map(|(_, line)| format!("{line}\n")).collect();
        let text = format!("{head}{before}{line}\n    llvm.return\n  }}\n}}\n");
        assert_eq!(cute_import::import(&text, "nvvm.mlir", &|_| ()), Ok(None), "{line}");
    }
}

#[test]
fn modules_in_either_form_stay() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nvvm.mlir");
    let generic = output("mlir-opt", &["--mlir-print-op-generic", &file.display().to_string()]);
    for text in [ALL, &generic] {
        assert_eq!(cute_import::import(text, "nvvm.mlir", &|_| ()), Ok(None));
    }
}
