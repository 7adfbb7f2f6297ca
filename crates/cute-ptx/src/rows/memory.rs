//! Loads, stores and atomic updates of PTX's text. The LLVM dialect has its own ops for them.
//!
//! The accesses of `multimem` go to all copies of a memory. There is one device, and so one copy.

use super::{Row, ptx};
use crate::operation::Operation as O;

/// An atomic update in all its types, with or without a result.
macro_rules! updates {
    ($name:literal $result:literal $($types:literal)*) => {
        &[$(
            concat!($name, ".{space?=global,shared}.", $types, " ", $result, "[at], a"),
            concat!($name, ".{access?}.{scope}.{space?=global,shared}.", $types, " ", $result, "[at], a"),
        )*]
    };
}

pub(super) const ROWS: &[Row] = &[
    ptx(
        O::Load,
        &[
            "ld.{?weak}.{space?=shared*,global}.{type=b8,b16,b32,b64,b128,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64} d, [at]",
            "ld.{?weak}.{space?=shared*,global}.{vector=v2,v4}.{type=b8,b16,b32,b64,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64} {d}, [at]",
            "ld.{?weak}.{space=global}.{?nc}.{hint?}.{fetched?}.{vector?=v2,v4}.{type=b32,b64,u16,u32,u64,s32,f32,f64} {d}, [at]",
            "ld.{?weak}.{space=global}.{?nc}.{hint?}.{fetched?}.{vector=v8}.{type=b32,u32,f32} {d}, [at]",
            "ld.{!volatile}.{space?=shared*,global}.{vector?=v2,v4}.{type=b32,b64,u8,u16,u32,u64,s32,f32,f64} {d}, [at]",
            "ld.{access=relaxed,acquire}.{scope}.{space?=shared,global}.{vector?=v2,v4}.{type=b32,b64,u32,u64,s32,f32} {d}, [at]",
            "multimem.ld_reduce.{?weak}.{space?=global}.{atomic=add,min,max}.{vector?=v2,v4}.{type=f16x2,bf16x2,f16,bf16,f32,f64,u8,u16,u32,u64,s8,s16,s32,s64} {d}, [at]",
            "multimem.ld_reduce.{?weak}.{space?=global}.{atomic=add}.{acc::f32|acc::f16}.{vector?=v2,v4}.{type=f16x2,bf16x2,e4m3x4,e5m2x4} {d}, [at]",
            "multimem.ld_reduce.{?weak}.{space?=global}.{atomic=and,or,xor}.{type=b32,b64} {d}, [at]",
            "multimem.ld_reduce.{access=relaxed,acquire}.{scope}.{space?=global}.{atomic=add,min,max}.{vector?=v2,v4}.{type=f16x2,bf16x2,f32,u32,s32,u64} {d}, [at]",
            "multimem.ld_reduce.{access=relaxed,acquire}.{scope}.{space?=global}.{atomic=add}.{acc::f32|acc::f16}.{vector?=v2,v4}.{type=f16x2,bf16x2,e4m3x4,e5m2x4} {d}, [at]",
        ],
    ),
    ptx(
        O::Store,
        &[
            "st.{?weak}.{space?=shared*,global}.{type=b8,b16,b32,b64,b128,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64} [at], a",
            "st.{?weak}.{space?=shared*,global}.{vector=v2,v4}.{type=b8,b16,b32,b64,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64} [at], {a}",
            "st.{?weak}.{space=global}.{hint}.{vector?=v2,v4}.{type=b32,b64,u16,u32,u64,s32,f32,f64} [at], {a}",
            "st.{?weak}.{space=global}.{hint?}.{vector=v8}.{type=b32,u32,f32} [at], {a}",
            "st.{!volatile}.{space?=shared*,global}.{vector?=v2,v4}.{type=b32,b64,u8,u16,u32,u64,s32,f32,f64} [at], {a}",
            "st.{access=relaxed,release}.{scope}.{space?=shared,global}.{vector?=v2,v4}.{type=b32,b64,u32,u64,s32,f32} [at], {a}",
            "multimem.st.{?weak}.{space?=global}.{vector?=v2,v4}.{type=f16x2,bf16x2,f16,bf16,b32,b64,f32,f64,u32,u64,s32,s64} [at], {a}",
            "multimem.st.{access=relaxed,release}.{scope}.{space?=global}.{vector?=v2,v4}.{type=f16x2,bf16x2,f32,b32,u32,s32,u64} [at], {a}",
        ],
    ),
    ptx(
        O::Atomic,
        updates!("atom" "d, "
            "{atomic=add}.{type=u32,s32,u64,f32,f64}"
            "{atomic=min,max}.{type=u32,s32,u64,s64}"
            "{atomic=and,or,xor,exch}.{type=b32,b64}"
            "{atomic=inc,dec}.{type=u32}"
        ),
    ),
    ptx(
        O::Atomic,
        &[
            "atom.{space?=global,shared}.{atomic=cas}.{type=b32,b64} d, [at], a, b",
            "atom.{access?}.{scope}.{space?=global,shared}.{atomic=cas}.{type=b32,b64} d, [at], a, b",
        ],
    ),
    ptx(
        O::Atomic,
        updates!("red" ""
            "{atomic=add}.{type=u32,s32,u64,f32,f64}"
            "{atomic=min,max}.{type=u32,s32,u64,s64}"
            "{atomic=and,or,xor}.{type=b32,b64}"
            "{atomic=inc,dec}.{type=u32}"
        ),
    ),
    ptx(
        O::Atomic,
        &[
            "red.{space?=global}.{atomic=add}.{!noftz}.{type=f16,bf16,f16x2,bf16x2} [at], a",
            "red.{access?=relaxed,release}.{scope}.{space?=global}.{atomic=add}.{!noftz}.{type=f16,bf16,f16x2,bf16x2} [at], a",
            "red.{space=global}.{atomic=add}.{vector=v2,v4}.{type=f32} [at], {a}",
            "red.{access?=relaxed,release}.{scope}.{space=global}.{atomic=add}.{vector=v2,v4}.{type=f32} [at], {a}",
            "multimem.red.{space?=global}.{atomic=add}.{vector?=v2,v4}.{type=u32,s32,u64,f32,f16x2,bf16x2} [at], {a}",
            "multimem.red.{space?=global}.{atomic=min,max}.{type=u32,s32,u64,s64} [at], {a}",
            "multimem.red.{space?=global}.{atomic=and,or,xor}.{type=b32,b64} [at], {a}",
            "multimem.red.{access=relaxed,release}.{scope}.{space?=global}.{atomic=add}.{vector?=v2,v4}.{type=u32,s32,u64,f32,f16x2,bf16x2} [at], {a}",
            "multimem.red.{access=relaxed,release}.{scope}.{space?=global}.{atomic=min,max}.{type=u32,s32,u64,s64} [at], {a}",
            "multimem.red.{access=relaxed,release}.{scope}.{space?=global}.{atomic=and,or,xor}.{type=b32,b64} [at], {a}",
        ],
    ),
];
