//! Whether the state of a run is that of another one, some iterations before.

use super::{Clock, Phase, Point, Role, Run};
use crate::trace::{Event, Place, What};
use std::{cell::Cell, collections::BTreeSet};

/// Times of two runs, those of each warp moved by the events between their cuts, or as they were.
///
/// Times that move are later than all those that stay: so the later one of two times is the same
/// one in both runs.
struct Times<'r> {
    warp_of: Vec<usize>,
    now: &'r [i64],
    then: &'r [i64],
    /// For each warp, the last time that stays, and the first one that moves.
    ends: Vec<Cell<(i64, i64)>>,
}

impl Times<'_> {
    fn are_same(&self, now: i64, then: i64, class: usize) -> bool {
        let warp = self.warp_of[class];
        let more = self.now[warp] - self.then[warp];
        let (stays, moves) = self.ends[warp].get();
        match now - then {
            0 if more == 0 => {}
            0 => self.ends[warp].set((stays.max(then), moves)),
            by if by == more => self.ends[warp].set((stays, moves.min(then))),
            _ => return false,
        }
        true
    }

    fn clock(&self, now: &Clock, then: &Clock) -> bool {
        now.len() == then.len() && (0..now.len()).all(|class| self.are_same(now[class], then[class], class))
    }

    /// The same points, in any order.
    fn points(&self, now: &[Point], then: &[Point]) -> bool {
        let sorted = |points: &[Point]| {
            let mut all = points.to_vec();
            all.sort_unstable();
            all
        };
        let (now, then) = (sorted(now), sorted(then));
        now.len() == then.len()
            && now.iter().zip(&then).all(|(now, then)| now.0 == then.0 && self.are_same(now.1, then.1, now.0))
    }

    /// The parts of a phase that the conditions need, apart from clocks.
    fn phase(&self, now: &Phase, then: &Phase) -> bool {
        now.has_agents == then.has_agents
            && self.points(&now.arrivals, &then.arrivals)
            && self.points(&now.waiters, &then.waiters)
            && self.points(&now.expects, &then.expects)
    }

    fn are_in_order(&self) -> bool {
        self.ends.iter().map(Cell::get).all(|(stays, moves)| stays < moves)
    }
}

impl Run {
    /// Notes the place of a cut: the events of each warp until there, from which it may be ahead.
    pub fn cut(&mut self, events: &[usize]) {
        self.cut = events.iter().map(|events| *events as i64).collect();
    }

    fn times<'r>(&'r self, earlier: &'r Run) -> Times<'r> {
        let classes = self.roles.iter().enumerate();
        let warp_of = classes.flat_map(|(warp, role)| role.classes.iter().map(move |_| warp)).collect();
        let ends = vec![Cell::new((i64::MIN, i64::MAX)); self.roles.len()];
        Times { warp_of, now: &self.cut, then: &earlier.cut, ends }
    }

    /// Whether the same events follow as from another cut: the state is the same, with all times
    /// moved, and all conditions have the same answers.
    pub fn is_as(&self, earlier: &Run) -> bool {
        let times = self.times(earlier);
        let conditions = self.barriers.iter().zip(&earlier.barriers).all(|((_, now), (_, then))| {
            now.over == then.over
                && now.tests == then.tests
                && times.phase(&now.now, &then.now)
                && times.clock(&now.now.known, &then.now.known)
                && times.phase(&now.before, &then.before)
                // The clocks of a phase are needed until it has been seen.
                && times.phase(&now.earlier, &then.earlier)
        });
        let cells = self.cells.len() == earlier.cells.len()
            && self.cells.iter().zip(&earlier.cells).all(|((at, now), (place, then))| {
                at == place
                    && (now.value, now.byte, now.bytes) == (then.value, then.byte, then.bytes)
                    && times.points(&now.writers, &then.writers)
                    && times.points(&now.readers, &then.readers)
                    && times.points(&now.before, &then.before)
            });
        conditions && cells && self.knows_same(earlier, &times, |_| true) && times.are_in_order()
    }

    /// The barriers whose last phase a warp may still learn from: its next wait or test there,
    /// among the events that follow, finds that phase. A wait that does not find it ends with the
    /// phase at hand, and what comes after it finds a later one.
    fn awaited(&self, rest: &[&[&Event]]) -> BTreeSet<Place> {
        let mut all = BTreeSet::new();
        for events in rest {
            let mut met = BTreeSet::new();
            for event in *events {
                let (What::Wait { barrier, parity, .. } | What::Peek { barrier, parity }) = &event.what
                else {
                    continue;
                };
                let is_over = self.barriers.get(barrier).is_none_or(|own| (own.over & 1 == 1) != *parity);
                if met.insert(*barrier) && is_over {
                    all.insert(*barrier);
                }
            }
        }
        all
    }

    /// The barriers whose parity differs, if the events that follow give the same knowledge as from
    /// another cut. Whether the conditions hold is another matter.
    pub fn knows_as(&self, earlier: &Run, rest: &[&[&Event]]) -> Option<BTreeSet<Place>> {
        let (times, awaited) = (self.times(earlier), self.awaited(rest));
        let is_same =
            self.knows_same(earlier, &times, |place| awaited.contains(place)) && times.are_in_order();
        let turned = self.barriers.iter().filter(|(at, own)| (own.over ^ earlier.barriers[at].over) & 1 == 1);
        is_same.then(|| turned.map(|(at, _)| *at).collect())
    }

    /// Phases that are over are compared at the `awaited` barriers only.
    fn knows_same(&self, earlier: &Run, times: &Times<'_>, awaited: impl Fn(&Place) -> bool) -> bool {
        let clock = |now: &Clock, then: &Clock| times.clock(now, then);
        let barriers = self.barriers.len() == earlier.barriers.len()
            && self.barriers.iter().zip(&earlier.barriers).all(|((at, now), (place, then))| {
                at == place
                    && (now.count, now.pending, now.bytes, now.over.min(1))
                        == (then.count, then.pending, then.bytes, then.over.min(1))
                    && clock(&now.now.published, &then.now.published)
                    && (!awaited(at) || clock(&now.before.published, &then.before.published))
            });
        let named = self.named.len() == earlier.named.len()
            && self.named.iter().zip(&earlier.named).all(|((at, now), (place, then))| {
                at == place
                    && (now.arrived, now.used, now.inside, now.left)
                        == (then.arrived, then.used, then.inside, then.left)
                    && (now.arrived == 0 || now.threads == then.threads)
                    && times.points(&now.before, &then.before)
                    && clock(&now.published, &then.published)
                    && clock(&now.done, &then.done)
            });
        let clusters = self.cluster.arrived == earlier.cluster.arrived
            && clock(&self.cluster.published, &earlier.cluster.published)
            && clock(&self.cluster.done, &earlier.cluster.done);
        let late = |run: &Run, role: &Role| run.cluster.phase == role.arrived;
        let ahead = |run: &Run, warp: usize| run.roles[warp].time - run.cut[warp];
        let roles = self.roles.iter().zip(&earlier.roles).enumerate().all(|(warp, (now, then))| {
            ahead(self, warp) == ahead(earlier, warp)
                && now.begun == then.begun
                && (!now.begun
                    || now.inside == then.inside
                        && self.uses(now) - now.awaits == earlier.uses(then) - then.awaits)
                && late(self, now) == late(earlier, then)
        });
        let groups = self.groups.len() == earlier.groups.len()
            && self.groups.values().zip(earlier.groups.values()).all(|(now, then)| {
                now.arrived == then.arrived
                    && clock(&now.done, &then.done)
                    && clock(&now.published, &then.published)
            });
        let clocks = self.clocks.iter().zip(&earlier.clocks).all(|(now, then)| clock(now, then));
        barriers && named && clusters && roles && groups && clocks
    }
}
