// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @space(%a: !cute.memref<f32, rmem, "(128,32):(32,1)">, %memory: !cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0))">, %values: !cute.layout<"(128,32):(1@0,1@1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_reduce' op a descriptor must describe a tensor in gmem, found rmem}}
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_reduce(%a, %memory, %values) <{kind = <ADD>}> : (!cute.memref<f32, rmem, "(128,32):(32,1)">, !cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0))">, !cute.layout<"(128,32):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_reduce<ADD, f32, copy_bits = 131072, tma_gbasis = <"(32,128,1):(1@1,1@0,1@2)">, tma_format = F32_RN>, !cute.coord_tensor<"(0,0,0)", "(?,?,?):(1@1,1@0,1@2)">)
  return
}

// -----

func.func @coordinates(%a: !cute.memref<f32, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">, %memory: !cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0))">, %values: !cute.layout<"(128,32):(1@0,1@1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_reduce' op result #1: declared !cute.coord_tensor<"(0,0,0)", "(?,?,?):(1@0,1@1,1@2)"> is not a weakening of !cute.coord_tensor<"(0,0,0)", "(?,?,?):(1@1,1@0,1@2)">}}
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_reduce(%a, %memory, %values) <{kind = <ADD>}> : (!cute.memref<f32, gmem, align<16>, "(?,?,?):(?{i64},1,?{i64})">, !cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0))">, !cute.layout<"(128,32):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_reduce<ADD, f32, copy_bits = 131072, tma_gbasis = <"(32,128,1):(1@1,1@0,1@2)">, tma_format = F32_RN>, !cute.coord_tensor<"(0,0,0)", "(?,?,?):(1@0,1@1,1@2)">)
  return
}
