//! Composition: reading one layout through another. The values of the right operand are taken as
//! coordinates of the left one. `(6,2):(8,2) o (4,3):(3,1)` is `((2,2),3):((24,2),8)`: it has the
//! coordinates of the right operand and values of the left.

use crate::{
    basis::{Basis, Stride},
    build::Builder,
    composed::LayoutLike,
    error::{Error, ModePath, Result},
    int::{Assumption, Int},
    layout::{Layout, LayoutRef},
    ops::{
        coalesce::coalesce_extended,
        size::{coprofile, mode_at},
    },
    tile::{Tile, Tiler},
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
        Tiler::Layout(b) => compose(outer.view(), b.view()),
        _ => compose_tile(outer.view(), &b.to_tile()),
    })
}

fn compose_tile<I: Int>(a: LayoutRef<'_, I>, b: &Tile<I>) -> Result<Layout<I>> {
    match b {
        Tile::Layout(layout) => compose(a, layout.view()),
        Tile::Underscore => Ok(a.to_owned()),
        Tile::Int(extent) => compose(a, Layout::identity(extent.clone())?.view()),
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
    compose_modes(&flat, b, &mut out)?;
    Ok(out.finish())
}

/// Distributes over the modes of `b`.
fn compose_modes<I: Int>(a: &Layout<I>, b: LayoutRef<'_, I>, out: &mut Builder<I>) -> Result<()> {
    if let Some((extent, stride)) = b.as_leaf() {
        return compose_leaf(a, extent, stride, out);
    }
    out.tuple(b.rank());
    b.modes().enumerate().try_for_each(|(i, mode)| compose_modes(a, mode, out).map_err(|e| e.inside(i)))
}

fn compose_leaf<I: Int>(a: &Layout<I>, extent: &I, stride: &Stride<I>, out: &mut Builder<I>) -> Result<()> {
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
    compose_int(target, extent, stride.scale(), out)?;
    out.close(begin);
    Ok(())
}

/// `a o extent:stride`. Walks the modes of the coalesced `a`: each takes the part of
/// `extent:stride` that falls into it, `min(ceil(s / stride), extent)`, and passes the rest on.
fn compose_int<I: Int>(a: LayoutRef<'_, I>, extent: &I, stride: &I, out: &mut Builder<I>) -> Result<()> {
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
        let next_shape = s.ceil_div(&magnitude)?;
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
            out.leaf(taken, d.mul(&rest_stride)?);
            empty = false;
            rest_shape = quotient;
        }
        let mut passed = magnitude.ceil_div(s)?;
        if I::ASSUMES {
            // The stride out of this mode; `None` where nothing is left for the next mode.
            let steps = magnitude.mul(&rest_shape.sub(&I::from_i64(1))?.signum()?)?;
            for assumption in [Assumption::DividesOrLess, Assumption::Carries] {
                passed = passed.assuming(assumption, &steps, s);
            }
        }
        rest_stride = passed.mul(&rest_stride.signum()?)?;
    }
    if empty || !rest_shape.is(1) {
        out.leaf(rest_shape, last.mul(&rest_stride)?);
    }
    Ok(())
}
