//! Instructions about an `mbarrier`, and the lanes that wait there.

use super::act::{act, fence, pending_count};
use super::at::AtBarriers;
use super::op::{MbarrierAct, MbarrierOp};
use super::wait::wait;
use crate::finding::LaneFinding;
use crate::machine::issuing::{Issuing, Stopping};
use crate::machine::parts::Parts;
use crate::machine::warp::Flow;

/// Executes an operation at `mbarrier`s.
pub(crate) fn mbarrier(
    parts: &mut Parts<'_, '_>,
    warp: &mut Stopping<'_>,
    op: MbarrierOp,
) -> Result<Flow, LaneFinding> {
    let Stopping { lanes, own: Issuing { registers, stack, marks, issuer, .. } } = warp;
    let (address, space, own) = match op {
        MbarrierOp::At { act, address, space } => (address, space, act),
        MbarrierOp::PendingCount { dst, token } => {
            pending_count(registers, dst, token, issuer.lanes);
            return Ok(Flow::Next);
        }
        MbarrierOp::Fence => {
            fence(parts, issuer);
            return Ok(Flow::Next);
        }
    };
    let mut at = AtBarriers { parts, registers, stack, issuer, address, space };
    let MbarrierAct::Wait(own) = own else { return act(&mut at, own).map(|()| Flow::Next) };
    marks.read(issuer.site, issuer.lanes);
    let (waiting, has_learned) = wait(&mut at, own)?;
    marks.learn(has_learned);
    let Some(waiting) = waiting else { return Ok(Flow::Next) };
    if waiting.answers {
        marks.meet_others();
        marks.poll(issuer.site, waiting.lanes, |lane| waiting.of(lane));
        return Ok(Flow::Next);
    }
    lanes.park(issuer.lanes & !waiting.lanes, issuer.site + 1);
    lanes.wait(waiting.lanes, |lane| waiting.of(lane as usize));
    Ok(Flow::Apart)
}
