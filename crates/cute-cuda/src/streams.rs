//! Streams and events, by the handles that programs have.

use std::{cell::Cell, collections::BTreeMap, time::Instant};

use cute_sim::order::{Recorded, Stream, StreamKind, Ticket};

use crate::{
    error::{Error, Result},
    state::DriverState,
};

/// `cudaStreamLegacy` and `cudaStreamPerThread`.
const LEGACY: usize = 1;
const PER_THREAD: usize = 2;

/// Handles are multiples of 16 from here on, which are not addresses of anything.
const FIRST: usize = 0x10_0000;

thread_local! {
    /// Whether the thread is in a function whose default stream is that of the thread.
    static IS_PER_THREAD: Cell<bool> = const { Cell::new(false) };
    /// The default stream of the thread.
    static OWN: Cell<Option<Stream>> = const { Cell::new(None) };
}

/// Whether the thread is in a function whose default stream is that of the thread.
pub fn is_per_thread() -> bool {
    IS_PER_THREAD.get()
}

/// Runs a call whose default stream is that of the thread.
pub fn per_thread<T>(call: impl FnOnce() -> T) -> T {
    of_thread(true, call)
}

/// Runs code of the program, which says by its calls which default stream it means.
pub fn of_program<T>(call: impl FnOnce() -> T) -> T {
    of_thread(false, call)
}

fn of_thread<T>(is_per_thread: bool, call: impl FnOnce() -> T) -> T {
    let before = IS_PER_THREAD.replace(is_per_thread);
    let result = call();
    IS_PER_THREAD.set(before);
    result
}

/// An event.
#[derive(Debug, Default)]
pub(crate) struct Event {
    /// The point that it has recorded.
    pub recorded: Option<Recorded>,
    /// When that was.
    pub time: Option<Instant>,
}

/// The value of an attribute of a stream or of a launch (`cudaLaunchAttributeValue`).
#[repr(C, align(8))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AttributeValue(pub [u32; 16]);

/// The facts about a stream that programs read and set. They change no result.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The flags that it was created with.
    pub flags: u32,
    /// Its priority, from the greatest one to 0.
    pub priority: i32,
    /// Its attributes, by their kinds.
    pub attributes: BTreeMap<u32, AttributeValue>,
}

/// The streams and events of the process.
#[derive(Debug, Default)]
pub struct Streams {
    streams: BTreeMap<usize, Stream>,
    events: BTreeMap<usize, Event>,
    facts: BTreeMap<Stream, Facts>,
    ids: BTreeMap<Stream, u64>,
    /// Those that the program has destroyed.
    free: Vec<(Stream, StreamKind)>,
    last_id: u64,
    next: usize,
    /// The number of threads that have used a default stream of their own.
    threads: usize,
    /// Operations whose accesses are kept.
    pub tickets: Vec<Ticket>,
    /// Whether a stream besides the default one has been used.
    pub are_several: bool,
}

impl Streams {
    fn handle(&mut self) -> usize {
        self.next += 16;
        FIRST + self.next
    }

    /// Forgets a stream, whose operations go on.
    ///
    /// # Errors
    /// [`Error::INVALID_HANDLE`].
    pub fn destroy(&mut self, handle: usize) -> Result<()> {
        let stream = self.streams.remove(&handle).ok_or(Error::INVALID_HANDLE)?;
        let flags = self.facts.remove(&stream).unwrap_or_default().flags;
        self.ids.remove(&stream);
        self.free.push((stream, if flags == 0 { StreamKind::Blocking } else { StreamKind::NonBlocking }));
        Ok(())
    }

    /// The facts about a stream.
    pub fn facts(&self, stream: Stream) -> Facts {
        self.facts.get(&stream).cloned().unwrap_or_default()
    }

    /// The number of a stream, which no other one has.
    pub fn id(&mut self, stream: Stream) -> u64 {
        self.last_id += 1;
        *self.ids.entry(stream).or_insert(self.last_id)
    }

    /// The facts about a stream, to set them.
    pub fn facts_mut(&mut self, stream: Stream) -> &mut Facts {
        self.facts.entry(stream).or_default()
    }

    /// Forgets all streams and events of the program, which have ended.
    pub fn reset(&mut self) {
        self.streams.clear();
        self.facts.clear();
        self.ids.clear();
        self.free.clear();
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

impl DriverState {
    /// A new stream; its handle.
    pub fn create_stream(&mut self, kind: StreamKind, priority: i32) -> usize {
        let handle = self.streams.handle();
        let stream = self.idle(kind).unwrap_or_else(|| {
            let name = (self.streams.streams.len() + 1).to_string();
            self.memory.order_mut().add(&name, kind)
        });
        self.streams.streams.insert(handle, stream);
        let flags = u32::from(kind == StreamKind::NonBlocking);
        *self.streams.facts_mut(stream) = Facts { flags, priority, ..Facts::default() };
        self.streams.are_several = true;
        handle
    }

    /// A stream that the program has destroyed, if all that was enqueued has ended: it is as good
    /// as a new one. The order of operations takes longer with each stream.
    fn idle(&mut self, kind: StreamKind) -> Option<Stream> {
        if self.streams.free.is_empty() || !self.memory.order().beside_host().is_empty() {
            return None;
        }
        let at = self.streams.free.iter().position(|(_, own)| *own == kind)?;
        Some(self.streams.free.swap_remove(at).0)
    }

    /// The stream of a handle. Which one is the default stream depends on the function that is
    /// called.
    ///
    /// # Errors
    /// [`Error::INVALID_HANDLE`].
    pub fn stream(&mut self, handle: usize) -> Result<Stream> {
        match handle {
            0 if !IS_PER_THREAD.get() => Ok(Stream::LEGACY),
            LEGACY => Ok(Stream::LEGACY),
            0 | PER_THREAD => {
                self.streams.are_several = true;
                Ok(OWN.get().unwrap_or_else(|| self.add_thread()))
            }
            other => self.streams.streams.get(&other).copied().ok_or(Error::INVALID_HANDLE),
        }
    }

    /// The default stream of this thread, which has not used one yet.
    fn add_thread(&mut self) -> Stream {
        self.streams.threads += 1;
        let name = format!("of thread {}", self.streams.threads);
        let stream = self.memory.order_mut().add(&name, StreamKind::Blocking);
        OWN.set(Some(stream));
        stream
    }
}

#[cfg(test)]
mod tests {
    use cute_sim::order::StreamKind::{Blocking, NonBlocking};

    use super::*;
    use crate::{error::tests::alone, state::with};

    #[test]
    fn a_stream_is_used_again_when_all_has_ended() {
        let _turn = alone();
        with(|state| {
            state.memory.order_mut().synchronize_all();
            let one = state.create_stream(Blocking, 0);
            let first = state.stream(one)?;
            state.streams.destroy(one)?;
            let other = state.create_stream(NonBlocking, 0);
            assert_ne!(state.stream(other)?, first);
            let second = state.stream(other)?;
            state.memory.order_mut().enqueue(second);
            let three = state.create_stream(Blocking, 0);
            assert_ne!(state.stream(three)?, first, "an operation has not ended");
            state.memory.order_mut().synchronize_all();
            let four = state.create_stream(Blocking, 0);
            assert_eq!((state.stream(four)?, state.stream(one)), (first, Err(Error::INVALID_HANDLE)));
            [other, three, four].iter().try_for_each(|stream| state.streams.destroy(*stream))
        })
        .unwrap();
    }

    #[test]
    fn each_thread_has_a_default_stream() {
        let _turn = alone();
        let own = || per_thread(|| with(|state| state.stream(0))).unwrap();
        assert_eq!(own(), with(|state| state.stream(PER_THREAD)).unwrap());
        assert_ne!(own(), std::thread::spawn(own).join().unwrap());
        assert_eq!(with(|state| state.stream(0)), Ok(Stream::LEGACY));
        assert_eq!(per_thread(|| of_program(|| with(|state| state.stream(0)))), Ok(Stream::LEGACY));
    }
}
