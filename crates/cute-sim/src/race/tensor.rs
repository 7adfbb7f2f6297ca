//! The order of accesses to tensor memory that `tcgen05.fence` makes between threads.
//!
//! A thread that acquires learns everything, including the acts of agents on tensor memory. A
//! relaxed arrival or wait only orders *execution*. That is enough for tensor memory, if the one
//! thread executes `tcgen05.fence::before_thread_sync` before it and the other one
//! `tcgen05.fence::after_thread_sync` after it. So the clocks have four components for each agent
//! of tensor memory:
//!
//! | component | an act of the agent is | travels with |
//! |---|---|---|
//! | 0 | known to be complete, through a wait or what was acquired | release and acquire |
//! | [`USABLE`] | ordered before accesses of the thread to tensor memory, by fences | release and acquire |
//! | [`PASSED`] | followed by a fence before synchronisation | any synchronisation |
//! | [`UNFENCED`] | followed by synchronisation, possibly without a fence: explains a race | any synchronisation |
//!
//! `before_thread_sync` raises `PASSED` to what the thread knows, and `after_thread_sync` raises
//! `USABLE` to `PASSED`. A commit contains the first of them.
//!
//! Operations of a pipeline need no completion: what counts is that they have been issued. Each
//! thread with operations of the tensor cores therefore has one more agent, which stands for their
//! issue. Component 0 of that one is the thread's own component.

use super::{Acting, Cell, Clocks, Gap, Known, Race, Record, View};
use std::collections::HashMap;

pub(super) const USABLE: u32 = 1;
pub(super) const PASSED: u32 = 2;
pub(super) const UNFENCED: u32 = 3;

/// Components by which a thread knows that an act is over, if nothing asynchronous follows.
const OVER: [u32; 3] = [0, USABLE, PASSED];

/// Components of an agent of tensor memory.
const COMPONENTS: usize = 4;

type Times = [u32; COMPONENTS];

/// The missing one of the two fences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MissingFence {
    Before,
    After,
}

/// A thread that issues operations to the tensor cores.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Issuer {
    pub(crate) thread: u32,
    /// The agent that stands for the issue of its operations.
    issue: u32,
    /// The agents of its MMAs and of its copies.
    pub(crate) multiplier: u32,
    pub(crate) copier: u32,
}

/// The agents of a cluster's tensor memory, and the fences of its threads.
#[derive(Debug, Default)]
pub(crate) struct TensorOrder {
    agents: Vec<u32>,
    issuers: Vec<Issuer>,
    /// The knowledge that each thread's last `after_thread_sync` made usable.
    fenced: HashMap<u32, Known>,
    /// The knowledge published by atomic and volatile accesses: by address space, allocation and
    /// byte.
    flags: HashMap<(u32, u32, usize), Known>,
    /// The knowledge of threads that had returned when a barrier of the cluster was complete, and
    /// the threads that have waited at one since.
    returned: Option<Known>,
    followers: HashMap<u32, Known>,
}

impl TensorOrder {
    /// A new agent of tensor memory.
    pub(crate) fn agent(&mut self, clocks: &mut Clocks) -> u32 {
        let agent = four_components(clocks);
        self.agents.push(agent);
        agent
    }

    /// The agents of a thread that issues its first operation to the tensor cores.
    pub(crate) fn issuer(&mut self, clocks: &mut Clocks, thread: u32) -> Issuer {
        let (multiplier, copier) = (self.agent(clocks), self.agent(clocks));
        let issuer = Issuer { thread, issue: four_components(clocks), multiplier, copier };
        self.issuers.push(issuer);
        issuer
    }

    /// The threads other than this one that have issued operations.
    pub(crate) fn others(&self, thread: u32) -> impl Iterator<Item = &Issuer> {
        self.issuers.iter().filter(move |issuer| issuer.thread != thread)
    }

    fn matters(&self) -> bool {
        !self.agents.is_empty()
    }

    /// New times for the components, by the times of some knowledge.
    fn derive(&self, clocks: &Clocks, known: &[u32], to: impl Fn(Times) -> Times) -> Known {
        let at = |component: u32| known.get(component as usize).copied().unwrap_or(0).min(clocks.now());
        let times =
            |agent: u32, act: u32| [act, at(agent + USABLE), at(agent + PASSED), at(agent + UNFENCED)];
        let over = clocks.reads_over().unwrap_or(0) as u32;
        let agents = self.agents.iter().map(|agent| (*agent, times(*agent, at(*agent))));
        let issuers = self.issuers.iter().map(|issuer| {
            let act = at(issuer.thread).max(at(over + issuer.thread));
            (issuer.issue, times(issuer.issue, act))
        });
        let mut derived = Vec::new();
        for (agent, times) in agents.chain(issuers) {
            let first = agent as usize;
            derived.resize(derived.len().max(first + COMPONENTS), 0);
            derived[first..first + COMPONENTS].copy_from_slice(&to(times));
        }
        derived.into()
    }

    /// Derives times from what each of the threads knows, and lets it learn them.
    fn raise(&mut self, clocks: &mut Clocks, threads: &[u32], to: impl Fn(Times) -> Times) {
        let owns = |thread: u32| self.issuers.iter().any(|issuer| issuer.thread == thread);
        let alike = |a: &u32, b: &u32| clocks.know_alike(*a, *b) && !owns(*a) && !owns(*b);
        let runs: Vec<&[u32]> = threads.chunk_by(alike).collect();
        for run in runs {
            let (known, ..) = clocks.known_to(run[0]);
            let derived = self.derive(clocks, &known, &to);
            clocks.acquire_all(run.iter().copied(), &derived);
        }
    }

    /// `tcgen05.fence::before_thread_sync` in these threads.
    pub(crate) fn before(&mut self, clocks: &mut Clocks, threads: &[u32]) {
        if self.matters() {
            self.raise(clocks, threads, fenced);
        }
    }

    /// `tcgen05.fence::after_thread_sync` in these threads.
    pub(crate) fn after(&mut self, clocks: &mut Clocks, threads: &[u32]) {
        if !self.matters() {
            return;
        }
        let usable = |[_, _, passed, _]: Times| [0, passed, 0, 0];
        self.raise(clocks, threads, usable);
        for thread in threads {
            let (known, ..) = clocks.known_to(*thread);
            let known = self.derive(clocks, &known, usable);
            self.fenced.insert(*thread, known);
        }
    }

    /// The knowledge that a commit of a thread publishes: `known`, which includes the acts of its
    /// agents, with a fence.
    pub(crate) fn commit(&self, clocks: &Clocks, thread: u32, known: Known) -> Known {
        if !self.matters() {
            return known;
        }
        let (own, ..) = clocks.known_to(thread);
        let all = Clocks::both(Some(&known), &own.into());
        Clocks::both(Some(&known), &self.derive(clocks, &all, fenced))
    }

    /// The knowledge that a relaxed arrival of a thread publishes.
    pub(crate) fn passes_on(&self, clocks: &Clocks, thread: u32) -> Option<Known> {
        let known = || self.derive(clocks, &clocks.known_to(thread).0, relaxed);
        self.matters().then(known)
    }

    /// Relaxed waits of these threads find the published knowledge.
    pub(crate) fn hear(&self, clocks: &mut Clocks, threads: impl Iterator<Item = u32>, passed: &Known) {
        if !self.matters() {
            return;
        }
        let heard = self.derive(clocks, passed, relaxed);
        let threads: Vec<u32> = threads.collect();
        clocks.acquire_all(threads.iter().copied(), &heard);
        // A thread needs no fence for its own operations.
        for Issuer { thread, multiplier, copier, .. } in
            self.issuers.iter().filter(|issuer| threads.contains(&issuer.thread))
        {
            for agent in [multiplier, copier] {
                let time = heard[(agent + PASSED) as usize];
                clocks.learn(*thread, agent + USABLE, time);
            }
        }
    }

    /// An atomic or volatile access of a thread to this byte of an allocation.
    pub(crate) fn meet(&mut self, clocks: &mut Clocks, thread: u32, at: (u32, u32, usize)) {
        let Some(own) = self.passes_on(clocks, thread) else { return };
        let before = self.flags.remove(&at);
        self.flags.insert(at, Clocks::both(before.as_ref(), &own));
        if let Some(before) = before {
            self.hear(clocks, std::iter::once(thread), &before);
        }
    }

    /// A barrier of the cluster is complete without these threads, which have returned. Other
    /// threads acquire nothing from them.
    pub(crate) fn note_returned(&mut self, clocks: &Clocks, threads: impl Iterator<Item = u32>) {
        if !self.matters() {
            return;
        }
        for thread in threads {
            let own = clocks.known_to(thread).0.into();
            self.returned = Some(Clocks::both(self.returned.as_ref(), &own));
        }
    }

    /// These threads have waited at that barrier.
    pub(crate) fn tell_of_returned(&mut self, threads: impl Iterator<Item = u32>) {
        if let Some(known) = &self.returned {
            self.followers.extend(threads.map(|thread| (thread, known.clone())));
        }
    }

    /// Whether this thread has waited for threads to return which knew this act of an agent.
    pub(crate) fn was_told_by_returned(&self, thread: u32, agent: u32, time: u32) -> bool {
        let knows = |known: &Known, part| known.get((agent + part) as usize).is_some_and(|at| time <= *at);
        self.followers.get(&thread).is_some_and(|known| OVER.iter().any(|part| knows(known, part)))
    }

    /// The fence that is missing between the access of an agent and a later one, by the warp that
    /// begins with thread `warp`, although the two are ordered. `view` is what that one knows.
    fn lacks(&self, record: &Record, warp: u32, view: &View) -> Option<MissingFence> {
        let agent = record.agent()?;
        let issuer = self.issuers.iter().find(|own| [own.multiplier, own.copier].contains(&agent));
        let agents = [Some(agent), issuer.map(|issuer| issuer.issue)];
        let mut agents = agents.into_iter().flatten();
        let is_usable = |agent: u32| {
            let known = (warp..warp + 32).filter_map(|thread| self.fenced.get(&thread));
            known.filter_map(|known| known.get((agent + USABLE) as usize)).any(|time| record.time <= *time)
        };
        if agents.clone().any(is_usable) {
            return None;
        }
        let is_passed = agents.any(|agent| view.knows(agent + PASSED, record.time));
        Some(if is_passed { MissingFence::After } else { MissingFence::Before })
    }
}

/// The times that a fence before synchronisation publishes.
fn fenced([act, usable, passed, _]: Times) -> Times {
    [0, 0, act.max(usable).max(passed), 0]
}

/// The times that relaxed synchronisation passes on.
fn relaxed([act, usable, passed, unfenced]: Times) -> Times {
    [0, 0, passed, act.max(usable).max(passed).max(unfenced)]
}

/// The first of the components of a new agent.
fn four_components(clocks: &mut Clocks) -> u32 {
    let first = clocks.agent();
    (1..COMPONENTS).for_each(|_| {
        clocks.agent();
    });
    first
}

impl View {
    /// Whether an access by an agent of tensor memory at `time` is ordered before those of the
    /// thread.
    pub(crate) fn orders(&self, agent: u32, time: u32) -> bool {
        self.knows(agent, time) || self.knows(agent + USABLE, time)
    }

    /// The fence without which such an access is not ordered, if the threads have synchronised.
    pub(super) fn missing(&self, agent: u32, time: u32) -> Option<MissingFence> {
        missing(|component| self.knows(component, time), agent)
    }

    /// The time up to which the operations of another thread are known to have been issued before.
    pub(crate) fn issued(&self, issuer: &Issuer) -> u32 {
        self.thread_time(issuer.thread).max(self.time(issuer.issue + USABLE))
    }

    /// Lets operations of an agent be ordered as soon as they have been issued.
    pub(crate) fn follow(&mut self, issuer: &Issuer, agent: u32) {
        let issued = self.issued(issuer);
        let issue = |part| self.time(issuer.issue + part);
        let times = [(USABLE, issued), (PASSED, issue(PASSED)), (UNFENCED, issue(UNFENCED))];
        for (part, time) in times {
            self.raise(agent + part, time);
        }
    }
}

impl Clocks {
    /// Whether a thread that frees columns, or returns, knows that an access by an agent is over.
    /// Neither is an asynchronous operation, so no fence is needed after synchronisation.
    pub(crate) fn knows_over(&self, thread: u32, agent: u32, time: u32) -> bool {
        OVER.iter().any(|part| self.knows(thread, agent + part, time))
    }

    /// Like [`View::missing`], for the threads of a warp.
    pub(super) fn missing_of_warp(&self, first: u32, record: &Record) -> Option<MissingFence> {
        let agent = record.agent().filter(|_| record.kind.is_tensor())?;
        let knows = |component| (first..first + 32).any(|thread| self.knows(thread, component, record.time));
        missing(knows, agent)
    }
}

fn missing(knows: impl Fn(u32) -> bool, agent: u32) -> Option<MissingFence> {
    if knows(agent + PASSED) {
        Some(MissingFence::After)
    } else {
        knows(agent + UNFENCED).then_some(MissingFence::Before)
    }
}

impl Cell {
    /// An earlier access of tensor memory by another warp that is ordered with this one only by the
    /// synchronisation of the threads, without a fence that the instruction set requires. `fenced`
    /// is the last access for which that is not so.
    #[cold]
    pub(crate) fn lacks_fence(
        &self,
        acting: &Acting<'_>,
        bytes: u8,
        (clocks, order): (&Clocks, &TensorOrder),
        fenced: &mut Option<Record>,
    ) -> Option<Race> {
        let who = &acting.who;
        let warp = clocks.first_of(who.block)? + who.warp * 32;
        self.in_tensor_memory(who.kind, bytes).find_map(|r| {
            let is_own = r.made_by() == who.block && r.lanes / 32 == who.warp;
            let alike = |f: &Record| Record { bytes: r.bytes, ..*f } == *r;
            if is_own || clocks.first_of(r.made_by()).is_none() || fenced.as_ref().is_some_and(alike) {
                return None;
            }
            let lacks = order.lacks(r, warp, acting.view);
            if lacks.is_none() {
                *fenced = Some(*r);
            }
            let gap = Gap::Tensor { fence: lacks?, ordered: true };
            Some(Race { record: *r, thread: r.lanes, gap: Some(gap) })
        })
    }
}
