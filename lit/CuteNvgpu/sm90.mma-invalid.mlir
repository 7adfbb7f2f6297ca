// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:43: error: no wgmma has shape m64n128k32 with A f16, B f16, C f32, D f32; there are m64n8k16, m64n16k16, m64n24k16, m64n32k16, m64n40k16, m64n48k16, m64n56k16, m64n64k16, m64n72k16, m64n80k16, m64n88k16, m64n96k16, m64n104k16, m64n112k16, m64n120k16, m64n128k16, m64n136k16, m64n144k16, m64n152k16, m64n160k16, m64n168k16, m64n176k16, m64n184k16, m64n192k16, m64n200k16, m64n208k16, m64n216k16, m64n224k16, m64n232k16, m64n240k16, m64n248k16, m64n256k16
func.func private @f(!cute_nvgpu.sm90.mma<64x128x32, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>)

// -----
// CHECK: :[[#@LINE+1]]:43: error: no wgmma has shape m64n12k16 with A bf16, B bf16, C f32, D f32; there are m64n8k16, m64n16k16, m64n24k16, m64n32k16, m64n40k16, m64n48k16, m64n56k16, m64n64k16, m64n72k16, m64n80k16, m64n88k16, m64n96k16, m64n104k16, m64n112k16, m64n120k16, m64n128k16, m64n136k16, m64n144k16, m64n152k16, m64n160k16, m64n168k16, m64n176k16, m64n184k16, m64n192k16, m64n200k16, m64n208k16, m64n216k16, m64n224k16, m64n232k16, m64n240k16, m64n248k16, m64n256k16
func.func private @f(!cute_nvgpu.sm90.mma<64x12x16, ab_major = (k, k), elem_type = (bf16, bf16, f32), frag_kind = ss>)

// -----
// CHECK: :[[#@LINE+1]]:43: error: there is no such atom with frag_kind = rs; there are frag_kind = ss
func.func private @f(!cute_nvgpu.sm90.mma<64x128x16, ab_major = (mn, k), elem_type = (f16, f16, f32), frag_kind = rs>)

// -----
// CHECK: :[[#@LINE+1]]:43: error: no wgmma has majors NN with A e4m3, B e5m2, C f32, D f32, shape m64n64k32; there are TN
func.func private @f(!cute_nvgpu.sm90.mma<64x64x32, ab_major = (mn, k), elem_type = (f8E4M3FN, f8E5M2, f32), frag_kind = ss>)

// -----
// CHECK: :[[#@LINE+1]]:43: error: there is no such atom with frag_kind = ts; there are frag_kind = ss; frag_kind = rs
func.func private @f(!cute_nvgpu.sm90.mma<64x64x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ts>)

// -----
// CHECK: :[[#@LINE+1]]:113: error: expected where A and B are: ss, rs, ts
func.func private @f(!cute_nvgpu.sm90.mma<64x64x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = sr>)

// -----
// CHECK: :[[#@LINE+1]]:53: error: expected 'ab_major'
func.func private @f(!cute_nvgpu.sm90.mma<64x64x16, elem_type = (f16, f16, f32), frag_kind = ss>)

// -----
// CHECK: :[[#@LINE+1]]:99: error: expected ','
func.func private @f(!cute_nvgpu.sm90.mma<64x64x16, ab_major = (k, k), elem_type = (f16, f16, f32)>)

// -----
// CHECK: error: expected ','; a !cute_nvgpu.sm90.mma is written <64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
func.func private @f(!cute_nvgpu.sm90.mma<64x128x16>)

// -----
// CHECK: error: expected 'ab_major'; a !cute_nvgpu.sm90.mma is written <64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
func.func private @f(!cute_nvgpu.sm90.mma<64x128x16, elem_type = (f16, f16, f32)>)

// -----
// CHECK: error: a_neg and b_neg are for floats: the instruction does not negate s8
func.func private @f(!cute_nvgpu.sm90.mma<64x64x32, ab_major = (k, k), elem_type = (i8, i8, i32), frag_kind = ss, b_neg = true>)

// -----
// CHECK: error: expected int_overflow or binary_op, a_neg and then b_neg
func.func private @f(!cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_neg = true>)
