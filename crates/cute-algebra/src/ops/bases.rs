//! Inverses and complements of layouts whose strides all have a basis: one integer layout for each mode of the
//! codomain.

use crate::{
    basis::{Basis, Stride},
    error::{Error, ModePath, Result},
    int::Int,
    layout::Layout,
    ops::{
        coalesce::{coalesce, filter},
        complement::complement_in_cosize,
        composition::compose,
        inverse::{left_inverse, right_inverse},
        size::coprofile,
    },
    tuple::TupleRef,
};

/// The layout `R` on coordinates of the codomain with `layout(R(c)) == c`: in each codomain mode the right inverse of
/// the modes that step along it.
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
    by_basis(layout, "right_inverse", |steps, positions, _| {
        coalesce(&compose(positions.view(), right_inverse(&steps)?.view())?)
    })
}

/// The layout `Q` on coordinates of the codomain with `Q(layout(i)) == i` for an injective layout: in each codomain
/// mode the left inverse of the modes that step along it.
///
/// ```
/// use cute_algebra::{left_inverse_of_bases, parse_layout};
/// let q = |l| left_inverse_of_bases(&parse_layout(l).unwrap()).map(|q| q.to_string());
/// assert_eq!(q("(4,3):(1@0,1@1)")?, "(4,3):(1,4)");
/// assert_eq!(q("(4,3):(2@0,1@1)")?, "((2,4),3):((0,1),4)");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn left_inverse_of_bases<I: Int>(layout: &Layout<I>) -> Result<Layout<I>> {
    by_basis(layout, "left_inverse", |steps, positions, _| {
        coalesce(&compose(positions.view(), left_inverse(&steps)?.view())?)
    })
}

/// What a layout leaves of the box that it reaches: in each codomain mode the complement of the modes that step along
/// it, with their basis.
///
/// ```
/// use cute_algebra::{complement_of_bases, parse_layout};
/// let c = |l| complement_of_bases(&parse_layout(l).unwrap()).map(|c| c.to_string());
/// assert_eq!(c("(4,3):(2@0,1@1)")?, "(2,1):(1@0,0)");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn complement_of_bases<I: Int>(layout: &Layout<I>) -> Result<Layout<I>> {
    by_basis(&filter(layout)?, "complement", |steps, _, basis| {
        let rest = complement_in_cosize(&steps)?;
        let stride =
            rest.stride().try_map(|d| Ok(Stride::scaled(d.expect_int("complement")?.clone(), basis)));
        Layout::new(rest.shape().clone(), stride?)
    })
}

/// `f` of the modes of each basis, with integer strides, of their positions in the domain, and of the basis; the
/// results in the profile of the codomain.
fn by_basis<I: Int>(
    layout: &Layout<I>,
    what: &'static str,
    f: impl Fn(Layout<I>, Layout<I>, Basis) -> Result<Layout<I>>,
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
        let own: Vec<_> = modes.iter().filter(|(_, d, _)| d.basis() == basis).collect();
        if own.is_empty() {
            return Ok(Layout::unit());
        }
        let steps = own.iter().map(|(s, d, _)| (s.clone(), Stride::int(d.scale().clone())));
        let positions = own.iter().map(|(s, _, p)| (s.clone(), Stride::int(p.clone())));
        f(Layout::from_flat(steps)?, Layout::from_flat(positions)?, basis)
    };
    assemble(coprofile(layout.view())?.view(), &ModePath::root(), &of)
}

/// `of` of each leaf of the codomain, as one layout.
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
