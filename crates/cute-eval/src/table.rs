//! The values of a layout as a table, as CuTe's `print_layout` draws it. The modes of a
//! hierarchical layout have their coordinates at the rim.

use cute_algebra::{AnyLayout, Int, LayoutLike, cosize};
use serde_json::{Value as Json, json};

use crate::{
    error::{Error, Result},
    leaf::Leaf,
    matrix::Matrix,
    registry::Arg,
    structure,
    value::{Value, show_layout},
};

/// The maximum number of cells to print.
const MAX_CELLS: i64 = 1 << 14;

/// The values of a layout: mode 0 down, the other modes across, first mode fastest.
pub struct Table {
    layout: AnyLayout<Leaf>,
    rows: Vec<String>,
    columns: Vec<String>,
    /// The cells row by row.
    cells: Vec<Vec<Value>>,
    least: usize,
}

impl Table {
    /// The table of a layout.
    pub fn of(Arg { column, value, .. }: Arg) -> Result<Self> {
        let matrix = Matrix::of("table", column, value)?;
        let total = matrix.rows * matrix.columns;
        if total > MAX_CELLS {
            let why =
                format!("a table of {total} cells: at most {MAX_CELLS} are printed; slice the layout first");
            return Err(Error::Table { column, why });
        }
        let row = |i| (0..matrix.columns).map(|j| Ok(Value::Tuple(matrix.value(i, j)?))).collect();
        let cells = (0..matrix.rows).map(row).collect::<Result<_>>()?;
        let rows = (0..matrix.rows).map(|i| matrix.row_label(i)).collect::<Result<_>>()?;
        let columns = (0..matrix.columns).map(|j| matrix.column_label(j)).collect::<Result<_>>()?;
        let layout = matrix.layout;
        // Cells are as wide as the cosize, which may have one digit more than the largest value.
        let least = match cosize(&layout).ok().and_then(|cosize| cosize.as_static()) {
            Some(cosize) if !layout.outer().has_basis() => cosize.to_string().len(),
            _ => 1,
        };
        Ok(Self { layout, rows, columns, cells, least })
    }

    /// The table as `print_layout` draws it.
    pub fn text(&self) -> String {
        let cells: Vec<Vec<String>> =
            self.cells.iter().map(|row| row.iter().map(Value::to_string).collect()).collect();
        let lengths = cells.iter().flatten().chain(&self.columns).map(String::len);
        let width = lengths.chain([self.least]).max().unwrap_or(1);
        let margin = self.rows.iter().map(String::len).chain([2]).max().unwrap_or(2);
        let indent = " ".repeat(margin + 2);
        let rule = format!("{indent}{}+\n", format!("+{}", "-".repeat(width + 2)).repeat(self.columns.len()));
        let mut text = format!("{}\n{indent}", show_layout(&self.layout));
        for column in &self.columns {
            text.push_str(&format!("  {column:>width$} "));
        }
        text.push('\n');
        for (label, row) in self.rows.iter().zip(&cells) {
            text.push_str(&format!("{rule}{label:>margin$}  "));
            for cell in row {
                text.push_str(&format!("| {cell:>width$} "));
            }
            text.push_str("|\n");
        }
        text.push_str(&rule);
        text
    }

    /// The table as a JSON object.
    pub fn structure(&self) -> Json {
        let row = |row: &Vec<Value>| row.iter().map(structure::of).collect::<Json>();
        let layout = structure::of(&Value::Layout(self.layout.clone()));
        let cells: Json = self.cells.iter().map(row).collect();
        json!({ "layout": layout, "rows": self.rows, "columns": self.columns, "cells": cells })
    }
}
