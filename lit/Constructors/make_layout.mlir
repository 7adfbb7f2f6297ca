// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @shape_and_stride(
// CHECK: cute.make_layout(%arg0, %arg1) : (!cute.shape<"(4,8)">, !cute.stride<"(8,1)">) -> !cute.layout<"(4,8):(8,1)">
// FOLD-LABEL: @shape_and_stride(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,8):(8,1)">
// FOLD-NEXT: return
// BASE-LABEL: @shape_and_stride(
// BASE-NEXT: return
func.func @shape_and_stride(%arg0: !cute.shape<"(4,8)">, %arg1: !cute.stride<"(8,1)">) -> !cute.layout<"(4,8):(8,1)"> {
  %0 = cute.make_layout(%arg0, %arg1) : (!cute.shape<"(4,8)">, !cute.stride<"(8,1)">) -> !cute.layout<"(4,8):(8,1)">
  return %0 : !cute.layout<"(4,8):(8,1)">
}

// Without stride: compact, first mode fastest.
// CHECK-LABEL: @compact(
// CHECK: cute.make_layout(%arg0) : (!cute.shape<"(4,(2,8))">) -> !cute.layout<"(4,(2,8)):(1,(4,8))">
// FOLD-LABEL: @compact(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,(2,8)):(1,(4,8))">
// FOLD-NEXT: return
// BASE-LABEL: @compact(
// BASE-NEXT: return
func.func @compact(%arg0: !cute.shape<"(4,(2,8))">) -> !cute.layout<"(4,(2,8)):(1,(4,8))"> {
  %0 = cute.make_layout(%arg0) : (!cute.shape<"(4,(2,8))">) -> !cute.layout<"(4,(2,8)):(1,(4,8))">
  return %0 : !cute.layout<"(4,(2,8)):(1,(4,8))">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.make_layout(%arg0, %arg1) : (!cute.shape<"(?,8)">, !cute.stride<"(?{i64 div=8},1)">) -> !cute.layout<"(?,8):(?{i64 div=8},1)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.make_layout(%arg0, %arg1) : (!cute.shape<"(?,8)">, !cute.stride<"(?{i64 div=8},1)">) -> !cute.layout<"(?,8):(?{i64 div=8},1)">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: return %arg0, %arg1 : i32, i64
func.func @dynamic(%arg0: !cute.shape<"(?,8)">, %arg1: !cute.stride<"(?{i64 div=8},1)">) -> !cute.layout<"(?,8):(?{i64 div=8},1)"> {
  %0 = cute.make_layout(%arg0, %arg1) : (!cute.shape<"(?,8)">, !cute.stride<"(?{i64 div=8},1)">) -> !cute.layout<"(?,8):(?{i64 div=8},1)">
  return %0 : !cute.layout<"(?,8):(?{i64 div=8},1)">
}

// CHECK-LABEL: @compact_dynamic(
// CHECK: cute.make_layout(%arg0) : (!cute.shape<"(?,8)">) -> !cute.layout<"(?,8):(1,?)">
// FOLD-LABEL: @compact_dynamic(
// FOLD-NEXT: {{.*}}cute.make_layout(%arg0) : (!cute.shape<"(?,8)">) -> !cute.layout<"(?,8):(1,?)">
// FOLD-NEXT: return
// BASE-LABEL: @compact_dynamic(
// BASE-NEXT: return %arg0, %arg0 : i32, i32
func.func @compact_dynamic(%arg0: !cute.shape<"(?,8)">) -> !cute.layout<"(?,8):(1,?)"> {
  %0 = cute.make_layout(%arg0) : (!cute.shape<"(?,8)">) -> !cute.layout<"(?,8):(1,?)">
  return %0 : !cute.layout<"(?,8):(1,?)">
}

// CHECK-LABEL: @basis(
// CHECK: cute.make_layout(%arg0, %arg1) : (!cute.shape<"(4,8)">, !cute.stride<"(1@1,1@0)">) -> !cute.layout<"(4,8):(1@1,1@0)">
// FOLD-LABEL: @basis(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,8):(1@1,1@0)">
// FOLD-NEXT: return
// BASE-LABEL: @basis(
// BASE-NEXT: return
func.func @basis(%arg0: !cute.shape<"(4,8)">, %arg1: !cute.stride<"(1@1,1@0)">) -> !cute.layout<"(4,8):(1@1,1@0)"> {
  %0 = cute.make_layout(%arg0, %arg1) : (!cute.shape<"(4,8)">, !cute.stride<"(1@1,1@0)">) -> !cute.layout<"(4,8):(1@1,1@0)">
  return %0 : !cute.layout<"(4,8):(1@1,1@0)">
}

// CHECK-LABEL: @rank_0(
// CHECK: cute.make_layout(%arg0, %arg1) : (!cute.shape<"()">, !cute.stride<"()">) -> !cute.layout<"():()">
// FOLD-LABEL: @rank_0(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"():()">
// FOLD-NEXT: return
// BASE-LABEL: @rank_0(
// BASE-NEXT: return
func.func @rank_0(%arg0: !cute.shape<"()">, %arg1: !cute.stride<"()">) -> !cute.layout<"():()"> {
  %0 = cute.make_layout(%arg0, %arg1) : (!cute.shape<"()">, !cute.stride<"()">) -> !cute.layout<"():()">
  return %0 : !cute.layout<"():()">
}

// A declared result may say less than what is known.
// CHECK-LABEL: @weaker(
// CHECK: cute.make_layout(%arg0, %arg1) : (!cute.shape<"(?{div=16},8)">, !cute.stride<"(8,1)">) -> !cute.layout<"(?{div=8},8):(8,1)">
// FOLD-LABEL: @weaker(
// FOLD-NEXT: {{.*}}cute.make_layout(%arg0, %arg1) : (!cute.shape<"(?{div=16},8)">, !cute.stride<"(8,1)">) -> !cute.layout<"(?{div=8},8):(8,1)">
// FOLD-NEXT: return
// BASE-LABEL: @weaker(
// BASE-NEXT: return %arg0 : i32
func.func @weaker(%arg0: !cute.shape<"(?{div=16},8)">, %arg1: !cute.stride<"(8,1)">) -> !cute.layout<"(?{div=8},8):(8,1)"> {
  %0 = cute.make_layout(%arg0, %arg1) : (!cute.shape<"(?{div=16},8)">, !cute.stride<"(8,1)">) -> !cute.layout<"(?{div=8},8):(8,1)">
  return %0 : !cute.layout<"(?{div=8},8):(8,1)">
}

// The stride of an extent of 1 is free.
// CHECK-LABEL: @size_one(
// CHECK: cute.make_layout(%arg0, %arg1) : (!cute.shape<"(1,8)">, !cute.stride<"(8,1)">) -> !cute.layout<"(1,8):(0,1)">
// FOLD-LABEL: @size_one(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(1,8):(0,1)">
// FOLD-NEXT: return
// BASE-LABEL: @size_one(
// BASE-NEXT: return
func.func @size_one(%arg0: !cute.shape<"(1,8)">, %arg1: !cute.stride<"(8,1)">) -> !cute.layout<"(1,8):(0,1)"> {
  %0 = cute.make_layout(%arg0, %arg1) : (!cute.shape<"(1,8)">, !cute.stride<"(8,1)">) -> !cute.layout<"(1,8):(0,1)">
  return %0 : !cute.layout<"(1,8):(0,1)">
}
