// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// Each coordinate to itself.

// CHECK-LABEL: @static(
// CHECK: cute.make_identity_layout(%arg0) : !cute.shape<"(4,(2,8))"> -> !cute.layout<"(4,(2,8)):(1@0,(1@0@1,1@1@1))">
// FOLD-LABEL: @static(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,(2,8)):(1@0,(1@0@1,1@1@1))">
// FOLD-NEXT: return
// BASE-LABEL: @static(
// BASE-NEXT: return
func.func @static(%arg0: !cute.shape<"(4,(2,8))">) -> !cute.layout<"(4,(2,8)):(1@0,(1@0@1,1@1@1))"> {
  %0 = cute.make_identity_layout(%arg0) : !cute.shape<"(4,(2,8))"> -> !cute.layout<"(4,(2,8)):(1@0,(1@0@1,1@1@1))">
  return %0 : !cute.layout<"(4,(2,8)):(1@0,(1@0@1,1@1@1))">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.make_identity_layout(%arg0) : !cute.shape<"(?,8)"> -> !cute.layout<"(?,8):(1@0,1@1)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.make_identity_layout(%arg0) : !cute.shape<"(?,8)"> -> !cute.layout<"(?,8):(1@0,1@1)">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: return %arg0 : i32
func.func @dynamic(%arg0: !cute.shape<"(?,8)">) -> !cute.layout<"(?,8):(1@0,1@1)"> {
  %0 = cute.make_identity_layout(%arg0) : !cute.shape<"(?,8)"> -> !cute.layout<"(?,8):(1@0,1@1)">
  return %0 : !cute.layout<"(?,8):(1@0,1@1)">
}

// Some declare the identity of indices: compact and column-major.
// CHECK-LABEL: @indices(
// CHECK: cute.make_identity_layout(%arg0) : !cute.shape<"(4,1,?)"> -> !cute.layout<"(4,1,?):(1,4,4)">
// FOLD-LABEL: @indices(
// FOLD-NEXT: {{.*}}cute.make_identity_layout(%arg0) : !cute.shape<"(4,1,?)"> -> !cute.layout<"(4,1,?):(1,4,4)">
// BASE-LABEL: @indices(
// BASE-NEXT: return %arg0 : i32
func.func @indices(%arg0: !cute.shape<"(4,1,?)">) -> !cute.layout<"(4,1,?):(1,4,4)"> {
  %0 = cute.make_identity_layout(%arg0) : !cute.shape<"(4,1,?)"> -> !cute.layout<"(4,1,?):(1,4,4)">
  return %0 : !cute.layout<"(4,1,?):(1,4,4)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.make_identity_layout(%arg0) : !cute.shape<"(?{i64 div=8},8)"> -> !cute.layout<"(?{i64 div=8},8):(1@0,1@1)">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.make_identity_layout(%arg0) : !cute.shape<"(?{i64 div=8},8)"> -> !cute.layout<"(?{i64 div=8},8):(1@0,1@1)">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0 : i64
func.func @wide(%arg0: !cute.shape<"(?{i64 div=8},8)">) -> !cute.layout<"(?{i64 div=8},8):(1@0,1@1)"> {
  %0 = cute.make_identity_layout(%arg0) : !cute.shape<"(?{i64 div=8},8)"> -> !cute.layout<"(?{i64 div=8},8):(1@0,1@1)">
  return %0 : !cute.layout<"(?{i64 div=8},8):(1@0,1@1)">
}
