//! Composed layouts: layouts followed by a swizzle or another layout. A [`ComposedLayout`] applies
//! its outer layout to a coordinate, adds an offset, and applies an inner function to the sum. Its
//! usual form is a tile of shared memory whose offsets are swizzled. [`LayoutLike`] is the
//! interface that plain and composed layouts share, and [`AnyLayout`] holds either kind.

use std::fmt;

use crate::{
    basis::check_codomain,
    dim::Dim,
    error::{Error, Result},
    int::Int,
    layout::{Layout, text},
    ops::{
        coords::evaluate,
        size::{add_values, coprofile},
    },
    swizzle::Swizzle,
    tuple::Tuple,
};

/// The function that a [`ComposedLayout`] applies last.
///
/// A layout is boxed because it is rare here and would otherwise enlarge every value that holds a
/// layout.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Inner<I> {
    /// A swizzle of the offset.
    Swizzle(Swizzle),
    /// A layout, evaluated at the offset.
    Layout(Box<Layout<I>>),
}

impl<I> From<Layout<I>> for Inner<I> {
    fn from(layout: Layout<I>) -> Self {
        Self::Layout(Box::new(layout))
    }
}

/// `inner o offset o outer`: `c` goes to `inner(offset + outer(c))`. The outer layout defines the
/// domain.
///
/// ```
/// use cute_algebra::{crd2idx, parse_composed, parse_coord};
/// let tile = parse_composed("S<3,4,3> o 0 o (8,64):(64,1)")?;
/// let value = |coord| crd2idx(&parse_coord(coord).unwrap(), &tile).map(|value| value.to_string());
/// assert_eq!(value("(2,5)")?, "149"); // 2 * 64 + 5 = 0x85, whose bit 7 is XORed into bit 4
/// assert_eq!(value("(0,5)")?, "5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ComposedLayout<I> {
    inner: Inner<I>,
    offset: Tuple<I>,
    outer: Layout<I>,
}

impl<I: Int> ComposedLayout<I> {
    /// `inner o offset o outer`.
    pub fn new(inner: Inner<I>, offset: Tuple<I>, outer: Layout<I>) -> Self {
        Self { inner, offset, outer }
    }

    /// Fails unless the sum of the outer layout's value and the offset is a valid argument of the
    /// inner function: one integer for a swizzle; an integer or a coordinate of its shape for a
    /// layout.
    ///
    /// ```
    /// use cute_algebra::parse_composed;
    /// assert!(parse_composed("(6,2):(1,3) o (2,1) o (2,3):(1@1,2@0)")?.check().is_ok());
    /// let why = parse_composed("S<3,4,3> o (1,0) o (2,3):(1@1,2@0)").unwrap_err().to_string();
    /// assert!(why.contains("offset (1,0) and the strides of (2,3):(1@1,2@0) must be integers"), "{why}");
    /// # Ok::<(), cute_algebra::ParseError>(())
    /// ```
    pub fn check(&self) -> Result<()> {
        check_codomain(self.outer.stride().leaves())?;
        if let Inner::Layout(inner) = &self.inner {
            check_codomain(inner.stride().leaves())?;
        }
        let fail = |why| Err(Error::Unsupported { what: "composed layout", why });
        let (offset, outer) = (text(self.offset.view()), &self.outer);
        match &self.inner {
            Inner::Swizzle(swizzle) if !self.offset.is_leaf() || outer.has_basis() => fail(format!(
                "{swizzle} takes one integer: offset {offset} and the strides of {outer} must be integers"
            )),
            Inner::Swizzle(_) => Ok(()),
            Inner::Layout(inner) => {
                let inside = add_values(self.offset.view(), coprofile(outer.view())?.view())?;
                match evaluate(inside.to_coord().view(), inner.view()) {
                    Ok(_) => Ok(()),
                    Err(error) => fail(format!(
                        "{}, of offset {offset} and the values of {outer}, is not a coordinate of {inner}: {error}",
                        text(inside.view())
                    )),
                }
            }
        }
    }

    /// `swizzle o 0 o outer`.
    pub fn swizzled(swizzle: Swizzle, outer: Layout<I>) -> Self {
        Self::new(Inner::Swizzle(swizzle), Tuple::leaf(I::from_i64(0)), outer)
    }

    /// The function that is applied last.
    pub fn inner(&self) -> &Inner<I> {
        &self.inner
    }

    /// The offset that is added in between.
    pub fn offset(&self) -> &Tuple<I> {
        &self.offset
    }

    /// The layout that defines the domain.
    pub fn outer(&self) -> &Layout<I> {
        &self.outer
    }

    /// The swizzle, if that is the inner function.
    pub fn swizzle(&self) -> Option<Swizzle> {
        match self.inner {
            Inner::Swizzle(swizzle) => Some(swizzle),
            Inner::Layout(_) => None,
        }
    }

    /// Whether every leaf is static.
    pub fn is_static(&self) -> bool {
        let inner = match &self.inner {
            Inner::Swizzle(_) => true,
            Inner::Layout(layout) => layout.is_static(),
        };
        inner && self.offset.leaves().iter().all(Int::is_static) && self.outer.is_static()
    }

    /// The same layout with another type of leaf: `f` is called on the leaves in the order of the
    /// text.
    pub fn map<J: Int>(&self, mut f: impl FnMut(&I) -> J) -> ComposedLayout<J> {
        let inner = match &self.inner {
            Inner::Swizzle(swizzle) => Inner::Swizzle(*swizzle),
            Inner::Layout(layout) => layout.map(&mut f).into(),
        };
        let offset = self.offset.map(&mut f);
        ComposedLayout { inner, offset, outer: self.outer.map(f) }
    }

    /// The outer layout alone, if the inner function is an identity swizzle and the offset a static
    /// 0.
    pub fn simplify(self) -> AnyLayout<I> {
        let no_offset = self.offset.as_leaf().is_some_and(|offset| offset.is(0));
        if no_offset && self.swizzle().is_some_and(Swizzle::is_identity) {
            AnyLayout::Plain(self.outer)
        } else {
            AnyLayout::Composed(self)
        }
    }

    /// The part of the layout that is known before run time.
    pub fn to_dim(&self) -> ComposedLayout<Dim> {
        self.map(Int::dim)
    }

    /// The layout over plain integers, if it is static.
    pub fn to_const(&self) -> Option<ComposedLayout<i64>> {
        self.is_static().then(|| self.map(Int::expect_static))
    }
}

/// A plain or a composed layout. As in CuTe, the result of an operation is plain when the swizzle
/// is the identity and the offset 0; on a [`ComposedLayout`] itself it stays composed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AnyLayout<I> {
    /// A plain layout.
    Plain(Layout<I>),
    /// A composed layout.
    Composed(ComposedLayout<I>),
}

impl<I: Int> AnyLayout<I> {
    /// The plain layout, if it is one.
    pub fn as_plain(&self) -> Option<&Layout<I>> {
        match self {
            Self::Plain(layout) => Some(layout),
            Self::Composed(_) => None,
        }
    }

    /// The composed layout, if it is one.
    pub fn as_composed(&self) -> Option<&ComposedLayout<I>> {
        match self {
            Self::Plain(_) => None,
            Self::Composed(layout) => Some(layout),
        }
    }

    /// Fails unless the strides can be added and, for a composed layout, the parts fit together:
    /// see [`check_codomain`] and [`ComposedLayout::check`].
    pub fn check(&self) -> Result<()> {
        match self {
            Self::Plain(layout) => check_codomain(layout.stride().leaves()),
            Self::Composed(layout) => layout.check(),
        }
    }

    /// Whether every leaf is static.
    pub fn is_static(&self) -> bool {
        match self {
            Self::Plain(layout) => layout.is_static(),
            Self::Composed(layout) => layout.is_static(),
        }
    }

    /// The same layout with another type of leaf: `f` is called on the leaves in the order of the
    /// text.
    pub fn map<J: Int>(&self, f: impl FnMut(&I) -> J) -> AnyLayout<J> {
        match self {
            Self::Plain(layout) => AnyLayout::Plain(layout.map(f)),
            Self::Composed(layout) => AnyLayout::Composed(layout.map(f)),
        }
    }
}

impl<I: Int> AnyLayout<I> {
    /// The part of the layout that is known before run time.
    pub fn to_dim(&self) -> AnyLayout<Dim> {
        self.map(Int::dim)
    }

    /// The layout over plain integers, if it is static.
    pub fn to_const(&self) -> Option<AnyLayout<i64>> {
        self.is_static().then(|| self.map(Int::expect_static))
    }
}

impl<I: Int> From<Layout<I>> for AnyLayout<I> {
    fn from(layout: Layout<I>) -> Self {
        Self::Plain(layout)
    }
}

impl<I: Int> From<ComposedLayout<I>> for AnyLayout<I> {
    fn from(layout: ComposedLayout<I>) -> Self {
        Self::Composed(layout)
    }
}

/// The interface that plain and composed layouts share. Operations on the domain (divide, coalesce,
/// group, ...) act on the outer layout, `op(inner o offset o outer) = inner o offset o op(outer)`.
pub trait LayoutLike: Sized {
    /// The leaf arithmetic.
    type Leaf: Int;

    /// The layout that defines the domain: the outer layout, or the plain layout itself.
    fn outer(&self) -> &Layout<Self::Leaf>;

    /// The same layout with its outer layout mapped by `f`.
    fn map_outer(&self, f: impl FnOnce(&Layout<Self::Leaf>) -> Result<Layout<Self::Leaf>>) -> Result<Self>;

    /// A copy as either kind.
    fn to_any(&self) -> AnyLayout<Self::Leaf>;
}

impl<I: Int> LayoutLike for Layout<I> {
    type Leaf = I;

    fn outer(&self) -> &Layout<I> {
        self
    }
    fn map_outer(&self, f: impl FnOnce(&Layout<I>) -> Result<Layout<I>>) -> Result<Self> {
        f(self)
    }
    fn to_any(&self) -> AnyLayout<I> {
        AnyLayout::Plain(self.clone())
    }
}

impl<I: Int> LayoutLike for ComposedLayout<I> {
    type Leaf = I;

    fn outer(&self) -> &Layout<I> {
        &self.outer
    }
    fn map_outer(&self, f: impl FnOnce(&Layout<I>) -> Result<Layout<I>>) -> Result<Self> {
        Ok(Self { inner: self.inner.clone(), offset: self.offset.clone(), outer: f(&self.outer)? })
    }
    fn to_any(&self) -> AnyLayout<I> {
        AnyLayout::Composed(self.clone())
    }
}

impl<I: Int> LayoutLike for AnyLayout<I> {
    type Leaf = I;

    fn outer(&self) -> &Layout<I> {
        match self {
            Self::Plain(layout) => layout,
            Self::Composed(layout) => layout.outer(),
        }
    }
    fn map_outer(&self, f: impl FnOnce(&Layout<I>) -> Result<Layout<I>>) -> Result<Self> {
        match self {
            Self::Plain(layout) => f(layout).map(Self::Plain),
            Self::Composed(layout) => layout.map_outer(f).map(ComposedLayout::simplify),
        }
    }
    fn to_any(&self) -> AnyLayout<I> {
        self.clone()
    }
}

impl<I: Int> fmt::Display for Inner<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Swizzle(swizzle) => swizzle.fmt(f),
            Self::Layout(layout) => layout.fmt(f),
        }
    }
}

impl<I: Int> fmt::Display for ComposedLayout<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} o {} o {}", self.inner, text(self.offset.view()), self.outer)
    }
}

impl<I: Int> fmt::Display for AnyLayout<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(layout) => layout.fmt(f),
            Self::Composed(layout) => layout.fmt(f),
        }
    }
}
