//! Inverses and complements of layouts whose strides all have a basis. The modes that step along
//! one mode of the codomain form an integer layout. Each operation applies to these integer layouts
//! one by one and assembles the results: the right inverse of `(4,8):(1@1,1@0)` is `(8,4):(4,1)`.

use crate::{
    basis::{Basis, Stride},
    error::{Error, ModePath, Result},
    int::Int,
    layout::Layout,
    ops::{
        coalesce::{coalesce, filter},
        complement::complement_in_cosize,
        inverse::{Mode, left_inverse_of, right_inverse_of},
        size::coprofile,
    },
    tuple::TupleRef,
};

/// The layout `R` on coordinates of the codomain with `layout(R(c)) == c`: in each codomain mode
/// the right inverse of the modes that step along it.
///
/// ```
/// use cute_algebra::{parse_layout, right_inverse_of_bases};
/// let r = |l| right_inverse_of_bases(&parse_layout(l).unwrap()).map(|r| r.to_string());
/// assert_eq!(r("(4,3):(1@0,1@1)")?, "(4,3):(1,4)");
/// assert_eq!(r("(3,(2,2)):(1@1,(1@0,2@0))")?, "(4,3):(3,1)");
/// assert_eq!(r("(2,3,2):(1@0,1@1,2@0)")?, "((2,2),3):((1,6),2)");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn right_inverse_of_bases<I: Int>(layout: &Layout<I>) -> Result<Layout<I>> {
    by_basis(layout, "right_inverse", |modes, _| right_inverse_of(modes))
}

/// The layout `Q` on coordinates of the codomain with `Q(layout(i)) == i` for an injective layout:
/// in each codomain mode the left inverse of the modes that step along it.
///
/// ```
/// use cute_algebra::{left_inverse_of_bases, parse_layout};
/// let q = |l| left_inverse_of_bases(&parse_layout(l).unwrap()).map(|q| q.to_string());
/// assert_eq!(q("(4,3):(1@0,1@1)")?, "(4,3):(1,4)");
/// assert_eq!(q("(4,3):(2@0,1@1)")?, "((2,4),3):((0,1),4)");
/// assert_eq!(q("(2,2,2):(1@0,2@1,6@0)")?, "((6,2),(2,2)):((1,4),(0,2))");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn left_inverse_of_bases<I: Int>(layout: &Layout<I>) -> Result<Layout<I>> {
    by_basis(layout, "left_inverse", |modes, _| match modes.iter().find(|mode| !mode.stride.is_static()) {
        None => left_inverse_of(modes),
        Some(mode) => {
            let (stride, layout) = (mode.stride.dim().to_string(), layout.to_string());
            Err(Error::DynamicStride { what: "left_inverse", stride, layout })
        }
    })
}

/// The part of the reached box that a layout leaves free: in each codomain mode the complement of
/// the modes that step along it, with their basis.
///
/// ```
/// use cute_algebra::{complement_of_bases, parse_layout};
/// let c = |l| complement_of_bases(&parse_layout(l).unwrap()).map(|c| c.to_string());
/// assert_eq!(c("(4,3):(2@0,1@1)")?, "(2,1):(1@0,0)");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn complement_of_bases<I: Int>(layout: &Layout<I>) -> Result<Layout<I>> {
    by_basis(&filter(layout)?, "complement", |modes, basis| {
        let rest = complement_in_cosize(&steps(modes)?)?;
        let stride =
            rest.stride().try_map(|d| Ok(Stride::scaled(d.expect_int("complement")?.clone(), basis)));
        Layout::new(rest.shape().clone(), stride?)
    })
}

/// The modes as a layout.
fn steps<I: Int>(modes: Vec<Mode<I>>) -> Result<Layout<I>> {
    Layout::from_flat(modes.into_iter().map(|mode| (mode.extent, Stride::int(mode.stride))))
}

/// Calls `f` for each basis, with the modes that step along it (with integer strides and their
/// positions in the domain) and the basis. Returns the results in the profile of the codomain.
fn by_basis<I: Int>(
    layout: &Layout<I>,
    what: &'static str,
    f: impl Fn(Vec<Mode<I>>, Basis) -> Result<Layout<I>>,
) -> Result<Layout<I>> {
    let mut modes: Vec<(I, Stride<I>, I)> = Vec::new();
    let mut position = I::from_i64(1);
    for (extent, stride) in coalesce(layout)?.flat() {
        let next = position.mul(extent)?;
        let moves = !extent.is(1) && !stride.is(0);
        if moves && (stride.basis().is_none() || stride.den() != 1) {
            let expected = "a whole multiple of a basis element, as the other strides are,";
            return Err(Error::Basis { what, found: stride.to_string(), expected });
        }
        let position = std::mem::replace(&mut position, next);
        if moves {
            modes.push((extent.clone(), stride.clone(), position));
        }
    }
    let of = |basis: Basis| -> Result<Layout<I>> {
        let own = modes.iter().filter(|(_, d, _)| d.basis() == basis);
        let own: Vec<_> = own
            .map(|(s, d, p)| Mode { extent: s.clone(), stride: d.scale().clone(), position: p.clone() })
            .collect();
        if own.is_empty() { Ok(Layout::unit()) } else { f(own, basis) }
    };
    assemble(coprofile(layout.view())?.view(), &ModePath::root(), &of)
}

/// Applies `of` to each leaf of the codomain and joins the results into one layout.
fn assemble<I: Int>(
    codomain: TupleRef<'_, I>,
    path: &ModePath,
    of: &impl Fn(Basis) -> Result<Layout<I>>,
) -> Result<Layout<I>> {
    if codomain.is_leaf() {
        return of(Basis::new(path.indices())?);
    }
    let modes = codomain.modes().enumerate().map(|(i, mode)| assemble(mode, &path.child(i), of));
    Ok(Layout::from_modes(modes.collect::<Result<Vec<_>>>()?))
}
