// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @again(%atom: !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>) {
  // expected-error @below {{'cute_nvgpu.atom.make_exec_tma' op operand #0 must be an atom that has a descriptor and cannot be executed, such as !cute_nvgpu.atom.non_exec_tiled_tma_load, found !cute_nvgpu.atom.tma_load}}
  %0 = cute_nvgpu.atom.make_exec_tma(%atom) : (!cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>) -> !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>
  return
}

// -----

func.func @other(%atom: !cute_nvgpu.atom.universal_copy<f16>) {
  // expected-error @below {{'cute_nvgpu.atom.make_exec_tma' op operand #0 must be an atom of the TMA, found !cute_nvgpu.atom.universal_copy}}
  %0 = cute_nvgpu.atom.make_exec_tma(%atom) : (!cute_nvgpu.atom.universal_copy<f16>) -> !cute_nvgpu.atom.universal_copy<f16>
  return
}

// -----

func.func @wrong(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_100_2sm_multicast, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>) {
  // expected-error @below {{'cute_nvgpu.atom.make_exec_tma' op result #0: declared !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">> is not a weakening of !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 2, g_stride = <"()"> mcast = true tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>}}
  %0 = cute_nvgpu.atom.make_exec_tma(%atom) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_100_2sm_multicast, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>) -> !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>
  return
}
