// RUN: %opt %s | %opt | FileCheck %s

// Threads and values of one copy, as positions of the tile, first mode fastest.

// CHECK: @t0(!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1]">>)
func.func private @t0(!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1]">>)
// CHECK: @t1(!cute.tiled_copy<!cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>, layout_copy_tv = <"((8,4),8):((64,1),4)">, tiler_mn = <"[4:1;64:1]">>)
func.func private @t1(!cute.tiled_copy<!cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>, layout_copy_tv = <"((8,4),8):((64,1),4)">, tiler_mn = <"[4:1;64:1]">>)
