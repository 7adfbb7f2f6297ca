//! The issue of a bulk copy to the TMA, and the checks that are possible at that time.

use super::complete::leave;
use super::elements::update;
use super::groups::{commit, wait};
use super::operands::are_defined;
use super::outbox::Leaving;
use super::rows::{Change, Far, Fill, Rows, masked};
use super::sent::SentBoxes;
use crate::agents::landing::deliver;
use crate::engine::landing::{Landed, Landing, Payload};
use crate::engine::swizzles::check_swizzle;
use crate::events::{Event, Subject, Task, Work};
use crate::families::mbarrier::at::watch_barrier;
use crate::families::mbarrier::barrier::BYTES as BARRIER_BYTES;
use crate::families::mbarrier::misused::misused;
use crate::families::tensor_map::read::{tensor_map, watch_map};
use crate::finding::{AccessKind, BulkRule, FindingKind, LaneFinding, MbarrierMisuse, Place};
use crate::lanes::lanes_of;
use crate::machine::issuer::Issuer;
use crate::machine::parts::Parts;
use crate::machine::scene::Scene;
use crate::memory::address::{CLUSTER, GLOBAL, SHARED, in_block};
use crate::memory::span::Span;
use crate::program::{Bulk, BulkFar, BulkMove, BulkOp, Slot, Update};
use crate::race::{Acting, Needs};
use crate::registers::Registers;
use crate::schedule::Schedule;
use cute_algebra::Swizzle;
use cute_arch::tensor_map::{BOX_ALIGN, BULK_ALIGN, BulkReduction, TensorMap};
use cute_machine::types::Scalar;

/// A lane's request for a copy, before its destination is resolved.
struct Asked {
    rows: Rows,
    align: u64,
    /// The tensor map and its place.
    map: Option<(TensorMap, Span)>,
    /// The swizzle with which the kernel accesses the shared memory, if known.
    memory: Option<Swizzle>,
    /// The coordinates of the box.
    coordinates: Vec<i64>,
}

/// The data of a copy, whose rows have been placed in shared memory.
fn subject(scene: &Scene<'_>, rows: &Rows, map: Option<&TensorMap>, coordinates: &[i64]) -> Subject {
    let array = match rows.far {
        Far::Global(buffer) => match scene.global_place(buffer) {
            Place::Buffer { number, name } => Some(name.unwrap_or_else(|| format!("buffer {number}"))),
            _ => None,
        },
        Far::Shared => None,
    };
    Subject {
        array,
        coordinates: coordinates.to_vec(),
        extents: map.map(TensorMap::copied).unwrap_or_default(),
        shape: None,
        shared: vec![scene.in_window(rows.shared, rows.all())],
    }
}

/// Executes an operation of bulk copies.
pub(crate) fn bulk(
    parts: &mut Parts<'_, '_>,
    registers: &Registers,
    sent: &mut SentBoxes,
    issuer: &Issuer,
    op: &BulkOp,
) -> Result<(), LaneFinding> {
    match *op {
        BulkOp::Copy(ref copy) => Issue { parts, registers, sent, issuer }.issue(copy)?,
        BulkOp::Commit => {
            let Parts { engine, clocks, journal, .. } = parts;
            journal.tell(|_| Event::Orders { act: issuer.act() });
            commit(&mut engine.outboxes, clocks, issuer.threads());
        }
        BulkOp::Wait { pending, read } => wait(parts, issuer, (pending as usize, read)),
    }
    Ok(())
}

/// The issue of a copy: the parts that it touches, and the lanes that execute it.
struct Issue<'i, 'c, 'm> {
    parts: &'i mut Parts<'c, 'm>,
    registers: &'i Registers,
    sent: &'i mut SentBoxes,
    issuer: &'i Issuer,
}

impl Issue<'_, '_, '_> {
    fn issue(&mut self, bulk: &Bulk) -> Result<(), LaneFinding> {
        let active = self.issuer.lanes;
        are_defined(bulk, self.registers, self.parts.machine().kernel, active)?;
        let together = match (&bulk.far, &bulk.moves) {
            // A store of a box is an instruction of the warp: lanes that issue the same store
            // execute it once, because whole warps issue stores in CUTLASS's epilogues. Loads are
            // repeated for each lane.
            (BulkFar::Box { map, coordinates, .. }, BulkMove::Store { .. }) => {
                self.registers.alike(active, &[&[bulk.shared, *map], &coordinates[..]].concat())
            }
            _ => lanes_of(active).map(|lane| 1 << lane).collect(),
        };
        for lanes in together {
            let lane: u32 = lanes.trailing_zeros();
            let at = |kind| LaneFinding { lane, kind };
            let asked = self.asked(bulk, lane).map_err(at)?;
            let own = self.issuer.only(1 << lane);
            self.parts.journal.use_address(self.registers, &own, bulk.shared);
            if let BulkFar::Global { address, .. } | BulkFar::Shared { address, .. } = bulk.far {
                self.parts.journal.use_address(self.registers, &own, address);
            }
            let shared = self.registers.get(bulk.shared)[lane as usize];
            let first = || self.parts.span(&[], shared, bulk.space, 1, 1).map_or(0, |span| span.start);
            let first = if self.parts.journal.counters().has_banks() { first() } else { 0 };
            self.parts.journal.counters_mut().bulk(self.issuer.site, &asked.rows, first);
            match bulk.moves {
                BulkMove::Load { barrier, mask, pair, reduce } => {
                    let shared = (self.registers.get(bulk.shared)[lane as usize], bulk.space);
                    let mut asked = asked;
                    if let Some(reduce) = reduce {
                        let (update, scalar) = update(reduce, BulkReduction::Cluster, None).map_err(at)?;
                        asked.rows.change = Change::Reduce(update, scalar);
                    }
                    self.load(asked, shared, barrier, (mask, pair), lane).map_err(at)?;
                }
                BulkMove::Store { reduce, .. } => {
                    let element = match (reduce, &asked.map) {
                        (None, _) => None,
                        (Some(by), Some((map, _))) => {
                            Some(update(by, BulkReduction::Tensor, Some(map)).map_err(at)?)
                        }
                        (Some(by), None) => Some(update(by, BulkReduction::Global, None).map_err(at)?),
                    };
                    let shared = self.registers.get(bulk.shared)[lane as usize];
                    self.store(asked, shared, element, lanes).map_err(at)?;
                    let Parts { engine, clocks, .. } = &mut *self.parts;
                    engine.outboxes.of(self.issuer.thread(lane), clocks).lanes = lanes;
                }
            }
        }
        Ok(())
    }

    /// The rows of a lane's copy.
    fn asked(&mut self, bulk: &Bulk, lane: u32) -> Result<Asked, FindingKind> {
        let registers = self.registers;
        let value = |slot: Slot| registers.get(slot)[lane as usize];
        let (address, size, space) = match &bulk.far {
            BulkFar::Box { map, space, coordinates, kind, swizzle } => {
                let (map, span) = tensor_map(self.parts.addresses(), value(*map), *space)?;
                let coordinates: Vec<i64> =
                    coordinates.iter().map(|slot| i64::from(value(*slot) as u32 as i32)).collect();
                let rows = Rows::of_box(self.parts.scene(), &map, &coordinates, *kind)?;
                return Ok(Asked {
                    rows,
                    align: BOX_ALIGN.unsigned_abs(),
                    map: Some((map, span)),
                    memory: *swizzle,
                    coordinates,
                });
            }
            BulkFar::Global { address, size } => (value(*address), value(*size), GLOBAL),
            BulkFar::Shared { address, size } => (value(*address), value(*size), SHARED),
        };
        let bytes = u64::from(size as u32);
        if !bytes.is_multiple_of(BULK_ALIGN.unsigned_abs()) {
            return Err(FindingKind::BulkCopy { rule: BulkRule::Size { bytes } });
        }
        let span = self.parts.span(&[], address, space, bytes, BULK_ALIGN.unsigned_abs())?;
        let far = if space == GLOBAL { Far::Global(span.allocation) } else { Far::Shared };
        if far == Far::Shared {
            self.parts.can_send((self.issuer, lane), span, bytes as usize)?;
        }
        let mask = match bulk.moves {
            BulkMove::Store { bytes: Some(mask), .. } => value(mask) as u16,
            _ => u16::MAX,
        };
        let (bytes, list) = masked(span.start, bytes as usize, mask);
        let (swizzle, fill, change) = (Swizzle::IDENTITY, Fill::Zero, Change::Nothing);
        let rows = Rows { shared: 0, bytes, list, far, swizzle, fill, change };
        Ok(Asked { rows, align: BULK_ALIGN.unsigned_abs(), map: None, memory: None, coordinates: Vec::new() })
    }

    fn load(
        &mut self,
        asked: Asked,
        (shared, space): (u64, u32),
        barrier: Slot,
        (mask, pair): (Option<Slot>, bool),
        lane: u32,
    ) -> Result<(), FindingKind> {
        let Asked { rows, align, map, memory, coordinates } = asked;
        let (tensor, map) = map.unzip();
        let is_box = map.is_some();
        let bytes = rows.all() as u64;
        let barrier = self.registers.get(barrier)[lane as usize];
        let own = self.parts.span(&[], barrier, CLUSTER, BARRIER_BYTES as u64, BARRIER_BYTES as u64)?;
        let of_barrier = self.parts.shared.rank_of(own.start);
        let blocks = self.parts.machine().cluster_blocks();
        let mask = mask.map(|mask| self.registers.get(mask)[lane as usize] as u32 & 0xffff);
        if let Some(rank) = mask.and_then(|mask| lanes_of(mask).find(|rank| *rank >= blocks)) {
            return Err(FindingKind::ClusterRank { rank: rank.into(), blocks });
        }
        let targets: Vec<(u64, u32)> = match mask {
            Some(mask) => lanes_of(mask).map(|rank| (in_block(shared, rank.into()), CLUSTER)).collect(),
            None => vec![(shared, space)],
        };
        for (address, space) in targets {
            let to = self.parts.span(&[], address, space, bytes, align)?;
            let target = self.parts.shared.rank_of(to.start);
            let signals = match mask {
                // The barrier is at the same place in each block, or in each pair.
                Some(_) if pair => target & !1 | of_barrier & 1,
                Some(_) => target,
                None => of_barrier,
            };
            if signals != target && !(pair && signals ^ target == 1) {
                let rule = BulkRule::BarrierElsewhere { target, barrier: signals };
                return Err(FindingKind::BulkCopy { rule });
            }
            let barrier = in_block(barrier, signals.into());
            let barrier =
                self.parts.span(&[], barrier, CLUSTER, BARRIER_BYTES as u64, BARRIER_BYTES as u64)?;
            let rows = Rows { shared: to.start, ..rows.clone() };
            check_swizzle(&rows, self.parts.shared.address_of(rows.shared), memory)?;
            if is_box {
                self.parts.engine.box_swizzles.note(self.issuer.site, rows.swizzle);
            }
            self.parts.journal.about(|scene| subject(scene, &rows, tensor.as_ref(), &coordinates));
            self.land(rows, to, (barrier, map), lane)?;
        }
        Ok(())
    }

    /// A copy to one block.
    fn land(
        &mut self,
        rows: Rows,
        to: Span,
        (barrier, map): (Span, Option<Span>),
        lane: u32,
    ) -> Result<(), FindingKind> {
        let Issue { parts, registers, issuer, .. } = self;
        watch_barrier(parts, registers, (issuer, lane), barrier, AccessKind::Atomic);
        if !parts.engine.barriers.are_at(barrier.start) {
            return Err(misused(parts.scene(), barrier.start, MbarrierMisuse::Uninitialised));
        }
        if let Some((delta, state)) = parts.shared.bytes().taken(to.start, rows.all()) {
            return Err(parts.state_finding((to, delta), state));
        }
        let agent = parts.engine.landings.agent(barrier.start, parts.clocks);
        let issued = issuer.issued(parts.clocks, lane);
        let view = parts.view(issuer.thread(lane));
        let acting = |kind| issuer.acting(parts.scene(), kind, lane, (agent, issued.time), &view);
        let reduces = matches!(rows.change, Change::Reduce(..));
        let writes = if reduces { AccessKind::AsyncReduce } else { AccessKind::AsyncWrite };
        let (reads, writes) = (acting(AccessKind::AsyncRead), acting(writes));
        if map.is_some_and(|map| map.space == GLOBAL) {
            let agent = parts.engine.outboxes.map_reader(issued, parts.clocks);
            watch_map(parts, map, &Acting { needs: Needs::Order, agent, ..reads });
        }
        watch_far(parts, &rows, &reads);
        watch_rows(parts, &rows, to, &writes);
        let rank = parts.shared.rank_of(to.start);
        let landed = Landed { issued, barrier: barrier.start, phase: None, rank };
        parts.engine.landings.begin(agent, landed);
        deliver(parts, Landing { issued, payload: Payload::Rows(rows), barrier: barrier.start, agent })
    }

    /// Issues a store for lanes that issue it together.
    fn store(
        &mut self,
        asked: Asked,
        shared: u64,
        reduce: Option<(Update, Scalar)>,
        lanes: u32,
    ) -> Result<(), FindingKind> {
        let lane = lanes.trailing_zeros();
        let Asked { mut rows, align, map, memory, coordinates } = asked;
        rows.change = match rows.change {
            Change::Unpack(bytes) if map.as_ref().is_some_and(|(map, _)| map.element.is_stored()) => {
                Change::Pack(bytes)
            }
            Change::Unpack(_) => return Err(FindingKind::BulkCopy { rule: BulkRule::NotStored }),
            change => change,
        };
        let from = self.parts.span(&[], shared, SHARED, rows.all() as u64, align)?;
        rows.shared = from.start;
        check_swizzle(&rows, self.parts.shared.address_of(rows.shared), memory)?;
        // Bytes that are not copied may be unwritten.
        for (at, len) in rows.sent() {
            let (start, offset) = (from.start + at, from.offset + at as i64);
            self.parts.can_send((self.issuer, lane), Span { start, offset, ..from }, len)?;
        }
        let Issue { parts, sent, issuer, .. } = self;
        let thread = issuer.thread(lane);
        let (read, write) = parts.engine.outboxes.of(thread, parts.clocks).agents;
        let issued = issuer.issued(parts.clocks, lane);
        let view = parts.view(thread);
        let kind = if reduce.is_some() { AccessKind::AsyncReduce } else { AccessKind::AsyncWrite };
        let reads = issuer.acting(parts.scene(), AccessKind::AsyncRead, lane, (read, issued.time), &view);
        let writes = issuer.acting(parts.scene(), kind, lane, (write, issued.time), &view);
        let of_map = Acting { needs: Needs::Order, ..reads };
        let is_box = map.is_some();
        let about = map.as_ref().map(|(map, _)| map);
        parts.journal.about(|scene| subject(scene, &rows, about, &coordinates));
        watch_map(parts, map.map(|(_, span)| span), &of_map);
        watch_rows(parts, &rows, from, &reads);
        // Whether other lanes of the warp have issued the same store of the same bytes.
        let repeats = is_box
            && reduce.is_none()
            && lanes != issuer.exists
            && sent.repeats(issuer.site, lanes, &rows, rows.collect(parts.shared));
        if !repeats {
            watch_far(parts, &rows, &writes);
        }
        let bytes = rows.all() as u64;
        let Parts { shared, clocks, engine, journal } = &mut **parts;
        journal.tell_issue((thread, issued.site), Task::Bulk(issued.time), Work::Store, bytes, None);
        let mut copy = Leaving { issued, rows, reduce, read: None, done: false };
        if engine.schedule == Schedule::Eager {
            leave(&mut copy, shared, journal);
            engine.outboxes.of(thread, clocks).issue_done(issued);
        } else {
            engine.outboxes.of(thread, clocks).issue(copy);
        }
        Ok(())
    }
}

/// Records the accesses of a copy to shared memory.
fn watch_rows(parts: &mut Parts<'_, '_>, rows: &Rows, span: Span, acting: &Acting<'_>) {
    if !parts.machine().launch.check_races {
        return;
    }
    let runs = rows.runs(parts.shared.stride());
    // One race of a copy is enough.
    let _ = runs.into_iter().any(|run| parts.watch_transfer(span, run, acting));
}

/// Records the accesses of a copy on its far side.
fn watch_far(parts: &mut Parts<'_, '_>, rows: &Rows, acting: &Acting<'_>) {
    let machine = parts.machine();
    if let Far::Global(buffer) = rows.far
        && acting.who.kind != AccessKind::AsyncWrite
    {
        let thread = parts.scene().thread_of(&acting.who, acting.lane);
        for row in &rows.list {
            parts.journal.note_undefined((thread, acting.who.site), buffer, (row.at, row.len));
        }
    }
    if !machine.launch.check_races {
        return;
    }
    for row in rows.list.iter().filter(|row| row.len > 0) {
        let (race, place) = match rows.far {
            Far::Global(buffer) => {
                let acting = Acting { needs: Needs::Fence { global: true }, ..*acting };
                let race = machine.shadow.transfer(buffer, row.at, row.len, &acting, parts.clocks);
                (race, race.map(|_| (parts.scene().global_place(buffer), row.at as i64)))
            }
            Far::Shared => {
                let race = parts.shared.shadow().transfer(row.at, row.len, acting, parts.clocks);
                (race, race.map(|_| parts.scene().barrier_place(row.at)))
            }
        };
        if let (Some((delta, race)), Some((place, offset))) = (race, place) {
            return parts.note_race((&acting.who, acting.lane), (place, offset + delta as i64), race);
        }
    }
}
