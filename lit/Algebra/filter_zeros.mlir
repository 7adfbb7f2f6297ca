// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// Extent 1 for stride 0; the profile stays.

// CHECK-LABEL: @layout(
// CHECK: cute.filter_zeros(%arg0) : (!cute.layout<"(4,(3,8)):(0,(1,0))">) -> !cute.layout<"(1,(3,1)):(0,(1,0))">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(1,(3,1)):(0,(1,0))">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.layout<"(4,(3,8)):(0,(1,0))">) -> !cute.layout<"(1,(3,1)):(0,(1,0))"> {
  %0 = cute.filter_zeros(%arg0) : (!cute.layout<"(4,(3,8)):(0,(1,0))">) -> !cute.layout<"(1,(3,1)):(0,(1,0))">
  return %0 : !cute.layout<"(1,(3,1)):(0,(1,0))">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.filter_zeros(%arg0) : (!cute.layout<"(?,8):(0,?)">) -> !cute.layout<"(1,8):(0,?)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.filter_zeros(%arg0) : (!cute.layout<"(?,8):(0,?)">) -> !cute.layout<"(1,8):(0,?)">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: return %arg1 : i32
func.func @dynamic(%arg0: !cute.layout<"(?,8):(0,?)">) -> !cute.layout<"(1,8):(0,?)"> {
  %0 = cute.filter_zeros(%arg0) : (!cute.layout<"(?,8):(0,?)">) -> !cute.layout<"(1,8):(0,?)">
  return %0 : !cute.layout<"(1,8):(0,?)">
}

// Extent 1 where the profile is 0, whatever the stride.
// CHECK-LABEL: @profile(
// CHECK: cute.filter_zeros(%arg0, %arg1) : (!cute.layout<"(4,(3,2)):(1,(4,12))">, !cute.int_tuple<"(1,0)">) -> !cute.layout<"(4,(1,1)):(1,(4,12))">
// FOLD-LABEL: @profile(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,(1,1)):(1,(4,12))">
// FOLD-NEXT: return
// BASE-LABEL: @profile(
// BASE-NEXT: return
func.func @profile(%arg0: !cute.layout<"(4,(3,2)):(1,(4,12))">, %arg1: !cute.int_tuple<"(1,0)">) -> !cute.layout<"(4,(1,1)):(1,(4,12))"> {
  %0 = cute.filter_zeros(%arg0, %arg1) : (!cute.layout<"(4,(3,2)):(1,(4,12))">, !cute.int_tuple<"(1,0)">) -> !cute.layout<"(4,(1,1)):(1,(4,12))">
  return %0 : !cute.layout<"(4,(1,1)):(1,(4,12))">
}

// As where another layout has strides of 0.
// CHECK-LABEL: @strides_of_another(
// CHECK: cute.filter_zeros(%arg0, %arg1) : (!cute.layout<"(4,(3,2)):(1,(4,12))">, !cute.stride<"(1,(0,1))">) -> !cute.layout<"(4,(1,2)):(1,(4,12))">
// FOLD-LABEL: @strides_of_another(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,(1,2)):(1,(4,12))">
// FOLD-NEXT: return
// BASE-LABEL: @strides_of_another(
// BASE-NEXT: return
func.func @strides_of_another(%arg0: !cute.layout<"(4,(3,2)):(1,(4,12))">, %arg1: !cute.stride<"(1,(0,1))">) -> !cute.layout<"(4,(1,2)):(1,(4,12))"> {
  %0 = cute.filter_zeros(%arg0, %arg1) : (!cute.layout<"(4,(3,2)):(1,(4,12))">, !cute.stride<"(1,(0,1))">) -> !cute.layout<"(4,(1,2)):(1,(4,12))">
  return %0 : !cute.layout<"(4,(1,2)):(1,(4,12))">
}

// CHECK-LABEL: @wide(
// CHECK: cute.filter_zeros(%arg0) : (!cute.layout<"(?{i64 div=8},8):(0,?{i64 div=8})">) -> !cute.layout<"(1,8):(0,?{i64 div=8})">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.filter_zeros(%arg0) : (!cute.layout<"(?{i64 div=8},8):(0,?{i64 div=8})">) -> !cute.layout<"(1,8):(0,?{i64 div=8})">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg1 : i64
func.func @wide(%arg0: !cute.layout<"(?{i64 div=8},8):(0,?{i64 div=8})">) -> !cute.layout<"(1,8):(0,?{i64 div=8})"> {
  %0 = cute.filter_zeros(%arg0) : (!cute.layout<"(?{i64 div=8},8):(0,?{i64 div=8})">) -> !cute.layout<"(1,8):(0,?{i64 div=8})">
  return %0 : !cute.layout<"(1,8):(0,?{i64 div=8})">
}
