//! Tensor memory: columns that warps allocate and give back, and what they load and store there.

use super::alu::{LaneFinding, Lanes, lanes_of};
use super::unknown::{Origin, Unknown};
use crate::engine::tensor::{Offer, TensorWarp};
use crate::finding::{AccessKind, FindingKind, Place, TensorRule};
use crate::machine::WARP;
use crate::machine::cluster::{Cluster, Stop};
use crate::machine::warp::{Flow, Wait, Warp};
use crate::memory::address::SHARED;
use crate::memory::tensor::{Columns, cells, place, word};
use crate::program::{Piece, Slot, TensorOp};
use crate::race::{Acting, Needs, Race, Reach, Scope, View, Who};
use crate::tensor::TmemMove;
use crate::tensor::tmem::{Rect, TENSOR_LANES, rects};

/// The reach of what all lanes of a warp do together.
const TOGETHER: Reach = Reach { width: 0, scope: Scope::Warp };

/// A finding about a rule of `tcgen05`.
pub(super) fn broken(rule: TensorRule) -> FindingKind {
    FindingKind::Tensor { rule: Box::new(rule) }
}

/// Lane and column of an address.
pub(super) fn lane_and_column(address: u64) -> (u32, u32) {
    (address as u32 >> 16, address as u32 & 0xffff)
}

/// The words from an address on.
pub(super) fn moved(rect: Rect, (lane, column): (u32, u32)) -> Rect {
    Rect { lane: rect.lane + lane, column: rect.column + column, ..rect }
}

impl Warp {
    pub(super) fn tensor_operation(
        &mut self,
        cluster: &mut Cluster<'_>,
        op: &TensorOp,
        active: u32,
    ) -> Result<Flow, LaneFinding> {
        match op {
            TensorOp::Alloc { to, space, columns, pair } => {
                return self.allocate(cluster, (*to, *space), *columns, *pair, active);
            }
            TensorOp::Commit { barrier, space, mask } => {
                self.commit_tensor(cluster, (*barrier, *space), *mask, active)?;
                return Ok(Flow::Next);
            }
            TensorOp::Copy { address, source, rows, pair } => {
                self.copy_rows(cluster, (*address, *source), *rows, *pair, active)?;
                return Ok(Flow::Next);
            }
            TensorOp::Multiply(product) => {
                self.multiply_tensor(cluster, product, active)?;
                return Ok(Flow::Next);
            }
            _ => {}
        }
        self.together(cluster, None, active, |warp, cluster, _| match op {
            TensorOp::Dealloc { address, columns, pair } => {
                warp.deallocate(cluster, *address, *columns, *pair)
            }
            TensorOp::Relinquish => {
                let (rank, at) = (warp.block.rank, warp.at);
                cluster.tensor_memory(rank).relinquished.get_or_insert(at);
                Ok(())
            }
            TensorOp::Load { shape, address, offset, registers } => {
                warp.load_tensor(cluster, shape, *address, *offset, registers)
            }
            TensorOp::Store { shape, address, offset, registers } => {
                warp.store_tensor(cluster, shape, *address, *offset, registers)
            }
            TensorOp::Wait { stores } => {
                if let Some(TensorWarp { agent, time }) =
                    cluster.engine.tensor_warps.get(&(warp.thread(0), *stores)).copied()
                {
                    let threads = lanes_of(warp.exists).map(|lane| warp.thread(lane));
                    cluster.clocks.learn_all(threads, agent, time);
                }
                Ok(())
            }
            TensorOp::Alloc { .. }
            | TensorOp::Commit { .. }
            | TensorOp::Multiply(_)
            | TensorOp::Copy { .. } => Ok(()),
        })
    }

    /// The value of a register that all threads of the warp pass alike.
    pub(super) fn uniform(
        &self,
        cluster: &Cluster<'_>,
        slot: Slot,
        operand: &'static str,
    ) -> Result<u64, LaneFinding> {
        self.defined(cluster.machine.kernel, slot, self.exists, operand)?;
        let values = self.get(slot);
        match lanes_of(self.exists).find(|lane| values[*lane as usize] != values[0]) {
            None => Ok(values[0]),
            Some(lane) => {
                let (one, other) = (values[0], values[lane as usize]);
                let operand = operand.to_owned();
                Err(LaneFinding { lane, kind: broken(TensorRule::Differs { operand, one, other }) })
            }
        }
    }

    fn count_of_columns(&self, cluster: &Cluster<'_>, slot: Slot) -> Result<u32, LaneFinding> {
        let columns = self.uniform(cluster, slot, "number of columns")?;
        let valid = u32::try_from(columns).ok().filter(|n| n.is_power_of_two() && (32..=512).contains(n));
        valid.ok_or_else(|| self.failed(broken(TensorRule::Count { columns })))
    }

    fn failed(&self, kind: FindingKind) -> LaneFinding {
        LaneFinding { lane: self.exists.trailing_zeros(), kind }
    }

    /// The rank of the other block of the pair.
    pub(super) fn peer(&self, cluster: &Cluster<'_>) -> Result<u32, FindingKind> {
        let (rank, blocks) = (self.block.rank, cluster.machine.cluster_blocks());
        let peer = Some(rank ^ 1).filter(|peer| *peer < blocks);
        peer.ok_or_else(|| broken(TensorRule::NoPeer { rank, blocks }))
    }

    fn allocate(
        &mut self,
        cluster: &mut Cluster<'_>,
        (to, space): (Slot, u32),
        columns: Slot,
        pair: bool,
        active: u32,
    ) -> Result<Flow, LaneFinding> {
        let groups = self.gather(cluster, None, active)?;
        let Some(lanes) = groups.first().copied() else { return Ok(Flow::Apart) };
        let count = self.count_of_columns(cluster, columns)?;
        let (rank, site, thread) = (self.block.rank, self.at, self.thread(0));
        if let Some(at) = cluster.tensor_memory(rank).relinquished {
            let location = cluster.site(at).1;
            return Err(self.failed(broken(TensorRule::AfterRelinquish { location })));
        }
        let peer = match pair {
            true => Some(self.peer(cluster).map_err(|kind| self.failed(kind))?),
            false => None,
        };
        if let Some(peer) = peer.filter(|peer| !self.knows_of(cluster, *peer)) {
            return Err(self.failed(broken(TensorRule::PeerMayNotRun { peer })));
        }
        let address = self.uniform(cluster, to, "address")?;
        let span = cluster.span(&[], address, space, 4, 4).map_err(|kind| self.failed(kind))?;
        if span.space != SHARED {
            return Err(self.failed(FindingKind::WrongSpace { address, expected: SHARED }));
        }
        let offer = Offer { rank, pair, count, site, thread, warp: self.number, granted: None };
        let Some((first, agent, time)) = cluster.allocate(peer, offer) else {
            let absent = peer.filter(|peer| cluster.offer_of(*peer).is_none());
            self.wait(lanes, |_| Wait::Columns { count, peer: absent });
            return Ok(Flow::Apart);
        };
        let threads = lanes_of(self.exists).map(|lane| self.thread(lane));
        cluster.clocks.learn_all(threads, agent, time);
        self.can_write(cluster, 0, span, 4)?;
        self.watch(cluster, 0, span, 4, (AccessKind::Write, TOGETHER), site, false);
        cluster.write(&mut [], span, 0, 4, first.into());
        self.park(active & lanes, self.at + 1);
        self.resume(lanes & !active);
        Ok(if lanes == active { Flow::Next } else { Flow::Apart })
    }

    /// Does anything say that another block of the cluster has begun?
    fn knows_of(&self, cluster: &Cluster<'_>, other: u32) -> bool {
        let threads = cluster.machine.warps() * WARP;
        let mut threads = other * threads..(other + 1) * threads;
        let rank = self.block.rank;
        cluster.rendezvous.met(rank) > 0 || threads.any(|thread| cluster.clocks.any_knows(rank, thread, 1))
    }

    fn deallocate(
        &mut self,
        cluster: &mut Cluster<'_>,
        address: Slot,
        columns: Slot,
        pair: bool,
    ) -> Result<(), LaneFinding> {
        let columns = self.count_of_columns(cluster, columns)?;
        let (_, column) = lane_and_column(self.uniform(cluster, address, "address")?);
        let (rank, site) = (self.block.rank, self.at);
        let found = |own: &&mut Columns| {
            (own.first, own.count, own.pair) == (column, columns, pair) && own.freed.is_none()
        };
        let memory = cluster.tensor_memory(rank);
        match memory.columns.iter_mut().find(found) {
            Some(own) => own.freed = Some(site),
            None => {
                let allocated = memory.live().map(|own| (own.first, own.first + own.count - 1)).collect();
                let rule = TensorRule::NotTheAllocation { column, columns, pair, allocated };
                return Err(self.failed(broken(rule)));
            }
        }
        let all = Rect { lane: 0, lanes: TENSOR_LANES, column, columns };
        self.watch_freed(cluster, rank, all);
        if pair {
            let peer = self.peer(cluster).map_err(|kind| self.failed(kind))?;
            // The peer may have given its own back before.
            if cluster.tensor_memory(peer).holds(column, columns).is_none() {
                self.hold(cluster, peer, column, columns).map_err(|kind| self.failed(kind))?;
            }
            self.watch_freed(cluster, peer, all);
        }
        cluster.engine.columns_freed = true;
        cluster.changes += 1;
        Ok(())
    }

    /// Looks for accesses of a block's columns that are given back, by threads and agents that the warp knows nothing of.
    fn watch_freed(&self, cluster: &mut Cluster<'_>, rank: u32, rect: Rect) {
        if !cluster.machine.launch.check_races {
            return;
        }
        let who = Who { site: self.at, ..self.who(cluster, SHARED, self.at, AccessKind::Write, TOGETHER) };
        let Some(memory) = &cluster.tensor[rank as usize] else { return };
        let race = cells(rect).find_map(|(cell, bytes)| {
            let race = memory.cells[cell].race(&who, u32::MAX, bytes, &cluster.clocks)?;
            Some((cell, bytes, race))
        });
        self.note_tensor_race(cluster, rank, &who, race);
    }

    pub(super) fn note_tensor_race(
        &self,
        cluster: &mut Cluster<'_>,
        rank: u32,
        who: &Who,
        race: Option<(usize, u8, Race)>,
    ) {
        let Some((cell, bytes, race)) = race else { return };
        let place = cluster.tensor_place(rank, place(cell, bytes & race.record.bytes));
        cluster.note_race(who, 0, place, 0, race);
    }

    /// Checks that columns of a block are allocated.
    pub(super) fn hold(
        &self,
        cluster: &mut Cluster<'_>,
        rank: u32,
        column: u32,
        columns: u32,
    ) -> Result<(), FindingKind> {
        let memory = cluster.tensor_memory(rank);
        let own = memory.holds(column, columns);
        let freed = match own {
            Some(Columns { freed: None, .. }) => return Ok(()),
            Some(Columns { freed, .. }) => freed,
            None => None,
        };
        let allocated = memory.live().map(|own| (own.first, own.first + own.count - 1)).collect();
        let freed = freed.map(|site| cluster.site(site).1);
        let peer = Some(rank).filter(|rank| *rank != self.block.rank);
        Err(broken(TensorRule::NotAllocated { column, columns, peer, allocated, freed }))
    }

    /// Checks that words of a block exist and are allocated.
    pub(super) fn reach_tensor(
        &self,
        cluster: &mut Cluster<'_>,
        rank: u32,
        rects: impl IntoIterator<Item = Rect>,
    ) -> Result<(), FindingKind> {
        let mut last = None;
        for rect in rects {
            let Rect { lane, lanes, column, columns } = rect;
            if !Cluster::is_tensor(rect) {
                return Err(broken(TensorRule::Outside { lane, lanes, column, columns }));
            }
            if last != Some((column, columns)) {
                self.hold(cluster, rank, column, columns)?;
                last = Some((column, columns));
            }
        }
        Ok(())
    }

    /// Notes what an agent does to words of a block's tensor memory.
    pub(super) fn watch_tensor(
        &self,
        cluster: &mut Cluster<'_>,
        rank: u32,
        rects: impl IntoIterator<Item = Rect>,
        acting: &Acting<'_>,
    ) {
        if !cluster.machine.launch.check_races {
            return;
        }
        let clocks = &cluster.clocks;
        let Some(memory) = &mut cluster.tensor[rank as usize] else { return };
        let (mut found, mut quiet) = (None, None);
        for (cell, bytes) in rects.into_iter().flat_map(cells) {
            let own = &mut memory.cells[cell];
            if found.is_none() {
                found = own.race_of(acting, bytes, clocks, &mut quiet).map(|race| (cell, bytes, race));
            }
            own.note_acting(acting, bytes);
        }
        self.note_tensor_race(cluster, rank, &acting.who, found);
    }

    /// What the lanes of the warp know.
    fn warp_view(&self, cluster: &Cluster<'_>) -> View {
        let warp = self.thread(0)..self.thread(0) + WARP;
        cluster.clocks.view_of_warps(std::iter::once(warp), cluster.machine.threads())
    }

    /// The words of a load or a store, in the order of the registers, and where it begins. Notes it.
    #[allow(clippy::type_complexity)]
    fn access_tensor<'s>(
        &self,
        cluster: &mut Cluster<'_>,
        shape: &'s TmemMove,
        address: Slot,
        offset: Option<Slot>,
        stores: bool,
    ) -> Result<impl Iterator<Item = usize> + use<'s>, LaneFinding> {
        let at = lane_and_column(self.uniform(cluster, address, "address")?);
        let offset = match offset {
            Some(slot) => self.uniform(cluster, slot, "offset")? as u32,
            None => 0,
        };
        let first = self.number % 4 * 32;
        let aligned = at.0 == first || shape.lanes() == 16 && at.0 == first + 16;
        if !aligned {
            let (warp, lane, lanes) = (self.number, at.0, shape.lanes());
            return Err(self.failed(broken(TensorRule::Lanes { warp, first, lane, lanes })));
        }
        let rank = self.block.rank;
        let touched: Vec<Rect> =
            shape.accesses(offset).into_iter().flat_map(rects).map(|rect| moved(rect, at)).collect();
        self.reach_tensor(cluster, rank, touched.iter().copied()).map_err(|kind| self.failed(kind))?;
        let time = cluster.clocks.act();
        let clocks = &mut cluster.clocks;
        let warps = &mut cluster.engine.tensor_warps;
        let own = warps.entry((self.thread(0), stores)).or_insert_with(|| {
            let agent = clocks.agent();
            TensorWarp { agent, time }
        });
        own.time = time;
        let agent = own.agent;
        let kind = if stores { AccessKind::TensorWrite } else { AccessKind::TensorRead };
        // Stores of a warp follow each other.
        let view = self.warp_view(cluster).knowing(&[agent]);
        let who = self.who(cluster, SHARED, self.at, kind, Reach::default());
        let acting = Acting { who, lane: 0, agent, time, view: &view, needs: Needs::Order };
        self.watch_tensor(cluster, rank, touched, &acting);
        let base = word(at.0, at.1);
        Ok(shape.places(offset).map(move |(lane, column)| base + word(lane, column)))
    }

    fn load_tensor(
        &mut self,
        cluster: &mut Cluster<'_>,
        shape: &TmemMove,
        address: Slot,
        offset: Option<Slot>,
        registers: &[Piece],
    ) -> Result<(), LaneFinding> {
        let mut places = self.access_tensor(cluster, shape, address, offset, false)?;
        let (rank, at) = (self.block.rank, self.at);
        let memory = cluster.tensor_memory(rank);
        for piece in registers {
            let (mut value, mut unknown): (Lanes, _) = ([0; 32], 0u32);
            let mut origin = None;
            for (lane, register) in value.iter_mut().enumerate() {
                for (part, place) in places.by_ref().take(shape.parts()).enumerate() {
                    let bits = memory.read(place);
                    *register |= match shape.parts() {
                        1 => u64::from(bits),
                        _ => u64::from(bits & 0xffff) << (16 * part),
                    };
                    if !memory.is_written(place) {
                        unknown |= 1 << lane;
                        origin.get_or_insert(place as u32);
                    }
                }
            }
            self.set(piece.slot, u32::MAX, &value, 0);
            if let Some(place) = origin {
                let (lane, column) = (place / word(1, 0) as u32, place % word(1, 0) as u32);
                let origin = Origin::Tensor { read: at, lane, column };
                for lane in lanes_of(unknown) {
                    self.set_unknown(piece.slot, lane, Some(Unknown { origin, bits: u64::MAX }));
                }
            }
        }
        Ok(())
    }

    fn store_tensor(
        &mut self,
        cluster: &mut Cluster<'_>,
        shape: &TmemMove,
        address: Slot,
        offset: Option<Slot>,
        registers: &[Piece],
    ) -> Result<(), LaneFinding> {
        registers.iter().for_each(|piece| self.note_read(piece.slot, self.exists));
        let mut places = self.access_tensor(cluster, shape, address, offset, true)?;
        let rank = self.block.rank;
        let memory = cluster.tensor_memory(rank);
        for piece in registers {
            let undefined = self.undefined_in(piece.slot);
            for (lane, value) in self.get(piece.slot).iter().enumerate() {
                let written = undefined >> lane & 1 == 0;
                for (part, place) in places.by_ref().take(shape.parts()).enumerate() {
                    let bits = match shape.parts() {
                        1 => *value as u32,
                        _ => (*value >> (16 * part)) as u32 & 0xffff,
                    };
                    memory.write(place, bits, written);
                }
            }
        }
        cluster.changes += 1;
        Ok(())
    }
}

impl Cluster<'_> {
    /// A word of a block's tensor memory, as a finding names it.
    fn tensor_place(&self, rank: u32, (lane, column): (u32, u32)) -> Place {
        let memory = self.tensor[rank as usize].as_ref();
        let own = memory.and_then(|memory| memory.holds(column, 1));
        let location = own.map_or_else(String::new, |own| self.site(own.site).1);
        let place = Place::Tensor { lane, column, location };
        if rank == self.block.rank { place } else { Place::OfBlock { rank, place: Box::new(place) } }
    }

    /// Columns that a block still has when it returns.
    pub(crate) fn leaked(&self, rank: u32) -> Option<Stop> {
        let own = self.tensor[rank as usize].as_ref()?.live().next()?;
        let rule = TensorRule::Leak { column: own.first, columns: own.count };
        Some((own.site, own.thread, broken(rule)))
    }
}
