//! Bytes that blocks on several host threads read and write concurrently.
//!
//! They are stored in 32-bit atomic words, accessed relaxed: a race of the kernel is a wrong value
//! here, and a finding, but never undefined behaviour of the simulator.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

#[derive(Debug, Default)]
pub(crate) struct Words {
    words: Box<[AtomicU32]>,
    len: usize,
    written: AtomicBool,
}

impl Clone for Words {
    fn clone(&self) -> Self {
        let copy = |w: &AtomicU32| AtomicU32::new(w.load(Relaxed));
        Words {
            words: self.words.iter().map(copy).collect(),
            len: self.len,
            written: AtomicBool::new(self.is_written()),
        }
    }
}

impl Words {
    pub(crate) fn zeroed(len: usize) -> Self {
        let words = (0..len.div_ceil(4)).map(|_| AtomicU32::new(0)).collect();
        Words { words, len, written: AtomicBool::default() }
    }

    /// These bytes; `None` if the system refuses the memory. They are not read then.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        let word = |chunk: &[u8]| {
            let mut own = [0; 4];
            own[..chunk.len()].copy_from_slice(chunk);
            AtomicU32::new(u32::from_le_bytes(own))
        };
        let mut words = Vec::new();
        words.try_reserve_exact(bytes.len().div_ceil(4)).ok()?;
        words.extend(bytes.chunks(4).map(word));
        Some(Words { words: words.into(), len: bytes.len(), written: AtomicBool::default() })
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn is_written(&self) -> bool {
        self.written.load(Relaxed)
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.words.iter().flat_map(|w| w.load(Relaxed).to_le_bytes()).collect();
        bytes.truncate(self.len);
        bytes
    }

    fn word(&self, index: usize) -> u32 {
        self.words.get(index).map_or(0, |w| w.load(Relaxed))
    }

    /// Up to 8 bytes at any offset, little-endian.
    pub(crate) fn read(&self, at: usize, bytes: usize) -> u64 {
        let (index, shift) = (at / 4, at % 4 * 8);
        if shift == 0 && bytes == 4 {
            return self.word(index).into();
        }
        let mut value = u128::from(self.word(index));
        if shift / 8 + bytes > 4 {
            value |= u128::from(self.word(index + 1)) << 32;
        }
        if shift / 8 + bytes > 8 {
            value |= u128::from(self.word(index + 2)) << 64;
        }
        let value = (value >> shift) as u64;
        if bytes >= 8 { value } else { value & ((1 << (bytes * 8)) - 1) }
    }

    /// Bytes from `at` on.
    pub(crate) fn read_slice(&self, at: usize, to: &mut [u8]) {
        let (before, rest) = to.split_at_mut((at.wrapping_neg() % 4).min(to.len()));
        let (first, count) = ((at + before.len()) / 4, rest.len() / 4);
        let (words, after) = rest.split_at_mut(count * 4);
        for (to, index) in words.chunks_exact_mut(4).zip(first..) {
            to.copy_from_slice(&self.word(index).to_le_bytes());
        }
        for (to, at) in [(before, at), (after, (first + count) * 4)] {
            to.copy_from_slice(&self.read(at, to.len()).to_le_bytes()[..to.len()]);
        }
    }

    /// Writes bytes from `at` on.
    pub(crate) fn write_slice(&self, at: usize, from: &[u8]) {
        let (before, rest) = from.split_at((at.wrapping_neg() % 4).min(from.len()));
        let (first, count) = ((at + before.len()) / 4, rest.len() / 4);
        let (words, after) = rest.split_at(count * 4);
        for (at, bytes) in [(at, before), ((first + count) * 4, after)] {
            self.write(at, bytes.len(), bytes.iter().rev().fold(0, |v, b| v << 8 | u64::from(*b)));
        }
        for (from, word) in words.chunks_exact(4).zip(self.words.get(first..).into_iter().flatten()) {
            word.store(u32::from_le_bytes([from[0], from[1], from[2], from[3]]), Relaxed);
        }
    }

    /// Writes the low `bytes` bytes of `value`, at most 8, at any offset.
    pub(crate) fn write(&self, at: usize, bytes: usize, value: u64) {
        // Checked first, because a store would take the cache line from the other host threads each
        // time.
        if !self.is_written() {
            self.written.store(true, Relaxed);
        }
        let (mut at, mut left, mut value) = (at, bytes, value);
        while left > 0 {
            let within = at % 4;
            let n = left.min(4 - within);
            let Some(word) = self.words.get(at / 4) else { return };
            if n == 4 {
                word.store(value as u32, Relaxed);
            } else {
                let mask = ((1u32 << (n * 8)) - 1) << (within * 8);
                let bits = (value as u32) << (within * 8) & mask;
                // Neighbours in the word may change meanwhile.
                let _ = word.fetch_update(Relaxed, Relaxed, |old| Some(old & !mask | bits));
            }
            (at, left, value) = (at + n, left - n, value >> (n * 8));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_at_any_offset() {
        for at in 0..9 {
            for n in 1..=8usize {
                let words = Words::of(&[0xee; 20]).unwrap();
                words.write(at, n, 0x8877_6655_4433_2211);
                let bytes = words.to_bytes();
                let expected: Vec<u8> = (0..20)
                    .map(|i| if (at..at + n).contains(&i) { 0x11 * (i - at + 1) as u8 } else { 0xee })
                    .collect();
                assert_eq!(bytes, expected, "{n} at {at}");
                assert_eq!(words.read(at, n), 0x8877_6655_4433_2211 << (64 - 8 * n) >> (64 - 8 * n));
            }
        }
    }

    #[test]
    fn slices_begin_and_end_anywhere() {
        for at in 0..6 {
            for n in 0..=13 {
                let words = Words::of(&[0xee; 20]).unwrap();
                let own: Vec<u8> = (1..=n).collect();
                words.write_slice(at, &own);
                let mut read = vec![0; n.into()];
                words.read_slice(at, &mut read);
                let mut expected = vec![0xee; 20];
                expected[at..at + own.len()].copy_from_slice(&own);
                assert_eq!((words.to_bytes(), read), (expected, own), "{n} at {at}");
            }
        }
    }

    #[test]
    fn a_length_that_fills_no_word() {
        assert_eq!(Words::of(&[1, 2, 3, 4, 5]).unwrap().to_bytes(), [1, 2, 3, 4, 5]);
        assert_eq!(Words::zeroed(3).to_bytes(), [0; 3]);
    }
}
