//! [`TiledCopy`]: a copy atom repeated over threads and values.

use super::{atom::CopyLayouts, atom::CopySide, lift, lift_tile, open, tile_shape, whole};
use crate::{
    composed::LayoutLike,
    coord::{Coord, Crd},
    error::{Error, ModePath, Result},
    int::Int,
    layout::{Layout, make_layout},
    ops::{
        Sliceable, coalesce_profile, composition, logical_product, product_each, right_inverse, size_at,
        slice, upcast, zipped_divide,
    },
    tile::{Tile, Tiler},
    tuple::Tuple,
};

/// A copy atom repeated over threads and values: a layout from (thread, value) to the column-major
/// index in a tile.
///
/// ```
/// use cute_algebra::{CopyLayouts, CopySide, TiledCopy, parse_layout};
/// let layout = |text| parse_layout(text).unwrap().to_const().unwrap();
/// let copy = TiledCopy::of_thread_values(CopyLayouts::of_thread(4)?, &layout("(32,8):(8,1)"), &layout("(1,4):(4,1)"))?;
/// assert_eq!(copy.tiler().to_string(), "[32;32]");
/// assert_eq!(copy.layout_tv(CopySide::Src)?.to_string(), "((8,32),(4,1)):((128,1),(32,0))");
/// let (part, offset) = copy.partition(CopySide::Src, &layout("(64,64):(64,1)"), &9)?;
/// assert_eq!((part.to_string(), offset.to_string()), ("((4,1),2,2):((1,0),2048,32)".into(), "68".into()));
/// # Ok::<(), cute_algebra::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TiledCopy {
    atom: CopyLayouts,
    tv: Layout<i64>,
    tiler: Tile<i64>,
    threads: i64,
}

impl TiledCopy {
    /// `make_tiled_copy_impl`: `tv` maps (thread, value) to the column-major index in the tile
    /// `tiler`.
    ///
    /// Its threads and values must be multiples of the atom's.
    pub fn new(atom: CopyLayouts, tv: Layout<i64>, tiler: Tile<i64>) -> Result<Self> {
        if tv.is_leaf() || tv.rank() != 2 {
            let why = format!("{tv} must have exactly two modes (thread, value)");
            return Err(Error::Unsupported { what: "the layout of a tiled copy", why });
        }
        tile_shape(&tiler)?;
        let [threads, values] = CopyLayouts::extents(&tv)?;
        let [atom_threads, atom_values] = CopyLayouts::extents(atom.reference())?;
        let multiple = |what, lhs: i64, rhs: i64| match lhs.checked_rem(rhs) {
            Some(0) => Ok(()),
            _ => {
                let rule = "is not a multiple of the atom's";
                Err(Error::Divisibility { what, path: ModePath::root(), lhs, rule, rhs })
            }
        };
        multiple("threads of a tiled copy", threads, atom_threads)?;
        multiple("values of a thread of a tiled copy", values, atom_values)?;
        Ok(Self { atom, tv, tiler, threads })
    }

    /// The atom that is repeated.
    pub fn atom(&self) -> &CopyLayouts {
        &self.atom
    }

    /// (thread, value) to the column-major index in the tile, as the copy was made.
    pub fn tv(&self) -> &Layout<i64> {
        &self.tv
    }

    /// The tile that all threads copy at once.
    pub fn tiler(&self) -> &Tile<i64> {
        &self.tiler
    }

    /// The number of threads.
    pub fn threads(&self) -> i64 {
        self.threads
    }

    /// (thread, value) of a side to the column-major index in the tile: `get_layoutS_TV`,
    /// `get_layoutD_TV`.
    pub fn layout_tv(&self, side: CopySide) -> Result<Layout<i64>> {
        let tile = make_layout(&Tuple::from_modes([tile_shape(&self.tiler)?, Tuple::leaf(1)]))?;
        let [thr, frg] = [0, 1].map(|i| self.of_tile(side, &tile)?.mode(i));
        Ok(Layout::from_modes([thr?, frg?]))
    }

    /// A tensor (M,N,..) as `(Thr,(FrgV,FrgX),(RestM,RestN,..))`: the threads, the values of one
    /// atom and the atoms, and the tiles.
    pub fn tidfrg<L: LayoutLike>(&self, side: CopySide, tensor: &L) -> Result<L> {
        self.of_tile(side, &zipped_divide(tensor, &lift_tile(&self.tiler).into())?)
    }

    /// `((TileM,TileN,..),rest)` as `(Thr,(FrgV,FrgX),rest)`.
    fn of_tile<L: LayoutLike>(&self, side: CopySide, zipped: &L) -> Result<L> {
        let thread_value = Tile::Layout(lift(&self.thread_value(side)?));
        let both = composition(zipped, &Tile::Modes(vec![thread_value, Tile::Underscore]).into())?;
        both.map_outer(|l| {
            let [tv, rest] = [l.mode(0)?, l.mode(1)?];
            Ok(Layout::from_modes(tv.modes().map(|m| m.to_owned()).chain([rest])))
        })
    }

    /// `(Thr,(FrgV,FrgX))` of a side to the index in the tile: each (thread, value) of the side
    /// maps to the index that it shares with the reference of the atom.
    ///
    /// Assumes, as CuTe does, that the threads of an atom are neighbours.
    fn thread_value(&self, side: CopySide) -> Result<Layout<i64>> {
        let extents = CopyLayouts::extents(self.atom.reference())?;
        let atoms = zipped_divide(&self.tv, &Tiler::Shape(Tuple::from_leaves(extents)))?;
        let of_side = Tiler::Layout(self.atom.side(side).clone());
        let to_reference = composition(&right_inverse(self.atom.reference())?, &of_side)?;
        let by_side = Tile::Modes(vec![Tile::Layout(to_reference), Tile::Underscore]);
        let [one, rest] = {
            let atoms = composition(&atoms, &by_side.into())?;
            [atoms.mode(0)?, atoms.mode(1)?]
        };
        // ((thr,val),(rest_thr,rest_val)) to ((thr,rest_thr),(val,rest_val))
        let pair = |i| Ok(Layout::from_modes([one.mode(i)?, rest.mode(i)?]));
        let zipped = Layout::from_modes([pair(0)?, pair(1)?]);
        let leaf = || Tuple::leaf(1);
        let profile = Tuple::from_modes([leaf(), Tuple::from_modes([leaf(), leaf()])]);
        coalesce_profile(&zipped, profile.view())
    }

    /// `get_slice(thread).partition_S` or `_D`: the layout `((FrgV,FrgX),RestM,RestN,..)` of the
    /// thread's part, and the offset at which it starts.
    pub fn partition<L: Sliceable>(
        &self,
        side: CopySide,
        tensor: &L,
        thread: &L::Leaf,
    ) -> Result<(L::Slice, Tuple<L::Leaf>)> {
        let threads = self.tidfrg(side, tensor)?;
        let rest = threads.outer().mode(2)?;
        let rest: Coord<_> = if rest.is_leaf() || rest.rank() == 1 { whole() } else { open(rest.rank()) };
        let own = Tuple::leaf(Crd::Int(thread.clone()));
        threads.slice_and_offset(&Tuple::from_modes([own, whole(), rest]))
    }

    /// `retile_S` and `retile_D`: a fragment `(V,RestM,RestN,..)` of another tiling of the same
    /// tile, with its values in the order of this copy.
    ///
    /// The first values of a thread of this copy must be those of mode 0.
    pub fn retile<L: Sliceable>(&self, fragment: &L) -> Result<L::Slice> {
        let rank = fragment.outer().rank();
        let own = size_at(fragment, &[0])?;
        let values = own.as_static().ok_or_else(|| Error::NotStatic {
            what: "retile",
            value: format!("the size {} of mode 0", own.dim()),
        })?;
        // (m,n) to the index of the group of `values` values, over all threads.
        let tile = make_layout(&tile_shape(&self.tiler)?)?;
        let inverse = composition(&right_inverse(&self.tv)?, &Tiler::Layout(tile))?;
        let groups = upcast(&inverse, self.threads.mul(&values)?)?;
        // (values of an atom, atoms) to (v,m,n)
        let block = make_layout(&Tuple::leaf(values))?;
        let in_groups = logical_product(&block, &Tiler::Layout(right_inverse(&groups)?))?;
        let [_, atom_values] = CopyLayouts::extents(self.atom.reference())?;
        let atoms = zipped_divide(&in_groups, &Tiler::Layout(make_layout(&Tuple::leaf(atom_values))?))?;
        let tiler = product_each(groups.shape().view())?.prepend(Tuple::leaf(values));
        let tiled = zipped_divide(fragment, &Tiler::Shape(tiler.map(|n| L::Leaf::from_i64(*n))))?;
        let in_order = Tile::Modes(vec![Tile::Layout(lift(&atoms)), Tile::Underscore]);
        let ordered = composition(&tiled, &in_order.into())?;
        let rest = Tuple::leaf(Crd::Int(L::Leaf::from_i64(0)));
        let open = (1..rank).map(|_| whole());
        slice(&Tuple::from_modes([whole(), Tuple::from_modes([rest].into_iter().chain(open))]), &ordered)
    }
}
