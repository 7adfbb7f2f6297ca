// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// ((repetition, block)..): blocks interleaved.

// CHECK-LABEL: @plain(
// CHECK: cute.raked_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"((2,3),(5,4)):((12,4),(24,1))">
// FOLD-LABEL: @plain(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"((2,3),(5,4)):((12,4),(24,1))">
// FOLD-NEXT: return
func.func @plain(%arg0: !cute.layout<"(3,4):(4,1)">, %arg1: !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"((2,3),(5,4)):((12,4),(24,1))"> {
  %0 = cute.raked_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"((2,3),(5,4)):((12,4),(24,1))">
  return %0 : !cute.layout<"((2,3),(5,4)):((12,4),(24,1))">
}

// Behind a swizzle the outer layout is repeated.
// CHECK-LABEL: @composed(
// CHECK: cute.raked_product(%arg0, %arg1) : (!cute.composed_layout<"S<3,4,3> o 0 o (5,4):(4,1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.composed_layout<"S<3,4,3> o 0 o ((2,5),(5,4)):((20,4),(40,1))">
// FOLD-LABEL: @composed(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"S<3,4,3> o 0 o ((2,5),(5,4)):((20,4),(40,1))">
// FOLD-NEXT: return
func.func @composed(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o (5,4):(4,1)">, %arg1: !cute.layout<"(2,5):(1,2)">) -> !cute.composed_layout<"S<3,4,3> o 0 o ((2,5),(5,4)):((20,4),(40,1))"> {
  %0 = cute.raked_product(%arg0, %arg1) : (!cute.composed_layout<"S<3,4,3> o 0 o (5,4):(4,1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.composed_layout<"S<3,4,3> o 0 o ((2,5),(5,4)):((20,4),(40,1))">
  return %0 : !cute.composed_layout<"S<3,4,3> o 0 o ((2,5),(5,4)):((20,4),(40,1))">
}

// The tiler may be dynamic.
// CHECK-LABEL: @dynamic(
// CHECK: cute.raked_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(?,?):(1,2)">) -> !cute.layout<"((?,3),(?,4)):((12,4),(24,1))">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.raked_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(?,?):(1,2)">) -> !cute.layout<"((?,3),(?,4)):((12,4),(24,1))">
// FOLD-NEXT: return
// BASE-LABEL: func.func @dynamic(
// BASE-SAME: %[[M:.+]]: i32, %[[N:.+]]: i32) -> (i32, i32)
// BASE-NEXT: return %[[M]], %[[N]] : i32, i32
func.func @dynamic(%arg0: !cute.layout<"(3,4):(4,1)">, %arg1: !cute.layout<"(?,?):(1,2)">) -> !cute.layout<"((?,3),(?,4)):((12,4),(24,1))"> {
  %0 = cute.raked_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(?,?):(1,2)">) -> !cute.layout<"((?,3),(?,4)):((12,4),(24,1))">
  return %0 : !cute.layout<"((?,3),(?,4)):((12,4),(24,1))">
}

// A declared type may have each mode coalesced, as CuTe DSL 4.3 has it.
// CHECK-LABEL: @coalesced(
// CHECK: cute.raked_product(%arg0, %arg1) : (!cute.layout<"(16,8):(1,16)">, !cute.layout<"(8,1):(1,0)">) -> !cute.layout<"((8,16),8):((128,1),16)">
// FOLD-LABEL: @coalesced(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"((8,16),8):((128,1),16)">
// FOLD-NEXT: return
func.func @coalesced(%arg0: !cute.layout<"(16,8):(1,16)">, %arg1: !cute.layout<"(8,1):(1,0)">) -> !cute.layout<"((8,16),8):((128,1),16)"> {
  %0 = cute.raked_product(%arg0, %arg1) : (!cute.layout<"(16,8):(1,16)">, !cute.layout<"(8,1):(1,0)">) -> !cute.layout<"((8,16),8):((128,1),16)">
  return %0 : !cute.layout<"((8,16),8):((128,1),16)">
}

// Copies of coordinates lie side by side in their first mode.
// CHECK-LABEL: @coordinates(
// CHECK: cute.raked_product(%arg0, %arg1) : (!cute.layout<"(4,3):(1@0,1@1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"((2,4),(5,3)):((3@1,1@0),(6@1,1@1))">
// FOLD-LABEL: @coordinates(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"((2,4),(5,3)):((3@1,1@0),(6@1,1@1))">
// FOLD-NEXT: return
func.func @coordinates(%arg0: !cute.layout<"(4,3):(1@0,1@1)">, %arg1: !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"((2,4),(5,3)):((3@1,1@0),(6@1,1@1))"> {
  %0 = cute.raked_product(%arg0, %arg1) : (!cute.layout<"(4,3):(1@0,1@1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"((2,4),(5,3)):((3@1,1@0),(6@1,1@1))">
  return %0 : !cute.layout<"((2,4),(5,3)):((3@1,1@0),(6@1,1@1))">
}

// CHECK-LABEL: @wide(
// CHECK: cute.raked_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(?{i64 div=8},?{i64 div=8}):(1,2)">) -> !cute.layout<"((?{i64 div=8},3),(?{i64 div=8},4)):((12,4),(24,1))">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.raked_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(?{i64 div=8},?{i64 div=8}):(1,2)">) -> !cute.layout<"((?{i64 div=8},3),(?{i64 div=8},4)):((12,4),(24,1))">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0, %arg1 : i64, i64
func.func @wide(%arg0: !cute.layout<"(3,4):(4,1)">, %arg1: !cute.layout<"(?{i64 div=8},?{i64 div=8}):(1,2)">) -> !cute.layout<"((?{i64 div=8},3),(?{i64 div=8},4)):((12,4),(24,1))"> {
  %0 = cute.raked_product(%arg0, %arg1) : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(?{i64 div=8},?{i64 div=8}):(1,2)">) -> !cute.layout<"((?{i64 div=8},3),(?{i64 div=8},4)):((12,4),(24,1))">
  return %0 : !cute.layout<"((?{i64 div=8},3),(?{i64 div=8},4)):((12,4),(24,1))">
}
