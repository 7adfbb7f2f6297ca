//! Loads and stores of tensor memory by warps.

use super::queue::TensorWarp;
use super::unwaited::{follow_tensor, is_over, remark_over};
use super::words::{broken, lane_and_column, moved};
use crate::engine::Engine;
use crate::finding::{AccessKind, FindingKind, LaneFinding, Place, TensorRule};
use crate::lanes::{Lanes, lanes_of};
use crate::machine::WARP;
use crate::machine::issuer::Issuer;
use crate::machine::issuing::Issuing;
use crate::machine::parts::TensorParts;
use crate::memory::address::SHARED;
use crate::memory::tensor::{ALL_BYTES, Columns, cells, place, word};
use crate::program::{Piece, Slot};
use crate::race::{Acting, Needs, Race, Reach, Scope, View, Who};
use crate::registers::unknown::{Origin, Unknown};
use crate::tensor::TmemMove;
use crate::tensor::tmem::{Rect, TENSOR_COLUMNS, TENSOR_LANES, rects};

/// The reach of accesses that all lanes of a warp make together.
pub(super) const TOGETHER: Reach = Reach { width: 0, scope: Scope::Warp };

/// The bits of these bytes.
fn bits_of(bytes: u8) -> u64 {
    (0..4).filter(|byte| bytes >> byte & 1 != 0).map(|byte| 0xff << (8 * byte)).sum()
}

/// The bytes of a word without the bits that are undefined.
fn defined_bytes(undefined: u32) -> u8 {
    (0..4).filter(|byte| undefined >> (8 * byte) & 0xff == 0).map(|byte| 1 << byte).sum()
}

/// The value of a register that all threads of the warp pass alike.
pub(super) fn uniform(
    lent: &TensorParts<'_, '_>,
    own: &Issuing<'_>,
    slot: Slot,
    operand: &'static str,
) -> Result<u64, LaneFinding> {
    own.registers.defined(lent.parts.machine().kernel, slot, own.issuer.exists, operand)?;
    let values = own.registers.get(slot);
    match lanes_of(own.issuer.exists).find(|lane| values[*lane as usize] != values[0]) {
        None => Ok(values[0]),
        Some(lane) => {
            let (one, other) = (values[0], values[lane as usize]);
            let operand = operand.to_owned();
            Err(LaneFinding { lane, kind: broken(TensorRule::Differs { operand, one, other }) })
        }
    }
}

pub(super) fn failed(issuer: &Issuer, kind: FindingKind) -> LaneFinding {
    LaneFinding { lane: issuer.exists.trailing_zeros(), kind }
}

/// The rank of the other block of the pair.
pub(super) fn peer_of(lent: &TensorParts<'_, '_>, issuer: &Issuer) -> Result<u32, FindingKind> {
    let (rank, blocks) = (issuer.block.rank, lent.parts.machine().cluster_blocks());
    let peer = Some(rank ^ 1).filter(|peer| *peer < blocks);
    peer.ok_or_else(|| broken(TensorRule::NoPeer { rank, blocks }))
}

pub(super) fn note_tensor_race(
    lent: &mut TensorParts<'_, '_>,
    rank: u32,
    who: &Who,
    race: Option<(usize, u8, Race)>,
) {
    let Some((cell, bytes, race)) = race else { return };
    let place = tensor_place(lent, rank, place(cell, bytes & race.record.bytes));
    lent.parts.note_race((who, 0), (place, 0), race);
}

/// Checks that columns of a block are allocated.
pub(super) fn hold(
    lent: &mut TensorParts<'_, '_>,
    issuer: &Issuer,
    rank: u32,
    column: u32,
    columns: u32,
) -> Result<(), FindingKind> {
    let memory = lent.tensor.of(rank);
    let own = memory.holds(column, columns);
    let freed = match own {
        Some(Columns { freed: None, .. }) => return Ok(()),
        Some(Columns { freed, .. }) => freed,
        None => None,
    };
    let allocated = memory.live().map(|own| (own.first, own.first + own.count - 1)).collect();
    let freed = freed.map(|site| lent.parts.scene().site(site).1);
    let peer = Some(rank).filter(|rank| *rank != issuer.block.rank);
    Err(broken(TensorRule::NotAllocated { column, columns, peer, allocated, freed }))
}

/// Checks that words of a block exist and are allocated.
pub(super) fn reach_tensor(
    lent: &mut TensorParts<'_, '_>,
    issuer: &Issuer,
    rank: u32,
    rects: impl IntoIterator<Item = Rect>,
) -> Result<(), FindingKind> {
    let mut last = None;
    for rect in rects {
        let Rect { lane, lanes, column, columns } = rect;
        if lane + lanes > TENSOR_LANES || column + columns > TENSOR_COLUMNS {
            return Err(broken(TensorRule::Outside { lane, lanes, column, columns }));
        }
        if last != Some((column, columns)) {
            hold(lent, issuer, rank, column, columns)?;
            last = Some((column, columns));
        }
    }
    Ok(())
}

/// Records the access of an agent to words of a block's tensor memory.
pub(super) fn watch_tensor(
    lent: &mut TensorParts<'_, '_>,
    issuer: &Issuer,
    rank: u32,
    rects: impl IntoIterator<Item = Rect>,
    acting: &Acting<'_>,
) {
    if !lent.parts.machine().launch.check_races {
        return;
    }
    let (clocks, engine) = (&*lent.parts.clocks, &*lent.parts.engine);
    let Some(memory) = lent.tensor.get_mut(rank) else { return };
    let (mut found, mut quiet) = (None, None);
    let (mut lacking, mut fenced) = (None, None);
    let mut over = None;
    for (cell, bytes) in rects.into_iter().flat_map(cells) {
        let own = &mut memory.cells[cell];
        if found.is_none() {
            let knows = |agent, time| acting.view.orders(agent, time);
            found = own
                .race_of(acting, bytes, clocks, &mut quiet, |race| {
                    is_over(engine, race, issuer.thread(acting.lane), knows, &mut over)
                })
                .map(|race| (cell, bytes, race));
        }
        if lacking.is_none() {
            let race = own.lacks_fence(acting, bytes, (clocks, &engine.tensor_order), &mut fenced);
            lacking = race.map(|race| (cell, bytes, race));
        }
        own.note_acting(acting, bytes);
    }
    note_tensor_race(lent, rank, &acting.who, found.or(lacking));
    remark_over(lent, issuer, over);
}

/// The knowledge of the warp's lanes.
fn warp_view(lent: &TensorParts<'_, '_>, issuer: &Issuer) -> View {
    let warp = issuer.first..issuer.first + WARP;
    lent.parts.clocks.view_of_warps(std::iter::once(warp), lent.parts.machine().threads())
}

/// The words of a load or a store, in the order of the registers, and its start. Records the
/// access.
#[allow(clippy::type_complexity)]
fn access_tensor<'s>(
    lent: &mut TensorParts<'_, '_>,
    own: &Issuing<'_>,
    shape: &'s TmemMove,
    address: Slot,
    offset: Option<Slot>,
    stores: bool,
) -> Result<impl Iterator<Item = usize> + use<'s>, LaneFinding> {
    let (lane, column) = lane_and_column(uniform(lent, own, address, "address")?);
    let offset = match offset {
        Some(slot) => uniform(lent, own, slot, "offset")? as u32,
        None => 0,
    };
    let (warp, first, within) = (own.issuer.warp, own.issuer.warp % 4 * WARP, lane % WARP);
    if within != 0 && (shape.lanes(), within) != (16, 16) {
        return Err(failed(&own.issuer, broken(TensorRule::Lanes { lane, lanes: shape.lanes() })));
    }
    // Devices take the other bits of the lane from the number of the warp.
    let at = (first + within, column);
    if lane != at.0 {
        let rule = broken(TensorRule::LanesOfAnother { warp, lane, own: at.0 });
        lent.parts.journal.remark(own.issuer.site, own.issuer.thread(0), rule);
    }
    let rank = own.issuer.block.rank;
    let touched: Vec<Rect> =
        shape.accesses(offset).into_iter().flat_map(rects).map(|rect| moved(rect, at)).collect();
    reach_tensor(lent, &own.issuer, rank, touched.iter().copied())
        .map_err(|kind| failed(&own.issuer, kind))?;
    let time = lent.parts.clocks.act();
    let clocks = &mut *lent.parts.clocks;
    let Engine { cores, tensor_order, .. } = &mut *lent.parts.engine;
    let issuer = &own.issuer;
    let own = cores.warps.entry((issuer.first, stores)).or_insert_with(|| {
        let agent = tensor_order.agent(clocks);
        TensorWarp { agent, ..TensorWarp::default() }
    });
    own.time = time;
    if !stores && lent.parts.journal.machine().follows(issuer.site) {
        own.unused.insert(time, issuer.site);
    }
    let agent = own.agent;
    let kind = if stores { AccessKind::TensorWrite } else { AccessKind::TensorRead };
    // Stores of a warp follow each other.
    let view = warp_view(lent, issuer).knowing(&[agent]);
    let who = issuer.who(lent.parts.scene(), SHARED, kind, Reach::default());
    let acting = Acting { who, lane: 0, agent, time, view: &view, needs: Needs::Order };
    watch_tensor(lent, issuer, rank, touched, &acting);
    let base = word(at.0, at.1);
    Ok(shape.places(offset).map(move |(lane, column)| base + word(lane, column)))
}

pub(super) fn load_tensor(
    lent: &mut TensorParts<'_, '_>,
    own: &mut Issuing<'_>,
    shape: &TmemMove,
    address: Slot,
    offset: Option<Slot>,
    registers: &[Piece],
) -> Result<(), LaneFinding> {
    let mut places = access_tensor(lent, own, shape, address, offset, false)?;
    let (rank, at) = (own.issuer.block.rank, own.issuer.site);
    let is_followed = lent.parts.machine().follows(at);
    let memory = lent.tensor.of(rank);
    for piece in registers {
        let (mut value, mut unknown): (Lanes, Lanes) = ([0; WARP as usize], [0; WARP as usize]);
        let mut origin = None;
        for (lane, register) in value.iter_mut().enumerate() {
            for (part, place) in places.by_ref().take(shape.parts()).enumerate() {
                let bits = memory.read(place);
                *register |= match shape.parts() {
                    1 => u64::from(bits),
                    _ => u64::from(bits & 0xffff) << (16 * part),
                };
                let missing = bits_of(ALL_BYTES & !memory.defined(place));
                if missing != 0 {
                    unknown[lane] |= match shape.parts() {
                        1 => missing,
                        _ => (missing & 0xffff) << (16 * part),
                    };
                    origin.get_or_insert(place as u32);
                }
            }
        }
        own.registers.set(piece.slot, u32::MAX, &value, 0);
        if is_followed {
            follow_tensor(own, piece.slot);
        }
        if let Some(place) = origin {
            let (lane, column) = (place / word(1, 0) as u32, place % word(1, 0) as u32);
            let origin = Origin::Tensor { read: at, lane, column };
            for (lane, bits) in (0..).zip(unknown).filter(|(_, bits)| *bits != 0) {
                own.registers.set_unknown(piece.slot, lane, Some(Unknown { origin, bits }));
            }
        }
    }
    Ok(())
}

pub(super) fn store_tensor(
    lent: &mut TensorParts<'_, '_>,
    own: &mut Issuing<'_>,
    shape: &TmemMove,
    address: Slot,
    offset: Option<Slot>,
    registers: &[Piece],
) -> Result<(), LaneFinding> {
    registers.iter().for_each(|piece| {
        own.registers.note_read(piece.slot, own.issuer.exists);
        own.registers.use_followed(piece.slot, own.issuer.exists);
    });
    let mut places = access_tensor(lent, own, shape, address, offset, true)?;
    let rank = own.issuer.block.rank;
    let memory = lent.tensor.of(rank);
    for piece in registers {
        let undefined = own.registers.undefined_in(piece.slot);
        for (lane, value) in own.registers.get(piece.slot).iter().enumerate() {
            let lacks = match undefined >> lane & 1 {
                0 => 0,
                _ => own.registers.unknown(piece.slot, lane as u32).map_or(0, |unknown| unknown.bits),
            };
            for (part, place) in places.by_ref().take(shape.parts()).enumerate() {
                let (bits, lacks) = match shape.parts() {
                    1 => (*value as u32, lacks as u32),
                    _ => [*value, lacks].map(|bits| (bits >> (16 * part)) as u32 & 0xffff).into(),
                };
                memory.write_bytes(place, bits, defined_bytes(lacks));
            }
        }
    }
    lent.parts.journal.changes(1);
    Ok(())
}

/// A word of a block's tensor memory, as a finding names it.
fn tensor_place(lent: &TensorParts<'_, '_>, rank: u32, (lane, column): (u32, u32)) -> Place {
    let memory = lent.tensor.get(rank);
    let own = memory.and_then(|memory| memory.holds(column, 1));
    let location = own.map(|own| lent.parts.scene().site(own.site).1).unwrap_or_default();
    let place = Place::Tensor { lane, column, location };
    if rank == lent.parts.scene().block().rank {
        place
    } else {
        Place::OfBlock { rank, place: Box::new(place) }
    }
}
