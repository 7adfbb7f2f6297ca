//! Shared memory as lines of 128 bytes: the element at each place, in the order of the banks.

use cute_arch::banks::LINE_BYTES;

use super::{
    grid::limited,
    index::{Indices, bank_of, byte, line},
    physical::{Element, Physical},
};
use crate::{
    error::{Error, Result},
    svg::palette,
};

/// Bits of a line.
const LINE_BITS: i64 = LINE_BYTES as i64 * 8;

/// Bits that have one colour: four banks.
const GROUP_BITS: i64 = 128;

/// The memory behind a layout of elements of `bits`.
pub fn of(tile: &Indices, bits: i64) -> Result<Physical> {
    if bits < 1 || LINE_BITS % bits != 0 {
        return Err(Error::Request(format!(
            "elements of {bits} bits do not fill lines of {LINE_BYTES} bytes"
        )));
    }
    let indices = tile.indices()?;
    let [rows, columns] = tile.extents();
    let per_line = LINE_BITS / bits;
    let lines = indices.iter().map(|index| Ok(line(byte(*index, bits)?))).collect::<Result<Vec<_>>>()?;
    let first = lines.iter().copied().min().unwrap_or(0);
    let count = lines.iter().copied().max().unwrap_or(0) - first + 1;
    limited([count, per_line])?;
    // The colour shows where 16 bytes of the tile went, along the mode that is contiguous.
    let step = |other: usize| indices.get(other).map_or(u64::MAX, |index| index.abs_diff(indices[0]));
    let goes_down = rows > 1 && (columns == 1 || step(columns as usize) < step(1));
    let chunk = (GROUP_BITS / bits).max(1);
    let mut memory = Physical {
        title: format!(
            "shared memory: a line of {LINE_BYTES} bytes in each row, banks across; a colour is 16 bytes of a {} of the tile",
            if goes_down { "column" } else { "row" }
        ),
        of: Some(0),
        across: columns,
        rows: (first..first + count).map(|line| line.to_string()).collect(),
        columns: (0..per_line).map(|place| bank_of(place * bits / 8).to_string()).collect(),
        words: ["line", "bank"],
        axes: vec!["i", "j"],
        ..Physical::default()
    }
    .emptied()?;
    for (cell, (index, line)) in (0..).zip(indices.iter().zip(lines)) {
        let (row, column) = (cell / columns, cell % columns);
        let along = if goes_down { row } else { column };
        let element = Element {
            cell: [row, column],
            coordinate: vec![row, column],
            colour: (along / chunk % palette::HUES_ONLY as i64) as usize,
            count: 1,
        };
        memory.put([line - first, index.rem_euclid(per_line)], element);
    }
    Ok(memory)
}
