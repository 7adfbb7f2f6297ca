//! Bulk copies: operations of NVVM, and LLVM's intrinsics.

use super::{Decoder, malformed, unmodelled};
use crate::ir;
use cute_algebra::{Swizzle, parse_swizzle};
use cute_arch::atoms::Reduction;
use cute_ffi::lowered::SWIZZLE_ATTRIBUTE;
use cute_machine::types::Scalar;
use cute_sim::Error;
use cute_sim::program::{BoxKind, Bulk, BulkFar, BulkMove, Op, Slot};
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

/// The meaning of the coordinates, by the mode's name; `None` if the mode is not modelled.
pub(super) fn box_kind(mode: &str) -> Option<BoxKind> {
    match mode {
        "tile" => Some(BoxKind::Tile),
        "tile_gather4" | "tile_scatter4" => Some(BoxKind::Rows),
        _ => None,
    }
}

/// Operands of an operation, taken in their order.
struct Operands<'o> {
    left: &'o [(Slot, Scalar)],
}

impl Operands<'_> {
    fn take(&mut self, count: usize) -> Option<Vec<(Slot, Scalar)>> {
        self.left.split_off(..count).map(<[_]>::to_vec)
    }

    fn slots(&mut self, count: usize) -> Option<Box<[Slot]>> {
        Some(self.take(count)?.into_iter().map(|(slot, _)| slot).collect())
    }

    fn slot(&mut self) -> Option<Slot> {
        Some(self.slots(1)?[0])
    }

    fn optional(&mut self, count: usize) -> Option<Option<Slot>> {
        if count == 0 { Some(None) } else { self.slot().map(Some) }
    }

    /// A pointer and its address space.
    fn pointer(&mut self) -> Option<(Slot, u32)> {
        match self.take(1)?[..] {
            [(slot, Scalar::Ptr(space))] => Some((slot, space)),
            _ => None,
        }
    }
}

impl Decoder<'_> {
    /// `nvvm.cp.async.bulk.` and the name.
    pub(super) fn nvvm_bulk(&mut self, op: Ir<'_, '_>, name: &str) -> Result<bool, Error> {
        match name {
            "commit.group" => self.emit(op, Op::BulkCommit),
            "wait_group" => {
                let pending = ir::int_attr(op, "group").and_then(|n| u32::try_from(n).ok());
                let pending = pending.ok_or_else(|| malformed(op, "no group"))?;
                self.emit(op, Op::BulkWait { pending, read: op.has_attribute("read") });
            }
            "prefetch" | "tensor.prefetch" => self.emit(op, Op::Nothing),
            _ => {
                let operands =
                    (0..op.operand_count())
                        .map(|i| self.scalar_operand(op, i))
                        .collect::<Result<Vec<_>, _>>()?;
                let segments: Vec<usize> = ir::ints_attr(op, "operandSegmentSizes")
                    .unwrap_or_default()
                    .into_iter()
                    .filter_map(|n| usize::try_from(n).ok())
                    .collect();
                let read = |mut operands: Operands<'_>| match name {
                    "tensor.shared.cluster.global" => tensor_load(op, &mut operands, &segments),
                    "tensor.global.shared.cta" | "tensor.reduce" => {
                        tensor_store(op, &mut operands, &segments)
                    }
                    _ => Ok(plain(name, &mut operands, &segments)),
                };
                let Some((bulk, predicate)) = read(Operands { left: &operands })? else { return Ok(false) };
                self.emit_bulk(op, bulk, predicate);
            }
        }
        Ok(true)
    }

    pub(super) fn emit_bulk(&mut self, op: Ir<'_, '_>, bulk: Bulk, predicate: Option<Slot>) {
        let guard = predicate.map(|predicate| self.guard(op, predicate, true));
        self.emit(op, Op::Bulk(bulk.into()));
        if let Some(guard) = guard {
            self.end_guard(guard);
        }
    }
}

type Read = Option<(Bulk, Option<Slot>)>;

/// The mode of a copy by a tensor map.
fn mode(op: Ir<'_, '_>) -> Result<BoxKind, Error> {
    let mode = ir::keyword_attr(op, "mode").unwrap_or("tile");
    box_kind(mode).ok_or_else(|| unmodelled(op, format!("the mode `{mode}`")))
}

/// The swizzle with which the kernel accesses the shared memory of a copy.
fn swizzle(op: Ir<'_, '_>) -> Result<Option<Swizzle>, Error> {
    let text = ir::str_attr(op, SWIZZLE_ATTRIBUTE);
    let read = |text: String| parse_swizzle(&text).map_err(|why| malformed(op, why.to_string()));
    text.map(read).transpose()
}

fn tensor_load(op: Ir<'_, '_>, operands: &mut Operands<'_>, segments: &[usize]) -> Result<Read, Error> {
    let [1, 1, coordinates, 1, offsets, mask, hint, predicate] = segments[..] else {
        return Err(malformed(op, "no operandSegmentSizes"));
    };
    let (kind, swizzle) = (mode(op)?, swizzle(op)?);
    let pair = ir::keyword_attr(op, "group") == Some("cta_2");
    let mut read = || {
        let (shared, space) = operands.pointer()?;
        let (map, map_space) = operands.pointer()?;
        let coordinates = operands.slots(coordinates)?;
        let barrier = operands.slot()?;
        operands.slots(offsets)?;
        let mask = operands.optional(mask)?;
        operands.optional(hint)?;
        let predicate = operands.optional(predicate)?;
        let far = BulkFar::Box { map, space: map_space, coordinates, kind, swizzle };
        Some((Bulk { shared, space, far, moves: BulkMove::Load { barrier, mask, pair } }, predicate))
    };
    Ok(read())
}

fn tensor_store(op: Ir<'_, '_>, operands: &mut Operands<'_>, segments: &[usize]) -> Result<Read, Error> {
    let (coordinates, hint, predicate) = match segments[..] {
        [1, 1, coordinates, hint] => (coordinates, hint, 0),
        [1, 1, coordinates, hint, predicate] => (coordinates, hint, predicate),
        _ => return Err(malformed(op, "no operandSegmentSizes")),
    };
    let (kind, swizzle) = (mode(op)?, swizzle(op)?);
    let reduce = match ir::keyword_attr(op, "redKind") {
        Some(name) => {
            let reduce = Reduction::of_ptx(name);
            Some(reduce.ok_or_else(|| unmodelled(op, format!("the reduction `{name}`")))?)
        }
        None => None,
    };
    let mut read = || {
        let (map, map_space) = operands.pointer()?;
        let (shared, space) = operands.pointer()?;
        let coordinates = operands.slots(coordinates)?;
        operands.optional(hint)?;
        let predicate = operands.optional(predicate)?;
        let far = BulkFar::Box { map, space: map_space, coordinates, kind, swizzle };
        let moves = BulkMove::Store { reduce: reduce.map(|reduce| (reduce, None)) };
        Some((Bulk { shared, space, far, moves }, predicate))
    };
    Ok(read())
}

/// Copies without a tensor map.
fn plain(name: &str, operands: &mut Operands<'_>, segments: &[usize]) -> Read {
    let bulk = match (name, segments) {
        ("shared.cluster.global", [1, 1, 1, 1, mask, _]) => {
            let (shared, space) = operands.pointer()?;
            let (address, barrier, size) = (operands.slot()?, operands.slot()?, operands.slot()?);
            let mask = operands.optional(*mask)?;
            let moves = BulkMove::Load { barrier, mask, pair: false };
            Bulk { shared, space, far: BulkFar::Global { address, size }, moves }
        }
        ("shared.cluster.shared.cta", _) => {
            let (shared, space) = operands.pointer()?;
            let (address, barrier, size) = (operands.slot()?, operands.slot()?, operands.slot()?);
            let moves = BulkMove::Load { barrier, mask: None, pair: false };
            Bulk { shared, space, far: BulkFar::Shared { address, size }, moves }
        }
        // The last is a byte mask.
        ("global.shared.cta", [1, 1, 1, _, 0]) => {
            let address = operands.slot()?;
            let (shared, space) = operands.pointer()?;
            let size = operands.slot()?;
            let moves = BulkMove::Store { reduce: None };
            Bulk { shared, space, far: BulkFar::Global { address, size }, moves }
        }
        _ => return None,
    };
    Some((bulk, None))
}

/// LLVM's intrinsics, whose flags select the operands that count.
impl Decoder<'_> {
    /// Decodes the words after `llvm.nvvm.cp.async.bulk.`.
    pub(super) fn named_bulk(&mut self, op: Ir<'_, '_>, words: &[&str]) -> Result<bool, Error> {
        let operands =
            (0..op.operand_count()).map(|i| self.scalar_operand(op, i)).collect::<Result<Vec<_>, _>>()?;
        let number = |i: usize| operands.get(i).and_then(|(slot, _)| self.known.get(slot).copied());
        match *words {
            ["commit", "group"] => {
                self.emit(op, Op::BulkCommit);
                return Ok(true);
            }
            ["wait", "group", ref rest @ ..] => {
                let pending = number(0).ok_or_else(|| unmodelled(op, "a number that is not a constant"))?;
                self.emit(op, Op::BulkWait { pending: pending as u32, read: rest.contains(&"read") });
                return Ok(true);
            }
            ["prefetch", ..] | ["tensor", "prefetch", ..] => {
                self.emit(op, Op::Nothing);
                return Ok(true);
            }
            _ => {}
        }
        let flag = |i: usize| number(i).is_some_and(|flag| flag != 0);
        let slot = |i: usize| operands.get(i).map(|(slot, _)| *slot);
        let pointer = |i: usize| match operands.get(i) {
            Some((slot, Scalar::Ptr(space))) => Some((*slot, *space)),
            _ => None,
        };
        let slots = |from: usize, count: usize| operands.get(from..from + count);
        let last = operands.len();
        let read = || {
            let (moves, shared, far) = match *words {
                ["tensor", "g2s", ref rest @ ..] => {
                    let own = rest.first() == Some(&"cta");
                    let (kind, count) = named_box(rest.get(usize::from(own)..)?)?;
                    // After the coordinates: mask, hint, and the flags of both and the group; for
                    // the own block, hint and flag.
                    let mask = (!own && flag(last.checked_sub(3)?)).then(|| slot(3 + count)).flatten();
                    let pair = !own && number(last.checked_sub(1)?) == Some(2);
                    let coordinates = slots(3, count)?.iter().map(|(slot, _)| *slot).collect();
                    let (map, space) = pointer(2)?;
                    let moves = BulkMove::Load { barrier: slot(1)?, mask, pair };
                    (moves, pointer(0)?, BulkFar::Box { map, space, coordinates, kind, swizzle: None })
                }
                ["tensor", way @ ("s2g" | "reduce"), ref rest @ ..] => {
                    let reduce = match way {
                        "reduce" => Some((Reduction::of_ptx(rest.first()?)?, None)),
                        _ => None,
                    };
                    let (kind, count) = named_box(rest.get(usize::from(reduce.is_some())..)?)?;
                    let coordinates = slots(2, count)?.iter().map(|(slot, _)| *slot).collect();
                    let (map, space) = pointer(1)?;
                    let far = BulkFar::Box { map, space, coordinates, kind, swizzle: None };
                    (BulkMove::Store { reduce }, pointer(0)?, far)
                }
                ["global", "to", "shared", target @ ("cluster" | "cta")] => {
                    let multicast = target == "cluster" && flag(last.checked_sub(2)?);
                    let mask = multicast.then(|| slot(4)).flatten();
                    let moves = BulkMove::Load { barrier: slot(1)?, mask, pair: false };
                    (moves, pointer(0)?, BulkFar::Global { address: slot(2)?, size: slot(3)? })
                }
                ["shared", "cta", "to", "cluster"] => {
                    let moves = BulkMove::Load { barrier: slot(1)?, mask: None, pair: false };
                    (moves, pointer(0)?, BulkFar::Shared { address: slot(2)?, size: slot(3)? })
                }
                ["shared", "cta", "to", "global"] => {
                    let far = BulkFar::Global { address: slot(0)?, size: slot(2)? };
                    (BulkMove::Store { reduce: None }, pointer(1)?, far)
                }
                _ => return None,
            };
            let (shared, space) = shared;
            Some(Bulk { shared, space, far, moves })
        };
        let Some(bulk) = read() else { return Ok(false) };
        self.emit_bulk(op, bulk, None);
        Ok(true)
    }
}

/// `tile.2d`, `tile.gather4.2d`: the kind of box, and the number of its coordinates.
fn named_box(words: &[&str]) -> Option<(BoxKind, usize)> {
    match *words {
        ["tile", rank] => Some((BoxKind::Tile, rank.strip_suffix('d')?.parse().ok()?)),
        ["tile", "gather4" | "scatter4", "2d"] => Some((BoxKind::Rows, 5)),
        _ => None,
    }
}
