//! Tables of cells as data. Each fact about the cells is a list with one number per cell. JSON has
//! the place where the list begins among the numbers of the answer: as text, these numbers would
//! take longer than all that computes and draws them.

use serde::Serialize;

use crate::{
    error::{Error, Result},
    svg::{MAX_CELLS, MAX_SIDE},
};

/// The largest integer whose neighbours a double still tells apart. JSON of browsers has no others.
const EXACT: i64 = 1 << 53;

/// A fact about each cell, such as its index, its bank or its thread.
#[derive(Debug, Default, Serialize)]
pub struct Facet {
    /// Its name, such as `bank`.
    pub name: String,
    /// The place of its first value among the numbers of the answer.
    pub from: usize,
    /// By row, then column; `None` if a cell does not have it.
    #[serde(skip)]
    pub values: Vec<Option<i64>>,
}

impl Facet {
    /// A fact, with a value for each cell, row by row.
    pub fn new(name: impl Into<String>, values: Vec<Option<i64>>) -> Result<Self> {
        let name = name.into();
        match values.iter().flatten().find(|value| !(-EXACT..=EXACT).contains(*value)) {
            Some(value) => {
                Err(Error::Request(format!("{name} {value} has more than 53 bits, and is not drawn")))
            }
            None => Ok(Self { name, from: 0, values }),
        }
    }
}

/// A table.
#[derive(Debug, Default, Serialize)]
pub struct ViewGrid {
    /// Its title; may be empty.
    pub title: String,
    /// The coordinates of the rows.
    pub rows: Vec<String>,
    /// The coordinates of the columns.
    pub columns: Vec<String>,
    /// The facts about its cells.
    pub facets: Vec<Facet>,
    /// The lines of a cell: the number of a facet, after a text.
    pub lines: Vec<(&'static str, usize)>,
    /// The colours of the cells, as numbers of the palette.
    pub colours: Facet,
    /// The number of the table whose elements the facet [`ELEMENT`] counts, row by row: cells of
    /// both tables belong together.
    pub of: Option<usize>,
}

/// The facet that leads from a cell to one of another table.
pub const ELEMENT: &str = "element";

impl ViewGrid {
    /// Moves the values to the numbers of an answer; a value that a cell does not have is not a
    /// number.
    pub fn pack(&mut self, numbers: &mut Vec<f64>) {
        for facet in self.facets.iter_mut().chain([&mut self.colours]) {
            facet.from = numbers.len();
            numbers.extend(facet.values.iter().map(|value| value.map_or(f64::NAN, |value| value as f64)));
        }
    }
}

/// The colours of cells as numbers of the palette, row by row; `None` for an empty place.
pub fn colours(of: impl Iterator<Item = Option<usize>>) -> Facet {
    let values = of.map(|colour| colour.map(|colour| colour as i64)).collect();
    Facet { name: "colour".into(), from: 0, values }
}

/// Tables from top to bottom and from left to right, with what explains them.
#[derive(Debug, Default, Serialize)]
pub struct Sheet {
    /// The heading of the picture.
    pub title: String,
    /// The tables.
    pub grids: Vec<Vec<Option<ViewGrid>>>,
    /// Colours and what they mean.
    pub legend: Vec<(usize, String)>,
    /// Notes, one per line.
    pub notes: Vec<String>,
}

/// A fact about one element.
#[derive(Debug, Serialize)]
pub struct Fact {
    /// Its name; that of a facet, if it is one.
    pub name: String,
    /// Its value as text.
    pub value: String,
    /// The equations that lead to it.
    pub steps: Vec<String>,
}

impl Fact {
    /// A fact with its equations.
    pub fn new(name: impl Into<String>, value: impl ToString, steps: Vec<String>) -> Self {
        Self { name: name.into(), value: value.to_string(), steps }
    }
}

/// The cells of two tables that differ.
#[derive(Debug, Serialize)]
pub struct GridDifference {
    /// The title of the tables.
    pub title: String,
    /// The fact that was compared.
    pub facet: String,
    /// The cells that differ, counted row by row; null if the tables have other extents.
    pub cells: Option<Vec<usize>>,
}

/// The differences of the tables at the same places, in the lines of their cells.
pub fn differences(a: &Sheet, b: &Sheet) -> Vec<GridDifference> {
    let tables = |sheet: &Sheet| sheet.grids.iter().flatten().flatten().count();
    if tables(a) != tables(b) {
        let facet = "number of tables".to_string();
        return vec![GridDifference { title: String::new(), facet, cells: None }];
    }
    let pairs = a.grids.iter().flatten().flatten().zip(b.grids.iter().flatten().flatten());
    let differ = |(a, b): (&ViewGrid, &ViewGrid)| {
        let lines = |grid: &ViewGrid| grid.lines.iter().map(|(_, facet)| *facet).collect::<Vec<_>>();
        let (of_a, of_b) = (lines(a), lines(b));
        let extents = |grid: &ViewGrid| (grid.rows.len(), grid.columns.len());
        let comparable = extents(a) == extents(b) && of_a.len() == of_b.len();
        let same = |cell: usize| {
            of_a.iter().zip(&of_b).all(|(i, j)| a.facets[*i].values[cell] == b.facets[*j].values[cell])
        };
        let names: Vec<_> = of_a.iter().map(|i| a.facets[*i].name.as_str()).collect();
        let cells = comparable.then(|| (0..a.colours.values.len()).filter(|cell| !same(*cell)).collect());
        GridDifference { title: a.title.clone(), facet: names.join(" and "), cells }
    };
    pairs.map(differ).collect()
}

/// Checks that a table is small enough to draw.
pub fn limited([rows, columns]: [i64; 2]) -> Result<()> {
    if rows.max(columns) > MAX_SIDE || rows * columns > MAX_CELLS {
        return Err(Error::Request(format!(
            "a table of {rows} x {columns}: at most {MAX_SIDE} rows, {MAX_SIDE} columns and {MAX_CELLS} cells are drawn; slice the layout first"
        )));
    }
    Ok(())
}

/// The number of the cell at (row, column); fails if the table has no such cell.
pub fn within([rows, columns]: [i64; 2], row: i64, column: i64) -> Result<usize> {
    match (0..rows).contains(&row) && (0..columns).contains(&column) {
        true => Ok((row * columns + column) as usize),
        false => {
            Err(Error::Request(format!("cell: a table of {rows} x {columns} has no cell ({row},{column})")))
        }
    }
}

/// Checks that a picture of one table is asked about that table.
pub fn only(table: usize) -> Result<()> {
    if table == 0 { Ok(()) } else { Err(no_table(table, 1)) }
}

/// The error about a table that a picture of `count` does not have.
pub fn no_table(table: impl std::fmt::Display, count: usize) -> Error {
    Error::Request(format!("cell: the picture has no table {table}; it has {count}, counted from 0"))
}

/// `0`, `1` and so on.
pub fn numbered(count: i64) -> Vec<String> {
    (0..count).map(|i| i.to_string()).collect()
}
