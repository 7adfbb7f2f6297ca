//! Reads of global memory that begins without values: arrays that a caller leaves undefined.

use super::Journal;
use crate::finding::FindingKind;
use crate::machine::device::Machine;

impl Machine<'_> {
    /// Whether the bytes of a buffer have no values before something writes them.
    #[inline]
    pub(crate) fn begins_undefined(&self, buffer: u32) -> bool {
        self.buffers.get(buffer as usize).is_some_and(|words| words.begins_undefined())
    }
}

impl Journal<'_> {
    /// Notes that an instruction of a thread reads bytes of a buffer, if one of them has no value.
    /// Its writer may be late; then the read is a race.
    #[inline]
    pub(crate) fn note_undefined(
        &mut self,
        (thread, site): (u32, u32),
        buffer: u32,
        (at, bytes): (usize, usize),
    ) {
        if self.machine().begins_undefined(buffer) {
            self.note_unwritten((thread, site), buffer, (at, bytes));
        }
    }

    #[cold]
    fn note_unwritten(&mut self, (thread, site): (u32, u32), buffer: u32, (at, bytes): (usize, usize)) {
        let words = self.machine().buffers.get(buffer as usize);
        let Some(byte) = words.and_then(|words| words.unwritten(at..at + bytes)) else { return };
        let kind = FindingKind::Uninitialised { place: self.scene.global_place(buffer), offset: byte as i64 };
        self.remark_early_read(site, thread, kind);
    }
}
