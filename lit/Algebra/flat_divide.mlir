// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// (tile.., rest..).

// A layout divides the whole domain.
// CHECK-LABEL: @layout_tiler(
// CHECK: cute.flat_divide(%arg0, %arg1) : (!cute.layout<"24:1">, !cute.layout<"4:2">) -> !cute.layout<"(4,2,3):(2,1,8)">
// FOLD-LABEL: @layout_tiler(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,2,3):(2,1,8)">
// FOLD-NEXT: return
// BASE-LABEL: @layout_tiler(
// BASE-NEXT: return
func.func @layout_tiler(%arg0: !cute.layout<"24:1">, %arg1: !cute.layout<"4:2">) -> !cute.layout<"(4,2,3):(2,1,8)"> {
  %0 = cute.flat_divide(%arg0, %arg1) : (!cute.layout<"24:1">, !cute.layout<"4:2">) -> !cute.layout<"(4,2,3):(2,1,8)">
  return %0 : !cute.layout<"(4,2,3):(2,1,8)">
}

// A tile divides mode by mode; so does a shape.
// CHECK-LABEL: @tile(
// CHECK: cute.flat_divide(%arg0, %arg1) : (!cute.layout<"(27,32):(59,13)">, !cute.tile<"[9:1;8:1]">) -> !cute.layout<"(9,8,3,4):(59,13,531,104)">
// FOLD-LABEL: @tile(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(9,8,3,4):(59,13,531,104)">
// FOLD-NEXT: return
// BASE-LABEL: @tile(
// BASE-NEXT: return
func.func @tile(%arg0: !cute.layout<"(27,32):(59,13)">, %arg1: !cute.tile<"[9:1;8:1]">) -> !cute.layout<"(9,8,3,4):(59,13,531,104)"> {
  %0 = cute.flat_divide(%arg0, %arg1) : (!cute.layout<"(27,32):(59,13)">, !cute.tile<"[9:1;8:1]">) -> !cute.layout<"(9,8,3,4):(59,13,531,104)">
  return %0 : !cute.layout<"(9,8,3,4):(59,13,531,104)">
}

// CHECK-LABEL: @shape(
// CHECK: cute.flat_divide(%arg0, %arg1) : (!cute.layout<"(27,32):(59,13)">, !cute.shape<"(9,8)">) -> !cute.layout<"(9,8,3,4):(59,13,531,104)">
// FOLD-LABEL: @shape(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(9,8,3,4):(59,13,531,104)">
// FOLD-NEXT: return
// BASE-LABEL: @shape(
// BASE-NEXT: return
func.func @shape(%arg0: !cute.layout<"(27,32):(59,13)">, %arg1: !cute.shape<"(9,8)">) -> !cute.layout<"(9,8,3,4):(59,13,531,104)"> {
  %0 = cute.flat_divide(%arg0, %arg1) : (!cute.layout<"(27,32):(59,13)">, !cute.shape<"(9,8)">) -> !cute.layout<"(9,8,3,4):(59,13,531,104)">
  return %0 : !cute.layout<"(9,8,3,4):(59,13,531,104)">
}

// CHECK-LABEL: @memref(
// CHECK: cute.flat_divide(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">, !cute.shape<"(64,32)">) -> !cute.memref<f32, gmem, align<16>, "(64,32,2,2):(64,1,4096,32)">
// FOLD-LABEL: @memref(
// FOLD-NEXT: {{.*}}cute.flat_divide(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">, !cute.shape<"(64,32)">) -> !cute.memref<f32, gmem, align<16>, "(64,32,2,2):(64,1,4096,32)">
// FOLD-NEXT: return
// BASE-LABEL: @memref(
// BASE-NEXT: return %arg0 : !llvm.ptr<1>
func.func @memref(%arg0: !cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">, %arg1: !cute.shape<"(64,32)">) -> !cute.memref<f32, gmem, align<16>, "(64,32,2,2):(64,1,4096,32)"> {
  %0 = cute.flat_divide(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">, !cute.shape<"(64,32)">) -> !cute.memref<f32, gmem, align<16>, "(64,32,2,2):(64,1,4096,32)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(64,32,2,2):(64,1,4096,32)">
}

// The rest of a dynamic extent is rounded up.
// CHECK-LABEL: @dynamic(
// CHECK: cute.flat_divide(%arg0, %arg1) : (!cute.layout<"(?,32):(?{i64},1)">, !cute.shape<"(4,8)">) -> !cute.layout<"(4,8,?,4):(?{i64},1,?{i64},8)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.flat_divide(%arg0, %arg1) : (!cute.layout<"(?,32):(?{i64},1)">, !cute.shape<"(4,8)">) -> !cute.layout<"(4,8,?,4):(?{i64},1,?{i64},8)">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: %[[C3:.*]] = arith.constant 3 : i32
// BASE-NEXT: %[[C4:.*]] = arith.constant 4 : i32
// BASE-NEXT: %[[C4L:.*]] = arith.constant 4 : i64
// BASE-NEXT: %[[V0:.*]] = arith.addi %arg0, %[[C3]] overflow<nsw> : i32
// BASE-NEXT: %[[V1:.*]] = arith.divsi %[[V0]], %[[C4]] : i32
// BASE-NEXT: %[[V2:.*]] = arith.muli %arg1, %[[C4L]] overflow<nsw> : i64
// BASE-NEXT: return %[[V1]], %arg1, %[[V2]] : i32, i64, i64
func.func @dynamic(%arg0: !cute.layout<"(?,32):(?{i64},1)">, %arg1: !cute.shape<"(4,8)">) -> !cute.layout<"(4,8,?,4):(?{i64},1,?{i64},8)"> {
  %0 = cute.flat_divide(%arg0, %arg1) : (!cute.layout<"(?,32):(?{i64},1)">, !cute.shape<"(4,8)">) -> !cute.layout<"(4,8,?,4):(?{i64},1,?{i64},8)">
  return %0 : !cute.layout<"(4,8,?,4):(?{i64},1,?{i64},8)">
}

// The last tile is partial.
// CHECK-LABEL: @extend(
// CHECK: cute.flat_divide(%arg0, %arg1) : (!cute.layout<"20:1">, !cute.shape<"8">) -> !cute.layout<"(8,3):(1,8)">
// FOLD-LABEL: @extend(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(8,3):(1,8)">
// FOLD-NEXT: return
// BASE-LABEL: @extend(
// BASE-NEXT: return
func.func @extend(%arg0: !cute.layout<"20:1">, %arg1: !cute.shape<"8">) -> !cute.layout<"(8,3):(1,8)"> attributes {cute.domain = "extend"} {
  %0 = cute.flat_divide(%arg0, %arg1) : (!cute.layout<"20:1">, !cute.shape<"8">) -> !cute.layout<"(8,3):(1,8)">
  return %0 : !cute.layout<"(8,3):(1,8)">
}

// A tiler with basis strides steps along the modes that it names.
// CHECK-LABEL: @basis_tiler(
// CHECK: cute.flat_divide(%arg0, %arg1) : (!cute.layout<"(128,64):(1@1,1@0)">, !cute.layout<"2:64@0">) -> !cute.layout<"(2,64,64):(64@1,1@1,1@0)">
func.func @basis_tiler(%arg0: !cute.layout<"(128,64):(1@1,1@0)">, %arg1: !cute.layout<"2:64@0">) -> !cute.layout<"(2,64,64):(64@1,1@1,1@0)"> {
  %0 = cute.flat_divide(%arg0, %arg1) : (!cute.layout<"(128,64):(1@1,1@0)">, !cute.layout<"2:64@0">) -> !cute.layout<"(2,64,64):(64@1,1@1,1@0)">
  return %0 : !cute.layout<"(2,64,64):(64@1,1@1,1@0)">
}

// Unit bases tile as a shape does.
// CHECK-LABEL: @unit_bases(
// CHECK: cute.flat_divide(%arg0, %arg1) : (!cute.layout<"(6,8):(8,1)">, !cute.layout<"(3,4):(1@0,1@1)">) -> !cute.layout<"(3,4,2,2):(8,1,24,4)">
func.func @unit_bases(%arg0: !cute.layout<"(6,8):(8,1)">, %arg1: !cute.layout<"(3,4):(1@0,1@1)">) -> !cute.layout<"(3,4,2,2):(8,1,24,4)"> {
  %0 = cute.flat_divide(%arg0, %arg1) : (!cute.layout<"(6,8):(8,1)">, !cute.layout<"(3,4):(1@0,1@1)">) -> !cute.layout<"(3,4,2,2):(8,1,24,4)">
  return %0 : !cute.layout<"(3,4,2,2):(8,1,24,4)">
}
