//! The bytes of a bulk copy: rows in shared memory, and their places on the far side.

use crate::memory::address::SHARED_BASE;
use crate::update::Update;
use cute_algebra::Swizzle;
use cute_machine::types::Scalar;

/// Rows of bytes, one after the other in shared memory.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rows {
    /// The first byte in the cluster's shared memory.
    pub(crate) shared: usize,
    /// Bytes of a row.
    pub(crate) bytes: usize,
    pub(crate) list: Vec<Row>,
    pub(crate) far: Far,
    /// The swizzle of the address in a block's window.
    pub(crate) swizzle: Swizzle,
    /// The value of bytes outside the tensor.
    pub(crate) fill: Fill,
    /// The change of the bytes during the copy.
    pub(crate) change: Change,
}

/// The part of a row that is moved; the others are filled, or left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Row {
    /// The start on the far side.
    pub(crate) at: usize,
    /// Bytes of the row before it, and its own.
    pub(crate) skip: usize,
    pub(crate) len: usize,
}

/// The other side of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Far {
    /// A buffer of global memory.
    Global(u32),
    /// The cluster's shared memory.
    Shared,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fill {
    Zero,
    /// Elements of this number of bytes, with all bits set except the sign.
    Nan(usize),
}

/// Bytes to which groups of 16 elements are padded.
pub(crate) const PADDED: usize = 16;

/// The change of the bytes between global and shared memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Change {
    Nothing,
    /// Each group of this number of bytes is padded to [`PADDED`].
    Unpack(usize),
    /// Each byte has an element of 6 bits; 16 of them are packed to this number of bytes.
    Pack(usize),
    /// Elements of this type update those at the destination.
    Reduce(Update, Scalar),
    /// Words are floats: subnormals become zero, they are rounded to tf32.
    Float {
        flush: bool,
        round: bool,
    },
}

impl Rows {
    /// Bytes in shared memory.
    pub(crate) fn all(&self) -> usize {
        self.bytes * self.list.len()
    }

    /// Bytes that a barrier counts: those that pad elements are not among them.
    pub(crate) fn counted(&self) -> usize {
        match self.change {
            Change::Unpack(bytes) => self.all() / PADDED * bytes,
            _ => self.all(),
        }
    }

    /// The bytes in shared memory that a store sends, without those that a mask leaves out and
    /// those outside the tensor: the start and the length of each run, from the first byte on.
    pub(crate) fn sent(&self) -> Vec<(usize, usize)> {
        // A part of a row has another length in memory if its elements are packed.
        let in_parts = !matches!(self.change, Change::Unpack(_) | Change::Pack(_));
        let is_whole = |row: &Row| row.len == self.bytes || !in_parts && row.len > 0;
        if !self.swizzle.is_identity() || self.list.iter().all(is_whole) {
            return vec![(0, self.all())];
        }
        let rows = self.list.iter().enumerate().filter(|(_, row)| row.len > 0);
        let run = |i: usize, row: &Row| {
            if in_parts { (i * self.bytes + row.skip, row.len) } else { (i * self.bytes, self.bytes) }
        };
        rows.map(|(i, row)| run(i, row)).collect()
    }

    /// The unit that a swizzle leaves whole.
    pub(crate) fn unit(&self) -> usize {
        if self.swizzle.is_identity() { self.bytes } else { 1 << self.swizzle.base() }
    }

    /// The places in shared memory of a range of the copy's bytes, from `at` on, unit by unit.
    pub(crate) fn units(&self, at: usize, bytes: usize, stride: usize) -> impl Iterator<Item = usize> {
        let unit = self.unit().max(1);
        (at..at + bytes).step_by(unit).map(move |at| self.place(self.shared + at, stride))
    }

    /// The place of a byte that would be at `start` without a swizzle.
    pub(crate) fn place(&self, start: usize, stride: usize) -> usize {
        if self.swizzle.is_identity() {
            return start;
        }
        let window = start - start % stride.max(1);
        let address = (start - window) as u64 + SHARED_BASE;
        let source = address & self.swizzle.source_mask() as u64;
        window + ((address ^ source >> self.swizzle.shift()) - SHARED_BASE) as usize
    }

    /// The accessed bytes of shared memory: the start and the length of each run.
    pub(crate) fn runs(&self, stride: usize) -> Vec<(usize, usize)> {
        // A swizzle moves units within rows of 128 bytes.
        if self.swizzle.is_identity() || self.all().is_multiple_of(128) && self.shared.is_multiple_of(128) {
            return vec![(self.shared, self.all())];
        }
        let unit = self.unit();
        self.units(0, self.all(), stride).map(|at| (at, unit)).collect()
    }
}

/// The rows of this many bytes from a place on, of which the mask selects some in each 16, and the
/// bytes of a row.
pub(crate) fn masked(start: usize, bytes: usize, mask: u16) -> (usize, Vec<Row>) {
    if bytes == 0 || mask == u16::MAX {
        let all = Row { at: start, skip: 0, len: bytes };
        return (bytes, if bytes == 0 { Vec::new() } else { vec![all] });
    }
    // The longest unit whose bytes are all selected or all not.
    let selects = |at: usize| mask >> (at % 16) & 1 != 0;
    let is_whole = |unit: &usize| (0..16).all(|at| selects(at) == selects(at / unit * unit));
    let unit = [8, 4, 2].into_iter().find(is_whole).unwrap_or(1);
    let units = (0..bytes).step_by(unit);
    let row = |at: usize| Row { at: start + at, skip: 0, len: if selects(at) { unit } else { 0 } };
    (unit, units.map(row).collect())
}
