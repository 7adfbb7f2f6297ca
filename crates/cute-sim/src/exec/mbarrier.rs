//! `mbarrier` instructions.

use super::alu::{LaneFinding, lanes_of};
use super::span::Span;
use crate::engine::mbarrier::{Awaited, BYTES, Mbarrier};
use crate::engine::{Engine, Trigger};
use crate::events::{Act, Event};
use crate::finding::{AccessKind, FindingKind, MbarrierMisuse};
use crate::machine::WARP;
use crate::machine::cluster::Cluster;
use crate::machine::warp::{Flow, MEETING, Wait, Warp};
use crate::memory::address::SHARED;
use crate::memory::tracked::ByteState;
use crate::program::{Arrival, AwaitedBy, BarrierWait, Blocking, MbarrierOp, Slot};
use crate::race::{Clocks, Known, Reach, Scope, Window};

/// The operation of some of a warp's lanes at one barrier.
type Lanes<'l> = &'l mut dyn FnMut(&mut Warp, &mut Cluster<'_>, usize, u32) -> Result<(), FindingKind>;

impl Cluster<'_> {
    /// The finding that a barrier is misused.
    pub(crate) fn misused(&self, at: usize, misuse: MbarrierMisuse) -> FindingKind {
        let (place, offset) = self.barrier_place(at);
        FindingKind::Mbarrier { place, offset, misuse: Box::new(misuse) }
    }

    /// The same for a thread that comes after another one.
    pub(crate) fn misused_after(
        &self,
        at: usize,
        misuse: MbarrierMisuse,
        before: Option<(u32, u32)>,
    ) -> FindingKind {
        let misuse = match misuse {
            MbarrierMisuse::Arrivals { count, pending, phase, .. } => {
                let last = before.map(|who| self.user(who));
                MbarrierMisuse::Arrivals { count, pending, phase, last }
            }
            other => other,
        };
        self.misused(at, misuse)
    }
}

impl Warp {
    pub(super) fn mbarrier(
        &mut self,
        cluster: &mut Cluster<'_>,
        op: MbarrierOp,
        address: Slot,
        space: u32,
        active: u32,
    ) -> Result<Flow, LaneFinding> {
        let kernel = cluster.machine.kernel;
        match op {
            MbarrierOp::Init { count } => {
                self.defined(kernel, count, active, "count of the barrier")?;
                // Lanes that store one value in one instruction do it once, because kernels of CuTe
                // DSL let whole warps do so.
                let alike = self.alike(active, &[address, count]);
                let active = alike.iter().fold(0, |first, lanes| first | lanes & lanes.wrapping_neg());
                let first = active & !self.initialise_again(cluster, (address, count), space, &alike);
                self.at_barriers(
                    cluster,
                    address,
                    space,
                    first,
                    AccessKind::Write,
                    &mut |warp, cluster, at, lane| {
                        let count = warp.get(count)[lane as usize] as u32;
                        let thread = warp.thread(lane);
                        let barrier = Mbarrier::new(count, warp.at, thread);
                        let mut barrier = barrier.map_err(|misuse| cluster.misused(at, misuse))?;
                        let lanes = alike.iter().find(|lanes| **lanes >> lane & 1 == 1);
                        barrier.lanes = lanes.copied().unwrap_or(1 << lane);
                        if let Some(before) = cluster.engine.barriers.get(&at) {
                            let location = cluster.site(before.site).1;
                            return Err(cluster.misused(at, MbarrierMisuse::Again { location }));
                        }
                        cluster.shared.mark(at, BYTES, ByteState::Barrier);
                        barrier.uses.note((thread, warp.at), true, &cluster.clocks);
                        cluster.engine.barriers.insert(at, barrier);
                        cluster.tell(|cluster| Event::Initialises {
                            act: warp.act(1 << lane),
                            barrier: at,
                            rank: (at / cluster.stride.max(1)) as u32,
                            name: cluster.barrier_name(at),
                            count,
                        });
                        Ok(())
                    },
                )?;
            }
            MbarrierOp::Invalidate => self.invalidate(cluster, address, space, active)?,
            MbarrierOp::Expect { bytes, comes } => {
                self.defined(kernel, bytes, active, "number of bytes")?;
                self.at_barriers(
                    cluster,
                    address,
                    space,
                    active,
                    AccessKind::Atomic,
                    &mut |warp, cluster, at, lane| {
                        let bytes = i64::from(warp.get(bytes)[lane as usize] as u32);
                        let act = Some(warp.act(1 << lane));
                        cluster.expect_bytes(at, if comes { -bytes } else { bytes }, act)?;
                        if !comes && let Some(barrier) = cluster.engine.barriers.get_mut(&at) {
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
            MbarrierOp::Arrive(arrival) => {
                self.arrive_at_barriers(cluster, arrival, address, space, active)?
            }
            MbarrierOp::Follow { increment } => {
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
                        let Some(barrier) = cluster.engine.barriers.get_mut(&at) else {
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
            MbarrierOp::Wait(wait) => return self.wait_at_barriers(cluster, wait, address, space, active),
            MbarrierOp::PendingCount { dst } => {
                let pending = self.get(address).map(Mbarrier::pending_of);
                self.set_from(dst, active, &pending, &[address]);
            }
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
            self.defined(cluster.machine.kernel, slot, active, "count of the arrival")?;
        }
        self.at_barriers(
            cluster,
            address,
            space,
            active,
            AccessKind::Atomic,
            &mut |warp, cluster, at, lane| {
                let value = |slot: Slot| warp.get(slot)[lane as usize] as u32;
                if let Some(bytes) = expect {
                    cluster.expect_bytes(at, value(bytes).into(), Some(warp.act(1 << lane)))?;
                }
                let all = warp.arrivals_with(address, count, active, lane);
                let count = count.map_or(1, value);
                let Some(barrier) = cluster.engine.barriers.get(&at) else {
                    return Err(cluster.misused(at, MbarrierMisuse::Uninitialised));
                };
                let (token, thread) = (barrier.token(), warp.thread(lane));
                if !completes && barrier.pending <= count {
                    return Err(cluster.misused(at, MbarrierMisuse::Completes));
                }
                let is_own = at / cluster.stride.max(1) == warp.block.rank as usize;
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
                cluster.tell(|_| Event::Arrives { act: warp.act(1 << lane), barrier: at, after: None });
                cluster.arrive(at, count, drop, passed, (thread, warp.at), warp.executed)?;
                if let Some(dst) = dst {
                    warp.set_lane(dst, lane, token);
                }
                Ok(())
            },
        )
    }

    fn wait_at_barriers(
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
        self.defined(cluster.machine.kernel, slot, active, "phase")?;
        self.last_read = (self.at, active.trailing_zeros(), self.executed);
        let awaited = |warp: &Warp, lane: u32| match by {
            AwaitedBy::Parity(slot) => Awaited::Parity(warp.get(slot)[lane as usize] as u32),
            AwaitedBy::Token(slot) => Awaited::Phase(Mbarrier::phase_of(warp.get(slot)[lane as usize])),
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
                let own = at / cluster.stride.max(1) == warp.block.rank as usize;
                if !own {
                    return Err(FindingKind::OtherBlock { place: cluster.barrier_place(at).0 });
                }
                let awaited = awaited(warp, lane);
                let Some(barrier) = cluster.engine.barriers.get(&at) else {
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
                        cluster.tell(|_| Event::Finds { act: warp.act(lanes), barrier: place });
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
            cluster.tell(|_| Event::Finds { act: self.act(lanes), barrier: place });
        }
        self.ask_for_phases(cluster, &at_barrier, waiting);
        // A `try_wait` may answer at any time.
        let when = u64::from(self.thread(0)) << 40 ^ self.executed;
        let lasts = matches!(by, AwaitedBy::Token(_)) || cluster.machine.lasts(self.at);
        let early = || cluster.engine.schedule.answers_at_once(when, lasts);
        let at_once = blocking == Blocking::Test || blocking == Blocking::Try && early();
        if let Some(dst) = dst {
            self.set(dst, active, &answers, 0);
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
            cluster.tell(|cluster| {
                let on = cluster.awaits(at_barrier[lane], phases[lane]);
                Event::Asks { act: self.act(waiting), on }
            });
            return Ok(Flow::Next);
        }
        self.park(active & !waiting, self.at + 1);
        self.wait(waiting, |lane| wait(lane as usize));
        Ok(Flow::Apart)
    }

    /// Executes an operation at the barrier of each lane, with this kind of access.
    fn at_barriers(
        &mut self,
        cluster: &mut Cluster<'_>,
        address: Slot,
        space: u32,
        active: u32,
        kind: AccessKind,
        run: Lanes<'_>,
    ) -> Result<(), LaneFinding> {
        self.defined(cluster.machine.kernel, address, active, "address")?;
        self.use_address(cluster, address, active);
        for lane in lanes_of(active) {
            let at = |kind| LaneFinding { lane, kind };
            let pointer = self.get(address)[lane as usize];
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
            AccessKind::Atomic => cluster.changes_softly(),
            kind => cluster.changes += u64::from(!kind.is_read()),
        }
        Ok(())
    }

    /// Like `watch`. A fence that publishes an initialisation is ordered with threads that know of
    /// the fence.
    pub(super) fn watch_barrier(&self, cluster: &mut Cluster<'_>, lane: u32, span: Span, kind: AccessKind) {
        let reach =
            if kind.is_atomic() { Reach { width: 8, scope: Scope::Cluster } } else { Reach::default() };
        let thread = self.thread(lane);
        let published = cluster.engine.barriers.get(&span.start).is_some_and(|barrier| {
            let fence = barrier.fenced.and_then(|(by, time)| Some((cluster.engine.fenced.get(&by)?.0, time)));
            fence.is_some_and(|(agent, time)| cluster.clocks.knows(thread, agent, time))
        });
        if published {
            let who = self.who(cluster, SHARED, self.at, kind, reach);
            let mut window = Window { cells: &mut cluster.cells, first: 0 };
            window.note(span.start, BYTES, &who, 1 << lane, None, &cluster.clocks);
        } else {
            self.watch(cluster, lane, span, BYTES, (kind, reach), self.at, None);
        }
    }

    /// `fence.mbarrier_init`: the barriers that the threads have initialised may be used by any
    /// thread that synchronises with them next, even at a relaxed barrier of the cluster.
    pub(super) fn publish_barriers(&mut self, cluster: &mut Cluster<'_>, active: u32) {
        for lane in lanes_of(active) {
            let thread = self.thread(lane);
            if cluster.engine.barriers.values().any(|barrier| barrier.is_initialised_by(thread)) {
                let agent = match cluster.engine.fenced.get(&thread) {
                    Some((agent, _)) => *agent,
                    None => cluster.clocks.agent(),
                };
                let time = cluster.clocks.act();
                cluster.clocks.learn(thread, agent, time);
                cluster.engine.fenced.insert(thread, (agent, time));
                let own = cluster.engine.barriers.values_mut();
                let own = own.filter(|barrier| barrier.is_initialised_by(thread));
                own.for_each(|barrier| barrier.fenced = barrier.fenced.or(Some((thread, time))));
            }
        }
    }
}

impl Cluster<'_> {
    /// The knowledge that an arrival at another block's barrier publishes to all waiting threads:
    /// that reads are over, and completed acts of agents. The rest is published to waits whose
    /// scope is the cluster, if the arrival has that scope.
    fn arrive_elsewhere(&mut self, at: usize, thread: u32, scope: Scope, relaxed: bool) -> Known {
        let own = if relaxed {
            self.engine.relaxed.passes_on(thread, scope, Scope::Cluster).cloned()
        } else {
            Some(self.clocks.release(None, &[thread]))
        };
        let Engine { agents, barriers, .. } = &mut self.engine;
        let barrier = barriers.get_mut(&at);
        let before = barrier.as_ref().and_then(|barrier| barrier.passed.clone());
        let Some(own) = own else { return before.unwrap_or_default() };
        if let Some(barrier) = barrier.filter(|_| scope > Scope::Block) {
            barrier.passed_far = Some(Clocks::both(barrier.passed_far.as_ref(), &own));
        }
        let hands_over = |agent: u32| agents.values().all(|copies| *copies != agent);
        self.clocks.hand_over(before.as_ref(), &own, hands_over)
    }

    /// Raises the number of bytes that a barrier expects; a negative number has arrived. `act` is
    /// the instruction, if it is not a copy that arrives.
    pub(crate) fn expect_bytes(
        &mut self,
        at: usize,
        bytes: i64,
        act: Option<Act>,
    ) -> Result<(), FindingKind> {
        let Some(barrier) = self.engine.barriers.get_mut(&at) else {
            return Err(self.misused(at, MbarrierMisuse::Uninitialised));
        };
        let expected = barrier.expect(bytes);
        let bytes = barrier.bytes;
        expected.map_err(|misuse| self.misused(at, misuse))?;
        self.tell(|_| Event::Pending { act, barrier: at, bytes });
        Ok(())
    }
}
