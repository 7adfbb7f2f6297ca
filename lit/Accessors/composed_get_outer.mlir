// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @swizzle(
// CHECK: cute.composed_get_outer(%arg0) : <"S<3,4,3> o 0 o (8,64):(64,1)"> -> <"(8,64):(64,1)">
// FOLD-LABEL: @swizzle(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(8,64):(64,1)">
// FOLD-NEXT: return
// BASE-LABEL: @swizzle(
// BASE-NEXT: return
func.func @swizzle(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.layout<"(8,64):(64,1)"> {
  %0 = cute.composed_get_outer(%arg0) : !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)"> -> !cute.layout<"(8,64):(64,1)">
  return %0 : !cute.layout<"(8,64):(64,1)">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.composed_get_outer(%arg0) : <"S<3,3,3> o 0 o (8,?):(?,1)"> -> <"(8,?):(?,1)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.composed_get_outer(%arg0) : <"S<3,3,3> o 0 o (8,?):(?,1)"> -> <"(8,?):(?,1)">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: return %arg0, %arg1 : i32, i32
func.func @dynamic(%arg0: !cute.composed_layout<"S<3,3,3> o 0 o (8,?):(?,1)">) -> !cute.layout<"(8,?):(?,1)"> {
  %0 = cute.composed_get_outer(%arg0) : !cute.composed_layout<"S<3,3,3> o 0 o (8,?):(?,1)"> -> !cute.layout<"(8,?):(?,1)">
  return %0 : !cute.layout<"(8,?):(?,1)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.composed_get_outer(%arg0) : <"S<3,3,3> o 0 o (8,?{i64 div=8}):(?{i64 div=8},1)"> -> <"(8,?{i64 div=8}):(?{i64 div=8},1)">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.composed_get_outer(%arg0) : <"S<3,3,3> o 0 o (8,?{i64 div=8}):(?{i64 div=8},1)"> -> <"(8,?{i64 div=8}):(?{i64 div=8},1)">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0, %arg1 : i64, i64
func.func @wide(%arg0: !cute.composed_layout<"S<3,3,3> o 0 o (8,?{i64 div=8}):(?{i64 div=8},1)">) -> !cute.layout<"(8,?{i64 div=8}):(?{i64 div=8},1)"> {
  %0 = cute.composed_get_outer(%arg0) : !cute.composed_layout<"S<3,3,3> o 0 o (8,?{i64 div=8}):(?{i64 div=8},1)"> -> !cute.layout<"(8,?{i64 div=8}):(?{i64 div=8},1)">
  return %0 : !cute.layout<"(8,?{i64 div=8}):(?{i64 div=8},1)">
}

// The names of types may be left out, as the public CuTe IR prints them.
// CHECK-LABEL: @short(
// CHECK: cute.composed_get_outer(%arg0) : <"S<3,4,3> o 0 o (8,64):(64,1)"> -> <"(8,64):(64,1)">
func.func @short(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.layout<"(8,64):(64,1)"> {
  %0 = cute.composed_get_outer(%arg0) : <"S<3,4,3> o 0 o (8,64):(64,1)"> -> <"(8,64):(64,1)">
  return %0 : !cute.layout<"(8,64):(64,1)">
}
