//! Executes requests that no thread's group wait completes, and releases waiting threads.

use crate::engine::{Copy, Trigger, Work};
use crate::events::{self, Event, Task};
use crate::finding::{AccessKind, LaneFinding};
use crate::lanes::lanes_of;
use crate::machine::cluster::{Cluster, Stop};
use crate::machine::warp::{Wait, Warp};
use crate::memory::address::SHARED;
use crate::race::Reach;
use crate::schedule::{Schedule, Turns};

/// Executes the requests that an arrival follows, and then the arrival.
fn fire(cluster: &mut Cluster<'_>, warps: &mut [Warp], trigger: &Trigger) -> Result<(), LaneFinding> {
    let Trigger { site, warp: number, lane, upto, waited, barrier, ref past } = *trigger;
    let warp = &mut warps[number];
    cluster.run(warp.block);
    let agent = cluster.agent(barrier, warp.block.number);
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
    cluster.follow(barrier, past.as_ref());
    cluster.journal.acts();
    cluster.journal.tell(|c| Event::Arrives {
        act: c.act_of(warp.thread(lane), site),
        barrier,
        after: Some(events::Work::Async),
    });
    cluster
        .arrive(barrier, 1, false, passed, (warp.thread(lane), site), warp.executed)
        .map_err(|kind| LaneFinding { lane, kind })
}

impl Cluster<'_> {
    /// Executes the requests that the schedule selects, or all, and releases the lanes whose phase
    /// is complete. Returns whether anything happened.
    pub(crate) fn settle(&mut self, warps: &mut [Warp], turns: &mut Turns, all: bool) -> Result<bool, Stop> {
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
                fire(self, warps, &trigger)
                    .map_err(|f| (trigger.site, warps[trigger.warp].thread(f.lane), f.kind))?;
                happened = true;
            } else {
                i += 1;
            }
        }
        // Copies that nobody waits for may be later still.
        let awaited = (all && self.engine.schedule == Schedule::Reverse)
            .then(|| warps.iter().flat_map(|warp| warp.awaited(self)).collect());
        happened |= self.transit(turns, all, awaited.as_ref())?;
        if all && !happened && awaited.is_some() {
            happened = self.transit(turns, true, None)?;
        }
        if matches!(self.engine.schedule, Schedule::Random(_)) && turns.below(2) == 0 {
            self.multiply_some(turns);
            happened |= self.use_tensor_cores(turns, false)?;
        }
        if all && !happened {
            happened = self.use_tensor_cores(turns, true)?;
        }
        if all && !happened {
            happened = self.send_all(0..u32::MAX);
        }
        if std::mem::take(&mut self.engine.columns_freed) {
            for warp in warps.iter_mut() {
                let waits = |lane: &u32| matches!(warp.waits[*lane as usize], Some(Wait::Columns { .. }));
                let lanes = lanes_of(warp.exists & !warp.done).filter(waits).fold(0, |m, lane| m | 1 << lane);
                warp.retry(lanes);
                happened |= lanes != 0;
            }
        }
        if self.engine.told != self.engine.completed {
            self.engine.told = self.engine.completed;
            for warp in warps {
                happened |= warp.go_on(self);
            }
        }
        Ok(happened)
    }

    /// The agent of a barrier for the requests of a block.
    fn agent(&mut self, barrier: usize, block: u32) -> u32 {
        *self.engine.agents.entry((barrier, block)).or_insert_with(|| self.clocks.agent())
    }
}

impl Warp {
    /// Releases lanes that only wait for a limited time for a phase. Returns whether there are any.
    pub(crate) fn time_out(warps: &mut [Warp]) -> bool {
        let mut any = false;
        for warp in warps {
            let timed = |wait| matches!(wait, Some(Wait::Phase { timed: true, .. }));
            let lanes = lanes_of(warp.exists & !warp.ready & !warp.done)
                .filter(|lane| timed(warp.waits[*lane as usize]))
                .fold(0, |m, lane| m | 1 << lane);
            any |= lanes != 0;
            warp.resume(lanes);
        }
        any
    }

    /// Delivers a copy: with `agent`, as an act of the agent at its time; otherwise as an act of
    /// the thread.
    pub(crate) fn deliver(
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
