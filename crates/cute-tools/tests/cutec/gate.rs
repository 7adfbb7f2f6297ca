//! `cutec gate`: numbers of machine code, and what is worse than before.
//!
//! What needs ptxas and nvdisasm is left out where one is missing, but never where `$CI` is true.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use cute_driver::{ptxas, sass};
use serde_json::Value;

use super::{KERNEL, Place, Run, finish, full, json, ptxas::fake, registers::hungry};

/// The releases that the recorded numbers are for: the pinned one, and the newest.
const RELEASES: [&str; 2] = ["13.1.80", "13.5.37"];

/// Every how many kernels are measured unless all are.
const STEP: usize = 10;

/// Files of `examples/`, with the GPUs to measure them for.
const EXAMPLES: &[(&str, &[&str])] = &[
    ("transpose", &["sm_80", "sm_90a", "sm_120a"]),
    ("attention", &["sm_80", "sm_89", "sm_90a", "sm_100a", "sm_120a"]),
    ("splitk", &["sm_80", "sm_90a"]),
    ("softmax", &["sm_80", "sm_90a", "sm_100a", "sm_120a"]),
    ("gemm_bias_relu", &["sm_80", "sm_90a", "sm_120a"]),
    ("hopper/wgmma", &["sm_90a"]),
    ("copy", &["sm_80", "sm_90a"]),
    ("hopper/attention", &["sm_90a"]),
    ("atomics", &["sm_80", "sm_90a"]),
    ("hopper/warp_roles", &["sm_90a"]),
    ("hopper/persistent_cluster", &["sm_90a"]),
    ("hopper/grouped_gemm", &["sm_90a"]),
    ("hopper/cluster_push", &["sm_90a", "sm_120a"]),
    ("hopper/cluster_sum", &["sm_90a", "sm_100a"]),
    ("blackwell/umma", &["sm_100a", "sm_103a"]),
    ("blackwell/scale_factors", &["sm_100a"]),
    ("blackwell/load_store", &["sm_100a"]),
    ("tma/gemm", &["sm_90a", "sm_100a", "sm_120a"]),
    ("tma/transpose", &["sm_90a", "sm_100a", "sm_120a"]),
    ("gemm/3_shared", &["sm_80", "sm_90a"]),
    ("gemm/4_tensor_cores", &["sm_80", "sm_90a"]),
];

/// Options of `cutec build`, with the GPUs.
const BUILDERS: &[(&str, &[&str])] = &[
    ("layernorm", &["sm_80", "sm_90a"]),
    ("quantize", &["sm_90a", "sm_100a"]),
    ("dequantize", &["sm_90a", "sm_100a"]),
    ("gemm_simt", &["sm_80", "sm_90a"]),
    ("gemm_sm80", &["sm_80", "sm_89", "sm_90a", "sm_120a"]),
    ("gemm_sm80 --types tf32", &["sm_80"]),
    ("gemm_sm80 --copy tma", &["sm_90a", "sm_100a", "sm_120a"]),
    ("gemm_sm90", &["sm_90a"]),
    ("gemm_sm90 --types e4m3", &["sm_90a"]),
    ("gemm_sm90 --activation gelu", &["sm_90a"]),
    ("gemm_sm100", &["sm_100a", "sm_103a"]),
    ("gemm_sm100 --types nvf4", &["sm_100a"]),
    ("gemm_sm120", &["sm_120a"]),
    ("gemm_sm120 --types mxf8", &["sm_120a"]),
];

/// Whether kernels can be measured here.
fn possible() -> bool {
    let has_tools = ptxas::find().is_ok() && sass::find().is_ok();
    assert!(has_tools || !is_ci(), "CI needs ptxas and nvdisasm");
    has_tools
}

/// Options that name every ptxas with recorded numbers; CI has both, and no other one.
fn assemblers() -> String {
    let named = ["CUTE_PTXAS", "CUTE_PTXAS_NEWEST"].into_iter().filter_map(env::var_os);
    let (mut options, mut found) = (String::new(), Vec::new());
    for file in named.map(PathBuf::from) {
        let given = ptxas::Options { file: Some(file.clone()), ..ptxas::Options::default() };
        let release = given.release().expect("ptxas has a version");
        if RELEASES.contains(&&*release) {
            options += &format!(" --assembler {}", file.display());
        }
        found.push(release);
    }
    assert!(found == RELEASES || !is_ci(), "the recorded numbers are for ptxas {RELEASES:?}, not {found:?}");
    options
}

fn is_ci() -> bool {
    env::var("CI").as_deref() == Ok("true")
}

/// `UPDATE_RECORD=1 CUTE_FULL=1` writes all numbers again.
#[test]
fn examples_and_builders_are_no_worse_than_recorded() {
    let assemblers = assemblers();
    if !possible() || assemblers.is_empty() {
        return;
    }
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let baseline = root.join("tests/recorded/code.json").canonicalize().expect("the recorded numbers");
    let place = Place::with("");
    let update = if env::var_os("UPDATE_RECORD").is_some() { " --update" } else { "" };
    let gate = |folder: &Path, file: &str, target: &str| {
        let arguments =
            format!("gate {file} --target {target} --baseline {}{assemblers}{update}", baseline.display());
        let mut command = place.command(&arguments);
        command.current_dir(folder);
        let run = finish(command);
        (run.code != Some(0)).then_some(run.err)
    };
    let mut wrong = Vec::new();
    let cases = |all: &'static [(&str, &[&str])]| {
        let each = all.iter().flat_map(|(name, targets)| targets.iter().map(move |target| (*name, *target)));
        each.enumerate().filter(|(at, _)| full::takes(*at, STEP)).map(|(_, case)| case)
    };
    for (name, target) in cases(EXAMPLES) {
        wrong.extend(gate(root, &format!("examples/{name}.mlir"), target));
    }
    for (options, target) in cases(BUILDERS) {
        let file = format!("{}.mlir", options.replace(" --", "_").replace(' ', "_"));
        place.good(&format!("build {options} --emit cute -o {file}"));
        wrong.extend(gate(&place.path(""), &file, target));
    }
    assert!(wrong.is_empty(), "{}\nUPDATE_RECORD=1 CUTE_FULL=1 records the numbers of now", wrong.concat());
}

/// A kernel of 60 values, one to a line: line 2 i + 3 loads the i-th.
fn spilling() -> Place {
    Place::with(&hungry(60, ""))
}

/// The numbers of the only kernel.
fn figures(run: &str) -> Value {
    let report = json(run);
    let kernels = report["kernels"].as_array().expect("kernels");
    assert_eq!(kernels.len(), 1, "{run}");
    kernels[0].clone()
}

/// The numbers behind a mark, as in `k.mlir:5 (1 store and 1 load), ..`.
fn lines(text: &str, mark: &str) -> Vec<usize> {
    let number = |rest: &str| rest.split(|c: char| !c.is_ascii_digit()).next().and_then(|n| n.parse().ok());
    text.split(mark).skip(1).filter_map(number).collect()
}

#[test]
fn a_kernel_that_begins_to_spill_fails_with_the_lines_of_its_values() {
    if !possible() {
        return;
    }
    let place = spilling();
    let written = place.run("gate ./k.mlir --target sm_90a --baseline b.json --update");
    assert_eq!(written.code, Some(0), "{}", written.err);
    assert_eq!(place.run("gate k.mlir --target sm_90a --baseline b.json").code, Some(0));
    let run = place.run("gate k.mlir --target sm_90a --baseline b.json --max-registers 32");
    assert_eq!(run.code, Some(1), "{}", run.err);
    let said = run.err.lines().find(|line| line.contains("bytes spilled rose from 0 to ")).expect(&run.err);
    assert!(said.starts_with("error: k.mlir: kernel 'k' for sm_90a by ptxas "), "{said}");
    let end = "error: 1 kernel is worse than 'b.json'; --update records the numbers of now\n";
    assert!(run.err.ends_with(end), "{}", run.err);
    let text = fs::read_to_string(place.path("k.mlir")).unwrap();
    let source: Vec<_> = text.lines().collect();
    let of_values = lines(said, "k.mlir:");
    assert!(of_values.len() >= 10, "{said}");
    for line in &of_values {
        assert!(source[line - 1].contains("llvm.load volatile"), "line {line}: {said}");
    }
    let spilled = run.out.lines().find(|line| line.contains("    spilled values: ")).expect(&run.out);
    assert_eq!(lines(spilled, "line "), of_values, "{spilled}");
    assert!(!run.err.contains("registers rose"), "{}", run.err);
    // Fewer spills do not fail.
    let better = place.run("gate k.mlir --target sm_90a --max-registers 24 --baseline c.json --update");
    assert_eq!(better.code, Some(0), "{}", better.err);
    let better = place.run("gate k.mlir --target sm_90a --max-registers 32 --baseline c.json --tolerance 50");
    assert_eq!(better.code, Some(0), "{}", better.err);
    assert!(better.err.contains("note: 1 kernel is better than in 'c.json'"), "{}", better.err);
}

#[test]
fn ptx_is_measured_and_its_own_lines_are_named() {
    if !possible() {
        return;
    }
    let place = spilling();
    place.good("k.mlir --target sm_90a --max-registers 32 -o k.ptx");
    let run = place.run("gate k.ptx --report json");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let kernel = figures(&run.out);
    assert_eq!((kernel["target"].as_str(), kernel["registers"].as_u64()), (Some("sm_90a"), Some(32)));
    let text = fs::read_to_string(place.path("k.ptx")).unwrap();
    let source: Vec<_> = text.lines().collect();
    let kept = kernel["local_memory"].as_array().unwrap();
    let spilled: Vec<_> = kept.iter().filter(|kept| kept["spilled"] == true).collect();
    assert!(spilled.len() >= 10, "{kept:?}");
    for kept in spilled {
        let line = lines(kept["line"].as_str().unwrap(), "k.ptx:")[0];
        assert!(source[line - 1].contains("ld.volatile.global"), "{}: {}", kept["line"], source[line - 1]);
    }
}

#[test]
fn occupancy_counts_dynamic_shared_memory() {
    if !possible() {
        return;
    }
    let place = Place::with(KERNEL);
    let of = |options: &str| {
        let run = place.run(&format!("gate k.mlir --target sm_90a --report json {options}"));
        assert_eq!(run.code, Some(0), "{}", run.err);
        let kernel = figures(&run.out);
        let limit = kernel["occupancy"]["limit"].as_str().unwrap().to_owned();
        (kernel["threads"].as_u64().unwrap(), kernel["blocks"].as_u64().unwrap(), limit)
    };
    assert_eq!(of(""), (128, 16, "threads".to_owned()));
    assert_eq!(of("--shared 102400"), (128, 2, "shared memory".to_owned()));
    assert_eq!(of("--shared 230400"), (128, 1, "shared memory".to_owned()));
}

/// A kernel of CuTe DSL's form, whose launch decides about its block and its shared memory.
#[test]
fn a_host_function_says_how_a_kernel_is_launched() {
    if !possible() {
        return;
    }
    let place = Place::with(
        r#"!cfg = !cuda.launch_cfg<max_attrs = 1>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
    cuda.kernel @k(%n: i32) attributes {cute.kernel, gpu.kernel} {
      %p = llvm.mlir.addressof @smem : !llvm.ptr<3>
      llvm.store volatile %n, %p : i32, !llvm.ptr<3>
      cuda.return
    }
  }
  func.func @launch(%n: i32, %stream: !cuda.stream) -> i32 {
    %c1 = arith.constant 1 : i32
    %threads = arith.constant 256 : i32
    %bytes = arith.constant 65536 : i64
    %cfg = cuda.launch_cfg.create<max_attrs = 1 : i32> (blockDim = (%threads, %c1, %c1), dynamicSmemBytes = %bytes,
      gridDim = (%c1, %c1, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    %done = cuda.launch_ex @kernels::@k<%cfg> (%n) : !cfg, (i32) -> !cuda.result
    %code = cuda.cast %done : !cuda.result -> i32
    return %code : i32
  }
}
"#,
    );
    let run = place.run("gate k.mlir --target sm_90a --report json");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let kernel = figures(&run.out);
    let found = ["threads", "dynamic_shared", "blocks"].map(|name| kernel[name].as_u64());
    assert_eq!(found, [Some(256), Some(65536), Some(3)], "{kernel}");
}

/// ptxas schedules `examples/attention.mlir` for other numbers of registers.
#[test]
fn the_name_of_a_kernel_matters() {
    if !possible() {
        return;
    }
    let release = ptxas::Options::default().release().expect("ptxas has a version");
    if !RELEASES.contains(&&*release) {
        return;
    }
    let place = Place::with(include_str!("../../../../examples/attention.mlir"));
    let run = place.run("gate k.mlir --target sm_90a --kernel-name cutlass_attention");
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains(&format!("cutlass_attention  sm_90a  {release}        167 ")), "{}", run.out);
    assert!(run.out.contains("    as 'attention': 128 registers instead of 167, "), "{}", run.out);
    let note = format!("kernel 'cutlass_attention' for sm_90a by ptxas {release}: the name matters");
    assert!(run.err.contains(&format!("note: k.mlir: {note}")), "{}", run.err);
}

fn fails(run: Run, expected: &str) {
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.err.contains(expected), "{}", run.err);
}

#[test]
fn a_baseline_that_does_not_fit_is_said() {
    if !possible() {
        return;
    }
    let place = Place::with(KERNEL);
    fails(place.run("gate k.mlir --baseline b.json"), "error: cannot read 'b.json': No such file");
    fails(place.run("gate k.mlir --update"), "required arguments were not provided: --baseline <FILE.json>");
    fs::write(place.path("b.json"), "{\"version\": 1, \"kernels\": [{}]}").unwrap();
    fails(place.run("gate k.mlir --baseline b.json"), "'b.json' is not a baseline: missing field `file`");
    fs::write(place.path("b.json"), "{\"version\": 2, \"kernels\": []}").unwrap();
    let newer = "'b.json' is a baseline of version 2, and this cutec reads version 1";
    fails(place.run("gate k.mlir --baseline b.json"), newer);
    fs::remove_file(place.path("b.json")).unwrap();
    place.good("gate k.mlir --target sm_90a --baseline b.json --update");
    let missing = place.run("gate k.mlir --target sm_80 --target sm_90a --baseline b.json");
    assert!(missing.err.contains("error: k.mlir: kernel 'k' for sm_80 by ptxas "), "{}", missing.err);
    fails(missing, "error: 1 kernel is not in 'b.json'; --update records the numbers of now");
    // Another ptxas, and another kernel.
    let real = ptxas::find().unwrap();
    let other = fake(&place, &format!("exec '{}' \"$@\"", real.display()));
    let run = place
        .run(&format!("gate k.mlir --target sm_90a --baseline b.json --assembler mine={}", other.display()));
    assert!(
        run.err.contains("by ptxas mine: 'b.json' has no numbers for it; it has those by ptxas 1"),
        "{}",
        run.err
    );
    fails(run, "1 kernel is not in 'b.json'");
    let text = fs::read_to_string(place.path("k.mlir")).unwrap();
    fs::write(place.path("k.mlir"), text.replace("@k(", "@other(")).unwrap();
    let stale = place.run("gate k.mlir --target sm_90a --baseline b.json");
    assert!(stale.err.contains(": only 'b.json' has it; the file does not"), "{}", stale.err);
    fails(stale, "1 kernel is not in 'b.json', 1 kernel is missing, but in 'b.json'");
    place.good("gate k.mlir --target sm_90a --baseline b.json --update");
    place.good("gate k.mlir --target sm_90a --baseline b.json");
}

#[test]
fn names_that_do_not_fit_are_said() {
    if !possible() {
        return;
    }
    let two = KERNEL.replace("gpu.module @m {", "gpu.module @m {\n  gpu.func @a() kernel { gpu.return }");
    let place = Place::with(&two);
    for (options, expected) in [
        ("--kernel b", "--kernel b: no kernel has this name; there are 'a', 'k'"),
        (
            "--kernel-name x",
            "--kernel-name renames one kernel, but there are 'a', 'k'; choose one with --kernel",
        ),
        ("--kernel-name a --kernel k", "--kernel-name a: the module has another kernel of this name"),
        ("--kernel-name 1k", "--kernel-name '1k' is not a name in PTX"),
        ("--assembler none", "--assembler none: the given ptxas, 'none', is not an executable file"),
        ("--assembler x=", "--assembler x=: it is NAME=FILE or FILE, the path of a ptxas"),
    ] {
        fails(place.run(&format!("gate k.mlir --target sm_90a {options}")), expected);
    }
    let other = fake(&place, "echo no number");
    let run = place.run(&format!("gate k.mlir --target sm_90a --assembler {}", other.display()));
    fails(run, "prints no version of ptxas");
    let run = place.good("gate k.mlir --target sm_90a --kernel k");
    assert!(run.contains("\nk ") && !run.contains("\na "), "{run}");
    fails(place.run("gate - - --target sm_90a"), "standard input is one file: - is given 2 times");
}
