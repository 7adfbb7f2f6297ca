//! Instructions that some lanes of a warp never reach.

use super::cluster::Stop;
use super::scene::Scene;
use super::warp::{Wait, Warp};
use crate::finding::FindingKind;
use crate::program::Op;

const ALIGNED: &str = "all threads of the warp must execute the `.aligned` form of this instruction together: execute it \
                       outside of the branch, or use the form without `.aligned`";

const ELECTION: &str =
    "all lanes of the mask must execute the election together: move it out of the divergent branch";

/// The finding about a collective at which a lane waits and which another lane does not reach.
pub(crate) fn divergence(
    scene: &Scene<'_>,
    warp: &Warp,
    lane: u32,
    waiting: u32,
    expected: u32,
    (other, other_lane): (&Warp, u32),
) -> Stop {
    let instead = if other.lanes.done() >> other_lane & 1 != 0 {
        "has returned".to_owned()
    } else {
        let (op, location) = scene.site(other.lanes.pc(other_lane));
        match other.lanes.wait_of(other_lane) {
            Some(Wait::Together { mask } | Wait::Warp { mask }) => {
                format!("waits at `{op}` ({location}) with lane mask {mask:#010x}")
            }
            _ => format!("is at `{op}` ({location})"),
        }
    };
    let thread = scene.thread(other.thread(other_lane));
    let (op, _) = scene.site(warp.lanes.pc(lane));
    let code = scene.machine().kernel.code.get(warp.lanes.pc(lane) as usize);
    let rule = match code {
        Some(Op::Cluster(op)) if op.is_aligned() => Some(ALIGNED),
        Some(Op::Barrier(op)) if op.arrives_aligned() => Some(ALIGNED),
        _ => op.ends_with("elect.sync").then_some(ELECTION),
    };
    let kind = FindingKind::Divergence { waiting, expected, thread, instead, rule };
    (warp.lanes.pc(lane), warp.thread(lane), kind)
}
