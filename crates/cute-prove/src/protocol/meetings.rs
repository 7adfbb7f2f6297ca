//! Barriers at which warps meet: those of the block, of the cluster, and of a warpgroup.

use super::{Broken, Inside, Run, Step, grow};
use crate::trace::Event;

impl Run {
    /// At a `wgmma` of the four warps of a warpgroup.
    pub(super) fn group(&mut self, warp: usize, classes: &[usize]) -> Step {
        let group = warp / self.warps * (self.warps.div_ceil(4)) + warp % self.warps / 4;
        let members = (self.warps - warp % self.warps / 4 * 4).min(4) as u32;
        let mut own = self.groups.remove(&group).unwrap_or_default();
        if !self.roles[warp].begun {
            self.roles[warp].begun = true;
            self.roles[warp].inside = Inside::Group(group);
            self.roles[warp].awaits = own.uses;
            own.arrived += 1;
            for class in classes {
                grow(&mut own.published, &self.clocks[*class]);
            }
            if own.arrived == members {
                own.arrived = 0;
                own.uses += 1;
                own.done = std::mem::take(&mut own.published);
            }
        }
        let (waits, done) = (own.uses == self.roles[warp].awaits, own.done.clone());
        self.groups.insert(group, own);
        if waits {
            return Step::Waits;
        }
        self.roles[warp].begun = false;
        classes.iter().for_each(|class| self.learn(*class, &done));
        self.tick(warp, classes);
        Step::Done
    }

    pub(super) fn cluster_arrive(
        &mut self,
        warp: usize,
        event: &Event,
        relaxed: bool,
        classes: &[usize],
    ) -> Result<(), Broken> {
        if !relaxed {
            for class in classes {
                grow(&mut self.cluster.published, &self.clocks[*class]);
            }
        }
        if self.roles[warp].arrived == self.cluster.phase && event.lanes.count_ones() == 32 {
            return Err(self.broken(warp, event, "a second arrival at the barrier of the cluster"));
        }
        self.roles[warp].arrived = self.cluster.phase;
        self.cluster.arrived += event.lanes.count_ones();
        if self.cluster.arrived > self.threads {
            return Err(self.broken(warp, event, "a second arrival at the barrier of the cluster"));
        }
        if self.cluster.arrived == self.threads {
            self.cluster.arrived = 0;
            self.cluster.done = std::mem::take(&mut self.cluster.published);
            self.cluster.phase += 1;
        }
        self.tick(warp, classes);
        Ok(())
    }

    pub(super) fn cluster_wait(&mut self, warp: usize, classes: &[usize]) -> Step {
        if self.cluster.phase == self.roles[warp].arrived {
            return Step::Waits;
        }
        let done = self.cluster.done.clone();
        classes.iter().for_each(|class| self.learn(*class, &done));
        self.tick(warp, classes);
        Step::Done
    }

    pub(super) fn block(
        &mut self,
        warp: usize,
        event: &Event,
        (id, threads, waits): (u32, u32, bool),
        classes: &[usize],
    ) -> Result<Step, Broken> {
        let key = (warp / self.warps, id);
        let mut own = self.named.remove(&key).unwrap_or_default();
        if !self.roles[warp].begun {
            if own.left > 0 {
                // Those of the use before go first, which they can.
                self.named.insert(key, own);
                return Ok(Step::Waits);
            }
            let is_known = |class: &usize| own.before.iter().any(|point| self.knows(*class, *point));
            if own.used && !classes.iter().all(is_known) {
                let what = "an arrival at a barrier of the block may come before its use ahead is over";
                return Err(self.broken(warp, event, what));
            }
            if own.arrived == 0 {
                own.threads = threads;
            }
            if own.threads != threads {
                return Err(self.broken(
                    warp,
                    event,
                    "different numbers of threads at a barrier of the block",
                ));
            }
            own.arrived += event.lanes.count_ones();
            if own.arrived > threads {
                return Err(self.broken(warp, event, "more threads than a barrier of the block is for"));
            }
            for class in classes {
                grow(&mut own.published, &self.clocks[*class]);
            }
            self.roles[warp].awaits = own.uses;
            self.roles[warp].begun = waits;
            self.roles[warp].inside = Inside::Block(key);
            own.inside += u32::from(waits);
            if own.arrived == threads {
                own.arrived = 0;
                own.used = true;
                own.uses += 1;
                own.before.clear();
                own.done = std::mem::take(&mut own.published);
                own.left = std::mem::take(&mut own.inside);
            }
            if !waits {
                self.named.insert(key, own);
                self.tick(warp, classes);
                return Ok(Step::Done);
            }
        }
        if own.uses == self.roles[warp].awaits {
            self.named.insert(key, own);
            return Ok(Step::Waits);
        }
        self.roles[warp].begun = false;
        own.left -= 1;
        let done = own.done.clone();
        classes.iter().for_each(|class| self.learn(*class, &done));
        self.tick(warp, classes);
        let time = self.roles[warp].time;
        own.before.extend(classes.iter().map(|class| (*class, time)));
        self.named.insert(key, own);
        Ok(Step::Done)
    }
}
