//! Repeats blocks in the shape that an MMA expects for a tile.

use crate::{
    composed::LayoutLike,
    error::{Error, ModePath, Result},
    ops::{product_each, tile_to_shape, tiled_divide},
    tile::Tiler,
    tuple::Tuple,
};

/// `block` repeated over a tile of the shape `((MmaM,MmaK),RestM,RestK,..)` that
/// [`partition_shape`] gives: first over the whole tile (M,K,..), in the order of `order`, then
/// divided into the parts of one MMA.
///
/// [`partition_shape`]: crate::TiledMma::partition_shape
///
/// ```
/// use cute_algebra::{parse_layout_or_composed, parse_shape, tile_to_mma_shape};
/// let block = parse_layout_or_composed("S<3,4,3> o 0 o (8,64):(64,1)")?;
/// let tile = tile_to_mma_shape(&block, &parse_shape("((128,16),1,4)")?, None)?;
/// assert_eq!(tile.to_string(), "S<3,4,3> o 0 o ((128,16),1,4):((64,1),0,16)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tile_to_mma_shape<L: LayoutLike>(
    block: &L,
    shape: &Tuple<L::Leaf>,
    order: Option<&Tuple<L::Leaf>>,
) -> Result<L> {
    let [mma, rest @ ..] = &shape.modes().collect::<Vec<_>>()[..] else { return Err(not_of_an_mma(0)) };
    if mma.is_leaf() || rest.len() < mma.rank() {
        return Err(not_of_an_mma(shape.rank()));
    }
    let along =
        mma.modes().zip(rest).map(|(one, times)| Tuple::from_modes([one.to_owned(), times.to_owned()]));
    let further = rest.iter().skip(mma.rank()).map(|mode| mode.to_owned());
    let tile = Tuple::from_modes(along.chain(further));
    let tiled = tile_to_shape(block, tile.view(), order)?;
    tiled_divide(&tiled, &Tiler::Shape(product_each(*mma)?))
}

fn not_of_an_mma(found: usize) -> Error {
    let what = "the shape ((MmaM,MmaK),RestM,RestK,..)";
    Error::Rank { what, path: ModePath::root(), found, rule: "at least", expected: 3 }
}
