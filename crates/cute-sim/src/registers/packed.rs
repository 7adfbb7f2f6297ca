//! Registers as the 32-bit words of matrix operands, lane by lane, lowest bits first.

use super::Registers;
use crate::lanes::Lanes;
use crate::operand::{Piece, Slot};
use cute_arch::WARP;

const LANES: usize = WARP as usize;

impl Registers {
    /// The words of these registers.
    pub(crate) fn pack(&self, pieces: &[Piece]) -> Vec<u32> {
        self.pack_from(pieces, |slot| *self.get(slot))
    }

    /// The words of what `register` gives for each of these registers.
    pub(crate) fn pack_from(&self, pieces: &[Piece], register: impl Fn(Slot) -> Lanes) -> Vec<u32> {
        let words = pieces.iter().map(|p| p.bits).sum::<u32>().div_ceil(32) as usize;
        let mut packed = vec![0; words * LANES];
        let mut bit = 0;
        for piece in pieces {
            for (lane, value) in register(piece.slot).iter().enumerate() {
                let word = lane * words + bit / 32;
                let low = if piece.bits < 32 { *value & ((1 << piece.bits) - 1) } else { *value };
                packed[word] |= (low as u32) << (bit % 32);
                if piece.bits == 64 {
                    packed[word + 1] = (value >> 32) as u32;
                }
            }
            bit += piece.bits as usize;
        }
        packed
    }

    /// Sets these registers in all lanes.
    pub(crate) fn unpack(&mut self, pieces: &[Piece], packed: &[u32]) {
        unpacked(pieces, packed, |slot, value| self.set(slot, u32::MAX, value, 0));
    }
}

/// Gives each register its part of the words of all lanes.
pub(crate) fn unpacked(pieces: &[Piece], packed: &[u32], mut give: impl FnMut(Slot, &Lanes)) {
    let words = packed.len() / LANES;
    let mut bit = 0;
    for piece in pieces {
        let value = std::array::from_fn(|lane| {
            let word = lane * words + bit / 32;
            let low = u64::from(packed[word]) >> (bit % 32);
            match piece.bits {
                64 => low | u64::from(packed[word + 1]) << 32,
                bits => low & ((1 << bits) - 1),
            }
        });
        give(piece.slot, &value);
        bit += piece.bits as usize;
    }
}
