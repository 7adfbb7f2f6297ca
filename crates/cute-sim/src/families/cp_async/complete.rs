//! Copies of `cp.async` arrive: when a thread waits for their group, or before an arrival at a
//! barrier that follows them.

use super::queue::{Copy, Trigger, Work};
use crate::events::{self, Event, Task};
use crate::families::mbarrier::complete::{Arrivals, arrive};
use crate::finding::{AccessKind, LaneFinding};
use crate::lanes::lanes_of;
use crate::machine::cluster::{Cluster, Stop};
use crate::machine::warp::Warp;
use crate::memory::address::SHARED;
use crate::race::Reach;
use crate::schedule::{Schedule, Turns};

impl Cluster<'_> {
    /// Executes the arrivals that the schedule selects, or all, each after the copies before it.
    /// Returns whether there were any.
    pub(crate) fn follow_copies(
        &mut self,
        warps: &mut [Warp],
        turns: &mut Turns,
        all: bool,
    ) -> Result<bool, Stop> {
        let mut happened = false;
        let mut i = 0;
        while i < self.engine.triggers.len() {
            let now = match self.engine.schedule {
                Schedule::Eager => true,
                Schedule::Random(_) => turns.below(4) == 0,
                Schedule::Lazy | Schedule::Reverse => false,
            };
            if now || all {
                let trigger = self.engine.triggers.remove(i);
                self.fire(warps, &trigger)
                    .map_err(|f| (trigger.site, warps[trigger.warp].thread(f.lane), f.kind))?;
                happened = true;
            } else {
                i += 1;
            }
        }
        Ok(happened)
    }

    /// Executes the requests that an arrival follows, and then the arrival.
    fn fire(&mut self, warps: &mut [Warp], trigger: &Trigger) -> Result<(), LaneFinding> {
        let Trigger { site, warp: number, lane, upto, waited, barrier, ref past } = *trigger;
        let (warp, cluster) = (&mut warps[number], self);
        cluster.run(warp.block());
        let agent = cluster.agent(barrier, warp.block().number);
        let time = cluster.clocks.act();
        let mut queue = std::mem::take(&mut cluster.engine.queues[number]);
        for request in queue.upto(lane, upto) {
            if let Work::Copy(copy) = &request.work {
                warp.deliver(cluster, lane, request.site, copy, Some((agent, time)));
                cluster.journal.tell(|_| Event::Done { task: Task::Async(request.number) });
                request.work = Work::Done { agent, time };
            } else if let Work::Done { agent, time } = request.work {
                // Another barrier followed it first.
                let passed = cluster.engine.barriers.passed(barrier);
                let passed = cluster.clocks.with_agent(passed, agent, time);
                cluster.engine.barriers.pass_on(barrier, passed);
            }
        }
        cluster.engine.queues[number] = queue;
        cluster.journal.changes(1);
        cluster.engine.barriers.note_agent(barrier, (agent, time), (warp.thread(lane), site));
        cluster.engine.barriers.leave_open(barrier);
        let passed = cluster.clocks.with_agent(cluster.engine.barriers.passed(barrier), agent, time);
        // Copies for which the thread has waited itself count as its own writes, up to then.
        let passed = cluster.clocks.with_agent(Some(&passed), warp.thread(lane), waited);
        cluster.engine.barriers.follow(barrier, past.as_ref());
        cluster.journal.acts();
        cluster.journal.tell(|c| Event::Arrives {
            act: c.act_of(warp.thread(lane), site),
            barrier,
            after: Some(events::Work::Async),
        });
        let arrivals = Arrivals {
            count: 1,
            drop: false,
            passed,
            who: (warp.thread(lane), site),
            when: warp.marks.executed(),
        };
        let Cluster { engine, journal, .. } = cluster;
        arrive(&mut engine.barriers, journal, barrier, arrivals).map_err(|kind| LaneFinding { lane, kind })
    }

    /// The agent of a barrier for the requests of a block.
    fn agent(&mut self, barrier: usize, block: u32) -> u32 {
        *self.engine.agents.entry((barrier, block)).or_insert_with(|| self.clocks.agent())
    }
}

impl Warp {
    /// Completes all groups of each lane except the `pending` youngest.
    pub(super) fn wait_copies(&mut self, cluster: &mut Cluster<'_>, pending: u32, active: u32) {
        cluster.journal.tell(|_| Event::Completes { act: self.act(active) });
        for lane in lanes_of(active) {
            while let Some(group) = self.queue_mut(cluster).take(lane, pending) {
                for request in group {
                    match request.work {
                        Work::Copy(copy) => {
                            self.queue_mut(cluster).waited[lane as usize] = cluster.clocks.now();
                            self.deliver(cluster, lane, request.site, &copy, None);
                            cluster.journal.tell(|_| Event::Done { task: Task::Async(request.number) });
                        }
                        Work::Done { agent, time } => cluster.clocks.learn(self.thread(lane), agent, time),
                    }
                }
            }
        }
    }

    /// Delivers a copy: with `agent`, as an act of the agent at its time; otherwise as an act of
    /// the thread.
    fn deliver(
        &self,
        cluster: &mut Cluster<'_>,
        lane: u32,
        site: u32,
        copy: &Copy,
        agent: Option<(u32, u32)>,
    ) {
        let read = (AccessKind::Read, Reach::default());
        let write = (AccessKind::Copy, Reach::default());
        if let Some((from, len)) = copy.from {
            self.watch(cluster, lane, from, len, read, site, None);
        }
        cluster.journal.changes(1);
        cluster.shared.bytes_mut().write_slice(copy.to.start, &copy.bytes[..copy.len]);
        let Some(agent) = agent else {
            self.watch(cluster, lane, copy.to, copy.len, write, site, None);
            return;
        };
        let who = self.who(cluster, SHARED, site, AccessKind::Copy, Reach::default());
        let mut window = cluster.shared.shadow();
        window.note(copy.to.start, copy.len, &who, 1 << lane, Some(agent), &cluster.clocks);
    }
}
