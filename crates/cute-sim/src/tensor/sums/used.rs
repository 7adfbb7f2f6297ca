//! The rules that a launch has used.

use super::rule::{Evidence, Query, Sums};
use serde::Serialize;
use std::fmt;

/// The least certain of the rules that a launch has used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Weakest {
    /// The device whose rules they are: `sm_90`.
    pub device: String,
    /// How sure the rule is.
    pub evidence: Evidence,
    /// The instruction: `wgmma.m64n128k16.f32.f16.f16`.
    pub instruction: String,
}

impl fmt::Display for Weakest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Weakest { device, evidence, instruction } = self;
        write!(f, "floats are added as by the tensor cores of {device}: {evidence} ({instruction})")
    }
}

impl Query {
    fn spelled(&self) -> String {
        let Query { unit, a, b, d, shape: [m, n, k], .. } = self;
        format!("{}.m{m}n{n}k{k}.{d}.{a}.{b}", unit.name)
    }
}

/// Notes that an instruction was executed.
pub(crate) fn note(weakest: &mut Option<Weakest>, sums: Sums, query: &Query) {
    if sums == Sums::Plain {
        return;
    }
    let evidence = sums.row(query).evidence;
    if query.adds_floats() && weakest.as_ref().is_none_or(|weakest| weakest.evidence < evidence) {
        let (device, instruction) = (sums.to_string(), query.spelled());
        *weakest = Some(Weakest { device, evidence, instruction });
    }
}
