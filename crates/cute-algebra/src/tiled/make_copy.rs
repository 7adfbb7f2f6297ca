//! The constructors of [`TiledCopy`].

use super::{CopyLayouts, CopySide, MmaOperand, TiledCopy, TiledMma};
use crate::{
    basis::Stride,
    error::{BoxRule, Error, Result},
    int::Int,
    layout::{Layout, make_layout},
    ops::{
        coalesce, composition, cosize, filter, left_inverse, product_each, raked_product, right_inverse,
        size, size_at, tile_to_shape,
    },
    tile::{Tile, Tiler},
    tuple::Tuple,
};

impl TiledCopy {
    /// `make_tiled_copy`: threads laid out as `threads`, each with neighbouring values laid out as
    /// `values`; both map (m,n,..) to an index.
    ///
    /// ```text
    /// mn = raked_product(threads, values)
    /// tv = right_inverse(mn) with the shape (size(threads), size(values))
    /// ```
    ///
    /// ```
    /// use cute_algebra::{CopyLayouts, TiledCopy, parse_layout};
    /// let layout = |text| parse_layout(text).unwrap().to_const().unwrap();
    /// let copy = TiledCopy::of_thread_values(CopyLayouts::of_thread(1)?, &layout("(4,32):(32,1)"), &layout("(4,4):(4,1)"))?;
    /// assert_eq!(copy.tv().to_string(), "((32,4),(4,4)):((64,4),(16,1))");
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn of_thread_values(atom: CopyLayouts, threads: &Layout<i64>, values: &Layout<i64>) -> Result<Self> {
        let mn = raked_product(threads, values)?;
        let shape = make_layout(&Tuple::from_leaves([size(threads)?, size(values)?]))?;
        let tv = composition(&right_inverse(&mn)?, &Tiler::Layout(shape))?;
        Self::new(atom, tv, Tile::from_shape(product_each(mn.shape().view())?.view()))
    }

    /// `make_cotiled_copy`: threads and values as offsets. `atom_tv` maps (thread, value) to an
    /// offset, as `data` maps coordinates; the tile is the part of the data that the threads reach.
    ///
    /// ```
    /// use cute_algebra::{CopyLayouts, TiledCopy, parse_layout};
    /// let layout = |text| parse_layout(text).unwrap().to_const().unwrap();
    /// let [tv, data] = ["(32,2):(2,1)", "(128,32):(1,128)"].map(layout);
    /// let copy = TiledCopy::cotiled(CopyLayouts::of_thread(2)?, &tv, &data)?;
    /// assert_eq!((copy.tiler().to_string(), copy.tv().to_string()), ("[(32,2):(2,1);1:0]".into(), "(32,2):(1,32)".into()));
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn cotiled(atom: CopyLayouts, atom_tv: &Layout<i64>, data: &Layout<i64>) -> Result<Self> {
        // With 1:0 appended, offsets past the end have stride 0.
        let padded = |l: Layout<i64>| Layout::from_modes([l, Layout::unit()]);
        let tv = composition(&padded(left_inverse(data)?), &Tiler::Layout(atom_tv.clone()))?;
        let values = |l: &Layout<i64>| if l.is_leaf() { Ok(l.clone()) } else { l.mode(1) };
        let found = coalesce(&composition(&padded(data.clone()), &Tiler::Layout(values(&tv)?))?)?;
        let asked = coalesce(&values(atom_tv)?)?;
        if found != asked {
            let why = format!(
                "the values {asked} of a thread are not offsets of {data}, which gives {found} instead"
            );
            return Err(Error::Unsupported { what: "cotiled copy", why });
        }
        Self::reaching(atom, &product_each(data.shape().view())?, &tv)
    }

    /// `make_tma_copy_tiled`: boxes of a tile whose layout in memory is `memory`, without its
    /// swizzle. The values of the tile have the modes of `values`; `ctas` numbers the CTAs, each of
    /// which loads a part of each box for all of them.
    ///
    /// ```text
    /// inverse = right_inverse(memory)
    /// values  = the values of a box, composition(inverse, box), tiled over the tile
    /// ctas    = composition(inverse, the values at which their parts begin)
    /// ```
    ///
    /// ```
    /// use cute_algebra::{CopyLayouts, TiledCopy, parse_layout};
    /// let layout = |text| parse_layout(text).unwrap().to_const().unwrap();
    /// let atom = CopyLayouts::of_thread(512)?;
    /// let memory = layout("((64,2),(8,8)):((1,512),(64,1024))");
    /// let copy = TiledCopy::of_boxes(atom, &memory, &layout("(128,64):(1,128)"), &layout("2:1"))?;
    /// assert_eq!(copy.tv().to_string(), "(2,(((64,8),(2,8)))):(512,(((1,128),(64,1024))))");
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn of_boxes<I: Int>(
        atom: CopyLayouts,
        memory: &Layout<i64>,
        values: &Layout<I>,
        ctas: &Layout<i64>,
    ) -> Result<Self> {
        let inverse = right_inverse(memory)?;
        let boxed = size_at(atom.reference(), &[1])?;
        let one = composition(&inverse, &Tiler::Layout(Layout::identity(boxed)?))?;
        let tile = Tuple::from_modes([Tuple::leaf(size(values)?.expect_static())]);
        let all = tile_to_shape(&Layout::from_modes([one]), tile.view(), None)?;
        let parts = cosize(ctas)?.expect_static();
        if parts < 1 || boxed % parts != 0 {
            let why = format!("{parts} CTAs do not share a box of {boxed} elements equally");
            return Err(Error::NoBoxes { rule: BoxRule::Shared, why });
        }
        let begins = Layout::scalar(parts, Stride::int(if parts == 1 { 0 } else { boxed / parts }))?;
        let begins = composition(&begins, &Tiler::Layout(ctas.clone()))?;
        let begins = composition(&inverse, &Tiler::Layout(begins))?;
        let tiler = product_each(values.shape().view())?.map(Int::expect_static);
        Self::new(atom, Layout::from_modes([begins, all]), Tile::from_shape(tiler.view()))
    }

    /// `make_tiled_copy_A`, `_B` or `_C`: the part of an operand that each thread of an MMA holds.
    pub fn of_mma(atom: CopyLayouts, mma: &TiledMma, which: MmaOperand) -> Result<Self> {
        let tiler = Tile::Modes(which.of(mma.tile_mnk()).map(Tile::Int).into());
        Self::new(atom, mma.layout_tv(which)?, tiler)
    }

    /// `make_tiled_copy_C_atom`: the smallest copy of C with the first values of each thread, as
    /// many as the atom's source takes. It serves epilogues that store C part by part.
    pub fn of_mma_c_atom(atom: CopyLayouts, mma: &TiledMma) -> Result<Self> {
        let all = mma.layout_tv(MmaOperand::C)?;
        let [_, taken] = CopyLayouts::extents(atom.src())?;
        let [threads, values] = CopyLayouts::extents(&all)?;
        if taken > values {
            let why =
                format!("the atom copies {taken} values of a thread, but the thread has {values} of {all}");
            return Err(Error::Unsupported { what: "copy of parts of C", why });
        }
        let first = make_layout(&Tuple::from_leaves([threads, taken]))?;
        let tv = composition(&all, &Tiler::Layout(first))?;
        Self::reaching(atom, &Tuple::from_leaves(MmaOperand::C.of(mma.tile_mnk())), &tv)
    }

    /// `make_tiled_copy_S` and `_D`: another atom with the thread-value layout of a side of this
    /// copy.
    pub fn like(&self, atom: CopyLayouts, side: CopySide) -> Result<Self> {
        Self::new(atom, self.layout_tv(side)?, self.tiler().clone())
    }

    /// The copy of the elements that `tv` reaches, where `tv` maps (thread, value) to the
    /// column-major index in `shape`. The tile has the positions of each mode that occur.
    fn reaching(atom: CopyLayouts, shape: &Tuple<i64>, tv: &Layout<i64>) -> Result<Self> {
        let position = |i: usize| {
            // The position in mode i of a column-major index.
            let strides =
                Tuple::from_modes((0..shape.rank()).map(|n| Tuple::leaf(Stride::int(i64::from(n == i)))));
            let strides = if shape.is_leaf() { Tuple::leaf(Stride::int(1)) } else { strides };
            filter(&composition(&Layout::new(shape.clone(), strides)?, &Tiler::Layout(tv.clone()))?)
        };
        let modes = (0..shape.rank()).map(|i| Ok(Tile::Layout(position(i)?))).collect::<Result<Vec<_>>>()?;
        let tiler = Tile::Modes(modes);
        let whole = if shape.is_leaf() { Tuple::from_modes([shape.clone()]) } else { shape.clone() };
        let to_shape = composition(&make_layout(&whole)?, &Tiler::Tile(tiler.clone()))?;
        let tv = composition(&left_inverse(&to_shape)?, &Tiler::Layout(tv.clone()))?;
        Self::new(atom, tv, tiler)
    }
}
