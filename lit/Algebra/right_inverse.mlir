// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// R with A(R(i)) = i.

// CHECK-LABEL: @layout(
// CHECK: cute.right_inverse(%arg0) : (!cute.layout<"(4,8):(8,1)">) -> !cute.layout<"(8,4):(4,1)">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(8,4):(4,1)">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.layout<"(4,8):(8,1)">) -> !cute.layout<"(8,4):(4,1)"> {
  %0 = cute.right_inverse(%arg0) : (!cute.layout<"(4,8):(8,1)">) -> !cute.layout<"(8,4):(4,1)">
  return %0 : !cute.layout<"(8,4):(4,1)">
}

// As far as the image is contiguous.
// CHECK-LABEL: @gap(
// CHECK: cute.right_inverse(%arg0) : (!cute.layout<"(4,8):(1,8)">) -> !cute.layout<"4:1">
// FOLD-LABEL: @gap(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"4:1">
// FOLD-NEXT: return
// BASE-LABEL: @gap(
// BASE-NEXT: return
func.func @gap(%arg0: !cute.layout<"(4,8):(1,8)">) -> !cute.layout<"4:1"> {
  %0 = cute.right_inverse(%arg0) : (!cute.layout<"(4,8):(1,8)">) -> !cute.layout<"4:1">
  return %0 : !cute.layout<"4:1">
}

// From coordinates back to indices: one inverse for each mode of the codomain.
// CHECK-LABEL: @coordinates(
// CHECK: cute.right_inverse(%arg0) : (!cute.layout<"(3,(2,2)):(1@1,(1@0,2@0))">) -> !cute.layout<"(4,3):(3,1)">
// FOLD-LABEL: @coordinates(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,3):(3,1)">
// FOLD-NEXT: return
// BASE-LABEL: @coordinates(
// BASE-NEXT: return
func.func @coordinates(%arg0: !cute.layout<"(3,(2,2)):(1@1,(1@0,2@0))">) -> !cute.layout<"(4,3):(3,1)"> {
  %0 = cute.right_inverse(%arg0) : (!cute.layout<"(3,(2,2)):(1@1,(1@0,2@0))">) -> !cute.layout<"(4,3):(3,1)">
  return %0 : !cute.layout<"(4,3):(3,1)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.right_inverse(%arg0) : (!cute.layout<"(?{i64 div=8},4):(4,1)">) -> !cute.layout<"(4,?{i64 div=8}):(?{i64 div=8},1)">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.right_inverse(%arg0) : (!cute.layout<"(?{i64 div=8},4):(4,1)">) -> !cute.layout<"(4,?{i64 div=8}):(?{i64 div=8},1)">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0, %arg0 : i64, i64
func.func @wide(%arg0: !cute.layout<"(?{i64 div=8},4):(4,1)">) -> !cute.layout<"(4,?{i64 div=8}):(?{i64 div=8},1)"> {
  %0 = cute.right_inverse(%arg0) : (!cute.layout<"(?{i64 div=8},4):(4,1)">) -> !cute.layout<"(4,?{i64 div=8}):(?{i64 div=8},1)">
  return %0 : !cute.layout<"(4,?{i64 div=8}):(?{i64 div=8},1)">
}

// Behind a swizzle, the swizzle moves in front.
// CHECK-LABEL: @swizzled(
// CHECK: cute.right_inverse(%arg0) : (!cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">) -> !cute.composed_layout<"S<3,0,-6> o 0 o (64,8):(8,1)">
// FOLD-LABEL: @swizzled(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"S<3,0,-6> o 0 o (64,8):(8,1)">
func.func @swizzled(%arg0: !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">) -> !cute.composed_layout<"S<3,0,-6> o 0 o (64,8):(8,1)"> {
  %0 = cute.right_inverse(%arg0) : (!cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">) -> !cute.composed_layout<"S<3,0,-6> o 0 o (64,8):(8,1)">
  return %0 : !cute.composed_layout<"S<3,0,-6> o 0 o (64,8):(8,1)">
}
