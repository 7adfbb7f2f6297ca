//! The arguments of a kernel or host function, as C passes them.

use std::{collections::BTreeMap, slice};

use cute_launch::launch::{broken, number};
use cute_manifest::Passed;
use cute_sim::{Buffer, Memory};

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

/// The arrays of a call by their memory, each with its buffer in the simulator.
type Arrays = BTreeMap<(*mut u8, usize), Buffer>;

/// The words of a kernel or host function, and the arrays in the simulator's memory.
pub(crate) struct Bound {
    pub(crate) words: Vec<u64>,
    arrays: Arrays,
}

impl Bound {
    /// Copies arrays back that a kernel has written. One that it only reads may lie in memory that
    /// cannot be written.
    ///
    /// # Safety
    /// The arrays that a kernel writes have as many bytes to write to as they say.
    pub(crate) unsafe fn copy_back(&self, memory: &Memory) {
        for ((data, size), buffer) in &self.arrays {
            if memory.is_written(*buffer) {
                // SAFETY: promised by the caller; an array that is written is not empty.
                let to = unsafe { slice::from_raw_parts_mut(*data, *size) };
                to.copy_from_slice(&memory.download_bytes(*buffer));
            }
        }
    }
}

/// Copies the arguments into the simulator's memory.
///
/// # Safety
/// The arguments have as many readable bytes as they say.
pub(crate) unsafe fn bind(
    leaves: &[Passed],
    arguments: &[CuteArgument],
    memory: &mut Memory,
) -> Result<Bound, String> {
    if leaves.len() != arguments.len() {
        let names: Vec<_> = leaves.iter().map(|p| format!("{} {}", p.argument, p.r#type)).collect();
        let (wanted, found) = (leaves.len(), arguments.len());
        return Err(format!("it is passed {wanted} values ({}), found {found} arguments", names.join(", ")));
    }
    let (mut words, mut arrays, mut numbers) = (Vec::new(), Arrays::new(), Vec::new());
    for (passed, argument) in leaves.iter().zip(arguments) {
        // SAFETY: promised by the caller.
        let own = unsafe { values(passed, argument, memory, &mut arrays) }
            .map_err(|why| format!("{} is {}: {why}", passed.leaf.text, passed.r#type))?;
        let bits = (8 * passed.width).min(64) as u32;
        numbers.push(own.first().filter(|_| own.len() == 1).and_then(|word| number(passed, *word, bits)));
        words.extend(own);
    }
    if let Some(why) = overlapping(&arrays) {
        return Err(why);
    }
    match broken(leaves, numbers.into_iter()) {
        Some(why) => Err(why),
        None => Ok(Bound { words, arrays }),
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

/// The words of one argument.
///
/// # Safety
/// As for [`bind`].
unsafe fn values(
    passed: &Passed,
    argument: &CuteArgument,
    memory: &mut Memory,
    arrays: &mut Arrays,
) -> Result<Vec<u64>, String> {
    let CuteArgument { kind, data, size } = *argument;
    if data.is_null() && (kind == ARRAY || kind == VALUE) && size > 0 {
        return Err(format!("{size} bytes at a null pointer"));
    }
    let is_pointer = passed.kind == "pointer";
    // PTX does not say whether a word is an address.
    let may_point = is_pointer || passed.kind == "word";
    match kind {
        NULL if may_point || matches!(passed.kind.as_str(), "stream" | "event") => Ok(vec![0]),
        ARRAY if may_point => {
            // SAFETY: promised by the caller; an empty array may have any pointer.
            let bytes = unsafe { elements("its bytes", data, size) }.map_err(|why| why.message)?;
            let buffer = match arrays.get(&(data, size)) {
                Some(known) => *known,
                None => {
                    let none = || format!("there is no memory for an array of {size} bytes");
                    let buffer = memory.try_upload_bytes(bytes).ok_or_else(none)?;
                    arrays.insert((data, size), buffer);
                    buffer
                }
            };
            Ok(vec![memory.address(buffer).expect("the buffer is one of this memory")])
        }
        VALUE if is_pointer => Err("give it an array, or CUTE_NULL".into()),
        NULL | ARRAY => Err("give it a CUTE_VALUE".into()),
        VALUE if size as u64 != passed.width => {
            Err(format!("it has {} bytes, but the argument has {size}", passed.width))
        }
        VALUE => {
            // SAFETY: promised by the caller; the width of a leaf is not 0.
            let bytes = unsafe { slice::from_raw_parts(data, size) };
            let word = |bytes: &[u8]| {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                u64::from_le_bytes(word)
            };
            Ok(bytes.chunks(8).map(word).collect())
        }
        kind => Err(format!("{kind} is not a kind of argument")),
    }
}
