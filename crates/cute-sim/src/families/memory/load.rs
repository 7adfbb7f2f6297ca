//! Loads.

use crate::finding::{AccessKind, LaneFinding};
use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::journal::racy::EMPTY;
use crate::machine::warp::Warp;
use crate::memory::address::{GLOBAL, LOCAL, SHARED};
use crate::memory::span::{Span, Spans};
use crate::memory::tracked::ByteState;
use crate::program::{Access, Slot};
use crate::registers::unknown::{Origin, Unknown};
use crate::update::one_at_a_time;
use cute_machine::int::mask;
use cute_machine::types::Leaf;

impl Warp {
    pub(super) fn load(
        &mut self,
        cluster: &mut Cluster<'_>,
        access: &Access,
        dst: Slot,
        address: Slot,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let spans = self.spans(cluster, access, address, active)?;
        self.marks.read(self.lanes.at(), active);
        let bytes = access.bytes as usize;
        let kind = if access.strong { AccessKind::AtomicRead } else { AccessKind::Read };
        let follows = cluster.machine.follows(self.lanes.at());
        let left = match &spans {
            Spans::Together(at) if !access.strong && !follows => {
                self.load_together(cluster, access, dst, at, active)
            }
            _ => active,
        };
        for lane in lanes_of(left) {
            let i = lane as usize;
            let span = spans.of(lane);
            let _guard = (access.strong && span.space == GLOBAL).then(one_at_a_time);
            for leaf in &access.leaves {
                let (at, n) = (leaf.offset as usize, leaf.bytes as usize);
                let value = cluster.read(self.stack.locals(i), span, at, n);
                self.registers.set_lane(dst + leaf.slot, lane, value & mask(leaf.bits));
                if span.space == LOCAL
                    && let Some(local) = self.stack.locals(i).get(span.allocation as usize)
                    && let Some(unknown) = local.unknown(span.start + at, n, self.lanes.at())
                {
                    let bits = unknown.bits & mask(leaf.bits);
                    let (slot, unknown) = (dst + leaf.slot, Unknown { bits, ..unknown });
                    match cluster.engine.warpgroups.arrived_late(&self.issuer(0), unknown, lane) {
                        Some((value, unknown)) => {
                            self.registers.set_lane(slot, lane, value);
                            self.registers.set_unknown(slot, lane, unknown);
                        }
                        None => self.registers.set_unknown(slot, lane, Some(unknown)),
                    }
                }
            }
            if access.strong {
                self.meets(cluster, lane, span);
                self.observe(cluster, access, access.order.acquire, lane, span);
            }
            if follows && span.space != LOCAL {
                self.follow(cluster, access, (dst, span), lane);
            }
            self.can_read(cluster, access, lane, span, bytes, kind)?;
            if follows && span.space == SHARED {
                self.follow_empty(cluster, access, (dst, span), lane);
            }
        }
        Ok(())
    }

    /// Marks what a lane has loaded from bytes that nothing has written.
    #[cold]
    fn follow_empty(
        &mut self,
        cluster: &mut Cluster<'_>,
        access: &Access,
        (dst, span): (Slot, Span),
        lane: u32,
    ) {
        let load = (lane, self.lanes.at() | EMPTY);
        let is_empty = |leaf: &&Leaf| {
            let found =
                cluster.shared.bytes().unwritten(span.start + leaf.offset as usize, leaf.bytes as usize);
            found.is_some_and(|(_, state)| state == ByteState::Empty)
        };
        let empty: Vec<&Leaf> = access.leaves.iter().filter(is_empty).collect();
        if empty.is_empty() {
            return;
        }
        cluster.journal.loads_at((self.thread(lane), load.1), (span.space, span.allocation, span.start));
        let own = self.registers.doubts().of(load);
        self.registers.doubts().renew(load);
        for leaf in empty {
            let slot = dst + leaf.slot;
            let set = match self.registers.unknown(slot, lane) {
                Some(Unknown { origin: Origin::Doubt(set), .. }) => self.registers.doubts().both(set, own),
                _ => own,
            };
            let unknown = Unknown { origin: Origin::Doubt(set), bits: mask(leaf.bits) };
            self.registers.set_unknown(slot, lane, Some(unknown));
        }
    }

    /// Marks what a lane has loaded, so that its uses are noticed.
    #[cold]
    fn follow(&mut self, cluster: &mut Cluster<'_>, access: &Access, (dst, span): (Slot, Span), lane: u32) {
        let load = (lane, self.lanes.at());
        cluster
            .journal
            .loads_at((self.thread(lane), self.lanes.at()), (span.space, span.allocation, span.start));
        let set = self.registers.doubts().of(load);
        self.registers.doubts().renew(load);
        for leaf in &access.leaves {
            let unknown = Unknown { origin: Origin::Doubt(set), bits: mask(leaf.bits) };
            self.registers.set_unknown(dst + leaf.slot, lane, Some(unknown));
        }
    }
}
