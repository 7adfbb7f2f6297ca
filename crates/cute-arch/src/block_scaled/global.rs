//! Matrices of scale factors in global memory: blocks repeated until they cover the matrix, first
//! along K.

use super::{NoScales, Result, SfBlock, SfVec, sf_atom, vector::of_text};
use crate::atoms::Major;
use cute_algebra::{Int, Layout, Tuple, product_each, tile_to_shape};

/// The mode of a matrix that its rows form.
const ROWS: &str = "rows";

/// Blocks over `shape`, in this order of the first two modes. If all extents are static, the block
/// must divide the matrix.
fn repeated<I: Int>(
    atom: &Layout<I>,
    shape: &Tuple<I>,
    modes: [&'static str; 2],
    order: [i64; 2],
) -> Result<Layout<I>> {
    let (extents, blocks) = (product_each(shape.view())?, product_each(atom.shape().view())?);
    if extents.leaves().iter().all(Int::is_static) {
        for ((extent, block), mode) in extents.leaves().iter().zip(blocks.leaves()).zip(modes) {
            if let (Some(extent), Some(block)) = (extent.as_static(), block.as_static())
                && extent % block != 0
            {
                return Err(NoScales::NotMultiple { shape: text(shape), mode, extent, block });
            }
        }
    }
    let order = order.into_iter().chain([3]).take(shape.rank()).map(I::from_i64);
    Ok(tile_to_shape(atom, shape.view(), Some(&Tuple::from_leaves(order)))?)
}

/// The scale factors of a matrix (rows,K) or (rows,K,L) of elements: `tile_atom_to_shape_SF`.
///
/// If all extents are static, rows must be a multiple of 128, and K of four factors; otherwise the
/// matrix is padded.
///
/// ```
/// use cute_algebra::parse_shape;
/// use cute_arch::block_scaled::{SfBlock, SfVec, tile_atom_to_shape_sf};
/// let of = |text| tile_atom_to_shape_sf(SfBlock::Sm1xx, &parse_shape(text).unwrap(), SfVec::V32);
/// assert_eq!(of("(256,256)")?.to_string(), "(((32,4),2),((32,4),2)):(((16,4),1024),((0,1),512))");
/// assert_eq!(
///     of("(100,256)").unwrap_err().to_string(),
///     "(100,256): the rows are 100, but a block of scale factors has 128, and extents that are all static are \
///      not padded; use a multiple, or an extent that is known at run time"
/// );
/// # Ok::<(), cute_arch::block_scaled::NoScales>(())
/// ```
pub fn tile_atom_to_shape_sf<I: Int>(block: SfBlock, shape: &Tuple<I>, vec: SfVec) -> Result<Layout<I>> {
    if shape.is_leaf() || ![2, 3].contains(&shape.rank()) {
        return refused(shape, "(rows,K) or (rows,K,L)");
    }
    repeated(&sf_atom(block, vec, Major::K)?, shape, [ROWS, "elements of K"], [2, 1])
}

/// The scale factors of A, for a problem (M,N,K) or (M,N,K,L).
///
/// ```
/// use cute_algebra::parse_shape;
/// use cute_arch::block_scaled::{SfBlock, SfVec, tile_atom_to_shape_sfa};
/// let layout = tile_atom_to_shape_sfa(SfBlock::Sm1xx, &parse_shape("(?,?,?,?)").unwrap(), SfVec::V16)?;
/// assert_eq!(layout.to_string(), "(((32,4),?),((16,4),?),(1,?)):(((16,4),?{div=512}),((0,1),512),(0,?{div=512}))");
/// # Ok::<(), cute_arch::block_scaled::NoScales>(())
/// ```
pub fn tile_atom_to_shape_sfa<I: Int>(block: SfBlock, problem: &Tuple<I>, vec: SfVec) -> Result<Layout<I>> {
    tile_atom_to_shape_sf(block, &operand(problem, 0)?, vec)
}

/// The scale factors of B, for a problem (M,N,K) or (M,N,K,L).
pub fn tile_atom_to_shape_sfb<I: Int>(block: SfBlock, problem: &Tuple<I>, vec: SfVec) -> Result<Layout<I>> {
    tile_atom_to_shape_sf(block, &operand(problem, 1)?, vec)
}

/// The scale factors that an epilogue makes of D, for a problem (M,N,K,L): of `vec` elements along
/// N, or along M if `major` is MN.
///
/// ```
/// use cute_algebra::parse_shape;
/// use cute_arch::{atoms::Major, block_scaled::{SfVec, tile_atom_to_shape_sfd}};
/// let layout = tile_atom_to_shape_sfd(Major::Mn, &parse_shape("(256,384,64,2)").unwrap(), SfVec::V32)?;
/// assert_eq!(layout.to_string(), "(((32,4),2),((32,4),3),(1,2)):(((0,1),512),((16,4),1024),(0,3072))");
/// # Ok::<(), cute_arch::block_scaled::NoScales>(())
/// ```
pub fn tile_atom_to_shape_sfd<I: Int>(major: Major, problem: &Tuple<I>, vec: SfVec) -> Result<Layout<I>> {
    if problem.is_leaf() || problem.rank() != 4 {
        return refused(problem, "a problem (M,N,K,L)");
    }
    let order = if major == Major::K { [2, 1] } else { [1, 2] };
    let modes = ["rows of D", "columns of D"];
    repeated(&sf_atom(SfBlock::Sm1xx, vec, major)?, &problem.select(&[0, 1, 3])?, modes, order)
}

/// The layout of a block over its factors: rows and factors of a row.
pub fn sf_tensor_atom<I: Int>() -> Layout<I> {
    of_text("((32,4),(4)):((16,4),(1))")
}

/// A matrix (rows,factors,L) of factors, over their own coordinates:
/// `Sm1xxBlockScaledTensorConfig::tile_atom_to_shape`.
///
/// ```
/// use cute_algebra::parse_shape;
/// use cute_arch::block_scaled::tile_atom_to_shape;
/// let layout = tile_atom_to_shape(&parse_shape("(256,16,2)").unwrap())?;
/// assert_eq!(layout.to_string(), "(((32,4),2),((4),4),(1,2)):(((16,4),2048),((1),512),(0,4096))");
/// # Ok::<(), cute_arch::block_scaled::NoScales>(())
/// ```
pub fn tile_atom_to_shape<I: Int>(shape: &Tuple<I>) -> Result<Layout<I>> {
    if shape.is_leaf() || shape.rank() != 3 {
        return refused(shape, "(rows,factors,L)");
    }
    repeated(&sf_tensor_atom(), shape, [ROWS, "factors of a row"], [2, 1])
}

/// The shape (M,K) or (M,K,L) of A, or (N,K) or (N,K,L) of B.
fn operand<I: Int>(problem: &Tuple<I>, rows: usize) -> Result<Tuple<I>> {
    match problem.rank() {
        3 if !problem.is_leaf() => Ok(problem.select(&[rows, 2])?),
        4 if !problem.is_leaf() => Ok(problem.select(&[rows, 2, 3])?),
        _ => refused(problem, "a problem (M,N,K) or (M,N,K,L)"),
    }
}

fn refused<T, I: Int>(shape: &Tuple<I>, expected: &'static str) -> Result<T> {
    Err(NoScales::Shape { shape: text(shape), expected })
}

fn text<I: Int>(shape: &Tuple<I>) -> String {
    shape.map(Int::dim).to_string()
}
