//! The accesses of a word that later ones must be ordered with.

use super::foreign::Times;
use super::view::Knows;
use super::{AGENT, Clocks, MissingFence, Scope, View};
use crate::finding::AccessKind;
use crate::lanes::lanes_of;
use cute_arch::WARP;
use smallvec::SmallVec;

/// In the instruction of a record: an earlier operation made it, whose number is the time.
const FORMER: u32 = 1 << 31;

/// The number of the earlier operation that stands for bytes of the heap in no allocation.
const OF_HEAP: u32 = u32::MAX;

/// Accesses of some threads of a block at one time: in each warp of `warps`, the lanes in `lanes`.
/// For an agent, `warps` holds the agent's component, and `lanes` the number in its block of the
/// thread that it acts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) block: u32,
    pub(crate) time: u32,
    pub(crate) site: u32,
    pub(crate) warps: u32,
    pub(crate) lanes: u32,
    /// Bytes of the word, one bit each.
    pub(crate) bytes: u8,
    pub(crate) kind: AccessKind,
    pub(crate) reach: Reach,
}

/// The other accesses that an atomic one does not race with: those of exactly the same bytes, by
/// threads in its scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Reach {
    /// Bytes of the atomic access. For a load that is followed, a number of its own, so that no
    /// record of another load stands for it.
    pub(crate) width: u8,
    pub(crate) scope: Scope,
}

/// The threads of a launch that know an earlier operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FormerKnown {
    /// None, unless they acquire what it released.
    Nobody,
    /// Those that know of a `griddepcontrol.wait`.
    Waiting,
    /// The same, because it has ended: others do not see what it wrote.
    Ended,
}

impl Record {
    /// The record of the same access for launches that begin before this one has ended, which know
    /// it by this number.
    fn left_by(&self, launch: u32, known: FormerKnown) -> Option<Record> {
        (!self.is_former()).then_some(Record {
            block: AGENT | self.made_by(),
            time: launch,
            site: FORMER | self.site,
            warps: known as u32,
            lanes: self.thread(),
            ..*self
        })
    }

    /// The record of an operation of the host, by its number, for launches that may begin before it
    /// has ended.
    pub(super) fn of_operation(operation: u32, kind: AccessKind, bytes: u8) -> Record {
        let reach = Reach::default();
        Record { block: AGENT, time: operation, site: FORMER, warps: 0, lanes: 0, bytes, kind, reach }
    }

    /// Whether an earlier launch made it, or an operation of the host. It is then one of an agent,
    /// whose component is a [`FormerKnown`].
    pub(crate) fn is_former(&self) -> bool {
        self.site & FORMER != 0
    }

    /// The number of the earlier operation, the instruction there, and the thread.
    pub(super) fn former(&self) -> Option<(u32, u32, u32)> {
        self.is_former().then_some((self.time, self.site & !FORMER, self.lanes))
    }

    /// Whether it stands for bytes of the heap that are in no allocation.
    pub(crate) fn is_of_heap(&self) -> bool {
        self.is_former() && self.time == OF_HEAP
    }

    /// Whether an access of this kind need not know that of an earlier operation: that has ended,
    /// and only what it wrote may be out of sight.
    fn is_past(&self, kind: AccessKind) -> bool {
        self.warps == FormerKnown::Ended as u32 && !kind.is_read()
    }

    /// When it was made.
    pub(crate) fn time(&self) -> u32 {
        self.time
    }

    /// The block of its threads.
    pub(crate) fn made_by(&self) -> u32 {
        self.block & !AGENT
    }

    /// Whether all lanes of each warp made it together.
    pub(super) fn is_together(&self) -> bool {
        self.reach.scope == Scope::Warp
    }

    fn is_of_agent(&self) -> bool {
        self.block & AGENT != 0
    }

    /// The agent that made it, if one did.
    pub(crate) fn agent(&self) -> Option<u32> {
        self.is_of_agent().then_some(self.warps)
    }

    /// A thread of another cluster that made it, if that is not known to a thread that knows
    /// `times` about that cluster. An act of an agent is known only through a thread that has
    /// waited for it.
    fn by_a_stranger(&self, times: Option<&Times>, clocks: &Clocks) -> Option<u32> {
        let at = |component: u32| times.map_or(0, |times| times.at(component));
        if self.is_of_agent() {
            return (at(self.warps) < self.time).then_some(self.lanes);
        }
        let first = clocks.first_in_cluster(self.made_by());
        let over = clocks.reads_over().filter(|_| self.kind.is_read());
        let knows = |thread: u32| {
            at(first + thread) >= self.time
                || over.is_some_and(|over| at(over as u32 + first + thread) >= self.time)
        };
        if self.is_together() {
            let warp = |thread: u32| (thread & !(WARP - 1)..(thread & !(WARP - 1)) + WARP).any(knows);
            return self.threads().find(|thread| !warp(*thread));
        }
        self.threads().find(|thread| !knows(*thread))
    }

    /// A thread that made it, or that an agent made it for.
    pub(super) fn thread(&self) -> u32 {
        if self.is_of_agent() { self.lanes } else { self.threads().next().unwrap_or(0) }
    }

    /// The threads, by their numbers in the block; it is not of an agent.
    pub(crate) fn threads(self) -> impl Iterator<Item = u32> {
        lanes_of(self.warps).flat_map(move |warp| lanes_of(self.lanes).map(move |lane| warp * WARP + lane))
    }

    /// Whether threads of the block make the same access to the same bytes.
    fn is_like(&self, other: &Record) -> bool {
        self.block == other.block
            && self.bytes == other.bytes
            && self.kind == other.kind
            && self.reach == other.reach
    }

    /// Must the two be ordered? Atomic accesses need not be, if they exclude each other.
    fn conflicts(&self, who: &Who, clocks: &Clocks) -> bool {
        self.kind.conflicts(who.kind) || self.kind.is_contended(who.kind) && !self.excludes(who, clocks)
    }

    /// Whether the two are atomic and exclude each other: PTX calls them morally strong.
    fn excludes(&self, who: &Who, clocks: &Clocks) -> bool {
        let apart = if self.is_former() { Scope::Device } else { clocks.apart(self.made_by(), who.block) };
        self.kind.is_atomic()
            && who.kind.is_atomic()
            && self.reach.scope.min(who.reach.scope) >= apart
            && self.reach.width == who.reach.width
    }

    /// Merges the threads of a later record of one warp, if that loses no information.
    #[inline(always)]
    fn join(&mut self, later: &Record) -> bool {
        if !self.is_like(later) || self.time != later.time {
            return false;
        }
        let same_site = self.site == later.site;
        if self.warps & later.warps != 0 && later.lanes & !self.lanes == 0 {
            // They are in it.
        } else if same_site && self.warps == later.warps {
            self.lanes |= later.lanes;
        } else if same_site && self.lanes == later.lanes {
            self.warps |= later.warps;
        } else {
            return false;
        }
        true
    }

    /// Removes threads that repeat the access in `later`, because knowledge of that implies
    /// knowledge of this. Threads that cannot be removed are harmless.
    fn leave_out(&mut self, later: &Record) {
        if !self.is_like(later) || self.warps & later.warps == 0 {
            return;
        }
        if self.lanes & !later.lanes == 0 {
            self.warps &= !later.warps;
        } else if self.warps == later.warps {
            self.lanes &= !later.lanes;
        }
    }
}

/// The current access; its lanes are passed separately.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Who {
    pub(crate) block: u32,
    /// Rank of the block in its cluster.
    pub(crate) rank: u32,
    pub(crate) warp: u32,
    pub(crate) site: u32,
    pub(crate) kind: AccessKind,
    /// No other block reaches the memory.
    pub(crate) alone: bool,
    pub(crate) reach: Reach,
    /// It is an atomic update, which reads the value that it replaces.
    pub(crate) updates: bool,
}

impl Who {
    /// Whether all lanes of the warp make it together.
    fn is_together(&self) -> bool {
        self.reach.scope == Scope::Warp
    }
}

/// An earlier access, and the thread of it that is not ordered with the one now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Race {
    pub(crate) record: Record,
    pub(crate) thread: u32,
    /// It is ordered, but without the fence that an access of the async proxy needs after one of
    /// the generic proxy.
    pub(crate) gap: Option<Gap>,
}

/// The fence that is missing between an access of the generic proxy and a later one of the async
/// proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gap {
    /// A fence after the write.
    Write,
    /// A fence after the copy that wrote.
    Copy,
    /// A fence after the read.
    Read,
    /// A fence by the thread that wrote.
    OwnFence,
    /// A fence after the read, where it is required.
    ReadFence,
    /// A fence after `tcgen05.alloc`, before its address is overwritten.
    Allocation,
    /// One of the fences of `tcgen05`, between accesses of tensor memory. Without it they are
    /// `ordered` by the synchronisation alone, or not at all.
    Tensor { fence: MissingFence, ordered: bool },
}

impl Gap {
    /// Whether widely used kernels omit it.
    pub(crate) fn is_remark(self) -> bool {
        !matches!(self, Gap::Write | Gap::ReadFence | Gap::Tensor { ordered: false, .. })
    }
}

/// An access of the async proxy, which an agent makes on behalf of a lane, at its own time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Acting<'a> {
    pub(crate) who: Who,
    pub(crate) lane: u32,
    pub(crate) agent: u32,
    pub(crate) time: u32,
    /// The lane's knowledge when it issued the operation.
    pub(crate) view: &'a View,
    pub(crate) needs: Needs,
}

/// The requirements on generic accesses before one of an agent, beyond being ordered with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    /// None: the agent does not act through the async proxy, or they have other requirements.
    Order,
    /// Writes a fence for the async proxy, which is one for this memory.
    Fence { global: bool },
    /// Reads as well.
    FenceOfReads,
}

/// Blocks other than the own one whose reads of a word are kept.
const OTHER_BLOCKS: usize = 2;

#[derive(Debug, Clone, Default)]
pub(crate) struct Cell {
    writes: SmallVec<[Record; 1]>,
    reads: SmallVec<[Record; 1]>,
}

impl Cell {
    /// An earlier access of some of these bytes of the word with which an access by these lanes
    /// races.
    #[inline]
    pub(crate) fn race(&self, who: &Who, lanes: u32, bytes: u8, clocks: &Clocks) -> Option<Race> {
        let race = |r: &Record| self.race_with(r, who, lanes, bytes, clocks);
        let other = self.writes.iter().find_map(race);
        if who.kind.is_read() { other } else { other.or_else(|| self.reads.iter().find_map(race)) }
    }

    /// The race of an access by these lanes with an earlier one.
    #[inline]
    pub(super) fn race_with(
        &self,
        r: &Record,
        who: &Who,
        lanes: u32,
        bytes: u8,
        clocks: &Clocks,
    ) -> Option<Race> {
        let thread = stranger(r, who, lanes, bytes, clocks)?;
        if self.was_observed(r, who, lanes, clocks) {
            return None;
        }
        let own = clocks.first_of(who.block).map(|first| first + who.warp * WARP);
        let gap = own.and_then(|own| clocks.missing_of_warp(own, r)).map(unfenced);
        Some(Race { record: *r, thread, gap })
    }

    /// The earlier accesses with which one of this kind may race.
    pub(super) fn conflicting(&self, kind: AccessKind) -> impl Iterator<Item = &Record> {
        let reads = if kind.is_read() { &[][..] } else { &self.reads };
        self.writes.iter().chain(reads)
    }

    /// Whether an access by these lanes races with no earlier one.
    #[inline]
    pub(crate) fn is_quiet(&self, who: &Who, lanes: u32, bytes: u8, clocks: &Clocks) -> bool {
        let quiet = |r: &Record| stranger(r, who, lanes, bytes, clocks).is_none();
        self.writes.iter().all(quiet) && (who.kind.is_read() || self.reads.iter().all(quiet))
    }

    /// Notes an access of some bytes of the word.
    #[inline(always)]
    pub(crate) fn note(&mut self, who: &Who, lanes: u32, bytes: u8, clocks: &Clocks) {
        if who.kind.is_read() {
            return add(&mut self.reads, who, lanes, bytes, clocks);
        }
        // Anything ordered with this access is ordered with everything before it.
        forget(&mut self.reads, bytes);
        if who.kind != AccessKind::Atomic {
            forget(&mut self.writes, bytes);
        } else if who.updates {
            // An update is ordered with the atomic writes that it observes.
            let is_observed = |r: &Record| r.bytes & !bytes == 0 && r.excludes(who, clocks);
            self.writes.retain(|r| !is_observed(r));
        }
        add(&mut self.writes, who, lanes, bytes, clocks);
    }

    /// Whether an atomic write precedes an access that is not atomic, because a thread that the
    /// accessing one knows of has read the location since. The reads of a cell are those since its
    /// last write.
    #[cold]
    fn was_observed(&self, r: &Record, who: &Who, lanes: u32, clocks: &Clocks) -> bool {
        let observes = |read: &Record| {
            let reader = Who { block: read.made_by(), kind: read.kind, reach: read.reach, ..*who };
            read.kind == AccessKind::AtomicRead
                && !read.is_former()
                && r.bytes & !read.bytes == 0
                && r.excludes(&reader, clocks)
                && is_known_through_one(read, who, lanes, clocks)
        };
        r.kind == AccessKind::Atomic && !who.kind.is_atomic() && self.reads.iter().any(observes)
    }
}

impl Cell {
    /// Adds what an earlier launch left in the cell of the same word, once for each kind of access.
    pub(super) fn inherit(&mut self, former: &Cell, launch: u32, known: FormerKnown) {
        let reads = if known == FormerKnown::Ended { &[][..] } else { &former.reads[..] };
        let all = former.writes.iter().chain(reads);
        all.filter_map(|r| r.left_by(launch, known)).for_each(|record| self.add_former(record));
    }

    /// Nothing may use these bytes of the word.
    pub(super) fn forbid(&mut self, bytes: u8) {
        self.clear(bytes);
        self.add_former(Record::of_operation(OF_HEAP, AccessKind::Write, bytes));
    }

    /// Nothing has used these bytes of the word.
    pub(super) fn clear(&mut self, bytes: u8) {
        forget(&mut self.writes, bytes);
        forget(&mut self.reads, bytes);
    }

    /// Adds the record of an earlier operation.
    pub(super) fn add_former(&mut self, record: Record) {
        let own = if record.kind.is_read() { &mut self.reads } else { &mut self.writes };
        let alike = |r: &Record| Record { bytes: record.bytes, lanes: record.lanes, ..*r } == record;
        match own.iter_mut().find(|r| alike(r)) {
            Some(like) => like.bytes |= record.bytes,
            None => own.push(record),
        }
    }

    /// The first access of some of these bytes that one of this kind must be ordered with, and that
    /// no earlier launch made.
    pub(super) fn conflict(&self, kind: AccessKind, bytes: u8) -> Option<&Record> {
        let all = self.writes.iter().chain(&self.reads);
        let conflicts = |r: &&Record| r.bytes & bytes != 0 && !r.is_former() && r.kind.conflicts(kind);
        all.into_iter().find(conflicts)
    }

    /// The writes of these bytes by threads.
    pub(crate) fn written(&self, bytes: u8) -> impl Iterator<Item = &Record> {
        self.writes.iter().filter(move |r| r.bytes & bytes != 0 && !r.is_of_agent())
    }

    /// The instruction that an agent of the async proxy wrote the whole word by, if nothing has
    /// written to the word since.
    pub(crate) fn brought(&self) -> Option<u32> {
        match self.writes[..] {
            [one]
                if one.is_of_agent()
                    && !one.is_former()
                    && one.kind == AccessKind::AsyncWrite
                    && one.bytes == 0xf =>
            {
                Some(one.site)
            }
            _ => None,
        }
    }

    /// The accesses by threads of other blocks than this one.
    pub(crate) fn by_others(&self, block: u32) -> impl Iterator<Item = &Record> {
        let all = self.writes.iter().chain(&self.reads);
        all.filter(move |r| r.block & AGENT == 0 && r.block != block)
    }

    /// Records that an agent wrote some bytes of the word at its own time, for the lane that issued
    /// it.
    pub(crate) fn note_agent(&mut self, who: &Who, lanes: u32, bytes: u8, (agent, time): (u32, u32)) {
        forget(&mut self.reads, bytes);
        forget(&mut self.writes, bytes);
        let &Who { block, warp, site, kind, reach, .. } = who;
        let thread = warp * WARP + lanes.trailing_zeros();
        let block = AGENT | block;
        self.writes.push(Record { block, time, site, warps: agent, lanes: thread, bytes, kind, reach });
    }

    /// An earlier access of some of these bytes with which one of the async proxy races. `quiet` is
    /// the last access that did not. Races that `is_over` knows not to matter are passed over.
    #[inline]
    pub(crate) fn race_of(
        &self,
        acting: &Acting<'_>,
        bytes: u8,
        clocks: &Clocks,
        quiet: &mut Option<Record>,
        mut is_over: impl FnMut(&Race) -> bool,
    ) -> Option<Race> {
        let reads = if acting.who.kind.is_read() { &[][..] } else { &self.reads };
        let all = || self.writes.iter().chain(reads).filter(|r| r.bytes & bytes != 0);
        let mut remark = None;
        let race = all().find_map(|r| {
            let alike = |q: &Record| Record { bytes: r.bytes, site: r.site, ..*q } == *r;
            if quiet.as_ref().is_some_and(alike) {
                return None;
            }
            let race = acting.race(r, clocks);
            if race.is_none() {
                let own = acting.remark(r, clocks);
                if own.is_none() {
                    *quiet = Some(*r);
                }
                remark = remark.or(own);
            }
            race.filter(|race| !is_over(race))
        });
        race.or(remark)
    }

    /// Earlier accesses of tensor memory that one of this kind must be ordered with.
    pub(super) fn in_tensor_memory(&self, kind: AccessKind, bytes: u8) -> impl Iterator<Item = &Record> {
        let all = self.writes.iter().chain(&self.reads);
        all.filter(move |r| r.bytes & bytes != 0 && r.kind.is_tensor() && r.kind.conflicts(kind))
    }

    /// Notes an access of the async proxy.
    pub(crate) fn note_acting(&mut self, acting: &Acting<'_>, bytes: u8) {
        let &Acting { who: Who { block, warp, site, kind, reach, .. }, lane, agent, time, .. } = acting;
        let block = AGENT | block;
        let record =
            Record { block, time, site, warps: agent, lanes: warp * WARP + lane, bytes, kind, reach };
        let records = if kind.is_read() {
            &mut self.reads
        } else {
            forget(&mut self.reads, bytes);
            if kind != AccessKind::AsyncReduce {
                forget(&mut self.writes, bytes);
            }
            &mut self.writes
        };
        // A thread that knows the agent's act now knows its earlier acts.
        let is_older = |r: &Record| (r.block, r.warps) == (block, agent) && r.bytes & !bytes == 0;
        records.retain(|r| !is_older(r));
        if records.len() > OTHER_BLOCKS + 1
            && let Some(first) = records.iter().position(|r| !r.is_former())
        {
            records.remove(first);
        }
        records.push(record);
    }
}

impl Acting<'_> {
    /// The race with an earlier access of the same bytes, if it is one.
    fn race(&self, r: &Record, clocks: &Clocks) -> Option<Race> {
        let kind = self.who.kind;
        if !r.kind.conflicts(kind) {
            return None;
        }
        let race = |thread, gap| Race { record: *r, thread, gap };
        if r.is_former() {
            let is_over = r.is_past(kind) || self.view.knows_launch(r.warps != 0);
            return (!is_over).then(|| race(r.lanes, None));
        }
        let Some(first) = clocks.first_of(r.made_by()) else {
            let cluster = clocks.cluster_of(r.made_by());
            let unordered = r.by_a_stranger(self.view.knows_of(cluster), clocks);
            let is_generic = matches!(r.kind, AccessKind::Write | AccessKind::Atomic);
            let unseen = || {
                let first = clocks.first_in_cluster(r.made_by());
                let fenced = is_generic && self.needs == (Needs::Fence { global: true });
                fenced.then(|| self.view.lacks_abroad(cluster, first, r.threads(), r.time)).flatten()
            };
            let unordered = unordered.map(|thread| race(thread, None));
            return unordered.or_else(|| unseen().map(|thread| race(thread, Some(Gap::Write))));
        };
        if r.is_of_agent() {
            if r.kind.is_tensor() && kind.is_tensor() {
                let gap = || self.view.missing(r.warps, r.time).map(unfenced);
                return (!self.view.orders(r.warps, r.time)).then(|| race(r.lanes, gap()));
            }
            return (!self.view.knows(r.warps, r.time)).then(|| race(r.lanes, None));
        }
        let lacks = |what| self.view.lacks(first, r.warps, r.lanes, r.time, what);
        let order = if r.kind.is_read() { Knows::Read } else { Knows::Access };
        let unordered = match r.is_together() {
            true => self.view.lacks_warp(first, r.warps, r.time),
            false => lacks(order),
        };
        let unordered = unordered.map(|thread| race(thread, None));
        let unseen = || {
            let gap = match (r.kind, self.needs) {
                (_, Needs::Order) => return None,
                _ if self.overwrites_address(r) => return None,
                (AccessKind::Write | AccessKind::Atomic, _) => Gap::Write,
                (AccessKind::Read | AccessKind::AtomicRead, Needs::FenceOfReads) => Gap::ReadFence,
                _ => return None,
            };
            lacks(self.seen()).map(|thread| race(thread, Some(gap)))
        };
        unordered.or_else(unseen)
    }

    /// Whether this overwrites an address that `tcgen05.alloc` wrote: the one write to shared
    /// memory that a whole warp makes together.
    fn overwrites_address(&self, r: &Record) -> bool {
        let in_shared_memory = self.needs == (Needs::Fence { global: false });
        let is_address = r.kind == AccessKind::Write && r.is_together();
        in_shared_memory && is_address && !self.who.kind.is_read()
    }

    /// The required fences between proxies.
    fn seen(&self) -> Knows {
        if self.needs == (Needs::Fence { global: true }) { Knows::SeenGlobal } else { Knows::Seen }
    }

    /// Fences that the instruction set requires beyond that, and that widely used kernels omit.
    #[cold]
    fn remark(&self, r: &Record, clocks: &Clocks) -> Option<Race> {
        if r.is_of_agent() || !r.kind.conflicts(self.who.kind) || self.needs == Needs::Order {
            return None;
        }
        let (gap, what) = match r.kind {
            AccessKind::Copy => (Gap::Copy, self.seen()),
            AccessKind::Read | AccessKind::AtomicRead => (Gap::Read, self.seen()),
            _ if self.overwrites_address(r) => (Gap::Allocation, self.seen()),
            _ => (Gap::OwnFence, Knows::Fenced),
        };
        let first = clocks.first_of(r.made_by())?;
        let thread = self.view.lacks(first, r.warps, r.lanes, r.time, what)?;
        Some(Race { record: *r, thread, gap: Some(gap) })
    }
}

/// A thread of the record that is not ordered with the access of these lanes to some of its bytes.
#[inline]
fn stranger(r: &Record, who: &Who, lanes: u32, bytes: u8, clocks: &Clocks) -> Option<u32> {
    if r.block == who.block && clocks.all_know(r.time) || r.bytes & bytes == 0 {
        return None;
    }
    stranger_beyond_the_floor(r, who, lanes, clocks)
}

fn stranger_beyond_the_floor(r: &Record, who: &Who, lanes: u32, clocks: &Clocks) -> Option<u32> {
    if !r.conflicts(who, clocks) {
        return None;
    }
    let own = clocks.first_of(who.block)? + who.warp * WARP;
    if r.is_former() {
        let is_over = |lane: u32| r.is_past(who.kind) || clocks.knows_launch(own + lane, r.warps != 0);
        let all_know = if who.is_together() { (0..WARP).any(is_over) } else { lanes_of(lanes).all(is_over) };
        return (!all_know).then_some(r.lanes);
    }
    let Some(first) = clocks.first_of(r.made_by()) else {
        return stranger_of_another_cluster(r, own, who, lanes, clocks);
    };
    if r.is_of_agent() {
        let knows = |lane: u32| match r.kind.is_tensor() {
            true => clocks.knows_over(own + lane, r.warps, r.time),
            false => clocks.knows(own + lane, r.warps, r.time),
        };
        let known = if who.is_together() { (0..WARP).any(knows) } else { lanes_of(lanes).all(knows) };
        return if known { None } else { Some(r.lanes) };
    }
    let is_own = r.made_by() == who.block && r.warps == 1 << who.warp;
    let together = who.is_together() && !is_own;
    let is_read = r.kind.is_read();
    let knows = |lane: u32, other: u32| match is_read {
        true => clocks.knows_read(own + lane, first + other, r.time),
        false => clocks.knows(own + lane, first + other, r.time),
    };
    if !together && !r.is_together() {
        let known = |other: &u32| lanes_of(lanes).all(|lane| knows(lane, *other));
        return r.threads().find(|other| !known(other));
    }
    let others = |other: u32| {
        let warp = other & !31;
        if r.is_together() { warp..warp + WARP } else { other..other + 1 }
    };
    let by = |lane: u32, other: u32| others(other).any(|other| knows(lane, other));
    let known = |other: u32| match together {
        true => (0..WARP).any(|lane| by(lane, other)),
        false => lanes_of(lanes).all(|lane| by(lane, other)),
    };
    r.threads().find(|other| !known(*other))
}

/// A thread of the record, which is of another cluster, that is not ordered with the lanes of the
/// warp whose first thread is `own`.
fn stranger_of_another_cluster(r: &Record, own: u32, who: &Who, lanes: u32, clocks: &Clocks) -> Option<u32> {
    let by = |lane: u32| r.by_a_stranger(clocks.knows_of(own + lane, r.made_by()), clocks);
    if who.is_together() {
        let all = (0..WARP).map(by).collect::<Option<SmallVec<[u32; 32]>>>()?;
        return all.first().copied();
    }
    let mut last = None;
    lanes_of(lanes).find_map(|lane| {
        // Lanes that have synchronised know the same.
        let is_alike = last.is_some_and(|last| clocks.know_alike(own + last, own + lane));
        last = Some(lane);
        if is_alike { None } else { by(lane) }
    })
}

/// Whether each of these lanes knows of the access by some thread of the record.
fn is_known_through_one(r: &Record, who: &Who, lanes: u32, clocks: &Clocks) -> bool {
    let Some(own) = clocks.first_of(who.block).map(|first| first + who.warp * WARP) else { return false };
    lanes_of(lanes).all(|lane| match clocks.first_of(r.made_by()) {
        Some(first) => r.threads().any(|other| clocks.knows(own + lane, first + other, r.time)),
        None => {
            let first = clocks.first_in_cluster(r.made_by());
            let times = clocks.knows_of(own + lane, r.made_by());
            times.is_some_and(|times| r.threads().any(|other| times.at(first + other) >= r.time))
        }
    })
}

fn unfenced(fence: MissingFence) -> Gap {
    Gap::Tensor { fence, ordered: false }
}

#[inline]
fn forget(records: &mut SmallVec<[Record; 1]>, bytes: u8) {
    match records.as_mut_slice() {
        [] => {}
        [one] if one.bytes & !bytes == 0 => records.clear(),
        _ => records.retain(|r| {
            r.bytes &= !bytes;
            r.bytes != 0
        }),
    }
}

#[inline(always)]
fn add(records: &mut SmallVec<[Record; 1]>, who: &Who, lanes: u32, bytes: u8, clocks: &Clocks) {
    let &Who { block, warp, site, kind, alone, reach, .. } = who;
    let record = Record { block, time: clocks.now(), site, warps: 1 << warp, lanes, bytes, kind, reach };
    if !records.last_mut().is_some_and(|last| last.join(&record)) {
        add_behind(records, record, alone, clocks);
    }
}

#[cold]
fn add_behind(records: &mut SmallVec<[Record; 1]>, record: Record, alone: bool, clocks: &Clocks) {
    if records.iter_mut().any(|r| r.join(&record)) {
        return;
    }
    records.retain(|r| {
        r.leave_out(&record);
        r.warps != 0 && !(alone && !r.is_of_agent() && clocks.all_know(r.time))
    });
    let is_other = |r: &Record| r.block != record.block && !r.is_former();
    if records.iter().filter(|r| is_other(r)).count() > OTHER_BLOCKS
        && let Some(i) = records.iter().position(is_other)
    {
        records.swap_remove(i);
    }
    records.push(record);
}

#[cfg(test)]
mod tests {
    use super::*;
    use AccessKind::{Atomic, Read, Write};

    /// A thread's access.
    fn access(cell: &mut Cell, thread: u32, kind: AccessKind, bytes: u8, clocks: &Clocks) -> Option<Race> {
        access_as(cell, Who { site: thread, ..who(thread, kind) }, 1 << (thread % WARP), bytes, clocks)
    }

    fn access_as(cell: &mut Cell, who: Who, lanes: u32, bytes: u8, clocks: &Clocks) -> Option<Race> {
        let race = cell.race(&who, lanes, bytes, clocks);
        cell.note(&who, lanes, bytes, clocks);
        race
    }

    fn who(thread: u32, kind: AccessKind) -> Who {
        Who {
            block: 0,
            rank: 0,
            warp: thread / WARP,
            site: 0,
            kind,
            alone: false,
            reach: Reach::default(),
            updates: false,
        }
    }

    #[test]
    fn two_reads_agree_and_a_write_does_not() {
        let clocks = Clocks::new(0, 1, 64);
        let mut cell = Cell::default();
        assert_eq!(access(&mut cell, 0, Read, 0xf, &clocks), None);
        assert_eq!(access(&mut cell, 40, Read, 0xf, &clocks), None);
        let other = access(&mut cell, 0, Write, 0xf, &clocks).unwrap();
        assert_eq!((other.thread, other.record.kind), (40, Read));
    }

    #[test]
    fn bytes_of_a_word_are_apart() {
        let clocks = Clocks::new(0, 1, 64);
        let mut cell = Cell::default();
        assert_eq!(access(&mut cell, 0, Write, 0b0011, &clocks), None);
        assert_eq!(access(&mut cell, 1, Write, 0b1100, &clocks), None);
        assert!(access(&mut cell, 2, Read, 0b1000, &clocks).is_some_and(|r| r.thread == 1));
    }

    #[test]
    fn a_barrier_orders_and_atomics_order_themselves() {
        let mut clocks = Clocks::new(0, 1, 64);
        let mut cell = Cell::default();
        assert_eq!(access(&mut cell, 0, Atomic, 0xf, &clocks), None);
        assert_eq!(access(&mut cell, 1, Atomic, 0xf, &clocks), None);
        clocks.meet(&[0, 2]);
        // Thread 2 knows of 0, not of 1.
        assert!(access(&mut cell, 2, Read, 0xf, &clocks).is_some_and(|r| r.thread == 1));
        clocks.meet_all(0);
        assert_eq!(access(&mut cell, 2, Write, 0xf, &clocks), None);
    }

    #[test]
    fn blocks_are_ordered_by_nothing_but_what_they_learn() {
        let (mut one, mut two) = (Clocks::new(0, 1, 32), Clocks::new(1, 1, 32));
        let other = Who { block: 1, ..who(0, Read) };
        let mut cell = Cell::default();
        assert_eq!(access(&mut cell, 0, Write, 0xf, &one), None);
        one.meet_all(0);
        assert!(access_as(&mut cell.clone(), other, 1, 0xf, &two).is_some());
        let known = one.snapshot(0);
        two.acquire_published(0, &one.published(&known));
        assert_eq!(access_as(&mut cell, other, 1, 0xf, &two), None);
    }

    /// Reads of all threads of a block are one record, whether each reads its own word or all read
    /// one word.
    #[test]
    fn threads_that_read_alike_are_one_record() {
        let clocks = Clocks::new(0, 1, 1024);
        for lanes in [u32::MAX, 1 << 7] {
            let mut cell = Cell::default();
            for warp in (0..32).chain(0..32) {
                assert_eq!(access_as(&mut cell, who(32 * warp, Read), lanes, 0xf, &clocks), None);
            }
            assert_eq!(cell.reads.len(), 1);
            let race = access_as(&mut cell, who(0, Write), lanes, 0xf, &clocks).unwrap();
            assert_eq!(race.thread, if lanes == u32::MAX { 0 } else { 32 + 7 });
        }
    }

    #[test]
    fn a_record_holds_no_thread_that_did_not_read() {
        let clocks = Clocks::new(0, 1, 64);
        let mut cell = Cell::default();
        for thread in [0, 1, 32] {
            access_as(&mut cell, who(thread, Read), 1 << (thread % WARP), 0xf, &clocks);
        }
        let threads: Vec<u32> = cell.reads.iter().flat_map(|r| r.threads()).collect();
        assert_eq!(threads, [0, 1, 32]);
    }
}
