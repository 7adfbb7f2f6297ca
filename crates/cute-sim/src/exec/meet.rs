//! Instructions at which lanes wait for others: of their warp, their block, or their cluster.

use crate::finding::LaneFinding;
use crate::machine::cluster::Cluster;
use crate::machine::issuing::Issuing;
use crate::machine::warp::{Flow, Warp};
use crate::program::Slot;

impl Warp {
    /// Whether these lanes may execute a barrier's instruction without the other lanes of the warp.
    pub(crate) fn may_run(&self, aligned: bool, active: u32) -> bool {
        !aligned || self.lanes.is_whole(active)
    }

    /// Runs a collective in each group of lanes that is complete; the others wait.
    pub(crate) fn together(
        &mut self,
        cluster: &mut Cluster<'_>,
        mask: Option<Slot>,
        active: u32,
        run: impl FnMut(&mut Issuing<'_>, &mut Cluster<'_>) -> Result<(), LaneFinding>,
    ) -> Result<Flow, LaneFinding> {
        self.together_but(0, cluster, mask, active, run)
    }

    /// Like [`together`](Self::together), for groups that are complete without the excused lanes.
    pub(crate) fn together_but(
        &mut self,
        excused: u32,
        cluster: &mut Cluster<'_>,
        mask: Option<Slot>,
        active: u32,
        mut run: impl FnMut(&mut Issuing<'_>, &mut Cluster<'_>) -> Result<(), LaneFinding>,
    ) -> Result<Flow, LaneFinding> {
        self.in_groups(excused, cluster, mask, active, |warp, cluster, lanes| {
            run(&mut warp.issuing(lanes), cluster)
        })
    }

    /// The same, with the whole warp.
    pub(crate) fn in_groups(
        &mut self,
        excused: u32,
        cluster: &mut Cluster<'_>,
        mask: Option<Slot>,
        active: u32,
        mut run: impl FnMut(&mut Warp, &mut Cluster<'_>, u32) -> Result<(), LaneFinding>,
    ) -> Result<Flow, LaneFinding> {
        let groups = self.gather(cluster, mask, active, excused)?;
        let mut ran = 0;
        for lanes in groups {
            if self.marks.has_learned() {
                let (issuer, is_whole) = (self.issuer(lanes), self.lanes.is_whole(lanes));
                self.marks.meet_lanes(cluster.engine.course.as_deref_mut(), &issuer, is_whole);
            }
            run(self, cluster, lanes)?;
            ran |= lanes;
        }
        if ran == active {
            return Ok(Flow::Next);
        }
        self.lanes.park(active & ran, self.lanes.at() + 1);
        self.lanes.resume(ran & !active);
        Ok(Flow::Apart)
    }
}
