//! Numbers from before: a file, and what is worse now.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use cute_output::Sink;
use serde::{Deserialize, Serialize};

use super::row::{Entry, Figures, Key};
use crate::{error::Result, gate_error::Error};

/// The version of the format.
pub const VERSION: u64 = 1;

/// A file of numbers.
#[derive(Debug)]
pub struct Baseline {
    file: PathBuf,
    entries: BTreeMap<Key, Figures>,
}

/// The form of the file; a report in JSON has more fields.
#[derive(Deserialize)]
struct Document {
    version: u64,
    kernels: Vec<Entry>,
}

/// A number that differs from that of the baseline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    #[serde(flatten)]
    pub key: Key,
    /// The name of the number.
    pub what: String,
    pub before: u64,
    pub after: u64,
    /// Whether it is worse; otherwise it is better.
    pub worse: bool,
}

impl Baseline {
    /// An empty one.
    pub fn empty(file: &Path) -> Self {
        Self { file: file.to_owned(), entries: BTreeMap::new() }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`Error::NotBaseline`] and [`Error::Version`].
    pub fn read(file: &Path, text: &str) -> std::result::Result<Self, Error> {
        let failed = |why: String| Error::NotBaseline { file: file.to_owned(), why };
        let document: Document = serde_json::from_str(text).map_err(|why| failed(why.to_string()))?;
        if document.version != VERSION {
            let version = document.version;
            return Err(Error::Version { file: file.to_owned(), version, known: VERSION });
        }
        let mut entries = BTreeMap::new();
        for Entry { key, figures } in document.kernels {
            let name = key.to_string();
            if entries.insert(key, figures).is_some() {
                return Err(failed(format!("it has two entries for {name}")));
            }
        }
        Ok(Self { file: file.to_owned(), entries })
    }

    /// The numbers of a kernel.
    pub fn get(&self, key: &Key) -> Option<&Figures> {
        self.entries.get(key)
    }

    /// The names of the ptxas with which the file has a kernel.
    pub fn others(&self, key: &Key) -> Vec<&str> {
        let same =
            |own: &&Key| (&own.file, &own.kernel, &own.target) == (&key.file, &key.kernel, &key.target);
        self.entries.keys().filter(same).map(|own| own.ptxas.as_str()).collect()
    }

    /// Entries for kernels that are not among those that were measured, although all kernels of
    /// their files were.
    pub fn stale(&self, measured: &[Key]) -> Vec<&Key> {
        let has_place = |own: &&Key| {
            let same =
                |key: &Key| (&own.file, &own.target, &own.ptxas) == (&key.file, &key.target, &key.ptxas);
            !measured.contains(own) && measured.iter().any(same)
        };
        self.entries.keys().filter(has_place).collect()
    }

    /// Replaces and adds entries, and writes the file: one line for each kernel.
    ///
    /// # Errors
    /// Those of [`cute_output::write`].
    pub fn update(mut self, entries: impl IntoIterator<Item = Entry>, stale: &[Key]) -> Result<()> {
        self.entries.retain(|key, _| !stale.contains(key));
        self.entries.extend(entries.into_iter().map(|entry| (entry.key, entry.figures)));
        let line = |(key, figures)| {
            let entry = Entry { key, figures };
            serde_json::to_string(&entry).expect("texts and numbers have a form in JSON")
        };
        let lines: Vec<_> = self.entries.into_iter().map(line).collect();
        let text = format!("{{\"version\": {VERSION}, \"kernels\": [\n{}\n]}}\n", lines.join(",\n"));
        Ok(cute_output::write(&[(Sink::of(Some(&self.file)), text.as_bytes())])?)
    }
}

/// The numbers that differ; those that tolerance applies to only if they are beyond it.
pub fn changes(key: &Key, before: &Figures, after: &Figures, tolerance: u64) -> Vec<Change> {
    let mut all = Vec::new();
    let mut add = |what: &str, before: u64, after: u64, worse: bool| {
        if before != after {
            all.push(Change { key: key.clone(), what: what.to_owned(), before, after, worse });
        }
    };
    // u128: a file may have any number.
    let beyond =
        |before: u64, after: u64| u128::from(after) * 100 > u128::from(before) * u128::from(100 + tolerance);
    type Number = fn(&Figures) -> u64;
    let exact: [(&str, Number); 6] = [
        ("bytes of stack", |of| of.stack),
        ("bytes spilled", |of| of.spilled),
        ("bytes reloaded", |of| of.reloaded),
        ("local loads", |of| of.local_loads),
        ("local stores", |of| of.local_stores),
        ("bytes of static shared memory", |of| of.static_shared),
    ];
    let tolerant: [(&str, Number); 2] =
        [("registers", |of| of.registers), ("instructions", |of| of.instructions)];
    for (what, of) in tolerant {
        let (before, after) = (of(before), of(after));
        if after < before || beyond(before, after) {
            add(what, before, after, after > before);
        }
    }
    for (what, of) in exact {
        add(what, of(before), of(after), of(after) > of(before));
    }
    if let Some((before, after)) = before.dynamic_shared.zip(after.dynamic_shared) {
        add("bytes of dynamic shared memory", before, after, after > before);
    }
    for (mmas, before, after) in compared(&before.loops, &after.loops) {
        if after < before || beyond(before, after) {
            let what = match mmas {
                0 => "instructions of a loop".to_owned(),
                1 => "instructions of a loop with 1 MMA".to_owned(),
                _ => format!("instructions of a loop with {mmas} MMAs"),
            };
            add(&what, before, after, after > before);
        }
    }
    if let Some((before, after)) = before.blocks.zip(after.blocks) {
        add("blocks of a multiprocessor", before, after, after < before);
    }
    all
}

/// MMAs, instructions before and now of the loops that can be compared: those with as many MMAs, by
/// size, if there are as many of them. A loop with another number of MMAs is compared with the one
/// that took most instructions for an MMA. Of loops without MMAs, ptxas may have unrolled some.
fn compared(before: &[[u64; 2]], after: &[[u64; 2]]) -> Vec<(u64, u64, u64)> {
    let of = |loops: &[[u64; 2]], mmas: u64| {
        let mut sizes: Vec<_> = loops.iter().filter(|own| own[1] == mmas).map(|own| own[0]).collect();
        sizes.sort_unstable();
        sizes
    };
    let worst = before.iter().filter(|own| own[1] > 0).max_by(|a, b| {
        let [left, right] = [(a, b), (b, a)].map(|(a, b)| u128::from(a[0]) * u128::from(b[1]));
        left.cmp(&right)
    });
    let mut kinds: Vec<_> = after.iter().map(|own| own[1]).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let mut found = Vec::new();
    for mmas in kinds {
        let (old, new) = (of(before, mmas), of(after, mmas));
        if old.len() == new.len() {
            found.extend(old.into_iter().zip(new).map(|(old, new)| (mmas, old, new)));
        } else if let Some(worst) = worst.filter(|_| mmas > 0) {
            let most = u128::from(worst[0]) * u128::from(mmas) / u128::from(worst[1]);
            let most = u64::try_from(most).unwrap_or(u64::MAX);
            found.extend(new.into_iter().filter(|new| *new > most).map(|new| (mmas, most, new)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Key {
        let [file, kernel, target, ptxas] = ["k.mlir", "k", "sm_90a", "13.0.88"].map(str::to_owned);
        Key { file, kernel, target, ptxas }
    }

    fn said(before: &Figures, after: &Figures, tolerance: u64) -> Vec<(String, u64, u64, bool)> {
        let all = changes(&key(), before, after, tolerance);
        all.into_iter().map(|change| (change.what, change.before, change.after, change.worse)).collect()
    }

    #[test]
    fn each_number_that_is_worse_is_said() {
        let before = Figures { registers: 128, instructions: 1000, blocks: Some(4), ..Figures::default() };
        let after =
            Figures { registers: 136, instructions: 1001, blocks: Some(3), spilled: 4, ..before.clone() };
        let spilled = ("bytes spilled".to_owned(), 0, 4, true);
        let blocks = ("blocks of a multiprocessor".to_owned(), 4, 3, true);
        let registers = ("registers".to_owned(), 128, 136, true);
        let instructions = ("instructions".to_owned(), 1000, 1001, true);
        let all = [registers.clone(), instructions, spilled.clone(), blocks.clone()];
        assert_eq!(said(&before, &after, 0), all);
        assert_eq!(said(&before, &after, 6), [registers, spilled.clone(), blocks.clone()]);
        assert_eq!(said(&before, &after, 7), [spilled, blocks]);
        assert!(said(&after, &before, 0).iter().all(|(.., worse)| !worse));
        assert_eq!(said(&before, &before, 0), []);
    }

    #[test]
    fn loops_are_compared_with_loops_of_as_many_mmas() {
        let of = |loops: &[[u64; 2]]| Figures { loops: loops.to_vec(), ..Figures::default() };
        let what = "instructions of a loop with 8 MMAs".to_owned();
        let before = of(&[[40, 4], [84, 8], [90, 8]]);
        assert_eq!(said(&before, &of(&[[92, 8], [40, 4], [84, 8]]), 0), [(what.clone(), 90, 92, true)]);
        // The worst of before takes 11.25 for each MMA.
        assert_eq!(said(&before, &of(&[[90, 8]]), 0), []);
        assert_eq!(said(&before, &of(&[[91, 8]]), 0), [(what, 90, 91, true)]);
        let sixteen = "instructions of a loop with 16 MMAs".to_owned();
        assert_eq!(said(&before, &of(&[[180, 16]]), 0), []);
        assert_eq!(said(&before, &of(&[[190, 16]]), 0), [(sixteen, 180, 190, true)]);
        // Without MMAs.
        let plain = "instructions of a loop".to_owned();
        assert_eq!(said(&of(&[[7, 0]]), &of(&[[9, 0]]), 0), [(plain, 7, 9, true)]);
        assert_eq!(said(&of(&[[7, 0]]), &of(&[[9, 0], [3, 0]]), 0), []);
    }
}
