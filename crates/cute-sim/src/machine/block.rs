//! The places of blocks in the grid and in their cluster.

use super::device::Machine;
use super::warp::Warp;
use crate::block::BlockId;

/// Element `number` of a box, x fastest.
fn position_in([x, y, _]: [u32; 3], number: u32) -> [u32; 3] {
    [number % x, number / x % y, number / x / y]
}

impl Machine<'_> {
    pub(crate) fn block_id(&self, cluster: u32, rank: u32) -> BlockId {
        let number = cluster * self.cluster_blocks() + rank;
        BlockId { rank, number, position: self.position(number) }
    }

    /// The position of a block in the grid.
    pub(crate) fn position(&self, block: u32) -> [u32; 3] {
        let blocks = self.cluster_blocks();
        let cluster = position_in(self.clusters(), block / blocks);
        let within = position_in(self.cluster, block % blocks);
        std::array::from_fn(|axis| cluster[axis] * self.cluster[axis] + within[axis])
    }

    /// The position of a block in its cluster.
    pub(crate) fn position_in_cluster(&self, rank: u32) -> [u32; 3] {
        position_in(self.cluster, rank)
    }

    /// The warps of the block with this rank.
    pub(crate) fn warps_of<'w>(&self, warps: &'w mut [Warp], rank: u32) -> &'w mut [Warp] {
        let count = self.warps() as usize;
        &mut warps[rank as usize * count..(rank as usize + 1) * count]
    }
}
