//! Values of cute types survive upstream passes: the files in `upstream/` contain every construct
//! that carries them, with calls and the expected results. After each pass, and each pair of
//! passes, a file is lowered, compiled and called.

use std::thread;

use cute_jit::Jit;
use cute_sim::{Arg, Launch, Memory};
use melior::Context;

const VALUES: &str = include_str!("upstream/values.mlir");
const KNOWN: &str = include_str!("upstream/known.mlir");
const KERNEL: &str = include_str!("upstream/kernel.mlir");

/// Passes that move, merge, remove and rewrite values, and the branches and regions around them.
const PASSES: [&str; 11] = [
    "canonicalize",
    "cse",
    "inline",
    "sccp",
    "loop-invariant-code-motion",
    "control-flow-sink",
    "func.func(lift-cf-to-scf)",
    "convert-scf-to-cf",
    "scf-for-to-while",
    "cute-fold-static",
    "remove-dead-values",
];

/// remove-dead-values of LLVM 22 leaves blocks and branches with mismatched operands, for values of
/// any type.
const BROKEN: [&str; 2] = ["convert-scf-to-cf", "remove-dead-values"];

/// To the LLVM dialect, on the host.
const LOWERING: &str = "cute-fold-static,canonicalize,cse,cute-to-base,canonicalize,cse,convert-scf-to-cf,convert-to-llvm,reconcile-unrealized-casts";

/// A call of a function: `name(1, 2) = 3, 4`.
#[derive(Debug)]
struct Call<'a> {
    function: &'a str,
    arguments: Vec<i64>,
    results: Vec<i64>,
}

impl<'a> Call<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (call, results) = line.strip_prefix("// ")?.split_once(") = ")?;
        let (function, arguments) = call.split_once('(')?;
        let integers = |text: &str| text.split(", ").map(|n| n.parse().ok()).collect::<Option<Vec<_>>>();
        Some(Self { function, arguments: integers(arguments)?, results: integers(results)? })
    }
}

/// Lowers a file after `passes`, and makes all its calls.
fn check(file: &str, passes: &[&str]) {
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = cute_mlir::parse(&context, file).unwrap_or_else(|e| panic!("{e}"));
    let before = passes.iter().map(|pass| format!("{pass},")).collect::<String>();
    let pipeline = format!("builtin.module({before}{LOWERING})");
    cute_mlir::run(&context, &mut module, &pipeline).unwrap_or_else(|e| panic!("{passes:?}: {e}"));
    let calls: Vec<_> = file.lines().filter_map(Call::parse).collect();
    let names: Vec<&str> = calls.iter().map(|call| call.function).collect();
    let jit = Jit::compile(module.as_operation(), &names).unwrap_or_else(|e| panic!("{passes:?}: {e}"));
    for call in &calls {
        let found = jit.call(call.function, &call.arguments);
        assert_eq!(found.as_ref(), Ok(&call.results), "{passes:?}: {call:?}");
    }
}

fn check_pairs(file: &'static str, passes: &[&'static str]) {
    thread::scope(|scope| {
        for part in [0, 1] {
            scope.spawn(move || {
                for first in passes.iter().skip(part).step_by(2) {
                    check(file, &[first]);
                    let second = passes.iter().filter(|second| [*first, **second] != BROKEN);
                    second.for_each(|second| check(file, &[first, second]));
                }
            });
        }
    });
}

#[test]
fn every_function_is_called() {
    for file in [VALUES, KNOWN] {
        let calls: Vec<_> = file.lines().filter_map(Call::parse).collect();
        for line in file.lines().filter_map(|line| line.strip_prefix("func.func @")) {
            let name = line.split('(').next();
            assert!(calls.iter().any(|call| Some(call.function) == name), "{line}");
        }
        check(file, &[]);
    }
}

#[test]
fn values_survive_each_pass_and_each_pair() {
    check_pairs(VALUES, &PASSES);
}

#[test]
fn a_known_branch_survives_each_pass_and_each_pair() {
    let [passes @ .., _] = PASSES;
    check_pairs(KNOWN, &passes);
}

/// Two fragments and two tiles of shared memory, one of which a thread chooses.
#[test]
fn memory_that_is_chosen_is_the_memory() {
    let expected: Vec<f32> =
        (0..256).map(|i| if (i / 128 == 0) == (i / 4 % 2 == 0) { (i % 128) as f32 } else { 0.0 }).collect();
    for passes in
        ["", "canonicalize,", "cse,canonicalize,", "convert-scf-to-cf,", "convert-scf-to-cf,canonicalize,"]
    {
        let context = Context::new();
        cute_mlir::load(&context);
        let mut module = cute_mlir::parse(&context, KERNEL).unwrap_or_else(|e| panic!("{e}"));
        let pipeline = format!("builtin.module({passes}cute-compile{{target=sm_90a}})");
        cute_mlir::run(&context, &mut module, &pipeline).unwrap_or_else(|e| panic!("{passes}: {e}"));
        let program = cute_decode::decode(module.as_operation()).unwrap_or_else(|e| panic!("{passes}: {e}"));
        let mut memory = Memory::new();
        let source: Vec<f32> = (0..128).map(|i| i as f32).collect();
        let (src, dst) = (memory.upload(&source), memory.zeroed::<f32>(256));
        let launch = Launch::new("kernel", [1, 1, 1], [32, 1, 1]);
        let report = program.run(&launch, &mut memory, &[Arg::Buffer(src), Arg::Buffer(dst)]);
        report.unwrap_or_else(|e| panic!("{passes}: {e}"));
        assert_eq!(memory.download::<f32>(dst), expected, "{passes}");
    }
}
