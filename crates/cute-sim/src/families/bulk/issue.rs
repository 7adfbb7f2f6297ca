//! The issue of a bulk copy to the TMA, and the checks that are possible at that time.

use super::elements::update;
use super::groups::{commit, wait};
use super::operands::are_defined;
use super::outbox::Leaving;
use super::rows::{Change, Far, Fill, Rows, masked};
use crate::engine::landing::{Landed, Landing, Payload};
use crate::events::{Subject, Task, Work};
use crate::families::mbarrier::barrier::BYTES as BARRIER_BYTES;
use crate::finding::{AccessKind, BulkRule, FindingKind, LaneFinding, MbarrierMisuse, Place};
use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::scene::Scene;
use crate::machine::warp::Warp;
use crate::memory::address::{CLUSTER, GLOBAL, SHARED, in_block};
use crate::memory::span::Span;
use crate::program::{Bulk, BulkFar, BulkMove, BulkOp, Slot, Update};
use crate::race::{Acting, Needs};
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
    let modes = map.into_iter().flat_map(|map| &map.modes);
    Subject {
        array,
        coordinates: coordinates.to_vec(),
        extents: modes.map(|mode| mode.boxed).collect(),
        shape: None,
        shared: vec![scene.in_window(rows.shared, rows.all())],
    }
}

impl Warp {
    pub(crate) fn bulk(
        &mut self,
        cluster: &mut Cluster<'_>,
        op: &BulkOp,
        active: u32,
    ) -> Result<(), LaneFinding> {
        match *op {
            BulkOp::Copy(ref copy) => self.issue_bulk(cluster, copy, active)?,
            BulkOp::Commit => {
                self.tells_order(cluster, active);
                let Cluster { engine, clocks, .. } = cluster;
                commit(&mut engine.outboxes, clocks, lanes_of(active).map(|lane| self.thread(lane)));
            }
            BulkOp::Wait { pending, read } => {
                wait(cluster, self.act(active), self.thread(0), (pending as usize, read));
            }
        }
        Ok(())
    }

    fn issue_bulk(&mut self, cluster: &mut Cluster<'_>, bulk: &Bulk, active: u32) -> Result<(), LaneFinding> {
        are_defined(bulk, &self.registers, cluster.machine.kernel, active)?;
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
            let asked = self.asked(cluster, bulk, lane).map_err(at)?;
            self.use_address(cluster, bulk.shared, 1 << lane);
            if let BulkFar::Global { address, .. } | BulkFar::Shared { address, .. } = bulk.far {
                self.use_address(cluster, address, 1 << lane);
            }
            let shared = self.registers.get(bulk.shared)[lane as usize];
            let first = || cluster.span(&[], shared, bulk.space, 1, 1).map_or(0, |span| span.start);
            let first = if cluster.journal.counters().has_banks() { first() } else { 0 };
            cluster.journal.counters_mut().bulk(self.at, &asked.rows, first);
            match bulk.moves {
                BulkMove::Load { barrier, mask, pair, reduce } => {
                    let shared = (self.registers.get(bulk.shared)[lane as usize], bulk.space);
                    let mut asked = asked;
                    if let Some(reduce) = reduce {
                        let (update, scalar) = update(reduce, BulkReduction::Cluster, None).map_err(at)?;
                        asked.rows.change = Change::Reduce(update, scalar);
                    }
                    self.load_bulk(cluster, asked, shared, barrier, mask, pair, lane).map_err(at)?;
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
                    self.store_bulk(cluster, asked, shared, element, lanes).map_err(at)?;
                    cluster.engine.outboxes.of(self.thread(lane), &mut cluster.clocks).lanes = lanes;
                }
            }
        }
        Ok(())
    }

    /// The rows of a lane's copy.
    fn asked(&self, cluster: &mut Cluster<'_>, bulk: &Bulk, lane: u32) -> Result<Asked, FindingKind> {
        let value = |slot: Slot| self.registers.get(slot)[lane as usize];
        let (address, size, space) = match &bulk.far {
            BulkFar::Box { map, space, coordinates, kind, swizzle } => {
                let (map, span) = cluster.tensor_map(value(*map), *space)?;
                let coordinates: Vec<i64> =
                    coordinates.iter().map(|slot| i64::from(value(*slot) as u32 as i32)).collect();
                let rows = cluster.rows_of(&map, &coordinates, *kind)?;
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
        let span = cluster.span(&[], address, space, bytes, BULK_ALIGN.unsigned_abs())?;
        let far = if space == GLOBAL { Far::Global(span.allocation) } else { Far::Shared };
        if far == Far::Shared {
            self.can_send(cluster, lane, span, bytes as usize)?;
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

    #[allow(clippy::too_many_arguments)]
    fn load_bulk(
        &self,
        cluster: &mut Cluster<'_>,
        asked: Asked,
        (shared, space): (u64, u32),
        barrier: Slot,
        mask: Option<Slot>,
        pair: bool,
        lane: u32,
    ) -> Result<(), FindingKind> {
        let Asked { rows, align, map, memory, coordinates } = asked;
        let (tensor, map) = map.unzip();
        let is_box = map.is_some();
        let bytes = rows.all() as u64;
        let barrier = self.registers.get(barrier)[lane as usize];
        let own = cluster.span(&[], barrier, CLUSTER, BARRIER_BYTES as u64, BARRIER_BYTES as u64)?;
        let of_barrier = cluster.shared.rank_of(own.start);
        let blocks = cluster.machine.cluster_blocks();
        let mask = mask.map(|mask| self.registers.get(mask)[lane as usize] as u32 & 0xffff);
        if let Some(rank) = mask.and_then(|mask| lanes_of(mask).find(|rank| *rank >= blocks)) {
            return Err(FindingKind::ClusterRank { rank: rank.into(), blocks });
        }
        let targets: Vec<(u64, u32)> = match mask {
            Some(mask) => lanes_of(mask).map(|rank| (in_block(shared, rank.into()), CLUSTER)).collect(),
            None => vec![(shared, space)],
        };
        for (address, space) in targets {
            let to = cluster.span(&[], address, space, bytes, align)?;
            let target = cluster.shared.rank_of(to.start);
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
            let barrier = cluster.span(&[], barrier, CLUSTER, BARRIER_BYTES as u64, BARRIER_BYTES as u64)?;
            let rows = Rows { shared: to.start, ..rows.clone() };
            cluster.check_swizzle(&rows, memory)?;
            if is_box {
                cluster.engine.box_swizzles.note(self.at, rows.swizzle);
            }
            cluster.journal.about(|scene| subject(scene, &rows, tensor.as_ref(), &coordinates));
            self.land_bulk(cluster, rows, to, (barrier, map), lane)?;
        }
        Ok(())
    }

    /// A copy to one block.
    fn land_bulk(
        &self,
        cluster: &mut Cluster<'_>,
        rows: Rows,
        to: Span,
        (barrier, map): (Span, Option<Span>),
        lane: u32,
    ) -> Result<(), FindingKind> {
        self.watch_barrier(cluster, lane, barrier, AccessKind::Atomic);
        if !cluster.engine.barriers.are_at(barrier.start) {
            return Err(cluster.misused(barrier.start, MbarrierMisuse::Uninitialised));
        }
        if let Some((delta, state)) = cluster.shared.bytes().taken(to.start, rows.all()) {
            return Err(cluster.state_finding(&[], to, delta, state));
        }
        let agent = cluster.engine.landings.agent(barrier.start, &mut cluster.clocks);
        let issued = self.issued(cluster, lane);
        let view = self.view(cluster, lane);
        let acting = |kind| self.acting(cluster, kind, lane, agent, issued.time, &view);
        let reduces = matches!(rows.change, Change::Reduce(..));
        let writes = if reduces { AccessKind::AsyncReduce } else { AccessKind::AsyncWrite };
        let (reads, writes) = (acting(AccessKind::AsyncRead), acting(writes));
        if map.is_some_and(|map| map.space == GLOBAL) {
            let agent = cluster.engine.outboxes.map_reader(issued, &mut cluster.clocks);
            self.watch_map(cluster, map, &Acting { needs: Needs::Order, agent, ..reads });
        }
        self.watch_far(cluster, &rows, &reads);
        self.watch_rows(cluster, &rows, to, &writes);
        let rank = cluster.shared.rank_of(to.start);
        let landed = Landed { issued, barrier: barrier.start, phase: None, rank };
        cluster.engine.landings.begin(agent, landed);
        cluster.deliver(Landing { issued, payload: Payload::Rows(rows), barrier: barrier.start, agent })
    }

    /// Issues a store for lanes that issue it together.
    fn store_bulk(
        &mut self,
        cluster: &mut Cluster<'_>,
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
        let from = cluster.span(&[], shared, SHARED, rows.all() as u64, align)?;
        rows.shared = from.start;
        cluster.check_swizzle(&rows, memory)?;
        // Bytes that are not copied may be unwritten.
        for (at, len) in rows.sent() {
            let (start, offset) = (from.start + at, from.offset + at as i64);
            self.can_send(cluster, lane, Span { start, offset, ..from }, len)?;
        }
        let thread = self.thread(lane);
        let (read, write) = cluster.engine.outboxes.of(thread, &mut cluster.clocks).agents;
        let issued = self.issued(cluster, lane);
        let view = self.view(cluster, lane);
        let kind = if reduce.is_some() { AccessKind::AsyncReduce } else { AccessKind::AsyncWrite };
        let reads = self.acting(cluster, AccessKind::AsyncRead, lane, read, issued.time, &view);
        let writes = self.acting(cluster, kind, lane, write, issued.time, &view);
        let of_map = Acting { needs: Needs::Order, ..reads };
        let is_box = map.is_some();
        cluster.journal.about(|scene| subject(scene, &rows, map.as_ref().map(|(map, _)| map), &coordinates));
        self.watch_map(cluster, map.map(|(_, span)| span), &of_map);
        self.watch_rows(cluster, &rows, from, &reads);
        if !(is_box && reduce.is_none() && self.repeats(cluster, &rows, lanes)) {
            self.watch_far(cluster, &rows, &writes);
        }
        let bytes = rows.all() as u64;
        cluster.journal.tell_issue((thread, issued.site), Task::Bulk(issued.time), Work::Store, bytes, None);
        let mut copy = Leaving { issued, rows, reduce, read: None, done: false };
        if cluster.engine.schedule == Schedule::Eager {
            cluster.leave(&mut copy);
            cluster.engine.outboxes.of(thread, &mut cluster.clocks).issue_done(issued);
        } else {
            cluster.engine.outboxes.of(thread, &mut cluster.clocks).issue(copy);
        }
        Ok(())
    }

    /// Whether other lanes of the warp have issued the same store of the same bytes.
    fn repeats(&mut self, cluster: &Cluster<'_>, rows: &Rows, lanes: u32) -> bool {
        lanes != self.exists && self.sent.repeats(self.at, lanes, rows, rows.collect(&cluster.shared))
    }

    /// Records the accesses of a copy to shared memory.
    fn watch_rows(&self, cluster: &mut Cluster<'_>, rows: &Rows, span: Span, acting: &Acting<'_>) {
        if !cluster.machine.launch.check_races {
            return;
        }
        let runs = rows.runs(cluster.shared.stride());
        // One race of a copy is enough.
        let _ = runs.into_iter().any(|run| cluster.watch_transfer(span, run, acting));
    }

    /// Records the accesses of a copy on its far side.
    fn watch_far(&self, cluster: &mut Cluster<'_>, rows: &Rows, acting: &Acting<'_>) {
        if let Far::Global(buffer) = rows.far
            && acting.who.kind != AccessKind::AsyncWrite
        {
            for row in &rows.list {
                self.note_undefined(cluster, acting.lane, buffer, row.at, row.len);
            }
        }
        if !cluster.machine.launch.check_races {
            return;
        }
        for row in rows.list.iter().filter(|row| row.len > 0) {
            let (race, place) = match rows.far {
                Far::Global(buffer) => {
                    let acting = Acting { needs: Needs::Fence { global: true }, ..*acting };
                    let shadow = &cluster.machine.shadow;
                    let race = shadow.transfer(buffer, row.at, row.len, &acting, &cluster.clocks);
                    (race, race.map(|_| (cluster.scene().global_place(buffer), row.at as i64)))
                }
                Far::Shared => {
                    let mut window = cluster.shared.shadow();
                    let race = window.transfer(row.at, row.len, acting, &cluster.clocks);
                    (race, race.map(|_| cluster.scene().barrier_place(row.at)))
                }
            };
            if let (Some((delta, race)), Some((place, offset))) = (race, place) {
                cluster.note_race(&acting.who, acting.lane, place, offset + delta as i64, race);
                return;
            }
        }
    }
}
