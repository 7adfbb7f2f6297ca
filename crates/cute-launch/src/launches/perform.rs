//! Operations other than launches: the streams that they are in, what the host waits for, and what
//! copies do to the arrays.
//!
//! When a call returns follows from the memory (CUDA Runtime API, "API synchronization behavior"):
//!
//! | copy | without `async` | with `async` |
//! |---|---|---|
//! | pageable host memory to the device | when the source has been read, after its stream | when the source has been read |
//! | pinned host memory to the device | at its end | at once |
//! | the device to pageable host memory | at its end | at its end |
//! | the device to pinned host memory | at its end | at once |
//! | within the device | at once | at once |
//! | within the host | at its end | at its end |
//!
//! A set returns at once, unless it sets pinned or managed memory without `async`. Without `async`,
//! a free waits for the device.

use super::{
    HostMemory, Operation, PlacedOperation, Requested, Synchronized,
    file::{DEFAULT, PER_THREAD},
    sequence::Sequence,
};
use crate::error::Result;
use cute_machine::place::SourcePlace;
use cute_sim::order::{Order, Recorded, Stream, StreamKind};
use std::collections::BTreeMap;
use std::ops::Range;

impl Sequence<'_> {
    /// An operation that is not a launch.
    pub(super) fn perform(&self, i: usize, state: &mut State, device: &mut impl Device) -> Result<()> {
        let PlacedOperation { operation, place, is_node, .. } = &self.file.steps[i];
        let touch = |(number, _, bytes): (usize, HostMemory, Range<usize>), writes: bool| Used {
            array: number,
            bytes,
            writes,
            frees: false,
        };
        let whole = |(number, memory, size): (usize, HostMemory, usize)| (number, memory, 0..size);
        let act = |device: &mut dyn Device, text: &str, stream: Option<Stream>, used: Vec<Used>| {
            device.operate(i, text, place, stream, used);
        };
        match operation {
            Operation::Launch { .. } | Operation::Destroy { .. } => {}
            Operation::Record { event, stream } => {
                let recorded = device.order().record(state.stream(stream));
                state.events.insert(event.clone(), recorded);
            }
            Operation::Wait { event, stream } => {
                let stream = state.stream(stream);
                match state.events.get(event) {
                    Some(recorded) => device.order().wait(stream, recorded),
                    None => device.order().wait_in_vain(stream, &place.to_string()),
                }
            }
            Operation::Synchronize(Synchronized::Device) => device.order().synchronize_all(),
            Operation::Synchronize(Synchronized::Name(name)) => match state.events.get(name) {
                Some(recorded) => device.order().synchronize_event(recorded),
                None if self.has_stream(name) => device.order().synchronize(state.stream(name)),
                None => {}
            },
            Operation::Host { array, writes, stream } => {
                let text = format!("{} {array} on the host", if *writes { "write" } else { "read" });
                let used = touch(whole(self.array(i, "array", array)?), *writes);
                let stream = stream.as_ref().map(|stream| state.stream(stream));
                act(device, &text, stream, vec![used]);
            }
            Operation::Set { array, value, is_async, stream } => {
                let (number, memory, size) = self.array(i, "set", array)?;
                let stream = state.stream(stream);
                let used = touch((number, memory, 0..size), true);
                act(device, &format!("set {array}"), Some(stream), vec![used]);
                device.fill(number, 0..size, *value);
                if !is_async
                    && matches!(memory, HostMemory::Pinned | HostMemory::Pageable | HostMemory::Managed)
                {
                    device.order().synchronize(stream);
                }
            }
            Operation::Free { array, is_async, stream } => {
                let used = touch(whole(self.array(i, "free", array)?), true);
                if !is_async {
                    device.order().synchronize_all();
                }
                let used = vec![Used { frees: true, ..used }];
                act(device, &format!("free {array}"), Some(state.stream(stream)), used);
                if !is_async {
                    device.order().synchronize_all();
                }
            }
            Operation::Copy { range, is_async, stream } => {
                let [to, from] = self.copied(i, range)?;
                let text = format!("copy {} to {}", range.from.array.name, range.to.array.name);
                let stream = state.stream(stream);
                let (to_memory, from_memory) = (to.1, from.1);
                // A node of a graph uses all memory when it runs.
                let is_staged = from_memory == HostMemory::Pageable && !to_memory.is_of_host() && !is_node;
                if is_staged && !is_async {
                    device.order().synchronize(stream);
                }
                let bytes = (to.0, from.0, to.2.start, from.2.clone());
                let (read, write) = (touch(from, false), touch(to, true));
                match is_staged {
                    true => {
                        act(device, &text, None, vec![read]);
                        act(device, &text, Some(stream), vec![write]);
                    }
                    false => act(device, &text, Some(stream), vec![read, write]),
                }
                device.copy(bytes);
                let is_over = match (from_memory.is_of_host(), to_memory) {
                    (true, HostMemory::Pinned | HostMemory::Pageable) => true,
                    (false, HostMemory::Pageable) => true,
                    (false, HostMemory::Pinned) => !is_async,
                    (true, _) => !is_async && !is_staged,
                    (false, _) => !is_async && [to_memory, from_memory].contains(&HostMemory::Managed),
                };
                if is_over && !is_node {
                    device.order().synchronize(stream);
                }
            }
        }
        Ok(())
    }
}

/// Bytes of an array that an operation uses.
pub(super) struct Used {
    pub(super) array: usize,
    pub(super) bytes: Range<usize>,
    pub(super) writes: bool,
    pub(super) frees: bool,
}

/// The place of the operations: the simulator's memory, or a plan of their order alone.
pub(super) trait Device {
    fn order(&mut self) -> &mut Order;
    fn operate(&mut self, i: usize, text: &str, place: &SourcePlace, stream: Option<Stream>, used: Vec<Used>);
    fn copy(&mut self, _: (usize, usize, usize, Range<usize>)) {}
    fn fill(&mut self, _: usize, _: Range<usize>, _: u8) {}
}

/// Names of streams and events.
pub(super) struct State {
    streams: BTreeMap<String, Stream>,
    events: BTreeMap<String, Recorded>,
}

impl State {
    pub(super) fn new(sequence: &Sequence<'_>, order: &mut Order) -> Self {
        let mut streams = BTreeMap::from([(DEFAULT.to_owned(), Stream::LEGACY)]);
        streams.insert(PER_THREAD.to_owned(), order.add(PER_THREAD, StreamKind::Blocking));
        let own = &sequence.file.streams;
        streams.extend(own.iter().map(|(name, kind)| (name.clone(), order.add(name, *kind))));
        let nodes = sequence.file.nodes.iter();
        streams.extend(nodes.map(|name| (name.clone(), order.add(name, StreamKind::NonBlocking))));
        State { streams, events: BTreeMap::new() }
    }

    pub(super) fn stream(&self, name: &str) -> Stream {
        self.streams.get(name).copied().unwrap_or_default()
    }

    /// Records the events of the last launch of a stream, which has been executed.
    pub(super) fn launched(&mut self, order: &Order, requested: &Requested, stream: Stream) {
        let begun = requested.begun.as_ref().zip(order.begun(stream));
        let triggered = order.triggered(stream, requested.trigger_at_start);
        let triggered = requested.triggered.as_ref().zip(triggered);
        let recorded = begun.into_iter().chain(triggered);
        self.events.extend(recorded.map(|(event, recorded)| (event.clone(), recorded)));
    }
}
