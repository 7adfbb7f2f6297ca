//! [`BoxMode`]: a mode of a tensor as an engine counts it. It covers one mode of a layout or
//! several.

use super::leaf_at;
use crate::{
    basis::Basis,
    dim::{Dim, Width},
    error::Result,
    int::Int,
    layout::Layout,
    ops::size,
};

/// A mode of a tensor as an engine counts it.
#[derive(Debug, Clone)]
pub struct BoxMode<I> {
    /// The number of elements of the tensor; 64 bits wide if dynamic.
    pub extent: I,
    /// The distance from one element to the next, in elements; 64 bits wide if dynamic.
    pub stride: I,
    /// The number of elements of a box.
    pub boxed: i64,
}

impl<I: Int> BoxMode<I> {
    /// The mode that reaches every element of several modes of `tensor`, which are given by their
    /// bases. Its step is the greatest common divisor of their steps, so that it may also count
    /// elements in between.
    ///
    /// ```
    /// use cute_algebra::{Basis, BoxMode, parse_layout};
    /// let tensor = parse_layout("(512,128,8,3):(96,1,160,224)").unwrap();
    /// let basis = |mode| Basis::new(&[mode]).unwrap();
    /// let mode = BoxMode::over(&tensor, &[basis(2), basis(3)], 1)?;
    /// // 7 steps of 160 and 2 of 224 are 49 of 32.
    /// assert_eq!((mode.extent.to_string(), mode.stride.to_string()), ("50".into(), "32".into()));
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn over(tensor: &Layout<I>, parts: &[Basis], boxed: i64) -> Result<Self> {
        let one = I::from_i64(1);
        let mut whole: Option<(I, I)> = None;
        for part in parts {
            let (extent, stride) = leaf_at(tensor, *part)?;
            let (extent, stride) = (extent.resized(Width::I64), stride.scale().resized(Width::I64));
            whole = Some(match whole {
                None => (extent, stride),
                Some((before, step)) => {
                    let common = step.gcd(&stride)?;
                    let unit = common.max(&one)?;
                    // 1 where all strides are 0: then the last extent counts, as if its step were
                    // 1.
                    let still = one.sub(&common.signum()?)?;
                    let first = before.sub(&one)?.mul(&step.div(&unit)?)?;
                    let then = extent.sub(&one)?.mul(&stride.div(&unit)?.add(&still)?)?;
                    (first.add(&then)?.add(&one)?, common)
                }
            });
        }
        let (extent, stride) = whole.unwrap_or((one.clone(), I::from_i64(0)));
        Ok(Self { extent, stride, boxed })
    }
}

/// The modes of a tensor that the modes of a box count.
pub(super) fn of_basis<I: Int>(tensor: &Layout<I>, basis: &Layout<Dim>) -> Result<Vec<BoxMode<I>>> {
    let modes = basis.modes().map(|mode| {
        let parts: Vec<_> = mode.stride().leaves().iter().map(|step| step.basis()).collect();
        let boxed = size(&mode.to_owned())?.expect_static();
        BoxMode::over(tensor, &parts, boxed)
    });
    modes.collect()
}
