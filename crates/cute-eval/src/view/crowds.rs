//! Accesses of threads to a tile in shared memory: the threads that access each element, and the
//! bank conflicts. For the worst instruction these are the bank and the threads that need it, each
//! with its address and its element.

use cute_arch::banks::Access;
use serde_json::{Value as Json, json};

use super::grid::{self, Facet, Fact, ViewGrid};
use crate::{
    banks::{Question, access, report},
    error::Result,
    eval::Session,
    svg::owners::{Owner, Owners},
};

/// The costs of the accesses to the tile, and the most crowded bank of each.
pub fn of(session: &Session, tile: &str, bits: Option<i64>, accesses: Vec<String>) -> Result<Json> {
    let report = report(session, tile, bits, &Question { accesses, choose: None })?;
    Ok(json!({ "text": report.text(), "crowds": report.crowds()? }))
}

/// The threads that access each element of a tile of `extents`, by the name of the access.
fn owners(session: &Session, accesses: &[String], extents: [i64; 2]) -> Result<Vec<(String, Owners)>> {
    let owners = accesses.iter().map(|text| {
        let Access { name, layout, .. } = access(session, text)?;
        Ok((name, Owners::of_layout(1, "the tile", extents, &layout)?))
    });
    owners.collect()
}

/// Adds the threads and values that access each element to the table of a tile.
pub fn add_facets(session: &Session, accesses: &[String], grid: &mut ViewGrid) -> Result<()> {
    let extents = [&grid.rows, &grid.columns].map(|labels| labels.len() as i64);
    let [rows, columns] = extents;
    for (name, owners) in owners(session, accesses, extents)? {
        let of = |f: fn(Owner) -> i64| {
            let cells = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
            cells.map(|(i, j)| owners.at(i, j).map(f)).collect()
        };
        grid.facets.push(Facet::new(format!("{name} thread"), of(|owner| owner.thread))?);
        grid.facets.push(Facet::new(format!("{name} value"), of(|owner| owner.value))?);
    }
    Ok(())
}

/// The threads and values that access the element at (row, column) of a tile of `extents`.
pub fn facts(
    session: &Session,
    accesses: &[String],
    extents: [i64; 2],
    [row, column]: [i64; 2],
) -> Result<Vec<Fact>> {
    let mut facts = Vec::new();
    grid::within(extents, row, column)?;
    for (name, owners) in owners(session, accesses, extents)? {
        let Some(Owner { thread, value, sharers }) = owners.at(row, column) else { continue };
        let mut steps = vec![format!(
            "{name} maps (thread {thread}, value {value}) to element {row} + {column} * {} = {}",
            extents[0],
            row + column * extents[0]
        )];
        if sharers > 1 {
            steps.push(format!("{sharers} threads access it; this is the first"));
        }
        facts.push(Fact::new(format!("{name} thread"), thread, steps));
        facts.push(Fact::new(format!("{name} value"), value, Vec::new()));
    }
    Ok(facts)
}
