//! A block of a cluster: which one it is, and where in the grid.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockId {
    /// The rank in its cluster.
    pub(crate) rank: u32,
    /// The number in the grid: the cluster's number times its blocks, plus the rank.
    pub(crate) number: u32,
    pub(crate) position: [u32; 3],
}
