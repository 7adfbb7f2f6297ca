// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// The address of a pointer.

// CHECK-LABEL: @gmem(
// CHECK: cute.ptrtoint(%arg0) : !cute.ptr<f32, gmem, align<16>> to i64
// FOLD-LABEL: @gmem(
// FOLD-NEXT: {{.*}}cute.ptrtoint(%arg0) : !cute.ptr<f32, gmem, align<16>> to i64
// FOLD-NEXT: return
// BASE-LABEL: func.func @gmem(%arg0: !llvm.ptr<1>) -> i64
// BASE-NEXT: %[[P:.+]] = llvm.ptrtoint %arg0 : !llvm.ptr<1> to i64
// BASE-NEXT: return %[[P]]
func.func @gmem(%arg0: !cute.ptr<f32, gmem, align<16>>) -> i64 {
  %0 = cute.ptrtoint(%arg0) : !cute.ptr<f32, gmem, align<16>> to i64
  return %0 : i64
}

// CHECK-LABEL: @smem(
// CHECK: cute.ptrtoint(%arg0) : !cute.ptr<f16, smem> to i32
// FOLD-LABEL: @smem(
// FOLD-NEXT: {{.*}}cute.ptrtoint(%arg0) : !cute.ptr<f16, smem> to i32
// FOLD-NEXT: return
// BASE-LABEL: func.func @smem(%arg0: !llvm.ptr<3>) -> i32
// BASE-NEXT: %[[P:.+]] = llvm.ptrtoint %arg0 : !llvm.ptr<3> to i32
// BASE-NEXT: return %[[P]]
func.func @smem(%arg0: !cute.ptr<f16, smem>) -> i32 {
  %0 = cute.ptrtoint(%arg0) : !cute.ptr<f16, smem> to i32
  return %0 : i32
}

// An address in tensor memory is an integer.
// CHECK-LABEL: @tmem(
// BASE-LABEL: func.func @tmem(%arg0: i32) -> (i32, i64)
// BASE-NEXT: %[[P:.+]] = arith.extui %arg0 : i32 to i64
// BASE-NEXT: return %arg0, %[[P]]
func.func @tmem(%arg0: !cute.ptr<f32, tmem>) -> (i32, i64) {
  %0 = cute.ptrtoint(%arg0) : !cute.ptr<f32, tmem> to i32
  %1 = cute.ptrtoint(%arg0) : !cute.ptr<f32, tmem> to i64
  return %0, %1 : i32, i64
}
