//! Undefined values: their origins, and their undefined bits.
//!
//! A warp has a mask of lanes for each register, and most instructions use nothing else. The
//! details are kept here, and are used only if a lane has an undefined value. An undefined value
//! may be copied; it is a finding when it decides something or leaves the thread.

use super::alu::lanes_of;
use super::flight::Flight;
use crate::finding::{self, Place};
use crate::machine::warp::Warp;
use crate::memory::tracked::{ByteState, Tracked};
use crate::program::{Binary, Kernel, Slot};
use cute_machine::int::{self, IntOp, NoWrap, mask};
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
}

impl Origin {
    pub(crate) fn describe(self, kernel: &Kernel) -> finding::Origin {
        let site = |pc: u32| kernel.sites.get(pc as usize).map(|s| (s.op.clone(), s.location.clone()));
        match self {
            Origin::Register(slot) => {
                let site = kernel.undefined.iter().find(|(undefined, _)| undefined.contains(&slot));
                let (op, location) =
                    site.map(|(_, s)| (s.op.clone(), s.location.clone())).unwrap_or_default();
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
/// stale.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unknowns(HashMap<Slot, Box<[Unknown; 32]>>);

impl Unknowns {
    fn get(&self, slot: Slot, lane: u32) -> Unknown {
        let known = self.0.get(&slot).map(|unknown| unknown[lane as usize]);
        known.unwrap_or(Unknown { origin: Origin::Register(slot), bits: u64::MAX })
    }

    fn set(&mut self, slot: Slot, lane: u32, unknown: Unknown) {
        let none = Unknown { origin: Origin::Register(slot), bits: u64::MAX };
        self.0.entry(slot).or_insert_with(|| Box::new([none; 32]))[lane as usize] = unknown;
    }
}

/// Local memory that a thread allocated.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Local {
    pub(crate) memory: Tracked,
    /// The instruction that allocated it.
    pub(crate) made: u32,
    /// For bytes that were written with an undefined value: its origin, and the bits.
    unknown: HashMap<usize, (Origin, u8)>,
    /// For each pair of uninitialised bytes, whether it is in flight; empty if none ever were.
    flights: Vec<Flight>,
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

impl Warp {
    /// The undefined part of a lane's register.
    pub(crate) fn unknown(&self, slot: Slot, lane: u32) -> Option<Unknown> {
        (self.undefined_in(slot) >> lane & 1 != 0).then(|| match self.flights.get(slot) {
            Some(flight) => Unknown { origin: Origin::Flight(flight), bits: u64::MAX },
            None => self.unknowns.get(slot, lane),
        })
    }

    /// Says that a lane's register is undefined, or that it is not.
    pub(crate) fn set_unknown(&mut self, slot: Slot, lane: u32, unknown: Option<Unknown>) {
        self.undefined[slot as usize] &= !(1 << lane);
        if let Some(unknown) = unknown.filter(|u| u.bits != 0) {
            self.undefined[slot as usize] |= 1 << lane;
            match unknown.origin {
                Origin::Flight(flight) => self.flights.set(slot, flight),
                _ => {
                    self.end_flight(slot, 1 << lane);
                    self.unknowns.set(slot, lane, unknown);
                }
            }
        }
    }

    /// The register is not in flight any more, because these lanes of it are undefined for another
    /// reason. Other lanes that are still undefined keep the instruction in flight as their origin.
    fn end_flight(&mut self, slot: Slot, lanes: u32) {
        if let Some(flight) = self.flights.get(slot) {
            let unknown = Unknown { origin: Origin::Flight(flight), bits: u64::MAX };
            for lane in lanes_of(self.undefined_in(slot) & !lanes) {
                self.unknowns.set(slot, lane, unknown);
            }
            self.flights.clear(slot);
        }
    }

    /// A register is undefined in these lanes because one that it is made of is.
    #[cold]
    pub(crate) fn inherit(&mut self, dst: Slot, lanes: u32, sources: &[Slot]) {
        if lanes == 0 {
            return;
        }
        sources.iter().for_each(|source| self.note_read(*source, lanes));
        self.end_flight(dst, lanes);
        for lane in lanes_of(lanes) {
            let source = sources.iter().find_map(|s| self.unknown(*s, lane));
            if let Some(Unknown { origin, .. }) = source {
                self.unknowns.set(dst, lane, Unknown { origin, bits: u64::MAX });
            }
        }
    }

    /// A register is undefined in these lanes because the one that it is a copy of is.
    #[cold]
    pub(crate) fn inherit_copy(&mut self, dst: Slot, lanes: u32, src: Slot) {
        if lanes == 0 || self.copy_flight(dst, src, lanes) {
            return;
        }
        self.end_flight(dst, lanes);
        for lane in lanes_of(lanes) {
            let unknown = self.unknowns.get(src, lane);
            self.unknowns.set(dst, lane, unknown);
        }
    }

    /// After `op` on a register that is undefined in a lane: computes the undefined bits. Bits that
    /// are masked off do not count.
    pub(crate) fn refine(&mut self, op: IntOp, width: u32, at: Binary, active: u32) {
        for i in 0..at.lanes {
            let (dst, a, b) = (at.dst + i, at.a + i, at.b + i);
            for lane in lanes_of(self.undefined_in(dst) & active) {
                let [x, y] = [a, b].map(|slot| self.get(slot)[lane as usize]);
                let [p, q] = [a, b].map(|slot| self.unknown(slot, lane));
                let Some(first) = p.or(q) else { continue };
                let [u, v] = [p, q].map(|unknown| unknown.map_or(0, |u| u.bits));
                let bits = match op {
                    IntOp::And => u & (y | v) | v & (x | u),
                    IntOp::Or => u & (!y | v) | v & (!x | u),
                    IntOp::Xor => u | v,
                    IntOp::Shl if v == 0 && y < u64::from(width) => u << y,
                    IntOp::ShrU if v == 0 && y < u64::from(width) => (u & mask(width)) >> y,
                    _ => u64::MAX,
                };
                if let Ok(value) = int::binary(op, width, NoWrap::default(), x, y) {
                    self.registers[dst as usize][lane as usize] = value;
                }
                self.set_unknown(dst, lane, Some(Unknown { origin: first.origin, bits: bits & mask(width) }));
            }
        }
    }

    /// Like [`refine`](Self::refine), after keeping the lowest bits of a register.
    pub(crate) fn refine_truncated(&mut self, dst: Slot, src: Slot, width: u32, active: u32) {
        for lane in lanes_of(self.undefined_in(dst) & active) {
            let unknown = self.unknowns.get(src, lane);
            self.registers[dst as usize][lane as usize] = self.get(src)[lane as usize] & mask(width);
            self.set_unknown(dst, lane, Some(Unknown { bits: unknown.bits & mask(width), ..unknown }));
        }
    }
}
