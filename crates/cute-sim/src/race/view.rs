//! The knowledge of a thread at one time, for an agent of the async proxy that acts for it from
//! then on.
//!
//! An agent accesses thousands of words at once. So the knowledge about all lanes of a warp is
//! stored in addition to the knowledge about each lane.

use super::clock::{Clocks, GlobalFences, knows_launch};
use super::foreign::{Foreign, Times};
use crate::lanes::lanes_of;

/// A thread's knowledge when it issued a request.
#[derive(Debug, Clone, Default)]
pub(crate) struct View {
    /// The time of each component, in the order of [`Clocks`].
    times: Vec<u32>,
    /// Components of threads.
    threads: usize,
    /// For each warp, the time up to which all its lanes are known, and the time up to which the
    /// async proxy sees them.
    known: Vec<u32>,
    seen: Vec<u32>,
    /// The start of the components for finished reads, and of those for threads' own fences.
    reads_over: Option<usize>,
    own_fences: usize,
    global_fences: GlobalFences,
    /// Knowledge about other clusters.
    foreign: Foreign,
}

/// A thread's possible knowledge of another one's access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Knows {
    Access,
    /// It is over, if it is a read.
    Read,
    /// The async proxy sees it.
    Seen,
    /// The same, in global memory.
    SeenGlobal,
    /// The other thread itself made it visible to the async proxy.
    Fenced,
}

/// Raises times to others.
fn raise(times: &mut Vec<u32>, others: &[u32]) {
    times.resize(times.len().max(others.len()), 0);
    times.iter_mut().zip(others).for_each(|(time, other)| *time = (*other).max(*time));
}

/// Lowers times to others.
fn lower(times: &mut Vec<u32>, others: &[u32]) {
    times.truncate(others.len());
    times.iter_mut().zip(others).for_each(|(time, other)| *time = (*other).min(*time));
}

impl Clocks {
    /// The current knowledge of the thread. Blocks have `block_threads` threads.
    pub(crate) fn view(&self, thread: u32, block_threads: u32) -> View {
        let (times, threads, block) = self.known_to(thread);
        View { foreign: self.foreign(thread), ..self.view_of(times, threads, block, block_threads) }
    }

    /// The knowledge of each of some warps, if its lanes have the same knowledge as one of them.
    pub(crate) fn view_of_warps(
        &self,
        warps: impl Iterator<Item = std::ops::Range<u32>>,
        block_threads: u32,
    ) -> View {
        let mut all: Option<(Vec<u32>, usize, u32)> = None;
        let mut foreign = Foreign::default();
        for warp in warps {
            let (mut times, threads, block) = self.known_to(warp.start);
            foreign = foreign.joined(&self.foreign(warp.start));
            for lane in warp.clone().skip(1) {
                if !self.know_alike(lane - 1, lane) {
                    // The floor of the block is in the times of the first lane.
                    raise(&mut times, self.learnt(lane));
                    foreign = foreign.joined(&self.foreign(lane));
                }
                times[lane as usize] = u32::MAX;
            }
            match &mut all {
                None => all = Some((times, threads, block)),
                Some((all, ..)) => lower(all, &times),
            }
        }
        let (times, threads, block) = all.unwrap_or_default();
        View { foreign, ..self.view_of(times, threads, block, block_threads) }
    }

    /// The view for these times.
    fn view_of(&self, times: Vec<u32>, threads: usize, block: u32, block_threads: u32) -> View {
        let exists = |warp: usize| {
            let first = warp * 32 % block as usize;
            (block_threads as usize).saturating_sub(first).min(32)
        };
        let least = |from: usize| {
            let warp = |warp: usize| {
                let lanes = times.get(from + warp * 32..).unwrap_or_default();
                let lanes = lanes.iter().take(exists(warp)).min();
                lanes.copied().unwrap_or(0)
            };
            (0..threads / 32).map(warp).collect()
        };
        View {
            known: least(0),
            seen: least(threads),
            times,
            threads,
            reads_over: self.reads_over(),
            own_fences: self.own_fences(),
            global_fences: self.global_fences(),
            foreign: Foreign::default(),
        }
    }
}

impl View {
    fn has(&self, component: usize, time: u32) -> bool {
        self.times.get(component).is_some_and(|known| time <= *known)
    }

    /// Like [`Clocks::knows_launch`].
    pub(super) fn knows_launch(&self, covered: bool) -> bool {
        knows_launch(&self.foreign, covered)
    }

    /// The same, with all that some agents did up to now.
    pub(crate) fn knowing(&self, agents: &[u32]) -> View {
        let mut view = self.clone();
        for agent in agents {
            let at = *agent as usize;
            view.times.resize(view.times.len().max(at + 1), 0);
            view.times[at] = u32::MAX;
        }
        view
    }

    /// The first of these threads of another cluster whose write at `time` the async proxy does not
    /// see in global memory. `first` is the first component of their block.
    pub(super) fn lacks_abroad(
        &self,
        cluster: u32,
        first: u32,
        mut threads: impl Iterator<Item = u32>,
        time: u32,
    ) -> Option<u32> {
        let fences = match self.global_fences {
            GlobalFences::All => self.threads,
            GlobalFences::None => return threads.next(),
            GlobalFences::Some(component) => component,
        };
        let (there, here) = (self.foreign.of(cluster), self.foreign.seen_of(cluster));
        let has = |times: Option<&Times>, at: u32| times.is_some_and(|times| time <= times.at(at));
        threads.find(|thread| !has(there, fences as u32 + first + thread) && !has(here, first + thread))
    }

    /// Knowledge about the cluster with this number, if it is another one.
    pub(super) fn knows_of(&self, cluster: u32) -> Option<&Times> {
        self.foreign.of(cluster)
    }

    /// The time of a component.
    pub(super) fn time(&self, component: u32) -> u32 {
        self.times.get(component as usize).copied().unwrap_or(0)
    }

    /// The time up to which the thread knows what another one did, except for writes.
    pub(super) fn thread_time(&self, thread: u32) -> u32 {
        let over = self.reads_over.map_or(0, |over| self.time(over as u32 + thread));
        self.time(thread).max(over)
    }

    pub(super) fn raise(&mut self, component: u32, time: u32) {
        let at = component as usize;
        self.times.resize(self.times.len().max(at + 1), 0);
        self.times[at] = self.times[at].max(time);
    }

    /// Whether the thread knows an agent's act at `time`.
    pub(crate) fn knows(&self, agent: u32, time: u32) -> bool {
        self.has(agent as usize, time)
    }

    /// The first lane of a warp of a block, among those in `warps`, whose lanes are all unknown up
    /// to `time`, or whose reads are.
    pub(super) fn lacks_warp(&self, first: u32, warps: u32, time: u32) -> Option<u32> {
        let over = |component: usize| self.reads_over.is_some_and(|over| self.has(over + component, time));
        let known = |component: usize| self.has(component, time) || over(component);
        let any = |warp: &u32| (0..32).any(|lane| known((first + warp * 32 + lane) as usize));
        lanes_of(warps).find(|warp| !any(warp)).map(|warp| warp * 32)
    }

    /// The first thread of a block, among the lanes in `lanes` of each warp in `warps`, whose
    /// access at `time` is not known in this way. `first` is the first component of the block.
    pub(super) fn lacks(&self, first: u32, warps: u32, lanes: u32, time: u32, what: Knows) -> Option<u32> {
        let (all, from) = match what {
            Knows::Access | Knows::Read => (&self.known[..], 0),
            Knows::Seen => (&self.seen[..], self.threads),
            Knows::SeenGlobal => match self.global_fences {
                GlobalFences::All => (&self.seen[..], self.threads),
                GlobalFences::None => return lanes_of(warps).map(|warp| warp * 32).next(),
                GlobalFences::Some(component) => (&[][..], component),
            },
            Knows::Fenced => (&[][..], self.own_fences),
        };
        let over = self.reads_over.filter(|_| what == Knows::Read);
        lanes_of(warps).find_map(|warp| {
            if all.get((first / 32 + warp) as usize).is_some_and(|known| time <= *known) {
                return None;
            }
            let thread = |lane: u32| warp * 32 + lane;
            let known = |lane: &u32| {
                let component = (first + thread(*lane)) as usize;
                self.has(from + component, time) || over.is_some_and(|over| self.has(over + component, time))
            };
            lanes_of(lanes).find(|lane| !known(lane)).map(thread)
        })
    }
}
