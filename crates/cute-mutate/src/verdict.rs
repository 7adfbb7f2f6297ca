//! Conclusions from the runs of a mutant.

use serde::Serialize;

/// The conclusion from the values that a mutant computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Values {
    /// The test fails.
    Noticed,
    /// The kernel hangs, traps or uses an address where nothing lies, which no test overlooks.
    Stuck,
    /// The arrays differ from those of the kernel, and the test passes.
    Tolerated,
    /// The arrays are equal, but differ if the floats among the inputs are other ones.
    Hidden,
    /// The test does not execute the instruction.
    Unreached,
    /// No difference was seen: the mutant is as right as the kernel, or no run here tells.
    Equal,
    /// The simulator ended the run at a finding, and tells nothing about values.
    Unknown,
}

impl Values {
    /// Whether a test that looks at values alone notices the mutant.
    pub fn are_noticed(self) -> bool {
        matches!(self, Self::Noticed | Self::Stuck)
    }

    /// The heading of mutants like this in a report.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Noticed => "noticed",
            Self::Stuck => "hang or fault",
            Self::Tolerated => "not noticed, although arrays differ",
            Self::Hidden => "not noticed, because arrays differ with other inputs alone",
            Self::Unreached => "not noticed, because the test does not execute the instruction",
            Self::Equal => "no difference seen",
            Self::Unknown => "values not known, because the run ends at a finding",
        }
    }
}

/// The findings that end a kernel on a device too, or keep it from ending.
const STUCK: &[&str] = &[
    "deadlock",
    "hang",
    "budget",
    "trap",
    "unreachable",
    "unmapped",
    "misaligned",
    "wrong_space",
    "read_only",
    "invalid_target",
    "call_depth",
];

/// The verdict on a mutant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MutantVerdict {
    /// By the values that it computes.
    pub values: Values,
    /// The kinds of the simulator's errors, without repetition.
    pub found: Vec<String>,
}

impl MutantVerdict {
    /// The verdict on a run that did not reach its end, by the kinds of its errors.
    pub fn ended(found: Vec<String>) -> Self {
        let is_stuck = found.iter().any(|kind| STUCK.contains(&kind.as_str()));
        Self { values: if is_stuck { Values::Stuck } else { Values::Unknown }, found }
    }
}
