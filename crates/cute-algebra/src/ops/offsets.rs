//! All values of a layout at once.

use crate::{
    composed::{AnyLayout, LayoutLike},
    error::{Error, Result},
    int::Int,
    layout::Layout,
    ops::{cosize, size},
    tuple::Tuple,
};

/// The values of a layout at the indices 0, 1, .., which takes a fraction of the time of one
/// [`crd2idx`](crate::crd2idx) per index.
///
/// ```text
/// offsets(L)[i] = L(i) for 0 <= i < size(L)
/// ```
///
/// ```
/// use cute_algebra::{offsets, parse_layout_or_composed};
/// let of = |text| {
///     let layout = parse_layout_or_composed(text).unwrap();
///     offsets(&layout.map(|n| n.as_static().unwrap())).unwrap()
/// };
/// assert_eq!(of("(2,3):(3,1)"), [0, 3, 1, 4, 2, 5]);
/// assert_eq!(of("S<1,0,1> o 0 o 4:1"), [0, 1, 3, 2]);
/// ```
///
/// # Errors
/// If a value is not an integer of 64 bits, or a composed layout is not defined at a value of its
/// outer layout.
pub fn offsets(layout: &AnyLayout<i64>) -> Result<Vec<i64>> {
    let all = of_outer(layout.outer())?;
    let AnyLayout::Composed(composed) = layout else { return Ok(all) };
    if let (Some(swizzle), Some(offset)) = (composed.swizzle(), composed.offset().as_leaf()) {
        // The common case, without a tuple for each value.
        return all.into_iter().map(|inside| swizzle.apply(&offset.add(&inside)?)).collect();
    }
    let value = |inside: i64| composed.after_outer(&Tuple::leaf(inside))?.expect_int("offsets").copied();
    all.into_iter().map(value).collect()
}

fn of_outer(layout: &Layout<i64>) -> Result<Vec<i64>> {
    // No value overflows if the largest does not.
    cosize(layout)?;
    let mut all = Vec::with_capacity(usize::try_from(size(layout)?).unwrap_or_default());
    all.push(0i64);
    for (extent, stride) in layout.flat() {
        let stride = stride.as_static().ok_or_else(|| Error::Basis {
            what: "offsets",
            found: stride.to_string(),
            expected: "an integer stride",
        })?;
        let below = all.len();
        if *extent == 0 {
            all.clear();
        }
        for i in 1..*extent {
            all.extend_from_within(..below);
            let from = below * i as usize;
            all[from..].iter_mut().for_each(|offset| *offset += i * stride);
        }
    }
    Ok(all)
}
