//! The bytes that a buffer begins with, which need not exist before something touches them.

use std::fmt;
use std::ops::Deref;

/// The initial contents of a buffer. Any part of them can be made at any time, any number of times,
/// so that only the pages that a kernel touches take memory.
pub trait Contents: fmt::Debug + Send + Sync {
    /// The number of bytes.
    fn size(&self) -> usize;

    /// Fills `to` with the bytes from `at` on, all of which are in the contents.
    fn read(&self, at: usize, to: &mut [u8]);
}

/// This number of bytes, all of them zero.
#[derive(Debug, Clone, Copy)]
pub struct Zeros(pub usize);

impl Contents for Zeros {
    fn size(&self) -> usize {
        self.0
    }

    fn read(&self, _: usize, to: &mut [u8]) {
        to.fill(0);
    }
}

/// Bytes that exist already.
impl<T: Deref<Target = [u8]> + fmt::Debug + Send + Sync> Contents for T {
    fn size(&self) -> usize {
        self.len()
    }

    fn read(&self, at: usize, to: &mut [u8]) {
        to.copy_from_slice(&self[at..at + to.len()]);
    }
}
