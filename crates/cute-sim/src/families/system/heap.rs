//! `malloc` and `free` of threads.

use crate::finding::LaneFinding;
use crate::finding::{AccessKind, FindingKind, HeapAct, HeapRule};
use crate::heap::HEAP_BYTES;
use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use crate::memory::address::{GLOBAL, parts, pointer};
use crate::memory::span::Span;
use crate::program::Slot;
use crate::race::Reach;

impl Warp {
    /// `malloc`: each lane gets memory of its own, or null.
    #[cold]
    pub(super) fn heap_allocate(
        &mut self,
        cluster: &mut Cluster<'_>,
        dst: Slot,
        bytes: Slot,
        active: u32,
    ) -> Result<(), LaneFinding> {
        self.registers.defined(cluster.machine.kernel, bytes, active, "number of bytes")?;
        let Some(heap) = cluster.machine.heap.clone() else { return Ok(()) };
        for lane in lanes_of(active) {
            let bytes = self.registers.get(bytes)[lane as usize];
            let at = heap.allocate(bytes, self.heap_act(cluster, lane));
            if let Some(at) = at {
                cluster.machine.shadow.allocated(heap.buffer, at as usize..(at + bytes) as usize);
            }
            self.registers.set_lane(dst, lane, at.map_or(0, |at| pointer(GLOBAL, heap.buffer, at)));
            cluster.journal.changes(1);
        }
        Ok(())
    }

    /// `free`: nothing may use the memory afterwards, and whatever has used it is ordered before.
    #[cold]
    pub(super) fn heap_release(
        &mut self,
        cluster: &mut Cluster<'_>,
        address: Slot,
        active: u32,
    ) -> Result<(), LaneFinding> {
        self.registers.defined(cluster.machine.kernel, address, active, "address")?;
        let Some(heap) = cluster.machine.heap.clone() else { return Ok(()) };
        for lane in lanes_of(active) {
            let address = self.registers.get(address)[lane as usize];
            if address == 0 {
                continue;
            }
            let own = parts(address, 0).ok().filter(|p| (p.space, p.allocation) == (GLOBAL, heap.buffer));
            let at = own.and_then(|parts| u64::try_from(parts.byte).ok());
            let range = at.ok_or(HeapRule::Foreign { address });
            let range = range.and_then(|at| heap.release(at, address, self.heap_act(cluster, lane)));
            let range = range.map_err(|rule| {
                let kind = FindingKind::Heap { rule: Box::new(rule) };
                LaneFinding { lane, kind }
            })?;
            let (start, bytes) = (range.start as usize, (range.end - range.start) as usize);
            let allocation = heap.buffer;
            let span = Span { space: GLOBAL, allocation, offset: start as i64, start, size: HEAP_BYTES };
            self.watch(
                cluster,
                lane,
                span,
                bytes,
                (AccessKind::Write, Reach::default()),
                self.lanes.at(),
                None,
            );
            cluster.machine.shadow.freed(allocation, start..start + bytes);
            cluster.journal.changes(1);
        }
        Ok(())
    }

    /// The call of a lane.
    fn heap_act(&self, cluster: &Cluster<'_>, lane: u32) -> HeapAct {
        let (_, location) = cluster.scene().site(self.lanes.at());
        let thread = cluster.scene().thread(self.thread(lane));
        HeapAct { location, block: self.block().position, thread, launch: cluster.machine.number }
    }
}
