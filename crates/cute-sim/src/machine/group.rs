//! Warpgroups: four warps that execute an instruction together.
//!
//! A warp that comes to such an instruction waits there. Once all four are at it, each with all its lanes, it is executed
//! once, by a function that sees all of them.

use super::barrier::divergence;
use super::cluster::{Cluster, Stop};
use super::warp::{Wait, Warp};
use crate::exec::alu::lanes_of;
use crate::program::{GroupOp, Op};

/// Warps of a warpgroup.
const GROUP: usize = 4;

/// Executes what the warps of a block's warpgroups have met at.
pub(crate) fn settle(cluster: &mut Cluster<'_>, block: &mut [Warp]) -> Result<(), Stop> {
    if !cluster.machine.kernel.has_groups {
        return Ok(());
    }
    for group in block.chunks_mut(GROUP) {
        let waits = |warp: &Warp, lane: u32| warp.waits[lane as usize] == Some(Wait::Group);
        let Some(first) = group.iter().find(|w| lanes_of(w.exists).any(|lane| waits(w, lane))) else {
            continue;
        };
        let lane = lanes_of(first.exists).find(|lane| waits(first, *lane)).expect("a lane of it waits");
        let pc = first.pcs[lane as usize];
        let is_there = |w: &Warp, l: u32| waits(w, l) && w.pcs[l as usize] == pc;
        let members = || group.iter().flat_map(|w| lanes_of(w.exists).map(move |lane| (w, lane)));
        let stray = members().find(|(w, l)| !is_there(w, *l) && (waits(w, *l) || w.done >> l & 1 != 0));
        if stray.is_some() || group.len() < GROUP {
            let here = members().filter(|(w, l)| is_there(w, *l)).count() as u32;
            let other = stray.unwrap_or((first, lane));
            return Err(divergence(cluster, first, lane, here, GROUP as u32 * super::WARP, other));
        }
        if members().all(|(w, l)| is_there(w, l)) {
            if let Some(Op::Group(op)) = cluster.machine.kernel.code.get(pc as usize) {
                execute(*op, group);
            }
            group.iter_mut().for_each(|warp| warp.resume(warp.exists));
        }
    }
    Ok(())
}

impl Warp {
    pub(crate) fn is_in_group_of(&self, other: &Warp) -> bool {
        self.block == other.block && self.number as usize / GROUP == other.number as usize / GROUP
    }
}

/// What the warpgroup does together.
fn execute(op: GroupOp, _group: &mut [Warp]) {
    match op {
        // Orders accesses of registers, which here happen in order.
        GroupOp::Fence => {}
    }
}
