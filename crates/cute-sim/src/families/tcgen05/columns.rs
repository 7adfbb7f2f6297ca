//! Columns of tensor memory, which warps allocate and free.

use super::access::{TOGETHER, failed, hold, note_tensor_race, peer_of, uniform};
use super::queue::Offer;
use super::unwaited::{is_over, remark_over};
use super::words::{broken, lane_and_column};
use crate::events::Event;
use crate::finding::{AccessKind, FindingKind, LaneFinding, TensorRule};
use crate::lanes::lanes_of;
use crate::machine::WARP;
use crate::machine::cluster::Stop;
use crate::machine::issuer::Issuer;
use crate::machine::issuing::{Issuing, Stopping};
use crate::machine::parts::TensorParts;
use crate::machine::warp::{Flow, Wait};
use crate::memory::address::{SHARED, parts};
use crate::memory::tensor::{Columns, TensorMemories, cells};
use crate::program::Slot;
use crate::race::{Reach, Who};
use crate::tensor::tmem::{Rect, TENSOR_LANES};
use cute_arch::tmem::check_columns;

fn count_of_columns(lent: &TensorParts<'_, '_>, own: &Issuing<'_>, slot: Slot) -> Result<u32, LaneFinding> {
    let columns = uniform(lent, own, slot, "number of columns")?;
    let valid = i64::try_from(columns).ok().filter(|n| check_columns(*n).is_ok());
    valid.map(|n| n as u32).ok_or_else(|| failed(&own.issuer, broken(TensorRule::Count { columns })))
}

pub(super) fn allocate(
    lent: &mut TensorParts<'_, '_>,
    warp: &mut Stopping<'_>,
    (to, space): (Slot, u32),
    columns: Slot,
    pair: bool,
) -> Result<Flow, LaneFinding> {
    let Stopping { lanes: all, own } = warp;
    let (issuer, active) = (&own.issuer, own.issuer.lanes);
    let groups = all.gather(own.registers, lent.parts.machine().kernel, None, active, 0)?;
    let Some(lanes) = groups.first().copied() else { return Ok(Flow::Apart) };
    let count = count_of_columns(lent, own, columns)?;
    let (rank, site, thread) = (issuer.block.rank, issuer.site, issuer.thread(0));
    if let Some(at) = lent.tensor.of(rank).relinquished {
        let location = lent.parts.scene().site(at).1;
        return Err(failed(issuer, broken(TensorRule::AfterRelinquish { location })));
    }
    let peer = match pair {
        true => Some(peer_of(lent, issuer).map_err(|kind| failed(issuer, kind))?),
        false => None,
    };
    // A warp that waits for columns executes the instruction again.
    let waits = lent.parts.engine.cores.offers.iter().any(|offer| offer.thread == thread);
    if let Some(peer) = peer.filter(|peer| !waits && !lent.parts.clocks.knows_block(rank, *peer)) {
        lent.parts.journal.remark(site, thread, broken(TensorRule::PeerMayNotRun { peer }));
    }
    let address = uniform(lent, own, to, "address")?;
    let is_shared = |space: u32| parts(address, space).is_ok_and(|parts| parts.space == SHARED);
    let is_generic = space == SHARED && !is_shared(SHARED) && is_shared(0);
    if is_generic {
        lent.parts.journal.remark(site, thread, broken(TensorRule::GenericAddress { address }));
    }
    let space = if is_generic { 0 } else { space };
    let span = lent.parts.span(&[], address, space, 4, 4).map_err(|kind| failed(issuer, kind))?;
    if span.space != SHARED {
        return Err(failed(issuer, FindingKind::WrongSpace { address, expected: SHARED }));
    }
    let offer = Offer { rank, pair, count, site, thread, warp: issuer.warp, granted: None };
    // Blocks may allocate with several warps, in any order.
    let differs = |other: &Offer| other.warp == issuer.warp && other.count != count;
    if let Some(other) = peer.and_then(|peer| offer_of(lent, peer, differs)) {
        let Offer { rank: peer, count: other, site, .. } = lent.parts.engine.cores.offers[other];
        let location = lent.parts.scene().site(site).1;
        return Err(failed(
            issuer,
            broken(TensorRule::PairDiffers { columns: count, peer, other, location }),
        ));
    }
    let Some((first, agent, time)) = grant(lent, peer, offer) else {
        let absent = peer.filter(|peer| offer_of(lent, *peer, |other| other.count == count).is_none());
        all.wait(lanes, |_| Wait::Columns { count, peer: absent });
        return Ok(Flow::Apart);
    };
    let threads = lanes_of(issuer.exists).map(|lane| issuer.thread(lane));
    lent.parts.clocks.learn_all(threads, agent, time);
    let now = lent.parts.clocks.now();
    lent.tensor.of(rank).returns(thread, now);
    lent.parts.can_write((issuer, 0), span, 4)?;
    lent.parts.watch(own.registers, (issuer, 0), (span, 4), (AccessKind::Write, TOGETHER), None);
    lent.parts.write(&mut [], span, 0, 4, first.into());
    all.park(active & lanes, issuer.site + 1);
    all.resume(lanes & !active);
    Ok(if lanes == active { Flow::Next } else { Flow::Apart })
}

pub(super) fn deallocate(
    lent: &mut TensorParts<'_, '_>,
    own: &Issuing<'_>,
    address: Slot,
    columns: Slot,
    pair: bool,
) -> Result<(), LaneFinding> {
    let columns = count_of_columns(lent, own, columns)?;
    let (_, column) = lane_and_column(uniform(lent, own, address, "address")?);
    let (rank, site) = (own.issuer.block.rank, own.issuer.site);
    let found = |own: &&mut Columns| {
        (own.first, own.count, own.pair) == (column, columns, pair) && own.freed.is_none()
    };
    let memory = lent.tensor.of(rank);
    match memory.columns.iter_mut().find(found) {
        Some(own) => own.freed = Some(site),
        None => {
            let allocated = memory.live().map(|own| (own.first, own.first + own.count - 1)).collect();
            let rule = TensorRule::NotTheAllocation { column, columns, pair, allocated };
            return Err(failed(&own.issuer, broken(rule)));
        }
    }
    let all = Rect { lane: 0, lanes: TENSOR_LANES, column, columns };
    watch_freed(lent, &own.issuer, rank, all);
    if pair {
        let peer = peer_of(lent, &own.issuer).map_err(|kind| failed(&own.issuer, kind))?;
        // The peer may have freed its own columns before.
        if lent.tensor.of(peer).holds(column, columns).is_none() {
            hold(lent, &own.issuer, peer, column, columns).map_err(|kind| failed(&own.issuer, kind))?;
        }
        watch_freed(lent, &own.issuer, peer, all);
        know_allocation(lent, &own.issuer, peer, column).map_err(|kind| failed(&own.issuer, kind))?;
    }
    tell_columns(lent, rank);
    lent.parts.engine.cores.columns_freed = true;
    lent.parts.journal.changes(1);
    Ok(())
}

/// Checks that the warp knows that its peer has returned from the allocation of these columns.
/// One block's allocation may be over while the other's is not, and B300 fails if the columns
/// are freed then (NVIDIA/cutlass issue 3435).
fn know_allocation(
    lent: &TensorParts<'_, '_>,
    issuer: &Issuer,
    peer: u32,
    column: u32,
) -> Result<(), FindingKind> {
    let memory = lent.tensor.get(peer);
    let Some(own) = memory.and_then(|memory| memory.holds(column, 1)) else { return Ok(()) };
    let knows = |time: u32| {
        let mut lanes = lanes_of(issuer.exists).map(|lane| issuer.thread(lane));
        time < lent.parts.clocks.met(issuer.block.rank)
            || lanes.any(|thread| lent.parts.clocks.knows_read(thread, own.thread, time))
    };
    if own.returned.is_some_and(knows) {
        return Ok(());
    }
    Err(broken(TensorRule::PeerMayAllocate { peer, location: lent.parts.scene().site(own.site).1 }))
}

/// Checks for accesses to a block's freed columns by threads and agents that the warp has not
/// synchronised with.
fn watch_freed(lent: &mut TensorParts<'_, '_>, issuer: &Issuer, rank: u32, rect: Rect) {
    if !lent.parts.machine().launch.check_races {
        return;
    }
    let who = issuer.who(lent.parts.scene(), SHARED, AccessKind::Write, TOGETHER);
    let Some(memory) = lent.tensor.get(rank) else { return };
    let (clocks, first) = (&*lent.parts.clocks, issuer.first);
    let knows = |agent, time| (first..first + WARP).any(|thread| clocks.knows_over(thread, agent, time));
    let mut over = None;
    let race = cells(rect).find_map(|(cell, bytes)| {
        let mut races = memory.cells[cell].races(&who, u32::MAX, bytes, clocks);
        let race = races.find(|race| !is_over(lent.parts.engine, race, first, knows, &mut over))?;
        Some((cell, bytes, race))
    });
    note_tensor_race(lent, rank, &who, race);
    remark_over(lent, issuer, over);
}

/// Allocates the columns that a warp waits for, once enough are free and, for a pair, the peer
/// waits for them too. Returns the first column, and the agent and the time of the allocation.
pub(super) fn grant(
    lent: &mut TensorParts<'_, '_>,
    peer: Option<u32>,
    offer: Offer,
) -> Option<(u32, u32, u32)> {
    let own = lent.parts.engine.cores.offers.iter().position(|known| known.thread == offer.thread);
    let own = own.unwrap_or_else(|| {
        lent.parts.journal.changes(1);
        lent.parts.engine.cores.offers.push(offer);
        lent.parts.engine.cores.offers.len() - 1
    });
    if let Some(granted) = lent.parts.engine.cores.offers[own].granted {
        lent.parts.engine.cores.offers.remove(own);
        return Some(granted);
    }
    let other = match peer {
        Some(peer) => Some(offer_of(lent, peer, |other| other.count == offer.count)?),
        None => None,
    };
    let both: Vec<usize> = [Some(own), other].into_iter().flatten().collect();
    let has_room = |i: &usize| {
        let Offer { rank, count, .. } = lent.parts.engine.cores.offers[*i];
        lent.tensor.get(rank).is_none_or(|memory| memory.room(count).is_some())
    };
    if !both.iter().all(has_room) {
        return None;
    }
    let (agent, time) = (lent.parts.clocks.agent(), lent.parts.clocks.act());
    for i in both {
        let Offer { rank, count, site, thread, warp, .. } = lent.parts.engine.cores.offers[i];
        let first = lent.tensor.of(rank).allocate(count, site, thread, peer.is_some())?;
        let block = lent.parts.machine().block_id(lent.parts.scene().number(), rank).number;
        let (kind, reach) = (AccessKind::Write, Reach::default());
        let who = Who { block, rank, warp, site, kind, alone: false, reach, updates: false };
        let all = Rect { lane: 0, lanes: TENSOR_LANES, column: first, columns: count };
        let memory = lent.tensor.of(rank);
        for (cell, bytes) in cells(all) {
            memory.cells[cell].note_agent(&who, 1, bytes, (agent, time));
        }
        lent.parts.engine.cores.offers[i].granted = Some((first, agent, time));
        tell_columns(lent, rank);
    }
    lent.parts.journal.changes(1);
    // The peer continues.
    lent.parts.engine.cores.columns_freed |= peer.is_some();
    lent.parts.engine.cores.offers.remove(own).granted
}

/// Tells how many columns of tensor memory a block has.
fn tell_columns(lent: &mut TensorParts<'_, '_>, rank: u32) {
    let memory = lent.tensor.get(rank);
    lent.parts.journal.tell(|_| {
        let allocated = memory.map_or(0, |memory| memory.live().map(|own| own.count).sum());
        Event::Columns { rank, allocated }
    });
}

/// A warp of a block that waits for columns together with a warp of its peer.
pub(super) fn offer_of(
    lent: &TensorParts<'_, '_>,
    rank: u32,
    is_it: impl Fn(&Offer) -> bool,
) -> Option<usize> {
    let waits = |offer: &Offer| offer.rank == rank && offer.pair && offer.granted.is_none();
    lent.parts.engine.cores.offers.iter().position(|offer| waits(offer) && is_it(offer))
}

/// Columns that a block has not freed when it returns.
pub(crate) fn leaked(tensor: &TensorMemories, rank: u32) -> Option<Stop> {
    let own = tensor.get(rank)?.live().next()?;
    let rule = TensorRule::Leak { column: own.first, columns: own.count };
    Some((own.site, own.thread, broken(rule)))
}
