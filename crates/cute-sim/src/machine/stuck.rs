//! The report when no thread of a cluster can continue.

use super::WARP;
use super::cluster::{Cluster, Stop};
use super::divergence::divergence;
use super::warp::{Wait, Warp};
use crate::families::mbarrier::barrier::{Awaited, PhaseState};
use crate::families::mbarrier::history::Arrivals;
use crate::finding::{BarrierState, FindingKind, Triple, Waiting, WaitingWarp};
use crate::lanes::lanes_of;
use crate::program::Op;

/// Threads that wait for the same thing at the same instruction, with the first of them.
struct Group<'w> {
    warp: &'w Warp,
    lane: u32,
    wait: Wait,
    threads: u32,
    /// The waiting lanes of each warp.
    warps: Vec<(&'w Warp, u32)>,
}

impl Group<'_> {
    fn pc(&self) -> u32 {
        self.warp.lanes.pc(self.lane)
    }

    /// Whether this lane waits with the group.
    fn has(&self, warp: &Warp, lane: u32) -> bool {
        warp.lanes.wait_of(lane) == Some(self.wait)
            && warp.lanes.pc(lane) == self.pc()
            && match self.wait {
                Wait::Barrier { .. } => warp.block() == self.warp.block(),
                Wait::Cluster => true,
                Wait::Phase { .. } => warp.block() == self.warp.block(),
                Wait::Columns { .. } => warp.thread(0) == self.warp.thread(0),
                Wait::Warp { .. } | Wait::Together { .. } => warp.thread(0) == self.warp.thread(0),
                Wait::Group => self.warp.is_in_group_of(warp),
            }
    }

    fn describe(&self, cluster: &Cluster<'_>) -> Waiting {
        let (op, location) = cluster.scene().site(self.pc());
        let first = self.warp.thread(self.lane);
        let block = (!cluster.scene().is_alone()).then(|| cluster.scene().block_of(first).position);
        let mut details = Vec::new();
        let what = match self.wait {
            Wait::Barrier { id, threads } => {
                let arrived = cluster.barriers()[self.warp.block().rank as usize].arrived(id);
                if arrived > 0 {
                    details.push(format!("{arrived} more threads have arrived there and do not wait"));
                }
                format!("barrier {id} for {threads} threads")
            }
            Wait::Warp { mask } | Wait::Together { mask } => format!("lanes {mask:#010x} of their warp"),
            Wait::Group => match self.registers(cluster) {
                Some((count, lacks)) => {
                    details = holders(cluster, self.warp.block().rank);
                    format!("{count} registers per thread; the block has {lacks} registers too few for that")
                }
                None => "the four warps of their warpgroup".to_owned(),
            },
            Wait::Cluster => "the barrier of the cluster".to_owned(),
            Wait::Columns { peer: Some(peer), .. } => {
                format!("block {peer} of the cluster to allocate tensor memory with it")
            }
            Wait::Columns { count, peer: None } => {
                let memory = cluster.tensor().get(self.warp.block().rank);
                let live = memory.into_iter().flat_map(|memory| memory.live());
                details = live
                    .map(|own| {
                        let (op, location) = cluster.scene().site(own.site);
                        format!(
                            "columns {} to {} are allocated by `{op}` ({location})",
                            own.first,
                            own.first + own.count - 1
                        )
                    })
                    .collect();
                format!("{count} columns of tensor memory side by side")
            }
            Wait::Phase { barrier, awaited, .. } => {
                details = arrivals(cluster, barrier);
                barrier_state(cluster, barrier, awaited)
            }
        };
        let warps = self.warps.iter().map(|(warp, lanes)| WaitingWarp {
            block: warp.block().position,
            warp: warp.number(),
            lanes: *lanes,
        });
        Waiting {
            threads: self.threads,
            block,
            thread: cluster.scene().thread(first),
            op,
            location,
            what,
            details,
            warps: warps.collect(),
            state: self.state(cluster).map(Box::new),
        }
    }
}

impl Group<'_> {
    /// The state of the barrier that it waits for.
    fn state(&self, cluster: &Cluster<'_>) -> Option<BarrierState> {
        match self.wait {
            Wait::Barrier { id, threads } => {
                let came = cluster.barriers()[self.warp.block().rank as usize].arrived(id) as u32;
                Some(BarrierState {
                    barrier: format!("barrier {id} of the block"),
                    phase: None,
                    arrived: came + self.threads,
                    expected: threads,
                    pending_bytes: 0,
                    expected_bytes: 0,
                })
            }
            Wait::Phase { barrier, .. } => {
                let own = cluster.engine().barriers.get(barrier)?.state();
                Some(BarrierState {
                    barrier: cluster.scene().barrier_name(barrier),
                    phase: Some(own.phase),
                    arrived: own.expected.saturating_sub(own.pending),
                    expected: own.expected,
                    pending_bytes: own.bytes,
                    expected_bytes: own.announced,
                })
            }
            _ => None,
        }
    }

    /// Whether a few lanes of a warp, such as an elected one, wait for the others at an election.
    /// That is in a wrong place, whatever the others wait for.
    fn elects_in_a_branch(&self, cluster: &Cluster<'_>) -> bool {
        let Wait::Together { mask } = self.wait else { return false };
        let op = cluster.machine().kernel.code.get(self.pc() as usize);
        let elects = matches!(op, Some(Op::Collective(op)) if op.elects());
        elects && 2 * self.threads < mask.count_ones()
    }

    /// Whether it waits for lanes that have returned, at an instruction that needs them.
    fn lacks_returned(&self, cluster: &Cluster<'_>) -> bool {
        let Wait::Together { mask } = self.wait else { return false };
        let op = cluster.machine().kernel.code.get(self.pc() as usize);
        mask & self.warp.lanes.done() != 0 && !op.is_some_and(Op::excuses_returned)
    }

    /// For a complete warpgroup that waits for registers: the number per thread, and the number
    /// that the block lacks.
    fn registers(&self, cluster: &Cluster<'_>) -> Option<(u32, u32)> {
        let asked = cluster.machine().kernel.code.get(self.pc() as usize)?.registers_asked()?;
        let count = asked.count();
        let mut pool = cluster.pools().of(self.warp.block().rank).clone();
        let lacks = pool.ask(self.warp.warpgroup(), count).err()?;
        (self.wait == Wait::Group && self.threads == 4 * WARP).then_some((count, lacks))
    }
}

/// The registers that the warpgroups of a block hold.
fn holders(cluster: &Cluster<'_>, rank: u32) -> Vec<String> {
    let (held, free) = cluster.pools().of(rank).state();
    let at_launch = cluster.machine().registers_at_launch();
    let all = at_launch * cluster.machine().threads();
    let runs = held.chunk_by(|a, b| a == b).scan(0, |end, run| {
        let first = std::mem::replace(end, *end + run.len());
        Some((first, run))
    });
    let threads = |warps: usize| warps * WARP as usize;
    let held = runs.map(|(first, run)| {
        let last = threads(first + run.len()) - 1;
        format!("threads {} to {last} hold {} registers each", threads(first), run[0])
    });
    let begin = format!("the block has {all} registers: each thread began with {at_launch}; {free} are free");
    std::iter::once(begin).chain(held).collect()
}

/// The missing arrivals and bytes of an `mbarrier`'s phase.
fn barrier_state(cluster: &Cluster<'_>, at: usize, awaited: Awaited) -> String {
    let (place, offset) = cluster.scene().barrier_place(at);
    let Some(barrier) = cluster.engine().barriers.get(at) else {
        return format!("the mbarrier at byte {offset} of {place}, which was invalidated");
    };
    let PhaseState { phase, pending, expected, bytes, announced } = barrier.state();
    let (_, location) = cluster.scene().site(barrier.site());
    let waits = match awaited {
        Awaited::Parity(parity) => format!("parity {}", parity & 1),
        Awaited::Phase(phase) => format!("phase {phase}"),
    };
    let (lacks, and) = match (pending, expected) {
        (0, 1) => ("has its arrival".to_owned(), "but"),
        (0, all) => (format!("has its {all} arrivals"), "but"),
        (pending, all) => (format!("lacks {pending} of {all} arrivals"), "and"),
    };
    let bytes = match bytes {
        0 => String::new(),
        bytes if bytes > 0 => format!(", {and} {bytes} of {announced} expected bytes have not arrived"),
        bytes => format!(", {and} {} bytes have arrived that were not expected", -bytes),
    };
    format!(
        "{waits} of the mbarrier at byte {offset} of {place} (initialised at {location}), whose phase {phase} {lacks}{bytes}"
    )
}

/// The instructions that arrived at an `mbarrier`, and those that could have.
fn arrivals(cluster: &Cluster<'_>, at: usize) -> Vec<String> {
    let Some(barrier) = cluster.engine().barriers.get(at) else { return Vec::new() };
    let plural = |n: u64| if n == 1 { "" } else { "s" };
    let thread = |thread: u32| {
        let block = cluster.scene().block_of(thread).position;
        format!("thread {} of block {}", Triple(&cluster.scene().thread(thread)), Triple(&block))
    };
    let mut details = Vec::new();
    for came in barrier.history().by_site() {
        let (op, location) = cluster.scene().site(came.site);
        let Arrivals { count, first, last, in_last, .. } = *came;
        let mut text = format!("{count} arrival{} by `{op}` ({location}) ", plural(count));
        text += &match last - first {
            0 => format!("in phase {last}"),
            _ => format!("in phases {first} to {last}, {in_last} of them in the last"),
        };
        text += &format!(", the last by {}", thread(came.thread));
        details.push(text);
    }
    details.extend(elsewhere(cluster, at));
    let PhaseState { phase, pending, .. } = barrier.state();
    if let Some((who, site)) = barrier.only_expects().filter(|_| pending > 0) {
        let (op, location) = cluster.scene().site(site);
        details
            .push(format!("`{op}` ({location}) by {} only announces bytes; it does not arrive", thread(who)));
    }
    // An instruction that completes a phase has been executed.
    if phase > 0 {
        return details;
    }
    let ran = |pc: usize| cluster.journal().counters().threads.get(pc).is_some_and(|threads| *threads > 0);
    let kernel = cluster.machine().kernel;
    let idle = kernel.code.iter().enumerate().filter(|(pc, op)| op.arrives() && !ran(*pc));
    for (pc, _) in idle.take(MOST_IDLE) {
        let (op, location) = cluster.scene().site(pc as u32);
        details.push(format!("`{op}` ({location}) would arrive, but no thread has executed it"));
    }
    details
}

/// The arrivals that went to the mbarriers at the same place of other blocks, but never to this
/// one, by commits and by threads of other blocks: those that a mask or a rank sends.
fn elsewhere(cluster: &Cluster<'_>, at: usize) -> Vec<String> {
    let stride = cluster.shared().stride();
    let sites = |at: usize| cluster.engine().barriers.get(at).into_iter().flat_map(|b| b.history().by_site());
    let code = &cluster.machine().kernel.code;
    let mut went: Vec<(u32, u64, Vec<String>)> = Vec::new();
    for rank in (0..cluster.barriers().len()).filter(|rank| *rank != at / stride) {
        for came in sites(rank * stride + at % stride) {
            let is_commit = match code.get(came.site as usize) {
                Some(Op::Tcgen05(op)) => op.commits(),
                _ => false,
            };
            let is_sent = is_commit || cluster.scene().block_of(came.thread).rank as usize != rank;
            if !is_sent || sites(at).any(|own| own.site == came.site) {
                continue;
            }
            match went.iter_mut().find(|(site, ..)| *site == came.site) {
                Some((_, count, ranks)) => {
                    *count += came.count;
                    ranks.push(rank.to_string());
                }
                None => went.push((came.site, came.count, vec![rank.to_string()])),
            }
        }
    }
    let text = |(site, count, ranks): (u32, u64, Vec<String>)| {
        let (op, location) = cluster.scene().site(site);
        let (arrivals, blocks) = (if count == 1 { "" } else { "s" }, if ranks.len() == 1 { "" } else { "s" });
        format!(
            "{count} arrival{arrivals} by `{op}` ({location}) went to the mbarrier at the same place of block{blocks} {} of the \
             cluster, and none came here",
            ranks.join(", ")
        )
    };
    went.into_iter().map(text).collect()
}

/// The instruction whose execution by a warp arrived in several phases of an `mbarrier`, so that
/// the phase that others wait for has passed.
fn surplus(cluster: &Cluster<'_>) -> Option<String> {
    let bursts = cluster.engine().barriers.all().filter_map(|(_, barrier)| {
        let most = barrier.history().by_site().max_by_key(|came| came.burst)?;
        (most.burst > 1).then_some((barrier.state().expected, *most))
    });
    let (expected, came) = bursts.max_by_key(|(_, came)| came.burst)?;
    let (op, location) = cluster.scene().site(came.site);
    let (arrivals, advice) = match expected {
        1 => ("1 arrival".to_owned(), "let one elected thread execute it".to_owned()),
        n => (format!("{n} arrivals"), format!("let {n} threads execute it")),
    };
    Some(format!(
        "one execution of `{op}` ({location}) by a warp arrived in {} phases, since each expects {arrivals}: {advice}",
        came.burst
    ))
}

/// The largest number of listed instructions that could have arrived.
const MOST_IDLE: usize = 4;

fn groups(warps: &[Warp]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for warp in warps {
        for lane in lanes_of(warp.lanes.exists()) {
            let Some(wait) = warp.lanes.wait_of(lane) else { continue };
            match groups.iter_mut().find(|g| g.has(warp, lane)) {
                Some(group) => {
                    group.threads += 1;
                    match group.warps.last_mut() {
                        Some((last, lanes)) if std::ptr::eq(*last, warp) => *lanes |= 1 << lane,
                        _ => group.warps.push((warp, 1 << lane)),
                    }
                }
                None => groups.push(Group { warp, lane, wait, threads: 1, warps: vec![(warp, 1 << lane)] }),
            }
        }
    }
    groups
}

/// Whether lanes of a warp wait in several places, or some of them do not wait.
fn is_torn(warp: &Warp) -> bool {
    let at = |lane: u32| (warp.lanes.wait_of(lane), warp.lanes.pc(lane));
    let left = warp.lanes.exists() & !warp.lanes.done();
    lanes_of(left).any(|lane| at(lane) != at(left.trailing_zeros()))
}

/// A deadlock if whole warps wait for different things, so that none of them is in a wrong place.
/// Otherwise a finding about the first collective that some lane does not reach, about an election,
/// or about a collective whose lanes have returned.
pub(crate) fn stuck(cluster: &Cluster<'_>, warps: &[Warp]) -> Stop {
    let groups = groups(warps);
    let hopeless = |group: &&Group<'_>| group.elects_in_a_branch(cluster) || group.lacks_returned(cluster);
    let hopeless = groups.iter().find(hopeless);
    let Some(first) = hopeless.or(groups.first()) else {
        return (0, 0, FindingKind::Deadlock { waits: Vec::new(), cause: None, threads: 0 });
    };
    let (warp, lane, wait) = (first.warp, first.lane, first.wait);
    let waits = |g: &Group<'_>| {
        matches!(g.wait, Wait::Phase { .. } | Wait::Columns { .. }) || g.registers(cluster).is_some()
    };
    let is_deadlock =
        groups.iter().any(waits) || groups.iter().any(|g| g.wait != wait) && !warps.iter().any(is_torn);
    if is_deadlock && hopeless.is_none() {
        // Threads at a barrier of the block or the cluster wait for those of the other groups.
        let mut roots: Vec<&Group<'_>> = groups.iter().collect();
        roots.sort_by_key(|group| !waits(group));
        let at = (roots[0].pc(), roots[0].warp.thread(roots[0].lane));
        let waits = roots.iter().map(|g| g.describe(cluster)).collect();
        let threads = warps.iter().map(|warp| warp.lanes.exists().count_ones()).sum();
        return (at.0, at.1, FindingKind::Deadlock { waits, cause: surplus(cluster), threads });
    }
    let lanes = |warp, mask| lanes_of(mask).map(move |lane| (warp, lane));
    let (scope, expected): (Vec<(&Warp, u32)>, u32) = match wait {
        Wait::Barrier { threads, .. } => {
            let block = warps.iter().filter(|w| w.block() == warp.block());
            let code = &cluster.machine().kernel.code;
            if code.get(first.pc() as usize).is_some_and(Op::is_counted_barrier) {
                (block.flat_map(|w| lanes(w, w.lanes.exists())).collect(), threads)
            } else {
                let there = block.map(|w| (w, w.lanes.exists() & !w.lanes.done()));
                let expected = there.clone().map(|(_, there)| there.count_ones()).sum();
                (there.flat_map(|(w, there)| lanes(w, there)).collect(), expected)
            }
        }
        Wait::Phase { .. } | Wait::Columns { .. } => {
            (lanes(warp, warp.lanes.exists()).collect(), warp.lanes.exists().count_ones())
        }
        Wait::Group => {
            let group = warps.iter().filter(|w| w.is_in_group_of(warp));
            (group.flat_map(|w| lanes(w, w.lanes.exists())).collect(), 4 * WARP)
        }
        Wait::Cluster => {
            let there = warps.iter().map(|w| w.lanes.exists() & !w.lanes.done());
            let expected = there.clone().map(u32::count_ones).sum();
            (warps.iter().zip(there).flat_map(|(w, there)| lanes(w, there)).collect(), expected)
        }
        Wait::Warp { mask } | Wait::Together { mask } => {
            let op = cluster.machine().kernel.code.get(first.pc() as usize);
            let excuses = matches!(wait, Wait::Warp { .. }) || op.is_some_and(Op::excuses_returned);
            let members = mask & warp.lanes.exists() & if excuses { !warp.lanes.done() } else { u32::MAX };
            (lanes(warp, members).collect(), members.count_ones())
        }
    };
    let waits = |(w, l): &&(&Warp, u32)| {
        w.lanes.wait_of(*l) == Some(wait) || wait == Wait::Cluster && w.at_cluster.has_arrived(*l)
    };
    let waiting = scope.iter().filter(waits).count() as u32;
    let other = scope.iter().find(|o| !waits(o)).copied().unwrap_or((warp, lane));
    divergence(cluster.scene(), warp, lane, waiting, expected, other)
}
