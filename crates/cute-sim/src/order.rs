//! The order of what a host enqueues: which operations have ended when another one begins.
//!
//! Operations of one stream follow one another; those of several streams do so where an event, the
//! host or the legacy default stream orders them (CUDA C++ Programming Guide, "Streams", "Events"
//! and "Default Stream"; CUDA Runtime API, "Stream synchronization behavior"). A launch with
//! programmatic stream serialization begins when all blocks of the kernel directly before it have
//! executed `griddepcontrol.launch_dependents` or have ended, and its `griddepcontrol.wait` waits
//! for that kernel ("Programmatic Dependent Launch and Synchronization"). So does a launch behind a
//! wait for a programmatic event of a kernel.
//!
//! A stream's operations end in order, so that what has ended is a number for each stream. Only
//! kernels that do not wait for the one before leave gaps in it.
//!
//! ```
//! use cute_sim::order::{Order, StreamKind};
//!
//! let mut order = Order::default();
//! let [one, two] = ["one", "two"].map(|name| order.add(name, StreamKind::NonBlocking));
//! order.enqueue(one);
//! assert_eq!(order.enqueue(two).beside.len(), 1);
//! let event = order.record(one);
//! order.wait(two, &event);
//! assert!(order.enqueue(two).beside.is_empty());
//! ```

use std::sync::Arc;

/// Between the name of a stream and that of a node of a graph, in the name of the stream of a node.
pub const NODE: &str = ", node ";

/// Earlier operations that one is compared with at most. Of more, the oldest are left out.
pub const MOST_BESIDE: usize = 64;

/// How a stream is ordered with the legacy default stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamKind {
    /// The legacy default stream: what it does begins after everything in the blocking streams, and
    /// they go on after it.
    Legacy,
    /// A stream that synchronises with it: one of `cudaStreamCreate`, or the default stream of a
    /// thread.
    Blocking,
    /// A stream that does not (`cudaStreamNonBlocking`).
    NonBlocking,
}

/// A stream of an [`Order`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Stream(u32);

impl Stream {
    /// The legacy default stream, which always exists.
    pub const LEGACY: Stream = Stream(0);
}

/// The number of an operation that uses memory, from 0 on.
pub type Ticket = u32;

/// Operations that have ended: of each stream, the first ones, without some that may still run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Ended {
    counts: Vec<u32>,
    /// In order.
    open: Vec<Ticket>,
}

/// The point of a stream that an event has recorded.
#[derive(Debug, Clone)]
pub struct Recorded {
    all: Ended,
    /// For a programmatic event, what has ended when its kernel has: a launch behind a wait for the
    /// event waits for that by `griddepcontrol.wait`.
    kernel: Option<Ended>,
}

/// An earlier operation that may not have ended when one begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap {
    /// The earlier operation.
    pub ticket: Ticket,
    /// Whether `griddepcontrol.wait` of the later one waits for it.
    pub covered: bool,
    /// Whether it has ended, because the kernel directly before the later one waits for it before
    /// it lets dependents begin. What it wrote need not be visible to a thread that has not waited
    /// itself.
    pub ended: bool,
}

/// An operation that has been enqueued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enqueued {
    /// Its number.
    pub ticket: Ticket,
    /// The operations that it may run beside, the last one first: [`MOST_BESIDE`] at most.
    pub beside: Vec<Overlap>,
}

/// A kernel, for the launch behind it.
#[derive(Debug, Clone)]
struct Kernel {
    ticket: Ticket,
    /// Operations that have ended when it begins, when dependents of it begin, and when it has
    /// ended.
    begun: Ended,
    lets_begin: Ended,
    ended: Ended,
    /// The same for a thread that has executed `griddepcontrol.wait`.
    waited: Ended,
}

#[derive(Debug, Clone)]
struct State {
    name: Arc<str>,
    kind: StreamKind,
    operations: Vec<Ticket>,
    /// Operations that have ended when one begins that waits for the stream.
    all: Ended,
    /// The last operation, if it is a kernel.
    kernel: Option<Kernel>,
    /// Operations that have ended for a thread of the next kernel that has executed
    /// `griddepcontrol.wait`, beyond those that have ended when it begins: the stream has just
    /// waited for programmatic events.
    awaited: Option<Ended>,
    /// The place of the last wait that orders nothing.
    in_vain: Option<Arc<str>>,
}

/// The streams of a device, and what a host has enqueued in them.
#[derive(Debug, Clone)]
pub struct Order {
    streams: Vec<State>,
    /// The stream of each operation, and its place there.
    places: Vec<(u32, u32)>,
    /// Operations that the host has waited for.
    host: Ended,
}

impl Default for Order {
    fn default() -> Self {
        let mut order = Order { streams: Vec::new(), places: Vec::new(), host: Ended::default() };
        order.add("default", StreamKind::Legacy);
        order
    }
}

impl Order {
    /// A new stream. A blocking one waits for what the default stream has done before.
    pub fn add(&mut self, name: &str, kind: StreamKind) -> Stream {
        let default = self.streams.first().filter(|_| kind == StreamKind::Blocking);
        let all = default.map_or_else(Ended::default, |default| default.all.clone());
        self.streams.push(State {
            name: name.into(),
            kind,
            operations: Vec::new(),
            all,
            kernel: None,
            awaited: None,
            in_vain: None,
        });
        Stream(self.streams.len() as u32 - 1)
    }

    /// The name of a stream.
    pub fn name(&self, stream: Stream) -> &Arc<str> {
        &self.streams[stream.0 as usize].name
    }

    /// The stream of an operation.
    pub fn stream_of(&self, ticket: Ticket) -> Stream {
        Stream(self.places[ticket as usize].0)
    }

    /// An operation that begins when all before it in its stream have ended.
    pub fn enqueue(&mut self, stream: Stream) -> Enqueued {
        let begun = self.before(stream);
        let beside = self.beside(&begun, &begun, &begun);
        Enqueued { ticket: self.push(stream), beside }
    }

    /// The launch of a kernel, which may have programmatic stream serialization.
    /// [`launched`](Self::launched) follows.
    pub fn launch(&mut self, stream: Stream, programmatic: bool) -> Enqueued {
        let own = &mut self.streams[stream.0 as usize];
        let (last, awaited) = (own.kernel.take().filter(|_| programmatic), own.awaited.take());
        let (begun, waited, seen) = match last {
            None => {
                let begun = self.before(stream);
                let waited = awaited.map_or_else(|| begun.clone(), |all| self.joined(all, &begun));
                (begun.clone(), waited, begun)
            }
            Some(last) => {
                let begun = self.joined(last.lets_begin, &self.host);
                let waited = self.with(self.joined(last.ended, &begun), last.ticket);
                (begun, waited, self.joined(last.begun, &self.host))
            }
        };
        let beside = self.beside(&begun, &waited, &seen);
        let ticket = self.push(stream);
        let (lets_begin, ended) = (begun.clone(), begun.clone());
        let kernel = Kernel { ticket, begun, lets_begin, ended, waited };
        self.streams[stream.0 as usize].kernel = Some(kernel);
        Enqueued { ticket, beside }
    }

    /// The last launch of a stream: whether threads of it wait for the launches before, and whether
    /// it lets dependents begin before that.
    pub fn launched(&mut self, stream: Stream, waits: bool, lets_begin: bool) {
        let own = stream.0 as usize;
        let Some(mut kernel) = self.streams[own].kernel.take() else { return };
        if waits {
            kernel.ended = kernel.waited.clone();
            kernel.lets_begin = if lets_begin { kernel.begun.clone() } else { kernel.waited.clone() };
            // A kernel of another stream, for which this one has waited, has ended, too.
            let all = self.joined(self.streams[own].all.clone(), &kernel.ended);
            self.act(stream, all);
        }
        self.streams[own].kernel = Some(kernel);
    }

    /// An event records a stream.
    pub fn record(&mut self, stream: Stream) -> Recorded {
        let all = self.before(stream);
        self.act(stream, all.clone());
        Recorded { all, kernel: None }
    }

    /// An event that was recorded when all blocks of the last launch of a stream had begun; `None`
    /// if the last operation is not a launch.
    pub fn begun(&self, stream: Stream) -> Option<Recorded> {
        let kernel = self.streams[stream.0 as usize].kernel.as_ref()?;
        Some(Recorded { all: kernel.begun.clone(), kernel: None })
    }

    /// A programmatic event of the last launch of a stream, which has been executed: it is recorded
    /// when all blocks have let dependents begin or have ended, or, `at_start`, when all have
    /// begun. `None` if the last operation is not a launch.
    pub fn triggered(&self, stream: Stream, at_start: bool) -> Option<Recorded> {
        let kernel = self.streams[stream.0 as usize].kernel.as_ref()?;
        let all = if at_start { &kernel.begun } else { &kernel.lets_begin };
        Some(Recorded { all: all.clone(), kernel: Some(self.with(kernel.ended.clone(), kernel.ticket)) })
    }

    /// A stream waits for an event.
    pub fn wait(&mut self, stream: Stream, event: &Recorded) {
        let all = self.joined(self.before(stream), &event.all);
        let own = &mut self.streams[stream.0 as usize];
        let awaited = match (own.awaited.take(), &event.kernel) {
            (Some(one), Some(other)) => Some(self.joined(one, other)),
            (one, other) => one.or_else(|| other.clone()),
        };
        self.act(stream, all);
        self.streams[stream.0 as usize].awaited = awaited;
    }

    /// A stream waits for an event that has not been recorded, which orders nothing. `place` tells
    /// where.
    pub fn wait_in_vain(&mut self, stream: Stream, place: &str) {
        let all = self.before(stream);
        self.act(stream, all);
        self.streams[stream.0 as usize].in_vain = Some(place.into());
    }

    /// The place of the last such wait of a stream.
    pub fn waited_in_vain(&self, stream: Stream) -> Option<&Arc<str>> {
        self.streams[stream.0 as usize].in_vain.as_ref()
    }

    /// The last operation of a stream that uses memory.
    pub fn last(&self, stream: Stream) -> Option<Ticket> {
        self.streams[stream.0 as usize].operations.last().copied()
    }

    /// The host waits for a stream.
    pub fn synchronize(&mut self, stream: Stream) {
        self.host = self.before(stream);
    }

    /// The host waits for an event.
    pub fn synchronize_event(&mut self, event: &Recorded) {
        self.host = self.joined(event.all.clone(), &self.host);
    }

    /// The host waits for the device.
    pub fn synchronize_all(&mut self) {
        let all = self.streams.iter().map(|stream| &stream.all);
        self.host = all.fold(self.host.clone(), |host, all| self.joined(host, all));
    }

    /// The operations that may not have ended when the host goes on.
    pub fn beside_host(&self) -> Vec<Overlap> {
        self.beside(&self.host, &self.host, &self.host)
    }

    /// The operations that have ended when one of the stream begins that waits for all before it.
    fn before(&self, stream: Stream) -> Ended {
        let own = &self.streams[stream.0 as usize];
        let all = self.joined(own.all.clone(), &self.host);
        match own.kind {
            StreamKind::Legacy => {
                let blocking = self.streams.iter().filter(|one| one.kind == StreamKind::Blocking);
                blocking.fold(all, |all, one| self.joined(all, &one.all))
            }
            StreamKind::Blocking | StreamKind::NonBlocking => all,
        }
    }

    /// Appends an operation to a stream.
    fn push(&mut self, stream: Stream) -> Ticket {
        let ticket = self.places.len() as Ticket;
        let before = self.before(stream);
        let operations = &mut self.streams[stream.0 as usize].operations;
        self.places.push((stream.0, operations.len() as u32));
        operations.push(ticket);
        let all = self.with(before, ticket);
        self.act(stream, all);
        ticket
    }

    /// The stream has done something, after which all of this has ended. The legacy default stream
    /// and the blocking streams wait for each other.
    fn act(&mut self, stream: Stream, all: Ended) {
        let own = &mut self.streams[stream.0 as usize];
        (own.all, own.kernel, own.awaited) = (all, None, None);
        match own.kind {
            StreamKind::NonBlocking => {}
            StreamKind::Blocking => {
                let legacy = self.streams.iter_mut().filter(|one| one.kind == StreamKind::Legacy);
                legacy.for_each(|one| one.kernel = None);
            }
            StreamKind::Legacy => {
                let all = own.all.clone();
                for i in 0..self.streams.len() {
                    if self.streams[i].kind == StreamKind::Blocking {
                        let joined = self.joined(self.streams[i].all.clone(), &all);
                        (self.streams[i].all, self.streams[i].kernel) = (joined, None);
                    }
                }
            }
        }
    }

    fn knows(&self, ended: &Ended, ticket: Ticket) -> bool {
        let (stream, place) = self.places[ticket as usize];
        let count = ended.counts.get(stream as usize).copied().unwrap_or(0);
        place < count && ended.open.binary_search(&ticket).is_err()
    }

    /// The operations that have ended according to either.
    fn joined(&self, mut one: Ended, other: &Ended) -> Ended {
        let is_open = |ticket: &Ticket| !self.knows(&one, *ticket);
        let mut open: Vec<Ticket> = other.open.iter().copied().filter(is_open).collect();
        open.extend(one.open.iter().copied().filter(|ticket| !self.knows(other, *ticket)));
        open.sort_unstable();
        open.dedup();
        one.counts.resize(one.counts.len().max(other.counts.len()), 0);
        one.counts.iter_mut().zip(&other.counts).for_each(|(count, other)| *count = (*count).max(*other));
        Ended { open, ..one }
    }

    /// The same, and one operation more.
    fn with(&self, mut ended: Ended, ticket: Ticket) -> Ended {
        let (stream, place) = self.places[ticket as usize];
        let stream = stream as usize;
        ended.counts.resize(ended.counts.len().max(stream + 1), 0);
        let count = ended.counts[stream];
        let between = count.min(place)..place;
        let operations = &self.streams[stream].operations;
        ended.open.extend(between.map(|place| operations[place as usize]));
        ended.open.retain(|open| *open != ticket);
        ended.open.sort_unstable();
        ended.counts[stream] = count.max(place + 1);
        ended
    }

    /// The last operations that have not ended, or whose writes are not among those that are seen,
    /// and whether they have ended for a thread that has waited.
    fn beside(&self, ended: &Ended, waited: &Ended, seen: &Ended) -> Vec<Overlap> {
        let counts = seen.counts.iter().copied().chain(std::iter::repeat(0));
        let mut beside: Vec<Ticket> = seen.open.clone();
        for (stream, count) in self.streams.iter().zip(counts) {
            let left = stream.operations.get(count as usize..).unwrap_or_default();
            beside.extend(&left[left.len().saturating_sub(MOST_BESIDE)..]);
        }
        beside.sort_unstable_by(|one, other| other.cmp(one));
        beside.truncate(MOST_BESIDE);
        let overlap = |ticket| {
            let (covered, ended) = (self.knows(waited, ticket), self.knows(ended, ticket));
            Overlap { ticket, covered, ended }
        };
        beside.into_iter().map(overlap).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use StreamKind::{Blocking, NonBlocking};

    fn order<const N: usize>(kinds: [StreamKind; N]) -> (Order, [Stream; N]) {
        let mut order = Order::default();
        let streams = kinds.map(|kind| order.add("s", kind));
        (order, streams)
    }

    /// The operations beside one, and which of them `griddepcontrol.wait` waits for.
    fn beside(enqueued: &Enqueued) -> Vec<(Ticket, bool)> {
        enqueued.beside.iter().map(|one| (one.ticket, one.covered)).collect()
    }

    #[test]
    fn a_new_blocking_stream_waits_for_the_default_stream() {
        let mut order = Order::default();
        order.enqueue(Stream::LEGACY);
        let [blocking, other] = [Blocking, NonBlocking].map(|kind| order.add("s", kind));
        assert_eq!(beside(&order.enqueue(blocking)), []);
        assert_eq!(beside(&order.enqueue(other)), [(1, false), (0, false)]);
    }

    #[test]
    fn streams_are_ordered_by_events_as_they_were_recorded_before_the_wait() {
        let (mut order, [one, two]) = order([NonBlocking, NonBlocking]);
        order.enqueue(one);
        let early = order.record(one);
        order.enqueue(one);
        // Recording again does not move a wait that was enqueued before.
        order.wait(two, &early);
        let late = order.record(one);
        assert_eq!(beside(&order.enqueue(two)), [(1, false)]);
        order.wait(two, &late);
        assert_eq!(beside(&order.enqueue(two)), []);
        // The wait of one stream does not order the other one.
        assert_eq!(beside(&order.enqueue(one)), [(3, false), (2, false)]);
    }

    #[test]
    fn the_legacy_stream_is_ordered_with_blocking_streams_both_ways() {
        let (mut order, [blocking, other, free]) = order([Blocking, Blocking, NonBlocking]);
        order.enqueue(blocking);
        assert_eq!(beside(&order.enqueue(other)), [(0, false)]);
        order.enqueue(free);
        assert_eq!(beside(&order.enqueue(Stream::LEGACY)), [(2, false)]);
        assert_eq!(beside(&order.enqueue(blocking)), [(2, false)]);
        assert_eq!(beside(&order.enqueue(free)), [(4, false), (3, false), (1, false), (0, false)]);
    }

    #[test]
    fn the_host_orders_what_it_has_waited_for_before_what_it_enqueues_later() {
        let (mut order, [one, two]) = order([NonBlocking, NonBlocking]);
        order.enqueue(one);
        order.enqueue(two);
        assert_eq!(order.beside_host().len(), 2);
        order.synchronize(one);
        assert_eq!(order.beside_host(), [Overlap { ticket: 1, covered: false, ended: false }]);
        assert_eq!(beside(&order.enqueue(one)), [(1, false)]);
        let event = order.record(two);
        order.synchronize_event(&event);
        assert_eq!(order.beside_host(), [Overlap { ticket: 2, covered: false, ended: false }]);
        order.synchronize_all();
        assert_eq!(order.beside_host(), []);
    }

    #[test]
    fn a_programmatic_launch_begins_when_the_one_before_lets_it() {
        let (mut order, [one]) = order([NonBlocking]);
        let s = one;
        assert_eq!(beside(&order.launch(s, true)), []);
        order.launched(s, false, true);
        assert_eq!(beside(&order.launch(s, true)), [(0, true)]);
        // It never waits: the third waits for it alone.
        order.launched(s, false, true);
        assert_eq!(beside(&order.launch(s, true)), [(1, true), (0, false)]);
        order.launched(s, true, true);
        // The third waits for the second, but had begun before.
        assert_eq!(beside(&order.launch(s, true)), [(2, true), (1, true), (0, false)]);
        order.launched(s, true, false);
        // It waits before it lets others begin. The first may still run; the others have ended.
        let next = order.launch(s, true);
        assert_eq!(beside(&next), [(3, true), (2, true), (1, true), (0, false)]);
        assert_eq!(next.beside.iter().map(|one| one.ended).collect::<Vec<_>>(), [false, true, true, false]);
        order.launched(s, true, false);
        // Whatever had ended when the one before began is seen.
        assert_eq!(beside(&order.launch(s, true)), [(4, true), (3, true), (0, false)]);
        order.launched(s, true, false);
        // Without the attribute, a launch waits for the whole stream.
        assert_eq!(beside(&order.launch(s, false)), []);
    }

    #[test]
    fn what_is_between_two_launches_ends_the_overlap() {
        let (mut order, [one, blocking]) = order([NonBlocking, Blocking]);
        order.launch(one, false);
        order.launched(one, false, true);
        order.record(one);
        assert_eq!(beside(&order.launch(one, true)), []);
        order.synchronize_all();
        order.launch(Stream::LEGACY, false);
        order.launched(Stream::LEGACY, false, true);
        order.enqueue(blocking);
        assert_eq!(beside(&order.launch(Stream::LEGACY, true)), []);
    }

    #[test]
    fn an_event_of_the_begin_of_a_launch_orders_only_what_was_before() {
        let (mut order, [one, two]) = order([NonBlocking, NonBlocking]);
        assert!(order.begun(one).is_none());
        order.enqueue(one);
        order.launch(one, false);
        let event = order.begun(one).expect("the last operation is a launch");
        order.launched(one, false, true);
        order.wait(two, &event);
        assert_eq!(beside(&order.enqueue(two)), [(1, false)]);
    }

    #[test]
    fn a_wait_for_a_programmatic_event_is_one_for_its_kernel() {
        let (mut order, [one, two]) = order([NonBlocking, NonBlocking]);
        order.enqueue(one);
        order.launch(one, false);
        order.launched(one, false, true);
        let event = order.triggered(one, false).expect("the last operation is a launch");
        order.wait(two, &event);
        assert_eq!(beside(&order.launch(two, false)), [(1, true)]);
        // It does not wait itself, so that the kernel may still run when it has ended.
        order.launched(two, false, true);
        assert_eq!(beside(&order.enqueue(two)), [(1, false)]);
        order.wait(two, &event);
        order.launch(two, false);
        order.launched(two, true, true);
        assert_eq!(beside(&order.enqueue(two)), []);
        // An operation in between has no such wait.
        order.launch(one, false);
        order.launched(one, false, true);
        let event = order.triggered(one, true).expect("the last operation is a launch");
        order.wait(two, &event);
        order.enqueue(two);
        assert_eq!(beside(&order.launch(two, false)), [(6, false)]);
    }

    #[test]
    fn of_many_the_last_are_compared() {
        let (mut order, [one, two]) = order([NonBlocking, NonBlocking]);
        (0..100).for_each(|_| drop(order.enqueue(one)));
        let last = order.enqueue(two);
        assert_eq!((last.beside.len(), last.beside[0].ticket), (MOST_BESIDE, 99));
    }
}
