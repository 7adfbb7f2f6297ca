//! Arrangements of threads and values for a tiled copy.

use std::collections::HashSet;

use cute_algebra::{Error, Layout, Tuple, coalesce_profile, get, make_layout};

use crate::cost::by_text;

/// A tiled copy whose threads are to be arranged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copying {
    /// The tile that the threads cover together, mode by mode.
    pub extents: Vec<i64>,
    /// The number of threads.
    pub threads: i64,
    /// The neighbouring elements that one call of the atom copies.
    pub vector: i64,
    /// The elements that each thread copies.
    pub values: i64,
}

/// An arrangement of threads and values over a tile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyCandidate {
    /// (thread, value) to the position in the tile, whose first mode is the fastest.
    pub layout_tv: Layout<i64>,
    /// The text of [`layout_tv`](Self::layout_tv).
    pub text: String,
    /// The extents of the tile.
    pub tiler: Vec<i64>,
    /// The mode along which vectors lie.
    pub contiguous: usize,
    /// The threads along each mode.
    pub threads: Vec<i64>,
    /// Equal for two candidates if and only if threads and values have the same places.
    pub identity: String,
    /// Why it is a candidate: a sentence.
    pub reason: String,
}

/// The most threads of a copy.
const MOST_THREADS: i64 = 1 << 16;

/// The arrangements of threads and values that cover the tile exactly, each element once, ordered
/// by their texts.
///
/// Along one mode, the vectors of a thread lie; neighbouring threads take the next vectors, along
/// this mode first or last, and what threads leave is theirs again, one stretch of all threads
/// later. The threads of a mode are a leaf of the thread mode. The value mode has the vector first,
/// and then the repetitions, along the mode of the vectors first.
///
/// There are none if the numbers do not fit: unless `threads * values` is the size of the tile, and
/// the vector divides both the values and the extent along which it lies.
///
/// ```
/// use cute_plan::{Copying, copies};
/// let all = copies(&Copying { extents: vec![16, 64], threads: 128, vector: 8, values: 8 });
/// assert!(all.iter().any(|c| c.contiguous == 1 && c.text == "((8,16),8):((128,1),16)"));
/// assert!(all.iter().any(|c| c.contiguous == 0 && c.text == "((2,64),8):((8,16),1)"));
/// ```
pub fn copies(copying: &Copying) -> Vec<CopyCandidate> {
    let Copying { ref extents, threads, vector, values } = *copying;
    let elements = extents.iter().try_fold(1i64, |n, extent| n.checked_mul(*extent));
    let fits = (1..=MOST_THREADS).contains(&threads)
        && vector >= 1
        && values >= 1
        && values % vector == 0
        && extents.iter().all(|extent| *extent >= 1)
        && elements.is_some()
        && elements == threads.checked_mul(values);
    if !fits {
        return Vec::new();
    }
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    for contiguous in (0..extents.len()).filter(|mode| extents[*mode] % vector == 0) {
        let units: Vec<i64> =
            (0..).zip(extents).map(|(mode, n)| if mode == contiguous { n / vector } else { *n }).collect();
        for along in factorizations(threads, &units) {
            for first in [true, false] {
                let Ok(candidate) = arrangement(copying, &along, contiguous, first) else { continue };
                if seen.insert(candidate.identity.clone()) {
                    all.push(candidate);
                }
            }
        }
    }
    all.sort_by(|a, b| by_text(&a.text, &b.text).then(a.contiguous.cmp(&b.contiguous)));
    all
}

/// The arrangement with these threads along each mode; `first` if the threads along the contiguous
/// mode are the fastest.
fn arrangement(
    copying: &Copying,
    along: &[i64],
    contiguous: usize,
    first: bool,
) -> Result<CopyCandidate, Error> {
    let Copying { ref extents, vector, .. } = *copying;
    // Each mode of the tile as (vector, threads, repetitions).
    let modes = extents.iter().zip(along).enumerate().map(|(mode, (extent, threads))| {
        let vector = if mode == contiguous { vector } else { 1 };
        Tuple::from_leaves([vector, *threads, extent / vector / threads])
    });
    let tile = make_layout(&Tuple::from_modes(modes))?;
    let others = || (0..extents.len()).filter(move |mode| *mode != contiguous);
    let inner_first: Vec<usize> = [contiguous].into_iter().chain(others()).collect();
    let order: Vec<usize> = if first { inner_first.clone() } else { others().chain([contiguous]).collect() };
    let threads = joined(&tile, order.iter().map(|mode| [*mode, 1]))?;
    let repetitions = inner_first.iter().map(|mode| [*mode, 2]);
    let values = joined(&tile, [[contiguous, 0]].into_iter().chain(repetitions))?;
    let layout_tv = Layout::from_modes([threads, values]);
    let identity = coalesce_profile(&layout_tv, Tuple::from_leaves([1, 1]).view())?.to_string();
    let counts: Vec<String> = along.iter().map(ToString::to_string).collect();
    let reason = format!(
        "vectors of {vector} along mode {contiguous}; {} threads, those along mode {contiguous} {}",
        counts.join(" by "),
        if first { "first" } else { "last" }
    );
    Ok(CopyCandidate {
        text: layout_tv.to_string(),
        layout_tv,
        tiler: extents.clone(),
        contiguous,
        threads: along.to_vec(),
        identity,
        reason,
    })
}

/// The leaves of `tile` at these paths as one mode, without those of one element.
fn joined(tile: &Layout<i64>, paths: impl IntoIterator<Item = [usize; 2]>) -> Result<Layout<i64>, Error> {
    let leaves = paths.into_iter().map(|path| get(tile, &path)).collect::<Result<Vec<_>, _>>()?;
    let mut long: Vec<Layout<i64>> =
        leaves.into_iter().filter(|leaf| leaf.shape().as_leaf() != Some(&1)).collect();
    Ok(match long.len() {
        0 => Layout::unit(),
        1 => long.remove(0),
        _ => Layout::from_modes(long),
    })
}

/// The ways to write `n` as a product with a divisor of each of these numbers, the largest first
/// factors last.
fn factorizations(n: i64, of: &[i64]) -> Vec<Vec<i64>> {
    match of {
        [] => {
            if n == 1 {
                vec![Vec::new()]
            } else {
                Vec::new()
            }
        }
        [first, rest @ ..] => (1..=n.min(*first))
            .filter(|factor| n % factor == 0 && first % factor == 0)
            .flat_map(|factor| {
                let rest = factorizations(n / factor, rest);
                rest.into_iter().map(move |rest| [factor].into_iter().chain(rest).collect())
            })
            .collect(),
    }
}
