// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @executable(%atom: !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>) {
  // expected-error @below {{'cute_nvgpu.prefetch_tma_desc' op operand #0 must be an atom that has a descriptor and cannot be executed, such as !cute_nvgpu.atom.non_exec_tiled_tma_load, found !cute_nvgpu.atom.tma_load}}
  cute_nvgpu.prefetch_tma_desc(%atom) : (!cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>) -> ()
  return
}
