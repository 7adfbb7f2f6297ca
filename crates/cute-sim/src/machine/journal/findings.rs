//! Findings of a cluster: the first of each mistake, the others counted.

use crate::finding::{AccessKind, Finding, FindingKind, Grade, Party, Place, ProxyRule, TensorFence};
use crate::race::{Gap, MissingFence, Race, Who};
use crate::report::LeftOut;
use std::collections::{HashMap, HashSet};

/// A cluster notes at most this many different findings of each grade.
const MOST: usize = 64;

#[derive(Default)]
pub(super) struct Findings {
    list: Vec<Finding>,
    /// Positions in the list, by mistake.
    index: HashMap<(Grade, u64), usize>,
    /// Reads of uninitialised bytes, by instruction. If a thread writes them later, it was a race.
    early: HashMap<u32, Finding>,
    raced: HashSet<u32>,
    /// Those beyond [`MOST`].
    left_out: LeftOut,
}

impl Findings {
    /// Records a finding.
    pub(super) fn note(&mut self, finding: Finding) {
        let key = (finding.grade, finding.mistake);
        if let Some(i) = self.index.get(&key) {
            self.list[*i].absorb(finding);
        } else if self.list.iter().filter(|f| f.grade == finding.grade).count() < MOST {
            self.index.insert(key, self.list.len());
            self.list.push(finding);
        } else {
            self.left_out.add(&finding);
        }
    }

    /// Notes a read of an empty byte.
    pub(super) fn note_early_read(&mut self, site: u32, finding: Finding) {
        self.early.entry(site).and_modify(|f| f.count += 1).or_insert(finding);
    }

    /// The instruction's reads race with a write.
    pub(super) fn note_raced(&mut self, site: u32) {
        self.raced.insert(site);
    }

    /// The findings, and those for which there was no room.
    pub(super) fn finish(self) -> (Vec<Finding>, LeftOut) {
        let Findings { mut list, early, raced, left_out, .. } = self;
        let mut early: Vec<_> = early.into_iter().filter(|(site, _)| !raced.contains(site)).collect();
        early.sort_by_key(|(site, _)| *site);
        // Findings that follow from an uninitialised byte come after it.
        let mut all: Vec<Finding> = Vec::new();
        for (_, finding) in early {
            match all.iter_mut().find(|known| known.is_like(&finding)) {
                Some(known) => known.absorb(finding),
                None => all.push(finding),
            }
        }
        all.append(&mut list);
        (all, left_out)
    }
}

/// A race as a finding's kind. `by_barrier` tells that blocks of a cluster may intend to order it
/// by an mbarrier.
pub(super) fn race(
    who: &Who,
    race: &Race,
    place: Place,
    offset: i64,
    other: Party,
    by_barrier: bool,
) -> FindingKind {
    let record = &race.record;
    let access = who.kind;
    match race.gap {
        Some(Gap::Write | Gap::ReadFence) => {
            return FindingKind::Unfenced { access, place, offset, other: Box::new(other) };
        }
        Some(Gap::Tensor { fence, ordered }) => {
            let missing = match fence {
                MissingFence::Before => TensorFence::Before,
                MissingFence::After => TensorFence::After,
            };
            let other = Box::new(other);
            return match ordered {
                true => FindingKind::TensorOrder { access, place, other, missing },
                false => {
                    let why = Some(missing.why_unordered());
                    FindingKind::Race { access, place, offset, other, why }
                }
            };
        }
        Some(gap) => {
            let rule = match gap {
                Gap::Copy => ProxyRule::Copy,
                Gap::Read => ProxyRule::Read,
                Gap::Allocation => ProxyRule::Allocation,
                _ => ProxyRule::OwnFence,
            };
            return FindingKind::ProxyOrder { access, place, offset, other: Box::new(other), rule };
        }
        None => {}
    }
    let why = if record.kind.is_contended(who.kind) && record.reach.width != who.reach.width {
        Some("atomic operations of different widths do not exclude each other")
    } else if record.kind.is_contended(who.kind) {
        Some("atomic operations of `syncscope(\"block\")` exclude only threads of their own block")
    } else if by_barrier && record.made_by() != who.block && record.agent().is_none() {
        Some(
            "an mbarrier orders what blocks of a cluster write only where its arrivals and waits say `.release.cluster` and \
             `.acquire.cluster`",
        )
    } else if (record.site, record.kind, who.kind) == (who.site, AccessKind::Write, AccessKind::Write) {
        Some(
            "both accesses are the same instruction, so two threads write the same element; likely causes are a mode with \
             stride 0, or a remainder tile without a predicate",
        )
    } else {
        None
    };
    FindingKind::Race { access, place, offset, other: Box::new(other), why }
}
