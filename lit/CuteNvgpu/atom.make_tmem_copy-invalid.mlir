// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @space(%atom: !cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>, %tensor: !cute.memref<f32, smem, align<16>, "(128,16):(65536,1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_tmem_copy' op the tensor must lie in tmem, found smem}}
  %0 = cute_nvgpu.atom.make_tmem_copy(%atom, %tensor) : (!cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>, !cute.memref<f32, smem, align<16>, "(128,16):(65536,1)">) -> !cute.tiled_copy<!cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>, layout_copy_tv = <"((32,4),(16,32)):((0,1),(128,4))">, tiler_mn = <"[(4,32):(32,1);16:1]">>
  return
}

// -----

func.func @element(%atom: !cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>, %tensor: !cute.memref<f16, tmem, align<16>, "(128,16):(65536,1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_tmem_copy' op the tensor has elements of f16, but the atom copies f32}}
  %0 = cute_nvgpu.atom.make_tmem_copy(%atom, %tensor) : (!cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>, !cute.memref<f16, tmem, align<16>, "(128,16):(65536,1)">) -> !cute.tiled_copy<!cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>, layout_copy_tv = <"((32,4),(16,32)):((0,1),(128,4))">, tiler_mn = <"[(4,32):(32,1);16:1]">>
  return
}

// -----

func.func @atom(%atom: !cute_nvgpu.atom.universal_copy<f32>, %tensor: !cute.memref<f32, tmem, align<16>, "(128,16):(65536,1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_tmem_copy' op operand #0 must be a copy of tensor memory, such as !cute_nvgpu.atom.tmem_load, found !cute_nvgpu.atom.universal_copy}}
  %0 = cute_nvgpu.atom.make_tmem_copy(%atom, %tensor) : (!cute_nvgpu.atom.universal_copy<f32>, !cute.memref<f32, tmem, align<16>, "(128,16):(65536,1)">) -> !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32>, layout_copy_tv = <"((32,4),(16,32)):((0,1),(128,4))">, tiler_mn = <"[(4,32):(32,1);16:1]">>
  return
}

// -----

func.func @dynamic(%atom: !cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>, %tensor: !cute.memref<f32, tmem, align<16>, "(128,?):(65536,1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_tmem_copy' op the tensor must have a static plain layout, found (128,?):(65536,1)}}
  %0 = cute_nvgpu.atom.make_tmem_copy(%atom, %tensor) : (!cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>, !cute.memref<f32, tmem, align<16>, "(128,?):(65536,1)">) -> !cute.tiled_copy<!cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>, layout_copy_tv = <"((32,4),(16,32)):((0,1),(128,4))">, tiler_mn = <"[(4,32):(32,1);16:1]">>
  return
}

// -----

func.func @declared(%atom: !cute_nvgpu.atom.tmem_load<f32, 16 DP, 256 bit, x8>, %tensor: !cute.memref<f32, tmem, align<16>, "(128,64):(65536,1)">) {
  // expected-error @below {{'cute_nvgpu.atom.make_tmem_copy' op result #0: declared}}
  %0 = cute_nvgpu.atom.make_tmem_copy(%atom, %tensor) : (!cute_nvgpu.atom.tmem_load<f32, 16 DP, 256 bit, x8>, !cute.memref<f32, tmem, align<16>, "(128,64):(65536,1)">) -> !cute.tiled_copy<!cute_nvgpu.atom.tmem_load<f32, 16 DP, 256 bit, x8>, layout_copy_tv = <"((32,4),(64,16)):((0,1),(4,64))">, tiler_mn = <"[(4,16):(32,1);64:1]">>
  return
}

// -----

!atom = !cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>
!tensor = !cute.memref<f32, tmem, align<16>, "(128,16,64):(65536,1,16)">
!copy = !cute.tiled_copy<!atom, layout_copy_tv = <"((32,4),(16,32)):((0,1),(128,4))">, tiler_mn = <"[(4,32):(32,1);16:1]">>
func.func @columns(%atom: !atom, %tensor: !tensor) {
  // expected-error @below {{(128,16,64):(65536,1,16) of elements of 32 b reaches lane 127 and column 1023, but tensor memory has 128 lanes of 512 columns}}
  %0 = cute_nvgpu.atom.make_tmem_copy(%atom, %tensor) : (!atom, !tensor) -> !copy
  return
}

// -----

!atom = !cute_nvgpu.atom.tmem_store<f16, 32 DP, 32 bit, x8>
!tensor = !cute.memref<f16, tmem, align<16>, "(256,16):(131072,1)">
!copy = !cute.tiled_copy<!atom, layout_copy_tv = <"((32,4),(16,32)):((0,1),(128,4))">, tiler_mn = <"[(4,32):(32,1);16:1]">>
func.func @lanes(%atom: !atom, %tensor: !tensor) {
  // expected-error @below {{(256,16):(131072,1) of elements of 16 b reaches lane 255 and column 7, but tensor memory has 128 lanes of 512 columns}}
  %0 = cute_nvgpu.atom.make_tmem_copy(%atom, %tensor) : (!atom, !tensor) -> !copy
  return
}
