// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @space(%first: !cute.ptr<i32, smem, align<8>>, %columns: i32) {
  // expected-error @below {{'cute_nvgpu.arch.sm100.dealloc_tmem' op a pointer to tmem is expected, found one to smem}}
  cute_nvgpu.arch.sm100.dealloc_tmem(%first, %columns) [cta_1] : !cute.ptr<i32, smem, align<8>>, i32
  return
}
