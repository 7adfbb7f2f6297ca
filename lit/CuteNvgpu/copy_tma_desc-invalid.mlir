// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @executable(%atom: !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>, %where: !cute.ptr<i64, smem, align<128>>) {
  // expected-error @below {{'cute_nvgpu.copy_tma_desc' op operand #0 must be an atom that has a descriptor and cannot be executed, such as !cute_nvgpu.atom.non_exec_tiled_tma_load, found !cute_nvgpu.atom.tma_load}}
  cute_nvgpu.copy_tma_desc(%atom, %where) : (!cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>, !cute.ptr<i64, smem, align<128>>) -> ()
  return
}

// -----

func.func @alignment(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, %where: !cute.ptr<i64, smem>) {
  // expected-error @below {{'cute_nvgpu.copy_tma_desc' op a copy of a descriptor must lie in smem or gmem, aligned to 64 bytes, found smem aligned to 8}}
  cute_nvgpu.copy_tma_desc(%atom, %where) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.ptr<i64, smem>) -> ()
  return
}
