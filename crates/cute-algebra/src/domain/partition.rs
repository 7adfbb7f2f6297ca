//! The strict policy for partitions. A static coordinate must name an existing tile, element of a
//! tile, or thread, and a tile must hold the elements at its coordinates. Partial tiles are
//! accepted, because partitions exist to handle them.

use super::{
    Domain, carry,
    coordinate::{in_range, one_of},
    tile_and_rest,
};
use crate::{
    composed::LayoutLike,
    coord::{Coord, Crd},
    error::{ModePath, Result},
    int::Int,
    layout::{Layout, LayoutRef},
    ops::{
        cosize, dice, dice_tile, logical_divide, partition::dice_coord, product_each, size::mode_at,
        zipped_divide,
    },
    tile::{Tile, Tiler},
    tuple::{Tuple, TupleRef},
};

impl Domain {
    /// Checks `local_tile(layout, tiler, coord)`: the coordinate names a tile, in the modes that
    /// `projection` keeps, and no tile cuts across the modes within a mode of the layout.
    ///
    /// ```
    /// use cute_algebra::{Domain, parse_coord, parse_layout, parse_tiler};
    /// let (layout, tiler) = (parse_layout("(100,64):(64,1)")?, parse_tiler("(32,16)")?);
    /// let strict = |c| Domain::Strict.local_tile(&layout, &tiler, &parse_coord(c).unwrap(), None);
    /// assert!(strict("(3,_)").is_ok()); // the last tile is partial
    /// assert!(strict("(4,0)").is_err());
    /// let (layout, tiler) = (parse_layout("(12,2):(16,18)")?, parse_tiler("8:1")?);
    /// assert!(Domain::Strict.local_tile(&layout, &tiler, &parse_coord("0")?, None).is_err()); // 8 cuts across 12
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn local_tile<L: LayoutLike>(
        self,
        layout: &L,
        tiler: &Tiler<L::Leaf>,
        coord: &Coord<L::Leaf>,
        projection: Option<&Coord<L::Leaf>>,
    ) -> Result<()> {
        self.check(|| match projection {
            None => in_half(layout, tiler, 1, coord),
            Some(projection) => {
                let tiler = Tiler::Tile(dice_tile(projection, &tiler.to_tile())?);
                in_half(layout, &tiler, 1, &dice_coord(projection, coord)?)
            }
        })
    }

    /// Checks `outer_partition(layout, tiler, coord)`: the coordinate lies in the tile, and no tile
    /// cuts across modes within a mode of the layout.
    pub fn outer_partition<L: LayoutLike>(
        self,
        layout: &L,
        tiler: &Tiler<L::Leaf>,
        coord: &Coord<L::Leaf>,
    ) -> Result<()> {
        self.check(|| in_half(layout, tiler, 0, coord))
    }

    /// Checks `local_partition(layout, threads, index)`: the index names a thread, and no tile of
    /// threads cuts across modes within a mode of the layout. All threads are counted, also those
    /// that differ in a mode that `projection` drops: they share their elements.
    pub fn local_partition<L: LayoutLike>(
        self,
        layout: &L,
        threads: &Layout<L::Leaf>,
        index: &L::Leaf,
        projection: Option<&Coord<L::Leaf>>,
    ) -> Result<()> {
        self.check(|| {
            one_of(index, cosize(threads)?)?;
            let threads = projection.map_or_else(|| Ok(threads.clone()), |kept| dice(kept, threads))?;
            let tile = Tile::from_shape(product_each(threads.shape().view())?.view());
            tiles_are_whole(layout.outer().view(), &tile, ModePath::root())?;
            self.mixed("partition", layout, &Tiler::Tile(tile), logical_divide)
        })
    }
}

/// The coordinate lies in mode `half` of the zipped divide: 0 the tile, 1 the rest. Modes past the
/// coordinate are not checked.
fn in_half<L: LayoutLike>(
    layout: &L,
    tiler: &Tiler<L::Leaf>,
    half: usize,
    coord: &Coord<L::Leaf>,
) -> Result<()> {
    let zipped = zipped_divide(layout, tiler)?;
    let shape: TupleRef<'_, _> = mode_at(zipped.outer(), &[half])?.shape();
    in_range(coord.view(), shape, &ModePath::root())?;
    let open = || Tuple::leaf(Crd::Underscore);
    let whole = if half == 0 { [coord.clone(), open()] } else { [open(), coord.clone()] };
    Domain::Strict.offset(&Tuple::from_modes(whole), &zipped)?;
    tiles_are_whole(layout.outer().view(), &tiler.to_tile(), ModePath::root())?;
    Domain::Strict.mixed("partition", layout, tiler, logical_divide)
}

/// Checks that each tile holds the elements at its coordinates; the last mode of the layout
/// extends.
fn tiles_are_whole<I: Int>(a: LayoutRef<'_, I>, tile: &Tile<I>, path: ModePath) -> Result<()> {
    match tile_and_rest(a, tile, &path, tiles_are_whole)? {
        Some(both) => carry::check_carries(a, both.view(), "partition", &path),
        None => Ok(()),
    }
}
