// RUN: %opt %s --pass-pipeline='builtin.module(cute-expand-copy-gemm,cute-lower-atoms{target=sm_100a},cute-to-base)' | FileCheck %s

// tcgen05.cp: a warp comes to it, and one lane of it issues it.

// CHECK-LABEL: @whole(
// CHECK: nvvm.elect.sync
// CHECK: %[[TO:.*]] = llvm.inttoptr %{{.*}} : i32 to !llvm.ptr<6>
// CHECK: nvvm.tcgen05.cp %[[TO]], %{{.*}} {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
!whole_atom = !cute_nvgpu.atom.s2t_copy<f16, 128 DP, 256 bit, 1 cta>
!whole_descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "((128,2)):((1,128))">
!whole_tensor = !cute.memref<f16, tmem, align<16>, "((128,16)):((131072,1))">
func.func @whole(%from: !whole_descs, %to: !whole_tensor) {
  %atom = cute.make_atom() : () -> !whole_atom
  cute.copy(%atom, %from, %to) : (!whole_atom, !whole_descs, !whole_tensor)
  return
}

// CHECK-LABEL: @pair(
// CHECK: nvvm.elect.sync
// CHECK: %[[TO:.*]] = llvm.inttoptr %{{.*}} : i32 to !llvm.ptr<6>
// CHECK: nvvm.tcgen05.cp %[[TO]], %{{.*}} {group = #nvvm.cta_group<cta_2>, shape = #nvvm.tcgen05_cp_shape<shape_128x128b>}
!pair_atom = !cute_nvgpu.atom.s2t_copy<f16, 128 DP, 128 bit, 2 cta>
!pair_descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "((128,1)):((1,0))">
!pair_tensor = !cute.memref<f16, tmem, align<16>, "((128,8)):((131072,1))">
func.func @pair(%from: !pair_descs, %to: !pair_tensor) {
  %atom = cute.make_atom() : () -> !pair_atom
  cute.copy(%atom, %from, %to) : (!pair_atom, !pair_descs, !pair_tensor)
  return
}

// CHECK-LABEL: @refresh(
// CHECK: nvvm.elect.sync
// CHECK: %[[TO:.*]] = llvm.inttoptr %{{.*}} : i32 to !llvm.ptr<6>
// CHECK: nvvm.tcgen05.cp %[[TO]], %{{.*}} {shape = #nvvm.tcgen05_cp_shape<shape_4x256b>}
!refresh_atom = !cute_nvgpu.atom.s2t_copy<f16, 4 DP, 256 bit, 1 cta>
!refresh_descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "((4,2)):((1,8))">
!refresh_tensor = !cute.memref<f16, tmem, align<16>, "((4,16)):((4194304,1))">
func.func @refresh(%from: !refresh_descs, %to: !refresh_tensor) {
  %atom = cute.make_atom() : () -> !refresh_atom
  cute.copy(%atom, %from, %to) : (!refresh_atom, !refresh_descs, !refresh_tensor)
  return
}

// CHECK-LABEL: @four(
// CHECK: nvvm.elect.sync
// CHECK: %[[TO:.*]] = llvm.inttoptr %{{.*}} : i32 to !llvm.ptr<6>
// CHECK: nvvm.tcgen05.cp %[[TO]], %{{.*}} {multicast = #nvvm.tcgen05_cp_multicast<warpx4>, shape = #nvvm.tcgen05_cp_shape<shape_32x128b>}
!four_atom = !cute_nvgpu.atom.s2t_copy<f8E8M0FNU, 32 DP, 128 bit, 1 cta, x4>
!four_descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "((32,1,4)):((1,0,0))">
!four_tensor = !cute.memref<f8E8M0FNU, tmem, align<16>, "((32,16,4)):((262144,1,8388608))">
func.func @four(%from: !four_descs, %to: !four_tensor) {
  %atom = cute.make_atom() : () -> !four_atom
  cute.copy(%atom, %from, %to) : (!four_atom, !four_descs, !four_tensor)
  return
}

// CHECK-LABEL: @two_halves(
// CHECK: nvvm.elect.sync
// CHECK: %[[TO:.*]] = llvm.inttoptr %{{.*}} : i32 to !llvm.ptr<6>
// CHECK: nvvm.tcgen05.cp %[[TO]], %{{.*}} {multicast = #nvvm.tcgen05_cp_multicast<warpx2_01_23>, shape = #nvvm.tcgen05_cp_shape<shape_64x128b>}
!two_halves_atom = !cute_nvgpu.atom.s2t_copy<f16, 64 DP, 128 bit, 1 cta, lw_0123>
!two_halves_descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "((32,1,2,2)):((1,0,32,0))">
!two_halves_tensor = !cute.memref<f16, tmem, align<16>, "((32,8,2,2)):((131072,1,8388608,4194304))">
func.func @two_halves(%from: !two_halves_descs, %to: !two_halves_tensor) {
  %atom = cute.make_atom() : () -> !two_halves_atom
  cute.copy(%atom, %from, %to) : (!two_halves_atom, !two_halves_descs, !two_halves_tensor)
  return
}

// CHECK-LABEL: @two(
// CHECK: nvvm.elect.sync
// CHECK: %[[TO:.*]] = llvm.inttoptr %{{.*}} : i32 to !llvm.ptr<6>
// CHECK: nvvm.tcgen05.cp %[[TO]], %{{.*}} {group = #nvvm.cta_group<cta_2>, multicast = #nvvm.tcgen05_cp_multicast<warpx2_02_13>, shape = #nvvm.tcgen05_cp_shape<shape_64x128b>}
!two_atom = !cute_nvgpu.atom.s2t_copy<f16, 64 DP, 128 bit, 2 cta, lw_0213>
!two_descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "((64,1,2)):((1,0,0))">
!two_tensor = !cute.memref<f16, tmem, align<16>, "((64,8,2)):((131072,1,8388608))">
func.func @two(%from: !two_descs, %to: !two_tensor) {
  %atom = cute.make_atom() : () -> !two_atom
  cute.copy(%atom, %from, %to) : (!two_atom, !two_descs, !two_tensor)
  return
}
