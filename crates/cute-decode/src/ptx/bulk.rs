//! Bulk copies in PTX.

use super::emit::Line;
use super::parse::Operand;
use crate::Decoder;
use crate::bulk::box_kind;
use cute_arch::atoms::Reduction;
use cute_machine::types::Scalar;
use cute_sim::Error;
use cute_sim::program::{BoxKind, Bulk, BulkFar, BulkMove, Op, Slot};

impl Decoder<'_> {
    /// `cp.async.bulk` and `cp.reduce.async.bulk`, with the words after that.
    pub(super) fn ptx_bulk(
        &mut self,
        line: &mut Line<'_, '_, '_>,
        words: &[&str],
        reduces: bool,
    ) -> Result<bool, Error> {
        match *words {
            ["commit_group"] => {
                self.emit(line.op, Op::BulkCommit);
                return Ok(true);
            }
            ["wait_group", ref rest @ ..] => {
                let Operand::Number(pending) = line.operand(0)? else { return Ok(false) };
                let pending = u32::try_from(*pending).map_err(|_| line.wrong("a number below 0"))?;
                self.emit(line.op, Op::BulkWait { pending, read: rest.contains(&"read") });
                return Ok(true);
            }
            ["prefetch", ..] => {
                self.emit(line.op, Op::Nothing);
                return Ok(true);
            }
            _ => {}
        }
        let has = |word: &str| words.contains(&word);
        let reduce = match words.iter().find_map(|word| Reduction::of_ptx(word)).filter(|_| reduces) {
            Some(reduce) => Some((reduce, scalar(words))),
            None if reduces => return Ok(false),
            None => None,
        };
        let mode = words.iter().find_map(|word| {
            if word.starts_with("im2col") { Some(None) } else { box_kind(&word.replace("::", "_")).map(Some) }
        });
        let Some(kind) = mode.unwrap_or(Some(BoxKind::Tile)) else { return Ok(false) };
        let to_shared = words.iter().position(|word| word.starts_with("shared"));
        let loads = to_shared
            < words.iter().position(|word| *word == "global" || *word == "shared::cta" && !has("global"));
        let is_box = words.first() == Some(&"tensor");
        if !loads {
            // Map and coordinates, or the address; then the source.
            let far = match is_box {
                true => self.ptx_box(line, 0, kind)?,
                false => BulkFar::Global { address: self.address(line, 0)?, size: self.number(line, 2)? },
            };
            if !is_box && reduce.is_some_and(|(_, scalar)| scalar.is_none()) {
                return Ok(false);
            }
            let reduce = reduce.map(|(reduce, scalar)| (reduce, scalar.filter(|_| !is_box)));
            let bulk =
                Bulk { shared: self.address(line, 1)?, space: 3, far, moves: BulkMove::Store { reduce } };
            self.emit_bulk(line.op, bulk, None);
            return Ok(true);
        }
        if reduces {
            return Ok(false);
        }
        let (far, barrier) = match is_box {
            true => (self.ptx_box(line, 1, kind)?, 2),
            false => {
                let (address, size) = (self.address(line, 1)?, self.number(line, 2)?);
                let far = if has("global") {
                    BulkFar::Global { address, size }
                } else {
                    BulkFar::Shared { address, size }
                };
                (far, 3)
            }
        };
        let mask = has("multicast::cluster").then(|| self.number(line, barrier + 1)).transpose()?;
        let moves = BulkMove::Load { barrier: self.address(line, barrier)?, mask, pair: has("cta_group::2") };
        let space = if has("shared::cluster") { 7 } else { 3 };
        let bulk = Bulk { shared: self.address(line, 0)?, space, far, moves };
        self.emit_bulk(line.op, bulk, None);
        Ok(true)
    }

    fn number(&mut self, line: &Line<'_, '_, '_>, index: usize) -> Result<Slot, Error> {
        self.read(line, line.operand(index)?, 32)
    }

    /// `[map, {x, y}]`.
    fn ptx_box(&mut self, line: &Line<'_, '_, '_>, index: usize, kind: BoxKind) -> Result<BulkFar, Error> {
        let Operand::Box(map, coordinates) = line.operand(index)? else {
            return Err(line.wrong("a tensor map and coordinates in brackets are missing"));
        };
        let map = self.read(line, map, 64)?;
        let coordinates = coordinates.iter().map(|c| self.read(line, c, 32)).collect::<Result<_, _>>()?;
        Ok(BulkFar::Box { map, space: 0, coordinates, kind, swizzle: None })
    }
}

/// The element type at the end of a reduction, and whether it is signed.
fn scalar(words: &[&str]) -> Option<(Scalar, bool)> {
    Some(match *words.last()? {
        "f16" => (Scalar::F16, true),
        "bf16" => (Scalar::Bf16, true),
        "f32" => (Scalar::F32, true),
        "f64" => (Scalar::F64, true),
        "s32" => (Scalar::Int(32), true),
        "s64" => (Scalar::Int(64), true),
        "u32" | "b32" => (Scalar::Int(32), false),
        "u64" | "b64" => (Scalar::Int(64), false),
        _ => return None,
    })
}
