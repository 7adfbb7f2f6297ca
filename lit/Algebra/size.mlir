// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// The product of the extents, of the whole or of the mode at a path.

// CHECK-LABEL: @shape(
// CHECK: cute.size<[1]> (%arg0) : (!cute.shape<"(1,(2,4),9)">) -> !cute.int_tuple<"8">
// FOLD-LABEL: @shape(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"8">
// FOLD-NEXT: return
// BASE-LABEL: @shape(
// BASE-NEXT: return
func.func @shape(%arg0: !cute.shape<"(1,(2,4),9)">) -> !cute.int_tuple<"8"> {
  %0 = cute.size<[1]> (%arg0) : (!cute.shape<"(1,(2,4),9)">) -> !cute.int_tuple<"8">
  return %0 : !cute.int_tuple<"8">
}

// CHECK-LABEL: @int_tuple(
// CHECK: cute.size (%arg0) : (!cute.int_tuple<"(2,4)">) -> !cute.int_tuple<"8">
// FOLD-LABEL: @int_tuple(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"8">
// FOLD-NEXT: return
// BASE-LABEL: @int_tuple(
// BASE-NEXT: return
func.func @int_tuple(%arg0: !cute.int_tuple<"(2,4)">) -> !cute.int_tuple<"8"> {
  %0 = cute.size (%arg0) : (!cute.int_tuple<"(2,4)">) -> !cute.int_tuple<"8">
  return %0 : !cute.int_tuple<"8">
}

// CHECK-LABEL: @layout(
// CHECK: cute.size (%arg0) : (!cute.layout<"(4,(16,32)):(1,(4,64))">) -> !cute.int_tuple<"2048">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"2048">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.layout<"(4,(16,32)):(1,(4,64))">) -> !cute.int_tuple<"2048"> {
  %0 = cute.size (%arg0) : (!cute.layout<"(4,(16,32)):(1,(4,64))">) -> !cute.int_tuple<"2048">
  return %0 : !cute.int_tuple<"2048">
}

// CHECK-LABEL: @path(
// CHECK: cute.size<[1, 0]> (%arg0) : (!cute.layout<"(4,(16,32)):(1,(4,64))">) -> !cute.int_tuple<"16">
// FOLD-LABEL: @path(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"16">
// FOLD-NEXT: return
// BASE-LABEL: @path(
// BASE-NEXT: return
func.func @path(%arg0: !cute.layout<"(4,(16,32)):(1,(4,64))">) -> !cute.int_tuple<"16"> {
  %0 = cute.size<[1, 0]> (%arg0) : (!cute.layout<"(4,(16,32)):(1,(4,64))">) -> !cute.int_tuple<"16">
  return %0 : !cute.int_tuple<"16">
}

// A swizzle keeps the size.
// CHECK-LABEL: @composed_layout(
// CHECK: cute.size (%arg0) : (!cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.int_tuple<"512">
// FOLD-LABEL: @composed_layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"512">
// FOLD-NEXT: return
// BASE-LABEL: @composed_layout(
// BASE-NEXT: return
func.func @composed_layout(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.int_tuple<"512"> {
  %0 = cute.size (%arg0) : (!cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">) -> !cute.int_tuple<"512">
  return %0 : !cute.int_tuple<"512">
}

// CHECK-LABEL: @memref(
// CHECK: cute.size<[0]> (%arg0) : (!cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">) -> !cute.int_tuple<"128">
// FOLD-LABEL: @memref(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"128">
// FOLD-NEXT: return
// BASE-LABEL: @memref(
// BASE-NEXT: return
func.func @memref(%arg0: !cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">) -> !cute.int_tuple<"128"> {
  %0 = cute.size<[0]> (%arg0) : (!cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">) -> !cute.int_tuple<"128">
  return %0 : !cute.int_tuple<"128">
}

// Knowledge about the extents carries over to their product.
// CHECK-LABEL: @dynamic(
// CHECK: cute.size (%arg0) : (!cute.layout<"(?{div=8},4):(1,?)">) -> !cute.int_tuple<"?{div=32}">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.size (%arg0) : (!cute.layout<"(?{div=8},4):(1,?)">) -> !cute.int_tuple<"?{div=32}">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[V0:.*]] = arith.muli %arg0, %[[C4]] overflow<nsw> : i32
// BASE-NEXT: return %[[V0]] : i32
func.func @dynamic(%arg0: !cute.layout<"(?{div=8},4):(1,?)">) -> !cute.int_tuple<"?{div=32}"> {
  %0 = cute.size (%arg0) : (!cute.layout<"(?{div=8},4):(1,?)">) -> !cute.int_tuple<"?{div=32}">
  return %0 : !cute.int_tuple<"?{div=32}">
}

// CHECK-LABEL: @wide(
// CHECK: cute.size (%arg0) : (!cute.shape<"(?,?{i64})">) -> !cute.int_tuple<"?{i64}">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.size (%arg0) : (!cute.shape<"(?,?{i64})">) -> !cute.int_tuple<"?{i64}">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[V0:.*]] = arith.extsi %arg0 : i32 to i64
// BASE-NEXT: %[[V1:.*]] = arith.muli %[[V0]], %arg1 overflow<nsw> : i64
// BASE-NEXT: return %[[V1]] : i64
func.func @wide(%arg0: !cute.shape<"(?,?{i64})">) -> !cute.int_tuple<"?{i64}"> {
  %0 = cute.size (%arg0) : (!cute.shape<"(?,?{i64})">) -> !cute.int_tuple<"?{i64}">
  return %0 : !cute.int_tuple<"?{i64}">
}

// The empty product.
// CHECK-LABEL: @rank_0(
// CHECK: cute.size (%arg0) : (!cute.layout<"():()">) -> !cute.int_tuple<"1">
// FOLD-LABEL: @rank_0(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"1">
// FOLD-NEXT: return
// BASE-LABEL: @rank_0(
// BASE-NEXT: return
func.func @rank_0(%arg0: !cute.layout<"():()">) -> !cute.int_tuple<"1"> {
  %0 = cute.size (%arg0) : (!cute.layout<"():()">) -> !cute.int_tuple<"1">
  return %0 : !cute.int_tuple<"1">
}
