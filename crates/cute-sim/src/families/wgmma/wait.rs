//! Commits, and waits for groups: each warp commits, waits, and receives its part.

use super::op::WgmmaOp;
use super::queue::WgmmaQueue;
use crate::events::Event;
use crate::finding::{FindingKind, LaneFinding, WgmmaRule};
use crate::lanes::lanes_of;
use crate::machine::WARP;
use crate::machine::cluster::Cluster;
use crate::machine::group::GROUP;
use crate::machine::warp::{Flow, Warp};
use crate::program::Op;

impl Warp {
    pub(crate) fn wgmma(
        &mut self,
        cluster: &mut Cluster<'_>,
        op: &WgmmaOp,
        active: u32,
    ) -> Result<Flow, LaneFinding> {
        match *op {
            WgmmaOp::Fence | WgmmaOp::Multiply(_) => Ok(self.await_group(cluster, active)),
            WgmmaOp::Commit => self.together(cluster, None, active, |warp, cluster, lanes| {
                warp.tells_order(cluster, lanes);
                warp.commit_products(cluster);
                Ok(())
            }),
            WgmmaOp::Wait { pending } => self
                .together(cluster, None, active, |warp, cluster, _| warp.wait_for_products(cluster, pending)),
        }
    }

    /// The rank of its block, and the number of its warpgroup in that.
    pub(super) fn group_id(&self) -> (u32, u32) {
        (self.block().rank, self.warpgroup() as u32)
    }

    /// The MMAs that the warpgroup has issued and the warp has not committed become a group of
    /// the warp.
    fn commit_products(&self, cluster: &mut Cluster<'_>) {
        let queue = cluster.engine.warpgroups.of(self.group_id());
        let last = (queue.issued, queue.time);
        queue.warps[self.number() as usize % GROUP].groups.push_back(last);
    }

    /// Completes all groups of the warp except the `pending` youngest.
    fn wait_for_products(&mut self, cluster: &mut Cluster<'_>, pending: u32) -> Result<(), LaneFinding> {
        cluster.journal.tell(|_| Event::Completes { act: self.act(self.lanes.exists()) });
        let group = self.group_id();
        let mut queue = cluster.engine.warpgroups.take(group);
        let own = &mut queue.warps[self.number() as usize % GROUP];
        let count = own.groups.len().saturating_sub(pending as usize);
        let last = own.groups.drain(..count).next_back();
        if let Some((ticket, time)) = last {
            // Groups without MMAs of their own wait for nothing new.
            queue.is_fenced_since_wait &= ticket == own.waited;
            own.waited = ticket;
            cluster.multiply(&mut queue, group, ticket);
            if let Some(agent) = queue.agent {
                cluster.clocks.learn_all(
                    lanes_of(self.lanes.exists()).map(|lane| self.thread(lane)),
                    agent,
                    time,
                );
            }
            self.land_sums(&mut queue, ticket);
        }
        let changed = last.and_then(|(ticket, _)| self.changed_fragment(cluster, &mut queue, ticket));
        cluster.engine.warpgroups.put(group, queue);
        if let Some((ticket, _)) = last {
            cluster.follows_products(self, ticket);
        }
        if let Some(LaneFinding { lane, kind }) = changed {
            let thread = self.thread(lane);
            cluster.journal.remark(self.lanes.at(), thread, kind);
        }
        Ok(())
    }

    /// Fragments of A may be changed again. Reports one that has changed before.
    fn changed_fragment(
        &self,
        cluster: &Cluster<'_>,
        queue: &mut WgmmaQueue,
        waited: u32,
    ) -> Option<LaneFinding> {
        let kernel = cluster.machine.kernel;
        let mut changed = None;
        for lent in queue.lent.iter_mut().filter(|lent| lent.ticket <= waited) {
            let Some(Op::Wgmma(op)) = kernel.code.get(lent.site as usize) else { continue };
            let Some(pieces) = op.registers_of_a() else { continue };
            let Some(before) = lent.words[self.number() as usize % GROUP].take() else { continue };
            let now = self.registers.pack(pieces);
            if let Some(word) = before.iter().zip(&now).position(|(before, now)| before != now) {
                let ((op, location), is_ptx) = (cluster.scene().site(lent.site), kernel.is_ptx);
                let lane = (word / (now.len() / WARP as usize)) as u32;
                changed = Some(LaneFinding {
                    lane,
                    kind: FindingKind::Wgmma { rule: WgmmaRule::Fragment { op, location, is_ptx } },
                });
            }
        }
        queue.lent.retain(|lent| lent.words.iter().any(Option::is_some));
        changed
    }
}
