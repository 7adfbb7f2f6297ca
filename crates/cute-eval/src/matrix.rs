//! A static layout as a matrix of its values: mode 0 down, the other modes across, first mode
//! fastest.

use cute_algebra::{AnyLayout, Crd, Int, LayoutLike, Tuple, crd2idx, idx2crd, product};

use crate::{
    error::{Error, Result, at},
    leaf::Leaf,
    registry::Arg,
    value::{Value, show_layout, show_tuple},
};

/// A layout as rows and columns.
#[derive(Debug)]
pub struct Matrix {
    pub layout: AnyLayout<Leaf>,
    /// Size of mode 0.
    pub rows: i64,
    /// Size of the other modes.
    pub columns: i64,
    column: usize,
}

impl Matrix {
    /// The matrix of a layout that starts at `column`; `noun` names the presentation in errors,
    /// such as "table".
    pub fn of(noun: &str, column: usize, value: Value) -> Result<Self> {
        let value = match value {
            Value::Part { layout, .. } => Value::Layout(layout),
            other => other,
        };
        let layout = Arg { what: format!("the {noun}").into(), column, value }.layout()?;
        if !layout.is_static() {
            let why =
                format!("a {noun} needs a static layout, but {} has dynamic leaves", show_layout(&layout));
            return Err(Error::Table { column, why });
        }
        let shape = layout.outer().shape();
        let extent = |size: Leaf| size.as_static().expect("the layout is static");
        let rows = match shape.mode(0) {
            Some(mode) => extent(at(column, product(mode))?),
            None => 1,
        };
        let columns = extent(at(column, product(shape.view()))?) / rows.max(1);
        Ok(Self { layout, rows, columns, column })
    }

    /// The label of row `i`: its coordinate in mode 0.
    pub fn row_label(&self, i: i64) -> Result<String> {
        match self.layout.outer().shape().mode(0) {
            Some(mode) => self.coordinate(i, &mode.to_owned()),
            None => Ok(i.to_string()),
        }
    }

    /// The label of column `j`: its coordinate in the other modes.
    pub fn column_label(&self, j: i64) -> Result<String> {
        let shape = self.layout.outer().shape();
        match (shape.rank(), shape.mode(1)) {
            (2, Some(mode)) => self.coordinate(j, &mode.to_owned()),
            (3.., _) => self.coordinate(j, &at(self.column, shape.take(1, shape.rank()))?),
            _ => Ok(j.to_string()),
        }
    }

    fn coordinate(&self, index: i64, shape: &Tuple<Leaf>) -> Result<String> {
        Ok(show_tuple(&at(self.column, idx2crd(&Tuple::leaf(Leaf::fixed(index)), shape))?))
    }

    /// The value at (row, column).
    pub fn value(&self, i: i64, j: i64) -> Result<Tuple<Leaf>> {
        let coord = Tuple::leaf(Crd::Int(Leaf::fixed(i + j * self.rows)));
        at(self.column, crd2idx(&coord, &self.layout))
    }
}
