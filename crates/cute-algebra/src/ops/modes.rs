//! Layouts as tuples of modes: get, group, flatten, select, append. These operations regroup or
//! pick modes; shape and stride always change together. Grouping modes 0 and 1 of
//! `(4,8,2):(1,4,32)` gives `((4,8),2):((1,4),32)`.

use crate::{
    composed::LayoutLike,
    error::{Error, ModePath, Result},
    int::Int,
    layout::Layout,
    ops::size::mode_at,
    tuple::{Profile, Tuple},
};

/// The mode at `path`, outermost first; the layout itself for the empty path.
///
/// ```
/// use cute_algebra::{get, parse_layout};
/// assert_eq!(get(&parse_layout("((2,3),4):((1,2),6)")?, &[0, 1])?.to_string(), "3:2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn get<L: LayoutLike>(layout: &L, path: &[usize]) -> Result<L> {
    layout.map_outer(|outer| Ok(mode_at(outer, path)?.to_owned()))
}

/// Modes `[begin, end)` wrapped into one.
///
/// ```
/// use cute_algebra::{group, parse_layout};
/// assert_eq!(group(&parse_layout("(4,5,6):(1,4,20)")?, 0, 2)?.to_string(), "((4,5),6):((1,4),20)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn group<L: LayoutLike>(layout: &L, begin: usize, end: usize) -> Result<L> {
    layout.map_outer(|l| both(l, |s| s.group(begin, end), |d| d.group(begin, end)))
}

/// All leaves as modes of one flat layout; a scalar layout stays.
///
/// ```
/// use cute_algebra::{flatten, parse_layout};
/// assert_eq!(flatten(&parse_layout("((2,3),4):((1,2),6)")?)?.to_string(), "(2,3,4):(1,2,6)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn flatten<L: LayoutLike>(layout: &L) -> Result<L> {
    layout.map_outer(|l| Ok(Layout::from_congruent(l.shape().flatten(), l.stride().flatten())))
}

/// The leaves of a layout regrouped by `profile`; fails when their number differs.
pub fn unflatten<L: LayoutLike>(layout: &L, profile: &Profile) -> Result<L> {
    layout.map_outer(|l| match (l.shape().unflatten(profile), l.stride().unflatten(profile)) {
        (Some(shape), Some(stride)) => Ok(Layout::from_congruent(shape, stride)),
        _ => {
            let (found, expected) = (l.shape().leaves().len(), profile.leaf_count());
            Err(Error::Rank {
                what: "the flat layout",
                path: ModePath::root(),
                found,
                rule: "exactly",
                expected,
            })
        }
    })
}

/// The top-level modes at `indices`, in that order.
///
/// ```
/// use cute_algebra::{parse_layout, select};
/// assert_eq!(select(&parse_layout("(4,5,6):(1,4,20)")?, &[2, 0])?.to_string(), "(6,4):(20,1)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn select<L: LayoutLike>(layout: &L, indices: &[usize]) -> Result<L> {
    layout.map_outer(|l| both(l, |s| s.select(indices), |d| d.select(indices)))
}

/// Modes `[begin, end)`.
///
/// ```
/// use cute_algebra::{parse_layout, take};
/// assert_eq!(take(&parse_layout("(4,5,6):(1,4,20)")?, 1, 3)?.to_string(), "(5,6):(4,20)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn take<L: LayoutLike>(layout: &L, begin: usize, end: usize) -> Result<L> {
    layout.map_outer(|l| both(l, |s| s.take(begin, end), |d| d.take(begin, end)))
}

/// Mode `i` replaced by `mode`.
pub fn replace<L: LayoutLike>(layout: &L, i: usize, mode: &Layout<L::Leaf>) -> Result<L> {
    layout.map_outer(|l| {
        both(l, |s| s.replace(i, mode.shape().clone()), |d| d.replace(i, mode.stride().clone()))
    })
}

/// The layout with one more mode at the end.
pub fn append<L: LayoutLike>(layout: &L, mode: &Layout<L::Leaf>) -> Result<L> {
    layout.map_outer(|l| {
        Ok(Layout::from_congruent(
            l.shape().append(mode.shape().clone()),
            l.stride().append(mode.stride().clone()),
        ))
    })
}

/// The layout with one more mode in front.
pub fn prepend<L: LayoutLike>(layout: &L, mode: &Layout<L::Leaf>) -> Result<L> {
    layout.map_outer(|l| {
        Ok(Layout::from_congruent(
            l.shape().prepend(mode.shape().clone()),
            l.stride().prepend(mode.stride().clone()),
        ))
    })
}

/// The layout padded with modes `1:0` at the end up to `rank`.
///
/// ```
/// use cute_algebra::{append_to_rank, parse_layout};
/// assert_eq!(append_to_rank(&parse_layout("8:2")?, 3)?.to_string(), "(8,1,1):(2,0,0)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn append_to_rank<L: LayoutLike>(layout: &L, rank: usize) -> Result<L> {
    append_to_rank_with(layout, rank, &Layout::unit())
}

/// The layout padded with copies of `mode` at the end up to `rank`.
pub fn append_to_rank_with<L: LayoutLike>(layout: &L, rank: usize, mode: &Layout<L::Leaf>) -> Result<L> {
    pad_to_rank(layout, rank, mode, true)
}

/// The layout padded with copies of `mode` in front up to `rank`.
pub fn prepend_to_rank_with<L: LayoutLike>(layout: &L, rank: usize, mode: &Layout<L::Leaf>) -> Result<L> {
    pad_to_rank(layout, rank, mode, false)
}

/// The highest rank to pad to: far above any layout in practice, and small enough to build.
const MAX_PADDED_RANK: usize = 1 << 16;

fn pad_to_rank<L: LayoutLike>(layout: &L, rank: usize, mode: &Layout<L::Leaf>, at_end: bool) -> Result<L> {
    layout.map_outer(|l| {
        let found = l.rank();
        if rank == found {
            return Ok(l.clone());
        }
        let at_most = |what, found, expected| {
            Err(Error::Rank { what, path: ModePath::root(), found, rule: "at most", expected })
        };
        if found > rank {
            return at_most("the layout", found, rank);
        }
        if rank > MAX_PADDED_RANK {
            return at_most("the padded layout", rank, MAX_PADDED_RANK);
        }
        let pads = std::iter::repeat_n(mode.clone(), rank - found);
        let own = l.modes().map(|m| m.to_owned());
        Ok(if at_end { Layout::from_modes(own.chain(pads)) } else { Layout::from_modes(pads.chain(own)) })
    })
}

fn both<I: Int>(
    layout: &Layout<I>,
    shape: impl FnOnce(&Tuple<I>) -> Result<Tuple<I>>,
    stride: impl FnOnce(&Tuple<crate::basis::Stride<I>>) -> Result<Tuple<crate::basis::Stride<I>>>,
) -> Result<Layout<I>> {
    Ok(Layout::from_congruent(shape(layout.shape())?, stride(layout.stride())?))
}
