//! The [order of execution](crate::course) at instructions that are not about an `mbarrier`.

use crate::course::Past;
use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::group::GROUP;
use crate::machine::warp::Warp;
use cute_arch::WARP;
use smallvec::SmallVec;
use std::rc::Rc;

impl Warp {
    /// Lanes execute an instruction for which each of them waits for the others.
    #[cold]
    pub(crate) fn meet_lanes(&mut self, cluster: &mut Cluster<'_>, lanes: u32) {
        let warp = self.thread(0) / WARP;
        let is_whole = lanes | self.done == self.exists;
        if let Some(course) = &mut cluster.engine.course {
            let threads: SmallVec<[u32; WARP as usize]> =
                lanes_of(lanes).map(|lane| warp * WARP + lane).collect();
            course.meet(None, &threads, is_whole.then_some(warp).into_iter());
        }
        self.has_learned &= !is_whole;
    }
}

impl Cluster<'_> {
    /// The past of a thread's next act, if anything depends on it.
    pub(crate) fn past_of(&self, thread: u32) -> Option<Rc<Past>> {
        self.engine.course.as_ref().map(|course| course.of(thread))
    }

    /// An MMA is issued by the four warps of a warpgroup: it is complete after all that they did.
    pub(crate) fn follow_products(&mut self, group: &mut [Warp]) {
        group.iter_mut().filter(|warp| warp.has_learned).for_each(|warp| warp.meet_lanes(self, warp.exists));
        let Some(course) = &self.engine.course else { return };
        let past = course.of_all(group.iter().map(|warp| warp.thread(0)));
        let queue = self.wgmma_queue(group[0].block.rank, group[0].warpgroup() as u32);
        if queue.pasts.back().is_none_or(|(_, last)| **last != *past) {
            queue.pasts.push_back((queue.issued, past));
        }
    }

    /// A warp has waited for the MMAs of its warpgroup up to one.
    pub(crate) fn follows_products(&mut self, warp: &mut Warp, ticket: u32) {
        if self.engine.course.is_none() {
            return;
        }
        let queue = self.wgmma_queue(warp.block.rank, warp.warpgroup() as u32);
        let past = queue.pasts.iter().rfind(|(issued, _)| *issued <= ticket).map(|(_, past)| past.clone());
        // Earlier ones than the last for which all four have waited are not needed any more.
        let all = queue.warps.iter().map(|own| own.waited).min().unwrap_or(0);
        while queue.pasts.len() > GROUP && queue.pasts.get(1).is_some_and(|(issued, _)| *issued <= all) {
            queue.pasts.pop_front();
        }
        if let (Some(past), Some(course)) = (past, &mut self.engine.course) {
            course.learn(lanes_of(warp.exists).map(|lane| warp.thread(lane)), &past);
            warp.has_learned = true;
        }
    }
}
