//! Strides as elements of a module over basis elements: an integer, or an integer times a basis
//! such as `4@1` or `4@laneid`. This module handles positions in a coordinate tuple and axis names,
//! and must not depend on what either means.

use std::fmt;

use crate::{
    axis::Axis,
    dim::gcd,
    error::{Error, Result},
    int::Int,
    tuple::Tuple,
};

/// The maximum number of levels in a basis element.
pub const MAX_BASIS_LEVELS: usize = 7;

/// The direction of a stride: a position in a hierarchical coordinate, a named [`Axis`], or none
/// (for an integer stride).
///
/// `1@0@2` is one basis element: sub-mode 0 of mode 2. In memory the path is outermost first. In
/// text it is innermost first, so the last number printed is the outermost. `1@laneid` is a basis
/// element too: a unit of the axis `laneid`.
///
/// A name is stored in place of the path, so that a basis stays small and is compared bytewise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[repr(C)]
pub struct Basis {
    len: u16,
    path: [u16; MAX_BASIS_LEVELS],
}

impl Basis {
    /// No position: the basis of an integer.
    pub const NONE: Self = Self { len: 0, path: [0; MAX_BASIS_LEVELS] };

    /// The basis at `path`, outermost first.
    pub fn new(path: &[usize]) -> Result<Self> {
        let mut basis = Self::NONE;
        for &i in path {
            basis = basis.child(i)?;
        }
        Ok(basis)
    }

    /// The value of `len` that marks a named axis.
    const NAMED: u16 = u16::MAX;

    /// The unit of a named axis.
    pub fn named(axis: Axis) -> Self {
        let name = axis.to_bytes();
        let path = std::array::from_fn(|i| {
            // Big-endian: names compare by their letters.
            u16::from_be_bytes([0, 1].map(|b| name.get(2 * i + b).copied().unwrap_or(0)))
        });
        Self { len: Self::NAMED, path }
    }

    /// The named axis, if it is one.
    pub fn axis(&self) -> Option<Axis> {
        let named = self.len == Self::NAMED;
        named.then(|| {
            Axis::from_bytes(std::array::from_fn(|i| {
                self.path.get(i / 2).and_then(|pair| pair.to_be_bytes().get(i % 2).copied()).unwrap_or(0)
            }))
        })
    }

    /// The basis of sub-mode `i` of the mode that this basis names.
    pub fn child(mut self, i: usize) -> Result<Self> {
        let error = |why| Error::Unsupported { what: "basis element", why };
        if let Some(axis) = self.axis() {
            return Err(error(format!("the axis {axis} has no modes, and no mode {i}")));
        }
        let level = u16::try_from(i).map_err(|_| error(format!("index {i} is above {}", u16::MAX)))?;
        let slot = self
            .path
            .get_mut(usize::from(self.len))
            .ok_or_else(|| error(format!("more than {MAX_BASIS_LEVELS} levels")))?;
        *slot = level;
        self.len += 1;
        Ok(self)
    }

    /// The path, outermost first; empty for an integer, none for a named axis.
    pub fn path(&self) -> Option<&[u16]> {
        self.path.get(..usize::from(self.len))
    }

    /// The path, outermost first, or an error naming `what` needs it.
    pub fn expect_path(&self, what: &'static str) -> Result<Vec<usize>> {
        let path = self.path().ok_or_else(|| self.without_position(what))?;
        Ok(path.iter().map(|&i| i.into()).collect())
    }

    fn without_position(&self, what: &'static str) -> Error {
        let found = format!("the named axis {self}, along which a Placement has points,");
        Error::Basis { what, found, expected: "a position in a coordinate" }
    }

    /// The tuple with `value` at this position and zeros before it: at `@1`, `(0,value)`. A named
    /// axis has no position: a place along one is a [`Point`](crate::placement::Point).
    pub(crate) fn at<I: Int>(&self, value: I) -> Result<Tuple<I>> {
        let mut tuple = Tuple::leaf(value);
        let path = self.path().ok_or_else(|| self.without_position("layout value"))?;
        for &i in path.iter().rev() {
            let zeros = std::iter::repeat_with(|| Tuple::leaf(I::from_i64(0))).take(usize::from(i));
            tuple = Tuple::from_modes(zeros.chain([tuple]));
        }
        Ok(tuple)
    }

    /// Whether this is the basis of an integer.
    pub fn is_none(&self) -> bool {
        self.len == 0
    }
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.axis() {
            Some(axis) => write!(f, "@{axis}"),
            None => self.path().into_iter().flatten().rev().try_for_each(|i| write!(f, "@{i}")),
        }
    }
}

impl fmt::Debug for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Fails unless values along `strides` can be added: either all strides are integers, or all have a
/// basis and no basis names a mode of which another names a sub-mode. Strides of 0 are compatible
/// with any other stride; a named axis is not compatible with positions.
///
/// ```
/// use cute_algebra::{Basis, Stride, check_codomain};
/// let along = |path: &[usize]| Stride::scaled(1i64, Basis::new(path).unwrap());
/// assert!(check_codomain(&[along(&[0]), Stride::int(0), along(&[1, 0])]).is_ok());
/// assert_eq!(
///     check_codomain(&[Stride::int(1), along(&[0])]).unwrap_err().to_string(),
///     "1 and 1@0 cannot be added: a nonzero integer and a tuple have no sum"
/// );
/// assert!(check_codomain(&[along(&[0, 1]), along(&[0])]).is_err());
/// ```
pub fn check_codomain<I: Int>(strides: &[Stride<I>]) -> Result<()> {
    let mixed = |lhs: &Stride<I>, rhs: &Stride<I>| {
        Err(Error::MixedSum { lhs: lhs.to_string(), rhs: rhs.to_string() })
    };
    let mut moving = strides.iter().filter(|d| !d.scale.is(0) && d.basis.len != Basis::NAMED);
    let Some(first) = moving.next() else { return Ok(()) };
    // If all paths have the same length, none leads below another.
    let Some(other) = moving.find(|d| d.basis.len != first.basis.len) else { return Ok(()) };
    if first.basis.is_none() || other.basis.is_none() {
        return mixed(first, other);
    }
    let mut all: Vec<_> = strides.iter().filter(|d| !d.scale.is(0) && d.basis.len != Basis::NAMED).collect();
    all.sort_by(|a, b| a.basis.path().cmp(&b.basis.path()));
    let below = |pair: &[&Stride<I>]| match (pair[0].basis.path(), pair[1].basis.path()) {
        (Some(above), Some(path)) => above.len() < path.len() && path.starts_with(above),
        _ => false,
    };
    match all.windows(2).find(|pair| below(pair)) {
        Some(pair) => mixed(pair[0], pair[1]),
        None => Ok(()),
    }
}

/// One stride: `scale / den` times a basis element.
///
/// The stride is kept in lowest terms: a static zero has no basis; `den` is positive and shares no
/// factor with a static `scale`, and is 1 for an integer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Stride<I> {
    scale: I,
    basis: Basis,
    den: i64,
}

impl<I: Int> Stride<I> {
    /// An integer stride.
    pub fn int(scale: I) -> Self {
        Self { scale, basis: Basis::NONE, den: 1 }
    }

    /// `scale` times `basis`.
    pub fn scaled(scale: I, basis: Basis) -> Self {
        let basis = if scale.is(0) { Basis::NONE } else { basis };
        Self { scale, basis, den: 1 }
    }

    /// `scale / den` times `basis`, reduced; `den` must be positive.
    pub fn ratio(scale: I, den: i64, basis: Basis) -> Result<Self> {
        if den < 1 {
            return Err(Error::Unsupported {
                what: "stride",
                why: format!("denominator {den} is not positive"),
            });
        }
        let mut stride = Self::scaled(scale, basis);
        if let Some(value) = stride.scale.as_static() {
            // The remainder shares the same divisors with `den`, and has a magnitude even where
            // `value` is `i64::MIN`.
            let common = gcd(den, (value % den).abs());
            stride.scale = I::from_i64(value / common);
            stride.den = den / common;
        } else {
            stride.den = den;
        }
        Ok(stride)
    }

    /// The integer factor.
    pub fn scale(&self) -> &I {
        &self.scale
    }

    /// The basis element; [`Basis::NONE`] for an integer.
    pub fn basis(&self) -> Basis {
        self.basis
    }

    /// The denominator of the factor, 1 if it is integral.
    pub fn den(&self) -> i64 {
        self.den
    }

    /// The stride as an integer, if it is one.
    pub fn as_int(&self) -> Option<&I> {
        (self.basis.is_none() && self.den == 1).then_some(&self.scale)
    }

    /// The static integer value, if it is one.
    pub fn as_static(&self) -> Option<i64> {
        self.as_int().and_then(Int::as_static)
    }

    /// Whether this is the static integer `value`.
    pub fn is(&self, value: i64) -> bool {
        self.as_static() == Some(value)
    }

    /// Whether the factor is static.
    pub fn is_static(&self) -> bool {
        self.scale.is_static()
    }

    /// The stride as an integer, or an error naming `what` needs it.
    pub fn expect_int(&self, what: &'static str) -> Result<&I> {
        self.as_int().ok_or_else(|| Error::Basis { what, found: self.to_string(), expected: "an integer" })
    }

    /// `self * factor`.
    pub fn mul(&self, factor: &I) -> Result<Self> {
        let product = self.scale.mul(factor)?;
        if self.den == 1 {
            Ok(Self::scaled(product, self.basis))
        } else {
            Self::ratio(product, self.den, self.basis)
        }
    }

    /// The same stride with its factor mapped by `f`.
    pub fn try_map<J: Int>(&self, f: impl FnOnce(&I) -> Result<J>) -> Result<Stride<J>> {
        Stride::ratio(f(&self.scale)?, self.den, self.basis)
    }

    /// The same stride with another type of leaf.
    pub fn map<J: Int>(&self, f: impl FnOnce(&I) -> J) -> Stride<J> {
        Stride { scale: f(&self.scale), basis: self.basis, den: self.den }
    }

    /// `coordinate * self` as a value of the codomain: an integer, or the tuple with that integer
    /// at the basis' position and zeros before it: `3@1` is `(0,3)`.
    pub fn eval(&self, coordinate: &I) -> Result<Tuple<I>> {
        let mut value = coordinate.mul(&self.scale)?;
        if self.den != 1 {
            let ratio =
                || Error::Basis { what: "layout value", found: self.to_string(), expected: "a whole number" };
            match value.as_static() {
                Some(v) if v % self.den == 0 => value = I::from_i64(v / self.den),
                _ => return Err(ratio()),
            }
        }
        if value.is(0) {
            return Ok(Tuple::leaf(value));
        }
        self.basis.at(value)
    }
}

impl<I: Int> fmt::Display for Stride<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.scale.dim())?;
        if self.den != 1 {
            write!(f, "/{}", self.den)?;
        }
        write!(f, "{}", self.basis)
    }
}
