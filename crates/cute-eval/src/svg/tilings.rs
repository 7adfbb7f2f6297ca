//! Tiled MMAs as CUTLASS draws them, A to the left of C and B above it, and tiled copies, source
//! beside destination.

use cute_algebra::{
    CopySide, Crd, MmaOperand, Tile, TiledCopy, TiledMma, Tuple, crd2idx, make_layout, tiled::tile_size,
};

use super::{
    owners::{Owners, check_threads},
    sheet::{Grid, Sheet},
};
use crate::error::{Result, at};

/// The owners of an operand of a tile of (M,N,K).
pub fn operand(column: usize, mma: &TiledMma, tile: [i64; 3], which: MmaOperand) -> Result<Owners> {
    let extents = which.of(tile);
    let tensor = at(column, make_layout(&Tuple::from_leaves(extents)))?;
    let part = |thread| mma.partition(which, &tensor, &thread);
    let whole = which.to_string();
    check_threads(column, mma.threads())?;
    Owners::new(column, &whole, extents, at(column, thread_indices(mma))?, part)
}

/// The indices of the threads, in order. They have the gaps of the atom's layout of threads: a quad
/// pair of Volta, `(4,2):(1,16)`, is the lanes 0 to 3 and 16 to 19.
fn thread_indices(mma: &TiledMma) -> cute_algebra::error::Result<Vec<i64>> {
    let index = |thread| {
        let index = crd2idx(&Tuple::leaf(Crd::Int(thread)), mma.thr_layout_vmnk())?;
        index.expect_int("the index of a thread").copied()
    };
    let mut indices = (0..mma.threads()).map(index).collect::<cute_algebra::error::Result<Vec<_>>>()?;
    indices.sort_unstable();
    indices.dedup();
    Ok(indices)
}

/// The title of an operand's table, and whether it is drawn transposed.
pub fn orientation(which: MmaOperand) -> (String, bool) {
    let ([down, across], transposed) = match which {
        MmaOperand::B => (["k", "n"], true),
        _ => (which.of(["m", "n", "k"]), false),
    };
    (format!("{which}: {down} down, {across} across"), transposed)
}

/// A, B and C of a tile of (M,N,K).
pub fn mma(column: usize, mma: &TiledMma, tile: [i64; 3], corner: Option<i64>) -> Result<Sheet> {
    let mut sheet = Sheet::default();
    let mut draw = |which: MmaOperand| {
        let owners = operand(column, mma, tile, which)?;
        sheet.notes.extend(owners.notes(&format!(" of {which}")));
        let (title, transposed) = orientation(which);
        owners.grid(&title, transposed, corner)
    };
    let [a, b, c] = MmaOperand::ALL.map(&mut draw);
    sheet.grids = vec![vec![None, Some(b?)], vec![Some(a?), Some(c?)]];
    Ok(sheet)
}

/// The name of a side of a copy, and the owners of its tile.
pub fn side(column: usize, copy: &TiledCopy, side: CopySide) -> Result<(&'static str, Owners)> {
    let extents = at(column, extents(copy.tiler()))?;
    let name = if side == CopySide::Src { "source" } else { "destination" };
    let tv = at(column, copy.layout_tv(side))?;
    Ok((name, Owners::of_layout(column, &format!("the {name}"), extents, &tv)?))
}

/// Source and destination of a tile.
pub fn copy(column: usize, copy: &TiledCopy, corner: Option<i64>) -> Result<Sheet> {
    let mut sheet = Sheet::default();
    let mut draw = |which: CopySide| -> Result<Option<Grid>> {
        let (name, owners) = side(column, copy, which)?;
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
