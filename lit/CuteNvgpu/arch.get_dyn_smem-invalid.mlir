// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @space() -> !cute.ptr<i8, gmem> {
  // expected-error @below {{'cute_nvgpu.arch.get_dyn_smem' op the result must be a !cute.ptr in smem}}
  %0 = cute_nvgpu.arch.get_dyn_smem() : !cute.ptr<i8, gmem>
  return %0 : !cute.ptr<i8, gmem>
}
