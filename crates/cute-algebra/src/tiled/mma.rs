//! [`TiledMma`]: an MMA atom repeated over threads and values.

use super::{at_least, atom::MmaLayouts, atom::MmaOperand, lift, lift_tile, open, tile_size, whole};
use crate::{
    basis::Stride,
    composed::LayoutLike,
    coord::{Coord, Crd},
    error::{Error, ModePath, Result},
    int::Int,
    layout::{Layout, make_layout},
    ops::{
        Sliceable, append_to_rank, complement_in_cosize, composition, get_flat_coord, logical_divide,
        right_inverse, size, size_at, slice, tiled_product, zipped_divide,
    },
    tile::{Tile, Tiler},
    tuple::Tuple,
};

/// An MMA atom repeated over a layout (m,n,k) of threads, on tiles whose modes are permuted first.
///
/// ```
/// use cute_algebra::{MmaLayouts, MmaOperand, Tile, TiledMma, parse_layout};
/// let layout = |text| parse_layout(text).unwrap().to_const().unwrap();
/// let [a, b, c] = ["((4,8),(2,2)):((32,1),(16,8))", "((4,8),2):((16,1),8)", "((4,8),(2,2)):((32,1),(16,8))"].map(layout);
/// let atom = MmaLayouts { shape: [16, 8, 8], thr_id: layout("32:1"), a, b, c };
/// let mma = TiledMma::new(atom, &layout("(2,2,1):(1,2,0)"), &[Tile::Int(32), Tile::Int(32), Tile::Underscore])?;
/// assert_eq!(mma.tile_mnk(), [32, 32, 8]);
/// assert_eq!(mma.thr_layout_vmnk().to_string(), "(32,2,2,1):(1,32,64,0)");
/// let (part, offset) = mma.partition(MmaOperand::C, &layout("(128,64):(64,1)"), &33)?;
/// assert_eq!((part.to_string(), offset.to_string()), ("((2,2),4,4):((1,512),2048,16)".into(), "1026".into()));
/// # Ok::<(), cute_algebra::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TiledMma {
    atom: MmaLayouts,
    atom_layout: Layout<i64>,
    permutation: [Tile<i64>; 3],
    /// Maps (thread within the atom, repetitions over M, N and K) to the index of a thread.
    thr_layout_vmnk: Layout<i64>,
    tile_mnk: [i64; 3],
    threads: i64,
}

/// The intermediate results of thrfrg for a tensor (M,N,..), step by step. For A the tensor is
/// (M,K,..), for B it is (N,K,..).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThrFrg<L> {
    /// Permuted mode by mode: `((PermM,RestM),(PermN,RestN),..)`.
    pub permuted: L,
    /// Tiled by the atom: `((AtomM,AtomN),(RestM,RestN,..))`.
    pub atoms: L,
    /// The atom's elements as threads and values: `((ThrV,FrgV),(RestM,RestN,..))`.
    pub values: L,
    /// Tiled by the threads: `((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN,..)))`.
    pub threads: L,
}

/// The rank of (M,N,K).
const MNK: usize = 3;

impl TiledMma {
    /// `make_tiled_mma`: the atom at each place of `atom_layout`, (m,n,k) to the atom's index, on
    /// tiles of `permutation`.
    ///
    /// Modes that `atom_layout` or `permutation` lack are `1:0` and `_`; `_` stands for the extent
    /// that the atoms cover. Tiles that are not a multiple of that are accepted here, as in CuTe;
    /// only [`Domain::tiled_mma`](crate::Domain::tiled_mma) rejects them.
    pub fn new(atom: MmaLayouts, atom_layout: &Layout<i64>, permutation: &[Tile<i64>]) -> Result<Self> {
        atom.check()?;
        let what = |what, found| {
            Err(Error::Rank { what, path: ModePath::root(), found, rule: "at most", expected: MNK })
        };
        if atom_layout.rank() > MNK {
            return what("the layout of the atoms", atom_layout.rank());
        }
        if permutation.len() > MNK {
            return what("the permutation", permutation.len());
        }
        let atom_layout = append_to_rank(atom_layout, MNK)?;
        let permutation = [0, 1, 2].map(|i| permutation.get(i).cloned().unwrap_or(Tile::Underscore));
        let thr_layout_vmnk = tiled_product(&atom.thr_id, &Tiler::Layout(atom_layout.clone()))?;
        let threads = size(&thr_layout_vmnk)?;
        let mut mma = Self { atom, atom_layout, permutation, thr_layout_vmnk, tile_mnk: [1; MNK], threads };
        let mut tile_mnk = [1; MNK];
        for (i, extent) in tile_mnk.iter_mut().enumerate() {
            *extent = match &mma.permutation[i] {
                Tile::Underscore => mma.covered(i)?,
                tile => tile_size(tile).map_err(|e| e.inside(i))?,
            };
        }
        mma.tile_mnk = tile_mnk;
        Ok(mma)
    }

    /// The atom that is repeated.
    pub fn atom(&self) -> &MmaLayouts {
        &self.atom
    }

    /// (m,n,k) to the index of the atom.
    pub fn atom_layout(&self) -> &Layout<i64> {
        &self.atom_layout
    }

    /// The tiles of M, N and K as they were given, `_` where none was.
    pub fn permutation(&self) -> &[Tile<i64>; 3] {
        &self.permutation
    }

    /// (thread within the atom, m, n, k) to the index of the thread.
    pub fn thr_layout_vmnk(&self) -> &Layout<i64> {
        &self.thr_layout_vmnk
    }

    /// The numbers of elements of M, N and K that all threads process at once.
    pub fn tile_mnk(&self) -> [i64; 3] {
        self.tile_mnk
    }

    /// The number of threads.
    pub fn threads(&self) -> i64 {
        self.threads
    }

    /// The number of elements of mode `i` of (M,N,K) that the atoms cover, with one atom per
    /// thread.
    pub(crate) fn covered(&self, i: usize) -> Result<i64> {
        self.atom.shape[i].mul(&self.atoms_along(i)?)
    }

    /// The number of atoms side by side along mode `i` of (M,N,K).
    fn atoms_along(&self, i: usize) -> Result<i64> {
        size_at(&self.thr_layout_vmnk, &[i + 1])
    }

    /// The tile by which mode `i` of (M,N,K) is divided: the permutation, or the extent that the
    /// atoms cover.
    fn tile(&self, i: usize) -> Tile<i64> {
        match &self.permutation[i] {
            Tile::Underscore => Tile::Int(self.tile_mnk[i]),
            tile => tile.clone(),
        }
    }

    /// A tensor (M,N,..), (M,K,..) or (N,K,..) as `((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN,..)))`.
    /// Modes past the second follow in the rest.
    pub fn thrfrg<L: LayoutLike>(&self, which: MmaOperand, tensor: &L) -> Result<L> {
        Ok(self.steps(which, tensor)?.threads)
    }

    /// The tilers of [`steps`](Self::steps), in their order.
    pub fn tilers(&self, which: MmaOperand) -> Result<[Tile<i64>; 4]> {
        let pair = |tiles: [Tile<i64>; 2]| Tile::Modes(tiles.into());
        let [thr_m, thr_n, thr_k] = [0, 1, 2].map(|i| self.atoms_along(i).map(Tile::Int));
        let thr = pair(which.of([thr_m?, thr_n?, thr_k?]));
        Ok([
            pair(which.of([0, 1, 2]).map(|i| self.tile(i))),
            pair(which.of(self.atom.shape).map(Tile::Int)),
            pair([Tile::Layout(self.atom.operand(which).clone()), Tile::Underscore]),
            pair([Tile::Underscore, thr]),
        ])
    }

    /// [`thrfrg`](Self::thrfrg) with the result of each step.
    ///
    /// ```text
    /// permuted = logical_divide(tensor, [perm_m;perm_n])
    /// atoms    = zipped_divide(permuted, [atom_m;atom_n])
    /// values   = composition(atoms, [layout_tv;_])
    /// threads  = zipped_divide(values, [_;[thr_m;thr_n]])
    /// ```
    pub fn steps<L: LayoutLike>(&self, which: MmaOperand, tensor: &L) -> Result<ThrFrg<L>> {
        at_least("the tensor", tensor.outer().rank(), 2)?;
        let [permutation, atom, layout_tv, thr] =
            self.tilers(which)?.map(|tile| Tiler::Tile(lift_tile(&tile)));
        let permuted = logical_divide(tensor, &permutation)?;
        let atoms = zipped_divide(&permuted, &atom)?;
        let values = composition(&atoms, &layout_tv)?;
        let threads = zipped_divide(&values, &thr)?;
        Ok(ThrFrg { permuted, atoms, values, threads })
    }

    /// `get_slice(thread).partition_A`, `_B` or `_C`: the layout `(FrgV,RestM,RestN,..)` of the
    /// thread's part, and the offset at which it starts.
    pub fn partition<L: Sliceable>(
        &self,
        which: MmaOperand,
        tensor: &L,
        thread: &L::Leaf,
    ) -> Result<(L::Slice, Tuple<L::Leaf>)> {
        let threads = self.thrfrg(which, tensor)?;
        let [v, m, n, k] = self.vmnk(thread)?;
        let own = Tuple::from_modes([Tuple::leaf(v), Tuple::from_leaves(which.of([m, n, k]))]).to_coord();
        threads.slice_and_offset(&Tuple::from_modes([own, self.all_values(tensor)]))
    }

    /// The (v,m,n,k) of a thread.
    pub fn vmnk<I: Int>(&self, thread: &I) -> Result<[I; 4]> {
        let coord = get_flat_coord(&lift(&self.thr_layout_vmnk), thread)?;
        // The first thread of a warp group is thread 0 of its atom, whichever group it is.
        let known = |mode: &Layout<i64>| {
            let mut modes = mode.flat();
            let wraps = |extent: &i64, stride: &Stride<i64>| {
                let step = stride.scale().checked_mul(*extent);
                step.is_some_and(|step| step == 0 || thread.dim().divisor() % step == 0)
            };
            thread.as_static().is_none() && modes.all(|(extent, stride)| wraps(extent, stride))
        };
        let modes = self.thr_layout_vmnk.modes().zip(coord.leaves());
        let coord: Vec<_> =
            modes.map(|(mode, c)| if known(&mode.to_owned()) { I::from_i64(0) } else { c.clone() }).collect();
        let found = coord.len();
        <[I; 4]>::try_from(coord).map_err(|_| Error::Rank {
            what: "the layout of the threads",
            path: ModePath::root(),
            found,
            rule: "exactly",
            expected: MNK + 1,
        })
    }

    /// The shape of a thread's partition of a tensor of this shape.
    ///
    /// ```
    /// use cute_algebra::{Layout, MmaLayouts, MmaOperand, TiledMma, parse_layout, parse_shape};
    /// let layout = |text| parse_layout(text).unwrap().to_const().unwrap();
    /// let one = layout("(1,1):(0,0)");
    /// let atom = MmaLayouts { shape: [1; 3], thr_id: Layout::unit(), a: one.clone(), b: one.clone(), c: one };
    /// let mma = TiledMma::new(atom, &layout("(16,16,1):(16,1,0)"), &[])?;
    /// assert_eq!(mma.partition_shape(MmaOperand::C, &parse_shape("(128,?{div=16},3)").unwrap())?.to_string(), "(1,8,?,3)");
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn partition_shape<I: Int>(&self, which: MmaOperand, shape: &Tuple<I>) -> Result<Tuple<I>> {
        let tensor = make_layout(shape)?;
        let threads = self.thrfrg(which, &tensor)?;
        let first = Tuple::leaf(Crd::Int(I::from_i64(0)));
        let part = slice(&Tuple::from_modes([first, self.all_values(&tensor)]), &threads)?;
        Ok(part.shape().clone())
    }

    /// `(_,(_,_,..))`: all values of all rest modes of a tensor.
    fn all_values<L: LayoutLike>(&self, tensor: &L) -> Coord<L::Leaf> {
        Tuple::from_modes([whole(), open(tensor.outer().rank())])
    }

    /// (thread, value) to the column-major index in a tile of the operand.
    ///
    /// As in CuTe, the layout for C leaves the tile where several threads lie along N and K;
    /// partitions do not.
    pub fn layout_tv(&self, which: MmaOperand) -> Result<Layout<i64>> {
        let tile = make_layout(&Tuple::from_leaves(which.of(self.tile_mnk)))?;
        let mut threads = self.thrfrg(which, &tile)?;
        if let Some(shared) = self.shared_along_mn(which)? {
            let modes = vec![Tile::Layout(shared), Tile::Underscore];
            let thr = Tile::Modes(vec![Tile::Underscore, Tile::Modes(modes)]);
            threads = composition(&threads, &Tile::Modes(vec![thr, Tile::Underscore]).into())?;
        }
        let by_index = Tile::Modes(vec![Tile::Layout(self.vmnk_of_index()?), Tile::Underscore]);
        composition(&threads, &by_index.into())
    }

    /// Maps (ThrM,ThrN) to the mode that A or B has; threads along the other mode share its
    /// elements.
    fn shared_along_mn(&self, which: MmaOperand) -> Result<Option<Layout<i64>>> {
        let strides = match which {
            MmaOperand::A => [1, 0],
            MmaOperand::B => [0, 1],
            MmaOperand::C => return Ok(None),
        };
        let shape = Tuple::from_leaves([self.atoms_along(0)?, self.atoms_along(1)?]);
        Ok(Some(Layout::new(shape, Tuple::from_leaves(strides.map(Stride::int)))?))
    }

    /// The index of a thread to its (v,m,n,k).
    fn vmnk_of_index(&self) -> Result<Layout<i64>> {
        let unused = complement_in_cosize(&self.thr_layout_vmnk)?;
        let inverse = right_inverse(&Layout::from_modes([self.thr_layout_vmnk.clone(), unused]))?;
        let shape = Tuple::from_leaves([self.threads, 1]);
        let indices = Layout::new(shape, Tuple::from_leaves([1, 0].map(Stride::int)))?;
        composition(&indices, &Tiler::Layout(inverse))
    }
}

impl<L: LayoutLike> ThrFrg<L> {
    /// The steps in order, with their names.
    pub fn named(&self) -> [(&'static str, &L); 4] {
        [
            ("permuted", &self.permuted),
            ("atoms", &self.atoms),
            ("values", &self.values),
            ("threads", &self.threads),
        ]
    }
}
