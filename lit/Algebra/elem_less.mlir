// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// Whether every element is less than its counterpart.

// CHECK-LABEL: @true(
// CHECK: cute.elem_less(%arg0, %arg1) : (!cute.coord<"(3,4)">, !cute.shape<"(4,8)">) -> i1
// FOLD-LABEL: @true(
// FOLD-NEXT: {{.*}}arith.constant true
// FOLD-NEXT: return
// BASE-LABEL: @true(
// BASE-NEXT: %[[TRUE:.*]] = arith.constant true
// BASE-NEXT: return %[[TRUE]] : i1
func.func @true(%arg0: !cute.coord<"(3,4)">, %arg1: !cute.shape<"(4,8)">) -> i1 {
  %0 = cute.elem_less(%arg0, %arg1) : (!cute.coord<"(3,4)">, !cute.shape<"(4,8)">) -> i1
  return %0 : i1
}

// One element decides.
// CHECK-LABEL: @false(
// CHECK: cute.elem_less(%arg0, %arg1) : (!cute.coord<"(?,8)">, !cute.shape<"(4,8)">) -> i1
// FOLD-LABEL: @false(
// FOLD-NEXT: {{.*}}arith.constant false
// FOLD-NEXT: return
// BASE-LABEL: @false(
// BASE-NEXT: %[[FALSE:.*]] = arith.constant false
// BASE-NEXT: return %[[FALSE]] : i1
func.func @false(%arg0: !cute.coord<"(?,8)">, %arg1: !cute.shape<"(4,8)">) -> i1 {
  %0 = cute.elem_less(%arg0, %arg1) : (!cute.coord<"(?,8)">, !cute.shape<"(4,8)">) -> i1
  return %0 : i1
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.elem_less(%arg0, %arg1) : (!cute.coord<"(?,4)">, !cute.shape<"(?,8)">) -> i1
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.elem_less(%arg0, %arg1) : (!cute.coord<"(?,4)">, !cute.shape<"(?,8)">) -> i1
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: %[[V0:.*]] = arith.cmpi slt, %arg0, %arg1 : i32
// BASE-NEXT: return %[[V0]] : i1
func.func @dynamic(%arg0: !cute.coord<"(?,4)">, %arg1: !cute.shape<"(?,8)">) -> i1 {
  %0 = cute.elem_less(%arg0, %arg1) : (!cute.coord<"(?,4)">, !cute.shape<"(?,8)">) -> i1
  return %0 : i1
}

// CHECK-LABEL: @wide(
// CHECK: cute.elem_less(%arg0, %arg1) : (!cute.coord<"(?,4)">, !cute.shape<"(?{i64 div=8},8)">) -> i1
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.elem_less(%arg0, %arg1) : (!cute.coord<"(?,4)">, !cute.shape<"(?{i64 div=8},8)">) -> i1
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[V0:.*]] = arith.extsi %arg0 : i32 to i64
// BASE-NEXT: %[[V1:.*]] = arith.cmpi slt, %[[V0]], %arg1 : i64
// BASE-NEXT: return %[[V1]] : i1
func.func @wide(%arg0: !cute.coord<"(?,4)">, %arg1: !cute.shape<"(?{i64 div=8},8)">) -> i1 {
  %0 = cute.elem_less(%arg0, %arg1) : (!cute.coord<"(?,4)">, !cute.shape<"(?{i64 div=8},8)">) -> i1
  return %0 : i1
}
