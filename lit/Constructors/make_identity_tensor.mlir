// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// Each element is its own coordinate.

// CHECK-LABEL: @static(
// CHECK: cute.make_identity_tensor(%arg0) : !cute.shape<"(4,8)"> -> !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">
// FOLD-LABEL: @static(
// FOLD-NEXT: {{.*}}cute.static : !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">
// FOLD-NEXT: return
// BASE-LABEL: @static(
// BASE-NEXT: return
func.func @static(%arg0: !cute.shape<"(4,8)">) -> !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)"> {
  %0 = cute.make_identity_tensor(%arg0) : !cute.shape<"(4,8)"> -> !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">
  return %0 : !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.make_identity_tensor(%arg0) : !cute.shape<"(?,8)"> -> !cute.coord_tensor<"(0,0)", "(?,8):(1@0,1@1)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.make_identity_tensor(%arg0) : !cute.shape<"(?,8)"> -> !cute.coord_tensor<"(0,0)", "(?,8):(1@0,1@1)">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: return %arg0 : i32
func.func @dynamic(%arg0: !cute.shape<"(?,8)">) -> !cute.coord_tensor<"(0,0)", "(?,8):(1@0,1@1)"> {
  %0 = cute.make_identity_tensor(%arg0) : !cute.shape<"(?,8)"> -> !cute.coord_tensor<"(0,0)", "(?,8):(1@0,1@1)">
  return %0 : !cute.coord_tensor<"(0,0)", "(?,8):(1@0,1@1)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.make_identity_tensor(%arg0) : !cute.shape<"(?{i64 div=8},8)"> -> !cute.coord_tensor<"(0,0)", "(?{i64 div=8},8):(1@0,1@1)">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.make_identity_tensor(%arg0) : !cute.shape<"(?{i64 div=8},8)"> -> !cute.coord_tensor<"(0,0)", "(?{i64 div=8},8):(1@0,1@1)">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0 : i64
func.func @wide(%arg0: !cute.shape<"(?{i64 div=8},8)">) -> !cute.coord_tensor<"(0,0)", "(?{i64 div=8},8):(1@0,1@1)"> {
  %0 = cute.make_identity_tensor(%arg0) : !cute.shape<"(?{i64 div=8},8)"> -> !cute.coord_tensor<"(0,0)", "(?{i64 div=8},8):(1@0,1@1)">
  return %0 : !cute.coord_tensor<"(0,0)", "(?{i64 div=8},8):(1@0,1@1)">
}
