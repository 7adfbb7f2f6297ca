//! The strict policy for products: the copies of the block lie where the tiler puts them, and do
//! not overlap.

use super::{Domain, by_mode, carry, image::injective};
use crate::{
    composed::LayoutLike,
    error::{Error, ModePath, Result},
    int::Int,
    layout::{Layout, LayoutRef, text},
    ops::{self, complement_along_last, repetitions},
    tile::{Tile, Tiler},
    tuple::{Tuple, TupleRef},
};

impl Domain {
    /// Checks a product of `block` and `tiler`, in any of its arrangements: if neither repeats a
    /// value, no two copies of the block overlap; where the tiler repeats a value, so do the
    /// copies.
    ///
    /// ```
    /// use cute_algebra::{Domain, parse_layout, parse_tiler};
    /// let strict = |a, t| Domain::Strict.product(&parse_layout(a).unwrap(), &parse_tiler(t).unwrap());
    /// assert!(strict("4:2", "(6,2):(1,0)").is_ok());
    /// assert!(strict("2:6", "(4,2):(1,4)").is_err()); // 6 is in the copies at 0 and at 6
    /// assert!(strict("4:2", "(6,2,2):(1,2,1)").is_err()); // coordinates of equal value have different copies
    /// ```
    pub fn product<L: LayoutLike>(self, block: &L, tiler: &Tiler<L::Leaf>) -> Result<()> {
        self.check(|| {
            product_tile(block.outer().view(), &tiler.to_tile(), ModePath::root())?;
            self.mixed("product", block, tiler, ops::logical_product)
        })
    }

    /// Checks a product of a block whose strides have a basis: the copies lie where the tiler puts
    /// them.
    ///
    /// ```
    /// use cute_algebra::{Domain, parse_layout};
    /// let strict = |t| Domain::Strict.product_of_bases(&parse_layout("(4,3):(2@0,1@1)").unwrap(), &parse_layout(t).unwrap());
    /// assert!(strict("(2,5):(1,2)").is_ok());
    /// assert!(strict("(2,2):(1,1)").is_err()); // 2 at (1,1) is not the sum of 1 and 1
    /// ```
    pub fn product_of_bases<L: LayoutLike>(self, block: &L, tiler: &Layout<L::Leaf>) -> Result<()> {
        self.check(|| {
            let block = block.outer();
            let rest = complement_along_last(block, &ops::size(block)?.mul(&ops::cosize(tiler)?)?)?;
            carry::check_carries(rest.view(), tiler.view(), "product", &ModePath::root())
        })
    }

    /// Checks `tile_to_shape(block, target, order)`: the block divides the target, and no two
    /// copies overlap.
    ///
    /// ```
    /// use cute_algebra::{Domain, parse_layout, parse_shape};
    /// let strict = |b, t| Domain::Strict.tile_to_shape(&parse_layout(b).unwrap(), parse_shape(t).unwrap().view(), None);
    /// assert!(strict("(8,4):(4,1)", "(16,16)").is_ok());
    /// assert_eq!(
    ///     strict("(3):(1)", "(8)").unwrap_err().to_string(),
    ///     "tile_to_shape: mode 0: a block of 3 does not divide 8"
    /// );
    /// assert!(strict("(2):(6)", "(8,2)").is_err()); // 6 is in the copies at 0 and at 6
    /// ```
    pub fn tile_to_shape<L: LayoutLike>(
        self,
        block: &L,
        target: TupleRef<'_, L::Leaf>,
        order: Option<&Tuple<L::Leaf>>,
    ) -> Result<()> {
        self.check(|| {
            let wanted = ops::sizes_of_modes(target)?;
            for (i, (mode, wanted)) in block.outer().modes().zip(wanted.leaves()).enumerate() {
                let own = ops::product(mode.shape())?;
                if wanted.divisible_by(&own) == Some(false) {
                    let path = ModePath::from_iter([i]);
                    let (own, wanted) = (own.dim(), wanted.dim());
                    let why = format!("{path}: a block of {own} does not divide {wanted}");
                    return Err(Error::Domain { what: "tile_to_shape", why });
                }
            }
            self.cover_shape(block, target, order)
        })
    }

    /// Checks `cover_shape(block, target, order)`: no two copies of the block overlap.
    pub fn cover_shape<L: LayoutLike>(
        self,
        block: &L,
        target: TupleRef<'_, L::Leaf>,
        order: Option<&Tuple<L::Leaf>>,
    ) -> Result<()> {
        self.check(|| {
            let (padded, repeats) = repetitions(block.outer(), target, order)?;
            let fail = |why| Error::Domain {
                what: "tile_to_shape",
                why: format!("{} repeated to {}: {why}", padded.to_dim(), text(target)),
            };
            let checked = product_of(padded.view(), &repeats, ModePath::root())
                .and_then(|()| self.mixed("product", &padded, &Tiler::Layout(repeats), ops::logical_product));
            checked.map_err(|error| match error {
                Error::Domain { why, .. } => fail(why),
                other => other,
            })
        })
    }
}

fn product_tile<I: Int>(block: LayoutRef<'_, I>, tile: &Tile<I>, path: ModePath) -> Result<()> {
    match tile {
        Tile::Layout(tiler) => product_of(block, tiler, path),
        Tile::Int(extent) => product_of(block, &ops::make_layout(&Tuple::leaf(extent.clone()))?, path),
        Tile::Underscore => Ok(()),
        Tile::Modes(tiles) => by_mode(block, tiles, &path, product_tile),
    }
}

fn product_of<I: Int>(block: LayoutRef<'_, I>, tiler: &Layout<I>, path: ModePath) -> Result<()> {
    let block = block.to_owned();
    let product = ops::logical_product(&block, &Tiler::Layout(tiler.clone()))?;
    let (Some(block), Some(tiler), Some(product)) = (block.to_const(), tiler.to_const(), product.to_const())
    else {
        return Ok(());
    };
    // A complement does not overlap its layout, so copies at different places of the complement do
    // not overlap.
    let cotarget = ops::size(&block)?.mul(&ops::cosize(&tiler)?)?;
    let places = ops::complement(&block, Tuple::leaf(cotarget).view())?;
    if carry::check(places.view(), tiler.view(), "product", &path).is_ok() {
        return Ok(());
    }
    let fail = |why| Err(Error::Domain { what: "product", why: format!("{path}: {why}") });
    match injective(&tiler) {
        Some(true) => {}
        Some(false) => {
            return fail(format!(
                "{tiler} has a value at several coordinates, and its sums carry in {places}, so that the copies of {block} \
                 in {product} need not be the same there"
            ));
        }
        None => {
            return fail(format!(
                "sums of {tiler} carry in {places}, and {tiler} has too many coordinates to find those of equal value, \
                 where the copies of {block} must be the same"
            ));
        }
    }
    // If the block repeats values, this keeps each of them once.
    let once = Layout::from_modes([ops::filter(&block)?, product.mode(1)?]);
    if injective(&once) != Some(true) {
        return fail(format!("{block} repeated over {tiler} overlaps itself in {product}"));
    }
    Ok(())
}
