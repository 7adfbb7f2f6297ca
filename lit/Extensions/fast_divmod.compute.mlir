// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// t = mulhi(n, m), q = (t + ((n - t) >> s0)) >> s1, r = n - q d: no division is left.

// CHECK-LABEL: @divmod(
// CHECK: cute.fast_divmod.compute(%arg0, %arg1) : (i32, !cute.fast_divmod_divisor<32>) -> (i32, i32)
// FOLD-LABEL: @divmod(
// FOLD-NEXT: {{.*}}cute.fast_divmod.compute(%arg0, %arg1) : (i32, !cute.fast_divmod_divisor<32>) -> (i32, i32)
// FOLD-NEXT: return
// BASE-LABEL: @divmod(
// BASE-NEXT: %[[C32L:.*]] = arith.constant 32 : i64
// BASE-NEXT: %[[V0:.*]] = arith.extui %arg0 : i32 to i64
// BASE-NEXT: %[[V1:.*]] = arith.extui %arg2 : i32 to i64
// BASE-NEXT: %[[V2:.*]] = arith.muli %[[V0]], %[[V1]] : i64
// BASE-NEXT: %[[V3:.*]] = arith.shrui %[[V2]], %[[C32L]] : i64
// BASE-NEXT: %[[V4:.*]] = arith.trunci %[[V3]] : i64 to i32
// BASE-NEXT: %[[V5:.*]] = arith.subi %arg0, %[[V4]] : i32
// BASE-NEXT: %[[V6:.*]] = arith.shrui %[[V5]], %arg3 : i32
// BASE-NEXT: %[[V7:.*]] = arith.addi %[[V4]], %[[V6]] : i32
// BASE-NEXT: %[[V8:.*]] = arith.shrui %[[V7]], %arg4 : i32
// BASE-NEXT: %[[V9:.*]] = arith.muli %[[V8]], %arg1 : i32
// BASE-NEXT: %[[V10:.*]] = arith.subi %arg0, %[[V9]] : i32
// BASE-NEXT: return %[[V8]], %[[V10]] : i32, i32
func.func @divmod(%arg0: i32, %arg1: !cute.fast_divmod_divisor<32>) -> (i32, i32) {
  %0:2 = cute.fast_divmod.compute(%arg0, %arg1) : (i32, !cute.fast_divmod_divisor<32>) -> (i32, i32)
  return %0#0, %0#1 : i32, i32
}
