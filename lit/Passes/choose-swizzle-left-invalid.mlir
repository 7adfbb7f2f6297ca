// RUN: %opt %s -verify-diagnostics --pass-pipeline='builtin.module(cute-to-base)'

func.func @left() {
  // expected-error@+1 {{swizzle = auto reached cute-to-base: run cute-assign-layouts before it}}
  %tile = cute.memref.alloc_smem() swizzle = auto : !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
  return
}
