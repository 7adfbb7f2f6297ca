//! Loads, stores and atomic updates. The LLVM dialect has its own ops for most of them.
//!
//! The accesses of `multimem` go to all copies of a memory. There is one device, and so one copy.

use super::{Family, NONE, Row, ptx};
use crate::keyword::keywords;
use crate::operation::Operation as O;

pub(super) const FAMILY: Family = Family { rows: ROWS, words: WORDS, ..Family::NONE };

const ROWS: &[Row] = &[
    Row {
        operation: O::Load,
        ptx: &[
            "ld.{?weak}.{space?}.{hint*}.{vector?=v2,v4}.{type=b8,b16,b32,b64,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64} {d}, [at], _:u64?",
            "ld.{?weak}.{space?}.{hint*}.{vector=v8}.{type=b32,u32,s32,f32} {d}, [at], _:u64?",
            "ld.{?weak}.{space?}.{hint*}.{type=b128} d, [at], _:u64?",
            "ld.{!volatile}.{space?}.{hint*}.{vector?=v2,v4}.{type=b8,b16,b32,b64,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64} {d}, [at]",
            "ld.{!volatile}.{space?}.{hint*}.{type=b128} d, [at]",
            "ld.{access=relaxed,acquire}.{scope=cta,cluster,gpu,sys}.{space?=shared*,global}.{hint*}.{vector?=v2,v4}.{type=b8,b16,b32,b64,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64} {d}, [at], _:u64?",
            "ld.{access=relaxed,acquire}.{scope=cta,cluster,gpu,sys}.{space?=shared*,global}.{hint*}.{vector=v8}.{type=b32,u32,s32,f32} {d}, [at], _:u64?",
            "ld.{access=relaxed,acquire}.{scope=cta,cluster,gpu,sys}.{space?=shared*,global}.{hint*}.{type=b128} d, [at], _:u64?",
            "ld.{!mmio}.{access=relaxed}.{scope=sys}.{space?=global}.{type=b8,b16,b32,b64,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64} d, [at]",
            "ldu.{space?=global}.{vector?=v2,v4}.{type=b8,b16,b32,b64,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64} {d}, [at]",
            "ldu.{space?=global}.{type=b128} d, [at]",
            "multimem.ld_reduce.{?weak}.{space?=global}.{atomic=add,min,max}.{vector?=v2,v4,v8}.{type=f16x2,bf16x2,f16,bf16,f32,f64,u32,u64,s32,s64,e4m3x4,e5m2x4} {d}, [at]",
            "multimem.ld_reduce.{?weak}.{space?=global}.{atomic=add}.{acc::f32|acc::f16}.{vector?=v2,v4,v8}.{type=f16x2,bf16x2,f16,bf16,e4m3x4,e5m2x4} {d}, [at]",
            "multimem.ld_reduce.{?weak}.{space?=global}.{atomic=and,or,xor}.{type=b32,b64} {d}, [at]",
            "multimem.ld_reduce.{access=relaxed,acquire}.{scope=cta,cluster,gpu,sys}.{space?=global}.{atomic=add,min,max}.{vector?=v2,v4,v8}.{type=f16x2,bf16x2,f16,bf16,f32,f64,u32,u64,s32,s64} {d}, [at]",
            "multimem.ld_reduce.{access=relaxed,acquire}.{scope=cta,cluster,gpu,sys}.{space?=global}.{atomic=add}.{acc::f32|acc::f16}.{vector?=v2,v4,v8}.{type=f16x2,bf16x2,f16,bf16,e4m3x4,e5m2x4} {d}, [at]",
            "multimem.ld_reduce.{access=relaxed,acquire}.{scope=cta,cluster,gpu,sys}.{space?=global}.{atomic=and,or,xor}.{type=b32,b64} {d}, [at]",
        ],
        nvvm: NONE,
        intrinsic: &["ldu.global.{i|f|p} at, _ -> d"],
    },
    ptx(
        O::Store,
        &[
            "st.{?weak}.{space?}.{hint*}.{vector?=v2,v4}.{type=b8,b16,b32,b64,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64} [at], {a}, _:u64?",
            "st.{?weak}.{space?}.{hint*}.{vector=v8}.{type=b32,u32,s32,f32} [at], {a}, _:u64?",
            "st.{?weak}.{space?}.{hint*}.{type=b128} [at], a, _:u64?",
            "st.{!volatile}.{space?}.{vector?=v2,v4}.{type=b8,b16,b32,b64,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64} [at], {a}",
            "st.{!volatile}.{space?}.{type=b128} [at], a",
            "st.{access=relaxed,release}.{scope=cta,cluster,gpu,sys}.{space?=shared*,global}.{hint*}.{vector?=v2,v4}.{type=b8,b16,b32,b64,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64} [at], {a}, _:u64?",
            "st.{access=relaxed,release}.{scope=cta,cluster,gpu,sys}.{space?=shared*,global}.{hint*}.{vector=v8}.{type=b32,u32,s32,f32} [at], {a}, _:u64?",
            "st.{access=relaxed,release}.{scope=cta,cluster,gpu,sys}.{space?=shared*,global}.{hint*}.{type=b128} [at], a, _:u64?",
            "st.{!mmio}.{access=relaxed}.{scope=sys}.{space?=global}.{type=b8,b16,b32,b64,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64} [at], a",
            // A release that nothing waits for is complete when another thread acquires it.
            "st.async.{?mmio}.{access=release}.{scope=gpu,sys}.{space?=global}.{type=b8,b16,b32,b64,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64} [at], a",
            "st.async.{?mmio}.{scope=gpu,sys}.{access=release}.{space?=global}.{type=b8,b16,b32,b64,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64} [at], a",
            "multimem.st.{?weak}.{space?=global}.{vector?=v2,v4,v8}.{type=f16x2,bf16x2,f16,bf16,b32,b64,f32,f64,u32,u64,s32,s64,e4m3x4,e5m2x4} [at], {a}",
            "multimem.st.{access=relaxed,release}.{scope=cta,cluster,gpu,sys}.{space?=global}.{vector?=v2,v4,v8}.{type=f16x2,bf16x2,f16,bf16,f32,f64,b32,b64,u32,s32,u64,s64,e4m3x4,e5m2x4} [at], {a}",
        ],
    ),
    ptx(O::StackAllocate, &["alloca.{type=u32,u64} d, a, #count?"]),
    ptx(O::StackSave, &["stacksave.{type=u32,u64} d"]),
    ptx(O::StackRestore, &["stackrestore.{type=u32,u64} a"]),
    Row {
        operation: O::StoreZeros,
        ptx: &["st.bulk.{?weak}.{space?=shared::cta} [at], a:u64, #count"],
        nvvm: &["st.bulk at, a"],
        intrinsic: &["st.bulk.{space?=shared.cta} at, a, #count"],
    },
    Row {
        operation: O::Atomic,
        ptx: &[
            "atom.{access?}.{scope?=cta,cluster,gpu,sys}.{space?=global,shared*}.{atomic=add}.{?L2::cache_hint}.{type=u32,s32,u64,f32,f64} d, [at], a, _:u64?",
            "atom.{access?}.{scope?=cta,cluster,gpu,sys}.{space?=global,shared*}.{atomic=min,max}.{?L2::cache_hint}.{type=u32,s32,u64,s64} d, [at], a, _:u64?",
            "atom.{access?}.{scope?=cta,cluster,gpu,sys}.{space?=global,shared*}.{atomic=and,or,xor}.{?L2::cache_hint}.{type=b32,b64} d, [at], a, _:u64?",
            "atom.{access?}.{scope?=cta,cluster,gpu,sys}.{space?=global,shared*}.{atomic=exch}.{?L2::cache_hint}.{type=b32,b64,b128} d, [at], a, _:u64?",
            "atom.{access?}.{scope?=cta,cluster,gpu,sys}.{space?=global,shared*}.{atomic=inc,dec}.{?L2::cache_hint}.{type=u32} d, [at], a, _:u64?",
            "atom.{access?}.{scope?=cta,cluster,gpu,sys}.{space?=global,shared*}.{atomic=cas}.{?L2::cache_hint}.{type=b16,b32,b64,b128} d, [at], a, b, _:u64?",
            "atom.{access?}.{scope?=cta,cluster,gpu,sys}.{space?=global,shared*}.{atomic=add}.{!noftz}.{?L2::cache_hint}.{type=f16,bf16,f16x2,bf16x2} d, [at], a, _:u64?",
            "atom.{access?}.{scope?=cta,cluster,gpu,sys}.{space?=global}.{atomic=add}.{?L2::cache_hint}.{vector=v2,v4}.{type=f32} {d}, [at], {a}, _:u64?",
            "atom.{access?}.{scope?=cta,cluster,gpu,sys}.{space?=global}.{atomic=add,min,max}.{!noftz}.{?L2::cache_hint}.{vector=v2,v4,v8}.{type=f16,bf16} {d}, [at], {a}, _:u64?",
            "atom.{access?}.{scope?=cta,cluster,gpu,sys}.{space?=global}.{atomic=add,min,max}.{!noftz}.{?L2::cache_hint}.{vector=v2,v4}.{type=f16x2,bf16x2} {d}, [at], {a}, _:u64?",
        ],
        nvvm: NONE,
        intrinsic: &["atomic.{atomic}.gen.{i|f}.{scope=cta,sys} at, a, b? -> d"],
    },
    ptx(
        O::Atomic,
        &[
            "red.{access?=relaxed,release}.{scope?=cta,cluster,gpu,sys}.{space?=global,shared*}.{atomic=add}.{?L2::cache_hint}.{type=u32,s32,u64,f32,f64} [at], a, _:u64?",
            "red.{access?=relaxed,release}.{scope?=cta,cluster,gpu,sys}.{space?=global,shared*}.{atomic=min,max}.{?L2::cache_hint}.{type=u32,s32,u64,s64} [at], a, _:u64?",
            "red.{access?=relaxed,release}.{scope?=cta,cluster,gpu,sys}.{space?=global,shared*}.{atomic=and,or,xor}.{?L2::cache_hint}.{type=b32,b64} [at], a, _:u64?",
            "red.{access?=relaxed,release}.{scope?=cta,cluster,gpu,sys}.{space?=global,shared*}.{atomic=inc,dec}.{?L2::cache_hint}.{type=u32} [at], a, _:u64?",
            "red.{access?=relaxed,release}.{scope?=cta,cluster,gpu,sys}.{space?=global,shared*}.{atomic=add}.{!noftz}.{?L2::cache_hint}.{type=f16,bf16,f16x2,bf16x2} [at], a, _:u64?",
            "red.{access?=relaxed,release}.{scope?=cta,cluster,gpu,sys}.{space?=global}.{atomic=add}.{?L2::cache_hint}.{vector=v2,v4}.{type=f32} [at], {a}, _:u64?",
            "red.{access?=relaxed,release}.{scope?=cta,cluster,gpu,sys}.{space?=global}.{atomic=add,min,max}.{!noftz}.{?L2::cache_hint}.{vector=v2,v4,v8}.{type=f16,bf16} [at], {a}, _:u64?",
            "red.{access?=relaxed,release}.{scope?=cta,cluster,gpu,sys}.{space?=global}.{atomic=add,min,max}.{!noftz}.{?L2::cache_hint}.{vector=v2,v4}.{type=f16x2,bf16x2} [at], {a}, _:u64?",
            "red.async.{?mmio}.{access=release}.{scope=gpu,sys}.{space?=global}.{atomic=add}.{type=u32,s32,u64} [at], a",
            "multimem.red.{access?=relaxed,release}.{scope?=cta,cluster,gpu,sys}.{space?=global}.{atomic=add}.{vector?=v2,v4,v8}.{type=u32,s32,u64,f32,f64,f16,bf16,f16x2,bf16x2} [at], {a}",
            "multimem.red.{access?=relaxed,release}.{scope?=cta,cluster,gpu,sys}.{space?=global}.{atomic=min,max}.{vector?=v2,v4,v8}.{type=u32,s32,u64,s64,f16,bf16,f16x2,bf16x2} [at], {a}",
            "multimem.red.{access?=relaxed,release}.{scope?=cta,cluster,gpu,sys}.{space?=global}.{atomic=and,or,xor}.{type=b32,b64} [at], {a}",
        ],
    ),
    // Prefetches, priorities and policies change what is fast, and nothing else.
    Row {
        operation: O::Nothing,
        ptx: &["prefetch.{*} [at]", "prefetchu.L1 [at]"],
        nvvm: &["prefetch at, guard? | cacheLevel={cache}"],
        intrinsic: &["prefetch.{*} at", "prefetchu.L1 at"],
    },
    Row {
        operation: O::KeepLine,
        ptx: &["applypriority.{space?=global}.L2::evict_normal [at], #bytes"],
        nvvm: NONE,
        intrinsic: &["applypriority.{space?=global}.L2.evict.normal at, #bytes"],
    },
    // A weak write of an indeterminate value.
    Row {
        operation: O::DiscardLine,
        ptx: &["discard.{space?=global}.L2 [at], #bytes"],
        nvvm: NONE,
        intrinsic: &["discard.{space?=global}.L2 at, #bytes"],
    },
    ptx(
        O::CachePolicy,
        &[
            "createpolicy.fractional.{*} d:u64, _?",
            "createpolicy.range.{*} d:u64, [at], _:u32, _:u32",
            "createpolicy.cvt.L2.b64 d:u64, a:u64",
        ],
    ),
];

keywords! {
    const WORDS;

    /// The cache that a prefetch fills.
    Cache "cache" "#nvvm<prefetch_cache_level *>" {
        /// The cache of a multiprocessor.
        L1 ["L1"] ["L1"] ["L1"],
        /// The cache of the device.
        L2 ["L2"] ["L2"] ["L2"],
    }

    /// The order of a strong access.
    AccessOrder "access" "" {
        /// None.
        Relaxed ["relaxed"] [] [],
        /// Later accesses stay behind it.
        Acquire ["acquire"] [] [],
        /// Earlier accesses stay before it.
        Release ["release"] [] [],
        /// In both directions.
        AcquireRelease ["acq_rel"] [] [],
    }

    /// A number of elements that an access moves.
    Vector "vector" "" {
        /// Two.
        Two ["v2"] [] [],
        /// Four.
        Four ["v4"] [] [],
        /// Eight.
        Eight ["v8"] [] [],
    }

    /// The update of an atomic operation.
    AtomicUpdate "atomic" "" {
        /// The sum.
        Add ["add"] [] ["add"],
        /// The less of both.
        Min ["min"] [] ["min"],
        /// The greater of both.
        Max ["max"] [] ["max"],
        /// The bits of both.
        And ["and"] [] ["and"],
        /// The bits of either.
        Or ["or"] [] ["or"],
        /// The bits of one alone.
        Xor ["xor"] [] ["xor"],
        /// The operand.
        Exchange ["exch"] [] ["exch"],
        /// One more, or 0 above the limit.
        Increment ["inc"] [] ["inc"],
        /// One less, or the limit.
        Decrement ["dec"] [] ["dec"],
        /// The second operand, if the old value is the first.
        CompareExchange ["cas"] [] ["cas"],
    }
}

impl Vector {
    /// As an integer: 2, 4 or 8.
    pub fn number(self) -> u32 {
        match self {
            Self::Two => 2,
            Self::Four => 4,
            Self::Eight => 8,
        }
    }
}
