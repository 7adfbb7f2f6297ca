//! Executes requests that no thread's group wait completes, and releases waiting threads.

use crate::engine::mbarrier::Awaited;
use crate::engine::{Copy, Trigger, Work};
use crate::events::{self, Event, Task};
use crate::finding::LaneFinding;
use crate::finding::{AccessKind, FindingKind, MbarrierMisuse};
use crate::lanes::lanes_of;
use crate::machine::cluster::{Cluster, Stop};
use crate::machine::warp::{Wait, Warp};
use crate::memory::address::SHARED;
use crate::program::{BarrierWait, MbarrierOp, Op};
use crate::race::{Known, Reach, Scope};
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
            cluster.tell(|_| Event::Done { task: Task::Async(request.number) });
            request.work = Work::Done { agent, time };
        } else if let Work::Done { agent, time } = request.work {
            // Another barrier followed it first.
            let passed = cluster.engine.barriers.get(&barrier).and_then(|b| b.passed.clone());
            let passed = cluster.clocks.with_agent(passed.as_ref(), agent, time);
            if let Some(barrier) = cluster.engine.barriers.get_mut(&barrier) {
                barrier.passed = Some(passed);
            }
        }
    }
    cluster.engine.queues[number] = queue;
    cluster.changes += 1;
    if let Some(barrier) = cluster.engine.barriers.get_mut(&barrier) {
        barrier.uses.note_agent(agent, time, (warp.thread(lane), site));
        barrier.uses.vague = true;
    }
    let passed = cluster.engine.barriers.get(&barrier).and_then(|b| b.passed.clone());
    let passed = cluster.clocks.with_agent(passed.as_ref(), agent, time);
    // Copies for which the thread has waited itself count as its own writes, up to then.
    let passed = cluster.clocks.with_agent(Some(&passed), warp.thread(lane), waited);
    cluster.follow(barrier, past.as_ref());
    cluster.steps += 1;
    cluster.tell(|c| Event::Arrives {
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

    /// Arrivals at a barrier, which pass on something, and the end of the phase if it was the last.
    pub(crate) fn arrive(
        &mut self,
        at: usize,
        count: u32,
        drop: bool,
        passed: Known,
        who: (u32, u32),
        when: u64,
    ) -> Result<(), FindingKind> {
        let Some(barrier) = self.engine.barriers.get_mut(&at) else {
            return Err(self.misused(at, MbarrierMisuse::Uninitialised));
        };
        let last = barrier.history.last_in(barrier.phase);
        barrier.passed = Some(passed);
        let arrived = barrier.arrive(count, drop);
        barrier.history.note(who, when, barrier.phase, count);
        arrived.map_err(|misuse| self.misused_after(at, misuse, last))?;
        self.complete_phase(at, who);
        Ok(())
    }

    /// Ends the phase of a barrier if all is there, by the act of this thread and instruction.
    pub(crate) fn complete_phase(&mut self, at: usize, who: (u32, u32)) {
        self.changes_softly();
        let Some(barrier) = self.engine.barriers.get_mut(&at) else { return };
        let phase = barrier.phase;
        if barrier.complete_phase() {
            let has_missed = !barrier.waits.missed.is_empty();
            self.engine.completed += 1;
            self.tell(|_| Event::EndsPhase { barrier: at, phase });
            if has_missed {
                self.report_missed(at, who);
            }
        }
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
        cluster.changes += 1;
        cluster.shared.bytes_mut().write_slice(copy.to.start, &copy.bytes[..copy.len]);
        let Some(agent) = agent else {
            self.watch(cluster, lane, copy.to, copy.len, write, site, None);
            return;
        };
        let who = self.who(cluster, SHARED, site, AccessKind::Copy, Reach::default());
        let mut window = cluster.shared.shadow();
        window.note(copy.to.start, copy.len, &who, 1 << lane, Some(agent), &cluster.clocks);
    }

    /// Releases the lanes whose phase is complete. Returns whether there are any.
    fn go_on(&mut self, cluster: &mut Cluster<'_>) -> bool {
        let mut any = false;
        // Lanes that waited for one phase learn of it together.
        let mut told: Vec<(usize, Awaited, u32, u32)> = Vec::new();
        for lane in lanes_of(self.exists & !self.ready & !self.done) {
            let Some(Wait::Phase { barrier, awaited, .. }) = self.waits[lane as usize] else { continue };
            let complete = cluster.engine.barriers.get(&barrier).is_none_or(|b| b.has_completed(awaited));
            if !complete {
                continue;
            }
            let pc = self.pcs[lane as usize] as usize;
            if let Some(Op::Mbarrier {
                op: MbarrierOp::Wait(BarrierWait { dst, relaxed, scope, .. }), ..
            }) = cluster.machine.kernel.code.get(pc)
            {
                self.phase_is_over(cluster, barrier, awaited, (*relaxed, *scope), 1 << lane);
                if let Some(dst) = dst {
                    self.registers.set_lane(*dst, lane, 1);
                }
            }
            let thread = self.thread(lane);
            if let Some(own) = cluster.engine.barriers.get_mut(&barrier) {
                own.uses.returns(thread, &cluster.clocks);
            }
            if cluster.engine.course.is_some() {
                let site = pc as u32;
                let is_alike =
                    |own: &&mut (usize, Awaited, u32, u32)| (own.0, own.1, own.2) == (barrier, awaited, site);
                match told.iter_mut().find(is_alike) {
                    Some((.., lanes)) => *lanes |= 1 << lane,
                    None => told.push((barrier, awaited, site, 1 << lane)),
                }
            }
            self.resume(1 << lane);
            any = true;
        }
        for (barrier, awaited, site, lanes) in told {
            self.is_told(cluster, (barrier, awaited), site, lanes);
        }
        any
    }

    /// The lanes acquire the knowledge that was published in the phase that they waited for, within
    /// the scope of their wait. A relaxed wait acquires nothing until a fence follows.
    pub(crate) fn phase_is_over(
        &self,
        cluster: &mut Cluster<'_>,
        at: usize,
        awaited: Awaited,
        (relaxed, scope): (bool, Scope),
        lanes: u32,
    ) {
        let Some(barrier) = cluster.engine.barriers.get(&at) else { return };
        let is_last = match awaited {
            Awaited::Parity(_) => true,
            Awaited::Phase(phase) => barrier.phase == phase + 1,
        };
        if !is_last {
            return;
        }
        let far = barrier.complete_far.clone().filter(|_| scope > Scope::Block);
        let near = barrier.complete.clone();
        let threads = || lanes_of(lanes).map(|lane| self.thread(lane));
        for (known, distance) in [(near, Scope::Block), (far, Scope::Cluster)] {
            let Some(known) = known else { continue };
            if !relaxed {
                cluster.clocks.acquire_all(threads(), &known);
                continue;
            }
            cluster.engine.tensor_order.hear(&mut cluster.clocks, threads(), &known);
            if cluster.machine.relaxes {
                threads().for_each(|thread| cluster.engine.relaxed.hear(thread, &known, distance));
            }
        }
    }
}
