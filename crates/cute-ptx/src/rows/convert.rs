//! Conversions. Of two operands, the first is the upper number.

use super::{Row, ptx};
use crate::operation::Operation as O;

pub(super) const ROWS: &[Row] = &[
    ptx(
        O::Convert,
        &[
            "cvt.{?sat}.{to:type=u8,u16,u32,u64,s8,s16,s32,s64}.{from:type=u8,u16,u32,u64,s8,s16,s32,s64} d, a",
        ],
    ),
    ptx(
        O::FromInteger,
        &["cvt.{rounding}.{?sat}.{to:type=f16,bf16,f32,f64}.{from:type=u8,u16,u32,u64,s8,s16,s32,s64} d, a"],
    ),
    ptx(
        O::ToInteger,
        &[
            "cvt.{rni|rzi|rmi|rpi}.{?ftz}.{?sat}.{to:type=u8,u16,u32,u64,s8,s16,s32,s64}.{from:type=f16,bf16,f32,f64} d, a",
        ],
    ),
    ptx(
        O::ToWhole,
        &[
            "cvt.{rni|rzi|rmi|rpi}.{?sat}.{to:type=f16}.{from:type=f16} d, a",
            "cvt.{rni|rzi|rmi|rpi}.{?sat}.{to:type=bf16}.{from:type=bf16} d, a",
            "cvt.{rni|rzi|rmi|rpi}.{?ftz}.{?sat}.{to:type=f32}.{from:type=f32} d, a",
            "cvt.{rni|rzi|rmi|rpi}.{?sat}.{to:type=f64}.{from:type=f64} d, a",
        ],
    ),
    ptx(
        O::ConvertFloat,
        &[
            "cvt.{rounding?}.{?ftz}.{?sat}.{to:type=f16,bf16,f32,f64}.{from:type=f16,bf16,f32,f64} d, a",
            "cvt.{rounding=rn,rz}.{?relu}.{?satfinite}.{to:type=f16,bf16}.{from:type=f32} d, a",
            "cvt.{rounding=rn,rz}.{?relu}.{?satfinite}.{to:type=f16x2,bf16x2}.{from:type=f32} d, a, b",
            "cvt.{!rs}.{?relu}.{?satfinite}.{to:type=f16x2,bf16x2}.{from:type=f32} d, a, b, c:bits",
            "cvt.{!rna}.{?satfinite}.{to:type=tf32}.{from:type=f32} d, a",
            "cvt.{rounding=rn,rz}.{?satfinite}.{?relu}.{to:type=tf32}.{from:type=f32} d, a",
            "cvt.{rounding=rn}.{!satfinite}.{?relu}.{to:type=e4m3x2,e5m2x2,e2m1x2,e2m3x2,e3m2x2}.{from:type=f32} d, a, b",
            "cvt.{rounding=rn}.{!satfinite}.{?relu}.{to:type=e4m3x2,e5m2x2,e2m1x2,e2m3x2,e3m2x2}.{from:type=f16x2,bf16x2} d, a",
            "cvt.{rounding=rn}.{?relu}.{to:type=f16x2}.{from:type=e4m3x2,e5m2x2,e2m1x2,e2m3x2,e3m2x2} d, a",
            "cvt.{rounding=rn}.{?satfinite}.{?relu}.{to:type=bf16x2}.{from:type=e4m3x2,e5m2x2,e2m1x2,e2m3x2,e3m2x2} d, a",
            "cvt.{!rs}.{?relu}.{!satfinite}.{to:type=e4m3x4,e5m2x4,e2m1x4,e2m3x4,e3m2x4}.{from:type=f32} d, {values}, c:bits",
            "cvt.{rounding=rz,rp}.{?satfinite}.{to:type=ue8m0x2}.{from:type=f32} d, a, b",
            "cvt.{rounding=rz,rp}.{?satfinite}.{to:type=ue8m0x2}.{from:type=bf16x2} d, a",
            "cvt.{rounding=rn}.{to:type=bf16x2}.{from:type=ue8m0x2} d, a",
        ],
    ),
    // The last operand has two scale factors.
    ptx(
        O::ConvertScaled,
        &[
            "cvt.{rounding=rn}.{!satfinite}.{?relu}.{to:type=s2f6x2}.{from:type=f32} d, a, b",
            "cvt.{rounding=rn}.{!satfinite}.{?relu}.{!scaled::n2::ue8m0}.{to:type=s2f6x2}.{from:type=f32} d, a, b, c:b16",
            "cvt.{rounding=rn}.{!satfinite}.{?relu}.{to:type=s2f6x2}.{from:type=bf16x2} d, a",
            "cvt.{rounding=rn}.{!satfinite}.{?relu}.{!scaled::n2::ue8m0}.{to:type=s2f6x2}.{from:type=bf16x2} d, a, c:b16",
            "cvt.{rounding=rn}.{?satfinite}.{?relu}.{to:type=bf16x2}.{from:type=s2f6x2} d, a",
            "cvt.{rounding=rn}.{?satfinite}.{?relu}.{!scaled::n2::ue8m0}.{to:type=bf16x2}.{from:type=s2f6x2} d, a, c:b16",
            "cvt.{rounding=rn}.{?satfinite}.{?relu}.{!scaled::n2::ue8m0}.{to:type=bf16x2}.{from:type=e4m3x2,e5m2x2,e2m1x2,e2m3x2,e3m2x2} d, a, c:b16",
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
