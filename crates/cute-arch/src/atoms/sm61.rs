//! Pascal: dot products of packed integers in one thread.

use super::family::{Family, SCALAR};
use crate::element::Element::{S8, S16, S32};
use crate::feature::Availability;

const DOT: Family = Family { on: Availability::From(6, 1), ..SCALAR };

pub(super) const MMA: &[Family] = &[
    Family {
        name: "SM61_DP2A",
        k: 2,
        types: &[[S32, S16, S16, S32]],
        a: "(1,2):(0,1)",
        b: "(1,2):(0,1)",
        ..DOT
    },
    Family {
        name: "SM61_DP4A",
        k: 4,
        types: &[[S32, S8, S8, S32]],
        a: "(1,4):(0,1)",
        b: "(1,4):(0,1)",
        ..DOT
    },
];
