// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD

// Extent 1 for stride 0; the profile stays.

// CHECK-LABEL: @layout(
// CHECK: cute.filter_zeros(%arg0) : (!cute.layout<"(4,(3,8)):(0,(1,0))">) -> !cute.layout<"(1,(3,1)):(0,(1,0))">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(1,(3,1)):(0,(1,0))">
// FOLD-NEXT: return
func.func @layout(%arg0: !cute.layout<"(4,(3,8)):(0,(1,0))">) -> !cute.layout<"(1,(3,1)):(0,(1,0))"> {
  %0 = cute.filter_zeros(%arg0) : (!cute.layout<"(4,(3,8)):(0,(1,0))">) -> !cute.layout<"(1,(3,1)):(0,(1,0))">
  return %0 : !cute.layout<"(1,(3,1)):(0,(1,0))">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.filter_zeros(%arg0) : (!cute.layout<"(?,8):(0,?)">) -> !cute.layout<"(1,8):(0,?)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.filter_zeros(%arg0) : (!cute.layout<"(?,8):(0,?)">) -> !cute.layout<"(1,8):(0,?)">
// FOLD-NEXT: return
func.func @dynamic(%arg0: !cute.layout<"(?,8):(0,?)">) -> !cute.layout<"(1,8):(0,?)"> {
  %0 = cute.filter_zeros(%arg0) : (!cute.layout<"(?,8):(0,?)">) -> !cute.layout<"(1,8):(0,?)">
  return %0 : !cute.layout<"(1,8):(0,?)">
}
