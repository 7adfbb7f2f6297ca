//! The issue of an asynchronous operation: what all of them have in common.

use crate::finding::{AccessKind, FindingKind};
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use crate::memory::address::SHARED;
use crate::memory::span::Span;
use crate::memory::tracked::ByteState;
use crate::race::{Acting, Needs, Reach, View};
use crate::task::Issued;

impl Warp {
    /// Checks that the bytes may be sent. An empty byte is noted, since its writer may be late.
    pub(crate) fn can_send(
        &self,
        cluster: &mut Cluster<'_>,
        lane: u32,
        span: Span,
        bytes: usize,
    ) -> Result<(), FindingKind> {
        let Some((delta, state)) = cluster.shared.bytes().unwritten(span.start, bytes) else { return Ok(()) };
        let kind = cluster.state_finding(&[], span, delta, state);
        if state != ByteState::Empty {
            return Err(kind);
        }
        cluster.journal.remark_early_read(self.at, self.thread(lane), kind);
        Ok(())
    }

    pub(crate) fn issued(&self, cluster: &mut Cluster<'_>, lane: u32) -> Issued {
        let time = cluster.clocks.act();
        Issued { site: self.at, thread: self.thread(lane), block: self.block, time }
    }

    pub(crate) fn view(&self, cluster: &Cluster<'_>, lane: u32) -> View {
        cluster.clocks.view(self.thread(lane), cluster.machine.threads())
    }

    pub(crate) fn acting<'v>(
        &self,
        cluster: &Cluster<'_>,
        kind: AccessKind,
        lane: u32,
        agent: u32,
        time: u32,
        view: &'v View,
    ) -> Acting<'v> {
        let who = self.who(cluster, SHARED, self.at, kind, Reach::default());
        Acting { who, lane, agent, time, view, needs: Needs::Fence { global: false } }
    }
}

impl Cluster<'_> {
    /// Records an agent's access to a run of bytes of shared memory, from a place on, and a race,
    /// if there is one. The span has the run, or is of the same object. Returns whether there was
    /// a race.
    pub(crate) fn watch_transfer(
        &mut self,
        span: Span,
        (at, bytes): (usize, usize),
        acting: &Acting<'_>,
    ) -> bool {
        if !self.machine.launch.check_races {
            return false;
        }
        let found = self.shared.shadow().transfer(at, bytes, acting, &self.clocks);
        let Some((delta, race)) = found else { return false };
        let offset = span.offset + (at + delta) as i64 - span.start as i64;
        let place = self.scene().place(&[], span);
        self.note_race(&acting.who, acting.lane, place, offset, race);
        true
    }
}
