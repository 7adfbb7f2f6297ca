//! Atoms of a single thread that every GPU has.

use crate::atoms::{
    family::{CopyFamily, MmaFamily, SCALAR, THREAD},
    model::Instruction,
};
use crate::element::Element::{F16, F32};

pub(crate) const MMA: &[MmaFamily] = &[MmaFamily {
    name: "UniversalFMA<{d},{a},{b},{c}>",
    instruction: Instruction::FMA,
    types: &[[F32; 4], [F16; 4]],
    ..SCALAR
}];

pub(crate) const COPY: &[CopyFamily] =
    &[CopyFamily { name: "UniversalCopy<uint{x}_t>", x: &[8, 16, 32, 64, 128], ..THREAD }];
