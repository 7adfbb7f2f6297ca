// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// The modes that `_` leaves open.

// CHECK-LABEL: @layout(
// CHECK: cute.slice(%arg0, %arg1) : !cute.layout<"(4,8):(1,4)">, !cute.coord<"(_,2)">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4):(1)">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.layout<"(4,8):(1,4)">, %arg1: !cute.coord<"(_,2)">) -> !cute.layout<"(4):(1)"> {
  %0 = cute.slice(%arg0, %arg1) : !cute.layout<"(4,8):(1,4)">, !cute.coord<"(_,2)">
  return %0 : !cute.layout<"(4):(1)">
}

// Nothing is left open.
// CHECK-LABEL: @everything(
// CHECK: cute.slice(%arg0, %arg1) : !cute.layout<"(4,8):(1,4)">, !cute.coord<"(1,2)">
// FOLD-LABEL: @everything(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"():()">
// FOLD-NEXT: return
// BASE-LABEL: @everything(
// BASE-NEXT: return
func.func @everything(%arg0: !cute.layout<"(4,8):(1,4)">, %arg1: !cute.coord<"(1,2)">) -> !cute.layout<"():()"> {
  %0 = cute.slice(%arg0, %arg1) : !cute.layout<"(4,8):(1,4)">, !cute.coord<"(1,2)">
  return %0 : !cute.layout<"():()">
}

// CHECK-LABEL: @nested(
// CHECK: cute.slice(%arg0, %arg1) : !cute.layout<"(4,(2,8)):(1,(4,8))">, !cute.coord<"(_,(0,_))">
// FOLD-LABEL: @nested(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,8):(1,8)">
// FOLD-NEXT: return
// BASE-LABEL: @nested(
// BASE-NEXT: return
func.func @nested(%arg0: !cute.layout<"(4,(2,8)):(1,(4,8))">, %arg1: !cute.coord<"(_,(0,_))">) -> !cute.layout<"(4,8):(1,8)"> {
  %0 = cute.slice(%arg0, %arg1) : !cute.layout<"(4,(2,8)):(1,(4,8))">, !cute.coord<"(_,(0,_))">
  return %0 : !cute.layout<"(4,8):(1,8)">
}

// A swizzle that is linear on what is left decays to strides.
// CHECK-LABEL: @swizzle(
// CHECK: cute.slice(%arg0, %arg1) : !cute.composed_layout<"S<3,4,3> o 0 o ((4,8),(2,4)):((64,2),(256,16))">, !cute.coord<"(_,0)">
// FOLD-LABEL: @swizzle(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(((2,2),8)):(((64,144),2))">
// FOLD-NEXT: return
// BASE-LABEL: @swizzle(
// BASE-NEXT: return
func.func @swizzle(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o ((4,8),(2,4)):((64,2),(256,16))">, %arg1: !cute.coord<"(_,0)">) -> !cute.layout<"(((2,2),8)):(((64,144),2))"> {
  %0 = cute.slice(%arg0, %arg1) : !cute.composed_layout<"S<3,4,3> o 0 o ((4,8),(2,4)):((64,2),(256,16))">, !cute.coord<"(_,0)">
  return %0 : !cute.layout<"(((2,2),8)):(((64,144),2))">
}

// The fixed modes move the pointer; its alignment is what both keep.
// CHECK-LABEL: @memref(
// CHECK: cute.slice(%arg0, %arg1) : !cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">, !cute.coord<"(2,_)">
// FOLD-LABEL: @memref(
// FOLD-NEXT: {{.*}}cute.slice(%arg0, %arg1) : !cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">, !cute.coord<"(2,_)">
// FOLD-NEXT: return
// BASE-LABEL: @memref(
// BASE-NEXT: %[[V0:.*]] = llvm.getelementptr %arg0[128] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
// BASE-NEXT: return %[[V0]] : !llvm.ptr<1>
func.func @memref(%arg0: !cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">, %arg1: !cute.coord<"(2,_)">) -> !cute.memref<f32, gmem, align<16>, "(64):(1)"> {
  %0 = cute.slice(%arg0, %arg1) : !cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">, !cute.coord<"(2,_)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(64):(1)">
}

// CHECK-LABEL: @memref_dynamic(
// CHECK: cute.slice(%arg0, %arg1) : !cute.memref<f32, gmem, align<16>, "(128,?):(?{i64 div=2},1)">, !cute.coord<"(?,_)">
// FOLD-LABEL: @memref_dynamic(
// FOLD-NEXT: {{.*}}cute.slice(%arg0, %arg1) : !cute.memref<f32, gmem, align<16>, "(128,?):(?{i64 div=2},1)">, !cute.coord<"(?,_)">
// FOLD-NEXT: return
// BASE-LABEL: @memref_dynamic(
// BASE-NEXT: %[[V0:.*]] = arith.extsi %arg3 : i32 to i64
// BASE-NEXT: %[[V1:.*]] = arith.muli %[[V0]], %arg2 overflow<nsw> : i64
// BASE-NEXT: %[[V2:.*]] = llvm.getelementptr %arg0[%[[V1]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// BASE-NEXT: return %[[V2]], %arg1 : !llvm.ptr<1>, i32
func.func @memref_dynamic(%arg0: !cute.memref<f32, gmem, align<16>, "(128,?):(?{i64 div=2},1)">, %arg1: !cute.coord<"(?,_)">) -> !cute.memref<f32, gmem, align<8>, "(?):(1)"> {
  %0 = cute.slice(%arg0, %arg1) : !cute.memref<f32, gmem, align<16>, "(128,?):(?{i64 div=2},1)">, !cute.coord<"(?,_)">
  return %0 : !cute.memref<f32, gmem, align<8>, "(?):(1)">
}

// CHECK-LABEL: @coord_tensor(
// CHECK: cute.slice(%arg0, %arg1) : !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">, !cute.coord<"(_,3)">
// FOLD-LABEL: @coord_tensor(
// FOLD-NEXT: {{.*}}cute.static : !cute.coord_tensor<"(0,3)", "(4):(1@0)">
// FOLD-NEXT: return
// BASE-LABEL: @coord_tensor(
// BASE-NEXT: return
func.func @coord_tensor(%arg0: !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">, %arg1: !cute.coord<"(_,3)">) -> !cute.coord_tensor<"(0,3)", "(4):(1@0)"> {
  %0 = cute.slice(%arg0, %arg1) : !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">, !cute.coord<"(_,3)">
  return %0 : !cute.coord_tensor<"(0,3)", "(4):(1@0)">
}

// CHECK-LABEL: @shape(
// CHECK: cute.slice(%arg0, %arg1) : !cute.shape<"(4,(2,8))">, !cute.coord<"(1,_)">
// FOLD-LABEL: @shape(
// FOLD-NEXT: {{.*}}cute.static : !cute.shape<"((2,8))">
// FOLD-NEXT: return
// BASE-LABEL: @shape(
// BASE-NEXT: return
func.func @shape(%arg0: !cute.shape<"(4,(2,8))">, %arg1: !cute.coord<"(1,_)">) -> !cute.shape<"((2,8))"> {
  %0 = cute.slice(%arg0, %arg1) : !cute.shape<"(4,(2,8))">, !cute.coord<"(1,_)">
  return %0 : !cute.shape<"((2,8))">
}

// A tf32 takes 32 bits.
// CHECK-LABEL: @tf32(
// CHECK: cute.slice(%arg0, %arg1)
func.func @tf32(%arg0: !cute.memref<tf32, smem, align<1024>, "(4096,6):(1,4096)">, %arg1: !cute.coord<"(_,?)">) -> !cute.memref<tf32, smem, align<1024>, "(4096):(1)"> {
  %0 = cute.slice(%arg0, %arg1) : !cute.memref<tf32, smem, align<1024>, "(4096,6):(1,4096)">, !cute.coord<"(_,?)">
  return %0 : !cute.memref<tf32, smem, align<1024>, "(4096):(1)">
}

// A swizzle mixes offsets of a layout whose extents are not powers of two.
// CHECK-LABEL: @odd_extents(
// CHECK: cute.slice(%arg0, %arg1) : !cute.composed_layout<"S<3,4,3> o 0 o (10,2):(2,1)">, !cute.coord<"(_,1)">
func.func @odd_extents(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o (10,2):(2,1)">, %arg1: !cute.coord<"(_,1)">, %arg2: !cute.coord<"(3,_)">) {
  %0 = cute.slice(%arg0, %arg1) : !cute.composed_layout<"S<3,4,3> o 0 o (10,2):(2,1)">, !cute.coord<"(_,1)">
  %1 = cute.slice(%arg0, %arg2) : !cute.composed_layout<"S<3,4,3> o 0 o (10,2):(2,1)">, !cute.coord<"(3,_)">
  return
}
