// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @index() -> index {
  // expected-error @below {{'cute_nvgpu.arch.get_dyn_smem_size' op result #0 must be 32-bit signless integer, but got 'index'}}
  %0 = "cute_nvgpu.arch.get_dyn_smem_size"() : () -> index
  return %0 : index
}
