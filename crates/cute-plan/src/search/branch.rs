//! The search itself.
//!
//! At each node some sites have a candidate. For every open site and each of its candidates, the
//! *local* cost is the sum of its bytes and of the uses that touch no other open site. Then
//!
//! ```text
//! cost of the closed sites and their uses
//!   + for each open site: the least local cost of its candidates
//!   + for each use of two or more open sites: its floor
//! ```
//!
//! is a bound from below for every completion. A completion has exactly this cost only if each open
//! site takes a candidate of the least local cost, so the least texts of those bound the texts.

use super::{LEGAL_RUNNERS, NoChoice, Problem, Rule, RunnerUp, Solution, state::Costs, state::ranks};
use crate::cost::Cost;

/// Finds the choice with the lowest cost; among choices of equal cost, the one whose texts come
/// first, site by site.
///
/// The answer is exact unless the search has considered `most_nodes` choices, partial or whole.
/// Then it is the best one among those. A candidate for one site counts as a node. The cost of a
/// use is computed at most once per combination of the candidates it touches.
///
/// # Errors
///
/// Fails if no choice is possible, or none was found, and lists the rules that excluded choices.
pub fn search<P: Problem>(problem: &P, most_nodes: u64) -> Result<Solution, NoChoice> {
    let mut costs = Costs::new(problem);
    for site in (0..problem.sites()).filter(|site| problem.candidates(*site) == 0) {
        costs.exclude(Rule::Empty { site }, || format!("site {site} has no candidates"));
    }
    let mut search = Search {
        ranks: ranks(problem),
        chosen: vec![0; problem.sites()],
        closed: vec![false; problem.sites()],
        best: None,
        nodes: 0,
        most_nodes,
        stopped: false,
        costs,
    };
    if let Some((fixed, open)) = search.start() {
        search.node(fixed, &open);
    }
    let (nodes, proven) = (search.nodes, !search.stopped);
    match search.best.take() {
        Some(Best { choice, cost, .. }) => {
            let runner_up = search.runner_up(&choice);
            Ok(Solution { choice, cost, runner_up, nodes, proven })
        }
        None => Err(NoChoice { excluded: search.costs.excluded(), nodes, proven }),
    }
}

struct Best {
    choice: Vec<usize>,
    cost: Cost,
    ranks: Vec<usize>,
}

struct Search<'a, P> {
    costs: Costs<'a, P>,
    /// The place of each candidate in the order of texts.
    ranks: Vec<Vec<usize>>,
    /// The candidates of the closed sites.
    chosen: Vec<usize>,
    closed: Vec<bool>,
    best: Option<Best>,
    nodes: u64,
    most_nodes: u64,
    stopped: bool,
}

/// An open site: its candidates with their local costs, the least first, then by text.
#[derive(Clone)]
struct Open {
    site: usize,
    candidates: Vec<(Cost, usize)>,
}

impl Open {
    fn least(&self) -> Cost {
        self.candidates[0].0
    }
}

impl<P: Problem> Search<'_, P> {
    /// The cost of the uses that touch no site, and all sites with their candidates; `None` if
    /// these exclude everything.
    fn start(&mut self) -> Option<(Cost, Vec<Open>)> {
        let chosen = self.chosen.clone();
        let mut fixed = Cost::ZERO;
        for at in 0..self.costs.touched.len() {
            if self.costs.touched[at].is_empty() {
                fixed = fixed.plus(self.costs.of(at, &chosen)?);
            }
        }
        let problem = self.costs.problem;
        let all = (0..problem.sites()).map(|site| {
            let with_bytes = |candidate| (Cost::of_bytes(problem.bytes(site, candidate)), candidate);
            let whole = Open { site, candidates: (0..problem.candidates(site)).map(with_bytes).collect() };
            let own: Vec<usize> = self.costs.users[site]
                .iter()
                .copied()
                .filter(|at| self.costs.touched[*at] == [site])
                .collect();
            self.narrowed(&whole, &own)
        });
        let all: Vec<Option<Open>> = all.collect();
        Some((fixed, all.into_iter().collect::<Option<_>>()?))
    }

    /// Searches the completions of the closed sites, whose cost is `sum`.
    fn node(&mut self, sum: Cost, open: &[Open]) {
        // The site with the fewest candidates, and of these the one with the most uses.
        let key =
            |open: &&Open| (open.candidates.len(), usize::MAX - self.costs.users[open.site].len(), open.site);
        let Some(next) = open.iter().min_by_key(key) else { return self.whole(sum) };
        let floors: Cost = self.shared_uses().map(|at| self.costs.problem.floor(at)).sum();
        let others = open.iter().filter(|open| open.site != next.site);
        let without = others.fold(sum.plus(floors), |sum, open| sum.plus(open.least()));
        let bytes = |site: usize, candidate: usize| self.costs.problem.bytes(site, candidate);
        let closed = (0..self.chosen.len()).filter(|site| self.closed[*site]);
        let taken = closed.fold(0u64, |sum, site| sum.saturating_add(bytes(site, self.chosen[site])));
        let least =
            |open: &Open| open.candidates.iter().map(|(_, candidate)| bytes(open.site, *candidate)).min();
        let others = open.iter().filter(|open| open.site != next.site);
        let taken = others.filter_map(least).fold(taken, u64::saturating_add);
        let room = self.costs.problem.room();
        for (local, candidate) in &next.candidates {
            let all = taken.saturating_add(self.costs.problem.bytes(next.site, *candidate));
            if all > room {
                let why = || format!("the tiles take {all} bytes at least, and there is room for {room}");
                self.costs.exclude(Rule::Room, why);
                continue;
            }
            if self.loses(without.plus(*local), open, Some((next.site, *candidate))) {
                // Later candidates of this site cost as much or more; if they cost as much, their
                // texts come later.
                break;
            }
            if self.nodes >= self.most_nodes {
                self.stopped = true;
                return;
            }
            self.nodes += 1;
            (self.chosen[next.site], self.closed[next.site]) = (*candidate, true);
            if let Some(rest) = self.after(next.site, open) {
                self.node(sum.plus(*local), &rest);
            }
            self.closed[next.site] = false;
            if self.stopped {
                return;
            }
        }
    }

    /// The sites that are open after `site` got its candidate; `None` if one of them has no
    /// candidate left.
    fn after(&mut self, site: usize, open: &[Open]) -> Option<Vec<Open>> {
        let mut rest = Vec::with_capacity(open.len().saturating_sub(1));
        for open in open.iter().filter(|open| open.site != site) {
            // The uses of both sites and no other open one: their costs are decided now.
            let decided: Vec<usize> = self.costs.users[site]
                .iter()
                .copied()
                .filter(|at| {
                    let touched = &self.costs.touched[*at];
                    touched.contains(&open.site)
                        && touched.iter().all(|other| *other == open.site || self.closed[*other])
                })
                .collect();
            rest.push(if decided.is_empty() { open.clone() } else { self.narrowed(open, &decided)? });
        }
        Some(rest)
    }

    /// The site with the costs of these uses added to its candidates, without those on which one
    /// of the uses is not possible.
    fn narrowed(&mut self, open: &Open, uses: &[usize]) -> Option<Open> {
        let site = open.site;
        let before = self.chosen[site];
        let mut candidates = Vec::with_capacity(open.candidates.len());
        for (local, candidate) in &open.candidates {
            self.chosen[site] = *candidate;
            let local =
                uses.iter().try_fold(*local, |sum, at| Some(sum.plus(self.costs.of(*at, &self.chosen)?)));
            candidates.extend(local.map(|local| (local, *candidate)));
        }
        self.chosen[site] = before;
        let ranks = &self.ranks[site];
        candidates.sort_by_key(|(local, candidate)| (*local, ranks[*candidate]));
        (!candidates.is_empty()).then_some(Open { site, candidates })
    }

    /// The uses of two or more open sites.
    fn shared_uses(&self) -> impl Iterator<Item = usize> {
        let is_shared =
            |at: &usize| self.costs.touched[*at].iter().filter(|site| !self.closed[**site]).count() >= 2;
        (0..self.costs.touched.len()).filter(is_shared)
    }

    /// Whether no completion with a cost of at least `bound` is better than the best choice so far.
    /// `taken` is a site with the candidate that it gets.
    fn loses(&self, bound: Cost, open: &[Open], taken: Option<(usize, usize)>) -> bool {
        let Some(best) = &self.best else { return false };
        if bound != best.cost {
            return bound > best.cost;
        }
        let mut ranks: Vec<usize> = (0..)
            .zip(&self.chosen)
            .map(|(site, candidate): (usize, _)| self.ranks[site][*candidate])
            .collect();
        for open in open {
            // The candidates of the least cost come first, and of these the first text.
            ranks[open.site] = self.ranks[open.site][open.candidates[0].1];
        }
        if let Some((site, candidate)) = taken {
            ranks[site] = self.ranks[site][candidate];
        }
        ranks >= best.ranks
    }

    /// A choice for all sites.
    fn whole(&mut self, cost: Cost) {
        if self.loses(cost, &[], None) {
            return;
        }
        let choice = self.chosen.clone();
        if self.costs.is_legal(&choice) {
            let ranks = (0..).zip(&choice).map(|(site, c): (usize, _)| self.ranks[site][*c]).collect();
            self.best = Some(Best { choice, cost, ranks });
        }
    }

    /// The best legal choice that differs from `best` at one site.
    fn runner_up(&mut self, best: &[usize]) -> Option<RunnerUp> {
        let problem = self.costs.problem;
        let mut all = Vec::new();
        for site in 0..best.len() {
            for candidate in 0..problem.candidates(site) {
                if problem.text(site, candidate) == problem.text(site, best[site]) {
                    continue;
                }
                let mut choice = best.to_vec();
                choice[site] = candidate;
                let bytes = choice.iter().enumerate().map(|(site, c)| problem.bytes(site, *c));
                if bytes.fold(0, u64::saturating_add) > problem.room() {
                    continue;
                }
                if let Some(cost) = self.costs.whole(&choice) {
                    let ranks: Vec<usize> =
                        (0..).zip(&choice).map(|(site, c): (usize, _)| self.ranks[site][*c]).collect();
                    all.push((cost, ranks, RunnerUp { choice, cost, site }));
                }
            }
        }
        all.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        let mut first = all.into_iter().map(|(.., runner)| runner).take(LEGAL_RUNNERS);
        first.find(|runner| self.costs.is_legal(&runner.choice))
    }
}
