// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// (w, out):(l*d, t*d) of each mode, out = 1 + (s - ((w-1)*l + 1)) / t.

// CHECK-LABEL: @window(
// CHECK: cute.stencil_divide(%arg0, %arg1) : (!cute.layout<"(16,32):(1,16)">, !cute.coord<"(3,5)">) -> !cute.layout<"((3,14),(5,28)):((1,1),(16,16))">
// FOLD-LABEL: @window(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"((3,14),(5,28)):((1,1),(16,16))">
// FOLD-NEXT: return
// BASE-LABEL: @window(
// BASE-NEXT: return
func.func @window(%arg0: !cute.layout<"(16,32):(1,16)">, %arg1: !cute.coord<"(3,5)">) -> !cute.layout<"((3,14),(5,28)):((1,1),(16,16))"> {
  %0 = cute.stencil_divide(%arg0, %arg1) : (!cute.layout<"(16,32):(1,16)">, !cute.coord<"(3,5)">) -> !cute.layout<"((3,14),(5,28)):((1,1),(16,16))">
  return %0 : !cute.layout<"((3,14),(5,28)):((1,1),(16,16))">
}

// CHECK-LABEL: @step(
// CHECK: cute.stencil_divide(%arg0, %arg1, %arg2) : (!cute.layout<"(16,32):(1,16)">, !cute.coord<"(3,5)">, !cute.int_tuple<"(1,2)">) -> !cute.layout<"((3,14),(5,14)):((1,1),(16,32))">
// FOLD-LABEL: @step(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"((3,14),(5,14)):((1,1),(16,32))">
// FOLD-NEXT: return
// BASE-LABEL: @step(
// BASE-NEXT: return
func.func @step(%arg0: !cute.layout<"(16,32):(1,16)">, %arg1: !cute.coord<"(3,5)">, %arg2: !cute.int_tuple<"(1,2)">) -> !cute.layout<"((3,14),(5,14)):((1,1),(16,32))"> {
  %0 = cute.stencil_divide(%arg0, %arg1, %arg2) : (!cute.layout<"(16,32):(1,16)">, !cute.coord<"(3,5)">, !cute.int_tuple<"(1,2)">) -> !cute.layout<"((3,14),(5,14)):((1,1),(16,32))">
  return %0 : !cute.layout<"((3,14),(5,14)):((1,1),(16,32))">
}

// CHECK-LABEL: @dilation(
// CHECK: cute.stencil_divide(%arg0, %arg1, %arg2, %arg3) : (!cute.layout<"16:2">, !cute.coord<"3">, !cute.int_tuple<"1">, !cute.int_tuple<"4">) -> !cute.layout<"(3,8):(8,2)">
// FOLD-LABEL: @dilation(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(3,8):(8,2)">
// FOLD-NEXT: return
// BASE-LABEL: @dilation(
// BASE-NEXT: return
func.func @dilation(%arg0: !cute.layout<"16:2">, %arg1: !cute.coord<"3">, %arg2: !cute.int_tuple<"1">, %arg3: !cute.int_tuple<"4">) -> !cute.layout<"(3,8):(8,2)"> {
  %0 = cute.stencil_divide(%arg0, %arg1, %arg2, %arg3) : (!cute.layout<"16:2">, !cute.coord<"3">, !cute.int_tuple<"1">, !cute.int_tuple<"4">) -> !cute.layout<"(3,8):(8,2)">
  return %0 : !cute.layout<"(3,8):(8,2)">
}

// A mode marked `_` stays; an integer step holds for every mode.
// CHECK-LABEL: @some(
// CHECK: cute.stencil_divide(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(8,16,32):(512,32,1)">, !cute.coord<"(_,3,3)">, !cute.int_tuple<"2">) -> !cute.memref<f32, gmem, align<16>, "(8,(3,7),(3,15)):(512,(32,64),(1,2))">
// FOLD-LABEL: @some(
// FOLD-NEXT: {{.*}}cute.stencil_divide(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(8,16,32):(512,32,1)">, !cute.coord<"(_,3,3)">, !cute.int_tuple<"2">) -> !cute.memref<f32, gmem, align<16>, "(8,(3,7),(3,15)):(512,(32,64),(1,2))">
// FOLD-NEXT: return
// BASE-LABEL: @some(
// BASE-NEXT: return %arg0 : !llvm.ptr<1>
func.func @some(%arg0: !cute.memref<f32, gmem, align<16>, "(8,16,32):(512,32,1)">, %arg1: !cute.coord<"(_,3,3)">, %arg2: !cute.int_tuple<"2">) -> !cute.memref<f32, gmem, align<16>, "(8,(3,7),(3,15)):(512,(32,64),(1,2))"> {
  %0 = cute.stencil_divide(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(8,16,32):(512,32,1)">, !cute.coord<"(_,3,3)">, !cute.int_tuple<"2">) -> !cute.memref<f32, gmem, align<16>, "(8,(3,7),(3,15)):(512,(32,64),(1,2))">
  return %0 : !cute.memref<f32, gmem, align<16>, "(8,(3,7),(3,15)):(512,(32,64),(1,2))">
}

// CHECK-LABEL: @swizzled(
// CHECK: cute.stencil_divide(%arg0, %arg1) : (!cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">, !cute.coord<"(_,3)">) -> !cute.composed_layout<"S<3,4,3> o 0 o (8,(3,62)):(64,(1,1))">
// FOLD-LABEL: @swizzled(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"S<3,4,3> o 0 o (8,(3,62)):(64,(1,1))">
// FOLD-NEXT: return
// BASE-LABEL: @swizzled(
// BASE-NEXT: return
func.func @swizzled(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">, %arg1: !cute.coord<"(_,3)">) -> !cute.composed_layout<"S<3,4,3> o 0 o (8,(3,62)):(64,(1,1))"> {
  %0 = cute.stencil_divide(%arg0, %arg1) : (!cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">, !cute.coord<"(_,3)">) -> !cute.composed_layout<"S<3,4,3> o 0 o (8,(3,62)):(64,(1,1))">
  return %0 : !cute.composed_layout<"S<3,4,3> o 0 o (8,(3,62)):(64,(1,1))">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.stencil_divide(%arg0, %arg1, %arg2) : (!cute.layout<"(?,32):(?{i64},1)">, !cute.coord<"(3)">, !cute.int_tuple<"?">) -> !cute.layout<"((3,?),32):((?{i64},?{i64}),1)">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.stencil_divide(%arg0, %arg1, %arg2) : (!cute.layout<"(?,32):(?{i64},1)">, !cute.coord<"(3)">, !cute.int_tuple<"?">) -> !cute.layout<"((3,?),32):((?{i64},?{i64}),1)">
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE-NEXT: %[[C1:.*]] = arith.constant 1 : i32
// BASE-NEXT: %[[C3:.*]] = arith.constant 3 : i32
// BASE-NEXT: %[[V0:.*]] = arith.subi %arg0, %[[C3]] overflow<nsw> : i32
// BASE-NEXT: %[[V1:.*]] = arith.divsi %[[V0]], %arg2 : i32
// BASE-NEXT: %[[V2:.*]] = arith.addi %[[V1]], %[[C1]] overflow<nsw> : i32
// BASE-NEXT: %[[V3:.*]] = arith.extsi %arg2 : i32 to i64
// BASE-NEXT: %[[V4:.*]] = arith.muli %arg1, %[[V3]] overflow<nsw> : i64
// BASE-NEXT: return %[[V2]], %arg1, %[[V4]] : i32, i64, i64
func.func @dynamic(%arg0: !cute.layout<"(?,32):(?{i64},1)">, %arg1: !cute.coord<"(3)">, %arg2: !cute.int_tuple<"?">) -> !cute.layout<"((3,?),32):((?{i64},?{i64}),1)"> {
  %0 = cute.stencil_divide(%arg0, %arg1, %arg2) : (!cute.layout<"(?,32):(?{i64},1)">, !cute.coord<"(3)">, !cute.int_tuple<"?">) -> !cute.layout<"((3,?),32):((?{i64},?{i64}),1)">
  return %0 : !cute.layout<"((3,?),32):((?{i64},?{i64}),1)">
}
