//! Products of a block whose strides have a basis. The copies first fill the gaps of the block,
//! then lie side by side along the last mode of its codomain, which extends like the last mode of a
//! layout.

use crate::{
    basis::{Basis, Stride},
    composed::LayoutLike,
    error::{Error, Result},
    int::Int,
    layout::Layout,
    ops::{
        coalesce::coalesce,
        complement::{complement, complement_in_cosize},
        composition::compose,
        divide::{unpack_both, unpack_rest},
        modes::append_to_rank,
        size::{cosize, size},
    },
    tuple::Tuple,
};

/// The arrangement of the modes of a block and of its repetitions in a product.
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

/// `(block, R o tiler)`, where `R` is the complement of the block in its codomain: it fills the
/// places that the block leaves free in the box that it reaches, the first codomain mode fastest,
/// and continues along the last one.
///
/// ```
/// use cute_algebra::{Arrangement, parse_layout, product_of_bases};
/// let p = |a, how| product_of_bases(&parse_layout(a).unwrap(), &parse_layout("(2,5):(1,2)").unwrap(), how);
/// assert_eq!(p("(4,3):(1@0,1@1)", Arrangement::Pair)?.to_string(), "((4,3),(2,5)):((1@0,1@1),(3@1,6@1))");
/// assert_eq!(p("(4,3):(2@0,1@1)", Arrangement::Pair)?.to_string(), "((4,3),(2,5)):((2@0,1@1),(1@0,3@1))");
/// assert_eq!(p("(4,3):(1@0,1@1)", Arrangement::Blocked)?.to_string(), "((4,2),(3,5)):((1@0,3@1),(1@1,6@1))");
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
    let cotarget = size(block)?.mul(&cosize(tiler)?)?;
    let rest = complement_along_last(block, &cotarget)?;
    Ok(Layout::from_modes([block.clone(), compose(rest.view(), tiler.view())?]))
}

/// The complement of a block in its codomain. The last mode of the codomain has `cotarget`
/// elements; each other mode has as many as the block reaches.
pub(crate) fn complement_along_last<I: Int>(block: &Layout<I>, cotarget: &I) -> Result<Layout<I>> {
    let moving: Vec<_> = block.flat().filter(|(extent, d)| !extent.is(1) && !d.is(0)).collect();
    let mut bases: Vec<Basis> = moving.iter().map(|(_, d)| d.basis()).collect();
    bases.sort_by(|a, b| a.path().cmp(&b.path()));
    bases.dedup();
    let fraction = moving.iter().any(|(_, d)| d.den() != 1);
    let Some(last) = bases.last().filter(|_| !fraction && !bases.contains(&Basis::NONE)) else {
        let (found, expected) = (block.to_string(), "a block with whole basis strides only");
        return Err(Error::Basis { what: "product", found, expected });
    };
    let mut rests = Vec::new();
    for basis in &bases {
        let along = moving.iter().filter(|(_, d)| d.basis() == *basis);
        let along = Layout::from_flat(along.map(|(s, d)| ((*s).clone(), Stride::int(d.scale().clone()))))?;
        let rest = match basis == last {
            false => complement_in_cosize(&along)?,
            true => complement(&along, Tuple::leaf(cotarget.clone()).view())?,
        };
        for (extent, d) in rest.flat() {
            rests.push((extent.clone(), Stride::scaled(d.expect_int("product")?.clone(), *basis)));
        }
    }
    coalesce(&Layout::from_flat(rests)?)
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
