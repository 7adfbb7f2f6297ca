//! How instructions follow each other, and from which registers they set others.

use super::{Edge, Kernel, Op, Slot};
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
    pub fn followers(&self, pc: usize) -> Vec<usize> {
        let op = &self.code[pc];
        let targets = op.edges().into_iter().map(|edge| self.edges[edge as usize].target as usize);
        targets.chain(op.goes_on().then_some(pc + 1)).collect()
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
        let op = &self.code[pc];
        let edges = op.edges();
        if edges.is_empty() {
            return self.sets(op).unwrap_or_default();
        }
        let moves = edges.into_iter().flat_map(|edge| moved(&self.edges[edge as usize]));
        moves.map(|(to, from)| (to, vec![from])).collect()
    }

    /// Those of an instruction without an effect on others, which the next one follows; `None` for
    /// any other. A value that may differ the next time comes from itself.
    pub(super) fn sets(&self, op: &Op) -> Option<Vec<(Slot, Vec<Slot>)>> {
        Some(match op {
            Op::Scalar(op) => return op.definitions(),
            Op::Memory(op) => return op.definitions(&self.accesses),
            Op::Control(op) if op.goes_on() && !op.calls() => Vec::new(),
            Op::Cluster(op) => vec![op.flow_of_map()?],
            Op::Collective(op) => op.plain_flows()?,
            Op::Fence(op) if op.order().is_some() => Vec::new(),
            Op::Barrier(op) if !op.is_of_block() => Vec::new(),
            _ => return None,
        })
    }
}

/// The registers that an edge sets, and those that it takes their values from.
pub(super) fn moved(edge: &Edge) -> impl Iterator<Item = (Slot, Slot)> + '_ {
    let all = edge.moves.iter().flat_map(|m| (0..m.len).map(|i| (m.dst + i, m.src + i)));
    all.filter(|(to, from)| to != from)
}
