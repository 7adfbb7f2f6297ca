// Types of copy atoms, and of the descriptors that instructions read.

#ifndef CUTE_COPY_TYPES
#define CUTE_COPY_TYPES

include "Types.td"

// Parts of bodies, and rules of several types.
defvar Elem = Field<"elem", "the type of the elements">;
defvar BoxBits = Field<"copy_bits", "the bits of one instruction: of a box">;
defvar Box = Field<"tma_gbasis", "the box: its extents, the contiguous mode first, and the mode of the tensor that each steps along">;
defvar Format = Field<"tma_format", "the name of the element type in the descriptor; the default is that of `elem`">;
defvar LoadKind = Field<"kind", "`sm_90`, `sm_90_multicast`, `sm_100_2sm` (the barrier of a pair of CTAs) or `sm_100_2sm_multicast`">;
defvar TensorStrides = Field<"g_stride", "strides of a tensor that a kernel describes itself; `\"()\"` for the descriptor's">;
defvar TiledMode = Field<"mode = tiled", "boxes of a tensor; the only mode">;
defvar BulkBits = Field<"copy_bits", "the bits of one instruction, a multiple of 128">;
defvar ReductionKind = Field<"kind", "`ADD`, `MIN`, `MAX`, `INC`, `DEC`, `AND`, `OR` or `XOR`">;
defvar RowBits = Field<"copy_bits", "the bits of one instruction: of four rows">;
defvar RowBox = Field<"tma_gbasis", "the box of one row, of 2 modes">;
defvar PixelBox = Field<"tma_gbasis", "the box of pixels: 3 to 5 modes">;
defvar HasLoadKind = Rule<"kind-load-name", "the kind of load has a name", "expected a kind of load: sm_90, sm_90_multicast, sm_100_2sm, sm_100_2sm_multicast",
         "write one of them">;
defvar HasReduction = Rule<"reduction-exists-element-type", "the reduction exists for the element type: `ADD` for u32, s32, u64, f32, f16 and bf16; `MIN` and `MAX` for integers of 32 and 64 bits, f16 and bf16; `INC` and `DEC` for u32; `AND`, `OR` and `XOR` for integers of 32 and 64 bits", "the TMA does not reduce elements of f32 by INC, only elements of u32",
                           "choose another reduction, or reduce a view of the tensor with such elements">;
defvar WholeUnits = [Rule<"copy-bits-whole-units-16-bytes", "`copy_bits` are whole units of 16 bytes", "cp.async.bulk copies multiples of 16 bytes, but copy_bits = 64 is not such a multiple",
         "write a multiple of 128">];
defvar HasBits = [Rule<"copy-bits-positive", "`copy_bits` are positive", "expected a positive number of bits",
         "write a multiple of 128">];

class CuteNvgpu_Type<string cls, string m> : CuteTypeBase<CuteNvgpu_Dialect, cls, m>;

def CuteNvgpu_UniversalCopy : CuteNvgpu_Type<"UniversalCopy", "atom.universal_copy"> {
  let description = [{A plain load and store of one thread, between gmem, smem and registers.}];
  let example = [{<f32, 128 b>}];
  let fields = [
    Elem, Field<"N b", "8, 16, 32, 64, 128 or 256 bits of one call; one element if it is left out">,
    Field<"l1_cache_eviction_priority=P", "a hint: `evict_normal`, `evict_unchanged`, `evict_first`, `evict_last` or `no_allocate`; the code does not contain it">,
    Field<"src_space = S, dst_space = S", "the memory spaces, if they are fixed">
  ];
  let rules = [
    Rule<"priority-name", "the priority has a name", "expected a priority of eviction: evict_normal, evict_unchanged, evict_first, evict_last, no_allocate",
         "write one of them">,
    Rule<"space-name", "the space has a name", "expected a memory space: gmem, smem, rmem, tmem, generic",
         "write one of the five">
  ];
}
def CuteNvgpu_SimtAsyncCopy : CuteNvgpu_Type<"SimtAsyncCopy", "atom.simt_async_copy"> {
  let description = [{`cp.async` from gmem to smem, for `sm_80` and later.}];
  let example = [{<f16, cache = global, 128 b>}];
  let fields = [
    Elem, Field<"cache", "`always` (.ca, all levels) or `global` (.cg, L2 only)">,
    Field<"N b", "bits of one call; one element if it is left out">
  ];
  let rules = [
    Rule<"cache-global-copies-128-bits", "`cache = global` copies 128 bits", "cache = global copies 128 b, not 64 b; cache = always copies 32, 64 or 128 b",
         "write `cache = always` for fewer">,
    Rule<"width-one-instruction", "the width is one of the instruction", "cp.async copies 32, 64 or 128 b, not 16 b",
         "choose 32, 64 or 128 bits">,
    Rule<"cache-mode-name", "the cache mode has a name", "expected a cache mode: always, global",
         "write one of the two">
  ];
}
def CuteNvgpu_Ldsm : CuteNvgpu_Type<"Ldsm", "atom.ldsm"> {
  let description = [{`ldmatrix`: a warp reads matrices from smem to registers, each lane one row.}];
  let example = [{<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>}];
  let fields = [
    Field<"val_type", "the type of the elements">,
    Field<"mode", "rows and columns of a matrix: `(8,8)`, `(16,16)` or `(8,16)`">,
    Field<"sz_pattern", "bits of an element in shared memory: `u16`, `u8`, `u4x16p64to8` or `u6x16p32to8`">,
    Field<"num_matrices", "1, 2 or 4">, Field<"n, t", "as it lies, or transposed">
  ];
  let rules = [
    Rule<"instruction-exists", "the instruction exists", "there is no ldmatrix of mode (8,8) n of u16 with 3 matrices; there are ..",
         "write one that the message lists">,
    Rule<"order-name", "the order has a name", "expected the order of elements: n, t",
         "write `n` or `t`">
  ];
}
def CuteNvgpu_Stsm : CuteNvgpu_Type<"Stsm", "atom.stsm"> {
  let description = [{`stmatrix`: a warp writes matrices from registers to smem, each lane one row; for `sm_90` and later.}];
  let example = [{<f16, mode = <"(8,8)">, num_matrices = 4, n>}];
  let fields = [
    Elem, Field<"mode", "rows and columns of a matrix: `(8,8)` or `(16,8)`">, Field<"num_matrices", "1, 2 or 4">,
    Field<"n, t", "as it lies, or transposed">
  ];
  let rules = [
    Rule<"instruction-exists", "the instruction exists", "there is no stmatrix of mode (8,8) n of u16 with 8 matrices; there are ..",
         "write one that the message lists">
  ];
}
def CuteNvgpu_TmemLoad : CuteNvgpu_Type<"TmemLoad", "atom.tmem_load"> {
  let description = [{`tcgen05.ld`: a warp reads tensor memory to registers. Warp i of a warpgroup reaches lanes 32 i to 32 i + 31.}];
  let example = [{<f32, 32 DP, 32 bit, x64>}];
  let fields = [
    Elem, Field<"N DP", "lanes of tensor memory: 16 or 32">, Field<"N bit", "bits of each lane: 32, 64, 128 or 256">,
    Field<"xN", "how often the shape repeats along the columns: a power of two up to 128">,
    Field<"pack16b", "each word of tensor memory holds 16 bits, which are packed; may be left out">
  ];
  let rules = [
    Rule<"instruction-exists", "the instruction exists", "there is no tcgen05.ld of 32 DP, 64 bit, x4; there are, in powers of two, ..",
         "write a shape that the message lists">,
    Rule<"repetition-written-word", "the repetition is written as a word", "expected how often the shape repeats, such as x4",
         "write `x1` for once">
  ];
}
def CuteNvgpu_TmemStore : CuteNvgpu_Type<"TmemStore", "atom.tmem_store"> {
  let description = [{`tcgen05.st`: a warp writes registers to tensor memory.}];
  let example = [{<f32, 32 DP, 32 bit, x64>}];
  let fields = [
    Elem, Field<"N DP", "lanes of tensor memory: 16 or 32">, Field<"N bit", "bits of each lane: 32, 64, 128 or 256">,
    Field<"xN", "how often the shape repeats along the columns: a power of two up to 128">,
    Field<"expand16b", "each register of two values fills two words; may be left out">
  ];
  let rules = [
    Rule<"instruction-exists", "the instruction exists", "there is no tcgen05.st of 64 DP, 32 bit, x4; there are, in powers of two, ..",
         "write a shape that the message lists">
  ];
}
def CuteNvgpu_S2tCopy : CuteNvgpu_Type<"S2tCopy", "atom.s2t_copy"> {
  let description = [{`tcgen05.cp`: shared to tensor memory, for scales and for A. One lane of one warp issues it.}];
  let example = [{<f8E8M0FNU, 32 DP, 128 bit, 1 cta, x4>}];
  let fields = [
    Elem, Field<"N DP", "lanes of tensor memory">, Field<"N bit", "bits of each lane">,
    Field<"N cta", "1, or 2 for both CTAs of a pair">,
    Field<"x4", "`none`, `lw_0213`, `lw_0123` or `x4`: how the lanes are repeated in tensor memory; left out for none">
  ];
  let rules = [
    Rule<"instruction-exists", "the instruction exists", "there is no tcgen05.cp of 32 DP, 128 bit, 1 cta; there are, of 1 or 2 cta, ..",
         "write a shape that the message lists">,
    Rule<"repetition-name", "the repetition has a name", "expected what is repeated: none, lw_0213, lw_0123, x4",
         "write one of them">
  ];
}
def CuteNvgpu_Sm100S2tCopyV2 : CuteNvgpu_Type<"Sm100S2tCopyV2", "atom.sm100_s2t_copy_v2"> {
  let description = [{`tcgen05.cp` in the spelling of later versions of CuTe DSL, which also names the contiguous mode.}];
  let example = [{<f8E8M0FNU, num_dp = 32, num_bit = 128, num_cta = 1, smem_major = k, broadcast = x4>}];
  let fields = [
    Elem, Field<"num_dp", "lanes of tensor memory">, Field<"num_bit", "bits of each lane">,
    Field<"num_cta", "1, or 2 for both CTAs of a pair">,
    Field<"smem_major", "the contiguous mode in shared memory: `k` or `mn`">,
    Field<"broadcast", "`none`, `lw_0213`, `lw_0123` or `x4`: how the lanes are repeated in tensor memory; left out for none">
  ];
  let rules = [
    Rule<"major-name", "the major has a name", "expected the contiguous mode: k, mn",
         "write `k` or `mn`">
  ];
}
def CuteNvgpu_NonExecTiledTmaLoad : CuteNvgpu_Type<"NonExecTiledTmaLoad", "atom.non_exec_tiled_tma_load"> {
  let description = [{A descriptor of the TMA to load boxes of a tensor. The host makes the descriptor, and a kernel takes the atom as a parameter.}];
  let example = [{<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128):(1@1,1@0)">, tma_format = F16_RN>}];
  let fields = [LoadKind, Elem, BoxBits, Box, Format];
  let rules = [
    HasLoadKind,
    Rule<"copy-bits-those-box", "`copy_bits` are those of the box", "copy_bits = 65536 are not those of a box: 8192 elements of 16 bits have 131072",
         "write the product of extents and bits of an element">,
    Rule<"box-static", "the box is static", "tma_gbasis must map a static box to modes, such as (64,128):(1@1,1@0), found ..",
         "write a static layout with basis strides">,
    Rule<"mode-most-256-elements", "a mode has at most 256 elements", "a box has 1 to 256 elements per mode, but mode 1 of tma_gbasis (16,512):(1@1,1@0) has 512",
         "choose a smaller box">,
    Rule<"format-bits-element", "the format has the bits of an element", "tma_format = F32_RN has 32 bits, but an element f16 has 16",
         "leave the format out">
  ];
}
def CuteNvgpu_NonExecTiledTmaStore : CuteNvgpu_Type<"NonExecTiledTmaStore", "atom.non_exec_tiled_tma_store"> {
  let description = [{A descriptor of the TMA to store boxes to a tensor. The host makes the descriptor, and a kernel takes the atom as a parameter.}];
  let example = [{<f16, copy_bits = 131072, tma_gbasis = <"(64,128):(1@1,1@0)">, tma_format = F16_RN>}];
  let fields = [Elem, BoxBits, Box, Format];
  let rules = [
    Rule<"copy-bits-whole-elements", "`copy_bits` are whole elements", "1 b is not a whole number of f16 elements (16 b each)",
         "write the product of extents and bits of an element">
  ];
}
def CuteNvgpu_NonExecTiledTmaReduce : CuteNvgpu_Type<"NonExecTiledTmaReduce", "atom.non_exec_tiled_tma_reduce"> {
  let description = [{A descriptor of the TMA to reduce boxes into a tensor. The host makes the descriptor, and a kernel takes the atom as a parameter.}];
  let example = [{<ADD, f32, copy_bits = 131072, tma_gbasis = <"(32,128):(1@1,1@0)">, tma_format = F32_RN>}];
  let fields = [
    Field<"reduction", "`ADD`, `MIN`, `MAX`, `INC`, `DEC`, `AND`, `OR` or `XOR`">, Elem, BoxBits, Box, Format
  ];
  let rules = [
    Rule<"reduction-name", "the reduction has a name", "expected a reduction: ADD, MIN, MAX, INC, DEC, AND, OR, XOR",
         "write one of them">,
    HasReduction,
    Rule<"copy-bits-those-box", "`copy_bits` are those of the box", "copy_bits = 131072 are not those of a box: 8192 elements of 32 bits have 262144",
         "write the product of extents and bits of an element">
  ];
}
def CuteNvgpu_NonExecIm2colTmaLoad : CuteNvgpu_Type<"NonExecIm2colTmaLoad", "atom.non_exec_im2col_tma_load"> {
  let description = [{A descriptor of the TMA to load the pixels that a filter reaches (im2col). No type of an executable form exists, so that kernels cannot use it.}];
  let example = [{<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64,1,1):(1@0,1@1,1@2,1@3)">, tma_format = F16_RN>}];
  let fields = [LoadKind, Elem, BoxBits, PixelBox, Format];
  let rules = [
    HasLoadKind,
    Rule<"box-3-5-modes", "the box has 3 to 5 modes", "a box has 3 to 5 modes, but tma_gbasis (64,64):(1@0,1@1) has 2",
         "write the modes of the image">
  ];
}
def CuteNvgpu_NonExecIm2colTmaStore : CuteNvgpu_Type<"NonExecIm2colTmaStore", "atom.non_exec_im2col_tma_store"> {
  let description = [{A descriptor of the TMA to store the pixels that a filter reaches (im2col). No type of an executable form exists, so that kernels cannot use it.}];
  let example = [{<f16, copy_bits = 65536, tma_gbasis = <"(64,64,1,1):(1@0,1@1,1@2,1@3)">, tma_format = F16_RN>}];
  let fields = [Elem, BoxBits, PixelBox, Format];
  let rules = [
    Rule<"copy-bits-those-box", "`copy_bits` are those of the box", "copy_bits = 1024 are not those of a box: 4096 elements of 16 bits have 65536",
         "write the product of extents and bits of an element">
  ];
}
def CuteNvgpu_NonExec2dGather4TmaLoad : CuteNvgpu_Type<"NonExec2dGather4TmaLoad", "atom.non_exec_2d_gather4_tma_load"> {
  let description = [{A descriptor of the TMA to load four rows, each from anywhere. No type of an executable form exists, so that kernels cannot use it.}];
  let example = [{<sm_100, f16, copy_bits = 4096, tma_gbasis = <"(64,1):(1@1,1@0)">, tma_format = F16_RN>}];
  let fields = [
    Field<"kind", "`sm_100`, `sm_100_multicast`, `sm_100_2sm` or `sm_100_2sm_multicast`">, Elem, RowBits, RowBox,
    Format
  ];
  let rules = [
    Rule<"copy-bits-those-box", "`copy_bits` are those of the box", "copy_bits = 1024 are not those of four boxes: 256 elements of 16 bits have 4096",
         "write the product of extents and bits of an element">,
    Rule<"box-2-modes", "the box has 2 modes", "a box has 2 modes, but tma_gbasis (64,64,1,1):(1@0,1@1,1@2,1@3) has 4",
         "write columns and rows">
  ];
}
def CuteNvgpu_NonExec2dScatter4TmaStore : CuteNvgpu_Type<"NonExec2dScatter4TmaStore", "atom.non_exec_2d_scatter4_tma_store"> {
  let description = [{A descriptor of the TMA to store four rows, each to anywhere. No type of an executable form exists, so that kernels cannot use it.}];
  let example = [{<f16, copy_bits = 4096, tma_gbasis = <"(64,1):(1@1,1@0)">, tma_format = F16_RN>}];
  let fields = [Elem, RowBits, RowBox, Format];
  let rules = [
    Rule<"copy-bits-those-box", "`copy_bits` are those of the box", "copy_bits = 1024 are not those of four boxes: 256 elements of 16 bits have 4096",
         "write the product of extents and bits of an element">
  ];
}
def CuteNvgpu_BulkCopyG2S : CuteNvgpu_Type<"BulkCopyG2S", "atom.bulk_copy_g2s"> {
  let description = [{`cp.async.bulk` of contiguous bytes from gmem to smem. One lane of one warp issues it, and a barrier counts its bytes.}];
  let example = [{<f32 copy_bits = 4096 mcast = true>}];
  let fields = [
    Elem, BulkBits, Field<"mcast = true", "several CTAs of the cluster receive the bytes; may be left out">
  ];
  let rules = WholeUnits;
}
def CuteNvgpu_BulkCopyS2G : CuteNvgpu_Type<"BulkCopyS2G", "atom.bulk_copy_s2g"> {
  let description = [{`cp.async.bulk` of contiguous bytes from smem to gmem.}];
  let example = [{<f32 copy_bits = 4096>}];
  let fields = [Elem, BulkBits];
  let rules = HasBits;
}
def CuteNvgpu_BulkCopyS2S : CuteNvgpu_Type<"BulkCopyS2S", "atom.bulk_copy_s2s"> {
  let description = [{`cp.async.bulk` of contiguous bytes from smem to that of another CTA of the cluster.}];
  let example = [{<f32 copy_bits = 4096>}];
  let fields = [Elem, BulkBits];
  let rules = HasBits;
}
def CuteNvgpu_BulkReduceS2G : CuteNvgpu_Type<"BulkReduceS2G", "atom.bulk_reduce_s2g"> {
  let description = [{`cp.reduce.async.bulk` of contiguous elements: those of smem update those of gmem, each atomically. Like a copy by
    `atom.bulk_copy_s2g`, it belongs to the bulk group of the thread that issues it. Public CuTe IR has no type for it.}];
  let example = [{<f32 copy_bits = 4096 kind = ADD>}];
  let fields = [Elem, BulkBits, ReductionKind];
  let rules = HasBits # [
    Rule<"reduction-exists-element-type", "the reduction exists for the element type: `ADD` for u32, s32, u64, f32, f64, f16 and bf16; `MIN` and `MAX` for integers of 32 and 64 bits, f16 and bf16; `INC` and `DEC` for u32; `AND`, `OR` and `XOR` for integers of 32 and 64 bits", "cp.reduce.async.bulk does not reduce elements of f32 in gmem by INC, only elements of u32",
         "choose another reduction, or reduce a view of the memory with such elements">
  ];
}
def CuteNvgpu_BulkReduceS2S : CuteNvgpu_Type<"BulkReduceS2S", "atom.bulk_reduce_s2s"> {
  let description = [{`cp.reduce.async.bulk` of contiguous elements: those of smem update those in the smem of another CTA of the cluster,
    whose barrier counts the bytes. Its state is that of `atom.bulk_copy_s2s`. Public CuTe IR has no type for it.}];
  let example = [{<i32 copy_bits = 4096 kind = ADD>}];
  let fields = [Elem, BulkBits, ReductionKind];
  let rules = HasBits # [
    Rule<"reduction-exists-element-type", "the reduction exists for the element type: `ADD` for u32, s32 and u64; `MIN`, `MAX`, `AND`, `OR` and `XOR` for u32 and s32; `INC` and `DEC` for u32", "cp.reduce.async.bulk does not reduce elements of f32 in smem by ADD, only elements of u32, s32, u64",
         "choose another reduction, or reduce in gmem">
  ];
}
def CuteNvgpu_TmaLoad : CuteNvgpu_Type<"TmaLoad", "atom.tma_load"> {
  let description = [{`cp.async.bulk.tensor` from gmem to smem. `cute_nvgpu.atom.make_exec_tma` makes it of a descriptor.}];
  let example = [{<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128):(1@1,1@0)">>}];
  let fields = [
    Elem, BoxBits, TiledMode, Field<"num_cta", "how many CTAs signal one barrier: 1 or 2">, TensorStrides,
    Field<"mcast = true", "several CTAs of the cluster receive the box; may be left out">, Box
  ];
  let rules = [
    Rule<"num-cta-1-2", "`num_cta` is 1 or 2", "expected how many CTAs a barrier counts for: 1 or 2",
         "write 1 or 2">,
    Rule<"mode-name", "the mode has a name", "expected a mode of the TMA: tiled",
         "write `tiled`">
  ];
}
def CuteNvgpu_TmaStore : CuteNvgpu_Type<"TmaStore", "atom.tma_store"> {
  let description = [{`cp.async.bulk.tensor` from smem to gmem. `cute_nvgpu.atom.make_exec_tma` makes it of a descriptor.}];
  let example = [{<f16, copy_bits = 131072, mode = tiled, g_stride = <"()"> tma_gbasis = <"(64,128):(1@1,1@0)">>}];
  let fields = [Elem, BoxBits, TiledMode, TensorStrides, Box];
}
def CuteNvgpu_TmaReduce : CuteNvgpu_Type<"TmaReduce", "atom.tma_reduce"> {
  let description = [{`cp.reduce.async.bulk.tensor`. `cute_nvgpu.atom.make_exec_tma` makes it of a descriptor.}];
  let example = [{<f32, copy_bits = 131072, mode = tiled, kind = ADD, g_stride = <"()"> tma_gbasis = <"(32,128):(1@1,1@0)">>}];
  let fields = [
    Elem, BoxBits, TiledMode, ReductionKind, TensorStrides, Box
  ];
  let rules = [HasReduction];
}
def CuteNvgpu_SmemDesc : CuteNvgpu_Type<"SmemDesc", "smem_desc"> {
  let description = [{The 64-bit descriptor of a matrix in shared memory, which `wgmma` and `tcgen05` read. In the spelling of the public CuTe IR it has no body.
    With a body it states what the matrix is: `cute.mma.make_fragment` checks that, every op on descriptors keeps it, and `cute.gemm`
    compares it with its atom.}];
  let example = [{<f16, A, k>}];
  let fields = [
    Field<"f16", "the elements of the memory">, Field<"A", "the matrix, `A` or `B`">,
    Field<"k", "the mode that lies contiguous, `k` or `mn`, as in `ab_major` of the atom">
  ];
  let rules = [
    Rule<"matrix-b", "the matrix is A or B", "expected the matrix of the descriptor: A, B",
         "write the letter; C is not read through descriptors">,
    Rule<"mode-one-ab-major", "the mode is one of `ab_major`", "expected the mode that lies contiguous: k, mn",
         "write `k`, or `mn` for M of A and N of B">
  ];
}
def CuteNvgpu_SmemDescView : CuteNvgpu_Type<"SmemDescView", "smem_desc_view"> {
  let description = [{The descriptors of the parts of a matrix: the first one, and a layout of where the others begin, in units of 16 bytes. `cute.mma.make_fragment` makes it.}];
  let example = [{<!cute_nvgpu.smem_desc, "(1,2,4):(0,512,2)">}];
  let fields = [
    Field<"!cute_nvgpu.smem_desc", "the first descriptor, which may state what the matrix is">,
    Field<"\"LAYOUT\"", "steps to the other parts, in units of 16 bytes">
  ];
  let rules = [
    Rule<"strides-integers", "the strides are integers", "a smem_desc_view has integer strides, in units of 16 bytes",
         "divide the strides in elements by the elements of 16 bytes">,
    Rule<"body-begins-descriptor", "the body begins with a descriptor", "expected !cute_nvgpu.smem_desc",
         "write it first">
  ];
}
def CuteNvgpu_TmaDescriptorTiled : CuteNvgpu_Type<"TmaDescriptorTiled", "tma_descriptor_tiled"> {
  let description = [{The 128 bytes of a descriptor of the TMA, as an element type of pointers. It has no body.}];
}

#endif
