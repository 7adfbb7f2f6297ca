//! Launches in the simulator.

use std::{collections::BTreeMap, ffi::c_char, slice};

use cute_driver::manifest::{Kernel, Passed};
use cute_session::{
    Launch, Shape,
    launch::{broken, misfit, number, the_kernel},
    simulate::simulate,
};
use cute_sim::{Buffer, Memory, Program};

use crate::{
    Failure, Status,
    calls::run,
    given::{elements, text},
    result::{CuteResult, MANIFEST, REPORT, REPORT_JSON},
    session::CuteSession,
};

/// `cute_launch`.
#[repr(C)]
pub struct CuteLaunch {
    kernel: *const c_char,
    grid: [u32; 3],
    block: [u32; 3],
    shared_memory: u32,
    cluster: [u32; 3],
}

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

/// `cute_simulate`.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_simulate(
    session: *const CuteSession,
    name: *const c_char,
    at: *const c_char,
    length: usize,
    launch: *const CuteLaunch,
    arguments: *const CuteArgument,
    count: usize,
    result: *mut *mut CuteResult,
) -> Status {
    // SAFETY: promised by the caller; this also holds in the closure.
    unsafe {
        run(session, (name, at, length), result, |session, source, parts| {
            let asked = launch.as_ref().ok_or_else(|| Failure::argument("the launch is null"))?;
            let wanted = text("the name of the kernel", asked.kernel)?;
            let arguments = elements("the arguments", arguments, count)?;
            let settings = session.settings()?;
            let file = source.name.clone();
            let (program, manifest) = session.call(parts, |s| {
                s.parsed(source, session.domain, |parsed| {
                    let mut lowered = parsed.lower(&settings)?;
                    let program = Program::decode(lowered.kernel_module()?);
                    let program = program.map_err(|why| Failure::new(Status::Failed, why.to_string()))?;
                    Ok::<_, Failure>((program, lowered.translate()?.manifest))
                })
            })?;
            parts.set(MANIFEST, manifest.to_json());
            let kernel = the_kernel(&manifest, &file, wanted)?;
            let shape = shape(asked, kernel);
            if let Some(why) = misfit(kernel, &shape, settings.target) {
                return Err(Failure::argument(format!("kernel '{}': {why}", kernel.name)));
            }
            let mut memory = Memory::new();
            let (words, arrays) = bind(&kernel.leaves(), arguments, &mut memory)
                .map_err(|why| Failure::argument(format!("kernel '{}': {why}", kernel.name)))?;
            let launch = Launch { kernel, shape, words };
            let report = simulate(&program, &session.checks, &launch, &mut memory, |_| {})?;
            parts.set(REPORT, report.to_string());
            parts.set(REPORT_JSON, serde_json::to_string_pretty(&report).expect("a report is JSON") + "\n");
            match report.errors().count() {
                0 => {}
                1 => return Err(found(kernel, "1 finding")),
                count => return Err(found(kernel, &format!("{count} findings"))),
            }
            for ((data, size), buffer) in arrays {
                let bytes = memory.download_bytes(buffer);
                slice::from_raw_parts_mut(data, size).copy_from_slice(&bytes);
            }
            Ok(())
        })
    }
}

fn found(kernel: &Kernel, count: &str) -> Failure {
    Failure::new(Status::Findings, format!("kernel '{}' has {count}", kernel.name))
}

/// The launch that is asked for, with the kernel's own numbers where it has zeros.
fn shape(asked: &CuteLaunch, kernel: &Kernel) -> Shape {
    let given = |extents: [u32; 3]| Some(extents).filter(|extents| *extents != [0; 3]);
    let required = kernel.block.map(|block| block.map(|n| n.max(0) as u32));
    let shared = kernel.shared_memory.dynamic_size.unwrap_or(0).min(u32::MAX.into()) as u32;
    Shape {
        kernel: kernel.name.clone(),
        grid: asked.grid,
        block: given(asked.block).or(required).unwrap_or([0; 3]),
        shared_memory: asked.shared_memory.max(shared),
        cluster: given(asked.cluster),
        cooperative: false,
        programmatic: false,
    }
}

/// The arrays of a call by their memory, each with its buffer in the simulator.
type Arrays = BTreeMap<(*mut u8, usize), Buffer>;

/// The words of a launch, and its arrays.
///
/// # Safety
/// The arguments have as many readable bytes as they say.
unsafe fn bind(
    leaves: &[Passed],
    arguments: &[CuteArgument],
    memory: &mut Memory,
) -> Result<(Vec<u64>, Arrays), String> {
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
    match broken(leaves, numbers.into_iter()) {
        Some(why) => Err(why),
        None => Ok((words, arrays)),
    }
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
    match kind {
        NULL if is_pointer => Ok(vec![0]),
        ARRAY if is_pointer => {
            // SAFETY: promised by the caller; an empty array may have any pointer.
            let bytes = unsafe { elements("its bytes", data, size) }.map_err(|why| why.message)?;
            let buffer = *arrays.entry((data, size)).or_insert_with(|| memory.upload_bytes(bytes));
            Ok(vec![memory.address(buffer).expect("the buffer is one of this memory")])
        }
        VALUE if is_pointer => Err("give it an array, or CUTE_NULL".into()),
        NULL | ARRAY => Err("give it a CUTE_VALUE".into()),
        VALUE if size as u64 != passed.width => {
            Err(format!("it has {} bytes, the argument has {size}", passed.width))
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
