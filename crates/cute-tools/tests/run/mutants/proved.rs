//! The same mutants, and the answer of `cutec prove` for all numbers of K tiles: none with a
//! mistake is proved, and each counterexample is a run that shows its finding.
//!
//! A sample; with `CUTE_FULL` set, all mutants or a shard of them.

use super::{
    EQUIVALENT, KERNELS, Kernel, Outcome,
    equivalent::{Equivalent, row},
    full, host,
    sizes::at,
};
use cute_mutate::{Mutant, ir::mutants};
use std::{cell::OnceCell, collections::BTreeMap, fs, process::Command};
use tempfile::TempDir;

/// The step between the mutants of a sample.
const STEP: usize = 174;

/// The seconds for a proof, on a busy machine. One that takes longer is not decided.
const SECONDS: &str = "300";

/// Sizes at which the results of a mutant that is proved must be those of the kernel.
const SIZES: [i64; 4] = [1, 2, 5, 8];

/// D at these sizes.
type Results = [Option<Vec<u8>>; 4];

/// A ring of `cp.async`, which has barriers of the block alone.
pub const AMPERE: Kernel = Kernel {
    name: "ampere",
    build: "gemm_sm80 --types f16 --m-tile 64 --n-tile 64 --k-tile 32 --stages 4",
    run: "--target sm_80",
    prove: "--target sm_80 --grid 1 --arg A:f16[64x{32*n}]=random(1) --arg B:f16[64x{32*n}]=random(2) --arg C:f32[64x64] \
            --arg D:f32[64x64] --arg alpha:f32=1 --arg beta:f32=0",
};

/// Its mutants without a mistake.
const AMPERES: &[Equivalent] = &[
    row(
        &["ampere"],
        "cp.async.wait.group",
        &[],
        &["2 becomes 1"],
        "it waits for one more group, which is slower",
    ),
    row(
        &["ampere"],
        "barrier0",
        &[6],
        &["dropped"],
        "all warps have read the last K tile before the barrier of its iteration",
    ),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    Counterexample,
    Undecided,
    Proved,
    Refused,
}

/// Exit code and output of `cutec` in a folder.
pub fn cutec<'w>(
    folder: &TempDir,
    words: impl IntoIterator<Item = &'w str>,
) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cutec"));
    let output = command.current_dir(folder.path()).args(words).output().expect("cutec runs");
    let text = |bytes| String::from_utf8(bytes).expect("a text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

impl Kernel {
    /// The answer about a text, and the output that has it.
    fn answer(&self, text: &str) -> Result<(Answer, String), String> {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("k.mlir"), text).expect("the folder is writable");
        let words = ["prove", "k.mlir", "--through", "ptx", "--seconds", SECONDS].into_iter();
        let words = words.chain(host(self.prove).split_whitespace()).chain(self.prove.split_whitespace());
        let (code, out, err) = cutec(&folder, words);
        let answer = match code {
            Some(0) if out.starts_with("proved: ") => Answer::Proved,
            _ if out.starts_with("not decided: ") => Answer::Undecided,
            _ if out.starts_with("counterexample: ") => Answer::Counterexample,
            _ if out.is_empty() => return Ok((Answer::Refused, err)),
            _ => return Err(format!("{code:?}: {out}{err}")),
        };
        if answer == Answer::Counterexample {
            replays(&folder, &out)?;
        }
        Ok((answer, out))
    }

    /// D at one size, of random numbers.
    fn result_of(&self, text: &str, n: i64) -> Option<Vec<u8>> {
        let words: Vec<String> = self.prove.split_whitespace().map(|word| at(word, n)).collect();
        match (Kernel { run: words.join(" ").leak(), ..*self }).run(text) {
            Outcome::Survived(d) => Some(d),
            Outcome::Found | Outcome::Refused(_) => None,
        }
    }

    /// Asks about a mutant. An error is an answer that is wrong. `right` are the results of the
    /// kernel.
    fn asks(&self, mutant: &Mutant, text: &str, right: &OnceCell<Results>) -> Result<Answer, String> {
        let changed = mutant.apply(text);
        let (answer, out) = self.answer(&changed)?;
        println!("{}: {answer:?}: {}", mutant.within(self.name), out.lines().next().unwrap_or_default());
        if answer != Answer::Proved {
            return Ok(answer);
        }
        if !EQUIVALENT.iter().chain(AMPERES).any(|row| row.explains(self.name, mutant)) {
            return Err("is proved, and no row of the equivalent ones explains it".to_owned());
        }
        let of = |text: &str| SIZES.map(|n| self.result_of(text, n));
        match of(&changed) == *right.get_or_init(|| of(text)) {
            true => Ok(answer),
            false => Err(format!("is proved, and D differs for an n of {SIZES:?}")),
        }
    }
}

/// Runs the command of a counterexample, which must show its finding.
pub fn replays(folder: &TempDir, out: &str) -> Result<(), String> {
    let command = out.trim_end().lines().last().unwrap_or_default().trim().replace('\'', "");
    let words = command.split(' ').skip(1);
    let (code, again, err) = cutec(folder, words);
    let finding = out.lines().nth(1).unwrap_or_default();
    match code == Some(1) && again.contains(finding) {
        true => Ok(()),
        false => Err(format!("`{command}` does not show\n{out}\nbut\n{again}{err}")),
    }
}

#[test]
fn no_changed_kernel_is_proved() {
    let mut counts: BTreeMap<(&str, Answer), usize> = BTreeMap::new();
    let (mut wrong, mut at) = (Vec::new(), 0);
    for kernel in KERNELS.iter().chain([&AMPERE]) {
        let (text, right) = (kernel.text(), OnceCell::new());
        for mutant in mutants(&text) {
            if full::takes(at + 1, STEP) {
                match kernel.asks(&mutant, &text, &right) {
                    Ok(answer) => *counts.entry((kernel.name, answer)).or_default() += 1,
                    Err(why) => wrong.push(format!("{}: {why}", mutant.within(kernel.name))),
                }
            }
            at += 1;
        }
    }
    println!("{at} mutants; of those that were tried: {counts:?}");
    assert!(wrong.is_empty(), "{} mutants:\n{}", wrong.len(), wrong.join("\n"));
}
