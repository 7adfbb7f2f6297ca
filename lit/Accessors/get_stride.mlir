// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @layout(
// CHECK: cute.get_stride(%arg0) : <"(4,(2,8)):(1,(4,8))"> -> !cute.stride<"(1,(4,8))">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.stride<"(1,(4,8))">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.layout<"(4,(2,8)):(1,(4,8))">) -> !cute.stride<"(1,(4,8))"> {
  %0 = cute.get_stride(%arg0) : !cute.layout<"(4,(2,8)):(1,(4,8))"> -> !cute.stride<"(1,(4,8))">
  return %0 : !cute.stride<"(1,(4,8))">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.get_stride(%arg0) : <"(4,?):(1,?{i64 div=8})"> -> !cute.stride<"(1,?{i64 div=8})">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.get_stride(%arg0) : <"(4,?):(1,?{i64 div=8})"> -> !cute.stride<"(1,?{i64 div=8})">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: return %arg1 : i64
func.func @dynamic(%arg0: !cute.layout<"(4,?):(1,?{i64 div=8})">) -> !cute.stride<"(1,?{i64 div=8})"> {
  %0 = cute.get_stride(%arg0) : !cute.layout<"(4,?):(1,?{i64 div=8})"> -> !cute.stride<"(1,?{i64 div=8})">
  return %0 : !cute.stride<"(1,?{i64 div=8})">
}

// CHECK-LABEL: @basis(
// CHECK: cute.get_stride(%arg0) : <"(4,8):(1@1,2@0)"> -> !cute.stride<"(1@1,2@0)">
// FOLD-LABEL: @basis(
// FOLD-NEXT: {{.*}}cute.static : !cute.stride<"(1@1,2@0)">
// FOLD-NEXT: return
// BASE-LABEL: @basis(
// BASE-NEXT: return
func.func @basis(%arg0: !cute.layout<"(4,8):(1@1,2@0)">) -> !cute.stride<"(1@1,2@0)"> {
  %0 = cute.get_stride(%arg0) : !cute.layout<"(4,8):(1@1,2@0)"> -> !cute.stride<"(1@1,2@0)">
  return %0 : !cute.stride<"(1@1,2@0)">
}

// The name of the operand's type may be left out, as the public CuTe IR prints it.
// CHECK-LABEL: @short(
// CHECK: cute.get_stride(%arg0) : <"(4,8):(1,4)"> -> !cute.stride<"(1,4)">
func.func @short(%arg0: !cute.layout<"(4,8):(1,4)">) -> !cute.stride<"(1,4)"> {
  %0 = cute.get_stride(%arg0) : <"(4,8):(1,4)"> -> !cute.stride<"(1,4)">
  return %0 : !cute.stride<"(1,4)">
}
