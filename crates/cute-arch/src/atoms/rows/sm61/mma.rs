//! Pascal: dot products of packed integers in one thread.

use crate::{
    atoms::family::{MmaFamily, SCALAR},
    element::Element::{S8, S16, S32},
    feature::Availability,
};

const DOT: MmaFamily = MmaFamily { on: Availability::From(6, 1), ..SCALAR };

pub(crate) const MMA: &[MmaFamily] = &[
    MmaFamily {
        name: "SM61_DP2A",
        k: 2,
        types: &[[S32, S16, S16, S32]],
        a: "(1,2):(0,1)",
        b: "(1,2):(0,1)",
        ..DOT
    },
    MmaFamily {
        name: "SM61_DP4A",
        k: 4,
        types: &[[S32, S8, S8, S32]],
        a: "(1,4):(0,1)",
        b: "(1,4):(0,1)",
        ..DOT
    },
];
