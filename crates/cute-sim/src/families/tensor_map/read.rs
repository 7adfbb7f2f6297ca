//! Reads of tensor maps, by copies and by operations on maps.

use super::rules::MapFence;
use crate::finding::{FindingKind, Party};
use crate::machine::device::Machine;
use crate::machine::journal::Journal;
use crate::machine::parts::{Addresses, Parts, value_at};
use crate::machine::scene::Scene;
use crate::memory::address::{CONSTANT, GLOBAL};
use crate::memory::span::Span;
use crate::race::{Acting, Record};
use crate::shared::SharedMemory;
use cute_arch::tensor_map::{ALIGN, BYTES as MAP_BYTES, TensorMap, WORDS};

/// The tensor map that a copy finds at an address of this space, and its place: a parameter, or
/// global memory.
pub(crate) fn tensor_map(
    addresses: Addresses<'_, '_>,
    address: u64,
    space: u32,
) -> Result<(TensorMap, Span), FindingKind> {
    let span = addresses.span(&[], address, space, MAP_BYTES as u64, ALIGN.into())?;
    if !matches!(span.space, GLOBAL | CONSTANT) {
        return Err(FindingKind::WrongSpace { address, expected: GLOBAL });
    }
    let scene = addresses.journal.scene();
    let map = TensorMap::from_words(&words_of_map(scene.machine(), addresses.shared, span));
    let map = map.map_err(|broken| broken_map(scene, span, broken.to_string()))?;
    Ok((map, span))
}

pub(crate) fn words_of_map(machine: &Machine<'_>, shared: &SharedMemory, span: Span) -> [u64; WORDS] {
    std::array::from_fn(|i| value_at(machine, shared, &[], span, 8 * i, 8))
}

pub(crate) fn broken_map(scene: &Scene<'_>, span: Span, broken: String) -> FindingKind {
    FindingKind::TensorMap { place: scene.place(&[], span), offset: span.offset, broken }
}

/// Records that a copy reads a tensor map, which threads may have changed if it is in global
/// memory.
pub(crate) fn watch_map(parts: &mut Parts<'_, '_>, map: Option<Span>, acting: &Acting<'_>) {
    let machine = parts.machine();
    let Some(span) = map.filter(|span| span.space == GLOBAL && machine.launch.check_races) else {
        return;
    };
    let at = (span.allocation, span.start);
    let race = machine.shadow.transfer(at.0, at.1, MAP_BYTES, acting, parts.clocks);
    if let Some((delta, race)) = race {
        let place = parts.scene().place(&[], span);
        return parts.note_race((&acting.who, acting.lane), (place, span.offset + delta as i64), race);
    }
    let changes = machine.shadow.written(at.0, at.1, MAP_BYTES);
    let Parts { clocks, engine, journal, .. } = parts;
    let gap = |change: &Record| Some((*change, engine.maps.gap(clocks, acting.view, at, change)?));
    if let Some((change, gap)) = changes.iter().find_map(gap) {
        note_map_gap(journal, span, acting, &change, gap);
    }
}

fn note_map_gap(
    journal: &mut Journal<'_>,
    span: Span,
    acting: &Acting<'_>,
    change: &Record,
    missing: MapFence,
) {
    let scene = journal.scene();
    let (op, location) = scene.site(change.site);
    let thread = scene.thread(change.threads().next().unwrap_or_default());
    let block = scene.machine().position(change.made_by());
    let access = change.kind;
    let other = Box::new(Party { access, op, location, block, thread, completion: None });
    let (place, offset) = (scene.place(&[], span), span.offset);
    let kind = FindingKind::UnfencedMap { place, offset, other, missing };
    let thread = scene.thread_of(&acting.who, acting.lane);
    journal.remark(acting.who.site, thread, kind);
}
