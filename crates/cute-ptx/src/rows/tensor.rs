//! `tcgen05` in PTX's text. The operations of NVVM have other operands.

use super::{Row, ptx};
use crate::operation::Operation as O;

pub(super) const ROWS: &[Row] = &[
    ptx(O::TensorAlloc, &["tcgen05.alloc.{ctas}.sync.aligned.{space?=shared::cta}.b32 [at], count"]),
    ptx(O::TensorDealloc, &["tcgen05.dealloc.{ctas}.sync.aligned.b32 a:u32, count"]),
    ptx(O::TensorRelinquish, &["tcgen05.relinquish_alloc_permit.{ctas}.sync.aligned"]),
    ptx(
        O::TensorLoad,
        &[
            "tcgen05.ld.sync.aligned.{tensor_shape=16x64b,32x32b}.{x1|x2|x4|x8|x16|x32|x64|x128}.{?pack::16b}.b32 {d}, [at]:b32",
            "tcgen05.ld.sync.aligned.{tensor_shape=16x128b}.{x1|x2|x4|x8|x16|x32|x64}.{?pack::16b}.b32 {d}, [at]:b32",
            "tcgen05.ld.sync.aligned.{tensor_shape=16x256b}.{x1|x2|x4|x8|x16|x32}.{?pack::16b}.b32 {d}, [at]:b32",
            "tcgen05.ld.sync.aligned.{tensor_shape=16x32bx2}.{x1|x2|x4|x8|x16|x32|x64|x128}.{?pack::16b}.b32 {d}, [at]:b32, #offset",
        ],
    ),
    // The reduction may stand before the type, as in the syntax of the ISA, or after it, as in its
    // example.
    ptx(
        O::TensorLoad,
        &[
            "tcgen05.ld.red.sync.aligned.{tensor_shape=32x32b}.{x2|x4|x8|x16|x32|x64|x128}.{min|max}.{?abs}.{?NaN}.{type=f32} {d}, reduced, [at]:b32",
            "tcgen05.ld.red.sync.aligned.{tensor_shape=32x32b}.{x2|x4|x8|x16|x32|x64|x128}.{type=f32}.{min|max}.{?abs}.{?NaN} {d}, reduced, [at]:b32",
            "tcgen05.ld.red.sync.aligned.{tensor_shape=32x32b}.{x2|x4|x8|x16|x32|x64|x128}.{min|max}.{type=u32,s32} {d}, reduced, [at]:b32",
            "tcgen05.ld.red.sync.aligned.{tensor_shape=32x32b}.{x2|x4|x8|x16|x32|x64|x128}.{type=u32,s32}.{min|max} {d}, reduced, [at]:b32",
            "tcgen05.ld.red.sync.aligned.{tensor_shape=16x32bx2}.{x2|x4|x8|x16|x32|x64|x128}.{min|max}.{?abs}.{?NaN}.{type=f32} {d}, reduced, [at]:b32, #offset",
            "tcgen05.ld.red.sync.aligned.{tensor_shape=16x32bx2}.{x2|x4|x8|x16|x32|x64|x128}.{type=f32}.{min|max}.{?abs}.{?NaN} {d}, reduced, [at]:b32, #offset",
            "tcgen05.ld.red.sync.aligned.{tensor_shape=16x32bx2}.{x2|x4|x8|x16|x32|x64|x128}.{min|max}.{type=u32,s32} {d}, reduced, [at]:b32, #offset",
            "tcgen05.ld.red.sync.aligned.{tensor_shape=16x32bx2}.{x2|x4|x8|x16|x32|x64|x128}.{type=u32,s32}.{min|max} {d}, reduced, [at]:b32, #offset",
        ],
    ),
    ptx(
        O::TensorStore,
        &[
            "tcgen05.st.sync.aligned.{tensor_shape=16x64b,32x32b}.{x1|x2|x4|x8|x16|x32|x64|x128}.{?unpack::16b}.b32 [at]:b32, {values}",
            "tcgen05.st.sync.aligned.{tensor_shape=16x128b}.{x1|x2|x4|x8|x16|x32|x64}.{?unpack::16b}.b32 [at]:b32, {values}",
            "tcgen05.st.sync.aligned.{tensor_shape=16x256b}.{x1|x2|x4|x8|x16|x32}.{?unpack::16b}.b32 [at]:b32, {values}",
            "tcgen05.st.sync.aligned.{tensor_shape=16x32bx2}.{x1|x2|x4|x8|x16|x32|x64|x128}.{?unpack::16b}.b32 [at]:b32, #offset, {values}",
        ],
    ),
    ptx(O::TensorWait, &["tcgen05.{tensor_wait}.sync.aligned"]),
    ptx(O::TensorFence, &["tcgen05.{tensor_fence}"]),
    ptx(
        O::TensorCommit,
        &[
            "tcgen05.commit.{ctas}.mbarrier::arrive::one.{space?=shared::cluster}.b64 [at]",
            "tcgen05.commit.{ctas}.mbarrier::arrive::one.{space?=shared::cluster}.{!multicast::cluster}.b64 [at], mask:u16",
        ],
    ),
    ptx(
        O::TensorCopy,
        &[
            "tcgen05.cp.{ctas}.{row_shape=128x256b,128x128b,4x256b} [at]:b32, a:u64",
            "tcgen05.cp.{ctas}.{row_shape=64x128b}.{multicast=warpx2::02_13,warpx2::01_23} [at]:b32, a:u64",
            "tcgen05.cp.{ctas}.{row_shape=32x128b}.{multicast=warpx4} [at]:b32, a:u64",
        ],
    ),
    // The lanes that are not written may stand before the predicate, and a scale after it.
    ptx(
        O::TensorMultiply,
        &[
            "tcgen05.mma.{ctas}.{tensor_kind=kind::f16,kind::tf32,kind::f8f6f4,kind::i8}.{collector*} [at]:bits, a:u64, b:u64, c:u32, q, #count?",
            "tcgen05.mma.{ctas}.{tensor_kind=kind::f16,kind::tf32,kind::f8f6f4,kind::i8}.{collector*} [at]:bits, [from]:bits, b:u64, c:u32, q, #count?",
            "tcgen05.mma.{ctas}.{tensor_kind=kind::f16,kind::tf32,kind::f8f6f4,kind::i8}.{collector*} [at]:bits, a:u64, b:u64, c:u32, {values}, q, #count?",
            "tcgen05.mma.{ctas}.{tensor_kind=kind::f16,kind::tf32,kind::f8f6f4,kind::i8}.{collector*} [at]:bits, [from]:bits, b:u64, c:u32, {values}, q, #count?",
            "tcgen05.mma.{!ws}.{ctas=cta_group::1}.{tensor_kind=kind::f16,kind::tf32,kind::f8f6f4,kind::i8}.{collector*} [at]:bits, a:u64, b:u64, c:u32, q, columns?",
            "tcgen05.mma.{!ws}.{ctas=cta_group::1}.{tensor_kind=kind::f16,kind::tf32,kind::f8f6f4,kind::i8}.{collector*} [at]:bits, [from]:bits, b:u64, c:u32, q, columns?",
            "tcgen05.mma.{ctas}.{tensor_kind=kind::mxf8f6f4}.{!block_scale}.{scale_vector?=scale_vec::1X,block32}.{collector*} [at]:bits, a:u64, b:u64, c:u32, [scales_a]:bits, [scales_b]:bits, q",
            "tcgen05.mma.{ctas}.{tensor_kind=kind::mxf4}.{!block_scale}.{scale_vector?=scale_vec::2X,block32}.{collector*} [at]:bits, a:u64, b:u64, c:u32, [scales_a]:bits, [scales_b]:bits, q",
            "tcgen05.mma.{ctas}.{tensor_kind=kind::mxf4nvf4}.{!block_scale}.{scale_vector=scale_vec::2X,scale_vec::4X,block16,block32}.{collector*} [at]:bits, a:u64, b:u64, c:u32, [scales_a]:bits, [scales_b]:bits, q",
            "tcgen05.mma.{ctas}.{tensor_kind=kind::mxf8f6f4}.{!block_scale}.{scale_vector?=scale_vec::1X,block32}.{collector*} [at]:bits, [from]:bits, b:u64, c:u32, [scales_a]:bits, [scales_b]:bits, q",
            "tcgen05.mma.{ctas}.{tensor_kind=kind::mxf4}.{!block_scale}.{scale_vector?=scale_vec::2X,block32}.{collector*} [at]:bits, [from]:bits, b:u64, c:u32, [scales_a]:bits, [scales_b]:bits, q",
            "tcgen05.mma.{ctas}.{tensor_kind=kind::mxf4nvf4}.{!block_scale}.{scale_vector=scale_vec::2X,scale_vec::4X,block16,block32}.{collector*} [at]:bits, [from]:bits, b:u64, c:u32, [scales_a]:bits, [scales_b]:bits, q",
        ],
    ),
];
