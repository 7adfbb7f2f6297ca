// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @copy_atom(%arg0: !cute_nvgpu.atom.universal_copy<f32>, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, %arg2: !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">) {
  // expected-error @below {{'cute.gemm' op operand #0 must be an MMA atom or tiled_mma, found !cute_nvgpu.atom.universal_copy}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.atom.universal_copy<f32>, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">)
  return
}

// -----

func.func @coordinates(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, %arg2: !cute.coord_tensor<"(0,0)", "(2,2):(1@0,1@1)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">) {
  // expected-error @below {{'cute.gemm' op operand #2 must be variadic of memref or smem_desc_view, but got '!cute.coord_tensor<"(0,0)", "(2,2):(1@0,1@1)">'}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, !cute.coord_tensor<"(0,0)", "(2,2):(1@0,1@1)">, !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">)
  return
}

// -----

// Operands that the atom takes from registers.
func.func @element(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, %arg2: !cute.memref<f32, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">) {
  // expected-error @below {{'cute.gemm' op A has elements of f32, but the atom takes A of f16}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, !cute.memref<f32, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">)
  return
}

// -----

func.func @space(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, %arg2: !cute.memref<f16, smem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">) {
  // expected-error @below {{'cute.gemm' op A lies in smem, but the atom takes it from registers: copy it to a fragment of mma.make_fragment}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">, !cute.memref<f16, smem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">)
  return
}

// -----

func.func @sums(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, gmem, align<16>, "((2,2),2,3):((1,2),4,8)">, %arg2: !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">) {
  // expected-error @below {{'cute.gemm' op D lies in gmem, but the atom takes it from registers: copy it to a fragment of mma.make_fragment}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, gmem, align<16>, "((2,2),2,3):((1,2),4,8)">, !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, !cute.memref<f16, rmem, align<8>, "((2,2),3,2):((1,2),4,12)">, !cute.memref<f32, rmem, align<16>, "((2,2),2,3):((1,2),4,8)">)
  return
}

// -----

func.func @tensor_memory(%arg0: !cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, %arg1: !cute.memref<f32, rmem, "(2,2):(1,2)">, %arg2: !cute.memref<f32, tmem, align<4>, "2:1">, %arg3: !cute.memref<f32, rmem, "2:1">, %arg4: !cute.memref<f32, rmem, "(2,2):(1,2)">) {
  // expected-error @below {{'cute.gemm' op A lies in tmem, but the atom takes it from registers: copy it to a fragment of mma.make_fragment}}
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, !cute.memref<f32, rmem, "(2,2):(1,2)">, !cute.memref<f32, tmem, align<4>, "2:1">, !cute.memref<f32, rmem, "2:1">, !cute.memref<f32, rmem, "(2,2):(1,2)">)
  return
}
