// RUN: %opt %s --pass-pipeline='builtin.module(cute-check-fragments)' | FileCheck %s
// RUN: %opt %S/../../examples/gemm/4_tensor_cores.mlir --pass-pipeline='builtin.module(cute-check-fragments)' | FileCheck %s --check-prefix=EXAMPLE

// Code that is correct, or may be, is not changed.

// EXAMPLE: gpu.func @gemm_tensor_cores
// CHECK: func.func @same_order


// K in another order, in A and in B.
!one = !cute_nvgpu.atom.universal_copy<f16, 16 b>
!load_A = !cute.tiled_copy<!one, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((256,8,32),(0,0)))">, tiler_mn = <"[32:1;16:1]">>
!load_B = !cute.tiled_copy<!one, layout_copy_tv = <"((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((256,32),(16,0)))">, tiler_mn = <"[32:1;16:1]">>
!mma = !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>
!tile = !cute.memref<f16, smem, align<128>, "(64,64):(64,1)">
!regs_A = !cute.memref<f16, rmem, align<16>, "((2,2,2),2,4):((1,2,4),8,16)">
!regs_B = !cute.memref<f16, rmem, align<8>, "((2,2),4,4):((1,2),4,16)">
!regs_C = !cute.memref<f32, rmem, align<16>, "((2,2),2,4):((1,2),4,8)">
!read_A = !cute.memref<f16, smem, "((1,(2,2,2)),2,4):((0,(8,512,1)),2048,16)">
!read_B = !cute.memref<f16, smem, "((1,(2,2,2)),2,4):((0,(8,1,1024)),2048,16)">
!loaded_A = !cute.memref<f16, rmem, align<16>, "((1,8),2,4):((0,1),8,16)">
!loaded_B = !cute.memref<f16, rmem, align<8>, "((1,8),2,4):((0,1),8,16)">

func.func @same_order(%load_A: !load_A, %load_B: !load_B, %mma: !mma, %A: !tile, %B: !tile, %regs_C: !regs_C, %t: !cute.coord<"?">) {
  %shape_A = cute.static : !cute.shape<"((2,2,2),2,4)">
  %shape_B = cute.static : !cute.shape<"((2,2),4,4)">
  %regs_A = cute.mma.make_fragment A(%mma, %shape_A) : (!mma, !cute.shape<"((2,2,2),2,4)">) -> !regs_A
  %regs_B = cute.mma.make_fragment B(%mma, %shape_B) : (!mma, !cute.shape<"((2,2),4,4)">) -> !regs_B
  %read_A = cute.tiled.copy.partition_S(%load_A, %A, %t) : (!load_A, !tile, !cute.coord<"?">) -> !read_A
  %read_B = cute.tiled.copy.partition_S(%load_B, %B, %t) : (!load_B, !tile, !cute.coord<"?">) -> !read_B
  %loaded_A = cute.tiled.copy.retile(%load_A, %regs_A) : (!load_A, !regs_A) -> !loaded_A
  %loaded_B = cute.tiled.copy.retile(%load_B, %regs_B) : (!load_B, !regs_B) -> !loaded_B
  cute.copy(%load_A, %read_A, %loaded_A) : (!load_A, !read_A, !loaded_A)
  cute.copy(%load_B, %read_B, %loaded_B) : (!load_B, !read_B, !loaded_B)
  cute.gemm(%mma, %regs_C, %regs_A, %regs_B, %regs_C) : (!mma, !regs_C, !regs_A, !regs_B, !regs_C)
  return
}
