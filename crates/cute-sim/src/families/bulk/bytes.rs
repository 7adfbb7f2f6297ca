//! Moves the bytes of bulk copies: functions of shared memory and of the buffers of global memory.

use super::rows::{Change, Far, Fill, PADDED, Rows};
use crate::memory::words::Words;
use crate::shared::SharedMemory;
use crate::update::{Update, apply, apply_in_global, one_at_a_time};
use cute_machine::types::Scalar;

impl Rows {
    /// Moves the bytes to shared memory.
    pub(crate) fn fetch(&self, shared: &mut SharedMemory, buffers: &[Words]) {
        let mut row = vec![0; self.bytes];
        let mut packed = Vec::new();
        let unit = self.unit();
        for (i, part) in self.list.iter().enumerate() {
            self.fill.apply(&mut row);
            let to = match self.change {
                Change::Unpack(_) => {
                    packed.resize(part.len, 0);
                    &mut packed
                }
                _ => &mut row[part.skip..part.skip + part.len],
            };
            match self.far {
                Far::Global(buffer) => {
                    if let Some(buffer) = buffers.get(buffer as usize) {
                        buffer.read_slice(part.at, to);
                    }
                }
                Far::Shared => to.copy_from_slice(shared.bytes().slice(part.at, part.len)),
            }
            match self.change {
                Change::Nothing | Change::Pack(_) => {}
                Change::Unpack(bytes) => {
                    let units = row[part.skip..].chunks_exact_mut(PADDED).zip(packed.chunks_exact(bytes));
                    units.for_each(|(to, from)| to[..bytes].copy_from_slice(from));
                }
                Change::Float { flush, round } => change_floats(&mut row, flush, round),
                Change::Reduce(update, scalar) => {
                    let old = shared.bytes().slice(self.shared + i * self.bytes, self.bytes);
                    let size = scalar.bytes() as usize;
                    for (new, old) in row.chunks_exact_mut(size).zip(old.chunks_exact(size)) {
                        let [by, old] = [&*new, old].map(|bytes| {
                            bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
                        });
                        let word = apply(update, scalar, old, by, 0).unwrap_or(old);
                        new.copy_from_slice(&word.to_le_bytes()[..size]);
                    }
                }
            }
            let places = self.units(i * self.bytes, self.bytes, shared.stride());
            for (to, from) in places.zip(row.chunks(unit.max(1))) {
                shared.bytes_mut().write_slice(to, from);
            }
        }
    }

    /// The bytes that leave shared memory, without those outside the tensor.
    pub(crate) fn collect(&self, shared: &SharedMemory) -> Vec<u8> {
        let mut all = Vec::with_capacity(self.all());
        let mut row = Vec::with_capacity(self.bytes);
        let unit = self.unit();
        for (i, part) in self.list.iter().enumerate() {
            row.clear();
            for at in self.units(i * self.bytes, self.bytes, shared.stride()) {
                row.extend_from_slice(shared.bytes().slice(at, unit.min(self.bytes - row.len())));
            }
            match self.change {
                Change::Pack(bytes) => {
                    for unit in row[part.skip..].chunks_exact(PADDED).take(part.len / bytes) {
                        let packed = unit.iter().rev().fold(0, |all, code| all << 6 | u128::from(code & 63));
                        all.extend_from_slice(&packed.to_le_bytes()[..bytes]);
                    }
                }
                _ => all.extend_from_slice(&row[part.skip..part.skip + part.len]),
            }
        }
        all
    }

    /// Writes the bytes that have left shared memory, or updates the old elements by them. Answers
    /// whether the far side is global memory.
    pub(super) fn send(
        &self,
        mut bytes: Vec<u8>,
        reduce: Option<(Update, Scalar)>,
        buffers: &[Words],
    ) -> bool {
        let Far::Global(buffer) = self.far else { return false };
        let Some(buffer) = buffers.get(buffer as usize) else { return false };
        let mut left = &mut bytes[..];
        let _guard = reduce.map(|_| one_at_a_time());
        for row in &self.list {
            let (own, rest) = left.split_at_mut(row.len);
            left = rest;
            if let Some((update, scalar)) = reduce {
                let size = scalar.bytes() as usize;
                for (element, at) in own.chunks_exact_mut(size).zip((row.at..).step_by(size)) {
                    let value = element.iter().rev().fold(0, |v, b| v << 8 | u64::from(*b));
                    let old = buffer.read(at, size);
                    let new = apply_in_global(update, scalar, old, value, 0).unwrap_or(old);
                    element.copy_from_slice(&new.to_le_bytes()[..size]);
                }
            }
            buffer.write_slice(row.at, own);
        }
        true
    }
}

impl Fill {
    fn apply(self, row: &mut [u8]) {
        row.fill(if self == Fill::Zero { 0 } else { 0xff });
        if let Fill::Nan(bytes) = self {
            row.chunks_exact_mut(bytes).for_each(|element| element[bytes - 1] = 0x7f);
        }
    }
}

/// Words as floats of 32 bits.
fn change_floats(row: &mut [u8], flush: bool, round: bool) {
    for word in row.chunks_exact_mut(4) {
        let mut bits = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        let is_finite = bits & 0x7f80_0000 != 0x7f80_0000;
        if flush && bits & 0x7f80_0000 == 0 {
            bits &= 0x8000_0000;
        }
        if round && is_finite {
            // Rounds to nearest, ties away from zero, as `cvt.rna.tf32` does.
            bits = bits.wrapping_add(0x1000) & !0x1fff;
        }
        word.copy_from_slice(&bits.to_le_bytes());
    }
}
