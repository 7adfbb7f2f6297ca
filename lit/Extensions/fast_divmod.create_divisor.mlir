// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// m = 2^32 (2^l - d) / d + 1, l = ceil(log2 d).

// CHECK-LABEL: @divisor(
// CHECK: cute.fast_divmod.create_divisor(%arg0) : i32 -> !cute.fast_divmod_divisor<32>
// FOLD-LABEL: @divisor(
// FOLD-NEXT: {{.*}}cute.fast_divmod.create_divisor(%arg0) : i32 -> !cute.fast_divmod_divisor<32>
// FOLD-NEXT: return
// BASE-LABEL: @divisor(
// BASE-NEXT: %[[C32L:.*]] = arith.constant 32 : i64
// BASE-NEXT: %[[C1L:.*]] = arith.constant 1 : i64
// BASE-NEXT: %[[C32:.*]] = arith.constant 32 : i32
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i32
// BASE-NEXT: %[[V0:.*]] = arith.subi %arg0, %[[C1]] : i32
// BASE-NEXT: %[[V1:.*]] = "llvm.intr.ctlz"(%[[V0]]) <{is_zero_poison = false}> : (i32) -> i32
// BASE-NEXT: %[[V2:.*]] = arith.subi %[[C32]], %[[V1]] : i32
// BASE-NEXT: %[[V3:.*]] = arith.extui %[[V2]] : i32 to i64
// BASE-NEXT: %[[V4:.*]] = arith.shli %[[C1L]], %[[V3]] : i64
// BASE-NEXT: %[[V5:.*]] = arith.extui %arg0 : i32 to i64
// BASE-NEXT: %[[V6:.*]] = arith.subi %[[V4]], %[[V5]] : i64
// BASE-NEXT: %[[V7:.*]] = arith.shli %[[V6]], %[[C32L]] : i64
// BASE-NEXT: %[[V8:.*]] = arith.divui %[[V7]], %[[V5]] : i64
// BASE-NEXT: %[[V9:.*]] = arith.trunci %[[V8]] : i64 to i32
// BASE-NEXT: %[[V10:.*]] = arith.addi %[[V9]], %[[C1]] : i32
// BASE-NEXT: %[[V11:.*]] = arith.minui %[[V2]], %[[C1]] : i32
// BASE-NEXT: %[[V12:.*]] = arith.subi %[[V2]], %[[V11]] : i32
// BASE-NEXT: return %arg0, %[[V10]], %[[V11]], %[[V12]] : i32, i32, i32, i32
func.func @divisor(%arg0: i32) -> !cute.fast_divmod_divisor<32> {
  %0 = cute.fast_divmod.create_divisor(%arg0) : i32 -> !cute.fast_divmod_divisor<32>
  return %0 : !cute.fast_divmod_divisor<32>
}

// CHECK-LABEL: @assumed(
// CHECK: cute.fast_divmod.create_divisor(%arg0) : !cute.i32<divby 8> -> !cute.fast_divmod_divisor<32>
// FOLD-LABEL: @assumed(
// FOLD-NEXT: {{.*}}cute.fast_divmod.create_divisor(%arg0) : !cute.i32<divby 8> -> !cute.fast_divmod_divisor<32>
// FOLD-NEXT: return
// BASE-LABEL: @assumed(
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i32
// BASE-NEXT: %[[C32:.*]] = arith.constant 32 : i32
// BASE-NEXT: %[[C1L:.*]] = arith.constant 1 : i64
// BASE-NEXT: %[[C32L:.*]] = arith.constant 32 : i64
// BASE-NEXT: %[[V0:.*]] = arith.subi %arg0, %[[C1]] : i32
// BASE-NEXT: %[[V1:.*]] = "llvm.intr.ctlz"(%[[V0]]) <{is_zero_poison = false}> : (i32) -> i32
// BASE-NEXT: %[[V2:.*]] = arith.subi %[[C32]], %[[V1]] : i32
// BASE-NEXT: %[[V3:.*]] = arith.extui %[[V2]] : i32 to i64
// BASE-NEXT: %[[V4:.*]] = arith.shli %[[C1L]], %[[V3]] : i64
// BASE-NEXT: %[[V5:.*]] = arith.extui %arg0 : i32 to i64
// BASE-NEXT: %[[V6:.*]] = arith.subi %[[V4]], %[[V5]] : i64
// BASE-NEXT: %[[V7:.*]] = arith.shli %[[V6]], %[[C32L]] : i64
// BASE-NEXT: %[[V8:.*]] = arith.divui %[[V7]], %[[V5]] : i64
// BASE-NEXT: %[[V9:.*]] = arith.trunci %[[V8]] : i64 to i32
// BASE-NEXT: %[[V10:.*]] = arith.addi %[[V9]], %[[C1]] : i32
// BASE-NEXT: %[[V11:.*]] = arith.minui %[[V2]], %[[C1]] : i32
// BASE-NEXT: %[[V12:.*]] = arith.subi %[[V2]], %[[V11]] : i32
// BASE-NEXT: return %arg0, %[[V10]], %[[V11]], %[[V12]] : i32, i32, i32, i32
func.func @assumed(%arg0: !cute.i32<divby 8>) -> !cute.fast_divmod_divisor<32> {
  %0 = cute.fast_divmod.create_divisor(%arg0) : !cute.i32<divby 8> -> !cute.fast_divmod_divisor<32>
  return %0 : !cute.fast_divmod_divisor<32>
}
