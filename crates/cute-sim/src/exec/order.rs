//! The order that atomic and volatile accesses make, by the rules of PTX's memory model.

use super::span::Span;
use crate::machine::WARP;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use crate::memory::address::{GLOBAL, SHARED};
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

impl Warp {
    /// An atomic or volatile access happens, on which other threads may depend.
    pub(crate) fn meets(&mut self, cluster: &mut Cluster<'_>, lane: u32, span: Span) {
        cluster.meets_others |= span.space == GLOBAL;
        let at = (span.space, span.allocation, span.start);
        if let Some(course) = &mut cluster.engine.course {
            course.meet_at(self.thread(lane), at);
            self.marks.learn(true);
        }
        cluster.engine.tensor_order.meet(&mut cluster.clocks, self.thread(lane), at);
        self.marks.meet_others();
    }

    /// Whether such accesses of this memory order anything.
    fn orders(cluster: &Cluster<'_>, span: Span) -> bool {
        cluster.machine.orders && matches!(span.space, GLOBAL | SHARED)
    }

    fn accessor(&self, cluster: &Cluster<'_>, lane: u32, scope: Scope) -> Accessor {
        let thread = self.number() * WARP + lane;
        Accessor { cluster: cluster.scene().number(), block: self.block().number, thread, scope }
    }

    /// After a read, the thread acquires what was published there; if the read is relaxed, a later
    /// fence does.
    pub(crate) fn observe(
        &self,
        cluster: &mut Cluster<'_>,
        access: &Access,
        acquires: bool,
        lane: u32,
        span: Span,
    ) {
        if !Warp::orders(cluster, span) {
            return;
        }
        let (thread, who) = (self.thread(lane), self.accessor(cluster, lane, access.scope));
        for (at, value) in values(cluster, access, span) {
            let found = {
                let mut table = Table::of(&mut cluster.sync, &cluster.machine.sync, span.space);
                table.get().observe(at, value, &who)
            };
            let Cluster { clocks, engine, .. } = &mut *cluster;
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
        &self,
        cluster: &mut Cluster<'_>,
        access: &Access,
        updates: bool,
        lane: u32,
        span: Span,
    ) {
        if !Warp::orders(cluster, span) {
            return;
        }
        let (thread, who) = (self.thread(lane), self.accessor(cluster, lane, access.scope));
        let Order { release: releases, .. } = access.order;
        let published: Published = if releases {
            let known = cluster.clocks.snapshot(thread);
            let known = cluster.clocks.published(&known);
            Scope::ALL.map(|distance| if who.scope >= distance { known.clone() } else { Foreign::default() })
        } else {
            cluster.engine.relaxed.published(thread, who.scope, &cluster.clocks)
        };
        // If all scopes are the widest one, what reaches nearer threads reaches all.
        let published = match (cluster.machine.has_narrow_scopes, published) {
            (false, [.., all]) => [Foreign::default(), Foreign::default(), all],
            (true, published) => published,
        };
        for (at, value) in values(cluster, access, span) {
            let mut table = Table::of(&mut cluster.sync, &cluster.machine.sync, span.space);
            table.get().write(at, &who, &Written { value, updates, releases }, &published);
        }
    }
}

/// The locations of an access, and their values: an access of a vector is one of its elements.
fn values(cluster: &Cluster<'_>, access: &Access, span: Span) -> Vec<(Location, u64)> {
    let value = |leaf: &cute_machine::types::Leaf| {
        let (at, bytes) = (leaf.offset as usize, leaf.bytes as usize);
        let location = (span.space, span.allocation, span.start + at, leaf.bytes);
        (location, cluster.read(&[], span, at, bytes))
    };
    access.leaves.iter().map(value).collect()
}
