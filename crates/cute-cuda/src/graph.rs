//! Graphs: what streams have captured, and runs of it.
//!
//! A graph is the operations of a capture in their order, each in a stream of its own. A run gives
//! each of these streams one of the graph's, which begins when the stream of the run gets there,
//! and which that stream waits for at the end. So operations are ordered as they were captured, and
//! no more.

use std::collections::{BTreeMap, BTreeSet};

use cute_sim::order::{Stream, StreamKind};

use crate::{
    error::{Error, Result},
    launch::Asked,
    memory::Call,
    state::{State, with},
};

/// A function of the host, and what it is given.
#[derive(Debug, Clone, Copy)]
pub struct HostFunction {
    /// Its address.
    pub function: usize,
    /// Its argument.
    pub data: usize,
}

impl HostFunction {
    /// Calls it. The state must not be held: it is the program's code.
    pub fn call(self) {
        if self.function != 0 {
            // SAFETY: the program has passed a function of this type, `cudaHostFn_t`.
            let function: extern "C" fn(usize) = unsafe { std::mem::transmute(self.function) };
            function(self.data);
        }
    }
}

/// An operation that a stream has captured.
#[derive(Debug, Clone)]
pub enum Captured {
    /// A kernel is launched.
    Launch {
        /// The address by which the program knows the kernel.
        function: usize,
        /// How it is launched.
        asked: Asked,
        /// Its arguments.
        words: Vec<u64>,
    },
    /// Bytes are copied.
    Copy {
        /// The address of the target.
        to: u64,
        /// The address of the source.
        from: u64,
        /// Bytes.
        count: usize,
        /// The function.
        name: &'static str,
    },
    /// Elements are set.
    Set {
        /// The address of the target.
        to: u64,
        /// One element.
        element: Vec<u8>,
        /// Elements.
        count: usize,
        /// The function.
        name: &'static str,
    },
    /// An event is recorded.
    Record(usize),
    /// The stream waits for an event.
    Wait(usize),
    /// A function of the host.
    Host(HostFunction),
}

/// A capture that has begun.
#[derive(Debug, Default)]
struct Capture {
    origin: Stream,
    streams: BTreeSet<Stream>,
    /// Events that it has recorded, by which other streams join.
    events: BTreeSet<usize>,
    operations: Vec<(Stream, Captured)>,
}

/// The operations of a graph.
type Operations = Vec<(Stream, Captured)>;

/// Captures and graphs, by the handles that programs have.
#[derive(Debug, Default)]
pub struct Graphs {
    captures: Vec<Capture>,
    graphs: BTreeMap<usize, Operations>,
    next: usize,
    /// The streams in which graphs run.
    own: Vec<Stream>,
}

/// Handles are multiples of 16 from here on, which are not addresses of anything.
const FIRST: usize = 0x20_0000;

impl Graphs {
    /// Begins to capture a stream.
    ///
    /// # Errors
    /// [`Error::ILLEGAL_STATE`] if it is captured already, or is the legacy default stream.
    pub fn begin(&mut self, stream: Stream) -> Result<()> {
        if stream == Stream::LEGACY || self.is_capturing(stream) {
            return Err(Error::STREAM_CAPTURE_UNSUPPORTED);
        }
        let streams = BTreeSet::from([stream]);
        self.captures.push(Capture { origin: stream, streams, ..Capture::default() });
        Ok(())
    }

    /// Whether a stream is captured.
    pub fn is_capturing(&self, stream: Stream) -> bool {
        self.captures.iter().any(|capture| capture.streams.contains(&stream))
    }

    /// Captures an operation, if its stream is captured.
    pub fn take(&mut self, stream: Stream, operation: impl FnOnce() -> Captured) -> bool {
        let Some(capture) = self.captures.iter_mut().find(|capture| capture.streams.contains(&stream)) else {
            return false;
        };
        let operation = operation();
        if let Captured::Record(event) = operation {
            capture.events.insert(event);
        }
        capture.operations.push((stream, operation));
        true
    }

    /// A stream that waits for an event of a capture joins it.
    pub fn join(&mut self, stream: Stream, event: usize) {
        if let Some(capture) = self.captures.iter_mut().find(|capture| capture.events.contains(&event)) {
            capture.streams.insert(stream);
        }
    }

    /// Ends the capture that this stream has begun; the graph's handle.
    ///
    /// # Errors
    /// [`Error::ILLEGAL_STATE`] if it has not begun one.
    pub fn end(&mut self, stream: Stream) -> Result<usize> {
        let number = self.captures.iter().position(|capture| capture.origin == stream);
        let capture = self.captures.swap_remove(number.ok_or(Error::ILLEGAL_STATE)?);
        Ok(self.add(capture.operations))
    }

    fn add(&mut self, operations: Operations) -> usize {
        self.next += 16;
        self.graphs.insert(FIRST + self.next, operations);
        FIRST + self.next
    }

    /// A graph, or one that can be launched, with the operations of another one.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`].
    pub fn copy(&mut self, graph: usize) -> Result<usize> {
        let operations = self.get(graph)?.clone();
        Ok(self.add(operations))
    }

    /// A graph without operations.
    pub fn create(&mut self) -> usize {
        self.add(Vec::new())
    }

    /// The operations of a graph.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`].
    pub fn get(&self, graph: usize) -> Result<&Operations> {
        self.graphs.get(&graph).ok_or(Error::INVALID_VALUE)
    }

    /// Forgets a graph.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`].
    pub fn destroy(&mut self, graph: usize) -> Result<()> {
        self.graphs.remove(&graph).map(|_| ()).ok_or(Error::INVALID_VALUE)
    }
}

impl State {
    /// The streams in which a run has its operations, one for each captured stream.
    fn begin_run(&mut self, operations: &Operations, stream: Stream) -> BTreeMap<Stream, Stream> {
        let captured: BTreeSet<Stream> = operations.iter().map(|(stream, _)| *stream).collect();
        while self.graphs.own.len() < captured.len() {
            let name = format!("{} of graphs", self.graphs.own.len() + 1);
            let own = self.memory.order_mut().add(&name, StreamKind::NonBlocking);
            self.graphs.own.push(own);
            self.streams.are_several = true;
        }
        // The run itself is an operation of its stream, which waits for the default stream.
        self.operate("cudaGraphLaunch", Some(stream), Vec::new());
        let start = self.memory.order_mut().record(stream);
        let pairs: BTreeMap<_, _> = captured.into_iter().zip(self.graphs.own.iter().copied()).collect();
        pairs.values().for_each(|own| self.memory.order_mut().wait(*own, &start));
        pairs
    }

    fn perform(&mut self, operation: Captured, stream: Stream) -> Result<()> {
        let call = |name| Call { name, stream, is_async: true };
        match operation {
            Captured::Launch { function, mut asked, words } => {
                asked.stream = stream;
                self.launch(function, &asked, words)
            }
            Captured::Copy { to, from, count, name } => self.copy(to, from, count, &call(name)),
            Captured::Set { to, element, count, name } => self.set(to, &element, count, &call(name)),
            Captured::Record(event) => {
                let recorded = self.memory.order_mut().record(stream);
                self.streams.event(event)?.recorded = Some(recorded);
                Ok(())
            }
            Captured::Wait(event) => {
                if let Some(recorded) = &self.streams.event(event)?.recorded {
                    self.memory.order_mut().wait(stream, recorded);
                }
                Ok(())
            }
            Captured::Host(_) => Ok(()),
        }
    }
}

/// Runs a graph in a stream.
///
/// # Errors
/// The first error of its operations.
pub fn launch(graph: usize, handle: usize) -> Result<()> {
    let (operations, stream, pairs) = with(|state| {
        let stream = state.streams.get(handle)?;
        let operations = state.graphs.get(graph)?.clone();
        let pairs = state.begin_run(&operations, stream);
        Ok((operations, stream, pairs))
    })?;
    for (captured, operation) in operations {
        if let Captured::Host(function) = operation {
            function.call();
            continue;
        }
        with(|state| state.perform(operation, pairs[&captured]))?;
    }
    with(|state| {
        for own in pairs.values() {
            let end = state.memory.order_mut().record(*own);
            state.memory.order_mut().wait(stream, &end);
        }
        state.operate("cudaGraphLaunch", Some(stream), Vec::new());
        Ok(())
    })
}
