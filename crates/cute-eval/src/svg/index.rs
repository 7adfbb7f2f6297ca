//! Draws a layout as the table of its indices, optionally with the banks of shared memory in which
//! they lie.

use cute_algebra::{LayoutLike, Tuple};

use super::{
    drawn,
    palette::HUES_ONLY,
    sheet::{Cell, Grid, Sheet},
};
use crate::{
    error::{Error, Result, SettingError},
    leaf::Leaf,
    matrix::Matrix,
    value::{Value, show_layout, show_tuple},
};

/// The number of bits that one group of banks of shared memory serves at once: 4 banks of 32 bits,
/// which is the widest access of a thread.
const GROUP_BITS: i64 = 4 * 32;

/// Groups of banks.
const GROUPS: i64 = 8;

/// The number that determines the colour: the index, or the sum of coordinates, so that neighbours
/// differ.
pub fn number(value: &Tuple<Leaf>) -> i64 {
    use cute_algebra::Int;
    value.leaves().iter().filter_map(Int::as_static).fold(0, i64::wrapping_add)
}

/// Checks that an element has a number of bits whose banks can be shown.
pub fn check_bits(bits: i64) -> Result<()> {
    match (1..=GROUP_BITS).contains(&bits) {
        true => Ok(()),
        false => Err(Error::Setting(SettingError::Bad {
            option: "bits",
            given: bits.to_string(),
            rule: format!("an element has 1 to {GROUP_BITS} bits"),
        })),
    }
}

/// The colour of an index; with the `bits` of an element, that of its group of banks.
pub fn colour(index: i64, bits: Option<i64>) -> usize {
    let Some(bits) = bits else { return index.rem_euclid(HUES_ONLY as i64) as usize };
    (i128::from(index) * i128::from(bits)).div_euclid(GROUP_BITS.into()).rem_euclid(GROUPS.into()) as usize
}

/// The colours of the groups of banks, each with its meaning.
pub fn legend() -> Vec<(usize, String)> {
    let banks = |group| format!("banks {} to {}", 4 * group, 4 * group + 3);
    (0..GROUPS).map(|group| (group as usize, banks(group))).collect()
}

/// The table of the layout; with the `bits` of an element, coloured by the group of banks.
pub fn sheet(column: usize, value: Value, bits: Option<i64>, corner: Option<i64>) -> Result<Sheet> {
    let fail = |why: String| Error::Table { column, why };
    let start = match &value {
        Value::Part { offset, .. } => Some(show_tuple(offset)),
        _ => None,
    };
    let matrix = Matrix::of("picture", column, value)?;
    let extents = drawn(column, [matrix.rows, matrix.columns], corner)?;
    if let Some(bits) = bits {
        check_bits(bits)?;
        if matrix.layout.outer().has_basis() {
            let layout = show_layout(&matrix.layout);
            return Err(fail(format!("--bits needs a layout of memory, but {layout} has coordinates")));
        }
    }
    let grid = Grid::new("", extents, |i, j| {
        let value = matrix.value(i, j)?;
        Ok(Some(Cell { lines: vec![show_tuple(&value)], colour: colour(number(&value), bits) }))
    })?;
    let mut sheet =
        Sheet { title: show_layout(&matrix.layout), grids: vec![vec![Some(grid)]], ..Sheet::default() };
    match bits {
        Some(bits) => {
            sheet.legend = legend();
            sheet.notes.push(format!(
                "Elements of {bits} bits in shared memory: each colour is one unit of 16 bytes in rows of 128."
            ));
        }
        None if matrix.layout.outer().has_basis() => {
            sheet.notes.push("The colour is the sum of the coordinates modulo 8.".into());
        }
        None => sheet.notes.push("The colour is the index modulo 8.".into()),
    }
    sheet.notes.extend(start.map(|offset| format!("Where it starts, {offset}, is not added.")));
    Ok(sheet)
}
