//! Reads of global memory that begins without values: arrays that a caller leaves undefined.

use crate::finding::FindingKind;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;

impl Cluster<'_> {
    /// Whether the bytes of a buffer have no values before something writes them.
    #[inline]
    pub(crate) fn begins_undefined(&self, buffer: u32) -> bool {
        self.machine.buffers.get(buffer as usize).is_some_and(|words| words.begins_undefined())
    }
}

impl Warp {
    /// Notes that a lane reads bytes of a buffer, if one of them has no value. Its writer may be
    /// late; then the read is a race.
    #[inline]
    pub(crate) fn note_undefined(
        &self,
        cluster: &mut Cluster<'_>,
        lane: u32,
        buffer: u32,
        at: usize,
        bytes: usize,
    ) {
        if cluster.begins_undefined(buffer) {
            self.note_unwritten(cluster, lane, buffer, at, bytes);
        }
    }

    #[cold]
    fn note_unwritten(&self, cluster: &mut Cluster<'_>, lane: u32, buffer: u32, at: usize, bytes: usize) {
        let words = cluster.machine.buffers.get(buffer as usize);
        let Some(byte) = words.and_then(|words| words.unwritten(at..at + bytes)) else { return };
        let kind =
            FindingKind::Uninitialised { place: cluster.scene().global_place(buffer), offset: byte as i64 };
        cluster.journal.remark_early_read(self.at, self.thread(lane), kind);
    }
}
