//! Volta: `mma.sync.m8n8k4`, each quad pair (lanes q, q+1, q+2, q+3 and 16 above, q = 0, 4, 8, 12)
//! on its own matrices.

use crate::{
    atoms::{
        family::{MmaFamily, SCALAR},
        model::{Instruction, Major},
    },
    element::Element::{self, F16, F32},
    feature::Availability,
};

/// Each thread has one row.
const ROW: &str = "(8,4):(1,8)";
/// Each thread has four adjacent elements of a column.
const COLUMN: &str = "((4,2),4):((8,4),1)";

const QUAD_PAIR: MmaFamily = MmaFamily {
    instruction: Instruction::MMA_SYNC,
    on: Availability::From(7, 0),
    m: &[8],
    n: &[8],
    k: 4,
    thr_id: "(4,2):(1,16)",
    ..SCALAR
};
const HALF: MmaFamily = MmaFamily { types: &[[F16; 4]], c: "(8,8):(1,8)", ..QUAD_PAIR };
const SINGLE: MmaFamily =
    MmaFamily { types: &[F32_OF_F16], c: "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))", ..QUAD_PAIR };
const F32_OF_F16: [Element; 4] = [F32, F16, F16, F32];

const NN: (Major, Major) = (Major::Mn, Major::K);
const NT: (Major, Major) = (Major::Mn, Major::Mn);
const TN: (Major, Major) = (Major::K, Major::K);
const TT: (Major, Major) = (Major::K, Major::Mn);

pub(crate) const MMA: &[MmaFamily] = &[
    MmaFamily { name: "SM70_{m}x{n}x{k}_{D}{A}{B}{C}_NN", majors: NN, a: COLUMN, b: ROW, ..HALF },
    MmaFamily { name: "SM70_{m}x{n}x{k}_{D}{A}{B}{C}_NT", majors: NT, a: COLUMN, b: COLUMN, ..HALF },
    MmaFamily { name: "SM70_{m}x{n}x{k}_{D}{A}{B}{C}_TN", majors: TN, a: ROW, b: ROW, ..HALF },
    MmaFamily { name: "SM70_{m}x{n}x{k}_{D}{A}{B}{C}_TT", majors: TT, a: ROW, b: COLUMN, ..HALF },
    MmaFamily { name: "SM70_{m}x{n}x{k}_{D}{A}{B}{C}_NN", majors: NN, a: COLUMN, b: ROW, ..SINGLE },
    MmaFamily { name: "SM70_{m}x{n}x{k}_{D}{A}{B}{C}_NT", majors: NT, a: COLUMN, b: COLUMN, ..SINGLE },
    MmaFamily { name: "SM70_{m}x{n}x{k}_{D}{A}{B}{C}_TN", majors: TN, a: ROW, b: ROW, ..SINGLE },
    MmaFamily { name: "SM70_{m}x{n}x{k}_{D}{A}{B}{C}_TT", majors: TT, a: ROW, b: COLUMN, ..SINGLE },
];
