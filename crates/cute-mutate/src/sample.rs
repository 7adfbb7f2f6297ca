//! The order in which mutants are tried.

use crate::{Kind, Mutant};
use fastrand::Rng;

/// The numbers of all mutants in an order that a seed determines. Kinds take turns, so that in
/// front there are mutants of each kind, however many it has.
pub fn order(mutants: &[&Mutant], seed: u64) -> Vec<usize> {
    let mut random = Rng::with_seed(seed);
    let mut kinds: Vec<Vec<usize>> = Vec::new();
    for kind in Kind::ALL {
        let mut own: Vec<usize> = (0..mutants.len()).filter(|i| mutants[*i].kind == kind).collect();
        random.shuffle(&mut own);
        kinds.push(own);
    }
    let mut all = Vec::with_capacity(mutants.len());
    while all.len() < mutants.len() {
        all.extend(kinds.iter_mut().filter_map(Vec::pop));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(kind: Kind, line: usize) -> Mutant {
        let (op, change) = ("op".to_owned(), "dropped".to_owned());
        let (instead, trap) = (String::new(), String::new());
        Mutant { kind, op, number: 0, change, line, source: None, range: 0..0, instead, trap }
    }

    #[test]
    fn a_seed_determines_an_order_with_all_kinds_in_front() {
        let all: Vec<Mutant> = (0..100).map(|line| mutant(Kind::Offset, line)).collect();
        let all = [all, vec![mutant(Kind::Fence, 100), mutant(Kind::Wait, 101)]].concat();
        let all: Vec<&Mutant> = all.iter().collect();
        let first = order(&all, 1);
        assert_eq!(first[..2], [100, 101]);
        assert_eq!(first, order(&all, 1));
        assert_ne!(first, order(&all, 2));
        let mut sorted = first;
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..102));
    }
}
