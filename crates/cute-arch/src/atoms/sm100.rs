//! Blackwell, in one thread: two f32 at once.

use super::family::{Family, SCALAR};
use super::mma::Instruction;
use crate::feature::Feature;

const PAIR: Family = Family {
    name: "SM100_{m}x{n}x{k}_{D}{A}{B}{C}",
    instruction: Instruction::Fma,
    on: Feature::FmaPairs.on(),
    c: "(1,2):(0,1)",
    ..SCALAR
};

pub(super) const MMA: &[Family] =
    &[Family { n: &[2], b: "(1,2):(0,1)", ..PAIR }, Family { m: &[2], a: "(1,2):(0,1)", ..PAIR }];
