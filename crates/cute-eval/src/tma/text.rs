//! The command `tma`: lists the transfers of a copy by the TMA, box by box.

use std::fmt::Write;

use cute_algebra::{Crd, Int, Layout, Tuple, crd2idx, size_at};
use cute_arch::tensor_map::TensorMap;
use serde_json::{Map, json};

use super::{
    algebra,
    parts::Place,
    request::{Copy, Kind},
};
use crate::{
    banks::missing,
    error::Result,
    eval::Session,
    inputs::{Inputs, number, put},
    leaf::Leaf,
    options::settings,
};

settings! {
    /// The options of `tma`.
    TmaOptions of "tma";
    /// The element type, such as f16, e4m3 or e2m1
    "element" "TYPE" => element: Option<String>,
    /// The element type that the descriptor names instead, such as tf32 for f32
    "as" "TYPE" => internal: Option<String>,
    /// The copy, such as SM90_TMA_LOAD (the default), SM90_TMA_LOAD_MULTICAST or SM90_TMA_STORE
    "copy" "ATOM" => copy: Option<String>,
    /// The number of CTAs that share a box
    "ctas" "N" => ctas: Option<u32>,
    /// The address of the tensor, in bytes
    "address" "BYTES" => address: Option<u64>,
}

/// The number of boxes that are listed one by one.
const LISTED: i64 = 16;

/// The copy of tiles of a tensor, and the name of its atom.
pub(crate) fn copy<'o>(
    session: &Session,
    [tensor, memory, tiler]: [&str; 3],
    options: &'o TmaOptions,
) -> Result<(Copy, &'o str)> {
    let element = options.element.as_deref();
    let element = element.ok_or_else(|| missing("tma", "the type of an element", "element", "TYPE"))?;
    let tensor = session.argument("the tensor", tensor)?;
    let unknown = tensor.not("a layout of integers; those of run time have a value, such as ?512");
    let tensor = tensor.plain()?;
    let mut inputs = Map::new();
    put(&mut inputs, "gmem_layout", &tensor).map_err(|_| unknown)?;
    let atom = options.copy.as_deref().unwrap_or("SM90_TMA_LOAD");
    for (key, value) in [
        ("op", json!(atom)),
        ("element_type", json!(element)),
        ("gmem_address", json!(options.address.unwrap_or(0))),
        ("smem_layout", json!(memory)),
        ("tiler", json!(tiler)),
        ("cluster", json!(options.ctas.unwrap_or(1).to_string())),
    ] {
        inputs.insert(key.into(), value);
    }
    if let Some(internal) = &options.internal {
        inputs.insert("tma_internal_type".into(), json!(internal));
    }
    Ok((Kind::Tiler { tiled: false }.copy(&Inputs(&inputs))?, atom))
}

/// The transfers of a copy of tiles of a tensor, as text.
pub fn list(session: &Session, words: [&str; 3], options: &TmaOptions) -> Result<String> {
    let (copy, atom) = copy(session, words, options)?;
    let element = options.element.as_deref().unwrap_or_default();
    listed(&copy, atom, element)
}

fn listed(copy: &Copy, atom: &str, element: &str) -> Result<String> {
    let map = copy.map()?;
    let mut text = format!("{atom} of {element}, boxes {}\n", copy.made.boxes.basis);
    descriptor(&mut text, copy, &map);
    if copy.is_partitioned() {
        boxes(&mut text, copy, &map)?;
    }
    for broken in map.broken() {
        line(&mut text, format_args!("the driver may refuse this: {broken}"));
    }
    Ok(text)
}

fn line(text: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{what}");
}

/// The fields of the descriptor, and its words.
fn descriptor(text: &mut String, copy: &Copy, map: &TensorMap) {
    line(
        text,
        format_args!(
            "\ndescriptor: elements {}, swizzle {}, address {:#x}",
            map.element, map.swizzle, map.address
        ),
    );
    line(text, format_args!("  mode      extent  stride in bytes   box"));
    for (i, (mode, whole)) in map.modes.iter().zip(&copy.made.boxes.modes).enumerate() {
        let shared = match whole.boxed == i64::from(mode.boxed) {
            true => String::new(),
            false => format!(" of {}, which {} CTAs share", whole.boxed, copy.ctas),
        };
        line(text, format_args!("  {i:4}  {:10}  {:15}  {:4}{shared}", mode.extent, mode.stride, mode.boxed));
    }
    match map.encode() {
        Ok(words) => {
            let used = words.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
            for (i, pair) in words[..used].chunks(4).enumerate() {
                let pair: Vec<_> = pair.iter().map(|word| format!("{word:016x}")).collect();
                line(text, format_args!("  words {:2}: {}", 4 * i, pair.join(" ")));
            }
            match map.assumed().as_slice() {
                [] => line(
                    text,
                    format_args!("  fields whose place is assumed: none; words from {used} on are 0"),
                ),
                fields => line(
                    text,
                    format_args!(
                        "  fields whose place is assumed: {}; words from {used} on are 0",
                        fields.join(", ")
                    ),
                ),
            }
        }
        Err(why) => line(text, format_args!("  the words are not known: {why}")),
    }
}

/// Coordinates of the tensor and bytes of the tile, for each box of the first tile.
fn boxes(text: &mut String, copy: &Copy, map: &TensorMap) -> Result<()> {
    let parts = copy.partition()?;
    let Some(first) = parts.first() else { return Ok(()) };
    let count = number(&algebra(size_at(&first.tensor.0, &[0, 1]))?)?;
    let tiles: Vec<_> = match copy.tiles()? {
        Some(tiles) => algebra(tiles.mode(1))?.shape().leaves().iter().map(number).collect::<Result<_>>()?,
        None => Vec::new(),
    };
    let own = map.box_bytes();
    let all = map.counted_bytes() * copy.ctas as u64 * count as u64;
    let tiles = tiles.iter().map(i64::to_string).collect::<Vec<_>>().join(" x ");
    let plural = |n: i64, what: &str| if n == 1 { format!("{n} {what}") } else { format!("{n} {what}es") };
    line(
        text,
        format_args!(
            "\n{tiles} tiles, each of {}: a barrier expects {all} bytes of a tile",
            plural(count, "box")
        ),
    );
    line(text, format_args!("  CTA   box  bytes  from byte  coordinates"));
    for part in &parts {
        for i in 0..count.min(LISTED) {
            let coordinates = at(&part.tensor, i)?;
            let coordinates: Vec<_> = coordinates.iter().map(i64::to_string).collect();
            let begin = at(&part.memory, i)?.first().copied().unwrap_or(0) * copy.value_bits / 8;
            line(
                text,
                format_args!("  {:3}  {i:4}  {own:5}  {begin:9}  ({})", part.cta, coordinates.join(",")),
            );
        }
    }
    if count > LISTED {
        line(text, format_args!("  and {} more of each CTA", plural(count - LISTED, "box")));
    }
    Ok(())
}

/// The offset of element `v` of box `i` of the first tile.
pub(super) fn element((layout, begin): &Place, v: i64, i: i64) -> Result<Vec<i64>> {
    let of_tile: Layout<Leaf> = algebra(layout.mode(0))?;
    let coordinate = [v, i].map(|index| Tuple::leaf(Crd::Int(Leaf::fixed(index))));
    let moved = algebra(crd2idx(&Tuple::from_modes(coordinate), &of_tile))?;
    sum(begin, &moved)
}

/// The offset of box `i` of the first tile.
fn at((layout, begin): &Place, i: i64) -> Result<Vec<i64>> {
    let of_box: Layout<Leaf> = algebra(layout.mode(0).and_then(|mode| mode.mode(1)))?;
    let moved = algebra(crd2idx(&Tuple::leaf(Crd::Int(Leaf::fixed(i))), &of_box))?;
    sum(begin, &moved)
}

/// The sum of an offset and a distance, coordinate by coordinate.
fn sum(begin: &Tuple<Leaf>, moved: &Tuple<Leaf>) -> Result<Vec<i64>> {
    let zero = Leaf::fixed(0);
    let sums = begin.leaves().iter().enumerate().map(|(k, begin)| {
        let step = match moved.is_leaf() {
            true if k > 0 => &zero,
            _ => moved.leaves().get(k).unwrap_or(&zero),
        };
        number(&algebra(begin.add(step))?)
    });
    sums.collect()
}
