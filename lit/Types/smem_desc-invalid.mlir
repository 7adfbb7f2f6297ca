// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:49: error: expected the matrix of the descriptor: A, B
func.func private @f(!cute_nvgpu.smem_desc<f16, C, k>)

// -----
// CHECK: error: expected the mode that lies contiguous: k, mn
func.func private @f(!cute_nvgpu.smem_desc<f16, A, m>)

// -----
// CHECK: error: expected !cute_nvgpu.smem_desc
func.func private @f(!cute_nvgpu.smem_desc_view<f16, "1:0">)
