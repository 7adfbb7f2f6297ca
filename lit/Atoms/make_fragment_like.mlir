// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-expand-copy-gemm,cute-lower-atoms,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// Mode 0 lies compact; the other modes follow in the order of the strides. A mode of stride 0 stays one.

// CHECK-LABEL: @layout(
// CHECK: cute.make_fragment_like(%arg0) : (!cute.layout<"((2,2),4,8):((8,1),512,16)">) -> !cute.layout<"((2,2),4,8):((1,2),32,4)">
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.layout<"((2,2),4,8):((8,1),512,16)">) -> !cute.layout<"((2,2),4,8):((1,2),32,4)"> {
  %0 = cute.make_fragment_like(%arg0) : (!cute.layout<"((2,2),4,8):((8,1),512,16)">) -> !cute.layout<"((2,2),4,8):((1,2),32,4)">
  return %0 : !cute.layout<"((2,2),4,8):((1,2),32,4)">
}

// CHECK-LABEL: @broadcast(
// CHECK: cute.make_fragment_like(%arg0) : (!cute.layout<"((4,2),3,5):((1,0),0,4)">) -> !cute.layout<"((4,2),3,5):((1,0),4,12)">
// BASE-LABEL: @broadcast(
// BASE-NEXT: return
func.func @broadcast(%arg0: !cute.layout<"((4,2),3,5):((1,0),0,4)">) -> !cute.layout<"((4,2),3,5):((1,0),4,12)"> {
  %0 = cute.make_fragment_like(%arg0) : (!cute.layout<"((4,2),3,5):((1,0),0,4)">) -> !cute.layout<"((4,2),3,5):((1,0),4,12)">
  return %0 : !cute.layout<"((4,2),3,5):((1,0),4,12)">
}

// CHECK-LABEL: @memref(
// CHECK: cute.make_fragment_like(%arg0) : (!cute.memref<f16, smem, align<16>, "((8,1),4,2):((1,0),64,8)">) -> !cute.memref<f16, rmem, align<16>, "((8,1),4,2):((1,0),16,8)">
// BASE-LABEL: @memref(
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i32
// BASE-NEXT: %[[V0:.*]] = llvm.alloca %[[C1]] x !llvm.array<64 x f16> {alignment = 32 : i64} : (i32) -> !llvm.ptr
// BASE-NEXT: return %[[V0]] : !llvm.ptr
func.func @memref(%arg0: !cute.memref<f16, smem, align<16>, "((8,1),4,2):((1,0),64,8)">) -> !cute.memref<f16, rmem, align<16>, "((8,1),4,2):((1,0),16,8)"> {
  %0 = cute.make_fragment_like(%arg0) : (!cute.memref<f16, smem, align<16>, "((8,1),4,2):((1,0),64,8)">) -> !cute.memref<f16, rmem, align<16>, "((8,1),4,2):((1,0),16,8)">
  return %0 : !cute.memref<f16, rmem, align<16>, "((8,1),4,2):((1,0),16,8)">
}

// CHECK-LABEL: @swizzled(
// CHECK: cute.make_fragment_like(%arg0) : (!cute.memref<f16, smem, align<16>, "S<3,3,3> o 0 o ((8,1),4,2):((1,0),64,8)">) -> !cute.memref<f16, rmem, align<16>, "((8,1),4,2):((1,0),16,8)">
// BASE-LABEL: @swizzled(
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i32
// BASE-NEXT: %[[V0:.*]] = llvm.alloca %[[C1]] x !llvm.array<64 x f16> {alignment = 32 : i64} : (i32) -> !llvm.ptr
// BASE-NEXT: return %[[V0]] : !llvm.ptr
func.func @swizzled(%arg0: !cute.memref<f16, smem, align<16>, "S<3,3,3> o 0 o ((8,1),4,2):((1,0),64,8)">) -> !cute.memref<f16, rmem, align<16>, "((8,1),4,2):((1,0),16,8)"> {
  %0 = cute.make_fragment_like(%arg0) : (!cute.memref<f16, smem, align<16>, "S<3,3,3> o 0 o ((8,1),4,2):((1,0),64,8)">) -> !cute.memref<f16, rmem, align<16>, "((8,1),4,2):((1,0),16,8)">
  return %0 : !cute.memref<f16, rmem, align<16>, "((8,1),4,2):((1,0),16,8)">
}

// CHECK-LABEL: @composed(
// CHECK: cute.make_fragment_like(%arg0) : (!cute.composed_layout<"S<3,3,3> o 0 o ((8,1),4,2):((1,0),64,8)">) -> !cute.layout<"((8,1),4,2):((1,0),16,8)">
// BASE-LABEL: @composed(
// BASE-NEXT: return
func.func @composed(%arg0: !cute.composed_layout<"S<3,3,3> o 0 o ((8,1),4,2):((1,0),64,8)">) -> !cute.layout<"((8,1),4,2):((1,0),16,8)"> {
  %0 = cute.make_fragment_like(%arg0) : (!cute.composed_layout<"S<3,3,3> o 0 o ((8,1),4,2):((1,0),64,8)">) -> !cute.layout<"((8,1),4,2):((1,0),16,8)">
  return %0 : !cute.layout<"((8,1),4,2):((1,0),16,8)">
}

// CHECK-LABEL: @dynamic_layout(
// CHECK: cute.make_fragment_like(%arg0) : (!cute.layout<"((8,1),?,?{i64}):((1,0),8,?{i64})">) -> !cute.layout<"((8,1),?,?{i64}):((1,0),8,?{div=8})">
// BASE-LABEL: @dynamic_layout(
// BASE-NEXT: %[[C8:.*]] = arith.constant 8 : i32
// BASE-NEXT: %[[V0:.*]] = arith.muli %arg0, %[[C8]] overflow<nsw> : i32
// BASE-NEXT: return %arg0, %arg1, %[[V0]] : i32, i64, i32
func.func @dynamic_layout(%arg0: !cute.layout<"((8,1),?,?{i64}):((1,0),8,?{i64})">) -> !cute.layout<"((8,1),?,?{i64}):((1,0),8,?{div=8})"> {
  %0 = cute.make_fragment_like(%arg0) : (!cute.layout<"((8,1),?,?{i64}):((1,0),8,?{i64})">) -> !cute.layout<"((8,1),?,?{i64}):((1,0),8,?{div=8})">
  return %0 : !cute.layout<"((8,1),?,?{i64}):((1,0),8,?{div=8})">
}

