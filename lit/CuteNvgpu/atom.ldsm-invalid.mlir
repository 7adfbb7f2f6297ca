// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:44: error: there is no ldmatrix of mode (8,8) n of u16 with 3 matrices; there are (8,8) n or t of u16 with 1, 2 or 4 matrices, (16,16) t of u8 with 1 or 2, (8,16) n of u4x16p64to8 or u6x16p32to8 with 1, 2 or 4
func.func private @f(!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 3, n>)

// -----
// CHECK: :[[#@LINE+1]]:44: error: there is no ldmatrix of mode (8,8) n of u8 with 4 matrices; there are (8,8) n or t of u16 with 1, 2 or 4 matrices, (16,16) t of u8 with 1 or 2, (8,16) n of u4x16p64to8 or u6x16p32to8 with 1, 2 or 4
func.func private @f(!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u8, num_matrices = 4, n>)

// -----
// CHECK: :[[#@LINE+1]]:44: error: there is no ldmatrix of mode (16,16) n of u8 with 1 matrices; there are (8,8) n or t of u16 with 1, 2 or 4 matrices, (16,16) t of u8 with 1 or 2, (8,16) n of u4x16p64to8 or u6x16p32to8 with 1, 2 or 4
func.func private @f(!cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(16,16)">, sz_pattern = u8, num_matrices = 1, n>)

// -----
// CHECK: :[[#@LINE+1]]:91: error: expected a pattern of sizes: u16, u8, u4to8, s4to8, u2to4, s2to4, u4x16p64to8, u6x16p32to8
func.func private @f(!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u12, num_matrices = 4, n>)

// -----
// CHECK: :[[#@LINE+1]]:68: error: expected rows and columns of a matrix, such as "(8,8)", found "(8,8,2)"
func.func private @f(!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8,2)">, sz_pattern = u16, num_matrices = 4, n>)

// -----
// CHECK: :[[#@LINE+1]]:68: error: expected rows and columns of a matrix, such as "(8,8)", found "(8,?)"
func.func private @f(!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,?)">, sz_pattern = u16, num_matrices = 4, n>)

// -----
// CHECK: :[[#@LINE+1]]:114: error: expected the order of elements: n, t
func.func private @f(!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, k>)

// -----
// CHECK: :[[#@LINE+1]]:111: error: expected a number of matrices: 1, 2 or 4
func.func private @f(!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = four, n>)

// -----
// CHECK: :[[#@LINE+1]]:44: error: expected 'val_type'
func.func private @f(!cute_nvgpu.atom.ldsm<f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>)

// -----
// CHECK: :[[#@LINE+1]]:44: error: element type index has no size
func.func private @f(!cute_nvgpu.atom.ldsm<val_type = index, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>)
