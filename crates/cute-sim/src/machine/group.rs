//! Warpgroups: four warps that execute an instruction together.
//!
//! A warp that reaches such an instruction waits there. Once all four have reached it, each with
//! all its lanes, a function that sees all of them executes it once. The function may let them wait
//! longer. The last warpgroup of a block may have fewer warps or lanes: it can change its
//! registers, but cannot multiply.

use super::cluster::{Cluster, Stop};
use super::divergence::divergence;
use super::warp::{Flow, Wait, Warp};
use crate::events::Event;
use crate::families::setmaxnreg::pool::Pools;
use crate::finding::FindingKind;
use crate::lanes::lanes_of;
use crate::program::Op;

pub(crate) use crate::lanes::GROUP;

const WARPGROUP: &str = "a warpgroup is four warps of a block with consecutive numbers, the first of which is a multiple \
    of 4, and all of its threads must execute the instruction together";

/// Executes the instructions that complete warpgroups of a block have reached.
pub(crate) fn settle(cluster: &mut Cluster<'_>, block: &mut [Warp]) -> Result<(), Stop> {
    if !cluster.machine().kernel.has_groups {
        return Ok(());
    }
    // Registers that one warpgroup releases may be those that another one waits for.
    while (0..block.len().div_ceil(GROUP)).try_fold(false, |any, group| {
        let warps = &mut block[group * GROUP..];
        let warps = match warps.split_at_mut_checked(GROUP) {
            Some((whole, _)) => whole,
            None => warps,
        };
        Ok(meet(cluster, group, warps)? || any)
    })? {}
    Ok(())
}

/// Executes the instruction that the warps of a warpgroup have reached. Returns whether there was
/// one.
fn meet(cluster: &mut Cluster<'_>, number: usize, group: &mut [Warp]) -> Result<bool, Stop> {
    let waits = |warp: &Warp, lane: u32| warp.lanes.wait_of(lane) == Some(Wait::Group);
    let Some(first) = group.iter().find(|w| lanes_of(w.lanes.exists()).any(|lane| waits(w, lane))) else {
        return Ok(false);
    };
    let lane = lanes_of(first.lanes.exists()).find(|lane| waits(first, *lane)).expect("a lane of it waits");
    let pc = first.lanes.pc(lane);
    let kernel = cluster.machine().kernel;
    let op_at = |pc: u32| kernel.code.get(pc as usize).filter(|op| op.is_of_group());
    let op = op_at(pc);
    // Warps with different roles request the same registers, each at its own place in the code.
    let asked = op.and_then(Op::registers_asked);
    let has_places = asked.is_some();
    let is_at = |other: u32| other == pc || has_places && op_at(other).and_then(Op::registers_asked) == asked;
    let is_there = |w: &Warp, l: u32| waits(w, l) && is_at(w.lanes.pc(l));
    let members = || group.iter().flat_map(|w| lanes_of(w.lanes.exists()).map(move |lane| (w, lane)));
    let stray = members().find(|(w, l)| !is_there(w, *l) && (waits(w, *l) || w.lanes.done() >> l & 1 != 0));
    if stray.is_some() && has_places {
        // Others may still come.
        let is_certain = group.iter().all(|warp| warp.lanes.ready() == 0);
        if !is_certain {
            return Ok(false);
        }
        let (pools, journal) = cluster.of_registers();
        return Ok(pools.change_apart(journal, number, group));
    }
    let is_whole = group.len() == GROUP && group.iter().all(|warp| warp.lanes.exists() == u32::MAX);
    let lacks_warps = !is_whole && !has_places;
    if stray.is_some() || lacks_warps {
        let here = members().filter(|(w, l)| is_there(w, *l)).count() as u32;
        let other = stray.unwrap_or((first, lane));
        let (site, thread, mut kind) =
            divergence(cluster.scene(), first, lane, here, GROUP as u32 * super::WARP, other);
        if let FindingKind::Divergence { instead, rule, .. } = &mut kind {
            *rule = Some(WARPGROUP);
            if stray.is_none() {
                let threads = members().count();
                *instead = format!("is one of {threads} threads after the last whole warpgroup of the block");
            }
        }
        return Err((site, thread, kind));
    }
    if !members().all(|(w, l)| is_there(w, l)) {
        return Ok(false);
    }
    if let Some(op) = op
        && !cluster.step_of_group(op, number, group)?
    {
        return Ok(false);
    }
    for warp in group {
        let exists = warp.lanes.exists();
        let own = warp.issuing(exists);
        if own.marks.has_learned() {
            own.marks.meet_lanes(cluster.parts().engine.course.as_deref_mut(), &own.issuer, true);
        }
        warp.lanes.resume(exists);
    }
    Ok(true)
}

impl Warp {
    pub(crate) fn is_in_group_of(&self, other: &Warp) -> bool {
        self.block() == other.block() && self.warpgroup() == other.warpgroup()
    }

    /// The lanes wait for their warpgroup at an instruction that it executes together.
    pub(crate) fn await_group(&mut self, cluster: &mut Cluster<'_>, active: u32) -> Flow {
        let act = self.act(active);
        cluster.journal_mut().tell(|_| Event::Orders { act });
        self.lanes.wait(active, |_| Wait::Group);
        Flow::Apart
    }

    pub(crate) fn warpgroup(&self) -> usize {
        self.number() as usize / GROUP
    }
}

/// Lets threads of a block execute a `setmaxnreg` at which they wait for others of their warpgroup
/// in vain. Returns whether there were any.
pub(crate) fn go_on_apart(cluster: &mut Cluster<'_>, block: &mut [Warp]) -> bool {
    if !cluster.machine().kernel.has_groups {
        return false;
    }
    let (pools, journal) = cluster.of_registers();
    let kernel = journal.machine().kernel;
    let groups = block.chunks_mut(GROUP).enumerate();
    groups.fold(false, |any, (number, group)| {
        let is_there = |w: &Warp, lane| Pools::asked(kernel, w, lane).is_some();
        let is_whole = group.iter().all(|w| lanes_of(w.lanes.exists()).all(|lane| is_there(w, lane)));
        (!is_whole && pools.change_apart(journal, number, group)) || any
    })
}
