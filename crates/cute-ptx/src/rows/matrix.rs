//! Matrices between shared memory and the registers of a warp.

use super::{Family, Row};
use crate::keyword::keywords;
use crate::operation::Operation as O;
use cute_arch::atoms::MatrixElement;

pub(super) const FAMILY: Family = Family { rows: ROWS, words: WORDS, ..Family::NONE };

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

keywords! {
    const WORDS;

    [MatrixElement] "matrix" "#nvvm.ld_st_matrix_elt_type<*>" {
        (MatrixElement::B16) ["b16"] ["b16"] ["b16"],
        (MatrixElement::B8) ["b8"] ["b8"] ["b8"],
        (MatrixElement::B6x16P32) ["b8x16.b6x16_p32"] ["b8x16.b6x16_p32"] ["b8x16.b6x16_p32"],
        (MatrixElement::B4x16P64) ["b8x16.b4x16_p64"] ["b8x16.b4x16_p64"] ["b8x16.b4x16_p64"],
    }

    /// Whether matrices are transposed on the way.
    Transposition "transposition" "#nvvm.mma_layout<*>" {
        /// They are not.
        Straight [] ["row"] [],
        /// They are.
        Transposed ["trans"] ["col"] ["trans"],
    }

    /// The number of matrices that a warp moves.
    MatrixCount "matrices" "" {
        /// One.
        One ["x1"] [] ["x1"],
        /// Two.
        Two ["x2"] [] ["x2"],
        /// Four.
        Four ["x4"] [] ["x4"],
    }
}

impl MatrixCount {
    /// As an integer: 1, 2 or 4.
    pub fn number(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
        }
    }
}
