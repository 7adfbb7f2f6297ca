//! Whether the state of a run is that of an earlier one, a period later.

use super::{Clock, Phase, Point, Role, Run};

impl Run {
    /// Notes the place of a cut: the events of each warp until there, from which it may be ahead.
    pub fn cut(&mut self, events: &[usize]) {
        self.cut = events.iter().map(|events| *events as i64).collect();
    }

    /// Whether the state is that of an earlier cut, with all times of each warp moved by those of a
    /// period, or as they were.
    pub fn is_as(&self, earlier: &Run) -> bool {
        let warp_of: Vec<usize> = self
            .roles
            .iter()
            .enumerate()
            .flat_map(|(warp, role)| role.classes.iter().map(move |_| warp))
            .collect();
        let time = |now: i64, then: i64, class: usize| {
            let warp = warp_of[class];
            now == then || now - self.cut[warp] == then - earlier.cut[warp]
        };
        let clock = |now: &Clock, then: &Clock| {
            now.len() == then.len() && (0..now.len()).all(|class| time(now[class], then[class], class))
        };
        let points = |now: &[Point], then: &[Point]| {
            now.len() == then.len()
                && now.iter().zip(then).all(|(now, then)| now.0 == then.0 && time(now.1, then.1, now.0))
        };
        let phase = |now: &Phase, then: &Phase| {
            now.has_agents == then.has_agents
                && points(&now.arrivals, &then.arrivals)
                && points(&now.waiters, &then.waiters)
                && points(&now.expects, &then.expects)
                && clock(&now.known, &then.known)
                && clock(&now.published, &then.published)
        };
        let barriers = self.barriers.len() == earlier.barriers.len()
            && self.barriers.iter().zip(&earlier.barriers).all(|((at, now), (place, then))| {
                at == place
                    && (now.count, now.pending, now.bytes, now.over)
                        == (then.count, then.pending, then.bytes, then.over)
                    && phase(&now.now, &then.now)
                    && phase(&now.before, &then.before)
                    && phase(&now.earlier, &then.earlier)
            });
        let named = self.named.len() == earlier.named.len()
            && self.named.iter().zip(&earlier.named).all(|((at, now), (place, then))| {
                at == place
                    && (now.arrived, now.used, now.inside, now.left)
                        == (then.arrived, then.used, then.inside, then.left)
                    && (now.arrived == 0 || now.threads == then.threads)
                    && points(&now.before, &then.before)
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
