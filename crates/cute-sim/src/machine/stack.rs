//! The stacks of a warp's lanes: their local memory, and their calls that have not returned.

use crate::registers::frame::Frame;
use crate::registers::unknown::{Local, Unknown};

#[derive(Clone)]
pub(crate) struct Stack {
    /// The allocations of each lane.
    locals: Vec<Vec<Local>>,
    /// How much memory each lane has allocated.
    bytes: [u64; 32],
    /// For each lane, its active calls, innermost last.
    frames: Vec<Vec<Frame>>,
}

impl Default for Stack {
    fn default() -> Self {
        let frames = std::iter::repeat_with(Vec::new).take(32).collect();
        Stack { locals: vec![Vec::new(); 32], bytes: [0; 32], frames }
    }
}

/// The registers of a function in a lane that calls it again.
pub(crate) type Saved = Vec<(u64, Option<Unknown>)>;

impl Stack {
    /// The local memory of a lane.
    #[inline]
    pub(crate) fn locals(&self, lane: usize) -> &[Local] {
        &self.locals[lane]
    }

    #[inline]
    pub(crate) fn locals_mut(&mut self, lane: usize) -> &mut [Local] {
        &mut self.locals[lane]
    }

    /// The bytes of a lane's allocations, and their number.
    pub(crate) fn used(&self, lane: usize) -> (u64, usize) {
        (self.bytes[lane], self.locals[lane].len())
    }

    /// A lane allocates memory, by this instruction.
    pub(crate) fn allocate(&mut self, lane: usize, bytes: u64, site: u32) {
        self.bytes[lane] += bytes;
        self.locals[lane].push(Local::new(bytes as usize, site));
    }

    /// Frees all allocations of a lane but the first ones. Returns whether these are as many, and
    /// its function allocated the others.
    pub(crate) fn free(&mut self, lane: usize, kept: usize) -> bool {
        let own = self.frames[lane].last().map_or(0, |frame| frame.locals);
        let is_possible = (own..=self.locals[lane].len()).contains(&kept);
        if is_possible {
            let freed: u64 = self.locals[lane].drain(kept..).map(|local| local.memory.len() as u64).sum();
            self.bytes[lane] -= freed;
        }
        is_possible
    }

    /// The number of calls that a lane is in.
    pub(crate) fn depth(&self, lane: usize) -> usize {
        self.frames[lane].len()
    }

    /// Whether a lane is inside of a function.
    pub(crate) fn is_inside(&self, lane: usize, function: u32) -> bool {
        self.frames[lane].iter().any(|frame| frame.function == function)
    }

    /// A lane calls a function. The results of the call go to `dst`, and the lane to `back`.
    pub(crate) fn call(&mut self, lane: usize, function: u32, (dst, back): (u32, u32), saved: Saved) {
        let (local_bytes, locals) = self.used(lane);
        self.frames[lane].push(Frame { function, back, dst, saved, locals, local_bytes });
    }

    /// A lane returns from a call, and its local memory there is gone.
    pub(crate) fn back(&mut self, lane: usize) -> Option<Frame> {
        let frame = self.frames[lane].pop()?;
        self.locals[lane].truncate(frame.locals);
        self.bytes[lane] = frame.local_bytes;
        Some(frame)
    }

    /// Whether all is as in the other one.
    pub(super) fn is_as(&self, other: &Self) -> bool {
        (&self.locals, &self.frames) == (&other.locals, &other.frames)
    }
}
