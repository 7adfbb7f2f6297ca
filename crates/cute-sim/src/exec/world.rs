//! What all threads of a block see: memory in its address spaces, the launch's dimensions, the counters. Every access is
//! checked here, for bounds, alignment and, where bytes begin empty, for having been written.

use super::{Launch, Stats};
use crate::error::{FaultKind, Place};
use crate::memory::Memory;
use crate::memory::address::{CONSTANT, GLOBAL, LOCAL, SHARED, SHARED_BASE, parts};
use crate::program::{Access, Kernel};
use crate::value::int::mask;

/// What is known of a byte of shared or local memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteState {
    Empty,
    Written,
    /// An asynchronous copy will write it.
    InFlight,
}

/// Memory whose bytes begin empty.
#[derive(Debug, Clone, Default)]
pub(super) struct Tracked {
    bytes: Vec<u8>,
    states: Vec<ByteState>,
}

impl Tracked {
    pub(super) fn new(len: usize) -> Self {
        Tracked { bytes: vec![0; len], states: vec![ByteState::Empty; len] }
    }
}

pub(super) struct World<'a> {
    pub(super) grid: [u32; 3],
    pub(super) block_size: [u32; 3],
    pub(super) block: [u32; 3],
    pub(super) dynamic_shared: u32,
    pub(super) budget: u64,
    pub(super) check_overflow: bool,
    pub(super) stats: Stats,
    kernel: &'a Kernel,
    memory: &'a mut Memory,
    /// The block's window, from `SHARED_BASE` on.
    shared: Tracked,
}

/// An access that lies in one allocation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    space: u32,
    allocation: u32,
    /// Byte within the allocation, for messages.
    offset: i64,
    /// First byte in what backs the allocation.
    start: usize,
}

impl<'a> World<'a> {
    pub(super) fn new(kernel: &'a Kernel, launch: &Launch, memory: &'a mut Memory) -> Self {
        World {
            grid: launch.grid,
            block_size: launch.block,
            block: [0; 3],
            dynamic_shared: launch.dynamic_shared,
            budget: launch.budget,
            check_overflow: launch.check_overflow,
            stats: Stats::default(),
            kernel,
            memory,
            shared: Tracked::default(),
        }
    }

    /// Goes to the next block: empty shared memory.
    pub(super) fn enter(&mut self, block: [u32; 3]) {
        self.block = block;
        let end = self.kernel.shared_end(self.dynamic_shared);
        self.shared = Tracked::new((end - SHARED_BASE) as usize);
    }

    /// Finds the allocation of an access and checks that it holds all of it.
    pub(super) fn span(
        &self,
        locals: &[Tracked],
        address: u64,
        space: u32,
        bytes: u64,
        align: u64,
    ) -> Result<Span, FaultKind> {
        let parts = parts(address, space)?;
        let unmapped = || FaultKind::Unmapped { address };
        let index = parts.allocation as usize;
        let (allocation, start, size) = match parts.space {
            GLOBAL => {
                (parts.allocation, 0, self.memory.buffers.get(index).ok_or_else(unmapped)?.len() as u64)
            }
            CONSTANT => (
                parts.allocation,
                0,
                self.kernel.constants.get(index).ok_or_else(unmapped)?.bytes.len() as u64,
            ),
            LOCAL => (parts.allocation, 0, locals.get(index).ok_or_else(unmapped)?.bytes.len() as u64),
            _ => self.shared_object(parts.allocation, parts.byte, bytes).ok_or_else(unmapped)?,
        };
        let offset = parts.byte - start as i64;
        if offset < 0 || (offset as u64).saturating_add(bytes) > size {
            let place = self.place(parts.space, allocation);
            return Err(FaultKind::OutOfBounds { place, offset, bytes, size });
        }
        // Allocations are aligned to more than any access; shared objects lie at an address of their own.
        if !(parts.byte as u64).is_multiple_of(align) {
            return Err(FaultKind::Misaligned { place: self.place(parts.space, allocation), offset, align });
        }
        let base = if parts.space == SHARED { SHARED_BASE as i64 } else { 0 };
        Ok(Span { space: parts.space, allocation, offset, start: (parts.byte - base) as usize })
    }

    /// Number, address and size of a shared object: the one that the pointer names, or for a bare address (0) the one
    /// that lies there, else the whole window.
    fn shared_object(&self, number: u32, address: i64, bytes: u64) -> Option<(u32, u64, u64)> {
        let dynamic = u64::from(self.dynamic_shared);
        let mut objects =
            self.kernel.shared.iter().zip(1..).map(|(o, n)| (n, o.address, o.size.unwrap_or(dynamic)));
        if number > 0 {
            return objects.find(|(n, ..)| *n == number);
        }
        let holds = |start: u64, size: u64| {
            u64::try_from(address).is_ok_and(|a| start <= a && a.saturating_add(bytes) <= start + size)
        };
        let object = objects.find(|(_, start, size)| holds(*start, *size));
        Some(object.unwrap_or((0, SHARED_BASE, self.shared.bytes.len() as u64)))
    }

    fn place(&self, space: u32, allocation: u32) -> Place {
        let index = allocation as usize;
        match space {
            GLOBAL => Place::Buffer(allocation),
            CONSTANT => {
                Place::Constant(self.kernel.constants.get(index).map(|c| c.name.clone()).unwrap_or_default())
            }
            LOCAL => Place::Local(allocation),
            _ => match index.checked_sub(1).and_then(|i| self.kernel.shared.get(i)) {
                Some(object) => Place::Shared(object.name.clone()),
                None => Place::SharedWindow,
            },
        }
    }

    /// What backs the span's allocation.
    fn backing<'s>(&'s self, locals: &'s [Tracked], span: Span) -> (&'s [u8], Option<&'s [ByteState]>) {
        let index = span.allocation as usize;
        match span.space {
            GLOBAL => (self.memory.buffers.get(index).map_or(&[], |b| &b[..]), None),
            CONSTANT => (self.kernel.constants.get(index).map_or(&[], |c| &c.bytes[..]), None),
            LOCAL => locals.get(index).map_or((&[], None), |t| (&t.bytes[..], Some(&t.states[..]))),
            _ => (&self.shared.bytes, Some(&self.shared.states)),
        }
    }

    /// Why a byte `delta` bytes into the span is not what the access needs it to be.
    fn state_fault(&self, span: Span, delta: usize, state: ByteState) -> FaultKind {
        let place = self.place(span.space, span.allocation);
        let offset = span.offset + delta as i64;
        match state {
            ByteState::InFlight => FaultKind::InFlight { place, offset },
            _ => FaultKind::Uninitialised { place, offset },
        }
    }

    /// Reads `bytes.len()` bytes at `delta` of the span.
    pub(super) fn read(
        &self,
        locals: &[Tracked],
        span: Span,
        delta: usize,
        bytes: &mut [u8],
    ) -> Result<(), FaultKind> {
        let (data, states) = self.backing(locals, span);
        let range = span.start + delta..span.start + delta + bytes.len();
        if let Some(states) = states.and_then(|s| s.get(range.clone()))
            && let Some(i) = states.iter().position(|s| *s != ByteState::Written)
        {
            return Err(self.state_fault(span, delta + i, states[i]));
        }
        if let Some(data) = data.get(range) {
            bytes.copy_from_slice(data);
        }
        Ok(())
    }

    /// Writes the bytes at `delta` of the span.
    pub(super) fn write(
        &mut self,
        locals: &mut [Tracked],
        span: Span,
        delta: usize,
        bytes: &[u8],
    ) -> Result<(), FaultKind> {
        let range = span.start + delta..span.start + delta + bytes.len();
        let index = span.allocation as usize;
        let tracked = match span.space {
            GLOBAL => {
                if let Some(to) = self.memory.buffers.get_mut(index).and_then(|b| b.get_mut(range)) {
                    to.copy_from_slice(bytes);
                }
                return Ok(());
            }
            CONSTANT => return Err(FaultKind::ReadOnly { place: self.place(span.space, span.allocation) }),
            LOCAL => locals.get_mut(index),
            _ => Some(&mut self.shared),
        };
        let Some(tracked) = tracked else { return Ok(()) };
        let Some(states) = tracked.states.get_mut(range.clone()) else { return Ok(()) };
        if let Some(i) = states.iter().position(|s| *s == ByteState::InFlight) {
            return Err(self.state_fault(span, delta + i, ByteState::InFlight));
        }
        states.fill(ByteState::Written);
        tracked.bytes[range].copy_from_slice(bytes);
        Ok(())
    }

    /// Marks `len` bytes of shared memory as on their way.
    pub(super) fn begin_copy(&mut self, span: Span, len: usize) {
        if let Some(states) = self.shared.states.get_mut(span.start..span.start + len) {
            states.fill(ByteState::InFlight);
        }
    }

    /// The bytes arrive.
    pub(super) fn end_copy(&mut self, span: Span, bytes: &[u8]) {
        let range = span.start..span.start + bytes.len();
        if let (Some(states), Some(to)) =
            (self.shared.states.get_mut(range.clone()), self.shared.bytes.get_mut(range))
        {
            states.fill(ByteState::Written);
            to.copy_from_slice(bytes);
        }
    }

    pub(super) fn load(
        &mut self,
        locals: &[Tracked],
        access: &Access,
        address: u64,
        registers: &mut [u64],
    ) -> Result<(), FaultKind> {
        self.stats.loads += 1;
        let span = self.span(locals, address, access.space, access.bytes, access.align)?;
        for leaf in &access.leaves {
            let mut bytes = [0; 8];
            self.read(locals, span, leaf.offset as usize, &mut bytes[..leaf.bytes as usize])?;
            registers[leaf.slot as usize] = u64::from_le_bytes(bytes) & mask(leaf.bits);
        }
        Ok(())
    }

    pub(super) fn store(
        &mut self,
        locals: &mut [Tracked],
        access: &Access,
        address: u64,
        registers: &[u64],
    ) -> Result<(), FaultKind> {
        self.stats.stores += 1;
        let span = self.span(locals, address, access.space, access.bytes, access.align)?;
        for leaf in &access.leaves {
            let bytes = registers[leaf.slot as usize].to_le_bytes();
            self.write(locals, span, leaf.offset as usize, &bytes[..leaf.bytes as usize])?;
        }
        Ok(())
    }
}
