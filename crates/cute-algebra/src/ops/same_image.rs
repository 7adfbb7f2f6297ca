//! Equality of images: whether two layouts take the same values. `(4,2):(1,4)` and `(2,4):(4,1)`
//! do, although they differ as functions.
//!
//! Along each basis, the values are the sums of one element of each mode's progression.
//! Progressions that continue one another are merged, smallest step first. If what remains differs,
//! sizes, ends and, for few values, the values decide.

use crate::{
    basis::Basis,
    error::Result,
    int::Int,
    layout::Layout,
    ops::{coalesce::filter, equivalent::same_layout},
};

/// Whether `a` and `b` take the same values, however often and in whatever order. `None` if that
/// depends on dynamic leaves, or if the strides do not decide it and there are too many values to
/// list.
///
/// ```
/// use cute_algebra::{parse_layout, same_image};
/// let same = |a, b| same_image(&parse_layout(a).unwrap(), &parse_layout(b).unwrap());
/// assert_eq!(same("(4,3):(1,0)", "4:1")?, Some(true));
/// assert_eq!(same("(4,3):(3,1)", "12:1")?, Some(true));
/// assert_eq!(same("(2,2):(2,3)", "4:1")?, Some(false));
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn same_image<I: Int>(a: &Layout<I>, b: &Layout<I>) -> Result<Option<bool>> {
    let (a, b) = (filter(a)?, filter(b)?);
    if same_layout(&a, &b) == Some(true) {
        return Ok(Some(true));
    }
    let Some((a, b)) = a.to_const().zip(b.to_const()) else { return Ok(None) };
    let (Some(a), Some(b)) = (by_basis(&a), by_basis(&b)) else { return Ok(None) };
    if a.iter().map(|image| image.basis).ne(b.iter().map(|image| image.basis)) {
        return Ok(Some(false));
    }
    let mut verdict = Some(true);
    for (a, b) in a.iter().zip(&b) {
        match a.same(b) {
            Some(true) => {}
            Some(false) => return Ok(Some(false)),
            None => verdict = None,
        }
    }
    Ok(verdict)
}

/// The values along one basis: `first` plus an element of each of the progressions
/// `0, step, .., (count - 1) * step`.
struct Image {
    basis: Basis,
    first: i64,
    /// `(step, count)`, by step; no two continue one another.
    steps: Vec<(i64, i64)>,
}

/// The maximum number of values to list.
const MAX_LISTED: usize = 1 << 16;

/// The image of a layout without strides of 0, by basis; `None` if it does not fit 64 bits or has
/// fractions.
fn by_basis(layout: &Layout<i64>) -> Option<Vec<Image>> {
    let mut images: Vec<Image> = Vec::new();
    for (extent, stride) in layout.flat().filter(|(extent, stride)| **extent > 1 && !stride.is(0)) {
        let (scale, basis) = (*stride.scale(), stride.basis());
        if stride.den() != 1 {
            return None;
        }
        let found = images.iter().position(|image| image.basis == basis);
        let at = found.unwrap_or(images.len());
        if found.is_none() {
            images.push(Image { basis, first: 0, steps: Vec::new() });
        }
        let image = images.get_mut(at)?;
        let reach = scale.checked_mul(extent - 1)?;
        image.first = image.first.checked_add(reach.min(0))?;
        image.steps.push((scale.checked_abs()?, *extent));
    }
    images.sort_by_key(|image| image.basis);
    images.iter_mut().try_for_each(Image::merge)?;
    Some(images)
}

impl Image {
    /// Merges each progression that continues the ones before it.
    fn merge(&mut self) -> Option<()> {
        self.steps.sort_unstable();
        let mut merged: Vec<(i64, i64)> = Vec::new();
        for (step, count) in self.steps.drain(..) {
            match merged.last_mut() {
                Some((smaller, n)) if step % *smaller == 0 && step / *smaller <= *n => {
                    *n = (step / *smaller).checked_mul(count - 1)?.checked_add(*n)?;
                }
                _ => merged.push((step, count)),
            }
        }
        self.steps = merged;
        Some(())
    }

    fn last(&self) -> Option<i64> {
        self.steps
            .iter()
            .try_fold(self.first, |sum, (step, count)| sum.checked_add(step.checked_mul(count - 1)?))
    }

    fn same(&self, other: &Self) -> Option<bool> {
        if self.first == other.first && self.steps == other.steps {
            return Some(true);
        }
        if self.first != other.first || self.last()? != other.last()? {
            return Some(false);
        }
        Some(self.values()? == other.values()?)
    }

    /// All values in order, unless there are too many.
    fn values(&self) -> Option<Vec<i64>> {
        let mut values = vec![self.first];
        for (step, count) in &self.steps {
            if values.len().saturating_mul(usize::try_from(*count).ok()?) > MAX_LISTED {
                return None;
            }
            values = (0..*count).flat_map(|c| values.iter().map(move |v| v + c * step)).collect();
            values.sort_unstable();
            values.dedup();
        }
        Some(values)
    }
}
