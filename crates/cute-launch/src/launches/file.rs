//! The operations of a host as a user writes them, in JSON: arrays, streams, and what is enqueued.

use super::{
    fields::{Fields, wrong},
    graph::Graph,
};
use crate::{
    address::{self, Address},
    bind,
    error::Result,
    requested::extents,
};
use cute_machine::place::{PlaceParts, SourceFile, SourcePlace, SourcePoint};
use cute_sim::order::StreamKind;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The memory of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostMemory {
    /// Memory of the device.
    Device,
    /// Page-locked memory of the host.
    Pinned,
    /// Memory of the host as it comes.
    Pageable,
    /// Memory that moves between the two.
    Managed,
}

impl HostMemory {
    /// All of them, with the field that lists their arrays.
    const ALL: [(&'static str, HostMemory); 4] = [
        ("arrays", HostMemory::Device),
        ("pinned", HostMemory::Pinned),
        ("pageable", HostMemory::Pageable),
        ("managed", HostMemory::Managed),
    ];

    /// Whether it is memory of the host alone.
    pub(crate) fn is_of_host(self) -> bool {
        matches!(self, Self::Pinned | Self::Pageable)
    }
}

/// The launch of a kernel as it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Requested {
    /// The kernel's name.
    pub kernel: String,
    /// The file of PTX that has it, if not the file that is run.
    pub file: Option<String>,
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block, if not those that the kernel requires.
    pub block: Option<[u32; 3]>,
    /// Blocks of a cluster, if not those of the kernel's attributes.
    pub cluster: Option<[u32; 3]>,
    /// Blocks of a cluster where the device can have so many.
    pub preferred_cluster: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory, if not those in the kernel's attribute.
    pub shared: Option<u32>,
    /// One for each parameter.
    pub args: Vec<String>,
    /// Whether all blocks are resident at once.
    pub cooperative: bool,
    /// Whether it has programmatic stream serialization.
    pub programmatic: bool,
    /// An event that is recorded when all blocks have begun.
    pub begun: Option<String>,
    /// A programmatic event: it is recorded when all blocks have let dependent launches begin, or
    /// have ended.
    pub triggered: Option<String>,
    /// Whether the programmatic event is recorded when all blocks have begun.
    pub trigger_at_start: bool,
}

impl Requested {
    /// The events that it records.
    pub(super) fn events(&self) -> impl Iterator<Item = &String> {
        self.begun.iter().chain(&self.triggered)
    }
}

/// The bytes of a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyRange {
    /// Their target.
    pub to: Address,
    /// Their source.
    pub from: Address,
    /// Their number, if not that of all bytes from there on.
    pub bytes: Option<u64>,
}

/// An aim of a wait of the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Synchronized {
    /// The whole device.
    Device,
    /// A stream or an event.
    Name(String),
}

/// An act of a host. Streams and events are names.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the names of the fields are those of the file")]
pub enum Operation {
    Launch {
        requested: Box<Requested>,
        stream: String,
    },
    Copy {
        range: CopyRange,
        is_async: bool,
        stream: String,
    },
    Set {
        array: String,
        value: u8,
        is_async: bool,
        stream: String,
    },
    Record {
        event: String,
        stream: String,
    },
    Wait {
        event: String,
        stream: String,
    },
    Synchronize(Synchronized),
    /// In a stream, it is a function of the host that the stream calls.
    Host {
        array: String,
        writes: bool,
        stream: Option<String>,
    },
    Free {
        array: String,
        is_async: bool,
        stream: String,
    },
    Destroy {
        stream: String,
    },
}

impl Operation {
    /// Lets it happen in another stream.
    pub(super) fn move_to(&mut self, other: &str) {
        match self {
            Self::Launch { stream, .. }
            | Self::Copy { stream, .. }
            | Self::Set { stream, .. }
            | Self::Record { stream, .. }
            | Self::Wait { stream, .. }
            | Self::Free { stream, .. }
            | Self::Destroy { stream } => other.clone_into(stream),
            Self::Host { stream, .. } => *stream = Some(other.to_owned()),
            Self::Synchronize(_) => {}
        }
    }
}

/// An operation with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedOperation {
    /// An act of the host, or one part of it.
    pub operation: Operation,
    /// Its place in the file.
    pub place: SourcePlace,
    /// Its path in the file, such as `operations[3]`.
    pub path: String,
    /// The number of the operation in the file that it is, or is a part of.
    pub number: usize,
    /// Whether it is a part of the launch of a graph.
    pub is_node: bool,
}

/// Arrays, streams and operations.
#[derive(Debug, Clone, PartialEq)]
pub struct LaunchesFile {
    /// The name of the file.
    pub name: String,
    /// The name and the memory of each array, and its text as `--array` takes it, unless the array
    /// is given beside the file.
    pub arrays: Vec<(String, HostMemory, Option<String>)>,
    /// Variables of the modules, each with its values as `--variable` takes them.
    pub variables: Vec<(String, String)>,
    /// The streams beside the default ones.
    pub streams: BTreeMap<String, StreamKind>,
    /// The acts of the host, in this order.
    pub steps: Vec<PlacedOperation>,
    /// The streams of the nodes of graphs.
    pub(super) nodes: BTreeSet<String>,
}

/// The legacy default stream, and the default stream of a thread.
pub(super) const DEFAULT: &str = "default";
pub(super) const PER_THREAD: &str = "per-thread";

impl LaunchesFile {
    /// The files that its arrays name.
    pub fn files(&self) -> Vec<String> {
        let texts =
            self.arrays.iter().filter_map(|(name, _, text)| Some(format!("{name}:{}", text.as_ref()?)));
        texts.chain(self.variables()).filter_map(|text| bind::file(&text)).collect()
    }

    /// Its variables, as `--variable` takes them.
    pub(super) fn variables(&self) -> impl Iterator<Item = String> {
        self.variables.iter().map(|(name, text)| format!("{name}:{text}"))
    }

    /// The files of PTX that its launches name.
    pub fn programs(&self) -> BTreeSet<&str> {
        let files = self.steps.iter().filter_map(|step| match &step.operation {
            Operation::Launch { requested, .. } => requested.file.as_deref(),
            _ => None,
        });
        files.collect()
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// [`Error::Operations`](crate::Error::Operations) with the path of the mistake.
    pub fn read(name: &str, text: &str) -> Result<Self> {
        let value: Value = serde_json::from_str(text).map_err(|why| wrong("", why))?;
        let mut all = Fields::of(String::new(), value)?;
        let mut arrays: Vec<(String, HostMemory, Option<String>)> = Vec::new();
        for (field, memory) in HostMemory::ALL {
            let named: BTreeMap<String, Option<String>> = all.take(field)?.unwrap_or_default();
            for (array, text) in named {
                let path = format!("{field}.{array}");
                if array.is_empty() || array.contains([':', '=', ',', '+', '&']) {
                    return Err(wrong(&path, "a name must have a character, and none of : = , + &"));
                }
                if arrays.iter().any(|(other, ..)| *other == array) {
                    return Err(wrong(&path, "another array has this name"));
                }
                arrays.push((array, memory, text));
            }
        }
        let variables: BTreeMap<String, String> = all.take("variables")?.unwrap_or_default();
        let variables = variables.into_iter().collect();
        let written: BTreeMap<String, String> = all.take("streams")?.unwrap_or_default();
        let mut streams = BTreeMap::new();
        for (stream, kind) in written {
            let path = format!("streams.{stream}");
            let kind = match kind.as_str() {
                _ if [DEFAULT, PER_THREAD].contains(&stream.as_str()) => {
                    return Err(wrong(&path, "this stream exists already; choose another name"));
                }
                "blocking" => StreamKind::Blocking,
                "nonblocking" => StreamKind::NonBlocking,
                _ => return Err(wrong(&path, format!("'{kind}' is neither blocking nor nonblocking"))),
            };
            streams.insert(stream, kind);
        }
        let lines = Lines::of(name, text);
        let named: BTreeMap<String, Vec<Value>> = all.take("graphs")?.unwrap_or_default();
        let mut graphs = BTreeMap::new();
        for (graph, nodes) in named {
            let nodes = Graph::read(&format!("graphs.{graph}"), nodes, &lines)?;
            graphs.insert(graph, nodes);
        }
        let written: Vec<Value> = all.need("operations")?;
        all.end()?;
        let (mut steps, mut nodes) = (Vec::new(), BTreeSet::new());
        for (number, value) in written.into_iter().enumerate() {
            let path = format!("operations[{number}]");
            let mut fields = Fields::of(path.clone(), value)?;
            let place = lines.place(&mut fields)?;
            let launched = fields.has("graph").then(|| launched(&mut fields, &graphs, &lines)).transpose()?;
            let step = |operation| PlacedOperation { operation, place, path, number, is_node: false };
            match launched {
                None => steps.push(step(operation(fields)?)),
                Some((graph, stream)) => {
                    fields.end()?;
                    let launch = step(Operation::Synchronize(Synchronized::Device));
                    let (all, streams) = graph.steps(&launch, &stream);
                    steps.extend(all);
                    nodes.extend(streams);
                }
            }
        }
        Ok(Self { name: name.to_owned(), arrays, variables, streams, steps, nodes })
    }
}

/// The graph that an operation launches, and its stream.
fn launched(fields: &mut Fields, graphs: &BTreeMap<String, Graph>, lines: &Lines) -> Result<(Graph, String)> {
    let path = fields.path("graph");
    let graph = match fields.need("graph")? {
        Value::Array(nodes) => Graph::read(&path, nodes, lines)?,
        Value::String(name) => graphs.get(&name).cloned().ok_or_else(|| {
            let all = graphs.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            wrong(&path, format!("there is no graph '{name}'; the field 'graphs' has: {all}"))
        })?,
        other => {
            return Err(wrong(&path, format!("{other} is neither a list of nodes nor the name of a graph")));
        }
    };
    Ok((graph, stream(fields)?))
}

/// The forms of an operation, by the field that each begins with.
const FORMS: [&str; 10] =
    ["launch", "graph", "copy", "set", "record", "wait", "synchronize", "host", "free", "destroy"];

/// An operation, except for the launch of a graph.
pub(super) fn operation(mut fields: Fields) -> Result<Operation> {
    let form = FORMS.into_iter().find(|form| fields.has(form)).ok_or_else(|| {
        let (all, own) = (FORMS.join(", "), fields.names().join(", "));
        wrong(fields.own_path(), format!("one of the fields {all} says what it is, but it has {own}"))
    })?;
    let operation = match form {
        "launch" => {
            let requested = Box::new(requested(&mut fields)?);
            Operation::Launch { requested, stream: stream(&mut fields)? }
        }
        "copy" => {
            let own = fields.need("copy")?;
            let mut range = Fields::of(fields.path("copy"), own)?;
            let (to, from) = (address(&mut range, "to")?, address(&mut range, "from")?);
            let range_of = CopyRange { to, from, bytes: range.take("bytes")? };
            range.end()?;
            Operation::Copy {
                range: range_of,
                is_async: flag(&mut fields, "async")?,
                stream: stream(&mut fields)?,
            }
        }
        "set" => Operation::Set {
            array: fields.need("set")?,
            value: fields.take("value")?.unwrap_or(0),
            is_async: flag(&mut fields, "async")?,
            stream: stream(&mut fields)?,
        },
        "record" => Operation::Record { event: fields.need("record")?, stream: stream(&mut fields)? },
        "wait" => Operation::Wait { event: fields.need("wait")?, stream: stream(&mut fields)? },
        "synchronize" => Operation::Synchronize(match fields.need("synchronize")? {
            Value::Bool(true) => Synchronized::Device,
            Value::String(name) => Synchronized::Name(name),
            other => {
                let why =
                    format!("{other} is neither true, for the device, nor the name of a stream or an event");
                return Err(wrong(&fields.path("synchronize"), why));
            }
        }),
        "host" => {
            let does: String = fields.need("host")?;
            let writes = match does.as_str() {
                "reads" => false,
                "writes" => true,
                _ => {
                    return Err(wrong(&fields.path("host"), format!("'{does}' is neither reads nor writes")));
                }
            };
            Operation::Host { array: fields.need("array")?, writes, stream: fields.take("stream")? }
        }
        "graph" => {
            return Err(wrong(&fields.path("graph"), "a graph cannot be a node of a graph"));
        }
        "free" => Operation::Free {
            array: fields.need("free")?,
            is_async: flag(&mut fields, "async")?,
            stream: stream(&mut fields)?,
        },
        _ => Operation::Destroy { stream: fields.need("destroy")? },
    };
    fields.end()?;
    Ok(operation)
}

fn requested(fields: &mut Fields) -> Result<Requested> {
    let kernel = fields.need("launch")?;
    let grid = three(fields, "grid")?;
    let grid =
        grid.ok_or_else(|| wrong(&fields.path("grid"), "the field is missing; write it as in [4, 2]"))?;
    let requested = Requested {
        kernel,
        file: fields.take("file")?,
        grid,
        block: three(fields, "block")?,
        cluster: three(fields, "cluster")?,
        preferred_cluster: three(fields, "preferred_cluster")?,
        shared: fields.take("shared")?,
        args: fields.take("args")?.unwrap_or_default(),
        cooperative: flag(fields, "cooperative")?,
        programmatic: flag(fields, "programmatic")?,
        begun: fields.take("begun")?,
        triggered: fields.take("triggered")?,
        trigger_at_start: flag(fields, "trigger_at_start")?,
    };
    if requested.trigger_at_start && requested.triggered.is_none() {
        let why = "the field 'triggered' is missing, which names the event that is recorded at the start";
        return Err(wrong(&fields.path("trigger_at_start"), why));
    }
    Ok(requested)
}

/// One to three extents.
fn three(fields: &mut Fields, name: &'static str) -> Result<Option<[u32; 3]>> {
    let Some(list) = fields.take::<Vec<i64>>(name)? else { return Ok(None) };
    let why = || wrong(&fields.path(name), format!("{list:?} are not one to three positive integers"));
    extents(&list).map(Some).ok_or_else(why)
}

fn flag(fields: &mut Fields, name: &'static str) -> Result<bool> {
    Ok(fields.take(name)?.unwrap_or(false))
}

fn stream(fields: &mut Fields) -> Result<String> {
    Ok(fields.take("stream")?.unwrap_or_else(|| DEFAULT.to_owned()))
}

/// `ARRAY` or `ARRAY+BYTES`.
fn address(fields: &mut Fields, name: &'static str) -> Result<Address> {
    let text: String = fields.need(name)?;
    address::parse(&format!("&{text}")).transpose().ok().flatten().ok_or_else(|| {
        wrong(&fields.path(name), format!("'{text}' is not an array or a byte of one; write A or A+256"))
    })
}

/// The lines of a text that is JSON: those of the objects in lists, by their paths.
pub(super) struct Lines {
    file: SourceFile,
    lines: HashMap<String, u32>,
}

impl Lines {
    /// The lines of a file's text.
    fn of(name: &str, text: &str) -> Self {
        Self { file: SourceFile::of(name), lines: lines(text) }
    }

    /// The place of an object: that in its field `at`, or its line.
    pub(super) fn place(&self, fields: &mut Fields) -> Result<SourcePlace> {
        let point = match fields.take::<(String, u32)>("at")? {
            Some((file, line)) => SourcePoint::new(SourceFile::of(&file), line, None),
            None => {
                let line = self.lines.get(fields.own_path()).copied().unwrap_or(1);
                SourcePoint::new(self.file.clone(), line, None)
            }
        };
        Ok(SourcePlace::from(PlaceParts { point: Some(point), ..PlaceParts::default() }))
    }
}

/// An object or a list of JSON that is open.
struct Level {
    path: String,
    /// The number of the next element of a list.
    element: Option<usize>,
    key: String,
}

impl Level {
    /// The path of the value that comes next.
    fn next(&self) -> String {
        match self.element {
            Some(element) => format!("{}[{element}]", self.path),
            None if self.path.is_empty() => self.key.clone(),
            None => format!("{}.{}", self.path, self.key),
        }
    }
}

fn lines(text: &str) -> HashMap<String, u32> {
    let (mut lines, mut line) = (HashMap::new(), 1);
    let mut levels: Vec<Level> = Vec::new();
    let (mut string, mut last): (Option<usize>, &str) = (None, "");
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        line += u32::from(byte == b'\n');
        match string {
            Some(_) if is_escaped => is_escaped = false,
            Some(_) if byte == b'\\' => is_escaped = true,
            Some(from) if byte == b'"' => {
                string = None;
                last = &text[from..at];
            }
            Some(_) => {}
            None => match (byte, levels.last_mut()) {
                (b'"', _) => string = Some(at + 1),
                (b':', Some(level)) => last.clone_into(&mut level.key),
                (b',', Some(Level { element: Some(element), .. })) => *element += 1,
                (b'{' | b'[', level) => {
                    let path = level.as_ref().map(|level| level.next()).unwrap_or_default();
                    if byte == b'{' && level.is_some_and(|level| level.element.is_some()) {
                        lines.insert(path.clone(), line);
                    }
                    let element = (byte == b'[').then_some(0);
                    levels.push(Level { path, element, key: String::new() });
                }
                (b'}' | b']', _) => drop(levels.pop()),
                _ => {}
            },
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(text: &str) -> String {
        LaunchesFile::read("l.json", text).expect_err("it is not valid").to_string()
    }

    #[test]
    fn operations_have_their_lines() {
        let text = "{\"arrays\": {\"A\": \"f32[4]\", \"x\\\"{\": \"i32[1]\"},\n \"operations\": [\n\
            {\"record\": \"e\"},\n\n{\"copy\":\n {\"to\": \"A\", \"from\": \"A+8\", \"bytes\": 8}}]}";
        let file = LaunchesFile::read("l.json", text).unwrap();
        let places: Vec<String> = file.steps.iter().map(|step| step.place.to_string()).collect();
        assert_eq!(places, ["l.json:3", "l.json:5"]);
        let Operation::Copy { range, is_async: false, stream } = &file.steps[1].operation else { panic!() };
        assert_eq!((range.from.offset, range.bytes, stream.as_str()), (8, Some(8), "default"));
    }

    #[test]
    fn mistakes_have_their_paths() {
        for (text, expected) in [
            ("[]", "[] is not an object"),
            ("{\"operations\": 3}", "operations: invalid type: integer `3`, expected a sequence"),
            ("{}", "the field 'operations' is missing"),
            (
                "{\"operations\": [], \"stream\": {}}",
                "stream: there is no such field here; the fields are arrays, pinned, pageable, managed, \
                 variables, streams, graphs, \
                 operations",
            ),
            (
                "{\"operations\": [{\"lunch\": \"k\"}]}",
                "operations[0]: one of the fields launch, graph, copy, set, record, wait, synchronize, host, free, destroy says \
                 what it is, but it has lunch",
            ),
            (
                "{\"operations\": [{\"launch\": \"k\", \"grid\": [0]}]}",
                "operations[0].grid: [0] are not one to three positive integers",
            ),
            (
                "{\"operations\": [{\"launch\": \"k\", \"grid\": [1], \"blocks\": [1]}]}",
                "operations[0].blocks: there is no such field here; the fields are at, launch, grid, file, block, cluster, \
                 preferred_cluster, shared, args, cooperative, programmatic, begun, triggered, trigger_at_start, stream",
            ),
            (
                "{\"operations\": [{\"launch\": \"k\", \"grid\": [1], \"trigger_at_start\": true}]}",
                "operations[0].trigger_at_start: the field 'triggered' is missing, which names the event that is recorded at \
                 the start",
            ),
            (
                "{\"operations\": [{\"copy\": {\"to\": \"A\", \"from\": \"A+x\"}}]}",
                "operations[0].copy.from: 'A+x' is not an array or a byte of one; write A or A+256",
            ),
            (
                "{\"operations\": [{\"synchronize\": false}]}",
                "operations[0].synchronize: false is neither true, for the device, nor the name of a stream or an event",
            ),
            (
                "{\"operations\": [{\"host\": \"looks\"}]}",
                "operations[0].host: 'looks' is neither reads nor writes",
            ),
            (
                "{\"streams\": {\"default\": \"blocking\"}, \"operations\": []}",
                "streams.default: this stream exists already; choose another name",
            ),
            (
                "{\"streams\": {\"s\": \"fast\"}, \"operations\": []}",
                "streams.s: 'fast' is neither blocking nor nonblocking",
            ),
            (
                "{\"arrays\": {\"A\": \"f32[1]\"}, \"pinned\": {\"A\": \"f32[1]\"}, \"operations\": []}",
                "pinned.A: another array has this name",
            ),
        ] {
            assert_eq!(why(text), expected, "{text}");
        }
        assert!(why("{").contains("line 1"), "{}", why("{"));
    }
}
