//! Instructions about an `mbarrier`, and the lanes that wait there.

use super::act::{act, fence, pending_count};
use super::at::AtBarriers;
use super::op::{MbarrierAct, MbarrierOp};
use super::wait::wait;
use crate::finding::LaneFinding;
use crate::machine::cluster::Cluster;
use crate::machine::warp::{Flow, Warp};

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
        let Warp { registers, stack, marks, lanes, .. } = self;
        let mut at = AtBarriers { parts, registers, stack, issuer, address, space };
        let MbarrierAct::Wait(own) = own else { return act(&mut at, own).map(|()| Flow::Next) };
        marks.read(issuer.site, active);
        let (waiting, has_learned) = wait(&mut at, own)?;
        marks.learn(has_learned);
        let Some(waiting) = waiting else { return Ok(Flow::Next) };
        if waiting.answers {
            marks.meet_others();
            marks.poll(issuer.site, waiting.lanes, |lane| waiting.of(lane));
            return Ok(Flow::Next);
        }
        lanes.park(active & !waiting.lanes, issuer.site + 1);
        lanes.wait(waiting.lanes, |lane| waiting.of(lane as usize));
        Ok(Flow::Apart)
    }
}
