//! The operations around the launches of a run: the streams that they are in, what the host waits
//! for, and what copies do to the arrays.
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
    HostMemory, LaunchesFile, Operation, Requested, Synchronized,
    fields::wrong,
    file::{CopyRange, DEFAULT, PER_THREAD},
};
use crate::{
    array::Array,
    bind::{Arguments, Callee, Given, Value, arguments},
    error::{Error, Result},
    launch::{Launch, Queued, Shape, the_kernel},
    requested::{self, Extents, Grid},
    simulate::InStream,
    structure::Address,
};
use cute_arch::Target;
use cute_machine::place::SourcePlace;
use cute_manifest::{Kernel, Manifest};
use cute_sim::order::{Order, Overlap, Recorded, Stream, StreamKind, Ticket};
use cute_sim::{Buffer, Finding, Memory, Touch};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A launch whose arguments are bound.
#[derive(Debug)]
struct Bound<'m> {
    kernel: &'m Kernel,
    shape: Shape,
    values: Vec<Value>,
}

/// The operations of a job.
#[derive(Debug)]
pub(crate) struct Sequence<'m> {
    file: LaunchesFile,
    target: Target,
    launches: Vec<Bound<'m>>,
    /// The number, the memory and the bytes of each array.
    arrays: BTreeMap<String, (usize, HostMemory, usize)>,
    /// For each operation, the last one that may run beside it.
    last_beside: Vec<Option<usize>>,
}

impl<'m> Sequence<'m> {
    /// Binds the arguments of all launches. Returns the arrays, too.
    pub(crate) fn bind(
        file: LaunchesFile,
        (manifest, program): (&'m Manifest, &str),
        all: &Arguments<'_>,
        target: Target,
    ) -> Result<(Self, Vec<Array>, crate::bind::ArrayRoom)> {
        let texts =
            file.arrays.iter().filter_map(|(name, _, text)| Some(format!("{name}:{}", text.as_ref()?)));
        let texts: Vec<Given> = texts.map(Given::Text).chain(all.arrays.iter().cloned()).collect();
        let declared = Arguments { given: &[], arrays: &texts, ..*all };
        let (_, arrays, room) = arguments(&Callee::operations(&file.name), &declared)?;
        let memory = |name: &str| {
            let known = file.arrays.iter().find(|(own, ..)| own == name);
            known.map_or(HostMemory::Device, |(_, memory, _)| *memory)
        };
        let sizes = arrays.iter().enumerate();
        let sizes: BTreeMap<_, _> = sizes
            .map(|(i, array)| (array.name.clone(), (i, memory(&array.name), array.contents.size())))
            .collect();
        if let Some((name, ..)) = file.arrays.iter().find(|(name, ..)| !sizes.contains_key(name)) {
            return Err(wrong(name, "the array has no type; give it one, as in \"f32[64]\""));
        }
        let mut sequence =
            Self { target, launches: Vec::new(), arrays: sizes, last_beside: Vec::new(), file };
        for (i, (operation, _)) in sequence.file.operations.iter().enumerate() {
            let Operation::Launch { requested, stream } = operation else { continue };
            let mut bound = bound(i, requested, (manifest, program), all, target)?;
            bound.shape.queued = Some(Queued { operation: i, stream: stream.clone() });
            sequence.launches.push(bound);
        }
        if sequence.launches.is_empty() {
            return Err(wrong(
                "operations",
                "there is no launch among them, so that there is nothing to run",
            ));
        }
        sequence.check()?;
        sequence.last_beside = sequence.liveness()?;
        Ok((sequence, arrays, room))
    }

    /// The launches, with the addresses of the arrays.
    pub(crate) fn launches(&self, arrays: &[Array], addresses: &[u64]) -> Result<Vec<Launch<'m>>> {
        let launch = |bound: &Bound<'m>| {
            let words = bound.values.iter().map(|value| value.words(arrays, addresses));
            let words = words.collect::<Result<Vec<_>>>().map_err(|why| {
                let operation = bound.shape.queued.as_ref().map_or(0, |queued| queued.operation);
                wrong(&format!("operations[{operation}]"), why)
            })?;
            let (kernel, target, shape) = (bound.kernel, self.target, bound.shape.clone());
            Ok(Launch { kernel, target, shape, words: words.concat() })
        };
        self.launches.iter().map(launch).collect()
    }

    /// Checks all names and sizes.
    fn check(&self) -> Result<()> {
        let recorded = self.file.operations.iter().filter_map(|(operation, _)| match operation {
            Operation::Record { event, .. } => Some(event.as_str()),
            Operation::Launch { requested, .. } => requested.begun.as_deref(),
            _ => None,
        });
        let events: BTreeSet<&str> = recorded.collect();
        let mut destroyed: BTreeMap<&str, usize> = BTreeMap::new();
        for (i, (operation, _)) in self.file.operations.iter().enumerate() {
            let path = |field: &str| format!("operations[{i}].{field}");
            let stream = |stream: &str, field: &str| match destroyed.get(stream) {
                _ if !self.has_stream(stream) => {
                    let all = self.file.streams.keys().map(String::as_str).chain([DEFAULT, PER_THREAD]);
                    let all = all.collect::<Vec<_>>().join(", ");
                    Err(wrong(&path(field), format!("there is no stream '{stream}'; the streams are {all}")))
                }
                Some(at) => {
                    Err(wrong(&path(field), format!("operations[{at}] has destroyed stream '{stream}'")))
                }
                None => Ok(()),
            };
            let event = |event: &str| match events.contains(event) {
                true => Ok(()),
                false => {
                    let all = events.iter().copied().collect::<Vec<_>>().join(", ");
                    let known =
                        if all.is_empty() { "no event is".into() } else { format!("recorded are {all}") };
                    Err(wrong(&path("wait"), format!("no operation records event '{event}'; {known}")))
                }
            };
            match operation {
                Operation::Launch { stream: own, .. } => stream(own, "stream")?,
                Operation::Copy { range, is_async, stream: own } => {
                    stream(own, "stream")?;
                    self.copied(i, range)?;
                    self.default_alone(i, *is_async, own)?;
                }
                Operation::Set { array, is_async, stream: own, .. } => {
                    stream(own, "stream")?;
                    self.array(i, "set", array)?;
                    self.default_alone(i, *is_async, own)?;
                }
                Operation::Free { array, is_async, stream: own } => {
                    stream(own, "stream")?;
                    self.array(i, "free", array)?;
                    self.default_alone(i, *is_async, own)?;
                }
                Operation::Record { stream: own, .. } => stream(own, "stream")?,
                Operation::Wait { event: own, stream: at } => {
                    stream(at, "stream")?;
                    event(own)?;
                }
                Operation::Synchronize(Synchronized::Device) => {}
                Operation::Synchronize(Synchronized::Name(name)) => {
                    if events.contains(name.as_str()) && self.has_stream(name) {
                        let why = format!("'{name}' is a stream and an event; give them different names");
                        return Err(wrong(&path("synchronize"), why));
                    }
                    if !events.contains(name.as_str()) {
                        stream(name, "synchronize")?;
                    }
                }
                Operation::Host { array, .. } => {
                    let (_, memory, _) = self.array(i, "array", array)?;
                    if memory == HostMemory::Device {
                        let why = format!(
                            "'{array}' is memory of the device, which the host cannot access: copy it to an array of \
                             \"pinned\" or \"pageable\", or list it in \"managed\""
                        );
                        return Err(wrong(&path("array"), why));
                    }
                }
                Operation::Destroy { stream: own } => {
                    stream(own, "destroy")?;
                    if [DEFAULT, PER_THREAD].contains(&own.as_str()) {
                        return Err(wrong(&path("destroy"), format!("stream '{own}' cannot be destroyed")));
                    }
                    destroyed.insert(own, i);
                }
            }
        }
        Ok(())
    }

    fn has_stream(&self, name: &str) -> bool {
        [DEFAULT, PER_THREAD].contains(&name) || self.file.streams.contains_key(name)
    }

    /// Without `async`, an operation is in a default stream.
    fn default_alone(&self, i: usize, is_async: bool, stream: &str) -> Result<()> {
        match is_async || [DEFAULT, PER_THREAD].contains(&stream) {
            true => Ok(()),
            false => {
                let why = format!("an operation in stream '{stream}' needs \"async\": true");
                Err(wrong(&format!("operations[{i}].stream"), why))
            }
        }
    }

    fn array(&self, i: usize, field: &str, name: &str) -> Result<(usize, HostMemory, usize)> {
        self.arrays.get(name).copied().ok_or_else(|| {
            let all = self.arrays.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            let why = format!("there is no array '{name}'; the arrays are: {all}");
            wrong(&format!("operations[{i}].{field}"), why)
        })
    }

    /// The number of each array of a copy, and its bytes, the target first.
    fn copied(&self, i: usize, range: &CopyRange) -> Result<[(usize, HostMemory, Range<usize>); 2]> {
        let CopyRange { to, from, bytes } = range;
        let left = |address: &Address, field: &str| {
            let (number, memory, size) = self.array(i, &format!("copy.{field}"), &address.array)?;
            let first = usize::try_from(address.offset).unwrap_or(usize::MAX);
            let left = size.checked_sub(first);
            let left = left.ok_or_else(|| {
                let why = format!("'{}' has {size} bytes, so that there is no byte {first}", address.array);
                wrong(&format!("operations[{i}].copy.{field}"), why)
            })?;
            Ok::<_, Error>((number, memory, first, left))
        };
        let all = [left(to, "to")?, left(from, "from")?];
        let [(.., to_bytes), (.., from_bytes)] = all;
        let bytes = match bytes {
            Some(bytes) => usize::try_from(*bytes).unwrap_or(usize::MAX),
            None if to_bytes == from_bytes => to_bytes,
            None => {
                let why = format!(
                    "there are {from_bytes} bytes of '{}', but {to_bytes} of '{}'; give \"bytes\" to copy some of them",
                    from.array, to.array
                );
                return Err(wrong(&format!("operations[{i}].copy"), why));
            }
        };
        if bytes > to_bytes.min(from_bytes) {
            let why = format!(
                "{bytes} bytes are to be copied, but there are {from_bytes} of '{}' and {to_bytes} of '{}'",
                from.array, to.array
            );
            return Err(wrong(&format!("operations[{i}].copy.bytes"), why));
        }
        Ok(all.map(|(number, memory, first, _)| (number, memory, first..first + bytes)))
    }

    /// For each operation, the last one that may run beside it. A launch is assumed to let others
    /// begin at once, and not to wait.
    fn liveness(&self) -> Result<Vec<Option<usize>>> {
        let mut plan = Plan { order: Order::default(), operations: Vec::new(), last: Vec::new() };
        plan.last.resize(self.file.operations.len(), None);
        let mut state = State::new(self, &mut plan.order);
        for (i, (operation, _)) in self.file.operations.iter().enumerate() {
            match operation {
                Operation::Launch { requested, stream } => {
                    let stream = state.stream(stream);
                    let enqueued = plan.order.launch(stream, requested.programmatic);
                    state.begun(&plan.order, requested, stream);
                    plan.order.launched(stream, false, true);
                    plan.add(i, Some(enqueued.ticket), &enqueued.beside);
                }
                _ => self.perform(i, &mut state, &mut plan)?,
            }
        }
        Ok(plan.last)
    }

    /// An operation that is not a launch.
    fn perform(&self, i: usize, state: &mut State, device: &mut impl Device) -> Result<()> {
        let (operation, place) = &self.file.operations[i];
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
            Operation::Host { array, writes } => {
                let text = format!("{} {array} on the host", if *writes { "write" } else { "read" });
                let used = touch(whole(self.array(i, "array", array)?), *writes);
                act(device, &text, None, vec![used]);
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
                let text = format!("copy {} to {}", range.from.array, range.to.array);
                let stream = state.stream(stream);
                let (to_memory, from_memory) = (to.1, from.1);
                let is_staged = from_memory == HostMemory::Pageable && !to_memory.is_of_host();
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
                if is_over {
                    device.order().synchronize(stream);
                }
            }
        }
        Ok(())
    }
}

/// The launch of an operation, with its arguments bound.
fn bound<'m>(
    i: usize,
    requested: &Requested,
    (manifest, program): (&'m Manifest, &str),
    all: &Arguments<'_>,
    target: Target,
) -> Result<Bound<'m>> {
    let path = format!("operations[{i}]");
    let failed = |why: Error| match &why {
        Error::Argument { argument, why } => match requested.args.iter().position(|arg| arg == argument) {
            Some(number) => wrong(&format!("{path}.args[{number}]"), why),
            None => wrong(&path, format!("argument {argument}: {why}")),
        },
        _ => wrong(&path, why),
    };
    let kernel = the_kernel(manifest, program, Some(&requested.kernel)).map_err(failed)?;
    let given: Vec<Given> = requested.args.iter().map(|text| Given::Text(text.clone())).collect();
    let extents = Extents {
        grid: Grid::Extents(requested.grid),
        block: requested.block,
        shared: requested.shared,
        cluster: requested.cluster,
        cooperative: requested.cooperative,
    };
    let own = Arguments { given: &given, arrays: &[], ..*all };
    let bound = requested::requested(kernel, &extents, &own, target, &[]).map_err(failed)?;
    let requested::Requested { mut shape, values, arrays, .. } = bound;
    if let Some(array) = arrays.first() {
        let why =
            format!("an array belongs into \"arrays\", and an argument names it, as in \"&{}\"", array.name);
        let number = requested.args.iter().position(|text| text.contains('[')).unwrap_or(0);
        return Err(wrong(&format!("{path}.args[{number}]"), why));
    }
    shape.programmatic = requested.programmatic;
    Ok(Bound { kernel, shape, values })
}

/// Bytes of an array that an operation uses.
struct Used {
    array: usize,
    bytes: Range<usize>,
    writes: bool,
    frees: bool,
}

/// The place of the operations: the simulator's memory, or a plan of their order alone.
trait Device {
    fn order(&mut self) -> &mut Order;
    fn operate(&mut self, i: usize, text: &str, place: &SourcePlace, stream: Option<Stream>, used: Vec<Used>);
    fn copy(&mut self, _: (usize, usize, usize, Range<usize>)) {}
    fn fill(&mut self, _: usize, _: Range<usize>, _: u8) {}
}

/// The order of the operations, and for each the last one that may run beside it.
struct Plan {
    order: Order,
    /// The operation of each ticket.
    operations: Vec<usize>,
    last: Vec<Option<usize>>,
}

impl Plan {
    fn add(&mut self, i: usize, ticket: Option<Ticket>, beside: &[Overlap]) {
        if ticket.is_some() {
            self.operations.push(i);
        }
        beside.iter().for_each(|one| self.last[self.operations[one.ticket as usize]] = Some(i));
    }
}

impl Device for Plan {
    fn order(&mut self) -> &mut Order {
        &mut self.order
    }

    fn operate(&mut self, i: usize, _: &str, _: &SourcePlace, stream: Option<Stream>, _: Vec<Used>) {
        match stream {
            Some(stream) => {
                let enqueued = self.order.enqueue(stream);
                self.add(i, Some(enqueued.ticket), &enqueued.beside);
            }
            None => {
                let beside = self.order.beside_host();
                self.add(i, None, &beside);
            }
        }
    }
}

/// Names of streams and events.
struct State {
    streams: BTreeMap<String, Stream>,
    events: BTreeMap<String, Recorded>,
}

impl State {
    fn new(sequence: &Sequence<'_>, order: &mut Order) -> Self {
        let mut streams = BTreeMap::from([(DEFAULT.to_owned(), Stream::LEGACY)]);
        streams.insert(PER_THREAD.to_owned(), order.add(PER_THREAD, StreamKind::Blocking));
        let own = &sequence.file.streams;
        streams.extend(own.iter().map(|(name, kind)| (name.clone(), order.add(name, *kind))));
        State { streams, events: BTreeMap::new() }
    }

    fn stream(&self, name: &str) -> Stream {
        self.streams.get(name).copied().unwrap_or_default()
    }

    /// Records the event of the begin of the last launch of a stream.
    fn begun(&mut self, order: &Order, requested: &Requested, stream: Stream) {
        if let (Some(event), Some(recorded)) = (&requested.begun, order.begun(stream)) {
            self.events.insert(event.clone(), recorded);
        }
    }
}

/// The memory of a run, with the findings of the operations.
struct Running<'r> {
    memory: &'r mut Memory,
    buffers: &'r [Buffer],
    findings: Vec<Finding>,
    tickets: &'r mut Vec<(usize, Ticket)>,
}

impl Device for Running<'_> {
    fn order(&mut self) -> &mut Order {
        self.memory.order_mut()
    }

    fn operate(
        &mut self,
        i: usize,
        text: &str,
        place: &SourcePlace,
        stream: Option<Stream>,
        used: Vec<Used>,
    ) {
        let touch = |used: Used| {
            let Used { array, bytes, writes, frees } = used;
            Touch { buffer: self.buffers[array], bytes, writes, frees }
        };
        let touches = used.into_iter().map(touch).collect();
        let operation = cute_sim::Operation { text, location: place, stream, touches };
        let (ticket, findings) = self.memory.operate(&operation);
        self.findings.extend(findings);
        self.tickets.extend(ticket.map(|ticket| (i, ticket)));
    }

    fn copy(&mut self, (to, from, at, bytes): (usize, usize, usize, Range<usize>)) {
        let (to, from) = (self.buffers[to], self.buffers[from]);
        self.memory.copy((to, at), (from, bytes.start), bytes.len());
    }

    fn fill(&mut self, array: usize, bytes: Range<usize>, value: u8) {
        self.memory.fill(self.buffers[array], bytes, value);
    }
}

/// The operations around the launches of one run.
pub(crate) struct Queue<'q> {
    sequence: Option<&'q Sequence<'q>>,
    state: Option<State>,
    buffers: &'q [Buffer],
    /// The next operation.
    next: usize,
    /// Operations whose accesses are kept.
    tickets: Vec<(usize, Ticket)>,
}

impl<'q> Queue<'q> {
    /// The streams are new ones of the memory.
    pub(crate) fn new(
        sequence: Option<&'q Sequence<'q>>,
        buffers: &'q [Buffer],
        memory: &mut Memory,
    ) -> Self {
        let state = sequence.map(|sequence| State::new(sequence, memory.order_mut()));
        Queue { sequence, state, buffers, next: 0, tickets: Vec::new() }
    }

    /// Performs the operations before the next launch, or all that are left. Returns the races that
    /// they have.
    pub(crate) fn advance(&mut self, memory: &mut Memory) -> Result<Vec<Finding>> {
        let (Some(sequence), Some(state)) = (self.sequence, &mut self.state) else { return Ok(Vec::new()) };
        let (buffers, tickets) = (self.buffers, &mut self.tickets);
        let mut running = Running { memory, buffers, findings: Vec::new(), tickets };
        while let Some((operation, _)) = sequence.file.operations.get(self.next)
            && !matches!(operation, Operation::Launch { .. })
        {
            sequence.perform(self.next, state, &mut running)?;
            self.next += 1;
        }
        let findings = running.findings;
        self.forget(memory);
        Ok(findings)
    }

    /// The stream of the next launch; `following` is the launch behind it, if there are no
    /// operations.
    pub(crate) fn place(&self, following: Option<&Launch<'_>>) -> InStream {
        let Some((sequence, state)) = self.sequence.zip(self.state.as_ref()) else {
            let is_overlapped = following.is_some_and(|next| next.shape.programmatic);
            return InStream { stream: Stream::LEGACY, is_overlapped };
        };
        let stream = match sequence.file.operations.get(self.next) {
            Some((Operation::Launch { stream, .. }, _)) => state.stream(stream),
            _ => Stream::LEGACY,
        };
        let is_overlapped = sequence.last_beside.get(self.next).copied().flatten().is_some();
        InStream { stream, is_overlapped }
    }

    /// The next launch has been executed.
    pub(crate) fn launched(&mut self, memory: &mut Memory) {
        let (Some(sequence), Some(state)) = (self.sequence, &mut self.state) else { return };
        if let Some((Operation::Launch { requested, stream }, _)) = sequence.file.operations.get(self.next) {
            let stream = state.stream(stream);
            state.begun(memory.order(), requested, stream);
            self.tickets.extend(memory.order().last(stream).map(|ticket| (self.next, ticket)));
        }
        self.next += 1;
        self.forget(memory);
    }

    /// Forgets the accesses of operations that no later one runs beside.
    fn forget(&mut self, memory: &mut Memory) {
        let Some(sequence) = self.sequence else { return };
        let next = self.next;
        self.tickets.retain(|(operation, ticket)| {
            let is_needed = sequence.last_beside[*operation].is_some_and(|last| last >= next);
            if !is_needed {
                memory.forget(*ticket);
            }
            is_needed
        });
    }
}
