// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_120a},cute-to-base,canonicalize)' | FileCheck %s

// ldmatrix and stmatrix: a lane gives the address of a row, and has a register of each matrix.

// CHECK-LABEL: @ldmatrix_x1_n(
// CHECK: nvvm.ldmatrix %arg0 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> i32
func.func @ldmatrix_x1_n(%atom: !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 1, n>, %s: !cute.memref<f16, smem, align<16>, "8:1">, %d: !cute.memref<f16, rmem, align<16>, "2:1">) {
  cute.copy_atom_call(%atom, %s, %d) : (!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 1, n>, !cute.memref<f16, smem, align<16>, "8:1">, !cute.memref<f16, rmem, align<16>, "2:1">) -> ()
  return
}

// CHECK-LABEL: @ldmatrix_x1_t(
// CHECK: nvvm.ldmatrix %arg0 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> i32
func.func @ldmatrix_x1_t(%atom: !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 1, t>, %s: !cute.memref<f16, smem, align<16>, "8:1">, %d: !cute.memref<f16, rmem, align<16>, "2:1">) {
  cute.copy_atom_call(%atom, %s, %d) : (!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 1, t>, !cute.memref<f16, smem, align<16>, "8:1">, !cute.memref<f16, rmem, align<16>, "2:1">) -> ()
  return
}

// CHECK-LABEL: @ldmatrix_x2_n(
// CHECK: nvvm.ldmatrix %arg0 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 2 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
func.func @ldmatrix_x2_n(%atom: !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 2, n>, %s: !cute.memref<f16, smem, align<16>, "8:1">, %d: !cute.memref<f16, rmem, align<16>, "4:1">) {
  cute.copy_atom_call(%atom, %s, %d) : (!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 2, n>, !cute.memref<f16, smem, align<16>, "8:1">, !cute.memref<f16, rmem, align<16>, "4:1">) -> ()
  return
}

// CHECK-LABEL: @ldmatrix_x2_t(
// CHECK: nvvm.ldmatrix %arg0 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 2 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
func.func @ldmatrix_x2_t(%atom: !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 2, t>, %s: !cute.memref<f16, smem, align<16>, "8:1">, %d: !cute.memref<f16, rmem, align<16>, "4:1">) {
  cute.copy_atom_call(%atom, %s, %d) : (!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 2, t>, !cute.memref<f16, smem, align<16>, "8:1">, !cute.memref<f16, rmem, align<16>, "4:1">) -> ()
  return
}

// CHECK-LABEL: @ldmatrix_x4_n(
// CHECK: nvvm.ldmatrix %arg0 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 4 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
func.func @ldmatrix_x4_n(%atom: !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>, %s: !cute.memref<f16, smem, align<16>, "8:1">, %d: !cute.memref<f16, rmem, align<16>, "8:1">) {
  cute.copy_atom_call(%atom, %s, %d) : (!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>, !cute.memref<f16, smem, align<16>, "8:1">, !cute.memref<f16, rmem, align<16>, "8:1">) -> ()
  return
}

// CHECK-LABEL: @ldmatrix_x4_t(
// CHECK: nvvm.ldmatrix %arg0 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 4 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
func.func @ldmatrix_x4_t(%atom: !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, t>, %s: !cute.memref<f16, smem, align<16>, "8:1">, %d: !cute.memref<f16, rmem, align<16>, "8:1">) {
  cute.copy_atom_call(%atom, %s, %d) : (!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, t>, !cute.memref<f16, smem, align<16>, "8:1">, !cute.memref<f16, rmem, align<16>, "8:1">) -> ()
  return
}

// Bytes: the inner half-words of each pair of registers change places.
// CHECK-LABEL: @ldmatrix_bytes(
// CHECK: nvvm.ldmatrix %arg0 {eltType = #nvvm.ld_st_matrix_elt_type<b8>, layout = #nvvm.mma_layout<col>, num = 2 : i32, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.prmt"(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> i32
func.func @ldmatrix_bytes(%atom: !cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(16,16)">, sz_pattern = u8, num_matrices = 2, t>, %s: !cute.memref<i8, smem, align<16>, "16:1">, %d: !cute.memref<i8, rmem, align<16>, "16:1">) {
  cute.copy_atom_call(%atom, %s, %d) : (!cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(16,16)">, sz_pattern = u8, num_matrices = 2, t>, !cute.memref<i8, smem, align<16>, "16:1">, !cute.memref<i8, rmem, align<16>, "16:1">) -> ()
  return
}

// CHECK-LABEL: @ldmatrix_b4(
// CHECK: nvvm.ldmatrix %arg0 {eltType = #nvvm.ld_st_matrix_elt_type<b8x16.b4x16_p64>, layout = #nvvm.mma_layout<row>, num = 4 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
func.func @ldmatrix_b4(%atom: !cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(8,16)">, sz_pattern = u4x16p64to8, num_matrices = 4, n>, %s: !cute.memref<i8, smem, align<16>, "16:1">, %d: !cute.memref<i8, rmem, align<16>, "16:1">) {
  cute.copy_atom_call(%atom, %s, %d) : (!cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(8,16)">, sz_pattern = u4x16p64to8, num_matrices = 4, n>, !cute.memref<i8, smem, align<16>, "16:1">, !cute.memref<i8, rmem, align<16>, "16:1">) -> ()
  return
}

// CHECK-LABEL: @ldmatrix_b6(
// CHECK: nvvm.ldmatrix %arg0 {eltType = #nvvm.ld_st_matrix_elt_type<b8x16.b6x16_p32>, layout = #nvvm.mma_layout<row>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 16>} : (!llvm.ptr<3>) -> i32
func.func @ldmatrix_b6(%atom: !cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(8,16)">, sz_pattern = u6x16p32to8, num_matrices = 1, n>, %s: !cute.memref<i8, smem, align<16>, "16:1">, %d: !cute.memref<i8, rmem, align<16>, "4:1">) {
  cute.copy_atom_call(%atom, %s, %d) : (!cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(8,16)">, sz_pattern = u6x16p32to8, num_matrices = 1, n>, !cute.memref<i8, smem, align<16>, "16:1">, !cute.memref<i8, rmem, align<16>, "4:1">) -> ()
  return
}

// CHECK-LABEL: @stmatrix_x1_n(
// CHECK: nvvm.stmatrix %arg1, %{{[0-9]+}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32
func.func @stmatrix_x1_n(%atom: !cute_nvgpu.atom.stsm<f16, mode = <"(8,8)">, num_matrices = 1, n>, %s: !cute.memref<f16, rmem, align<16>, "2:1">, %d: !cute.memref<f16, smem, align<16>, "8:1">) {
  cute.copy_atom_call(%atom, %s, %d) : (!cute_nvgpu.atom.stsm<f16, mode = <"(8,8)">, num_matrices = 1, n>, !cute.memref<f16, rmem, align<16>, "2:1">, !cute.memref<f16, smem, align<16>, "8:1">) -> ()
  return
}

// CHECK-LABEL: @stmatrix_x2_n(
// CHECK: nvvm.stmatrix %arg1, %{{[0-9]+}}, %{{[0-9]+}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32
func.func @stmatrix_x2_n(%atom: !cute_nvgpu.atom.stsm<f16, mode = <"(8,8)">, num_matrices = 2, n>, %s: !cute.memref<f16, rmem, align<16>, "4:1">, %d: !cute.memref<f16, smem, align<16>, "8:1">) {
  cute.copy_atom_call(%atom, %s, %d) : (!cute_nvgpu.atom.stsm<f16, mode = <"(8,8)">, num_matrices = 2, n>, !cute.memref<f16, rmem, align<16>, "4:1">, !cute.memref<f16, smem, align<16>, "8:1">) -> ()
  return
}

// CHECK-LABEL: @stmatrix_x4_n(
// CHECK: nvvm.stmatrix %arg1, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32, i32, i32
func.func @stmatrix_x4_n(%atom: !cute_nvgpu.atom.stsm<f16, mode = <"(8,8)">, num_matrices = 4, n>, %s: !cute.memref<f16, rmem, align<16>, "8:1">, %d: !cute.memref<f16, smem, align<16>, "8:1">) {
  cute.copy_atom_call(%atom, %s, %d) : (!cute_nvgpu.atom.stsm<f16, mode = <"(8,8)">, num_matrices = 4, n>, !cute.memref<f16, rmem, align<16>, "8:1">, !cute.memref<f16, smem, align<16>, "8:1">) -> ()
  return
}

// CHECK-LABEL: @stmatrix_x4_t(
// CHECK: nvvm.stmatrix %arg1, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32, i32, i32
func.func @stmatrix_x4_t(%atom: !cute_nvgpu.atom.stsm<f16, mode = <"(8,8)">, num_matrices = 4, t>, %s: !cute.memref<f16, rmem, align<16>, "8:1">, %d: !cute.memref<f16, smem, align<16>, "8:1">) {
  cute.copy_atom_call(%atom, %s, %d) : (!cute_nvgpu.atom.stsm<f16, mode = <"(8,8)">, num_matrices = 4, t>, !cute.memref<f16, rmem, align<16>, "8:1">, !cute.memref<f16, smem, align<16>, "8:1">) -> ()
  return
}

// CHECK-LABEL: @stmatrix_bytes(
// CHECK: nvvm.stmatrix %arg1, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}} {eltType = #nvvm.ld_st_matrix_elt_type<b8>, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 8>} : !llvm.ptr<3>, i32, i32, i32, i32
func.func @stmatrix_bytes(%atom: !cute_nvgpu.atom.stsm<i8, mode = <"(16,8)">, num_matrices = 4, t>, %s: !cute.memref<i8, rmem, align<16>, "16:1">, %d: !cute.memref<i8, smem, align<16>, "16:1">) {
  cute.copy_atom_call(%atom, %s, %d) : (!cute_nvgpu.atom.stsm<i8, mode = <"(16,8)">, num_matrices = 4, t>, !cute.memref<i8, rmem, align<16>, "16:1">, !cute.memref<i8, smem, align<16>, "16:1">) -> ()
  return
}
