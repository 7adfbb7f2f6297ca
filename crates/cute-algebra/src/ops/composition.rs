//! Composition: reading one layout through another. The values of the right operand are taken as
//! coordinates of the left one. `(6,2):(8,2) o (4,3):(3,1)` is `((2,2),3):((24,2),8)`: it has the
//! coordinates of the right operand and values of the left.

use std::borrow::Cow;

use crate::{
    basis::{Basis, Stride},
    build::Builder,
    composed::LayoutLike,
    error::{Error, ModePath, Result},
    int::{Assumption, Int, any_checked},
    layout::{Layout, LayoutRef},
    ops::{
        coalesce::coalesce_extended,
        size::{coprofile, mode_at, product},
    },
    tile::{Tile, Tiler},
    tuple::Tuple,
};

/// `A o B`: the layout with the profile of `B` and `(A o B)(c) = A(B(c))`; the last mode of `A`
/// extends past its extent.
///
/// A shape or tile composes mode by mode; modes of `A` that it does not reach are dropped. If `A`
/// is a composed layout, its outer layout is composed with `B`. Fails on a static stride of `B`
/// that is neither a multiple of nor less than the extents of `A` it passes, and on extents that do
/// not divide; CuTe makes no other check; the strict domain policy does.
///
/// ```
/// use cute_algebra::{composition, parse_layout, parse_tiler};
/// let c = |a, b| composition(&parse_layout(a).unwrap(), &parse_tiler(b).unwrap()).map(|c| c.to_string());
/// assert_eq!(c("(6,2):(8,2)", "(4,3):(3,1)")?, "((2,2),3):((24,2),8)");
/// assert_eq!(c("(4,8):(8,1)", "[2:2;_]")?, "(2,8):(16,1)");
/// assert!(c("(4,2):(1,8)", "2:6").is_err());
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn composition<L: LayoutLike>(a: &L, b: &Tiler<L::Leaf>) -> Result<L> {
    a.map_outer(|outer| match b {
        Tiler::Layout(b) => compose(outer.view(), within(outer.view(), b).view()),
        _ => compose_tile(outer.view(), &b.to_tile()),
    })
}

/// `b`, with the assumption that its values are indices of `a`. A value that steps along modes of
/// `a` is not checked.
fn within<'a, I: Int>(a: LayoutRef<'_, I>, b: &'a Layout<I>) -> Cow<'a, Layout<I>> {
    let facts = || -> Result<Vec<_>> {
        let (size, one) = (product(a.shape())?, I::from_i64(1));
        let (mut facts, mut sum) = (Vec::new(), I::from_i64(0));
        for (extent, stride) in b.flat() {
            let last = extent.sub(&one)?.mul(stride.expect_int("composition")?)?;
            sum = sum.add(&last)?;
            facts.push((Assumption::Within, last, size.clone()));
        }
        facts.push((Assumption::Within, sum, size));
        Ok(facts)
    };
    // A composition that does not need a number is not refused because that number does not fit
    // 64 bits.
    if !is_checked(a, b.view()) || b.has_basis() {
        return Cow::Borrowed(b);
    }
    facts().map_or(Cow::Borrowed(b), |facts| {
        Cow::Owned(Layout::from_congruent(assuming(b.shape(), &facts), b.stride().clone()))
    })
}

/// Whether anything checks what is assumed of a leaf of the operands.
fn is_checked<I: Int>(a: LayoutRef<'_, I>, b: LayoutRef<'_, I>) -> bool {
    let leaves = |l: LayoutRef<'_, I>| {
        any_checked(l.shape().leaves()) || any_checked(l.stride().leaves().iter().map(Stride::scale))
    };
    leaves(a) || leaves(b)
}

fn compose_tile<I: Int>(a: LayoutRef<'_, I>, b: &Tile<I>) -> Result<Layout<I>> {
    match b {
        Tile::Layout(layout) => compose(a, within(a, layout).view()),
        Tile::Underscore => Ok(a.to_owned()),
        Tile::Int(extent) => compose(a, within(a, &Layout::identity(extent.clone())?).view()),
        Tile::Modes(modes) => {
            check_tiler_rank(modes.len(), a.rank())?;
            let mut out = Builder::new();
            out.tuple(modes.len());
            for (i, (mode, tile)) in a.modes().zip(modes).enumerate() {
                out.layout(compose_tile(mode, tile).map_err(|e| e.inside(i))?.view());
            }
            Ok(out.finish())
        }
    }
}

pub(crate) fn check_tiler_rank(found: usize, expected: usize) -> Result<()> {
    if found <= expected {
        return Ok(());
    }
    Err(Error::Rank { what: "the tiler", path: ModePath::root(), found, rule: "at most", expected })
}

/// `a o b` of plain layouts.
pub(crate) fn compose<I: Int>(a: LayoutRef<'_, I>, b: LayoutRef<'_, I>) -> Result<Layout<I>> {
    let flat = coalesce_extended(a, coprofile(b)?.view()).map_err(|error| match error {
        Error::Rank { path, found, rule, expected, .. } => {
            Error::Rank { what: "the codomain of the right operand", path, found, rule, expected }
        }
        other => other,
    })?;
    let mut out = Builder::new();
    let mut digits = is_checked(a, b).then(Digits::default);
    compose_modes(&flat, b, &mut out, &mut digits)?;
    let composed = out.finish();
    Ok(match digits {
        Some(digits) => digits.apart(&flat, composed),
        None => composed,
    })
}

/// Distributes over the modes of `b`.
fn compose_modes<I: Int>(
    a: &Layout<I>,
    b: LayoutRef<'_, I>,
    out: &mut Builder<I>,
    digits: &mut Option<Digits<I>>,
) -> Result<()> {
    if let Some((extent, stride)) = b.as_leaf() {
        return compose_leaf(a, extent, stride, out, digits);
    }
    out.tuple(b.rank());
    b.modes()
        .enumerate()
        .try_for_each(|(i, mode)| compose_modes(a, mode, out, digits).map_err(|e| e.inside(i)))
}

fn compose_leaf<I: Int>(
    a: &Layout<I>,
    extent: &I,
    stride: &Stride<I>,
    out: &mut Builder<I>,
    digits: &mut Option<Digits<I>>,
) -> Result<()> {
    if stride.is(0) {
        out.leaf(extent.clone(), stride.clone());
        return Ok(());
    }
    if stride.den() != 1 {
        let found = stride.to_string();
        return Err(Error::Basis { what: "composition", found, expected: "a whole stride on the right" });
    }
    let target = if stride.basis() == Basis::NONE {
        a.view()
    } else {
        mode_at(a, &stride.basis().expect_path("composition")?)?
    };
    let begin = out.open();
    let digits = digits.as_mut().map(|digits| digits.of(stride.basis(), target));
    compose_int(target, extent, stride.scale(), out, digits)?;
    out.close(begin);
    Ok(())
}

/// `a o extent:stride`. Walks the modes of the coalesced `a`: each takes the part of
/// `extent:stride` that falls into it, `min(ceil(s / stride), extent)`, and passes the rest on.
///
/// Adds to `digits`, which only checks need, how far it reaches in each mode of `a` but the last.
fn compose_int<I: Int>(
    a: LayoutRef<'_, I>,
    extent: &I,
    stride: &I,
    out: &mut Builder<I>,
    mut digits: Option<&mut [I]>,
) -> Result<()> {
    let Some((last, strides)) = a.stride().leaves().split_last() else {
        return Err(Error::Rank {
            what: "the left operand",
            path: ModePath::root(),
            found: 0,
            rule: "at least",
            expected: 1,
        });
    };
    let (mut rest_shape, mut rest_stride) = (extent.clone(), stride.clone());
    let mut empty = true;
    let mut steps_out: Vec<(I, I)> = Vec::new();
    for (lhs_mode, (s, d)) in a.shape().leaves().iter().zip(strides).enumerate() {
        if let (Some(stride), Some(extent)) = (rest_stride.as_static(), s.as_static())
            && rest_stride.divisible_by(s) == Some(false)
            && stride >= extent
        {
            return Err(Error::StrideDivisibility {
                path: ModePath::root(),
                stride,
                extent,
                lhs_mode,
                lhs: a.to_string(),
            });
        }
        let magnitude = rest_stride.abs()?;
        // Neither is the stride out of a mode 0 then.
        let next_shape = s.ceil_div(&magnitude)?.assuming(Assumption::Nonzero, stride, &I::from_i64(0));
        if !next_shape.is(1) && !rest_shape.is(1) {
            let taken = next_shape.min(&rest_shape)?;
            if let (Some(extent), Some(part)) = (rest_shape.as_static(), taken.as_static())
                && rest_shape.divisible_by(&taken) == Some(false)
            {
                return Err(Error::ShapeDivisibility {
                    path: ModePath::root(),
                    extent,
                    part,
                    lhs_mode,
                    lhs: a.to_string(),
                });
            }
            let quotient = rest_shape.div(&taken)?.assuming(Assumption::Divides, &rest_shape, &taken);
            if let Some(digit) = digits.as_mut().and_then(|digits| digits.get_mut(lhs_mode)) {
                *digit = digit.add(&taken.sub(&I::from_i64(1))?.mul(&magnitude)?)?;
            }
            out.leaf(sure(taken, d, &steps_out), d.mul(&rest_stride)?);
            empty = false;
            rest_shape = quotient;
        }
        let mut passed = magnitude.ceil_div(s)?;
        if digits.is_some() {
            // The stride out of this mode; `None` where nothing is left for the next mode.
            let steps = magnitude.mul(&rest_shape.sub(&I::from_i64(1))?.signum()?)?;
            passed = stepping(passed, &steps, s);
            steps_out.push((steps, s.clone()));
        }
        rest_stride = passed.mul(&rest_stride.signum()?)?;
    }
    if empty || !rest_shape.is(1) {
        out.leaf(sure(rest_shape, last, &steps_out), last.mul(&rest_stride)?);
    }
    Ok(())
}

/// `leaf`, given that a stride steps out of an extent only at its end.
fn stepping<I: Int>(leaf: I, stride: &I, extent: &I) -> I {
    let leaf = leaf.assuming(Assumption::DividesOrLess, stride, extent);
    leaf.assuming(Assumption::Carries, stride, extent)
}

/// The extent of a mode of the result. Where the stride of the left operand is 0, so is that of the
/// result, and what was assumed of the steps up to there is left to the extent.
fn sure<I: Int>(extent: I, stride: &Stride<I>, steps: &[(I, I)]) -> I {
    if !stride.is(0) {
        return extent;
    }
    steps.iter().fold(extent, |extent, (step, of)| stepping(extent, step, of))
}

/// For each position in the codomain of the right operand, the modes of the left operand there, and
/// how far the right operand reaches in each of them but the last.
struct Digits<I>(Vec<(Basis, Vec<I>)>);

impl<I> Default for Digits<I> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<I: Int> Digits<I> {
    /// The digits along `basis`, where the left operand is `target`.
    fn of(&mut self, basis: Basis, target: LayoutRef<'_, I>) -> &mut [I] {
        let known = self.0.iter().position(|(b, _)| *b == basis);
        let i = known.unwrap_or_else(|| {
            let walked = target.shape().leaves().len().saturating_sub(1);
            self.0.push((basis, vec![I::from_i64(0); walked]));
            self.0.len() - 1
        });
        &mut self.0[i].1
    }

    /// `composed`, with the assumption that sums of digits do not carry from one mode of `a` into
    /// the next, unless the next one continues it.
    fn apart(&self, a: &Layout<I>, composed: Layout<I>) -> Layout<I> {
        // As above, numbers that do not fit are left out.
        let facts: Vec<_> = self.0.iter().filter_map(|along| Self::sums(a, along).ok()).flatten().collect();
        if facts.is_empty() {
            return composed;
        }
        let (shape, stride) = composed.into_parts();
        Layout::from_congruent(assuming(&shape, &facts), stride)
    }

    /// The sums along one position in the codomain.
    fn sums(a: &Layout<I>, (basis, digits): &(Basis, Vec<I>)) -> Result<Vec<(Assumption, I, I)>> {
        let target = if basis.is_none() { a.view() } else { mode_at(a, &basis.expect_path("composition")?)? };
        let strides = target.stride().leaves();
        let (mut facts, mut sum, mut size) = (Vec::new(), I::from_i64(0), I::from_i64(1));
        for (((extent, stride), next), digit) in
            target.shape().leaves().iter().zip(strides).zip(&strides[1..]).zip(digits)
        {
            sum = sum.add(&digit.mul(&size)?)?;
            size = size.mul(extent)?;
            // 0 if the next mode continues this one.
            let moved = match next.basis() == stride.basis() {
                true => next.scale().sub(stride.mul(extent)?.scale())?.abs()?.signum()?,
                false => I::from_i64(1),
            };
            facts.push((Assumption::Apart, sum.mul(&moved)?, size.clone()));
        }
        Ok(facts)
    }
}

/// `shape`, given facts about run-time integers. Static leaves have no place for them, so one
/// stands for all of these.
fn assuming<I: Int>(shape: &Tuple<I>, facts: &[(Assumption, I, I)]) -> Tuple<I> {
    let mut told = false;
    shape.map(|extent| {
        if extent.is_static() && std::mem::replace(&mut told, true) {
            return extent.clone();
        }
        facts.iter().fold(extent.clone(), |extent, (what, a, b)| extent.assuming(*what, a, b))
    })
}
