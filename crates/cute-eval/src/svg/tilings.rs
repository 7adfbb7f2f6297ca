//! Tiled MMAs as CUTLASS draws them, A to the left of C and B above it, and tiled copies, source
//! beside destination.

use cute_algebra::{CopySide, MmaOperand, Tile, TiledCopy, TiledMma, Tuple, make_layout, tiled::tile_size};

use super::{
    owners::Owners,
    sheet::{Grid, Sheet},
};
use crate::error::{Result, at};

/// A, B and C of a tile of (M,N,K).
pub fn mma(column: usize, mma: &TiledMma, tile: [i64; 3], corner: Option<i64>) -> Result<Sheet> {
    let mut sheet = Sheet::default();
    let mut draw = |which: MmaOperand| {
        let extents = which.of(tile);
        let tensor = at(column, make_layout(&Tuple::from_leaves(extents)))?;
        let part = |thread| mma.partition(which, &tensor, &thread);
        let owners = Owners::new(column, &format!("{which}"), extents, mma.threads(), part)?;
        sheet.notes.extend(owners.notes(&format!(" of {which}")));
        let ([down, across], transposed) = match which {
            MmaOperand::B => (["k", "n"], true),
            _ => (which.of(["m", "n", "k"]), false),
        };
        owners.grid(&format!("{which}: {down} down, {across} across"), transposed, corner)
    };
    let [a, b, c] = MmaOperand::ALL.map(&mut draw);
    sheet.grids = vec![vec![None, Some(b?)], vec![Some(a?), Some(c?)]];
    Ok(sheet)
}

/// Source and destination of a tile.
pub fn copy(column: usize, copy: &TiledCopy, corner: Option<i64>) -> Result<Sheet> {
    let extents = at(column, extents(copy.tiler()))?;
    let mut sheet = Sheet::default();
    let mut draw = |side: CopySide| -> Result<Option<Grid>> {
        let name = if side == CopySide::Src { "source" } else { "destination" };
        let tv = at(column, copy.layout_tv(side))?;
        let owners = Owners::of_layout(column, &format!("the {name}"), extents, &tv)?;
        sheet.notes.extend(owners.notes(&format!(" of the {name}")));
        owners.grid(name, false, corner).map(Some)
    };
    let sides = CopySide::ALL.map(&mut draw);
    sheet.grids = vec![sides.into_iter().collect::<Result<_>>()?];
    Ok(sheet)
}

/// Rows and columns of a tile: its first mode, and the others.
fn extents(tile: &Tile<i64>) -> cute_algebra::error::Result<[i64; 2]> {
    match tile {
        Tile::Modes(modes) => match modes.as_slice() {
            [first, rest @ ..] => Ok([tile_size(first)?, tile_size(&Tile::Modes(rest.to_vec()))?]),
            [] => Ok([1, 1]),
        },
        tile => Ok([tile_size(tile)?, 1]),
    }
}
