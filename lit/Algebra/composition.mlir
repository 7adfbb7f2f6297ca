// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// C(c) = A(B(c)): the coordinates of B, the values of A.

// CHECK-LABEL: @layout(
// CHECK: cute.composition(%arg0, %arg1) : (!cute.layout<"20:2">, !cute.layout<"(5,4):(4,1)">) -> !cute.layout<"(5,4):(8,2)">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(5,4):(8,2)">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.layout<"20:2">, %arg1: !cute.layout<"(5,4):(4,1)">) -> !cute.layout<"(5,4):(8,2)"> {
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"20:2">, !cute.layout<"(5,4):(4,1)">) -> !cute.layout<"(5,4):(8,2)">
  return %0 : !cute.layout<"(5,4):(8,2)">
}

// A mode of B that spans two modes of A is split.
// CHECK-LABEL: @split(
// CHECK: cute.composition(%arg0, %arg1) : (!cute.layout<"(6,2):(8,2)">, !cute.layout<"(4,3):(3,1)">) -> !cute.layout<"((2,2),3):((24,2),8)">
// FOLD-LABEL: @split(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"((2,2),3):((24,2),8)">
// FOLD-NEXT: return
// BASE-LABEL: @split(
// BASE-NEXT: return
func.func @split(%arg0: !cute.layout<"(6,2):(8,2)">, %arg1: !cute.layout<"(4,3):(3,1)">) -> !cute.layout<"((2,2),3):((24,2),8)"> {
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"(6,2):(8,2)">, !cute.layout<"(4,3):(3,1)">) -> !cute.layout<"((2,2),3):((24,2),8)">
  return %0 : !cute.layout<"((2,2),3):((24,2),8)">
}

// A tile or shape composes mode by mode.
// CHECK-LABEL: @tile(
// CHECK: cute.composition(%arg0, %arg1) : (!cute.layout<"(4,8):(8,1)">, !cute.tile<"[2:1;4:1]">) -> !cute.layout<"(2,4):(8,1)">
// FOLD-LABEL: @tile(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(2,4):(8,1)">
// FOLD-NEXT: return
// BASE-LABEL: @tile(
// BASE-NEXT: return
func.func @tile(%arg0: !cute.layout<"(4,8):(8,1)">, %arg1: !cute.tile<"[2:1;4:1]">) -> !cute.layout<"(2,4):(8,1)"> {
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"(4,8):(8,1)">, !cute.tile<"[2:1;4:1]">) -> !cute.layout<"(2,4):(8,1)">
  return %0 : !cute.layout<"(2,4):(8,1)">
}

// CHECK-LABEL: @shape(
// CHECK: cute.composition(%arg0, %arg1) : (!cute.layout<"(4,8):(8,1)">, !cute.shape<"(2,4)">) -> !cute.layout<"(2,4):(8,1)">
// FOLD-LABEL: @shape(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(2,4):(8,1)">
// FOLD-NEXT: return
// BASE-LABEL: @shape(
// BASE-NEXT: return
func.func @shape(%arg0: !cute.layout<"(4,8):(8,1)">, %arg1: !cute.shape<"(2,4)">) -> !cute.layout<"(2,4):(8,1)"> {
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"(4,8):(8,1)">, !cute.shape<"(2,4)">) -> !cute.layout<"(2,4):(8,1)">
  return %0 : !cute.layout<"(2,4):(8,1)">
}

// CHECK-LABEL: @basis(
// CHECK: cute.composition(%arg0, %arg1) : (!cute.layout<"(8,8):(1@0,1@1)">, !cute.tile<"[4:2;8:1]">) -> !cute.layout<"(4,8):(2@0,1@1)">
// FOLD-LABEL: @basis(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,8):(2@0,1@1)">
// FOLD-NEXT: return
// BASE-LABEL: @basis(
// BASE-NEXT: return
func.func @basis(%arg0: !cute.layout<"(8,8):(1@0,1@1)">, %arg1: !cute.tile<"[4:2;8:1]">) -> !cute.layout<"(4,8):(2@0,1@1)"> {
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"(8,8):(1@0,1@1)">, !cute.tile<"[4:2;8:1]">) -> !cute.layout<"(4,8):(2@0,1@1)">
  return %0 : !cute.layout<"(4,8):(2@0,1@1)">
}

// CHECK-LABEL: @swizzle(
// CHECK: cute.composition(%arg0, %arg1) : (!cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">, !cute.tile<"[8:1;8:8]">) -> !cute.composed_layout<"S<3,4,3> o 0 o (8,8):(64,8)">
// FOLD-LABEL: @swizzle(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"S<3,4,3> o 0 o (8,8):(64,8)">
// FOLD-NEXT: return
// BASE-LABEL: @swizzle(
// BASE-NEXT: return
func.func @swizzle(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">, %arg1: !cute.tile<"[8:1;8:8]">) -> !cute.composed_layout<"S<3,4,3> o 0 o (8,8):(64,8)"> {
  %0 = cute.composition(%arg0, %arg1) : (!cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">, !cute.tile<"[8:1;8:8]">) -> !cute.composed_layout<"S<3,4,3> o 0 o (8,8):(64,8)">
  return %0 : !cute.composed_layout<"S<3,4,3> o 0 o (8,8):(64,8)">
}

// CHECK-LABEL: @memref(
// CHECK: cute.composition(%arg0, %arg1) : (!cute.memref<f32, gmem, "(4,8):(8,1)">, !cute.shape<"(2,4)">) -> !cute.memref<f32, gmem, "(2,4):(8,1)">
// FOLD-LABEL: @memref(
// FOLD-NEXT: {{.*}}cute.composition(%arg0, %arg1) : (!cute.memref<f32, gmem, "(4,8):(8,1)">, !cute.shape<"(2,4)">) -> !cute.memref<f32, gmem, "(2,4):(8,1)">
// FOLD-NEXT: return
// BASE-LABEL: @memref(
// BASE-NEXT: return %arg0 : !llvm.ptr<1>
func.func @memref(%arg0: !cute.memref<f32, gmem, "(4,8):(8,1)">, %arg1: !cute.shape<"(2,4)">) -> !cute.memref<f32, gmem, "(2,4):(8,1)"> {
  %0 = cute.composition(%arg0, %arg1) : (!cute.memref<f32, gmem, "(4,8):(8,1)">, !cute.shape<"(2,4)">) -> !cute.memref<f32, gmem, "(2,4):(8,1)">
  return %0 : !cute.memref<f32, gmem, "(2,4):(8,1)">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.composition(%arg0, %arg1) : (!cute.layout<"(?,8):(8,1)">, !cute.tile<"[_;4:2]">) -> !cute.layout<"(?,4):(8,2)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.composition(%arg0, %arg1) : (!cute.layout<"(?,8):(8,1)">, !cute.tile<"[_;4:2]">) -> !cute.layout<"(?,4):(8,2)">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: return %arg0 : i32
func.func @dynamic(%arg0: !cute.layout<"(?,8):(8,1)">, %arg1: !cute.tile<"[_;4:2]">) -> !cute.layout<"(?,4):(8,2)"> {
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"(?,8):(8,1)">, !cute.tile<"[_;4:2]">) -> !cute.layout<"(?,4):(8,2)">
  return %0 : !cute.layout<"(?,4):(8,2)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.composition(%arg0, %arg1) : (!cute.layout<"(?{i64 div=8},8):(8,1)">, !cute.tile<"[_;4:2]">) -> !cute.layout<"(?{i64 div=8},4):(8,2)">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.composition(%arg0, %arg1) : (!cute.layout<"(?{i64 div=8},8):(8,1)">, !cute.tile<"[_;4:2]">) -> !cute.layout<"(?{i64 div=8},4):(8,2)">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0 : i64
func.func @wide(%arg0: !cute.layout<"(?{i64 div=8},8):(8,1)">, %arg1: !cute.tile<"[_;4:2]">) -> !cute.layout<"(?{i64 div=8},4):(8,2)"> {
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"(?{i64 div=8},8):(8,1)">, !cute.tile<"[_;4:2]">) -> !cute.layout<"(?{i64 div=8},4):(8,2)">
  return %0 : !cute.layout<"(?{i64 div=8},4):(8,2)">
}

// Strides of the right operand with a basis step along the modes that they name.
// CHECK-LABEL: @bases_on_the_right(
// CHECK: cute.composition(%arg0, %arg1) : (!cute.layout<"(4,?):(1,?)">, !cute.layout<"(3,2):(2@1,1@0)">) -> !cute.layout<"(3,2):(?{div=2},1)">
func.func @bases_on_the_right(%arg0: !cute.layout<"(4,?):(1,?)">, %arg1: !cute.layout<"(3,2):(2@1,1@0)">) -> !cute.layout<"(3,2):(?{div=2},1)"> {
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"(4,?):(1,?)">, !cute.layout<"(3,2):(2@1,1@0)">) -> !cute.layout<"(3,2):(?{div=2},1)">
  return %0 : !cute.layout<"(3,2):(?{div=2},1)">
}

// Values along named axes are scaled as any others.
// CHECK-LABEL: @named_axes(
// CHECK: cute.composition(%arg0, %arg1) : (!cute.layout<"(8,4):(4@laneid,1@warpid)">, !cute.layout<"(2,4):(16,1)">) -> !cute.layout<"(2,4):(2@warpid,4@laneid)">
// FOLD-LABEL: @named_axes(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(2,4):(2@warpid,4@laneid)">
// FOLD-NEXT: return
// BASE-LABEL: @named_axes(
// BASE-NEXT: return
func.func @named_axes(%arg0: !cute.layout<"(8,4):(4@laneid,1@warpid)">, %arg1: !cute.layout<"(2,4):(16,1)">) -> !cute.layout<"(2,4):(2@warpid,4@laneid)"> {
  %0 = cute.composition(%arg0, %arg1) : (!cute.layout<"(8,4):(4@laneid,1@warpid)">, !cute.layout<"(2,4):(16,1)">) -> !cute.layout<"(2,4):(2@warpid,4@laneid)">
  return %0 : !cute.layout<"(2,4):(2@warpid,4@laneid)">
}
