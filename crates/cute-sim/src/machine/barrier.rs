//! Barriers of a block and of a warp, and reports about threads that never reach them.

use super::cluster::{Cluster, Stop};
use super::warp::{Wait, Warp};
use super::{WARP, verdict};
use crate::course::Past;
use crate::events::Event;
use crate::finding::FindingKind;
use crate::finding::LaneFinding;
use crate::lanes::lanes_of;
use crate::program::{Op, Slot};
use crate::race::Known;
use smallvec::SmallVec;
use std::rc::Rc;

/// Barriers of a block (PTX `barrier`).
const BARRIERS: u32 = 16;

/// Groups of lanes, each of which runs a collective.
pub(crate) type Groups = SmallVec<[u32; 2]>;

/// Threads that arrived at each barrier without waiting, and the knowledge that they published.
#[derive(Debug, Default)]
pub(crate) struct Barriers([Arrivals; BARRIERS as usize]);

#[derive(Debug, Default)]
struct Arrivals {
    threads: Vec<u32>,
    passed: Option<Known>,
    /// The waits that have returned before they arrived.
    past: Option<Rc<Past>>,
    /// The number of threads with which it completes according to the first of them, and the
    /// instruction of that thread.
    expects: Option<(u32, u32)>,
    /// The last use that did not take all threads of the block.
    last: Option<Last>,
}

/// A complete use of a barrier.
#[derive(Debug)]
struct Last {
    /// The threads that did not wait, those that waited, both in their order, and the time.
    arrived: Vec<u32>,
    waited: Vec<u32>,
    when: u32,
    /// The instruction at which the first of the threads waited.
    site: u32,
}

impl Barriers {
    /// The instruction of the first thread that has arrived at a barrier without waiting.
    pub(crate) fn arrival(&self, id: u32) -> Option<u32> {
        self.0[id as usize].expects.map(|(_, site)| site)
    }

    /// The number of threads that have arrived at a barrier without waiting.
    pub(crate) fn arrived(&self, id: u32) -> usize {
        self.0[id as usize].threads.len()
    }
}

impl Arrivals {
    /// Whether the lanes of a warp may take part again. They may not until one of them knows that
    /// the previous use of the barrier is complete, because they may count in that use. Otherwise
    /// returns such a lane, and the use if it is one without this lane.
    ///
    /// A lane that has arrived in this use may wait in it, and counts twice. Whoever takes part in
    /// the next use knows that this one is complete, so that both count in it in every order.
    fn admits(
        &self,
        warp: &Warp,
        (active, waits): (u32, bool),
        cluster: &Cluster<'_>,
    ) -> Result<(), (u32, Option<&Last>)> {
        let clocks = &cluster.clocks;
        let has = |threads: &[u32], lane: u32| threads.binary_search(&warp.thread(lane)).is_ok();
        let is_here = |lane: &u32| self.threads.contains(&warp.thread(*lane));
        if let Some(lane) = lanes_of(active).find(is_here).filter(|_| !waits) {
            return Err((lane, None));
        }
        let Some(last) = &self.last else { return Ok(()) };
        let knows = |lane: u32| {
            has(&last.waited, lane)
                || last.waited.iter().any(|other| clocks.knows(warp.thread(lane), *other, last.when))
        };
        if let Some(lane) = lanes_of(active).find(|lane| has(&last.arrived, *lane) && !knows(*lane)) {
            return Err((lane, None));
        }
        // A warp takes part as a whole.
        if last.waited.is_empty() || cluster.machine.relaxes_mbarriers || lanes_of(warp.exists).any(knows) {
            return Ok(());
        }
        Err((active.trailing_zeros(), Some(last)))
    }
}

impl Warp {
    /// Number of a barrier, and the threads it completes with, in one lane.
    fn barrier(
        &self,
        cluster: &Cluster<'_>,
        id: Option<Slot>,
        threads: Option<Slot>,
        lane: u32,
    ) -> Result<(u32, u32), LaneFinding> {
        let value = |slot: Slot| self.registers.get(slot)[lane as usize] as u32;
        let all: u32 = cluster.machine.threads();
        let (id, count) = (id.map_or(0, value), threads.map_or(all, value));
        if id >= BARRIERS || (threads.is_some() && (count == 0 || !count.is_multiple_of(WARP))) {
            return Err(LaneFinding { lane, kind: FindingKind::Barrier { id, threads: count } });
        }
        Ok((id, count))
    }

    fn barrier_operands(
        &self,
        cluster: &Cluster<'_>,
        id: Option<Slot>,
        threads: Option<Slot>,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let kernel = cluster.machine.kernel;
        id.map_or(Ok(()), |slot| self.registers.defined(kernel, slot, active, "barrier number"))?;
        threads.map_or(Ok(()), |slot| self.registers.defined(kernel, slot, active, "number of threads"))
    }

    pub(crate) fn enter_barrier(
        &mut self,
        cluster: &Cluster<'_>,
        id: Option<Slot>,
        threads: Option<Slot>,
        active: u32,
    ) -> Result<(), LaneFinding> {
        self.barrier_operands(cluster, id, threads, active)?;
        for lane in lanes_of(active) {
            let (id, threads) = self.barrier(cluster, id, threads, lane)?;
            self.admitted(cluster, id, (1 << lane, true))?;
            self.wait(1 << lane, |_| Wait::Barrier { id, threads });
        }
        Ok(())
    }

    /// Checks that lanes do not fill a barrier twice, and that they cannot take part in a use that
    /// others meant for themselves.
    fn admitted(&self, cluster: &Cluster<'_>, id: u32, lanes: (u32, bool)) -> Result<(), LaneFinding> {
        let arrivals = &cluster.barriers[cluster.scene().block().rank as usize].0[id as usize];
        arrivals.admits(self, lanes, cluster).map_err(|(lane, last)| {
            let kind = match last {
                Some(Last { waited, site, .. }) => shared(cluster, id, waited[0], *site),
                None => FindingKind::BarrierFilled { id },
            };
            LaneFinding { lane, kind }
        })
    }

    pub(crate) fn arrive(
        &mut self,
        cluster: &mut Cluster<'_>,
        id: Option<Slot>,
        threads: Slot,
        active: u32,
    ) -> Result<(), LaneFinding> {
        self.barrier_operands(cluster, id, Some(threads), active)?;
        let first = active.trailing_zeros();
        let (id, expected) = self.barrier(cluster, id, Some(threads), first)?;
        self.admitted(cluster, id, (active, false))?;
        let members: Vec<u32> = lanes_of(active).map(|lane| self.thread(lane)).collect();
        let rank = cluster.scene().block().rank as usize;
        let arrivals = &mut cluster.barriers[rank].0[id as usize];
        let (before, site) = *arrivals.expects.get_or_insert((expected, self.at));
        if before != expected {
            return Err(LaneFinding { lane: first, kind: counts(cluster, id, expected, before, site) });
        }
        cluster.journal.tell(|_| Event::ArrivesAtBarrier { act: self.act(active), id });
        cluster.journal.changes_softly();
        let arrivals = &mut cluster.barriers[rank].0[id as usize];
        arrivals.threads.extend(&members);
        arrivals.passed = Some(cluster.clocks.release(arrivals.passed.as_ref(), &members));
        if let Some(course) = &cluster.engine.course {
            let own = course.of_all(members.into_iter());
            arrivals.past =
                Some(arrivals.past.as_ref().map_or_else(|| own.clone(), |past| Past::both(past, &own)));
        }
        Ok(())
    }

    pub(crate) fn enter_warp_barrier(
        &mut self,
        cluster: &mut Cluster<'_>,
        mask: Slot,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let masks = *self.registers.get(mask);
        for lane in lanes_of(active) {
            let mask = masks[lane as usize] as u32;
            if mask >> lane & 1 == 0 {
                let kind = FindingKind::LaneMask { mask, what: "the lane itself is not in it".into() };
                return Err(LaneFinding { lane, kind });
            }
            self.wait(1 << lane, |_| Wait::Warp { mask });
        }
        lanes_of(active).for_each(|lane| self.meet(cluster, lane));
        Ok(())
    }

    /// Lets the lanes continue that wait at a barrier of the warp with this one, if all of its mask
    /// do. Lanes that have returned cannot, and devices go on without them.
    fn meet(&mut self, cluster: &mut Cluster<'_>, lane: u32) {
        let Some(Wait::Warp { mask }) = self.waits[lane as usize] else { return };
        let members = mask & self.exists & !self.done;
        if lanes_of(members).any(|l| self.waits[l as usize] != Some(Wait::Warp { mask })) {
            return;
        }
        let returned = mask & self.done;
        if returned != 0 {
            let thread = cluster.scene().thread(self.thread(returned.trailing_zeros()));
            let kind = FindingKind::ReturnedLanes { mask, returned, thread };
            cluster.journal.remark(self.pcs[lane as usize], self.thread(lane), kind);
        }
        let threads: Vec<u32> = lanes_of(members).map(|l| self.thread(l)).collect();
        cluster.clocks.meet(&threads);
        if self.has_learned {
            self.meet_lanes(cluster, members);
        }
        self.resume(members);
    }

    /// Lanes return. Others may have waited for them alone.
    pub(crate) fn leave(&mut self, cluster: &mut Cluster<'_>, active: u32) {
        let at = self.at;
        self.park(active, at);
        self.ready &= !active;
        self.done |= active;
        self.registers.end(active);
        for lane in lanes_of(self.exists & !self.ready & !self.done) {
            match self.waits[lane as usize] {
                Some(Wait::Warp { .. }) => self.meet(cluster, lane),
                Some(Wait::Collective { mask }) => self.gather_again(cluster, lane, mask),
                _ => {}
            }
        }
    }

    /// Lets the lanes of a mask that wait with this one execute their collective, if none of them
    /// is missing but those that have returned.
    fn gather_again(&mut self, cluster: &mut Cluster<'_>, lane: u32, mask: u32) {
        let pc = self.pcs[lane as usize];
        let excuses = cluster.machine.kernel.code.get(pc as usize).is_some_and(excuses_returned);
        let members = mask & self.exists & !self.done;
        let is_here =
            |l: u32| self.waits[l as usize] == Some(Wait::Collective { mask }) && self.pcs[l as usize] == pc;
        if excuses && lanes_of(members).all(is_here) {
            // They have been counted there.
            cluster.journal.counters_mut().threads[pc as usize] -= u64::from(members.count_ones());
            self.retry(members);
        }
    }

    /// The groups of lanes that execute a collective together now: all lanes of one mask that pass
    /// this mask, but for those that are excused. Lanes with another mask form another group. Lanes
    /// whose group is not complete wait.
    pub(crate) fn gather(
        &mut self,
        cluster: &Cluster<'_>,
        mask: Option<Slot>,
        active: u32,
        excused: u32,
    ) -> Result<Groups, LaneFinding> {
        let mut masks = [u32::MAX; 32];
        if let Some(slot) = mask {
            self.registers.defined(cluster.machine.kernel, slot, active, "lane mask")?;
            masks = self.registers.get(slot).map(|mask| mask as u32);
        }
        let own = |lane: u32| masks[lane as usize];
        if let Some(lane) = lanes_of(active).find(|l| own(*l) >> l & 1 == 0) {
            let kind = FindingKind::LaneMask { mask: own(lane), what: "the lane itself is not in it".into() };
            return Err(LaneFinding { lane, kind });
        }
        let waiting = |lane: u32| match self.waits[lane as usize] {
            Some(Wait::Collective { mask }) if self.pcs[lane as usize] == self.at => Some(mask),
            _ => None,
        };
        let given = |lane: u32| if active >> lane & 1 != 0 { Some(own(lane)) } else { waiting(lane) };
        let (mut groups, mut waits) = (Groups::new(), Groups::new());
        let mut left = active;
        while left != 0 {
            let lane = left.trailing_zeros();
            let mask = own(lane);
            let members = mask & self.exists & !excused;
            let here = lanes_of(members).filter(|l| given(*l) == Some(mask)).fold(0, |m, l| m | 1 << l);
            // A lane may return later with this mask, unless it waits for this one.
            let rival = lanes_of(members & !here).find_map(|l| Some((l, given(l)?)));
            if let Some((other, theirs)) = rival.filter(|(_, theirs)| theirs >> lane & 1 != 0) {
                let what = format!("lane {other}, which is in it, has mask {theirs:#010x}");
                return Err(LaneFinding { lane, kind: FindingKind::LaneMask { mask, what } });
            }
            if here == members {
                groups.push(members);
            } else {
                waits.push(here & active);
            }
            left &= !here;
        }
        for lanes in waits {
            self.wait(lanes, |lane| Wait::Collective { mask: masks[lane as usize] });
        }
        Ok(groups)
    }
}

/// Whether the lanes of a warp that have returned do not keep the others from this instruction.
pub(crate) fn excuses_returned(op: &Op) -> bool {
    match op {
        Op::Collective(op) => op.excuses_returned(),
        Op::ClusterArrive { .. } | Op::ClusterWait { .. } | Op::Arrive { .. } => true,
        _ => false,
    }
}

/// Lets go every thread of the block whose barrier is complete.
pub(crate) fn settle(cluster: &mut Cluster<'_>, warps: &mut [Warp]) -> Result<(), Stop> {
    let mut ids = 0u32;
    for warp in warps.iter() {
        for lane in lanes_of(warp.exists & !warp.ready & !warp.done) {
            if let Some(Wait::Barrier { id, .. }) = warp.waits[lane as usize] {
                ids |= 1 << id;
            }
        }
    }
    for id in lanes_of(ids) {
        settle_one(cluster, warps, id)?;
    }
    Ok(())
}

/// The number of threads that a lane's wait at barrier `id` needs.
fn needs(wait: Option<Wait>, id: u32) -> Option<u32> {
    match wait {
        Some(Wait::Barrier { id: other, threads }) if other == id => Some(threads),
        _ => None,
    }
}

fn settle_one(cluster: &mut Cluster<'_>, warps: &mut [Warp], id: u32) -> Result<(), Stop> {
    let waiting_in = |warp: &Warp| -> u32 {
        lanes_of(warp.exists)
            .filter(|l| needs(warp.waits[*l as usize], id).is_some())
            .fold(0, |m, l| m | 1 << l)
    };
    let mut all = warps.iter().flat_map(|w| w.waits);
    let expected =
        all.find_map(|wait| needs(wait, id)).expect("only barriers where a lane waits are settled");
    let (mut waiting, mut agree) = (0, true);
    for warp in warps.iter() {
        for threads in lanes_of(warp.exists).filter_map(|lane| needs(warp.waits[lane as usize], id)) {
            waiting += 1;
            agree &= threads == expected;
        }
    }
    let arrivals = &cluster.barriers[cluster.scene().block().rank as usize].0[id as usize];
    let waits = || waits_at(warps, id);
    if let Some((other, site)) = arrivals.expects.filter(|(other, _)| *other != expected) {
        let (warp, lane, _) = waits().next().expect("a lane waits");
        let kind = counts(cluster, id, expected, other, site);
        return Err((warp.pcs[lane as usize], warp.thread(lane), kind));
    }
    if !agree && let Some((warp, lane, other)) = waits().find(|(.., other)| *other != expected) {
        let (first, l, _) = waits().next().expect("a lane waits");
        let kind = counts(cluster, id, other, expected, first.pcs[l as usize]);
        return Err((warp.pcs[lane as usize], warp.thread(lane), kind));
    }
    let arrived = arrivals.threads.len() as u32;
    if waiting + arrived < expected {
        // A barrier of warps that are whole waits for all of them.
        if warps.iter().all(|warp| warp.done == 0 && warp.exists == u32::MAX) {
            return Ok(());
        }
        let counted = waits().any(|(warp, lane, _)| is_counted(cluster, warp.pcs[lane as usize]));
        let missing = expected - waiting - arrived;
        match excused(warps, id, &arrivals.threads, counted, missing) {
            Missing::Nobody => {}
            Missing::Some => return Ok(()),
            Missing::Returned { thread, returned } => {
                let (warp, lane, _) = waits().next().expect("a lane waits");
                let (site, who) = (warp.pcs[lane as usize], warp.thread(lane));
                let thread = cluster.scene().thread(thread);
                let kind = FindingKind::ReturnedThreads { id, threads: expected, returned, thread };
                return Err((site, who, kind));
            }
        }
    }
    for warp in warps.iter() {
        aligned(cluster, warp, waiting_in(warp))?;
    }
    let mut left = expected.saturating_sub(arrived);
    let mut members: Vec<u32> = Vec::new();
    let site = waits_at(warps, id).next().map_or(0, |(warp, lane, _)| warp.pcs[lane as usize]);
    // If more wait than it needs, chance decides which of them meet.
    if waiting > left && left > 0 {
        let (first, lane, _) = waits_at(warps, id).next().expect("a lane waits");
        let one = first.thread(lane);
        let (warp, lane, _) = waits_at(warps, id).nth(left as usize).expect("more wait");
        return Err((warp.pcs[lane as usize], warp.thread(lane), shared(cluster, id, one, site)));
    }
    let taken: Vec<u32> = warps
        .iter()
        .map(|warp| {
            let lanes = lanes_of(waiting_in(warp)).take(left as usize).fold(0u32, |m, l| m | 1 << l);
            left -= lanes.count_ones();
            lanes
        })
        .collect();
    verdict::settle(cluster, warps, id, &taken)?;
    let rank = cluster.scene().block().rank as usize;
    let arrivals = std::mem::take(&mut cluster.barriers[rank].0[id as usize]);
    cluster.journal.completes_barrier();
    let mut whole = Vec::new();
    for (warp, lanes) in warps.iter_mut().zip(taken) {
        members.extend(lanes_of(lanes).map(|l| warp.thread(l)));
        if lanes != 0 && lanes | warp.done == warp.exists {
            whole.push(warp.thread(0) / WARP);
            warp.has_learned = false;
        }
        warp.resume(lanes);
    }
    if let Some(course) = &mut cluster.engine.course {
        course.meet(arrivals.past.as_ref(), &members, whole.into_iter());
    }
    let all: u32 = cluster.machine.threads();
    if members.len() as u32 == all {
        cluster.clocks.meet_all(cluster.scene().block().rank);
    } else {
        cluster.clocks.meet_with(arrivals.passed.as_ref(), &members);
    }
    let mut arrived = arrivals.threads;
    if !arrived.is_empty() || (members.len() as u32) < all {
        arrived.sort_unstable();
        let last = Last { arrived, waited: members, when: cluster.clocks.now(), site };
        cluster.barriers[rank].0[id as usize].last = Some(last);
    }
    Ok(())
}

/// Whether an instruction says with how many threads its barrier completes.
pub(crate) fn is_counted(cluster: &Cluster<'_>, pc: u32) -> bool {
    matches!(cluster.machine.kernel.code.get(pc as usize), Some(Op::Barrier { threads: Some(_), .. }))
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
            needs(warp.waits[*lane as usize], id).is_some() || arrived.contains(&warp.thread(*lane))
        };
        let here = lanes_of(warp.exists).filter(is_here).fold(0u32, |m, l| m | 1 << l);
        let is_left = warp.exists & !warp.done & !here != 0;
        match (counted, is_left, here) {
            (false, ..) => excused += (warp.done & !here).count_ones(),
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
        lanes_of(w.exists).filter_map(move |l| Some((w, l, needs(w.waits[l as usize], id)?)))
    })
}

/// The finding that a thread may take part in a use of a barrier in which `thread` waited there.
fn shared(cluster: &Cluster<'_>, id: u32, thread: u32, site: u32) -> FindingKind {
    let (op, location) = cluster.scene().site(site);
    FindingKind::BarrierShared { id, thread: cluster.scene().thread(thread), op, location }
}

/// The finding that a barrier is used with different numbers of threads.
fn counts(cluster: &Cluster<'_>, id: u32, threads: u32, other: u32, site: u32) -> FindingKind {
    let (op, location) = cluster.scene().site(site);
    FindingKind::BarrierCounts { id, threads, other, op, location }
}

/// All lanes of a warp go through a block barrier at the same instruction if one of them uses the
/// aligned form (PTX `barrier.aligned`).
fn aligned(cluster: &Cluster<'_>, warp: &Warp, waiting: u32) -> Result<(), Stop> {
    let code = &cluster.machine.kernel.code;
    let is_aligned =
        |l: &u32| matches!(code.get(warp.pcs[*l as usize] as usize), Some(Op::Barrier { aligned: true, .. }));
    let Some(first) = lanes_of(waiting).find(is_aligned) else { return Ok(()) };
    let at = |l: u32| (warp.waits[l as usize], warp.pcs[l as usize]);
    let together = lanes_of(waiting).filter(|l| at(*l) == at(first)).fold(0, |m, l| m | 1 << l);
    let Some(other) = lanes_of(warp.exists & !warp.done & !together).next() else { return Ok(()) };
    Err(divergence(
        cluster,
        warp,
        first,
        together.count_ones(),
        (warp.exists & !warp.done).count_ones(),
        (warp, other),
    ))
}

const ALIGNED: &str = "all threads of the warp must execute the `.aligned` form of this instruction together: execute it \
                       outside of the branch, or use the form without `.aligned`";

const ELECTION: &str =
    "all lanes of the mask must execute the election together: move it out of the divergent branch";

/// The finding about a collective at which a lane waits and which another lane does not reach.
pub(crate) fn divergence(
    cluster: &Cluster<'_>,
    warp: &Warp,
    lane: u32,
    waiting: u32,
    expected: u32,
    (other, other_lane): (&Warp, u32),
) -> Stop {
    let instead = if other.done >> other_lane & 1 != 0 {
        "has returned".to_owned()
    } else {
        let (op, location) = cluster.scene().site(other.pcs[other_lane as usize]);
        match other.waits[other_lane as usize] {
            Some(Wait::Collective { mask } | Wait::Warp { mask }) => {
                format!("waits at `{op}` ({location}) with lane mask {mask:#010x}")
            }
            _ => format!("is at `{op}` ({location})"),
        }
    };
    let thread = cluster.scene().thread(other.thread(other_lane));
    let (op, _) = cluster.scene().site(warp.pcs[lane as usize]);
    let code = cluster.machine.kernel.code.get(warp.pcs[lane as usize] as usize);
    let rule = match code {
        Some(
            Op::ClusterArrive { aligned: true, .. }
            | Op::ClusterWait { aligned: true }
            | Op::Arrive { aligned: true, .. },
        ) => Some(ALIGNED),
        _ => op.ends_with("elect.sync").then_some(ELECTION),
    };
    let kind = FindingKind::Divergence { waiting, expected, thread, instead, rule };
    (warp.pcs[lane as usize], warp.thread(lane), kind)
}
