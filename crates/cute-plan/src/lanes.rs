//! Accesses of a buffer in shared memory as they were executed: addresses of lanes, without a
//! layout. A swizzle of the buffer's bytes is chosen for all of them together.

use cute_algebra::Swizzle;
use cute_arch::banks::{Traffic, part};

/// An execution of an access by a warp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneAccess {
    /// The byte of the buffer at which each active lane begins.
    pub offsets: Vec<u64>,
    /// Bytes of each lane.
    pub bytes: u64,
}

/// A swizzle of a buffer, and the wavefronts of each access without it and with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remedy {
    /// It changes byte addresses from the buffer's start, which must be a multiple of what it
    /// permutes.
    pub swizzle: Swizzle,
    /// Wavefronts of each access before and after, in their order.
    pub wavefronts: Vec<(u64, u64)>,
}

/// The swizzles in which the TMA, `wgmma` and `tcgen05` place bytes: those of 32, 64 and 128 bytes.
fn of_units() -> impl Iterator<Item = Swizzle> {
    (1..=3).filter_map(|bits| Swizzle::new(bits, 4, 3).ok())
}

/// The simplest swizzle of a buffer of `size` bytes with which these accesses have the fewest
/// wavefronts, if it has fewer than no swizzle. If the asynchronous units access the buffer, too,
/// only their swizzles are possible. `None` also if an access is not aligned, or the lanes that it
/// leaves out decide its wavefronts.
///
/// ```
/// use cute_plan::lanes::{LaneAccess, remedy};
/// // Eight lanes read 16 bytes each from rows of 128 bytes, as a quarter of a warp does.
/// let column = LaneAccess { offsets: (0..8).map(|row| 128 * row).collect(), bytes: 16 };
/// let found = remedy(&[column], 1024, true).expect("a swizzle");
/// assert_eq!((found.swizzle.to_string().as_str(), &found.wavefronts[..]), ("S<3,4,3>", &[(8, 1)][..]));
/// ```
pub fn remedy(accesses: &[LaneAccess], size: u64, by_units: bool) -> Option<Remedy> {
    let size = i64::try_from(size).ok()?;
    let traffic = accesses.iter().map(traffic).collect::<Option<Vec<_>>>()?;
    let passes =
        |swizzle: Swizzle| -> Vec<u64> { traffic.iter().map(|own| own.swizzled(swizzle).passes).collect() };
    let before = passes(Swizzle::IDENTITY);
    let sum = |all: &[u64]| all.iter().sum::<u64>();
    let swizzle = match by_units {
        true => of_units().min_by_key(|swizzle| sum(&passes(*swizzle)))?,
        false => part(&traffic, size, 8),
    };
    let after = passes(swizzle);
    (sum(&after) < sum(&before))
        .then(|| Remedy { swizzle, wavefronts: before.into_iter().zip(after).collect() })
}

/// The bytes of an access as values of its lanes.
fn traffic(access: &LaneAccess) -> Option<Traffic> {
    let LaneAccess { offsets, bytes } = access;
    let value = |byte: u64| offsets.iter().map(move |start| i64::try_from(start + byte));
    let all = (0..*bytes).flat_map(value).collect::<Result<Vec<_>, _>>().ok()?;
    let vector = i64::try_from(*bytes).ok()?.min(16);
    Traffic::of_vectors(offsets.len(), all, 8, Some(vector)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A warp stores rows of floats and reads columns: 32 wavefronts, and one with a swizzle.
    #[test]
    fn a_transposition_of_words_loses_its_conflicts() {
        let rows = LaneAccess { offsets: (0..32).map(|lane| 4 * lane).collect(), bytes: 4 };
        let columns = LaneAccess { offsets: (0..32).map(|lane| 128 * lane).collect(), bytes: 4 };
        let found = remedy(&[rows.clone(), columns], 4096, false).expect("a swizzle");
        assert_eq!((found.swizzle.to_string(), found.wavefronts), ("S<5,2,5>".into(), vec![(1, 1), (32, 1)]));
        assert_eq!(remedy(&[rows], 4096, false), None);
    }

    /// Lanes that need one word more often than a swizzle can spread keep their conflicts.
    #[test]
    fn bytes_that_no_swizzle_spreads_have_no_remedy() {
        let misaligned = LaneAccess { offsets: vec![1, 129], bytes: 4 };
        assert_eq!(remedy(&[misaligned], 4096, false), None);
        let far = LaneAccess { offsets: (0..32).map(|lane| 4096 * lane).collect(), bytes: 4 };
        assert_eq!(remedy(&[far], 1 << 17, true), None);
    }
}
