//! Conversions between coordinates, indices and values. `crd2idx` evaluates a layout at a
//! coordinate: `(4,8):(1,4)` has the value 9 at `(1,2)`. `idx2crd` splits an index over a shape:
//! index 9 in the shape `(4,8)` is the coordinate `(1,2)`. `get_hier_coord` and similar operations
//! find the coordinate of a value.

use std::borrow::Cow;

use crate::{
    composed::{AnyLayout, ComposedLayout, Inner, LayoutLike},
    coord::{Coord, Crd},
    dim::Width,
    error::{self, Error, Result},
    int::{Assumption, Int, any_checked},
    layout::{Layout, LayoutRef, text},
    ops::size::{add_values, coprofile, product},
    span,
    tuple::{Tuple, TupleRef},
};

/// The value of a layout at a coordinate: `sum of c_i * d_i`.
///
/// An integer given for a tuple of modes is split colexicographically (first mode fastest), and the
/// last mode takes the remainder, even past its extent. `_` counts as 0. Integer strides give an
/// integer, basis strides a tuple. A composed layout gives `inner(offset + outer(c))`.
///
/// Run-time indices of 32 bits give an offset of 32 bits, unless extents and strides show that 32
/// bits need not hold it; then it is computed with 64.
///
/// ```
/// use cute_algebra::{crd2idx, parse_coord, parse_layout};
/// let at = |c, l| crd2idx(&parse_coord(c).unwrap(), &parse_layout(l).unwrap()).map(|v| v.to_string());
/// assert_eq!(at("(2,1)", "(4,8):(8,1)")?, "17");
/// assert_eq!(at("6", "(4,8):(8,1)")?, "17");
/// assert_eq!(at("(2,1)", "(4,8):(1@0,1@1)")?, "(2,1)");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn crd2idx<L: LayoutLike>(coord: &Coord<L::Leaf>, layout: &L) -> Result<Tuple<L::Leaf>> {
    let coord = offset_coord(coord, layout);
    match layout.to_any() {
        AnyLayout::Plain(plain) => evaluate(coord.view(), plain.view()),
        AnyLayout::Composed(composed) => eval_composed(&coord, &composed),
    }
}

/// `coord`, with the assumption that every index lies in the shape of `layout`, and with indices
/// wide enough for the offset.
pub(crate) fn offset_coord<'a, L: LayoutLike>(
    coord: &'a Coord<L::Leaf>,
    layout: &L,
) -> Cow<'a, Coord<L::Leaf>> {
    let coord = in_range(coord, layout.outer().shape().view());
    match span::value_past_32_bits(&coord, layout) {
        Some(_) => Cow::Owned(widened(&coord)),
        None => coord,
    }
}

/// `coord` with run-time indices of 64 bits.
pub(crate) fn widened<I: Int>(coord: &Coord<I>) -> Coord<I> {
    coord.map(|c| c.map(|index| index.resized(Width::I64)))
}

/// `coord`, with the assumption that every index lies in `shape`.
pub(crate) fn in_range<'a, I: Int>(coord: &'a Coord<I>, shape: TupleRef<'_, I>) -> Cow<'a, Coord<I>> {
    fn walk<I: Int>(coord: TupleRef<'_, Crd<I>>, shape: TupleRef<'_, I>) -> Coord<I> {
        match coord.as_leaf() {
            // An extent is positive, so index 0 is always in range.
            Some(Crd::Int(index)) if !index.is(0) => match product(shape) {
                Ok(extent) => {
                    Tuple::leaf(Crd::Int(index.clone().assuming(Assumption::InRange, index, &extent)))
                }
                Err(_) => coord.to_owned(),
            },
            None if coord.rank() == shape.rank() => {
                Tuple::from_modes(coord.modes().zip(shape.modes()).map(|(c, s)| walk(c, s)))
            }
            _ => coord.to_owned(),
        }
    }
    let indices = coord.leaves().iter().filter_map(|c| match c {
        Crd::Int(index) => Some(index),
        Crd::Underscore => None,
    });
    let is_checked = any_checked(indices) || any_checked(shape.leaves());
    if is_checked { Cow::Owned(walk(coord.view(), shape)) } else { Cow::Borrowed(coord) }
}

/// [`crd2idx`] under the name that the IR uses.
pub fn layout_eval<L: LayoutLike>(layout: &L, coord: &Coord<L::Leaf>) -> Result<Tuple<L::Leaf>> {
    crd2idx(coord, layout)
}

fn eval_composed<I: Int>(coord: &Coord<I>, layout: &ComposedLayout<I>) -> Result<Tuple<I>> {
    layout.after_outer(&evaluate(coord.view(), layout.outer().view())?)
}

impl<I: Int> ComposedLayout<I> {
    /// `inner(offset + inside)`: the value of the layout where the outer layout gives `inside`.
    ///
    /// # Errors
    /// If the inner function is not defined there.
    pub fn after_outer(&self, inside: &Tuple<I>) -> Result<Tuple<I>> {
        let inside = add_values(self.offset().view(), inside.view())?;
        match self.inner() {
            Inner::Layout(inner) => {
                let zero = Tuple::leaf(I::from_i64(0));
                let mut coord = inside.to_coord();
                if span::past_32_bits(zero.view(), coord.view(), inner.view()).is_some() {
                    coord = widened(&coord);
                }
                evaluate(coord.view(), inner.view())
            }
            Inner::Swizzle(swizzle) => match inside.as_leaf() {
                Some(offset) => Ok(Tuple::leaf(swizzle.apply(offset)?)),
                None if swizzle.is_identity() => Ok(inside),
                None => {
                    Err(Error::Basis { what: "swizzle", found: text(inside.view()), expected: "an integer" })
                }
            },
        }
    }
}

/// The value at `coord` with every component of the codomain, including those that no fixed mode
/// reaches.
pub(crate) fn evaluate<I: Int>(coord: TupleRef<'_, Crd<I>>, layout: LayoutRef<'_, I>) -> Result<Tuple<I>> {
    add_values(coprofile(layout)?.view(), eval(coord, layout)?.view())
}

/// [`evaluate`] without the components that are known to be 0.
pub(crate) fn eval<I: Int>(coord: TupleRef<'_, Crd<I>>, layout: LayoutRef<'_, I>) -> Result<Tuple<I>> {
    let zero = || Tuple::leaf(I::from_i64(0));
    let Some(leaf) = coord.as_leaf() else {
        expect_rank("the coordinate", coord, layout.shape())?;
        let mut sum = zero();
        for (i, (c, mode)) in coord.modes().zip(layout.modes()).enumerate() {
            let term = eval(c, mode).map_err(|e| e.inside(i))?;
            sum = add_values(sum.view(), term.view())?;
        }
        return Ok(sum);
    };
    match leaf {
        Crd::Underscore => Ok(zero()),
        Crd::Int(index) => eval_index(index, layout),
    }
}

fn eval_index<I: Int>(index: &I, layout: LayoutRef<'_, I>) -> Result<Tuple<I>> {
    if let Some((_, stride)) = layout.as_leaf() {
        return stride.eval(index);
    }
    let mut sum = Tuple::leaf(I::from_i64(0));
    if index.is(0) {
        return Ok(sum);
    }
    let mut rest = index.clone();
    let last = layout.rank().saturating_sub(1);
    for (i, mode) in layout.modes().enumerate() {
        let part = if i == last {
            rest.clone()
        } else {
            let extent = product(mode.shape())?;
            let part = rest.rem(&extent)?;
            rest = rest.div(&extent)?;
            part
        };
        sum = add_values(sum.view(), eval_index(&part, mode)?.view())?;
        if rest.is(0) {
            break;
        }
    }
    Ok(sum)
}

/// Fails unless `coord` is a tuple over a tuple of the same rank.
fn expect_rank<T, U>(what: &'static str, coord: TupleRef<'_, T>, shape: TupleRef<'_, U>) -> Result<()> {
    error::expect_rank(what, coord.rank(), (!shape.is_leaf()).then(|| shape.rank()))
}

/// The colexicographic index of a coordinate in a shape: `c_0 + s_0 * (c_1 + s_1 * (c_2 + ...))`.
///
/// An integer is its own index; `_` counts as 0.
///
/// ```
/// use cute_algebra::{crd2idx_in_shape, parse_coord, parse_shape};
/// let index = crd2idx_in_shape(&parse_coord("(2,(1,3))")?, &parse_shape("(4,(3,5))")?)?;
/// assert_eq!(index.to_string(), "42");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn crd2idx_in_shape<I: Int>(coord: &Coord<I>, shape: &Tuple<I>) -> Result<I> {
    let coord = in_range(coord, shape.view());
    match span::index_past_32_bits(coord.view(), shape.view()) {
        Some(_) => index_in(widened(&coord).view(), shape.view()),
        None => index_in(coord.view(), shape.view()),
    }
}

/// [`crd2idx_in_shape`] in the widths of the indices.
pub(crate) fn index_in<I: Int>(coord: TupleRef<'_, Crd<I>>, shape: TupleRef<'_, I>) -> Result<I> {
    if let Some(leaf) = coord.as_leaf() {
        return Ok(leaf.as_int().cloned().unwrap_or_else(|| I::from_i64(0)));
    }
    let mut digits = Vec::new();
    collect_digits(coord, shape, &mut digits)?;
    let mut index: Option<I> = None;
    for (digit, radix) in digits.into_iter().rev() {
        index = Some(match index {
            None => digit,
            Some(higher) => digit.add(&radix.mul(&higher)?)?,
        });
    }
    Ok(index.unwrap_or_else(|| I::from_i64(0)))
}

/// The leaves of `coord`, each with the size of the part of `shape` it indexes.
fn collect_digits<I: Int>(
    coord: TupleRef<'_, Crd<I>>,
    shape: TupleRef<'_, I>,
    out: &mut Vec<(I, I)>,
) -> Result<()> {
    if let Some(leaf) = coord.as_leaf() {
        out.push((leaf.as_int().cloned().unwrap_or_else(|| I::from_i64(0)), product(shape)?));
        return Ok(());
    }
    expect_rank("the coordinate", coord, shape)?;
    for (i, (c, s)) in coord.modes().zip(shape.modes()).enumerate() {
        collect_digits(c, s, out).map_err(|e| e.inside(i))?;
    }
    Ok(())
}

/// The coordinate of an index in a shape, first mode fastest:
/// `c_i = (idx / (s_0 ... s_{i-1})) % s_i`, and the last mode takes the remainder. A tuple of
/// indices is converted mode by mode.
///
/// ```
/// use cute_algebra::{idx2crd, parse_int_tuple, parse_shape};
/// let crd = idx2crd(&parse_int_tuple("59")?, &parse_shape("(3,(4,5))")?)?;
/// assert_eq!(crd.to_string(), "(2,(3,4))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn idx2crd<I: Int>(index: &Tuple<I>, shape: &Tuple<I>) -> Result<Tuple<I>> {
    coord_in(index.view(), shape.view())
}

pub(crate) fn coord_in<I: Int>(index: TupleRef<'_, I>, shape: TupleRef<'_, I>) -> Result<Tuple<I>> {
    let Some(leaf) = index.as_leaf() else {
        expect_rank("the index", index, shape)?;
        let modes = index.modes().zip(shape.modes()).enumerate();
        let modes = modes.map(|(i, (c, s))| coord_in(c, s).map_err(|e| e.inside(i)));
        return Ok(Tuple::from_modes(modes.collect::<Result<Vec<_>>>()?));
    };
    if shape.is_leaf() {
        return Ok(Tuple::leaf(leaf.clone()));
    }
    let mut rest = leaf.clone();
    let last = shape.rank().saturating_sub(1);
    let mut modes = Vec::with_capacity(shape.rank());
    for (i, mode) in shape.modes().enumerate() {
        let part = if i == last {
            rest.clone()
        } else {
            let extent = product(mode)?;
            let part = rest.rem(&extent)?;
            rest = rest.div(&extent)?;
            part
        };
        modes.push(coord_in(Tuple::leaf(part).view(), mode)?);
    }
    Ok(Tuple::from_modes(modes))
}

/// A coordinate of `src` as the coordinate of `dst` with the same index, mode by mode where all
/// three are tuples.
///
/// ```
/// use cute_algebra::{crd2crd, parse_int_tuple, parse_shape};
/// let crd = crd2crd(&parse_int_tuple("(1,2)")?, &parse_shape("(4,4)")?, &parse_shape("(2,8)")?)?;
/// assert_eq!(crd.to_string(), "(1,2)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn crd2crd<I: Int>(coord: &Tuple<I>, src: &Tuple<I>, dst: &Tuple<I>) -> Result<Tuple<I>> {
    convert(coord.view(), src.view(), dst.view())
}

fn convert<I: Int>(coord: TupleRef<'_, I>, src: TupleRef<'_, I>, dst: TupleRef<'_, I>) -> Result<Tuple<I>> {
    if coord.is_leaf() || src.is_leaf() || dst.is_leaf() {
        let index = index_in(coord.to_owned().to_coord().view(), src)?;
        return coord_in(Tuple::leaf(index).view(), dst);
    }
    expect_rank("the coordinate", coord, src)?;
    expect_rank("the coordinate", coord, dst)?;
    let modes = coord.modes().zip(src.modes()).zip(dst.modes()).enumerate();
    let modes = modes.map(|(i, ((c, s), d))| convert(c, s, d).map_err(|e| e.inside(i)));
    Ok(Tuple::from_modes(modes.collect::<Result<Vec<_>>>()?))
}

/// The hierarchical coordinate at which a compact layout has the value `index`:
/// `c_i = (index / d_i) % s_i`.
///
/// ```
/// use cute_algebra::{Dim, get_hier_coord, parse_layout};
/// assert_eq!(get_hier_coord(&parse_layout("(4,(2,4)):(8,(4,1))")?, &Dim::fixed(14))?.to_string(), "(1,(1,2))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn get_hier_coord<I: Int>(layout: &Layout<I>, index: &I) -> Result<Tuple<I>> {
    let mut strides = layout.stride().leaves().iter();
    layout.shape().try_map(|extent| {
        let stride = strides.next();
        if extent.is(1) {
            return Ok(I::from_i64(0));
        }
        match stride {
            // In a broadcast mode, every index has coordinate 0.
            Some(stride) if stride.is(0) => Ok(I::from_i64(0)),
            Some(stride) => index.div(stride.expect_int("get_hier_coord")?)?.rem(extent),
            None => Ok(I::from_i64(0)),
        }
    })
}

/// [`get_hier_coord`] with one index per top-level mode.
pub fn get_flat_coord<I: Int>(layout: &Layout<I>, index: &I) -> Result<Tuple<I>> {
    let crd = get_hier_coord(layout, index)?;
    if crd.rank() == 1 {
        return Ok(Tuple::leaf(index_in(crd.to_coord().view(), layout.shape().view())?));
    }
    let flat =
        crd.modes().zip(layout.shape().modes()).map(|(c, s)| index_in(c.to_owned().to_coord().view(), s));
    Ok(Tuple::from_leaves(flat.collect::<Result<Vec<_>>>()?))
}

/// The colexicographic index of [`get_hier_coord`] in the layout's shape.
pub fn get_1d_coord<I: Int>(layout: &Layout<I>, index: &I) -> Result<I> {
    index_in(get_hier_coord(layout, index)?.to_coord().view(), layout.shape().view())
}
