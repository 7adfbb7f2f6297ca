//! The physical side of a picture: what lies at each place of shared memory, of tensor memory, or
//! of the registers of threads. Its cells refer to those of a table of the picture.

use super::grid::{self, Facet, Fact, ViewGrid};
use crate::error::Result;

/// The places of a machine, as a table.
#[derive(Debug, Clone, Default)]
pub struct Physical {
    /// The title of the table.
    pub title: String,
    /// The number of the table whose elements lie here; `None` if there is none.
    pub of: Option<usize>,
    /// The columns of that table.
    pub across: i64,
    /// The labels of its rows, such as lines of memory.
    pub rows: Vec<String>,
    /// The labels of its columns.
    pub columns: Vec<String>,
    /// The words for a row and a column, such as `thread` and `value`.
    pub words: [&'static str; 2],
    /// The names of the coordinates that cells show.
    pub axes: Vec<&'static str>,
    /// By place, row by row: the first element that lies there.
    pub places: Vec<Option<Element>>,
}

/// An element at a place.
#[derive(Debug, Clone, Default)]
pub(crate) struct Element {
    /// Its row and column in the table of the picture.
    pub cell: [i64; 2],
    /// Its coordinates along the axes.
    pub coordinate: Vec<i64>,
    /// A number of the palette.
    pub colour: usize,
    /// The number of elements that lie there.
    pub count: i64,
}

impl Physical {
    /// Checks that the table can be drawn, and makes all of its places empty.
    pub fn emptied(mut self) -> Result<Self> {
        let [rows, columns] = self.extents();
        grid::limited([rows, columns])?;
        self.places = vec![None; (rows * columns) as usize];
        Ok(self)
    }

    fn extents(&self) -> [i64; 2] {
        [self.rows.len() as i64, self.columns.len() as i64]
    }

    /// Puts an element at a place; a place outside of the table has none.
    pub fn put(&mut self, [row, column]: [i64; 2], element: Element) {
        let Ok(place) = grid::within(self.extents(), row, column) else { return };
        let Some(place) = self.places.get_mut(place) else { return };
        place.get_or_insert(Element { count: 0, ..element }).count += 1;
    }

    /// The table.
    pub fn grid(&self) -> Result<ViewGrid> {
        let of = |f: &dyn Fn(&Element) -> i64| self.places.iter().map(|e| e.as_ref().map(f)).collect();
        let mut facets = Vec::new();
        for (k, axis) in self.axes.iter().enumerate() {
            let along = of(&|element| element.coordinate.get(k).copied().unwrap_or(0));
            facets.push(Facet::new(*axis, along)?);
        }
        if self.of.is_some() {
            let element = |element: &Element| element.cell[0] * self.across + element.cell[1];
            facets.push(Facet::new(grid::ELEMENT, of(&element))?);
        }
        if self.places.iter().flatten().any(|element| element.count > 1) {
            facets.push(Facet::new("elements here", of(&|element| element.count))?);
        }
        Ok(ViewGrid {
            title: self.title.clone(),
            rows: self.rows.clone(),
            columns: self.columns.clone(),
            lines: self.axes.iter().copied().zip(0..).collect(),
            facets,
            colours: grid::colours(self.places.iter().map(|e| e.as_ref().map(|e| e.colour))),
            of: self.of,
        })
    }

    /// The facts of a place, and the cell of its element.
    pub fn facts(&self, row: i64, column: i64) -> Result<(Vec<Fact>, Option<[i64; 2]>)> {
        let place = grid::within(self.extents(), row, column)?;
        let label = |labels: &[String], i: i64| labels.get(i as usize).cloned().unwrap_or_default();
        let [down, across] = self.words;
        let (row, column) = (label(&self.rows, row), label(&self.columns, column));
        let place_of = format!("{down} {row}, {across} {column}");
        let Some(element) = self.places.get(place).and_then(Option::as_ref) else {
            return Ok((vec![Fact::new("place", place_of, vec!["Nothing lies here.".into()])], None));
        };
        let mut facts = vec![Fact::new("place", place_of, Vec::new())];
        if self.of.is_none() {
            let named = self.axes.iter().zip(&element.coordinate);
            facts.extend(named.map(|(axis, along)| Fact::new(*axis, along, Vec::new())));
        }
        if element.count > 1 {
            let steps = vec!["the first of them is shown".into()];
            facts.push(Fact::new("elements here", element.count, steps));
        }
        Ok((facts, Some(element.cell)))
    }
}
