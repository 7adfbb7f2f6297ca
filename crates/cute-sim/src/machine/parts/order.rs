//! The order that atomic and volatile accesses make, by the rules of PTX's memory model.

use super::Parts;
use crate::machine::WARP;
use crate::machine::issuer::Issuer;
use crate::machine::marks::Marks;
use crate::memory::address::{GLOBAL, SHARED};
use crate::memory::span::Span;
use crate::program::Access;
use crate::race::{Accessor, Foreign, Location, Order, Published, Scope, SyncTable, Written};
use std::sync::{MutexGuard, PoisonError};

/// The patterns of the locations in the memory of an access.
enum Table<'a> {
    Shared(&'a mut SyncTable),
    Global(MutexGuard<'a, SyncTable>),
}

impl Table<'_> {
    fn of<'a>(shared: &'a mut SyncTable, global: &'a std::sync::Mutex<SyncTable>, space: u32) -> Table<'a> {
        match space {
            SHARED => Table::Shared(shared),
            _ => Table::Global(global.lock().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    fn get(&mut self) -> &mut SyncTable {
        match self {
            Table::Shared(table) => table,
            Table::Global(table) => table,
        }
    }
}

impl Parts<'_, '_> {
    /// An atomic or volatile access of a lane happens, on which other threads may depend.
    pub(crate) fn meets(&mut self, marks: &mut Marks, (issuer, lane): (&Issuer, u32), span: Span) {
        if span.space == GLOBAL {
            self.journal.meets_others();
        }
        let at = (span.space, span.allocation, span.start);
        if let Some(course) = &mut self.engine.course {
            course.meet_at(issuer.thread(lane), at);
            marks.learn(true);
        }
        self.engine.tensor_order.meet(self.clocks, issuer.thread(lane), at);
        marks.meet_others();
    }

    /// Whether such accesses of this memory order anything.
    fn orders(&self, span: Span) -> bool {
        self.machine().orders && matches!(span.space, GLOBAL | SHARED)
    }

    fn accessor(&self, (issuer, lane): (&Issuer, u32), scope: Scope) -> Accessor {
        let thread = issuer.warp * WARP + lane;
        Accessor { cluster: self.scene().number(), block: issuer.block.number, thread, scope }
    }

    /// After a read, the thread acquires what was published there; if the read is relaxed, a later
    /// fence does.
    pub(crate) fn observe(
        &mut self,
        (issuer, lane): (&Issuer, u32),
        access: &Access,
        acquires: bool,
        span: Span,
    ) {
        if !self.orders(span) {
            return;
        }
        let (thread, who) = (issuer.thread(lane), self.accessor((issuer, lane), access.scope));
        for (at, value) in self.values(access, span) {
            let found = {
                let mut table = Table::of(self.shared.sync(), &self.journal.machine().sync, span.space);
                table.get().observe(at, value, &who)
            };
            let Parts { clocks, engine, .. } = &mut *self;
            if acquires {
                let before = engine.relaxed.heard_at(thread, at, who.scope);
                let all = found.iter().chain(before).filter(|known| !known.is_empty());
                all.for_each(|known| clocks.acquire_published(thread, known));
            } else {
                engine.relaxed.hear_at(thread, at, &found);
            }
        }
    }

    /// After a write, which is an atomic update or not, others may observe what the thread
    /// publishes: what it knows now if the write releases, and else what it knew at its last fence.
    pub(crate) fn publish(
        &mut self,
        (issuer, lane): (&Issuer, u32),
        access: &Access,
        updates: bool,
        span: Span,
    ) {
        if !self.orders(span) {
            return;
        }
        let (thread, who) = (issuer.thread(lane), self.accessor((issuer, lane), access.scope));
        let Order { release: releases, .. } = access.order;
        let published: Published = if releases {
            let known = self.clocks.snapshot(thread);
            let known = self.clocks.published(&known);
            Scope::ALL.map(|distance| if who.scope >= distance { known.clone() } else { Foreign::default() })
        } else {
            self.engine.relaxed.published(thread, who.scope, self.clocks)
        };
        // If all scopes are the widest one, what reaches nearer threads reaches all.
        let published = match (self.machine().has_narrow_scopes, published) {
            (false, [.., all]) => [Foreign::default(), Foreign::default(), all],
            (true, published) => published,
        };
        for (at, value) in self.values(access, span) {
            let mut table = Table::of(self.shared.sync(), &self.journal.machine().sync, span.space);
            table.get().write(at, &who, &Written { value, updates, releases }, &published);
        }
    }

    /// The locations of an access, and their values: an access of a vector is one of its elements.
    fn values(&self, access: &Access, span: Span) -> Vec<(Location, u64)> {
        let value = |leaf: &cute_machine::types::Leaf| {
            let (at, bytes) = (leaf.offset as usize, leaf.bytes as usize);
            let location = (span.space, span.allocation, span.start + at, leaf.bytes);
            (location, self.read(&[], span, at, bytes))
        };
        access.leaves.iter().map(value).collect()
    }
}
