// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// (rest.., (tile..)) from the last mode.

// A tiler of lower rank tiles the last modes.
// CHECK-LABEL: @shape(
// CHECK: cute.outer_tiled_divide(%arg0, %arg1) : (!cute.layout<"(3,8,16):(128,16,1)">, !cute.shape<"(2,4)">) -> !cute.layout<"(3,4,4,(4,2)):(128,32,4,(1,16))">
// FOLD-LABEL: @shape(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(3,4,4,(4,2)):(128,32,4,(1,16))">
// FOLD-NEXT: return
// BASE-LABEL: @shape(
// BASE-NEXT: return
func.func @shape(%arg0: !cute.layout<"(3,8,16):(128,16,1)">, %arg1: !cute.shape<"(2,4)">) -> !cute.layout<"(3,4,4,(4,2)):(128,32,4,(1,16))"> {
  %0 = cute.outer_tiled_divide(%arg0, %arg1) : (!cute.layout<"(3,8,16):(128,16,1)">, !cute.shape<"(2,4)">) -> !cute.layout<"(3,4,4,(4,2)):(128,32,4,(1,16))">
  return %0 : !cute.layout<"(3,4,4,(4,2)):(128,32,4,(1,16))">
}

// CHECK-LABEL: @tile(
// CHECK: cute.outer_tiled_divide(%arg0, %arg1) : (!cute.layout<"(8,16):(16,1)">, !cute.tile<"[2:1;4:1]">) -> !cute.layout<"(4,4,(4,2)):(32,4,(1,16))">
// FOLD-LABEL: @tile(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,4,(4,2)):(32,4,(1,16))">
// FOLD-NEXT: return
// BASE-LABEL: @tile(
// BASE-NEXT: return
func.func @tile(%arg0: !cute.layout<"(8,16):(16,1)">, %arg1: !cute.tile<"[2:1;4:1]">) -> !cute.layout<"(4,4,(4,2)):(32,4,(1,16))"> {
  %0 = cute.outer_tiled_divide(%arg0, %arg1) : (!cute.layout<"(8,16):(16,1)">, !cute.tile<"[2:1;4:1]">) -> !cute.layout<"(4,4,(4,2)):(32,4,(1,16))">
  return %0 : !cute.layout<"(4,4,(4,2)):(32,4,(1,16))">
}

// CHECK-LABEL: @memref(
// CHECK: cute.outer_tiled_divide(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.shape<"(8,4)">) -> !cute.memref<f32, gmem, align<16>, "(8,8,(4,8)):(256,4,(1,32))">
// FOLD-LABEL: @memref(
// FOLD-NEXT: {{.*}}cute.outer_tiled_divide(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.shape<"(8,4)">) -> !cute.memref<f32, gmem, align<16>, "(8,8,(4,8)):(256,4,(1,32))">
// FOLD-NEXT: return
// BASE-LABEL: @memref(
// BASE-NEXT: return %arg0 : !llvm.ptr<1>
func.func @memref(%arg0: !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, %arg1: !cute.shape<"(8,4)">) -> !cute.memref<f32, gmem, align<16>, "(8,8,(4,8)):(256,4,(1,32))"> {
  %0 = cute.outer_tiled_divide(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.shape<"(8,4)">) -> !cute.memref<f32, gmem, align<16>, "(8,8,(4,8)):(256,4,(1,32))">
  return %0 : !cute.memref<f32, gmem, align<16>, "(8,8,(4,8)):(256,4,(1,32))">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.outer_tiled_divide(%arg0, %arg1) : (!cute.layout<"(?,32):(?{i64},1)">, !cute.shape<"(4,8)">) -> !cute.layout<"(?,4,(8,4)):(?{i64 div=4},8,(1,?{i64}))">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.outer_tiled_divide(%arg0, %arg1) : (!cute.layout<"(?,32):(?{i64},1)">, !cute.shape<"(4,8)">) -> !cute.layout<"(?,4,(8,4)):(?{i64 div=4},8,(1,?{i64}))">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: %[[C3:.*]] = arith.constant 3 : i32
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[C4L:.*]] = arith.constant 4 : i64
// BASE-NEXT: %[[V0:.*]] = arith.addi %arg0, %[[C3]] overflow<nsw> : i32
// BASE-NEXT: %[[V1:.*]] = arith.divsi %[[V0]], %[[C4]] : i32
// BASE-NEXT: %[[V2:.*]] = arith.muli %arg1, %[[C4L]] overflow<nsw> : i64
// BASE-NEXT: return %[[V1]], %[[V2]], %arg1 : i32, i64, i64
func.func @dynamic(%arg0: !cute.layout<"(?,32):(?{i64},1)">, %arg1: !cute.shape<"(4,8)">) -> !cute.layout<"(?,4,(8,4)):(?{i64 div=4},8,(1,?{i64}))"> {
  %0 = cute.outer_tiled_divide(%arg0, %arg1) : (!cute.layout<"(?,32):(?{i64},1)">, !cute.shape<"(4,8)">) -> !cute.layout<"(?,4,(8,4)):(?{i64 div=4},8,(1,?{i64}))">
  return %0 : !cute.layout<"(?,4,(8,4)):(?{i64 div=4},8,(1,?{i64}))">
}

// The last tile is partial.
// CHECK-LABEL: @extend(
// CHECK: cute.outer_tiled_divide(%arg0, %arg1) : (!cute.layout<"(3,20):(20,1)">, !cute.shape<"(8)">) -> !cute.layout<"(3,3,(8)):(20,8,(1))">
// FOLD-LABEL: @extend(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(3,3,(8)):(20,8,(1))">
// FOLD-NEXT: return
// BASE-LABEL: @extend(
// BASE-NEXT: return
func.func @extend(%arg0: !cute.layout<"(3,20):(20,1)">, %arg1: !cute.shape<"(8)">) -> !cute.layout<"(3,3,(8)):(20,8,(1))"> attributes {cute.domain = "extend"} {
  %0 = cute.outer_tiled_divide(%arg0, %arg1) : (!cute.layout<"(3,20):(20,1)">, !cute.shape<"(8)">) -> !cute.layout<"(3,3,(8)):(20,8,(1))">
  return %0 : !cute.layout<"(3,3,(8)):(20,8,(1))">
}
