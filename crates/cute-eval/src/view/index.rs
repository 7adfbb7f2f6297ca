//! A layout as the table of its indices. With the bits of an element it is a tile in shared memory:
//! each cell has an address, a line of all banks and a bank.

use cute_algebra::{
    AnyLayout, ComposedLayout, Crd, Int, Layout, LayoutLike, Stride, Swizzle, Tuple, crd2idx, idx2crd,
    right_inverse, size,
};
use cute_arch::banks::{LINE_BYTES, bank};

use super::{
    Picture,
    grid::{self, Facet, Fact, Sheet, ViewGrid},
    memory,
    physical::Physical,
};
use crate::{
    error::{Error, Result, SettingError, at},
    explain,
    leaf::Leaf,
    matrix::Matrix,
    svg::index::{check_bits, colour, legend, number},
    value::{Value, show_layout, show_tuple},
};

/// Cells of a picture of a swizzle.
const SWIZZLE_CELLS: i64 = 1 << 14;

pub(super) struct Indices {
    pub(super) matrix: Matrix,
    layout: AnyLayout<i64>,
    bits: Option<i64>,
    start: Option<String>,
}

/// The picture of a layout.
pub fn of(value: Value, bits: Option<i64>) -> Result<Box<dyn Picture>> {
    Ok(Box::new(indices(value, bits)?))
}

/// A layout, if its table can be drawn.
pub(super) fn indices(value: Value, bits: Option<i64>) -> Result<Indices> {
    let start = match &value {
        Value::Part { offset, .. } => Some(show_tuple(offset)),
        _ => None,
    };
    let matrix = Matrix::of("picture", 1, value)?;
    grid::limited([matrix.rows, matrix.columns])?;
    let layout = matrix.layout.to_const();
    let layout = layout.ok_or_else(|| Error::Request("a picture needs a static layout".into()))?;
    let has_basis = layout.outer().has_basis();
    if let Some(bits) = bits {
        check_bits(bits)?;
        if has_basis {
            let layout = show_layout(&matrix.layout);
            return Err(Error::Request(format!(
                "bits of an element belong to a layout of memory, but {layout} has coordinates"
            )));
        }
    }
    Ok(Indices { matrix, layout, bits, start })
}

/// A swizzle, as what it does to rows of `2^(base + shift)` elements.
pub fn of_swizzle(swizzle: Swizzle, bits: Option<i64>) -> Result<Box<dyn Picture>> {
    let columns = 1_i64.checked_shl(swizzle.base().saturating_add(swizzle.shift().unsigned_abs()));
    let rows = 1_i64.checked_shl(swizzle.bits());
    let cells = |(rows, columns): (i64, i64)| {
        rows.checked_mul(columns).is_some_and(|n| (1..=SWIZZLE_CELLS).contains(&n))
    };
    let Some((rows, columns)) = rows.zip(columns).filter(|both| cells(*both)) else {
        return Err(Error::Request(format!(
            "{swizzle} spans more than {SWIZZLE_CELLS} elements, and is not drawn alone"
        )));
    };
    let shape = Tuple::from_leaves([rows, columns].map(Leaf::fixed));
    let stride = Tuple::from_leaves([columns, 1].map(|step| Stride::int(Leaf::fixed(step))));
    let outer = at(1, Layout::new(shape, stride))?;
    of(Value::Layout(ComposedLayout::swizzled(swizzle, outer).into()), bits)
}

impl Indices {
    pub(super) fn extents(&self) -> [i64; 2] {
        [self.matrix.rows, self.matrix.columns]
    }

    /// The indices, row by row. Coordinates of a layout add up: the index of (i,j) before the inner
    /// function is that of (i,0) plus that of (0,j).
    pub(super) fn indices(&self) -> Result<Vec<i64>> {
        let outer = self.layout.outer();
        let alone = |index: i64| -> Result<i64> {
            let place = at(1, crd2idx(&Tuple::leaf(Crd::Int(index)), outer))?;
            at(1, place.expect_int("the index of an element")).copied()
        };
        let rows: Vec<i64> = (0..self.matrix.rows).map(alone).collect::<Result<_>>()?;
        let columns: Vec<i64> =
            (0..self.matrix.columns).map(|j| alone(j * self.matrix.rows)).collect::<Result<_>>()?;
        let mut indices = Vec::with_capacity(rows.len() * columns.len());
        for row in &rows {
            for column in &columns {
                let index = at(1, row.add(column))?;
                indices.push(match &self.layout {
                    AnyLayout::Plain(_) => index,
                    AnyLayout::Composed(composed) => {
                        let value = at(1, composed.after_outer(&Tuple::leaf(index)))?;
                        *at(1, value.expect_int("the index of an element"))?
                    }
                });
            }
        }
        Ok(indices)
    }

    /// The facets and colours of indices.
    fn numbers(&self) -> Result<(Vec<Facet>, Facet)> {
        let indices = self.indices()?;
        let colours = grid::colours(indices.iter().map(|index| Some(colour(*index, self.bits))));
        let mut facets = vec![Facet::new("index", indices.iter().copied().map(Some).collect())?];
        if let Some(bits) = self.bits {
            let bytes: Vec<i64> = indices.iter().map(|index| byte(*index, bits)).collect::<Result<_>>()?;
            let of = |f: fn(i64) -> i64| bytes.iter().map(|byte| Some(f(*byte))).collect();
            facets.push(Facet::new("byte", of(|byte| byte))?);
            facets.push(Facet::new("line", of(line))?);
            facets.push(Facet::new("bank", of(bank_of))?);
        }
        Ok((facets, colours))
    }

    /// The facets and colours of coordinates: a facet for each of them.
    fn coordinates(&self) -> Result<(Vec<Facet>, Facet)> {
        let (mut leaves, mut colours) = (Vec::<Vec<Option<i64>>>::new(), Vec::new());
        for i in 0..self.matrix.rows {
            for j in 0..self.matrix.columns {
                let value = self.matrix.value(i, j)?;
                for (k, leaf) in value.leaves().iter().enumerate() {
                    if leaves.len() <= k {
                        leaves.push(Vec::new());
                    }
                    leaves[k].push(leaf.as_static());
                }
                colours.push(Some(colour(number(&value), None)));
            }
        }
        let facets = leaves.into_iter().enumerate();
        let facets = facets.map(|(k, values)| Facet::new(format!("coordinate {k}"), values));
        Ok((facets.collect::<Result<_>>()?, grid::colours(colours.into_iter())))
    }

    /// The hierarchical coordinate of the element with this one-dimensional index.
    fn coordinate(&self, element: i64) -> Result<Tuple<i64>> {
        at(1, idx2crd(&Tuple::leaf(element), self.layout.outer().shape()))
    }

    /// The way back from an index, by the right inverse; `None` if its domain does not have it.
    fn back(&self, index: i64) -> Result<Option<(String, i64)>> {
        let Ok(inverse) = right_inverse(&self.layout) else { return Ok(None) };
        let all = at(1, size(inverse.outer()))?;
        if !(0..all).contains(&index) {
            return Ok(None);
        }
        let element = at(1, crd2idx(&Tuple::leaf(Crd::Int(index)), &inverse))?;
        let element = *at(1, element.expect_int("the index of an element"))?;
        Ok(Some((inverse.to_string(), element)))
    }
}

/// The byte of an index, for elements of `bits`.
pub(super) fn byte(index: i64, bits: i64) -> Result<i64> {
    Ok(at(1, index.mul(&bits))?.div_euclid(8))
}

/// The bank of a byte address.
pub(super) fn bank_of(byte: i64) -> i64 {
    bank(byte.rem_euclid(LINE_BYTES as i64).cast_unsigned()) as i64
}

/// The line of all banks at a byte address.
pub(super) fn line(byte: i64) -> i64 {
    byte.div_euclid(LINE_BYTES as i64)
}

/// The facts of an address in shared memory.
pub(super) fn memory(index: i64, bits: i64) -> Result<Vec<Fact>> {
    let byte = byte(index, bits)?;
    let (line, bank) = (line(byte), bank_of(byte));
    Ok(vec![
        Fact::new("byte", byte, vec![format!("{index} * {bits} / 8 = {byte}")]),
        Fact::new("line", line, vec![format!("{byte} / {LINE_BYTES} = {line}, lines of {LINE_BYTES} bytes")]),
        Fact::new(
            "bank",
            bank,
            vec![
                format!("{byte} / 4 % 32 = {bank}"),
                format!("back: byte {} of line {line} is where bank {bank} begins", 4 * bank),
            ],
        ),
    ])
}

impl Picture for Indices {
    fn sheet(&self) -> Result<Sheet> {
        let has_basis = self.layout.outer().has_basis();
        let (facets, colours) = if has_basis { self.coordinates()? } else { self.numbers()? };
        let lines = match has_basis {
            true => (0..facets.len()).map(|facet| ("", facet)).collect(),
            false => vec![("", 0)],
        };
        let label = |count: i64, f: &dyn Fn(i64) -> Result<String>| (0..count).map(f).collect::<Result<_>>();
        let grid = ViewGrid {
            title: String::new(),
            rows: label(self.matrix.rows, &|i| self.matrix.row_label(i))?,
            columns: label(self.matrix.columns, &|j| self.matrix.column_label(j))?,
            facets,
            lines,
            colours,
            of: None,
        };
        let mut notes = vec![match (self.bits, has_basis) {
            (Some(bits), _) => format!(
                "Elements of {bits} bits in shared memory: each colour is 16 bytes, that is four banks, in lines of {LINE_BYTES} bytes."
            ),
            (None, true) => "The colour is the sum of the coordinates modulo 8.".into(),
            (None, false) => "The colour is the index modulo 8.".into(),
        }];
        notes.extend(self.start.iter().map(|offset| format!("Where it starts, {offset}, is not added.")));
        Ok(Sheet {
            title: self.layout.to_string(),
            grids: vec![vec![Some(grid)]],
            legend: if self.bits.is_some() { legend() } else { Vec::new() },
            notes,
        })
    }

    fn tile(&self) -> Option<[i64; 2]> {
        self.bits.map(|_| self.extents())
    }

    fn physical(&self) -> Result<Vec<Physical>> {
        match self.bits {
            _ if self.layout.outer().has_basis() => {
                Err(Error::Request("coordinates do not lie in memory".into()))
            }
            Some(bits) => memory::of(self, bits).map(|memory| vec![memory]),
            None => Err(Error::Setting(SettingError::Missing {
                by: "memory",
                what: "the bits of an element",
                option: "bits",
                value: "N",
            })),
        }
    }

    fn facts(&self, table: usize, row: i64, column: i64) -> Result<Vec<Fact>> {
        grid::within(self.extents(), row, column)?;
        grid::only(table)?;
        let element = row + column * self.matrix.rows;
        let coordinate = self.coordinate(element)?;
        let shape = self.layout.outer().shape();
        let mut facts = vec![Fact::new(
            "coordinate",
            &coordinate,
            vec![format!("element {row} + {column} * {} = {element} of shape {shape}", self.matrix.rows)],
        )];
        let value = self.matrix.value(row, column)?;
        let steps = explain::evaluation(&coordinate.map(|i| Crd::Int(Leaf::fixed(*i))), &self.matrix.layout)?;
        let mut index = Fact::new("index", show_tuple(&value), steps);
        let Some(number) = value.as_leaf().and_then(Int::as_static) else {
            return Ok(facts.into_iter().chain([index]).collect());
        };
        match self.back(number)? {
            Some((inverse, from)) => {
                let back = self.coordinate(from)?;
                index.steps.push(format!(
                    "back: the right inverse {inverse} maps {number} to {from}, which is {back}"
                ));
            }
            None => index
                .steps
                .push("back: the right inverse does not reach this index; the table finds it".into()),
        }
        facts.push(index);
        if let Some(bits) = self.bits {
            facts.extend(memory(number, bits)?);
        }
        Ok(facts)
    }
}
