//! What to say when no thread of a cluster can go on.

use super::WARP;
use super::barrier::divergence;
use super::cluster::{Cluster, Stop};
use super::warp::{Wait, Warp};
use crate::engine::mbarrier::{Awaited, Mbarrier};
use crate::exec::alu::lanes_of;
use crate::finding::{FindingKind, Triple};

/// Threads that wait for the same thing at the same instruction, by the first of them.
struct Group<'w> {
    warp: &'w Warp,
    lane: u32,
    wait: Wait,
    threads: u32,
}

impl Group<'_> {
    fn pc(&self) -> u32 {
        self.warp.pcs[self.lane as usize]
    }

    /// Does this lane wait with the group?
    fn has(&self, warp: &Warp, lane: u32) -> bool {
        warp.waits[lane as usize] == Some(self.wait)
            && warp.pcs[lane as usize] == self.pc()
            && match self.wait {
                Wait::Barrier { .. } => warp.block == self.warp.block,
                Wait::Cluster => true,
                Wait::Phase { .. } => warp.block == self.warp.block,
                Wait::Warp { .. } | Wait::Collective { .. } => warp.thread(0) == self.warp.thread(0),
                Wait::Group => self.warp.is_in_group_of(warp),
            }
    }

    fn describe(&self, cluster: &Cluster<'_>) -> String {
        let (op, location) = cluster.site(self.pc());
        let first = self.warp.thread(self.lane);
        let of = if cluster.is_alone() {
            String::new()
        } else {
            format!(" of block {}", Triple(&cluster.block_of(first).position))
        };
        let first = cluster.thread(first);
        let what = match self.wait {
            Wait::Barrier { id, threads } => format!("barrier {id} for {threads} threads"),
            Wait::Warp { mask } | Wait::Collective { mask } => format!("lanes {mask:#010x} of their warp"),
            Wait::Group => "the four warps of their warpgroup".to_owned(),
            Wait::Cluster => "the barrier of the cluster".to_owned(),
            Wait::Phase { barrier, awaited, .. } => barrier_state(cluster, barrier, awaited),
        };
        format!("{} threads{of} from {} on wait at `{op}` ({location}), {what}", self.threads, Triple(&first))
    }
}

/// What an `mbarrier` lacks for the end of its phase.
fn barrier_state(cluster: &Cluster<'_>, at: usize, awaited: Awaited) -> String {
    let (place, offset) = cluster.barrier_place(at);
    let Some(barrier) = cluster.engine.barriers.get(&at) else {
        return format!("the mbarrier at byte {offset} of {place}, which was invalidated");
    };
    let Mbarrier { phase, pending, expected, bytes, .. } = barrier;
    let (_, location) = cluster.site(barrier.site);
    let waits = match awaited {
        Awaited::Parity(parity) => format!("parity {}", parity & 1),
        Awaited::Phase(phase) => format!("phase {phase}"),
    };
    let bytes = match bytes {
        0 => String::new(),
        bytes if *bytes > 0 => format!(", and {bytes} bytes that are expected have not come"),
        bytes => format!(", and {} bytes have come that nobody expected", -bytes),
    };
    format!(
        "{waits} of the mbarrier at byte {offset} of {place} (initialised at {location}), whose phase {phase} lacks \
         {pending} of {expected} arrivals{bytes}"
    )
}

fn groups(warps: &[Warp]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for warp in warps {
        for lane in lanes_of(warp.exists) {
            let Some(wait) = warp.waits[lane as usize] else { continue };
            match groups.iter_mut().find(|g| g.has(warp, lane)) {
                Some(group) => group.threads += 1,
                None => groups.push(Group { warp, lane, wait, threads: 1 }),
            }
        }
    }
    groups
}

/// Do lanes of a warp wait in several places, or some of them not at all?
fn is_torn(warp: &Warp) -> bool {
    let at = |lane: u32| (warp.waits[lane as usize], warp.pcs[lane as usize]);
    lanes_of(warp.exists).any(|lane| at(lane) != at(0))
}

/// A deadlock if whole warps wait for different things: none of them is where it should not be. Else the first collective
/// that somebody misses.
pub(crate) fn stuck(cluster: &Cluster<'_>, warps: &[Warp]) -> Stop {
    let groups = groups(warps);
    let Some(first) = groups.first() else {
        return (0, 0, FindingKind::Deadlock { waits: Vec::new() });
    };
    let (warp, lane, wait) = (first.warp, first.lane, first.wait);
    let phase = groups.iter().any(|g| matches!(g.wait, Wait::Phase { .. }));
    if phase || groups.iter().any(|g| g.wait != wait) && !warps.iter().any(is_torn) {
        let waits = groups.iter().map(|g| g.describe(cluster)).collect();
        return (first.pc(), warp.thread(lane), FindingKind::Deadlock { waits });
    }
    let lanes = |warp, mask| lanes_of(mask).map(move |lane| (warp, lane));
    let (scope, expected): (Vec<(&Warp, u32)>, u32) = match wait {
        Wait::Barrier { threads, .. } => {
            let block = warps.iter().filter(|w| w.block == warp.block);
            (block.flat_map(|w| lanes(w, w.exists)).collect(), threads)
        }
        Wait::Phase { .. } => (lanes(warp, warp.exists).collect(), warp.exists.count_ones()),
        Wait::Group => {
            let group = warps.iter().filter(|w| w.is_in_group_of(warp));
            (group.flat_map(|w| lanes(w, w.exists)).collect(), 4 * WARP)
        }
        Wait::Cluster => {
            let there = warps.iter().map(|w| w.exists & !w.done);
            let expected = there.clone().map(u32::count_ones).sum();
            (warps.iter().zip(there).flat_map(|(w, there)| lanes(w, there)).collect(), expected)
        }
        Wait::Warp { mask } | Wait::Collective { mask } => {
            let members = mask & warp.exists;
            (lanes(warp, members).collect(), members.count_ones())
        }
    };
    let waits = |(w, l): &&(&Warp, u32)| {
        w.waits[*l as usize] == Some(wait) || wait == Wait::Cluster && w.cluster_arrived >> l & 1 != 0
    };
    let waiting = scope.iter().filter(waits).count() as u32;
    let other = scope.iter().find(|o| !waits(o)).copied().unwrap_or((warp, lane));
    divergence(cluster, warp, lane, waiting, expected, other)
}
