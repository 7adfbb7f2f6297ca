//! The lanes that execute an operation together.

use super::op::CollectiveOp;
use super::run::run;
use crate::finding::LaneFinding;
use crate::machine::cluster::Cluster;
use crate::machine::warp::{Flow, Warp};

impl Warp {
    pub(crate) fn collective(
        &mut self,
        cluster: &mut Cluster<'_>,
        op: &CollectiveOp,
        active: u32,
    ) -> Result<Flow, LaneFinding> {
        let excused = if op.excuses_returned() { self.lanes.done() } else { 0 };
        let election = cluster.machine.launch.election();
        self.together_but(excused, cluster, op.mask, active, |warp, _, lanes| {
            run(&mut warp.registers, op.act, lanes, election);
            Ok(())
        })
    }
}
