//! Columns of tensor memory, which warps allocate and free.

use super::access::TOGETHER;
use super::queue::Offer;
use super::unwaited::is_over;
use super::words::{broken, lane_and_column};
use crate::finding::{AccessKind, FindingKind, LaneFinding, TensorRule};
use crate::lanes::lanes_of;
use crate::machine::WARP;
use crate::machine::cluster::{Cluster, Stop};
use crate::machine::warp::{Flow, Wait, Warp};
use crate::memory::address::{SHARED, parts};
use crate::memory::tensor::{Columns, cells};
use crate::program::Slot;
use crate::race::{Reach, Who};
use crate::tensor::tmem::{Rect, TENSOR_LANES};
use cute_arch::tmem::check_columns;

impl Warp {
    fn count_of_columns(&self, cluster: &Cluster<'_>, slot: Slot) -> Result<u32, LaneFinding> {
        let columns = self.uniform(cluster, slot, "number of columns")?;
        let valid = i64::try_from(columns).ok().filter(|n| check_columns(*n).is_ok());
        valid.map(|n| n as u32).ok_or_else(|| self.failed(broken(TensorRule::Count { columns })))
    }

    pub(super) fn allocate(
        &mut self,
        cluster: &mut Cluster<'_>,
        (to, space): (Slot, u32),
        columns: Slot,
        pair: bool,
        active: u32,
    ) -> Result<Flow, LaneFinding> {
        let groups = self.gather(cluster, None, active, 0)?;
        let Some(lanes) = groups.first().copied() else { return Ok(Flow::Apart) };
        let count = self.count_of_columns(cluster, columns)?;
        let (rank, site, thread) = (self.block().rank, self.lanes.at(), self.thread(0));
        if let Some(at) = cluster.tensor_memory(rank).relinquished {
            let location = cluster.scene().site(at).1;
            return Err(self.failed(broken(TensorRule::AfterRelinquish { location })));
        }
        let peer = match pair {
            true => Some(self.peer(cluster).map_err(|kind| self.failed(kind))?),
            false => None,
        };
        // A warp that waits for columns executes the instruction again.
        let waits = cluster.engine.cores.offers.iter().any(|offer| offer.thread == thread);
        if let Some(peer) = peer.filter(|peer| !waits && !cluster.clocks.knows_block(rank, *peer)) {
            cluster.journal.remark(site, thread, broken(TensorRule::PeerMayNotRun { peer }));
        }
        let address = self.uniform(cluster, to, "address")?;
        let is_shared = |space: u32| parts(address, space).is_ok_and(|parts| parts.space == SHARED);
        let is_generic = space == SHARED && !is_shared(SHARED) && is_shared(0);
        if is_generic {
            cluster.journal.remark(site, thread, broken(TensorRule::GenericAddress { address }));
        }
        let space = if is_generic { 0 } else { space };
        let span = cluster.span(&[], address, space, 4, 4).map_err(|kind| self.failed(kind))?;
        if span.space != SHARED {
            return Err(self.failed(FindingKind::WrongSpace { address, expected: SHARED }));
        }
        let offer = Offer { rank, pair, count, site, thread, warp: self.number(), granted: None };
        // Blocks may allocate with several warps, in any order.
        let differs = |other: &Offer| other.warp == self.number() && other.count != count;
        if let Some(other) = peer.and_then(|peer| cluster.offer_of(peer, differs)) {
            let Offer { rank: peer, count: other, site, .. } = cluster.engine.cores.offers[other];
            let location = cluster.scene().site(site).1;
            return Err(self.failed(broken(TensorRule::PairDiffers {
                columns: count,
                peer,
                other,
                location,
            })));
        }
        let Some((first, agent, time)) = cluster.allocate(peer, offer) else {
            let absent = peer.filter(|peer| cluster.offer_of(*peer, |other| other.count == count).is_none());
            self.lanes.wait(lanes, |_| Wait::Columns { count, peer: absent });
            return Ok(Flow::Apart);
        };
        let threads = lanes_of(self.lanes.exists()).map(|lane| self.thread(lane));
        cluster.clocks.learn_all(threads, agent, time);
        let now = cluster.clocks.now();
        cluster.tensor_memory(rank).returns(thread, now);
        self.can_write(cluster, 0, span, 4)?;
        self.watch(cluster, 0, span, 4, (AccessKind::Write, TOGETHER), site, None);
        cluster.write(&mut [], span, 0, 4, first.into());
        self.lanes.park(active & lanes, self.lanes.at() + 1);
        self.lanes.resume(lanes & !active);
        Ok(if lanes == active { Flow::Next } else { Flow::Apart })
    }

    pub(super) fn deallocate(
        &mut self,
        cluster: &mut Cluster<'_>,
        address: Slot,
        columns: Slot,
        pair: bool,
    ) -> Result<(), LaneFinding> {
        let columns = self.count_of_columns(cluster, columns)?;
        let (_, column) = lane_and_column(self.uniform(cluster, address, "address")?);
        let (rank, site) = (self.block().rank, self.lanes.at());
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
            // The peer may have freed its own columns before.
            if cluster.tensor_memory(peer).holds(column, columns).is_none() {
                self.hold(cluster, peer, column, columns).map_err(|kind| self.failed(kind))?;
            }
            self.watch_freed(cluster, peer, all);
            self.know_allocation(cluster, peer, column).map_err(|kind| self.failed(kind))?;
        }
        cluster.tell_columns(rank);
        cluster.engine.cores.columns_freed = true;
        cluster.journal.changes(1);
        Ok(())
    }

    /// Checks that the warp knows that its peer has returned from the allocation of these columns.
    /// One block's allocation may be over while the other's is not, and B300 fails if the columns
    /// are freed then (NVIDIA/cutlass issue 3435).
    fn know_allocation(&self, cluster: &Cluster<'_>, peer: u32, column: u32) -> Result<(), FindingKind> {
        let memory = cluster.tensor[peer as usize].as_ref();
        let Some(own) = memory.and_then(|memory| memory.holds(column, 1)) else { return Ok(()) };
        let knows = |time: u32| {
            let mut lanes = lanes_of(self.lanes.exists()).map(|lane| self.thread(lane));
            time < cluster.clocks.met(self.block().rank)
                || lanes.any(|thread| cluster.clocks.knows_read(thread, own.thread, time))
        };
        if own.returned.is_some_and(knows) {
            return Ok(());
        }
        Err(broken(TensorRule::PeerMayAllocate { peer, location: cluster.scene().site(own.site).1 }))
    }

    /// Checks for accesses to a block's freed columns by threads and agents that the warp has not
    /// synchronised with.
    fn watch_freed(&self, cluster: &mut Cluster<'_>, rank: u32, rect: Rect) {
        if !cluster.machine.launch.check_races {
            return;
        }
        let who = Who {
            site: self.lanes.at(),
            ..self.who(cluster, SHARED, self.lanes.at(), AccessKind::Write, TOGETHER)
        };
        let Some(memory) = &cluster.tensor[rank as usize] else { return };
        let (clocks, first) = (&cluster.clocks, self.thread(0));
        let knows = |agent, time| (first..first + WARP).any(|thread| clocks.knows_over(thread, agent, time));
        let mut over = None;
        let race = cells(rect).find_map(|(cell, bytes)| {
            let mut races = memory.cells[cell].races(&who, u32::MAX, bytes, clocks);
            let race = races.find(|race| !is_over(&cluster.engine, race, first, knows, &mut over))?;
            Some((cell, bytes, race))
        });
        self.note_tensor_race(cluster, rank, &who, race);
        self.remark_over(cluster, over);
    }
}

impl Cluster<'_> {
    /// Allocates the columns that a warp waits for, once enough are free and, for a pair, the peer
    /// waits for them too. Returns the first column, and the agent and the time of the allocation.
    pub(super) fn allocate(&mut self, peer: Option<u32>, offer: Offer) -> Option<(u32, u32, u32)> {
        let own = self.engine.cores.offers.iter().position(|known| known.thread == offer.thread);
        let own = own.unwrap_or_else(|| {
            self.journal.changes(1);
            self.engine.cores.offers.push(offer);
            self.engine.cores.offers.len() - 1
        });
        if let Some(granted) = self.engine.cores.offers[own].granted {
            self.engine.cores.offers.remove(own);
            return Some(granted);
        }
        let other = match peer {
            Some(peer) => Some(self.offer_of(peer, |other| other.count == offer.count)?),
            None => None,
        };
        let both: Vec<usize> = [Some(own), other].into_iter().flatten().collect();
        let has_room = |i: &usize| {
            let Offer { rank, count, .. } = self.engine.cores.offers[*i];
            self.tensor[rank as usize].as_ref().is_none_or(|memory| memory.room(count).is_some())
        };
        if !both.iter().all(has_room) {
            return None;
        }
        let (agent, time) = (self.clocks.agent(), self.clocks.act());
        for i in both {
            let Offer { rank, count, site, thread, warp, .. } = self.engine.cores.offers[i];
            let first = self.tensor_memory(rank).allocate(count, site, thread, peer.is_some())?;
            let block = self.machine.block_id(self.scene().number(), rank).number;
            let (kind, reach) = (AccessKind::Write, Reach::default());
            let who = Who { block, rank, warp, site, kind, alone: false, reach, updates: false };
            let all = Rect { lane: 0, lanes: TENSOR_LANES, column: first, columns: count };
            let memory = self.tensor_memory(rank);
            for (cell, bytes) in cells(all) {
                memory.cells[cell].note_agent(&who, 1, bytes, (agent, time));
            }
            self.engine.cores.offers[i].granted = Some((first, agent, time));
            self.tell_columns(rank);
        }
        self.journal.changes(1);
        // The peer continues.
        self.engine.cores.columns_freed |= peer.is_some();
        self.engine.cores.offers.remove(own).granted
    }

    /// A warp of a block that waits for columns together with a warp of its peer.
    pub(super) fn offer_of(&self, rank: u32, is_it: impl Fn(&Offer) -> bool) -> Option<usize> {
        let waits = |offer: &Offer| offer.rank == rank && offer.pair && offer.granted.is_none();
        self.engine.cores.offers.iter().position(|offer| waits(offer) && is_it(offer))
    }

    /// Columns that a block has not freed when it returns.
    pub(crate) fn leaked(&self, rank: u32) -> Option<Stop> {
        let own = self.tensor[rank as usize].as_ref()?.live().next()?;
        let rule = TensorRule::Leak { column: own.first, columns: own.count };
        Some((own.site, own.thread, broken(rule)))
    }
}
