// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @swizzle(
// CHECK: cute.composed_get_inner(%arg0) : <"S<3,4,3> o 0 o (8,64):(64,1)"> -> !cute.swizzle<"S<3,4,3>">
// FOLD-LABEL: @swizzle(
// FOLD-NEXT: {{.*}}cute.static : !cute.swizzle<"S<3,4,3>">
// FOLD-NEXT: return
// BASE-LABEL: @swizzle(
// BASE-NEXT: return
func.func @swizzle(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.swizzle<"S<3,4,3>"> {
  %0 = cute.composed_get_inner(%arg0) : !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)"> -> !cute.swizzle<"S<3,4,3>">
  return %0 : !cute.swizzle<"S<3,4,3>">
}

// CHECK-LABEL: @layout(
// CHECK: cute.composed_get_inner(%arg0) : <"(4,5):(1,4) o 2 o (2,3):(1,2)"> -> !cute.layout<"(4,5):(1,4)">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,5):(1,4)">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">) -> !cute.layout<"(4,5):(1,4)"> {
  %0 = cute.composed_get_inner(%arg0) : !cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)"> -> !cute.layout<"(4,5):(1,4)">
  return %0 : !cute.layout<"(4,5):(1,4)">
}

// CHECK-LABEL: @identity(
// CHECK: cute.composed_get_inner(%arg0) : <"S<0,4,3> o 0 o 8:1"> -> !cute.swizzle<"S<0,4,3>">
// FOLD-LABEL: @identity(
// FOLD-NEXT: {{.*}}cute.static : !cute.swizzle<"S<0,4,3>">
// FOLD-NEXT: return
// BASE-LABEL: @identity(
// BASE-NEXT: return
func.func @identity(%arg0: !cute.composed_layout<"S<0,4,3> o 0 o 8:1">) -> !cute.swizzle<"S<0,4,3>"> {
  %0 = cute.composed_get_inner(%arg0) : !cute.composed_layout<"S<0,4,3> o 0 o 8:1"> -> !cute.swizzle<"S<0,4,3>">
  return %0 : !cute.swizzle<"S<0,4,3>">
}

// The names of types may be left out, as the public CuTe IR prints them.
// CHECK-LABEL: @short(
// CHECK: cute.composed_get_inner(%arg0) : <"S<3,4,3> o 0 o (8,64):(64,1)"> -> !cute.swizzle<"S<3,4,3>">
func.func @short(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.swizzle<"S<3,4,3>"> {
  %0 = cute.composed_get_inner(%arg0) : <"S<3,4,3> o 0 o (8,64):(64,1)"> -> !cute.swizzle<"S<3,4,3>">
  return %0 : !cute.swizzle<"S<3,4,3>">
}
