// RUN: %opt %s -split-input-file -verify-diagnostics

!atom = !cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>
!tensor = !cute.memref<f32, tmem, align<16>, "(128,16):(65536,1)">
!copy = !cute.tiled_copy<!atom, layout_copy_tv = <"((32,4),(16,32)):((0,1),(128,4))">, tiler_mn = <"[(4,32):(32,1);16:1]">>
func.func @of_registers(%atom: !atom, %tensor: !tensor) {
  // expected-error @below {{'cute_nvgpu.atom.make_s2t_copy' op operand #0 must be a copy of shared to tensor memory, such as !cute_nvgpu.atom.s2t_copy}}
  %0 = cute_nvgpu.atom.make_s2t_copy(%atom, %tensor) : (!atom, !tensor) -> !copy
  return
}

// -----

!atom = !cute_nvgpu.atom.s2t_copy<f16, 4 DP, 256 bit, 1 cta>
!tensor = !cute.memref<f16, tmem, align<16>, "(128,16):(131072,1)">
!copy = !cute.tiled_copy<!atom, layout_copy_tv = <"(1,64):(0,1)">, tiler_mn = <"[128:1;16:1]">>
func.func @refresh(%atom: !atom, %tensor: !tensor) {
  // expected-error @below {{SM100_UTCCP_4dp256bit_1cta refreshes some lanes of a tensor and cannot copy a whole tensor; call the atom instead of a tiled copy}}
  %0 = cute_nvgpu.atom.make_s2t_copy(%atom, %tensor) : (!atom, !tensor) -> !copy
  return
}

// -----

!atom = !cute_nvgpu.atom.s2t_copy<f16, 128 DP, 256 bit, 1 cta>
!tensor = !cute.memref<f16, smem, align<16>, "(128,16):(16,1)">
!copy = !cute.tiled_copy<!atom, layout_copy_tv = <"(1,2048):(0,1)">, tiler_mn = <"[128:1;16:1]">>
func.func @space(%atom: !atom, %tensor: !tensor) {
  // expected-error @below {{'cute_nvgpu.atom.make_s2t_copy' op the tensor must lie in tmem, found smem}}
  %0 = cute_nvgpu.atom.make_s2t_copy(%atom, %tensor) : (!atom, !tensor) -> !copy
  return
}
