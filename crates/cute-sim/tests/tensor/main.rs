//! The matrix instructions of a warp against published facts, without any program around them.

mod conversions;
mod matrix;
mod numerics;
mod one_hot;
mod scaled;

use cute_arch::{
    Element,
    atoms::{Instruction, Operand},
};
use cute_sim::matrix::Mma;

/// Every `mma.sync` that is modelled.
fn models() -> impl Iterator<Item = &'static Mma> {
    Instruction::MMA_SYNC.atoms().filter_map(Mma::of)
}

/// The code of 1.
fn one(element: Element) -> u64 {
    use cute_sim::format::{Overflow, Rounding, encode};
    encode(element, 1.0, Rounding::NearestEven, Overflow::Ieee).unwrap_or(1)
}

/// Bits below an element in what holds it: an fp4 lies in the centre of a byte.
fn padding(operand: &Operand) -> usize {
    if (operand.element.bits(), operand.bits) == (4, 8) { 2 } else { 0 }
}

/// Words of all lanes.
fn zeros(registers: usize) -> Vec<u32> {
    vec![0; 32 * registers]
}

/// Puts a code at a bit of a lane's registers.
fn put(words: &mut [u32], lane: usize, bit: usize, code: u64) {
    let registers = words.len() / 32;
    let lane = &mut words[lane * registers..][..registers];
    lane[bit / 32] |= (code << (bit % 32)) as u32;
    if bit.is_multiple_of(32) && code > u64::from(u32::MAX) {
        lane[bit / 32 + 1] = (code >> 32) as u32;
    }
}

/// Takes the code at a bit of a lane's registers.
fn take(words: &[u32], lane: usize, bit: usize, width: u32) -> u64 {
    let registers = words.len() / 32;
    let lane = &words[lane * registers..][..registers];
    let high = if width == 64 { u64::from(lane[bit / 32 + 1]) << 32 } else { 0 };
    (high | u64::from(lane[bit / 32])) >> (bit % 32) & (u64::MAX >> (64 - width))
}
