//! Streams and events, by the handles that programs have.

use std::{collections::BTreeMap, time::Instant};

use cute_sim::order::{Order, Recorded, Stream, StreamKind, Ticket};

use crate::error::{Error, Result};

/// `cudaStreamLegacy` and `cudaStreamPerThread`.
const LEGACY: usize = 1;
const PER_THREAD: usize = 2;

/// Handles are multiples of 16 from here on, which are not addresses of anything.
const FIRST: usize = 0x10_0000;

/// An event.
#[derive(Debug, Default)]
pub struct Event {
    /// The point that it has recorded.
    pub recorded: Option<Recorded>,
    /// When that was.
    pub time: Option<Instant>,
}

/// The streams and events of the process.
#[derive(Debug)]
pub struct Streams {
    streams: BTreeMap<usize, Stream>,
    events: BTreeMap<usize, Event>,
    per_thread: Stream,
    next: usize,
    /// Operations whose accesses are kept.
    pub tickets: Vec<Ticket>,
    /// Whether a stream besides the default one has been used.
    pub are_several: bool,
}

impl Streams {
    /// The default ones.
    pub fn new(order: &mut Order) -> Self {
        let per_thread = order.add("per thread", StreamKind::Blocking);
        let (streams, events) = (BTreeMap::new(), BTreeMap::new());
        Self { streams, events, per_thread, next: FIRST, tickets: Vec::new(), are_several: false }
    }

    fn handle(&mut self) -> usize {
        self.next += 16;
        self.next
    }

    /// A new stream.
    pub fn create(&mut self, order: &mut Order, kind: StreamKind) -> usize {
        let handle = self.handle();
        let stream = order.add(&format!("{}", self.streams.len() + 1), kind);
        self.streams.insert(handle, stream);
        self.are_several = true;
        handle
    }

    /// The stream of a handle.
    ///
    /// # Errors
    /// [`Error::INVALID_HANDLE`].
    pub fn get(&mut self, handle: usize) -> Result<Stream> {
        match handle {
            0 | LEGACY => Ok(Stream::LEGACY),
            PER_THREAD => {
                self.are_several = true;
                Ok(self.per_thread)
            }
            other => self.streams.get(&other).copied().ok_or(Error::INVALID_HANDLE),
        }
    }

    /// Forgets a stream, whose operations go on.
    ///
    /// # Errors
    /// [`Error::INVALID_HANDLE`].
    pub fn destroy(&mut self, handle: usize) -> Result<()> {
        self.streams.remove(&handle).map(|_| ()).ok_or(Error::INVALID_HANDLE)
    }

    /// Forgets all streams and events of the program, which have ended.
    pub fn reset(&mut self) {
        self.streams.clear();
        self.events.clear();
        self.tickets.clear();
        self.are_several = false;
    }

    /// A new event.
    pub fn create_event(&mut self) -> usize {
        let handle = self.handle();
        self.events.insert(handle, Event::default());
        handle
    }

    /// The event of a handle.
    ///
    /// # Errors
    /// [`Error::INVALID_HANDLE`].
    pub fn event(&mut self, handle: usize) -> Result<&mut Event> {
        self.events.get_mut(&handle).ok_or(Error::INVALID_HANDLE)
    }

    /// Forgets an event.
    ///
    /// # Errors
    /// [`Error::INVALID_HANDLE`].
    pub fn destroy_event(&mut self, handle: usize) -> Result<()> {
        self.events.remove(&handle).map(|_| ()).ok_or(Error::INVALID_HANDLE)
    }
}
