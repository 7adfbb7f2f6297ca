// RUN: %opt %s -split-input-file -verify-diagnostics

!atom = !cute_nvgpu.atom.s2t_copy<f16, 128 DP, 128 bit, 1 cta>
!descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "((128,1)):((1,1))">
func.func @space(%atom: !atom, %tile: !cute.memref<f16, gmem, align<128>, "((128,8)):((8,1))">) {
  // expected-error @below {{'cute_nvgpu.atom.get_copy_s2t_smem_desc_view' op tcgen05.cp reads shared memory, but the source is in gmem}}
  %0 = cute_nvgpu.atom.get_copy_s2t_smem_desc_view(%atom, %tile) : (!atom, !cute.memref<f16, gmem, align<128>, "((128,8)):((8,1))">) -> !descs
  return
}

// -----

!atom = !cute_nvgpu.atom.s2t_copy<f16, 128 DP, 128 bit, 1 cta>
!descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "((128,1)):((1,1))">
func.func @values(%atom: !atom, %tile: !cute.memref<f16, smem, align<128>, "((64,8)):((8,1))">) {
  // expected-error @below {{'cute_nvgpu.atom.get_copy_s2t_smem_desc_view' op the source must be partitioned as (V, rest..), where V has the 1024 elements of a call, found ((64,8)):((8,1))}}
  %0 = cute_nvgpu.atom.get_copy_s2t_smem_desc_view(%atom, %tile) : (!atom, !cute.memref<f16, smem, align<128>, "((64,8)):((8,1))">) -> !descs
  return
}

// -----

!atom = !cute_nvgpu.atom.s2t_copy<f16, 32 DP, 128 bit, 1 cta, x4>
!descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "((32,1,4)):((1,1,32))">
func.func @others(%atom: !atom, %tile: !cute.memref<f16, smem, align<128>, "((32,8,4)):((8,1,256))">) {
  // expected-error @below {{the atom reads 32 lanes once and writes them 4 times, so repetitions in the source must have stride 0, found 4:256}}
  %0 = cute_nvgpu.atom.get_copy_s2t_smem_desc_view(%atom, %tile) : (!atom, !cute.memref<f16, smem, align<128>, "((32,8,4)):((8,1,256))">) -> !descs
  return
}

// -----

!atom = !cute_nvgpu.atom.s2t_copy<f16, 128 DP, 128 bit, 1 cta>
!descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "((128,1)):((1,1))">
func.func @blocks(%atom: !atom, %tile: !cute.memref<f16, smem, align<128>, "((128,8)):((1,128))">) {
  // expected-error @below {{(128,8):(1,128) is not made of blocks S<0,4,3> o 0 o (8,8):(8,1)}}
  %0 = cute_nvgpu.atom.get_copy_s2t_smem_desc_view(%atom, %tile) : (!atom, !cute.memref<f16, smem, align<128>, "((128,8)):((1,128))">) -> !descs
  return
}

// -----

!atom = !cute_nvgpu.atom.s2t_copy<f16, 128 DP, 128 bit, 1 cta>
!tile = !cute.memref<f16, smem, align<128>, "((128,8)):((8,1))">
!tensor = !cute.memref<f16, tmem, align<16>, "((128,8)):((131072,1))">
func.func @bytes(%atom: !atom, %tile: !tile, %tensor: !tensor) {
  // expected-error @below {{tcgen05.cp takes descriptors of shared memory: the source must be a smem_desc_view, which cute_nvgpu.atom.get_copy_s2t_smem_desc_view makes from a partition, but is !cute.memref}}
  cute.copy(%atom, %tile, %tensor) : (!atom, !tile, !tensor)
  return
}
