//! Types of tiles, copies and MMAs.

use cute_algebra::{self as algebra, AnyLayout, ComposedLayout, CopyLayouts, Dim, Layout, Tile, Tuple};
use cute_arch::{atoms::Major, smem::SmemSwizzle};
use cute_dialect::{
    atom::{CopyAtom, MmaAtom},
    types::type_of,
    value::{TiledCopy, TiledMma, Value},
};
use melior::{Context, ir::Type};

use crate::Error;

/// A tile of shared memory with contiguous columns, swizzled by blocks of 128 bytes of 8 columns,
/// so that the same 16 bytes of 8 columns lie in different banks.
pub fn swizzled_columns(rows: i64, columns: i64, stages: i64, bits: i64) -> Result<AnyLayout<Dim>, Error> {
    repeated(SmemSwizzle::B128.element_block(Major::Mn, bits)?, [rows, columns, stages])
}

/// `stages` tiles of shared memory. Their rows, of `columns` elements of `bits` bits, are swizzled
/// so that 8 rows at one column, 16 bytes each, lie in different banks. A row has 16, 32 or 64
/// bytes, or a multiple of 128.
pub fn swizzled_rows(rows: i64, columns: i64, stages: i64, bits: i64) -> Result<AnyLayout<Dim>, Error> {
    let swizzle = SmemSwizzle::of_row(columns * bits).unwrap_or(SmemSwizzle::B128);
    repeated(swizzle.element_block(Major::K, bits)?, [rows, columns, stages])
}

/// A block repeated to a shape, rows first.
fn repeated(block: ComposedLayout<i64>, shape: [i64; 3]) -> Result<AnyLayout<Dim>, Error> {
    let order = Tuple::from_leaves([0, 1, 2]);
    let shape = Tuple::from_leaves(shape);
    let tiled = algebra::tile_to_shape(&AnyLayout::Composed(block), shape.view(), Some(&order))?;
    Ok(tiled.map(|n| Dim::fixed(*n)))
}

/// A copy of rows: adjacent threads copy adjacent groups of `values` elements of a row of
/// `columns`.
pub fn row_copy<'c>(
    context: &'c Context,
    atom: CopyAtom<'c>,
    threads: i64,
    columns: i64,
    values: i64,
) -> Result<Type<'c>, Error> {
    let across = columns / values;
    let row_major = |rows, columns| strided([rows, columns], [columns, 1]);
    let (threads, values) = (row_major(threads / across, across)?, row_major(1, values)?);
    thread_copy(context, atom, &threads, &values)
}

/// A copy of columns: `across` adjacent threads copy adjacent groups of `values` elements of a
/// column.
pub fn column_copy<'c>(
    context: &'c Context,
    atom: CopyAtom<'c>,
    threads: i64,
    across: i64,
    values: i64,
) -> Result<Type<'c>, Error> {
    let column_major = |rows, columns| strided([rows, columns], [1, rows]);
    let (threads, values) = (column_major(across, threads / across)?, column_major(values, 1)?);
    thread_copy(context, atom, &threads, &values)
}

fn strided(shape: [i64; 2], strides: [i64; 2]) -> Result<Layout<i64>, Error> {
    Ok(Layout::new(Tuple::from_leaves(shape), Tuple::from_leaves(strides.map(algebra::Stride::int)))?)
}

/// A copy in which each of `threads` copies `values`.
fn thread_copy<'c>(
    context: &'c Context,
    atom: CopyAtom<'c>,
    threads: &Layout<i64>,
    values: &Layout<i64>,
) -> Result<Type<'c>, Error> {
    let one = CopyLayouts::of_thread(atom.values())?;
    let copy = algebra::TiledCopy::of_thread_values(one, threads, values)?;
    Ok(tiled_copy(context, atom, &copy))
}

fn tiled_copy<'c>(context: &'c Context, atom: CopyAtom<'c>, copy: &algebra::TiledCopy) -> Type<'c> {
    type_of(context, &Value::TiledCopy(TiledCopy::new(atom, copy)))
}

/// An MMA of `warps` along M and N on tiles of `permutation`.
pub fn tiled_mma<'c>(
    atom: MmaAtom<'c>,
    [m, n]: [i64; 2],
    permutation: [i64; 3],
) -> Result<TiledMma<'c>, Error> {
    let strides = [1, m, 0].map(|n| algebra::Stride::int(Dim::fixed(n)));
    let atom_layout =
        Layout::new(Tuple::from_leaves([m, n, 1].map(Dim::fixed)), Tuple::from_leaves(strides))?;
    let permutation = permutation.map(|n| Layout::identity(Dim::fixed(n)).map(Tile::Layout));
    let permutation = permutation.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(TiledMma { atom, atom_layout, permutation: Some(Tile::Modes(permutation)) })
}
