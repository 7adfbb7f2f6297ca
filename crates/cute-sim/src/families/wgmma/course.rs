//! The [order of execution](crate::course) at MMAs and at waits for them.

use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::group::GROUP;
use crate::machine::warp::Warp;

impl Cluster<'_> {
    /// An MMA is issued by the four warps of a warpgroup: it is complete after all that they did.
    pub(super) fn follow_products(&mut self, group: &mut [Warp]) {
        group
            .iter_mut()
            .filter(|warp| warp.marks.has_learned())
            .for_each(|warp| warp.meet_lanes(self, warp.lanes.exists()));
        let Some(course) = &self.engine.course else { return };
        let past = course.of_all(group.iter().map(|warp| warp.thread(0)));
        let queue = self.engine.warpgroups.of(group[0].group_id());
        if queue.pasts.back().is_none_or(|(_, last)| **last != *past) {
            queue.pasts.push_back((queue.issued, past));
        }
    }

    /// A warp has waited for the MMAs of its warpgroup up to one.
    pub(super) fn follows_products(&mut self, warp: &mut Warp, ticket: u32) {
        if self.engine.course.is_none() {
            return;
        }
        let queue = self.engine.warpgroups.of(warp.group_id());
        let past = queue.pasts.iter().rfind(|(issued, _)| *issued <= ticket).map(|(_, past)| past.clone());
        // Earlier ones than the last for which all four have waited are not needed any more.
        let all = queue.warps.iter().map(|own| own.waited).min().unwrap_or(0);
        while queue.pasts.len() > GROUP && queue.pasts.get(1).is_some_and(|(issued, _)| *issued <= all) {
            queue.pasts.pop_front();
        }
        if let (Some(past), Some(course)) = (past, &mut self.engine.course) {
            course.learn(lanes_of(warp.lanes.exists()).map(|lane| warp.thread(lane)), &past);
            warp.marks.learn(true);
        }
    }
}
