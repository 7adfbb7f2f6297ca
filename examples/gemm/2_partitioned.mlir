// C = A * B^T in f32: tiles and partitions, straight from global memory.
//
//   grid (M / 64, N / 64), block 256
//
// M and N are multiples of 64, K of 8. A block makes a 64 x 64 tile of C, a thread 4 x 4 elements of it, in K
// tiles of 8.
//
//   local_tile          what a block has: A (64,8,K/8), B (64,8,K/8), C (64,64)
//   tiled_mma           what its threads have: 16 x 16 of them over M x N, repeated until the tile is covered
//   mma.partition       the part of one thread: (V, M, K) of A, (V, N, K) of B, (V, M, N) of C
//   mma.make_fragment   registers of such a shape
//
// The atom is a single fma, so V is 1. Thread t is at (t / 16, t % 16): atom_layout (16,16,1):(16,1,0).

!A = !cute.memref<f32, gmem, "(?{div=64},?{div=8}):(?{i64 div=8},1)">
!B = !cute.memref<f32, gmem, "(?{div=64},?{div=8}):(?{i64 div=8},1)">
!C = !cute.memref<f32, gmem, "(?{div=64},?{div=64}):(?{i64 div=64},1)">

!tiler = !cute.tile<"[64:1;64:1;8:1]">
!block = !cute.coord<"(?,?,_)">
!tiles_AB = !cute.memref<f32, gmem, "(64,8,?):(?{i64 div=8},1,8)">
!tile_C = !cute.memref<f32, gmem, "(64,64):(?{i64 div=64},1)">

!fma = !cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >
!mma = !cute.tiled_mma<!fma, atom_layout_MNK = <"(16,16,1):(16,1,0)">>

// Parts of a thread: its next row is 16 rows on.
!parts_AB = !cute.memref<f32, gmem, "(1,4,8,?):(0,?{i64 div=128},1,8)">
!part_AB = !cute.memref<f32, gmem, "(1,4,8):(0,?{i64 div=128},1)">
!part_C = !cute.memref<f32, gmem, "(1,4,4):(0,?{i64 div=1024},16)">
!regs_AB = !cute.memref<f32, rmem, "(1,4,8):(0,8,1)">
!regs_C = !cute.memref<f32, rmem, "(1,4,4):(0,1,4)">

!copy = !cute_nvgpu.atom.universal_copy<f32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @gemm_partitioned(%A: !A, %B: !B, %C: !C) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block_m = nvvm.read.ptx.sreg.ctaid.x : i32
      %block_n = nvvm.read.ptx.sreg.ctaid.y : i32
      %t = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">

      // One tiler and one coordinate for (M, N, K); a projection drops the mode that a matrix does not have, and `_` in the
      // coordinate keeps all K tiles.
      %tiler = cute.static : !tiler
      %at = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !block
      %gA = cute.local_tile(%A, %tiler, %at, "(1,_,1)") : (!A, !tiler, !block) -> !tiles_AB
      %gB = cute.local_tile(%B, %tiler, %at, "(_,1,1)") : (!B, !tiler, !block) -> !tiles_AB
      %gC = cute.local_tile(%C, %tiler, %at, "(1,1,_)") : (!C, !tiler, !block) -> !tile_C

      %fma = cute.make_atom() : () -> !fma
      %mma = cute.make_tiled_mma(%fma) : !mma
      %tCgA = cute.tiled.mma.partition A(%mma, %gA, %t) : (!mma, !tiles_AB, !cute.coord<"?">) -> !parts_AB
      %tCgB = cute.tiled.mma.partition B(%mma, %gB, %t) : (!mma, !tiles_AB, !cute.coord<"?">) -> !parts_AB
      %tCgC = cute.tiled.mma.partition C(%mma, %gC, %t) : (!mma, !tile_C, !cute.coord<"?">) -> !part_C

      // Registers: of A and B for one K tile, in the order of the memory they mirror; the accumulators begin at zero.
      %first = cute.make_coord() : () -> !cute.coord<"(_,_,_,0)">
      %likeA = cute.slice(%tCgA, %first) : !parts_AB, !cute.coord<"(_,_,_,0)">
      %likeB = cute.slice(%tCgB, %first) : !parts_AB, !cute.coord<"(_,_,_,0)">
      %tCrA = cute.mma.make_fragment A(%mma, %likeA) : (!mma, !part_AB) -> !regs_AB
      %tCrB = cute.mma.make_fragment B(%mma, %likeB) : (!mma, !part_AB) -> !regs_AB
      %tCrC = cute.mma.make_fragment C(%mma, %tCgC) : (!mma, !part_C) -> !regs_C
      %zeros = arith.constant dense<0.0> : vector<16xf32>
      cute.memref.store_vec %zeros, %tCrC : !regs_C

      %size = cute.size<[3]>(%tCgA) : (!parts_AB) -> !cute.int_tuple<"?">
      %tiles = cute.get_scalars(%size) : !cute.int_tuple<"?">
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %copy = cute.make_atom() : () -> !copy
      scf.for %k = %c0 to %tiles step %c1 : i32 {
        %this = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
        %nowA = cute.slice(%tCgA, %this) : !parts_AB, !cute.coord<"(_,_,_,?)">
        %nowB = cute.slice(%tCgB, %this) : !parts_AB, !cute.coord<"(_,_,_,?)">
        cute.copy(%copy, %nowA, %tCrA) : (!copy, !part_AB, !regs_AB)
        cute.copy(%copy, %nowB, %tCrB) : (!copy, !part_AB, !regs_AB)
        // 4 x 4 accumulators, 8 fma each: 128 fma of 64 elements loaded.
        cute.gemm(%mma, %tCrC, %tCrA, %tCrB, %tCrC) : (!mma, !regs_C, !regs_AB, !regs_AB, !regs_C)
      }
      cute.copy(%copy, %tCrC, %tCgC) : (!copy, !regs_C, !part_C)
      gpu.return
    }
  }
}
