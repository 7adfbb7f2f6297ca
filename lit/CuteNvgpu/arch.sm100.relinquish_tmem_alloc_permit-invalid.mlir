// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @group() {
  // expected-error @below {{expected 'cta_1'}}
  cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit [cta_4]
  return
}
