// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @pointer(
// CHECK: cute.apply_swizzle(%arg0) : (!cute.ptr<f16, smem, align<128>, S<3,4,3>>) -> !cute.ptr<f16, smem, align<16>, S<3,4,3>>
// FOLD-LABEL: @pointer(
// FOLD-NEXT: {{.*}}cute.apply_swizzle(%arg0) : (!cute.ptr<f16, smem, align<128>, S<3,4,3>>) -> !cute.ptr<f16, smem, align<16>, S<3,4,3>>
// FOLD-NEXT: return
// BASE-LABEL: @pointer(
// BASE-NEXT: %[[C896:.*]] = arith.constant 896 : i64
// BASE-NEXT: %[[C3:.*]] = arith.constant 3 : i64
// BASE-NEXT: %[[V0:.*]] = llvm.ptrtoint %arg0 : !llvm.ptr<3> to i64
// BASE-NEXT: %[[V1:.*]] = arith.andi %[[V0]], %[[C896]] : i64
// BASE-NEXT: %[[V2:.*]] = arith.shrsi %[[V1]], %[[C3]] : i64
// BASE-NEXT: %[[V3:.*]] = arith.xori %[[V0]], %[[V2]] : i64
// BASE-NEXT: %[[V4:.*]] = llvm.inttoptr %[[V3]] : i64 to !llvm.ptr<3>
// BASE-NEXT: return %[[V4]] : !llvm.ptr<3>
func.func @pointer(%arg0: !cute.ptr<f16, smem, align<128>, S<3,4,3>>) -> !cute.ptr<f16, smem, align<16>, S<3,4,3>> {
  %0 = cute.apply_swizzle(%arg0) : (!cute.ptr<f16, smem, align<128>, S<3,4,3>>) -> !cute.ptr<f16, smem, align<16>, S<3,4,3>>
  return %0 : !cute.ptr<f16, smem, align<16>, S<3,4,3>>
}
