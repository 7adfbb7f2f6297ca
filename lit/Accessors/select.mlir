// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// Top-level modes by their indices, always as a tuple.

// CHECK-LABEL: @shape(
// CHECK: cute.select<[0, 2]> (%arg0) : !cute.shape<"(4,2,8)"> -> !cute.shape<"(4,8)">
// FOLD-LABEL: @shape(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"(4,8)">
// FOLD-NEXT: return
func.func @shape(%arg0: !cute.shape<"(4,2,8)">) -> !cute.shape<"(4,8)"> {
  %0 = cute.select<[0, 2]> (%arg0) : !cute.shape<"(4,2,8)"> -> !cute.shape<"(4,8)">
  return %0 : !cute.shape<"(4,8)">
}

// CHECK-LABEL: @permuted(
// CHECK: cute.select<[2, 0]> (%arg0) : !cute.layout<"(4,2,8):(1,4,8)"> -> !cute.layout<"(8,4):(8,1)">
// FOLD-LABEL: @permuted(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(8,4):(8,1)">
// FOLD-NEXT: return
func.func @permuted(%arg0: !cute.layout<"(4,2,8):(1,4,8)">) -> !cute.layout<"(8,4):(8,1)"> {
  %0 = cute.select<[2, 0]> (%arg0) : !cute.layout<"(4,2,8):(1,4,8)"> -> !cute.layout<"(8,4):(8,1)">
  return %0 : !cute.layout<"(8,4):(8,1)">
}

// CHECK-LABEL: @repeated(
// CHECK: cute.select<[1, 1]> (%arg0) : !cute.int_tuple<"(1,2,3)"> -> !cute.int_tuple<"(2,2)">
// FOLD-LABEL: @repeated(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"(2,2)">
// FOLD-NEXT: return
func.func @repeated(%arg0: !cute.int_tuple<"(1,2,3)">) -> !cute.int_tuple<"(2,2)"> {
  %0 = cute.select<[1, 1]> (%arg0) : !cute.int_tuple<"(1,2,3)"> -> !cute.int_tuple<"(2,2)">
  return %0 : !cute.int_tuple<"(2,2)">
}

// CHECK-LABEL: @single(
// CHECK: cute.select<[0]> (%arg0) : !cute.layout<"(4,8):(1,4)"> -> !cute.layout<"(4):(1)">
// FOLD-LABEL: @single(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4):(1)">
// FOLD-NEXT: return
func.func @single(%arg0: !cute.layout<"(4,8):(1,4)">) -> !cute.layout<"(4):(1)"> {
  %0 = cute.select<[0]> (%arg0) : !cute.layout<"(4,8):(1,4)"> -> !cute.layout<"(4):(1)">
  return %0 : !cute.layout<"(4):(1)">
}

// CHECK-LABEL: @tile(
// CHECK: cute.select<[1, 2]> (%arg0) : !cute.tile<"[(4,8):(1,4);_;(2,3):(1,2)]"> -> !cute.tile<"[_;(2,3):(1,2)]">
// FOLD-LABEL: @tile(
// FOLD-NEXT: {{.*}}cute.static : !cute.tile<"[_;(2,3):(1,2)]">
// FOLD-NEXT: return
func.func @tile(%arg0: !cute.tile<"[(4,8):(1,4);_;(2,3):(1,2)]">) -> !cute.tile<"[_;(2,3):(1,2)]"> {
  %0 = cute.select<[1, 2]> (%arg0) : !cute.tile<"[(4,8):(1,4);_;(2,3):(1,2)]"> -> !cute.tile<"[_;(2,3):(1,2)]">
  return %0 : !cute.tile<"[_;(2,3):(1,2)]">
}

// CHECK-LABEL: @composed(
// CHECK: cute.select<[2, 0]> (%arg0) : !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3,8):(1,2,6)"> -> !cute.composed_layout<"(4,5):(1,4) o 2 o (8,2):(6,1)">
// FOLD-LABEL: @composed(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"(4,5):(1,4) o 2 o (8,2):(6,1)">
// FOLD-NEXT: return
func.func @composed(%arg0: !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3,8):(1,2,6)">) -> !cute.composed_layout<"(4,5):(1,4) o 2 o (8,2):(6,1)"> {
  %0 = cute.select<[2, 0]> (%arg0) : !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3,8):(1,2,6)"> -> !cute.composed_layout<"(4,5):(1,4) o 2 o (8,2):(6,1)">
  return %0 : !cute.composed_layout<"(4,5):(1,4) o 2 o (8,2):(6,1)">
}

// CHECK-LABEL: @none(
// CHECK: cute.select<[]> (%arg0) : !cute.shape<"(4,8)"> -> !cute.shape<"()">
// FOLD-LABEL: @none(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"()">
// FOLD-NEXT: return
func.func @none(%arg0: !cute.shape<"(4,8)">) -> !cute.shape<"()"> {
  %0 = cute.select<[]> (%arg0) : !cute.shape<"(4,8)"> -> !cute.shape<"()">
  return %0 : !cute.shape<"()">
}

// CHECK-LABEL: @coord(
// CHECK: cute.select<[1]> (%arg0) : !cute.coord<"(4,_)"> -> !cute.coord<"(_)">
// FOLD-LABEL: @coord(
// FOLD-NEXT: {{.*}}cute.static : !cute.coord<"(_)">
// FOLD-NEXT: return
func.func @coord(%arg0: !cute.coord<"(4,_)">) -> !cute.coord<"(_)"> {
  %0 = cute.select<[1]> (%arg0) : !cute.coord<"(4,_)"> -> !cute.coord<"(_)">
  return %0 : !cute.coord<"(_)">
}

// CHECK-LABEL: @stride(
// CHECK: cute.select<[1]> (%arg0) : !cute.stride<"(0,(1@0,2@1))"> -> !cute.stride<"((1@0,2@1))">
// FOLD-LABEL: @stride(
// FOLD-NEXT: {{.*}}cute.static : !cute.stride<"((1@0,2@1))">
// FOLD-NEXT: return
func.func @stride(%arg0: !cute.stride<"(0,(1@0,2@1))">) -> !cute.stride<"((1@0,2@1))"> {
  %0 = cute.select<[1]> (%arg0) : !cute.stride<"(0,(1@0,2@1))"> -> !cute.stride<"((1@0,2@1))">
  return %0 : !cute.stride<"((1@0,2@1))">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.select<[1, 0]> (%arg0) : !cute.layout<"(?,8):(?,?{i64})"> -> !cute.layout<"(8,?):(?{i64},?)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.select<[1, 0]> (%arg0) : !cute.layout<"(?,8):(?,?{i64})"> -> !cute.layout<"(8,?):(?{i64},?)">
// FOLD-NEXT: return
// BASE-LABEL: func.func @dynamic(
// BASE-SAME: %[[A:.+]]: i32, %[[B:.+]]: i32, %[[C:.+]]: i64) -> (i32, i64, i32)
// BASE-NEXT: return %[[A]], %[[C]], %[[B]]
func.func @dynamic(%arg0: !cute.layout<"(?,8):(?,?{i64})">) -> !cute.layout<"(8,?):(?{i64},?)"> {
  %0 = cute.select<[1, 0]> (%arg0) : !cute.layout<"(?,8):(?,?{i64})"> -> !cute.layout<"(8,?):(?{i64},?)">
  return %0 : !cute.layout<"(8,?):(?{i64},?)">
}

// A composed layout stays one, also behind an identity.
// CHECK-LABEL: @composed_identity(
// CHECK: cute.select<[1]> (%arg0) : !cute.composed_layout<"S<0,4,3> o 0 o (4,8):(1,4)"> -> !cute.composed_layout<"S<0,4,3> o 0 o (8):(4)">
func.func @composed_identity(%arg0: !cute.composed_layout<"(4,8):(1,4)">) -> !cute.composed_layout<"(8):(4)"> {
  %0 = cute.select<[1]> (%arg0) : !cute.composed_layout<"(4,8):(1,4)"> -> !cute.composed_layout<"(8):(4)">
  return %0 : !cute.composed_layout<"(8):(4)">
}
