// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @wide(%x: i64) -> i64 {
  // expected-error @below {{'cute_nvgpu.arch.make_warp_uniform' op operand #0 must be 32-bit signless integer, but got 'i64'}}
  %0 = "cute_nvgpu.arch.make_warp_uniform"(%x) : (i64) -> i64
  return %0 : i64
}
