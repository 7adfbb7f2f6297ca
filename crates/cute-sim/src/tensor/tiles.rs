//! The tiles that descriptors of matrices name.

use super::tile::SmemTile;
use cute_arch::atoms::Major;
use cute_arch::smem::DescriptorOf;
use std::collections::HashMap;
use std::rc::Rc;

/// A matrix (MN,K) in shared memory, as described to an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Described {
    pub(crate) of: DescriptorOf,
    pub(crate) word: u64,
    pub(crate) major: Major,
    pub(crate) extents: [u32; 2],
    /// Bits of an element.
    pub(crate) bits: u32,
}

/// Tiles, with descriptors within the pattern of a swizzle.
pub(crate) type Tiles = HashMap<Described, Rc<SmemTile>>;

/// A matrix in the cluster's shared memory; where its runs count from.
#[derive(Debug)]
pub(crate) struct Tile {
    pub(crate) tile: Rc<SmemTile>,
    pub(crate) origin: usize,
}
