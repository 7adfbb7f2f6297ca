//! Compares the values that a copy writes to a fragment of an MMA with the values that the MMA
//! reads from it.

use super::{CopySide, MmaOperand, TiledCopy, TiledMma};
use crate::{
    coord::Crd,
    error::{Error, Result},
    layout::{Layout, make_layout},
    ops::{crd2idx, size},
    tuple::Tuple,
};

/// One value of one thread: the coordinate in the tile that the MMA expects, and the coordinate
/// that the copy delivers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The thread in whose values both differ.
    pub thread: i64,
    /// The index of the value in the thread's fragment.
    pub value: i64,
    /// The coordinates of the element that the MMA expects.
    pub taken: [i64; 2],
    /// The coordinates of the element that the copy delivers.
    pub brought: [i64; 2],
}

/// The relation between the coordinates that a copy delivers to a fragment and those that the MMA
/// expects there.
///
/// ```
/// use cute_algebra::{CopyLayouts, CopySide, MmaLayouts, MmaOperand, TiledCopy, TiledMma, Tuple, parse_layout, tiled::Fill};
/// let layout = |text| parse_layout(text).unwrap().to_const().unwrap();
/// // 8 threads along M, each with 4 neighbours of K.
/// let [thr_id, a, b, c] = ["8:1", "(8,4):(1,8)", "(8,4):(0,1)", "(8,1):(1,0)"].map(layout);
/// let mma = TiledMma::new(MmaLayouts { shape: [8, 1, 4], thr_id, a, b, c }, &layout("(1,1,1)"), &[])?;
/// let right = TiledCopy::of_mma(CopyLayouts::of_thread(1)?, &mma, MmaOperand::A)?;
/// let fill = |tv| {
///     let copy = TiledCopy::new(right.atom().clone(), layout(tv), right.tiler().clone())?;
///     Fill::new((&copy, CopySide::Dst), &copy, (&mma, MmaOperand::A), [8, 4], &Tuple::from_leaves([4, 1, 1]), None)
/// };
/// assert_eq!(fill("(8,4):(1,8)")?.unwrap().first, None);
/// // Values 1 and 2 change places: K is permuted, which is right if it is in B too.
/// let swapped = fill("(8,(2,2)):(1,(16,8))")?.unwrap();
/// let first = swapped.first.unwrap();
/// assert_eq!((first.thread, first.value, first.taken, first.brought), (0, 1, [0, 1], [0, 2]));
/// assert_eq!(swapped.modes.unwrap()[1], [0, 2, 1, 3]);
/// // Threads along K.
/// assert_eq!(fill("(8,4):(4,1)")?.unwrap().modes, None);
/// # Ok::<(), cute_algebra::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fill {
    /// The first value that differs; `None` if the copy delivers what the MMA expects.
    pub first: Option<Difference>,
    /// For each mode of the tile and each of its positions, the position that is delivered, if each
    /// mode is permuted separately. An MMA may take the positions of a mode in another order, as
    /// long as its other operands have them in that order too.
    pub modes: Option<[Vec<i64>; 2]>,
}

impl Fill {
    /// The result for a copy that delivers what the MMA expects, for a tile of the given extents.
    pub fn right(tile: [i64; 2]) -> Self {
        Self { first: None, modes: Some(tile.map(|extent| (0..extent).collect())) }
    }

    /// Compares the values of all threads.
    ///
    /// `copy` is the copy to or from a tile of the given extents: its destination side describes a
    /// copy to the fragment, its source side a copy from the fragment. The fragment has the given
    /// shape (V,M,K) of the MMA and is retiled by `retile`.
    ///
    /// With `seen`, the MMA's tile is another view of the copy's: position `i` of the copy's tile
    /// is position `seen[i]` of the MMA's, both column-major.
    ///
    /// Returns `None` if the fragment is not that of the whole tile.
    pub fn new(
        (copy, side): (&TiledCopy, CopySide),
        retile: &TiledCopy,
        (mma, which): (&TiledMma, MmaOperand),
        tile: [i64; 2],
        fragment: &Tuple<i64>,
        seen: Option<&[i64]>,
    ) -> Result<Option<Self>> {
        let positions = make_layout(&Tuple::from_leaves(tile))?;
        let (values, _) = mma.partition(which, &positions, &0)?;
        let order = retile.retile(&make_layout(fragment)?)?;
        let (brought, _) = copy.partition(side, &positions, &0)?;
        if sizes(&values)? != sizes(&make_layout(fragment)?)? || sizes(&order)? != sizes(&brought)? {
            return Ok(None);
        }
        let taken_threads = mma.thrfrg(which, &positions)?.mode(0)?;
        let brought_threads = copy.tidfrg(side, &positions)?.mode(0)?;
        let (values, order, brought) = (table(&values)?, table(&order)?, table(&brought)?);
        let at = |position: i64| [position % tile[0], position / tile[0]];
        let mut modes = tile.map(|extent| vec![None; usize::try_from(extent).expect("extents are positive")]);
        let (mut first, mut by_mode) = (None, true);
        for thread in 0..mma.threads().min(copy.threads()) {
            let [v, m, n, k] = mma.vmnk(&thread)?;
            let own = Tuple::from_modes([Tuple::leaf(v), Tuple::from_leaves(which.of([m, n, k]))]);
            let taken_from = index(&own.to_coord(), &taken_threads)?;
            let brought_from = index(&Tuple::leaf(Crd::Int(thread)), &brought_threads)?;
            for (value, brought) in order.iter().zip(&brought) {
                let Some(taken) = usize::try_from(*value).ok().and_then(|i| values.get(i)) else {
                    return Ok(None);
                };
                let brought = brought_from + brought;
                let brought = match seen {
                    None => brought,
                    Some(seen) => match usize::try_from(brought).ok().and_then(|i| seen.get(i)) {
                        Some(position) => *position,
                        None => return Ok(None),
                    },
                };
                let (taken, brought) = (at(taken_from + taken), at(brought));
                for (mode, (taken, brought)) in modes.iter_mut().zip(taken.iter().zip(&brought)) {
                    let known = usize::try_from(*taken).ok().and_then(|i| mode.get_mut(i));
                    by_mode &= known.is_some_and(|known| *known.get_or_insert(*brought) == *brought);
                }
                if first.is_none() && taken != brought {
                    first = Some(Difference { thread, value: *value, taken, brought });
                }
            }
        }
        let [rows, columns] = modes.map(|mode| permutation(&mode));
        let modes = rows.zip(columns).filter(|_| by_mode).map(|(rows, columns)| [rows, columns]);
        Ok(Some(Self { first, modes }))
    }
}

/// The sizes of the modes of a partition.
fn sizes(layout: &Layout<i64>) -> Result<Vec<i64>> {
    layout.modes().map(|mode| size(&mode.to_owned())).collect()
}

fn index(coord: &crate::Coord<i64>, layout: &Layout<i64>) -> Result<i64> {
    let found = crd2idx(coord, layout)?;
    let of_basis =
        || Error::Unsupported { what: "the position in a tile", why: format!("{layout} has bases") };
    found.as_leaf().copied().ok_or_else(of_basis)
}

/// The values of a layout, by index.
fn table(layout: &Layout<i64>) -> Result<Vec<i64>> {
    (0..size(layout)?).map(|i| index(&Tuple::leaf(Crd::Int(i)), layout)).collect()
}

/// Returns the positions if each occurs exactly once.
fn permutation(mode: &[Option<i64>]) -> Option<Vec<i64>> {
    let all = mode.iter().copied().collect::<Option<Vec<_>>>()?;
    let mut sorted = all.clone();
    sorted.sort_unstable();
    sorted.iter().zip(0..).all(|(found, i)| *found == i).then_some(all)
}
