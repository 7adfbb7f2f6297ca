// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: no mma.sp.sync has shape m16n8k8 with A f16, B f16, C f32, D f32; there are m16n8k16, m16n8k32
func.func private @f(!cute_nvgpu.sm80.sparse_mma<16x8x8, elem_type = (f16, f16, f32), md_format = tid >)

// -----
// CHECK: error: SM120_SPARSE_16x8x64_TN<e4m3,e4m3,float> is not an atom of !cute_nvgpu.sm80.sparse_mma; as a type it is not supported
func.func private @f(!cute_nvgpu.sm80.sparse_mma<16x8x64, elem_type = (f8E4M3FN, f8E4M3FN, f32), md_format = tid >)

// -----
// CHECK: error: expected an order of metadata: tid
func.func private @f(!cute_nvgpu.sm80.sparse_mma<16x8x16, elem_type = (f16, f16, f32), md_format = region >)

// -----
// CHECK: error: expected ','
func.func private @f(!cute_nvgpu.sm80.sparse_mma<16x8x16, elem_type = (f16, f16, f32) >)

// -----
!atom = !cute_nvgpu.sm80.sparse_mma<16x8x32, elem_type = (f16, f16, f32), md_format = tid >
func.func @fragment(%mma: !atom, %shape: !cute.shape<"((4,2,2),2,2)">) {
  // CHECK: error: 'cute.mma.make_fragment' op a fragment of a sparse A is not supported
  %a = cute.mma.make_fragment A (%mma, %shape) : (!atom, !cute.shape<"((4,2,2),2,2)">) -> !cute.memref<f16, rmem, align<32>, "((4,2,2),2,2):((1,4,8),16,32)">
  return
}
