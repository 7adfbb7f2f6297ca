//! The contents of a picture: tables of coloured cells, arranged in rows and columns. This module
//! is independent of layouts and of drawing.

use crate::error::Result;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// Its text, line by line.
    pub lines: Vec<String>,
    /// Its colour, an index of the palette.
    pub colour: usize,
}

/// A table, with the indices of rows and columns at its rim.
#[derive(Debug)]
pub(crate) struct Grid {
    /// The title; may be empty.
    pub title: String,
    /// The number of rows.
    pub rows: i64,
    /// The number of columns.
    pub columns: i64,
    /// The cells row by row; `None` for an empty place.
    pub cells: Vec<Option<Cell>>,
}

impl Grid {
    /// The table whose cell at (row, column) is the result of `cell`.
    pub fn new(
        title: impl Into<String>,
        [rows, columns]: [i64; 2],
        mut cell: impl FnMut(i64, i64) -> Result<Option<Cell>>,
    ) -> Result<Self> {
        let places = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
        let cells = places.map(|(i, j)| cell(i, j)).collect::<Result<_>>()?;
        Ok(Self { title: title.into(), rows, columns, cells })
    }

    /// The cells of each row.
    pub fn by_row(&self) -> impl Iterator<Item = &[Option<Cell>]> {
        self.cells.chunks(self.columns.max(1) as usize)
    }
}

#[derive(Debug, Default)]
pub struct Sheet {
    pub title: String,
    /// Tables from top to bottom, and from left to right.
    pub grids: Vec<Vec<Option<Grid>>>,
    /// Colours and what they mean.
    pub legend: Vec<(usize, String)>,
    /// Notes, one per line.
    pub notes: Vec<String>,
}

impl Sheet {
    pub fn all(&self) -> impl Iterator<Item = &Grid> {
        self.grids.iter().flatten().flatten()
    }
}
