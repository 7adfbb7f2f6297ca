// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// The same memory in elements of another width: new bits, old bits.

// CHECK-LABEL: @wider(
// CHECK: cute.recast_layout<32, 8> (%arg0) : !cute.layout<"(32,4):(1,32)"> -> !cute.layout<"(8,4):(1,8)">
// FOLD-LABEL: @wider(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(8,4):(1,8)">
// FOLD-NEXT: return
func.func @wider(%arg0: !cute.layout<"(32,4):(1,32)">) -> !cute.layout<"(8,4):(1,8)"> {
  %0 = cute.recast_layout<32, 8> (%arg0) : !cute.layout<"(32,4):(1,32)"> -> !cute.layout<"(8,4):(1,8)">
  return %0 : !cute.layout<"(8,4):(1,8)">
}

// CHECK-LABEL: @narrower(
// CHECK: cute.recast_layout<8, 32> (%arg0) : !cute.layout<"(8,4):(1,8)"> -> !cute.layout<"(32,4):(1,32)">
// FOLD-LABEL: @narrower(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(32,4):(1,32)">
// FOLD-NEXT: return
func.func @narrower(%arg0: !cute.layout<"(8,4):(1,8)">) -> !cute.layout<"(32,4):(1,32)"> {
  %0 = cute.recast_layout<8, 32> (%arg0) : !cute.layout<"(8,4):(1,8)"> -> !cute.layout<"(32,4):(1,32)">
  return %0 : !cute.layout<"(32,4):(1,32)">
}

// CHECK-LABEL: @same(
// CHECK: cute.recast_layout<32, 32> (%arg0) : !cute.layout<"(8,4):(1,8)"> -> !cute.layout<"(8,4):(1,8)">
// FOLD-LABEL: @same(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(8,4):(1,8)">
// FOLD-NEXT: return
func.func @same(%arg0: !cute.layout<"(8,4):(1,8)">) -> !cute.layout<"(8,4):(1,8)"> {
  %0 = cute.recast_layout<32, 32> (%arg0) : !cute.layout<"(8,4):(1,8)"> -> !cute.layout<"(8,4):(1,8)">
  return %0 : !cute.layout<"(8,4):(1,8)">
}

// Through the common part of both widths.
// CHECK-LABEL: @neither(
// CHECK: cute.recast_layout<24, 16> (%arg0) : !cute.layout<"12:1"> -> !cute.layout<"8:1">
// FOLD-LABEL: @neither(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"8:1">
// FOLD-NEXT: return
func.func @neither(%arg0: !cute.layout<"12:1">) -> !cute.layout<"8:1"> {
  %0 = cute.recast_layout<24, 16> (%arg0) : !cute.layout<"12:1"> -> !cute.layout<"8:1">
  return %0 : !cute.layout<"8:1">
}

// CHECK-LABEL: @composed(
// CHECK: cute.recast_layout<32, 16> (%arg0) : !cute.composed_layout<"(4,5):(1,4) o 2 o (8,4):(1,8)"> -> !cute.composed_layout<"(2,5):(1,2) o 1 o (4,4):(1,4)">
// FOLD-LABEL: @composed(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"(2,5):(1,2) o 1 o (4,4):(1,4)">
// FOLD-NEXT: return
func.func @composed(%arg0: !cute.composed_layout<"(4,5):(1,4) o 2 o (8,4):(1,8)">) -> !cute.composed_layout<"(2,5):(1,2) o 1 o (4,4):(1,4)"> {
  %0 = cute.recast_layout<32, 16> (%arg0) : !cute.composed_layout<"(4,5):(1,4) o 2 o (8,4):(1,8)"> -> !cute.composed_layout<"(2,5):(1,2) o 1 o (4,4):(1,4)">
  return %0 : !cute.composed_layout<"(2,5):(1,2) o 1 o (4,4):(1,4)">
}

// A swizzle keeps its bytes.
// CHECK-LABEL: @swizzled(
// CHECK: cute.recast_layout<32, 8> (%arg0) : !cute.composed_layout<"S<3,5,4> o 0 o (32,4):(1,32)"> -> !cute.composed_layout<"S<3,3,4> o 0 o (8,4):(1,8)">
// FOLD-LABEL: @swizzled(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"S<3,3,4> o 0 o (8,4):(1,8)">
// FOLD-NEXT: return
func.func @swizzled(%arg0: !cute.composed_layout<"S<3,5,4> o 0 o (32,4):(1,32)">) -> !cute.composed_layout<"S<3,3,4> o 0 o (8,4):(1,8)"> {
  %0 = cute.recast_layout<32, 8> (%arg0) : !cute.composed_layout<"S<3,5,4> o 0 o (32,4):(1,32)"> -> !cute.composed_layout<"S<3,3,4> o 0 o (8,4):(1,8)">
  return %0 : !cute.composed_layout<"S<3,3,4> o 0 o (8,4):(1,8)">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.recast_layout<8, 32> (%arg0) : !cute.layout<"(?,4):(1,?)"> -> !cute.layout<"(?{div=4},4):(1,?{div=4})">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.recast_layout<8, 32> (%arg0) : !cute.layout<"(?,4):(1,?)"> -> !cute.layout<"(?{div=4},4):(1,?{div=4})">
// FOLD-NEXT: return
// BASE-LABEL: func.func @dynamic(
// BASE-SAME: %[[A:.+]]: i32, %[[B:.+]]: i32) -> (i32, i32)
// BASE: %[[X:.+]] = arith.muli %[[A]], %c4_i32
// BASE: %[[Y:.+]] = arith.muli %[[B]], %c4_i32
// BASE: return %[[X]], %[[Y]]
func.func @dynamic(%arg0: !cute.layout<"(?,4):(1,?)">) -> !cute.layout<"(?{div=4},4):(1,?{div=4})"> {
  %0 = cute.recast_layout<8, 32> (%arg0) : !cute.layout<"(?,4):(1,?)"> -> !cute.layout<"(?{div=4},4):(1,?{div=4})">
  return %0 : !cute.layout<"(?{div=4},4):(1,?{div=4})">
}

// CHECK-LABEL: @wide(
// CHECK: cute.recast_layout<8, 32> (%arg0) : !cute.layout<"(?{i64 div=8},4):(1,?{i64 div=8})"> -> !cute.layout<"(?{i64 div=32},4):(1,?{i64 div=32})">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.recast_layout<8, 32> (%arg0) : !cute.layout<"(?{i64 div=8},4):(1,?{i64 div=8})"> -> !cute.layout<"(?{i64 div=32},4):(1,?{i64 div=32})">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i64
// BASE-NEXT: %[[V0:.*]] = arith.muli %arg0, %[[C4]] overflow<nsw> : i64
// BASE-NEXT: %[[V1:.*]] = arith.muli %arg1, %[[C4]] overflow<nsw> : i64
// BASE-NEXT: return %[[V0]], %[[V1]] : i64, i64
func.func @wide(%arg0: !cute.layout<"(?{i64 div=8},4):(1,?{i64 div=8})">) -> !cute.layout<"(?{i64 div=32},4):(1,?{i64 div=32})"> {
  %0 = cute.recast_layout<8, 32> (%arg0) : !cute.layout<"(?{i64 div=8},4):(1,?{i64 div=8})"> -> !cute.layout<"(?{i64 div=32},4):(1,?{i64 div=32})">
  return %0 : !cute.layout<"(?{i64 div=32},4):(1,?{i64 div=32})">
}
