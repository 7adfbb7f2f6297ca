//! Turing: the first `mma.sync` of a whole warp.

use crate::{
    atoms::family::{MmaFamily, ROW_8X8, WARP},
    element::Element::{F16, F32, S8, S32},
    feature::Availability,
};

const TURING: MmaFamily =
    MmaFamily { name: "SM75_{m}x{n}x{k}_{D}{A}{B}{C}_TN", on: Availability::From(7, 5), ..WARP };

pub(crate) const MMA: &[MmaFamily] = &[
    MmaFamily {
        k: 8,
        types: &[[F16; 4], [F32, F16, F16, F32]],
        a: "((4,8),(2,2)):((32,1),(16,8))",
        b: "((4,8),2):((16,1),8)",
        ..TURING
    },
    MmaFamily {
        m: &[8],
        k: 16,
        types: &[[S32, S8, S8, S32]],
        a: "((4,8),4):((32,1),8)",
        b: "((4,8),4):((32,1),8)",
        c: ROW_8X8,
        ..TURING
    },
];
