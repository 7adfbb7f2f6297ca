//! Asynchronous operations of all families.

use crate::block::BlockId;

/// The thread that issued an operation, and the time at which its agent executes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Issued {
    pub(crate) site: u32,
    /// The thread of the cluster.
    pub(crate) thread: u32,
    pub(crate) block: BlockId,
    pub(crate) time: u32,
}
