// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// (1 + sum of (s_i - 1) * |d_i|) * bits.

// CHECK-LABEL: @static(
// CHECK: cute.cosize_bits (%arg0) : (!cute.memref<f16, smem, align<16>, "(128,64):(64,1)">) -> !cute.int_tuple<"131072">
// FOLD-LABEL: @static(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"131072">
// FOLD-NEXT: return
// BASE-LABEL: @static(
// BASE-NEXT: return
func.func @static(%arg0: !cute.memref<f16, smem, align<16>, "(128,64):(64,1)">) -> !cute.int_tuple<"131072"> {
  %0 = cute.cosize_bits (%arg0) : (!cute.memref<f16, smem, align<16>, "(128,64):(64,1)">) -> !cute.int_tuple<"131072">
  return %0 : !cute.int_tuple<"131072">
}

// Elements of less than a byte are packed.
// CHECK-LABEL: @packed(
// CHECK: cute.cosize_bits (%arg0) : (!cute.memref<i4, smem, align<16>, "(3,8):(16,1)">) -> !cute.int_tuple<"160">
// FOLD-LABEL: @packed(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"160">
// FOLD-NEXT: return
func.func @packed(%arg0: !cute.memref<i4, smem, align<16>, "(3,8):(16,1)">) -> !cute.int_tuple<"160"> {
  %0 = cute.cosize_bits (%arg0) : (!cute.memref<i4, smem, align<16>, "(3,8):(16,1)">) -> !cute.int_tuple<"160">
  return %0 : !cute.int_tuple<"160">
}

// CHECK-LABEL: @mode(
// CHECK: cute.cosize_bits<[1]> (%arg0) : (!cute.memref<f32, gmem, align<16>, "(4,8):(1,16)">) -> !cute.int_tuple<"3616">
func.func @mode(%arg0: !cute.memref<f32, gmem, align<16>, "(4,8):(1,16)">) -> !cute.int_tuple<"3616"> {
  %0 = cute.cosize_bits<[1]> (%arg0) : (!cute.memref<f32, gmem, align<16>, "(4,8):(1,16)">) -> !cute.int_tuple<"3616">
  return %0 : !cute.int_tuple<"3616">
}

// A swizzle does not move elements out of the layout.
// CHECK-LABEL: @swizzle(
// CHECK: cute.cosize_bits (%arg0) : (!cute.memref<bf16, smem, align<128>, S<3,4,3>, "(8,64):(64,1)">) -> !cute.int_tuple<"8192">
func.func @swizzle(%arg0: !cute.memref<bf16, smem, align<128>, S<3,4,3>, "(8,64):(64,1)">) -> !cute.int_tuple<"8192"> {
  %0 = cute.cosize_bits (%arg0) : (!cute.memref<bf16, smem, align<128>, S<3,4,3>, "(8,64):(64,1)">) -> !cute.int_tuple<"8192">
  return %0 : !cute.int_tuple<"8192">
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.cosize_bits (%arg0) : (!cute.memref<f16, gmem, align<16>, "?{i64}:1">) -> !cute.int_tuple<"?{i64 div=16}">
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.cosize_bits (%arg0)
// FOLD-NEXT: return
// BASE-LABEL: @dynamic(
// BASE: arith.muli %{{.*}}, %{{.*}} overflow<nsw> : i64
// BASE-NEXT: return
func.func @dynamic(%arg0: !cute.memref<f16, gmem, align<16>, "?{i64}:1">) -> !cute.int_tuple<"?{i64 div=16}"> {
  %0 = cute.cosize_bits (%arg0) : (!cute.memref<f16, gmem, align<16>, "?{i64}:1">) -> !cute.int_tuple<"?{i64 div=16}">
  return %0 : !cute.int_tuple<"?{i64 div=16}">
}
