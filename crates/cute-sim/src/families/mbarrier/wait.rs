//! Waits for phases.

use super::barrier::{Awaited, Mbarrier};
use super::op::{AwaitedBy, BarrierWait, Blocking};
use crate::events::Event;
use crate::finding::{AccessKind, FindingKind, LaneFinding, MbarrierMisuse};
use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::warp::{Flow, MEETING, Wait, Warp};
use crate::operand::Slot;
use crate::program::Op;
use crate::race::Scope;

impl Warp {
    pub(super) fn wait_at_barriers(
        &mut self,
        cluster: &mut Cluster<'_>,
        wait: BarrierWait,
        address: Slot,
        space: u32,
        active: u32,
    ) -> Result<Flow, LaneFinding> {
        let BarrierWait { awaited: by, blocking, dst, relaxed, scope, ignored } = wait;
        let slot = match by {
            AwaitedBy::Parity(slot) | AwaitedBy::Token(slot) => slot,
        };
        self.registers.defined(cluster.machine.kernel, slot, active, "phase")?;
        self.last_read = (self.at, active.trailing_zeros(), self.executed);
        let awaited = |warp: &Warp, lane: u32| match by {
            AwaitedBy::Parity(slot) => Awaited::Parity(warp.registers.get(slot)[lane as usize] as u32),
            AwaitedBy::Token(slot) => {
                Awaited::Phase(Mbarrier::phase_of(warp.registers.get(slot)[lane as usize]))
            }
        };
        // Lanes that wait for one phase learn of it together.
        let mut over: Option<(usize, Awaited, u32)> = None;
        let (mut answers, mut waiting, mut at_barrier) = ([0; 32], 0, [0; 32]);
        self.at_barriers(
            cluster,
            address,
            space,
            active,
            AccessKind::AtomicRead,
            &mut |warp, cluster, at, lane| {
                let own = cluster.shared.rank_of(at) == warp.block.rank;
                if !own {
                    return Err(FindingKind::OtherBlock { place: cluster.scene().barrier_place(at).0 });
                }
                let awaited = awaited(warp, lane);
                let Some(barrier) = cluster.engine.barriers.get(at) else {
                    return Err(cluster.misused(at, MbarrierMisuse::Uninitialised));
                };
                let found = barrier.has_completed(awaited);
                if ignored && blocking == Blocking::Try {
                    return Err(cluster.misused(at, MbarrierMisuse::Ignored));
                }
                cluster.note_wait(at, (warp.thread(lane), warp.at), found)?;
                // A test whose answer is dropped may have found anything.
                if ignored {
                    return Ok(());
                }
                at_barrier[lane as usize] = at;
                if !found {
                    waiting |= 1 << lane;
                    return Ok(());
                }
                answers[lane as usize] = 1;
                over = Some(match over.take() {
                    Some((place, phase, lanes)) if (place, phase) == (at, awaited) => {
                        (at, awaited, lanes | 1 << lane)
                    }
                    Some((place, phase, lanes)) => {
                        warp.phase_is_over(cluster, place, phase, (relaxed, scope), lanes);
                        warp.is_told(cluster, (place, phase), warp.at, lanes);
                        cluster.journal.tell(|_| Event::Finds { act: warp.act(lanes), barrier: place });
                        (at, awaited, 1 << lane)
                    }
                    None => (at, awaited, 1 << lane),
                });
                Ok(())
            },
        )?;
        if let Some((place, phase, lanes)) = over {
            self.phase_is_over(cluster, place, phase, (relaxed, scope), lanes);
            self.is_told(cluster, (place, phase), self.at, lanes);
            cluster.journal.tell(|_| Event::Finds { act: self.act(lanes), barrier: place });
        }
        self.ask_for_phases(cluster, &at_barrier, waiting);
        // A `try_wait` may answer at any time.
        let when = u64::from(self.thread(0)) << 40 ^ self.executed;
        let lasts = matches!(by, AwaitedBy::Token(_)) || cluster.machine.lasts(self.at);
        let early = || cluster.engine.schedule.answers_at_once(when, lasts);
        let at_once = blocking == Blocking::Test || blocking == Blocking::Try && early();
        if let Some(dst) = dst {
            self.registers.set(dst, active, &answers, 0);
        }
        if waiting == 0 {
            return Ok(Flow::Next);
        }
        let phases: [Awaited; 32] = std::array::from_fn(|lane| awaited(self, lane as u32));
        let timed = blocking == Blocking::Try;
        let wait = |lane: usize| Wait::Phase { barrier: at_barrier[lane], awaited: phases[lane], timed };
        if at_once {
            self.turn = self.turn.saturating_sub(MEETING);
            self.polls(waiting, wait);
            let lane = waiting.trailing_zeros() as usize;
            let barriers = &cluster.engine.barriers;
            cluster.journal.tell(|_| {
                let on = barriers.awaits(at_barrier[lane], phases[lane]);
                Event::Asks { act: self.act(waiting), on }
            });
            return Ok(Flow::Next);
        }
        self.park(active & !waiting, self.at + 1);
        self.wait(waiting, |lane| wait(lane as usize));
        Ok(Flow::Apart)
    }

    /// Releases the lanes whose phase is complete. Returns whether there are any.
    pub(crate) fn go_on(&mut self, cluster: &mut Cluster<'_>) -> bool {
        let mut any = false;
        // Lanes that waited for one phase learn of it together.
        let mut told: Vec<(usize, Awaited, u32, u32)> = Vec::new();
        for lane in lanes_of(self.exists & !self.ready & !self.done) {
            let Some(Wait::Phase { barrier, awaited, .. }) = self.waits[lane as usize] else { continue };
            let complete = cluster.engine.barriers.get(barrier).is_none_or(|b| b.has_completed(awaited));
            if !complete {
                continue;
            }
            let pc = self.pcs[lane as usize] as usize;
            if let Some(Op::Mbarrier(op)) = cluster.machine.kernel.code.get(pc)
                && let Some(reach) = op.reach()
            {
                self.phase_is_over(cluster, barrier, awaited, reach, 1 << lane);
                if let Some(dst) = op.answer() {
                    self.registers.set_lane(dst, lane, 1);
                }
            }
            let thread = self.thread(lane);
            if let Some(own) = cluster.engine.barriers.get_mut(barrier) {
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
        let Some(barrier) = cluster.engine.barriers.get(at) else { return };
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
