// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// One result a leaf, of the same kind.

// CHECK-LABEL: @shape(
// CHECK: cute.get_leaves(%arg0) : !cute.shape<"(4,(?,3))">
// FOLD-LABEL: @shape(
// FOLD-NEXT: {{.*}}cute.get_leaves(%arg0) : !cute.shape<"(4,(?,3))">
// FOLD-NEXT: return
// BASE-LABEL: @shape(
// BASE-NEXT: return %arg0 : i32
func.func @shape(%arg0: !cute.shape<"(4,(?,3))">) -> (!cute.shape<"4">, !cute.shape<"?">, !cute.shape<"3">) {
  %0:3 = cute.get_leaves(%arg0) : !cute.shape<"(4,(?,3))">
  return %0#0, %0#1, %0#2 : !cute.shape<"4">, !cute.shape<"?">, !cute.shape<"3">
}

// CHECK-LABEL: @static(
// CHECK: cute.get_leaves(%arg0) : !cute.int_tuple<"(4,8)">
// FOLD-LABEL: @static(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"4">
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"8">
// FOLD-NEXT: return
// BASE-LABEL: @static(
// BASE-NEXT: return
func.func @static(%arg0: !cute.int_tuple<"(4,8)">) -> (!cute.int_tuple<"4">, !cute.int_tuple<"8">) {
  %0:2 = cute.get_leaves(%arg0) : !cute.int_tuple<"(4,8)">
  return %0#0, %0#1 : !cute.int_tuple<"4">, !cute.int_tuple<"8">
}

// CHECK-LABEL: @stride(
// CHECK: cute.get_leaves(%arg0) : !cute.stride<"(1@0,?{i64}@1)">
// FOLD-LABEL: @stride(
// FOLD-NEXT: {{.*}}cute.get_leaves(%arg0) : !cute.stride<"(1@0,?{i64}@1)">
// FOLD-NEXT: return
// BASE-LABEL: @stride(
// BASE-NEXT: return %arg0 : i64
func.func @stride(%arg0: !cute.stride<"(1@0,?{i64}@1)">) -> (!cute.stride<"1@0">, !cute.stride<"?{i64}@1">) {
  %0:2 = cute.get_leaves(%arg0) : !cute.stride<"(1@0,?{i64}@1)">
  return %0#0, %0#1 : !cute.stride<"1@0">, !cute.stride<"?{i64}@1">
}

// CHECK-LABEL: @coord(
// CHECK: cute.get_leaves(%arg0) : !cute.coord<"(_,3)">
// FOLD-LABEL: @coord(
// FOLD-NEXT: {{.*}}cute.static : !cute.coord<"_">
// FOLD-NEXT: {{.*}}cute.static : !cute.coord<"3">
// FOLD-NEXT: return
// BASE-LABEL: @coord(
// BASE-NEXT: return
func.func @coord(%arg0: !cute.coord<"(_,3)">) -> (!cute.coord<"_">, !cute.coord<"3">) {
  %0:2 = cute.get_leaves(%arg0) : !cute.coord<"(_,3)">
  return %0#0, %0#1 : !cute.coord<"_">, !cute.coord<"3">
}

// CHECK-LABEL: @tile(
// CHECK: cute.get_leaves(%arg0) : !cute.tile<"[(4,8):(1,4);_]">
// FOLD-LABEL: @tile(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,8):(1,4)">
// FOLD-NEXT: {{.*}}cute.static : !cute.tile<"_">
// FOLD-NEXT: return
// BASE-LABEL: @tile(
// BASE-NEXT: return
func.func @tile(%arg0: !cute.tile<"[(4,8):(1,4);_]">) -> (!cute.layout<"(4,8):(1,4)">, !cute.tile<"_">) {
  %0:2 = cute.get_leaves(%arg0) : !cute.tile<"[(4,8):(1,4);_]">
  return %0#0, %0#1 : !cute.layout<"(4,8):(1,4)">, !cute.tile<"_">
}
