//! The knowledge of a search about its problem: costs that were computed, and exclusions.

use std::collections::{BTreeMap, HashMap};

use super::{Excluded, Problem, Rule};
use crate::cost::{Cost, by_text};

/// The costs of uses, each computed once per combination of the candidates it touches.
pub(super) struct Costs<'a, P> {
    pub(super) problem: &'a P,
    /// The sites that each use touches, each once.
    pub(super) touched: Vec<Vec<usize>>,
    /// The uses that touch each site.
    pub(super) users: Vec<Vec<usize>>,
    known: Vec<HashMap<Vec<usize>, Option<Cost>>>,
    excluded: BTreeMap<Rule, (u64, String)>,
}

impl<'a, P: Problem> Costs<'a, P> {
    pub(super) fn new(problem: &'a P) -> Self {
        let touched: Vec<Vec<usize>> = (0..problem.uses())
            .map(|at| {
                let mut sites = problem.touches(at).to_vec();
                sites.sort_unstable();
                sites.dedup();
                sites
            })
            .collect();
        let using = |site: usize| (0..touched.len()).filter(|at| touched[*at].contains(&site)).collect();
        Self {
            users: (0..problem.sites()).map(using).collect(),
            known: vec![HashMap::new(); touched.len()],
            excluded: BTreeMap::new(),
            problem,
            touched,
        }
    }

    /// The cost of a use under the candidates of the sites it touches.
    pub(super) fn of(&mut self, at: usize, choice: &[usize]) -> Option<Cost> {
        let key: Vec<usize> = self.touched[at].iter().map(|site| choice[*site]).collect();
        if let Some(known) = self.known[at].get(&key) {
            return *known;
        }
        let cost = self.problem.cost(at, choice);
        if cost.is_none() {
            let problem = self.problem;
            self.exclude(Rule::Use { at }, || problem.why_not(at, choice));
        }
        self.known[at].insert(key, cost);
        cost
    }

    /// The cost of a whole choice.
    pub(super) fn whole(&mut self, choice: &[usize]) -> Option<Cost> {
        let problem = self.problem;
        let bytes = (0..).zip(choice).map(|(site, c)| Cost::of_bytes(problem.bytes(site, *c))).sum();
        (0..self.touched.len()).try_fold(bytes, |sum: Cost, at| Some(sum.plus(self.of(at, choice)?)))
    }

    pub(super) fn is_legal(&mut self, choice: &[usize]) -> bool {
        match self.problem.legal(choice) {
            Ok(()) => true,
            Err(why) => {
                self.exclude(Rule::Legal, || why);
                false
            }
        }
    }

    pub(super) fn exclude(&mut self, rule: Rule, why: impl FnOnce() -> String) {
        self.excluded.entry(rule).or_insert_with(|| (0, why())).0 += 1;
    }

    pub(super) fn excluded(self) -> Vec<Excluded> {
        let excluded = self.excluded.into_iter();
        excluded.map(|(rule, (count, sample))| Excluded { rule, count, sample }).collect()
    }
}

/// The places of the candidates of each site in the order of their texts.
pub(super) fn ranks(problem: &impl Problem) -> Vec<Vec<usize>> {
    let of_site = |site| {
        let mut order: Vec<usize> = (0..problem.candidates(site)).collect();
        order.sort_by(|a, b| by_text(problem.text(site, *a), problem.text(site, *b)));
        let mut rank = vec![0; order.len()];
        order.into_iter().enumerate().for_each(|(place, candidate)| rank[candidate] = place);
        rank
    };
    (0..problem.sites()).map(of_site).collect()
}
