//! `cp.async`: bytes leave global memory when the copy is issued and arrive in shared memory when their group is waited
//! for. In between the destination is nobody's: reading or writing it is an error.

use super::thread::Thread;
use super::world::{Span, World};
use crate::error::FaultKind;
use crate::memory::address::{GLOBAL, SHARED};
use std::collections::VecDeque;

#[derive(Debug, Clone)]
struct Copy {
    to: Span,
    bytes: [u8; 16],
    len: usize,
}

/// A thread's asynchronous copies.
#[derive(Debug, Clone, Default)]
pub(super) struct Copies {
    /// Issued and not committed.
    open: Vec<Copy>,
    /// Committed and not waited for, oldest first.
    groups: VecDeque<Vec<Copy>>,
}

impl Thread {
    /// Issues a copy of `size` bytes of which `read` come from `src`; the others are zero.
    pub(super) fn issue(
        &mut self,
        world: &mut World<'_>,
        dst: u64,
        src: u64,
        size: u32,
        read: u64,
    ) -> Result<(), FaultKind> {
        world.stats.async_copies += 1;
        let size = u64::from(size);
        if read > size {
            return Err(FaultKind::CopySize { asked: read, size });
        }
        let to = world.span(&self.locals, dst, SHARED, size, size)?;
        let mut copy = Copy { to, bytes: [0; 16], len: size as usize };
        if read > 0 {
            let from = world.span(&self.locals, src, GLOBAL, read, size)?;
            world.read(&self.locals, from, 0, &mut copy.bytes[..read as usize])?;
        }
        world.begin_copy(to, copy.len);
        self.copies.open.push(copy);
        Ok(())
    }

    pub(super) fn commit(&mut self) {
        let group = std::mem::take(&mut self.copies.open);
        self.copies.groups.push_back(group);
    }

    /// Completes all groups but the `pending` youngest.
    pub(super) fn wait(&mut self, world: &mut World<'_>, pending: u32) {
        while self.copies.groups.len() > pending as usize {
            for copy in self.copies.groups.pop_front().unwrap_or_default() {
                world.end_copy(copy.to, &copy.bytes[..copy.len]);
            }
        }
    }
}
