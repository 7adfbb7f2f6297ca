//! Findings about one lane of a warp.

use super::FindingKind;
use crate::lanes::{Lanes, lanes_of};

/// The finding of an instruction, and the first lane that causes it.
#[derive(Debug)]
pub(crate) struct LaneFinding {
    pub(crate) lane: u32,
    pub(crate) kind: FindingKind,
}

/// `f` in the active lanes.
pub(crate) fn try_map(
    active: u32,
    f: impl Fn(usize) -> Result<u64, FindingKind>,
) -> Result<Lanes, LaneFinding> {
    let mut r = [0; 32];
    for lane in lanes_of(active) {
        r[lane as usize] = f(lane as usize).map_err(|kind| LaneFinding { lane, kind })?;
    }
    Ok(r)
}
