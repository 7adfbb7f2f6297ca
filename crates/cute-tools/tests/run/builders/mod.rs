//! Every builder with the extreme values of its options: a cubin, and the right results in the
//! simulator, or an error that the builder itself gives.
//!
//! A sample; with `CUTE_FULL` set, the whole matrix or a shard of it. `CUTE_SEED` selects another
//! matrix.

pub(super) mod cases;
pub(super) mod covering;
pub(super) mod quantize;
mod ranges;

use std::{
    env,
    panic::{AssertUnwindSafe, catch_unwind},
    process::{Command, Output},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
};

use cute_kernels::{
    gemm::{simt::GemmSimt, sm80::GemmSm80, sm90::GemmSm90, sm100::GemmSm100, sm120::GemmSm120},
    layernorm::Layernorm,
    options::KernelBuilder,
    quantize::{Dequantize, Quantize},
};
use cute_mlir::Target;
use tempfile::TempDir;

use self::{
    cases::Simulated,
    covering::{Case, Covering},
};
use crate::full;

/// Accepted combinations of a builder.
const ACCEPTED: usize = 150;
/// Those of a sample, and combinations that are refused.
const SAMPLE: [usize; 2] = [4, 4];

/// `cutec build NAME` with some arguments, in a folder.
fn build(folder: &TempDir, name: &str, arguments: &[String]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cutec"));
    command.current_dir(folder.path()).args(["build", name]).args(arguments);
    command.output().expect("cutec runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Bytes that a thread spills, as ptxas counts them: `NAME: 236 registers, 0 bytes spilled, ..`.
fn spilled(report: &str, name: &str) -> Option<u32> {
    let line = report.lines().find(|line| line.starts_with(&format!("{name}: ")))?;
    line.split(", ").nth(1)?.strip_suffix(" bytes spilled")?.parse().ok()
}

fn check<K: Simulated>(case: &Case<K>, index: usize) {
    let folder = tempfile::tempdir().unwrap();
    let has_ptxas = env::var_os("CUTE_PTXAS").is_some();
    let more =
        if has_ptxas { ["--emit", "cubin", "-o", "k.cubin"] } else { ["--emit", "ptx", "-o", "k.ptx"] };
    let built = build(&folder, K::NAME, &[&case.arguments[..], &more.map(String::from)].concat());
    let [out, err] = [&built.stdout, &built.stderr].map(|bytes| text(bytes));
    if let Some(why) = &case.refused {
        assert_eq!((built.status.code(), out, err), (Some(1), String::new(), format!("error: {why}\n")));
        return;
    }
    assert_eq!(built.status.code(), Some(0), "{out}{err}");
    let cute = ["--emit", "cute"].map(String::from);
    let built = build(&folder, K::NAME, &[&case.arguments[..], &cute].concat());
    assert_eq!(built.status.code(), Some(0), "{}", text(&built.stderr));
    case.kernel.simulate(&text(&built.stdout), case.target, index);
    if has_ptxas {
        let spilled = spilled(&err, K::NAME).or_else(|| spilled(&out, K::NAME));
        let spilled = spilled.unwrap_or_else(|| panic!("no report of ptxas in {out}{err}"));
        assert!(spilled <= K::SPILLS, "{spilled} bytes are spilled, at most {} are declared", K::SPILLS);
    }
}

/// Tries the combinations of a builder, or a sample of them.
fn matrix<K: Simulated>(targets: &[Target]) {
    let seed = env::var("CUTE_SEED").map_or(1, |text| text.parse().expect("CUTE_SEED is a number"));
    let mut covering = Covering::<K>::new(targets, seed, K::KNOWN);
    let (mut cases, mut counts) = (Vec::new(), [0; 2]);
    while let Some(case) = covering.next(ACCEPTED) {
        let kind = usize::from(case.refused.is_some());
        if full::shard().is_none() && counts[kind] == SAMPLE[kind] {
            if counts == SAMPLE {
                break;
            }
            continue;
        }
        counts[kind] += 1;
        cases.push(case);
    }
    let shard = full::shard();
    let (next, failed, right) = (AtomicUsize::new(0), Mutex::new(Vec::new()), Mutex::new([0; 2]));
    let work = || {
        while let Some((i, case)) = Some(next.fetch_add(1, Relaxed)).and_then(|i| Some((i, cases.get(i)?))) {
            if shard.is_some_and(|shard| !shard.has(i)) {
                continue;
            }
            match catch_unwind(AssertUnwindSafe(|| check(case, i))) {
                Ok(()) => right.lock().unwrap()[usize::from(case.refused.is_some())] += 1,
                Err(why) => {
                    let why = why.downcast_ref::<String>().cloned().unwrap_or_default();
                    let command = format!("cutec build {} {}", K::NAME, case.arguments.join(" "));
                    let text = format!("case {i}: {command}\n{why}");
                    println!("{text}");
                    failed.lock().unwrap().push(text);
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let (failed, [accepted, refused]) = (failed.into_inner().unwrap(), right.into_inner().unwrap());
    println!("{}: {accepted} combinations are right, {refused} are refused", K::NAME);
    let more = format!("CUTE_SEED={seed} CUTE_FULL={}", env::var("CUTE_FULL").unwrap_or_default());
    assert!(failed.is_empty(), "{} of {}, with {more}:\n{}", failed.len(), K::NAME, failed.join("\n\n"));
    if shard.is_some() {
        assert_eq!(covering.without(), K::ELSEWHERE, "no accepted combination of {} has these", K::NAME);
    }
}

#[test]
fn gemm_simt_with_extreme_options() {
    matrix::<GemmSimt>(&[Target::Sm90a, Target::Sm80, Target::Sm120a]);
}

#[test]
fn gemm_sm80_with_extreme_options() {
    matrix::<GemmSm80>(&[Target::Sm90a, Target::Sm100a, Target::Sm120a]);
}

#[test]
fn gemm_sm90_with_extreme_options() {
    matrix::<GemmSm90>(&[Target::Sm90a]);
}

#[test]
fn gemm_sm100_with_extreme_options() {
    matrix::<GemmSm100>(&[Target::Sm100a]);
}

#[test]
fn gemm_sm120_with_extreme_options() {
    matrix::<GemmSm120>(&[Target::Sm120a, Target::Sm121a]);
}

#[test]
fn quantize_with_extreme_options() {
    matrix::<Quantize>(&[Target::Sm100a, Target::Sm90a, Target::Sm120a, Target::Sm80]);
}

#[test]
fn dequantize_with_extreme_options() {
    matrix::<Dequantize>(&[Target::Sm100a, Target::Sm90a, Target::Sm120a, Target::Sm80]);
}

#[test]
fn layernorm_with_extreme_options() {
    matrix::<Layernorm>(&[Target::Sm90a, Target::Sm120a]);
}
