//! Values that the machine gives a thread.

use crate::machine::WARP;
use crate::machine::issuer::Issuer;
use crate::machine::scene::Scene;
use crate::memory::address::SHARED_BASE;
use crate::program::{LaneSide, Special};

/// The value of a lane.
pub(super) fn special(scene: &Scene<'_>, issuer: &Issuer, special: Special, lane: u32) -> u32 {
    let (machine, active) = (scene.machine(), issuer.lanes);
    let launch = machine.launch;
    let before = (1u32 << lane) - 1;
    match special {
        Special::Thread(axis) => scene.thread(issuer.thread(lane))[axis],
        Special::BlockSize(axis) => launch.block[axis],
        Special::Block(axis) => issuer.block.position[axis],
        Special::GridSize(axis) => launch.grid[axis],
        Special::Lane => lane,
        Special::Warp => issuer.warp,
        Special::WarpSize => WARP,
        Special::LaneSide(LaneSide::Lt) => before,
        Special::LaneSide(LaneSide::Le) => before | 1 << lane,
        Special::LaneSide(LaneSide::Eq) => 1 << lane,
        Special::LaneSide(LaneSide::Ge) => !before,
        Special::LaneSide(LaneSide::Gt) => !(before | 1 << lane),
        Special::ActiveMask => active,
        Special::DynamicShared => launch.dynamic_shared,
        Special::ClusterSize(axis) => machine.cluster[axis],
        Special::ClusterBlocks => machine.cluster_blocks(),
        Special::ClusterBlock(axis) => machine.position_in_cluster(issuer.block.rank)[axis],
        Special::ClusterRank => issuer.block.rank,
        Special::Cluster(axis) => issuer.block.position[axis] / machine.cluster[axis],
        Special::Clusters(axis) => machine.clusters()[axis],
        Special::Clock => issuer.executed as u32,
        Special::Warps => launch.block.iter().product::<u32>().div_ceil(WARP),
        Special::Multiprocessor => {
            let ([x, y, z], [width, height, _]) = (issuer.block.position, launch.grid);
            x + width * (y + height * z)
        }
        Special::Multiprocessors => launch.grid.iter().product(),
        Special::SharedBytes { reserved } => {
            machine.shared_bytes() as u32 + if reserved { SHARED_BASE as u32 } else { 0 }
        }
        Special::HasCluster => launch.cluster.is_some().into(),
        Special::Number(number) => number,
        Special::GridWorkspace { high: true } => (machine.workspace >> 32) as u32,
        Special::GridWorkspace { high: false } => machine.workspace as u32,
    }
}
