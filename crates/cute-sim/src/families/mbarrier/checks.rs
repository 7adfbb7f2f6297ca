//! Checks of `mbarrier` instructions that hold for every schedule: the lanes of one instruction do
//! not arrive too often, chance does not decide which arrivals end a phase, and a barrier is not
//! invalidated while it may be in use.

use super::barrier::BYTES;
use super::uses::Mixed;
use crate::events::Event;
use crate::finding::{AccessKind, FindingKind, LaneFinding, MbarrierMisuse, Party};
use crate::lanes::lanes_of;
use crate::machine::WARP;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use crate::memory::address::SHARED;
use crate::memory::tracked::ByteState;
use crate::operand::Slot;
use crate::race::{Known, Reach};

/// The arrivals of one execution of an instruction at one barrier, and the lanes that arrive.
pub(crate) type Crowd = Option<(u64, u32)>;

impl Warp {
    /// The arrivals at the barrier of a lane by all lanes that execute the instruction, if this
    /// lane is the first of several.
    pub(crate) fn arrivals_with(&self, address: Slot, count: Option<Slot>, active: u32, lane: u32) -> Crowd {
        if active.count_ones() == 1 {
            return None;
        }
        let addresses = self.registers.get(address);
        let at = addresses[lane as usize];
        let alike = || lanes_of(active).filter(|other| addresses[*other as usize] == at);
        if alike().next() != Some(lane) {
            return None;
        }
        let of =
            |lane: u32| count.map_or(1, |slot| self.registers.get(slot)[lane as usize] & u64::from(u32::MAX));
        Some((alike().map(of).sum(), alike().count() as u32)).filter(|(_, lanes)| *lanes > 1)
    }

    /// The lanes among those that initialise barriers whose barrier another lane of the warp
    /// initialised before with the same count and instruction, and that nobody has used since. That
    /// is one initialisation, because lanes that have met again need not execute an instruction
    /// together.
    pub(super) fn initialise_again(
        &self,
        cluster: &mut Cluster<'_>,
        (address, count): (Slot, Slot),
        space: u32,
        alike: &[u32],
    ) -> u32 {
        let mut again = 0;
        let active = alike.iter().fold(0, |all, lanes| all | lanes) & !self.registers.undefined_in(address);
        for lane in lanes_of(active) {
            let (pointer, bytes) = (self.registers.get(address)[lane as usize], BYTES as u64);
            let Ok(span) = cluster.span(&self.locals[lane as usize], pointer, space, bytes, bytes) else {
                continue;
            };
            let count = self.registers.get(count)[lane as usize] as u32;
            let Some(barrier) = cluster.engine.barriers.get_mut(span.start) else { continue };
            let is_own = barrier.thread / WARP == self.thread(lane) / WARP && barrier.site == self.at;
            if is_own && barrier.expected == count && barrier.is_unused() {
                barrier.lanes |= 1 << lane;
                barrier.uses.note((self.thread(lane), self.at), true, &cluster.clocks);
                again |= 1 << lane;
                let who = self.who(cluster, SHARED, self.at, AccessKind::Write, Reach::default());
                let mut window = cluster.shared.shadow();
                window.note(span.start, BYTES, &who, 1 << lane, None, &cluster.clocks);
            }
        }
        again
    }

    /// The lanes invalidate barriers, whose uses must all come before. These are compared as uses,
    /// not as accesses of the bytes: see `Uses::unordered`.
    pub(super) fn invalidate(
        &self,
        cluster: &mut Cluster<'_>,
        address: Slot,
        space: u32,
        active: u32,
    ) -> Result<(), LaneFinding> {
        self.registers.defined(cluster.machine.kernel, address, active, "address")?;
        for lane in lanes_of(active) {
            let at = |kind| LaneFinding { lane, kind };
            let (pointer, bytes) = (self.registers.get(address)[lane as usize], BYTES as u64);
            let span = cluster.span(&self.locals[lane as usize], pointer, space, bytes, bytes).map_err(at)?;
            if span.space != SHARED {
                return Err(at(FindingKind::WrongSpace { address: pointer, expected: SHARED }));
            }
            let start = span.start;
            if let Some(other) = cluster.use_of(start, self.thread(lane)) {
                let misuse = MbarrierMisuse::InUse { other: cluster.user(other) };
                return Err(at(cluster.misused(start, misuse)));
            }
            if cluster.engine.barriers.remove(start).is_none() {
                return Err(at(cluster.misused(start, MbarrierMisuse::Uninitialised)));
            }
            let who = self.who(cluster, SHARED, self.at, AccessKind::Write, Reach::default());
            let mut window = cluster.shared.shadow();
            window.note(start, BYTES, &who, 1 << lane, None, &cluster.clocks);
            cluster.shared.bytes_mut().mark(start, BYTES, ByteState::Empty);
            cluster.journal.tell(|_| Event::Invalidates { barrier: start });
        }
        cluster.journal.changes(1);
        Ok(())
    }
}

impl Cluster<'_> {
    /// A thread and its instruction, which uses a barrier.
    pub(super) fn user(&self, (thread, site): (u32, u32)) -> Box<Party> {
        let (op, location) = self.scene().site(site);
        let (block, thread) = (self.scene().block_of(thread).position, self.scene().thread(thread));
        Box::new(Party { access: AccessKind::Atomic, op, location, block, thread, completion: None })
    }

    /// Whether a phase of the barrier can take all arrivals of one execution of an instruction.
    /// Those that it cannot take would count in the next phase, which nobody can have waited for.
    pub(crate) fn fits_a_phase(&self, at: usize, crowd: Crowd) -> Result<(), FindingKind> {
        let (Some((count, lanes)), Some(barrier)) = (crowd, self.engine.barriers.get(at)) else {
            return Ok(());
        };
        let expected = barrier.expected.max(barrier.pending);
        if count <= u64::from(expected) {
            return Ok(());
        }
        Err(self.misused(at, MbarrierMisuse::Surplus { count, lanes, expected: barrier.expected }))
    }

    /// A thread is about to arrive at a barrier. `ordered` arrivals are from the same block and
    /// publish what the thread knows; arrivals that do not publish anything are not `noted`.
    pub(super) fn note_arrival(
        &mut self,
        at: usize,
        who: (u32, u32),
        ordered: bool,
        noted: bool,
    ) -> Result<(), FindingKind> {
        let relaxes = self.machine.relaxes_mbarriers;
        let Some(barrier) = self.engine.barriers.get_mut(at) else { return Ok(()) };
        if noted {
            barrier.uses.note(who, true, &self.clocks);
        }
        if ordered && !relaxes {
            barrier.uses.arrives(who, barrier.phase, &self.clocks);
        } else {
            barrier.uses.vague = true;
        }
        self.is_certain(at)
    }

    /// An agent arrives at a barrier of the block that issued the operation, for a thread that knew
    /// this.
    pub(crate) fn note_commit(
        &mut self,
        at: usize,
        agent: (u32, u32),
        who: (u32, u32),
        known: &Known,
    ) -> Result<(), FindingKind> {
        if let Some(barrier) = self.engine.barriers.get_mut(at) {
            barrier.uses.arrives_later(agent, who, barrier.phase, known);
        }
        self.is_certain(at)
    }

    /// A thread asks for a phase of a barrier. `found` tells that it is complete.
    pub(super) fn note_wait(&mut self, at: usize, who: (u32, u32), found: bool) -> Result<(), FindingKind> {
        if let Some(barrier) = self.engine.barriers.get_mut(at) {
            barrier.uses.note(who, found, &self.clocks);
            barrier.uses.awaited = true;
        }
        self.is_certain(at)
    }

    /// Whether it is certain which arrivals end each phase of the barrier.
    fn is_certain(&self, at: usize) -> Result<(), FindingKind> {
        let Some(barrier) = self.engine.barriers.get(at) else { return Ok(()) };
        let Some(Mixed { phase, earlier, later }) = barrier.uses.chance() else { return Ok(()) };
        let (earlier, later) = (self.user(earlier), self.user(later));
        Err(self.misused(at, MbarrierMisuse::Mixed { phase, expected: barrier.expected, earlier, later }))
    }

    /// The thread and the instruction of a use of the barrier that may come after the acts of
    /// `thread` now.
    fn use_of(&self, at: usize, thread: u32) -> Option<(u32, u32)> {
        let relaxed = self.machine.relaxes_mbarriers;
        let pending = self.engine.triggers.iter().find(|trigger| trigger.barrier == at);
        let pending = pending.map(|trigger| (trigger.warp as u32 * WARP + trigger.lane, trigger.site));
        let mut landed = self.engine.landings.all().filter(|(_, landed)| landed.barrier == at);
        let unseen = landed.find(|(agent, landed)| {
            let seen_relaxed = relaxed && landed.phase.is_some();
            !seen_relaxed && !self.clocks.knows(thread, *agent, landed.issued.time)
        });
        let unseen = unseen.map(|(_, landed)| (landed.issued.thread, landed.issued.site));
        let barrier = self.engine.barriers.get(at)?;
        let past = self.past_of(thread);
        barrier.uses.unordered(thread, relaxed, &self.clocks, past.as_deref()).or(pending).or(unseen)
    }
}
