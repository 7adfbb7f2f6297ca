// C = A * B^T in f32: tiles in shared memory, loaded by cp.async, read by 128 bits.
//
//   grid (M / 64, N / 64), block 256
//
// M and N are multiples of 64, K of 8. The tiles are those of 2_partitioned.mlir, but a block reads each element of its
// tiles once from global memory, and its 256 threads share it.
//
//   gmem (64,8):(K,1) --TiledCopy of cp.async, 32 bits--> smem (64,8):(1,68) --128 bits--> registers --fma--> accumulators
//
// The copy to shared memory has threads of its own order, made for K contiguous: 8 of them read the 32 bytes of a row, a
// warp 4 rows. It transposes on the way: in shared memory the rows of a tile are contiguous, since a thread's 4 rows
// are neighbours there and come by one access of 128 bits.
//
// The columns are 68 elements apart, not 64: element (m,k) is in bank (m + 68 k) % 32 = (m + 4 k) % 32, so that the 4 rows
// of 8 columns that a warp writes are in 32 banks. With 64 the columns were in the same 4.

!A = !cute.memref<f32, gmem, "(?{div=64},?{div=8}):(?{i64 div=8},1)">
!B = !cute.memref<f32, gmem, "(?{div=64},?{div=8}):(?{i64 div=8},1)">
!C = !cute.memref<f32, gmem, align<16>, "(?{div=64},?{div=64}):(?{i64 div=64},1)">

!tiler = !cute.tile<"[64:1;64:1;8:1]">
!block = !cute.coord<"(?,?,_)">
!tiles_AB = !cute.memref<f32, gmem, "(64,8,?):(?{i64 div=8},1,8)">
!tile_C = !cute.memref<f32, gmem, align<16>, "(64,64):(?{i64 div=64},1)">
!smem = !cute.memref<f32, smem, align<16>, "(64,8):(1,68)">

// 256 threads cover 32 x 8 elements: thread t has row t / 8, column t % 8. In the tiler's column-major index that is
// t / 8 + 32 (t % 8), hence (8,32):(32,1); one value a thread.
!g2s = !cute_nvgpu.atom.simt_async_copy<f32, cache = always, 32 b>
!tiled_g2s = !cute.tiled_copy<!g2s, layout_copy_tv = <"((8,32),1):((32,1),0)">, tiler_mn = <"[32:1;8:1]">>
!from = !cute.memref<f32, gmem, "((1,1),2,1,?):((0,0),?{i64 div=256},0,8)">
!from_k = !cute.memref<f32, gmem, "((1,1),2,1):((0,0),?{i64 div=256},0)">
!into = !cute.memref<f32, smem, "((1,1),2,1):((0,0),32,0)">

// The permutation (16,4):(4,1) of M says: atom row i of repetition j is row 4 i + j. So a thread has 4 neighbours.
!fma = !cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >
!mma = !cute.tiled_mma<!fma, atom_layout_MNK = <"(16,16,1):(16,1,0)">, permutation_MNK = <"[(16,4):(4,1);(16,4):(4,1);_]">>
!part_AB = !cute.memref<f32, smem, align<16>, "(1,4,8):(0,1,68)">
!part_C = !cute.memref<f32, gmem, align<16>, "(1,4,4):(0,?{i64 div=64},1)">
!regs_AB = !cute.memref<f32, rmem, "(1,4,8):(0,1,4)">
!regs_C = !cute.memref<f32, rmem, "(1,4,4):(0,4,1)">

!copy = !cute_nvgpu.atom.universal_copy<f32, 128 b>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @gemm_shared(%A: !A, %B: !B, %C: !C) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
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

      // Global to shared: partitions of source and destination by the same threads.
      %g2s_atom = cute.make_atom() : () -> !g2s
      %g2s = cute.make_tiled_copy(%g2s_atom) : !tiled_g2s
      %tAgA = cute.tiled.copy.partition_S(%g2s, %gA, %t) : (!tiled_g2s, !tiles_AB, !cute.coord<"?">) -> !from
      %tBgB = cute.tiled.copy.partition_S(%g2s, %gB, %t) : (!tiled_g2s, !tiles_AB, !cute.coord<"?">) -> !from
      %tAsA = cute.tiled.copy.partition_D(%g2s, %sA, %t) : (!tiled_g2s, !smem, !cute.coord<"?">) -> !into
      %tBsB = cute.tiled.copy.partition_D(%g2s, %sB, %t) : (!tiled_g2s, !smem, !cute.coord<"?">) -> !into

      // Shared to registers: partitions by the threads of the MMA.
      %fma = cute.make_atom() : () -> !fma
      %mma = cute.make_tiled_mma(%fma) : !mma
      %tCsA = cute.tiled.mma.partition A(%mma, %sA, %t) : (!mma, !smem, !cute.coord<"?">) -> !part_AB
      %tCsB = cute.tiled.mma.partition B(%mma, %sB, %t) : (!mma, !smem, !cute.coord<"?">) -> !part_AB
      %tCgC = cute.tiled.mma.partition C(%mma, %gC, %t) : (!mma, !tile_C, !cute.coord<"?">) -> !part_C
      %tCrA = cute.mma.make_fragment A(%mma, %tCsA) : (!mma, !part_AB) -> !regs_AB
      %tCrB = cute.mma.make_fragment B(%mma, %tCsB) : (!mma, !part_AB) -> !regs_AB
      // make_fragment_like keeps the order of C's strides, N first: a row of accumulators is stored by one access.
      %tCrC = cute.make_fragment_like(%tCgC) : (!part_C) -> !regs_C
      %zeros = arith.constant dense<0.0> : vector<16xf32>
      cute.memref.store_vec %zeros, %tCrC : !regs_C

      // A copy takes mode 0 for the values of its atom. V is 1 here: drop it, and what is contiguous comes first.
      %no_V = cute.make_coord() : () -> !cute.coord<"(0,_,_)">
      %fromA = cute.slice(%tCsA, %no_V) : !part_AB, !cute.coord<"(0,_,_)">
      %fromB = cute.slice(%tCsB, %no_V) : !part_AB, !cute.coord<"(0,_,_)">
      %toA = cute.slice(%tCrA, %no_V) : !regs_AB, !cute.coord<"(0,_,_)">
      %toB = cute.slice(%tCrB, %no_V) : !regs_AB, !cute.coord<"(0,_,_)">

      %size = cute.size<[3]>(%tAgA) : (!from) -> !cute.int_tuple<"?">
      %tiles = cute.get_scalars(%size) : !cute.int_tuple<"?">
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %copy = cute.make_atom() : () -> !copy
      scf.for %k = %c0 to %tiles step %c1 : i32 {
        %this = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
        %nowA = cute.slice(%tAgA, %this) : !from, !cute.coord<"(_,_,_,?)">
        %nowB = cute.slice(%tBgB, %this) : !from, !cute.coord<"(_,_,_,?)">
        cute.copy(%g2s, %nowA, %tAsA) : (!tiled_g2s, !from_k, !into)
        cute.copy(%g2s, %nowB, %tBsB) : (!tiled_g2s, !from_k, !into)
        // A thread's own copies have arrived; behind the barrier, everybody's.
        nvvm.cp.async.commit.group
        nvvm.cp.async.wait.group 0
        nvvm.barrier0

        cute.copy(%copy, %fromA, %toA) : (!copy, !cute.memref<f32, smem, align<16>, "(4,8):(1,68)">, !cute.memref<f32, rmem, "(4,8):(1,4)">)
        cute.copy(%copy, %fromB, %toB) : (!copy, !cute.memref<f32, smem, align<16>, "(4,8):(1,68)">, !cute.memref<f32, rmem, "(4,8):(1,4)">)
        cute.gemm(%mma, %tCrC, %tCrA, %tCrB, %tCrC) : (!mma, !regs_C, !regs_AB, !regs_AB, !regs_C)
        // Nobody overwrites the tile while others read it.
        nvvm.barrier0
      }

      // Mode 0 is what one access stores: 4 neighbours of a row.
      %to = cute.slice(%tCgC, %no_V) : !part_C, !cute.coord<"(0,_,_)">
      %made = cute.slice(%tCrC, %no_V) : !regs_C, !cute.coord<"(0,_,_)">
      %to_rows = cute.select<[1, 0]>(%to) : !cute.memref<f32, gmem, align<16>, "(4,4):(?{i64 div=64},1)"> -> !cute.memref<f32, gmem, align<16>, "(4,4):(1,?{i64 div=64})">
      %made_rows = cute.select<[1, 0]>(%made) : !cute.memref<f32, rmem, "(4,4):(4,1)"> -> !cute.memref<f32, rmem, "(4,4):(1,4)">
      cute.copy(%copy, %made_rows, %to_rows) : (!copy, !cute.memref<f32, rmem, "(4,4):(1,4)">, !cute.memref<f32, gmem, align<16>, "(4,4):(1,?{i64 div=64})">)
      gpu.return
    }
  }
}
