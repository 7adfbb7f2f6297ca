//! Vector clocks: the knowledge of the threads of a cluster about each other, about asynchronous
//! agents, and about other clusters.
//!
//! A clock has a component for each thread of the cluster's blocks, where each block is padded to
//! whole warps. After these it has the following groups of components, if they are needed: the same
//! threads again, for what the async proxy sees of them; again in a cluster of several blocks, for
//! reads that are known to be over; again for what threads fenced themselves;
//! again in a kernel whose fences distinguish global memory, for what the async proxy sees of it.
//! Finally it has one component for each *agent*: something that accesses memory asynchronously, on
//! behalf of a thread, such as the copies that complete on one barrier. Barriers of threads do not
//! order an agent's accesses. A thread learns of them where it waits for their completion.

use super::foreign::{Foreign, Times};
use super::scope::Scope;
use cute_arch::WARP;
use smallvec::SmallVec;
use std::ops::Deref;
use std::rc::Rc;

/// In the block of a record: an agent made it, on behalf of a thread of that block.
pub(crate) const AGENT: u32 = 1 << 31;

/// The knowledge that a synchronisation publishes: for each component, the time up to which its
/// accesses are known. Components after its end are not known. In addition, what is known about
/// other clusters.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known {
    times: Rc<[u32]>,
    foreign: Foreign,
}

impl Deref for Known {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &self.times
    }
}

impl From<Vec<u32>> for Known {
    /// Knowledge about this cluster alone.
    fn from(times: Vec<u32>) -> Self {
        Known::new(times, Foreign::default())
    }
}

impl Known {
    fn new(times: Vec<u32>, foreign: Foreign) -> Self {
        Known { times: times.into(), foreign }
    }

    /// Whether both are the same copy.
    fn is(&self, other: &Known) -> bool {
        Rc::ptr_eq(&self.times, &other.times) && self.foreign.is(&other.foreign)
    }

    /// Whether both are the same copy, or there is none of either.
    fn are(one: Option<&Known>, other: Option<&Known>) -> bool {
        match (one, other) {
            (Some(one), Some(other)) => one.is(other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }

    /// A copy to add to, with this number of components or more. It is made at once with its
    /// length, because a clock of a cluster has thousands of components.
    fn open(known: Option<&Known>, len: usize) -> Known {
        let Some(known) = known else {
            return Known { times: std::iter::repeat_n(0, len).collect(), foreign: Foreign::default() };
        };
        let times = match len.checked_sub(known.len()) {
            None | Some(0) => Rc::from(&known[..]),
            Some(more) => known.iter().copied().chain(std::iter::repeat_n(0, more)).collect(),
        };
        Known { times, foreign: known.foreign.clone() }
    }

    /// All knowledge together, with this number of components or more. The first is copied, and
    /// the others are joined to it.
    fn union(before: Option<&Known>, all: &[&Known], least: usize) -> Known {
        let len = all.iter().map(|known| known.len()).fold(least, usize::max);
        let (first, others) = match (before, all.split_first()) {
            (None, Some((first, others))) => (Some(*first), others),
            (before, _) => (before, all),
        };
        let mut union = Known::open(first, len);
        others.iter().for_each(|known| join(union.times_mut(), known));
        union.foreign = others.iter().fold(union.foreign, |all, known| all.joined(&known.foreign));
        union
    }

    /// The times of a copy that nobody else has.
    fn times_mut(&mut self) -> &mut [u32] {
        Rc::get_mut(&mut self.times).expect("an opened copy has one owner")
    }
}

/// Replaces the cluster for the launches that this one may begin beside: the last number that
/// [`Foreign`] keeps.
const LAUNCHES: u32 = u32::MAX / 2;

/// The knowledge that those launches are over which `griddepcontrol.wait` waits for.
fn of_waited_launches() -> Foreign {
    Foreign::of_one(LAUNCHES, Times::new(&[1]))
}

/// The knowledge of what those launches have released.
pub(super) fn of_launches() -> Foreign {
    Foreign::of_one(LAUNCHES, Times::new(&[0, 1]))
}

/// Whether an access of an earlier launch is known. `covered` tells that `griddepcontrol.wait`
/// waits for that launch.
pub(super) fn knows_launch(foreign: &Foreign, covered: bool) -> bool {
    foreign.of(LAUNCHES).is_some_and(|times| covered && times.at(0) > 0 || times.at(1) > 0)
}

/// The memory that the fences for the async proxy of a kernel are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum FenceSpaces {
    /// All of them are about all memory.
    #[default]
    All,
    /// All of them are about shared memory.
    Shared,
    Mixed,
}

/// The fences for the async proxy that count in global memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum GlobalFences {
    All,
    #[default]
    None,
    /// Those in components from this one on.
    Some(usize),
}

/// The clocks of a cluster.
#[derive(Debug)]
pub(crate) struct Clocks {
    /// Accesses happen at this time; each synchronisation advances it.
    now: u32,
    /// Rank of the block whose warp runs, and its floor.
    running: u32,
    floor: u32,
    /// For each block, the time up to which all its threads know all of its accesses.
    floors: Vec<u32>,
    /// The knowledge of each thread beyond the floors; lanes that have synchronised share one.
    known: Vec<Option<Known>>,
    /// Number of the first block, whose rank is 0, and components for each block.
    first_block: u32,
    threads: u32,
    /// The number of agents.
    agents: u32,
    /// Was there a fence between proxies?
    fences: bool,
    spaces: FenceSpaces,
    /// Does any thread know about another cluster?
    meets_others: bool,
    /// By the rank of a block, the time at which the last phase of the cluster's barrier that it
    /// waited for was complete.
    met: Vec<u32>,
}

impl Clocks {
    /// Clocks of the blocks `first_block` to `first_block + blocks`, with `threads` threads each.
    pub(crate) fn new(first_block: u32, blocks: u32, threads: u32) -> Self {
        let threads = threads.next_multiple_of(WARP);
        Clocks {
            now: 1,
            running: 0,
            floor: 0,
            floors: vec![0; blocks as usize],
            known: vec![None; (blocks * threads) as usize],
            first_block,
            threads,
            agents: 0,
            fences: false,
            spaces: FenceSpaces::All,
            meets_others: false,
            met: vec![0; blocks as usize],
        }
    }

    /// These clocks, for a kernel with such fences.
    pub(crate) fn with_fences(self, spaces: FenceSpaces) -> Self {
        Clocks { spaces, ..self }
    }

    /// `griddepcontrol.wait` in this thread.
    pub(crate) fn wait_for_launches(&mut self, thread: u32) {
        let mut known = self.known[thread as usize].take().unwrap_or_default();
        known.foreign = known.foreign.joined(&of_waited_launches());
        self.known[thread as usize] = Some(known);
        self.meets_others = true;
    }

    /// Whether the thread knows of the accesses of an earlier launch. `covered` tells that
    /// `griddepcontrol.wait` waits for it.
    pub(crate) fn knows_launch(&self, thread: u32, covered: bool) -> bool {
        self.known[thread as usize].as_ref().is_some_and(|known| knows_launch(&known.foreign, covered))
    }

    /// A block has waited at a barrier of the cluster, which was complete at this time.
    pub(crate) fn note_met(&mut self, rank: u32, time: u32) {
        self.met[rank as usize] = time;
    }

    /// A time before which all acts of any block precede a barrier that this block has waited at.
    pub(crate) fn met(&self, rank: u32) -> u32 {
        self.met[rank as usize]
    }

    /// Whether the block with this rank knows that another one has begun: both have met at a
    /// barrier of the cluster, or it knows of something that the other one has done.
    pub(crate) fn knows_block(&self, rank: u32, other: u32) -> bool {
        let mut threads = other * self.threads..(other + 1) * self.threads;
        self.met(rank) > 0 || threads.any(|thread| self.any_knows(rank, thread, 1))
    }

    pub(crate) fn now(&self) -> u32 {
        self.now
    }

    /// The first component of a block of this cluster.
    pub(crate) fn first_of(&self, block: u32) -> Option<u32> {
        let rank = block.checked_sub(self.first_block)?;
        ((rank as usize) < self.floors.len()).then_some(rank * self.threads)
    }

    /// The number of a block's cluster.
    pub(super) fn cluster_of(&self, block: u32) -> u32 {
        block / self.floors.len() as u32
    }

    /// Whether `thread` knows the accesses of component `other` at `time`.
    pub(crate) fn knows(&self, thread: u32, other: u32, time: u32) -> bool {
        let block = other / self.threads;
        let is_own = (other as usize) < self.known.len() && thread / self.threads == block;
        is_own && (thread == other || time <= self.floors[block as usize])
            || self.known[thread as usize]
                .as_ref()
                .is_some_and(|known| known.get(other as usize).is_some_and(|known| time <= *known))
    }

    /// Whether all threads of the running block know each other's accesses up to `time`.
    #[inline]
    pub(crate) fn all_know(&self, time: u32) -> bool {
        time <= self.floor
    }

    /// A warp of the block with this rank runs.
    pub(crate) fn run(&mut self, rank: u32) {
        (self.running, self.floor) = (rank, self.floors[rank as usize]);
    }

    /// The components of a thread's knowledge about the cluster of a block: its times, if the
    /// thread knows about it.
    pub(super) fn knows_of(&self, thread: u32, block: u32) -> Option<&Times> {
        self.known[thread as usize].as_ref()?.foreign.of(self.cluster_of(block))
    }

    /// All that a thread knows about other clusters.
    pub(super) fn foreign(&self, thread: u32) -> Foreign {
        self.known[thread as usize].as_ref().map_or_else(Foreign::default, |known| known.foreign.clone())
    }

    /// The first component of a block among those of its own cluster.
    pub(super) fn first_in_cluster(&self, block: u32) -> u32 {
        block % self.floors.len() as u32 * self.threads
    }

    /// The narrowest scope of a thread of one block that includes the threads of the other.
    pub(crate) fn apart(&self, one: u32, other: u32) -> Scope {
        match () {
            () if one == other => Scope::Block,
            () if self.cluster_of(one) == self.cluster_of(other) => Scope::Cluster,
            () => Scope::Device,
        }
    }

    /// At the last representable time, the clock stops: a race may be missed then, but none is
    /// reported wrongly.
    fn advance(&mut self) {
        self.now = self.now.saturating_add(1);
    }

    /// Components of threads, before those of agents.
    fn before_agents(&self) -> usize {
        self.fenced_globally() + if self.spaces == FenceSpaces::Mixed { self.known.len() } else { 0 }
    }

    /// The start of the components for the async proxy's view of global memory, if there are any.
    fn fenced_globally(&self) -> usize {
        self.own_fences() + self.known.len()
    }

    pub(super) fn global_fences(&self) -> GlobalFences {
        match self.spaces {
            FenceSpaces::All => GlobalFences::All,
            FenceSpaces::Shared => GlobalFences::None,
            FenceSpaces::Mixed => GlobalFences::Some(self.fenced_globally()),
        }
    }

    /// The start of the components for finished reads, if there are any.
    pub(super) fn reads_over(&self) -> Option<usize> {
        (self.floors.len() > 1).then_some(2 * self.known.len())
    }

    /// The start of the components for threads' own fences.
    pub(super) fn own_fences(&self) -> usize {
        (if self.floors.len() > 1 { 3 } else { 2 }) * self.known.len()
    }

    /// Whether `thread` knows that the read of `other` at `time` is over, and possibly nothing else
    /// about it.
    pub(crate) fn knows_read(&self, thread: u32, other: u32, time: u32) -> bool {
        self.knows(thread, other, time)
            || self.floors.len() > 1
                && self.known[thread as usize].as_ref().is_some_and(|known| self.is_over(known, other, time))
    }

    fn is_over(&self, known: &Known, other: u32, time: u32) -> bool {
        known.get(other as usize + 2 * self.known.len()).is_some_and(|known| time <= *known)
    }

    /// The knowledge that an arrival with the scope of its own block publishes to another block,
    /// joined to what was published before: that reads known to the thread are over, and the acts
    /// of agents that `hands_over` selects. Writes are not published.
    pub(crate) fn hand_over(
        &self,
        before: Option<&Known>,
        own: &Known,
        hands_over: impl Fn(u32) -> bool,
    ) -> Known {
        let (count, agents) = (self.known.len(), self.before_agents());
        let mut passed = Known::open(before, agents.max(own.len()));
        let times = passed.times_mut();
        for (component, time) in own.iter().enumerate() {
            let to = match component {
                read if read < count => read + 2 * count,
                kept if kept < agents || hands_over(kept as u32) => kept,
                _ => continue,
            };
            times[to] = times[to].max(*time);
        }
        let launches = own.foreign.of(LAUNCHES).cloned();
        let launches = launches.map_or_else(Foreign::default, |times| Foreign::of_one(LAUNCHES, times));
        passed.foreign = passed.foreign.joined(&launches);
        passed
    }

    /// The component of a new agent.
    pub(crate) fn agent(&mut self) -> u32 {
        self.agents += 1;
        self.before_agents() as u32 + self.agents - 1
    }

    /// Whether two threads have the same knowledge, except for their own accesses.
    pub(super) fn know_alike(&self, one: u32, other: u32) -> bool {
        Known::are(self.known[one as usize].as_ref(), self.known[other as usize].as_ref())
    }

    /// The times that a thread has learnt, without the floor of its block.
    pub(super) fn learnt(&self, thread: u32) -> &[u32] {
        self.known[thread as usize].as_deref().unwrap_or_default()
    }

    /// The time up to which a thread knows each component, the number of components that are
    /// threads, and the number of threads per block.
    pub(super) fn known_to(&self, thread: u32) -> (Vec<u32>, usize, u32) {
        let mut times = self.known[thread as usize].as_ref().map_or_else(Vec::new, |known| known.to_vec());
        let count = self.known.len();
        times.resize(times.len().max(count), 0);
        let block = thread / self.threads;
        let floor = self.floors[block as usize];
        let own = &mut times[(block * self.threads) as usize..((block + 1) * self.threads) as usize];
        own.iter_mut().for_each(|time| *time = floor.max(*time));
        times[thread as usize] = u32::MAX;
        (times, count, self.threads)
    }

    /// The thread learns what an agent did up to `time`.
    pub(crate) fn learn(&mut self, thread: u32, agent: u32, time: u32) {
        let known = self.with_agent(self.known[thread as usize].clone().as_ref(), agent, time);
        self.known[thread as usize] = Some(known);
    }

    /// Like [`learn`](Self::learn), for several threads.
    pub(crate) fn learn_all(&mut self, threads: impl Iterator<Item = u32>, agent: u32, time: u32) {
        // Neighbours that shared a clock share the new one.
        let mut last: Option<(Option<Known>, Known)> = None;
        for thread in threads {
            let own = self.known[thread as usize].clone();
            let shared = last.as_ref().filter(|(before, _)| Known::are(before.as_ref(), own.as_ref()));
            let after = match shared {
                Some((_, after)) => after.clone(),
                None => self.with_agent(own.as_ref(), agent, time),
            };
            self.known[thread as usize] = Some(after.clone());
            last = Some((own, after));
        }
    }

    /// `fence.proxy.async` in these threads: everything that each of them knows now becomes visible
    /// to the async proxy, once it acts for a thread that knows of this fence; in shared memory, in
    /// global memory, or in both. The clocks store that in separate components, which are published
    /// together with the rest.
    pub(crate) fn fence_proxy(&mut self, threads: &[u32], (shared, global): (bool, bool)) {
        let (count, all) = (self.known.len(), global);
        let global = global && self.spaces == FenceSpaces::Mixed;
        let own = self.own_fences();
        let kept = own + count + if global { count } else { 0 };
        for thread in threads {
            let mut known = self.released(None, &[*thread], kept);
            let (seen, rest) = known.times_mut().split_at_mut(count);
            let block = thread / self.threads;
            for from in
                [shared.then_some(count), global.then(|| self.fenced_globally())].into_iter().flatten()
            {
                let fenced = &mut rest[from - count..from];
                join(fenced, seen);
                let floor = self.floors[block as usize];
                let of_block = (block * self.threads) as usize..((block + 1) * self.threads) as usize;
                fenced[of_block].iter_mut().for_each(|time| *time = floor.max(*time));
            }
            rest[own - count + *thread as usize] = seen[*thread as usize];
            if all {
                known.foreign = known.foreign.fenced();
            }
            self.known[*thread as usize] = Some(known);
        }
        self.fences |= !threads.is_empty();
    }

    /// Whether the async proxy, acting for `thread`, sees the access of `other` through the generic
    /// proxy at `time`.
    #[cfg(test)]
    pub(crate) fn async_proxy_sees(&self, thread: u32, other: u32, time: u32) -> bool {
        let fenced = other as usize + self.known.len();
        let known = self.known[thread as usize].as_ref();
        known.is_some_and(|known| known.get(fenced).is_some_and(|known| time <= *known))
    }

    /// The current knowledge of a thread, in the form that is published.
    pub(crate) fn snapshot(&mut self, thread: u32) -> Known {
        let (mut times, ..) = self.known_to(thread);
        times[thread as usize] = self.now;
        self.advance();
        Known::new(times, self.foreign(thread))
    }

    /// The union of both.
    pub(crate) fn both(one: Option<&Known>, other: &Known) -> Known {
        let Some(one) = one else { return other.clone() };
        let mut joined = Known::open(Some(one), other.len());
        join(joined.times_mut(), other);
        joined.foreign = joined.foreign.joined(&other.foreign);
        joined
    }

    /// Lets the agent act, and returns the time of the act.
    pub(crate) fn act(&mut self) -> u32 {
        self.advance();
        let time = self.now;
        self.advance();
        time
    }

    /// A barrier of all threads of a block.
    pub(crate) fn meet_all(&mut self, rank: u32) {
        let range = (rank * self.threads) as usize..((rank + 1) * self.threads) as usize;
        let beyond = self.floors.len() > 1 || self.agents > 0 || self.fences;
        let beyond = match beyond || self.meets_others {
            false => None,
            true => self
                .joined(range.clone())
                .map(|all| if beyond { all } else { Known::new(Vec::new(), all.foreign) }),
        };
        self.floors[rank as usize] = self.now;
        self.floor = self.floors[self.running as usize];
        self.advance();
        self.known[range].fill(beyond);
    }

    /// Whether any thread of the block with this rank knows the access of `other`, a thread of
    /// another block, at `time`.
    pub(crate) fn any_knows(&self, rank: u32, other: u32, time: u32) -> bool {
        let threads = rank * self.threads..(rank + 1) * self.threads;
        let mut last: Option<&Known> = None;
        self.known[threads.start as usize..threads.end as usize].iter().flatten().any(|known| {
            let is_new = !last.is_some_and(|l| l.is(known));
            last = Some(known);
            is_new
                && (known.get(other as usize).is_some_and(|known| time <= *known)
                    || self.is_over(known, other, time))
        })
    }

    /// The knowledge of any of these threads beyond the floors.
    fn joined(&self, threads: std::ops::Range<usize>) -> Option<Known> {
        let all = apart(self.known[threads].iter().flatten());
        match &all[..] {
            [] => None,
            [one] => Some((*one).clone()),
            several => Some(Known::union(None, several, 0)),
        }
    }

    /// A barrier of some threads: each acquires the knowledge of all of them.
    pub(crate) fn meet(&mut self, threads: &[u32]) {
        self.meet_with(None, threads);
    }

    /// Like [`meet`](Self::meet), with the knowledge of threads that arrived without waiting.
    pub(crate) fn meet_with(&mut self, before: Option<&Known>, threads: &[u32]) {
        let known = self.release(before, threads);
        for thread in threads {
            self.known[*thread as usize] = Some(known.clone());
        }
    }

    /// The knowledge and the accesses of the threads up to now, joined to what was published
    /// before.
    pub(crate) fn release(&mut self, before: Option<&Known>, threads: &[u32]) -> Known {
        self.released(before, threads, 0)
    }

    /// Like [`release`](Self::release), with this number of components or more.
    fn released(&mut self, before: Option<&Known>, threads: &[u32], least: usize) -> Known {
        let mut released = self.union(before, threads, least);
        let joined = released.times_mut();
        for thread in threads {
            let block = *thread - *thread % self.threads;
            let floor = self.floors[(block / self.threads) as usize];
            let own = &mut joined[block as usize..(block + self.threads) as usize];
            // Others may not have the knowledge that a whole block shares.
            if self.floors.len() > 1 {
                own.iter_mut().for_each(|time| *time = floor.max(*time));
            }
            joined[*thread as usize] = self.now;
        }
        self.advance();
        released
    }

    /// The knowledge of any of these threads beyond the floors, and what was published before.
    fn union(&self, before: Option<&Known>, threads: &[u32], least: usize) -> Known {
        let own = apart(threads.iter().filter_map(|thread| self.known[*thread as usize].as_ref()));
        Known::union(before, &own, self.known.len().max(least))
    }

    /// The knowledge published before, and the act of an agent at `time`.
    pub(crate) fn with_agent(&self, before: Option<&Known>, agent: u32, time: u32) -> Known {
        let mut joined = Known::open(before, agent as usize + 1);
        let own = &mut joined.times_mut()[agent as usize];
        *own = time.max(*own);
        joined
    }

    /// The thread learns what was passed on.
    pub(crate) fn acquire(&mut self, thread: u32, passed: &Known) {
        self.acquire_all(std::iter::once(thread), passed);
    }

    /// The threads learn what was passed on.
    pub(crate) fn acquire_all(&mut self, threads: impl Iterator<Item = u32>, passed: &Known) {
        // Neighbours that shared a clock share the new one.
        let mut last: Option<(Known, Known)> = None;
        for thread in threads {
            let own = &mut self.known[thread as usize];
            *own = Some(match (own.take(), &last) {
                (None, _) => passed.clone(),
                (Some(known), _) if known.is(passed) => known,
                (Some(known), Some((before, after))) if known.is(before) => after.clone(),
                (Some(known), _) => {
                    let joined = Clocks::both(Some(&known), passed);
                    last = Some((known, joined.clone()));
                    joined
                }
            });
        }
    }

    /// Knowledge of a thread of this cluster, in the form in which all clusters exchange it.
    pub(crate) fn published(&self, known: &Known) -> Foreign {
        known.foreign.joined(&Foreign::of_one(self.cluster_of(self.first_block), Times::new(known)))
    }

    /// The thread learns what a thread of this cluster or of another one published.
    pub(crate) fn acquire_published(&mut self, thread: u32, published: &Foreign) {
        let own = self.cluster_of(self.first_block);
        let before = self.known[thread as usize].clone().unwrap_or_default();
        let (mut times, known) = (before.to_vec(), before.foreign);
        let raised = published.of(own).is_some_and(|published| published.raise(&mut times));
        let foreign = if published.is_beyond(own) { known.joined(published) } else { known.clone() };
        if raised || !foreign.is(&known) {
            self.meets_others |= !foreign.is_empty();
            self.known[thread as usize] = Some(Known::new(times, foreign));
        }
    }
}

/// The later of two times, for each component that both have.
fn join(to: &mut [u32], from: &[u32]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = (*to).max(*from));
}

/// Knowledge without copies that follow each other: neighbours often share one.
fn apart<'k>(all: impl Iterator<Item = &'k Known>) -> SmallVec<[&'k Known; 4]> {
    let mut apart = SmallVec::<[&Known; 4]>::new();
    for known in all {
        if !apart.last().is_some_and(|last| last.is(known)) {
            apart.push(known);
        }
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meeting_passes_on_what_others_passed_before() {
        let mut clocks = Clocks::new(0, 1, 4);
        let start = clocks.now();
        assert!(!clocks.knows(1, 0, start));
        clocks.meet(&[0, 1]);
        assert!(clocks.knows(1, 0, start) && !clocks.knows(1, 0, clocks.now()) && !clocks.knows(2, 0, start));
        clocks.meet(&[1, 2]);
        assert!(clocks.knows(2, 0, start) && !clocks.knows(0, 2, start) && !clocks.knows(3, 0, start));
        let before = clocks.now();
        clocks.meet_all(0);
        assert!((0..4).all(|a| (0..4).all(|b| clocks.knows(a, b, before))));
        assert!(!clocks.knows(3, 0, clocks.now()));
    }

    #[test]
    fn time_does_not_begin_anew() {
        let mut clocks = Clocks { now: u32::MAX - 3, ..Clocks::new(0, 1, 4) };
        for _ in 0..8 {
            let before = clocks.now();
            clocks.meet(&[0, 1]);
            assert!(clocks.now() >= before && clocks.knows(1, 0, before));
            clocks.meet_all(0);
            assert!((0..4).all(|a| (0..4).all(|b| clocks.knows(a, b, before))));
        }
    }

    #[test]
    fn an_arrival_passes_on_without_learning() {
        let mut clocks = Clocks::new(0, 1, 2);
        let start = clocks.now();
        let passed = clocks.release(None, &[0]);
        let later = clocks.now();
        clocks.acquire(1, &passed);
        assert!(clocks.knows(1, 0, start) && !clocks.knows(1, 0, later) && !clocks.knows(0, 1, start));
    }

    /// Blocks of 32 threads: a barrier of one of them, then of the cluster.
    #[test]
    fn a_barrier_of_a_block_passes_on_what_its_threads_learned_elsewhere() {
        let mut clocks = Clocks::new(6, 2, 20);
        assert_eq!((clocks.first_of(5), clocks.first_of(7), clocks.first_of(8)), (None, Some(32), None));
        let start = clocks.now();
        let passed = clocks.release(None, &[33]);
        clocks.acquire(0, &passed);
        assert!(clocks.knows(0, 33, start) && !clocks.knows(1, 33, start) && !clocks.knows(33, 0, start));
        clocks.meet_all(0);
        assert!(clocks.all_know(start));
        clocks.run(1);
        assert!(!clocks.all_know(start));
        assert!(clocks.knows(1, 33, start) && !clocks.knows(33, 1, start));
        let passed = clocks.release(None, &[1]);
        clocks.acquire_all(32..64, &passed);
        assert!(clocks.knows(33, 1, start) && clocks.knows(33, 9, start));
    }

    /// A thread publishes the knowledge that its block shares after a barrier to another block.
    #[test]
    fn a_thread_passes_on_what_its_block_knows() {
        let mut clocks = Clocks::new(0, 2, 32);
        let start = clocks.now();
        clocks.meet_all(0);
        let passed = clocks.release(None, &[4]);
        clocks.acquire(32, &passed);
        assert!(clocks.knows(32, 9, start) && !clocks.knows(33, 9, start));
    }

    /// An arrival whose scope is too narrow publishes that reads are over, and the acts of selected
    /// agents.
    #[test]
    fn reads_are_handed_over_without_writes() {
        let mut clocks = Clocks::new(0, 2, 32);
        let agents = [clocks.agent(), clocks.agent()];
        let done = agents.map(|agent| {
            let time = clocks.act();
            clocks.learn(1, agent, time);
            time
        });
        let start = clocks.now();
        let own = clocks.release(None, &[1]);
        let passed = clocks.hand_over(None, &own, |agent| agent == agents[1]);
        clocks.acquire(32, &passed);
        assert!(
            clocks.knows_read(32, 1, start) && !clocks.knows(32, 1, start) && clocks.any_knows(1, 1, start)
        );
        assert!(!clocks.knows(32, agents[0], done[0]) && clocks.knows(32, agents[1], done[1]));
        // Whoever learns from that thread learns as much.
        clocks.meet_all(1);
        assert!(clocks.knows_read(40, 1, start) && !clocks.knows(40, 1, start));
    }

    #[test]
    fn a_barrier_does_not_wait_for_an_agent() {
        let mut clocks = Clocks::new(0, 1, 32);
        let agent = clocks.agent();
        let time = clocks.act();
        clocks.meet_all(0);
        assert!(!clocks.knows(3, agent, time));
        let passed = clocks.with_agent(None, agent, time);
        clocks.acquire(3, &passed);
        assert!(clocks.knows(3, agent, time) && !clocks.knows(4, agent, time));
        clocks.meet_all(0);
        assert!(clocks.knows(4, agent, time));
    }

    /// Thread 1 writes and fences, thread 2 only writes; both synchronise with thread 0 at a
    /// barrier.
    #[test]
    fn the_async_proxy_sees_what_was_fenced_on_the_way() {
        let mut clocks = Clocks::new(0, 1, 32);
        let start = clocks.now();
        clocks.fence_proxy(&[1], (true, true));
        let later = clocks.now();
        assert!(!clocks.async_proxy_sees(0, 1, start));
        clocks.meet_all(0);
        assert!(clocks.async_proxy_sees(0, 1, start) && !clocks.async_proxy_sees(0, 1, later));
        assert!(clocks.knows(0, 2, start) && !clocks.async_proxy_sees(0, 2, start));
        // A fence after the barrier covers everything that is known there.
        clocks.fence_proxy(&[0], (true, true));
        assert!(clocks.async_proxy_sees(0, 2, start) && !clocks.async_proxy_sees(3, 2, start));
    }
}
