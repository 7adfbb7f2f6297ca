// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// Copies of the element at the end.

// CHECK-LABEL: @shape(
// CHECK: cute.append_to_rank<4> (%arg0, %arg1) : !cute.shape<"(4,8)">, !cute.shape<"1">
// FOLD-LABEL: @shape(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"(4,8,1,1)">
// FOLD-NEXT: return
func.func @shape(%arg0: !cute.shape<"(4,8)">, %arg1: !cute.shape<"1">) -> !cute.shape<"(4,8,1,1)"> {
  %0 = cute.append_to_rank<4> (%arg0, %arg1) : !cute.shape<"(4,8)">, !cute.shape<"1">
  return %0 : !cute.shape<"(4,8,1,1)">
}

// CHECK-LABEL: @layout(
// CHECK: cute.append_to_rank<3> (%arg0, %arg1) : !cute.layout<"4:1">, !cute.layout<"1:0">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,1,1):(1,0,0)">
// FOLD-NEXT: return
func.func @layout(%arg0: !cute.layout<"4:1">, %arg1: !cute.layout<"1:0">) -> !cute.layout<"(4,1,1):(1,0,0)"> {
  %0 = cute.append_to_rank<3> (%arg0, %arg1) : !cute.layout<"4:1">, !cute.layout<"1:0">
  return %0 : !cute.layout<"(4,1,1):(1,0,0)">
}

// CHECK-LABEL: @composed(
// CHECK: cute.append_to_rank<3> (%arg0, %arg1) : !cute.composed_layout<"S<3,4,3> o 0 o 4:1">, !cute.layout<"1:0">
// FOLD-LABEL: @composed(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"S<3,4,3> o 0 o (4,1,1):(1,0,0)">
// FOLD-NEXT: return
func.func @composed(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o 4:1">, %arg1: !cute.layout<"1:0">) -> !cute.composed_layout<"S<3,4,3> o 0 o (4,1,1):(1,0,0)"> {
  %0 = cute.append_to_rank<3> (%arg0, %arg1) : !cute.composed_layout<"S<3,4,3> o 0 o 4:1">, !cute.layout<"1:0">
  return %0 : !cute.composed_layout<"S<3,4,3> o 0 o (4,1,1):(1,0,0)">
}

// The element is one mode, whatever its rank.
// CHECK-LABEL: @nested(
// CHECK: cute.append_to_rank<2> (%arg0, %arg1) : !cute.int_tuple<"4">, !cute.int_tuple<"(2,3)">
// FOLD-LABEL: @nested(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"(4,(2,3))">
// FOLD-NEXT: return
func.func @nested(%arg0: !cute.int_tuple<"4">, %arg1: !cute.int_tuple<"(2,3)">) -> !cute.int_tuple<"(4,(2,3))"> {
  %0 = cute.append_to_rank<2> (%arg0, %arg1) : !cute.int_tuple<"4">, !cute.int_tuple<"(2,3)">
  return %0 : !cute.int_tuple<"(4,(2,3))">
}

// A rank that is reached already changes nothing.
// CHECK-LABEL: @enough(
// CHECK: cute.append_to_rank<2> (%arg0, %arg1) : !cute.shape<"(4,8,2)">, !cute.shape<"1">
// FOLD-LABEL: @enough(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"(4,8,2)">
// FOLD-NEXT: return
func.func @enough(%arg0: !cute.shape<"(4,8,2)">, %arg1: !cute.shape<"1">) -> !cute.shape<"(4,8,2)"> {
  %0 = cute.append_to_rank<2> (%arg0, %arg1) : !cute.shape<"(4,8,2)">, !cute.shape<"1">
  return %0 : !cute.shape<"(4,8,2)">
}

// CHECK-LABEL: @stride(
// CHECK: cute.append_to_rank<3> (%arg0, %arg1) : !cute.stride<"(?,1)">, !cute.stride<"0">
// FOLD-LABEL: @stride(
// FOLD-NEXT: {{.*}}cute.append_to_rank<3> (%arg0, %arg1) : !cute.stride<"(?,1)">, !cute.stride<"0">
// FOLD-NEXT: return
func.func @stride(%arg0: !cute.stride<"(?,1)">, %arg1: !cute.stride<"0">) -> !cute.stride<"(?,1,0)"> {
  %0 = cute.append_to_rank<3> (%arg0, %arg1) : !cute.stride<"(?,1)">, !cute.stride<"0">
  return %0 : !cute.stride<"(?,1,0)">
}

// CHECK-LABEL: @coord(
// CHECK: cute.append_to_rank<3> (%arg0, %arg1) : !cute.coord<"(?,4)">, !cute.coord<"_">
// FOLD-LABEL: @coord(
// FOLD-NEXT: {{.*}}cute.append_to_rank<3> (%arg0, %arg1) : !cute.coord<"(?,4)">, !cute.coord<"_">
// FOLD-NEXT: return
func.func @coord(%arg0: !cute.coord<"(?,4)">, %arg1: !cute.coord<"_">) -> !cute.coord<"(?,4,_)"> {
  %0 = cute.append_to_rank<3> (%arg0, %arg1) : !cute.coord<"(?,4)">, !cute.coord<"_">
  return %0 : !cute.coord<"(?,4,_)">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.append_to_rank<4> (%arg0, %arg1) : !cute.shape<"(?,8)">, !cute.shape<"?">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.append_to_rank<4> (%arg0, %arg1) : !cute.shape<"(?,8)">, !cute.shape<"?">
// FOLD-NEXT: return
// BASE-LABEL: func.func @dynamic(
// BASE-SAME: %[[A:.+]]: i32, %[[B:.+]]: i32) -> (i32, i32, i32)
// BASE-NEXT: return %[[A]], %[[B]], %[[B]]
func.func @dynamic(%arg0: !cute.shape<"(?,8)">, %arg1: !cute.shape<"?">) -> !cute.shape<"(?,8,?,?)"> {
  %0 = cute.append_to_rank<4> (%arg0, %arg1) : !cute.shape<"(?,8)">, !cute.shape<"?">
  return %0 : !cute.shape<"(?,8,?,?)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.append_to_rank<4> (%arg0, %arg1) : !cute.shape<"(?{i64 div=8},8)">, !cute.shape<"?{i64 div=8}">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.append_to_rank<4> (%arg0, %arg1) : !cute.shape<"(?{i64 div=8},8)">, !cute.shape<"?{i64 div=8}">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0, %arg1, %arg1 : i64, i64, i64
func.func @wide(%arg0: !cute.shape<"(?{i64 div=8},8)">, %arg1: !cute.shape<"?{i64 div=8}">) -> !cute.shape<"(?{i64 div=8},8,?{i64 div=8},?{i64 div=8})"> {
  %0 = cute.append_to_rank<4> (%arg0, %arg1) : !cute.shape<"(?{i64 div=8},8)">, !cute.shape<"?{i64 div=8}">
  return %0 : !cute.shape<"(?{i64 div=8},8,?{i64 div=8},?{i64 div=8})">
}

// A composed layout stays one, also behind an identity.
// CHECK-LABEL: @composed_identity(
// CHECK: cute.append_to_rank<2> (%arg0, %arg1) : !cute.composed_layout<"S<0,4,3> o 0 o 64:1">, !cute.layout<"(4,5):(64,256)">
func.func @composed_identity(%arg0: !cute.composed_layout<"64:1">, %arg1: !cute.layout<"(4,5):(64,256)">) -> !cute.composed_layout<"(64,(4,5)):(1,(64,256))"> {
  %0 = cute.append_to_rank<2> (%arg0, %arg1) : !cute.composed_layout<"64:1">, !cute.layout<"(4,5):(64,256)">
  return %0 : !cute.composed_layout<"(64,(4,5)):(1,(64,256))">
}
