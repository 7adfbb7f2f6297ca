//! The order of a kernel's blocks in the code.
//!
//! Lanes that are least far run first, so the order decides where diverged lanes meet again. It is
//! a topological order except for back edges, and the blocks of a loop precede those after the
//! loop. So a branch's join follows both of its paths, and a loop's exit follows its body.

use std::collections::HashSet;

/// The blocks that block 0 reaches, from the successors of each.
pub(super) fn order(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = HashSet::from([0]);
    let mut finished = Vec::new();
    // A block and its successors that are still to be visited, the last one first.
    let mut stack = vec![(0, visits(0, successors))];
    while let Some((block, left)) = stack.last_mut() {
        match left.pop() {
            Some(next) if seen.insert(next) => stack.push((next, visits(next, successors))),
            Some(_) => {}
            None => {
                finished.push(*block);
                stack.pop();
            }
        }
    }
    finished.reverse();
    finished
}

/// A block's successors in the order in which they are visited: those visited late come early in
/// the code. So successors that lead back to the block are visited last; among the others, the
/// first successor.
fn visits(block: usize, successors: &[Vec<usize>]) -> Vec<usize> {
    let mut next = successors[block].clone();
    if next.len() > 1 {
        next.sort_by_key(|s| !reaches(*s, block, successors));
    }
    next
}

fn reaches(from: usize, to: usize, successors: &[Vec<usize>]) -> bool {
    let mut seen = HashSet::from([from]);
    let mut open = vec![from];
    while let Some(block) = open.pop() {
        if block == to {
            return true;
        }
        open.extend(successors[block].iter().filter(|s| seen.insert(**s)));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn a_join_comes_behind_both_ways() {
        assert_eq!(order(&[vec![1, 2], vec![3], vec![3], vec![]]), [0, 1, 2, 3]);
        assert_eq!(order(&[vec![3, 1], vec![2], vec![], vec![2]]), [0, 3, 1, 2]);
    }

    #[test]
    fn a_loop_comes_before_its_exit() {
        // 0 -> 1 (header) -> 2 (body) -> 1, 1 -> 3 (exit), whichever successor is first.
        assert_eq!(order(&[vec![1], vec![2, 3], vec![1], vec![]]), [0, 1, 2, 3]);
        assert_eq!(order(&[vec![1], vec![3, 2], vec![1], vec![]]), [0, 1, 2, 3]);
    }

    #[test]
    fn what_nothing_reaches_is_left_out() {
        assert_eq!(order(&[vec![2], vec![2], vec![]]), [0, 2]);
    }
}
