//! The output of a kernel, of which the beginning is kept.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Bytes of the output of a launch that are kept, as many as a device has for it by default
/// (`cudaLimitPrintfFifoSize`).
const KEPT: usize = 1 << 20;

/// Bytes that all clusters keep until it is known which of them are the first: each cluster that
/// has begun may have [`KEPT`], and there may be thousands.
const KEPT_BY_ALL: usize = 64 << 20;

/// Output: its beginning, and the number of bytes of the rest.
#[derive(Debug, Default)]
pub(crate) struct Printed {
    text: String,
    left_out: u64,
}

impl Printed {
    /// Adds the output of one thread. `all` counts the bytes that clusters keep.
    pub(crate) fn push(&mut self, text: &str, all: &AtomicUsize) {
        let kept = self.keep(text, KEPT_BY_ALL.saturating_sub(all.load(Relaxed)));
        all.fetch_add(kept, Relaxed);
    }

    /// Adds the output of a later cluster.
    pub(crate) fn join(&mut self, later: &Self) {
        self.keep(&later.text, KEPT);
        self.left_out += later.left_out;
    }

    /// Adds what there is room for, and counts the rest. Nothing follows a gap. Returns the bytes
    /// that were added.
    fn keep(&mut self, text: &str, most: usize) -> usize {
        let room = if self.left_out > 0 { 0 } else { most.min(KEPT.saturating_sub(self.text.len())) };
        let mut end = text.len().min(room);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.text.push_str(&text[..end]);
        self.left_out += (text.len() - end) as u64;
        end
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.left_out == 0
    }

    /// The text, and the number of bytes that are missing at its end.
    pub(crate) fn finish(self) -> (String, u64) {
        (self.text, self.left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_is_kept_and_the_rest_is_counted() {
        let (all, mut one) = (AtomicUsize::new(0), Printed::default());
        assert!(one.is_empty());
        (0..3).for_each(|_| one.push(&"\u{e9}".repeat(KEPT / 4), &all));
        one.push("x", &all);
        let (mut both, other) = (Printed::default(), Printed { text: "y".into(), left_out: 0 });
        both.join(&one);
        both.join(&other);
        let (text, left_out) = both.finish();
        assert_eq!((text.len(), left_out), (KEPT, KEPT as u64 / 2 + 2));
        assert!(!text.contains(['x', 'y']), "nothing follows a gap");
        assert_eq!(all.into_inner(), KEPT);
    }

    #[test]
    fn all_clusters_together_keep_a_limited_number_of_bytes() {
        let all = AtomicUsize::new(KEPT_BY_ALL - 3);
        let mut one = Printed::default();
        one.push("abcdef", &all);
        assert_eq!(one.finish(), ("abc".into(), 3));
    }
}
