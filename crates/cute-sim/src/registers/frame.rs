//! Calls of device functions that have not returned.

use super::unknown::Unknown;
use crate::program::Slot;

/// The state to which a lane returns.
#[derive(Clone, PartialEq)]
pub(crate) struct Frame {
    pub(crate) function: u32,
    /// The instruction after the call.
    pub(crate) back: u32,
    pub(crate) dst: Slot,
    /// The function's registers and what of them is undefined, if it is inside already.
    pub(crate) saved: Vec<(u64, Option<Unknown>)>,
    /// Local allocations, and their bytes, at the call.
    pub(crate) locals: usize,
    pub(crate) local_bytes: u64,
}
