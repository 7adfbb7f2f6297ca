//! The ends of waits at the barriers of a block.

use super::act::{counts, shared};
use super::arrivals::Last;
use super::verdict;
use crate::finding::FindingKind;
use crate::lanes::lanes_of;
use crate::machine::WARP;
use crate::machine::cluster::Stop;
use crate::machine::divergence::divergence;
use crate::machine::parts::Meetings;
use crate::machine::scene::Scene;
use crate::machine::warp::{Wait, Warp};
use crate::program::Op;

impl Meetings<'_, '_> {
    /// Lets go every thread of the block whose barrier is complete.
    pub(crate) fn settle_barriers(&mut self, warps: &mut [Warp]) -> Result<(), Stop> {
        let mut ids = 0u32;
        for warp in warps.iter() {
            for lane in lanes_of(warp.lanes.stopped()) {
                if let Some(Wait::Barrier { id, .. }) = warp.lanes.wait_of(lane) {
                    ids |= 1 << id;
                }
            }
        }
        for id in lanes_of(ids) {
            settle_one(self, warps, id)?;
        }
        Ok(())
    }
}

/// The number of threads that a lane's wait at barrier `id` needs.
fn needs(wait: Option<Wait>, id: u32) -> Option<u32> {
    match wait {
        Some(Wait::Barrier { id: other, threads }) if other == id => Some(threads),
        _ => None,
    }
}

fn settle_one(meetings: &mut Meetings<'_, '_>, warps: &mut [Warp], id: u32) -> Result<(), Stop> {
    let waiting_in = |warp: &Warp| -> u32 {
        lanes_of(warp.lanes.exists())
            .filter(|l| needs(warp.lanes.wait_of(*l), id).is_some())
            .fold(0, |m, l| m | 1 << l)
    };
    let all = warps.iter().flat_map(|warp| warp.lanes.waits());
    let expected =
        { all }.find_map(|wait| needs(Some(wait), id)).expect("only barriers where a lane waits are settled");
    let (mut waiting, mut agree) = (0, true);
    for warp in warps.iter() {
        for threads in lanes_of(warp.lanes.exists()).filter_map(|lane| needs(warp.lanes.wait_of(lane), id)) {
            waiting += 1;
            agree &= threads == expected;
        }
    }
    let (scene, arrivals) = (meetings.scene(), meetings.own().of(id));
    let machine = scene.machine();
    let waits = || waits_at(warps, id);
    if let Some((other, site)) = arrivals.expects().filter(|(other, _)| *other != expected) {
        let (warp, lane, _) = waits().next().expect("a lane waits");
        let kind = counts(scene, id, expected, other, site);
        return Err((warp.lanes.pc(lane), warp.thread(lane), kind));
    }
    if !agree && let Some((warp, lane, other)) = waits().find(|(.., other)| *other != expected) {
        let (first, l, _) = waits().next().expect("a lane waits");
        let kind = counts(scene, id, other, expected, first.lanes.pc(l));
        return Err((warp.lanes.pc(lane), warp.thread(lane), kind));
    }
    let arrived = arrivals.threads().len() as u32;
    if waiting + arrived < expected {
        // A barrier of warps that are whole waits for all of them.
        if warps.iter().all(|warp| warp.lanes.done() == 0 && warp.lanes.exists() == u32::MAX) {
            return Ok(());
        }
        let op = |pc: u32| machine.kernel.code.get(pc as usize);
        let counted =
            waits().any(|(warp, lane, _)| op(warp.lanes.pc(lane)).is_some_and(Op::is_counted_barrier));
        let missing = expected - waiting - arrived;
        match excused(warps, id, arrivals.threads(), counted, missing) {
            Missing::Nobody => {}
            Missing::Some => return Ok(()),
            Missing::Returned { thread, returned } => {
                let (warp, lane, _) = waits().next().expect("a lane waits");
                let (site, who) = (warp.lanes.pc(lane), warp.thread(lane));
                let thread = scene.thread(thread);
                let kind = FindingKind::ReturnedThreads { id, threads: expected, returned, thread };
                return Err((site, who, kind));
            }
        }
    }
    for warp in warps.iter() {
        aligned(scene, warp, waiting_in(warp))?;
    }
    let mut left = expected.saturating_sub(arrived);
    let mut members: Vec<u32> = Vec::new();
    let site = waits_at(warps, id).next().map_or(0, |(warp, lane, _)| warp.lanes.pc(lane));
    // If more wait than it needs, chance decides which of them meet.
    if waiting > left && left > 0 {
        let (first, lane, _) = waits_at(warps, id).next().expect("a lane waits");
        let one = first.thread(lane);
        let (warp, lane, _) = waits_at(warps, id).nth(left as usize).expect("more wait");
        return Err((warp.lanes.pc(lane), warp.thread(lane), shared(scene, id, one, site)));
    }
    let taken: Vec<u32> = warps
        .iter()
        .map(|warp| {
            let lanes = lanes_of(waiting_in(warp)).take(left as usize).fold(0u32, |m, l| m | 1 << l);
            left -= lanes.count_ones();
            lanes
        })
        .collect();
    verdict::settle(scene, meetings.own(), warps, id, &taken)?;
    let rank = scene.block().rank;
    let arrivals = meetings.own_mut().complete(id);
    meetings.journal.completes_barrier();
    let mut whole = Vec::new();
    for (warp, lanes) in warps.iter_mut().zip(taken) {
        members.extend(lanes_of(lanes).map(|l| warp.thread(l)));
        if lanes != 0 && lanes | warp.lanes.done() == warp.lanes.exists() {
            whole.push(warp.thread(0) / WARP);
            warp.marks.share();
        }
        warp.lanes.resume(lanes);
    }
    if let Some(course) = &mut meetings.engine.course {
        course.meet(arrivals.past(), &members, whole.into_iter());
    }
    let all: u32 = machine.threads();
    if members.len() as u32 == all {
        meetings.clocks.meet_all(rank);
    } else {
        meetings.clocks.meet_with(arrivals.passed(), &members);
    }
    let mut arrived = arrivals.threads().to_vec();
    if !arrived.is_empty() || (members.len() as u32) < all {
        arrived.sort_unstable();
        let last = Last { arrived, waited: members, when: meetings.clocks.now(), site };
        meetings.own_mut().of_mut(id).remember(last);
    }
    Ok(())
}

/// The threads that a barrier lacks.
enum Missing {
    /// None that has not returned.
    Nobody,
    /// Some that can still come.
    Some,
    /// This many of the threads that it counts have returned, the first of which is this one, and
    /// all others are there.
    Returned { thread: u32, returned: u32 },
}

/// Whether the barrier completes although `missing` of its threads are not there: a thread waits
/// for the threads of its warp and of other warps that have not returned (PTX ISA, "barrier": "wait
/// for all non-exited threads from its warp and marks warps' arrival"). A barrier with a count
/// takes whole warps; of warps that have returned the text does not say whether they count.
fn excused(warps: &[Warp], id: u32, arrived: &[u32], counted: bool, missing: u32) -> Missing {
    let (mut excused, mut alive, mut returned, mut first) = (0, 0, 0, None);
    for warp in warps {
        let is_here = |lane: &u32| {
            needs(warp.lanes.wait_of(*lane), id).is_some() || arrived.contains(&warp.thread(*lane))
        };
        let here = lanes_of(warp.lanes.exists()).filter(is_here).fold(0u32, |m, l| m | 1 << l);
        let is_left = warp.lanes.exists() & !warp.lanes.done() & !here != 0;
        match (counted, is_left, here) {
            (false, ..) => excused += (warp.lanes.done() & !here).count_ones(),
            (true, true, _) => alive += WARP - here.count_ones(),
            (true, false, 1..) => excused += WARP - here.count_ones(),
            (true, false, 0) => {
                returned += WARP;
                first = first.or(Some(warp.thread(0)));
            }
        }
    }
    match missing.checked_sub(excused) {
        None | Some(0) => Missing::Nobody,
        Some(missing) => match first {
            Some(thread) if missing > alive && missing <= returned => {
                Missing::Returned { thread, returned: missing }
            }
            _ => Missing::Some,
        },
    }
}

/// The lanes that wait at a barrier, and the number of threads that each of them waits for.
fn waits_at(warps: &[Warp], id: u32) -> impl Iterator<Item = (&Warp, u32, u32)> {
    warps.iter().flat_map(move |w| {
        lanes_of(w.lanes.exists()).filter_map(move |l| Some((w, l, needs(w.lanes.wait_of(l), id)?)))
    })
}

/// All lanes of a warp go through a block barrier at the same instruction if one of them uses the
/// aligned form (PTX `barrier.aligned`).
fn aligned(scene: &Scene<'_>, warp: &Warp, waiting: u32) -> Result<(), Stop> {
    let code = &scene.machine().kernel.code;
    let is_aligned =
        |l: &u32| matches!(code.get(warp.lanes.pc(*l) as usize), Some(Op::Barrier(op)) if op.waits_aligned());
    let Some(first) = lanes_of(waiting).find(is_aligned) else { return Ok(()) };
    let at = |l: u32| (warp.lanes.wait_of(l), warp.lanes.pc(l));
    let together = lanes_of(waiting).filter(|l| at(*l) == at(first)).fold(0, |m, l| m | 1 << l);
    let Some(other) = lanes_of(warp.lanes.exists() & !warp.lanes.done() & !together).next() else {
        return Ok(());
    };
    Err(divergence(
        scene,
        warp,
        first,
        together.count_ones(),
        (warp.lanes.exists() & !warp.lanes.done()).count_ones(),
        (warp, other),
    ))
}
