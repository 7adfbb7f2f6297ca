// RUN: %opt %s | %opt | FileCheck %s

// Matrices of a warp from shared memory: 8 x 8 of 16 bits, or 16 x 16 and 8 x 16 of bytes.

// CHECK: @t0(!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 1, n>)
func.func private @t0(!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 1, n>)
// CHECK: @t1(!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 2, n>)
func.func private @t1(!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 2, n>)
// CHECK: @t2(!cute_nvgpu.atom.ldsm<val_type = bf16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, t>)
func.func private @t2(!cute_nvgpu.atom.ldsm<val_type = bf16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, t>)
// CHECK: @t3(!cute_nvgpu.atom.ldsm<val_type = f8E4M3FN, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>)
func.func private @t3(!cute_nvgpu.atom.ldsm<val_type = f8E4M3FN, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>)
// CHECK: @t4(!cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(16,16)">, sz_pattern = u8, num_matrices = 1, t>)
func.func private @t4(!cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(16,16)">, sz_pattern = u8, num_matrices = 1, t>)
// CHECK: @t5(!cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(8,16)">, sz_pattern = u4x16p64to8, num_matrices = 4, n>)
func.func private @t5(!cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(8,16)">, sz_pattern = u4x16p64to8, num_matrices = 4, n>)
// CHECK: @t6(!cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(8,16)">, sz_pattern = u6x16p32to8, num_matrices = 2, n>)
func.func private @t6(!cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(8,16)">, sz_pattern = u6x16p32to8, num_matrices = 2, n>)
