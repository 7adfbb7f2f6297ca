//! Pictures: layouts as tables of indices, and the owners of the elements of a tile.
//!
//! | file | what |
//! |---|---|
//! | `options` | the options of the command |
//! | `index` | a layout as its indices, and their banks |
//! | `owners` | threads and values of the elements of a tile |
//! | `tilings` | the tiles of tiled MMAs and tiled copies |
//! | `sheet` | the contents of a picture |
//! | `draw` | a sheet as SVG |
//! | `table`, `text`, `palette` | one table of it, text and its width, colours |

mod draw;
pub(crate) mod index;
mod options;
pub(crate) mod owners;
pub(crate) mod palette;
mod sheet;
mod table;
mod text;
pub(crate) mod tilings;

use cute_algebra::TiledMma;

pub use self::options::Picture;
use self::{owners::Owners, sheet::Sheet};
use crate::{
    error::{Error, Result, SettingError},
    eval::Session,
    registry::{self, Arg},
    tilings::{Atom, Tiling},
    value::Value,
};

/// The maximum numbers of cells, rows and columns of a table.
pub(crate) const MAX_CELLS: i64 = 1 << 16;
pub(crate) const MAX_SIDE: i64 = 1 << 10;

/// The picture of the value of `words`, an expression or a function and its arguments, as SVG.
pub fn picture(session: &Session, words: &[&str], options: &Picture) -> Result<String> {
    if let Some(corner) = options.corner.filter(|corner| *corner < 1) {
        return Err(Error::Request(format!("--corner {corner}: at least one row and column are drawn")));
    }
    Ok(draw::draw(&sheet(session, words, options)?))
}

fn sheet(session: &Session, words: &[&str], options: &Picture) -> Result<Sheet> {
    let (owned, words) = match words {
        ["TV", words @ ..] => (true, words),
        words => (false, words),
    };
    let text = registry::expression(words).ok_or_else(|| {
        let what = "svg takes an expression, or a function and its arguments; a thread-value layout after TV";
        Error::Request(what.into())
    })?;
    let Arg { column, value, .. } = session.argument("a picture", &text)?;
    let mut sheet = if owned {
        options.only(true, false)?;
        thread_value(session, column, value, options)?
    } else {
        of_value(session, column, value, options)?
    };
    if let Some(corner) = options.corner {
        sheet.notes.push(format!("The first {corner} rows and columns of each table are drawn."));
    }
    Ok(sheet)
}

fn of_value(session: &Session, column: usize, value: Value, options: &Picture) -> Result<Sheet> {
    match &value {
        Value::Atom(Atom::Mma(_)) => {
            let tiled = session.call(column, "tiled_mma", vec![(column, value)])?;
            of_value(session, column, tiled, options)
        }
        Value::Atom(Atom::Copy(atom)) => {
            options.only(false, true)?;
            tilings::atom(column, atom, options.bits, options.corner)
        }
        Value::Tiling(tiling) => {
            options.only(matches!(**tiling, Tiling::Mma { .. }), false)?;
            of_tiling(session, column, tiling, options)
        }
        _ => {
            options.only(false, true)?;
            index::sheet(column, value, options.bits, options.corner)
        }
    }
}

fn thread_value(session: &Session, column: usize, value: Value, options: &Picture) -> Result<Sheet> {
    let tv = Arg { what: "a thread-value layout".into(), column, value }.constant()?;
    let extents = matrix_of(session, options)?;
    let [rows, columns] = extents;
    let whole = format!("the tile ({rows},{columns})");
    let owners = Owners::of_layout(column, &whole, extents, &tv)?;
    let grid = owners.grid("", false, options.corner)?;
    let title = format!("{tv} on ({rows},{columns})");
    Ok(Sheet { title, grids: vec![vec![Some(grid)]], notes: owners.notes(""), ..Sheet::default() })
}

fn of_tiling(session: &Session, column: usize, tiling: &Tiling, options: &Picture) -> Result<Sheet> {
    match tiling {
        Tiling::Copy { copy, .. } => {
            let sheet = tilings::copy(column, copy, options.corner)?;
            Ok(Sheet { title: tiling.to_string(), ..sheet })
        }
        Tiling::Mma { mma, .. } => {
            let tile = tile_of(session, mma, options)?;
            let [m, n, k] = tile;
            let of = if tile == mma.tile_mnk() { String::new() } else { format!(" on ({m},{n},{k})") };
            let sheet = tilings::mma(column, mma, tile, options.corner)?;
            Ok(Sheet { title: format!("{tiling}{of}"), ..sheet })
        }
    }
}

/// The (M,N,K) of a tiled MMA to draw: its own tile, or a multiple of it that the options name.
pub(crate) fn tile_of(session: &Session, mma: &TiledMma, options: &Picture) -> Result<[i64; 3]> {
    let own = mma.tile_mnk();
    let mut tile = own;
    let given = options.tile(session)?.unwrap_or_default();
    if given.len() > tile.len() {
        return Err(bad_tile(options, "it must have at most the three modes (M,N,K)".into()));
    }
    tile.iter_mut().zip(given).for_each(|(own, given)| *own = given);
    for ((mode, given), once) in ["M", "N", "K"].into_iter().zip(tile).zip(own) {
        if given % once != 0 {
            let why = format!("{given} of {mode} is not a multiple of the tile's {once}");
            return Err(bad_tile(options, why));
        }
    }
    Ok(tile)
}

/// The rows and columns of the tile of a thread-value layout.
pub(crate) fn matrix_of(session: &Session, options: &Picture) -> Result<[i64; 2]> {
    match options.tile(session)?.as_deref() {
        Some([rows]) => Ok([*rows, 1]),
        Some([rows, columns]) => Ok([*rows, *columns]),
        Some(_) => Err(bad_tile(options, "it must have the two modes (M,N)".into())),
        None => Err(Error::Setting(SettingError::Missing {
            by: "TV",
            what: "the tile that it maps to",
            option: "tile",
            value: "(M,N)",
        })),
    }
}

fn bad_tile(options: &Picture, rule: String) -> Error {
    let given = options.tile.clone().unwrap_or_default();
    Error::Setting(SettingError::Bad { option: "tile", given, rule })
}

/// The numbers of rows and columns to draw.
fn drawn(column: usize, extents: [i64; 2], corner: Option<i64>) -> Result<[i64; 2]> {
    let [rows, columns] = extents.map(|extent| corner.map_or(extent, |corner| corner.min(extent)));
    if rows.max(columns) > MAX_SIDE || rows * columns > MAX_CELLS {
        let why = format!(
            "a table of {rows} x {columns}: at most {MAX_SIDE} rows, {MAX_SIDE} columns and {MAX_CELLS} cells are drawn; --corner N draws the first"
        );
        return Err(Error::Table { column, why });
    }
    Ok([rows, columns])
}
