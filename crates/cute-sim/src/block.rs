//! A block of a cluster: which one it is, and where in the grid.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockId {
    /// The rank in its cluster.
    pub(crate) rank: u32,
    /// The number in the grid: the cluster's number times its blocks, plus the rank.
    pub(crate) number: u32,
    pub(crate) position: [u32; 3],
}

/// `(x, y, z)`.
pub(crate) struct Triple<'a>(pub(crate) &'a [u32; 3]);

impl fmt::Display for Triple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0;
        write!(f, "({x}, {y}, {z})")
    }
}
