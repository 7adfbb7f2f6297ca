//! Arguments for a kernel about which nothing but its text is known, in the words of
//! `cutec run --arg`. A person corrects them.
//!
//! Arrays are larger than a kernel of small numbers needs, so that a wrong guess of a size does
//! not look like an access out of bounds: memory that is not touched costs nothing. Numbers are
//! extents and strides more often than anything else.

use crate::flow::{Flow, Place, Pointer};
use cute_arch::Target;
use cute_manifest::{Argument, Kernel, Parameter};
use serde::Serialize;
use std::fmt::Write;

/// The number in the place of an unknown extent or stride.
const NUMBER: u64 = 256;

/// Elements of an array.
const ELEMENTS: u64 = 1 << 18;

/// Threads of a block whose size the kernel leaves open: two warps, so that they may race.
const THREADS: u32 = 64;

/// A launch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Launch {
    pub(crate) args: Vec<String>,
    pub(crate) arrays: Vec<String>,
    pub(crate) grid: [u32; 3],
    /// `None` where the kernel has one.
    pub(crate) block: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory, if the kernel uses it.
    pub(crate) shared: Option<u32>,
}

/// A launch of a kernel.
pub(crate) fn launch(kernel: &Kernel, flow: &Flow<'_>, target: Target) -> Launch {
    let mut launch = Launch {
        grid: grid(kernel, flow),
        block: block(kernel, flow),
        shared: kernel.shared_memory.dynamic.then(|| {
            let used = u32::try_from(kernel.shared_memory.r#static).unwrap_or(u32::MAX);
            target.max_dynamic_shared_memory().saturating_sub(used) / 1024 * 1024
        }),
        ..Launch::default()
    };
    for (i, (argument, parameter)) in kernel.arguments.iter().zip(&kernel.parameters).enumerate() {
        let text = one(argument, parameter, i, flow, &mut launch.arrays);
        launch.args.push(text);
    }
    launch
}

fn positive(sizes: [i32; 3]) -> [u32; 3] {
    sizes.map(|n| u32::try_from(n).unwrap_or(1).max(1))
}

/// Two clusters, or two blocks along each mode that the kernel reads.
fn grid(kernel: &Kernel, flow: &Flow<'_>) -> [u32; 3] {
    let [x, y, z] = match (kernel.cluster, kernel.grid_of_clusters) {
        (Some(cluster), false) => positive(cluster),
        _ => [1; 3],
    };
    let rows = if flow.is_flat.uses_rows_of_blocks { 2 } else { 1 };
    if x * y * z > 1 { [x, y * rows, z] } else { [2, rows, 1] }
}

fn block(kernel: &Kernel, flow: &Flow<'_>) -> Option<[u32; 3]> {
    match (kernel.block, kernel.max_block) {
        (Some(_), _) => None,
        (None, Some(most)) => Some(positive(most)),
        (None, None) if flow.is_flat.uses_rows_of_threads => Some([16, 16, 1]),
        (None, None) => Some([THREADS, 1, 1]),
    }
}

/// The argument for a parameter.
fn one(
    argument: &Argument,
    parameter: &Parameter,
    i: usize,
    flow: &Flow<'_>,
    arrays: &mut Vec<String>,
) -> String {
    let place = (i, 0);
    // A map is aligned like no other struct of its size.
    let is_like_map = (parameter.width, parameter.alignment >= 64, flow.modes > 0) == (128, true, true);
    if let Some(modes) = flow.maps.get(&place).copied().or(is_like_map.then_some(flow.modes)) {
        let name = format!("{}_tensor", argument.name);
        arrays.push(format!("{name}:{}=random({})", extents(flow.product, modes), i + 1));
        let map = format!("tensor_map({name},box={})", join(vec![64; modes.max(1) as usize]));
        return if parameter.kind == "bytes" { map } else { format!("&{map}") };
    }
    match parameter.kind.as_str() {
        "bytes" => bytes(argument, parameter, i, flow, arrays),
        "pointer" => pointer(&argument.name, flow.pointers.get(&place), flow, i),
        "word" => match flow.pointers.get(&place) {
            Some(accessed) if accessed.is_accessed => pointer(&argument.name, Some(accessed), flow, i),
            _ => number(flow.loads.get(&place).copied()),
        },
        _ => number(flow.loads.get(&place).copied()),
    }
}

/// A number by the type that it is used as.
fn number(ty: Option<&str>) -> String {
    match ty {
        Some(ty) if ty.starts_with('f') || ty.starts_with("bf") => "1".to_owned(),
        _ => NUMBER.to_string(),
    }
}

fn join(extents: Vec<u64>) -> String {
    extents.iter().map(u64::to_string).collect::<Vec<_>>().join("x")
}

/// The type and the extents of an array behind a tensor map.
fn extents(element: Option<&str>, modes: u32) -> String {
    let extents = match modes {
        0 | 1 => vec![ELEMENTS],
        2 => vec![512; 2],
        modes => [vec![4; modes as usize - 2], vec![128; 2]].concat(),
    };
    format!("{}[{}]", element.unwrap_or("f32"), join(extents))
}

/// An array, or null where nothing is behind the address.
fn pointer(name: &str, accessed: Option<&Pointer<'_>>, flow: &Flow<'_>, i: usize) -> String {
    let Some(accessed) = accessed.filter(|pointer| pointer.is_accessed) else { return "null".to_owned() };
    array(name, accessed, flow, i)
}

fn array(name: &str, accessed: &Pointer<'_>, flow: &Flow<'_>, i: usize) -> String {
    let element = element(accessed, flow);
    let is_float = element.starts_with('f') || element.starts_with("bf");
    // Integers may be indices, for which 0 is the safest.
    let values = if accessed.is_read && is_float { format!("=random({})", i + 1) } else { String::new() };
    format!("{name}:{element}[{ELEMENTS}]{values}")
}

/// The type of the elements that accesses have.
fn element(accessed: &Pointer<'_>, flow: &Flow<'_>) -> String {
    let ty = accessed.ty.map(|ty| ty.trim_end_matches("x2"));
    let of_product = || flow.product.map(str::to_owned);
    match (ty, accessed.bytes) {
        (Some(ty), _) if ty.starts_with('f') || ty.starts_with("bf") => ty.to_owned(),
        // A copy has no type: it is that of the products, if its size is.
        (None, Some(1)) => of_product().filter(|ty| ty.ends_with('8') || ty.len() > 4).unwrap_or("u8".into()),
        (None, Some(2)) => of_product().filter(|ty| ty.ends_with("16")).unwrap_or("f16".into()),
        (None, _) => of_product().unwrap_or("f32".into()),
        (Some(_), Some(2)) => of_product().filter(|ty| ty.ends_with("16")).unwrap_or("i16".into()),
        (Some(ty), bytes) => {
            let digits = ty.trim_start_matches(|c: char| c.is_ascii_alphabetic());
            let bits = match (digits.parse::<u64>(), bytes) {
                (Ok(bits @ (8 | 16 | 32 | 64)), _) => bits,
                (_, bytes) => 8 * bytes.unwrap_or(4),
            };
            format!("{}{bits}", if ty.starts_with('u') { 'u' } else { 'i' })
        }
    }
}

/// A struct with the fields that the kernel loads, if they lie where C puts them and fill it:
/// `{&s_0,i32=256,f32=1}`.
fn fields(
    argument: &Argument,
    parameter: &Parameter,
    i: usize,
    flow: &Flow<'_>,
) -> Option<(String, Vec<String>)> {
    let (mut end, mut most, mut texts, mut arrays) = (0u64, 1u64, Vec::new(), Vec::new());
    for (place, ty) in flow.loads.iter().filter(|(place, _)| place.0 == i) {
        let bits: u64 = ty.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse().ok()?;
        let size = bits / 8;
        if !matches!(size, 1 | 2 | 4 | 8) || place.1 != end.next_multiple_of(size) {
            return None;
        }
        (end, most) = (place.1 + size, most.max(size));
        let accessed = flow.pointers.get(place).filter(|pointer| pointer.is_accessed);
        texts.push(match accessed {
            Some(accessed) => {
                let name = format!("{}_{}", argument.name, place.1);
                arrays.push(array(&name, accessed, flow, i));
                format!("&{name}")
            }
            None if ty.starts_with('f') || ty.starts_with("bf") => format!("{ty}=1"),
            // Less than 32 bits hold flags more often than extents.
            None if size < 4 => format!("i{bits}=0"),
            None => format!("i{bits}={NUMBER}"),
        });
    }
    let is_whole = !texts.is_empty() && end.next_multiple_of(most) == parameter.width;
    is_whole.then(|| (format!("{{{}}}", texts.join(",")), arrays))
}

/// A struct as its fields, or as the bytes of its numbers with the addresses and the maps in it.
fn bytes(
    argument: &Argument,
    parameter: &Parameter,
    i: usize,
    flow: &Flow<'_>,
    arrays: &mut Vec<String>,
) -> String {
    if let Some((text, own)) = fields(argument, parameter, i, flow) {
        arrays.extend(own);
        return text;
    }
    let width = usize::try_from(parameter.width).unwrap_or(0);
    let mut held = vec![0u8; width];
    let mut addresses = Vec::new();
    let is_own = |from: &Place| from.0 == i;
    for (place, ty) in flow.loads.iter().filter(|(place, _)| is_own(place)) {
        let at = usize::try_from(place.1).unwrap_or(usize::MAX);
        let accessed = flow.pointers.get(place).filter(|pointer| pointer.is_accessed);
        if let Some(accessed) = accessed {
            let name = format!("{}_{at}", argument.name);
            arrays.push(array(&name, accessed, flow, i));
            addresses.push(format!("{at}:&{name}"));
            continue;
        }
        let value: &[u8] = match *ty {
            "f32" => &1f32.to_le_bytes(),
            "f64" => &1f64.to_le_bytes(),
            ty if ty.ends_with("64") => &NUMBER.to_le_bytes(),
            ty if ty.ends_with("32") => &(NUMBER as u32).to_le_bytes(),
            ty if ty.ends_with("16") && !ty.starts_with('f') => &(NUMBER as u16).to_le_bytes(),
            _ => &[],
        };
        if let Some(room) = at.checked_add(value.len()).and_then(|end| held.get_mut(at..end)) {
            room.copy_from_slice(value);
        }
    }
    for (place, modes) in flow.maps.iter().filter(|(place, _)| is_own(place)) {
        let name = format!("{}_{}_tensor", argument.name, place.1);
        arrays.push(format!("{name}:{}=random({})", extents(flow.product, *modes), i + 1));
        let boxed = join(vec![64; (*modes).max(1) as usize]);
        addresses.push(format!("{}:tensor_map({name},box={boxed})", place.1));
    }
    let hex = held.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    let addresses = if addresses.is_empty() { String::new() } else { format!("{{{}}}", addresses.join(",")) };
    format!("bytes(0x{hex}){addresses}")
}
