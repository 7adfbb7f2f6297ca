//! Places of accesses: an allocation, and the bytes in it.

use crate::lanes::Lanes;
use crate::memory::address::{CONSTANT, GLOBAL, SHARED};

/// An access to one allocation.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Span {
    pub(crate) space: u32,
    pub(crate) allocation: u32,
    /// Byte within the allocation, for messages.
    pub(crate) offset: i64,
    /// First byte in what backs the allocation.
    pub(crate) start: usize,
    /// Bytes of the allocation.
    pub(crate) size: u64,
}

impl Span {
    /// Whether its pointer names its allocation, the same one for all lanes. A bare shared address
    /// does not, and local memory differs per thread.
    pub(crate) fn is_named(self) -> bool {
        self.space == GLOBAL || self.space == CONSTANT || (self.space == SHARED && self.allocation != 0)
    }

    /// A number from which banks and sectors follow: in shared memory its place, in global memory
    /// one by which allocations do not overlap.
    pub(crate) fn address(self) -> u64 {
        let base = if self.space == GLOBAL { u64::from(self.allocation) << 40 } else { 0 };
        base + self.start as u64
    }
}

/// The spans of a warp's access. Those of lanes that do not take part are arbitrary.
#[allow(clippy::large_enum_variant, reason = "the large one is the usual one")]
pub(crate) enum Spans {
    /// All in the allocation of one of them, or in local memory at the same place in each.
    Together(Together),
    Apart(Box<[Span; 32]>),
}

/// Spans that differ in where they start.
pub(crate) struct Together {
    pub(crate) one: Span,
    pub(crate) starts: Lanes,
}

impl Together {
    pub(crate) fn space(&self) -> u32 {
        self.one.space
    }

    pub(crate) fn allocation(&self) -> u32 {
        self.one.allocation
    }

    pub(crate) fn of(&self, lane: u32) -> Span {
        let start = self.starts[lane as usize] as usize;
        Span { start, offset: self.one.offset + (start as i64 - self.one.start as i64), ..self.one }
    }
}

impl Spans {
    pub(crate) fn of(&self, lane: u32) -> Span {
        match self {
            Spans::Together(together) => together.of(lane),
            Spans::Apart(spans) => spans[lane as usize],
        }
    }
}
