//! Bulk copies as operations of a program.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use crate::operand::Slot;
use cute_algebra::Swizzle;
use cute_arch::atoms::Reduction;
use cute_machine::types::Scalar;
use serde::{Deserialize, Serialize};

/// `cp.async.bulk`, `cp.reduce.async.bulk`, and their groups.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum BulkOp {
    Copy(Box<Bulk>),
    /// `cp.async.bulk.commit_group`.
    Commit,
    /// Waits until at most `pending` groups are unfinished; with `read`, until at most that many
    /// still have sources to read.
    Wait {
        pending: u32,
        read: bool,
    },
}

impl BulkOp {
    /// Whether it closes a group of copies.
    pub fn commits(&self) -> bool {
        matches!(self, BulkOp::Commit)
    }

    /// Whether it waits for groups.
    pub fn waits(&self) -> bool {
        matches!(self, BulkOp::Wait { .. })
    }

    /// Whether it copies from shared memory, which no barrier counts.
    pub fn stores(&self) -> bool {
        matches!(self, BulkOp::Copy(copy) if matches!(copy.moves, BulkMove::Store { .. }))
    }

    /// Whether it copies a box of a tensor map.
    pub fn copies_box(&self) -> bool {
        matches!(self, BulkOp::Copy(copy) if matches!(copy.far, BulkFar::Box { .. }))
    }

    /// Whether a barrier may count the bytes of the operation it issues.
    pub fn is_counted(&self) -> bool {
        matches!(self, BulkOp::Copy(_))
    }

    /// Whether it updates memory that other blocks may update, too.
    pub fn is_update(&self) -> bool {
        match self {
            BulkOp::Copy(copy) => matches!(copy.moves, BulkMove::Store { reduce: Some(_), .. }),
            BulkOp::Commit | BulkOp::Wait { .. } => false,
        }
    }
}

/// A bulk copy between shared memory and its far side, by the TMA.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Bulk {
    /// Its start in shared memory, and the address space of that pointer.
    pub shared: Slot,
    pub space: u32,
    pub far: BulkFar,
    pub moves: BulkMove,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum BulkFar {
    /// A box of the tensor of a map. The kernel accesses the shared memory with this swizzle, if
    /// that is known.
    Box {
        map: Slot,
        space: u32,
        coordinates: Box<[Slot]>,
        kind: BoxKind,
        #[serde(with = "swizzle")]
        swizzle: Option<Swizzle>,
    },
    /// A number of bytes of global memory.
    Global { address: Slot, size: Slot },
    /// A number of bytes of the own block's shared memory.
    Shared { address: Slot, size: Slot },
}

/// The meaning of a box's coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum BoxKind {
    /// The start of the box.
    Tile,
    /// The start along mode 0, and four rows: `tile::gather4`, `tile::scatter4`.
    Rows,
    /// The start of a column of pixels: `im2col_no_offs`.
    Pixels,
    /// The same, and behind the coordinates an offset for each mode of an image: `im2col`.
    PixelsAtOffsets,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum BulkMove {
    /// To shared memory, where elements may be updated; a barrier counts the bytes. `mask` selects
    /// blocks; with `pair`, the barrier may be in the other block of a pair.
    Load { barrier: Slot, mask: Option<Slot>, pair: bool, reduce: Option<BulkUpdate> },
    /// To global memory, where elements may be updated. `bytes`: which bytes of each 16 are copied.
    Store { reduce: Option<BulkUpdate>, bytes: Option<Slot> },
}

/// An update of elements, with their type and signedness unless a map has them.
pub type BulkUpdate = (Reduction, Option<(Scalar, bool)>);

/// A swizzle as its three numbers, in the byte form of programs.
mod swizzle {
    use super::Swizzle;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(
        swizzle: &Option<Swizzle>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        swizzle.map(|s| (s.bits(), s.base(), s.shift())).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Swizzle>, D::Error> {
        let numbers: Option<(u32, u32, i32)> = Option::deserialize(deserializer)?;
        let made = numbers.map(|(bits, base, shift)| Swizzle::new(bits.into(), base.into(), shift.into()));
        made.transpose().map_err(D::Error::custom)
    }
}
