// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:44: error: there is no stmatrix of mode (8,8) n of u16 with 8 matrices; there are (8,8) n or t of u16, (16,8) t of u8; 1, 2 or 4 matrices
func.func private @f(!cute_nvgpu.atom.stsm<f16, mode = <"(8,8)">, num_matrices = 8, n>)

// -----
// CHECK: :[[#@LINE+1]]:44: error: there is no stmatrix of mode (16,16) t of u8 with 4 matrices; there are (8,8) n or t of u16, (16,8) t of u8; 1, 2 or 4 matrices
func.func private @f(!cute_nvgpu.atom.stsm<f16, mode = <"(16,16)">, num_matrices = 4, t>)

// -----
// CHECK: :[[#@LINE+1]]:44: error: there is no stmatrix of mode (16,8) n of u8 with 4 matrices; there are (8,8) n or t of u16, (16,8) t of u8; 1, 2 or 4 matrices
func.func private @f(!cute_nvgpu.atom.stsm<i8, mode = <"(16,8)">, num_matrices = 4, n>)

// -----
// CHECK: :[[#@LINE+1]]:44: error: expected a type of elements, such as f16, bf16, f32, f8E4M3FN, i8 or i1
func.func private @f(!cute_nvgpu.atom.stsm<val_type = f16, mode = <"(8,8)">, num_matrices = 4, n>)

// -----
// CHECK: :[[#@LINE+1]]:57: error: expected rows and columns of a matrix, such as "(8,8)", found "8"
func.func private @f(!cute_nvgpu.atom.stsm<f16, mode = <"8">, num_matrices = 4, n>)
