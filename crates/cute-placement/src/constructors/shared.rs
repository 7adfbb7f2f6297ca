//! Tiles in shared memory, the last dimension contiguous, in the blocks of [`SmemSwizzle`]: along
//! `m`, in elements.

use crate::{Placement, placement::StorageSwizzle};

use super::{
    Result,
    error::{Args, tuple},
    iter,
};
use crate::bridge::storage_swizzle;
use cute_arch::smem::SmemSwizzle;

/// The modes of TIRx: `SmemSwizzle` by its number of bits.
const MODES: [SmemSwizzle; 4] =
    [SmemSwizzle::Interleave, SmemSwizzle::B32, SmemSwizzle::B64, SmemSwizzle::B128];

/// Rows of a block.
const ROWS: i64 = 8;

/// The swizzle in elements of `bits`, and the number of elements in a row of a block.
fn block(args: Args, bits: i64, mode: SmemSwizzle) -> Result<(StorageSwizzle, i64)> {
    args.check(MODES.contains(&mode), "swizzle_mode", mode, || {
        format!("K-major tiles have the modes {}", MODES.map(SmemSwizzle::name).join(", "))
    })?;
    args.check((1..=128).contains(&bits) && 128 % bits == 0, "dtype", format!("{bits} bits wide"), || {
        "its width must divide the 128 bits that a swizzle keeps together".into()
    })?;
    Ok((storage_swizzle(mode.swizzle(), bits)?, mode.row_bits() / bits))
}

/// The swizzle of a mode alone, over one of its periods.
///
/// ```
/// use cute_arch::smem::SmemSwizzle;
/// use cute_placement::constructors::mma_atom_layout;
/// let atom = mma_atom_layout(16, SmemSwizzle::B128)?;
/// assert_eq!(atom.to_string(), "Swizzle(M=3, B=3, S=3, inner=true) o S[(512) : (1@m)]");
/// # Ok::<(), cute_placement::constructors::ConstructorError>(())
/// ```
pub fn mma_atom_layout(bits: i64, mode: SmemSwizzle) -> Result<Placement> {
    let (swizzle, _) = block(Args("mma_atom_layout"), bits, mode)?;
    Ok(Placement::bare_swizzle(swizzle)?)
}

/// The extents of a block, with leading ones up to the rank of `shape`.
///
/// ```
/// use cute_arch::smem::SmemSwizzle;
/// use cute_placement::constructors::mma_atom_shape;
/// assert_eq!(mma_atom_shape(16, SmemSwizzle::B128, Some(&[3, 16, 128]))?, [1, 8, 64]);
/// # Ok::<(), cute_placement::constructors::ConstructorError>(())
/// ```
pub fn mma_atom_shape(bits: i64, mode: SmemSwizzle, shape: Option<&[i64]>) -> Result<Vec<i64>> {
    let args = Args("mma_atom_shape");
    args.check(mode != SmemSwizzle::Interleave, "swizzle_mode", mode, || {
        format!("only a swizzle has atoms: {}", MODES.map(SmemSwizzle::name)[1..].join(", "))
    })?;
    let (_, columns) = block(args, bits, mode)?;
    let rank = shape.map_or(2, <[i64]>::len);
    args.check(rank >= 2, "shape", tuple(shape.unwrap_or_default()), || "an atom has two dimensions".into())?;
    let ones = std::iter::repeat_n(1, rank - 2);
    Ok(ones.chain([ROWS, columns]).collect())
}

/// A tile in shared memory: matrices of the last two dimensions (R,C), one after another. Each
/// matrix consists of blocks of A columns, side by side, whose rows of 16 to 128 bytes follow each
/// other.
///
/// ```text
/// m = (index of the matrix) * R*C + (c / A) * R*A + r * A + c % A,    then swizzled
/// ```
///
/// Without a swizzle A is 16 bytes, or all of C if 16 bytes do not divide it.
///
/// ```
/// use cute_arch::smem::SmemSwizzle;
/// use cute_placement::constructors::mma_shared_layout;
/// let tile = mma_shared_layout(16, SmemSwizzle::B64, &[16, 64])?;
/// assert_eq!(tile.to_string(), "Swizzle(M=3, B=2, S=3, inner=true) o S[(16, 2, 32) : (32@m, 512@m, 1@m)]");
/// # Ok::<(), cute_placement::constructors::ConstructorError>(())
/// ```
pub fn mma_shared_layout(bits: i64, mode: SmemSwizzle, shape: &[i64]) -> Result<Placement> {
    let args = Args("mma_shared_layout");
    let (swizzle, mut width) = block(args, bits, mode)?;
    let [matrices @ .., rows, columns] = shape else {
        return Err(args.broken("shape", tuple(shape), "it must have two dimensions at least"));
    };
    if let Some(extent) = shape.iter().find(|extent| **extent < 1) {
        return Err(args.broken("shape", tuple(shape), format!("extent {extent} is not positive")));
    }
    if mode == SmemSwizzle::Interleave {
        width = if columns % width == 0 { width } else { *columns };
    } else {
        let is = |extent: i64, of, what: &str| {
            args.check(extent % of == 0, "shape", tuple(shape), || {
                format!("{what} is {extent}, but must be a multiple of {of}, the extent of a {mode} block")
            })
        };
        is(*rows, ROWS, "the number of rows")?;
        is(*columns, width, "the number of columns")?;
    }
    let matrices = Placement::row_major(matrices)?;
    let size = Placement::row_major(&[*rows, *columns])?.size()?;
    let mut shard = Vec::with_capacity(shape.len() + 1);
    for step in matrices.shard() {
        shard.push(iter(step.extent, checked(step.stride, size)?, "m")?);
    }
    shard.push(iter(*rows, width, "m")?);
    shard.push(iter(columns / width, rows * width, "m")?);
    shard.push(iter(width, 1, "m")?);
    let tile = Placement::new(shard, Vec::new(), Default::default())?.canonicalize(None)?;
    Ok(if mode == SmemSwizzle::Interleave { tile } else { tile.swizzled(swizzle)? })
}

fn checked(a: i64, b: i64) -> Result<i64> {
    Ok(cute_algebra::Int::mul(&a, &b)?)
}
