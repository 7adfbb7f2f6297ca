//! Rules of operations of the lanes of a warp together.

crate::isa::rules! {
    "L1", "`elect.sync` elects one lane of its mask, the same one for the same mask; which one is open, and all lanes of the mask execute it together",
        "elect.sync", "`elected_lane` (portability), `divergence`";
    "L2", "shuffles, votes, matches and reductions wait for the lanes of their mask that have not returned, `bar.warp.sync` for all lanes of its mask",
        "bar.warp.sync, shfl.sync", "`returned_lanes` (portability), `divergence`";
}
