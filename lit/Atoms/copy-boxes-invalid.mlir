// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-expand-copy-gemm,cute-lower-atoms{target=sm_90a})'

func.func @space(%atom: !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>, %src: !cute.coord_tensor<"(?{div=64},?{div=128},?)", "(((64,128),2),(1)):(((1@0,1@1),64@0),(0))">, %dst: !cute.memref<f16, gmem, align<1024>, S<3,4,3>, "((8192,2),(1)):((1,8192),(0))">) {
  // expected-error @below {{'cute.copy' op a TMA load copies coordinates to smem, found coordinates to gmem}}
  cute.copy(%atom, %src, %dst) : (!cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>, !cute.coord_tensor<"(?{div=64},?{div=128},?)", "(((64,128),2),(1)):(((1@0,1@1),64@0),(0))">, !cute.memref<f16, gmem, align<1024>, S<3,4,3>, "((8192,2),(1)):((1,8192),(0))">)
  return
}

// -----

func.func @memory(%atom: !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>, %src: !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,2),(1)):((1,8192),(0))">, %dst: !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,2),(1)):((1,8192),(0))">) {
  // expected-error @below {{'cute.copy' op the TMA takes coordinates: the source must be a coord_tensor, but is !cute.memref}}
  cute.copy(%atom, %src, %dst) : (!cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,2),(1)):((1,8192),(0))">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,2),(1)):((1,8192),(0))">)
  return
}

// -----

func.func @coordinates(%atom: !cute_nvgpu.atom.tma_store<f16, copy_bits = 131072, mode = tiled, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>, %src: !cute.coord_tensor<"(?{div=64},?{div=128},?)", "(((64,128),2),(1)):(((1@0,1@1),64@0),(0))">, %dst: !cute.coord_tensor<"(?{div=64},?{div=128},?)", "(((64,128),2),(1)):(((1@0,1@1),64@0),(0))">) {
  // expected-error @below {{'cute.copy' op this atom copies memory, but the source is !cute.coord_tensor}}
  cute.copy(%atom, %src, %dst) : (!cute_nvgpu.atom.tma_store<f16, copy_bits = 131072, mode = tiled, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>, !cute.coord_tensor<"(?{div=64},?{div=128},?)", "(((64,128),2),(1)):(((1@0,1@1),64@0),(0))">, !cute.coord_tensor<"(?{div=64},?{div=128},?)", "(((64,128),2),(1)):(((1@0,1@1),64@0),(0))">)
  return
}

// -----

func.func @alignment(%atom: !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>, %src: !cute.coord_tensor<"(?{div=64},?{div=128},?)", "(((64,128),2),(1)):(((1@0,1@1),64@0),(0))">, %dst: !cute.memref<f16, smem, align<64>, S<3,4,3>, "((8192,2),(1)):((1,8192),(0))">) {
  // expected-error @below {{'cute.copy' op destination ((8192,2),(1)):((1,8192),(0)): a call of 131072 b needs an address aligned to 128 bytes, but the pointer is only known to be aligned to 64}}
  cute.copy(%atom, %src, %dst) : (!cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>, !cute.coord_tensor<"(?{div=64},?{div=128},?)", "(((64,128),2),(1)):(((1@0,1@1),64@0),(0))">, !cute.memref<f16, smem, align<64>, S<3,4,3>, "((8192,2),(1)):((1,8192),(0))">)
  return
}

// -----

func.func @scattered(%atom: !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>, %src: !cute.coord_tensor<"(?{div=64},?{div=128},?)", "(((64,128),2),(1)):(((1@0,1@1),64@0),(0))">, %dst: !cute.memref<f16, smem, align<1024>, "((8192,2),(1)):((2,1),(0))">) {
  // expected-error @below {{'cute.copy' op destination ((8192,2),(1)):((2,1),(0)): a call copies 8192 neighbouring elements (131072 b), but mode 0 is (8192,2):(2,1)}}
  cute.copy(%atom, %src, %dst) : (!cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>, !cute.coord_tensor<"(?{div=64},?{div=128},?)", "(((64,128),2),(1)):(((1@0,1@1),64@0),(0))">, !cute.memref<f16, smem, align<1024>, "((8192,2),(1)):((2,1),(0))">)
  return
}

// -----

func.func @element(%atom: !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>, %src: !cute.coord_tensor<"(?{div=64},?{div=128},?)", "(((64,128),2),(1)):(((1@0,1@1),64@0),(0))">, %dst: !cute.memref<f32, smem, align<1024>, S<3,4,3>, "((8192,2),(1)):((1,8192),(0))">) {
  // expected-error @below {{'cute.copy' op the destination has elements of f32, but the atom copies f16}}
  cute.copy(%atom, %src, %dst) : (!cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>, !cute.coord_tensor<"(?{div=64},?{div=128},?)", "(((64,128),2),(1)):(((1@0,1@1),64@0),(0))">, !cute.memref<f32, smem, align<1024>, S<3,4,3>, "((8192,2),(1)):((1,8192),(0))">)
  return
}

// -----

func.func @descriptor(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, %src: !cute.coord_tensor<"(?{div=64},?{div=128},?)", "(((64,128),2),(1)):(((1@0,1@1),64@0),(0))">, %dst: !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,2),(1)):((1,8192),(0))">) {
  // expected-error @below {{'cute.copy' op !cute_nvgpu.atom.non_exec_tiled_tma_load has a descriptor and cannot be executed; cute_nvgpu.atom.make_exec_tma makes an atom that can}}
  cute.copy(%atom, %src, %dst) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.coord_tensor<"(?{div=64},?{div=128},?)", "(((64,128),2),(1)):(((1@0,1@1),64@0),(0))">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,2),(1)):((1,8192),(0))">)
  return
}

// -----

// The elements of coordinates are the atom's.
func.func @other_numbers(%atom: !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>, %src: !cute.coord_tensor<"(?{div=64},?{div=128},?)", "(((64,128),2),(1)):(((1@0,1@1),64@0),(0))">, %dst: !cute.memref<bf16, smem, align<1024>, S<3,4,3>, "((8192,2),(1)):((1,8192),(0))">) {
  // expected-error @below {{'cute.copy' op the source holds f16, but the destination holds bf16, and a copy does not convert}}
  cute.copy(%atom, %src, %dst) : (!cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>, !cute.coord_tensor<"(?{div=64},?{div=128},?)", "(((64,128),2),(1)):(((1@0,1@1),64@0),(0))">, !cute.memref<bf16, smem, align<1024>, S<3,4,3>, "((8192,2),(1)):((1,8192),(0))">)
  return
}

// -----

func.func @exchanged(%atom: !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>, %src: !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,2),(1)):((1,8192),(0))">, %dst: !cute.coord_tensor<"(?{div=64},?{div=128},?)", "(((64,128),2),(1)):(((1@0,1@1),64@0),(0))">) {
  // expected-error @below {{'cute.copy' op the TMA takes coordinates: the source must be a coord_tensor, but is !cute.memref; exchange source and destination}}
  cute.copy(%atom, %src, %dst) : (!cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,2),(1)):((1,8192),(0))">, !cute.coord_tensor<"(?{div=64},?{div=128},?)", "(((64,128),2),(1)):(((1@0,1@1),64@0),(0))">)
  return
}
