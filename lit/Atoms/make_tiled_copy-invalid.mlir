// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @too_few_values(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>) -> !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,2):(2,1)">, tiler_mn = <"[64:1]">> {
  // expected-error @below {{'cute.make_tiled_copy' op layout_copy_tv (32,2):(2,1): values of a thread of a tiled copy: 2 is not a multiple of the atom's 4}}
  %0 = cute.make_tiled_copy(%arg0) : !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,2):(2,1)">, tiler_mn = <"[64:1]">>
  return %0 : !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,2):(2,1)">, tiler_mn = <"[64:1]">>
}

// -----

func.func @outside_tile(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>) -> !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[64:1]">> {
  // expected-error @below {{'cute.make_tiled_copy' op (32,4):(4,1) reaches position 127 of the tile [64:1], which has 64}}
  %0 = cute.make_tiled_copy(%arg0) : !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[64:1]">>
  return %0 : !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[64:1]">>
}

// -----

func.func @no_size(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>) -> !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[_]">> {
  // expected-error @below {{'cute.make_tiled_copy' op layout_copy_tv (32,4):(4,1): mode 0 of the tile is `_`, but an integer is required}}
  %0 = cute.make_tiled_copy(%arg0) : !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[_]">>
  return %0 : !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[_]">>
}
