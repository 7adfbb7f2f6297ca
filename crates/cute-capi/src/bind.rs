//! The arguments of a kernel or host function, as C passes them.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    slice,
    sync::Arc,
};

use cute_launch::{
    Job,
    argument::reserved,
    array::Array,
    bind::{Arguments, Face, Given, NoFiles, Raw, Relocation, Sms, Variables},
    job::Outcome,
};
use cute_manifest::Passed;

use crate::arguments::elements;

/// `cute_argument`.
#[repr(C)]
pub struct CuteArgument {
    kind: i32,
    data: *mut u8,
    size: usize,
}

const VALUE: i32 = 0;
const ARRAY: i32 = 1;
const NULL: i32 = 2;
const BYTES: i32 = 3;

/// `cute_bytes`.
#[repr(C)]
pub struct CuteBytes {
    data: *const u8,
    size: usize,
    relocations: *const CuteRelocation,
    count: usize,
}

/// `cute_relocation`.
#[repr(C)]
pub struct CuteRelocation {
    offset: usize,
    data: *mut u8,
    size: usize,
    byte: usize,
}

/// The arrays of a call by their memory, each with its bytes before the run.
type Arrays = BTreeMap<(*mut u8, usize), Arc<[u8]>>;

/// The arguments of a kernel or host function.
pub(crate) struct Passing {
    /// One for each leaf that is not a handle of the driver.
    given: Vec<Given>,
    arrays: Arrays,
}

impl Passing {
    /// Reads the arguments, of which there must be one for each leaf.
    ///
    /// # Safety
    /// The arguments have as many readable bytes as they say.
    pub(crate) unsafe fn read(leaves: &[Passed], arguments: &[CuteArgument]) -> Result<Self, String> {
        if leaves.len() != arguments.len() {
            let names: Vec<_> = leaves.iter().map(|p| format!("{} {}", p.argument, p.r#type)).collect();
            let (wanted, found, names) = (leaves.len(), arguments.len(), names.join(", "));
            return Err(format!("it is passed {wanted} values ({names}), found {found} arguments"));
        }
        let (mut given, mut arrays) = (Vec::new(), Arrays::new());
        for (number, (passed, argument)) in (1..).zip(leaves.iter().zip(arguments)) {
            // SAFETY: promised by the caller.
            let raw = unsafe { raw(argument, &mut arrays) }.map_err(|why| {
                format!("argument {number}: {} is {}: {why}", passed.leaf.text, passed.r#type)
            })?;
            // A run has the default stream and no events.
            if !matches!(passed.kind.as_str(), "stream" | "event") {
                given.push(Given::Raw(number, raw));
            }
        }
        match overlapping(&arrays) {
            Some(why) => Err(why),
            None => Ok(Self { given, arrays }),
        }
    }

    /// The arguments as a launch takes them.
    pub(crate) fn arguments(&self) -> Arguments<'_> {
        let (memory, sms) = (u64::MAX, Sms(None));
        let files = &NoFiles(|file| format!("'{file}' is not read: pass the array"));
        let variables = Variables::default();
        Arguments { given: &self.given, arrays: &[], variables, memory, sms, files, face: Face::C }
    }

    /// Copies arrays back that a kernel has written. One that it only reads may lie in memory that
    /// cannot be written.
    ///
    /// # Safety
    /// The arrays that a kernel writes have as many bytes to write to as they say.
    pub(crate) unsafe fn copy_back(&self, job: &Job<'_>, outcome: &Outcome) {
        let written = outcome.written.as_deref().unwrap_or_default();
        for ((data, size), bytes) in &self.arrays {
            let is_it = |array: &Array| array.rows.as_ref().is_some_and(|rows| Arc::ptr_eq(rows, bytes));
            let Some(number) = job.arrays.iter().position(is_it) else { continue };
            if written.get(number) == Some(&true) {
                // SAFETY: promised by the caller; an array that is written is not empty.
                let to = unsafe { slice::from_raw_parts_mut(*data, *size) };
                to.copy_from_slice(&outcome.arrays[number].rows(&job.arrays[number]));
            }
        }
    }
}

/// Why the arrays cannot be copied to the simulator one by one.
fn overlapping(arrays: &Arrays) -> Option<String> {
    let ranges: Vec<_> =
        arrays.keys().filter(|(_, size)| *size > 0).map(|(data, size)| (data.addr(), *size)).collect();
    // In the order of addresses, which is that of the map.
    ranges.windows(2).find_map(|pair| match *pair {
        [(a, size), (b, other)] if b - a < size => Some(format!(
            "an array of {size} bytes and one of {other} bytes, {} bytes after its start, overlap; pass one array",
            b - a
        )),
        _ => None,
    })
}

/// A copy of one argument.
///
/// # Safety
/// As for [`Passing::read`].
unsafe fn raw(argument: &CuteArgument, arrays: &mut Arrays) -> Result<Raw, String> {
    let CuteArgument { kind, data, size } = *argument;
    if data.is_null() && matches!(kind, ARRAY | VALUE | BYTES) && size > 0 {
        return Err(format!("{size} bytes at a null pointer"));
    }
    let copy = |data: *const u8, size: usize| {
        // SAFETY: promised by the caller; empty ones may have any pointer.
        let bytes = unsafe { elements("its bytes", data, size) }.map_err(|why| why.message)?;
        let mut copy = reserved(size)?;
        copy.extend_from_slice(bytes);
        Ok::<Arc<[u8]>, String>(copy.into())
    };
    let mut array = |data: *mut u8, size: usize| {
        Ok::<_, String>(match arrays.entry((data, size)) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(new) => new.insert(copy(data.cast_const(), size)?).clone(),
        })
    };
    match kind {
        NULL => Ok(Raw::Null),
        VALUE => Ok(Raw::Value(copy(data.cast_const(), size)?)),
        ARRAY => Ok(Raw::Array(array(data, size)?)),
        BYTES if size != size_of::<CuteBytes>() => {
            Err(format!("its size is {size}, but a cute_bytes has {} bytes", size_of::<CuteBytes>()))
        }
        BYTES => {
            // SAFETY: promised by the caller.
            let whole = unsafe { elements("its cute_bytes", data.cast_const().cast::<CuteBytes>(), 1) };
            let [CuteBytes { data, size, relocations, count }] = whole.map_err(|why| why.message)? else {
                return Err("its cute_bytes is missing".into());
            };
            // SAFETY: promised by the caller.
            let relocations = unsafe { elements("its relocations", *relocations, *count) };
            let one = |relocation: &CuteRelocation| {
                let CuteRelocation { offset, data, size, byte } = *relocation;
                let array = array(data, size)?;
                Ok(Relocation { at: offset as u64, array, byte: byte as u64 })
            };
            let relocations = relocations.map_err(|why| why.message)?.iter().map(one);
            Ok(Raw::Relocated(copy(*data, *size)?, relocations.collect::<Result<_, String>>()?))
        }
        kind => Err(format!("{kind} is not a kind of argument")),
    }
}
