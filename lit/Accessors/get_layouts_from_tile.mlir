// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// The layouts of a tile, in order, without `_`.

// CHECK-LABEL: @two(
// CHECK: cute.get_layouts_from_tile(%arg0) : <"[(4,8):(1,4);(2,3):(1,2)]">
// FOLD-LABEL: @two(
// FOLD-DAG: {{.*}}cute.static : !cute.layout<"(4,8):(1,4)">
// FOLD-DAG: {{.*}}cute.static : !cute.layout<"(2,3):(1,2)">
// FOLD: return
func.func @two(%arg0: !cute.tile<"[(4,8):(1,4);(2,3):(1,2)]">) -> (!cute.layout<"(4,8):(1,4)">, !cute.layout<"(2,3):(1,2)">) {
  %0:2 = cute.get_layouts_from_tile(%arg0) : !cute.tile<"[(4,8):(1,4);(2,3):(1,2)]">
  return %0#0, %0#1 : !cute.layout<"(4,8):(1,4)">, !cute.layout<"(2,3):(1,2)">
}

// CHECK-LABEL: @open(
// CHECK: cute.get_layouts_from_tile(%arg0) : <"[4:1;_]">
// FOLD-LABEL: @open(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"4:1">
// FOLD-NEXT: return
func.func @open(%arg0: !cute.tile<"[4:1;_]">) -> !cute.layout<"4:1"> {
  %0 = cute.get_layouts_from_tile(%arg0) : !cute.tile<"[4:1;_]">
  return %0 : !cute.layout<"4:1">
}

// CHECK-LABEL: @nested(
// CHECK: cute.get_layouts_from_tile(%arg0) : <"[4:1;[2:1;3:1];5:1]">
// FOLD-LABEL: @nested(
// FOLD-DAG: {{.*}}cute.static : !cute.layout<"4:1">
// FOLD-DAG: {{.*}}cute.static : !cute.layout<"2:1">
// FOLD-DAG: {{.*}}cute.static : !cute.layout<"3:1">
// FOLD-DAG: {{.*}}cute.static : !cute.layout<"5:1">
// FOLD: return
func.func @nested(%arg0: !cute.tile<"[4:1;[2:1;3:1];5:1]">) -> (!cute.layout<"4:1">, !cute.layout<"2:1">, !cute.layout<"3:1">, !cute.layout<"5:1">) {
  %0:4 = cute.get_layouts_from_tile(%arg0) : !cute.tile<"[4:1;[2:1;3:1];5:1]">
  return %0#0, %0#1, %0#2, %0#3 : !cute.layout<"4:1">, !cute.layout<"2:1">, !cute.layout<"3:1">, !cute.layout<"5:1">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.get_layouts_from_tile(%arg0) : <"[(?,4):(1,?);_]">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.get_layouts_from_tile(%arg0) : <"[(?,4):(1,?);_]">
// FOLD-NEXT: return
// BASE-LABEL: func.func @dynamic(
// BASE-SAME: %[[A:.+]]: i32, %[[B:.+]]: i32) -> (i32, i32)
// BASE-NEXT: return %[[A]], %[[B]]
func.func @dynamic(%arg0: !cute.tile<"[(?,4):(1,?);_]">) -> !cute.layout<"(?,4):(1,?)"> {
  %0 = cute.get_layouts_from_tile(%arg0) : !cute.tile<"[(?,4):(1,?);_]">
  return %0 : !cute.layout<"(?,4):(1,?)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.get_layouts_from_tile(%arg0) : <"[(?{i64},4):(1,?{i64});_]">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.get_layouts_from_tile(%arg0) : <"[(?{i64},4):(1,?{i64});_]">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0, %arg1 : i64, i64
func.func @wide(%arg0: !cute.tile<"[(?{i64},4):(1,?{i64});_]">) -> !cute.layout<"(?{i64},4):(1,?{i64})"> {
  %0 = cute.get_layouts_from_tile(%arg0) : !cute.tile<"[(?{i64},4):(1,?{i64});_]">
  return %0 : !cute.layout<"(?{i64},4):(1,?{i64})">
}

// The name of the operand's type may be left out, as the public CuTe IR prints it.
// CHECK-LABEL: @short(
// CHECK: cute.get_layouts_from_tile(%arg0) : <"[(4,8):(1,4);_]">
func.func @short(%arg0: !cute.tile<"[(4,8):(1,4);_]">) -> !cute.layout<"(4,8):(1,4)"> {
  %0 = cute.get_layouts_from_tile(%arg0) : <"[(4,8):(1,4);_]">
  return %0 : !cute.layout<"(4,8):(1,4)">
}
