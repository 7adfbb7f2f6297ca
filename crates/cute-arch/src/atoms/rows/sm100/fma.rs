//! Blackwell, in one thread: two f32 at once.

use crate::{
    atoms::{
        family::{MmaFamily, SCALAR},
        model::Instruction,
    },
    feature::Feature,
};

const PAIR: MmaFamily = MmaFamily {
    name: "SM100_{m}x{n}x{k}_{D}{A}{B}{C}",
    instruction: Instruction::FMA,
    on: Feature::FmaPairs.on(),
    c: "(1,2):(0,1)",
    ..SCALAR
};

pub(crate) const MMA: &[MmaFamily] =
    &[MmaFamily { n: &[2], b: "(1,2):(0,1)", ..PAIR }, MmaFamily { m: &[2], a: "(1,2):(0,1)", ..PAIR }];
