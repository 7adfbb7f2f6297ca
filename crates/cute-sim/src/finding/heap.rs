//! Misuse of the device's heap.

use super::{AccessKind, Triple};
use cute_machine::place::{SourcePlace, described};
use serde::Serialize;

/// A call of `malloc` or `free`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HeapAct {
    /// The call's source location.
    #[serde(flatten, serialize_with = "described")]
    pub location: SourcePlace,
    /// The block of the thread.
    pub block: [u32; 3],
    /// Its position in the block.
    pub thread: [u32; 3],
    /// The number of the launch, counted from 1.
    pub launch: u32,
}

/// An allocation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HeapBlock {
    /// As many as the thread asked for.
    pub bytes: u64,
    /// The call that made it.
    pub made: HeapAct,
}

/// A rule about the device's heap that is broken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum HeapRule {
    /// An access of memory that was freed.
    #[error(
        "{access} byte {offset} of {} bytes of the device's heap, which `malloc` ({}) has allocated and `free` ({}) by thread {} of \
         block {} has freed before",
        block.bytes, block.made.location, by.location, Triple(&by.thread), Triple(&by.block)
    )]
    Freed {
        /// How the bytes are used.
        access: AccessKind,
        /// Memory that `malloc` returned.
        block: HeapBlock,
        /// The byte of it.
        offset: u64,
        /// The call that freed it.
        by: HeapAct,
    },
    /// An access of memory that is in no allocation.
    #[error("{access} byte {offset} of the device's heap, which is in no allocation{}", behind(before))]
    Outside {
        /// How the bytes are used.
        access: AccessKind,
        /// The byte of the heap.
        offset: u64,
        /// The last allocation before it, and how many bytes lie between.
        before: Option<(HeapBlock, u64)>,
    },
    /// Memory is freed twice.
    #[error(
        "frees {} bytes of the device's heap, which `malloc` ({}) has allocated and `free` ({}) by thread {} of block {} has freed \
         before",
        block.bytes, block.made.location, by.location, Triple(&by.thread), Triple(&by.block)
    )]
    Twice {
        /// Memory that `malloc` returned.
        block: HeapBlock,
        /// The call that freed it.
        by: HeapAct,
    },
    /// An address is freed that no allocation begins with.
    #[error("frees the address {address:#x}, with which no allocation of `malloc` begins")]
    Foreign {
        /// As the thread passes it.
        address: u64,
    },
}

impl HeapRule {
    /// The place of the call that the message blames, too.
    pub(super) fn other_side(&self) -> Option<&SourcePlace> {
        match self {
            Self::Freed { by, .. } | Self::Twice { by, .. } => Some(&by.location),
            Self::Outside { before, .. } => before.as_ref().map(|(block, _)| &block.made.location),
            Self::Foreign { .. } => None,
        }
    }
}

fn behind(before: &Option<(HeapBlock, u64)>) -> String {
    match before {
        None => String::new(),
        Some((HeapBlock { bytes, made }, distance)) => {
            format!(", {distance} bytes past the {bytes} that `malloc` ({}) has allocated", made.location)
        }
    }
}
