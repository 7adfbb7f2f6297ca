//! Bytes that blocks on several host threads read and write at once.
//!
//! They lie in 32-bit atomic words, accessed relaxed: a race of the kernel is a wrong value here, and a finding, but
//! never undefined behaviour of the simulator.

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

    pub(crate) fn of(bytes: &[u8]) -> Self {
        let word = |chunk: &[u8]| {
            let mut own = [0; 4];
            own[..chunk.len()].copy_from_slice(chunk);
            AtomicU32::new(u32::from_le_bytes(own))
        };
        Words { words: bytes.chunks(4).map(word).collect(), len: bytes.len(), written: AtomicBool::default() }
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

    /// Writes the low `bytes` bytes of `value`, at most 8, at any offset.
    pub(crate) fn write(&self, at: usize, bytes: usize, value: u64) {
        // Looked at first: a store would take the line from the other host threads each time.
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
                let words = Words::of(&[0xee; 20]);
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
    fn a_length_that_fills_no_word() {
        assert_eq!(Words::of(&[1, 2, 3, 4, 5]).to_bytes(), [1, 2, 3, 4, 5]);
        assert_eq!(Words::zeroed(3).to_bytes(), [0; 3]);
    }
}
