//! The strict policy for tiled MMAs and copies: the atoms fill their tile, and stay in it.

use super::{Domain, coordinate::one_of, image::injective};
use crate::{
    error::{Error, ModePath, Result},
    int::Int,
    ops::cosize,
    tile::{Tile, Tiler},
    tiled::{CopyLayouts, TiledCopy, TiledMma, tile_size},
    tuple::Tuple,
};

impl Domain {
    /// Checks a tiled MMA: every thread has its own index, each permutation is one, and the atoms
    /// of all threads divide the tile.
    ///
    /// ```
    /// use cute_algebra::{Domain, Layout, MmaLayouts, Tile, TiledMma, parse_layout};
    /// let layout = |text| parse_layout(text).unwrap().to_const().unwrap();
    /// let one = layout("(1,1):(0,0)");
    /// let atom = MmaLayouts { shape: [1; 3], thr_id: Layout::unit(), a: one.clone(), b: one.clone(), c: one };
    /// let mma = |tile| TiledMma::new(atom.clone(), &layout("(16,16)"), &[Tile::Int(tile)]).unwrap();
    /// assert!(Domain::Strict.tiled_mma(&mma(64)).is_ok());
    /// let error = Domain::Strict.tiled_mma(&mma(40)).unwrap_err().to_string();
    /// assert!(error.contains("mode 0: a tile of 40 is not a multiple of 16, 16 atoms of 1"), "{error}");
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn tiled_mma(self, mma: &TiledMma) -> Result<()> {
        self.check(|| {
            let fail = |why| Err(Error::Domain { what: "tiled_mma", why });
            let threads = mma.thr_layout_vmnk();
            if injective(threads) == Some(false) {
                return fail(format!("{threads} gives two threads one index"));
            }
            for (i, tile) in mma.permutation().iter().enumerate() {
                let path = ModePath::from_iter([i]);
                if let Tile::Layout(layout) = tile
                    && injective(layout) == Some(false)
                {
                    return fail(format!("{path}: the permutation {layout} repeats a position"));
                }
                let (tile, covered, atom) = (mma.tile_mnk()[i], mma.covered(i)?, mma.atom().shape[i]);
                if tile.checked_rem(covered) != Some(0) {
                    let atoms = covered / atom;
                    return fail(format!(
                        "{path}: a tile of {tile} is not a multiple of {covered}, {atoms} atoms of {atom}"
                    ));
                }
            }
            Ok(())
        })
    }

    /// Checks that the thread-value layout of a tiled copy stays in its tile.
    pub fn tile_of_copy(self, copy: &TiledCopy) -> Result<()> {
        self.check(|| {
            let (reach, tile) = (cosize(copy.tv())?, tile_size(copy.tiler())?);
            if reach <= tile {
                return Ok(());
            }
            let (tv, tiler, last) = (copy.tv(), copy.tiler(), reach - 1);
            let why = format!("{tv} reaches position {last} of the tile {tiler}, which has {tile}");
            Err(Error::Domain { what: "tiled_copy", why })
        })
    }

    /// Checks a tiled copy: the thread-value layout stays in the tile, and the atom's threads and
    /// values divide it.
    pub fn tiled_copy(self, copy: &TiledCopy) -> Result<()> {
        self.check(|| {
            self.tile_of_copy(copy)?;
            let extents = CopyLayouts::extents(copy.atom().reference())?;
            self.divide(copy.tv(), &Tiler::Shape(Tuple::from_leaves(extents)))
        })
    }

    /// Checks that a static thread index is below the number of threads.
    pub fn thread<I: Int>(self, threads: i64, index: &I) -> Result<()> {
        self.check(|| one_of(index, I::from_i64(threads)))
    }
}
