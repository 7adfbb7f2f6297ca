//! The strict policy for coordinates: indices lie in the shape, and the inverse of a value
//! reproduces it.

use super::Domain;
use crate::{
    composed::LayoutLike,
    coord::{Coord, Crd},
    error::{Error, ModePath, Result},
    int::Int,
    layout::{Layout, text},
    ops::{self, size::product},
    span,
    tuple::{Tuple, TupleRef},
};

impl Domain {
    /// Checks that every static index of `coord` lies in `shape`, for crd2idx, idx2crd, layout_eval
    /// and slice.
    ///
    /// ```
    /// use cute_algebra::{domain::Domain, parse_coord, parse_shape};
    /// let strict = |c| Domain::Strict.coordinate(&parse_coord(c).unwrap(), parse_shape("(4,(2,8))").unwrap().view());
    /// assert!(strict("(3,(_,7))").is_ok());
    /// assert!(strict("(3,15)").is_ok());
    /// assert_eq!(strict("(3,(0,8))").unwrap_err().to_string(), "coordinate: mode (1,1): index 8 is outside [0, 8)");
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn coordinate<I: Int>(self, coord: &Coord<I>, shape: TupleRef<'_, I>) -> Result<()> {
        self.check(|| in_range(coord.view(), shape, &ModePath::root()))
    }

    /// Checks that the offset of `coord` in `layout` is computed with enough bits, for crd2idx,
    /// layout_eval, slice, local_tile and similar operations. What the types leave open is not an
    /// error.
    ///
    /// ```
    /// use cute_algebra::{Domain, parse_coord, parse_layout};
    /// let strict = |c, l| Domain::Strict.offset(&parse_coord(c).unwrap(), &parse_layout(l).unwrap());
    /// let error = strict("(?,?)", "(536870913,4):(4,1)").unwrap_err().to_string();
    /// assert!(error.contains("reaches 2147483648, which 32 bits do not hold"), "{error}");
    /// assert!(strict("(?{i64},?{i64})", "(536870913,4):(4,1)").is_ok());
    /// assert!(strict("(?,?)", "(536870912,4):(4,1)").is_ok());
    /// assert!(strict("(?,?)", "(?,4):(4,1)").is_ok()); // no bound is promised
    /// ```
    pub fn offset<L: LayoutLike>(self, coord: &Coord<L::Leaf>, layout: &L) -> Result<()> {
        self.check(|| match span::value_past_32_bits(coord, layout) {
            Some(value) => Err(past(value, coord, &layout.to_any().to_dim().to_string())),
            None => Ok(()),
        })
    }

    /// Checks that the index of `coord` in `shape` is computed with enough bits, for crd2idx.
    pub fn index<I: Int>(self, coord: &Coord<I>, shape: TupleRef<'_, I>) -> Result<()> {
        self.check(|| match span::index_past_32_bits(coord.view(), shape) {
            Some(value) => Err(past(value, coord, &text(shape))),
            None => Ok(()),
        })
    }

    /// Checks `get_hier_coord(layout, index)` and similar operations, whose name is `what`: the
    /// coordinate lies in the shape of `layout`, where `layout` has the value `index`. Only a
    /// static `index` is checked.
    ///
    /// ```
    /// use cute_algebra::{Dim, Domain, parse_layout};
    /// let strict = |l, i| Domain::Strict.coord_of_value(&parse_layout(l).unwrap(), &Dim::fixed(i), "get_1d_coord");
    /// assert!(strict("(4,8):(8,1)", 10).is_ok());
    /// let error = strict("(12,6):(5,1)", 51).unwrap_err().to_string();
    /// assert_eq!(error, "get_1d_coord: (12,6):(5,1) has 53, not 51, at (10,3)");
    /// assert!(strict("(4,8):(8,1)", 1000000).is_err());
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn coord_of_value<I: Int>(self, layout: &Layout<I>, index: &I, what: &'static str) -> Result<()> {
        self.check(|| {
            let coord = ops::get_hier_coord(layout, index)?;
            let found = ops::crd2idx(&coord.to_coord(), layout)?;
            match (index.as_static(), found.as_leaf().and_then(Int::as_static)) {
                (Some(n), Some(found)) if n != found => {
                    let (layout, coord) = (layout.to_dim(), coord.to_dim());
                    Err(Error::Domain { what, why: format!("{layout} has {found}, not {n}, at {coord}") })
                }
                // A quotient of non-negative numbers is a coordinate; a quotient of negative ones
                // need not be.
                _ => in_range(coord.to_coord().view(), layout.shape().view(), &ModePath::root()),
            }
        })
    }
}

/// The error of an offset that its width need not hold.
fn past<I: Int>(value: i128, coord: &Coord<I>, of: &str) -> Error {
    let coord = coord.map(|c| c.map(|index| index.dim()));
    let why = format!(
        "{coord} in {of} reaches {value}, which 32 bits do not hold; indices of 64 bits (`?{{i64}}`) give an offset of 64"
    );
    Error::Domain { what: "offset", why }
}

pub(super) fn in_range<I: Int>(
    coord: TupleRef<'_, Crd<I>>,
    shape: TupleRef<'_, I>,
    path: &ModePath,
) -> Result<()> {
    match coord.as_leaf() {
        Some(Crd::Underscore) => Ok(()),
        Some(Crd::Int(index)) => match (index.as_static(), product(shape)?.as_static()) {
            (Some(i), extent) if i < 0 || extent.is_some_and(|extent| i >= extent) => {
                let end = extent.map_or("?".to_string(), |extent| extent.to_string());
                let why = format!("{path}: index {i} is outside [0, {end})");
                Err(Error::Domain { what: "coordinate", why })
            }
            _ => Ok(()),
        },
        None => {
            let modes = coord.modes().zip(shape.modes()).enumerate();
            modes.into_iter().try_for_each(|(i, (c, mode))| in_range(c, mode, &path.child(i)))
        }
    }
}

/// Fails unless a static index lies in `[0, count)`.
pub(super) fn one_of<I: Int>(index: &I, count: I) -> Result<()> {
    let index = Tuple::leaf(Crd::Int(index.clone()));
    in_range(index.view(), Tuple::leaf(count).view(), &ModePath::root())
}
