//! Registers as operands of instructions.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use serde::{Deserialize, Serialize};

/// Index of a 64-bit register of a thread. A value takes consecutive ones.
pub type Slot = u32;

/// One input, one output, `lanes` of each.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Unary {
    pub dst: Slot,
    pub a: Slot,
    pub lanes: u32,
}

/// Two inputs, one output, `lanes` of each.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Binary {
    pub dst: Slot,
    pub a: Slot,
    pub b: Slot,
    pub lanes: u32,
}

/// Three inputs, one output, `lanes` of each.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Ternary {
    pub dst: Slot,
    pub a: Slot,
    pub b: Slot,
    pub c: Slot,
    pub lanes: u32,
}

/// `len` slots from `src` to `dst`.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Move {
    pub dst: Slot,
    pub src: Slot,
    pub len: u32,
}

impl Move {
    /// The registers to which it copies values of which this is true.
    pub(crate) fn copies(&self, is_one: impl Fn(Slot) -> bool) -> Vec<Slot> {
        (0..self.len).filter(|i| is_one(self.src + i)).map(|i| self.dst + i).collect()
    }
}

/// A register as part of a matrix operand: its bits follow those of the piece before.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Piece {
    pub slot: Slot,
    pub bits: u32,
}
