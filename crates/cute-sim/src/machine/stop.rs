//! A request to stop, which another thread may make.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

/// Stops the launches that have it. Its clones are the same request.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Makes the request. A launch then ends soon, as if its budget were used up.
    pub fn request(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether it was made.
    pub fn is_requested(&self) -> bool {
        self.0.load(Relaxed)
    }
}

impl PartialEq for Stop {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Stop {}
