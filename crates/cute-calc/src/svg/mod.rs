//! Pictures: layouts as tables of indices, and who has what of a tile.
//!
//! | file | what |
//! |---|---|
//! | `index` | a layout as its indices, and their banks |
//! | `owners` | threads and values of the elements of a tile |
//! | `tilings` | the tiles of tiled MMAs and tiled copies |
//! | `sheet` | what a picture shows |
//! | `draw`, `palette` | how it looks |

mod draw;
mod index;
mod owners;
mod palette;
mod sheet;
mod tilings;

use std::{io::Write, path::PathBuf};

use clap::Args;
use cute_algebra::product_each;

use self::{owners::Owners, sheet::Sheet};
use crate::{
    error::{Error, Result, at},
    eval::Session,
    registry::Arg,
    syntax,
    tilings::{Atom, Tiling},
    value::Value,
};

/// Most cells of a table that is drawn, and most rows or columns.
const MAX_CELLS: i64 = 1 << 16;
const MAX_SIDE: i64 = 1 << 10;

/// The options of `svg`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of svg")]
pub struct Picture {
    /// The file to write; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The tile that threads and values are shown of: (M,N) for TV; (M,N,K) for a tiled MMA, by default its own
    #[arg(long, value_name = "SHAPE")]
    tile: Option<String>,
    /// Bits of an element in shared memory: colour a layout by the banks it is in
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    bits: Option<i64>,
    /// Draw the first N rows and columns of each table
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    corner: Option<i64>,
}

impl Picture {
    /// That none is given: other commands have none of them.
    pub fn none(&self) -> Result<()> {
        let given = [
            self.output.is_some().then_some("--output"),
            self.tile.is_some().then_some("--tile"),
            self.bits.is_some().then_some("--bits"),
            self.corner.is_some().then_some("--corner"),
        ];
        match given.into_iter().flatten().next() {
            Some(option) => Err(Error::Request(format!("{option} is an option of svg"))),
            None => Ok(()),
        }
    }

    /// The extents of the tile.
    fn tile(&self, session: &Session) -> Result<Option<Vec<i64>>> {
        let Some(text) = &self.tile else { return Ok(None) };
        let extents = || {
            let node = syntax::expression(text)?;
            let arg = Arg { what: "the tile".into(), column: node.column, value: session.node(&node)? };
            let bad = || arg.not("static positive extents, such as (128,64)");
            let shape = arg.tuple()?.to_const().ok_or_else(bad)?;
            let extents = at(node.column, product_each(shape.view()))?.leaves().to_vec();
            if shape.leaves().iter().any(|extent| *extent < 1) { Err(bad()) } else { Ok(extents) }
        };
        extents().map(Some).map_err(|error| Error::Named { name: "--tile".into(), error: Box::new(error) })
    }

    /// That `--tile` and `--bits` are not given to what does not take them.
    fn only(&self, tile: bool, bits: bool) -> Result<()> {
        let fail = |why: &str| Err(Error::Request(why.into()));
        match (self.tile.is_some() && !tile, self.bits.is_some() && !bits) {
            (true, _) => fail("--tile is for a tiled MMA and for a thread-value layout, after the word TV"),
            (_, true) => fail("--bits is for the layout of a tensor in shared memory"),
            _ => Ok(()),
        }
    }
}

/// Draws what `words` say, an expression or a function and its arguments, and writes it where the options say.
pub fn run(session: &Session, words: &[&str], options: &Picture, out: &mut impl Write) -> Result<()> {
    let Some(path) = &options.output else {
        return Err(Error::Request("svg needs a file to write, -o FILE; -o - is standard output".into()));
    };
    if let Some(corner) = options.corner.filter(|corner| *corner < 1) {
        return Err(Error::Request(format!("--corner {corner}: at least one row and column are drawn")));
    }
    let picture = draw::draw(&sheet(session, words, options)?);
    if path.as_os_str() == "-" {
        return Ok(out.write_all(picture.as_bytes())?);
    }
    std::fs::write(path, picture).map_err(|error| Error::File { path: path.clone(), error })
}

fn sheet(session: &Session, words: &[&str], options: &Picture) -> Result<Sheet> {
    let (owned, words) = match words {
        ["TV", words @ ..] => (true, words),
        words => (false, words),
    };
    let text = crate::cli::expression(words).ok_or_else(|| {
        Error::Request(
            "svg takes an expression, or a function and its arguments; a thread-value layout after TV".into(),
        )
    })?;
    let node = syntax::expression(&text)?;
    let (column, value) = (node.column, session.node(&node)?);
    let corner = options.corner;
    let mut sheet = if owned {
        options.only(true, false)?;
        thread_value(session, column, value, options)?
    } else {
        let value = match value {
            Value::Atom(Atom::Mma(_)) => session.call(column, "tiled_mma", vec![(column, value)])?,
            other => other,
        };
        match &value {
            Value::Tiling(tiling) => {
                options.only(matches!(**tiling, Tiling::Mma { .. }), false)?;
                of_tiling(session, column, tiling, options)?
            }
            Value::Atom(Atom::Copy(_)) => {
                let what = "a picture".to_string();
                return Err(
                    Arg { what, column, value }.not("of a tiled copy of it, such as make_tiled_copy(..)")
                );
            }
            _ => {
                options.only(false, true)?;
                index::sheet(column, value, options.bits, corner)?
            }
        }
    };
    if let Some(corner) = corner {
        sheet.notes.push(format!("Drawn are the first {corner} rows and columns of each table."));
    }
    Ok(sheet)
}

fn thread_value(session: &Session, column: usize, value: Value, options: &Picture) -> Result<Sheet> {
    let tv = Arg { what: "a thread-value layout".into(), column, value }.constant()?;
    let extents = match options.tile(session)?.as_deref() {
        Some([rows]) => [*rows, 1],
        Some([rows, columns]) => [*rows, *columns],
        Some(_) => return Err(Error::Request("--tile must have the two modes (M,N)".into())),
        None => return Err(Error::Request("TV needs the tile that it maps to, --tile (M,N)".into())),
    };
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
            let own = mma.tile_mnk();
            let mut tile = own;
            let given = options.tile(session)?.unwrap_or_default();
            if given.len() > tile.len() {
                return Err(Error::Request("--tile must have at most the three modes (M,N,K)".into()));
            }
            tile.iter_mut().zip(given).for_each(|(own, given)| *own = given);
            for ((mode, given), once) in ["M", "N", "K"].into_iter().zip(tile).zip(own) {
                if given % once != 0 {
                    let why = format!("--tile: {given} of {mode} is not a multiple of the tile's {once}");
                    return Err(Error::Table { column, why });
                }
            }
            let [m, n, k] = tile;
            let of = if tile == own { String::new() } else { format!(" on ({m},{n},{k})") };
            let sheet = tilings::mma(column, mma, tile, options.corner)?;
            Ok(Sheet { title: format!("{tiling}{of}"), ..sheet })
        }
    }
}

/// How many rows and columns are drawn.
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
