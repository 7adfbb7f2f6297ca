//! What every GPU does in one thread.

use super::copy::{CopyFamily, THREAD};
use super::family::{Family, SCALAR};
use super::mma::Instruction;
use crate::element::Element::{F16, F32};

pub(super) const MMA: &[Family] = &[Family {
    name: "UniversalFMA<{d},{a},{b},{c}>",
    instruction: Instruction::Fma,
    types: &[[F32; 4], [F16; 4]],
    ..SCALAR
}];

pub(super) const COPY: &[CopyFamily] =
    &[CopyFamily { name: "UniversalCopy<uint{x}_t>", x: &[8, 16, 32, 64, 128], ..THREAD }];
