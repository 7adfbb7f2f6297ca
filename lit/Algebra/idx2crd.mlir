// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD

// First mode fastest.

// CHECK-LABEL: @static(
// CHECK: cute.idx2crd(%arg0, %arg1) : (!cute.int_tuple<"9">, !cute.shape<"(4,8)">) -> !cute.coord<"(1,2)">
// FOLD-LABEL: @static(
// FOLD-NEXT: {{.*}}cute.static : !cute.coord<"(1,2)">
// FOLD-NEXT: return
func.func @static(%arg0: !cute.int_tuple<"9">, %arg1: !cute.shape<"(4,8)">) -> !cute.coord<"(1,2)"> {
  %0 = cute.idx2crd(%arg0, %arg1) : (!cute.int_tuple<"9">, !cute.shape<"(4,8)">) -> !cute.coord<"(1,2)">
  return %0 : !cute.coord<"(1,2)">
}

// CHECK-LABEL: @nested(
// CHECK: cute.idx2crd(%arg0, %arg1) : (!cute.int_tuple<"29">, !cute.shape<"(4,(2,4))">) -> !cute.coord<"(1,(1,3))">
// FOLD-LABEL: @nested(
// FOLD-NEXT: {{.*}}cute.static : !cute.coord<"(1,(1,3))">
// FOLD-NEXT: return
func.func @nested(%arg0: !cute.int_tuple<"29">, %arg1: !cute.shape<"(4,(2,4))">) -> !cute.coord<"(1,(1,3))"> {
  %0 = cute.idx2crd(%arg0, %arg1) : (!cute.int_tuple<"29">, !cute.shape<"(4,(2,4))">) -> !cute.coord<"(1,(1,3))">
  return %0 : !cute.coord<"(1,(1,3))">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.idx2crd(%arg0, %arg1) : (!cute.int_tuple<"?">, !cute.shape<"(4,8)">) -> !cute.coord<"(?,?)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.idx2crd(%arg0, %arg1) : (!cute.int_tuple<"?">, !cute.shape<"(4,8)">) -> !cute.coord<"(?,?)">
// FOLD-NEXT: return
func.func @dynamic(%arg0: !cute.int_tuple<"?">, %arg1: !cute.shape<"(4,8)">) -> !cute.coord<"(?,?)"> {
  %0 = cute.idx2crd(%arg0, %arg1) : (!cute.int_tuple<"?">, !cute.shape<"(4,8)">) -> !cute.coord<"(?,?)">
  return %0 : !cute.coord<"(?,?)">
}
