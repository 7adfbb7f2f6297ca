// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// Iterator and layout; their types follow from that of the view.

// CHECK-LABEL: @memref(
// CHECK: cute.make_view(%arg0, %arg1) : !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">
// FOLD-LABEL: @memref(
// FOLD-NEXT: {{.*}}cute.make_view(%arg0, %arg1) : !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">
// FOLD-NEXT: return
// BASE-LABEL: @memref(
// BASE-NEXT: return %arg0, %arg1 : !llvm.ptr<1>, i32
func.func @memref(%arg0: !cute.ptr<f32, gmem, align<16>>, %arg1: !cute.layout<"(?,8):(8,1)">) -> !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)"> {
  %0 = cute.make_view(%arg0, %arg1) : !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">
}

// A static layout needs no operand.
// CHECK-LABEL: @static(
// CHECK: cute.make_view(%arg0) : !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">
// FOLD-LABEL: @static(
// FOLD-NEXT: {{.*}}cute.make_view(%arg0) : !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">
// FOLD-NEXT: return
// BASE-LABEL: @static(
// BASE-NEXT: return %arg0 : !llvm.ptr<1>
func.func @static(%arg0: !cute.ptr<f32, gmem, align<16>>) -> !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)"> {
  %0 = cute.make_view(%arg0) : !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">
}

// CHECK-LABEL: @coord_tensor(
// CHECK: cute.make_view(%arg0, %arg1) : !cute.coord_tensor<"(0,?)", "(4,?):(1@0,1@1)">
// FOLD-LABEL: @coord_tensor(
// FOLD-NEXT: {{.*}}cute.make_view(%arg0, %arg1) : !cute.coord_tensor<"(0,?)", "(4,?):(1@0,1@1)">
// FOLD-NEXT: return
// BASE-LABEL: @coord_tensor(
// BASE-NEXT: return %arg0, %arg1 : i32, i32
func.func @coord_tensor(%arg0: !cute.arith_tuple_iter<"(0,?)">, %arg1: !cute.layout<"(4,?):(1@0,1@1)">) -> !cute.coord_tensor<"(0,?)", "(4,?):(1@0,1@1)"> {
  %0 = cute.make_view(%arg0, %arg1) : !cute.coord_tensor<"(0,?)", "(4,?):(1@0,1@1)">
  return %0 : !cute.coord_tensor<"(0,?)", "(4,?):(1@0,1@1)">
}

// A swizzle of the pointer.
// CHECK-LABEL: @swizzled(
// CHECK: cute.make_view(%arg0) : !cute.memref<f16, smem, align<128>, S<3,4,3>, "(8,64):(64,1)">
// FOLD-LABEL: @swizzled(
// FOLD-NEXT: {{.*}}cute.make_view(%arg0) : !cute.memref<f16, smem, align<128>, S<3,4,3>, "(8,64):(64,1)">
// FOLD-NEXT: return
// BASE-LABEL: @swizzled(
// BASE-NEXT: return %arg0 : !llvm.ptr<3>
func.func @swizzled(%arg0: !cute.ptr<f16, smem, align<128>, S<3,4,3>>) -> !cute.memref<f16, smem, align<128>, S<3,4,3>, "(8,64):(64,1)"> {
  %0 = cute.make_view(%arg0) : !cute.memref<f16, smem, align<128>, S<3,4,3>, "(8,64):(64,1)">
  return %0 : !cute.memref<f16, smem, align<128>, S<3,4,3>, "(8,64):(64,1)">
}

// A swizzle of the layout.
// CHECK-LABEL: @composed(
// CHECK: cute.make_view(%arg0) : !cute.memref<f16, smem, align<128>, "S<3,4,3> o 0 o (8,64):(64,1)">
// FOLD-LABEL: @composed(
// FOLD-NEXT: {{.*}}cute.make_view(%arg0) : !cute.memref<f16, smem, align<128>, "S<3,4,3> o 0 o (8,64):(64,1)">
// FOLD-NEXT: return
// BASE-LABEL: @composed(
// BASE-NEXT: return %arg0 : !llvm.ptr<3>
func.func @composed(%arg0: !cute.ptr<f16, smem, align<128>>) -> !cute.memref<f16, smem, align<128>, "S<3,4,3> o 0 o (8,64):(64,1)"> {
  %0 = cute.make_view(%arg0) : !cute.memref<f16, smem, align<128>, "S<3,4,3> o 0 o (8,64):(64,1)">
  return %0 : !cute.memref<f16, smem, align<128>, "S<3,4,3> o 0 o (8,64):(64,1)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.make_view(%arg0, %arg1) : !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},8):(8,1)">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.make_view(%arg0, %arg1) : !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},8):(8,1)">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0, %arg1 : !llvm.ptr<1>, i64
func.func @wide(%arg0: !cute.ptr<f32, gmem, align<16>>, %arg1: !cute.layout<"(?{i64 div=8},8):(8,1)">) -> !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},8):(8,1)"> {
  %0 = cute.make_view(%arg0, %arg1) : !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},8):(8,1)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(?{i64 div=8},8):(8,1)">
}
