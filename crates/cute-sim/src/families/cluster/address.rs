//! `mapa`, and the blocks that addresses belong to.

use crate::finding::{FindingKind, LaneFinding, try_map};
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use crate::memory::address::{CLUSTER, in_block};
use crate::operand::Slot;
use cute_arch::space::GENERIC;

impl Warp {
    /// The rank of the block that an address of shared memory belongs to.
    pub(super) fn block_rank(
        &mut self,
        cluster: &Cluster<'_>,
        dst: Slot,
        address: Slot,
        generic: bool,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let addresses = *self.registers.get(address);
        let space = if generic { GENERIC } else { CLUSTER };
        let ranks = try_map(active, |lane| {
            let rank = cluster.scene().rank_of(addresses[lane], space)?;
            Ok(rank.into())
        })?;
        self.registers.set_from(dst, active, &ranks, &[address]);
        Ok(())
    }

    /// `mapa`.
    pub(super) fn map_address(
        &mut self,
        cluster: &Cluster<'_>,
        dst: Slot,
        address: Slot,
        rank: Slot,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let blocks = cluster.machine.cluster_blocks();
        self.registers.defined(cluster.machine.kernel, rank, active, "rank of the block")?;
        let mapped = try_map(active, |lane| {
            let (address, rank) = (self.registers.get(address)[lane], self.registers.get(rank)[lane]);
            if rank >= u64::from(blocks) {
                return Err(FindingKind::ClusterRank { rank, blocks });
            }
            Ok(in_block(address, rank))
        })?;
        self.registers.set_from(dst, active, &mapped, &[address]);
        Ok(())
    }
}
