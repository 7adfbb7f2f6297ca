// C = A * B^T, f16 with accumulators in f32, where several blocks share the K tiles of a tile of C: split-K with a serial reduction.
//
//   grid (M / 64, N / 64, splits), block 128
//
// M, N and K are multiples of 64; the K tiles need not divide into equal parts, and a part may be empty. Each block multiplies its part as
// in gemm/4_tensor_cores.mlir. Then the blocks of a tile add to C one after the other, in the order of their number z, so that the sum is the
// same in every run. A counter for each tile, its semaphore, says whose turn it is:
//
//   thread 0   llvm.load .. acquire, until the counter is z     sees what was written before the release that it reads
//   all        a barrier: now they see it too
//   all        C = accumulators (z = 0), or C + accumulators
//   all        a barrier: all have written
//   thread 0   llvm.atomicrmw .. release, to z + 1, of the last block to 0, so that the next launch finds zeros
//
// The scope of both is the device. Without acquire and release a block may add to an old value of C, however long it waits. A block waits
// for blocks with smaller numbers only. CUTLASS's serial split-K relies on it, too, that the device begins them first: z is the slowest mode.
//
//   cutec run examples/splitk.mlir --grid 2,1,3 --arg "A:f16[128x320]=random(1)" --arg "B:f16[64x320]=random(2)" \
//     --arg "C:f32[128x64]" --arg "semaphores:i32[2x1]" --out C=c.npy

!A = !cute.memref<f16, gmem, align<16>, "(?{div=64},?{div=64}):(?{i64 div=64},1)">
!B = !cute.memref<f16, gmem, align<16>, "(?{div=64},?{div=64}):(?{i64 div=64},1)">
!C = !cute.memref<f32, gmem, align<16>, "(?{div=64},?{div=64}):(?{i64 div=64},1)">
!semaphores = !cute.memref<i32, gmem, "(?,?):(?,1)">

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
    gpu.func @splitk(%A: !A, %B: !B, %C: !C, %semaphores: !semaphores) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block_m = nvvm.read.ptx.sreg.ctaid.x : i32
      %block_n = nvvm.read.ptx.sreg.ctaid.y : i32
      %split = nvvm.read.ptx.sreg.ctaid.z : i32
      %splits = nvvm.read.ptx.sreg.nctaid.z : i32
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
      // Of T tiles, block z has T z / splits to T (z + 1) / splits - 1.
      %split_behind = arith.addi %split, %c1 : i32
      %begin_all = arith.muli %tiles, %split : i32
      %end_all = arith.muli %tiles, %split_behind : i32
      %begin = arith.divui %begin_all, %splits : i32
      %end = arith.divui %end_all, %splits : i32
      scf.for %k = %begin to %end step %c1 : i32 {
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

      // One thread waits until it is this block's turn, then the barrier passes on what it has seen.
      %is_thread_0 = arith.cmpi eq, %thread, %c0 : i32
      %at_tile = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !cute.coord<"(?,?)">
      %own = cute.slice(%semaphores, %at_tile) : !semaphores, !cute.coord<"(?,?)">
      %semaphore = cute.get_iter(%own) : !cute.memref<i32, gmem, "():()">
      %semaphore_p = builtin.unrealized_conversion_cast %semaphore : !cute.ptr<i32, gmem> to !llvm.ptr<1>
      scf.if %is_thread_0 {
        scf.while : () -> () {
          %turn = llvm.load %semaphore_p atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
          %waits = arith.cmpi ne, %turn, %split : i32
          scf.condition(%waits)
        } do {
          scf.yield
        }
      }
      nvvm.barrier0

      // The first block writes its sums, the others add to what is there. Two neighbours a thread and four threads a row: each access fills
      // sectors of 32 bytes.
      %pair = cute.make_atom() : () -> !store
      %is_later = arith.cmpi ne, %split, %c0 : i32
      scf.if %is_later {
        %before = cute.make_fragment_like(%tCrC) : (!regs_C) -> !regs_C
        cute.copy(%pair, %tCgC, %before) : (!store, !part_C, !regs_C)
        %sums = cute.memref.load_vec %tCrC : !regs_C
        %old = cute.memref.load_vec %before : !regs_C
        %new = arith.addf %old, %sums : vector<32xf32>
        cute.memref.store_vec %new, %tCrC : !regs_C
      }
      cute.copy(%pair, %tCrC, %tCgC) : (!store, !regs_C, !part_C)

      // All threads have written, then one of them lets the next block go on.
      nvvm.barrier0
      scf.if %is_thread_0 {
        %is_last = arith.cmpi eq, %split_behind, %splits : i32
        %next = arith.select %is_last, %c0, %split_behind : i32
        %turn = llvm.atomicrmw xchg %semaphore_p, %next syncscope("device") release : !llvm.ptr<1>, i32
      }
      gpu.return
    }
  }
}
