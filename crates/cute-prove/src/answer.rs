//! An answer as text and as data: the same for each caller.

use crate::prove::{Answer, Proof};
use serde::{Serialize, Serializer, ser::SerializeStruct};
use std::fmt;

/// The version of the form in JSON.
const VERSION: u32 = 1;

/// The answer about a kernel.
///
/// Its text is that of `cutec prove`. In JSON it is an object with the same fields for each answer:
/// `answer` is `proved`, `counterexample` or `not decided`, and what the other answers have is
/// `null` or empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The symbol of the kernel.
    pub kernel: String,
    /// The smallest size that was asked about.
    pub first: i64,
    /// Whether what the instruction set forbids and libraries rely on is an error.
    pub strict_isa: bool,
    /// Proved, a counterexample, or not decided.
    pub answer: Answer,
    /// The arguments of a counterexample, at its size.
    pub arguments: Vec<String>,
}

impl Answered {
    /// `proved`, `counterexample` or `not decided`.
    pub fn name(&self) -> &'static str {
        match self.answer {
            Answer::Proved(_) => "proved",
            Answer::Counterexample { .. } => "counterexample",
            Answer::Undecided { .. } => "not decided",
        }
    }

    /// The proof, if there is one.
    pub fn proof(&self) -> Option<&Proof> {
        match &self.answer {
            Answer::Proved(proof) => Some(proof),
            _ => None,
        }
    }

    /// The properties that hold at every size.
    pub fn properties(&self) -> Vec<&'static str> {
        let all = [
            "no deadlock",
            "no wait that may pass early, and no phase that a waiter can miss",
            "arrivals and bytes fit every phase; no bytes are left at the end",
            "no read of a slot before its data, no overwrite before the last read, proxy fences of slots, and \
             nothing in flight at the end: the simulator's checks, which each larger size repeats",
        ];
        self.proof().map_or(Vec::new(), |_| all.to_vec())
    }

    /// The reasons for which they hold.
    pub fn evidence(&self) -> Vec<String> {
        let Some(proof) = self.proof() else { return Vec::new() };
        let Proof { period, ran, step, warps, events, .. } = proof;
        let (runs, last) = (ran.len(), ran.last().copied().unwrap_or(self.first));
        let others = match step {
            0 => "they are all sizes before the steady state".to_owned(),
            1 => "each other one is a smaller one with 1 more in the steady state".to_owned(),
            step => format!("each other one is a smaller one with up to {step} more in the steady state"),
        };
        vec![
            format!("{warps} warps whose {events} events of barriers repeat themselves after {period} sizes"),
            format!("{runs} sizes up to {last} in the simulator, under lazy, eager or reverse; {others}"),
        ]
    }

    /// The conditions under which it is proved.
    pub fn assumptions(&self) -> Vec<String> {
        let Some(proof) = self.proof() else { return Vec::new() };
        let findings = match self.strict_isa {
            true => "findings that are notes do not count",
            false => {
                "findings that are not errors do not count; without strict ISA, those of portability are none"
            }
        };
        let elected = match &proof.lowest {
            None => {
                "elect.sync elects the lowest or the highest lane, and the same one everywhere".to_owned()
            }
            Some(place) => {
                format!("elect.sync elects the lowest lane, as devices do; with the highest one: {place}")
            }
        };
        let all = [
            "the lanes of a warp that are at one instruction execute it together, and the warps of a warpgroup a wgmma",
            &elected,
            "the arguments depend on n as they do in these runs, and values of arrays decide no branch at barriers",
            "global memory is not part of the proof: that of these runs is checked",
            findings,
        ];
        let checks = proof.trusted.iter().map(|place| format!("this check of data holds: {place}"));
        let memory = proof.synchronises.iter().map(|place| {
            format!(
                "memory orders threads at every n as in these runs, and loops that wait for it end: {place}"
            )
        });
        all.into_iter().map(String::from).chain(checks).chain(memory).collect()
    }

    /// The largest size for which it is proved, if there is one.
    fn most(&self) -> Option<i64> {
        self.proof().map(|proof| proof.most).filter(|most| *most != i64::MAX)
    }
}

impl fmt::Display for Answered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let proof = match &self.answer {
            Answer::Counterexample { n, schedule, finding } => {
                return write!(f, "counterexample: n = {n}, schedule {schedule}\n{finding}");
            }
            Answer::Undecided { place, why } => {
                let place = place.as_ref().map_or_else(String::new, |place| format!("{place}: "));
                return writeln!(f, "not decided: {place}{why}");
            }
            Answer::Proved(proof) => proof,
        };
        let most = self.most().map_or_else(String::new, |most| format!(" to {most}"));
        writeln!(f, "proved: for every n from {}{most}", self.first)?;
        self.properties().iter().try_for_each(|text| writeln!(f, "  {text}"))?;
        writeln!(f, "\nIt follows from")?;
        self.evidence().iter().try_for_each(|text| writeln!(f, "  {text}"))?;
        writeln!(f, "\nIt is assumed that")?;
        self.assumptions().iter().try_for_each(|text| writeln!(f, "  {text}"))?;
        if proof.unreached.is_empty() {
            return Ok(());
        }
        writeln!(f, "\nNo warp reaches")?;
        proof.unreached.iter().try_for_each(|place| writeln!(f, "  {place}"))
    }
}

impl Serialize for Answered {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (size, schedule, finding) = match &self.answer {
            Answer::Counterexample { n, schedule, finding } => {
                (Some(*n), Some(schedule.to_string()), Some(finding))
            }
            _ => (None, None, None),
        };
        let (place, reason) = match &self.answer {
            Answer::Undecided { place, why } => (place.as_ref(), Some(why)),
            _ => (None, None),
        };
        let proof = self.proof();
        let mut fields = serializer.serialize_struct("Answer", 19)?;
        fields.serialize_field("version", &VERSION)?;
        fields.serialize_field("kernel", &self.kernel)?;
        fields.serialize_field("answer", self.name())?;
        fields.serialize_field("first", &self.first)?;
        fields.serialize_field("strict_isa", &self.strict_isa)?;
        fields.serialize_field("most", &self.most())?;
        fields.serialize_field("properties", &self.properties())?;
        fields.serialize_field("evidence", &self.evidence())?;
        fields.serialize_field("assumptions", &self.assumptions())?;
        fields.serialize_field("period", &proof.map(|proof| proof.period))?;
        fields.serialize_field("ran", &proof.map_or(&[][..], |proof| &proof.ran))?;
        fields.serialize_field("unreached", &proof.map_or(&[][..], |proof| &proof.unreached))?;
        fields.serialize_field("size", &size)?;
        fields.serialize_field("schedule", &schedule)?;
        fields.serialize_field("arguments", &self.arguments)?;
        fields.serialize_field("finding", &finding)?;
        fields.serialize_field("place", &place)?;
        fields.serialize_field("reason", &reason)?;
        fields.serialize_field("text", &self.to_string())?;
        fields.end()
    }
}
