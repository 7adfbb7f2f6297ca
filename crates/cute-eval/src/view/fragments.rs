//! The registers of threads: the element that each value of each thread is.

use super::physical::{Element, Physical};
use crate::{
    error::{Error, Result},
    svg::{MAX_CELLS, owners::Owners, palette},
};

/// The values of the threads of a tile. `axes` are the names of its modes; the table of the picture
/// has the number `of`, and is drawn `transposed` or not.
pub fn of(
    owners: &Owners,
    title: String,
    axes: [&'static str; 2],
    of: usize,
    transposed: bool,
) -> Result<Physical> {
    let [rows, columns] = owners.extents();
    let held = owners.held(MAX_CELLS)?;
    let mut threads: Vec<i64> = held.iter().map(|held| held.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    let values = held.iter().map(|held| held.value + 1).max().unwrap_or(0);
    if threads.is_empty() {
        return Err(Error::Request(format!("no thread has an element of {title}")));
    }
    let mut registers = Physical {
        title: format!("{title}: threads down, values across"),
        of: Some(of),
        across: if transposed { rows } else { columns },
        rows: threads.iter().map(i64::to_string).collect(),
        columns: (0..values).map(|value| value.to_string()).collect(),
        words: ["thread", "value"],
        axes: axes.to_vec(),
        ..Physical::default()
    }
    .emptied()?;
    for held in held {
        let (i, j) = (held.index % rows.max(1), held.index / rows.max(1));
        let row = threads.binary_search(&held.thread).unwrap_or(0) as i64;
        let element = Element {
            cell: if transposed { [j, i] } else { [i, j] },
            coordinate: vec![i, j],
            colour: palette::of_thread(held.thread),
            count: 1,
        };
        registers.put([row, held.value], element);
    }
    Ok(registers)
}
