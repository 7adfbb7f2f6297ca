//! Loads that race with a store of their size. Such a race is a mistake if something uses the value
//! that was loaded. Compilers let threads with copies of an element load it and drop the value.
//!
//! Likewise, a load from bytes of shared memory that nothing has written is a mistake if its value
//! is used: a merge reads the element behind a run, and does not look at it.
//!
//! Whether a value will be used is known only later. So a first run reports each such race, and
//! names the loads. A run that [follows](crate::Launch::followed_loads) these marks the values, and
//! reports a race when the load's value is used by then.

use super::Journal;
use super::orders::Orders;
use crate::finding::{AccessKind, Finding, FindingKind, Place};
use crate::race::{Clocks, Race, Who};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A load: a thread of the cluster, and the instruction, perhaps [`EMPTY`].
type Load = (u32, u32);

/// Where a load reads: space, allocation and first byte. A store of its size that races with it has
/// the same first byte.
pub(crate) type At = (u32, u32, usize);

/// Marks the instruction of a load whose value is empty, rather than raced for.
pub(crate) const EMPTY: u32 = 1 << 31;

/// The executions of an instruction by a thread to which a use may belong: a loop may use what an
/// earlier iteration has loaded.
const RECENT: usize = 4;

/// The racy loads of a cluster.
#[derive(Default)]
pub(super) struct Racy {
    /// The instructions of those that are not followed.
    pub(super) loads: BTreeSet<u32>,
    /// Where followed loads have read last.
    latest: BTreeMap<Load, VecDeque<At>>,
    /// Followed loads whose values have been used, each with its place: another execution of the
    /// same instruction may have a value that nothing uses.
    used: BTreeSet<(Load, At)>,
    /// Races of loads whose values have not been used since.
    pending: BTreeMap<(Load, At), Vec<Finding>>,
}

impl Racy {
    /// A followed load reads here.
    fn loads_at(&mut self, load: Load, at: At) {
        let latest = self.latest.entry(load).or_default();
        if latest.len() == RECENT {
            latest.pop_front();
        }
        latest.push_back(at);
    }

    /// The value of a load has been used, of one of its latest executions. Returns their races.
    fn uses(&mut self, load: Load) -> Vec<Finding> {
        let mut races = Vec::new();
        for at in self.latest.get(&load).into_iter().flatten() {
            self.used.insert((load, *at));
            races.extend(self.pending.remove(&(load, *at)).into_iter().flatten());
        }
        races
    }
}

impl Journal<'_> {
    /// The load of a race, if the race is between a load and a store of one size by threads of this
    /// cluster. Loads by collectives, such as `ldmatrix`, do not count.
    pub(super) fn racy_load(&self, clocks: &Clocks, who: &Who, lane: u32, race: &Race) -> Option<Load> {
        let Race { record, thread, gap: None } = race else { return None };
        let own = self.scene.thread_of(who, lane);
        let load = match (who.kind, record.kind) {
            (AccessKind::Read, AccessKind::Write) => (own, who.site),
            (AccessKind::Write, AccessKind::Read) => {
                (clocks.first_of(record.made_by())? + thread, record.site)
            }
            _ => return None,
        };
        let is_of_thread = !record.is_former() && record.agent().is_none();
        let kernel = self.machine().kernel;
        let bytes = |site: u32| {
            let transfer = kernel.code.get(site as usize)?.memory()?.transfer()?;
            Some(kernel.accesses[transfer.access as usize].bytes)
        };
        let is_own = is_of_thread && clocks.first_of(record.made_by()).is_some();
        (is_own && bytes(who.site).is_some() && bytes(who.site) == bytes(record.site)).then_some(load)
    }

    /// Whether a race is that of a followed load, which is reported once its value is used.
    pub(crate) fn follows_race(
        &mut self,
        orders: Orders<'_>,
        (who, lane): (&Who, u32),
        (place, offset, at): (&Place, i64, At),
        race: &Race,
    ) -> bool {
        let load = self.racy_load(orders.clocks, who, lane, race);
        let Some(load) = load.filter(|(_, site)| self.machine().follows(*site)) else { return false };
        let (reader, site) = load;
        if who.kind != AccessKind::Read {
            self.findings.note_raced(site);
        }
        let own = self.scene.thread_of(who, lane);
        let other = self.other_party(orders, race);
        let mut kind = self.race_kind(orders, who, own, (place.clone(), offset), race, other);
        // It is reported at the load.
        if let FindingKind::Race { access, other, .. } = &mut kind
            && who.kind != AccessKind::Read
        {
            *access = AccessKind::Read;
            **other = self.scene.party((own, who.site), who.kind);
        }
        let finding = self.finding(site, reader, kind);
        // The value of a load that races with an earlier store has not been used yet.
        if who.kind != AccessKind::Read && self.racy.used.contains(&(load, at)) {
            self.findings.note(finding);
            return true;
        }
        let pending = self.racy.pending.entry((load, at)).or_default();
        match pending.iter_mut().find(|known| known.is_like(&finding)) {
            Some(known) => known.absorb(finding),
            None => pending.push(finding),
        }
        true
    }

    /// A load reads bytes of shared memory that nothing has written.
    pub(crate) fn note_empty_read(&mut self, (thread, site): Load, at: At, kind: FindingKind) {
        let finding = self.finding(site, thread, kind);
        let is_load = self.machine().kernel.load(site).is_some();
        if !is_load || !self.machine().follows(site) {
            if is_load {
                self.racy.loads.insert(site);
            }
            return self.findings.note_early_read(site, finding);
        }
        let pending = self.racy.pending.entry(((thread, site | EMPTY), at)).or_default();
        match pending.first_mut() {
            Some(known) => known.absorb(finding),
            None => pending.push(finding),
        }
    }

    /// A followed load of a thread of the cluster reads here.
    pub(crate) fn loads_at(&mut self, load: Load, at: At) {
        self.racy.loads_at(load, at);
    }

    /// Reports the races of a load, whose value its thread has used.
    pub(crate) fn note_use(&mut self, (thread, site): Load) {
        for finding in self.racy.uses((thread, site)) {
            match site & EMPTY {
                0 => self.findings.note(finding),
                _ => self.findings.note_early_read(site & !EMPTY, finding),
            }
        }
    }

    /// Notes the races of loads whose values nothing has used. A thread that could not go on might
    /// have used its value.
    pub(crate) fn note_unused(&mut self, has_ended: impl Fn(u32) -> bool) {
        let pending = std::mem::take(&mut self.racy.pending);
        let each = |(((thread, _), _), races): ((Load, At), Vec<Finding>)| {
            races.into_iter().map(move |race| (thread, race))
        };
        for (thread, finding) in pending.into_iter().flat_map(each) {
            if !has_ended(thread) {
                self.findings.note(finding);
            } else if let FindingKind::Race { access, place, offset, other, .. } = finding.kind {
                let kind = FindingKind::RaceUnused { access, place, offset, other };
                let (grade, rule) = (kind.grade(), kind.rule());
                let unused =
                    Finding { grade, rule, kind, mistake: 0, side: 0, places: Default::default(), ..finding };
                self.findings.note(unused.identified());
            }
        }
    }
}
