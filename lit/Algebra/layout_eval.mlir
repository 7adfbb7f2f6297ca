// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD

// The value of a layout at a coordinate.

// CHECK-LABEL: @layout(
// CHECK: cute.layout_eval(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"10">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"10">
// FOLD-NEXT: return
func.func @layout(%arg0: !cute.coord<"(1,2)">, %arg1: !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"10"> {
  %0 = cute.layout_eval(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"10">
  return %0 : !cute.int_tuple<"10">
}

// CHECK-LABEL: @composed(
// CHECK: cute.layout_eval(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">) -> !cute.int_tuple<"7">
// FOLD-LABEL: @composed(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"7">
// FOLD-NEXT: return
func.func @composed(%arg0: !cute.coord<"(1,2)">, %arg1: !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">) -> !cute.int_tuple<"7"> {
  %0 = cute.layout_eval(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">) -> !cute.int_tuple<"7">
  return %0 : !cute.int_tuple<"7">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.layout_eval(%arg0, %arg1) : (!cute.coord<"?">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"?">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.layout_eval(%arg0, %arg1) : (!cute.coord<"?">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"?">
// FOLD-NEXT: return
func.func @dynamic(%arg0: !cute.coord<"?">, %arg1: !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"?"> {
  %0 = cute.layout_eval(%arg0, %arg1) : (!cute.coord<"?">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"?">
  return %0 : !cute.int_tuple<"?">
}
