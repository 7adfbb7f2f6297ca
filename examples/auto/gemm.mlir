// D = A * B^T, f16 with accumulators in f32, whose layouts of shared memory and arrangements of threads are left open: `auto`.
//
//   grid (M / 64, N / 64), block 128
//
// M, N and K are multiples of 64. A block makes a 64 x 64 tile of D with 2 x 2 warps, as in examples/gemm/4_tensor_cores.mlir; K goes by
// in tiles of 64. D passes through shared memory, so that each store to global memory has 128 bits.
//
//   gmem --cp.async, 128 bits--> smem --ldmatrix--> registers --mma--> accumulators --> smem --128 bits--> gmem
//
//   cutec run examples/auto/gemm.mlir --grid 2,2 --arg "A:f16[128x64]=random(1)" --arg "B:f16[128x64]=random(2)" --arg "D:f32[128x128]"
//
// The author states the algorithm: which tiles there are, the MMA, and by which instruction each copy moves them. Five choices are open:
// the layouts of the three tiles in shared memory, and which thread copies which elements from and to global memory. Their types are
// placeholders, with which the module verifies: tiles are row-major, and threads go down the rows. Placeholders would take 8 times the
// least wavefronts at ldmatrix, and 16 rows of a matrix per request. The pass `cute-assign-layouts`, the first of `cute-compile`, replaces
// them, and infers the types that follow:
//
//   sA, sB   S<3,3,3> o (64,64):(64,1) the 8 rows of which ldmatrix reads a chunk of 16 bytes are in different banks. They would be with the
//            pitch of 144 bytes in (64,64):(72,1), too. Addresses behind a swizzle need registers of their own, those that differ by
//            constants do not: the pass forgives a few registers, and padding takes more memory.
//   sD       (64,64):(72,1)            pairs from 8 rows, as the MMA has them, and vectors along rows are both free of conflicts.
//   g2s      ((8,16),8):((128,1),16)   8 threads load the 128 bytes of a row: 4 lines of memory per warp.
//   s2g      ((16,8),4):((32,1),8)     16 threads store the 256 bytes of a row.
//
// Whoever writes one of them into the type, without `auto`, has made that choice, and the others follow it (docs/auto.md).

!A = !cute.memref<f16, gmem, align<16>, "(?{div=64},?{div=64}):(?{i64 div=64},1)">
!B = !cute.memref<f16, gmem, align<16>, "(?{div=64},?{div=64}):(?{i64 div=64},1)">
!D = !cute.memref<f32, gmem, align<16>, "(?{div=64},?{div=64}):(?{i64 div=64},1)">

!t = !cute.coord<"?">
!tiler = !cute.tile<"[64:1;64:1;64:1]">
!block = !cute.coord<"(?,?,_)">
!tiles_AB = !cute.memref<f16, gmem, align<16>, "(64,64,?):(?{i64 div=64},1,64)">
!tile_D = !cute.memref<f32, gmem, align<16>, "(64,64):(?{i64 div=64},1)">

// Placeholders: a layout of the shape; any arrangement with the same atom, tile and number of values.
!smem = !cute.memref<f16, smem, align<16>, "(64,64):(64,1)">
!smem_D = !cute.memref<f32, smem, align<16>, "(64,64):(64,1)">
!g2s = !cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>
!s2g = !cute_nvgpu.atom.universal_copy<f32, 128 b>
!tiled_g2s = !cute.tiled_copy<!g2s, layout_copy_tv = <"((16,8),8):((1,128),16)">, tiler_mn = <"[16:1;64:1]">>
!tiled_s2g = !cute.tiled_copy<!s2g, layout_copy_tv = <"((8,16),4):((1,32),8)">, tiler_mn = <"[8:1;64:1]">>

// Their partitions, whose types the pass infers again.
!from = !cute.memref<f16, gmem, align<16>, "((8,1),4,1,?):((1,0),?{i64 div=1024},0,64)">
!from_k = !cute.memref<f16, gmem, align<16>, "((8,1),4,1):((1,0),?{i64 div=1024},0)">
!into = !cute.memref<f16, smem, align<16>, "((8,1),4,1):((1,0),1024,0)">
!read = !cute.memref<f16, smem, align<16>, "((8,1),2,4):((1,0),2048,16)">
!part_D = !cute.memref<f32, smem, align<8>, "((2,2),2,4):((1,512),2048,16)">
!from_D = !cute.memref<f32, smem, align<16>, "((4,1),8,1):((1,0),512,0)">
!into_D = !cute.memref<f32, gmem, align<16>, "((4,1),8,1):((1,0),?{i64 div=512},0)">

!atom = !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >
!mma = !cute.tiled_mma<!atom, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>
!shape_A = !cute.shape<"((2,2,2),2,4)">
!shape_B = !cute.shape<"((2,2),4,4)">
!shape_C = !cute.shape<"((2,2),2,4)">
!regs_A = !cute.memref<f16, rmem, align<16>, "((2,2,2),2,4):((1,2,4),8,16)">
!regs_B = !cute.memref<f16, rmem, align<8>, "((2,2),4,4):((1,2),4,16)">
!regs_C = !cute.memref<f32, rmem, align<16>, "((2,2),2,4):((1,2),4,8)">

!ldsm = !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>
!load_A = !cute.tiled_copy<!ldsm, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>
!load_B = !cute.tiled_copy<!ldsm, layout_copy_tv = <"((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))">, tiler_mn = <"[32:1;16:1]">>
!loaded_A = !cute.memref<f16, rmem, align<16>, "((8,1),2,4):((1,0),8,16)">
!loaded_B = !cute.memref<f16, rmem, align<8>, "((8,1),2,4):((1,0),8,16)">

!store = !cute_nvgpu.atom.universal_copy<f32, 64 b>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @gemm_auto(%A: !A, %B: !B, %D: !D) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block_m = nvvm.read.ptx.sreg.ctaid.x : i32
      %block_n = nvvm.read.ptx.sreg.ctaid.y : i32
      %t = cute.make_coord(%thread) : (i32) -> !t

      %tiler = cute.static : !tiler
      %at = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !block
      %gA = cute.local_tile(%A, %tiler, %at, "(1,_,1)") : (!A, !tiler, !block) -> !tiles_AB
      %gB = cute.local_tile(%B, %tiler, %at, "(_,1,1)") : (!B, !tiler, !block) -> !tiles_AB
      %gD = cute.local_tile(%D, %tiler, %at, "(1,1,_)") : (!D, !tiler, !block) -> !tile_D

      // The five choices.
      %sA = cute.memref.alloc_smem() layout = auto : !smem
      %sB = cute.memref.alloc_smem() layout = auto : !smem
      %sD = cute.memref.alloc_smem() layout = auto : !smem_D
      %g2s_atom = cute.make_atom() : () -> !g2s
      %g2s = cute.make_tiled_copy(%g2s_atom) auto : !tiled_g2s
      %s2g_atom = cute.make_atom() : () -> !s2g
      %s2g = cute.make_tiled_copy(%s2g_atom) auto : !tiled_s2g

      %tAgA = cute.tiled.copy.partition_S(%g2s, %gA, %t) : (!tiled_g2s, !tiles_AB, !t) -> !from
      %tBgB = cute.tiled.copy.partition_S(%g2s, %gB, %t) : (!tiled_g2s, !tiles_AB, !t) -> !from
      %tAsA = cute.tiled.copy.partition_D(%g2s, %sA, %t) : (!tiled_g2s, !smem, !t) -> !into
      %tBsB = cute.tiled.copy.partition_D(%g2s, %sB, %t) : (!tiled_g2s, !smem, !t) -> !into

      // Registers as the MMA has them, and as ldmatrix fills them.
      %atom = cute.make_atom() : () -> !atom
      %mma = cute.make_tiled_mma(%atom) : !mma
      %tile = cute.static : !cute.shape<"(64,64)">
      %shapeA = cute.tiled.mma.partition_shape A(%mma, %tile) : (!mma, !cute.shape<"(64,64)">) -> !shape_A
      %shapeB = cute.tiled.mma.partition_shape B(%mma, %tile) : (!mma, !cute.shape<"(64,64)">) -> !shape_B
      %shapeC = cute.tiled.mma.partition_shape C(%mma, %tile) : (!mma, !cute.shape<"(64,64)">) -> !shape_C
      %tCrA = cute.mma.make_fragment A(%mma, %shapeA) : (!mma, !shape_A) -> !regs_A
      %tCrB = cute.mma.make_fragment B(%mma, %shapeB) : (!mma, !shape_B) -> !regs_B
      %tCrC = cute.mma.make_fragment C(%mma, %shapeC) : (!mma, !shape_C) -> !regs_C
      %zeros = arith.constant dense<0.0> : vector<32xf32>
      cute.memref.store_vec %zeros, %tCrC : !regs_C

      %ldsm = cute.make_atom() : () -> !ldsm
      %loadA = cute.make_tiled_copy_A(%ldsm, %mma) : (!ldsm, !mma) -> !load_A
      %loadB = cute.make_tiled_copy_B(%ldsm, %mma) : (!ldsm, !mma) -> !load_B
      %tXsA = cute.tiled.copy.partition_S(%loadA, %sA, %t) : (!load_A, !smem, !t) -> !read
      %tXsB = cute.tiled.copy.partition_S(%loadB, %sB, %t) : (!load_B, !smem, !t) -> !read
      %tXrA = cute.tiled.copy.retile(%loadA, %tCrA) : (!load_A, !regs_A) -> !loaded_A
      %tXrB = cute.tiled.copy.retile(%loadB, %tCrB) : (!load_B, !regs_B) -> !loaded_B

      %size = cute.size<[3]>(%tAgA) : (!from) -> !cute.int_tuple<"?">
      %tiles = cute.get_scalars(%size) : !cute.int_tuple<"?">
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      scf.for %k = %c0 to %tiles step %c1 : i32 {
        %this = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
        %nowA = cute.slice(%tAgA, %this) : !from, !cute.coord<"(_,_,_,?)">
        %nowB = cute.slice(%tBgB, %this) : !from, !cute.coord<"(_,_,_,?)">
        cute.copy(%g2s, %nowA, %tAsA) : (!tiled_g2s, !from_k, !into)
        cute.copy(%g2s, %nowB, %tBsB) : (!tiled_g2s, !from_k, !into)
        nvvm.cp.async.commit.group
        nvvm.cp.async.wait.group 0
        nvvm.barrier0

        cute.copy(%loadA, %tXsA, %tXrA) : (!load_A, !read, !loaded_A)
        cute.copy(%loadB, %tXsB, %tXrB) : (!load_B, !read, !loaded_B)
        cute.gemm(%mma, %tCrC, %tCrA, %tCrB, %tCrC) : (!mma, !regs_C, !regs_A, !regs_B, !regs_C)
        nvvm.barrier0
      }

      // Each thread stores what the MMA gave it, and copies pieces of rows.
      %tCsD = cute.tiled.mma.partition C(%mma, %sD, %t) : (!mma, !smem_D, !t) -> !part_D
      %tDsD = cute.tiled.copy.partition_S(%s2g, %sD, %t) : (!tiled_s2g, !smem_D, !t) -> !from_D
      %tDgD = cute.tiled.copy.partition_D(%s2g, %gD, %t) : (!tiled_s2g, !tile_D, !t) -> !into_D
      %store = cute.make_atom() : () -> !store
      cute.copy(%store, %tCrC, %tCsD) : (!store, !regs_C, !part_D)
      nvvm.barrier0
      cute.copy(%s2g, %tDsD, %tDgD) : (!tiled_s2g, !from_D, !into_D)
      gpu.return
    }
  }
}
