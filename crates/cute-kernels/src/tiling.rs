//! Types of tiles, copies and MMAs.

use cute_algebra::{self as algebra, AnyLayout, ComposedLayout, Dim, Layout, Stride, Tuple, Width};
use cute_arch::{Element, atoms::Major, smem::SmemSwizzle};
use cute_build::{
    atoms::{self, CopyAtom, MmaAtom, TiledCopy, TiledMma},
    types::{self, Space},
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
    atom: CopyAtom<'c>,
    threads: i64,
    columns: i64,
    values: i64,
) -> Result<TiledCopy<'c>, Error> {
    let across = columns / values;
    let row_major = |rows, columns| strided([rows, columns], [columns, 1]);
    let (threads, values) = (row_major(threads / across, across)?, row_major(1, values)?);
    Ok(atoms::tiled_copy(atom, threads, values)?)
}

/// A copy of columns: `across` adjacent threads copy adjacent groups of `values` elements of a
/// column.
pub fn column_copy<'c>(
    atom: CopyAtom<'c>,
    threads: i64,
    across: i64,
    values: i64,
) -> Result<TiledCopy<'c>, Error> {
    let column_major = |rows, columns| strided([rows, columns], [1, rows]);
    let (threads, values) = (column_major(across, threads / across)?, column_major(values, 1)?);
    Ok(atoms::tiled_copy(atom, threads, values)?)
}

/// A flat layout.
pub fn strided<const N: usize>(shape: [i64; N], strides: [i64; N]) -> Result<Layout<i64>, algebra::Error> {
    Layout::new(Tuple::from_leaves(shape), Tuple::from_leaves(strides.map(algebra::Stride::int)))
}

/// An MMA of `warps` along M and N on tiles of `permutation`.
pub fn tiled_mma<'c>(
    atom: MmaAtom<'c>,
    [m, n]: [i64; 2],
    permutation: [i64; 3],
) -> Result<TiledMma<'c>, Error> {
    Ok(atoms::tiled_mma(atom, strided([m, n, 1], [1, m, 0])?, permutation)?)
}

/// A matrix in global memory whose extents are dynamic, `(?,?)` or `(?,?,?)` of a batch, at a
/// multiple of `alignment` bytes. One mode of the first two is contiguous.
pub fn matrix<'c>(
    context: &'c Context,
    elem: Element,
    (major, alignment): (Major, i64),
    batched: bool,
) -> Result<Type<'c>, cute_build::Error> {
    let (one, pitch) = (Stride::int(Dim::fixed(1)), Stride::int(Dim::dynamic(Width::I64, 1)));
    let mut strides = if major == Major::Mn { vec![one, pitch.clone()] } else { vec![pitch.clone(), one] };
    strides.extend(batched.then_some(pitch));
    let extents = strides.iter().map(|_| Dim::dynamic(Width::I32, 1));
    let layout = Layout::new(Tuple::from_leaves(extents), Tuple::from_leaves(strides))?;
    types::pointer(types::element(context, elem)?, Space::Gmem).align(alignment).memref(layout)
}
