//! A static layout as a matrix of its values: mode 0 down, the other modes across, first mode fastest.

use cute_algebra::{AnyLayout, Crd, Int, LayoutLike, Tuple, crd2idx, product};

use crate::{
    error::{Error, Result, at},
    leaf::Leaf,
    registry::Arg,
    value::{Value, show_layout},
};

/// A layout as rows and columns.
#[derive(Debug)]
pub struct Matrix {
    /// What it shows.
    pub layout: AnyLayout<Leaf>,
    /// Size of mode 0.
    pub rows: i64,
    /// Size of the other modes.
    pub columns: i64,
    column: usize,
}

impl Matrix {
    /// The matrix of a layout that starts at `column`; `noun` is what shows it, "table".
    pub fn of(noun: &str, column: usize, value: Value) -> Result<Self> {
        let value = match value {
            Value::Part { layout, .. } => Value::Layout(layout),
            other => other,
        };
        let layout = Arg { what: format!("the {noun}"), column, value }.layout()?;
        if !layout.is_static() {
            let why = format!("a {noun} needs a static layout, {} has dynamic leaves", show_layout(&layout));
            return Err(Error::Table { column, why });
        }
        let shape = layout.outer().shape();
        let extent = |size: Leaf| size.as_static().unwrap_or(0);
        let rows = match shape.mode(0) {
            Some(mode) => extent(at(column, product(mode))?),
            None => 1,
        };
        let columns = extent(at(column, product(shape.view()))?) / rows.max(1);
        Ok(Self { layout, rows, columns, column })
    }

    /// The value at (row, column).
    pub fn value(&self, i: i64, j: i64) -> Result<Tuple<Leaf>> {
        let coord = Tuple::leaf(Crd::Int(Leaf::fixed(i + j * self.rows)));
        at(self.column, crd2idx(&coord, &self.layout))
    }
}
