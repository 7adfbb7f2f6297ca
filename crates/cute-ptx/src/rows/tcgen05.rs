//! `tcgen05`. Registers of loads and stores are vectors in NVVM and in LLVM, and A is an address of
//! tensor memory or a descriptor. LLVM's intrinsics have a kind and a number of blocks as operands.

use super::{Family, NONE, Refused, Row, ptx};
use crate::keyword::{Keyword, Spellings, Table, keywords};
use crate::operation::Operation as O;
use crate::role::roles;
use cute_arch::atoms::{Broadcast, Tcgen05Kind};
use std::slice::from_ref;

pub(super) const FAMILY: Family =
    Family { rows: ROWS, apart: APART, refused: REFUSED, words: WORDS, roles: ROLES };

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

roles! {
    const ROLES;

    /// The result of a reduction of the elements of the destination.
    REDUCED "reduced",
    /// Columns of B that count as zero: a descriptor.
    COLUMNS "columns" U64,
    /// LLVM's number of the kind of a product.
    KIND "kind" U32,
    /// The scale factors of the first matrix.
    SCALES_OF_A "scales_a" U64,
    /// The scale factors of the second matrix.
    SCALES_OF_B "scales_b" U64,
}

keywords! {
    const WORDS;

    /// The accesses that `tcgen05.wait` waits for.
    TensorWait "tensor_wait" "#nvvm.tcgen05_wait<*>" {
        /// Loads.
        Load ["wait::ld"] ["load"] ["ld"],
        /// Stores.
        Store ["wait::st"] ["store"] ["st"],
    }

    /// The side of a synchronisation of threads on which `tcgen05.fence` stands.
    TensorFence "tensor_fence" "#nvvm.tcgen05_fence<*>" {
        /// Before it.
        Before ["fence::before_thread_sync"] ["before"] ["before.thread.sync"],
        /// After it.
        After ["fence::after_thread_sync"] ["after"] ["after.thread.sync"],
    }

    /// The part of tensor memory that a warp loads or stores, per repetition.
    TensorShape "tensor_shape" "#nvvm.tcgen05_ldst_shape<*>" {
        /// 16 lanes of 64 bits.
        Lanes16Bits64 ["16x64b"] ["shape_16x64b"] ["16x64b"],
        /// 16 lanes of 128 bits.
        Lanes16Bits128 ["16x128b"] ["shape_16x128b"] ["16x128b"],
        /// 16 lanes of 256 bits.
        Lanes16Bits256 ["16x256b"] ["shape_16x256b"] ["16x256b"],
        /// 32 lanes of 32 bits.
        Lanes32Bits32 ["32x32b"] ["shape_32x32b"] ["32x32b"],
        /// Twice 16 lanes of 32 bits, whose distance is an operand.
        Lanes16Bits32 ["16x32bx2"] ["shape_16x32bx2"] ["16x32bx2"],
    }

    /// The buffers of `tcgen05.mma` that keep a matrix.
    Collector "collector" "" {
        /// They change what is fast, and nothing else.
        Any
            [
                "collector::a::fill" "collector::a::use" "collector::a::lastuse" "collector::a::discard"
                "collector::b0::fill" "collector::b0::use" "collector::b0::lastuse" "collector::b0::discard"
                "collector::b1::fill" "collector::b1::use" "collector::b1::lastuse" "collector::b1::discard"
                "collector::b2::fill" "collector::b2::use" "collector::b2::lastuse" "collector::b2::discard"
                "collector::b3::fill" "collector::b3::use" "collector::b3::lastuse" "collector::b3::discard"
            ]
            []
            [],
    }

    /// The scale factors of blocks of A and B.
    ScaleVector "scale_vector" "#nvvm.tcgen05_mma_block_scale<*>" {
        /// As many as the kind has, if it says so.
        Default [] ["default"] [],
        /// One along K.
        X1 ["scale_vec::1X"] [] [],
        /// Two along K.
        X2 ["scale_vec::2X"] [] [],
        /// Four along K.
        X4 ["scale_vec::4X"] [] [],
        /// One for each 16 elements.
        Block16 ["block16"] ["block16"] ["block16"],
        /// One for each 32 elements.
        Block32 ["block32"] ["block32"] ["block32"],
    }

    /// The rows of a `tcgen05.cp`.
    RowShape "row_shape" "#nvvm.tcgen05_cp_shape<*>" {
        /// 128 rows of 256 bits.
        Rows128Bits256 ["128x256b"] ["shape_128x256b"] ["128x256b"],
        /// 128 rows of 128 bits.
        Rows128Bits128 ["128x128b"] ["shape_128x128b"] ["128x128b"],
        /// 4 rows of 256 bits.
        Rows4Bits256 ["4x256b"] ["shape_4x256b"] ["4x256b"],
        /// 64 rows of 128 bits.
        Rows64Bits128 ["64x128b"] ["shape_64x128b"] ["64x128b"],
        /// 32 rows of 128 bits.
        Rows32Bits128 ["32x128b"] ["shape_32x128b"] ["32x128b"],
    }

    [Broadcast] "multicast" "#nvvm.tcgen05_cp_multicast<*>" {
        (Broadcast::Nothing) [] ["none"] [],
        (Broadcast::Lw0213) ["warpx2::02_13"] ["warpx2_02_13"] ["warpx2_02_13"],
        (Broadcast::Lw0123) ["warpx2::01_23"] ["warpx2_01_23"] ["warpx2_01_23"],
        (Broadcast::X4) ["warpx4"] ["warpx4"] ["warpx4"],
    }

    [Tcgen05Kind];
}

const KINDS: usize = Tcgen05Kind::ALL.len();

/// The words of `tcgen05`'s kinds are in the table of the kinds.
impl Keyword for Tcgen05Kind {
    const TABLE: &'static Table = &Table {
        name: "tensor_kind",
        attribute: "#nvvm.tcgen05_mma_kind<*>",
        rows: &{
            let mut rows = [Spellings::NONE; KINDS];
            let mut i = 0;
            while i < rows.len() {
                let row = Tcgen05Kind::ALL[i].row();
                let name = from_ref(&row.name);
                rows[i] = Spellings { ptx: from_ref(&row.keyword), nvvm: name, intrinsic: name };
                i += 1;
            }
            rows
        },
    };
    const ALL: &'static [Self] = &Tcgen05Kind::ALL;

    /// Kinds with scale factors belong to ops of their own, and so to an attribute of their own.
    fn nvvm_attribute(self) -> String {
        let attribute = if self.is_scaled() { "#nvvm.block_scale_kind<*>" } else { Self::TABLE.attribute };
        attribute.replace('*', self.row().name)
    }
}

impl TensorShape {
    /// Lanes, bits of a lane, and registers of a thread, per repetition.
    pub fn extents(self) -> (u32, u32, u32) {
        match self {
            Self::Lanes16Bits64 => (16, 64, 1),
            Self::Lanes16Bits128 => (16, 128, 2),
            Self::Lanes16Bits256 => (16, 256, 4),
            Self::Lanes32Bits32 => (32, 32, 1),
            Self::Lanes16Bits32 => (16, 32, 1),
        }
    }

    /// The shape with this number of lanes, and of bits in each.
    pub fn of(lanes: i64, bits: i64) -> Option<Self> {
        let extents = |shape: Self| (shape.extents().0.into(), shape.extents().1.into());
        Self::ALL.iter().copied().find(|shape| extents(*shape) == (lanes, bits))
    }
}

impl ScaleVector {
    /// Factors along K of an instruction of this kind; `None` if the kind determines them.
    pub fn count(self, kind: Tcgen05Kind) -> Option<u32> {
        Some(match self {
            Self::Default => return None,
            Self::X1 => 1,
            Self::X2 => 2,
            Self::X4 => 4,
            Self::Block16 => kind.k() / 16,
            Self::Block32 => kind.k() / 32,
        })
    }
}

impl RowShape {
    /// Rows, and bits of a row.
    pub fn extents(self) -> (u32, u32) {
        match self {
            Self::Rows128Bits256 => (128, 256),
            Self::Rows128Bits128 => (128, 128),
            Self::Rows4Bits256 => (4, 256),
            Self::Rows64Bits128 => (64, 128),
            Self::Rows32Bits128 => (32, 128),
        }
    }

    /// Lanes of tensor memory from a row to the next.
    pub fn step(self) -> u32 {
        if self == Self::Rows4Bits256 { 32 } else { 1 }
    }

    /// Whether the rows may be repeated so: those that fill no warp's lanes must be.
    pub fn takes(self, broadcast: Broadcast) -> bool {
        match self {
            Self::Rows64Bits128 => matches!(broadcast, Broadcast::Lw0213 | Broadcast::Lw0123),
            Self::Rows32Bits128 => broadcast == Broadcast::X4,
            _ => broadcast == Broadcast::Nothing,
        }
    }

    /// The shape with this number of rows, and of bits in each.
    pub fn of(rows: i64, bits: i64) -> Option<Self> {
        let extents = |shape: Self| (shape.extents().0.into(), shape.extents().1.into());
        Self::ALL.iter().copied().find(|shape| extents(*shape) == (rows, bits))
    }
}
