//! Recasts: the layout of the same memory with wider or narrower elements. In elements of twice the
//! width, `(8,4):(1,8)` becomes `(4,4):(1,4)`; in elements of half the width, it becomes
//! `(16,4):(1,16)`.

use crate::{
    basis::Stride,
    composed::{AnyLayout, ComposedLayout, Inner},
    dim::gcd,
    error::{Error, ModePath, Result},
    int::{Assumption, Int},
    layout::Layout,
    swizzle::Swizzle,
};

/// Layouts that can be recast to another element width.
pub trait Recast: Sized {
    /// The layout for elements `n` times as wide.
    fn upcast(&self, n: i64) -> Result<Self>;
    /// The layout for elements `n` times as narrow.
    fn downcast(&self, n: i64) -> Result<Self>;
}

/// The layout for elements `n` times as wide: the mode of stride 1 has fewer elements, other
/// strides are divided by `n`.
///
/// Leaf by leaf `ceil(s / ceil(n / |d|)) : ceil(|d| / n)`. For a static stride, either `n` divides
/// it or it divides `n`; dynamic strides are assumed to be multiples of `n`.
///
/// ```
/// use cute_algebra::{parse_layout, upcast};
/// assert_eq!(upcast(&parse_layout("(16,8,4):(32,4,1)")?, 2)?.to_string(), "(16,8,2):(16,2,1)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn upcast<L: Recast>(layout: &L, n: i64) -> Result<L> {
    layout.upcast(n)
}

/// The layout for elements `n` times as narrow: the mode of stride 1 has more elements, other
/// strides are multiplied.
///
/// Needs a mode of static stride 1.
///
/// ```
/// use cute_algebra::{downcast, parse_layout};
/// assert_eq!(downcast(&parse_layout("(8,4):(4,1)")?, 2)?.to_string(), "(8,8):(8,1)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn downcast<L: Recast>(layout: &L, n: i64) -> Result<L> {
    layout.downcast(n)
}

/// The layout in elements of `new_bits` of a layout in elements of `old_bits`.
///
/// ```
/// use cute_algebra::{parse_layout_or_composed, recast_layout};
/// let l = recast_layout(&parse_layout_or_composed("S<3,4,3> o 0 o (8,128):(128,1)")?, 16, 8)?;
/// assert_eq!(l.to_string(), "S<3,3,3> o 0 o (8,64):(64,1)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn recast_layout<L: Recast + Clone>(layout: &L, new_bits: i64, old_bits: i64) -> Result<L> {
    if new_bits < 1 || old_bits < 1 {
        let why = format!("element widths {new_bits} and {old_bits} must be positive");
        return Err(Error::Unsupported { what: "recast_layout", why });
    }
    let common = gcd(new_bits, old_bits);
    match (new_bits / common, old_bits / common) {
        (1, 1) => Ok(layout.clone()),
        (1, narrower) => layout.downcast(narrower),
        (wider, 1) => layout.upcast(wider),
        (wider, narrower) => layout.upcast(wider)?.downcast(narrower),
    }
}

fn positive(n: i64, what: &'static str) -> Result<()> {
    if n >= 1 { Ok(()) } else { Err(Error::Unsupported { what, why: format!("factor {n} is not positive") }) }
}

impl<I: Int> Recast for Layout<I> {
    fn upcast(&self, n: i64) -> Result<Self> {
        positive(n, "upcast")?;
        let factor = I::from_i64(n);
        let mut leaves = Vec::with_capacity(self.shape().leaves().len());
        for (i, (extent, stride)) in self.flat().enumerate() {
            let path = || self.shape().view().leaf_path(i);
            leaves.push(upcast_leaf(extent, stride.expect_int("upcast")?, &factor, path)?);
        }
        let (mut shapes, mut strides) = (leaves.iter(), leaves.iter());
        let shape = self.shape().map(|s| shapes.next().map_or_else(|| s.clone(), |leaf| leaf.0.clone()));
        let stride = self
            .stride()
            .map(|d| strides.next().map_or_else(|| d.clone(), |leaf| Stride::int(leaf.1.clone())));
        Self::new(shape, stride)
    }

    fn downcast(&self, n: i64) -> Result<Self> {
        positive(n, "downcast")?;
        if !self.stride().leaves().iter().any(|d| d.is(1)) {
            let why = format!("no mode of {self} has the static stride 1");
            return Err(Error::Unsupported { what: "downcast", why });
        }
        let factor = I::from_i64(n);
        let adjacent = |d: &Stride<I>| d.is(1) || d.is(-1);
        let mut strides = self.stride().leaves().iter();
        let shape = self.shape().try_map(|s| match strides.next() {
            Some(d) if adjacent(d) => s.mul(&factor),
            _ => Ok(s.clone()),
        })?;
        let stride = self.stride().try_map(|d| {
            d.expect_int("downcast")?;
            if adjacent(d) { Ok(d.clone()) } else { d.mul(&factor) }
        })?;
        Self::new(shape, stride)
    }
}

fn upcast_leaf<I: Int>(extent: &I, stride: &I, n: &I, path: impl Fn() -> ModePath) -> Result<(I, I)> {
    if stride.is(0) {
        return Ok((extent.clone(), stride.clone()));
    }
    if !stride.is_static() {
        let quotient = stride.div(n)?.assuming(Assumption::Divides, stride, n);
        return Ok((extent.clone(), quotient));
    }
    if stride.divisible_by(n) == Some(false)
        && n.divisible_by(stride) == Some(false)
        && let (Some(lhs), Some(rhs)) = (stride.as_static(), n.as_static())
    {
        return Err(Error::Divisibility {
            what: "the stride",
            path: path(),
            lhs,
            rule: "does not divide, and is not divided by, the factor",
            rhs,
        });
    }
    let magnitude = stride.abs()?;
    let extent = extent.ceil_div(&n.ceil_div(&magnitude)?)?;
    Ok((extent, stride.signum()?.mul(&magnitude.ceil_div(n)?)?))
}

impl Recast for Swizzle {
    fn upcast(&self, n: i64) -> Result<Self> {
        if self.is_identity() {
            return Ok(*self);
        }
        let base = i64::from(self.base()) - log2(n)?;
        let bits = i64::from(self.bits());
        Self::new(if base < 0 { (bits + base).max(0) } else { bits }, base.max(0), self.shift().into())
    }

    fn downcast(&self, n: i64) -> Result<Self> {
        if self.is_identity() {
            return Ok(*self);
        }
        Self::new(self.bits().into(), i64::from(self.base()) + log2(n)?, self.shift().into())
    }
}

/// The exponent of a power of two.
fn log2(n: i64) -> Result<i64> {
    if n >= 1 && n.count_ones() == 1 {
        return Ok(n.trailing_zeros().into());
    }
    Err(Error::Unsupported { what: "recast of a swizzle", why: format!("factor {n} is not a power of two") })
}

impl<I: Int> ComposedLayout<I> {
    fn recast(
        &self,
        swizzle: impl Fn(&Swizzle) -> Result<Swizzle>,
        offset: impl Fn(&I) -> Result<I>,
        layout: impl Fn(&Layout<I>) -> Result<Layout<I>>,
    ) -> Result<Self> {
        let inner = match self.inner() {
            Inner::Swizzle(s) => Inner::Swizzle(swizzle(s)?),
            Inner::Layout(l) => layout(l)?.into(),
        };
        Ok(Self::new(inner, self.offset().try_map(offset)?, layout(self.outer())?))
    }
}

impl<I: Int> Recast for ComposedLayout<I> {
    fn upcast(&self, n: i64) -> Result<Self> {
        positive(n, "upcast")?;
        let offset = |offset: &I| match offset.as_static() {
            Some(value) if value % n != 0 => Err(Error::Divisibility {
                what: "the offset",
                path: ModePath::root(),
                lhs: value,
                rule: "is not a multiple of the factor",
                rhs: n,
            }),
            _ => offset.div(&I::from_i64(n)),
        };
        self.recast(|s| s.upcast(n), offset, |l| l.upcast(n))
    }

    fn downcast(&self, n: i64) -> Result<Self> {
        self.recast(|s| s.downcast(n), |offset| offset.mul(&I::from_i64(n)), |l| l.downcast(n))
    }
}

impl<I: Int> Recast for AnyLayout<I> {
    fn upcast(&self, n: i64) -> Result<Self> {
        match self {
            Self::Plain(layout) => layout.upcast(n).map(Self::Plain),
            Self::Composed(layout) => layout.upcast(n).map(ComposedLayout::simplify),
        }
    }

    fn downcast(&self, n: i64) -> Result<Self> {
        match self {
            Self::Plain(layout) => layout.downcast(n).map(Self::Plain),
            Self::Composed(layout) => layout.downcast(n).map(ComposedLayout::simplify),
        }
    }
}
