//! Shared memory that is written with one swizzle and accessed with another.

use super::Place;
use cute_machine::place::SourcePlace;
use serde::Serialize;

crate::isa::rules! {
    "S1", "shared memory is read with the swizzle with which it was written; a map without a swizzle may copy a tensor that is swizzled in global memory",
        "tcgen05: Shared memory descriptor", "`swizzle`";
}

/// The two sides that have different swizzles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum SwizzleRule {
    /// A copy by a tensor map, and the kernel's pointer to the shared memory.
    #[error(
        "the tensor map has {map}, but the kernel accesses this shared memory with {memory}: elements would lie at other addresses \
         than the kernel accesses; make the map from a tile with {memory}, or give the pointer to the memory {map}"
    )]
    Map {
        /// The swizzle of the map, in words.
        map: String,
        /// The swizzle of the pointer's type, in words.
        memory: String,
    },
    /// A descriptor of a matrix, and the copy that loaded its bytes.
    #[error(
        "the descriptor has {descriptor}, but `{op}` ({location}) loaded byte {offset} of {place} by a tensor map with {map}: the \
         matrix would be read from other addresses than its elements have; the two must have the same swizzle"
    )]
    Descriptor {
        /// The swizzle of the descriptor, in words.
        descriptor: String,
        /// The swizzle of the map, in words.
        map: String,
        /// Whether the map has a swizzle at all. A tensor may have been swizzled in global memory.
        swizzled: bool,
        place: Place,
        /// A byte that the two swizzles place differently.
        offset: i64,
        op: String,
        /// The copy's source location.
        location: SourcePlace,
    },
}
