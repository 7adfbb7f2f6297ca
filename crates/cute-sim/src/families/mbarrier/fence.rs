//! `fence.mbarrier_init`.

use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;

impl Warp {
    /// `fence.mbarrier_init`: the barriers that the threads have initialised may be used by any
    /// thread that synchronises with them next, even at a relaxed barrier of the cluster.
    pub(super) fn publish_barriers(&mut self, cluster: &mut Cluster<'_>, active: u32) {
        for lane in lanes_of(active) {
            let thread = self.thread(lane);
            if cluster.engine.barriers.all().any(|(_, barrier)| barrier.is_initialised_by(thread)) {
                let agent = match cluster.engine.fenced.get(&thread) {
                    Some((agent, _)) => *agent,
                    None => cluster.clocks.agent(),
                };
                let time = cluster.clocks.act();
                cluster.clocks.learn(thread, agent, time);
                cluster.engine.fenced.insert(thread, (agent, time));
                let own = cluster.engine.barriers.all_mut();
                let own = own.filter(|barrier| barrier.is_initialised_by(thread));
                own.for_each(|barrier| barrier.fenced = barrier.fenced.or(Some((thread, time))));
            }
        }
    }
}
