// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// Errors point at the column inside the string.

// CHECK: :[[#@LINE+1]]:39: error: expected a copy atom type
func.func private @f(!cute.tiled_copy<f32, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1]">>)

// -----
// CHECK: :[[#@LINE+1]]:95: error: layout_copy_tv must be a static (thread, value) layout of rank 2, found 32:4
func.func private @f(!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32>, layout_copy_tv = <"32:4">, tiler_mn = <"[128:1]">>)

// -----
// CHECK: :[[#@LINE+1]]:95: error: layout_copy_tv must be a static (thread, value) layout of rank 2, found (?,4):(4,1)
func.func private @f(!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32>, layout_copy_tv = <"(?,4):(4,1)">, tiler_mn = <"[128:1]">>)

// -----
// CHECK: :[[#@LINE+1]]:124: error: tiler_mn must be static, found [?:1]
func.func private @f(!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32>, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[?:1]">>)

// -----
// CHECK: :[[#@LINE+1]]:107: error: invalid "(32,4):(4,1": column 12: expected `,` or `)`, found the end
func.func private @f(!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32>, layout_copy_tv = <"(32,4):(4,1">, tiler_mn = <"[128:1]">>)

// -----
// CHECK: :[[#@LINE+1]]:77: error: expected 'layout_copy_tv'
func.func private @f(!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32>, tiler_mn = <"[128:1]">>)
