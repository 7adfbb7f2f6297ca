//! Arithmetic of integers. The LLVM dialect has its own ops for most of it.

use super::{Family, NONE, Row, ptx};
use crate::keyword::keywords;
use crate::operation::Integer as I;
use crate::operation::Operation as O;

pub(super) const FAMILY: Family = Family { rows: ROWS, words: WORDS, ..Family::NONE };

const ROWS: &[Row] = &[
    ptx(
        O::Integer(I::Add),
        &["add.{type=u8,u16,u32,u64,s8,s16,s32,s64,b8,b16,b32,b64,u16x2,s16x2,u8x4,s8x4} d, a, b"],
    ),
    ptx(
        O::Integer(I::Sub),
        &["sub.{type=u8,u16,u32,u64,s8,s16,s32,s64,b8,b16,b32,b64,u16x2,s16x2,u8x4,s8x4} d, a, b"],
    ),
    ptx(O::Integer(I::Mul), &["mul.lo.{type=u8,u16,u32,u64,s8,s16,s32,s64,b8,b16,b32,b64} d, a, b"]),
    ptx(O::Integer(I::And), &["and.{type=u8,u16,u32,u64,s8,s16,s32,s64,b8,b16,b32,b64,pred} d, a, b"]),
    ptx(O::Integer(I::Or), &["or.{type=u8,u16,u32,u64,s8,s16,s32,s64,b8,b16,b32,b64,pred} d, a, b"]),
    ptx(O::Integer(I::Xor), &["xor.{type=u8,u16,u32,u64,s8,s16,s32,s64,b8,b16,b32,b64,pred} d, a, b"]),
    ptx(O::Integer(I::Shl), &["shl.{type=u8,u16,u32,u64,s8,s16,s32,s64,b8,b16,b32,b64} d, a, b:u32"]),
    ptx(O::Integer(I::Shr), &["shr.{type=u8,u16,u32,u64,s8,s16,s32,s64,b8,b16,b32,b64} d, a, b:u32"]),
    ptx(
        O::Integer(I::Min),
        &[
            "min.{type=u8,u16,u32,u64,s8,s16,s32,s64,u16x2,s16x2,u8x4,s8x4} d, a, b",
            "min.{!relu}.{type=s32,s16x2,s8x4} d, a, b",
            "min.{type=s16x2}.{!relu} d, a, b",
        ],
    ),
    ptx(
        O::Integer(I::Max),
        &[
            "max.{type=u8,u16,u32,u64,s8,s16,s32,s64,u16x2,s16x2,u8x4,s8x4} d, a, b",
            "max.{!relu}.{type=s32,s16x2,s8x4} d, a, b",
            "max.{type=s16x2}.{!relu} d, a, b",
        ],
    ),
    ptx(O::Integer(I::Not), &["not.{type=b16,b32,b64,pred} d, a"]),
    ptx(O::Integer(I::IsZero), &["cnot.{type=b16,b32,b64} d, a"]),
    ptx(O::Integer(I::Neg), &["neg.{type=s16,s32,s64,s8x4} d, a"]),
    ptx(O::Integer(I::Abs), &["abs.{type=s16,s32,s64} d, a"]),
    ptx(O::Integer(I::Popcount), &["popc.{type=b32,b64} d:u32, a"]),
    ptx(O::Integer(I::LeadingZeros), &["clz.{type=b32,b64} d:u32, a"]),
    ptx(O::Integer(I::ReverseBits), &["brev.{type=b32,b64} d, a"]),
    Row {
        operation: O::Integer(I::Find),
        ptx: &["bfind.{?shiftamt}.{type=u32,u64,s32,s64} d:u32, a"],
        nvvm: NONE,
        intrinsic: &["flo.s a, #id -> d | type=s32", "flo.u a, #id -> d | type=u32"],
    },
    Row {
        operation: O::Integer(I::NthSet),
        ptx: &["fns.b32 d, a, offset:b32, count:b32"],
        nvvm: NONE,
        intrinsic: &["fns a, offset, count -> d"],
    },
    ptx(O::Integer(I::Div), &["div.{type=u16,u32,u64,s16,s32,s64} d, a, b"]),
    ptx(O::Integer(I::Rem), &["rem.{type=u16,u32,u64,s16,s32,s64} d, a, b"]),
    ptx(O::Integer(I::AddSaturated), &["add.sat.{type=s32,u32,u16x2,s16x2,u8x4,s8x4} d, a, b"]),
    ptx(O::Integer(I::SubSaturated), &["sub.sat.{type=s32,u8x4,s8x4} d, a, b"]),
    ptx(
        O::Integer(I::AddCarry),
        &[
            "add.{!cc}.{type=u32,s32,b32,u64,s64,b64} d, a, b",
            "addc.{?cc}.{type=u32,s32,b32,u64,s64,b64} d, a, b",
        ],
    ),
    ptx(
        O::Integer(I::SubCarry),
        &[
            "sub.{!cc}.{type=u32,s32,b32,u64,s64,b64} d, a, b",
            "subc.{?cc}.{type=u32,s32,b32,u64,s64,b64} d, a, b",
        ],
    ),
    ptx(
        O::Integer(I::MulAddCarry),
        &[
            "mad.{lo|hi}.{!cc}.{type=u32,s32,u64,s64} d, a, b, c",
            "madc.{lo|hi}.{?cc}.{type=u32,s32,u64,s64} d, a, b, c",
        ],
    ),
    Row {
        operation: O::Integer(I::MulHigh),
        ptx: &["mul.hi.{type=u16,u32,u64,s16,s32,s64} d, a, b"],
        nvvm: NONE,
        intrinsic: &["mulhi.{type=s,us,i,ui,ll,ull} a, b -> d"],
    },
    ptx(O::Integer(I::MulWide), &["mul.wide.{type=u16,u32,s16,s32} d:wide, a, b"]),
    ptx(O::Integer(I::MulAdd), &["mad.lo.{type=u16,u32,u64,s16,s32,s64} d, a, b, c"]),
    ptx(O::Integer(I::MulAddHigh), &["mad.hi.{type=u16,u32,u64,s16,s32,s64} d, a, b, c"]),
    ptx(O::Integer(I::MulAddHighSaturated), &["mad.hi.sat.{type=s32} d, a, b, c"]),
    ptx(O::Integer(I::MulAddWide), &["mad.wide.{type=u16,u32,s16,s32} d:wide, a, b, c:wide"]),
    Row {
        operation: O::Integer(I::MulAdd24),
        ptx: &[
            "mul24.{lo|hi}.{type=u32,s32} d, a, b",
            "mad24.{lo|hi}.{type=u32,s32} d, a, b, c",
            "mad24.{!hi}.{!sat}.{type=s32} d, a, b, c",
        ],
        nvvm: NONE,
        intrinsic: &["mul24.{type=i,ui} a, b -> d"],
    },
    Row {
        operation: O::Integer(I::Distance),
        ptx: &["sad.{type=u16,u32,u64,s16,s32,s64} d, a, b, c"],
        nvvm: NONE,
        intrinsic: &["sad.{type=s,us,i,ui,ll,ull} a, b, c -> d"],
    },
    Row {
        operation: O::Integer(I::FunnelLeft),
        ptx: &["shf.l.{clamp|wrap}.b32 d, a, b, c:u32"],
        nvvm: NONE,
        intrinsic: &["fshl.{!clamp} b, a, c -> d"],
    },
    Row {
        operation: O::Integer(I::FunnelRight),
        ptx: &["shf.r.{clamp|wrap}.b32 d, a, b, c:u32"],
        nvvm: NONE,
        intrinsic: &["fshr.{!clamp} b, a, c -> d"],
    },
    ptx(O::Integer(I::ExtractBits), &["bfe.{type=u32,u64,s32,s64} d, a, b:u32, c:u32"]),
    ptx(O::Integer(I::InsertBits), &["bfi.{type=b32,b64} d, a, b, offset, count"]),
    Row {
        operation: O::Integer(I::Field),
        ptx: &["bmsk.{clamp|wrap}.{type=b32} d:u32, a:u32, b:u32"],
        nvvm: NONE,
        intrinsic: &["bmsk.{clamp|wrap} a, b -> d"],
    },
    ptx(O::Integer(I::Logic), &["lop3.{type=b32} d, a, b, c, #id"]),
    ptx(O::Integer(I::LogicTest), &["lop3.{bool=and,or}.{type=b32} d|p, a, b, c, #id, q"]),
    Row {
        operation: O::Integer(I::Extend),
        ptx: &["szext.{clamp|wrap}.{type=u32,s32} d, a, b:u32"],
        nvvm: NONE,
        intrinsic: &["{zext|sext}.{clamp|wrap} a, b -> d"],
    },
    Row {
        operation: O::Permute,
        ptx: &["prmt.b32.{permute?=f4e,b4e,rc8,ecl,ecr,rc16} d, a, b, c"],
        nvvm: &[
            "prmt a, b, c -> d | mode={permute=default,f4e,b4e}",
            "prmt a, c -> d | mode={permute=rc8,ecl,ecr,rc16}",
        ],
        intrinsic: &[
            "prmt a, b, c -> d",
            "prmt.{permute=f4e,b4e} a, b, c -> d",
            "prmt.{permute=rc8,ecl,ecr,rc16} a, c -> d",
        ],
    },
    Row {
        operation: O::DotBytes,
        ptx: &["dp4a.{of_a:sign}.{of_b:sign} d:u32, a:u32, b:u32, c:u32"],
        nvvm: &["dot.accumulate.4way a, b, c -> d | a_type={of_a:sign}, b_type={of_b:sign}"],
        intrinsic: &["idp4a.{of_a:sign}.{of_b:sign} a, b, c -> d"],
    },
    Row {
        operation: O::DotHalves,
        ptx: &["dp2a.{lo|hi}.{of_a:sign}.{of_b:sign} d:u32, a:u32, b:u32, c:u32"],
        nvvm: &["dot.accumulate.2way a, b, c -> d | a_type={of_a:sign}, b_type={of_b:sign}, b_hi?"],
        intrinsic: &["idp2a.{of_a:sign}.{of_b:sign} a, b, #id, c -> d"],
    },
];

keywords! {
    const WORDS;

    /// The sign of a dot product's elements.
    Sign "sign" "#nvvm.dot_accumulate_type<*>" {
        /// With a sign.
        Signed ["s32"] ["signed"] ["s"],
        /// Without.
        Unsigned ["u32"] ["unsigned"] ["u"],
    }

    /// The bytes that `prmt` picks.
    PermuteMode "permute" "#nvvm.permute_mode<*>" {
        /// Each by a digit of the selector.
        Digits [] ["default"] [],
        /// Four bytes from byte c on.
        Forward ["f4e"] ["f4e"] ["f4e"],
        /// Four bytes from byte c on, downwards.
        Backward ["b4e"] ["b4e"] ["b4e"],
        /// Byte c four times.
        Replicate8 ["rc8"] ["rc8"] ["rc8"],
        /// The bytes below byte c are copies of it.
        ClampLeft ["ecl"] ["ecl"] ["ecl"],
        /// The bytes above byte c are copies of it.
        ClampRight ["ecr"] ["ecr"] ["ecr"],
        /// The half c twice.
        Replicate16 ["rc16"] ["rc16"] ["rc16"],
    }
}
