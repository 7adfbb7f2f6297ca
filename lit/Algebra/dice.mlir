// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// The modes that a static coordinate fixes.

// CHECK-LABEL: @layout(
// CHECK: cute.dice(%arg0, %arg1) : !cute.layout<"(2,3,4):(1,2,6)">, !cute.coord<"(_,1,_)">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(3):(2)">
// FOLD-NEXT: return
func.func @layout(%arg0: !cute.layout<"(2,3,4):(1,2,6)">, %arg1: !cute.coord<"(_,1,_)">) -> !cute.layout<"(3):(2)"> {
  %0 = cute.dice(%arg0, %arg1) : !cute.layout<"(2,3,4):(1,2,6)">, !cute.coord<"(_,1,_)">
  return %0 : !cute.layout<"(3):(2)">
}

// CHECK-LABEL: @shape(
// CHECK: cute.dice(%arg0, %arg1) : !cute.shape<"(2,3,4)">, !cute.coord<"(1,_,_)">
// FOLD-LABEL: @shape(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"(2)">
// FOLD-NEXT: return
func.func @shape(%arg0: !cute.shape<"(2,3,4)">, %arg1: !cute.coord<"(1,_,_)">) -> !cute.shape<"(2)"> {
  %0 = cute.dice(%arg0, %arg1) : !cute.shape<"(2,3,4)">, !cute.coord<"(1,_,_)">
  return %0 : !cute.shape<"(2)">
}

// A mode is kept whole.
// CHECK-LABEL: @int_tuple(
// CHECK: cute.dice(%arg0, %arg1) : !cute.int_tuple<"(1,(2,3))">, !cute.coord<"(_,1)">
// FOLD-LABEL: @int_tuple(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"((2,3))">
// FOLD-NEXT: return
func.func @int_tuple(%arg0: !cute.int_tuple<"(1,(2,3))">, %arg1: !cute.coord<"(_,1)">) -> !cute.int_tuple<"((2,3))"> {
  %0 = cute.dice(%arg0, %arg1) : !cute.int_tuple<"(1,(2,3))">, !cute.coord<"(_,1)">
  return %0 : !cute.int_tuple<"((2,3))">
}

// CHECK-LABEL: @coord(
// CHECK: cute.dice(%arg0, %arg1) : !cute.coord<"(0,_,1)">, !cute.coord<"(_,1,1)">
// FOLD-LABEL: @coord(
// FOLD-NEXT: {{.*}}cute.static : !cute.coord<"(_,1)">
// FOLD-NEXT: return
func.func @coord(%arg0: !cute.coord<"(0,_,1)">, %arg1: !cute.coord<"(_,1,1)">) -> !cute.coord<"(_,1)"> {
  %0 = cute.dice(%arg0, %arg1) : !cute.coord<"(0,_,1)">, !cute.coord<"(_,1,1)">
  return %0 : !cute.coord<"(_,1)">
}

// CHECK-LABEL: @composed(
// CHECK: cute.dice(%arg0, %arg1) : !cute.composed_layout<"(4,5):(1,4) o 2 o (8,3,4):(1,8,24)">, !cute.coord<"(_,1,_)">
// FOLD-LABEL: @composed(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"(4,5):(1,4) o 2 o (3):(8)">
// FOLD-NEXT: return
func.func @composed(%arg0: !cute.composed_layout<"(4,5):(1,4) o 2 o (8,3,4):(1,8,24)">, %arg1: !cute.coord<"(_,1,_)">) -> !cute.composed_layout<"(4,5):(1,4) o 2 o (3):(8)"> {
  %0 = cute.dice(%arg0, %arg1) : !cute.composed_layout<"(4,5):(1,4) o 2 o (8,3,4):(1,8,24)">, !cute.coord<"(_,1,_)">
  return %0 : !cute.composed_layout<"(4,5):(1,4) o 2 o (3):(8)">
}

// CHECK-LABEL: @swizzled(
// CHECK: cute.dice(%arg0, %arg1) : !cute.composed_layout<"S<3,5,4> o 0 o (8,4,2):(1,8,32)">, !cute.coord<"(1,_,1)">
// FOLD-LABEL: @swizzled(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"S<3,5,4> o 0 o (8,2):(1,32)">
// FOLD-NEXT: return
func.func @swizzled(%arg0: !cute.composed_layout<"S<3,5,4> o 0 o (8,4,2):(1,8,32)">, %arg1: !cute.coord<"(1,_,1)">) -> !cute.composed_layout<"S<3,5,4> o 0 o (8,2):(1,32)"> {
  %0 = cute.dice(%arg0, %arg1) : !cute.composed_layout<"S<3,5,4> o 0 o (8,4,2):(1,8,32)">, !cute.coord<"(1,_,1)">
  return %0 : !cute.composed_layout<"S<3,5,4> o 0 o (8,2):(1,32)">
}

// One integer keeps everything.
// CHECK-LABEL: @whole(
// CHECK: cute.dice(%arg0, %arg1) : !cute.layout<"(2,3,4):(1,2,6)">, !cute.coord<"1">
// FOLD-LABEL: @whole(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(2,3,4):(1,2,6)">
// FOLD-NEXT: return
func.func @whole(%arg0: !cute.layout<"(2,3,4):(1,2,6)">, %arg1: !cute.coord<"1">) -> !cute.layout<"(2,3,4):(1,2,6)"> {
  %0 = cute.dice(%arg0, %arg1) : !cute.layout<"(2,3,4):(1,2,6)">, !cute.coord<"1">
  return %0 : !cute.layout<"(2,3,4):(1,2,6)">
}

// CHECK-LABEL: @nested_mode(
// CHECK: cute.dice(%arg0, %arg1) : !cute.layout<"((2,4),3):((1,2),8)">, !cute.coord<"(1,_)">
// FOLD-LABEL: @nested_mode(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"((2,4)):((1,2))">
// FOLD-NEXT: return
func.func @nested_mode(%arg0: !cute.layout<"((2,4),3):((1,2),8)">, %arg1: !cute.coord<"(1,_)">) -> !cute.layout<"((2,4)):((1,2))"> {
  %0 = cute.dice(%arg0, %arg1) : !cute.layout<"((2,4),3):((1,2),8)">, !cute.coord<"(1,_)">
  return %0 : !cute.layout<"((2,4)):((1,2))">
}

// Parts of modes are collected in one tuple.
// CHECK-LABEL: @nested_coord(
// CHECK: cute.dice(%arg0, %arg1) : !cute.layout<"((2,4),3):((1,2),8)">, !cute.coord<"((1,_),_)">
// FOLD-LABEL: @nested_coord(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(2):(1)">
// FOLD-NEXT: return
func.func @nested_coord(%arg0: !cute.layout<"((2,4),3):((1,2),8)">, %arg1: !cute.coord<"((1,_),_)">) -> !cute.layout<"(2):(1)"> {
  %0 = cute.dice(%arg0, %arg1) : !cute.layout<"((2,4),3):((1,2),8)">, !cute.coord<"((1,_),_)">
  return %0 : !cute.layout<"(2):(1)">
}

// CHECK-LABEL: @tile(
// CHECK: cute.dice(%arg0, %arg1) : !cute.tile<"[4:1;8:1;_]">, !cute.coord<"(1,_,1)">
// FOLD-LABEL: @tile(
// FOLD-NEXT: {{.*}}cute.static : !cute.tile<"[4:1;_]">
// FOLD-NEXT: return
func.func @tile(%arg0: !cute.tile<"[4:1;8:1;_]">, %arg1: !cute.coord<"(1,_,1)">) -> !cute.tile<"[4:1;_]"> {
  %0 = cute.dice(%arg0, %arg1) : !cute.tile<"[4:1;8:1;_]">, !cute.coord<"(1,_,1)">
  return %0 : !cute.tile<"[4:1;_]">
}

// The coordinate may be an attribute.
// CHECK-LABEL: @attribute(
// CHECK: cute.dice(%arg0, "(_,1,_)") : !cute.layout<"(2,3,4):(1,2,6)">
// FOLD-LABEL: @attribute(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(3):(2)">
// FOLD-NEXT: return
func.func @attribute(%arg0: !cute.layout<"(2,3,4):(1,2,6)">) -> !cute.layout<"(3):(2)"> {
  %0 = cute.dice(%arg0, "(_,1,_)") : !cute.layout<"(2,3,4):(1,2,6)">
  return %0 : !cute.layout<"(3):(2)">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.dice(%arg0, %arg1) : !cute.stride<"(?,2,?{i64})">, !cute.coord<"(_,1,1)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.dice(%arg0, %arg1) : !cute.stride<"(?,2,?{i64})">, !cute.coord<"(_,1,1)">
// FOLD-NEXT: return
// BASE-LABEL: func.func @dynamic(
// BASE-SAME: %{{.+}}: i32, %[[A:.+]]: i64) -> i64
// BASE-NEXT: return %[[A]]
func.func @dynamic(%arg0: !cute.stride<"(?,2,?{i64})">, %arg1: !cute.coord<"(_,1,1)">) -> !cute.stride<"(2,?{i64})"> {
  %0 = cute.dice(%arg0, %arg1) : !cute.stride<"(?,2,?{i64})">, !cute.coord<"(_,1,1)">
  return %0 : !cute.stride<"(2,?{i64})">
}
