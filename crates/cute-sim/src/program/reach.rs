//! Which instructions a run has executed, and which ways its branches went.

use super::Kernel;
use cute_machine::place::SourcePlace;
use std::collections::HashMap;
use std::sync::Arc;

/// How far a run reached an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    /// The operation's name.
    pub op: Arc<str>,
    /// The source location.
    pub location: SourcePlace,
    /// Executions, summed over threads.
    pub threads: u64,
    /// For a branch, the threads whose condition was true, and the others. `None` for others, and
    /// for a branch both of whose targets are reached from elsewhere too.
    pub ways: Option<[u64; 2]>,
}

impl Kernel {
    /// Each instruction of the source in the order of the code, for the executions of a
    /// [`Report`](crate::Report::executed).
    ///
    /// A target that only the branch leads to is executed as often as the branch goes there; the
    /// rest goes the other way.
    pub fn reached(&self, executed: &[u64]) -> Vec<Reached> {
        let mut entered: HashMap<usize, usize> = HashMap::new();
        for next in (0..self.code.len()).flat_map(|pc| self.followers(pc)) {
            *entered.entry(next).or_default() += 1;
        }
        let threads = |pc: usize| executed.get(pc).copied().unwrap_or_default();
        let own = |pc: usize| (entered.get(&pc) == Some(&1)).then(|| threads(pc));
        let ways = |pc: usize| {
            let (_, [then, otherwise]) = self.code[pc].control()?.branch()?;
            let target = |edge: u32| self.edges[edge as usize].target as usize;
            match (own(target(then)), own(target(otherwise))) {
                (Some(yes), _) => Some([yes, threads(pc).saturating_sub(yes)]),
                (None, Some(no)) => Some([threads(pc).saturating_sub(no), no]),
                (None, None) => None,
            }
        };
        let sites = self.sites.iter().enumerate();
        let sites = sites.filter(|(pc, _)| !self.uncounted.contains(&(*pc as u32)));
        let reached = sites.map(|(pc, site)| Reached {
            op: site.op.clone(),
            location: site.location.clone(),
            threads: threads(pc),
            ways: ways(pc),
        });
        reached.collect()
    }
}
