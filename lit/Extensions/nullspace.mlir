// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// The modes of stride 0, with their positions in the domain.

// CHECK-LABEL: @fixed(
// CHECK: cute.nullspace(%arg0) : (!cute.layout<"(2,4,4,4):(0,2,0,8)">) -> !cute.layout<"(2,4):(1,8)">
// FOLD-LABEL: @fixed(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(2,4):(1,8)">
// FOLD-NEXT: return
// BASE-LABEL: @fixed(
// BASE-NEXT: return
func.func @fixed(%arg0: !cute.layout<"(2,4,4,4):(0,2,0,8)">) -> !cute.layout<"(2,4):(1,8)"> {
  %0 = cute.nullspace(%arg0) : (!cute.layout<"(2,4,4,4):(0,2,0,8)">) -> !cute.layout<"(2,4):(1,8)">
  return %0 : !cute.layout<"(2,4):(1,8)">
}

// CHECK-LABEL: @injective(
// CHECK: cute.nullspace(%arg0) : (!cute.layout<"(4,8):(1,4)">) -> !cute.layout<"1:0">
// FOLD-LABEL: @injective(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"1:0">
// FOLD-NEXT: return
// BASE-LABEL: @injective(
// BASE-NEXT: return
func.func @injective(%arg0: !cute.layout<"(4,8):(1,4)">) -> !cute.layout<"1:0"> {
  %0 = cute.nullspace(%arg0) : (!cute.layout<"(4,8):(1,4)">) -> !cute.layout<"1:0">
  return %0 : !cute.layout<"1:0">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.nullspace(%arg0) : (!cute.layout<"(?,4):(1,0)">) -> !cute.layout<"4:?">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.nullspace(%arg0) : (!cute.layout<"(?,4):(1,0)">) -> !cute.layout<"4:?">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: return %arg0 : i32
func.func @dynamic(%arg0: !cute.layout<"(?,4):(1,0)">) -> !cute.layout<"4:?"> {
  %0 = cute.nullspace(%arg0) : (!cute.layout<"(?,4):(1,0)">) -> !cute.layout<"4:?">
  return %0 : !cute.layout<"4:?">
}

// CHECK-LABEL: @wide(
// CHECK: cute.nullspace(%arg0) : (!cute.layout<"(?{i64 div=8},4):(1,0)">) -> !cute.layout<"4:?{i64 div=8}">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.nullspace(%arg0) : (!cute.layout<"(?{i64 div=8},4):(1,0)">) -> !cute.layout<"4:?{i64 div=8}">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0 : i64
func.func @wide(%arg0: !cute.layout<"(?{i64 div=8},4):(1,0)">) -> !cute.layout<"4:?{i64 div=8}"> {
  %0 = cute.nullspace(%arg0) : (!cute.layout<"(?{i64 div=8},4):(1,0)">) -> !cute.layout<"4:?{i64 div=8}">
  return %0 : !cute.layout<"4:?{i64 div=8}">
}
