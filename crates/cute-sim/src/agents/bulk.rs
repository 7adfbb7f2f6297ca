//! Moves the bytes of bulk copies.

use crate::engine::bulk::*;
use crate::machine::cluster::Cluster;
use crate::program::Update;
use crate::update::apply;
use cute_machine::types::Scalar;

impl Cluster<'_> {
    /// Moves the bytes to shared memory.
    pub(crate) fn fetch(&mut self, rows: &Rows) {
        self.changes += 1;
        let mut row = vec![0; rows.bytes];
        let mut packed = Vec::new();
        let unit = rows.unit();
        for (i, part) in rows.list.iter().enumerate() {
            rows.fill.apply(&mut row);
            let to = match rows.change {
                Change::Unpack(_) => {
                    packed.resize(part.len, 0);
                    &mut packed
                }
                _ => &mut row[part.skip..part.skip + part.len],
            };
            match rows.far {
                Far::Global(buffer) => {
                    if let Some(buffer) = self.machine.buffers.get(buffer as usize) {
                        buffer.read_slice(part.at, to);
                    }
                }
                Far::Shared => to.copy_from_slice(self.shared.slice(part.at, part.len)),
            }
            match rows.change {
                Change::Nothing | Change::Pack(_) => {}
                Change::Unpack(bytes) => {
                    let units = row[part.skip..].chunks_exact_mut(PADDED).zip(packed.chunks_exact(bytes));
                    units.for_each(|(to, from)| to[..bytes].copy_from_slice(from));
                }
                Change::Float { flush, round } => change_floats(&mut row, flush, round),
                Change::Reduce(update, scalar) => {
                    let old = self.shared.slice(rows.shared + i * rows.bytes, rows.bytes);
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
            let places = rows.units(i * rows.bytes, rows.bytes, self.stride);
            for (to, from) in places.zip(row.chunks(unit.max(1))) {
                self.shared.write_slice(to, from);
            }
        }
    }

    /// Puts values to shared memory.
    pub(crate) fn put(&mut self, values: &[Value], scalar: Scalar, update: Option<Update>) {
        self.changes += 1;
        let size = scalar.bytes() as usize;
        for Value { at, bits } in values {
            let old = self.shared.read(*at, size);
            let new = update.map_or(Ok(*bits), |update| apply(update, scalar, old, *bits, 0));
            self.shared.write(*at, size, new.unwrap_or(old));
        }
    }

    /// The bytes that leave shared memory, without those outside the tensor.
    pub(crate) fn collect(&self, rows: &Rows) -> Vec<u8> {
        let mut all = Vec::with_capacity(rows.all());
        let mut row = Vec::with_capacity(rows.bytes);
        let unit = rows.unit();
        for (i, part) in rows.list.iter().enumerate() {
            row.clear();
            for at in rows.units(i * rows.bytes, rows.bytes, self.stride) {
                row.extend_from_slice(self.shared.slice(at, unit.min(rows.bytes - row.len())));
            }
            match rows.change {
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
