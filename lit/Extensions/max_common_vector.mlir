// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// How many elements lie alike in both.

// CHECK-LABEL: @fixed(
// CHECK: cute.max_common_vector(%arg0, %arg1) : (!cute.layout<"(4,8):(1,4)">, !cute.layout<"(4,8):(1,16)">) -> !cute.int_tuple<"4">
// FOLD-LABEL: @fixed(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"4">
// FOLD-NEXT: return
// BASE-LABEL: @fixed(
// BASE-NEXT: return
func.func @fixed(%arg0: !cute.layout<"(4,8):(1,4)">, %arg1: !cute.layout<"(4,8):(1,16)">) -> !cute.int_tuple<"4"> {
  %0 = cute.max_common_vector(%arg0, %arg1) : (!cute.layout<"(4,8):(1,4)">, !cute.layout<"(4,8):(1,16)">) -> !cute.int_tuple<"4">
  return %0 : !cute.int_tuple<"4">
}

// No more than what the swizzle keeps together.
// CHECK-LABEL: @swizzled(
// CHECK: cute.max_common_vector(%arg0, %arg1) : (!cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">, !cute.layout<"(8,64):(64,1)">) -> !cute.int_tuple<"8">
// FOLD-LABEL: @swizzled(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"8">
// FOLD-NEXT: return
// BASE-LABEL: @swizzled(
// BASE-NEXT: return
func.func @swizzled(%arg0: !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">, %arg1: !cute.layout<"(8,64):(64,1)">) -> !cute.int_tuple<"8"> {
  %0 = cute.max_common_vector(%arg0, %arg1) : (!cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">, !cute.layout<"(8,64):(64,1)">) -> !cute.int_tuple<"8">
  return %0 : !cute.int_tuple<"8">
}
