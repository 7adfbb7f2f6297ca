//! Instructions about an `mbarrier`, and the lanes that wait there.

use super::act::{act, fence, pending_count};
use super::at::AtBarriers;
use super::op::{MbarrierAct, MbarrierOp};
use super::wait::wait;
use crate::finding::LaneFinding;
use crate::machine::cluster::Cluster;
use crate::machine::warp::{Flow, MEETING, Warp};

impl Warp {
    pub(crate) fn mbarrier(
        &mut self,
        cluster: &mut Cluster<'_>,
        op: MbarrierOp,
        active: u32,
    ) -> Result<Flow, LaneFinding> {
        let (parts, issuer) = (&mut cluster.parts(), &self.issuer(active));
        let (address, space, own) = match op {
            MbarrierOp::At { act, address, space } => (address, space, act),
            MbarrierOp::PendingCount { dst, token } => {
                pending_count(&mut self.registers, dst, token, active);
                return Ok(Flow::Next);
            }
            MbarrierOp::Fence => {
                fence(parts, issuer);
                return Ok(Flow::Next);
            }
        };
        let Warp { registers, stack, .. } = self;
        let mut at = AtBarriers { parts, registers, stack, issuer, address, space };
        let MbarrierAct::Wait(own) = own else { return act(&mut at, own).map(|()| Flow::Next) };
        self.last_read = (issuer.site, active.trailing_zeros(), issuer.executed);
        let (waiting, has_learned) = wait(&mut at, own)?;
        self.has_learned |= has_learned;
        let Some(waiting) = waiting else { return Ok(Flow::Next) };
        if waiting.answers {
            self.turn = self.turn.saturating_sub(MEETING);
            self.polls(waiting.lanes, |lane| waiting.of(lane));
            return Ok(Flow::Next);
        }
        self.lanes.park(active & !waiting.lanes, issuer.site + 1);
        self.lanes.wait(waiting.lanes, |lane| waiting.of(lane as usize));
        Ok(Flow::Apart)
    }
}
