//! The strict policy for inverses: an inverse inverts, and a common run of elements lies in both
//! layouts.

use super::{Domain, MAX_TRIED, carry, held};
use crate::{
    composed::{AnyLayout, LayoutLike},
    coord::Crd,
    error::{Error, ModePath, Result},
    int::Int,
    layout::Layout,
    ops::{self, Invertible, composition::compose},
    tile::Tiler,
    tuple::Tuple,
};

impl Domain {
    /// Checks `right_inverse(layout)` behind a swizzle: `layout(result(i)) == i`, checked on the
    /// first 2^16 elements.
    ///
    /// ```
    /// use cute_algebra::{Domain, parse_layout_or_composed};
    /// let strict = |l| Domain::Strict.right_inverse(&parse_layout_or_composed(l).unwrap());
    /// assert!(strict("S<3,3,3> o 0 o (8,64):(64,1)").is_ok());
    /// // S<1,0,2> o 0 o (2,3,2):(1,4,2) is CuTe's answer here, and takes 6 to 2, where the layout has 7.
    /// assert!(strict("S<1,0,1> o 0 o (2,2,3):(1,6,2)").is_err());
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn right_inverse<L: LayoutLike + Invertible>(self, layout: &L) -> Result<()> {
        self.check(|| {
            let inverse = layout.right_inverse()?;
            swizzled_identity(&inverse.to_any(), &layout.to_any(), "right_inverse")
        })
    }

    /// Checks `left_inverse(layout)`: the layout is injective and `result(layout(i)) == i`; behind
    /// a swizzle, checked on the first 2^16 elements.
    pub fn left_inverse<L: LayoutLike + Invertible>(self, layout: &L) -> Result<()> {
        self.check(|| {
            let inverse = layout.left_inverse()?;
            left_inverts(layout.outer())?;
            if !layout.outer().is_static() {
                held::check("left_inverse", || held::held(layout).left_inverse())?;
            }
            swizzled_identity(&layout.to_any(), &inverse.to_any(), "left_inverse")
        })
    }

    /// Checks `left_inverse_of_bases(layout)`: the layout is injective, and
    /// `result(layout(i)) == i`.
    ///
    /// ```
    /// use cute_algebra::{Domain, parse_layout};
    /// let strict = |l| Domain::Strict.left_inverse_of_bases(&parse_layout(l).unwrap());
    /// assert!(strict("(4,3):(2@0,1@1)").is_ok());
    /// assert!(strict("(4,3):(1@0,1@0)").is_err());
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn left_inverse_of_bases<I: Int>(self, layout: &Layout<I>) -> Result<()> {
        self.check(|| {
            let inverse = ops::left_inverse_of_bases(layout)?;
            self.composition(&inverse, &Tiler::Layout(layout.clone()))?;
            is_identity(&inverse, layout)
        })
    }

    /// Checks `max_common_layout(a, b)` and `max_common_vector(a, b)`: the run of elements lies in
    /// both.
    ///
    /// ```
    /// use cute_algebra::{Domain, parse_layout};
    /// let strict = |a, b| Domain::Strict.max_common(&parse_layout(a).unwrap(), &parse_layout(b).unwrap());
    /// assert!(strict("(4,8):(1,4)", "(4,8):(1,16)").is_ok());
    /// let error = strict("4:1", "32:1").unwrap_err().to_string();
    /// assert_eq!(error, "max_common_layout: the run 32:1 reaches index 31, but 4:1 has 4 elements");
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn max_common<A: LayoutLike, B: LayoutLike<Leaf = A::Leaf>>(self, a: &A, b: &B) -> Result<()> {
        self.check(|| {
            let (a, run) = (a.outer(), ops::max_common_layout(a.outer(), b.outer())?);
            if let (Some(reach), Some(size)) = (ops::cosize(&run)?.as_static(), ops::size(a)?.as_static())
                && reach > size
            {
                let (run, a, last) = (run.to_dim(), a.to_dim(), reach - 1);
                let why = format!("the run {run} reaches index {last}, but {a} has {size} elements");
                return Err(Error::Domain { what: "max_common_layout", why });
            }
            carry::check_carries(a.view(), run.view(), "max_common_layout", &ModePath::root())
        })
    }
}

fn left_inverts<I: Int>(layout: &Layout<I>) -> Result<()> {
    let inverse = layout.left_inverse()?;
    // The stride of a mode of extent 1 has no effect.
    let layout = ops::coalesce(layout)?;
    let Some((inverse, layout)) = inverse.to_const().zip(layout.to_const()) else { return Ok(()) };
    carry::check(inverse.view(), layout.view(), "left_inverse", &ModePath::root())?;
    is_identity(&inverse, &layout)
}

/// Fails unless `inverse o layout` is the identity, if both are static.
fn is_identity<I: Int>(inverse: &Layout<I>, layout: &Layout<I>) -> Result<()> {
    let Some((inverse, layout)) = inverse.to_const().zip(layout.to_const()) else { return Ok(()) };
    let identity = ops::coalesce(&compose(inverse.view(), layout.view())?)?;
    let n = ops::size(&layout)?;
    if n > 1 && identity != Layout::identity(n)? {
        let why = format!("{layout} is not injective: after {inverse} it is {identity}, not {n}:1");
        return Err(Error::Domain { what: "left_inverse", why });
    }
    Ok(())
}

/// Fails unless `after(before(i)) == i`, where one of them is swizzled and both are static.
fn swizzled_identity<I: Int>(before: &AnyLayout<I>, after: &AnyLayout<I>, what: &'static str) -> Result<()> {
    if before.as_plain().is_some() && after.as_plain().is_some() {
        return Ok(());
    }
    let Some((before, after)) = before.to_const().zip(after.to_const()) else { return Ok(()) };
    for i in 0..ops::size(&before)?.min(MAX_TRIED) {
        let there = ops::crd2idx(&Tuple::leaf(Crd::Int(i)), &before)?;
        let back = ops::crd2idx(&there.to_coord(), &after)?;
        if back.as_leaf() != Some(&i) {
            let why = format!("{before} maps {i} to {there}, which {after} maps to {back} instead of {i}");
            return Err(Error::Domain { what, why });
        }
    }
    Ok(())
}
