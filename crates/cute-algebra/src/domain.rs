//! The domain policy: what CuTe computes but does not mean.
//!
//! CuTe extends the last mode of an outer layout and rounds divides up, and accepts compositions whose result is not
//! `A(B(c))`. [`Domain::Extend`] takes all of that. [`Domain::Strict`] promises the equation of each operation on static
//! operands. It decides by carries on the coalesced operands, so that large extents cost nothing; dynamic leaves are
//! never an error.

use crate::{
    basis::Basis,
    composed::LayoutLike,
    coord::{Coord, Crd},
    error::{Error, ModePath, Result},
    int::Int,
    layout::{Layout, LayoutRef, text},
    ops::{
        self,
        coalesce::coalesce_extended,
        composition::compose,
        size::{coprofile, mode_at, product},
    },
    tile::{Tile, Tiler},
    tuple::{Tuple, TupleRef},
};

/// How far operands may reach past one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Domain {
    /// Static overshoot is an error, and so is a static result that breaks the operation's equation.
    #[default]
    Strict,
    /// CuTe's behaviour.
    Extend,
}

/// Most coordinates that are tried for a verdict the carries leave open.
const MAX_TRIED: i64 = 1 << 16;

impl Domain {
    /// Checks `composition(a, b)`: the values of `b` lie in `[0, size(a))`, and the result is `a(b(c))`.
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
        self.check(|| compose_tile(a.outer().view(), &b.to_tile(), ModePath::root()))
    }

    /// Checks a divide of `layout` by `tiler`, in any of its arrangements: the tiles cover the layout exactly once.
    ///
    /// ```
    /// use cute_algebra::{domain::Domain, parse_layout, parse_tiler};
    /// let error = Domain::Strict.divide(&parse_layout("(128,64):(1,128)")?, &parse_tiler("(40,32)")?).unwrap_err();
    /// assert!(error.to_string().contains("mode 0: tiles of 40 in 128 elements cover 160"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn divide<L: LayoutLike>(self, layout: &L, tiler: &Tiler<L::Leaf>) -> Result<()> {
        self.check(|| divide_tile(layout.outer().view(), &tiler.to_tile(), ModePath::root()))
    }

    /// Checks `complement(layout, cotarget)`: layout and complement together reach the whole of an integer cotarget.
    ///
    /// A tuple cotarget is divided mode by mode, with no promise on its size.
    pub fn complement<L: LayoutLike>(self, layout: &L, cotarget: TupleRef<'_, L::Leaf>) -> Result<()> {
        self.check(|| {
            let filtered = ops::filter(layout.outer())?;
            let rest = ops::complement(&filtered, cotarget)?;
            let (Some(covered), Some(needed)) = (
                ops::size(&filtered)?.mul(&ops::size(&rest)?)?.as_static(),
                cotarget.as_leaf().and_then(Int::as_static),
            ) else {
                return Ok(());
            };
            if covered < needed {
                let why = format!("{filtered} and its complement {rest} have {covered} offsets together, {needed} are to be covered");
                return Err(Error::Domain { what: "complement", why });
            }
            Ok(())
        })
    }

    /// Checks a product of `block` and `tiler`, in any of its arrangements: when neither repeats a value, no two copies of
    /// the block overlap.
    pub fn product<L: LayoutLike>(self, block: &L, tiler: &Tiler<L::Leaf>) -> Result<()> {
        self.check(|| product_tile(block.outer().view(), &tiler.to_tile(), ModePath::root()))
    }

    /// Checks `left_inverse(layout)`: the layout is injective and `result(layout(i)) == i`.
    pub fn left_inverse<I: Int>(self, layout: &Layout<I>) -> Result<()> {
        self.check(|| {
            let inverse = ops::left_inverse(layout)?;
            let Some((inverse, layout)) = inverse.to_const().zip(layout.to_const()) else { return Ok(()) };
            exact(inverse.view(), layout.view(), "left_inverse", &ModePath::root())?;
            let identity = ops::coalesce(&compose(inverse.view(), layout.view())?)?;
            let n = ops::size(&layout)?;
            if n > 1 && identity != Layout::identity(n)? {
                let why = format!("{layout} is not injective: after {inverse} it is {identity}, not {n}:1");
                return Err(Error::Domain { what: "left_inverse", why });
            }
            Ok(())
        })
    }

    /// Checks that every static index of `coord` lies in `shape`, for crd2idx, layout_eval and slice.
    ///
    /// ```
    /// use cute_algebra::{domain::Domain, parse_coord, parse_shape};
    /// let strict = |c| Domain::Strict.coordinate(&parse_coord(c).unwrap(), parse_shape("(4,(2,8))").unwrap().view());
    /// assert!(strict("(3,(_,7))").is_ok());
    /// assert!(strict("(3,15)").is_ok());
    /// assert_eq!(strict("(3,(0,8))").unwrap_err().to_string().split(';').next(), Some("coordinate: mode (1,1): index 8 is outside [0, 8)"));
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn coordinate<I: Int>(self, coord: &Coord<I>, shape: TupleRef<'_, I>) -> Result<()> {
        self.check(|| in_range(coord.view(), shape, &ModePath::root()))
    }

    /// Checks `local_tile(layout, tiler, coord)`: the divide, and the static coordinates of the tile.
    pub fn local_tile<L: LayoutLike>(
        self,
        layout: &L,
        tiler: &Tiler<L::Leaf>,
        coord: &Coord<L::Leaf>,
    ) -> Result<()> {
        self.divide(layout, tiler)?;
        self.check(|| {
            let zipped = ops::zipped_divide(layout, tiler)?;
            let rest = mode_at(zipped.outer(), &[1])?.shape();
            if coord.is_leaf() {
                return in_range(coord.view(), rest, &ModePath::root());
            }
            let modes = coord.modes().zip(rest.modes()).enumerate();
            modes.into_iter().try_for_each(|(i, (c, mode))| in_range(c, mode, &ModePath::root().child(i)))
        })
    }

    fn check(self, strict: impl FnOnce() -> Result<()>) -> Result<()> {
        match self {
            Self::Strict => strict(),
            Self::Extend => Ok(()),
        }
    }
}

fn in_range<I: Int>(coord: TupleRef<'_, Crd<I>>, shape: TupleRef<'_, I>, path: &ModePath) -> Result<()> {
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

fn compose_tile<I: Int>(a: LayoutRef<'_, I>, b: &Tile<I>, path: ModePath) -> Result<()> {
    match b {
        Tile::Layout(layout) => exact(a, layout.view(), "composition", &path),
        Tile::Underscore => Ok(()),
        Tile::Int(extent) => exact(a, Layout::identity(extent.clone())?.view(), "composition", &path),
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

fn divide_tile<I: Int>(a: LayoutRef<'_, I>, tile: &Tile<I>, path: ModePath) -> Result<()> {
    let tiler = match tile {
        Tile::Layout(tiler) => tiler.clone(),
        Tile::Int(extent) => ops::make_layout(&Tuple::leaf(extent.clone()))?,
        Tile::Underscore => return Ok(()),
        Tile::Modes(tiles) => return by_mode(a, tiles, &path, divide_tile),
    };
    let rest = ops::complement(&tiler, ops::coalesce(&a.to_owned())?.shape().view())?;
    let both = Layout::from_modes([tiler.clone(), rest]);
    if let (Some(covered), Some(size)) = (ops::size(&both)?.as_static(), product(a.shape())?.as_static())
        && covered != size
    {
        let why = format!("{path}: tiles of {} in {size} elements cover {covered}", text_of(tile));
        return Err(Error::Domain { what: "divide", why });
    }
    exact(a, both.view(), "divide", &path)?;
    let divided = compose(a, both.view())?;
    if let (Some(covered), Some(size)) = (ops::size(&divided)?.as_static(), product(a.shape())?.as_static())
        && covered != size
    {
        let why = format!("{path}: the result {divided} has {covered} elements, not {size}");
        return Err(Error::Domain { what: "divide", why });
    }
    Ok(())
}

fn text_of<I: Int>(tile: &Tile<I>) -> String {
    tile.to_string()
}

fn product_tile<I: Int>(block: LayoutRef<'_, I>, tile: &Tile<I>, path: ModePath) -> Result<()> {
    let tiler = match tile {
        Tile::Layout(tiler) => tiler.clone(),
        Tile::Int(extent) => ops::make_layout(&Tuple::leaf(extent.clone()))?,
        Tile::Underscore => return Ok(()),
        Tile::Modes(tiles) => return by_mode(block, tiles, &path, product_tile),
    };
    let product = ops::logical_product(&block.to_owned(), &Tiler::Layout(tiler.clone()))?;
    let (Some(block), Some(tiler), Some(product)) =
        (block.to_owned().to_const(), tiler.to_const(), product.to_const())
    else {
        return Ok(());
    };
    if injective(&block) == Some(true) && injective(&tiler) == Some(true) && injective(&product) != Some(true)
    {
        let why = format!("{path}: {block} repeated over {tiler} overlaps itself in {product}");
        return Err(Error::Domain { what: "product", why });
    }
    Ok(())
}

/// Whether no two coordinates have the same value; None if the strides do not show it and there are too many to try.
fn injective(layout: &Layout<i64>) -> Option<bool> {
    let mut terms: Vec<(Basis, i64, i64)> = Vec::new();
    for (extent, stride) in layout.flat().filter(|(extent, _)| **extent > 1) {
        if stride.is(0) {
            return Some(false);
        }
        if stride.den() != 1 {
            return None;
        }
        terms.push((stride.basis(), stride.scale().checked_abs()?, *extent));
    }
    terms.sort_unstable();
    // In order of size, each stride steps over all that the smaller ones of its basis reach.
    let (mut basis, mut reach) = (Basis::NONE, 0i64);
    let steps_over = terms.iter().all(|(b, stride, extent)| {
        if *b != basis {
            (basis, reach) = (*b, 0);
        }
        let over = *stride > reach;
        reach = stride.saturating_mul(extent - 1).saturating_add(reach);
        over
    });
    if steps_over {
        return Some(true);
    }
    let size = ops::size(layout).ok().filter(|n| *n <= MAX_TRIED)?;
    let mut seen = std::collections::HashSet::new();
    for i in 0..size {
        if !seen.insert(ops::crd2idx(&Tuple::leaf(Crd::Int(i)), layout).ok()?) {
            return Some(false);
        }
    }
    Some(true)
}

/// Fails unless `b` stays in the domain of `a` and `compose(a, b)(c) == a(b(c))`, as far as both are static.
fn exact<I: Int>(
    a: LayoutRef<'_, I>,
    b: LayoutRef<'_, I>,
    what: &'static str,
    path: &ModePath,
) -> Result<()> {
    let flat = coalesce_extended(a, coprofile(b)?.view())?;
    let mut bases: Vec<Basis> = b.stride().leaves().iter().filter(|d| !d.is(0)).map(|d| d.basis()).collect();
    bases.sort_unstable();
    bases.dedup();
    for basis in bases {
        let levels: Vec<usize> = basis.path().iter().map(|&i| i.into()).collect();
        let (whole, target) = if basis.is_none() {
            (a, flat.view())
        } else {
            (a.get(&levels).unwrap_or(a), mode_at(&flat, &levels)?)
        };
        let terms: Option<Vec<(i64, i64)>> = b
            .shape()
            .leaves()
            .iter()
            .zip(b.stride().leaves())
            .filter(|(_, d)| d.basis() == basis && !d.is(0))
            .map(|(s, d)| s.as_static().zip(d.scale().as_static()))
            .collect();
        let Some(terms) = terms else { continue };
        let error = |why| Error::Domain {
            what,
            why: if path.indices().is_empty() { why } else { format!("{path}: {why}") },
        };
        let reach = terms
            .iter()
            .filter(|(_, d)| *d > 0)
            .try_fold(0i64, |sum, (s, d)| sum.checked_add((s - 1).checked_mul(*d)?));
        if let Some((s, d)) = terms.iter().find(|(s, d)| *d < 0 && *s > 1) {
            return Err(error(format!(
                "stride {d} of the right operand {b} leaves [0, size) at index 1 of {s}"
            )));
        }
        let Some(size) = product(whole.shape())?.as_static() else { continue };
        let reach = reach.unwrap_or(i64::MAX);
        if reach >= size {
            let shape = text(whole.shape());
            return Err(error(format!(
                "the right operand {b} reaches {reach}, the left operand of shape {shape} has {size} elements"
            )));
        }
        let Some(extents) = target.shape().leaves().iter().map(Int::as_static).collect::<Option<Vec<_>>>()
        else {
            continue;
        };
        if target.stride().leaves().iter().any(|d| !d.is_static()) {
            continue;
        }
        if let Some(i) = carry(&extents, &terms)
            && !agrees(a, b)
        {
            return Err(error(format!(
                "the result is not a(b(c)): values of the right operand {b} carry out of mode {i} (extent {}) of the coalesced left operand {target}",
                extents.get(i).copied().unwrap_or_default()
            )));
        }
    }
    Ok(())
}

/// The first mode of the coalesced left operand that the right operand carries out of in mid-element.
///
/// Written in the mixed radix `extents`, `sum c_k * d_k` must add without carries below the last digit, and each term
/// `c * d` must itself step through the digits whole. In a coalesced layout every carry changes the value.
fn carry(extents: &[i64], terms: &[(i64, i64)]) -> Option<usize> {
    let (_, walked) = extents.split_last()?;
    let mut digits = vec![0i64; walked.len()];
    for (extent, stride) in terms {
        let (mut rest, mut step) = (*extent, *stride);
        for (i, (radix, digit)) in walked.iter().zip(&mut digits).enumerate() {
            if rest <= 1 {
                break;
            }
            if step % radix == 0 {
                step /= radix;
                continue;
            }
            if step > *radix {
                return Some(i);
            }
            let fits = (radix - 1) / step + 1;
            let taken = fits.min(rest);
            if taken < rest && (radix % step != 0 || rest % taken != 0) {
                return Some(i);
            }
            *digit = digit.saturating_add((taken - 1) * step);
            rest = if taken < rest { rest / taken } else { 1 };
            step = 1;
        }
    }
    digits.iter().zip(walked).position(|(digit, radix)| digit >= radix)
}

/// Compares `compose(a, b)` with `a(b(c))` point by point, on domains small enough.
fn agrees<I: Int>(a: LayoutRef<'_, I>, b: LayoutRef<'_, I>) -> bool {
    let test = || -> Option<bool> {
        let (a, b) = (a.to_owned().to_const()?, b.to_owned().to_const()?);
        let composed = compose(a.view(), b.view()).ok()?;
        let size = ops::size(&b).ok().filter(|n| *n <= MAX_TRIED)?;
        for i in 0..size {
            let at = Tuple::leaf(Crd::Int(i));
            let inner = ops::crd2idx(&at, &b).ok()?;
            if ops::crd2idx(&inner.to_coord(), &a).ok()? != ops::crd2idx(&at, &composed).ok()? {
                return Some(false);
            }
        }
        Some(true)
    };
    test().unwrap_or(false)
}
