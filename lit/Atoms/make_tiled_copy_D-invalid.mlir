// RUN: %opt %s -split-input-file -verify-diagnostics

!atom = !cute_nvgpu.atom.universal_copy<f16, 256 b>
!ldsm = !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>
!other = !cute.tiled_copy<!ldsm, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>

func.func @too_wide(%arg0: !atom, %arg1: !other) {
  // expected-error @below {{values of a thread of a tiled copy: 8 is not a multiple of the atom's 16}}
  %0 = cute.make_tiled_copy_D(%arg0, %arg1) : !atom, !other
  return
}

// -----

!ldsm = !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>
!other = !cute.tiled_copy<!ldsm, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>

func.func @not_an_atom(%arg0: !other) {
  // expected-error @below {{operand #0 must be a copy atom}}
  %0 = cute.make_tiled_copy_D(%arg0, %arg0) : !other, !other
  return
}
