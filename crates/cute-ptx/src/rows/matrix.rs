//! Matrices between shared memory and the registers of a warp.

use super::{Family, Row};
use crate::operation::Operation as O;

pub(super) const FAMILY: Family = Family { rows: ROWS, ..Family::NONE };

const ROWS: &[Row] = &[
    Row {
        operation: O::LoadMatrix,
        ptx: &[
            "ldmatrix.sync.aligned.m8n8.{matrices}.{transposition?}.{space?=shared,shared::cta}.{matrix=b16} {d}, [at]",
            "ldmatrix.sync.aligned.m16n16.{matrices=x1,x2}.{transposition}.{space?=shared,shared::cta}.{matrix=b8,b8x16*} {d}, [at]",
            "ldmatrix.sync.aligned.m8n16.{matrices}.{space?=shared,shared::cta}.{matrix=b8x16*} {d}, [at]",
        ],
        nvvm: &["ldmatrix at -> {d} | num=#count, layout={transposition}, eltType={matrix}"],
        intrinsic: &[
            "ldmatrix.sync.aligned.m8n8.{matrices}.{transposition?}.{matrix=b16} at -> {d}",
            "ldmatrix.sync.aligned.m16n16.{matrices=x1,x2}.{transposition}.{matrix=b8,b8x16*} at -> {d}",
            "ldmatrix.sync.aligned.m8n16.{matrices}.{matrix=b8x16*} at -> {d}",
        ],
    },
    Row {
        operation: O::StoreMatrix,
        ptx: &[
            "stmatrix.sync.aligned.m8n8.{matrices}.{transposition?}.{space?=shared,shared::cta}.{matrix=b16} [at], {values}",
            "stmatrix.sync.aligned.m16n8.{matrices}.{transposition}.{space?=shared,shared::cta}.{matrix=b8} [at], {values}",
        ],
        nvvm: &["stmatrix at, values* | layout={transposition}, eltType={matrix=b16,b8}"],
        intrinsic: &[
            "stmatrix.sync.aligned.m8n8.{matrices}.{transposition?}.{matrix=b16} at, values*",
            "stmatrix.sync.aligned.m16n8.{matrices}.{transposition}.{matrix=b8} at, values*",
        ],
    },
];
