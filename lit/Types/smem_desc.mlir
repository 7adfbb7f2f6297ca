// RUN: %opt %s | %opt | FileCheck %s

// What a descriptor states about its matrix: the elements of the memory, A or B, and the contiguous mode. It may state nothing.

// CHECK: @t0(!cute_nvgpu.smem_desc)
func.func private @t0(!cute_nvgpu.smem_desc)
// CHECK: @t1(!cute_nvgpu.smem_desc<f16, A, k>)
func.func private @t1(!cute_nvgpu.smem_desc<f16, A, k>)
// CHECK: @t2(!cute_nvgpu.smem_desc<f8E4M3FN, B, mn>)
func.func private @t2(!cute_nvgpu.smem_desc< f8E4M3FN,B,mn >)
// CHECK: @t3(!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, A, k>, "(1,2,4):(0,512,2)">)
func.func private @t3(!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, A, k>, "(1,2,4):(0,512,2)">)
// CHECK: @t4(!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2,4):(0,512,2)">)
func.func private @t4(!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2,4):(0,512,2)">)
