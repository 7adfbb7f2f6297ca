//! Races as findings.

use super::orders::Orders;
use super::{Journal, findings, hints};
use crate::families::mbarrier::barrier::Mbarriers;
use crate::finding::{AccessKind, FindingKind, HeapRule, Party, Place};
use crate::heap::Lost;
use crate::machine::scene::Scene;
use crate::program::Op;
use crate::race::{Gap, Race, Record, Scope, Who};

impl Journal<'_> {
    /// The earlier access of a race.
    pub(super) fn other_party(&self, orders: Orders<'_>, Race { record, thread, .. }: &Race) -> Party {
        let (machine, scene) = (self.machine(), &self.scene);
        let former = machine.beside.as_ref().and_then(|beside| beside.party(record));
        former.unwrap_or_else(|| {
            let (op, location) = scene.site(record.site);
            Party {
                access: record.kind,
                op,
                location,
                block: machine.position(record.made_by()),
                thread: scene.thread(*thread),
                completion: orders.completion(scene, record).map(Box::new),
            }
        })
    }

    /// A race of a thread as a finding's kind, with what is missing, if that is known.
    pub(super) fn race_kind(
        &self,
        orders: Orders<'_>,
        who: &Who,
        thread: u32,
        (place, offset): (Place, i64),
        race: &Race,
        other: Party,
    ) -> FindingKind {
        let by_barrier = !self.scene.is_alone() && reaches_too_few(&self.scene, &orders.engine.barriers);
        let mut kind = findings::race(who, race, place, offset, other, by_barrier);
        if let FindingKind::Race { why, .. } = &mut kind {
            *why = hints::both_initialise(self.machine().kernel, who, race)
                .or_else(|| why.take())
                .or_else(|| hints::missing_half(self.machine(), orders, who, thread, race));
        }
        kind
    }

    /// Notes that a lane writes what a thread of another block has written, with the same value.
    #[cold]
    pub(crate) fn note_same_value(
        &mut self,
        orders: Orders<'_>,
        (who, lane): (&Who, u32),
        (place, offset): (Place, i64),
        race: &Race,
    ) {
        let Race { record, gap, .. } = race;
        let is_of_thread = !record.is_former() && record.agent().is_none() && gap.is_none();
        if !is_of_thread || record.made_by() == who.block || who.kind != AccessKind::Write {
            return;
        }
        let other = Box::new(self.other_party(orders, race));
        let kind = FindingKind::SameValue { access: who.kind, place, offset, other };
        self.remark(who.site, self.scene.thread_of(who, lane), kind);
    }

    /// A race with this access calls for a run that follows all loads of tensor memory.
    fn doubt_tensor_loads(&mut self, record: &Record) {
        if record.kind != AccessKind::TensorRead {
            return;
        }
        let is_load = |op: &Op| matches!(op, Op::Tcgen05(op) if op.loads());
        let loads = (0..).zip(&*self.machine().kernel.code).filter(|(_, op)| is_load(op));
        self.racy.loads.extend(loads.map(|(site, _)| site));
    }

    /// Notes a race of a lane at a byte of an allocation.
    #[cold]
    pub(crate) fn note_race(
        &mut self,
        orders: Orders<'_>,
        (who, lane): (&Who, u32),
        (place, offset): (Place, i64),
        race: Race,
    ) {
        let machine = self.machine();
        let (record, thread) = (race.record, self.scene.thread_of(who, lane));
        if let Some(heap) = machine.heap.as_ref().filter(|_| record.is_of_heap()) {
            let (access, offset) = (who.kind, offset.max(0) as u64);
            let rule = Box::new(match heap.lost(offset) {
                Lost::Freed { block, offset, by } => HeapRule::Freed { access, block, offset, by },
                Lost::Outside { before } => HeapRule::Outside { access, offset, before },
            });
            return self.remark(who.site, thread, FindingKind::Heap { rule });
        }
        let other = self.other_party(orders, &race);
        if race.gap.is_some_and(Gap::is_remark) {
            // For global memory, it is left open which thread executes the fence.
            if !matches!(place, Place::Buffer { .. }) {
                let kind = findings::race(who, &race, place, offset, other, false);
                let alike = matches!(race.gap, Some(Gap::Tensor { .. }));
                self.remark_race((who.site, record.site), thread, kind, alike);
            }
            return;
        }
        if record.kind.is_read() {
            self.findings.note_raced(record.site);
        }
        if let Some((_, load)) = self.racy_load(orders.clocks, who, lane, &race) {
            self.racy.loads.insert(load);
        }
        self.doubt_tensor_loads(&record);
        let is_of_one = (record.site, record.made_by()) == (who.site, who.block);
        let of_warp = record.warps == 1 << who.warp;
        let replaced = std::mem::take(&mut self.replaced);
        let kind = match self.race_kind(orders, who, thread, (place, offset), &race, other) {
            FindingKind::Race { access, place, offset, other, .. }
                if is_of_one && replaced.is_rounded(machine.kernel, who.site, of_warp) =>
            {
                FindingKind::RaceRounded { access, place, offset, other }
            }
            FindingKind::Race { access, place, offset, other, .. }
                if hints::is_compared(machine.kernel, who, &record) =>
            {
                FindingKind::RaceCompared { access, place, offset, other }
            }
            kind => kind,
        };
        self.remark(who.site, thread, kind);
    }
}

/// Whether a thread has arrived at an `mbarrier` of another block, and the arrival or the waits
/// have a scope that does not reach that block, or no order.
fn reaches_too_few(scene: &Scene<'_>, barriers: &Mbarriers) -> bool {
    let code = &scene.machine().kernel.code;
    let is_too_narrow = |(relaxed, scope): (bool, Scope)| relaxed || scope < Scope::Cluster;
    let waits = || {
        code.iter().any(|op| match op {
            Op::Mbarrier(op) if op.waits() => op.reach().is_some_and(is_too_narrow),
            _ => false,
        })
    };
    let mut remote = barriers.all().flat_map(|(at, barrier)| {
        let rank = scene.windows().rank_of(at);
        let arrivals = barrier.history().by_site();
        arrivals.filter(move |came| scene.block_of(came.thread).rank != rank).filter_map(|came| {
            match code.get(came.site as usize) {
                Some(Op::Mbarrier(op)) if op.arrives_itself() => op.reach(),
                _ => None,
            }
        })
    });
    remote.any(|reach| is_too_narrow(reach) || waits())
}
