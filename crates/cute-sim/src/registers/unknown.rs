//! Undefined values: their origins, and their undefined bits.

use super::flight::Flight;
use crate::finding::{self, Place};
use crate::memory::tracked::{ByteState, Tracked};
use crate::program::{Kernel, Slot};
use cute_machine::int::mask;
use std::collections::HashMap;

/// The original source of an undefined value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A register that an operation such as `llvm.mlir.undef` leaves undefined.
    Register(Slot),
    /// The division at this instruction, which is by zero.
    Quotient { at: u32 },
    /// The question at this instruction for the first block of a cluster that was not cancelled.
    NoBlock { at: u32 },
    /// A byte of local memory, allocated by instruction `made`, that was not initialised when
    /// instruction `read` read it.
    Local { made: u32, read: u32, byte: usize },
    /// Another lane, which did not take part in the shuffle at this instruction.
    Lane { at: u32, lane: u32 },
    /// A word of tensor memory without a value, which this instruction read.
    Tensor { read: u32, lane: u32, column: u32 },
    /// The register, or byte, is in flight.
    Flight(Flight),
    /// The value depends on a set of loads that are followed to their uses. It is defined.
    Doubt(u32),
    /// An address that this instruction makes of a coordinate, the one with this number among its
    /// own, which is not below its extent. It is defined.
    Beyond { at: u32, number: u32, index: i64, extent: i64 },
}

impl Origin {
    pub(crate) fn describe(self, kernel: &Kernel) -> finding::Origin {
        let site = |pc: u32| kernel.sites.get(pc as usize).map(|s| (s.op.to_string(), s.location.clone()));
        match self {
            Origin::Register(slot) => {
                let site = kernel.undefined.iter().find(|(undefined, _)| undefined.contains(&slot));
                let (op, location) =
                    site.map(|(_, s)| (s.op.to_string(), s.location.clone())).unwrap_or_default();
                finding::Origin::Operation { op, location }
            }
            Origin::Quotient { at } => {
                let (op, location) = site(at).unwrap_or_default();
                finding::Origin::Quotient { op, location }
            }
            Origin::NoBlock { at } => {
                let (op, location) = site(at).unwrap_or_default();
                finding::Origin::NoBlock { op, location }
            }
            Origin::Local { made, read, byte } => {
                let (op, location) = site(read).unwrap_or_default();
                finding::Origin::Unwritten {
                    place: local_place(kernel, made),
                    offset: byte as i64,
                    op,
                    location,
                }
            }
            Origin::Tensor { read, lane, column } => {
                let (op, location) = site(read).unwrap_or_default();
                finding::Origin::Tensor { lane, column, op, location }
            }
            Origin::Flight(Flight { site: at, .. }) => {
                let (op, location) = site(at).unwrap_or_default();
                finding::Origin::Operation { op, location }
            }
            // Not reported.
            Origin::Doubt(_) | Origin::Beyond { .. } => {
                finding::Origin::Operation { op: String::new(), location: Default::default() }
            }
            Origin::Lane { at, lane } => {
                let (op, location) = site(at).unwrap_or_default();
                finding::Origin::Lane { lane, op, location }
            }
        }
    }
}

/// Local memory by the instruction that made it.
pub(crate) fn local_place(kernel: &Kernel, made: u32) -> Place {
    Place::Local { location: kernel.sites.get(made as usize).map(|s| s.location.clone()).unwrap_or_default() }
}

/// The undefined part of one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unknown {
    pub(crate) origin: Origin,
    /// The undefined bits.
    pub(crate) bits: u64,
}

/// The undefined parts of registers, for each lane whose bit is set in the warp's mask. Others are
/// stale. By slots, up to the last one that was ever undefined.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unknowns(Vec<Option<Box<[Unknown; 32]>>>);

impl Unknowns {
    pub(crate) fn get(&self, slot: Slot, lane: u32) -> Unknown {
        match self.0.get(slot as usize) {
            Some(Some(unknown)) => unknown[lane as usize],
            _ => Unknown { origin: Origin::Register(slot), bits: u64::MAX },
        }
    }

    pub(crate) fn set(&mut self, slot: Slot, lane: u32, unknown: Unknown) {
        let none = Unknown { origin: Origin::Register(slot), bits: u64::MAX };
        let slot = slot as usize;
        if slot >= self.0.len() {
            self.0.resize_with(slot + 1, || None);
        }
        self.0[slot].get_or_insert_with(|| Box::new([none; 32]))[lane as usize] = unknown;
    }
}

/// Local memory that a thread allocated.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Local {
    pub(crate) memory: Tracked,
    /// The instruction that allocated it.
    pub(crate) made: u32,
    /// For bytes that were written with an undefined value: its origin, and the bits.
    pub(crate) unknown: HashMap<usize, (Origin, u8)>,
    /// For each pair of uninitialised bytes, whether it is in flight; empty if none ever were.
    pub(crate) flights: Vec<Flight>,
}

impl Local {
    pub(crate) fn new(bytes: usize, made: u32) -> Self {
        Local { memory: Tracked::new(bytes), made, unknown: HashMap::new(), flights: Vec::new() }
    }

    /// The undefined part of a value in these bytes, which instruction `read` reads.
    pub(crate) fn unknown(&self, at: usize, bytes: usize, read: u32) -> Option<Unknown> {
        if self.memory.is_written(at, bytes) {
            return None;
        }
        if let Some(flight) = self.flight(at, bytes) {
            return Some(Unknown { origin: Origin::Flight(flight), bits: mask(8 * bytes as u32) });
        }
        let mut unknown: Option<Unknown> = None;
        for i in 0..bytes {
            if self.memory.is_written(at + i, 1) {
                continue;
            }
            let first = Origin::Local { made: self.made, read, byte: at + i };
            let (origin, bits) = self.unknown.get(&(at + i)).copied().unwrap_or((first, u8::MAX));
            let unknown = unknown.get_or_insert(Unknown { origin, bits: 0 });
            unknown.bits |= u64::from(bits) << (8 * i);
        }
        unknown
    }

    /// The common mark of bytes that are all in flight.
    fn flight(&self, at: usize, bytes: usize) -> Option<Flight> {
        let halves = self.flights.get(at / 2..(at + bytes) / 2).filter(|_| at.is_multiple_of(2))?;
        let first = halves.first().filter(|first| first.ticket != 0)?;
        let follows = |(i, half): (u32, &Flight)| *half == Flight { bit: first.bit + 16 * i, ..*first };
        let empty = (0..bytes).all(|i| !self.memory.is_written(at + i, 1));
        (empty && (0..).zip(halves).all(follows)).then_some(Flight { bits: 8 * bytes as u32, ..*first })
    }

    /// Records that an undefined value was just written to these bytes.
    pub(crate) fn forget(&mut self, at: usize, bytes: usize, unknown: Unknown) {
        if let Origin::Flight(flight) = unknown.origin
            && at.is_multiple_of(2)
            && 8 * bytes as u32 == flight.bits
        {
            self.flights.resize(self.memory.len().div_ceil(2), Flight::default());
            for (half, own) in (0..).zip(&mut self.flights[at / 2..(at + bytes) / 2]) {
                *own = Flight { bit: flight.bit + 16 * half, bits: 16, ..flight };
            }
            return self.memory.mark(at, bytes, ByteState::Empty);
        }
        if !self.flights.is_empty() {
            self.flights[at / 2..(at + bytes).div_ceil(2)].fill(Flight::default());
        }
        for i in 0..bytes {
            let bits = (unknown.bits >> (8 * i)) as u8;
            if bits != 0 {
                self.memory.mark(at + i, 1, ByteState::Empty);
                self.unknown.insert(at + i, (unknown.origin, bits));
            }
        }
    }
}
