//! [`Layout`]: a shape and a congruent tree of strides, which together are a function from
//! coordinates to offsets. This module defines which layouts are well formed and gives access to
//! their parts. The operations on layouts are in [`ops`](crate::ops).

use std::fmt;

use smallvec::SmallVec;

use crate::{
    basis::{Basis, Stride},
    build::Builder,
    dim::Dim,
    error::{Error, ModePath, Result},
    int::Int,
    tuple::{Tuple, TupleRef},
};

/// A function from coordinates to offsets: `L(c) = sum over leaves of c_i * stride_i`.
///
/// `(2,3):(3,1)` is
///
/// ```text
///         j=0  1  2
///   i=0     0  1  2
///   i=1     3  4  5
/// ```
///
/// Every `Layout` value is well formed: shape and stride are congruent and every static extent is
/// positive.
///
/// ```
/// use cute_algebra::parse_layout;
/// let a = parse_layout("((2,2),4):((1,4),8)")?;
/// assert_eq!((a.rank(), a.depth()), (2, 2));
/// assert_eq!(a.mode(0)?.to_string(), "(2,2):(1,4)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Layout<I> {
    shape: Tuple<I>,
    stride: Tuple<Stride<I>>,
}

/// A borrowed mode of a [`Layout`].
#[derive(Debug)]
pub struct LayoutRef<'a, I> {
    shape: TupleRef<'a, I>,
    stride: TupleRef<'a, Stride<I>>,
}

impl<I> Clone for LayoutRef<'_, I> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<I> Copy for LayoutRef<'_, I> {}

/// A tuple of leaves as text, for any type of leaf.
pub(crate) fn text<I: Int>(tuple: TupleRef<'_, I>) -> String {
    tuple.map(Int::dim).to_string()
}

/// The first mode at which two profiles differ.
fn incongruence<T, U>(lhs: TupleRef<'_, T>, rhs: TupleRef<'_, U>) -> Option<ModePath> {
    if lhs.is_leaf() != rhs.is_leaf() || lhs.rank() != rhs.rank() {
        return Some(ModePath::root());
    }
    if lhs.is_leaf() {
        return None;
    }
    lhs.modes()
        .zip(rhs.modes())
        .enumerate()
        .find_map(|(i, (a, b))| incongruence(a, b).map(|path| path.inside(i)))
}

impl<I: Int> Layout<I> {
    /// The layout `shape:stride`.
    ///
    /// Fails when the trees are not congruent, or a static extent is not positive.
    pub fn new(shape: Tuple<I>, stride: Tuple<Stride<I>>) -> Result<Self> {
        if let Some(path) = incongruence(shape.view(), stride.view()) {
            let both = "the path of an incongruence is one of both trees";
            let lhs = text(shape.get(path.indices()).expect(both));
            let rhs = stride.get(path.indices()).expect(both).to_string();
            return Err(Error::NotCongruent { what: "shape and stride", path, lhs, rhs });
        }
        Self { shape, stride }.checked()
    }

    /// The layout, if every static extent is positive.
    fn checked(self) -> Result<Self> {
        let shape = &self.shape;
        let mut extents = shape.leaves().iter().map(Int::as_static).enumerate();
        if let Some((n, extent)) = extents.find_map(|(n, s)| Some((n, s.filter(|s| *s < 1)?))) {
            return Err(Error::ExtentNotPositive { path: shape.view().leaf_path(n), extent });
        }
        Ok(self)
    }

    /// The rank-1 scalar layout `shape:stride`.
    pub fn scalar(shape: I, stride: Stride<I>) -> Result<Self> {
        Self::new(Tuple::leaf(shape), Tuple::leaf(stride))
    }

    /// `1:0`, the layout of one element.
    pub fn unit() -> Self {
        Self { shape: Tuple::leaf(I::from_i64(1)), stride: Tuple::leaf(Stride::int(I::from_i64(0))) }
    }

    /// `n:1`.
    pub fn identity(n: I) -> Result<Self> {
        Self::scalar(n, Stride::int(I::from_i64(1)))
    }

    /// The layout whose modes are the given layouts: `4:1` and `2:4` give `(4,2):(1,4)`.
    pub fn from_modes(modes: impl IntoIterator<Item = Self>) -> Self {
        let modes: SmallVec<[Self; 2]> = modes.into_iter().collect();
        let mut out = Builder::new();
        out.tuple(modes.len());
        modes.iter().for_each(|mode| {
            out.layout(mode.view());
        });
        out.finish()
    }

    /// The flat layout of the given `(shape, stride)` leaves; a single leaf gives the scalar
    /// layout.
    pub(crate) fn from_flat(leaves: impl IntoIterator<Item = (I, Stride<I>)>) -> Result<Self> {
        let mut out = Builder::new();
        let begin = out.open();
        leaves.into_iter().for_each(|(extent, stride)| {
            out.leaf(extent, stride);
        });
        out.close(begin);
        out.finish().checked()
    }

    /// The extents, nested as modes are.
    pub fn shape(&self) -> &Tuple<I> {
        &self.shape
    }

    /// The stride, congruent with the shape.
    pub fn stride(&self) -> &Tuple<Stride<I>> {
        &self.stride
    }

    /// Shape and stride.
    pub fn into_parts(self) -> (Tuple<I>, Tuple<Stride<I>>) {
        (self.shape, self.stride)
    }

    /// A borrowed view of the whole.
    pub fn view(&self) -> LayoutRef<'_, I> {
        LayoutRef { shape: self.shape.view(), stride: self.stride.view() }
    }

    /// Number of modes; 1 for a scalar layout.
    pub fn rank(&self) -> usize {
        self.shape.rank()
    }

    /// Levels of nesting; 0 for a scalar layout.
    pub fn depth(&self) -> usize {
        self.shape.depth()
    }

    /// Whether the layout is a single `shape:stride` pair.
    pub fn is_leaf(&self) -> bool {
        self.shape.is_leaf()
    }

    /// The modes; a scalar layout yields itself.
    pub fn modes(&self) -> impl ExactSizeIterator<Item = LayoutRef<'_, I>> {
        self.view().modes()
    }

    /// Mode `i`; mode 0 of a scalar layout is the layout.
    pub fn mode(&self, i: usize) -> Result<Self> {
        let missing = || Error::NoSuchMode { what: "the layout", path: ModePath::from_iter([i]) };
        self.modes().nth(i).map(|m| m.to_owned()).ok_or_else(missing)
    }

    /// All `(shape, stride)` leaves, depth first.
    pub fn flat(&self) -> impl ExactSizeIterator<Item = (&I, &Stride<I>)> {
        self.shape.leaves().iter().zip(self.stride.leaves())
    }

    /// Whether every extent and stride is static.
    pub fn is_static(&self) -> bool {
        self.flat().all(|(s, d)| s.is_static() && d.is_static())
    }

    /// Whether some stride has a basis.
    pub fn has_basis(&self) -> bool {
        self.stride.leaves().iter().any(|d| !d.basis().is_none())
    }

    /// The same layout with another type of leaf: `f` is called on every shape leaf, then on every
    /// stride leaf.
    pub fn map<J: Int>(&self, mut f: impl FnMut(&I) -> J) -> Layout<J> {
        Layout { shape: self.shape.map(&mut f), stride: self.stride.map(|d| d.map(&mut f)) }
    }

    /// The part of the layout that is known before run time.
    pub fn to_dim(&self) -> Layout<Dim> {
        self.map(Int::dim)
    }

    /// The layout over plain integers, if it is static.
    pub fn to_const(&self) -> Option<Layout<i64>> {
        self.is_static().then(|| self.map(Int::expect_static))
    }

    /// The same trees over other leaves; `shape` and `stride` must stay congruent.
    pub(crate) fn from_congruent(shape: Tuple<I>, stride: Tuple<Stride<I>>) -> Self {
        debug_assert!(shape.congruent(&stride));
        Self { shape, stride }
    }
}

impl<'a, I: Int> LayoutRef<'a, I> {
    /// The extents, nested as modes are.
    pub fn shape(&self) -> TupleRef<'a, I> {
        self.shape
    }

    /// The strides, nested as the extents are.
    pub fn stride(&self) -> TupleRef<'a, Stride<I>> {
        self.stride
    }

    /// Whether this is a single `shape:stride` pair.
    pub fn is_leaf(&self) -> bool {
        self.shape.is_leaf()
    }

    /// The pair, if this is one.
    pub fn as_leaf(&self) -> Option<(&'a I, &'a Stride<I>)> {
        self.shape.as_leaf().zip(self.stride.as_leaf())
    }

    /// Number of modes; 1 for a leaf.
    pub fn rank(&self) -> usize {
        self.shape.rank()
    }

    /// The modes; a leaf yields itself.
    pub fn modes(&self) -> impl ExactSizeIterator<Item = LayoutRef<'a, I>> + use<'a, I> {
        self.shape.modes().zip(self.stride.modes()).map(|(shape, stride)| LayoutRef { shape, stride })
    }

    /// The sub-layout at `path`, outermost first.
    pub fn get(&self, path: &[usize]) -> Option<Self> {
        Some(Self { shape: self.shape.get(path)?, stride: self.stride.get(path)? })
    }

    /// An owned copy.
    pub fn to_owned(&self) -> Layout<I> {
        Layout { shape: self.shape.to_owned(), stride: self.stride.to_owned() }
    }
}

/// Compact column-major strides of `shape`, starting at stride `start`, and the stride that would
/// come next.
///
/// The stride of a leaf is `start` times the product of all extents before it; a static extent 1
/// gets stride 0.
pub(crate) fn compact_from<I: Int>(shape: TupleRef<'_, I>, start: I) -> Result<(Tuple<Stride<I>>, I)> {
    let mut next = start;
    let strides = shape.try_map(|extent| {
        if extent.is(1) {
            return Ok(Stride::int(I::from_i64(0)));
        }
        let after = next.mul(extent)?;
        Ok::<_, Error>(Stride::int(std::mem::replace(&mut next, after)))
    })?;
    Ok((strides, next))
}

/// The compact column-major layout of `shape`: the first mode is contiguous; a static extent 1 gets
/// stride 0.
///
/// `stride_i = product of the extents before leaf i`.
///
/// ```
/// use cute_algebra::{make_layout, parse_shape};
/// assert_eq!(make_layout(&parse_shape("(4,1,2)")?)?.to_string(), "(4,1,2):(1,0,4)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn make_layout<I: Int>(shape: &Tuple<I>) -> Result<Layout<I>> {
    let (stride, _) = compact_from(shape.view(), I::from_i64(1))?;
    Layout::new(shape.clone(), stride)
}

/// The compact row-major layout of `shape`: the last mode is contiguous; a static extent 1 gets
/// stride 0.
///
/// `stride_i = product of the extents after leaf i`.
///
/// ```
/// use cute_algebra::{make_layout_right, parse_shape};
/// assert_eq!(make_layout_right(&parse_shape("(4,1,2)")?)?.to_string(), "(4,1,2):(2,0,1)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn make_layout_right<I: Int>(shape: &Tuple<I>) -> Result<Layout<I>> {
    let mut next = I::from_i64(1);
    let mut strides = SmallVec::with_capacity(shape.leaves().len());
    for extent in shape.leaves().iter().rev() {
        if extent.is(1) {
            strides.push(Stride::int(I::from_i64(0)));
        } else {
            let after = next.mul(extent)?;
            strides.push(Stride::int(std::mem::replace(&mut next, after)));
        }
    }
    strides.reverse();
    Layout::new(shape.clone(), Tuple::from_parts(shape.profile().clone(), strides))
}

/// The layout that maps every coordinate of `shape` to itself: stride `1@path` at the leaf at
/// `path`.
///
/// ```
/// use cute_algebra::{make_identity_layout, parse_shape};
/// assert_eq!(make_identity_layout(&parse_shape("(4,(2,3))")?)?.to_string(), "(4,(2,3)):(1@0,(1@0@1,1@1@1))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn make_identity_layout<I: Int>(shape: &Tuple<I>) -> Result<Layout<I>> {
    let paths = shape.view().leaf_paths();
    let mut paths = paths.iter();
    let stride = shape.try_map(|_| {
        let path = paths.next().expect("there is a path for each leaf");
        Ok::<_, Error>(Stride::scaled(I::from_i64(1), Basis::new(path.indices())?))
    })?;
    Layout::new(shape.clone(), stride)
}

impl<I: Int> fmt::Display for LayoutRef<'_, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.shape.map(Int::dim), self.stride)
    }
}

impl<I: Int> fmt::Display for Layout<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}
