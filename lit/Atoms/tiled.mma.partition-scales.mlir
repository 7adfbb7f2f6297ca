// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s

// The scale factors of a thread, over the coordinates of the elements, and registers for them.

!nvf4 = !cute.tiled_mma<!cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 16, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, use_sf_layout_TV = true>, atom_layout_MNK = <"(4,2,1):(1,4,0)">>
!mxf8 = !cute.tiled_mma<!cute_nvgpu.SM120.mma_bs<16x8x32, vec_size = 32, elem_type = (f8E4M3FN, f8E4M3FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>, atom_layout_MNK = <"(2,2,1):(1,2,0)">>
!smem_nvf4 = !cute.memref<f8E4M3FN, smem, align<128>, "(((32,4),1),((16,4),1,2)):(((16,4),0),((0,1),0,512))">
!smem_mxf8 = !cute.memref<f8E8M0FNU, smem, align<128>, "(((32,4),1),((32,1),4,1)):(((16,4),0),((0,0),1,0))">

// CHECK-LABEL: @nvf4(
func.func @nvf4(%mma: !nvf4, %smem: !smem_nvf4, %t: !cute.coord<"?">) {
  // CHECK: cute.tiled.mma.partition SFA({{.*}} -> !cute.memref<f8E4M3FN, smem, align<4>, "((16,4),2,2):((0,1),8,512)">
  %a = cute.tiled.mma.partition SFA(%mma, %smem, %t) : (!nvf4, !smem_nvf4, !cute.coord<"?">)
  // CHECK: cute.tiled.mma.partition SFB({{.*}} -> !cute.memref<f8E4M3FN, smem, align<16>, "((16,4),(2,4),2):((0,1),(256,4),512)">
  %b = cute.tiled.mma.partition SFB(%mma, %smem, %t) : (!nvf4, !smem_nvf4, !cute.coord<"?">)
  // CHECK: cute.mma.make_fragment SFA({{.*}} -> !cute.memref<f8E4M3FN, rmem, align<4>, "((16,4),2,2):((0,1),4,8)">
  %ra = cute.mma.make_fragment SFA(%mma, %a) : (!nvf4, !cute.memref<f8E4M3FN, smem, align<4>, "((16,4),2,2):((0,1),8,512)">) -> !cute.memref<f8E4M3FN, rmem, align<4>, "((16,4),2,2):((0,1),4,8)">
  return
}

// CHECK-LABEL: @mxf8(
func.func @mxf8(%mma: !mxf8, %smem: !smem_mxf8, %t: !cute.coord<"?">) {
  // CHECK: cute.tiled.mma.partition SFA({{.*}} -> !cute.memref<f8E8M0FNU, smem, align<16>, "(32,4,4):(0,4,1)">
  %a = cute.tiled.mma.partition SFA(%mma, %smem, %t) : (!mxf8, !smem_mxf8, !cute.coord<"?">)
  // The factors of four k-blocks are a word.
  // CHECK: cute.mma.make_fragment SFA({{.*}} -> !cute.memref<f8E8M0FNU, rmem, "(32,4,4):(0,4,1)">
  %ra = cute.mma.make_fragment SFA(%mma, %a) : (!mxf8, !cute.memref<f8E8M0FNU, smem, align<16>, "(32,4,4):(0,4,1)">) -> !cute.memref<f8E8M0FNU, rmem, "(32,4,4):(0,4,1)">
  %tile = cute.static : !cute.shape<"(128,128)">
  // CHECK: cute.tiled.mma.partition_shape SFB({{.*}} -> !cute.shape<"(32,8,4)">
  %shape = cute.tiled.mma.partition_shape SFB(%mma, %tile) : (!mxf8, !cute.shape<"(128,128)">)
  // CHECK: cute.mma.make_fragment SFB({{.*}} -> !cute.memref<f8E8M0FNU, rmem, "((32,1),8,4):((0,1),1,8)">
  %rb = cute.mma.make_fragment SFB(%mma, %shape) : (!mxf8, !cute.shape<"(32,8,4)">) -> !cute.memref<f8E8M0FNU, rmem, "((32,1),8,4):((0,1),1,8)">
  return
}
