//! Arithmetic. The LLVM dialect has its own ops for most of it.

use super::{NONE, Row, ptx};
use crate::operation::Operation as O;
use crate::operation::{Float as F, Integer as I};

/// A float instruction that rounds: f64 to the nearest.
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
                concat!($name, ".{rounding?=rn}.{type=f64} d, ", $operands),
            ],
            nvvm: NONE,
            intrinsic: &[
                concat!(
                    $name,
                    ".{rounding?}.{?ftz}.{?sat}.{?relu}.{type?=f,f32,f16,f16x2,bf*} ",
                    $operands,
                    " -> d"
                ),
                concat!($name, ".{rounding?=rn}.{type=d} ", $operands, " -> d"),
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
                concat!($name, ".{?approx}.{rounding?=rn}.{?ftz}.{type=f64} d, ", $operands),
            ],
            nvvm: $nvvm,
            intrinsic: &[
                concat!($name, ".{?approx}.{?full}.{rounding?}.{?ftz}.{type?=f} ", $operands, " -> d"),
                concat!($name, ".{?approx}.{rounding?=rn}.{?ftz}.{type=d} ", $operands, " -> d"),
            ],
        }
    };
}

/// A float instruction that is always approximate.
macro_rules! approximate {
    ($op:ident $name:literal) => {
        Row {
            operation: O::Float(F::$op),
            ptx: &[concat!($name, ".{!approx}.{?ftz}.{type=f32,f64,f16,bf16,f16x2,bf16x2} d, a")],
            nvvm: NONE,
            intrinsic: &[concat!($name, ".{!approx}.{?ftz}.{type?=f*,bf*,d} a -> d")],
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
                concat!($name, ".{?ftz}.{?NaN}.{type=f32} d, a, b, c"),
            ],
            nvvm: NONE,
            intrinsic: &[concat!($intrinsic, ".{?ftz}.{?nan}.{type?=f*,bf*,d} a, b -> d")],
        }
    };
}

pub(super) const ROWS: &[Row] = &[
    ptx(O::Integer(I::Add), &["add.{type=u*,s*,b8,b16,b32,b64} d, a, b"]),
    ptx(O::Integer(I::Sub), &["sub.{type=u*,s*,b8,b16,b32,b64} d, a, b"]),
    ptx(O::Integer(I::Mul), &["mul.lo.{type=u*,s*,b8,b16,b32,b64} d, a, b"]),
    ptx(O::Integer(I::And), &["and.{type=u*,s*,b8,b16,b32,b64,pred} d, a, b"]),
    ptx(O::Integer(I::Or), &["or.{type=u*,s*,b8,b16,b32,b64,pred} d, a, b"]),
    ptx(O::Integer(I::Xor), &["xor.{type=u*,s*,b8,b16,b32,b64,pred} d, a, b"]),
    ptx(O::Integer(I::Shl), &["shl.{type=u*,s*,b8,b16,b32,b64} d, a, b"]),
    ptx(O::Integer(I::Shr), &["shr.{type=u*,s*,b8,b16,b32,b64} d, a, b"]),
    ptx(O::Integer(I::Min), &["min.{type=u*,s*} d, a, b"]),
    ptx(O::Integer(I::Max), &["max.{type=u*,s*} d, a, b"]),
    ptx(O::Integer(I::Not), &["not.{type=b16,b32,b64,pred} d, a"]),
    ptx(O::Integer(I::Neg), &["neg.{type=s16,s32,s64} d, a"]),
    ptx(O::Integer(I::Abs), &["abs.{type=s16,s32,s64} d, a"]),
    ptx(O::Integer(I::Popcount), &["popc.{type=b32,b64} d, a"]),
    ptx(O::Integer(I::LeadingZeros), &["clz.{type=b32,b64} d, a"]),
    ptx(O::Integer(I::ReverseBits), &["brev.{type=b32,b64} d, a"]),
    ptx(O::Integer(I::Div), &["div.{type=u16,u32,u64,s16,s32,s64} d, a, b"]),
    ptx(O::Integer(I::Rem), &["rem.{type=u16,u32,u64,s16,s32,s64} d, a, b"]),
    ptx(O::Integer(I::AddSaturated), &["add.sat.{type=s32} d, a, b"]),
    ptx(O::Integer(I::SubSaturated), &["sub.sat.{type=s32} d, a, b"]),
    ptx(O::Integer(I::MulHigh), &["mul.hi.{type=u16,u32,u64,s16,s32,s64} d, a, b"]),
    ptx(O::Integer(I::MulWide), &["mul.wide.{type=u16,u32,s16,s32} d, a, b"]),
    ptx(O::Integer(I::MulAdd), &["mad.lo.{type=u16,u32,u64,s16,s32,s64} d, a, b, c"]),
    ptx(O::Integer(I::MulAddHigh), &["mad.hi.{type=u16,u32,u64,s16,s32,s64} d, a, b, c"]),
    ptx(O::Integer(I::MulAddWide), &["mad.wide.{type=u16,u32,s16,s32} d, a, b, c"]),
    ptx(O::Integer(I::FunnelLeft), &["shf.l.{clamp|wrap}.b32 d, a, b, c"]),
    ptx(O::Integer(I::FunnelRight), &["shf.r.{clamp|wrap}.b32 d, a, b, c"]),
    ptx(O::Integer(I::ExtractBits), &["bfe.{type=u32,u64,s32,s64} d, a, b, c"]),
    ptx(O::Integer(I::Logic), &["lop3.{type=b32} d, a, b, c, #id"]),
    ptx(O::Convert, &["cvt.{to:type=u*,s*}.{from:type=u*,s*} d, a"]),
    ptx(O::FromInteger, &["cvt.{rounding=rn}.{to:type=f16,bf16,f32,f64}.{from:type=u*,s*} d, a"]),
    ptx(O::ToInteger, &["cvt.{rni|rzi|rmi|rpi}.{?ftz}.{to:type=u*,s*}.{from:type=f16,bf16,f32,f64} d, a"]),
    Row {
        operation: O::Integer(I::Extend),
        ptx: &["szext.{clamp|wrap}.{type=u32,s32} d, a, b"],
        nvvm: NONE,
        intrinsic: &["{zext|sext}.{clamp|wrap} a, b -> d"],
    },
    ptx(
        O::Compare,
        &[
            "setp.{compare}.{type=u*,s*,b8,b16,b32,b64} d, a, b",
            "setp.{compare}.{bool}.{type=u*,s*,b16,b32,b64} d, a, b, q",
            "setp.{float_compare}.{?ftz}.{type=f16,bf16,f32,f64} d, a, b",
            "setp.{float_compare}.{bool}.{?ftz}.{type=f16,bf16,f32,f64} d, a, b, q",
        ],
    ),
    ptx(O::Select, &["selp.{type=b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64} d, a, b, q"]),
    Row {
        operation: O::Permute,
        ptx: &["prmt.b32 d, a, b, c"],
        nvvm: &["prmt a, b, c -> d | mode={permute}"],
        intrinsic: &["prmt a, b, c -> d"],
    },
    Row {
        operation: O::DotBytes,
        ptx: &["dp4a.{of_a:sign}.{of_b:sign} d, a, b, c"],
        nvvm: &["dot.accumulate.4way a, b, c -> d | a_type={of_a:sign}, b_type={of_b:sign}"],
        intrinsic: &["idp4a.{of_a:sign}.{of_b:sign} a, b, c -> d"],
    },
    Row {
        operation: O::DotHalves,
        ptx: &["dp2a.{lo|hi}.{of_a:sign}.{of_b:sign} d, a, b, c"],
        nvvm: &["dot.accumulate.2way a, b, c -> d | a_type={of_a:sign}, b_type={of_b:sign}, b_hi?"],
        intrinsic: &["idp2a.{of_a:sign}.{of_b:sign} a, b, #id, c -> d"],
    },
    rounded!(Add "add" "a, b"),
    rounded!(Sub "sub" "a, b"),
    rounded!(Mul "mul" "a, b"),
    rounded!(Fma "fma" "a, b, c"),
    quotient!(Div "div" "a, b", NONE),
    quotient!(Sqrt "sqrt" "a", NONE),
    quotient!(Rcp "rcp" "a", &["rcp.{!approx}.{!ftz}.{type=f} a -> d"]),
    approximate!(Rsqrt "rsqrt"),
    approximate!(Ex2 "ex2"),
    approximate!(Lg2 "lg2"),
    approximate!(Sin "sin"),
    approximate!(Cos "cos"),
    approximate!(Tanh "tanh"),
    ptx(O::Float(F::Neg), &["neg.{?ftz}.{type=f32,f64,f16,bf16,f16x2,bf16x2} d, a"]),
    ptx(O::Float(F::Abs), &["abs.{?ftz}.{type=f32,f64,f16,bf16,f16x2,bf16x2} d, a"]),
    extremum!(Min "min" "fmin"),
    extremum!(Max "max" "fmax"),
];
