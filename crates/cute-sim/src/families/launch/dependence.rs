//! `griddepcontrol`: waits for earlier launches.

use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;

impl Warp {
    /// `griddepcontrol`: the threads wait for earlier launches, or let later ones begin.
    pub(super) fn depend_on_grids(&self, cluster: &mut Cluster<'_>, waits: bool, active: u32) {
        let rank = self.block().rank as usize;
        for thread in lanes_of(active).map(|lane| self.thread(lane)) {
            if waits {
                cluster.clocks.wait_for_launches(thread);
                cluster.dependence[rank].waits = true;
            } else if !cluster.clocks.knows_launch(thread, true) {
                cluster.dependence[rank].lets_begin = true;
            }
        }
    }
}
