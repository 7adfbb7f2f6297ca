// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @space(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, %cta: !cute.coord<"0">, %ctas: !cute.layout<"1:0">, %s: !cute.memref<f16, gmem, align<1024>, S<3,4,3>, "(((8,16),(64,1)),(1,7)):(((64,512),(1,0)),(0,8192))">, %g: !cute.coord_tensor<"(?{i64},?{div=128},?)", "((128,64),?):((1@1,1@0),64@0)">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">) {
  // expected-error @below {{'cute_nvgpu.atom.tma_partition' op the TMA copies tiles in smem, found gmem}}
  %0:2 = cute_nvgpu.atom.tma_partition(%atom, %cta, %ctas, %s, %g) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f16, gmem, align<1024>, S<3,4,3>, "(((8,16),(64,1)),(1,7)):(((64,512),(1,0)),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "((128,64),?):((1@1,1@0),64@0)">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">)
  return %0#0, %0#1 : !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">
}

// -----

func.func @element(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, %cta: !cute.coord<"0">, %ctas: !cute.layout<"1:0">, %s: !cute.memref<f32, smem, align<1024>, S<3,4,3>, "(((8,16),(64,1)),(1,7)):(((64,512),(1,0)),(0,8192))">, %g: !cute.coord_tensor<"(?{i64},?{div=128},?)", "((128,64),?):((1@1,1@0),64@0)">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">) {
  // expected-error @below {{'cute_nvgpu.atom.tma_partition' op the memory has elements of f32, but the atom copies f16}}
  %0:2 = cute_nvgpu.atom.tma_partition(%atom, %cta, %ctas, %s, %g) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f32, smem, align<1024>, S<3,4,3>, "(((8,16),(64,1)),(1,7)):(((64,512),(1,0)),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "((128,64),?):((1@1,1@0),64@0)">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">)
  return %0#0, %0#1 : !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">
}

// -----

func.func @sizes(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, %cta: !cute.coord<"0">, %ctas: !cute.layout<"1:0">, %s: !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(((8,16),(64,1)),(1,7)):(((64,512),(1,0)),(0,8192))">, %g: !cute.coord_tensor<"(?{i64},?{div=128},?)", "((128,32),?):((1@1,1@0),64@0)">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">) {
  // expected-error @below {{'cute_nvgpu.atom.tma_partition' op mode 0 of the memory has 8192 elements, but mode 0 of the coordinates has 4096}}
  %0:2 = cute_nvgpu.atom.tma_partition(%atom, %cta, %ctas, %s, %g) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(((8,16),(64,1)),(1,7)):(((64,512),(1,0)),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "((128,32),?):((1@1,1@0),64@0)">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">)
  return %0#0, %0#1 : !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">
}

// -----

func.func @part_of_box(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, %cta: !cute.coord<"0">, %ctas: !cute.layout<"1:0">, %s: !cute.memref<f16, smem, align<1024>, "((64,64),2):((64,1),4096)">, %g: !cute.coord_tensor<"(?{i64},?{div=128},?)", "((64,64),?):((1@1,1@0),64@0)">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">) {
  // expected-error @below {{'cute_nvgpu.atom.tma_partition' op mode 0 has 4096 elements, not a multiple of the 8192 of a box}}
  %0:2 = cute_nvgpu.atom.tma_partition(%atom, %cta, %ctas, %s, %g) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f16, smem, align<1024>, "((64,64),2):((64,1),4096)">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "((64,64),?):((1@1,1@0),64@0)">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">)
  return %0#0, %0#1 : !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">
}

// -----

func.func @ctas(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, %cta: !cute.coord<"0">, %ctas: !cute.layout<"3:1">, %s: !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(((8,16),(64,1)),(1,7)):(((64,512),(1,0)),(0,8192))">, %g: !cute.coord_tensor<"(?{i64},?{div=128},?)", "((128,64),?):((1@1,1@0),64@0)">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">) {
  // expected-error @below {{'cute_nvgpu.atom.tma_partition' op boxes: 3 CTAs do not share a box of 8192 elements equally}}
  %0:2 = cute_nvgpu.atom.tma_partition(%atom, %cta, %ctas, %s, %g) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.coord<"0">, !cute.layout<"3:1">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(((8,16),(64,1)),(1,7)):(((64,512),(1,0)),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "((128,64),?):((1@1,1@0),64@0)">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">)
  return %0#0, %0#1 : !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">
}

// -----

func.func @atom(%atom: !cute_nvgpu.atom.universal_copy<f16>, %cta: !cute.coord<"0">, %ctas: !cute.layout<"1:0">, %s: !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(((8,16),(64,1)),(1,7)):(((64,512),(1,0)),(0,8192))">, %g: !cute.coord_tensor<"(?{i64},?{div=128},?)", "((128,64),?):((1@1,1@0),64@0)">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">) {
  // expected-error @below {{'cute_nvgpu.atom.tma_partition' op operand #0 must be an atom of the TMA, found !cute_nvgpu.atom.universal_copy}}
  %0:2 = cute_nvgpu.atom.tma_partition(%atom, %cta, %ctas, %s, %g) : (!cute_nvgpu.atom.universal_copy<f16>, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(((8,16),(64,1)),(1,7)):(((64,512),(1,0)),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "((128,64),?):((1@1,1@0),64@0)">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">)
  return %0#0, %0#1 : !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">
}

// -----

func.func @declared(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, %cta: !cute.coord<"0">, %ctas: !cute.layout<"1:0">, %s: !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(((8,16),(64,1)),(1,7)):(((64,512),(1,0)),(0,8192))">, %g: !cute.coord_tensor<"(?{i64},?{div=128},?)", "((128,64),?):((1@1,1@0),64@0)">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "(((8,16),(64,1)),(1,7)):(((64,512),(1,0)),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">) {
  // expected-error @below {{'cute_nvgpu.atom.tma_partition' op result #0: declared !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(((8,16),(64,1)),(1,7)):(((64,512),(1,0)),(0,8192))"> is not a weakening of !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),(1,7)):((1,0),(0,8192))">}}
  %0:2 = cute_nvgpu.atom.tma_partition(%atom, %cta, %ctas, %s, %g) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(((8,16),(64,1)),(1,7)):(((64,512),(1,0)),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "((128,64),?):((1@1,1@0),64@0)">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "(((8,16),(64,1)),(1,7)):(((64,512),(1,0)),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">)
  return %0#0, %0#1 : !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(((8,16),(64,1)),(1,7)):(((64,512),(1,0)),(0,8192))">, !cute.coord_tensor<"(?{i64},?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">
}
