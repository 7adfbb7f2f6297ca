// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s

// Vectors go in pieces as wide as the layout is contiguous and every address is known to be aligned, up to 16 bytes.

// CHECK-LABEL: func.func @pieces
// CHECK-COUNT-4: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-COUNT-4: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr
func.func @pieces(%v: !cute.memref<f32, gmem, align<16>, "((4,2),2):((1,64),128)">, %w: !cute.memref<f32, rmem, align<16>, "((4,2),2):((1,4),8)">) {
  %0 = cute.memref.load_vec %v : !cute.memref<f32, gmem, align<16>, "((4,2),2):((1,64),128)">
  cute.memref.store_vec %0, %w : !cute.memref<f32, rmem, align<16>, "((4,2),2):((1,4),8)">
  return
}

// A step of 6 elements aligns to 8 bytes.
// CHECK-LABEL: func.func @narrower
// CHECK-COUNT-4: llvm.load {{.*}} -> vector<2xf32>
// CHECK: return
func.func @narrower(%v: !cute.memref<f32, gmem, align<16>, "(4,2):(1,6)">) -> vector<8xf32> {
  %0 = cute.memref.load_vec %v : !cute.memref<f32, gmem, align<16>, "(4,2):(1,6)">
  return %0 : vector<8xf32>
}

// CHECK-LABEL: func.func @apart
// CHECK-COUNT-4: llvm.load {{.*}} -> f16
// CHECK: return
func.func @apart(%v: !cute.memref<f16, smem, "(4):(2)">) -> vector<4xf16> {
  %0 = cute.memref.load_vec %v : !cute.memref<f16, smem, "(4):(2)">
  return %0 : vector<4xf16>
}
