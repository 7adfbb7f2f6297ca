//! The search on tables of costs, against all choices.

use cute_plan::{Cost, NoChoice, Problem, Rule, Solution, search};
use fastrand::Rng;

/// A problem as tables.
#[derive(Debug, Clone)]
struct Tables {
    /// By site and candidate: bytes and text.
    sites: Vec<Vec<(u64, String)>>,
    /// The sites of each use, its floor, and its costs by the candidates, the first site fastest.
    uses: Vec<(Vec<usize>, Cost, Vec<Option<Cost>>)>,
    /// The choices that are not legal, by number.
    illegal: Vec<u64>,
}

impl Tables {
    fn number(&self, sites: &[usize], choice: &[usize]) -> usize {
        sites.iter().rev().fold(0, |n, site| n * self.sites[*site].len() + choice[*site])
    }

    fn whole(&self, choice: &[usize]) -> u64 {
        self.number(&(0..self.sites.len()).collect::<Vec<_>>(), choice) as u64
    }
}

impl Problem for Tables {
    fn sites(&self) -> usize {
        self.sites.len()
    }
    fn candidates(&self, site: usize) -> usize {
        self.sites[site].len()
    }
    fn bytes(&self, site: usize, candidate: usize) -> u64 {
        self.sites[site][candidate].0
    }
    fn text(&self, site: usize, candidate: usize) -> &str {
        &self.sites[site][candidate].1
    }
    fn uses(&self) -> usize {
        self.uses.len()
    }
    fn touches(&self, at: usize) -> &[usize] {
        &self.uses[at].0
    }
    fn floor(&self, at: usize) -> Cost {
        self.uses[at].1
    }
    fn cost(&self, at: usize, choice: &[usize]) -> Option<Cost> {
        self.uses[at].2[self.number(&self.uses[at].0, choice)]
    }
    fn legal(&self, choice: &[usize]) -> Result<(), String> {
        let number = self.whole(choice);
        if self.illegal.contains(&number) { Err(format!("choice {number} is illegal")) } else { Ok(()) }
    }
}

/// Small costs, so that many are equal.
fn random(rng: &mut Rng) -> Tables {
    let sites: Vec<Vec<(u64, String)>> = (0..rng.usize(1..=4))
        .map(|_| {
            let texts = |rng: &mut Rng| format!("layout {}", rng.u8(..20));
            (0..rng.usize(1..=5)).map(|_| (rng.u64(..3), texts(rng))).collect()
        })
        .collect();
    let mut uses = Vec::new();
    for _ in 0..rng.usize(..6) {
        let touched: Vec<usize> = (0..sites.len()).filter(|_| rng.bool()).collect();
        let combinations = touched.iter().map(|site| sites[*site].len()).product();
        let costs: Vec<Option<Cost>> = (0..combinations)
            .map(|_| {
                let cost = Cost {
                    wavefronts: rng.u64(..4),
                    sectors: rng.u64(..2),
                    instructions: rng.u64(..2),
                    bytes: 0,
                    ..Cost::ZERO
                };
                (rng.u8(..5) != 0).then_some(cost)
            })
            .collect();
        let least = costs.iter().flatten().copied().min().unwrap_or_default();
        uses.push((touched, if rng.bool() { least } else { Cost::ZERO }, costs));
    }
    let mut tables = Tables { sites, uses, illegal: Vec::new() };
    let all = tables.sites.iter().map(|site| site.len() as u64).product::<u64>();
    tables.illegal = (0..all).filter(|_| rng.u8(..4) == 0).collect();
    tables
}

/// All legal choices with their costs and texts, the best first.
type Ranked = (Cost, Vec<(String, usize)>, Vec<usize>);

fn all(tables: &Tables) -> Vec<Ranked> {
    let mut choices = vec![Vec::new()];
    for site in &tables.sites {
        let longer = |choice: &Vec<usize>, c| choice.iter().copied().chain([c]).collect::<Vec<usize>>();
        choices = choices.iter().flat_map(|choice| (0..site.len()).map(move |c| longer(choice, c))).collect();
    }
    let cost = |choice: &[usize]| {
        let bytes = choice.iter().enumerate().map(|(site, c)| Cost::of_bytes(tables.bytes(site, *c))).sum();
        (0..tables.uses()).try_fold(bytes, |sum: Cost, at| Some(sum.plus(tables.cost(at, choice)?)))
    };
    let legal = choices.into_iter().filter(|choice| tables.legal(choice).is_ok());
    let mut all: Vec<_> = legal
        .filter_map(|choice| {
            let texts = choice.iter().enumerate().map(|(site, c)| (tables.text(site, *c).to_string(), *c));
            Some((cost(&choice)?, texts.collect(), choice))
        })
        .collect();
    all.sort();
    all
}

#[test]
fn the_search_finds_the_best_choice() {
    let mut rng = Rng::with_seed(1);
    let mut found = [0, 0];
    for round in 0..3000 {
        let tables = random(&mut rng);
        let all = all(&tables);
        match search(&tables, u64::MAX) {
            Ok(Solution { choice, cost, runner_up, proven, .. }) => {
                found[0] += 1;
                assert!(proven);
                assert_eq!(
                    Some((cost, choice.clone())),
                    all.first().map(|(c, _, n)| (*c, n.clone())),
                    "{round}"
                );
                if let Some(runner) = runner_up {
                    let texts = |choice: &[usize]| -> Vec<String> {
                        choice.iter().enumerate().map(|(site, c)| tables.text(site, *c).to_string()).collect()
                    };
                    let best = texts(&choice);
                    let differs = |(_, _, other): &&(Cost, _, Vec<usize>)| {
                        let sites = (0..choice.len()).filter(|site| other[*site] != choice[*site]).count();
                        sites == 1 && texts(other) != best
                    };
                    let first = all.iter().find(differs).expect("a runner-up");
                    assert_eq!((runner.cost, &runner.choice), (first.0, &first.2), "{round}");
                    assert_ne!(runner.choice[runner.site], choice[runner.site]);
                }
            }
            Err(NoChoice { excluded, proven, .. }) => {
                found[1] += 1;
                assert!(proven && !excluded.is_empty());
                assert_eq!(all, [], "{round}");
            }
        }
    }
    assert!(found.iter().all(|n| *n > 300), "{found:?}");
}

#[test]
fn the_bound_of_nodes_ends_the_search_with_the_best_so_far() {
    let mut rng = Rng::with_seed(2);
    let mut stopped = 0;
    for _ in 0..500 {
        let tables = random(&mut rng);
        let Ok(whole) = search(&tables, u64::MAX) else { continue };
        for most in 0..whole.nodes {
            match search(&tables, most) {
                Ok(solution) => {
                    assert!(!solution.proven && solution.nodes == most && solution.cost >= whole.cost);
                    assert_eq!(search(&tables, most), Ok(solution));
                    stopped += 1;
                }
                Err(error) => {
                    assert!(!error.proven && error.nodes == most);
                    assert!(error.to_string().contains("were considered"), "{error}");
                }
            }
        }
        assert_eq!(search(&tables, whole.nodes), Ok(whole));
    }
    assert!(stopped > 100, "{stopped}");
}

fn site(texts: &[&str]) -> Vec<(u64, String)> {
    texts.iter().map(|text| (0, (*text).to_string())).collect()
}

#[test]
fn texts_decide_between_equal_costs_site_by_site() {
    let tables =
        Tables { sites: vec![site(&["b", "a"]), site(&["d", "c", "e"])], uses: vec![], illegal: vec![] };
    let solution = search(&tables, 100).expect("a choice");
    assert_eq!((solution.choice, solution.cost, solution.nodes), (vec![1, 1], Cost::ZERO, 2));
    let runner = solution.runner_up.expect("a second choice");
    assert_eq!((runner.choice, runner.site), (vec![1, 0], 1));
}

#[test]
fn without_sites_there_is_one_choice() {
    let mut tables = Tables { sites: vec![], uses: vec![], illegal: vec![] };
    let solution = search(&tables, 0).expect("the empty choice");
    assert_eq!((solution.choice, solution.runner_up, solution.proven), (vec![], None, true));
    tables.illegal.push(0);
    let error = search(&tables, 0).expect_err("not legal");
    assert_eq!(
        error.to_string(),
        "no choice of layouts is possible; 1 whole choice is not legal, for instance: choice 0 is illegal"
    );
}

#[test]
fn errors_count_what_each_rule_excluded() {
    let one = Cost { wavefronts: 1, ..Cost::ZERO };
    let tables = Tables {
        sites: vec![site(&["a", "b"]), site(&["c", "d"])],
        uses: vec![(vec![0, 1], Cost::ZERO, vec![None, Some(one), Some(one), None])],
        illegal: vec![1, 2],
    };
    let error = search(&tables, 100).expect_err("nothing is possible");
    let counts: Vec<(Rule, u64)> = error.excluded.iter().map(|e| (e.rule, e.count)).collect();
    assert_eq!(counts, [(Rule::Use { at: 0 }, 2), (Rule::Legal, 2)]);
    assert_eq!(
        error.to_string(),
        "no choice of layouts is possible; use 0 excludes 2 combinations, for instance: use 0 is not possible on a \
         and c; 2 whole choices are not legal, for instance: choice 2 is illegal"
    );
    let empty = Tables { sites: vec![site(&["a"]), vec![]], uses: vec![], illegal: vec![] };
    let error = search(&empty, 100).expect_err("a site is empty");
    assert_eq!(error.to_string(), "no choice of layouts is possible; site 1 has no candidates");
}

/// Ten sites in a chain, each with 20 candidates: the bounds leave little to try.
#[test]
fn chains_of_sites_take_few_nodes() {
    let mut rng = Rng::with_seed(3);
    let names: Vec<String> = (0..20).map(|n| format!("layout {n:02}")).collect();
    let sites = (0..10).map(|_| names.iter().map(|name| (rng.u64(..3), name.clone())).collect()).collect();
    let pairs = (1..10).map(|site| {
        let costs = (0..400).map(|_| Some(Cost { wavefronts: rng.u64(1..50), ..Cost::ZERO })).collect();
        (vec![site - 1, site], Cost { wavefronts: 1, ..Cost::ZERO }, costs)
    });
    let tables = Tables { uses: pairs.collect(), sites, illegal: vec![] };
    let solution = search(&tables, 1 << 20).expect("a choice");
    assert!(solution.proven, "{} nodes", solution.nodes);
}

#[test]
fn costs_end_at_the_largest_number() {
    let most = Cost {
        wavefronts: u64::MAX,
        sectors: u64::MAX,
        instructions: u64::MAX,
        bytes: u64::MAX,
        ..Cost::ZERO
    };
    assert_eq!(most.plus(most), most);
    assert_eq!(most.times(7), most);
    assert_eq!(
        Cost { wavefronts: 2, bytes: 3, ..Cost::ZERO }.times(5),
        Cost { wavefronts: 10, bytes: 3, ..Cost::ZERO }
    );
}
