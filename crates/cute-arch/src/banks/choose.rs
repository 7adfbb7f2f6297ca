//! The search for a layout of shared memory without bank conflicts: swizzles, then padding. This
//! module contains the forms and their order.

use std::{collections::BTreeSet, fmt};

use cute_algebra::{AnyLayout, ComposedLayout, Error, Layout, Swizzle, cosize};

use super::{
    LINE_BYTES,
    access::{Access, Conflicts, Traffic, WIDEST, padded, place},
};

/// Bits that all banks deliver in one pass.
const LINE_BITS: i64 = LINE_BYTES as i64 * 8;

/// A way to spread the elements of a tile over the banks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A swizzle of the offset; the identity leaves the layout as it is.
    Swizzle(Swizzle),
    /// `elements` unused ones after each `period`.
    Padding {
        /// The stride that is padded, such as that of a row.
        period: i64,
        /// The number of elements per group of padding or swizzle.
        elements: i64,
    },
}

impl Form {
    /// Where the form puts the element that had this offset.
    pub fn place(self, offset: i64) -> i64 {
        match self {
            Self::Swizzle(swizzle) => place(swizzle, offset),
            Self::Padding { period, elements } => offset + offset.div_euclid(period) * elements,
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Swizzle(swizzle) => swizzle.fmt(f),
            Self::Padding { period, elements } => {
                let plural = if *elements == 1 { "" } else { "s" };
                write!(f, "{elements} element{plural} of padding after each {period}")
            }
        }
    }
}

/// The forms that a search tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forms {
    /// Swizzles of the offset.
    Swizzles,
    /// Unused elements between rows.
    Paddings,
    /// Swizzles, then paddings.
    Both,
}

/// A form, the layout it makes, and the cost of each access on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Padding or a swizzle.
    pub form: Form,
    /// The tile's layout with it.
    pub layout: AnyLayout<i64>,
    /// Costs, one per access.
    pub conflicts: Vec<Conflicts>,
}

/// The answer to a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The first candidate without conflicts, otherwise the one with the fewest passes.
    pub best: Candidate,
    /// The number of candidates tried: if the best has conflicts, these are all candidates of the
    /// form, and each has conflicts.
    pub tried: usize,
}

impl Choice {
    /// Whether all accesses are free of conflicts.
    pub fn is_free(&self) -> bool {
        self.best.conflicts.iter().all(|c| c.excess() == 0)
    }
}

/// The simplest layout of `forms` on which no access of the tile has a bank conflict: the tile's
/// own, a swizzle with the fewest bits, or the smallest padding. Among swizzles with the same
/// number of bits, the one that the TMA and the tensor cores support comes first, with a unit of 16
/// bytes and a distance of 3; the others follow by base and distance.
///
/// The search tries every swizzle that keeps the vectors of all accesses whole and all offsets
/// within the tile's [`cosize`]. It also tries every padding of whole
/// vectors by up to 128 bytes. So an answer with conflicts is a proof that no such layout is free
/// of them.
///
/// ```
/// use cute_algebra::parse_layout;
/// use cute_arch::banks::{Access, Forms, choose};
/// let layout = |text| parse_layout(text).unwrap().to_const().unwrap();
/// // A column of 8 rows of 128 bytes, 16 bytes a lane: what ldmatrix reads.
/// let column = Access { name: "ldmatrix".into(), layout: layout("(8,8):(1,8)"), vector: Some(8) };
/// let choice = choose(&layout("(8,64):(64,1)"), 16, &[column], Forms::Swizzles)?;
/// assert!(choice.is_free());
/// assert_eq!(choice.best.form.to_string(), "S<3,3,3>");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
///
/// Returns an error if an access does not fit the tile (see [`Traffic::new`]).
pub fn choose(tile: &Layout<i64>, bits: i64, accesses: &[Access], forms: Forms) -> Result<Choice, Error> {
    let traffic: Vec<Traffic> =
        accesses.iter().map(|access| Traffic::new(access, tile, bits)).collect::<Result<_, _>>()?;
    let mut all = vec![Form::Swizzle(Swizzle::IDENTITY)];
    if forms != Forms::Paddings {
        all.extend(preferred(&traffic, cosize(tile)?, bits));
    }
    if forms != Forms::Swizzles {
        all.extend(paddings(tile, widest(&traffic), LINE_BITS / bits));
    }
    let (form, tried) = search(&traffic, all);
    let layout = match form {
        Form::Swizzle(swizzle) => ComposedLayout::swizzled(swizzle, tile.clone()).simplify(),
        Form::Padding { period, elements } => {
            AnyLayout::Plain(padded(tile, period, elements).expect("only paddings that fit are tried"))
        }
    };
    let conflicts = traffic.iter().map(|t| t.conflicts(|offset| form.place(offset))).collect();
    Ok(Choice { best: Candidate { form, layout, conflicts }, tried })
}

/// The simplest swizzle of `end` elements under which the traffic has the fewest passes.
pub fn part(traffic: &[Traffic], end: i64, bits: i64) -> Swizzle {
    let own = Form::Swizzle(Swizzle::IDENTITY);
    match search(traffic, std::iter::once(own).chain(preferred(traffic, end, bits))) {
        (Form::Swizzle(swizzle), _) => swizzle,
        (Form::Padding { .. }, _) => Swizzle::IDENTITY,
    }
}

/// The first form without conflicts, otherwise the first of those with the fewest; and the number
/// of forms tried.
fn search(traffic: &[Traffic], forms: impl IntoIterator<Item = Form>) -> (Form, usize) {
    let mut best: Option<(u64, Form)> = None;
    let mut tried = 0;
    for form in forms {
        tried += 1;
        let place = |offset| form.place(offset);
        if traffic.iter().all(|t| t.is_free(place)) {
            return (form, tried);
        }
        let excess = traffic.iter().map(|t| t.conflicts(place).excess()).sum();
        if best.is_none_or(|(least, _)| excess < least) {
            best = Some((excess, form));
        }
    }
    (best.map_or(Form::Swizzle(Swizzle::IDENTITY), |(_, form)| form), tried)
}

/// The vectors of these accesses that have the most elements.
fn widest(traffic: &[Traffic]) -> i64 {
    traffic.iter().map(Traffic::vector).max().unwrap_or(1)
}

/// The proper swizzles that keep vectors of `vector` elements whole and every offset below `end`
/// below it.
///
/// ```
/// use cute_arch::banks::swizzles;
/// // Vectors of 4 in rows of 8: bits 0 and 1 stay, and bit 4 is not set below 16.
/// let all: Vec<String> = swizzles(4, 16).map(|swizzle| swizzle.to_string()).collect();
/// assert_eq!(all, ["S<1,2,1>", "S<1,2,-1>", "S<1,3,1>", "S<1,2,2>"]);
/// ```
pub fn swizzles(vector: i64, end: i64) -> impl Iterator<Item = Swizzle> {
    let whole = vector.max(1).cast_unsigned().next_power_of_two().trailing_zeros();
    let top = i64::from(i64::BITS - end.max(0).leading_zeros());
    Swizzle::within(top).skip(1).filter(move |swizzle| swizzle.base() >= whole && stays(*swizzle, end))
}

/// Whether the swizzle sends every offset below `end` to one below it.
///
/// Blocks up to the highest bit of the field that changes are permuted within themselves. Of the
/// last one, only `rest` offsets are below `end`. If the field that is read is above, all of them
/// are changed by XOR with one number, and stay if they are whole blocks of its bits. If it is
/// below, they stay only if none of them has one of its bits.
fn stays(swizzle: Swizzle, end: i64) -> bool {
    let above = |mask: i64| 1i64 << (i64::BITS - mask.leading_zeros());
    let rest = end % above(swizzle.target_mask());
    if swizzle.shift() < 0 {
        return rest <= 1 << swizzle.source_mask().trailing_zeros();
    }
    let first = end - rest;
    rest % above(place(swizzle, first) ^ first) == 0
}

/// The swizzles that keep the vectors of the traffic whole and offsets below `end`, in the order of
/// preference.
fn preferred(traffic: &[Traffic], end: i64, bits: i64) -> impl Iterator<Item = Form> {
    let unit: i64 = (WIDEST / bits).max(1).ilog2().into();
    let mut all: Vec<_> = swizzles(widest(traffic), end).collect();
    all.sort_by_key(|s| {
        let usual = (i64::from(s.base()), s.shift()) == (unit, 3);
        (s.bits(), !usual, s.shift() < 0, s.base(), s.shift().abs())
    });
    all.into_iter().map(Form::Swizzle)
}

/// The paddings of a tile by whole vectors of `vector` elements, up to `most` elements, the least
/// first. Each fits the tile, so that [`padded`] makes a layout of it.
///
/// ```
/// use cute_algebra::parse_layout;
/// let rows = parse_layout("(32,64):(64,1)").unwrap().to_const().unwrap();
/// let all: Vec<String> = cute_arch::banks::paddings(&rows, 8, 16).iter().map(ToString::to_string).collect();
/// assert_eq!(all, ["8 elements of padding after each 64", "16 elements of padding after each 64"]);
/// ```
pub fn paddings(tile: &Layout<i64>, vector: i64, most: i64) -> Vec<Form> {
    let vector = vector.max(1);
    let periods: BTreeSet<i64> =
        tile.flat().filter_map(|(_, d)| d.as_static()).filter(|d| *d > 1 && d % vector == 0).collect();
    let mut all = Vec::new();
    for elements in (1..=most / vector).map(|n| n * vector) {
        let fitting = periods.iter().filter(|period| padded(tile, **period, elements).is_some());
        all.extend(fitting.map(|period| Form::Padding { period: *period, elements }));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{Swizzle, place, stays};

    #[test]
    fn offsets_stay_below_the_end_exactly_if_the_rule_says_so() {
        for end in 1..=80 {
            for swizzle in Swizzle::within(8).skip(1) {
                let all = (0..end).all(|offset| place(swizzle, offset) < end);
                assert_eq!(stays(swizzle, end), all, "{swizzle} below {end}");
            }
        }
    }
}
