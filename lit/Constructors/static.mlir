// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// The type is the value: every fully static type of the algebra has exactly one.

// CHECK-LABEL: @layout(
// CHECK: cute.static : !cute.layout<"(4,8):(1,4)">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,8):(1,4)">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout() -> !cute.layout<"(4,8):(1,4)"> {
  %0 = cute.static : !cute.layout<"(4,8):(1,4)">
  return %0 : !cute.layout<"(4,8):(1,4)">
}

// CHECK-LABEL: @int_tuple(
// CHECK: cute.static : !cute.int_tuple<"(4,-2)">
// FOLD-LABEL: @int_tuple(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"(4,-2)">
// FOLD-NEXT: return
// BASE-LABEL: @int_tuple(
// BASE-NEXT: return
func.func @int_tuple() -> !cute.int_tuple<"(4,-2)"> {
  %0 = cute.static : !cute.int_tuple<"(4,-2)">
  return %0 : !cute.int_tuple<"(4,-2)">
}

// CHECK-LABEL: @shape(
// CHECK: cute.static : !cute.shape<"(4,(8,2))">
// FOLD-LABEL: @shape(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"(4,(8,2))">
// FOLD-NEXT: return
// BASE-LABEL: @shape(
// BASE-NEXT: return
func.func @shape() -> !cute.shape<"(4,(8,2))"> {
  %0 = cute.static : !cute.shape<"(4,(8,2))">
  return %0 : !cute.shape<"(4,(8,2))">
}

// CHECK-LABEL: @stride(
// CHECK: cute.static : !cute.stride<"(1@0,1@1)">
// FOLD-LABEL: @stride(
// FOLD-NEXT: {{.*}}cute.static : !cute.stride<"(1@0,1@1)">
// FOLD-NEXT: return
// BASE-LABEL: @stride(
// BASE-NEXT: return
func.func @stride() -> !cute.stride<"(1@0,1@1)"> {
  %0 = cute.static : !cute.stride<"(1@0,1@1)">
  return %0 : !cute.stride<"(1@0,1@1)">
}

// `_` is static.
// CHECK-LABEL: @coord(
// CHECK: cute.static : !cute.coord<"(_,3)">
// FOLD-LABEL: @coord(
// FOLD-NEXT: {{.*}}cute.static : !cute.coord<"(_,3)">
// FOLD-NEXT: return
// BASE-LABEL: @coord(
// BASE-NEXT: return
func.func @coord() -> !cute.coord<"(_,3)"> {
  %0 = cute.static : !cute.coord<"(_,3)">
  return %0 : !cute.coord<"(_,3)">
}

// CHECK-LABEL: @tile(
// CHECK: cute.static : !cute.tile<"[64:1;_]">
// FOLD-LABEL: @tile(
// FOLD-NEXT: {{.*}}cute.static : !cute.tile<"[64:1;_]">
// FOLD-NEXT: return
// BASE-LABEL: @tile(
// BASE-NEXT: return
func.func @tile() -> !cute.tile<"[64:1;_]"> {
  %0 = cute.static : !cute.tile<"[64:1;_]">
  return %0 : !cute.tile<"[64:1;_]">
}

// CHECK-LABEL: @swizzle(
// CHECK: cute.static : !cute.swizzle<"S<3,4,3>">
// FOLD-LABEL: @swizzle(
// FOLD-NEXT: {{.*}}cute.static : !cute.swizzle<"S<3,4,3>">
// FOLD-NEXT: return
// BASE-LABEL: @swizzle(
// BASE-NEXT: return
func.func @swizzle() -> !cute.swizzle<"S<3,4,3>"> {
  %0 = cute.static : !cute.swizzle<"S<3,4,3>">
  return %0 : !cute.swizzle<"S<3,4,3>">
}

// CHECK-LABEL: @composed_layout(
// CHECK: cute.static : !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">
// FOLD-LABEL: @composed_layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">
// FOLD-NEXT: return
// BASE-LABEL: @composed_layout(
// BASE-NEXT: return
func.func @composed_layout() -> !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)"> {
  %0 = cute.static : !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">
  return %0 : !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">
}

// The coordinates of an identity tensor are known.
// CHECK-LABEL: @coord_tensor(
// CHECK: cute.static : !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">
// FOLD-LABEL: @coord_tensor(
// FOLD-NEXT: {{.*}}cute.static : !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">
// FOLD-NEXT: return
// BASE-LABEL: @coord_tensor(
// BASE-NEXT: return
func.func @coord_tensor() -> !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)"> {
  %0 = cute.static : !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">
  return %0 : !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">
}
