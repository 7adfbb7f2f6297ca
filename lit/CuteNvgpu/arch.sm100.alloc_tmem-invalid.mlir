// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @space(%columns: i32, %where: !cute.ptr<i32, gmem>) {
  // expected-error @below {{'cute_nvgpu.arch.sm100.alloc_tmem' op the address of tensor memory is kept in an i32 in smem, but the pointer is to i32 in gmem}}
  cute_nvgpu.arch.sm100.alloc_tmem(%columns, %where) [cta_1] : i32, !cute.ptr<i32, gmem>
  return
}
