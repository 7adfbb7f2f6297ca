//! The strict policy of partitions: static coordinates name a tile, an element of a tile, or a thread that exists.
//! Partial tiles are no error: they are what partitions are for.

use super::{Domain, in_range};
use crate::{
    composed::LayoutLike,
    coord::{Coord, Crd},
    error::{ModePath, Result},
    int::Int,
    layout::Layout,
    ops::{cosize, dice_tile, partition::dice_coord, size::mode_at, zipped_divide},
    tile::Tiler,
    tuple::{Tuple, TupleRef},
};

impl Domain {
    /// Checks `local_tile(layout, tiler, coord)`: the coordinate is one of a tile, in the modes that `projection` keeps.
    ///
    /// ```
    /// use cute_algebra::{Domain, parse_coord, parse_layout, parse_tiler};
    /// let (layout, tiler) = (parse_layout("(100,64):(64,1)")?, parse_tiler("(32,16)")?);
    /// let strict = |c| Domain::Strict.local_tile(&layout, &tiler, &parse_coord(c).unwrap(), None);
    /// assert!(strict("(3,_)").is_ok()); // the last tile is partial
    /// assert!(strict("(4,0)").is_err());
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

    /// Checks `outer_partition(layout, tiler, coord)`: the coordinate is one of the tile.
    pub fn outer_partition<L: LayoutLike>(
        self,
        layout: &L,
        tiler: &Tiler<L::Leaf>,
        coord: &Coord<L::Leaf>,
    ) -> Result<()> {
        self.check(|| in_half(layout, tiler, 0, coord))
    }

    /// Checks `local_partition(layout, threads, index)`: the index is that of a thread. A projection changes nothing: all
    /// threads are counted, those of the modes that it drops share their elements.
    pub fn local_partition<I: Int>(self, threads: &Layout<I>, index: &I) -> Result<()> {
        let index = Tuple::leaf(Crd::Int(index.clone()));
        self.check(|| in_range(index.view(), Tuple::leaf(cosize(threads)?).view(), &ModePath::root()))
    }
}

/// The coordinate lies in mode `half` of the zipped divide: 0 the tile, 1 the rest. Modes past the coordinate stay open.
fn in_half<L: LayoutLike>(
    layout: &L,
    tiler: &Tiler<L::Leaf>,
    half: usize,
    coord: &Coord<L::Leaf>,
) -> Result<()> {
    let zipped = zipped_divide(layout, tiler)?;
    let shape: TupleRef<'_, _> = mode_at(zipped.outer(), &[half])?.shape();
    in_range(coord.view(), shape, &ModePath::root())
}
