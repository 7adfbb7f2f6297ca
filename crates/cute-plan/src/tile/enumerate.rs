//! The enumeration of the candidates for a tile.
//!
//! | candidates | which |
//! |---|---|
//! | compact | every order of the modes |
//! | atoms | the atoms of tensor cores and the TMA that divide the first two modes, in both orders |
//! | swizzled | each compact one behind every swizzle that can change wavefronts |
//! | padded | each compact one with 1 to 32 bytes after each period |
//! | padded, swizzled | small padded ones of two modes behind every swizzle that can change wavefronts |
//!
//! Where two of them are the same function, the shorter text stays, with the reason of the one that
//! comes first in this table.

use std::{
    collections::{HashMap, hash_map::Entry},
    rc::Rc,
};

use cute_algebra::{
    AnyLayout, ComposedLayout, Error, Layout, LayoutLike, Swizzle, Tuple, coalesce, cosize,
    make_ordered_layout, offsets, product_each, size, tile_to_shape,
};
use cute_arch::{
    atoms::Major,
    banks::{Form, LINE_BYTES, padded, paddings, swizzles},
    smem::SmemSwizzle,
};

use super::{BasisMode, Kind, LayoutCandidate, TileSpec};
use crate::{cost::by_text, identity::identity};

/// The modes that are put into every order. Later ones stay outside, in their own order.
const ORDERED: usize = 4;
/// Tiles of at most as many elements, 8 by 64, get every swizzle.
const SMALL: i64 = 512;
/// Bits of the widest gap.
const WIDEST_GAP: i64 = 256;
/// Bits that all banks deliver in one pass, and bits of the word of a bank.
const LINE: i64 = LINE_BYTES as i64 * 8;
const WORD: i64 = LINE / 32;
/// The atoms of `wgmma`, `tcgen05.mma` and the TMA.
const ATOMS: [SmemSwizzle; 4] =
    [SmemSwizzle::Interleave, SmemSwizzle::B32, SmemSwizzle::B64, SmemSwizzle::B128];

/// The candidates for the layout of a tile: no two are the same function, the ones that take fewer
/// bytes come first, and then the order is that of their texts.
///
/// Every candidate is injective, and keeps aligned vectors of `tile.vector` elements along its
/// contiguous mode together. Layouts that span more than `tile.most` elements are left out, and so
/// are those whose numbers overflow: a tile without bits, without elements or with too many has no
/// candidates.
///
/// ```
/// use cute_algebra::parse_shape; use cute_plan::{Kind, TileSpec, tiles}; let tile = TileSpec { shape:
/// parse_shape("(8,64)")?.to_const().unwrap(), bits: 16, most: None, vector: 8 }; let all =
/// tiles(&tile); let compact: Vec<&str> = all.iter().filter(|c| c.kind == Kind::Compact).map(|c|
/// &*c.text).collect(); assert_eq!(compact, ["(8,64):(1,8)", "(8,64):(64,1)"]);
/// assert!(all.iter().any(|c| c.text == "(8,64):(72,1)"));
/// # Ok::<(), cute_algebra::ParseError>(())
/// ```
pub fn tiles(tile: &TileSpec) -> Vec<LayoutCandidate> {
    if tile.flaw().is_some() {
        return Vec::new();
    }
    let mut found = Found { tile, seen: HashMap::new(), listed: None, all: Vec::new() };
    let bases: Vec<(Vec<usize>, Layout<i64>)> = orders(tile.shape.rank().min(ORDERED))
        .into_iter()
        .filter_map(|order| Some((order.clone(), compact(&tile.shape, &order).ok()?)))
        .collect();
    for (order, base) in &bases {
        found.compact(base, order);
    }
    found.atoms();
    for (order, base) in &bases {
        found.swizzled(base, order);
    }
    for (order, base) in &bases {
        found.padded(base, order);
    }
    let mut all = found.all;
    all.sort_by(|a, b| a.bytes.cmp(&b.bytes).then_with(|| by_text(&a.text, &b.text)));
    all
}

/// The candidates that were found so far.
struct Found<'a> {
    tile: &'a TileSpec,
    /// The candidates by their identities.
    seen: HashMap<String, usize>,
    /// The offsets of the last layout that were listed.
    listed: Option<(Layout<i64>, Rc<Vec<i64>>)>,
    all: Vec<LayoutCandidate>,
}

impl Found<'_> {
    fn compact(&mut self, base: &Layout<i64>, order: &[usize]) {
        self.add(base, &Form::Swizzle(Swizzle::IDENTITY), Kind::Compact, || compact_reason(order));
    }

    fn swizzled(&mut self, base: &Layout<i64>, order: &[usize]) {
        let Ok(end) = cosize(base) else { return };
        for swizzle in swizzles(self.tile.vector, end) {
            if end <= SMALL || spreads(swizzle, self.tile.bits) {
                self.add(base, &Form::Swizzle(swizzle), Kind::Swizzled, || {
                    format!("{}; {}", compact_reason(order), swizzle_reason(swizzle))
                });
            }
        }
    }

    fn padded(&mut self, base: &Layout<i64>, order: &[usize]) {
        let TileSpec { bits, vector, .. } = *self.tile;
        for form in paddings(base, vector, WIDEST_GAP / bits) {
            let Form::Padding { period, elements } = form else { continue };
            if (elements * bits) % 8 != 0 {
                continue;
            }
            let kind = Kind::Padded { period, elements };
            self.add(base, &form, kind, || format!("{}; {form}", compact_reason(order)));
            if order.len() <= 2
                && size(base).is_ok_and(|size| size <= SMALL)
                && let Some(padded) = padded(base, period, elements)
            {
                self.padded_and_swizzled(&padded, kind, || format!("{}; {form}", compact_reason(order)));
            }
        }
    }

    /// The padded layout behind swizzles that move no element past its end.
    fn padded_and_swizzled(&mut self, padded: &Layout<i64>, kind: Kind, reason: impl Fn() -> String) {
        let Ok(end) = cosize(padded) else { return };
        let Ok(listed) = self.offsets(padded) else { return };
        let whole = end.cast_unsigned().next_power_of_two().cast_signed();
        for swizzle in swizzles(self.tile.vector, whole).filter(|swizzle| spreads(*swizzle, self.tile.bits)) {
            let form = Form::Swizzle(swizzle);
            if listed.iter().all(|offset| form.place(*offset) < end) {
                self.add(padded, &form, kind, || format!("{}; {}", reason(), swizzle_reason(swizzle)));
            }
        }
    }

    /// The offsets of a layout, by the index of the element.
    fn offsets(&mut self, layout: &Layout<i64>) -> Result<Rc<Vec<i64>>, Error> {
        if let Some((known, offsets)) = &self.listed
            && known == layout
        {
            return Ok(offsets.clone());
        }
        let listed = Rc::new(offsets(&layout.clone().into())?);
        self.listed = Some((layout.clone(), listed.clone()));
        Ok(listed)
    }

    /// The atoms that divide the first two modes, repeated along them in both orders; the stages of
    /// a pipeline, which are the other modes, stay outside.
    fn atoms(&mut self) {
        let rank = self.tile.shape.rank();
        let Ok(extents) = product_each(self.tile.shape.view()) else { return };
        if self.tile.shape.is_leaf() || rank < 2 {
            return;
        }
        let orders = [[0, 1], [1, 0]]
            .map(|first| Tuple::from_leaves(first.into_iter().chain(2..rank as i64).collect::<Vec<i64>>()));
        for (swizzle, contiguous) in ATOMS.into_iter().flat_map(|atom| [(atom, 1), (atom, 0)]) {
            let major = if contiguous == 1 { Major::K } else { Major::Mn };
            let Ok(block) = swizzle.element_block(major, self.tile.bits) else { continue };
            let row = swizzle.row_bits() / self.tile.bits;
            if row % self.tile.vector != 0 {
                continue;
            }
            let of_elements = block.swizzle().unwrap_or(Swizzle::IDENTITY);
            for (first, order) in orders.iter().enumerate() {
                let Ok(tiled) = tile_to_shape(&block, extents.view(), Some(order)) else { continue };
                let kind = Kind::Atom { swizzle, contiguous };
                self.add(tiled.outer(), &Form::Swizzle(of_elements), kind, || {
                    format!(
                        "the atom {swizzle} of tensor cores and the TMA, contiguous along mode {contiguous}, \
                         repeated along mode {first} first"
                    )
                });
            }
        }
    }

    /// Adds a form of a base, unless there is such a candidate or it does not fit.
    fn add(&mut self, base: &Layout<i64>, form: &Form, kind: Kind, reason: impl FnOnce() -> String) {
        let Ok(Some(candidate)) = self.candidate(base, form, kind) else { return };
        match self.seen.entry(candidate.identity.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(self.all.len());
                self.all.push(LayoutCandidate { reason: reason(), ..candidate });
            }
            // The same function in fewer words, known for the same reason.
            Entry::Occupied(entry) => {
                let known = &mut self.all[*entry.get()];
                if by_text(&candidate.text, &known.text).is_lt() {
                    let reason = std::mem::take(&mut known.reason);
                    *known = LayoutCandidate { kind: known.kind, reason, ..candidate };
                }
            }
        }
    }

    fn candidate(
        &mut self,
        base: &Layout<i64>,
        form: &Form,
        kind: Kind,
    ) -> Result<Option<LayoutCandidate>, Error> {
        let (swizzle, layout) = match *form {
            Form::Swizzle(swizzle) => (swizzle, ComposedLayout::swizzled(swizzle, base.clone()).simplify()),
            Form::Padding { period, elements } => match padded(base, period, elements) {
                Some(layout) => (Swizzle::IDENTITY, AnyLayout::Plain(layout)),
                None => return Ok(None),
            },
        };
        let outer = layout.outer();
        let elements = cosize(outer)?;
        let bits = elements.checked_mul(self.tile.bits);
        let Some(bits) = bits.filter(|_| self.tile.most.is_none_or(|most| elements <= most)) else {
            return Ok(None);
        };
        let leaves = outer.shape().view().leaf_paths().into_iter().zip(outer.flat());
        let basis = leaves.map(|(path, (extent, stride))| {
            Some(BasisMode { path, extent: *extent, stride: stride.as_static()? })
        });
        let Some(basis) = basis.collect::<Option<Vec<_>>>() else { return Ok(None) };
        let identity = identity(&layout, || self.offsets(outer))?;
        Ok(Some(LayoutCandidate {
            text: layout.to_string(),
            normalized: coalesce(outer)?,
            basis,
            swizzle,
            identity,
            bytes: bits.cast_unsigned().div_ceil(8).cast_signed(),
            reason: String::new(),
            base: base.clone(),
            form: *form,
            layout,
            kind,
        }))
    }
}

/// The compact layout of a shape whose modes are filled in this order; modes past it follow.
fn compact(shape: &Tuple<i64>, order: &[usize]) -> Result<Layout<i64>, Error> {
    if shape.is_leaf() {
        return make_ordered_layout(shape, &Tuple::leaf(0));
    }
    let place = |mode: usize| order.iter().position(|m| *m == mode).unwrap_or(mode) as i64;
    make_ordered_layout(shape, &Tuple::from_modes((0..shape.rank()).map(|mode| Tuple::leaf(place(mode)))))
}

fn compact_reason(order: &[usize]) -> String {
    match order {
        [] => "the only element".into(),
        [_] => "element after element".into(),
        order => {
            let order: Vec<String> = order.iter().map(ToString::to_string).collect();
            format!("modes {} from the fastest to the slowest", order.join(", "))
        }
    }
}

fn swizzle_reason(swizzle: Swizzle) -> String {
    let bits = |mask: i64| match (mask.trailing_zeros(), mask.count_ones()) {
        (first, 1) => format!("bit {first}"),
        (first, n) => format!("bits {first} to {}", first + n - 1),
    };
    let [from, to] = [swizzle.source_mask(), swizzle.target_mask()].map(bits);
    let plural = if swizzle.bits() == 1 { "s" } else { "" };
    format!("{from} of the offset flip{plural} {to}")
}

/// All orders of `n` modes, the first of them as they are.
fn orders(n: usize) -> Vec<Vec<usize>> {
    (0..n).fold(vec![Vec::new()], |orders, _| {
        let longer = |order: Vec<usize>| {
            let rest: Vec<usize> = (0..n).filter(|mode| !order.contains(mode)).collect();
            rest.into_iter().map(move |mode| order.iter().copied().chain([mode]).collect())
        };
        orders.into_iter().flat_map(longer).collect()
    })
}

/// Whether a swizzle of elements of `bits` can spread an access over other banks than it has: it
/// writes bits that choose the word within the line of all banks, and does not merely permute the
/// words of every line in the same way, which leaves each access as it was.
fn spreads(swizzle: Swizzle, bits: i64) -> bool {
    let per = |size: i64| (size / bits).max(1).ilog2();
    let (word, line) = (per(WORD), per(LINE));
    let within = |mask: i64| mask.trailing_zeros() >= word && i64::BITS - mask.leading_zeros() <= line;
    within(swizzle.target_mask()) && !within(swizzle.source_mask())
}
