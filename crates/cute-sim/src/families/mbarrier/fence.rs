//! `fence.mbarrier_init`.

use crate::engine::Engine;
use crate::machine::issuer::Issuer;
use crate::race::Clocks;

/// `fence.mbarrier_init`: the barriers that the threads have initialised may be used by any thread
/// that synchronises with them next, even at a relaxed barrier of the cluster.
pub(super) fn publish_barriers(engine: &mut Engine, clocks: &mut Clocks, issuer: &Issuer) {
    for thread in issuer.threads() {
        if engine.barriers.all().any(|(_, barrier)| barrier.is_initialised_by(thread)) {
            let agent = match engine.fenced.get(&thread) {
                Some((agent, _)) => *agent,
                None => clocks.agent(),
            };
            let time = clocks.act();
            clocks.learn(thread, agent, time);
            engine.fenced.insert(thread, (agent, time));
            let own = engine.barriers.all_mut();
            let own = own.filter(|barrier| barrier.is_initialised_by(thread));
            own.for_each(|barrier| barrier.fenced = barrier.fenced.or(Some((thread, time))));
        }
    }
}
