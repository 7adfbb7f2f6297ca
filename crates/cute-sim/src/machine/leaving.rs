//! Blocks that may not have begun, or may have returned, when others of their cluster use their
//! shared memory.

use super::cluster::Stop;
use super::parts::Parts;
use crate::finding::{FindingKind, Place};
use crate::program::Op;

impl Parts<'_, '_> {
    /// Checks that a block whose threads are all done knows of each access of its shared memory by
    /// another block. Unknown accesses could come after its end.
    pub(crate) fn left_in_use(&self, rank: u32) -> Result<(), Stop> {
        let Some((start, cells)) = self.shared.cells_of(rank).filter(|_| !self.scene().is_alone()) else {
            return Ok(());
        };
        let own = self.machine().block_id(self.scene().number(), rank).number;
        // Accesses before a barrier of the cluster at which it waited need no further check.
        let met = self.clocks.met(rank);
        for (word, cell) in (start..).zip(cells) {
            // `leaves_behind` reports bulk copies, and the barriers that count their bytes.
            let is_bulk =
                |site: u32| self.machine().kernel.code.get(site as usize).is_some_and(Op::is_counted);
            for record in cell.by_others(own).filter(|r| r.time > met && !is_bulk(r.site)) {
                let Some(first) = self.clocks.first_of(record.block) else { continue };
                let threads = record.threads().map(|thread| first + thread);
                let unknown = |thread: &u32| !self.clocks.any_knows(rank, *thread, record.time);
                if let Some(thread) = { threads }.find(unknown) {
                    let byte = word * 4 + record.bytes.trailing_zeros() as usize;
                    let place = Box::new(self.scene().window_place(byte));
                    return Err((
                        record.site,
                        thread,
                        FindingKind::Exited { place: Place::OfBlock { rank, place }, commit: None },
                    ));
                }
            }
        }
        Ok(())
    }
}
