//! Predicates that the threads of a barrier combine (PTX `barrier.red`).

use super::arrivals::Barriers;
use super::op::BarrierReduction;
use crate::finding::FindingKind;
use crate::lanes::lanes_of;
use crate::machine::cluster::Stop;
use crate::machine::scene::Scene;
use crate::machine::warp::Warp;
use crate::program::Op;

/// The reduction at whose instruction a lane waits.
fn reduction(scene: &Scene<'_>, warp: &Warp, lane: u32) -> Option<BarrierReduction> {
    match scene.machine().kernel.code.get(warp.lanes.pc(lane) as usize) {
        Some(Op::Barrier(op)) => op.reduction(),
        _ => None,
    }
}

/// Gives the threads of a complete barrier, which are these lanes of each warp, the result. Either
/// all of them execute the same reduction, or none of them does.
pub(super) fn settle(
    scene: &Scene<'_>,
    barriers: &Barriers,
    warps: &mut [Warp],
    id: u32,
    lanes: &[u32],
) -> Result<(), Stop> {
    let members = || lanes.iter().enumerate().flat_map(|(warp, all)| lanes_of(*all).map(move |l| (warp, l)));
    let own = |warp: &Warp, lane| reduction(scene, warp, lane);
    let Some((first, lane, BarrierReduction { verdict, .. })) =
        members().find_map(|(warp, lane)| Some((warp, lane, own(&warps[warp], lane)?)))
    else {
        return Ok(());
    };
    let at = |(warp, lane): (usize, u32)| warps[warp].lanes.pc(lane);
    let differs =
        |(warp, lane): &(usize, u32)| own(&warps[*warp], *lane).is_none_or(|other| other.verdict != verdict);
    let arrival = barriers.arrival(id);
    if let Some(other) = members().find(differs).map(at).or(arrival) {
        let (op, location) = scene.site(other);
        let kind = FindingKind::BarrierMixed { id, op, location };
        return Err((at((first, lane)), warps[first].thread(lane), kind));
    }
    let (mut all, mut holding) = (0u64, 0u64);
    for (warp, lane) in members() {
        all += 1;
        let word = own(&warps[warp], lane).map(|own| warps[warp].registers.get(own.predicate)[lane as usize]);
        holding += word.unwrap_or(0) & 1;
    }
    let result = verdict.of(holding, all);
    for (warp, lane) in members() {
        if let Some(own) = own(&warps[warp], lane) {
            warps[warp].registers.set_lane(own.dst, lane, result);
        }
    }
    Ok(())
}
