//! Kernels that are not ours, and their proofs. The full tests also ask for mutants of each.

use crate::full;
use cute_mutate::{Kind, Mutant, ptx, sample};
use serde::Deserialize;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

#[derive(Deserialize)]
pub struct Case {
    pub name: String,
    file: PathBuf,
    /// A text that is wrong by the memory model, and the right one.
    repair: Option<(String, String)>,
    options: Vec<String>,
    arguments: Vec<String>,
    sample: bool,
    pub conforms: Conforms,
}

/// Sizes whose runs are compared with the model of the proof, and what they reach.
#[derive(Deserialize)]
pub struct Conforms {
    pub sizes: Vec<i64>,
    /// The first of them that the walks of all sizes describe.
    pub of_all: i64,
    /// Waits, arrivals, fences and copies: the number of those that are reached, and the lines of
    /// the others.
    pub reached: usize,
    pub unreached: Vec<usize>,
    pub sample: bool,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/foreign")
}

pub fn cases() -> Vec<Case> {
    serde_json::from_str(&fs::read_to_string(folder().join("proofs/cases.json")).unwrap()).unwrap()
}

impl Case {
    pub fn text(&self) -> String {
        let text = fs::read_to_string(folder().join(&self.file)).unwrap();
        match &self.repair {
            Some((wrong, right)) => {
                assert!(text.contains(wrong), "{}: '{wrong}'", self.name);
                text.replace(wrong, right)
            }
            None => text,
        }
    }

    /// The options and arguments of `cutec prove`.
    pub fn words(&self) -> impl Iterator<Item = String> + '_ {
        // Bytes of zeros that are too many to write down.
        let zeros = "0".repeat(2 * 2048);
        let arguments =
            self.arguments.iter().map(move |word| word.replace("0x00*2048", &format!("0x{zeros}")));
        self.options.iter().cloned().chain(arguments)
    }

    /// The answer about a text of the kernel.
    fn answer(&self, text: &str, seconds: &str) -> String {
        let own = tempfile::tempdir().unwrap();
        let file = own.path().join("k.ptx");
        fs::write(&file, text).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_cutec"));
        command.current_dir(folder()).arg("prove").arg(&file).args(self.words());
        let output = command.args(["--seconds", seconds]).output().unwrap();
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
    }
}

#[test]
fn kernels_of_others_are_proved() {
    for (index, case) in cases().iter().enumerate() {
        if full::shard().map_or(!case.sample, |shard| !shard.has(index)) {
            continue;
        }
        let answer = case.answer(&case.text(), "300");
        assert!(answer.starts_with("proved: for every n from "), "{}: {answer}", case.name);
    }
}

/// Changes of barriers: arrivals, counts, parities, bytes, masks, and waits.
const KINDS: [Kind; 6] = [Kind::Arrival, Kind::Count, Kind::Parity, Kind::Bytes, Kind::Mask, Kind::Wait];

/// Ten mutants of a kernel, of each kind in turn.
fn mutants(text: &str, seed: u64) -> Vec<Mutant> {
    let kernels = ptx::kernels(text).unwrap();
    let names: Vec<&str> = kernels.iter().map(String::as_str).collect();
    let all = ptx::mutants(text, &names).unwrap();
    let mut chosen: Vec<Mutant> = Vec::new();
    let mut queues: Vec<Vec<&Mutant>> = KINDS
        .iter()
        .map(|kind| {
            let own: Vec<&Mutant> = all.iter().filter(|mutant| mutant.kind == *kind).collect();
            sample::order(&own, seed).into_iter().rev().map(|i| own[i]).collect()
        })
        .collect();
    while chosen.len() < 10 && queues.iter().any(|queue| !queue.is_empty()) {
        chosen.extend(queues.iter_mut().filter_map(Vec::pop).cloned());
    }
    chosen.truncate(10);
    chosen
}

/// Mutants that are proved, and right: they were read.
const RIGHT: [(&str, &str, &str); 26] = [
    (
        "DeepGEMM sm100_bf16_gemm, a pair of blocks, with its barriers of the cluster repaired, K",
        "dropped of tcgen05.wait::ld.sync.aligned at line 1642",
        "what was loaded has been used: portability (T4)",
    ),
    (
        "DeepGEMM sm100_bf16_gemm, K",
        "dropped of mbarrier.arrive.shared::cluster.b64 at line 516",
        "the way of a second block",
    ),
    (
        "DeepGEMM sm100_bf16_gemm, tiles",
        "twice of mbarrier.arrive.shared::cluster.b64 at line 301",
        "the way of a second block",
    ),
    (
        "DeepGEMM sm100_bf16_gemm, tiles",
        "dropped of mbarrier.arrive.shared::cluster.b64 at line 516",
        "the way of a second block",
    ),
    (
        "DeepGEMM sm100_bf16_gemm, tiles",
        "bytes - 16 of mbarrier.arrive.expect_tx.shared::cta.b64 at line 566",
        "the loop over four K tiles, of which there are two",
    ),
    (
        "DeepGEMM sm100_bf16_gemm, tiles",
        "parity of mbarrier.try_wait.parity.shared::cta.b64 at line 439",
        "the loop over four K tiles, of which there are two",
    ),
    (
        "DeepGEMM sm100_bf16_gemm, tiles",
        "dropped of tcgen05.wait::ld.sync.aligned at line 1326",
        "what was loaded has been used: portability (T4)",
    ),
    (
        "DeepGEMM sm100_bf16_gemm, K",
        "dropped of tcgen05.wait::ld.sync.aligned at line 1326",
        "what was loaded has been used: portability (T4)",
    ),
    (
        "gluon blocked_matmul_pipelined",
        "dropped of cp.async.bulk.commit_group at line 256",
        "the block ends with its store: a note (X6)",
    ),
    (
        "gluon matmul_pipelined sm_90",
        "dropped of cp.async.bulk.commit_group at line 279",
        "the block ends with its store: a note (X6)",
    ),
    (
        "triton specialised",
        "dropped of tcgen05.wait::ld.sync.aligned at line 150",
        "what was loaded has been used: portability (T4)",
    ),
    (
        "gluon persistent_matmul sm_90, tiles",
        "dropped of wgmma.commit_group.sync.aligned at line 397",
        "the next group contains it, and K has two tiles",
    ),
    (
        "gluon persistent_matmul sm_90, tiles",
        "0 becomes 1 of wgmma.wait_group.sync.aligned at line 353",
        "nothing is pending, as K has two tiles",
    ),
    (
        "gluon blocked_matmul sm_100",
        "dropped of cp.async.bulk.wait_group.read at line 379",
        "the block ends with its store: a note (X6)",
    ),
    (
        "gluon blocked_matmul sm_100",
        "dropped of cp.async.bulk.commit_group at line 378",
        "the block ends with its store: a note (X6)",
    ),
    (
        "gluon blocked_matmul sm_100",
        "0 becomes 1 of cp.async.bulk.wait_group.read at line 379",
        "the block ends with its store: a note (X6)",
    ),
    (
        "gluon matmul_pipelined sm_100",
        "dropped of cp.async.bulk.wait_group.read at line 511",
        "the block ends with its store: a note (X6)",
    ),
    (
        "gluon matmul_pipelined sm_100",
        "dropped of cp.async.bulk.commit_group at line 510",
        "the block ends with its store: a note (X6)",
    ),
    (
        "gluon matmul_pipelined sm_100",
        "0 becomes 1 of cp.async.bulk.wait_group.read at line 511",
        "the block ends with its store: a note (X6)",
    ),
    (
        "gluon persistent_matmul sm_100, tiles",
        "dropped of tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 at line 563",
        "not reached, as K has two tiles",
    ),
    (
        "gluon persistent_matmul sm_100, tiles",
        "parity of mbarrier.try_wait.parity.shared::cta.b64 at line 631",
        "not reached, as K has two tiles",
    ),
    (
        "gluon elementwise_add_warp_specialized",
        "0 becomes 1 of cp.async.bulk.wait_group.read at line 387",
        "the block ends with its store: a note (X6)",
    ),
    (
        "gluon matmul_accumulate, warp-specialised, sm_100",
        "count + 1 of mbarrier.init.shared::cta.b64 at line 131",
        "the barrier of a second tile, and each block has one",
    ),
    (
        "gluon matmul_accumulate, warp-specialised, sm_100",
        "dropped of tcgen05.wait::ld.sync.aligned at line 269",
        "what was loaded has been used: portability (T4)",
    ),
    (
        "DeepGEMM sm100_bf16_gemm, K",
        "twice of mbarrier.arrive.shared::cluster.b64 at line 301",
        "the way of a second block",
    ),
    (
        "DeepGEMM sm100_bf16_gemm, K",
        "count + 1 of mbarrier.init.shared::cta.b64 at line 133",
        "the barrier of a third tile, and the block has two",
    ),
];

#[test]
fn no_mutant_of_a_kernel_of_others_is_proved_that_is_wrong() {
    let mut proved = Vec::new();
    for (index, case) in cases().iter().enumerate() {
        if full::shard().is_none_or(|shard| !shard.has(index)) {
            continue;
        }
        let text = case.text();
        for mutant in mutants(&text, 1) {
            let answer = case.answer(&mutant.apply(&text), "300");
            let first = answer.lines().next().unwrap_or_default();
            let place = format!("{} of {} at line {}", mutant.change, mutant.op, mutant.line);
            let is_right = RIGHT.iter().any(|(name, own, _)| *name == case.name && *own == place);
            println!("{}: {place}: {first}", case.name);
            if answer.starts_with("proved") && !is_right {
                proved.push(format!("{}: {place}", case.name));
            }
        }
    }
    assert!(proved.is_empty(), "{}", proved.join("\n"));
}
