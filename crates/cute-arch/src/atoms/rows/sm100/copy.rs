//! Blackwell: `ldmatrix` and `stmatrix` of bytes, accesses of 256 bits, and copies from shared to
//! tensor memory.

use crate::{
    atoms::{
        family::{CopyFamily, Side, THREAD},
        model::{
            Broadcast::{self, *},
            CopyInstruction::{self, *},
            MatrixElement::*,
            TmemFill, TmemShape, ldmatrix, stmatrix,
        },
        rows::common::*,
    },
    feature::Feature,
};

const LOAD: CopyFamily =
    CopyFamily { thr_id: "32:1", reference: Side::Dst, on: Feature::MatrixBytes.on(), ..THREAD };
const STORE: CopyFamily = CopyFamily { thr_id: "32:1", on: Feature::MatrixBytes.on(), ..THREAD };
const WIDE: CopyFamily = CopyFamily { x: &[256], on: Feature::Vector256.on(), ..THREAD };

/// Copies to tensor memory by `{x}` CTAs: threads `1:0` or `2:1`.
const UTCCP: CopyFamily = CopyFamily { x: &[1, 2], thr_id: "{x}:{x/2}", on: Feature::Tcgen05.on(), ..THREAD };

const fn fill(lanes: u32, bits: u32, broadcast: Broadcast, ctas: u32) -> CopyInstruction {
    TmemCopy(TmemFill { lanes, bits, broadcast, ctas })
}

/// Bytes of columns in the order of `ldmatrix` with its CuTe wrapper, which swaps the inner
/// half-words.
const BYTES_X1: &str = "((4,8),(8,2,2)):((256,8),(1,128,64))";
const BYTES_X2: &str = "((4,8),(8,2,2,2)):((256,8),(1,128,64,1024))";
const BYTES_X4: &str = "((4,8),(8,2,2,4)):((256,8),(1,128,64,1024))";

pub(crate) const COPY: &[CopyFamily] = &[
    CopyFamily {
        name: "SM100_LOAD_256bit_CACHE_NOALLOCATION",
        instruction: |bits| LoadNoAllocate { bits },
        ..WIDE
    },
    CopyFamily {
        name: "SM100_STORE_256bit_CACHE_NOALLOCATION",
        instruction: |bits| StoreNoAllocate { bits },
        ..WIDE
    },
    // A row of 16 numbers of 4 or 6 bits and padding becomes 16 bytes.
    CopyFamily {
        name: "SM100_SU4_DU8x16_x1_LDSM_N",
        instruction: |_| ldmatrix(B4x16P64, 1, false),
        src: ROWS_X1,
        dst: WORD_X1,
        ..LOAD
    },
    CopyFamily {
        name: "SM100_SU4_DU8x16_x2_LDSM_N",
        instruction: |_| ldmatrix(B4x16P64, 2, false),
        src: ROWS_X2,
        dst: WORD_X2,
        ..LOAD
    },
    CopyFamily {
        name: "SM100_SU4_DU8x16_x4_LDSM_N",
        instruction: |_| ldmatrix(B4x16P64, 4, false),
        src: ROWS_X4,
        dst: WORD_X4,
        ..LOAD
    },
    CopyFamily {
        name: "SM100_SU6_DU8x16_x1_LDSM_N",
        instruction: |_| ldmatrix(B6x16P32, 1, false),
        src: ROWS_X1,
        dst: WORD_X1,
        ..LOAD
    },
    CopyFamily {
        name: "SM100_SU6_DU8x16_x2_LDSM_N",
        instruction: |_| ldmatrix(B6x16P32, 2, false),
        src: ROWS_X2,
        dst: WORD_X2,
        ..LOAD
    },
    CopyFamily {
        name: "SM100_SU6_DU8x16_x4_LDSM_N",
        instruction: |_| ldmatrix(B6x16P32, 4, false),
        src: ROWS_X4,
        dst: WORD_X4,
        ..LOAD
    },
    CopyFamily {
        name: "SM100_U8x8_LDSM_T",
        instruction: |_| ldmatrix(B8, 1, true),
        src: "((2,2,4,2),128):((128,1024,256,0),1)",
        dst: BYTES_X2,
        ..LOAD
    },
    CopyFamily {
        name: "SM100_U8x16_LDSM_T",
        instruction: |_| ldmatrix(B8, 2, true),
        src: "((2,2,4,2),128):((128,1024,256,2048),1)",
        dst: BYTES_X4,
        ..LOAD
    },
    CopyFamily {
        name: "SM100_U8x4_STSM_T",
        instruction: |_| stmatrix(B8, 1, true),
        src: BYTES_X1,
        dst: ROWS_X1,
        ..STORE
    },
    CopyFamily {
        name: "SM100_U8x8_STSM_T",
        instruction: |_| stmatrix(B8, 2, true),
        src: BYTES_X2,
        dst: ROWS_X2,
        ..STORE
    },
    CopyFamily {
        name: "SM100_U8x16_STSM_T",
        instruction: |_| stmatrix(B8, 4, true),
        src: BYTES_X4,
        dst: ROWS_X4,
        ..STORE
    },
    // `tcgen05.ld.red`: a load that also returns the smallest or largest of each thread's values.
    CopyFamily {
        name: "SM100_TMEM_LOAD_STAT_32dp32b{x}x",
        instruction: |repeats| TmemLoadReduce(TmemShape { lanes: 32, bits: 32, repeats, halves: false }),
        x: &[32, 128],
        thr_id: "32:1",
        src: "(32,{x*1024}):(0,1)",
        dst: "(32,{x*32}):({x*32},1)",
        tensor_memory: Some("({x*32},32):(1,2097152)"),
        on: Feature::Tcgen05LoadReduce.on(),
        ..THREAD
    },
    CopyFamily {
        name: "SM100_UTCCP_128dp256bit_{x}cta",
        instruction: |ctas| fill(128, 256, Nothing, ctas),
        src: "({x},32768):(0,1)",
        dst: "({x},32768):(0,1)",
        tensor_memory: Some("(128,256):(2097152,1)"),
        ..UTCCP
    },
    CopyFamily {
        name: "SM100_UTCCP_128dp128bit_{x}cta",
        instruction: |ctas| fill(128, 128, Nothing, ctas),
        src: "({x},16384):(0,1)",
        dst: "({x},16384):(0,1)",
        tensor_memory: Some("(128,128):(2097152,1)"),
        ..UTCCP
    },
    CopyFamily {
        name: "SM100_UTCCP_4dp256bit_{x}cta",
        instruction: |ctas| fill(4, 256, Nothing, ctas),
        src: "({x},(4,256)):(0,(32,128))",
        dst: "({x},(4,256)):(0,(32,128))",
        tensor_memory: Some("(128,256):(2097152,1)"),
        ..UTCCP
    },
    CopyFamily {
        name: "SM100_UTCCP_4x32dp128bit_{x}cta",
        instruction: |ctas| fill(32, 128, X4, ctas),
        src: "({x},(32,128,4)):(0,(1,32,0))",
        dst: "({x},16384):(0,1)",
        reference: Side::Dst,
        tensor_memory: Some("(32,128,4):(2097152,1,67108864)"),
        ..UTCCP
    },
    CopyFamily {
        name: "SM100_UTCCP_2x64dp128bitlw0123_{x}cta",
        instruction: |ctas| fill(64, 128, Lw0123, ctas),
        src: "({x},(32,128,2,2)):(0,(1,32,4096,0))",
        dst: "({x},16384):(0,1)",
        reference: Side::Dst,
        tensor_memory: Some("(32,128,2,2):(2097152,1,134217728,67108864)"),
        ..UTCCP
    },
    CopyFamily {
        name: "SM100_UTCCP_2x64dp128bitlw0213_{x}cta",
        instruction: |ctas| fill(64, 128, Lw0213, ctas),
        src: "({x},(64,128,2)):(0,(1,64,0))",
        dst: "({x},16384):(0,1)",
        reference: Side::Dst,
        tensor_memory: Some("(64,128,2):(2097152,1,134217728)"),
        ..UTCCP
    },
];
