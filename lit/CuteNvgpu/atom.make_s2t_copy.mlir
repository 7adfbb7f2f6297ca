// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s

// One CTA fills tensor memory, or each of a pair. Nothing of it is left at run time.

// BASE: func.func @scales(%{{.*}}: i32) {
// BASE-NEXT: return

!scales_atom = !cute_nvgpu.atom.s2t_copy<f8E8M0FNU, 32 DP, 128 bit, 1 cta, x4>
!scales = !cute.memref<f8E8M0FNU, tmem, align<16>, "(((32,4),4),1,4):(((262144,4),8388608),0,1)">
!scales_copy = !cute.tiled_copy<!scales_atom, layout_copy_tv = <"(1,(32,(4,4),4)):(0,(1,(512,32),128))">, tiler_mn = <"[512:1;1:0;4:1]">>
// CHECK-LABEL: @scales(
// CHECK: cute_nvgpu.atom.make_s2t_copy(%{{.*}}, %arg0) : ({{.*}}) -> !cute.tiled_copy<!cute_nvgpu.atom.s2t_copy<f8E8M0FNU, 32 DP, 128 bit, 1 cta, x4>, layout_copy_tv = <"(1,(32,(4,4),4)):(0,(1,(512,32),128))">, tiler_mn = <"[512:1;1:0;4:1]">>
func.func @scales(%tensor: !scales) -> !scales_copy {
  %atom = cute.make_atom() : () -> !scales_atom
  %copy = cute_nvgpu.atom.make_s2t_copy(%atom, %tensor) : (!scales_atom, !scales) -> !scales_copy
  return %copy : !scales_copy
}

!pair_atom = !cute_nvgpu.atom.s2t_copy<f16, 128 DP, 256 bit, 2 cta>
!pair = !cute.memref<f16, tmem, align<16>, "(128,64):(131072,1)">
!pair_copy = !cute.tiled_copy<!pair_atom, layout_copy_tv = <"(2,(128,16)):(0,(1,128))">, tiler_mn = <"[128:1;16:1]">>
// CHECK-LABEL: @pair(
// CHECK: cute_nvgpu.atom.make_s2t_copy(%{{.*}}, %arg0) : ({{.*}}) -> !cute.tiled_copy<!cute_nvgpu.atom.s2t_copy<f16, 128 DP, 256 bit, 2 cta>, layout_copy_tv = <"(2,(128,16)):(0,(1,128))">, tiler_mn = <"[128:1;16:1]">>
func.func @pair(%tensor: !pair) -> !pair_copy {
  %atom = cute.make_atom() : () -> !pair_atom
  %copy = cute_nvgpu.atom.make_s2t_copy(%atom, %tensor) : (!pair_atom, !pair) -> !pair_copy
  return %copy : !pair_copy
}
