//! Tiled MMAs as CUTLASS draws them, A to the left of C and B above it, and tiled copies, source
//! beside destination; so are the atoms of copies.

use cute_algebra::{
    CopySide, Crd, Layout, MmaOperand, Tile, TiledCopy, TiledMma, Tuple, cosize, crd2idx, make_layout, size,
    tiled::tile_size, upcast,
};
use cute_arch::atoms::{CopyAtom, CopyInstruction, MatrixElement};

use super::{
    owners::{Owners, check_threads},
    sheet::{Grid, Sheet},
};
use crate::error::{Error, Result, SettingError, at};

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

/// Bits of a row of a matrix that `ldmatrix` loads.
const ROW_BITS: i64 = 128;

/// A side of a copy: its name, its thread-value layout in units, and the owners of the units.
pub(crate) type Side = (&'static str, Layout<i64>, Owners);

/// The bits of a unit, and the source and the destination of one call of a copy in these units; by
/// default, in the units that it moves. Units are counted row by row: a row is what a thread has
/// without a gap on one side, or a lane of tensor memory. Each side is thus the transpose of a tile
/// that is counted by columns.
pub fn copy_atom(column: usize, atom: &CopyAtom, bits: Option<i64>) -> Result<(i64, [Side; 2])> {
    let units = match atom.instruction {
        CopyInstruction::Ldmatrix(matrices) | CopyInstruction::Stmatrix(matrices) => match matrices.element {
            MatrixElement::B16 => vec![16],
            _ => vec![8],
        },
        _ => vec![32, 16, 8, 4, 2, 1],
    };
    let moved = at(column, size(&at(column, atom.src.mode(1))?))?;
    let in_units = |bits: i64| match bits > 0 && moved % bits == 0 {
        true => Some([upcast(&atom.src, bits).ok()?, upcast(&atom.dst, bits).ok()?]),
        false => None,
    };
    let given = bits;
    let mut units = given.map_or(units, |bits| vec![bits]).into_iter();
    let found = units.find_map(|bits| Some((bits, in_units(bits)?)));
    let (bits, [source, destination]) = found.ok_or_else(|| {
        let rule = format!("{} moves other units", atom.name);
        Error::Setting(SettingError::Bad { option: "bits", given: given.unwrap_or(1).to_string(), rule })
    })?;
    let total = at(column, cosize(&source))?.max(at(column, cosize(&destination))?).max(1);
    let across = match atom.instruction {
        CopyInstruction::Ldmatrix(_) | CopyInstruction::Stmatrix(_) | CopyInstruction::Movmatrix => {
            ROW_BITS / bits.max(1)
        }
        CopyInstruction::TmemLoad(shape)
        | CopyInstruction::TmemStore(shape)
        | CopyInstruction::TmemLoadReduce(shape) => total / i64::from(shape.lanes),
        _ => at(column, source.mode(1).and_then(|values| size(&values)))?,
    };
    let across = if across > 0 && total % across == 0 { across } else { total };
    let side = |name: &'static str, tv: Layout<i64>| -> Result<Side> {
        let owners = Owners::of_layout(column, &format!("the {name}"), [across, total / across], &tv)?;
        Ok((name, tv, owners))
    };
    Ok((bits, [side("source", source)?, side("destination", destination)?]))
}

/// The title of a side of a copy.
pub fn side_title(name: &str, bits: i64) -> String {
    format!("{name}: {bits} bits in each cell")
}

/// Source and destination of one call of a copy.
pub fn atom(column: usize, atom: &CopyAtom, bits: Option<i64>, corner: Option<i64>) -> Result<Sheet> {
    let (bits, sides) = copy_atom(column, atom, bits)?;
    let notes = sides.iter().flat_map(|(name, _, owners)| owners.notes(&format!(" of the {name}"))).collect();
    let grid = |(name, _, owners): &Side| owners.grid(&side_title(name, bits), true, corner).map(Some);
    let grids = vec![sides.iter().map(grid).collect::<Result<_>>()?];
    Ok(Sheet { title: format!("{}: (thread, bit) to bit", atom.name), grids, notes, ..Sheet::default() })
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
