//! `mbarrier` instructions.

use super::barrier::{BYTES, Mbarrier};
use super::op::{Arrival, MbarrierAct, MbarrierOp};
use crate::events::Event;
use crate::families::cp_async::queue::Trigger;
use crate::finding::{AccessKind, FindingKind, LaneFinding, MbarrierMisuse};
use crate::lanes::lanes_of;
use crate::machine::WARP;
use crate::machine::cluster::Cluster;
use crate::machine::warp::{Flow, Warp};
use crate::memory::address::SHARED;
use crate::memory::span::Span;
use crate::memory::tracked::ByteState;
use crate::operand::Slot;
use crate::race::{Clocks, Reach, Scope};

/// The operation of some of a warp's lanes at one barrier.
type Lanes<'l> = &'l mut dyn FnMut(&mut Warp, &mut Cluster<'_>, usize, u32) -> Result<(), FindingKind>;

impl Warp {
    pub(crate) fn mbarrier(
        &mut self,
        cluster: &mut Cluster<'_>,
        op: MbarrierOp,
        active: u32,
    ) -> Result<Flow, LaneFinding> {
        match op {
            MbarrierOp::At { act, address, space } => {
                return self.act_at_barriers(cluster, act, (address, space), active);
            }
            MbarrierOp::PendingCount { dst, token } => {
                let pending = self.registers.get(token).map(Mbarrier::pending_of);
                self.registers.set_from(dst, active, &pending, &[token]);
            }
            MbarrierOp::Fence => {
                self.tells_order(cluster, active);
                self.publish_barriers(cluster, active);
            }
        }
        Ok(Flow::Next)
    }

    fn act_at_barriers(
        &mut self,
        cluster: &mut Cluster<'_>,
        act: MbarrierAct,
        (address, space): (Slot, u32),
        active: u32,
    ) -> Result<Flow, LaneFinding> {
        let kernel = cluster.machine.kernel;
        match act {
            MbarrierAct::Init { count } => {
                self.registers.defined(kernel, count, active, "count of the barrier")?;
                // Lanes that store one value in one instruction do it once, because kernels of CuTe
                // DSL let whole warps do so.
                let alike = self.registers.alike(active, &[address, count]);
                let active = alike.iter().fold(0, |first, lanes| first | lanes & lanes.wrapping_neg());
                let first = active & !self.initialise_again(cluster, (address, count), space, &alike);
                self.at_barriers(
                    cluster,
                    address,
                    space,
                    first,
                    AccessKind::Write,
                    &mut |warp, cluster, at, lane| {
                        let count = warp.registers.get(count)[lane as usize] as u32;
                        let thread = warp.thread(lane);
                        let barrier = Mbarrier::new(count, warp.at, thread);
                        let mut barrier = barrier.map_err(|misuse| cluster.misused(at, misuse))?;
                        let lanes = alike.iter().find(|lanes| **lanes >> lane & 1 == 1);
                        barrier.lanes = lanes.copied().unwrap_or(1 << lane);
                        if let Some(before) = cluster.engine.barriers.get(at) {
                            let location = cluster.scene().site(before.site).1;
                            return Err(cluster.misused(at, MbarrierMisuse::Again { location }));
                        }
                        cluster.shared.bytes_mut().mark(at, BYTES, ByteState::Barrier);
                        barrier.uses.note((thread, warp.at), true, &cluster.clocks);
                        cluster.engine.barriers.insert(at, barrier);
                        cluster.journal.tell(|scene| Event::Initialises {
                            act: warp.act(1 << lane),
                            barrier: at,
                            rank: scene.windows().rank_of(at),
                            name: scene.barrier_name(at),
                            count,
                        });
                        Ok(())
                    },
                )?;
            }
            MbarrierAct::Invalidate => self.invalidate(cluster, address, space, active)?,
            MbarrierAct::Expect { bytes, comes } => {
                self.registers.defined(kernel, bytes, active, "number of bytes")?;
                self.at_barriers(
                    cluster,
                    address,
                    space,
                    active,
                    AccessKind::Atomic,
                    &mut |warp, cluster, at, lane| {
                        let bytes = i64::from(warp.registers.get(bytes)[lane as usize] as u32);
                        let act = Some(warp.act(1 << lane));
                        cluster.expect_bytes(at, if comes { -bytes } else { bytes }, act)?;
                        if !comes && let Some(barrier) = cluster.engine.barriers.get_mut(at) {
                            barrier.bare = Some((warp.thread(lane), warp.at));
                        }
                        let thread = warp.thread(lane);
                        let past = cluster.past_of(thread);
                        cluster.follow(at, past.as_ref());
                        cluster.complete_phase(at, (thread, warp.at));
                        Ok(())
                    },
                )?;
            }
            MbarrierAct::Arrive(arrival) => {
                self.arrive_at_barriers(cluster, arrival, address, space, active)?
            }
            MbarrierAct::Follow { increment } => {
                self.at_barriers(
                    cluster,
                    address,
                    space,
                    active,
                    AccessKind::Atomic,
                    &mut |warp, cluster, at, lane| {
                        if !increment {
                            cluster.fits_a_phase(at, warp.arrivals_with(address, None, active, lane))?;
                        }
                        let Some(barrier) = cluster.engine.barriers.get_mut(at) else {
                            return Err(cluster.misused(at, MbarrierMisuse::Uninitialised));
                        };
                        if increment {
                            barrier.expect_arrival().map_err(|misuse| cluster.misused(at, misuse))?;
                        }
                        let (site, upto) = (warp.at, cluster.engine.issued);
                        let waited = warp.queue(cluster).waited[lane as usize];
                        let past = cluster.past_of(warp.thread(lane));
                        let warp = (warp.thread(0) / WARP) as usize;
                        let trigger = Trigger { site, warp, lane, upto, waited, barrier: at, past };
                        cluster.engine.triggers.push(trigger);
                        Ok(())
                    },
                )?;
            }
            MbarrierAct::Wait(wait) => return self.wait_at_barriers(cluster, wait, address, space, active),
        }
        Ok(Flow::Next)
    }

    fn arrive_at_barriers(
        &mut self,
        cluster: &mut Cluster<'_>,
        arrival: Arrival,
        address: Slot,
        space: u32,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let Arrival { count, expect, drop, completes, relaxed, scope, dst } = arrival;
        for slot in [count, expect].into_iter().flatten() {
            self.registers.defined(cluster.machine.kernel, slot, active, "count of the arrival")?;
        }
        self.at_barriers(
            cluster,
            address,
            space,
            active,
            AccessKind::Atomic,
            &mut |warp, cluster, at, lane| {
                let value = |slot: Slot| warp.registers.get(slot)[lane as usize] as u32;
                if let Some(bytes) = expect {
                    cluster.expect_bytes(at, value(bytes).into(), Some(warp.act(1 << lane)))?;
                }
                let all = warp.arrivals_with(address, count, active, lane);
                let count = count.map_or(1, value);
                let Some(barrier) = cluster.engine.barriers.get(at) else {
                    return Err(cluster.misused(at, MbarrierMisuse::Uninitialised));
                };
                let (token, thread) = (barrier.token(), warp.thread(lane));
                if !completes && barrier.pending <= count {
                    return Err(cluster.misused(at, MbarrierMisuse::Completes));
                }
                let is_own = cluster.shared.rank_of(at) == warp.block.rank;
                let before = barrier.passed.clone();
                cluster.fits_a_phase(at, all)?;
                cluster.note_arrival(at, (thread, warp.at), is_own && !relaxed, !relaxed)?;
                let passed = match (is_own, relaxed) {
                    (true, false) => cluster.clocks.release(before.as_ref(), &[thread]),
                    (true, true) => {
                        let known = cluster.engine.relaxed.passes_on(thread, scope, Scope::Block);
                        let known = known.map(|known| Clocks::both(before.as_ref(), known));
                        known.or(before).unwrap_or_default()
                    }
                    (false, _) => cluster.arrive_elsewhere(at, thread, scope, relaxed),
                };
                let order = &cluster.engine.tensor_order;
                let tensor = if relaxed { order.passes_on(&cluster.clocks, thread) } else { None };
                let passed = tensor.map_or(passed.clone(), |known| Clocks::both(Some(&passed), &known));
                let past = cluster.past_of(thread);
                cluster.follow(at, past.as_ref());
                cluster.journal.tell(|_| Event::Arrives {
                    act: warp.act(1 << lane),
                    barrier: at,
                    after: None,
                });
                cluster.arrive(at, count, drop, passed, (thread, warp.at), warp.executed)?;
                if let Some(dst) = dst {
                    warp.registers.set_lane(dst, lane, token);
                }
                Ok(())
            },
        )
    }

    /// Executes an operation at the barrier of each lane, with this kind of access.
    pub(super) fn at_barriers(
        &mut self,
        cluster: &mut Cluster<'_>,
        address: Slot,
        space: u32,
        active: u32,
        kind: AccessKind,
        run: Lanes<'_>,
    ) -> Result<(), LaneFinding> {
        self.registers.defined(cluster.machine.kernel, address, active, "address")?;
        self.use_address(cluster, address, active);
        for lane in lanes_of(active) {
            let at = |kind| LaneFinding { lane, kind };
            let pointer = self.registers.get(address)[lane as usize];
            let bytes = BYTES as u64;
            let span = cluster.span(&self.locals[lane as usize], pointer, space, bytes, bytes).map_err(at)?;
            if span.space != SHARED {
                let kind = FindingKind::WrongSpace { address: pointer, expected: SHARED };
                return Err(at(kind));
            }
            self.watch_barrier(cluster, lane, span, kind);
            run(self, cluster, span.start, lane).map_err(at)?;
        }
        match kind {
            AccessKind::Atomic => cluster.journal.changes_softly(),
            kind => cluster.journal.changes(u64::from(!kind.is_read())),
        }
        Ok(())
    }

    /// Like `watch`. A fence that publishes an initialisation is ordered with threads that know of
    /// the fence.
    pub(crate) fn watch_barrier(&self, cluster: &mut Cluster<'_>, lane: u32, span: Span, kind: AccessKind) {
        let reach =
            if kind.is_atomic() { Reach { width: 8, scope: Scope::Cluster } } else { Reach::default() };
        let thread = self.thread(lane);
        let published = cluster.engine.barriers.get(span.start).is_some_and(|barrier| {
            let fence = barrier.fenced.and_then(|(by, time)| Some((cluster.engine.fenced.get(&by)?.0, time)));
            fence.is_some_and(|(agent, time)| cluster.clocks.knows(thread, agent, time))
        });
        if published {
            let who = self.who(cluster, SHARED, self.at, kind, reach);
            let mut window = cluster.shared.shadow();
            window.note(span.start, BYTES, &who, 1 << lane, None, &cluster.clocks);
        } else {
            self.watch(cluster, lane, span, BYTES, (kind, reach), self.at, None);
        }
    }
}
