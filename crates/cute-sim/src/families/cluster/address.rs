//! `mapa`, and the blocks that addresses belong to.

use crate::finding::{FindingKind, LaneFinding, try_map};
use crate::machine::device::Machine;
use crate::machine::scene::Scene;
use crate::memory::address::{CLUSTER, in_block};
use crate::operand::Slot;
use crate::registers::Registers;
use cute_arch::space::GENERIC;

/// The ranks of the blocks that addresses of shared memory belong to.
pub(super) fn block_rank(
    registers: &mut Registers,
    scene: &Scene<'_>,
    dst: Slot,
    (address, generic): (Slot, bool),
    active: u32,
) -> Result<(), LaneFinding> {
    let addresses = *registers.get(address);
    let space = if generic { GENERIC } else { CLUSTER };
    let ranks = try_map(active, |lane| {
        let rank = scene.rank_of(addresses[lane], space)?;
        Ok(rank.into())
    })?;
    registers.set_from(dst, active, &ranks, &[address]);
    Ok(())
}

/// `mapa`.
pub(super) fn map_address(
    registers: &mut Registers,
    machine: &Machine<'_>,
    dst: Slot,
    (address, rank): (Slot, Slot),
    active: u32,
) -> Result<(), LaneFinding> {
    let blocks = machine.cluster_blocks();
    registers.defined(machine.kernel, rank, active, "rank of the block")?;
    let mapped = try_map(active, |lane| {
        let (address, rank) = (registers.get(address)[lane], registers.get(rank)[lane]);
        if rank >= u64::from(blocks) {
            return Err(FindingKind::ClusterRank { rank, blocks });
        }
        Ok(in_block(address, rank))
    })?;
    registers.set_from(dst, active, &mapped, &[address]);
    Ok(())
}
