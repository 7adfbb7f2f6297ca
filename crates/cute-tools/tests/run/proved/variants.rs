//! Every variant of the builders by `cutec prove`, compared with `tests/recorded/proofs.txt`.
//!
//! A line has the builder, the size, the GPU, the options and the answer. `UPDATE_RECORD=1
//! CUTE_FULL=1` asks about variants without a line, and writes each answer at once; take a line out
//! to ask again. A variant of which that has not been done has the answer `not tried`.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    fs::{self, File},
    path::{Path, PathBuf},
};

use super::{
    answers::{Answer, asked},
    launches::{Along, Variant, variants},
};
use crate::full;

/// The seconds for a proof, on a busy machine.
const SECONDS: &str = "600";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn file() -> PathBuf {
    root().join("tests/recorded/proofs.txt")
}

impl Variant {
    /// The beginning of its line.
    fn key(&self) -> String {
        let Self { builder, along, target, options, .. } = self;
        format!("{builder} | {along:?} | {target} | {}", options.join(" "))
    }

    fn ask(&self) -> Answer {
        let options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        let launch = ["--through", "ptx", "--target", self.target.name()].into_iter();
        let launch: Vec<&str> = launch.chain(self.launch.split_whitespace()).collect();
        asked(self.builder, &options, &launch, SECONDS)
    }
}

/// The recorded answers, by the beginnings of their lines.
fn recorded() -> BTreeMap<String, String> {
    let text = fs::read_to_string(file()).unwrap_or_default();
    let split = |line: &str| line.rsplit_once(" | ").map(|(key, answer)| (key.to_owned(), answer.to_owned()));
    text.lines().map(|line| split(line).unwrap_or_else(|| panic!("no answer: {line}"))).collect()
}

/// Adds an answer. Shards may run side by side.
fn record(all: &[Variant], key: String, answer: &Answer) {
    let lock = File::open(root().join("tests/recorded/README.md")).expect("the page beside the record");
    lock.lock().expect("a lock");
    let mut answers = recorded();
    answers.insert(key, answer.to_string());
    let line = |key: String| answers.get(&key).map(|answer| format!("{key} | {answer}\n"));
    let lines: String = all.iter().filter_map(|variant| line(variant.key())).collect();
    fs::write(file(), lines).expect("the record is writable");
}

const NOT_TRIED: &str = "not tried";

/// Whether an answer is the recorded one. A faster machine may prove more.
fn is_as_recorded(answer: &Answer, recorded: &str) -> bool {
    let may_be_proved = recorded == NOT_TRIED || recorded.starts_with("not decided: the time of ");
    answer.to_string() == recorded || may_be_proved && !matches!(answer, Answer::Wrong(_))
}

/// The row of a builder in the table of docs/prove.md: its variants, and those that are proved.
fn row(builder: &str, answers: &BTreeMap<String, String>) -> String {
    let count = |along: Along, of: &dyn Fn(&str) -> bool| {
        let begin = format!("{builder} | {along:?} | ");
        answers.iter().filter(|(key, answer)| key.starts_with(&begin) && of(answer)).count()
    };
    let cells = [Along::K, Along::M].map(|along| {
        let tried = count(along, &|answer| answer != NOT_TRIED);
        format!("{} | {tried} | {}", count(along, &|_| true), count(along, &|answer| answer == "proved"))
    });
    format!("| `{builder}` | {} |", cells.join(" | "))
}

#[test]
fn the_record_has_every_variant_of_the_builders() {
    let keys: Vec<String> = variants().iter().map(Variant::key).collect();
    let text = fs::read_to_string(file()).expect("the record");
    let lines: Vec<&str> = text.lines().filter_map(|line| Some(line.rsplit_once(" | ")?.0)).collect();
    assert_eq!(lines, keys, "UPDATE_RECORD=1 CUTE_FULL=1 cargo test -p cute-tools --test run every_variant");
    let (page, answers) = (fs::read_to_string(root().join("docs/prove.md")).expect("the page"), recorded());
    for builder in variants().iter().map(|variant| variant.builder).collect::<BTreeSet<_>>() {
        let row = row(builder, &answers);
        assert!(page.contains(&row), "docs/prove.md lacks\n{row}");
    }
}

#[test]
fn every_variant_of_the_builders_has_its_answer() {
    if full::shard().is_none() {
        return;
    }
    let all = variants();
    let updates = env::var_os("UPDATE_RECORD").is_some();
    let (answers, mut wrong) = (recorded(), Vec::new());
    for (_, variant) in all.iter().enumerate().filter(|(i, _)| full::takes(*i, 1)) {
        let key = variant.key();
        let expected = answers.get(&key).cloned();
        if updates && expected.as_ref().is_some_and(|answer| answer != NOT_TRIED) {
            continue;
        }
        let answer = variant.ask();
        println!("{key} | {answer}");
        match (updates, expected) {
            (true, _) => record(&all, key, &answer),
            (false, Some(expected)) if is_as_recorded(&answer, &expected) => {}
            (false, expected) => wrong.push(format!("{key}: {answer}, not {expected:?}: {}", variant.launch)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
