//! Waits for phases of mbarriers that last until the phase is complete, whatever instruction they
//! are made of: a thread that has begun one does nothing else before its answer.
//!
//! A `test_wait` or `try_wait` lasts if a loop without effects leads from it back to itself, on
//! which its address and its parity stay as they are, and which only its answer or a trap ends; or
//! if a path without effects leads to such a loop that asks the same. A test whose false answer
//! leads elsewhere does not: the thread may do without that phase.

use super::flow::{changing, depends, moved};
use super::{Kernel, Op, Slot};
use std::collections::{BTreeSet, VecDeque};

/// Instructions that a loop around a wait has at most, with the paths beside it.
const MOST: usize = 96;

/// A question for a phase: the registers of its address and its parity.
type Question = (Slot, Slot);

impl Kernel {
    /// For each instruction, whether it is a wait by parity that lasts; empty if there is none.
    pub fn lasting_waits(&self) -> Vec<bool> {
        let waits = || (0..).zip(&self.code).filter_map(|(pc, op)| Some((pc, wait(op)?)));
        let mut lasting = vec![false; self.code.len()];
        for (pc, Wait { question, lasts, answer }) in waits() {
            lasting[pc] = lasts || answer.is_some_and(|a| self.loops(pc, question, a));
        }
        let loops = lasting.clone();
        for (pc, Wait { question, .. }) in waits().filter(|(pc, _)| !loops[*pc]) {
            let paths = self.unchanged(pc, question);
            let asks_the_same = |other: &usize| {
                loops[*other] && wait(&self.code[*other]).is_some_and(|other| other.question == question)
            };
            lasting[pc] = paths.iter().any(asks_the_same);
        }
        if lasting.contains(&true) { lasting } else { Vec::new() }
    }

    /// Whether a loop asks the question until the answer is true.
    fn loops(&self, pc: usize, question: Question, answer: Slot) -> bool {
        let paths = self.unchanged(pc, question);
        if !paths.contains(&pc) {
            return false;
        }
        // Those from which a path leads back.
        let mut inside = BTreeSet::from([pc]);
        let leads_back =
            |inside: &BTreeSet<usize>, at: usize| self.followers(at).iter().any(|next| inside.contains(next));
        while let Some(more) = paths.iter().find(|at| !inside.contains(at) && leads_back(&inside, **at)) {
            inside.insert(*more);
        }
        let sources = self.sources(&inside);
        let changes = changing(&sources);
        inside.iter().filter(|at| **at != pc).all(|at| {
            let mut exits = self.followers(*at).into_iter().filter(|next| !inside.contains(next)).peekable();
            if exits.peek().is_none() {
                return true;
            }
            if let Some((condition, _)) = self.code[*at].control().and_then(|op| op.branch()) {
                let mut from = depends(&sources, &[condition]);
                from.insert(condition);
                if from.contains(&answer) && from.is_disjoint(&changes) {
                    return true;
                }
            }
            exits.all(|next| self.traps(next))
        })
    }

    /// Whether all paths from an instruction end in a trap.
    fn traps(&self, from: usize) -> bool {
        let (mut left, mut seen) = (vec![from], BTreeSet::new());
        while let Some(pc) = left.pop() {
            let returns = |op: &Op| op.control().is_some_and(|op| op.returns());
            if self.code.get(pc).is_none_or(returns) || seen.len() >= MOST {
                return false;
            }
            if seen.insert(pc) {
                left.extend(self.followers(pc));
            }
        }
        true
    }

    /// The instructions on paths without effects from a wait, which leave the registers of its
    /// question as they are, up to the next waits.
    fn unchanged(&self, from: usize, question: Question) -> BTreeSet<usize> {
        let sources = self.sources(&self.reach(from, |_| false));
        let mut relevant = depends(&sources, &[question.0, question.1]);
        relevant.extend([question.0, question.1]);
        let changes = changing(&sources);
        self.reach(from, |slot| relevant.contains(&slot) && changes.contains(&slot))
    }

    /// The instructions that follow one without an effect before them, up to the next waits, on
    /// paths that set no register that `stops`.
    fn reach(&self, from: usize, stops: impl Fn(Slot) -> bool) -> BTreeSet<usize> {
        // The nearest ones first, lest the code behind the loop uses up the limit.
        let (mut left, mut seen) = (VecDeque::from([from + 1]), BTreeSet::new());
        while let Some(pc) = left.pop_front() {
            if pc >= self.code.len() || seen.len() >= MOST || !seen.insert(pc) {
                continue;
            }
            let sets = |edge: &u32| moved(&self.edges[*edge as usize]).any(|(slot, _)| stops(slot));
            let follow = |edge: &u32| (!sets(edge)).then(|| self.edges[*edge as usize].target as usize);
            match &self.code[pc] {
                op if wait(op).is_some() => {}
                op if !op.edges().is_empty() => left.extend(op.edges().iter().filter_map(follow)),
                op => {
                    let sets = self.sets(op);
                    if sets.is_some_and(|sets| !sets.iter().any(|(slot, _)| stops(*slot))) {
                        left.push_back(pc + 1);
                    }
                }
            }
        }
        seen
    }
}

/// A wait by parity.
struct Wait {
    question: Question,
    lasts: bool,
    answer: Option<Slot>,
}

fn wait(op: &Op) -> Option<Wait> {
    match op {
        Op::Mbarrier(op) => {
            let own = op.question()?;
            Some(Wait { question: (own.address, own.parity), lasts: own.lasts, answer: own.answer })
        }
        _ => None,
    }
}
