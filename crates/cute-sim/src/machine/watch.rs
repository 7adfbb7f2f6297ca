//! Tells the observer of a launch, if there is one, about a cluster.

use super::WARP;
use super::cluster::Cluster;
use super::device::Machine;
use super::warp::{Wait, Warp};
use crate::engine::wgmma::Tile;
use crate::events::{Act, Actor, Awaits, Begun, Event, Recorder, Subject, Task, Work};
use crate::families::mbarrier::barrier::Awaited;
use crate::finding::Place;
use crate::lanes::lanes_of;
use crate::names::readable;
use std::collections::BTreeMap;

/// The recorder of a cluster, and the waits that it knows of: for each lane, the wait and the
/// instruction.
pub(crate) struct Watch {
    recorder: Box<dyn Recorder>,
    known: Vec<[Option<(Wait, u32)>; 32]>,
    /// The data of the next operation that is issued.
    subject: Subject,
}

impl Watch {
    pub(crate) fn new(machine: &Machine<'_>, number: u32) -> Option<Box<Self>> {
        let observer = &machine.launch.watcher.as_ref()?.0;
        let blocks = machine.cluster_blocks();
        let begun = Begun {
            number,
            blocks: (0..blocks).map(|rank| machine.block_id(number, rank).position).collect(),
            warps: machine.warps(),
            sites: &machine.kernel.sites,
        };
        let recorder = observer.cluster(&begun)?;
        let known = vec![[None; 32]; (blocks * machine.warps()) as usize];
        Some(Box::new(Watch { recorder, known, subject: Subject::default() }))
    }
}

impl Cluster<'_> {
    /// Tells the observer, if there is one.
    #[inline]
    pub(crate) fn tell(&mut self, event: impl FnOnce(&Self) -> Event) {
        if let Some(mut watch) = self.watch.take() {
            let event = event(self);
            watch.recorder.note(self.steps, &event);
            self.watch = Some(watch);
        }
    }

    /// Tells the observer which waits of the warps have begun and ended since the last time.
    #[inline]
    pub(super) fn observe(&mut self, warps: &[Warp]) {
        if let Some(mut watch) = self.watch.take() {
            for (warp, known) in warps.iter().zip(&mut watch.known) {
                differences(self, warp, known, &mut *watch.recorder);
            }
            self.watch = Some(watch);
        }
    }

    /// An instruction of a thread of the cluster.
    pub(crate) fn act_of(&self, thread: u32, site: u32) -> Act {
        let warp = thread / WARP;
        let by = Actor { rank: warp / self.machine.warps(), warp: warp % self.machine.warps() };
        Act { by, lanes: 1 << (thread % WARP), site }
    }

    /// Tells that a thread has issued an operation.
    #[inline]
    pub(crate) fn tell_issue(
        &mut self,
        (thread, site): (u32, u32),
        task: Task,
        work: Work,
        bytes: u64,
        barrier: Option<usize>,
    ) {
        let subject = self.watch.as_mut().map(|watch| std::mem::take(&mut watch.subject));
        let subject = Box::new(subject.unwrap_or_default());
        self.tell(|c| {
            let act = c.act_of(thread, site);
            Event::Issues { act, task, work, requests: 1, bytes, barrier, subject }
        });
    }

    /// Notes the data of the next operation that is issued, if there is an observer.
    #[inline]
    pub(crate) fn about(&mut self, subject: impl FnOnce(&Self) -> Subject) {
        if self.watch.is_some() {
            let subject = subject(self);
            self.watch.iter_mut().for_each(|watch| watch.subject = subject.clone());
        }
    }

    /// A tile as a part of its block's shared memory.
    pub(crate) fn part_of(&self, tile: &Tile) -> Option<(u64, u64)> {
        let (runs, origin) = (tile.tile.runs(), tile.origin);
        let ((first, _), (last, bytes)) = (*runs.first()?, *runs.last()?);
        Some(self.in_window(origin + first as usize, (last + bytes - first) as usize))
    }

    /// Bytes of the cluster's shared memory as a part of a block's.
    pub(crate) fn in_window(&self, start: usize, bytes: usize) -> (u64, u64) {
        let start = (start % self.shared.stride()) as u64;
        (start, start + bytes as u64)
    }

    /// Tells how many columns of tensor memory a block has.
    pub(crate) fn tell_columns(&mut self, rank: u32) {
        self.tell(|cluster| {
            let memory = cluster.tensor[rank as usize].as_ref();
            let allocated = memory.map_or(0, |memory| memory.live().map(|own| own.count).sum());
            Event::Columns { rank, allocated }
        });
    }

    /// The place of an `mbarrier` in its block, as text.
    pub(crate) fn barrier_name(&self, at: usize) -> String {
        let (place, offset) = self.barrier_place(at);
        let place = match place {
            Place::OfBlock { place, .. } => *place,
            place => place,
        };
        match place {
            Place::Shared { name, .. } => format!("mbarrier at byte {offset} of {}", readable(&name)),
            _ => format!("mbarrier at byte {offset} of shared memory"),
        }
    }

    /// The condition of a wait for a phase.
    pub(crate) fn awaits(&self, barrier: usize, awaited: Awaited) -> Awaits {
        let phase = match awaited {
            Awaited::Phase(phase) => phase,
            Awaited::Parity(_) => self.engine.barriers.get(barrier).map_or(0, |own| own.state().phase),
        };
        Awaits::Phase { barrier, phase }
    }
}

impl Warp {
    pub(crate) fn act(&self, lanes: u32) -> Act {
        Act { by: self.actor(), lanes, site: self.at }
    }

    /// Tells the observer, if there is one, of an instruction that orders others.
    #[inline]
    pub(crate) fn tells_order(&self, cluster: &mut Cluster<'_>, lanes: u32) {
        cluster.tell(|_| Event::Orders { act: self.act(lanes) });
    }

    pub(crate) fn actor(&self) -> Actor {
        Actor { rank: self.block.rank, warp: self.number }
    }
}

/// Tells the differences between the waits of a warp and those that are known. The waits of a
/// warp's lanes for each other are left out.
fn differences(
    cluster: &Cluster<'_>,
    warp: &Warp,
    known: &mut [Option<(Wait, u32)>; 32],
    recorder: &mut dyn Recorder,
) {
    let wait_of = |lane: u32| {
        let own = warp.waits[lane as usize]?;
        let among_lanes = matches!(own, Wait::Warp { .. } | Wait::Collective { .. });
        (!among_lanes && warp.done >> lane & 1 == 0).then(|| (own, warp.pcs[lane as usize]))
    };
    let mut ended = 0;
    let mut begun: BTreeMap<u32, Vec<(Wait, u32)>> = BTreeMap::new();
    for lane in lanes_of(warp.exists) {
        let now = wait_of(lane);
        let before = std::mem::replace(&mut known[lane as usize], now);
        if now == before {
            continue;
        }
        ended |= u32::from(before.is_some()) << lane;
        if let Some((wait, site)) = now {
            let alike = begun.entry(site).or_default();
            match alike.iter_mut().find(|(other, _)| *other == wait) {
                Some((_, lanes)) => *lanes |= 1 << lane,
                None => alike.push((wait, 1 << lane)),
            }
        }
    }
    let by = warp.actor();
    if ended != 0 {
        recorder.note(cluster.steps, &Event::GoesOn { by, lanes: ended });
    }
    for (site, (wait, lanes)) in
        begun.into_iter().flat_map(|(site, all)| all.into_iter().map(move |w| (site, w)))
    {
        let on = match wait {
            Wait::Phase { barrier, awaited, .. } => cluster.awaits(barrier, awaited),
            Wait::Barrier { id, .. } => Awaits::Barrier(id),
            Wait::Cluster => Awaits::Cluster,
            Wait::Columns { .. } => Awaits::Columns,
            Wait::Group | Wait::Warp { .. } | Wait::Collective { .. } => Awaits::Group,
        };
        recorder.note(cluster.steps, &Event::Waits { act: Act { by, lanes, site }, on });
    }
}

impl Watch {
    pub(crate) fn end(self, steps: u64, whole: bool) {
        self.recorder.end(steps, whole);
    }
}
