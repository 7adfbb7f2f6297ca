//! The operations of a host as a user writes them, in JSON: arrays, streams, and what is enqueued.

use super::fields::{Fields, wrong};
use crate::{
    address::{self, Address},
    bind,
    error::Result,
    requested::extents,
};
use cute_machine::place::{PlaceParts, SourceFile, SourcePlace, SourcePoint};
use cute_sim::order::StreamKind;
use serde_json::Value;
use std::collections::BTreeMap;

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
    Launch { requested: Box<Requested>, stream: String },
    Copy { range: CopyRange, is_async: bool, stream: String },
    Set { array: String, value: u8, is_async: bool, stream: String },
    Record { event: String, stream: String },
    Wait { event: String, stream: String },
    Synchronize(Synchronized),
    Host { array: String, writes: bool },
    Free { array: String, is_async: bool, stream: String },
    Destroy { stream: String },
}

/// Arrays, streams and operations.
#[derive(Debug, Clone, PartialEq)]
pub struct LaunchesFile {
    /// The name of the file.
    pub name: String,
    /// The name and the memory of each array, and its text as `--array` takes it, unless the array
    /// is given beside the file.
    pub arrays: Vec<(String, HostMemory, Option<String>)>,
    /// The streams beside the default ones.
    pub streams: BTreeMap<String, StreamKind>,
    /// The acts of the host, in this order, each with its place in the file.
    pub operations: Vec<(Operation, SourcePlace)>,
}

/// The legacy default stream, and the default stream of a thread.
pub(super) const DEFAULT: &str = "default";
pub(super) const PER_THREAD: &str = "per-thread";

impl LaunchesFile {
    /// The files that its arrays name.
    pub fn files(&self) -> Vec<String> {
        let texts =
            self.arrays.iter().filter_map(|(name, _, text)| Some(format!("{name}:{}", text.as_ref()?)));
        texts.filter_map(|text| bind::file(&text)).collect()
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
        let written: Vec<Value> = all.need("operations")?;
        all.end()?;
        let lines = lines(text);
        let file = SourceFile::of(name);
        let mut operations = Vec::new();
        for (i, value) in written.into_iter().enumerate() {
            let mut fields = Fields::of(format!("operations[{i}]"), value)?;
            let point = match fields.take::<(String, u32)>("at")? {
                Some((file, line)) => SourcePoint::new(SourceFile::of(&file), line, None),
                None => SourcePoint::new(file.clone(), lines.get(i).copied().unwrap_or(1), None),
            };
            let place = SourcePlace::from(PlaceParts { point: Some(point), ..PlaceParts::default() });
            operations.push((operation(fields)?, place));
        }
        Ok(Self { name: name.to_owned(), arrays, streams, operations })
    }
}

/// The forms of an operation, by the field that each begins with.
const FORMS: [&str; 9] =
    ["launch", "copy", "set", "record", "wait", "synchronize", "host", "free", "destroy"];

fn operation(mut fields: Fields) -> Result<Operation> {
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
            Operation::Host { array: fields.need("array")?, writes }
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

/// The lines of the operations of a text that is JSON: those of the objects in its field
/// `operations`.
fn lines(text: &str) -> Vec<u32> {
    let (mut lines, mut line, mut depth) = (Vec::new(), 1, 0);
    let (mut string, mut key): (Option<usize>, &str) = (None, "");
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        line += u32::from(byte == b'\n');
        match string {
            Some(_) if is_escaped => is_escaped = false,
            Some(_) if byte == b'\\' => is_escaped = true,
            Some(from) if byte == b'"' => {
                string = None;
                if depth == 1 {
                    key = &text[from..at];
                }
            }
            Some(_) => {}
            None => match byte {
                b'"' => string = Some(at + 1),
                b'{' | b'[' => {
                    if byte == b'{' && depth == 2 && key == "operations" {
                        lines.push(line);
                    }
                    depth += 1;
                }
                b'}' | b']' => depth -= 1,
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
        let places: Vec<String> = file.operations.iter().map(|(_, place)| place.to_string()).collect();
        assert_eq!(places, ["l.json:3", "l.json:5"]);
        let Operation::Copy { range, is_async: false, stream } = &file.operations[1].0 else { panic!() };
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
                "stream: there is no such field here; the fields are arrays, pinned, pageable, managed, streams, operations",
            ),
            (
                "{\"operations\": [{\"lunch\": \"k\"}]}",
                "operations[0]: one of the fields launch, copy, set, record, wait, synchronize, host, free, destroy says \
                 what it is, but it has lunch",
            ),
            (
                "{\"operations\": [{\"launch\": \"k\", \"grid\": [0]}]}",
                "operations[0].grid: [0] are not one to three positive integers",
            ),
            (
                "{\"operations\": [{\"launch\": \"k\", \"grid\": [1], \"blocks\": [1]}]}",
                "operations[0].blocks: there is no such field here; the fields are at, launch, grid, block, cluster, \
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
