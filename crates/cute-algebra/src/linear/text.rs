//! The text of a linear layout, in Triton's notation: `{lane = [[1, 0], [2, 0]], warp = []}`
//! followed by `-> (dim0 = 4, dim1 = 1)`.
//!
//! There is one entry per bit of the input, lowest first, and each entry has one value per output
//! dimension. The names and sizes of the output dimensions follow the arrow. Without an arrow they
//! are called `dim0`, `dim1`, .. and are as large as the values need.

use std::{fmt, str::FromStr};

use super::{Dimension, LinearLayout, MAX_BITS, error, pack, unpack};
use crate::text::{
    ParseError,
    cursor::{Cursor, Result, at},
};

impl fmt::Display for LinearLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut images = self.images.iter();
        write!(f, "{{")?;
        for (i, d) in self.inputs.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            let values: Vec<_> =
                images.by_ref().take(d.bits as usize).map(|image| unpack(&self.outputs, *image)).collect();
            write!(f, "{comma}{} = {values:?}", d.name)?;
        }
        let sizes: Vec<String> =
            self.outputs.iter().map(|d| format!("{} = {}", d.name, 1u64 << d.bits)).collect();
        write!(f, "}} -> ({})", sizes.join(", "))
    }
}

impl FromStr for LinearLayout {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self> {
        let mut cursor = Cursor::new(text);
        cursor.expect("{", "`{`")?;
        let inputs = cursor.list(",", "}", "`,` or `}`", input)?;
        let column = cursor.column();
        let outputs = if cursor.eat("->") {
            cursor.expect("(", "`(`")?;
            cursor.list(",", ")", "`,` or `)`", output)?
        } else {
            covering(&inputs)
        };
        cursor.end("`->` or the end")?;
        let dimensions = inputs.iter().map(|(name, values)| Dimension::new(*name, values.len() as u32));
        let words =
            inputs.iter().flat_map(|(_, values)| values).map(|values| pack("output", &outputs, values));
        let images = at(column, words.collect())?;
        at(column, Self::new(dimensions.collect(), outputs.clone(), images))
    }
}

/// `name = [[..], ..]`
fn input<'a>(cursor: &mut Cursor<'a>) -> Result<(&'a str, Vec<Vec<i64>>)> {
    let name = cursor.word("a name")?;
    cursor.expect("=", "`=`")?;
    let values = brackets(cursor, |cursor| brackets(cursor, |cursor| cursor.integer()))?;
    Ok((name, values))
}

fn brackets<'a, T>(
    cursor: &mut Cursor<'a>,
    item: impl FnMut(&mut Cursor<'a>) -> Result<T>,
) -> Result<Vec<T>> {
    cursor.expect("[", "`[`")?;
    cursor.list(",", "]", "`,` or `]`", item)
}

/// `name = size`
fn output(cursor: &mut Cursor<'_>) -> Result<Dimension> {
    let name = cursor.word("a name")?;
    cursor.expect("=", "`=`")?;
    let column = cursor.column();
    let size = cursor.integer()?;
    let power = size > 0 && size.count_ones() == 1 && size.trailing_zeros() <= MAX_BITS;
    if !power {
        return at(column, Err(error(format!("size {size} of {name} is not a power of two"))));
    }
    Ok(Dimension::new(name, size.trailing_zeros()))
}

/// `dim0`, `dim1`, .. as large as the values need.
fn covering(inputs: &[(&str, Vec<Vec<i64>>)]) -> Vec<Dimension> {
    let values = || inputs.iter().flat_map(|(_, values)| values);
    let rank = values().map(Vec::len).max().unwrap_or(0);
    let bits = |i: usize| {
        let all = values().filter_map(|value| value.get(i)).fold(0, |all, value| all | value);
        u64::BITS - all.cast_unsigned().leading_zeros()
    };
    (0..rank).map(|i| Dimension::new(format!("dim{i}"), bits(i))).collect()
}
