//! Bulk copies from shared memory, in the groups of the threads that issued them. A copy is read,
//! and then written.

use super::rows::Rows;
use crate::race::Clocks;
use crate::task::Issued;
use crate::update::Update;
use cute_machine::types::Scalar;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

/// A copy from shared to global memory.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Leaving {
    pub(super) issued: Issued,
    pub(super) rows: Rows,
    /// The update of the old elements.
    pub(super) reduce: Option<(Update, Scalar)>,
    /// The bytes that were read.
    pub(super) read: Option<Vec<u8>>,
    /// It is written.
    pub(super) done: bool,
}

/// The copies of a thread to global memory.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outbox {
    /// The agents that read for it, and that write.
    pub(super) agents: (u32, u32),
    /// The agent that reads the tensor maps of its loads, once one of them is in global memory.
    pub(super) maps: Option<u32>,
    /// Not committed.
    pub(super) open: Vec<Leaving>,
    /// The time at which the last open copy was issued.
    pub(super) opened: u32,
    /// Committed and not waited for, oldest first.
    pub(super) groups: VecDeque<Group>,
    /// Up to when all was waited for: read, and written.
    pub(super) waited: (u32, u32),
    /// The time at which the last copy was issued among those that were executed before a wait.
    pub(super) finished: u32,
    /// The last copy.
    pub(super) last: Option<Issued>,
    /// The lanes that issued the last copy together with the thread, and so wait together, too.
    pub(super) lanes: u32,
}

/// Copies that were committed together.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Group {
    /// The copies that have not been executed.
    pub(super) copies: Vec<Leaving>,
    /// The time at which the last of all was issued.
    pub(super) time: u32,
}

impl Outbox {
    fn new(agents: (u32, u32)) -> Self {
        Outbox {
            agents,
            maps: None,
            open: Vec::new(),
            opened: 0,
            groups: VecDeque::new(),
            waited: (0, 0),
            finished: 0,
            last: None,
            lanes: 0,
        }
    }

    pub(super) fn issue(&mut self, copy: Leaving) {
        self.opened = copy.issued.time;
        self.last = Some(copy.issued);
        self.open.push(copy);
    }

    /// Like [`issue`](Self::issue), for a copy that has been executed.
    pub(super) fn issue_done(&mut self, issued: Issued) {
        (self.opened, self.last) = (issued.time, Some(issued));
    }

    pub(super) fn commit(&mut self) {
        self.groups.push_back(Group { copies: std::mem::take(&mut self.open), time: self.opened });
    }

    /// All copies that may not have been executed.
    pub(super) fn copies(&mut self) -> impl Iterator<Item = &mut Leaving> {
        self.open.iter_mut().chain(self.groups.iter_mut().flat_map(|group| &mut group.copies))
    }

    fn is_of(&self, agent: u32) -> bool {
        self.agents.0 == agent || self.agents.1 == agent || self.maps == Some(agent)
    }
}

/// The outboxes of a cluster, by the thread of the cluster.
#[derive(Debug, Default)]
pub(crate) struct Outboxes(BTreeMap<u32, Outbox>);

impl Outboxes {
    /// The outbox of a thread, which needs two agents.
    pub(super) fn of(&mut self, thread: u32, clocks: &mut Clocks) -> &mut Outbox {
        self.0.entry(thread).or_insert_with(|| Outbox::new((clocks.agent(), clocks.agent())))
    }

    pub(super) fn get(&self, thread: u32) -> Option<&Outbox> {
        self.0.get(&thread)
    }

    pub(super) fn get_mut(&mut self, thread: u32) -> Option<&mut Outbox> {
        self.0.get_mut(&thread)
    }

    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut Outbox> {
        self.0.values_mut()
    }

    /// The outboxes of these threads.
    pub(super) fn of_threads(&mut self, threads: Range<u32>) -> impl Iterator<Item = &mut Outbox> {
        self.0.range_mut(threads).map(|(_, outbox)| outbox)
    }

    /// The agent that reads the tensor map of a load that a thread issues now. The read is complete
    /// for threads that wait for the load, and for a thread that commits bulk groups after the load
    /// and waits for them, as CUTLASS's `tma_desc_wait_group` does before a map is changed.
    pub(super) fn map_reader(&mut self, issued: Issued, clocks: &mut Clocks) -> u32 {
        let known = self.of(issued.thread, clocks).maps;
        let agent = known.unwrap_or_else(|| clocks.agent());
        let outbox = self.of(issued.thread, clocks);
        (outbox.maps, outbox.opened) = (Some(agent), issued.time);
        agent
    }

    /// The agent that reads the tensor maps of a thread's loads, if one of them is in global
    /// memory.
    pub(crate) fn map_reader_of(&self, thread: u32) -> Option<u32> {
        self.0.get(&thread).and_then(|outbox| outbox.maps)
    }

    /// Whether an agent executes copies of some thread, or reads its maps.
    pub(crate) fn have(&self, agent: u32) -> bool {
        self.0.values().any(|outbox| outbox.is_of(agent))
    }

    /// The last copy of each of these threads, with the agent that reads for it.
    pub(crate) fn last(&self, threads: Range<u32>) -> impl Iterator<Item = (u32, Issued)> {
        self.0.range(threads).filter_map(|(_, outbox)| Some((outbox.agents.0, outbox.last?)))
    }
}
