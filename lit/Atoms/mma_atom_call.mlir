// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-expand-copy-gemm,cute-lower-atoms,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// One call: fragments (V).

// CHECK-LABEL: @f16(
// CHECK: cute.mma_atom_call(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2)):((1,2))">, !cute.memref<f16, rmem, align<16>, "((2,2,2)):((1,2,4))">, !cute.memref<f16, rmem, align<8>, "((2,2)):((1,2))">, !cute.memref<f32, rmem, align<16>, "((2,2)):((1,2))">) -> ()
// BASE-LABEL: @f16(
// BASE-NEXT: %[[V0:.*]] = llvm.load %arg1 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V1:.*]] = llvm.getelementptr %arg1[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V2:.*]] = llvm.load %[[V1]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V3:.*]] = llvm.getelementptr %arg1[8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V4:.*]] = llvm.load %[[V3]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V5:.*]] = llvm.getelementptr %arg1[12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V6:.*]] = llvm.load %[[V5]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V7:.*]] = llvm.load %arg2 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V8:.*]] = llvm.getelementptr %arg2[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V9:.*]] = llvm.load %[[V8]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V10:.*]] = llvm.load %arg3 {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V11:.*]] = llvm.getelementptr %arg3[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V12:.*]] = llvm.load %[[V11]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V13:.*]] = llvm.getelementptr %arg3[8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V14:.*]] = llvm.load %[[V13]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V15:.*]] = llvm.getelementptr %arg3[12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V16:.*]] = llvm.load %[[V15]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V17:.*]] = nvvm.mma.sync A[%[[V0]], %[[V2]], %[[V4]], %[[V6]]]  B[%[[V7]], %[[V9]]]  C[%[[V10]], %[[V12]], %[[V14]], %[[V16]]]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V18:.*]] = llvm.extractvalue %[[V17]][0] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: llvm.store %[[V18]], %arg0 {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V19:.*]] = llvm.extractvalue %[[V17]][1] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V20:.*]] = llvm.getelementptr %arg0[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V19]], %[[V20]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V21:.*]] = llvm.extractvalue %[[V17]][2] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V22:.*]] = llvm.getelementptr %arg0[8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V21]], %[[V22]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V23:.*]] = llvm.extractvalue %[[V17]][3] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V24:.*]] = llvm.getelementptr %arg0[12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V23]], %[[V24]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: return
func.func @f16(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2)):((1,2))">, %arg2: !cute.memref<f16, rmem, align<16>, "((2,2,2)):((1,2,4))">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2)):((1,2))">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2)):((1,2))">) {
  cute.mma_atom_call(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2)):((1,2))">, !cute.memref<f16, rmem, align<16>, "((2,2,2)):((1,2,4))">, !cute.memref<f16, rmem, align<8>, "((2,2)):((1,2))">, !cute.memref<f32, rmem, align<16>, "((2,2)):((1,2))">) -> ()
  return
}

// Elements apart are gathered into registers.
// CHECK-LABEL: @gathered(
// CHECK: cute.mma_atom_call(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, "((2,2)):((2,4))">, !cute.memref<f16, rmem, align<16>, "((2,2,2)):((4,2,1))">, !cute.memref<f16, rmem, align<8>, "((2,2)):((1,2))">, !cute.memref<f32, rmem, "((2,2)):((2,4))">) -> ()
// BASE-LABEL: @gathered(
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i32
// BASE-NEXT: %[[C0:.*]] = arith.constant 0 : i32
// BASE-NEXT: %[[V0:.*]] = llvm.mlir.poison : vector<2xf16>
// BASE-NEXT: %[[V1:.*]] = llvm.load %arg1 {alignment = 2 : i64} : !llvm.ptr -> f16
// BASE-NEXT: %[[V2:.*]] = llvm.insertelement %[[V1]], %[[V0]][%[[C0]] : i32] : vector<2xf16>
// BASE-NEXT: %[[V3:.*]] = llvm.getelementptr %arg1[8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V4:.*]] = llvm.load %[[V3]] {alignment = 2 : i64} : !llvm.ptr -> f16
// BASE-NEXT: %[[V5:.*]] = llvm.insertelement %[[V4]], %[[V2]][%[[C1]] : i32] : vector<2xf16>
// BASE-NEXT: %[[V6:.*]] = llvm.getelementptr %arg1[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V7:.*]] = llvm.load %[[V6]] {alignment = 2 : i64} : !llvm.ptr -> f16
// BASE-NEXT: %[[V8:.*]] = llvm.insertelement %[[V7]], %[[V0]][%[[C0]] : i32] : vector<2xf16>
// BASE-NEXT: %[[V9:.*]] = llvm.getelementptr %arg1[12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V10:.*]] = llvm.load %[[V9]] {alignment = 2 : i64} : !llvm.ptr -> f16
// BASE-NEXT: %[[V11:.*]] = llvm.insertelement %[[V10]], %[[V8]][%[[C1]] : i32] : vector<2xf16>
// BASE-NEXT: %[[V12:.*]] = llvm.getelementptr %arg1[2] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V13:.*]] = llvm.load %[[V12]] {alignment = 2 : i64} : !llvm.ptr -> f16
// BASE-NEXT: %[[V14:.*]] = llvm.insertelement %[[V13]], %[[V0]][%[[C0]] : i32] : vector<2xf16>
// BASE-NEXT: %[[V15:.*]] = llvm.getelementptr %arg1[10] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V16:.*]] = llvm.load %[[V15]] {alignment = 2 : i64} : !llvm.ptr -> f16
// BASE-NEXT: %[[V17:.*]] = llvm.insertelement %[[V16]], %[[V14]][%[[C1]] : i32] : vector<2xf16>
// BASE-NEXT: %[[V18:.*]] = llvm.getelementptr %arg1[6] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V19:.*]] = llvm.load %[[V18]] {alignment = 2 : i64} : !llvm.ptr -> f16
// BASE-NEXT: %[[V20:.*]] = llvm.insertelement %[[V19]], %[[V0]][%[[C0]] : i32] : vector<2xf16>
// BASE-NEXT: %[[V21:.*]] = llvm.getelementptr %arg1[14] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V22:.*]] = llvm.load %[[V21]] {alignment = 2 : i64} : !llvm.ptr -> f16
// BASE-NEXT: %[[V23:.*]] = llvm.insertelement %[[V22]], %[[V20]][%[[C1]] : i32] : vector<2xf16>
// BASE-NEXT: %[[V24:.*]] = llvm.load %arg2 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V25:.*]] = llvm.getelementptr %arg2[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V26:.*]] = llvm.load %[[V25]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V27:.*]] = llvm.load %arg3 {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V28:.*]] = llvm.getelementptr %arg3[8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V29:.*]] = llvm.load %[[V28]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V30:.*]] = llvm.getelementptr %arg3[16] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V31:.*]] = llvm.load %[[V30]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V32:.*]] = llvm.getelementptr %arg3[24] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V33:.*]] = llvm.load %[[V32]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V34:.*]] = nvvm.mma.sync A[%[[V5]], %[[V11]], %[[V17]], %[[V23]]]  B[%[[V24]], %[[V26]]]  C[%[[V27]], %[[V29]], %[[V31]], %[[V33]]]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V35:.*]] = llvm.extractvalue %[[V34]][0] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: llvm.store %[[V35]], %arg0 {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V36:.*]] = llvm.extractvalue %[[V34]][1] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V37:.*]] = llvm.getelementptr %arg0[8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V36]], %[[V37]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V38:.*]] = llvm.extractvalue %[[V34]][2] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V39:.*]] = llvm.getelementptr %arg0[16] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V38]], %[[V39]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V40:.*]] = llvm.extractvalue %[[V34]][3] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V41:.*]] = llvm.getelementptr %arg0[24] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V40]], %[[V41]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: return
func.func @gathered(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, "((2,2)):((2,4))">, %arg2: !cute.memref<f16, rmem, align<16>, "((2,2,2)):((4,2,1))">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2)):((1,2))">, %arg4: !cute.memref<f32, rmem, "((2,2)):((2,4))">) {
  cute.mma_atom_call(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, "((2,2)):((2,4))">, !cute.memref<f16, rmem, align<16>, "((2,2,2)):((4,2,1))">, !cute.memref<f16, rmem, align<8>, "((2,2)):((1,2))">, !cute.memref<f32, rmem, "((2,2)):((2,4))">) -> ()
  return
}

// CHECK-LABEL: @fma(
// CHECK: cute.mma_atom_call(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, !cute.memref<f32, rmem, "1:0">, !cute.memref<f32, smem, "1:0">, !cute.memref<f32, smem, "1:0">, !cute.memref<f32, rmem, "1:0">) -> ()
// BASE-LABEL: @fma(
// BASE-NEXT: %[[V0:.*]] = llvm.load %arg1 {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// BASE-NEXT: %[[V1:.*]] = llvm.load %arg2 {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// BASE-NEXT: %[[V2:.*]] = llvm.load %arg3 {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V3:.*]] = llvm.intr.fma(%[[V0]], %[[V1]], %[[V2]]) : (f32, f32, f32) -> f32
// BASE-NEXT: llvm.store %[[V3]], %arg0 {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: return
func.func @fma(%arg0: !cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, %arg1: !cute.memref<f32, rmem, "1:0">, %arg2: !cute.memref<f32, smem, "1:0">, %arg3: !cute.memref<f32, smem, "1:0">, %arg4: !cute.memref<f32, rmem, "1:0">) {
  cute.mma_atom_call(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, !cute.memref<f32, rmem, "1:0">, !cute.memref<f32, smem, "1:0">, !cute.memref<f32, smem, "1:0">, !cute.memref<f32, rmem, "1:0">) -> ()
  return
}

