// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// A mode path: one index a level, outermost first.

// CHECK-LABEL: @shape(
// CHECK: cute.get<[1]> (%arg0) : !cute.shape<"(4,(2,3))"> -> !cute.shape<"(2,3)">
// FOLD-LABEL: @shape(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"(2,3)">
// FOLD-NEXT: return
// BASE-LABEL: @shape(
// BASE-NEXT: return
func.func @shape(%arg0: !cute.shape<"(4,(2,3))">) -> !cute.shape<"(2,3)"> {
  %0 = cute.get<[1]> (%arg0) : !cute.shape<"(4,(2,3))"> -> !cute.shape<"(2,3)">
  return %0 : !cute.shape<"(2,3)">
}

// CHECK-LABEL: @path(
// CHECK: cute.get<[1, 0]> (%arg0) : !cute.shape<"(4,(2,3))"> -> !cute.shape<"2">
// FOLD-LABEL: @path(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"2">
// FOLD-NEXT: return
// BASE-LABEL: @path(
// BASE-NEXT: return
func.func @path(%arg0: !cute.shape<"(4,(2,3))">) -> !cute.shape<"2"> {
  %0 = cute.get<[1, 0]> (%arg0) : !cute.shape<"(4,(2,3))"> -> !cute.shape<"2">
  return %0 : !cute.shape<"2">
}

// CHECK-LABEL: @whole(
// CHECK: cute.get (%arg0) : !cute.shape<"(4,8)"> -> !cute.shape<"(4,8)">
// FOLD-LABEL: @whole(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"(4,8)">
// FOLD-NEXT: return
// BASE-LABEL: @whole(
// BASE-NEXT: return
func.func @whole(%arg0: !cute.shape<"(4,8)">) -> !cute.shape<"(4,8)"> {
  %0 = cute.get (%arg0) : !cute.shape<"(4,8)"> -> !cute.shape<"(4,8)">
  return %0 : !cute.shape<"(4,8)">
}

// CHECK-LABEL: @int_tuple(
// CHECK: cute.get<[0]> (%arg0) : !cute.int_tuple<"(?{div=4},8)"> -> !cute.int_tuple<"?{div=4}">
// FOLD-LABEL: @int_tuple(
// FOLD-NEXT: {{.*}}cute.get<[0]> (%arg0) : !cute.int_tuple<"(?{div=4},8)"> -> !cute.int_tuple<"?{div=4}">
// FOLD-NEXT: return
// BASE-LABEL: @int_tuple(
// BASE-NEXT: return %arg0 : i32
func.func @int_tuple(%arg0: !cute.int_tuple<"(?{div=4},8)">) -> !cute.int_tuple<"?{div=4}"> {
  %0 = cute.get<[0]> (%arg0) : !cute.int_tuple<"(?{div=4},8)"> -> !cute.int_tuple<"?{div=4}">
  return %0 : !cute.int_tuple<"?{div=4}">
}

// CHECK-LABEL: @stride(
// CHECK: cute.get<[1]> (%arg0) : !cute.stride<"(1@0,2@1)"> -> !cute.stride<"2@1">
// FOLD-LABEL: @stride(
// FOLD-NEXT: {{.*}}cute.static : !cute.stride<"2@1">
// FOLD-NEXT: return
// BASE-LABEL: @stride(
// BASE-NEXT: return
func.func @stride(%arg0: !cute.stride<"(1@0,2@1)">) -> !cute.stride<"2@1"> {
  %0 = cute.get<[1]> (%arg0) : !cute.stride<"(1@0,2@1)"> -> !cute.stride<"2@1">
  return %0 : !cute.stride<"2@1">
}

// CHECK-LABEL: @coord(
// CHECK: cute.get<[1]> (%arg0) : !cute.coord<"(1,_)"> -> !cute.coord<"_">
// FOLD-LABEL: @coord(
// FOLD-NEXT: {{.*}}cute.static : !cute.coord<"_">
// FOLD-NEXT: return
// BASE-LABEL: @coord(
// BASE-NEXT: return
func.func @coord(%arg0: !cute.coord<"(1,_)">) -> !cute.coord<"_"> {
  %0 = cute.get<[1]> (%arg0) : !cute.coord<"(1,_)"> -> !cute.coord<"_">
  return %0 : !cute.coord<"_">
}

// CHECK-LABEL: @layout(
// CHECK: cute.get<[1, 1]> (%arg0) : !cute.layout<"(4,(2,8)):(1,(4,8))"> -> !cute.layout<"8:8">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"8:8">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.layout<"(4,(2,8)):(1,(4,8))">) -> !cute.layout<"8:8"> {
  %0 = cute.get<[1, 1]> (%arg0) : !cute.layout<"(4,(2,8)):(1,(4,8))"> -> !cute.layout<"8:8">
  return %0 : !cute.layout<"8:8">
}

// CHECK-LABEL: @composed_layout(
// CHECK: cute.get<[0]> (%arg0) : !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)"> -> !cute.composed_layout<"(4,5):(1,4) o 2 o 2:1">
// FOLD-LABEL: @composed_layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"(4,5):(1,4) o 2 o 2:1">
// FOLD-NEXT: return
// BASE-LABEL: @composed_layout(
// BASE-NEXT: return
func.func @composed_layout(%arg0: !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">) -> !cute.composed_layout<"(4,5):(1,4) o 2 o 2:1"> {
  %0 = cute.get<[0]> (%arg0) : !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)"> -> !cute.composed_layout<"(4,5):(1,4) o 2 o 2:1">
  return %0 : !cute.composed_layout<"(4,5):(1,4) o 2 o 2:1">
}

// The element of a tile is a tile.
// CHECK-LABEL: @tile(
// CHECK: cute.get<[0]> (%arg0) : !cute.tile<"[(4,8):(1,4);(2,3):(1,2)]"> -> !cute.tile<"(4,8):(1,4)">
// FOLD-LABEL: @tile(
// FOLD-NEXT: {{.*}}cute.static : !cute.tile<"(4,8):(1,4)">
// FOLD-NEXT: return
// BASE-LABEL: @tile(
// BASE-NEXT: return
func.func @tile(%arg0: !cute.tile<"[(4,8):(1,4);(2,3):(1,2)]">) -> !cute.tile<"(4,8):(1,4)"> {
  %0 = cute.get<[0]> (%arg0) : !cute.tile<"[(4,8):(1,4);(2,3):(1,2)]"> -> !cute.tile<"(4,8):(1,4)">
  return %0 : !cute.tile<"(4,8):(1,4)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.get<[0]> (%arg0) : !cute.int_tuple<"(?{i64 div=8},8)"> -> !cute.int_tuple<"?{i64 div=8}">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.get<[0]> (%arg0) : !cute.int_tuple<"(?{i64 div=8},8)"> -> !cute.int_tuple<"?{i64 div=8}">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0 : i64
func.func @wide(%arg0: !cute.int_tuple<"(?{i64 div=8},8)">) -> !cute.int_tuple<"?{i64 div=8}"> {
  %0 = cute.get<[0]> (%arg0) : !cute.int_tuple<"(?{i64 div=8},8)"> -> !cute.int_tuple<"?{i64 div=8}">
  return %0 : !cute.int_tuple<"?{i64 div=8}">
}
