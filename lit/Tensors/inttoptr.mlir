// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// An address as a pointer.

// CHECK-LABEL: @gmem(
// CHECK: cute.inttoptr(%arg0) : i64 to !cute.ptr<f32, gmem, align<16>>
// FOLD-LABEL: @gmem(
// FOLD-NEXT: {{.*}}cute.inttoptr(%arg0) : i64 to !cute.ptr<f32, gmem, align<16>>
// FOLD-NEXT: return
// BASE-LABEL: func.func @gmem(%arg0: i64) -> !llvm.ptr<1>
// BASE-NEXT: %[[P:.+]] = llvm.inttoptr %arg0 : i64 to !llvm.ptr<1>
// BASE-NEXT: return %[[P]]
func.func @gmem(%arg0: i64) -> !cute.ptr<f32, gmem, align<16>> {
  %0 = cute.inttoptr(%arg0) : i64 to !cute.ptr<f32, gmem, align<16>>
  return %0 : !cute.ptr<f32, gmem, align<16>>
}

// 32 bits hold an address of shared memory.
// CHECK-LABEL: @smem(
// CHECK: cute.inttoptr(%arg0) : i32 to !cute.ptr<f16, smem>
// FOLD-LABEL: @smem(
// FOLD-NEXT: {{.*}}cute.inttoptr(%arg0) : i32 to !cute.ptr<f16, smem>
// FOLD-NEXT: return
// BASE-LABEL: func.func @smem(%arg0: i32) -> !llvm.ptr<3>
// BASE-NEXT: %[[P:.+]] = llvm.inttoptr %arg0 : i32 to !llvm.ptr<3>
// BASE-NEXT: return %[[P]]
func.func @smem(%arg0: i32) -> !cute.ptr<f16, smem> {
  %0 = cute.inttoptr(%arg0) : i32 to !cute.ptr<f16, smem>
  return %0 : !cute.ptr<f16, smem>
}

// CHECK-LABEL: @tmem(
// BASE-LABEL: func.func @tmem(%arg0: i32, %arg1: i64) -> (i32, i32)
// BASE-NEXT: %[[P:.+]] = arith.trunci %arg1 : i64 to i32
// BASE-NEXT: return %arg0, %[[P]]
func.func @tmem(%arg0: i32, %arg1: i64) -> (!cute.ptr<f32, tmem>, !cute.ptr<f32, tmem>) {
  %0 = cute.inttoptr(%arg0) : i32 to !cute.ptr<f32, tmem>
  %1 = cute.inttoptr(%arg1) : i64 to !cute.ptr<f32, tmem>
  return %0, %1 : !cute.ptr<f32, tmem>, !cute.ptr<f32, tmem>
}
