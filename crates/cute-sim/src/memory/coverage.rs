//! The bytes of a page that something has written.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// One bit for each byte of a page, made by the first write to it.
#[derive(Debug, Default)]
pub(crate) struct Coverage(OnceLock<Box<[AtomicU32]>>);

impl Clone for Coverage {
    fn clone(&self) -> Self {
        let copy = |bits: &[AtomicU32]| -> Box<[AtomicU32]> {
            bits.iter().map(|word| AtomicU32::new(word.load(Relaxed))).collect()
        };
        Coverage(self.0.get().map_or_else(OnceLock::new, |bits| OnceLock::from(copy(bits))))
    }
}

/// The words that hold the bits of some bytes, with these bits.
fn masks(bytes: Range<usize>) -> impl Iterator<Item = (usize, u32)> {
    (bytes.start / 32..bytes.end.div_ceil(32)).map(move |word| {
        let low = bytes.start.saturating_sub(32 * word);
        let high = (bytes.end - 32 * word).min(32);
        (word, u32::MAX >> (32 - (high - low)) << low)
    })
}

impl Coverage {
    /// Something has written these bytes of a page of `size` bytes.
    #[inline]
    pub(super) fn mark(&self, bytes: Range<usize>, size: usize) {
        if bytes.is_empty() {
            return;
        }
        let bits = self.0.get_or_init(|| (0..size.div_ceil(32)).map(|_| AtomicU32::new(0)).collect());
        for (word, mask) in masks(bytes) {
            // A store would take the cache line from the other host threads each time.
            if bits[word].load(Relaxed) & mask != mask {
                bits[word].fetch_or(mask, Relaxed);
            }
        }
    }

    /// The first of these bytes of the page that nothing has written.
    pub(super) fn unwritten(&self, bytes: Range<usize>) -> Option<usize> {
        let Some(bits) = self.0.get() else { return (!bytes.is_empty()).then_some(bytes.start) };
        let lacking = |(word, mask): (usize, u32)| match !bits[word].load(Relaxed) & mask {
            0 => None,
            lacking => Some(32 * word + lacking.trailing_zeros() as usize),
        };
        masks(bytes).find_map(lacking)
    }

    /// Whether something has written one of these bytes of the page.
    pub(super) fn has_any(&self, bytes: Range<usize>) -> bool {
        let has = |bits: &[AtomicU32]| masks(bytes).any(|(word, mask)| bits[word].load(Relaxed) & mask != 0);
        self.0.get().is_some_and(|bits| has(bits))
    }

    /// Hands on the bytes that something has written, in order. A run of them may come in parts.
    pub(super) fn each(&self, mut run: impl FnMut(Range<usize>)) {
        for (word, bits) in self.0.get().into_iter().flat_map(|bits| bits.iter().enumerate()) {
            let (mut left, mut at) = (bits.load(Relaxed), 32 * word);
            while left != 0 {
                at += left.trailing_zeros() as usize;
                left >>= left.trailing_zeros();
                let ones = left.trailing_ones();
                run(at..at + ones as usize);
                at += ones as usize;
                left = left.checked_shr(ones).unwrap_or(0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: usize = 200;

    #[test]
    fn what_is_marked_is_written() {
        for (start, end) in [(0, 1), (0, 32), (31, 33), (5, 5), (7, 130), (64, 200), (199, 200)] {
            let coverage = Coverage::default();
            assert_eq!(coverage.unwritten(3..9), Some(3));
            coverage.mark(start..end, SIZE);
            let mut runs = [false; SIZE];
            coverage.clone().each(|run| runs[run].fill(true));
            for (at, run) in runs.into_iter().enumerate() {
                let is_written = (start..end).contains(&at);
                assert_eq!(run, is_written, "{at} of {start}..{end}");
                assert_eq!(coverage.has_any(at..at + 1), is_written, "{at} of {start}..{end}");
                assert_eq!(coverage.unwritten(at..at + 1), (!is_written).then_some(at));
            }
            assert_eq!(coverage.unwritten(start..SIZE), (end < SIZE).then_some(end));
            assert_eq!(coverage.unwritten(start..end), None);
        }
    }
}
