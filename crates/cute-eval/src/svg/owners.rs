//! The owner of each element of a tile: a thread and one of its values.

use std::collections::BTreeMap;

use cute_algebra::{Crd, Int, Layout, Sliceable, Tuple, crd2idx, size};

use super::{
    drawn, palette,
    sheet::{Cell, Grid},
};
use crate::error::{Error, Result, at};

/// The maximum number of threads to examine.
const MAX_THREADS: i64 = 1 << 16;

/// The maximum number of pairs (thread, value) to examine. Threads that have the same elements
/// count once.
const MAX_PAIRS: i64 = 1 << 18;

/// The owner of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Owner {
    /// The first thread that has it.
    pub thread: i64,
    /// The first of that thread's values that is this element.
    pub value: i64,
    /// The number of threads that hold the element: more than one if the layout repeats itself.
    pub sharers: i64,
}

/// A value of a thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Held {
    /// Its number in the tiling.
    pub thread: i64,
    /// The number of the value among those of the thread.
    pub value: i64,
    /// The column-major index of its element in the tile.
    pub index: i64,
}

/// The part of a thread: a layout of its values, and the offset at which it starts.
pub type Part = (Layout<i64>, Tuple<i64>);

/// The part that one thread has, or that several threads share.
#[derive(Debug)]
pub struct Set {
    /// The threads, in order.
    pub threads: Vec<i64>,
    /// Its values.
    pub layout: Layout<i64>,
    /// The index at which it starts.
    pub offset: i64,
}

impl Set {
    /// The index of each value, counted from where the part starts.
    fn distances(&self) -> cute_algebra::error::Result<Vec<i64>> {
        let index = |value| {
            let index = crd2idx(&Tuple::leaf(Crd::Int(value)), &self.layout)?;
            index.expect_int("the index of a value").copied()
        };
        (0..size(&self.layout)?).map(index).collect()
    }
}

/// The distinct parts, each with its first thread, so that a part that many threads share is
/// examined once.
fn sets(
    column: usize,
    whole: &str,
    threads: impl IntoIterator<Item = i64>,
    part: impl Fn(i64) -> cute_algebra::error::Result<Part>,
) -> Result<Vec<Set>> {
    let mut sets: BTreeMap<(String, i64), Set> = BTreeMap::new();
    for thread in threads {
        let (layout, offset) = at(column, part(thread))?;
        let Some(offset) = offset.as_leaf().copied().filter(|_| !layout.has_basis()) else {
            let why = format!("the values of thread {thread} are {layout}, which are not indices of {whole}");
            return Err(Error::Table { column, why });
        };
        let set = Set { threads: Vec::new(), layout, offset };
        sets.entry((set.layout.to_string(), offset)).or_insert(set).threads.push(thread);
    }
    let mut sets: Vec<_> = sets.into_values().collect();
    sets.sort_by_key(|set| set.threads.first().copied());
    Ok(sets)
}

/// Checks the number of threads that are examined.
pub fn check_threads(column: usize, threads: i64) -> Result<()> {
    if threads > MAX_THREADS {
        let why = format!("{threads} threads: at most {MAX_THREADS} are supported");
        return Err(Error::Table { column, why });
    }
    Ok(())
}

/// The owners of the elements of a tile.
#[derive(Debug)]
pub(crate) struct Owners {
    column: usize,
    extents: [i64; 2],
    /// By column-major index.
    owners: Vec<Option<Owner>>,
    sets: Vec<Set>,
}

impl Owners {
    /// The owners of a tile of `extents` rows and columns: `part` gives the elements of each of the
    /// threads as column-major indices. `whole` names the tile in errors.
    pub fn new(
        column: usize,
        whole: &str,
        extents: [i64; 2],
        threads: impl IntoIterator<Item = i64>,
        part: impl Fn(i64) -> cute_algebra::error::Result<Part>,
    ) -> Result<Self> {
        let fail = |why: String| Error::Table { column, why };
        let [rows, columns] = extents;
        let total = rows.checked_mul(columns).filter(|total| *total <= MAX_PAIRS);
        let total = total.ok_or_else(|| fail(format!("{whole} has more than {MAX_PAIRS} elements")))?;
        let owners = vec![None; total as usize];
        let mut found = Self { column, extents, owners, sets: sets(column, whole, threads, part)? };
        // The last thread that was counted for an element: values may repeat.
        let mut counted = vec![-1; total as usize];
        let mut pairs = 0_i64;
        // Most threads have the same layout, at different offsets.
        let mut last: Option<(&Layout<i64>, Vec<i64>)> = None;
        for set in &found.sets {
            let values = at(column, size(&set.layout))?;
            pairs = pairs.saturating_add(values);
            if pairs > MAX_PAIRS {
                return Err(fail(format!("threads have more than {MAX_PAIRS} values of {whole}")));
            }
            let Some(thread) = set.threads.first().copied() else { continue };
            if last.as_ref().is_none_or(|(layout, _)| **layout != set.layout) {
                last = Some((&set.layout, at(column, set.distances())?));
            }
            for (value, distance) in (0..).zip(last.iter().flat_map(|(_, distances)| distances)) {
                let index = at(column, distance.add(&set.offset))?;
                let place = usize::try_from(index).ok().filter(|place| *place < counted.len());
                let place = place.ok_or_else(|| {
                    fail(format!(
                        "value {value} of thread {thread} has index {index}, outside the {total} elements of {whole}"
                    ))
                })?;
                if std::mem::replace(&mut counted[place], thread) != thread {
                    let first = Owner { thread, value, sharers: 0 };
                    found.owners[place].get_or_insert(first).sharers += set.threads.len() as i64;
                }
            }
        }
        Ok(found)
    }

    /// The owners of a thread-value layout.
    pub fn of_layout(column: usize, whole: &str, extents: [i64; 2], tv: &Layout<i64>) -> Result<Self> {
        if tv.is_leaf() || tv.rank() != 2 {
            let why = format!("{tv} must have exactly two modes (thread, value)");
            return Err(Error::Table { column, why });
        }
        let threads = at(column, tv.mode(0).and_then(|mode| size(&mode)))?;
        check_threads(column, threads)?;
        Self::new(column, whole, extents, 0..threads, |thread| {
            let own = [Tuple::leaf(Crd::Int(thread)), Tuple::leaf(Crd::Underscore)];
            tv.slice_and_offset(&Tuple::from_modes(own))
        })
    }

    /// The owner of the element at (row, column).
    pub fn at(&self, i: i64, j: i64) -> Option<Owner> {
        self.owners.get((i + j * self.extents[0]) as usize).copied().flatten()
    }

    /// Every value of every thread, if there are at most `limit`.
    pub fn held(&self, limit: i64) -> Result<Vec<Held>> {
        let mut held = Vec::new();
        let mut last: Option<(&Layout<i64>, Vec<i64>)> = None;
        for set in &self.sets {
            if last.as_ref().is_none_or(|(layout, _)| **layout != set.layout) {
                last = Some((&set.layout, at(self.column, set.distances())?));
            }
            for (value, distance) in (0..).zip(last.iter().flat_map(|(_, distances)| distances)) {
                let index = at(self.column, distance.add(&set.offset))?;
                held.extend(set.threads.iter().map(|thread| Held { thread: *thread, value, index }));
                if held.len() as i64 > limit {
                    let why = format!("threads have more than {limit} values");
                    return Err(Error::Table { column: self.column, why });
                }
            }
        }
        Ok(held)
    }

    /// The rows and columns of the tile.
    pub fn extents(&self) -> [i64; 2] {
        self.extents
    }

    /// Every part that has the element at (row, column), with the first of its values that is this
    /// element.
    pub fn all(&self, i: i64, j: i64) -> Result<Vec<(&Set, i64)>> {
        let element = i + j * self.extents[0];
        let mut found = Vec::new();
        let mut last: Option<(&Layout<i64>, Vec<i64>)> = None;
        for set in &self.sets {
            if last.as_ref().is_none_or(|(layout, _)| **layout != set.layout) {
                last = Some((&set.layout, at(self.column, set.distances())?));
            }
            let mut distances = (0..).zip(last.iter().flat_map(|(_, distances)| distances));
            let value = distances.find(|(_, distance)| distance.checked_add(set.offset) == Some(element));
            found.extend(value.map(|(value, _)| (set, value)));
        }
        Ok(found)
    }

    /// The tile as a table, or its transpose.
    pub fn grid(&self, title: &str, transposed: bool, corner: Option<i64>) -> Result<Grid> {
        let [rows, columns] = self.extents;
        let cell = |owner: Owner| Cell {
            lines: vec![format!("T{}", owner.thread), format!("V{}", owner.value)],
            colour: palette::of_thread(owner.thread),
        };
        let shown = drawn(self.column, if transposed { [columns, rows] } else { [rows, columns] }, corner)?;
        Grid::new(title, shown, |i, j| {
            let owner = if transposed { self.at(j, i) } else { self.at(i, j) };
            Ok(owner.map(cell))
        })
    }

    /// Notes on facts that cells cannot show: elements that several threads share, and elements
    /// without an owner.
    pub fn notes(&self, name: &str) -> Vec<String> {
        let mut notes = Vec::new();
        let most = self.owners.iter().flatten().map(|owner| owner.sharers).max().unwrap_or(1);
        if most > 1 {
            let least = self.owners.iter().flatten().map(|owner| owner.sharers).min().unwrap_or(1);
            let threads = if least == most { most.to_string() } else { format!("{least} to {most}") };
            notes.push(format!("{threads} threads have each element{name}; the first is shown."));
        }
        let free = self.owners.iter().filter(|owner| owner.is_none()).count();
        if free > 0 {
            notes.push(format!("No thread has the {free} white elements{name}."));
        }
        notes
    }
}
