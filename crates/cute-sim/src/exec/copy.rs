//! `cp.async`: bytes leave global memory when the copy is issued and arrive in shared memory when their group is waited
//! for. In between the destination is nobody's: reading or writing it is an error.

use super::alu::{LaneFinding, lanes_of};
use super::block::Block;
use super::span::Span;
use super::warp::Warp;
use crate::finding::{AccessKind, FindingKind};
use crate::memory::address::{GLOBAL, SHARED};
use crate::memory::tracked::ByteState;
use crate::program::Slot;
use crate::report::Traffic;
use std::collections::VecDeque;

#[derive(Debug, Clone)]
struct Copy {
    site: u32,
    lane: u32,
    to: Span,
    bytes: [u8; 16],
    len: usize,
    /// Where the bytes came from, for as long as they may not be overwritten.
    from: Option<(Span, usize)>,
}

/// Asynchronous copies of the lanes of a warp.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// Issued and not committed.
    open: Vec<Copy>,
    /// Committed and not waited for, oldest first, each lane's on its own.
    groups: [VecDeque<Vec<Copy>>; 32],
}

impl Copies {
    pub(super) fn commit(&mut self, active: u32) {
        for lane in lanes_of(active) {
            self.groups[lane as usize].push_back(self.open.extract_if(.., |c| c.lane == lane).collect());
        }
    }
}

impl Warp {
    /// Issues a copy of `size` bytes of which `read` come from `src`; the others are zero.
    pub(super) fn issue(
        &mut self,
        block: &mut Block<'_>,
        dst: Slot,
        src: Slot,
        size: u32,
        read: Option<Slot>,
        active: u32,
    ) -> Result<(), LaneFinding> {
        self.defined(dst, active, "address")?;
        self.defined(src, active, "address")?;
        read.map_or(Ok(()), |slot| self.defined(slot, active, "number of bytes"))?;
        let size = u64::from(size);
        let (mut targets, mut sources, mut reading) = ([0; 32], [0; 32], 0);
        for lane in lanes_of(active) {
            let i = lane as usize;
            let at = |kind| LaneFinding { lane, kind };
            let asked = read.map_or(size, |slot| self.get(slot)[i]);
            if asked > size {
                return Err(at(FindingKind::CopySize { asked, size }));
            }
            let to = block.span(&[], self.get(dst)[i], SHARED, size, size).map_err(at)?;
            let mut copy = Copy { site: self.at, lane, to, bytes: [0; 16], len: size as usize, from: None };
            if asked > 0 {
                let from = block.span(&[], self.get(src)[i], GLOBAL, asked, size).map_err(at)?;
                self.watch(block, lane, from, asked as usize, AccessKind::Read, self.at, false);
                for (at, byte) in copy.bytes[..asked as usize].iter_mut().enumerate() {
                    *byte = block.read(&[], from, at, 1) as u8;
                }
                (sources[i], reading) = (from.address(), reading | 1 << lane);
                copy.from = Some((from, asked as usize));
            }
            targets[i] = to.address();
            self.watch(block, lane, to, copy.len, AccessKind::Copy, self.at, false);
            block.shared.mark(to.start, copy.len, ByteState::InFlight);
            self.copies.open.push(copy);
        }
        block.counters.access(self.at, Traffic::Shared, &targets, active, size);
        block.counters.access(self.at, Traffic::Global, &sources, reading, size);
        Ok(())
    }

    /// Completes all groups of each lane but the `pending` youngest.
    pub(super) fn wait_copies(&mut self, block: &mut Block<'_>, pending: u32, active: u32) {
        for lane in lanes_of(active) {
            while self.copies.groups[lane as usize].len() > pending as usize {
                let group = self.copies.groups[lane as usize].pop_front().unwrap_or_default();
                for copy in group {
                    if let Some((from, len)) = copy.from {
                        self.watch(block, lane, from, len, AccessKind::Read, copy.site, false);
                    }
                    block.shared.write_slice(copy.to.start, &copy.bytes[..copy.len]);
                    self.watch(block, lane, copy.to, copy.len, AccessKind::Copy, copy.site, false);
                }
            }
        }
    }
}
