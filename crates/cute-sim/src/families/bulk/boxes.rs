//! Boxes of tensors, and columns of pixels, as rows: resolving a tensor map and coordinates.

use super::rows::{Change, Far, Fill, Row, Rows};
use crate::finding::{BulkRule, FindingKind};
use crate::machine::scene::Scene;
use crate::memory::address::{GLOBAL, parts};
use crate::program::BoxKind;
use cute_arch::tensor_map::{Fill as MapFill, Interleave, MapElement, MapForm, NoColumn, TensorMap};

/// Rows that `tile::gather4` and `tile::scatter4` name one by one.
const GATHERED: usize = 4;

impl Rows {
    /// The rows of a box of a tensor, which in shared memory begin at `shared`.
    pub(super) fn of_box(
        scene: &Scene<'_>,
        map: &TensorMap,
        coordinates: &[i64],
        kind: BoxKind,
    ) -> Result<Rows, FindingKind> {
        let rule = |rule| FindingKind::BulkCopy { rule };
        let not_modelled = |what: String| rule(BulkRule::NotModelled { what });
        if map.interleave != Interleave::None {
            return Err(not_modelled(format!("a tensor map with the interleave {:?}", map.interleave)));
        }
        let is_column = matches!(kind, BoxKind::Pixels | BoxKind::PixelsAtOffsets);
        if is_column != matches!(map.form, MapForm::Im2col(_)) {
            let instruction = if is_column { "a column of pixels" } else { "a box" };
            let map = if is_column { "boxes" } else { "im2col" };
            return Err(rule(BulkRule::Mode { map, instruction }));
        }
        let rank = map.modes.len();
        // The driver ignores a step along channels, and PTX does not say what one along images is.
        let steps = if is_column { rank - 1..rank } else { 0..rank };
        if let Some(mode) = steps.into_iter().find(|mode| map.modes[*mode].step != 1) {
            return Err(not_modelled(format!("a tensor map with a step along mode {mode}")));
        }
        let swizzle = map
            .swizzle
            .swizzle()
            .ok_or_else(|| not_modelled(format!("a tensor map with the swizzle {}", map.swizzle)))?;
        let expected = if kind == BoxKind::Rows { 1 + GATHERED } else { rank };
        // Two modes have no offset.
        let given = match kind {
            BoxKind::PixelsAtOffsets => (coordinates.len() + 2) / 2,
            _ => coordinates.len(),
        };
        if given != expected || kind == BoxKind::Rows && rank != 2 {
            return Err(rule(BulkRule::Rank { coordinates: given, rank }));
        }
        let first = &map.modes[0];
        let bits = u64::from(map.element.bits());
        let inner = Inner::of(map, coordinates[0]).ok_or_else(|| {
            rule(BulkRule::Coordinate { coordinate: coordinates[0], element: map.element.to_string() })
        })?;
        let bytes = (u64::from(first.boxed) * u64::from(map.element.bits_in_shared_memory()) / 8) as usize;
        let base = parts(map.address, GLOBAL)?;
        let buffer = scene.machine().buffers.get(base.allocation as usize);
        if !buffer.is_some_and(|words| words.is_at(map.address)) {
            return Err(FindingKind::Unmapped { address: map.address });
        }
        let mut list = Vec::new();
        let mut add = |outer: Option<i64>| -> Result<(), FindingKind> {
            let Some(outer) = outer.filter(|_| inner.len > 0) else {
                list.push(Row { at: 0, skip: 0, len: 0 });
                return Ok(());
            };
            let at = base.byte + outer + inner.at;
            in_buffer(scene, base.allocation, at, inner.len)?;
            list.push(Row { at: at as usize, skip: inner.skip, len: inner.len });
            Ok(())
        };
        let offset = |i: usize, coordinate: i64| {
            let mode = &map.modes[i];
            let inside = u64::try_from(coordinate).is_ok_and(|c| c < mode.extent);
            inside.then(|| coordinate * mode.stride as i64)
        };
        let mut column = |pixels: Result<Vec<Vec<i64>>, NoColumn>| -> Result<(), FindingKind> {
            let pixels = pixels.map_err(|why| match why {
                NoColumn::Between { .. } => not_modelled(why.to_string()),
                why => rule(BulkRule::Column { broken: why.to_string() }),
            })?;
            let outer = |pixel: &Vec<i64>| (1..).zip(pixel).map(|(i, at)| offset(i, *at)).sum();
            pixels.iter().try_for_each(|pixel| add(outer(pixel)))
        };
        match kind {
            BoxKind::Pixels => column(map.stored_pixels(&coordinates[1..]))?,
            BoxKind::PixelsAtOffsets => {
                let (start, offsets) = coordinates[1..].split_at(rank - 1);
                column(map.loaded_pixels(start, offsets))?;
            }
            BoxKind::Rows => coordinates[1..].iter().try_for_each(|row| add(offset(1, *row)))?,
            BoxKind::Tile => {
                let rows: u64 = map.modes[1..].iter().map(|mode| u64::from(mode.boxed)).product();
                for row in 0..rows as i64 {
                    let mut left = row;
                    let outer = (1..rank).map(|i| {
                        let boxed = i64::from(map.modes[i].boxed);
                        let index = left % boxed;
                        left /= boxed;
                        offset(i, coordinates[i] + index)
                    });
                    add(outer.sum())?;
                }
            }
        }
        let fill = match map.fill {
            MapFill::Zero => Fill::Zero,
            MapFill::Nan => Fill::Nan((bits / 8) as usize),
        };
        let far = Far::Global(base.allocation);
        Ok(Rows { shared: 0, bytes, list, far, swizzle, fill, change: change(map.element) })
    }
}

/// Checks that bytes are in the buffer.
fn in_buffer(scene: &Scene<'_>, buffer: u32, at: i64, bytes: usize) -> Result<(), FindingKind> {
    let size = scene.machine().buffers.get(buffer as usize).map(|b| b.len() as u64);
    let address = crate::memory::address::pointer(GLOBAL, buffer, 0);
    let size = size.ok_or(FindingKind::Unmapped { address })?;
    if at < 0 || at as u64 + bytes as u64 > size {
        let place = scene.global_place(buffer);
        return Err(FindingKind::OutOfBounds { place, offset: at, bytes: bytes as u64, size });
    }
    Ok(())
}

/// The part of a box along mode 0 that is inside the tensor.
struct Inner {
    /// Bytes from the first element of the tensor.
    at: i64,
    /// Bytes of the row before it in shared memory; its bytes in global memory.
    skip: usize,
    len: usize,
}

impl Inner {
    /// `None` if it does not begin at a byte, or begins between the units in which elements are
    /// packed.
    fn of(map: &TensorMap, coordinate: i64) -> Option<Inner> {
        let mode = &map.modes[0];
        let (from, to) = (i64::from(map.element.bits()), i64::from(map.element.bits_in_shared_memory()));
        let low = (-coordinate).clamp(0, mode.boxed.into());
        let high = (mode.extent as i64 - coordinate).clamp(low, mode.boxed.into());
        let at = (coordinate + low) * from;
        let packed = if map.element.is_unpacked() { 128 } else { 1 };
        (at % 8 == 0 && coordinate % packed == 0).then(|| Inner {
            at: at / 8,
            skip: (low * to / 8) as usize,
            len: ((high - low) * from).div_euclid(8) as usize,
        })
    }
}

fn change(element: MapElement) -> Change {
    match element {
        MapElement::U4In8 => Change::Unpack(8),
        MapElement::U6In8 => Change::Unpack(12),
        MapElement::F32Ftz => Change::Float { flush: true, round: false },
        MapElement::Tf32 => Change::Float { flush: false, round: true },
        MapElement::Tf32Ftz => Change::Float { flush: true, round: true },
        _ => Change::Nothing,
    }
}
