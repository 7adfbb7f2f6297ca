// RUN: %opt %s | %opt | FileCheck %s

// Descriptors: their types say nothing more.

// CHECK: @t0(!cute_nvgpu.smem_desc)
func.func private @t0(!cute_nvgpu.smem_desc)
// CHECK: @t1(!cute_nvgpu.tma_descriptor_tiled)
func.func private @t1(!cute_nvgpu.tma_descriptor_tiled)
// CHECK: @t2(!cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<64>>)
func.func private @t2(!cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<64>>)
