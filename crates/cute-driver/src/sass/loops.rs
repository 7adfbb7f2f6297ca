//! The loops of a function by the jumps between its instructions: those that hold MMAs, and none
//! with MMAs inside; in a function without MMAs, those without a loop inside.

use std::collections::BTreeSet;

use super::{Code, Line};

/// A loop.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Loop {
    /// Its instructions. Of a loop with MMAs, only those from the first run of instructions that
    /// has an MMA to the last one: what ptxas puts at the end of the function, such as a wait that
    /// is tried again, does not count.
    pub instructions: usize,
    /// The MMAs among them.
    pub mmas: usize,
    /// The line of the first MMA, or of the first instruction.
    pub place: Option<Line>,
}

impl Code {
    /// The innermost loops with MMAs, or else the innermost ones, by size.
    pub fn loops(&self) -> Vec<Loop> {
        let after = self.successors();
        let mut before = vec![Vec::new(); after.len()];
        for (at, all) in after.iter().enumerate() {
            all.iter().for_each(|to| before[*to].push(at));
        }
        let has_mmas = self.has_mmas();
        let counted = |at: usize| !has_mmas || self.instructions[at].is_mma();
        let mut found = Vec::new();
        let mut open = vec![(0..self.instructions.len()).collect::<BTreeSet<_>>()];
        while let Some(nodes) = open.pop() {
            for cycle in cycles(&nodes, &after) {
                if !cycle.iter().any(|at| counted(*at)) {
                    continue;
                }
                // Without the ways from outside into the loop, and back there, what is left is the
                // loops in it.
                let is_entry = |at: &usize| *at == 0 || before[*at].iter().any(|from| !cycle.contains(from));
                let entries: BTreeSet<_> = cycle.iter().copied().filter(is_entry).collect();
                // ptxas ends a function by a jump to itself, which nothing reaches.
                if entries.is_empty() {
                    continue;
                }
                let inside: BTreeSet<_> = cycle.difference(&entries).copied().collect();
                let inner = cycles(&inside, &after);
                if inner.iter().flatten().any(|at| counted(*at)) {
                    open.push(inside);
                    continue;
                }
                // Two loops may begin at one place: the inner one is shorter.
                let ways =
                    entries.iter().flat_map(|entry| before[*entry].iter().map(move |at| (*entry, *at)));
                let bodies = ways
                    .filter(|(_, at)| cycle.contains(at))
                    .filter_map(|(entry, end)| self.extent(&body(entry, end, &cycle, &before)));
                found.extend(bodies.min_by_key(|of| (usize::MAX - of.mmas, of.instructions)));
            }
        }
        found.sort();
        found
    }

    fn has_mmas(&self) -> bool {
        self.instructions.iter().any(super::Instruction::is_mma)
    }

    /// The instructions that may follow each one.
    fn successors(&self) -> Vec<Vec<usize>> {
        let count = self.instructions.len();
        let next = |(at, i): (usize, &super::Instruction)| {
            let jumps = i.target.as_ref().filter(|_| i.opcode.starts_with("BRA"));
            let to = jumps.and_then(|label| self.labels.get(label).copied());
            let leaves = ["EXIT", "RET", "BRX", "BRA"].iter().any(|name| i.opcode.starts_with(name));
            let falls = (!(leaves && i.always)).then_some(at + 1);
            to.into_iter().chain(falls).filter(|to| *to < count).collect()
        };
        self.instructions.iter().enumerate().map(next).collect()
    }

    /// The part of a loop that counts; `None` if the function has MMAs, but this part has not.
    fn extent(&self, nodes: &BTreeSet<usize>) -> Option<Loop> {
        let mut runs: Vec<Vec<usize>> = Vec::new();
        for at in nodes {
            match runs.last_mut() {
                Some(run) if run.last() == Some(&(at - 1)) => run.push(*at),
                _ => runs.push(vec![*at]),
            }
        }
        let has_mmas = self.has_mmas();
        let counts = |run: &Vec<usize>| !has_mmas || run.iter().any(|at| self.instructions[*at].is_mma());
        let (first, last) = (runs.iter().position(counts)?, runs.iter().rposition(counts)?);
        let kept: Vec<_> = runs[first..=last].concat().into_iter().map(|at| &self.instructions[at]).collect();
        let mmas = kept.iter().filter(|i| i.is_mma()).count();
        let place = kept.iter().find(|i| i.is_mma()).or(kept.first())?.place.clone();
        Some(Loop { instructions: kept.len(), mmas, place })
    }
}

/// The nodes of a loop from which its end is reached without its entry, and the entry.
fn body(entry: usize, end: usize, cycle: &BTreeSet<usize>, before: &[Vec<usize>]) -> BTreeSet<usize> {
    let (mut found, mut open) = (BTreeSet::from([entry]), vec![end]);
    while let Some(at) = open.pop() {
        if cycle.contains(&at) && found.insert(at) {
            open.extend(&before[at]);
        }
    }
    found
}

/// The largest sets of nodes that all reach one another, by Tarjan's algorithm; single nodes only
/// if they reach themselves.
fn cycles(nodes: &BTreeSet<usize>, after: &[Vec<usize>]) -> Vec<BTreeSet<usize>> {
    const NEW: usize = usize::MAX;
    let (mut number, mut low) = (vec![NEW; after.len()], vec![NEW; after.len()]);
    let (mut stack, mut is_on, mut found, mut next) = (Vec::new(), vec![false; after.len()], Vec::new(), 0);
    for root in nodes {
        // Each entry is a node, and how many of its successors were visited.
        let mut work = vec![(*root, 0)];
        if number[*root] != NEW {
            continue;
        }
        while let Some((at, done)) = work.pop() {
            if done == 0 {
                (number[at], low[at]) = (next, next);
                next += 1;
                stack.push(at);
                is_on[at] = true;
            }
            let mut visited = done.max(1) - 1;
            let descends = loop {
                let Some(to) = after[at].get(visited).copied() else { break None };
                visited += 1;
                if !nodes.contains(&to) {
                    continue;
                }
                if number[to] == NEW {
                    break Some(to);
                }
                if is_on[to] {
                    low[at] = low[at].min(number[to]);
                }
            };
            if let Some(to) = descends {
                work.extend([(at, visited + 1), (to, 0)]);
                continue;
            }
            if let Some((parent, _)) = work.last() {
                low[*parent] = low[*parent].min(low[at]);
            }
            if low[at] == number[at] {
                let start = stack.iter().rposition(|node| *node == at).expect("a node on the stack");
                let part: BTreeSet<_> = stack.drain(start..).collect();
                part.iter().for_each(|node| is_on[*node] = false);
                if part.len() > 1 || after[at].contains(&at) {
                    found.push(part);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::functions;

    /// (instructions, MMAs) of the loops of a function, whose lines are instructions or labels.
    fn loops(lines: &[&str]) -> Vec<(usize, usize)> {
        let mut text = String::from(".text.k:\n");
        for (at, line) in lines.iter().enumerate() {
            text += &match line.ends_with(':') {
                true => format!("{line}\n"),
                false => format!("        /*{:04x}*/    {line} ;\n", 16 * at),
            };
        }
        functions(&text)[0].loops().iter().map(|found| (found.instructions, found.mmas)).collect()
    }

    #[test]
    fn a_loop_of_mmas_in_a_loop() {
        let inner =
            [".L_x_0:", "MOV R1, R2", ".L_x_1:", "HMMA.16816.F32 R0", "IADD3 R3", "@P0 BRA `(.L_x_1)"];
        let rest = ["STG R0", "@P1 BRA `(.L_x_0)", "EXIT"];
        assert_eq!(loops(&[&inner[..], &rest].concat()), [(3, 1)]);
        // An inner loop without MMAs is a part of it.
        let wait =
            [".L_x_0:", "SYNCS R0", "@!P0 BRA `(.L_x_0)", "UTCHMMA gdesc[UR4]", "@P1 BRA `(.L_x_0)", "EXIT"];
        assert_eq!(loops(&wait), [(4, 1)]);
    }

    #[test]
    fn a_wait_at_the_end_of_the_function_does_not_count() {
        let steady =
            [".L_x_0:", "SYNCS R0", "@!P0 BRA `(.L_x_2)", ".L_x_1:", "HGMMA R0", "@P1 BRA `(.L_x_0)", "EXIT"];
        let again = [".L_x_2:", "SYNCS R0", "@!P0 BRA `(.L_x_2)", "BRA `(.L_x_1)"];
        assert_eq!(loops(&[&steady[..], &again].concat()), [(4, 1)]);
    }

    #[test]
    fn without_mmas_the_innermost_loops() {
        let lines =
            [".L_x_0:", "LDG R0", ".L_x_1:", "FADD R0", "@P0 BRA `(.L_x_1)", "@P1 BRA `(.L_x_0)", "EXIT"];
        assert_eq!(loops(&lines), [(2, 0)]);
        // A jump to itself that nothing reaches ends the code of each function.
        assert!(loops(&["FADD R0", "EXIT", ".L_x_0:", "BRA `(.L_x_0)", "NOP"]).is_empty());
        assert!(loops(&["FADD R0", "EXIT"]).is_empty());
    }

    #[test]
    fn a_jump_that_is_always_taken_ends_a_run() {
        // The branch over the loop's end leads out, so there is no loop.
        let lines = [".L_x_0:", "FADD R0", "BRA `(.L_x_1)", "BRA `(.L_x_0)", ".L_x_1:", "EXIT"];
        assert!(loops(&lines).is_empty());
        let uniform = [".L_x_0:", "FADD R0", "BRA.U UP0, `(.L_x_0)", "EXIT"];
        assert_eq!(loops(&uniform), [(2, 0)]);
    }
}
