// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @few_of_a_byte(%a: !cute.memref<f6E2M3FN, gmem, align<32>, "(256,512):(512,1)">, %memory: !cute.layout<"(64,64):(64,1)">, %values: !cute.layout<"(64,64):(1@0,1@1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_load' op the box of mode 0 is 64: of elements of u6 in 8 bits it is 128; lay the tile out in columns of 128 elements along mode 0}}
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1}> : (!cute.memref<f6E2M3FN, gmem, align<32>, "(256,512):(512,1)">, !cute.layout<"(64,64):(64,1)">, !cute.layout<"(64,64):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f6E2M3FN, copy_bits = 24576, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = U6_UNPACK_U8>, !cute.coord_tensor<"(0,0)", "(256,512):(1@1,1@0)">)
  return
}

// -----

func.func @swizzle(%a: !cute.memref<f4E2M1FN, gmem, align<32>, "(256,512):(512,1)">, %memory: !cute.composed_layout<"S<2,4,3> o 0 o (64,128):(128,1)">, %values: !cute.layout<"(64,128):(1@0,1@1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_load' op the swizzle is 64B: elements of u4 in 8 bits are not swizzled, or in rows of 128 bytes: lay the tile out by S<3,4,3>}}
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1 tma_format = <U4_UNPACK_U8>}> : (!cute.memref<f4E2M1FN, gmem, align<32>, "(256,512):(512,1)">, !cute.composed_layout<"S<2,4,3> o 0 o (64,128):(128,1)">, !cute.layout<"(64,128):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f4E2M1FN, copy_bits = 32768, tma_gbasis = <"(128,64):(1@1,1@0)">, tma_format = U4_UNPACK_U8>, !cute.coord_tensor<"(0,0)", "(256,512):(1@1,1@0)">)
  return
}

// -----

func.func @extent(%a: !cute.memref<f6E3M2FN, gmem, align<32>, "(256,448):(512,1)">, %memory: !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(128,1)">, %values: !cute.layout<"(64,128):(1@0,1@1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_load' op the extent of mode 0 is 448: of elements of u6 in 8 bits it is a multiple of 128; padding to 512 would do}}
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1}> : (!cute.memref<f6E3M2FN, gmem, align<32>, "(256,448):(512,1)">, !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(128,1)">, !cute.layout<"(64,128):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f6E3M2FN, copy_bits = 49152, tma_gbasis = <"(128,64):(1@1,1@0)">, tma_format = U6_UNPACK_U8>, !cute.coord_tensor<"(0,0)", "(256,448):(1@1,1@0)">)
  return
}

// -----

func.func @stride(%a: !cute.memref<f4E2M1FN, gmem, align<32>, "(256,512):(544,1)">, %memory: !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(128,1)">, %values: !cute.layout<"(64,128):(1@0,1@1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_load' op the stride of mode 1 is 272 bytes: strides are multiples of 32 bytes; padding to 288 would do}}
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1 tma_format = <U4_UNPACK_U8>}> : (!cute.memref<f4E2M1FN, gmem, align<32>, "(256,512):(544,1)">, !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(128,1)">, !cute.layout<"(64,128):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f4E2M1FN, copy_bits = 32768, tma_gbasis = <"(128,64):(1@1,1@0)">, tma_format = U4_UNPACK_U8>, !cute.coord_tensor<"(0,0)", "(256,512):(1@1,1@0)">)
  return
}

// -----

func.func @few(%a: !cute.memref<f4E2M1FN, gmem, align<32>, "(256,512):(512,1)">, %memory: !cute.layout<"(64,16):(16,1)">, %values: !cute.layout<"(64,16):(1@0,1@1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_load' op the box of mode 0 is 16 elements of u4: along mode 0 a box has a multiple of 16 bytes}}
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1}> : (!cute.memref<f4E2M1FN, gmem, align<32>, "(256,512):(512,1)">, !cute.layout<"(64,16):(16,1)">, !cute.layout<"(64,16):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f4E2M1FN, copy_bits = 4096, tma_gbasis = <"(16,64):(1@1,1@0)">, tma_format = U4>, !cute.coord_tensor<"(0,0)", "(256,512):(1@1,1@0)">)
  return
}

// -----

func.func @format(%a: !cute.memref<f6E2M3FN, gmem, align<32>, "(256,512):(512,1)">, %memory: !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(128,1)">, %values: !cute.layout<"(64,128):(1@0,1@1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_load' op tma_format = U4 has 4 bits, but an element f6E2M3FN has 6}}
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %memory, %values) <{kind = <sm_90> num_multicast = 1 tma_format = <U4>}> : (!cute.memref<f6E2M3FN, gmem, align<32>, "(256,512):(512,1)">, !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(128,1)">, !cute.layout<"(64,128):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f6E2M3FN, copy_bits = 49152, tma_gbasis = <"(128,64):(1@1,1@0)">, tma_format = U6_UNPACK_U8>, !cute.coord_tensor<"(0,0)", "(256,512):(1@1,1@0)">)
  return
}

// -----

func.func @store(%a: !cute.memref<f4E2M1FN, gmem, align<32>, "(256,512):(512,1)">, %memory: !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(128,1)">, %values: !cute.layout<"(64,128):(1@0,1@1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_non_exec_tiled_tma_store' op the TMA does not store elements of u4 in 8 bits: pack them in shared memory, and write tma_format = U4}}
  %0:2 = cute_nvgpu.atom.make_non_exec_tiled_tma_store(%a, %memory, %values) <{tma_format = <U4_UNPACK_U8>}> : (!cute.memref<f4E2M1FN, gmem, align<32>, "(256,512):(512,1)">, !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(128,1)">, !cute.layout<"(64,128):(1@0,1@1)">) -> (!cute_nvgpu.atom.non_exec_tiled_tma_store<f4E2M1FN, copy_bits = 32768, tma_gbasis = <"(128,64):(1@1,1@0)">, tma_format = U4>, !cute.coord_tensor<"(0,0)", "(256,512):(1@1,1@0)">)
  return
}

// -----

func.func @memory(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f6E2M3FN, copy_bits = 49152, tma_gbasis = <"(128,64):(1@1,1@0)">, tma_format = U6_UNPACK_U8>, %cta: !cute.coord<"0">, %ctas: !cute.layout<"1:0">, %s: !cute.memref<f6E2M3FN, smem, align<1024>, S<3,4,3>, "((64,128),2):((128,1),8192)">, %g: !cute.coord_tensor<"(0,0)", "((64,128),?):((1@1,1@0),128@0)">) {
  // expected-error @below {{'cute_nvgpu.atom.tma_partition' op the memory has elements of f6E2M3FN, but the TMA gives each element of f6E2M3FN a byte of shared memory: recast the iterator to i8}}
  %0:2 = cute_nvgpu.atom.tma_partition(%atom, %cta, %ctas, %s, %g) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f6E2M3FN, copy_bits = 49152, tma_gbasis = <"(128,64):(1@1,1@0)">, tma_format = U6_UNPACK_U8>, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f6E2M3FN, smem, align<1024>, S<3,4,3>, "((64,128),2):((128,1),8192)">, !cute.coord_tensor<"(0,0)", "((64,128),?):((1@1,1@0),128@0)">) -> (!cute.memref<i8, smem, align<1024>, S<3,4,3>, "((8192,1),2):((1,0),8192)">, !cute.coord_tensor<"(0,0)", "(((128,64),1),?):(((1@0,1@1),0),128@0)">)
  return
}

// -----

func.func @packed(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f4E2M1FN, copy_bits = 32768, tma_gbasis = <"(128,64):(1@1,1@0)">, tma_format = U4_UNPACK_U8>, %cta: !cute.coord<"0">, %ctas: !cute.layout<"1:0">, %s: !cute.memref<f4E2M1FN, smem, align<1024>, S<3,4,3>, "((64,128),2):((128,1),8192)">, %g: !cute.coord_tensor<"(0,0)", "((64,128),?):((1@1,1@0),128@0)">) {
  // expected-error @below {{'cute_nvgpu.atom.tma_partition' op the memory has elements of f4E2M1FN, but the TMA gives each element of f4E2M1FN a byte of shared memory: recast the iterator to i8}}
  %0:2 = cute_nvgpu.atom.tma_partition(%atom, %cta, %ctas, %s, %g) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f4E2M1FN, copy_bits = 32768, tma_gbasis = <"(128,64):(1@1,1@0)">, tma_format = U4_UNPACK_U8>, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f4E2M1FN, smem, align<1024>, S<3,4,3>, "((64,128),2):((128,1),8192)">, !cute.coord_tensor<"(0,0)", "((64,128),?):((1@1,1@0),128@0)">) -> (!cute.memref<i8, smem, align<1024>, S<3,4,3>, "((8192,1),2):((1,0),8192)">, !cute.coord_tensor<"(0,0)", "(((128,64),1),?):(((1@0,1@1),0),128@0)">)
  return
}

// -----

func.func @padded(%atom: !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f4E2M1FN, copy_bits = 32768, tma_gbasis = <"(128,64):(1@1,1@0)">, tma_format = U4>, %cta: !cute.coord<"0">, %ctas: !cute.layout<"1:0">, %s: !cute.memref<i8, smem, align<1024>, S<3,4,3>, "((64,128),2):((128,1),8192)">, %g: !cute.coord_tensor<"(0,0)", "((64,128),?):((1@1,1@0),128@0)">) {
  // expected-error @below {{'cute_nvgpu.atom.tma_partition' op the memory has elements of i8, but tma_format = U4 packs elements of f4E2M1FN in shared memory: write tma_format = U4_UNPACK_U8 for a byte each, or recast the iterator to f4E2M1FN}}
  %0:2 = cute_nvgpu.atom.tma_partition(%atom, %cta, %ctas, %s, %g) : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f4E2M1FN, copy_bits = 32768, tma_gbasis = <"(128,64):(1@1,1@0)">, tma_format = U4>, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<i8, smem, align<1024>, S<3,4,3>, "((64,128),2):((128,1),8192)">, !cute.coord_tensor<"(0,0)", "((64,128),?):((1@1,1@0),128@0)">) -> (!cute.memref<i8, smem, align<1024>, S<3,4,3>, "((8192,1),2):((1,0),8192)">, !cute.coord_tensor<"(0,0)", "(((128,64),1),?):(((1@0,1@1),0),128@0)">)
  return
}

// -----

!mma = !cute_nvgpu.sm100.mma<128x128x32, num_cta = 1, ab_major = (k, k), elem_type = (f4E2M1FN, f6E3M2FN, f32), frag_kind = ss, c_scale_exp = 0>
!tiled = !cute.tiled_mma<!mma, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!part = !cute.memref<f4E2M1FN, smem, align<1024>, S<3,4,3>, "((128,32),1,8):((256,1),0,32)">
func.func @fragment(%mma: !tiled, %part: !part) {
  // expected-error @below {{'cute.mma.make_fragment' op A has elements of f4E2M1FN, but the atom takes each f4E2M1FN in a byte, i8: let the TMA pad them, with tma_format = U4_UNPACK_U8, and recast the iterator to i8}}
  %0 = cute.mma.make_fragment A(%mma, %part) : (!tiled, !part) -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,8):(0,0,2)">
  return
}
