// C = A * B^T for 128 x 128 matrices, by one wgmma per K block with A in registers: ldmatrix fills A, and descriptors name B.

!matrix = !cute.memref<f16, gmem, align<16>, "(128,128):(128,1)">
!matrix_C = !cute.memref<f32, gmem, align<16>, "(128,128):(128,1)">
!smem = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(64,64):(64,1)">
!tiler = !cute.tile<"[64:1;64:1;64:1]">
!block = !cute.coord<"(?,?,_)">
!t = !cute.coord<"?">

!g2s = !cute.tiled_copy<!cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>, layout_copy_tv = <"((8,16),8):((128,1),16)">, tiler_mn = <"[16:1;64:1]">>
!tiles = !cute.memref<f16, gmem, align<16>, "(64,64,2):(128,1,64)">
!tile_C = !cute.memref<f32, gmem, align<16>, "(64,64):(128,1)">

!mma = !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x64x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = rs>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!ldsm = !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>
!load = !cute.tiled_copy<!ldsm, layout_copy_tv = <"((4,8,4),((2,2,2),(1,1))):((128,1,16),((64,8,512),(0,0)))">, tiler_mn = <"[64:1;16:1]">>
!read = !cute.memref<f16, smem, align<16>, S<3,4,3>, "((8,1),1,4):((1,0),0,16)">
!loaded = !cute.memref<f16, rmem, align<16>, "((8,1),1,4):((1,0),0,8)">
!from = !cute.memref<f16, gmem, align<16>, "((8,1),4,1,2):((1,0),2048,0,64)">
!from_k = !cute.memref<f16, gmem, align<16>, "((8,1),4,1):((1,0),2048,0)">
!into = !cute.memref<f16, smem, align<16>, S<3,4,3>, "((8,1),4,1):((1,0),1024,0)">
!part_C = !cute.memref<f32, gmem, align<8>, "((2,2,8),1,1):((1,1024,8),0,0)">
!shape_A = !cute.shape<"((2,2,2),1,4)">
!regs_A = !cute.memref<f16, rmem, align<16>, "((2,2,2),1,4):((1,2,4),0,8)">
!a = !cute.memref<f16, rmem, align<16>, "((2,2,2),1):((1,2,4),0)">
!desc = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1):(0,0)">
!part_B = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),1,4):((64,1),0,16)">
!descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,2)">
!shape_C = !cute.shape<"((2,2,8),1,1)">
!accumulators = !cute.memref<f32, rmem, align<16>, "((2,2,8),1,1):((1,2,4),0,0)">
!pair = !cute_nvgpu.atom.universal_copy<f32, 64 b>

gpu.module @kernels {
  gpu.func @product(%A: !matrix, %B: !matrix, %C: !matrix_C) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %false = arith.constant false
    %true = arith.constant true
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %m = nvvm.read.ptx.sreg.ctaid.x : i32
    %n = nvvm.read.ptx.sreg.ctaid.y : i32
    %t = cute.make_coord(%thread) : (i32) -> !t
    %at = cute.make_coord(%m, %n) : (i32, i32) -> !block
    %tiler = cute.static : !tiler
    %gA = cute.local_tile(%A, %tiler, %at, "(1,_,1)") : (!matrix, !tiler, !block)
    %gB = cute.local_tile(%B, %tiler, %at, "(_,1,1)") : (!matrix, !tiler, !block)
    %gC = cute.local_tile(%C, %tiler, %at, "(1,1,_)") : (!matrix_C, !tiler, !block)
    %sA = cute.memref.alloc_smem() : !smem
    %sB = cute.memref.alloc_smem() : !smem
    %g2s_atom = cute.make_atom() : () -> !cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>
    %g2s = cute.make_tiled_copy(%g2s_atom) : !g2s
    %tAgA = cute.tiled.copy.partition_S(%g2s, %gA, %t) : (!g2s, !tiles, !t)
    %tBgB = cute.tiled.copy.partition_S(%g2s, %gB, %t) : (!g2s, !tiles, !t)
    %tAsA = cute.tiled.copy.partition_D(%g2s, %sA, %t) : (!g2s, !smem, !t)
    %tBsB = cute.tiled.copy.partition_D(%g2s, %sB, %t) : (!g2s, !smem, !t)
    %atom = cute.make_atom(%false) : (i1) -> !cute_nvgpu.sm90.mma<64x64x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = rs>
    %mma = cute.make_tiled_mma(%atom) : !mma
    %ldsm = cute.make_atom() : () -> !ldsm
    %load = cute.make_tiled_copy_A(%ldsm, %mma) : (!ldsm, !mma)
    %tXsA = cute.tiled.copy.partition_S(%load, %sA, %t) : (!load, !smem, !t)
    %shape_A = cute.static : !shape_A
    %tCrA = cute.mma.make_fragment A(%mma, %shape_A) : (!mma, !shape_A) -> !regs_A
    %tXrA = cute.tiled.copy.retile(%load, %tCrA) : (!load, !regs_A)
    %warpgroup = cute.make_coord() : () -> !cute.coord<"0">
    %tCsB = cute.tiled.mma.partition B(%mma, %sB, %warpgroup) : (!mma, !smem, !cute.coord<"0">)
    %dB = cute.mma.make_fragment B(%mma, %tCsB) : (!mma, !part_B) -> !descs
    %shape_C = cute.static : !shape_C
    %tCgC = cute.tiled.mma.partition C(%mma, %gC, %t) : (!mma, !tile_C, !t)
    %accumulators = cute.mma.make_fragment C(%mma, %shape_C) : (!mma, !shape_C) -> !accumulators
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %last = scf.for %k = %c0 to %c2 step %c1 iter_args(%before = %mma) -> (!mma) : i32 {
      %at_k = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %nowA = cute.slice(%tAgA, %at_k) : !from, !cute.coord<"(_,_,_,?)">
      %nowB = cute.slice(%tBgB, %at_k) : !from, !cute.coord<"(_,_,_,?)">
      cute.copy(%g2s, %nowA, %tAsA) : (!g2s, !from_k, !into)
      cute.copy(%g2s, %nowB, %tBsB) : (!g2s, !from_k, !into)
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 0
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.barrier0
      cute.copy(%load, %tXsA, %tXrA) : (!load, !read, !loaded)
      nvvm.wgmma.fence.aligned
      %behind = scf.for %block = %c0 to %c4 step %c1 iter_args(%now = %before) -> (!mma) : i32 {
        %at_block = cute.make_coord(%block) : (i32) -> !cute.coord<"(_,_,?)">
        %a = cute.slice(%tCrA, %at_block) : !regs_A, !cute.coord<"(_,_,?)">
        %b = cute.slice(%dB, %at_block) : !descs, !cute.coord<"(_,_,?)">
        cute.gemm(%now, %accumulators, %a, %b, %accumulators) : (!mma, !accumulators, !a, !desc, !accumulators)
        %then = cute_nvgpu.atom.set_value(%now, %true : i1) {field = #cute_nvgpu.atom_mma_field_sm90<accum_c>} : !mma
        scf.yield %then : !mma
      }
      nvvm.wgmma.commit.group.sync.aligned
      nvvm.wgmma.wait.group.sync.aligned 0
      nvvm.barrier0
      scf.yield %behind : !mma
    }
    %pair = cute.make_atom() : () -> !pair
    cute.copy(%pair, %accumulators, %tCgC) : (!pair, !accumulators, !part_C)
    gpu.return
  }
}
