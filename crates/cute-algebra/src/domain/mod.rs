//! The domain policy: inputs for which CuTe computes a result that breaks the operation's equation.
//!
//! CuTe extends the last mode of an outer layout, rounds divides up, and accepts compositions whose
//! result is not `A(B(c))`. [`Domain::Extend`] accepts all of that. [`Domain::Strict`] guarantees
//! the equation of each operation for static operands. It decides by carries on the coalesced
//! operands, so that large extents cost nothing. Where some leaves are dynamic, it rejects what the
//! static ones alone disprove. The rest is an [`Assumption`](crate::Assumption) about run-time
//! integers: the result is right for all values of which the assumptions hold. The right inverse of
//! a plain layout needs no check, because CuTe's result is one by construction.

mod carry;
mod coordinate;
mod held;
mod image;
mod inverse;
mod partition;
mod product;
mod tiled;

use std::{collections::BTreeSet, str::FromStr};

use held::{Held, held};
use image::filled;

use crate::{
    basis::{Basis, Stride},
    composed::LayoutLike,
    error::{Error, ModePath, Result},
    int::Int,
    layout::{Layout, LayoutRef},
    ops::{self, composition::compose, divide::rest, size::product},
    tile::{Tile, Tiler},
    tuple::{Tuple, TupleRef},
};

/// The policy for operands that reach past one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Domain {
    /// A static operand that leaves the domain is an error, and so is a static result that breaks
    /// the operation's equation.
    #[default]
    Strict,
    /// CuTe's behaviour.
    Extend,
}

impl Domain {
    /// The policies, the checked one first.
    pub const ALL: [Self; 2] = [Self::Strict, Self::Extend];

    /// The name in attributes and options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Extend => "extend",
        }
    }
}

/// A name that is not the name of a policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown policy '{name}'; policies are {}", Domain::ALL.map(Domain::name).join(" and "))]
pub struct UnknownDomain {
    /// The given name.
    pub name: String,
}

impl FromStr for Domain {
    type Err = UnknownDomain;

    fn from_str(name: &str) -> std::result::Result<Self, UnknownDomain> {
        let found = Self::ALL.into_iter().find(|policy| policy.name() == name);
        found.ok_or_else(|| UnknownDomain { name: name.into() })
    }
}

/// The maximum number of coordinates to try, both to find a witness and to decide what the strides
/// leave open.
const MAX_TRIED: i64 = 1 << 16;

impl Domain {
    /// Checks `composition(a, b)`: the values of `b` lie in `[0, size(a))`, and the result is
    /// `a(b(c))`.
    ///
    /// ```
    /// use cute_algebra::{domain::Domain, parse_layout, parse_tiler};
    /// let strict = |a, b| Domain::Strict.composition(&parse_layout(a).unwrap(), &parse_tiler(b).unwrap());
    /// assert!(strict("(4,8):(8,1)", "16:2").is_ok());
    /// assert!(strict("4:1", "16:1").unwrap_err().to_string().contains("reaches 15"));
    /// assert!(strict("(10,4):(4,1)", "10:6").is_err()); // reaches 54 of 40, and would not be a(b(c))
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn composition<L: LayoutLike>(self, a: &L, b: &Tiler<L::Leaf>) -> Result<()> {
        self.check(|| {
            compose_tile(a.outer().view(), &b.to_tile(), ModePath::root())?;
            self.mixed("composition", a, b, ops::composition)
        })
    }

    /// Checks a divide of `layout` by `tiler`, in any of its arrangements: the tiles cover the
    /// layout exactly once.
    ///
    /// ```
    /// use cute_algebra::{domain::Domain, parse_layout, parse_tiler};
    /// let error = Domain::Strict.divide(&parse_layout("(128,64):(1,128)")?, &parse_tiler("(40,32)")?).unwrap_err();
    /// assert!(error.to_string().contains("mode 0: tiles of 40 in 128 elements cover 160"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn divide<L: LayoutLike>(self, layout: &L, tiler: &Tiler<L::Leaf>) -> Result<()> {
        self.check(|| {
            divide_tile(layout.outer().view(), &tiler.to_tile(), ModePath::root())?;
            self.mixed("divide", layout, tiler, ops::logical_divide)
        })
    }

    /// Checks `complement(layout, cotarget)`: every index below an integer cotarget is the sum of a
    /// value of the layout and a value of the complement.
    ///
    /// A tuple cotarget is divided mode by mode; its size is not checked.
    ///
    /// ```
    /// use cute_algebra::{domain::Domain, parse_layout, parse_shape};
    /// let strict = |a, m| Domain::Strict.complement(&parse_layout(a).unwrap(), parse_shape(m).unwrap().view());
    /// assert!(strict("4:2", "24").is_ok());
    /// assert!(strict("(3,2):(1,4)", "6").unwrap_err().to_string().contains("do not cover 3")); // 0 1 2 4 5 6
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn complement<L: LayoutLike>(self, layout: &L, cotarget: TupleRef<'_, L::Leaf>) -> Result<()> {
        self.check(|| {
            let filtered = ops::filter(layout.outer())?;
            let rest = ops::complement(&filtered, cotarget)?;
            if !filtered.is_static() {
                let cotarget = cotarget.to_owned().map(|leaf| Held::from(leaf));
                return held::check("complement", || ops::complement(&held(&filtered), cotarget.view()));
            }
            let (Some(a), Some(c), Some(needed)) =
                (filtered.to_const(), rest.to_const(), cotarget.as_leaf().and_then(Int::as_static))
            else {
                return Ok(());
            };
            let filled = filled([&a, &c]);
            if filled < needed {
                let why = format!("{a} and its complement {c} do not cover {filled} in [0, {needed})");
                return Err(Error::Domain { what: "complement", why });
            }
            Ok(())
        })
    }

    /// Checks `complement_in_cosize(layout)` or, for strides with a basis,
    /// `complement_of_bases(layout)`. Along each basis, every index up to the largest value of the
    /// layout is the sum of a value of the layout and a value of the complement.
    ///
    /// ```
    /// use cute_algebra::{domain::Domain, parse_layout};
    /// let strict = |a| Domain::Strict.complement_in_cosize(&parse_layout(a).unwrap());
    /// assert!(strict("4:2").is_ok());
    /// assert!(strict("(3,2):(1,4)").is_err()); // 0 1 2 4 5 6
    /// assert!(strict("(4,3,2):(2@0,1@1,4@1)").is_err()); // the same along @1
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn complement_in_cosize<L: LayoutLike>(self, layout: &L) -> Result<()> {
        self.check(|| {
            let filtered = ops::filter(layout.outer())?;
            if !filtered.is_static() && !filtered.has_basis() {
                return held::check("complement", || ops::complement_in_cosize(&held(&filtered)));
            }
            let rest = match filtered.has_basis() {
                true => ops::complement_of_bases(&filtered)?,
                false => ops::complement_in_cosize(&filtered)?,
            };
            let (Some(a), Some(c)) = (filtered.to_const(), rest.to_const()) else { return Ok(()) };
            let bases: BTreeSet<Basis> = a.stride().leaves().iter().map(Stride::basis).collect();
            for basis in bases {
                let (along_a, along_c) = (along(&a, basis)?, along(&c, basis)?);
                let (filled, needed) = (filled([&along_a, &along_c]), ops::cosize(&along_a)?);
                if filled < needed {
                    let why =
                        format!("{a} and its complement {c} do not cover {filled}{basis} in [0, {needed})");
                    return Err(Error::Domain { what: "complement", why });
                }
            }
            Ok(())
        })
    }

    /// Checks what the static leaves among dynamic ones decide about `op(layout, tiler)`.
    fn mixed<L: LayoutLike>(
        self,
        what: &'static str,
        layout: &L,
        tiler: &Tiler<L::Leaf>,
        op: impl FnOnce(&Layout<Held>, &Tiler<Held>) -> Result<Layout<Held>>,
    ) -> Result<()> {
        let is_static = layout.outer().is_static() && tiler.to_tile().is_static();
        self.check(|| match is_static {
            true => Ok(()),
            false => held::check(what, || op(&held(layout), &tiler.map(&mut |leaf| Held::from(leaf)))),
        })
    }

    fn check(self, strict: impl FnOnce() -> Result<()>) -> Result<()> {
        match self {
            Self::Strict => strict(),
            Self::Extend => Ok(()),
        }
    }
}

/// The modes that step along `basis`, with integer strides.
fn along(layout: &Layout<i64>, basis: Basis) -> Result<Layout<i64>> {
    let own = layout.flat().filter(|(_, d)| d.basis() == basis);
    Layout::from_flat(own.map(|(s, d)| (*s, Stride::int(*d.scale()))))
}

fn compose_tile<I: Int>(a: LayoutRef<'_, I>, b: &Tile<I>, path: ModePath) -> Result<()> {
    match b {
        Tile::Layout(layout) => carry::check(a, layout.view(), "composition", &path),
        Tile::Underscore => Ok(()),
        Tile::Int(extent) => carry::check(a, Layout::identity(extent.clone())?.view(), "composition", &path),
        Tile::Modes(modes) => by_mode(a, modes, &path, compose_tile),
    }
}

fn by_mode<I: Int>(
    a: LayoutRef<'_, I>,
    tiles: &[Tile<I>],
    path: &ModePath,
    f: impl Fn(LayoutRef<'_, I>, &Tile<I>, ModePath) -> Result<()>,
) -> Result<()> {
    a.modes().zip(tiles).enumerate().try_for_each(|(i, (mode, tile))| f(mode, tile, path.child(i)))
}

/// The tile and the rest of `a`, as one layout; `None` where `f` handles each mode.
fn tile_and_rest<I: Int>(
    a: LayoutRef<'_, I>,
    tile: &Tile<I>,
    path: &ModePath,
    f: impl Fn(LayoutRef<'_, I>, &Tile<I>, ModePath) -> Result<()>,
) -> Result<Option<Layout<I>>> {
    let tiler = match tile {
        Tile::Layout(tiler) => tiler.clone(),
        Tile::Int(extent) => ops::make_layout(&Tuple::leaf(extent.clone()))?,
        Tile::Underscore => return Ok(None),
        Tile::Modes(tiles) => return by_mode(a, tiles, path, f).map(|()| None),
    };
    let rest = rest(a, &tiler)?;
    Ok(Some(Layout::from_modes([tiler, rest])))
}

fn divide_tile<I: Int>(a: LayoutRef<'_, I>, tile: &Tile<I>, path: ModePath) -> Result<()> {
    let Some(both) = tile_and_rest(a, tile, &path, divide_tile)? else { return Ok(()) };
    if let (Some(covered), Some(size)) = (ops::size(&both)?.as_static(), product(a.shape())?.as_static())
        && covered != size
    {
        let why = format!("{path}: tiles of {tile} in {size} elements cover {covered}");
        return Err(Error::Domain { what: "divide", why });
    }
    let repeats =
        |(extent, stride): &(&I, &Stride<I>)| stride.is(0) && extent.as_static().is_some_and(|n| n > 1);
    // Among dynamic leaves, it is an assumption.
    if both.is_static()
        && let Some((extent, _)) = both.flat().find(repeats)
    {
        let extent = extent.dim();
        let why = format!(
            "{path}: {tile} has {extent} elements with stride 0, so each element is in a tile {extent} times"
        );
        return Err(Error::Domain { what: "divide", why });
    }
    carry::check(a, both.view(), "divide", &path)?;
    let divided = compose(a, both.view())?;
    if let (Some(covered), Some(size)) = (ops::size(&divided)?.as_static(), product(a.shape())?.as_static())
        && covered != size
    {
        let why = format!("{path}: the result {divided} has {covered} elements, not {size}");
        return Err(Error::Domain { what: "divide", why });
    }
    Ok(())
}
