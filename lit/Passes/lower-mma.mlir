// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_120a},cute-to-base,canonicalize)' | FileCheck %s

// Each MMA atom as the op or intrinsic of its instruction, with its registers.

// CHECK-LABEL: @sm70_f16(
// CHECK: nvvm.mma.sync A[%{{[0-9]+}}, %{{[0-9]+}}]  B[%{{[0-9]+}}, %{{[0-9]+}}]  C[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
func.func @sm70_f16(%atom: !cute_nvgpu.sm70.mma<8x8x4, ab_major = (k, mn), elem_type = (f16, f16, f32) >, %d: !cute.memref<f32, rmem, align<16>, "8:1">, %a: !cute.memref<f16, rmem, align<16>, "4:1">, %b: !cute.memref<f16, rmem, align<16>, "4:1">, %c: !cute.memref<f32, rmem, align<16>, "8:1">) {
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.sm70.mma<8x8x4, ab_major = (k, mn), elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "8:1">, !cute.memref<f16, rmem, align<16>, "4:1">, !cute.memref<f16, rmem, align<16>, "4:1">, !cute.memref<f32, rmem, align<16>, "8:1">) -> ()
  return
}

// CHECK-LABEL: @sm75_f16(
// CHECK: nvvm.mma.sync A[%{{[0-9]+}}, %{{[0-9]+}}]  B[%{{[0-9]+}}]  C[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
func.func @sm75_f16(%atom: !cute_nvgpu.sm75.mma<16x8x8, elem_type = (f16, f16, f32) >, %d: !cute.memref<f32, rmem, align<16>, "4:1">, %a: !cute.memref<f16, rmem, align<16>, "4:1">, %b: !cute.memref<f16, rmem, align<16>, "2:1">, %c: !cute.memref<f32, rmem, align<16>, "4:1">) {
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.sm75.mma<16x8x8, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "4:1">, !cute.memref<f16, rmem, align<16>, "4:1">, !cute.memref<f16, rmem, align<16>, "2:1">, !cute.memref<f32, rmem, align<16>, "4:1">) -> ()
  return
}

// CHECK-LABEL: @sm75_s8(
// CHECK: nvvm.mma.sync A[%{{[0-9]+}}]  B[%{{[0-9]+}}]  C[%{{[0-9]+}}, %{{[0-9]+}}]  {intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, shape = #nvvm.shape<m = 8, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32)>
func.func @sm75_s8(%atom: !cute_nvgpu.sm75.mma<8x8x16, elem_type = (i8, i8, i32) >, %d: !cute.memref<i32, rmem, align<16>, "2:1">, %a: !cute.memref<i8, rmem, align<16>, "4:1">, %b: !cute.memref<i8, rmem, align<16>, "4:1">, %c: !cute.memref<i32, rmem, align<16>, "2:1">) {
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.sm75.mma<8x8x16, elem_type = (i8, i8, i32) >, !cute.memref<i32, rmem, align<16>, "2:1">, !cute.memref<i8, rmem, align<16>, "4:1">, !cute.memref<i8, rmem, align<16>, "4:1">, !cute.memref<i32, rmem, align<16>, "2:1">) -> ()
  return
}

// CHECK-LABEL: @f16_f32(
// CHECK: nvvm.mma.sync A[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]  B[%{{[0-9]+}}, %{{[0-9]+}}]  C[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
func.func @f16_f32(%atom: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %d: !cute.memref<f32, rmem, align<16>, "4:1">, %a: !cute.memref<f16, rmem, align<16>, "8:1">, %b: !cute.memref<f16, rmem, align<16>, "4:1">, %c: !cute.memref<f32, rmem, align<16>, "4:1">) {
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "4:1">, !cute.memref<f16, rmem, align<16>, "8:1">, !cute.memref<f16, rmem, align<16>, "4:1">, !cute.memref<f32, rmem, align<16>, "4:1">) -> ()
  return
}

// CHECK-LABEL: @f16_f16(
// CHECK: nvvm.mma.sync A[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]  B[%{{[0-9]+}}, %{{[0-9]+}}]  C[%{{[0-9]+}}, %{{[0-9]+}}]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
func.func @f16_f16(%atom: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f16) >, %d: !cute.memref<f16, rmem, align<16>, "4:1">, %a: !cute.memref<f16, rmem, align<16>, "8:1">, %b: !cute.memref<f16, rmem, align<16>, "4:1">, %c: !cute.memref<f16, rmem, align<16>, "4:1">) {
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f16) >, !cute.memref<f16, rmem, align<16>, "4:1">, !cute.memref<f16, rmem, align<16>, "8:1">, !cute.memref<f16, rmem, align<16>, "4:1">, !cute.memref<f16, rmem, align<16>, "4:1">) -> ()
  return
}

// CHECK-LABEL: @bf16(
// CHECK: nvvm.mma.sync A[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]  B[%{{[0-9]+}}, %{{[0-9]+}}]  C[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
func.func @bf16(%atom: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (bf16, bf16, f32) >, %d: !cute.memref<f32, rmem, align<16>, "4:1">, %a: !cute.memref<bf16, rmem, align<16>, "8:1">, %b: !cute.memref<bf16, rmem, align<16>, "4:1">, %c: !cute.memref<f32, rmem, align<16>, "4:1">) {
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (bf16, bf16, f32) >, !cute.memref<f32, rmem, align<16>, "4:1">, !cute.memref<bf16, rmem, align<16>, "8:1">, !cute.memref<bf16, rmem, align<16>, "4:1">, !cute.memref<f32, rmem, align<16>, "4:1">) -> ()
  return
}

// CHECK-LABEL: @tf32(
// CHECK: nvvm.mma.sync A[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]  B[%{{[0-9]+}}, %{{[0-9]+}}]  C[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
func.func @tf32(%atom: !cute_nvgpu.sm80.mma<16x8x8, elem_type = (tf32, tf32, f32) >, %d: !cute.memref<f32, rmem, align<16>, "4:1">, %a: !cute.memref<tf32, rmem, align<16>, "4:1">, %b: !cute.memref<tf32, rmem, align<16>, "2:1">, %c: !cute.memref<f32, rmem, align<16>, "4:1">) {
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.sm80.mma<16x8x8, elem_type = (tf32, tf32, f32) >, !cute.memref<f32, rmem, align<16>, "4:1">, !cute.memref<tf32, rmem, align<16>, "4:1">, !cute.memref<tf32, rmem, align<16>, "2:1">, !cute.memref<f32, rmem, align<16>, "4:1">) -> ()
  return
}

// CHECK-LABEL: @f64(
// CHECK: nvvm.mma.sync A[%{{[0-9]+}}]  B[%{{[0-9]+}}]  C[%{{[0-9]+}}, %{{[0-9]+}}]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (f64, f64, f64) -> !llvm.struct<(f64, f64)>
func.func @f64(%atom: !cute_nvgpu.sm80.mma<8x8x4, elem_type = (f64, f64, f64) >, %d: !cute.memref<f64, rmem, align<16>, "2:1">, %a: !cute.memref<f64, rmem, align<16>, "1:0">, %b: !cute.memref<f64, rmem, align<16>, "1:0">, %c: !cute.memref<f64, rmem, align<16>, "2:1">) {
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.sm80.mma<8x8x4, elem_type = (f64, f64, f64) >, !cute.memref<f64, rmem, align<16>, "2:1">, !cute.memref<f64, rmem, align<16>, "1:0">, !cute.memref<f64, rmem, align<16>, "1:0">, !cute.memref<f64, rmem, align<16>, "2:1">) -> ()
  return
}

// CHECK-LABEL: @sm90_f64(
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k8.row.col.f64"(%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}) : (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64) -> !llvm.struct<(f64, f64, f64, f64)>
func.func @sm90_f64(%atom: !cute_nvgpu.sm80.mma<16x8x8, elem_type = (f64, f64, f64) >, %d: !cute.memref<f64, rmem, align<16>, "4:1">, %a: !cute.memref<f64, rmem, align<16>, "4:1">, %b: !cute.memref<f64, rmem, align<16>, "2:1">, %c: !cute.memref<f64, rmem, align<16>, "4:1">) {
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.sm80.mma<16x8x8, elem_type = (f64, f64, f64) >, !cute.memref<f64, rmem, align<16>, "4:1">, !cute.memref<f64, rmem, align<16>, "4:1">, !cute.memref<f64, rmem, align<16>, "2:1">, !cute.memref<f64, rmem, align<16>, "4:1">) -> ()
  return
}

// CHECK-LABEL: @s8(
// CHECK: nvvm.mma.sync A[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]  B[%{{[0-9]+}}, %{{[0-9]+}}]  C[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]  {intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, shape = #nvvm.shape<m = 16, n = 8, k = 32>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
func.func @s8(%atom: !cute_nvgpu.sm80.mma<16x8x32, elem_type = (i8, i8, i32) >, %d: !cute.memref<i32, rmem, align<16>, "4:1">, %a: !cute.memref<i8, rmem, align<16>, "16:1">, %b: !cute.memref<i8, rmem, align<16>, "8:1">, %c: !cute.memref<i32, rmem, align<16>, "4:1">) {
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.sm80.mma<16x8x32, elem_type = (i8, i8, i32) >, !cute.memref<i32, rmem, align<16>, "4:1">, !cute.memref<i8, rmem, align<16>, "16:1">, !cute.memref<i8, rmem, align<16>, "8:1">, !cute.memref<i32, rmem, align<16>, "4:1">) -> ()
  return
}

// CHECK-LABEL: @s8_satfinite(
// CHECK: nvvm.mma.sync A[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]  B[%{{[0-9]+}}, %{{[0-9]+}}]  C[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]  {intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<u8>, shape = #nvvm.shape<m = 16, n = 8, k = 32>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
func.func @s8_satfinite(%atom: !cute_nvgpu.sm80.mma<16x8x32, elem_type = (i8, ui8, i32) int_overflow = <satfinite>>, %d: !cute.memref<i32, rmem, align<16>, "4:1">, %a: !cute.memref<i8, rmem, align<16>, "16:1">, %b: !cute.memref<ui8, rmem, align<16>, "8:1">, %c: !cute.memref<i32, rmem, align<16>, "4:1">) {
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.sm80.mma<16x8x32, elem_type = (i8, ui8, i32) int_overflow = <satfinite>>, !cute.memref<i32, rmem, align<16>, "4:1">, !cute.memref<i8, rmem, align<16>, "16:1">, !cute.memref<ui8, rmem, align<16>, "8:1">, !cute.memref<i32, rmem, align<16>, "4:1">) -> ()
  return
}

// 8 elements of 4 bits are a register, and 32 bits are one.
// CHECK-LABEL: @s4(
// CHECK: llvm.load %{{.+}} {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: nvvm.mma.sync A[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]  B[%{{[0-9]+}}, %{{[0-9]+}}]  C[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]  {intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s4>, multiplicandBPtxType = #nvvm.mma_type<u4>, shape = #nvvm.shape<m = 16, n = 8, k = 64>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
func.func @s4(%atom: !cute_nvgpu.sm80.mma<16x8x64, elem_type = (i4, ui4, i32) >, %d: !cute.memref<i32, rmem, align<16>, "4:1">, %a: !cute.memref<i4, rmem, align<16>, "32:1">, %b: !cute.memref<ui4, rmem, align<16>, "16:1">, %c: !cute.memref<i32, rmem, align<16>, "4:1">) {
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.sm80.mma<16x8x64, elem_type = (i4, ui4, i32) >, !cute.memref<i32, rmem, align<16>, "4:1">, !cute.memref<i4, rmem, align<16>, "32:1">, !cute.memref<ui4, rmem, align<16>, "16:1">, !cute.memref<i32, rmem, align<16>, "4:1">) -> ()
  return
}

// CHECK-LABEL: @b1_xor(
// CHECK: nvvm.mma.sync A[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]  B[%{{[0-9]+}}, %{{[0-9]+}}]  C[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]  {b1Op = #nvvm.mma_b1op<xor_popc>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<b1>, multiplicandBPtxType = #nvvm.mma_type<b1>, shape = #nvvm.shape<m = 16, n = 8, k = 256>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
func.func @b1_xor(%atom: !cute_nvgpu.sm80.mma<16x8x256, elem_type = (i1, i1, i32) binary_op = <xor_popc>>, %d: !cute.memref<i32, rmem, align<16>, "4:1">, %a: !cute.memref<i1, rmem, align<16>, "128:1">, %b: !cute.memref<i1, rmem, align<16>, "64:1">, %c: !cute.memref<i32, rmem, align<16>, "4:1">) {
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.sm80.mma<16x8x256, elem_type = (i1, i1, i32) binary_op = <xor_popc>>, !cute.memref<i32, rmem, align<16>, "4:1">, !cute.memref<i1, rmem, align<16>, "128:1">, !cute.memref<i1, rmem, align<16>, "64:1">, !cute.memref<i32, rmem, align<16>, "4:1">) -> ()
  return
}

// Elements that lie apart are shifted into their place.
// CHECK-LABEL: @s4_apart(
// CHECK-COUNT-16: llvm.shl
// CHECK: nvvm.mma.sync A[%{{[0-9]+}}]  B[%{{[0-9]+}}]
func.func @s4_apart(%atom: !cute_nvgpu.sm80.mma<8x8x32, elem_type = (i4, i4, i32) >, %d: !cute.memref<i32, rmem, align<16>, "2:1">, %a: !cute.memref<i4, rmem, align<16>, "(8):(3)">, %b: !cute.memref<i4, rmem, align<16>, "((4,2)):((2,1))">) {
  cute.mma_atom_call(%atom, %d, %a, %b, %d) : (!cute_nvgpu.sm80.mma<8x8x32, elem_type = (i4, i4, i32) >, !cute.memref<i32, rmem, align<16>, "2:1">, !cute.memref<i4, rmem, align<16>, "(8):(3)">, !cute.memref<i4, rmem, align<16>, "((4,2)):((2,1))">, !cute.memref<i32, rmem, align<16>, "2:1">) -> ()
  return
}

// CHECK-LABEL: @e4m3(
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e5m2.f32"(%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}) : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
func.func @e4m3(%atom: !cute_nvgpu.sm89.mma<16x8x32, elem_type = (f8E4M3FN, f8E5M2, f32) >, %d: !cute.memref<f32, rmem, align<16>, "4:1">, %a: !cute.memref<f8E4M3FN, rmem, align<16>, "16:1">, %b: !cute.memref<f8E5M2, rmem, align<16>, "8:1">, %c: !cute.memref<f32, rmem, align<16>, "4:1">) {
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.sm89.mma<16x8x32, elem_type = (f8E4M3FN, f8E5M2, f32) >, !cute.memref<f32, rmem, align<16>, "4:1">, !cute.memref<f8E4M3FN, rmem, align<16>, "16:1">, !cute.memref<f8E5M2, rmem, align<16>, "8:1">, !cute.memref<f32, rmem, align<16>, "4:1">) -> ()
  return
}

// CHECK-LABEL: @e5m2_f16(
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f16.e5m2.e5m2.f16"(%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}) : (i32, i32, i32, i32, i32, i32, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
func.func @e5m2_f16(%atom: !cute_nvgpu.sm89.mma<16x8x32, elem_type = (f8E5M2, f8E5M2, f16) >, %d: !cute.memref<f16, rmem, align<16>, "4:1">, %a: !cute.memref<f8E5M2, rmem, align<16>, "16:1">, %b: !cute.memref<f8E5M2, rmem, align<16>, "8:1">, %c: !cute.memref<f16, rmem, align<16>, "4:1">) {
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.sm89.mma<16x8x32, elem_type = (f8E5M2, f8E5M2, f16) >, !cute.memref<f16, rmem, align<16>, "4:1">, !cute.memref<f8E5M2, rmem, align<16>, "16:1">, !cute.memref<f8E5M2, rmem, align<16>, "8:1">, !cute.memref<f16, rmem, align<16>, "4:1">) -> ()
  return
}

// CHECK-LABEL: @sm120_f8(
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.kind.f8f6f4.f32.e4m3.e5m2.f32"(%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}) : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
func.func @sm120_f8(%atom: !cute_nvgpu.SM120.mma<16x8x32, elem_type = (f8E4M3FN, f8E5M2, f32) >, %d: !cute.memref<f32, rmem, align<16>, "4:1">, %a: !cute.memref<f8E4M3FN, rmem, align<16>, "16:1">, %b: !cute.memref<f8E5M2, rmem, align<16>, "8:1">, %c: !cute.memref<f32, rmem, align<16>, "4:1">) {
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.SM120.mma<16x8x32, elem_type = (f8E4M3FN, f8E5M2, f32) >, !cute.memref<f32, rmem, align<16>, "4:1">, !cute.memref<f8E4M3FN, rmem, align<16>, "16:1">, !cute.memref<f8E5M2, rmem, align<16>, "8:1">, !cute.memref<f32, rmem, align<16>, "4:1">) -> ()
  return
}

// CHECK-LABEL: @sm120_f4_f6(
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.kind.f8f6f4.f32.e2m1.e3m2.f32"(%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}) : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
func.func @sm120_f4_f6(%atom: !cute_nvgpu.SM120.mma<16x8x32, elem_type = (f4E2M1FN, f6E3M2FN, f32) >, %d: !cute.memref<f32, rmem, align<16>, "4:1">, %a: !cute.memref<i8, rmem, align<16>, "16:1">, %b: !cute.memref<i8, rmem, align<16>, "8:1">, %c: !cute.memref<f32, rmem, align<16>, "4:1">) {
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.SM120.mma<16x8x32, elem_type = (f4E2M1FN, f6E3M2FN, f32) >, !cute.memref<f32, rmem, align<16>, "4:1">, !cute.memref<i8, rmem, align<16>, "16:1">, !cute.memref<i8, rmem, align<16>, "8:1">, !cute.memref<f32, rmem, align<16>, "4:1">) -> ()
  return
}

// CHECK-LABEL: @sm120_f4_f16(
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.kind.f8f6f4.f16.e2m1.e4m3.f16"(%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}) : (i32, i32, i32, i32, i32, i32, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
func.func @sm120_f4_f16(%atom: !cute_nvgpu.SM120.mma<16x8x32, elem_type = (f4E2M1FN, f8E4M3FN, f16) >, %d: !cute.memref<f16, rmem, align<16>, "4:1">, %a: !cute.memref<i8, rmem, align<16>, "16:1">, %b: !cute.memref<f8E4M3FN, rmem, align<16>, "8:1">, %c: !cute.memref<f16, rmem, align<16>, "4:1">) {
  cute.mma_atom_call(%atom, %d, %a, %b, %c) : (!cute_nvgpu.SM120.mma<16x8x32, elem_type = (f4E2M1FN, f8E4M3FN, f16) >, !cute.memref<f16, rmem, align<16>, "4:1">, !cute.memref<i8, rmem, align<16>, "16:1">, !cute.memref<f8E4M3FN, rmem, align<16>, "8:1">, !cute.memref<f16, rmem, align<16>, "4:1">) -> ()
  return
}
