// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// ((block, repetition)..): whole blocks side by side.

// CHECK-LABEL: @plain(
// CHECK: cute.blocked_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"((3,2),(4,5)):((4,12),(1,24))">
// FOLD-LABEL: @plain(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"((3,2),(4,5)):((4,12),(1,24))">
// FOLD-NEXT: return
func.func @plain(%arg0: !cute.layout<"(3,4):(4,1)">, %arg1: !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"((3,2),(4,5)):((4,12),(1,24))"> {
  %0 = cute.blocked_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"((3,2),(4,5)):((4,12),(1,24))">
  return %0 : !cute.layout<"((3,2),(4,5)):((4,12),(1,24))">
}

// Behind a swizzle the outer layout is repeated.
// CHECK-LABEL: @composed(
// CHECK: cute.blocked_product(%arg0, %arg1) : (!cute.composed_layout<"S<3,4,3> o 0 o (5,4):(4,1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.composed_layout<"S<3,4,3> o 0 o ((5,2),(4,5)):((4,20),(1,40))">
// FOLD-LABEL: @composed(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"S<3,4,3> o 0 o ((5,2),(4,5)):((4,20),(1,40))">
// FOLD-NEXT: return
func.func @composed(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o (5,4):(4,1)">, %arg1: !cute.layout<"(2,5):(1,2)">) -> !cute.composed_layout<"S<3,4,3> o 0 o ((5,2),(4,5)):((4,20),(1,40))"> {
  %0 = cute.blocked_product(%arg0, %arg1) : (!cute.composed_layout<"S<3,4,3> o 0 o (5,4):(4,1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.composed_layout<"S<3,4,3> o 0 o ((5,2),(4,5)):((4,20),(1,40))">
  return %0 : !cute.composed_layout<"S<3,4,3> o 0 o ((5,2),(4,5)):((4,20),(1,40))">
}

// The tiler may be dynamic.
// CHECK-LABEL: @dynamic(
// CHECK: cute.blocked_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(?,?):(1,2)">) -> !cute.layout<"((3,?),(4,?)):((4,12),(1,24))">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.blocked_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(?,?):(1,2)">) -> !cute.layout<"((3,?),(4,?)):((4,12),(1,24))">
// FOLD-NEXT: return
// BASE-LABEL: func.func @dynamic(
// BASE-SAME: %[[M:.+]]: i32, %[[N:.+]]: i32) -> (i32, i32)
// BASE-NEXT: return %[[M]], %[[N]] : i32, i32
func.func @dynamic(%arg0: !cute.layout<"(3,4):(4,1)">, %arg1: !cute.layout<"(?,?):(1,2)">) -> !cute.layout<"((3,?),(4,?)):((4,12),(1,24))"> {
  %0 = cute.blocked_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(?,?):(1,2)">) -> !cute.layout<"((3,?),(4,?)):((4,12),(1,24))">
  return %0 : !cute.layout<"((3,?),(4,?)):((4,12),(1,24))">
}

// A declared type may have each mode coalesced, as CuTe DSL 4.3 has it.
// CHECK-LABEL: @coalesced(
// CHECK: cute.blocked_product(%arg0, %arg1) : (!cute.layout<"(16,8):(1,16)">, !cute.layout<"(8,1):(1,0)">) -> !cute.layout<"((16,8),8):((1,128),16)">
// FOLD-LABEL: @coalesced(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"((16,8),8):((1,128),16)">
// FOLD-NEXT: return
func.func @coalesced(%arg0: !cute.layout<"(16,8):(1,16)">, %arg1: !cute.layout<"(8,1):(1,0)">) -> !cute.layout<"((16,8),8):((1,128),16)"> {
  %0 = cute.blocked_product(%arg0, %arg1) : (!cute.layout<"(16,8):(1,16)">, !cute.layout<"(8,1):(1,0)">) -> !cute.layout<"((16,8),8):((1,128),16)">
  return %0 : !cute.layout<"((16,8),8):((1,128),16)">
}

// Copies of coordinates lie side by side in their first mode.
// CHECK-LABEL: @coordinates(
// CHECK: cute.blocked_product(%arg0, %arg1) : (!cute.layout<"(4,3):(1@0,1@1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"((4,2),(3,5)):((1@0,3@1),(1@1,6@1))">
// FOLD-LABEL: @coordinates(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"((4,2),(3,5)):((1@0,3@1),(1@1,6@1))">
// FOLD-NEXT: return
func.func @coordinates(%arg0: !cute.layout<"(4,3):(1@0,1@1)">, %arg1: !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"((4,2),(3,5)):((1@0,3@1),(1@1,6@1))"> {
  %0 = cute.blocked_product(%arg0, %arg1) : (!cute.layout<"(4,3):(1@0,1@1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"((4,2),(3,5)):((1@0,3@1),(1@1,6@1))">
  return %0 : !cute.layout<"((4,2),(3,5)):((1@0,3@1),(1@1,6@1))">
}

// CHECK-LABEL: @wide(
// CHECK: cute.blocked_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(?{i64 div=8},?{i64 div=8}):(1,2)">) -> !cute.layout<"((3,?{i64 div=8}),(4,?{i64 div=8})):((4,12),(1,24))">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.blocked_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(?{i64 div=8},?{i64 div=8}):(1,2)">) -> !cute.layout<"((3,?{i64 div=8}),(4,?{i64 div=8})):((4,12),(1,24))">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0, %arg1 : i64, i64
func.func @wide(%arg0: !cute.layout<"(3,4):(4,1)">, %arg1: !cute.layout<"(?{i64 div=8},?{i64 div=8}):(1,2)">) -> !cute.layout<"((3,?{i64 div=8}),(4,?{i64 div=8})):((4,12),(1,24))"> {
  %0 = cute.blocked_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(?{i64 div=8},?{i64 div=8}):(1,2)">) -> !cute.layout<"((3,?{i64 div=8}),(4,?{i64 div=8})):((4,12),(1,24))">
  return %0 : !cute.layout<"((3,?{i64 div=8}),(4,?{i64 div=8})):((4,12),(1,24))">
}
