//! The verdicts on all mutants, as text and as data.

use crate::{
    Kind, Mutant,
    verdict::{MutantVerdict, Values},
};
use serde::Serialize;
use std::{collections::BTreeMap, fmt};

/// A mutant with the verdict on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Judged {
    /// The name of the text that was changed.
    pub file: String,
    /// The change.
    #[serde(flatten)]
    pub mutant: Mutant,
    /// The conclusion from the runs.
    #[serde(flatten)]
    pub verdict: MutantVerdict,
}

impl Judged {
    /// The place, the change, and what the simulator found.
    fn text(&self) -> String {
        let Self { file, mutant, verdict } = self;
        let found = match verdict.found.as_slice() {
            [] => String::new(),
            found => format!(": {}", found.join(", ")),
        };
        format!("{}{found}", mutant.within(file))
    }
}

/// Everything about one test.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Score {
    /// A name for people.
    pub test: String,
    /// The checks of the test, as the subject of a sentence.
    pub asked: String,
    /// The mutants that were tried and are kernels other than the original.
    pub mutants: Vec<Judged>,
    /// All mutants of the kernels, from which these were chosen.
    pub available: usize,
    /// The seed of the choice.
    pub seed: u64,
    /// Mutants that are not PTX, or not a program. They do not count.
    pub unreadable: usize,
    /// Mutants whose instructions are those of the kernel. They do not count.
    pub same: usize,
    /// Mutants that were not tried, because the time was over.
    pub left: usize,
}

/// Some of the mutants, counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// All of them.
    pub mutants: usize,
    /// Noticed by the values.
    pub values: usize,
    /// The simulator ended the run, so that the values are not known.
    pub unknown: usize,
    /// Found by the simulator.
    pub findings: usize,
    /// Found by the simulator, and not noticed by the values.
    pub only_findings: usize,
    /// Neither.
    pub neither: usize,
    /// Those with other arrays, which the test tolerates.
    pub tolerated: usize,
    /// Those with other arrays for other inputs.
    pub hidden: usize,
    /// Those of instructions that the test does not execute.
    pub unreached: usize,
    /// Those without a difference.
    pub equal: usize,
}

impl Counts {
    /// Those among these.
    pub fn of<'j>(all: impl IntoIterator<Item = &'j Judged>) -> Self {
        let mut counts = Self::default();
        for MutantVerdict { values, found } in all.into_iter().map(|judged| &judged.verdict) {
            let (noticed, found) = (values.are_noticed(), !found.is_empty());
            counts.mutants += 1;
            counts.values += usize::from(noticed);
            counts.unknown += usize::from(*values == Values::Unknown);
            counts.findings += usize::from(found);
            counts.only_findings += usize::from(found && !noticed);
            counts.neither += usize::from(!found && !noticed);
            if !found {
                counts.tolerated += usize::from(*values == Values::Tolerated);
                counts.hidden += usize::from(*values == Values::Hidden);
                counts.unreached += usize::from(*values == Values::Unreached);
                counts.equal += usize::from(*values == Values::Equal);
            }
        }
        counts
    }

    /// The mutants whose values are known.
    pub fn known(&self) -> usize {
        self.mutants - self.unknown
    }

    /// The part of the mutants with known values that the values show, in percent, rounded down.
    pub fn score(&self) -> usize {
        percent(self.values, self.known())
    }
}

/// A part in percent, rounded down, so that 100 means all; of none it is 0.
fn percent(part: usize, of: usize) -> usize {
    (part * 100).checked_div(of).unwrap_or(0)
}

/// A score with its numbers, for JSON.
#[derive(Debug, Serialize)]
pub struct Data<'s> {
    /// Raised when a field is removed or changes its meaning.
    version: u32,
    /// [`Counts::score`].
    score: usize,
    #[serde(flatten)]
    counts: Counts,
    #[serde(flatten)]
    whole: Whole<'s>,
}

#[derive(Debug, Serialize)]
struct Whole<'s> {
    test: &'s str,
    available: usize,
    seed: u64,
    unreadable: usize,
    same: usize,
    left: usize,
    /// By the kind of change.
    changes: BTreeMap<&'static str, Counts>,
    judged: Vec<Told<'s>>,
}

/// A mutant with its text.
#[derive(Debug, Serialize)]
struct Told<'s> {
    text: String,
    #[serde(flatten)]
    judged: &'s Judged,
}

impl Score {
    /// Everything, as data.
    pub fn data(&self) -> Data<'_> {
        let Self { test, mutants, available, seed, unreadable, same, left, .. } = self;
        let (available, seed, unreadable, same, left) = (*available, *seed, *unreadable, *same, *left);
        let judged = mutants.iter().map(|judged| Told { text: judged.text(), judged }).collect();
        let changes = self.changes().map(|(kind, counts)| (kind.name(), counts)).collect();
        let whole = Whole { test, available, seed, unreadable, same, left, changes, judged };
        Data { version: 1, score: self.counts().score(), counts: self.counts(), whole }
    }

    /// The mutants of each kind that there is, counted.
    pub fn changes(&self) -> impl Iterator<Item = (Kind, Counts)> {
        let of = |kind| (kind, Counts::of(self.mutants.iter().filter(|judged| judged.mutant.kind == kind)));
        Kind::ALL.into_iter().map(of).filter(|(_, counts)| counts.mutants > 0)
    }

    /// All mutants, counted.
    pub fn counts(&self) -> Counts {
        Counts::of(&self.mutants)
    }

    /// Whether a mutant shows that the test is weak: it computes something else, or would with
    /// other inputs, and neither the test nor the simulator notices.
    pub fn is_weak(&self) -> bool {
        self.mutants.iter().any(|m| m.verdict.found.is_empty() && shows_weakness(m.verdict.values))
    }
}

/// Whether the test could have noticed, and did not.
fn shows_weakness(values: Values) -> bool {
    matches!(values, Values::Tolerated | Values::Hidden | Values::Unreached)
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { test, asked, mutants, available, seed, unreadable, same, left } = self;
        let all = self.counts();
        let Counts { mutants: count, values, unknown, findings, neither, .. } = all;
        let part = |part: usize, of: usize| format!("{part} of {of} ({} %)", percent(part, of));
        writeln!(
            f,
            "{test}: {asked} notice {}, the simulator's findings {}, both together {}",
            part(values, all.known()),
            part(findings, count),
            part(count - neither, count)
        )?;
        let mut notes = Vec::new();
        if unknown > 0 {
            notes.push(format!(
                "{unknown} of {count} mutants end at a finding, so that their values are not known"
            ));
        }
        let tried = count + unreadable + same;
        if tried < *available {
            notes.push(format!("{tried} of {available} mutants were tried, chosen by the seed {seed}"));
        }
        if *left > 0 {
            notes.push(format!("{left} more were not tried, because the time was over"));
        }
        if *unreadable > 0 {
            notes.push(format!("{unreadable} do not count, because they are not a program"));
        }
        if *same > 0 {
            notes.push(format!("{same} do not count, because they are the same program"));
        }
        for note in notes {
            writeln!(f, "{note}")?;
        }
        self.table(f)?;
        survivors(f, mutants)
    }
}

impl Score {
    /// A row for each kind of change.
    fn table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.mutants.is_empty() {
            return Ok(());
        }
        let heads = ["mutants", "values", "unknown", "findings", "only findings", "neither"];
        let [all, by_values, unknown, findings, only, neither] = heads;
        writeln!(
            f,
            "\n{:<12}{all:>8}{by_values:>8}{unknown:>9}{findings:>10}{only:>15}{neither:>9}",
            "change"
        )?;
        for (kind, Counts { mutants, values, unknown, findings, only_findings, neither, .. }) in
            self.changes()
        {
            let name = kind.name();
            writeln!(
                f,
                "{name:<12}{mutants:>8}{values:>8}{unknown:>9}{findings:>10}{only_findings:>15}{neither:>9}"
            )?;
        }
        Ok(())
    }
}

/// The mutants that the test does not notice, those first that say most about it.
fn survivors(f: &mut fmt::Formatter<'_>, mutants: &[Judged]) -> fmt::Result {
    let alone = "not noticed by the values, but found by the simulator";
    let weak = [Values::Tolerated, Values::Hidden, Values::Unreached].map(Values::heading);
    let others = [alone, Values::Unknown.heading(), Values::Equal.heading()];
    let headings = weak.into_iter().chain(others);
    let heading_of = |verdict: &MutantVerdict| match verdict.values {
        Values::Tolerated | Values::Hidden | Values::Equal if !verdict.found.is_empty() => alone,
        values => values.heading(),
    };
    for heading in headings {
        let own: Vec<&Judged> =
            mutants.iter().filter(|judged| heading_of(&judged.verdict) == heading).collect();
        if own.is_empty() {
            continue;
        }
        writeln!(f, "\n{heading} ({})", own.len())?;
        for judged in own {
            writeln!(f, "  {}", judged.text())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(line: usize, values: Values, found: &[&str]) -> Judged {
        let text =
            ".version 8.7 .target sm_90a .address_size 64\n.entry k() {\nbar.sync 0;\nfence.acq_rel.gpu;\n}";
        let mutant = crate::ptx::mutants(text, &[]).unwrap().into_iter().find(|m| m.line == line).unwrap();
        let found = found.iter().map(ToString::to_string).collect();
        Judged { file: "k.ptx".into(), mutant, verdict: MutantVerdict { values, found } }
    }

    #[test]
    fn a_score_counts_and_lists_what_is_not_noticed() {
        let mutants = vec![
            judged(3, Values::Noticed, &[]),
            judged(3, Values::Equal, &["race"]),
            judged(4, Values::Equal, &[]),
        ];
        let (test, asked) = ("k.ptx".to_owned(), "values".to_owned());
        let score = Score { test, asked, mutants, available: 9, same: 1, ..Score::default() };
        assert_eq!(
            score.to_string(),
            "k.ptx: values notice 1 of 3 (33 %), the simulator's findings 1 of 3 (33 %), both together 2 of 3 (66 %)\n\
             4 of 9 mutants were tried, chosen by the seed 0\n\
             1 do not count, because they are the same program\n\n\
             change       mutants  values  unknown  findings  only findings  neither\n\
             fence              1       0        0         0              0        1\n\
             barrier            2       1        0         1              1        0\n\n\
             not noticed by the values, but found by the simulator (1)\n  k.ptx:3: `bar.sync`: dropped: race\n\n\
             no difference seen (1)\n  k.ptx:4: `fence.acq_rel.gpu`: dropped\n"
        );
        assert!(!score.is_weak());
        let weak = Score { mutants: vec![judged(3, Values::Tolerated, &[])], ..Score::default() };
        assert!(weak.is_weak());
    }

    #[test]
    fn a_run_that_ends_early_says_nothing_about_values_unless_a_device_ends_too() {
        let verdict = |kind: &str| MutantVerdict::ended(vec![kind.to_owned()]).values;
        assert_eq!((verdict("deadlock"), verdict("unfenced")), (Values::Stuck, Values::Unknown));
    }
}
