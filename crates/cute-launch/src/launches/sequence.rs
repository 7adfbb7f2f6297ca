//! The operations of a file, with the arguments of their launches bound, and all names and sizes
//! checked.

use super::{
    HostMemory, LaunchesFile, Operation, PlacedOperation, Requested, Synchronized,
    fields::wrong,
    file::{CopyRange, DEFAULT, PER_THREAD},
    plan::liveness,
};
use crate::{
    address::Address,
    array::Array,
    beside::NamedKernels,
    bind::{self, Arguments, Callee, Given, Value, Variables, arguments},
    error::{Error, Result},
    launch::{Launch, Queued, Shape},
    requested::{self, Grid, RequestedExtents},
};
use cute_arch::Target;
use cute_manifest::Kernel;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A launch whose arguments are bound.
#[derive(Debug)]
struct Bound<'m> {
    /// The number of its step.
    step: usize,
    kernel: &'m Kernel,
    target: Target,
    shape: Shape,
    values: Vec<Value>,
}

/// The operations of a job.
#[derive(Debug)]
pub(crate) struct Sequence<'m> {
    pub(super) file: LaunchesFile,
    launches: Vec<Bound<'m>>,
    /// The number, the memory and the bytes of each array.
    arrays: BTreeMap<String, (usize, HostMemory, usize)>,
    /// For each operation, the last one that may run beside it.
    pub(super) last_beside: Vec<Option<usize>>,
}

impl<'m> Sequence<'m> {
    /// Binds the arguments of all launches. Returns the arrays, too.
    pub(crate) fn bind(
        file: LaunchesFile,
        kernels: NamedKernels<'m>,
        all: &Arguments<'_>,
        target: Target,
    ) -> Result<(Self, bind::Bound)> {
        let texts =
            file.arrays.iter().filter_map(|(name, _, text)| Some(format!("{name}:{}", text.as_ref()?)));
        let texts: Vec<Given> = texts.map(Given::Text).chain(all.arrays.iter().cloned()).collect();
        let own = file.variables().map(Given::Text);
        let variables: Vec<Given> = all.variables.given.iter().cloned().chain(own).collect();
        let variables = Variables { given: &variables, ..all.variables };
        let declared = Arguments { given: &[], arrays: &texts, variables, ..*all };
        let all_arrays = arguments(&Callee::operations(&file.name), &declared)?;
        let memory = |name: &str| {
            let known = file.arrays.iter().find(|(own, ..)| own == name);
            known.map_or(HostMemory::Device, |(_, memory, _)| *memory)
        };
        let sizes = all_arrays.arrays.iter().enumerate();
        let sizes: BTreeMap<_, _> = sizes
            .map(|(i, array)| (array.name.clone(), (i, memory(&array.name), array.contents.size())))
            .collect();
        if let Some((name, ..)) = file.arrays.iter().find(|(name, ..)| !sizes.contains_key(name)) {
            return Err(wrong(name, "the array has no type; give it one, as in \"f32[64]\""));
        }
        let mut sequence = Self { launches: Vec::new(), arrays: sizes, last_beside: Vec::new(), file };
        for (i, step) in sequence.file.steps.iter().enumerate() {
            let Operation::Launch { requested, stream } = &step.operation else { continue };
            let mut bound = bound(&step.path, requested, kernels, all, target)?;
            bound.shape.queued = Some(Queued { operation: step.number, stream: stream.clone() });
            sequence.launches.push(Bound { step: i, ..bound });
        }
        if sequence.launches.is_empty() {
            return Err(wrong(
                "operations",
                "there is no launch among them, so that there is nothing to run",
            ));
        }
        sequence.check()?;
        sequence.last_beside = liveness(&sequence)?;
        Ok((sequence, all_arrays))
    }

    /// The launches, with the addresses of the arrays.
    pub(crate) fn launches(&self, arrays: &[Array], addresses: &[u64]) -> Result<Vec<Launch<'m>>> {
        let launch = |bound: &Bound<'m>| {
            let words = bound.values.iter().map(|value| value.words(arrays, addresses));
            let words = words.collect::<Result<Vec<_>>>();
            let words = words.map_err(|why| wrong(&self.file.steps[bound.step].path, why))?;
            let (kernel, target, shape) = (bound.kernel, bound.target, bound.shape.clone());
            Ok(Launch { kernel, target, shape, words: words.concat() })
        };
        self.launches.iter().map(launch).collect()
    }

    /// Checks all names and sizes.
    fn check(&self) -> Result<()> {
        let own = self.file.steps.iter().filter(|step| !step.is_node);
        let events: BTreeSet<&str> = own.flat_map(recorded).collect();
        let mut destroyed: BTreeMap<&str, usize> = BTreeMap::new();
        for (i, step) in self.file.steps.iter().enumerate() {
            let path = |field: &str| self.path(i, field);
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
            match &step.operation {
                // The events of a graph are its own.
                Operation::Wait { stream: own, .. } if step.is_node => stream(own, "stream")?,
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
                Operation::Host { array, stream: own, .. } => {
                    own.iter().try_for_each(|own| stream(own, "stream"))?;
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
                    destroyed.insert(own, step.number);
                }
            }
        }
        Ok(())
    }

    pub(super) fn has_stream(&self, name: &str) -> bool {
        let LaunchesFile { streams, nodes, .. } = &self.file;
        [DEFAULT, PER_THREAD].contains(&name) || streams.contains_key(name) || nodes.contains(name)
    }

    /// The path of a field of a step.
    fn path(&self, i: usize, field: &str) -> String {
        format!("{}.{field}", self.file.steps[i].path)
    }

    /// Without `async`, an operation is in a default stream.
    fn default_alone(&self, i: usize, is_async: bool, stream: &str) -> Result<()> {
        match is_async || [DEFAULT, PER_THREAD].contains(&stream) {
            true => Ok(()),
            false => {
                let why = format!("an operation in stream '{stream}' needs \"async\": true");
                Err(wrong(&self.path(i, "stream"), why))
            }
        }
    }

    pub(super) fn array(&self, i: usize, field: &str, name: &str) -> Result<(usize, HostMemory, usize)> {
        self.arrays.get(name).copied().ok_or_else(|| {
            let all = self.arrays.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            let why = format!("there is no array '{name}'; the arrays are: {all}");
            wrong(&self.path(i, field), why)
        })
    }

    /// The number of each array of a copy, and its bytes, the target first.
    pub(super) fn copied(
        &self,
        i: usize,
        range: &CopyRange,
    ) -> Result<[(usize, HostMemory, Range<usize>); 2]> {
        let CopyRange { to, from, bytes } = range;
        let left = |address: &Address, field: &str| {
            let (number, memory, size) = self.array(i, &format!("copy.{field}"), &address.array.name)?;
            let first = usize::try_from(address.offset).unwrap_or(usize::MAX);
            let left = size.checked_sub(first);
            let left = left.ok_or_else(|| {
                let why =
                    format!("'{}' has {size} bytes, so that there is no byte {first}", address.array.name);
                wrong(&self.path(i, &format!("copy.{field}")), why)
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
                    from.array.name, to.array.name
                );
                return Err(wrong(&self.path(i, "copy"), why));
            }
        };
        if bytes > to_bytes.min(from_bytes) {
            let why = format!(
                "{bytes} bytes are to be copied, but there are {from_bytes} of '{}' and {to_bytes} of '{}'",
                from.array.name, to.array.name
            );
            return Err(wrong(&self.path(i, "copy.bytes"), why));
        }
        Ok(all.map(|(number, memory, first, _)| (number, memory, first..first + bytes)))
    }
}

/// The events that an operation records.
fn recorded(step: &PlacedOperation) -> Vec<&str> {
    match &step.operation {
        Operation::Record { event, .. } => vec![event.as_str()],
        Operation::Launch { requested, .. } => requested.events().map(String::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The launch of an operation, with its arguments bound.
fn bound<'m>(
    path: &str,
    requested: &Requested,
    kernels: NamedKernels<'m>,
    all: &Arguments<'_>,
    target: Target,
) -> Result<Bound<'m>> {
    let failed = |why: Error| match &why {
        Error::Argument { argument, why } => match requested.args.iter().position(|arg| arg == argument) {
            Some(number) => wrong(&format!("{path}.args[{number}]"), why),
            None => wrong(path, format!("argument {argument}: {why}")),
        },
        _ => wrong(path, why),
    };
    let other = kernels.other(path, requested.file.as_deref())?;
    let (kernel, own_target) = kernels.find(other, &requested.kernel).map_err(failed)?;
    let target = own_target.unwrap_or(target);
    let given: Vec<Given> = requested.args.iter().map(|text| Given::Text(text.clone())).collect();
    let extents = RequestedExtents {
        grid: Grid::Extents(requested.grid),
        block: requested.block,
        shared: requested.shared,
        cluster: requested.cluster,
        preferred_cluster: requested.preferred_cluster,
        cooperative: requested.cooperative,
    };
    let own = Arguments { given: &given, arrays: &[], variables: Variables::default(), ..*all };
    let requested::Requested { mut shape, bound } =
        requested::requested(kernel, &extents, &own, target, &[]).map_err(failed)?;
    if let Some(array) = bound.arrays.first() {
        let why =
            format!("an array belongs into \"arrays\", and an argument names it, as in \"&{}\"", array.name);
        let number = requested.args.iter().position(|text| text.contains('[')).unwrap_or(0);
        return Err(wrong(&format!("{path}.args[{number}]"), why));
    }
    shape.programmatic = requested.programmatic;
    Ok(Bound { step: 0, kernel, target, shape, values: bound.values })
}
