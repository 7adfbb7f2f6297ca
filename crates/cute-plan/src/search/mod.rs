//! The search for the best choice: depth first over the sites, with bounds from below.
//!
//! A choice is better than another if its cost is lower. Among equal costs, the texts of the
//! candidates decide, site by site in plain text order; of equal texts, the first candidate comes
//! first. So the answer does not depend on the order of the search.

mod branch;
mod state;

use std::fmt;

use crate::cost::Cost;

pub use branch::search;

/// A choice to be made: candidates for sites, and the cost of each choice.
///
/// A site has candidates, numbered from 0. A use depends on some of the sites. The cost of a choice
/// is the sum of the costs of all uses and of the bytes of all candidates.
pub trait Problem {
    /// The number of sites.
    fn sites(&self) -> usize;

    /// The number of candidates for a site.
    fn candidates(&self, site: usize) -> usize;

    /// The bytes that a candidate takes.
    fn bytes(&self, site: usize, candidate: usize) -> u64;

    /// The text of a candidate, which decides between choices of equal cost.
    fn text(&self, site: usize, candidate: usize) -> &str;

    /// The bytes that all sites may take together.
    fn room(&self) -> u64 {
        u64::MAX
    }

    /// The number of uses.
    fn uses(&self) -> usize;

    /// The sites on which a use depends.
    fn touches(&self, at: usize) -> &[usize];

    /// A cost that the use has at least, whatever is chosen.
    fn floor(&self, at: usize) -> Cost;

    /// The cost of a use; `None` if it is not possible with these candidates. `choice` has the
    /// candidate of each site, of which only those that the use touches may be read.
    fn cost(&self, at: usize, choice: &[usize]) -> Option<Cost>;

    /// The test of a whole choice that is too expensive for every choice. It is asked only about
    /// choices that would be the best so far, and about those that may be the runner-up. The error
    /// is the reason why the choice is not possible.
    fn legal(&self, choice: &[usize]) -> Result<(), String>;

    /// Why the use is not possible with these candidates, for an error.
    fn why_not(&self, at: usize, choice: &[usize]) -> String {
        let texts = self.touches(at).iter().map(|site| self.text(*site, choice[*site]));
        format!("use {at} is not possible on {}", texts.collect::<Vec<_>>().join(" and "))
    }
}

/// The second choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerUp {
    /// The candidate of each site.
    pub choice: Vec<usize>,
    /// The cost of the choice.
    pub cost: Cost,
    /// The site at which it differs from the best choice.
    pub site: usize,
}

/// The best choice that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The candidate of each site.
    pub choice: Vec<usize>,
    /// The cost of the choice.
    pub cost: Cost,
    /// The best legal choice that differs from [`choice`](Self::choice) at one site, by another
    /// text there. With one site, it is the second best choice. `None` if there is none among the
    /// best [`LEGAL_RUNNERS`].
    pub runner_up: Option<RunnerUp>,
    /// The number of choices, partial and whole, that were considered.
    pub nodes: u64,
    /// Whether no better choice exists. If not, the search ended at its bound, and the choice is
    /// the best of those that were considered.
    pub proven: bool,
}

/// The number of choices that may be the runner-up whose legality is tested.
pub const LEGAL_RUNNERS: usize = 8;

/// A reason to exclude choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The site has no candidates.
    Empty {
        /// Its number.
        site: usize,
    },
    /// The use is not possible.
    Use {
        /// Its number.
        at: usize,
    },
    /// The sites would take more bytes than there are.
    Room,
    /// The whole choice is not legal.
    Legal,
}

/// The choices that a rule excluded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excluded {
    /// The reason to exclude them.
    pub rule: Rule,
    /// The number of combinations of candidates that it excluded.
    pub count: u64,
    /// The reason in the first case.
    pub sample: String,
}

impl fmt::Display for Excluded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, count, sample } = self;
        let plural = if *count == 1 { "" } else { "s" };
        match rule {
            Rule::Empty { .. } => f.write_str(sample),
            Rule::Use { at } => {
                write!(f, "use {at} excludes {count} combination{plural}, for instance: {sample}")
            }
            Rule::Legal if *count == 1 => {
                write!(f, "1 whole choice is not legal, for instance: {sample}")
            }
            Rule::Room => f.write_str(sample),
            Rule::Legal => write!(f, "{count} whole choices are not legal, for instance: {sample}"),
        }
    }
}

/// No combination of candidates is possible, or none was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoChoice {
    /// The rules that excluded choices, in the order of [`Rule`].
    pub excluded: Vec<Excluded>,
    /// The number of choices, partial and whole, that were considered.
    pub nodes: u64,
    /// Whether all choices are excluded. If not, the search ended at its bound.
    pub proven: bool,
}

impl fmt::Display for NoChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { excluded, nodes, proven } = self;
        match proven {
            true => write!(f, "no choice of layouts is possible")?,
            false => write!(f, "no choice of layouts was found among the {nodes} that were considered")?,
        }
        excluded.iter().try_for_each(|excluded| write!(f, "; {excluded}"))
    }
}

impl std::error::Error for NoChoice {}
