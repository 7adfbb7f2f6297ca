//! The bytes that a memory may take.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Room for pages that kernels touch.
#[derive(Debug)]
pub(crate) struct Room {
    left: AtomicU64,
    is_full: AtomicBool,
}

impl Clone for Room {
    fn clone(&self) -> Self {
        Room { left: AtomicU64::new(self.left.load(Relaxed)), is_full: AtomicBool::new(self.is_full()) }
    }
}

impl Default for Room {
    /// Without a limit.
    fn default() -> Self {
        Room::of(u64::MAX)
    }
}

impl Room {
    pub(crate) fn of(bytes: u64) -> Self {
        Room { left: AtomicU64::new(bytes), is_full: AtomicBool::default() }
    }

    /// Takes some of it, if that is left.
    pub(crate) fn take(&self, bytes: u64) -> bool {
        let took = self.left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(bytes)).is_ok();
        if !took {
            self.is_full.store(true, Relaxed);
        }
        took
    }

    /// Whether more was asked for than was left.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full.load(Relaxed)
    }
}
