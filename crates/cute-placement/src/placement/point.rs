//! [`Point`]: one integer per axis.

use std::{collections::BTreeMap, fmt};

use super::error::Result;
use cute_algebra::{Axis, Int};

/// A place on the axes of a machine, or a distance. An axis that it does not name is 0; the axes
/// that it names are sorted by name.
///
/// ```
/// use cute_algebra::Axis;
/// use cute_placement::Point;
/// let mut p = Point::default();
/// p.add(Axis::new("warpid")?, 5)?;
/// p.add(Axis::M, 1)?;
/// assert_eq!((p.to_string().as_str(), p.get(Axis::new("laneid")?)), ("1@m + 5@warpid", 0));
/// # Ok::<(), cute_placement::PlacementError>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(BTreeMap<Axis, i64>);

impl Point {
    /// Zero along each of these axes, all of them named.
    pub fn zero(axes: impl IntoIterator<Item = Axis>) -> Self {
        Self(axes.into_iter().map(|axis| (axis, 0)).collect())
    }

    /// The place along `axis`.
    pub fn get(&self, axis: Axis) -> i64 {
        self.0.get(&axis).copied().unwrap_or(0)
    }

    /// Moves by `distance` along `axis`, which the point names afterwards.
    pub fn add(&mut self, axis: Axis, distance: i64) -> Result<()> {
        let place = self.0.entry(axis).or_default();
        *place = Int::add(place, &distance)?;
        Ok(())
    }

    /// `self + other`, axis by axis.
    pub fn plus(&self, other: &Self) -> Result<Self> {
        let mut sum = self.clone();
        other.iter().try_for_each(|(axis, distance)| sum.add(axis, distance))?;
        Ok(sum)
    }

    /// `self - other`, axis by axis.
    pub fn minus(&self, other: &Self) -> Result<Self> {
        let mut sum = self.clone();
        other.iter().try_for_each(|(axis, distance)| sum.add(axis, Int::sub(&0, &distance)?))?;
        Ok(sum)
    }

    /// Sets the place along `axis`.
    pub fn set(&mut self, axis: Axis, place: i64) {
        self.0.insert(axis, place);
    }

    /// The axes that it names, and its place along each.
    pub fn iter(&self) -> impl Iterator<Item = (Axis, i64)> + '_ {
        self.0.iter().map(|(axis, place)| (*axis, *place))
    }

    /// The axes that it names.
    pub fn axes(&self) -> impl Iterator<Item = Axis> + '_ {
        self.0.keys().copied()
    }

    /// Whether it names no axis.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the point without the axes along which it is 0.
    #[must_use]
    pub fn without_zeros(mut self) -> Self {
        self.0.retain(|_, place| *place != 0);
        self
    }

    /// Returns the point without the axes for which `keep` does not hold.
    #[must_use]
    pub fn filtered(mut self, keep: impl Fn(Axis) -> bool) -> Self {
        self.0.retain(|axis, _| keep(*axis));
        self
    }
}

impl FromIterator<(Axis, i64)> for Point {
    fn from_iter<T: IntoIterator<Item = (Axis, i64)>>(places: T) -> Self {
        Self(places.into_iter().collect())
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("0");
        }
        self.iter()
            .enumerate()
            .try_for_each(|(i, (axis, place))| write!(f, "{}{place}@{axis}", if i == 0 { "" } else { " + " }))
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
