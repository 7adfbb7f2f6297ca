//! The [order of execution](crate::course) at instructions that are not about an `mbarrier`.

use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use cute_arch::WARP;
use smallvec::SmallVec;

impl Warp {
    /// Lanes execute an instruction for which each of them waits for the others.
    #[cold]
    pub(crate) fn meet_lanes(&mut self, cluster: &mut Cluster<'_>, lanes: u32) {
        let warp = self.thread(0) / WARP;
        let is_whole = lanes | self.lanes.done() == self.lanes.exists();
        if let Some(course) = &mut cluster.engine.course {
            let threads: SmallVec<[u32; WARP as usize]> =
                lanes_of(lanes).map(|lane| warp * WARP + lane).collect();
            course.meet(None, &threads, is_whole.then_some(warp).into_iter());
        }
        if is_whole {
            self.marks.share();
        }
    }
}
