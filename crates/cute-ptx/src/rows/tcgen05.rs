//! `tcgen05`. Registers of loads and stores are vectors in NVVM and in LLVM, and A is an address of
//! tensor memory or a descriptor. LLVM's intrinsics have a kind and a number of blocks as operands.

use super::{Family, NONE, Refused, Row, Spellings, ptx};
use crate::operation::Operation as O;

pub(super) const FAMILY: Family = Family { rows: ROWS, apart: APART, refused: REFUSED, ..Family::NONE };

const ROWS: &[Row] = &[
    Row {
        operation: O::TensorAlloc,
        ptx: &["tcgen05.alloc.{ctas}.sync.aligned.{space?=shared::cta}.b32 [at], count"],
        nvvm: &["tcgen05.alloc at, count | group={ctas}"],
        intrinsic: &["tcgen05.alloc.{?shared}.{ctas} at, count"],
    },
    Row {
        operation: O::TensorDealloc,
        ptx: &["tcgen05.dealloc.{ctas}.sync.aligned.b32 a:u32, count"],
        nvvm: &["tcgen05.dealloc a, count | group={ctas}"],
        intrinsic: &["tcgen05.dealloc.{ctas} a, count"],
    },
    Row {
        operation: O::TensorRelinquish,
        ptx: &["tcgen05.relinquish_alloc_permit.{ctas}.sync.aligned"],
        nvvm: &["tcgen05.relinquish_alloc_permit | group={ctas}"],
        intrinsic: &["tcgen05.relinq.alloc.permit.{ctas}"],
    },
    Row {
        operation: O::TensorLoad,
        ptx: &[
            "tcgen05.ld.sync.aligned.{tensor_shape=16x64b,32x32b}.{x1|x2|x4|x8|x16|x32|x64|x128}.{?pack::16b}.b32 {d}, [at]:b32",
            "tcgen05.ld.sync.aligned.{tensor_shape=16x128b}.{x1|x2|x4|x8|x16|x32|x64}.{?pack::16b}.b32 {d}, [at]:b32",
            "tcgen05.ld.sync.aligned.{tensor_shape=16x256b}.{x1|x2|x4|x8|x16|x32}.{?pack::16b}.b32 {d}, [at]:b32",
            "tcgen05.ld.sync.aligned.{tensor_shape=16x32bx2}.{x1|x2|x4|x8|x16|x32|x64|x128}.{?pack::16b}.b32 {d}, [at]:b32, #offset",
        ],
        nvvm: &["tcgen05.ld at, offset? -> {d} | shape={tensor_shape}, pack?"],
        intrinsic: &[
            "tcgen05.ld.{tensor_shape=16x64b,32x32b}.{x1|x2|x4|x8|x16|x32|x64|x128} at, #id -> {d}",
            "tcgen05.ld.{tensor_shape=16x128b}.{x1|x2|x4|x8|x16|x32|x64} at, #id -> {d}",
            "tcgen05.ld.{tensor_shape=16x256b}.{x1|x2|x4|x8|x16|x32} at, #id -> {d}",
            "tcgen05.ld.{tensor_shape=16x32bx2}.{x1|x2|x4|x8|x16|x32|x64|x128} at, #offset, #id -> {d}",
        ],
    },
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
    Row {
        operation: O::TensorStore,
        ptx: &[
            "tcgen05.st.sync.aligned.{tensor_shape=16x64b,32x32b}.{x1|x2|x4|x8|x16|x32|x64|x128}.{?unpack::16b}.b32 [at]:b32, {values}",
            "tcgen05.st.sync.aligned.{tensor_shape=16x128b}.{x1|x2|x4|x8|x16|x32|x64}.{?unpack::16b}.b32 [at]:b32, {values}",
            "tcgen05.st.sync.aligned.{tensor_shape=16x256b}.{x1|x2|x4|x8|x16|x32}.{?unpack::16b}.b32 [at]:b32, {values}",
            "tcgen05.st.sync.aligned.{tensor_shape=16x32bx2}.{x1|x2|x4|x8|x16|x32|x64|x128}.{?unpack::16b}.b32 [at]:b32, #offset, {values}",
        ],
        nvvm: &["tcgen05.st at, values, offset? | shape={tensor_shape}, unpack?"],
        intrinsic: &[
            "tcgen05.st.{tensor_shape=16x64b,32x32b}.{x1|x2|x4|x8|x16|x32|x64|x128} at, values, #id",
            "tcgen05.st.{tensor_shape=16x128b}.{x1|x2|x4|x8|x16|x32|x64} at, values, #id",
            "tcgen05.st.{tensor_shape=16x256b}.{x1|x2|x4|x8|x16|x32} at, values, #id",
            "tcgen05.st.{tensor_shape=16x32bx2}.{x1|x2|x4|x8|x16|x32|x64|x128} at, #offset, values, #id",
        ],
    },
    Row {
        operation: O::TensorWait,
        ptx: &["tcgen05.{tensor_wait}.sync.aligned"],
        nvvm: &["tcgen05.wait | kind={tensor_wait}"],
        intrinsic: &["tcgen05.wait.{tensor_wait}"],
    },
    Row {
        operation: O::TensorFence,
        ptx: &["tcgen05.{tensor_fence}"],
        nvvm: &["tcgen05.fence | kind={tensor_fence}"],
        intrinsic: &["tcgen05.fence.{tensor_fence}"],
    },
    Row {
        operation: O::TensorCommit,
        ptx: &[
            "tcgen05.commit.{ctas}.mbarrier::arrive::one.{space?=shared::cluster}.b64 [at]",
            "tcgen05.commit.{ctas}.mbarrier::arrive::one.{space?=shared::cluster}.{!multicast::cluster}.b64 [at], mask:u16",
        ],
        nvvm: &["tcgen05.commit at, mask? | group={ctas}"],
        intrinsic: &["tcgen05.commit.{?shared}.{ctas} at", "tcgen05.commit.{!mc}.{?shared}.{ctas} at, mask"],
    },
    Row {
        operation: O::TensorCopy,
        ptx: &[
            "tcgen05.cp.{ctas}.{row_shape=128x256b,128x128b,4x256b} [at]:b32, a:u64",
            "tcgen05.cp.{ctas}.{row_shape=64x128b}.{multicast=warpx2::02_13,warpx2::01_23} [at]:b32, a:u64",
            "tcgen05.cp.{ctas}.{row_shape=32x128b}.{multicast=warpx4} [at]:b32, a:u64",
        ],
        nvvm: &[
            "tcgen05.cp at, a | shape={row_shape}, group={ctas}, multicast={multicast}, !srcFormat=tcgen05.cp.b8x16.b4x16_p64",
        ],
        intrinsic: &[
            "tcgen05.cp.{row_shape=128x256b,128x128b,4x256b}.{ctas} at, a",
            "tcgen05.cp.{!64x128b_warpx2_02_13}.{ctas} at, a | row_shape=64x128b, multicast=warpx2::02_13",
            "tcgen05.cp.{!64x128b_warpx2_01_23}.{ctas} at, a | row_shape=64x128b, multicast=warpx2::01_23",
            "tcgen05.cp.{!32x128b_warpx4}.{ctas} at, a | row_shape=32x128b, multicast=warpx4",
        ],
    },
    // The lanes that are not written may stand before the predicate, and a scale after it.
    Row {
        operation: O::TensorMultiply,
        ptx: &[
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
        nvvm: &[
            "tcgen05.mma at, a, b, c, q, count?, values? | kind={tensor_kind}, ctaGroup={ctas}, !aShift=tcgen05.mma.ashift",
            "tcgen05.mma.block_scale at, a, b, c, q, scales_a, scales_b | kind={tensor_kind}, ctaGroup={ctas}, blockScale={scale_vector}",
            "tcgen05.mma.{!ws} at, a, b, c, q, columns? | kind={tensor_kind}, ctas=cta_group::1",
        ],
        intrinsic: &[
            "tcgen05.mma.{shared|tensor} at, a, b, c, q, #kind, #ctas, _",
            "tcgen05.mma.{shared|tensor}.disable_output_lane.{ctas} at, a, b, c, q, values, #kind, _",
            "tcgen05.mma.{shared|tensor}.scale_d at, a, b, c, q, #count, #kind, #ctas, _",
            "tcgen05.mma.{shared|tensor}.scale_d.disable_output_lane.{ctas} at, a, b, c, q, #count, values, #kind, _",
            "tcgen05.mma.{shared|tensor}.{tensor_kind=mxf8f6f4,mxf4,mxf4nvf4}.block_scale.{scale_vector?=block16,block32} at, a, b, c, q, scales_a, scales_b, #ctas, _",
            "tcgen05.mma.{!ws}.{shared|tensor} at, a, b, c, q, #kind, _, _ | ctas=cta_group::1",
            "tcgen05.mma.{!ws}.{shared|tensor}.zero_col_mask at, a, b, c, q, columns, #kind, _, _ | ctas=cta_group::1",
        ],
    },
];

const APART: Spellings = Spellings { ptx: NONE, nvvm: &["tcgen05.mma_smem_desc"], intrinsic: NONE };

const REFUSED: &[Refused] = &[
    Refused {
        reason: "a sparse matrix",
        names: Spellings {
            ptx: &["tcgen05.mma.sp", "tcgen05.mma.ws.sp"],
            nvvm: &["tcgen05.mma.sp", "tcgen05.mma.sp.block_scale", "tcgen05.mma.ws.sp"],
            intrinsic: &["tcgen05.mma.sp.*", "tcgen05.mma.ws.sp.*"],
        },
    },
    Refused {
        reason: "PTX does not say in which direction it shifts",
        names: Spellings {
            ptx: &["tcgen05.mma.ashift", "tcgen05.shift"],
            nvvm: &["tcgen05.shift"],
            intrinsic: &["tcgen05.mma.tensor.ashift", "tcgen05.mma.tensor.*.ashift", "tcgen05.shift.*"],
        },
    },
    Refused {
        reason: "PTX does not say which bits of a byte an unpacked number takes",
        names: Spellings {
            ptx: &["tcgen05.cp.b8x16.b4x16_p64", "tcgen05.cp.b8x16.b6x16_p32"],
            nvvm: NONE,
            intrinsic: &["tcgen05.cp.*.b4x16_p64.*", "tcgen05.cp.*.b6x16_p32.*"],
        },
    },
];
