// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @space(%a: !cute.memref<f16, smem, align<16>, "(64,64):(64,1)">, %memory: !cute.layout<"(64,64):(64,1)">, %values: !cute.layout<"(64,64):(1@0,1@1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_load' op a descriptor must describe a tensor in gmem, found smem}}
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1}> : (!cute.memref<f16, smem, align<16>, "(64,64):(64,1)">, !cute.layout<"(64,64):(64,1)">, !cute.layout<"(64,64):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>, !cute.coord_tensor<"(0,0)", "(64,64):(1@1,1@0)">)
  return
}

// -----

func.func @swizzle(%a: !cute.memref<f16, gmem, align<16>, "(64,64):(64,1)">, %memory: !cute.composed_layout<"S<3,3,3> o 0 o (64,64):(64,1)">, %values: !cute.layout<"(64,64):(1@0,1@1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_load' op the TMA swizzles by S<0,4,3>, S<1,4,3>, S<2,4,3>, S<3,4,3> and S<2,5,2>, not by S<3,3,3>}}
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1}> : (!cute.memref<f16, gmem, align<16>, "(64,64):(64,1)">, !cute.composed_layout<"S<3,3,3> o 0 o (64,64):(64,1)">, !cute.layout<"(64,64):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>, !cute.coord_tensor<"(0,0)", "(64,64):(1@1,1@0)">)
  return
}

// -----

func.func @size(%a: !cute.memref<f16, gmem, align<16>, "(64,64):(64,1)">, %memory: !cute.layout<"(64,32):(32,1)">, %values: !cute.layout<"(64,64):(1@0,1@1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_load' op boxes: the tile has 2048 values in memory but 4096 in the tensor}}
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1}> : (!cute.memref<f16, gmem, align<16>, "(64,64):(64,1)">, !cute.layout<"(64,32):(32,1)">, !cute.layout<"(64,64):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>, !cute.coord_tensor<"(0,0)", "(64,64):(1@1,1@0)">)
  return
}

// -----

func.func @dynamic(%a: !cute.memref<f16, gmem, align<16>, "(64,64):(64,1)">, %memory: !cute.layout<"(64,?):(64,1)">, %values: !cute.layout<"(64,64):(1@0,1@1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_load' op boxes: the layout of the memory must be static, found (64,?):(64,1)}}
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1}> : (!cute.memref<f16, gmem, align<16>, "(64,64):(64,1)">, !cute.layout<"(64,?):(64,1)">, !cute.layout<"(64,64):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>, !cute.coord_tensor<"(0,0)", "(64,64):(1@1,1@0)">)
  return
}

// -----

func.func @no_neighbours(%a: !cute.memref<f16, gmem, align<16>, "(64,64):(64,1)">, %memory: !cute.layout<"(64,64):(64,1)">, %values: !cute.layout<"(64,64):(1@0,2@1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_load' op boxes: the first elements of the memory layout (64,64):(64,1) must be neighbours along one mode of the tensor, but they step by (64,64):(2@1,1@0)}}
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1}> : (!cute.memref<f16, gmem, align<16>, "(64,64):(64,1)">, !cute.layout<"(64,64):(64,1)">, !cute.layout<"(64,64):(1@0,2@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>, !cute.coord_tensor<"(0,0)", "(64,64):(1@1,1@0)">)
  return
}

// -----

func.func @wide(%a: !cute.memref<f16, gmem, align<16>, "(64,512):(1024,1)">, %memory: !cute.layout<"(1,512):(0,1)">, %values: !cute.layout<"(1,512):(1@0,1@1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_load' op a box has 1 to 256 elements per mode, but mode 0 of tma_gbasis (512,1):(1@1,1@0) has 512}}
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1}> : (!cute.memref<f16, gmem, align<16>, "(64,512):(1024,1)">, !cute.layout<"(1,512):(0,1)">, !cute.layout<"(1,512):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>, !cute.coord_tensor<"(0,0)", "(64,64):(1@1,1@0)">)
  return
}

// -----

func.func @stride(%a: !cute.memref<f16, gmem, align<16>, "(64,64):(68,1)">, %memory: !cute.layout<"(64,64):(64,1)">, %values: !cute.layout<"(64,64):(1@0,1@1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_load' op the stride of mode 1 is 136 bytes: strides are multiples of 16 bytes; padding to 144 would do}}
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1}> : (!cute.memref<f16, gmem, align<16>, "(64,64):(68,1)">, !cute.layout<"(64,64):(64,1)">, !cute.layout<"(64,64):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>, !cute.coord_tensor<"(0,0)", "(64,64):(1@1,1@0)">)
  return
}

// -----

func.func @inner(%a: !cute.memref<f16, gmem, align<16>, "(64,64):(128,2)">, %memory: !cute.layout<"(64,64):(64,1)">, %values: !cute.layout<"(64,64):(1@0,1@1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_load' op the stride of mode 0 is 4 bytes: mode 0 must be contiguous, with 2 bytes from one element of f16 to the next}}
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1}> : (!cute.memref<f16, gmem, align<16>, "(64,64):(128,2)">, !cute.layout<"(64,64):(64,1)">, !cute.layout<"(64,64):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>, !cute.coord_tensor<"(0,0)", "(64,64):(1@1,1@0)">)
  return
}

// -----

func.func @format(%a: !cute.memref<f16, gmem, align<16>, "(64,64):(64,1)">, %memory: !cute.layout<"(64,64):(64,1)">, %values: !cute.layout<"(64,64):(1@0,1@1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_load' op tma_format = TF32_RN has 32 bits, but an element f16 has 16}}
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1 tma_format = <TF32_RN>}> : (!cute.memref<f16, gmem, align<16>, "(64,64):(64,1)">, !cute.layout<"(64,64):(64,1)">, !cute.layout<"(64,64):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>, !cute.coord_tensor<"(0,0)", "(64,64):(1@1,1@0)">)
  return
}

// -----

func.func @nobody(%a: !cute.memref<f16, gmem, align<16>, "(64,64):(64,1)">, %memory: !cute.layout<"(64,64):(64,1)">, %values: !cute.layout<"(64,64):(1@0,1@1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_load' op attribute 'num_multicast' must be how many CTAs receive a box}}
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 0}> : (!cute.memref<f16, gmem, align<16>, "(64,64):(64,1)">, !cute.layout<"(64,64):(64,1)">, !cute.layout<"(64,64):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>, !cute.coord_tensor<"(0,0)", "(64,64):(1@1,1@0)">)
  return
}

// -----

func.func @wrong_type(%a: !cute.memref<f16, gmem, align<16>, "(64,64):(64,1)">, %memory: !cute.layout<"(64,64):(64,1)">, %values: !cute.layout<"(64,64):(1@0,1@1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_load' op result #0: declared !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN> is not a weakening of !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_100_2sm, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>}}
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_100_2sm> num_multicast = 1}> : (!cute.memref<f16, gmem, align<16>, "(64,64):(64,1)">, !cute.layout<"(64,64):(64,1)">, !cute.layout<"(64,64):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>, !cute.coord_tensor<"(0,0)", "(64,64):(1@1,1@0)">)
  return
}

// -----

// expected-error @below {{expected a kind of load: sm_90, sm_90_multicast, sm_100_2sm, sm_100_2sm_multicast}}
func.func private @kind() attributes {kind = #cute_nvgpu.tiled_tma_load<sm_91>}

// -----

// expected-error @below {{expected a format of elements: U8, U16, U32,}}
func.func private @format() attributes {format = #cute_nvgpu.tma_data_format<F8>}

// -----

// expected-error @below {{expected a reduction: ADD, MIN, MAX, INC, DEC, AND, OR, XOR}}
func.func private @reduction() attributes {kind = #cute_nvgpu.tma_reduce_kind<MUL>}
