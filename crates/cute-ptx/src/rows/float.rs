//! Arithmetic of floats. The LLVM dialect has its own ops for most of it.

use super::{Family, NONE, Refused, Row, Spellings, ptx};
use crate::operation::Float as F;
use crate::operation::Operation as O;

/// A float instruction that rounds.
macro_rules! rounded {
    ($op:ident $name:literal $operands:literal) => {
        Row {
            operation: O::Float(F::$op),
            ptx: &[
                concat!(
                    $name,
                    ".{rounding?}.{?ftz}.{?sat}.{?relu}.{type=f32,f16,bf16,f16x2,bf16x2,f32x2} d, ",
                    $operands
                ),
                concat!($name, ".{rounding?}.{type=f64} d, ", $operands),
            ],
            nvvm: NONE,
            intrinsic: &[
                concat!(
                    $name,
                    ".{rounding?}.{?ftz}.{?sat}.{?relu}.{type?=f,f32,f16,f16x2,bf*} ",
                    $operands,
                    " -> d"
                ),
                concat!($name, ".{rounding?}.{type=d} ", $operands, " -> d"),
            ],
        }
    };
}

/// A float instruction that may be approximate.
macro_rules! quotient {
    ($op:ident $name:literal $operands:literal, $nvvm:expr) => {
        Row {
            operation: O::Float(F::$op),
            ptx: &[
                concat!($name, ".{?approx}.{?full}.{rounding?}.{?ftz}.{type=f32} d, ", $operands),
                concat!($name, ".{?approx}.{rounding?}.{?ftz}.{type=f64} d, ", $operands),
            ],
            nvvm: $nvvm,
            intrinsic: &[
                concat!($name, ".{?approx}.{?full}.{rounding?}.{?ftz}.{type?=f} ", $operands, " -> d"),
                concat!($name, ".{?approx}.{rounding?}.{?ftz}.{type=d} ", $operands, " -> d"),
            ],
        }
    };
}

/// A float instruction that is always approximate.
macro_rules! approximate {
    ($op:ident $name:literal) => {
        approximate!($op $name "f*,bf*")
    };
    ($op:ident $name:literal $types:literal) => {
        Row {
            operation: O::Float(F::$op),
            ptx: &[concat!($name, ".{!approx}.{?ftz}.{type=f32,f64,f16,bf16,f16x2,bf16x2} d, a")],
            nvvm: NONE,
            intrinsic: &[concat!($name, ".{!approx}.{?ftz}.{type?=", $types, "} a -> d")],
        }
    };
}

/// The less or the greater of two floats.
macro_rules! extremum {
    ($op:ident $name:literal $intrinsic:literal) => {
        Row {
            operation: O::Float(F::$op),
            ptx: &[
                concat!($name, ".{?ftz}.{?NaN}.{type=f32,f64,f16,bf16,f16x2,bf16x2} d, a, b"),
                concat!($name, ".{?ftz}.{?NaN}.{!xorsign}.{!abs}.{type=f32,f16,bf16,f16x2,bf16x2} d, a, b"),
                concat!($name, ".{?ftz}.{?NaN}.{?abs}.{type=f32} d, a, b, c"),
            ],
            nvvm: NONE,
            intrinsic: &[
                concat!($intrinsic, ".{?ftz}.{?nan}.{type?=f*,bf*,d} a, b -> d"),
                concat!($intrinsic, ".{?ftz}.{?nan}.{!xorsign}.{!abs}.{type=f*,bf*} a, b -> d"),
            ],
        }
    };
}

pub(super) const FAMILY: Family = Family { rows: ROWS, refused: REFUSED, ..Family::NONE };

const ROWS: &[Row] = &[
    rounded!(Add "add" "a, b"),
    rounded!(Sub "sub" "a, b"),
    rounded!(Mul "mul" "a, b"),
    rounded!(Fma "fma" "a, b, c"),
    quotient!(Div "div" "a, b", NONE),
    quotient!(Sqrt "sqrt" "a", NONE),
    quotient!(Rcp "rcp" "a", &["rcp.{!approx}.{!ftz}.{type=f} a -> d"]),
    approximate!(Rsqrt "rsqrt" "f,d"),
    approximate!(Ex2 "ex2"),
    approximate!(Lg2 "lg2"),
    approximate!(Sin "sin"),
    approximate!(Cos "cos"),
    approximate!(Tanh "tanh"),
    // Operands of half precision beside f32, to which they are widened first.
    ptx(O::Float(F::Add), &["add.{rounding?}.{?sat}.{type=f32}.{narrow:type=f16,bf16} d, a:narrow, c"]),
    ptx(O::Float(F::Sub), &["sub.{rounding?}.{?sat}.{type=f32}.{narrow:type=f16,bf16} d, a:narrow, c"]),
    ptx(
        O::Float(F::Fma),
        &["fma.{rounding}.{?sat}.{type=f32}.{narrow:type=f16,bf16} d, a:narrow, b:narrow, c"],
    ),
    ptx(
        O::Float(F::Fma),
        &["mad.{rounding?}.{?ftz}.{?sat}.{type=f32} d, a, b, c", "mad.{rounding}.{type=f64} d, a, b, c"],
    ),
    ptx(O::CopySign, &["copysign.{type=f32,f64} d, a, b"]),
    Row {
        operation: O::Float(F::Neg),
        ptx: &["neg.{?ftz}.{type=f32,f64,f16,bf16,f16x2,bf16x2} d, a"],
        nvvm: NONE,
        intrinsic: &["neg.{type=bf*} a -> d"],
    },
    Row {
        operation: O::Float(F::Abs),
        ptx: &["abs.{?ftz}.{type=f32,f64,f16,bf16,f16x2,bf16x2} d, a"],
        nvvm: NONE,
        intrinsic: &["fabs.{?ftz} a -> d"],
    },
    extremum!(Min "min" "fmin"),
    extremum!(Max "max" "fmax"),
];

const REFUSED: &[Refused] = &[
    Refused {
        reason: "PTX does not give the bits of the NaN that stands for elements out of bounds",
        names: Spellings { ptx: &["fma.oob"], nvvm: NONE, intrinsic: NONE },
    },
    Refused {
        reason: "PTX has no `lg2` of f64",
        names: Spellings { ptx: NONE, nvvm: NONE, intrinsic: &["lg2.approx.d"] },
    },
    Refused {
        reason: "PTX has no `.ftz` and no `.sat` of bf16",
        names: Spellings {
            ptx: NONE,
            nvvm: NONE,
            intrinsic: &[
                "fma.rn.ftz.*.bf16",
                "fma.rn.ftz.*.bf16x2",
                "fma.rn.ftz.bf16",
                "fma.rn.ftz.bf16x2",
                "fma.rn.sat.bf16",
                "fma.rn.sat.bf16x2",
                "fmax.ftz.*.bf16",
                "fmax.ftz.*.bf16x2",
                "fmax.ftz.bf16",
                "fmax.ftz.bf16x2",
                "fmin.ftz.*.bf16",
                "fmin.ftz.*.bf16x2",
                "fmin.ftz.bf16",
                "fmin.ftz.bf16x2",
            ],
        },
    },
];
