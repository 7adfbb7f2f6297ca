//! Comparisons, selections and tests.

use super::{Family, Row, ptx};
use crate::operation::Operation as O;

pub(super) const FAMILY: Family = Family { rows: ROWS, ..Family::NONE };

const ROWS: &[Row] = &[
    ptx(
        O::Compare,
        &[
            "setp.{compare}.{type=u8,u16,u32,u64,s8,s16,s32,s64,b8,b16,b32,b64} d:pred, a, b",
            "setp.{compare}.{bool}.{type=u8,u16,u32,u64,s8,s16,s32,s64,b16,b32,b64} d:pred, a, b, q",
            "setp.{compare}.{type=u16,u32,u64,s16,s32,s64,b16,b32,b64} d|p:pred, a, b",
            "setp.{compare}.{bool}.{type=u16,u32,u64,s16,s32,s64,b16,b32,b64} d|p:pred, a, b, q",
            "setp.{float_compare}.{?ftz}.{type=f16,bf16,f32,f64} d:pred, a, b",
            "setp.{float_compare}.{bool}.{?ftz}.{type=f16,bf16,f32,f64} d:pred, a, b, q",
            "setp.{float_compare}.{?ftz}.{type=f32,f64,f16x2,bf16x2} d|p:pred, a, b",
            "setp.{float_compare}.{bool}.{?ftz}.{type=f32,f64,f16x2,bf16x2} d|p:pred, a, b, q",
        ],
    ),
    ptx(
        O::CompareToNumber,
        &[
            "set.{compare}.{to:type=u16,s16,u32,s32,f16,bf16,f32}.{type=u16,u32,u64,s16,s32,s64,b16,b32,b64} d, a, b",
            "set.{compare}.{bool}.{to:type=u16,s16,u32,s32,f16,bf16,f32}.{type=u16,u32,u64,s16,s32,s64,b16,b32,b64} d, a, b, q",
            "set.{float_compare}.{?ftz}.{to:type=u16,s16,u32,s32,f16,bf16,f32}.{type=f16,bf16,f32,f64} d, a, b",
            "set.{float_compare}.{bool}.{?ftz}.{to:type=u16,s16,u32,s32,f16,bf16,f32}.{type=f16,bf16,f32,f64} d, a, b, q",
            "set.{float_compare}.{?ftz}.{to:type=f16x2}.{type=f16x2} d, a, b",
            "set.{float_compare}.{?ftz}.{to:type=bf16x2}.{type=bf16x2} d, a, b",
            "set.{float_compare}.{bool}.{?ftz}.{to:type=f16x2}.{type=f16x2} d, a, b, q",
            "set.{float_compare}.{bool}.{?ftz}.{to:type=bf16x2}.{type=bf16x2} d, a, b, q",
        ],
    ),
    ptx(O::Select, &["selp.{type=b16,b32,b64,u16,u32,u64,s16,s32,s64,f16,bf16,f32,f64} d, a, b, q"]),
    ptx(
        O::SelectBySign,
        &[
            "slct.{type=b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}.{by:type=s32} d, a, b, c:by",
            "slct.{?ftz}.{type=b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}.{by:type=f32} d, a, b, c:by",
        ],
    ),
    ptx(O::TestFloat, &["testp.{class}.{type=f32,f64} d:pred, a"]),
];
