//! Divides, products and compositions with their operands: what belongs together has one colour and
//! leads from an operand to the result.
//!
//! | operation | colour |
//! |---|---|
//! | divides | the tile in which an element lies |
//! | products | the copy of the block to which an element belongs |
//! | composition | the element that the right operand chooses |

use std::collections::HashMap;

use cute_algebra::{AnyLayout, Crd, Int, LayoutLike, Tuple, crd2idx, make_layout, size};

use super::{
    Picture,
    grid::{self, Facet, Fact, Sheet, ViewGrid},
    index::{Indices, indices},
};
use crate::{
    error::{Result, at},
    eval::Session,
    leaf::Leaf,
    svg::palette,
    syntax::Node,
    value::Value,
};

/// Cells of a table; larger ones are drawn without their operands.
const MOST: i64 = 4096;

const DIVIDES: [&str; 4] = ["logical_divide", "zipped_divide", "tiled_divide", "flat_divide"];
const PRODUCTS: [&str; 6] = [
    "logical_product",
    "zipped_product",
    "tiled_product",
    "flat_product",
    "blocked_product",
    "raked_product",
];

/// A table with its links, each by the one-dimensional index of an element.
struct Table {
    title: String,
    indices: Indices,
    /// The number that determines the colour.
    numbers: Vec<Option<i64>>,
    /// The index of the result that belongs to it.
    leads: Option<Vec<Option<i64>>>,
}

struct Linked {
    /// The name of the number: `tile`, `copy` or `chosen`.
    number: &'static str,
    note: &'static str,
    /// The result is the last.
    tables: Vec<Table>,
}

/// The picture of a call with its operands; `None` if the call is another one, or too large, or its
/// links are not unique.
pub fn of(session: &Session, node: &Node, value: &Value) -> Option<Box<dyn Picture>> {
    let (name, args) = session.called(node).ok()??;
    let args: Vec<Value> = args.into_iter().map(|(_, value)| value).collect();
    let linked = match name.as_str() {
        "composition" => composed(session, &args, value),
        name if DIVIDES.contains(&name) => divided(session, name, &args, value),
        name if PRODUCTS.contains(&name) => multiplied(session, &args, value),
        _ => return None,
    };
    let linked = linked.ok()??;
    let drawn = linked.tables.iter().all(|table| table.indices.extents().iter().product::<i64>() <= MOST);
    drawn.then(|| Box::new(linked) as Box<dyn Picture>)
}

/// A layout of an argument; a shape is its compact layout.
fn layout(value: &Value) -> Result<Option<AnyLayout<Leaf>>> {
    match value {
        Value::Layout(layout) => Ok(Some(layout.clone())),
        Value::Tuple(shape) => Ok(Some(at(1, make_layout(shape))?.into())),
        _ => Ok(None),
    }
}

/// Every value, by one-dimensional index; `None` if one is not an integer.
fn values(layout: &AnyLayout<Leaf>) -> Result<Option<Vec<i64>>> {
    let count = at(1, size(layout.outer()))?.as_static().filter(|count| (1..=MOST).contains(count));
    let Some(count) = count else { return Ok(None) };
    let mut values = Vec::new();
    for index in 0..count {
        let value = at(1, crd2idx(&Tuple::leaf(Crd::Int(Leaf::fixed(index))), layout))?;
        let Some(value) = value.as_leaf().and_then(Int::as_static) else { return Ok(None) };
        values.push(value);
    }
    Ok(Some(values))
}

/// The layout that maps each element to its one-dimensional index, in the shape of another.
fn identity(layout: &AnyLayout<Leaf>) -> Result<Value> {
    Ok(Value::Layout(at(1, make_layout(layout.outer().shape()))?.into()))
}

/// The values of a call with layouts.
fn call(session: &Session, name: &str, args: Vec<Value>) -> Result<Option<Vec<i64>>> {
    let value = session.call(1, name, args.into_iter().map(|arg| (1, arg)).collect())?;
    layout(&value)?.map_or(Ok(None), |layout| values(&layout))
}

fn table(title: &str, of: &AnyLayout<Leaf>) -> Result<Table> {
    let indices = indices(Value::Layout(of.clone()), None)?;
    Ok(Table {
        title: format!("{title}: {of}", of = Value::Layout(of.clone())),
        indices,
        numbers: vec![],
        leads: None,
    })
}

/// The first place of each value.
fn places(values: &[i64]) -> HashMap<i64, i64> {
    let mut places = HashMap::new();
    for (place, value) in (0..).zip(values) {
        places.entry(*value).or_insert(place);
    }
    places
}

type Made = Result<Option<Linked>>;

fn composed(session: &Session, args: &[Value], value: &Value) -> Made {
    let [a, b] = args else { return Ok(None) };
    let (Some(a), Some(b), Some(result)) = (layout(a)?, layout(b)?, layout(value)?) else { return Ok(None) };
    // The element of the left operand that each element of the result is.
    let chosen = call(session, "composition", vec![identity(&a)?, Value::Layout(b.clone())])?;
    let (Some(chosen), Some(elements), Some(every)) = (chosen, values(&a)?, values(&b)?) else {
        return Ok(None);
    };
    if every.len() != chosen.len() {
        return Ok(None);
    }
    let first = places(&chosen);
    let back = |index: i64| first.get(&index).copied();
    let all = |count: usize| (0..count as i64).map(Some).collect::<Vec<_>>();
    let mut left = table("left operand", &a)?;
    left.numbers = (0..elements.len() as i64).map(back).collect();
    left.leads = Some(left.numbers.clone());
    let mut right = table("right operand", &b)?;
    right.numbers = all(every.len());
    right.leads = Some(all(every.len()));
    let mut last = table("result", &result)?;
    last.numbers = all(chosen.len());
    let note =
        "A colour is an element that the right operand chooses: its index is the place in the left operand.";
    Ok(Some(Linked { number: "chosen", note, tables: vec![left, right, last] }))
}

fn divided(session: &Session, name: &str, args: &[Value], value: &Value) -> Made {
    let [a, tiler] = args else { return Ok(None) };
    let (Some(a), Some(result)) = (layout(a)?, layout(value)?) else { return Ok(None) };
    let (identity, tiler_of) = (identity(&a)?, tiler.clone());
    let elements = call(session, name, vec![identity.clone(), tiler_of.clone()])?;
    let zipped = session.call(1, "zipped_divide", vec![(1, identity), (1, tiler_of)])?;
    let Some(zipped) = layout(&zipped)? else { return Ok(None) };
    let (Some(elements), Some(sorted), Some(own)) = (elements, values(&zipped)?, values(&a)?) else {
        return Ok(None);
    };
    let tile = at(1, zipped.outer().mode(0).and_then(|tile| size(&tile)))?.as_static().unwrap_or(1).max(1);
    let sorted = places(&sorted);
    let tile_of = |element: i64| sorted.get(&element).map(|place| place / tile);
    let back = places(&elements);
    let mut left = table("divided", &a)?;
    left.numbers = (0..own.len() as i64).map(tile_of).collect();
    left.leads = Some((0..own.len() as i64).map(|element| back.get(&element).copied()).collect());
    let mut last = table("result", &result)?;
    last.numbers = elements.iter().map(|element| tile_of(*element)).collect();
    let note =
        "A colour is a tile. The mode of the tile comes first in the result, or first in each of its modes.";
    let mut tables = vec![left, last];
    if let Value::Layout(AnyLayout::Plain(plain)) = tiler {
        let plain = AnyLayout::Plain(plain.clone());
        if let Some(chosen) = values(&plain)? {
            let mut of = table("tiler", &plain)?;
            of.numbers = vec![Some(0); chosen.len()];
            of.leads = Some(chosen.iter().map(|element| back.get(element).copied()).collect());
            tables.insert(1, of);
        }
    }
    Ok(Some(Linked { number: "tile", note, tables }))
}

fn multiplied(session: &Session, args: &[Value], value: &Value) -> Made {
    let [block, copies] = args else { return Ok(None) };
    let (Some(block), Some(copies), Some(result)) = (layout(block)?, layout(copies)?, layout(value)?) else {
        return Ok(None);
    };
    let pair = vec![Value::Layout(block.clone()), Value::Layout(copies.clone())];
    let (sorted, every) = (call(session, "logical_product", pair)?, values(&result)?);
    let (Some(sorted), Some(every), Some(own), Some(of)) = (sorted, every, values(&block)?, values(&copies)?)
    else {
        return Ok(None);
    };
    let (place, back) = (places(&sorted), places(&every));
    // Elements that share an index cannot be told apart.
    if place.len() != sorted.len() || sorted.len() != own.len() * of.len() || back.len() != sorted.len() {
        return Ok(None);
    }
    let count = own.len() as i64;
    let at_place = |place: i64| sorted.get(place as usize).and_then(|value| back.get(value)).copied();
    let mut left = table("block", &block)?;
    left.numbers = vec![Some(0); own.len()];
    left.leads = Some((0..count).map(at_place).collect());
    let mut right = table("copies", &copies)?;
    right.numbers = (0..of.len() as i64).map(Some).collect();
    right.leads = Some((0..of.len() as i64).map(|copy| at_place(copy * count)).collect());
    let mut last = table("result", &result)?;
    last.numbers = every.iter().map(|value| place.get(value).map(|place| place / count)).collect();
    let note = "A colour is a copy of the block.";
    Ok(Some(Linked { number: "copy", note, tables: vec![left, right, last] }))
}

impl Table {
    /// A list by one-dimensional index, row by row.
    fn by_row<T: Copy>(&self, list: &[Option<T>]) -> Vec<Option<T>> {
        let [rows, columns] = self.indices.extents();
        let cells = (0..rows).flat_map(|i| (0..columns).map(move |j| i + j * rows));
        cells.map(|index| list.get(index as usize).copied().flatten()).collect()
    }
}

impl Linked {
    fn grid(&self, table: &Table) -> Result<Option<ViewGrid>> {
        let last = self.tables.len() - 1;
        let [rows, columns] = self.tables[last].indices.extents();
        let Some(mut grid) = table.indices.sheet()?.grids.pop().and_then(|mut row| row.pop()).flatten()
        else {
            return Ok(None);
        };
        let numbers = table.by_row(&table.numbers);
        grid.title.clone_from(&table.title);
        grid.colours = grid::colours(numbers.iter().map(|number| number.map(palette::of_thread)));
        grid.facets.push(Facet::new(self.number, numbers)?);
        if let Some(leads) = &table.leads {
            let cell = |index: i64| index % rows.max(1) * columns + index / rows.max(1);
            let cells = table.by_row(leads).into_iter().map(|index| index.map(cell)).collect();
            grid.facets.push(Facet::new(grid::ELEMENT, cells)?);
            grid.of = Some(last);
        }
        Ok(Some(grid))
    }
}

impl Picture for Linked {
    fn sheet(&self) -> Result<Sheet> {
        let mut grids = self.tables.iter().map(|table| self.grid(table)).collect::<Result<Vec<_>>>()?;
        let result = grids.pop().into_iter().collect();
        let title = match self.tables.last() {
            Some(last) => last.indices.sheet()?.title,
            None => String::new(),
        };
        Ok(Sheet { title, grids: vec![grids, result], legend: Vec::new(), notes: vec![self.note.into()] })
    }

    fn tables(&self) -> usize {
        self.tables.len()
    }

    fn facts(&self, table: usize, row: i64, column: i64) -> Result<Vec<Fact>> {
        let own = self.tables.get(table).ok_or_else(|| grid::no_table(table, self.tables.len()))?;
        let mut facts = own.indices.facts(0, row, column)?;
        let [rows, _] = own.indices.extents();
        if let Some(Some(number)) = own.numbers.get((row + column * rows) as usize) {
            facts.push(Fact::new(self.number, number, Vec::new()));
        }
        Ok(facts)
    }
}
