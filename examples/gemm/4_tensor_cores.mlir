// C = A * B^T, f16 with accumulators in f32: mma.sync, fed by ldmatrix from swizzled shared memory. One stage.
//
//   grid (M / 64, N / 64), block 128
//
// M, N and K are multiples of 64. A block makes a 64 x 64 tile of C with 2 x 2 warps; K goes by in tiles of 64, each 4
// k-blocks of the MMA's 16.
//
//   gmem (64,64):(K,1) --cp.async, 128 bits--> smem S<3,3,3> o 0 o (64,64):(64,1) --ldmatrix--> registers --mma--> accumulators
//
// A row in shared memory is 128 bytes, all 32 banks, in 8 chunks of 16 bytes. cp.async writes the chunks of a row,
// ldmatrix reads a chunk of 8 rows: in (64,64):(64,1) alone these 8 are in the same 4 banks. S<3,3,3> XORs the row (bits
// 6..8 of the index) into the chunk (bits 3..5): 8 rows at one chunk, and 8 chunks of one row, are all in different banks.
// The lower 3 bits stay: the 8 elements of a chunk are neighbours, as both instructions want.

!A = !cute.memref<f16, gmem, align<16>, "(?{div=64},?{div=64}):(?{i64 div=64},1)">
!B = !cute.memref<f16, gmem, align<16>, "(?{div=64},?{div=64}):(?{i64 div=64},1)">
!C = !cute.memref<f32, gmem, align<16>, "(?{div=64},?{div=64}):(?{i64 div=64},1)">

!tiler = !cute.tile<"[64:1;64:1;64:1]">
!block = !cute.coord<"(?,?,_)">
!tiles_AB = !cute.memref<f16, gmem, align<16>, "(64,64,?):(?{i64 div=64},1,64)">
!tile_C = !cute.memref<f32, gmem, align<16>, "(64,64):(?{i64 div=64},1)">
!smem = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (64,64):(64,1)">

// Global to shared: 8 threads load a row, 128 threads 16 rows at once, 4 times.
!g2s = !cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>
!tiled_g2s = !cute.tiled_copy<!g2s, layout_copy_tv = <"((8,16),8):((128,1),16)">, tiler_mn = <"[16:1;64:1]">>
!from = !cute.memref<f16, gmem, align<16>, "((8,1),4,1,?):((1,0),?{i64 div=1024},0,64)">
!from_k = !cute.memref<f16, gmem, align<16>, "((8,1),4,1):((1,0),?{i64 div=1024},0)">
!into = !cute.memref<f16, smem, align<16>, "((8,1),4,1):((1,0),1024,0)">

// 2 x 2 warps, 32 x 32 x 16 at once. N is 2 warps * 2 MMAs of 8 columns, so that a thread has 8 values of B in a tile: what
// one ldmatrix of 4 matrices loads.
!atom = !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >
!mma = !cute.tiled_mma<!atom, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>
!shape_A = !cute.shape<"((2,2,2),2,4)">
!shape_B = !cute.shape<"((2,2),4,4)">
!part_C = !cute.memref<f32, gmem, align<8>, "((2,2),2,4):((1,?{i64 div=512}),?{i64 div=2048},16)">
!regs_A = !cute.memref<f16, rmem, align<16>, "((2,2,2),2,4):((1,2,4),8,16)">
!regs_B = !cute.memref<f16, rmem, align<8>, "((2,2),4,4):((1,2),4,16)">
!regs_C = !cute.memref<f32, rmem, align<16>, "((2,2),2,4):((1,2),4,8)">

// Shared to registers: 4 matrices of 8 x 8 an instruction. The layouts are those of the MMA's A and B over 32 x 16:
// cute.make_tiled_copy_A and cute.make_tiled_copy_B infer them.
!ldsm = !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>
!load_A = !cute.tiled_copy<!ldsm, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>
!load_B = !cute.tiled_copy<!ldsm, layout_copy_tv = <"((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))">, tiler_mn = <"[32:1;16:1]">>
!read_A = !cute.memref<f16, smem, align<16>, "((8,1),2,(2,2)):((1,0),2048,(?{div=16},?{div=32}))">
!read_B = !cute.memref<f16, smem, align<16>, "((8,1),2,(2,2)):((1,0),2048,(?{div=16},?{div=32}))">
!loaded_A = !cute.memref<f16, rmem, align<16>, "((8,1),2,4):((1,0),8,16)">
!loaded_B = !cute.memref<f16, rmem, align<8>, "((8,1),2,4):((1,0),8,16)">

!store = !cute_nvgpu.atom.universal_copy<f32, 64 b>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @gemm_tensor_cores(%A: !A, %B: !B, %C: !C) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block_m = nvvm.read.ptx.sreg.ctaid.x : i32
      %block_n = nvvm.read.ptx.sreg.ctaid.y : i32
      %t = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">

      %tiler = cute.static : !tiler
      %at = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !block
      %gA = cute.local_tile(%A, %tiler, %at, "(1,_,1)") : (!A, !tiler, !block) -> !tiles_AB
      %gB = cute.local_tile(%B, %tiler, %at, "(_,1,1)") : (!B, !tiler, !block) -> !tiles_AB
      %gC = cute.local_tile(%C, %tiler, %at, "(1,1,_)") : (!C, !tiler, !block) -> !tile_C
      %sA = cute.memref.alloc_smem() : !smem
      %sB = cute.memref.alloc_smem() : !smem

      // Global to shared.
      %g2s_atom = cute.make_atom() : () -> !g2s
      %g2s = cute.make_tiled_copy(%g2s_atom) : !tiled_g2s
      %tAgA = cute.tiled.copy.partition_S(%g2s, %gA, %t) : (!tiled_g2s, !tiles_AB, !cute.coord<"?">) -> !from
      %tBgB = cute.tiled.copy.partition_S(%g2s, %gB, %t) : (!tiled_g2s, !tiles_AB, !cute.coord<"?">) -> !from
      %tAsA = cute.tiled.copy.partition_D(%g2s, %sA, %t) : (!tiled_g2s, !smem, !cute.coord<"?">) -> !into
      %tBsB = cute.tiled.copy.partition_D(%g2s, %sB, %t) : (!tiled_g2s, !smem, !cute.coord<"?">) -> !into

      // Registers as the MMA has them.
      %atom = cute.make_atom() : () -> !atom
      %mma = cute.make_tiled_mma(%atom) : !mma
      %tCgC = cute.tiled.mma.partition C(%mma, %gC, %t) : (!mma, !tile_C, !cute.coord<"?">) -> !part_C
      %tile = cute.static : !cute.shape<"(64,64)">
      %shapeA = cute.tiled.mma.partition_shape A(%mma, %tile) : (!mma, !cute.shape<"(64,64)">) -> !shape_A
      %shapeB = cute.tiled.mma.partition_shape B(%mma, %tile) : (!mma, !cute.shape<"(64,64)">) -> !shape_B
      %tCrA = cute.mma.make_fragment A(%mma, %shapeA) : (!mma, !shape_A) -> !regs_A
      %tCrB = cute.mma.make_fragment B(%mma, %shapeB) : (!mma, !shape_B) -> !regs_B
      %tCrC = cute.mma.make_fragment C(%mma, %tCgC) : (!mma, !part_C) -> !regs_C
      %zeros = arith.constant dense<0.0> : vector<32xf32>
      cute.memref.store_vec %zeros, %tCrC : !regs_C

      // The same registers as ldmatrix fills them, and where each thread's address is: one row of 8 a thread.
      %ldsm = cute.make_atom() : () -> !ldsm
      %loadA = cute.make_tiled_copy_A(%ldsm, %mma) : (!ldsm, !mma) -> !load_A
      %loadB = cute.make_tiled_copy_B(%ldsm, %mma) : (!ldsm, !mma) -> !load_B
      %tXsA = cute.tiled.copy.partition_S(%loadA, %sA, %t) : (!load_A, !smem, !cute.coord<"?">) -> !read_A
      %tXsB = cute.tiled.copy.partition_S(%loadB, %sB, %t) : (!load_B, !smem, !cute.coord<"?">) -> !read_B
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

        cute.copy(%loadA, %tXsA, %tXrA) : (!load_A, !read_A, !loaded_A)
        cute.copy(%loadB, %tXsB, %tXrB) : (!load_B, !read_B, !loaded_B)
        cute.gemm(%mma, %tCrC, %tCrA, %tCrB, %tCrC) : (!mma, !regs_C, !regs_A, !regs_B, !regs_C)
        nvvm.barrier0
      }

      // Two neighbours a thread and four threads a row: each store fills sectors of 32 bytes.
      %store = cute.make_atom() : () -> !store
      cute.copy(%store, %tCrC, %tCgC) : (!store, !regs_C, !part_C)
      gpu.return
    }
  }
}
