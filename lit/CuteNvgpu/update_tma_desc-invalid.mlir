// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @element(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, %tensor: !cute.memref<f32, gmem, "(?,?):(?,1)">, %where: !cute.ptr<i64, smem, align<128>>) {
  // expected-error @below {{'cute_nvgpu.update_tma_desc' op the descriptor must describe a tensor of f16 in gmem, found f32 in gmem}}
  cute_nvgpu.update_tma_desc(%atom, %tensor, %where) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.memref<f32, gmem, "(?,?):(?,1)">, !cute.ptr<i64, smem, align<128>>) -> ()
  return
}

// -----

func.func @space(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, %tensor: !cute.memref<f16, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">, %where: !cute.ptr<i64, rmem, align<128>>) {
  // expected-error @below {{'cute_nvgpu.update_tma_desc' op a copy of a descriptor must lie in smem or gmem, aligned to 64 bytes, found rmem aligned to 128}}
  cute_nvgpu.update_tma_desc(%atom, %tensor, %where) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.memref<f16, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">, !cute.ptr<i64, rmem, align<128>>) -> ()
  return
}
