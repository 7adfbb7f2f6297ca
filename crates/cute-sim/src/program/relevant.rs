//! The registers on which a loop depends, and those that only count its iterations.

use super::flow::{Sources, depends};
use super::{Kernel, Op, Piece, Slot, Special};
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
        match self.code[pc] {
            Op::Special { dst, special: Special::Clock } => Some(dst),
            _ => None,
        }
    }

    /// The registers whose values have an effect.
    fn uses(&self, pc: usize) -> Option<Vec<Slot>> {
        let op = &self.code[pc];
        Some(match op {
            Op::Branch { condition, .. } => vec![*condition],
            Op::Switch { flag, .. } => vec![*flag],
            Op::Load { address, .. } => vec![*address],
            Op::Store { src, address, access } => {
                let leaves = self.accesses[*access as usize].leaves.iter();
                leaves.map(|leaf| src + leaf.slot).chain([*address]).collect()
            }
            Op::Atomic { address, value, expected, access, .. } => {
                let words = self.accesses[*access as usize].bytes.div_ceil(8) as u32;
                (0..words).flat_map(|word| [value + word, expected + word]).chain([*address]).collect()
            }
            Op::Mbarrier(op) => op.uses(),
            Op::Barrier { id, threads, reduction, .. } => {
                let predicate = reduction.map(|reduction| reduction.predicate);
                [*id, *threads, predicate].into_iter().flatten().collect()
            }
            Op::Arrive { id, threads, .. } => id.iter().chain([threads]).copied().collect(),
            Op::WarpBarrier { mask } => vec![*mask],
            Op::Agree { value } => vec![*value],
            Op::Collective(op) => op.uses(),
            Op::Jump { .. } | Op::Return | Op::ClusterArrive { .. } | Op::ClusterWait { .. } => Vec::new(),
            Op::Overflowing { .. }
            | Op::Fma { .. }
            | Op::FloatUnary { .. }
            | Op::Convert { .. }
            | Op::IsInSpace { .. }
            | Op::BlockRank { .. }
            | Op::Fence(_) => Vec::new(),
            op => {
                self.sets(op)?;
                Vec::new()
            }
        })
    }

    /// The registers that an instruction sets, each with those that its value comes from.
    fn flows(&self, pc: usize) -> Vec<(Slot, Vec<Slot>)> {
        let slots = |pieces: &[Piece]| pieces.iter().map(|piece| piece.slot).collect::<Vec<_>>();
        match &self.code[pc] {
            Op::Collective(op) => op.flows(),
            Op::Overflowing { at, .. } => {
                let lanes = (0..2 * at.lanes).map(|i| (i, i % at.lanes));
                lanes.map(|(to, from)| (at.dst + to, vec![at.a + from, at.b + from])).collect()
            }
            Op::Fma { at, .. } => {
                (0..at.lanes).map(|i| (at.dst + i, vec![at.a + i, at.b + i, at.c + i])).collect()
            }
            Op::FloatUnary { at, .. } => (0..at.lanes).map(|i| (at.dst + i, vec![at.a + i])).collect(),
            Op::Convert { random, src, dst, .. } => {
                let from: Vec<Slot> = slots(src).into_iter().chain(*random).collect();
                slots(dst).into_iter().map(|slot| (slot, from.clone())).collect()
            }
            Op::IsInSpace { dst, address, .. } | Op::BlockRank { dst, address, .. } => {
                vec![(*dst, vec![*address])]
            }
            _ => self.definitions(pc),
        }
    }
}
