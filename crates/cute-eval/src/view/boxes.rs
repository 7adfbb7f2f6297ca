//! The first tile of a copy by the TMA: the box of each element, and its place in shared memory.

use super::{
    Picture,
    grid::{self, Facet, Fact, Sheet, ViewGrid},
    index::{bank_of, byte, line, memory},
};
use crate::{
    error::Result,
    eval::Session,
    svg::{MAX_CELLS, palette},
    tma::{Boxed, TmaOptions, boxed},
};

struct Boxes {
    elements: Vec<Boxed>,
    /// By row, then column: the element of each cell.
    cells: Vec<Option<usize>>,
    /// The first coordinate of the tile along each mode of the descriptor, and its extent.
    origin: Vec<i64>,
    extents: Vec<i64>,
    bits: i64,
    title: String,
}

/// The picture of `tma(TENSOR, TILE, TILER)`.
pub fn of(session: &Session, words: [&str; 3], options: &TmaOptions) -> Result<Box<dyn Picture>> {
    let (elements, bits) = boxed(session, words, options, MAX_CELLS)?;
    let rank = elements.first().map_or(0, |element| element.coordinate.len());
    let along = |k: usize| elements.iter().map(move |element| element.coordinate[k]);
    let origin: Vec<i64> = (0..rank).map(|k| along(k).min().unwrap_or(0)).collect();
    let extents: Vec<i64> = (0..rank).map(|k| along(k).max().unwrap_or(0) - origin[k] + 1).collect();
    let title = format!("tma({})", words.join(", "));
    let mut boxes = Boxes { elements, cells: Vec::new(), origin, extents, bits, title };
    let [rows, columns] = boxes.table();
    grid::limited([rows, columns])?;
    boxes.cells = vec![None; (rows * columns) as usize];
    for (number, element) in boxes.elements.iter().enumerate() {
        let cell = boxes.cell(&element.coordinate);
        if let Some(place) = boxes.cells.get_mut(cell) {
            place.get_or_insert(number);
        }
    }
    Ok(Box::new(boxes))
}

impl Boxes {
    /// Mode 0 of the descriptor goes across, the others go down.
    fn table(&self) -> [i64; 2] {
        match self.extents.as_slice() {
            [] => [1, 1],
            [columns, rest @ ..] => [rest.iter().product(), *columns],
        }
    }

    fn cell(&self, coordinate: &[i64]) -> usize {
        let (mut row, mut step) = (0, 1);
        for ((place, origin), extent) in coordinate.iter().zip(&self.origin).zip(&self.extents).skip(1) {
            row += (place - origin) * step;
            step *= extent;
        }
        let column = coordinate.first().map_or(0, |first| first - self.origin[0]);
        (row * self.table()[1] + column) as usize
    }

    fn row_label(&self, mut row: i64) -> String {
        let mut digits = Vec::new();
        for k in 1..self.extents.len() {
            digits.push((self.origin[k] + row % self.extents[k]).to_string());
            row /= self.extents[k];
        }
        digits.join(",")
    }

    fn at(&self, cell: Option<usize>) -> Option<&Boxed> {
        cell.and_then(|number| self.elements.get(number))
    }
}

impl Picture for Boxes {
    fn sheet(&self) -> Result<Sheet> {
        let [rows, columns] = self.table();
        let of = |f: &dyn Fn(&Boxed) -> i64| self.cells.iter().map(|cell| self.at(*cell).map(f)).collect();
        let mut bytes = Vec::with_capacity(self.cells.len());
        for cell in &self.cells {
            bytes.push(self.at(*cell).map(|element| byte(element.place, self.bits)).transpose()?);
        }
        let from = |f: fn(i64) -> i64| bytes.iter().map(|byte| byte.map(f)).collect();
        let facets = vec![
            Facet::new("box", of(&|element| element.number))?,
            Facet::new("index", of(&|element| element.place))?,
            Facet::new("CTA", of(&|element| element.cta))?,
            Facet::new("byte", from(|byte| byte))?,
            Facet::new("line", from(line))?,
            Facet::new("bank", from(bank_of))?,
        ];
        let grid = ViewGrid {
            title: "mode 0 of the descriptor across, the others down".into(),
            rows: (0..rows).map(|row| self.row_label(row)).collect(),
            columns: (0..columns)
                .map(|j| (self.origin.first().copied().unwrap_or(0) + j).to_string())
                .collect(),
            facets,
            lines: vec![("B", 0), ("", 1)],
            colours: grid::colours(
                self.cells.iter().map(|cell| self.at(*cell).map(|e| palette::of_thread(e.number))),
            ),
            of: None,
        };
        let notes = vec![
            "B is the box, which is one instruction; below it is the index in the tile in shared memory."
                .into(),
            "The first tile is drawn. Its rows and columns are coordinates of the tensor.".into(),
        ];
        Ok(Sheet { title: self.title.clone(), grids: vec![vec![Some(grid)]], legend: Vec::new(), notes })
    }

    fn facts(&self, table: usize, row: i64, column: i64) -> Result<Vec<Fact>> {
        let cell = grid::within(self.table(), row, column)?;
        grid::only(table)?;
        let Some(element) = self.at(self.cells.get(cell).copied().flatten()) else {
            return Ok(vec![Fact::new("box", "none", vec!["No box has this element.".into()])]);
        };
        let coordinate: Vec<_> = element.coordinate.iter().map(i64::to_string).collect();
        let mut facts = vec![
            Fact::new("coordinate", format!("({})", coordinate.join(",")), Vec::new()),
            Fact::new("box", element.number, vec![format!("CTA {} copies it", element.cta)]),
        ];
        let steps = match element.offset == element.place {
            true => Vec::new(),
            false => {
                vec![format!("offset {} before the swizzle, {} after it", element.offset, element.place)]
            }
        };
        facts.push(Fact::new("index", element.place, steps));
        facts.extend(memory(element.place, self.bits)?);
        Ok(facts)
    }
}
