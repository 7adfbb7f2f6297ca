//! Placements: each element of a tensor with its place along the named axes of a machine, and all
//! its copies. Layouts of tensor memory are drawn as placements along its lanes and columns.

use cute_algebra::{Axis, Layout, Tuple, idx2crd, product, product_each};
use cute_placement::{Placement, Point};
use cute_placement::{axes::AXES, bridge::from_tensor_memory};

use super::{
    Picture, Question,
    grid::{self, Facet, Fact, Sheet, ViewGrid},
};
use crate::{
    error::{Error, Result, at},
    eval::Session,
    placements::is,
    svg::{Picture as Options, palette},
};

/// Short names of axes in cells.
const SHORT: &[(&str, &str)] = &[
    ("warpid", "w"),
    ("laneid", "l"),
    ("wgid", "g"),
    ("wid_in_wg", "w"),
    ("tid_in_wg", "t"),
    ("tx", "t"),
    ("m", "m"),
    ("TLane", "L"),
    ("TCol", "C"),
];

/// The number of copies that are listed.
const LISTED: usize = 16;

struct Places {
    placement: Placement,
    /// The dimensions of the tensor: the first goes down, the others across, the last fastest.
    shape: Vec<i64>,
    axes: Vec<Axis>,
    note: Option<String>,
}

/// The picture of a placement; its shape is the tile of the question, or else one row.
pub(super) fn of(session: &Session, question: &Question, placement: Placement) -> super::Made {
    let options =
        Options { tile: question.tile.clone().filter(|tile| !tile.trim().is_empty()), ..Options::default() };
    let shape = match options.tile(session)? {
        Some(shape) => shape,
        None if placement.is_bare_swizzle() => return Ok(None),
        None => vec![1, is(placement.size())?],
    };
    made(placement, shape, None).map(|places| Some(Box::new(places) as _))
}

/// The picture of a layout as a placement.
pub fn of_layout(layout: &Layout<i64>) -> Result<Box<dyn Picture>> {
    let places = made(is(Placement::from_layout_of(layout))?, extents(layout)?, None)?;
    Ok(Box::new(places))
}

/// The places of the elements of a layout of tensor memory, of `bits` each; `None` if they are too
/// many to draw.
pub fn of_tensor_memory(layout: &Layout<i64>, bits: i64) -> Result<Option<Box<dyn Picture>>> {
    let placement = is(from_tensor_memory(layout, bits))?;
    let note = format!(
        "Elements of {bits} bits: a column of 32 bits has {} of them; TCol counts elements.",
        32 / bits.max(1)
    );
    let shape = extents(layout)?;
    let rows = shape.first().copied().unwrap_or(1);
    let all = shape.iter().fold(1_i64, |all, extent| all.saturating_mul(*extent));
    if grid::limited([rows, all / rows.max(1)]).is_err() {
        return Ok(None);
    }
    let mut places = made(placement, shape, Some(note))?;
    // Modes of extent 1 lie along no lane and no column.
    places.axes.retain(|axis| matches!(axis.name(), "TLane" | "TCol"));
    Ok(Some(Box::new(places)))
}

fn extents(layout: &Layout<i64>) -> Result<Vec<i64>> {
    match layout.is_leaf() {
        true => Ok(vec![at(1, product(layout.shape().view()))?]),
        false => Ok(at(1, product_each(layout.shape().view()))?.leaves().to_vec()),
    }
}

fn made(placement: Placement, shape: Vec<i64>, note: Option<String>) -> Result<Places> {
    let total = shape.iter().try_fold(1_i64, |n, extent| n.checked_mul(*extent));
    let size = is(placement.size())?;
    if total != Some(size) {
        let shape: Vec<_> = shape.iter().map(i64::to_string).collect();
        return Err(Error::Request(format!(
            "the shape ({}) does not have the {size} elements of {placement}",
            shape.join(",")
        )));
    }
    // Threads first, then memory, each in the order of the table of axes.
    let order = |axis: &Axis| AXES.kinds.iter().position(|(name, _)| *name == axis.name());
    let mut axes: Vec<Axis> = placement.axes().into_iter().collect();
    axes.sort_by_key(|axis| (order(axis).unwrap_or(usize::MAX), axis.to_string()));
    let places = Places { placement, shape, axes, note };
    grid::limited(places.extents())?;
    Ok(places)
}

impl Places {
    fn extents(&self) -> [i64; 2] {
        match self.shape.as_slice() {
            [] => [1, 1],
            [rows, rest @ ..] => [*rows, rest.iter().product()],
        }
    }

    /// The coordinate of an element in the shape, the last dimension fastest.
    fn coordinate(&self, element: i64) -> Result<Vec<i64>> {
        let fastest_first = Tuple::from_leaves(self.shape.iter().rev().copied());
        let coordinate = is(idx2crd(&Tuple::leaf(element), &fastest_first))?;
        Ok(coordinate.leaves().iter().rev().copied().collect())
    }
}

/// A list as a tuple.
fn tuple(values: &[i64]) -> String {
    format!("({})", values.iter().map(i64::to_string).collect::<Vec<_>>().join(","))
}

impl Picture for Places {
    fn sheet(&self) -> Result<Sheet> {
        let [rows, columns] = self.extents();
        let places: Vec<Point> =
            (0..rows * columns).map(|element| is(self.placement.base_at(element))).collect::<Result<_>>()?;
        let facet = |axis: &Axis| {
            Facet::new(axis.to_string(), places.iter().map(|place| Some(place.get(*axis))).collect())
        };
        let facets: Vec<Facet> = self.axes.iter().map(facet).collect::<Result<_>>()?;
        let first = self.axes.first().copied();
        let colour =
            |place: &Point| first.map(|axis| palette::of_thread(place.get(axis).rem_euclid(1 << 20)));
        let short =
            |axis: &Axis| SHORT.iter().find(|(name, _)| *name == axis.name()).map_or("", |(_, short)| *short);
        let lines = self.axes.iter().enumerate().map(|(facet, axis)| (short(axis), facet)).collect();
        let named = |axis: &Axis| match short(axis) {
            "" => axis.to_string(),
            short if short == axis.name() => axis.to_string(),
            short => format!("{axis} ({short})"),
        };
        let names: Vec<_> = self.axes.iter().map(named).collect();
        let mut notes =
            vec![format!("The lines of a cell are {}; the colour is that of the first.", names.join(", "))];
        let copies = is(self.placement.copies())?;
        if copies > 1 {
            notes
                .push(format!("Each element has {copies} copies; the first is shown, and a cell lists all."));
        }
        notes.extend(self.note.clone());
        let columns_of = |j: i64| match self.shape.len() {
            0..=2 => Ok(j.to_string()),
            _ => Ok(tuple(&self.coordinate(j)?[1..])),
        };
        let grid = ViewGrid {
            title: String::new(),
            rows: grid::numbered(rows),
            columns: (0..columns).map(columns_of).collect::<Result<_>>()?,
            facets,
            lines,
            colours: grid::colours(places.iter().map(colour)),
            of: None,
        };
        let title = format!("{} on {}", self.placement, tuple(&self.shape));
        Ok(Sheet { title, grids: vec![vec![Some(grid)]], legend: Vec::new(), notes })
    }

    fn facts(&self, table: usize, row: i64, column: i64) -> Result<Vec<Fact>> {
        let element = grid::within(self.extents(), row, column)? as i64;
        grid::only(table)?;
        let coordinate = self.coordinate(element)?;
        let mut facts = vec![Fact::new(
            "coordinate",
            tuple(&coordinate),
            vec![format!("element {element} of {}, the last dimension fastest", tuple(&self.shape))],
        )];
        let size = is(self.placement.size())?;
        let digits = is(self.placement.digits(&[element], &[size]))?;
        let whole =
            self.placement.group(&[size]).map_or_else(|_| self.placement.clone(), |(grouped, _)| grouped);
        let iters: Vec<_> = whole.shard().iter().map(|iter| iter.extent).collect();
        let place = is(self.placement.base_at(element))?;
        for axis in &self.axes {
            let own = whole.shard().iter().zip(&digits).filter(|(iter, _)| iter.axis == *axis);
            let mut terms: Vec<_> = own.map(|(iter, digit)| format!("{digit}*{}", iter.stride)).collect();
            let offset = self.placement.offset().get(*axis);
            if offset != 0 || terms.is_empty() {
                terms.push(offset.to_string());
            }
            let mut steps = vec![
                format!("element {element} has the digits {} of {}", tuple(&digits), tuple(&iters)),
                format!("{} = {}", terms.join(" + "), place.get(*axis)),
            ];
            if let Some(swizzle) = self.placement.swizzle() {
                steps[1] =
                    format!("{} after the swizzle of {swizzle:?}: {}", terms.join(" + "), place.get(*axis));
            }
            facts.push(Fact::new(axis.to_string(), place.get(*axis), steps));
        }
        let copies = is(self.placement.placements_at(element))?;
        if copies.len() > 1 {
            let mut steps: Vec<_> = copies.iter().take(LISTED).map(Point::to_string).collect();
            if copies.len() > LISTED {
                steps.push(format!("and {} more", copies.len() - LISTED));
            }
            facts.push(Fact::new("copies", copies.len(), steps));
        }
        Ok(facts)
    }
}
