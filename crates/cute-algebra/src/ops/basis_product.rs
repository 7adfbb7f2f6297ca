//! Products of a block whose strides have a basis: the copies lie side by side in the first mode of its codomain.

use crate::{
    basis::Stride,
    composed::LayoutLike,
    error::{Error, Result},
    int::Int,
    layout::Layout,
    ops::{
        complement::complement,
        composition::compose,
        divide::{unpack_both, unpack_rest},
        modes::append_to_rank,
        size::{cosize, size},
    },
    tuple::Tuple,
};

/// How a product arranges the modes of the block and of its repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arrangement {
    /// `((block..), (repetitions..))`: logical and zipped.
    Pair,
    /// `((block..), repetitions..)`.
    Tiled,
    /// `(block.., repetitions..)`.
    Flat,
    /// `((block, repetition)..)`.
    Blocked,
    /// `((repetition, block)..)`.
    Raked,
}

/// `(block, R o tiler)`, where `R` is the complement of the modes of the block that step along the first basis, in
/// `[0, size(block) * cosize(tiler))` of that codomain mode.
///
/// ```
/// use cute_algebra::{Arrangement, parse_layout, product_of_bases};
/// let p = |how| product_of_bases(&parse_layout("(4,3):(1@0,1@1)").unwrap(), &parse_layout("(2,5):(1,2)").unwrap(), how);
/// assert_eq!(p(Arrangement::Pair)?.to_string(), "((4,3),(2,5)):((1@0,1@1),(4@0,8@0))");
/// assert_eq!(p(Arrangement::Blocked)?.to_string(), "((4,2),(3,5)):((1@0,4@0),(1@1,8@0))");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn product_of_bases<L: LayoutLike>(
    block: &L,
    tiler: &Layout<L::Leaf>,
    arrangement: Arrangement,
) -> Result<L> {
    block.map_outer(|block| match arrangement {
        Arrangement::Pair => pair(block, tiler),
        Arrangement::Tiled => unpack_rest(&pair(block, tiler)?),
        Arrangement::Flat => unpack_both(&pair(block, tiler)?),
        Arrangement::Blocked => ranked(block, tiler, true),
        Arrangement::Raked => ranked(block, tiler, false),
    })
}

fn pair<I: Int>(block: &Layout<I>, tiler: &Layout<I>) -> Result<Layout<I>> {
    let found = block.to_string();
    let moves = |(extent, stride): &(&I, &Stride<I>)| !extent.is(1) && !stride.is(0);
    let basis = block.flat().filter(moves).map(|(_, d)| d.basis()).min();
    let Some(basis) = basis.filter(|basis| !basis.is_none()) else {
        return Err(Error::Basis { what: "product", found, expected: "a block with basis strides only" });
    };
    let along = block.flat().filter(moves).filter(|(_, d)| d.basis() == basis && d.den() == 1);
    let along = along.map(|(s, d)| (s.clone(), Stride::int(d.scale().clone())));
    let cotarget = Tuple::leaf(size(block)?.mul(&cosize(tiler)?)?);
    let rest = complement(&Layout::from_flat(along)?, cotarget.view())?;
    let stride = rest.stride().try_map(|d| Ok(Stride::scaled(d.expect_int("product")?.clone(), basis)));
    let rest = Layout::new(rest.shape().clone(), stride?)?;
    Ok(Layout::from_modes([block.clone(), compose(rest.view(), tiler.view())?]))
}

fn ranked<I: Int>(block: &Layout<I>, tiler: &Layout<I>, block_first: bool) -> Result<Layout<I>> {
    let rank = block.rank().max(tiler.rank());
    let (block, tiler) = (append_to_rank(block, rank)?, append_to_rank(tiler, rank)?);
    let both = pair(&block, &tiler)?;
    let (blocks, tilers) = (both.mode(0)?, both.mode(1)?);
    let order = |b: Layout<I>, t: Layout<I>| Layout::from_modes(if block_first { [b, t] } else { [t, b] });
    if block.is_leaf() || tiler.is_leaf() {
        return Ok(Layout::from_modes([order(blocks, tilers)]));
    }
    let pairs = blocks.modes().zip(tilers.modes()).map(|(b, t)| order(b.to_owned(), t.to_owned()));
    Ok(Layout::from_modes(pairs))
}
