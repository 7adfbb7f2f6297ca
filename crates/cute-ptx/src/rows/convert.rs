//! Conversions. Of two operands, the first is the upper number; of those in braces, too.

use super::{Family, NONE, Refused, Row, Spellings, ptx};
use crate::keyword::keywords;
use crate::operation::Operation as O;

pub(super) const FAMILY: Family = Family { rows: ROWS, refused: REFUSED, words: WORDS, ..Family::NONE };

const ROWS: &[Row] = &[
    ptx(
        O::Convert,
        &[
            "cvt.{?sat}.{to:type=u8,u16,u32,u64,s8,s16,s32,s64}.{from:type=u8,u16,u32,u64,s8,s16,s32,s64} d, a",
        ],
    ),
    Row {
        operation: O::FromInteger,
        ptx: &[
            "cvt.{rounding}.{?sat}.{to:type=f16,bf16,f32,f64}.{from:type=u8,u16,u32,u64,s8,s16,s32,s64} d, a",
        ],
        nvvm: NONE,
        intrinsic: &[
            "i2f.{rounding} a -> d | to:type=f32, from:type=s32",
            "i2d.{rounding} a -> d | to:type=f64, from:type=s32",
            "ui2f.{rounding} a -> d | to:type=f32, from:type=u32",
            "ui2d.{rounding} a -> d | to:type=f64, from:type=u32",
            "ll2f.{rounding} a -> d | to:type=f32, from:type=s64",
            "ll2d.{rounding} a -> d | to:type=f64, from:type=s64",
            "ull2f.{rounding} a -> d | to:type=f32, from:type=u64",
            "ull2d.{rounding} a -> d | to:type=f64, from:type=u64",
        ],
    },
    Row {
        operation: O::ToInteger,
        ptx: &[
            "cvt.{whole}.{?ftz}.{?sat}.{to:type=u8,u16,u32,u64,s8,s16,s32,s64}.{from:type=f16,bf16,f32,f64} d, a",
        ],
        nvvm: NONE,
        intrinsic: &[
            "f2i.{whole=rn,rz,rm,rp}.{?ftz} a -> d | to:type=s32, from:type=f32",
            "f2ui.{whole=rn,rz,rm,rp}.{?ftz} a -> d | to:type=u32, from:type=f32",
            "f2ll.{whole=rn,rz,rm,rp}.{?ftz} a -> d | to:type=s64, from:type=f32",
            "f2ull.{whole=rn,rz,rm,rp}.{?ftz} a -> d | to:type=u64, from:type=f32",
            "d2i.{whole=rn,rz,rm,rp} a -> d | to:type=s32, from:type=f64",
            "d2ui.{whole=rn,rz,rm,rp} a -> d | to:type=u32, from:type=f64",
            "d2ll.{whole=rn,rz,rm,rp} a -> d | to:type=s64, from:type=f64",
            "d2ull.{whole=rn,rz,rm,rp} a -> d | to:type=u64, from:type=f64",
        ],
    },
    Row {
        operation: O::ToWhole,
        ptx: &[
            "cvt.{whole}.{?sat}.{to:type=f16}.{from:type=f16} d, a",
            "cvt.{whole}.{?sat}.{to:type=bf16}.{from:type=bf16} d, a",
            "cvt.{whole}.{?ftz}.{?sat}.{to:type=f32}.{from:type=f32} d, a",
            "cvt.{whole}.{?sat}.{to:type=f64}.{from:type=f64} d, a",
        ],
        nvvm: NONE,
        intrinsic: &[
            "{whole=round,trunc,ceil,floor}.{?ftz}.f a -> d | to:type=f32, from:type=f32",
            "{whole=round,trunc,ceil,floor}.d a -> d | to:type=f64, from:type=f64",
        ],
    },
    // Between the floats that registers have.
    Row {
        operation: O::ConvertFloat,
        ptx: &[
            "cvt.{conversion?=rn,rz,rp,rm}.{?ftz}.{?sat}.{to:type=f16,bf16,f32,f64}.{from:type=f16,bf16,f32,f64} d, a",
        ],
        nvvm: NONE,
        intrinsic: &[
            "d2f.{conversion=rn,rz,rp,rm}.{?ftz} a -> d | to:type=f32, from:type=f64",
            "f2h.{conversion=rn}.{?ftz} a -> d | to:type=f16, from:type=f32",
            "saturate.{?ftz}.f a -> d | to:type=f32, from:type=f32, +sat",
            "saturate.d a -> d | to:type=f64, from:type=f64, +sat",
        ],
    },
    // From f32 to narrower floats.
    Row {
        operation: O::ConvertFloat,
        ptx: &[
            "cvt.{conversion=rn,rz}.{?relu}.{?satfinite}.{to:type=f16,bf16}.{from:type=f32} d, a",
            "cvt.{conversion=rn,rz}.{?relu}.{?satfinite}.{to:type=f16x2,bf16x2}.{from:type=f32} d, a, b",
            "cvt.{conversion=rs}.{?relu}.{?satfinite}.{to:type=f16x2,bf16x2}.{from:type=f32} d, a, b, c:bits",
            "cvt.{conversion=rna}.{?satfinite}.{to:type=tf32}.{from:type=f32} d, a",
            "cvt.{conversion=rn,rz}.{?satfinite}.{?relu}.{to:type=tf32}.{from:type=f32} d, a",
            "cvt.{conversion=rn}.{!satfinite}.{?relu}.{to:type=e4m3x2,e5m2x2,e2m1x2,e2m3x2,e3m2x2}.{from:type=f32} d, a, b",
            "cvt.{conversion=rs}.{?relu}.{!satfinite}.{to:type=e4m3x4,e5m2x4,e2m1x4,e2m3x4,e3m2x4}.{from:type=f32} d, {values}, c:bits",
            "cvt.{conversion=rz,rp}.{?satfinite}.{to:type=ue8m0x2}.{from:type=f32} d, a, b",
        ],
        nvvm: &[
            "convert.float.to.tf32 a -> d | rnd={conversion}, sat={none|satfinite}, relu?, to:type=tf32, from:type=f32",
            "convert.f32x2.to.f16x2 a, b, c? -> d | rnd={conversion}, sat={none|satfinite}, relu?, to:type=f16x2, from:type=f32",
            "convert.f32x2.to.bf16x2 a, b, c? -> d | rnd={conversion}, sat={none|satfinite}, relu?, to:type=bf16x2, from:type=f32",
            "convert.f32x2.to.f8x2 a, b -> d | rnd={conversion}, sat={none|satfinite}, relu?, dstTy=<to:x2>, from:type=f32",
            "convert.f32x2.to.f6x2 a, b -> d | relu?, dstTy=<to:x2>, from:type=f32",
            "convert.f32x2.to.f4x2 a, b -> d | relu?, dstTy=<to:x2>, from:type=f32",
            "convert.f32x4.to.f8x4 values, c -> d | relu?, dstTy=<to:x4>, from:type=f32, conversion=rs",
            "convert.f32x4.to.f6x4 values, c -> d | relu?, dstTy=<to:x4>, from:type=f32, conversion=rs",
            "convert.f32x4.to.f4x4 values, c -> d | relu?, dstTy=<to:x4>, from:type=f32, conversion=rs",
        ],
        intrinsic: &[
            "f2f16.{conversion=rn,rz}.{?relu}.{?satfinite} a -> d | to:type=f16, from:type=f32",
            "f2bf16.{conversion=rn,rz}.{?relu}.{?satfinite} a -> d | to:type=bf16, from:type=f32",
            "ff2f16x2.{conversion=rn,rz,rs}.{?relu}.{?satfinite} a, b, c? -> d | to:type=f16x2, from:type=f32",
            "ff2bf16x2.{conversion=rn,rz,rs}.{?relu}.{?satfinite} a, b, c? -> d | to:type=bf16x2, from:type=f32",
            "f2tf32.{conversion=rn,rz,rna}.{?relu}.{?satfinite} a -> d | to:type=tf32, from:type=f32",
            "ff.to.{to:type=e4m3x2,e5m2x2,e2m1x2,e2m3x2,e3m2x2}.{conversion=rn}.{?relu}.{?satfinite} a, b -> d | from:type=f32",
            "ff.to.{to:type=ue8m0x2}.{conversion=rz,rp}.{?satfinite} a, b -> d | from:type=f32",
            "f32x4.to.{to:type=e4m3x4,e5m2x4,e2m1x4,e2m3x4,e3m2x4}.{conversion=rs}.{?relu}.{!satfinite} values, c -> d | from:type=f32",
        ],
    },
    // Between pairs of 16 bits and narrower ones.
    Row {
        operation: O::ConvertFloat,
        ptx: &[
            "cvt.{conversion=rn}.{!satfinite}.{?relu}.{to:type=e4m3x2,e5m2x2,e2m1x2,e2m3x2,e3m2x2}.{from:type=f16x2,bf16x2} d, a",
            "cvt.{conversion=rn}.{?relu}.{to:type=f16x2}.{from:type=e4m3x2,e5m2x2,e2m1x2,e2m3x2,e3m2x2} d, a",
            "cvt.{conversion=rn}.{?satfinite}.{?relu}.{to:type=bf16x2}.{from:type=e4m3x2,e5m2x2,e2m1x2,e2m3x2,e3m2x2} d, a",
            "cvt.{conversion=rz,rp}.{?satfinite}.{to:type=ue8m0x2}.{from:type=bf16x2} d, a",
            "cvt.{conversion=rn}.{to:type=bf16x2}.{from:type=ue8m0x2} d, a",
        ],
        nvvm: &[
            "convert.f16x2.to.f8x2 a -> d | relu?, dstTy=<to:x2>, from:type=f16x2",
            "convert.bf16x2.to.f8x2 a -> d | rnd={conversion}, sat={none|satfinite}, dstTy=<to:x2>, from:type=bf16x2",
            "convert.f8x2.to.f16x2 a -> d | relu?, srcType=<from:x2>, to:type=f16x2",
            "convert.f8x2.to.bf16x2 a -> d | srcType=<from:x2>, to:type=bf16x2",
            "convert.f6x2.to.f16x2 a -> d | relu?, srcType=<from:x2>, to:type=f16x2",
            "convert.f4x2.to.f16x2 a -> d | relu?, srcType=<from:x2>, to:type=f16x2",
        ],
        intrinsic: &[
            "f16x2.to.{to:type=e4m3x2,e5m2x2}.{conversion=rn}.{?relu} a -> d | from:type=f16x2",
            "bf16x2.to.{to:type=ue8m0x2}.{conversion=rz,rp}.{?satfinite} a -> d | from:type=bf16x2",
            "{from:type=e4m3x2,e5m2x2,e2m1x2,e2m3x2,e3m2x2}.to.{to:type=f16x2}.{conversion=rn}.{?relu} a -> d",
            "ue8m0x2.to.bf16x2 a -> d | to:type=bf16x2, from:type=ue8m0x2",
        ],
    },
    // The last operand has two scale factors.
    ptx(
        O::ConvertScaled,
        &[
            "cvt.{conversion=rn}.{!satfinite}.{?relu}.{to:type=s2f6x2}.{from:type=f32} d, a, b",
            "cvt.{conversion=rn}.{!satfinite}.{?relu}.{!scaled::n2::ue8m0}.{to:type=s2f6x2}.{from:type=f32} d, a, b, c:b16",
            "cvt.{conversion=rn}.{!satfinite}.{?relu}.{to:type=s2f6x2}.{from:type=bf16x2} d, a",
            "cvt.{conversion=rn}.{!satfinite}.{?relu}.{!scaled::n2::ue8m0}.{to:type=s2f6x2}.{from:type=bf16x2} d, a, c:b16",
            "cvt.{conversion=rn}.{?satfinite}.{?relu}.{to:type=bf16x2}.{from:type=s2f6x2} d, a",
            "cvt.{conversion=rn}.{?satfinite}.{?relu}.{!scaled::n2::ue8m0}.{to:type=bf16x2}.{from:type=s2f6x2} d, a, c:b16",
            "cvt.{conversion=rn}.{?satfinite}.{?relu}.{!scaled::n2::ue8m0}.{to:type=bf16x2}.{from:type=e4m3x2,e5m2x2,e2m1x2,e2m3x2,e3m2x2} d, a, c:b16",
        ],
    ),
    ptx(
        O::PackIntegers,
        &[
            "cvt.pack.sat.{u16|s16}.s32 d:s32, a:s32, b:s32",
            "cvt.pack.sat.{u8|s8|u4|s4|u2|s2}.s32.b32 d:s32, a:s32, b:s32, c",
        ],
    ),
];

const REFUSED: &[Refused] = &[Refused {
    reason: "LLVM's backend has no instruction for it",
    names: Spellings { ptx: NONE, nvvm: NONE, intrinsic: &["bf2h.rn", "bf2h.rn.ftz"] },
}];

keywords! {
    const WORDS;

    /// The rounding of a conversion of floats.
    ConversionRounding "conversion" "#nvvm.fp_rnd_mode<*>" {
        /// To the nearest, halves to the even one.
        NearestEven ["rn"] ["rn" "none"] ["rn"],
        /// To the nearest, halves away from zero.
        NearestAway ["rna"] ["rna"] ["rna"],
        /// Towards zero.
        TowardZero ["rz"] ["rz"] ["rz"],
        /// Towards positive infinity.
        Up ["rp"] ["rp"] ["rp"],
        /// Towards negative infinity.
        Down ["rm"] ["rm"] ["rm"],
        /// By random bits, which are an operand.
        Random ["rs"] ["rs"] ["rs"],
    }

    /// The whole number that a float becomes.
    WholeNumber "whole" "" {
        /// The nearest, and of two the even one.
        Nearest ["rni"] [] ["rn" "round"],
        /// The next towards zero.
        TowardZero ["rzi"] [] ["rz" "trunc"],
        /// The next above.
        Up ["rpi"] [] ["rp" "ceil"],
        /// The next below.
        Down ["rmi"] [] ["rm" "floor"],
    }
}
