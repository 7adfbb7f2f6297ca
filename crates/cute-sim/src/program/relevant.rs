//! The registers on which a loop depends, and those that only count its iterations.

use super::flow::{Sources, depends};
use super::{Kernel, Op, Slot};
use std::collections::BTreeSet;

impl Kernel {
    /// The registers whose values decide what these instructions do to memory, to barriers and to
    /// each other. `None` if one of them is not known well enough, or if the clock decides it.
    pub(crate) fn relevant(&self, code: &BTreeSet<usize>) -> Option<BTreeSet<Slot>> {
        let (mut sources, mut used) = (Sources::new(), Vec::new());
        for pc in code {
            used.extend(self.uses(*pc)?);
            for (slot, from) in self.flows(*pc) {
                sources.entry(slot).or_default().extend(from);
            }
        }
        let mut all = depends(&sources, &used);
        all.extend(used);
        let is_timed = |pc: &usize| self.clock(*pc).is_some_and(|slot| all.contains(&slot));
        (!code.iter().any(is_timed)).then_some(all)
    }

    /// The register that an instruction sets to the time.
    pub(crate) fn clock(&self, pc: usize) -> Option<Slot> {
        self.code[pc].scalar().and_then(|op| op.clock())
    }

    /// The registers whose values have an effect.
    fn uses(&self, pc: usize) -> Option<Vec<Slot>> {
        let op = &self.code[pc];
        Some(match op {
            Op::Control(op) => return op.uses(),
            Op::Memory(op) => return op.uses(&self.accesses),
            Op::Scalar(op) => {
                op.flows()?;
                Vec::new()
            }
            Op::Mbarrier(op) => op.uses(),
            Op::Barrier(op) => op.uses(),
            Op::Collective(op) => op.uses(),
            Op::Cluster(op) if !op.is_counted() => Vec::new(),
            Op::Fence(_) => Vec::new(),
            op => {
                self.sets(op)?;
                Vec::new()
            }
        })
    }

    /// The registers that an instruction sets, each with those that its value comes from.
    fn flows(&self, pc: usize) -> Vec<(Slot, Vec<Slot>)> {
        match &self.code[pc] {
            Op::Collective(op) => op.flows(),
            Op::Scalar(op) => op.flows().unwrap_or_default(),
            Op::Memory(op) => op.flows(&self.accesses).unwrap_or_default(),
            Op::Cluster(op) => op.flow().into_iter().collect(),
            _ => self.definitions(pc),
        }
    }
}
