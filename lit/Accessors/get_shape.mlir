// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @layout(
// CHECK: cute.get_shape(%arg0) : !cute.layout<"(4,(2,8)):(1,(4,8))"> -> !cute.shape<"(4,(2,8))">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"(4,(2,8))">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.layout<"(4,(2,8)):(1,(4,8))">) -> !cute.shape<"(4,(2,8))"> {
  %0 = cute.get_shape(%arg0) : !cute.layout<"(4,(2,8)):(1,(4,8))"> -> !cute.shape<"(4,(2,8))">
  return %0 : !cute.shape<"(4,(2,8))">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.get_shape(%arg0) : !cute.layout<"(?{div=8},8):(8,1)"> -> !cute.shape<"(?{div=8},8)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.get_shape(%arg0) : !cute.layout<"(?{div=8},8):(8,1)"> -> !cute.shape<"(?{div=8},8)">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: return %arg0 : i32
func.func @dynamic(%arg0: !cute.layout<"(?{div=8},8):(8,1)">) -> !cute.shape<"(?{div=8},8)"> {
  %0 = cute.get_shape(%arg0) : !cute.layout<"(?{div=8},8):(8,1)"> -> !cute.shape<"(?{div=8},8)">
  return %0 : !cute.shape<"(?{div=8},8)">
}

// The outer layout has the domain.
// CHECK-LABEL: @composed_layout(
// CHECK: cute.get_shape(%arg0) : !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)"> -> !cute.shape<"(8,64)">
// FOLD-LABEL: @composed_layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"(8,64)">
// FOLD-NEXT: return
// BASE-LABEL: @composed_layout(
// BASE-NEXT: return
func.func @composed_layout(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.shape<"(8,64)"> {
  %0 = cute.get_shape(%arg0) : !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)"> -> !cute.shape<"(8,64)">
  return %0 : !cute.shape<"(8,64)">
}

// CHECK-LABEL: @tile(
// CHECK: cute.get_shape(%arg0) : !cute.tile<"[64:1;(4,8):(8,1)]"> -> !cute.shape<"(64,(4,8))">
// FOLD-LABEL: @tile(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"(64,(4,8))">
// FOLD-NEXT: return
// BASE-LABEL: @tile(
// BASE-NEXT: return
func.func @tile(%arg0: !cute.tile<"[64:1;(4,8):(8,1)]">) -> !cute.shape<"(64,(4,8))"> {
  %0 = cute.get_shape(%arg0) : !cute.tile<"[64:1;(4,8):(8,1)]"> -> !cute.shape<"(64,(4,8))">
  return %0 : !cute.shape<"(64,(4,8))">
}

// CHECK-LABEL: @wide(
// CHECK: cute.get_shape(%arg0) : !cute.layout<"(?{i64 div=8},8):(8,1)"> -> !cute.shape<"(?{i64 div=8},8)">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.get_shape(%arg0) : !cute.layout<"(?{i64 div=8},8):(8,1)"> -> !cute.shape<"(?{i64 div=8},8)">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0 : i64
func.func @wide(%arg0: !cute.layout<"(?{i64 div=8},8):(8,1)">) -> !cute.shape<"(?{i64 div=8},8)"> {
  %0 = cute.get_shape(%arg0) : !cute.layout<"(?{i64 div=8},8):(8,1)"> -> !cute.shape<"(?{i64 div=8},8)">
  return %0 : !cute.shape<"(?{i64 div=8},8)">
}
