//! How instructions follow each other, and from which registers they set others.

use super::{Edge, Kernel, Op, Slot, Special};
use crate::memory::address::{CONSTANT, LOCAL};
use std::collections::{BTreeSet, HashMap};

/// The registers that each register may be set from, by some instructions.
pub(super) type Sources = HashMap<Slot, BTreeSet<Slot>>;

/// The registers from which some are set, in one step or several.
pub(super) fn depends(sources: &Sources, on: &[Slot]) -> BTreeSet<Slot> {
    let (mut left, mut all) = (on.to_vec(), BTreeSet::new());
    while let Some(slot) = left.pop() {
        let own = sources.get(&slot).into_iter().flatten().copied();
        left.extend(own.filter(|from| all.insert(*from)));
    }
    all
}

/// The registers whose value differs from one iteration to the next.
pub(super) fn changing(sources: &Sources) -> BTreeSet<Slot> {
    sources.keys().copied().filter(|slot| depends(sources, &[*slot]).contains(slot)).collect()
}

impl Kernel {
    /// The branch at the end of the shortest loop around an instruction.
    pub(crate) fn loop_around(&self, pc: usize) -> Option<usize> {
        let back = |end: usize| self.followers(end).into_iter().filter(move |start| *start <= pc);
        let loops = (pc..self.code.len()).flat_map(|end| back(end).map(move |start| (start, end)));
        loops.min_by_key(|(start, end)| end - start).map(|(_, end)| end)
    }

    /// The instructions that may follow one.
    pub(super) fn followers(&self, pc: usize) -> Vec<usize> {
        let target = |edge: &u32| self.edges[*edge as usize].target as usize;
        match &self.code[pc] {
            Op::Jump { edge } => vec![target(edge)],
            Op::Branch { then, otherwise, .. } => vec![target(then), target(otherwise)],
            Op::Switch { cases, default, .. } => {
                cases.iter().map(|(_, edge)| edge).chain([default]).map(target).collect()
            }
            Op::Return | Op::Back { .. } | Op::Unreachable | Op::Trap { .. } => Vec::new(),
            Op::Nowhere { .. } | Op::Refused { .. } => Vec::new(),
            _ => vec![pc + 1],
        }
    }

    pub(super) fn sources(&self, code: &BTreeSet<usize>) -> Sources {
        let mut sources = Sources::new();
        for (slot, from) in code.iter().flat_map(|pc| self.definitions(*pc)) {
            sources.entry(slot).or_default().extend(from);
        }
        sources
    }

    /// The registers that an instruction sets, each with those that its value comes from.
    pub(super) fn definitions(&self, pc: usize) -> Vec<(Slot, Vec<Slot>)> {
        let of = |edge: u32| moved(&self.edges[edge as usize]).map(|(to, from)| (to, vec![from]));
        match &self.code[pc] {
            Op::Jump { edge } => of(*edge).collect(),
            Op::Branch { then, otherwise, .. } => of(*then).chain(of(*otherwise)).collect(),
            Op::Switch { cases, default, .. } => {
                cases.iter().map(|(_, edge)| *edge).chain([*default]).flat_map(of).collect()
            }
            op => self.sets(op).unwrap_or_default(),
        }
    }

    /// Those of an instruction without an effect on others, which the next one follows; `None` for
    /// any other. A value that may differ the next time comes from itself.
    pub(super) fn sets(&self, op: &Op) -> Option<Vec<(Slot, Vec<Slot>)>> {
        let each = |dst: Slot, lanes: u32, from: &[Slot]| {
            (0..lanes).map(|i| (dst + i, from.iter().map(|slot| slot + i).collect())).collect()
        };
        Some(match op {
            Op::Int { at, .. } | Op::IntCompare { at, .. } | Op::Float { at, .. } => {
                each(at.dst, at.lanes, &[at.a, at.b])
            }
            Op::FloatCompare { at, .. } => each(at.dst, at.lanes, &[at.a, at.b]),
            Op::IntUnary { at, .. } | Op::Cast { at, .. } => each(at.dst, at.lanes, &[at.a]),
            Op::IntTernary { at, .. } | Op::Permute { at } => each(at.dst, 1, &[at.a, at.b, at.c]),
            Op::Select { at, .. } if at.lanes == 1 => each(at.dst, 1, &[at.a, at.b, at.c]),
            Op::Copy(m) | Op::Freeze(m) if m.dst != m.src => each(m.dst, m.len, &[m.src]),
            Op::Copy(_) | Op::Freeze(_) => Vec::new(),
            Op::Coordinates(of) => each(of.dst, 1, &[of.src]),
            Op::Address { dst, base, terms, .. } => {
                vec![(*dst, terms.iter().map(|term| term.slot).chain([*base]).collect())]
            }
            Op::MapAddress { dst, address, rank } => vec![(*dst, vec![*address, *rank])],
            Op::Load { dst, address, access } => {
                let access = &self.accesses[*access as usize];
                let is_own = matches!(access.space, LOCAL | CONSTANT);
                let from = |slot: Slot| if is_own { vec![*address] } else { vec![slot] };
                access.leaves.iter().map(|leaf| (dst + leaf.slot, from(dst + leaf.slot))).collect()
            }
            Op::Store { access, .. } if self.accesses[*access as usize].space == LOCAL => Vec::new(),
            Op::Special { dst, special } => match special {
                Special::Clock => vec![(*dst, vec![*dst])],
                _ => vec![(*dst, Vec::new())],
            },
            Op::Collective(op) => op.plain_flows()?,
            Op::Fence(op) if op.order().is_some() => Vec::new(),
            Op::WarpBarrier { .. } | Op::Nothing | Op::Agree { .. } => Vec::new(),
            _ => return None,
        })
    }
}

/// The registers that an edge sets, and those that it takes their values from.
pub(super) fn moved(edge: &Edge) -> impl Iterator<Item = (Slot, Slot)> + '_ {
    let all = edge.moves.iter().flat_map(|m| (0..m.len).map(|i| (m.dst + i, m.src + i)));
    all.filter(|(to, from)| to != from)
}
