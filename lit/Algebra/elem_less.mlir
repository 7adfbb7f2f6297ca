// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD

// Whether every element is less than its counterpart.

// CHECK-LABEL: @true(
// CHECK: cute.elem_less(%arg0, %arg1) : (!cute.coord<"(3,4)">, !cute.shape<"(4,8)">) -> i1
// FOLD-LABEL: @true(
// FOLD-NEXT: {{.*}}arith.constant true
// FOLD-NEXT: return
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
func.func @false(%arg0: !cute.coord<"(?,8)">, %arg1: !cute.shape<"(4,8)">) -> i1 {
  %0 = cute.elem_less(%arg0, %arg1) : (!cute.coord<"(?,8)">, !cute.shape<"(4,8)">) -> i1
  return %0 : i1
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.elem_less(%arg0, %arg1) : (!cute.coord<"(?,4)">, !cute.shape<"(?,8)">) -> i1
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.elem_less(%arg0, %arg1) : (!cute.coord<"(?,4)">, !cute.shape<"(?,8)">) -> i1
// FOLD-NEXT: return
func.func @dynamic(%arg0: !cute.coord<"(?,4)">, %arg1: !cute.shape<"(?,8)">) -> i1 {
  %0 = cute.elem_less(%arg0, %arg1) : (!cute.coord<"(?,4)">, !cute.shape<"(?,8)">) -> i1
  return %0 : i1
}
