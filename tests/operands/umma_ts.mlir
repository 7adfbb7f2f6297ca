// C = A * B^T for A and B of 256 x 64, by tcgen05.mma with A in tensor memory: threads store their rows of A there, and descriptors
// name B.

!matrix = !cute.memref<f16, gmem, align<16>, "(256,64):(64,1)">
!matrix_C = !cute.memref<f32, gmem, align<16>, "(256,256):(256,1)">
!smem = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(128,64):(64,1)">
!tiler = !cute.tile<"[128:1;128:1;64:1]">
!block = !cute.coord<"(?,?,0)">
!t = !cute.coord<"?">

!g2s = !cute.tiled_copy<!cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>, layout_copy_tv = <"((8,16),8):((128,1),16)">, tiler_mn = <"[16:1;64:1]">>
!tile = !cute.memref<f16, gmem, align<16>, "(128,64):(64,1)">
!tile_C = !cute.memref<f32, gmem, align<16>, "(128,128):(256,1)">
!from = !cute.memref<f16, gmem, align<16>, "((8,1),8,1):((1,0),1024,0)">
!into = !cute.memref<f16, smem, align<16>, S<3,4,3>, "((8,1),8,1):((1,0),1024,0)">

!atom = !cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ts, c_scale_exp = 0>
!mma = !cute.tiled_mma<!atom, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!tmem = !cute.ptr<f32, tmem, align<16>>
!tmem_A = !cute.ptr<f16, tmem, align<16>>
!accumulators = !cute.memref<f32, tmem, align<16>, "((128,128),1,1):((65536,1),0,0)">
!rows_C = !cute.memref<f32, tmem, align<16>, "(128,128):(65536,1)">
!rows_A = !cute.memref<f16, tmem, align<16>, "(128,64):(131072,1)">
!left = !cute.memref<f16, tmem, align<16>, "((128,16),1,4):((131072,1),0,16)">
!left_k = !cute.memref<f16, tmem, align<16>, "((128,16),1):((131072,1),0)">
!part_B = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,16),1,4):((64,1),0,16)">
!descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,2)">
!desc = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1):(0,0)">
!store = !cute_nvgpu.atom.tmem_store<f16, 32 DP, 32 bit, x32>
!stores = !cute.tiled_copy<!store, layout_copy_tv = <"((32,4),(64,32)):((0,1),(128,4))">, tiler_mn = <"[(4,32):(32,1);64:1]">>
!load = !cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x128>
!loads = !cute.tiled_copy<!load, layout_copy_tv = <"((32,4),(128,32)):((0,1),(128,4))">, tiler_mn = <"[(4,32):(32,1);128:1]">>
!row_A = !cute.memref<f16, gmem, align<16>, "((64,1),1,1):((1,0),0,0)">
!kept_A = !cute.memref<f16, rmem, align<16>, "((64,1),1,1):((1,0),0,0)">
!stored = !cute.memref<f16, tmem, align<16>, "(((64,32),1),1,1):(((1,131072),0),0,0)">
!loaded = !cute.memref<f32, tmem, align<16>, "(((128,32),1),1,1):(((1,65536),0),0,0)">
!kept_C = !cute.memref<f32, rmem, align<16>, "((128,1),1,1):((1,0),0,0)">
!row_C = !cute.memref<f32, gmem, align<16>, "((128,1),1,1):((1,0),0,0)">
!eight = !cute_nvgpu.atom.universal_copy<f16, 128 b>
!four = !cute_nvgpu.atom.universal_copy<f32, 128 b>
!word = !cute.memref<i32, smem, align<8>, "1:0">
!address = !cute.ptr<i32, smem, align<8>>
!one = !cute.memref<i64, smem, align<8>, "1:0">

gpu.module @kernels {
  gpu.func @product(%A: !matrix, %B: !matrix, %C: !matrix_C) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %false = arith.constant false
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %columns = arith.constant 256 : i32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %m = nvvm.read.ptx.sreg.ctaid.x : i32
    %n = nvvm.read.ptx.sreg.ctaid.y : i32
    %warp_of = arith.divui %thread, %c32 : i32
    %warp = cute_nvgpu.arch.make_warp_uniform(%warp_of) : i32
    %is_first = arith.cmpi eq, %warp, %c0 : i32
    %t = cute.make_coord(%thread) : (i32) -> !t
    %at = cute.make_coord(%m, %n) : (i32, i32) -> !block
    %tiler = cute.static : !tiler
    %gA = cute.local_tile(%A, %tiler, %at, "(1,_,1)") : (!matrix, !tiler, !block)
    %gB = cute.local_tile(%B, %tiler, %at, "(_,1,1)") : (!matrix, !tiler, !block)
    %gC = cute.local_tile(%C, %tiler, %at, "(1,1,_)") : (!matrix_C, !tiler, !block)
    %sB = cute.memref.alloc_smem() : !smem
    %barrier = cute.memref.alloc_smem() : !one
    %where = cute.memref.alloc_smem() : !word
    %over = cute.get_iter(%barrier) : !one
    %over_p = builtin.unrealized_conversion_cast %over : !cute.ptr<i64, smem> to !llvm.ptr<3>
    %kept = cute.get_iter(%where) : !word
    scf.if %is_first {
      %one = nvvm.elect.sync -> i1
      scf.if %one {
        nvvm.mbarrier.init %over_p, %c1 : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }
      cute_nvgpu.arch.sm100.alloc_tmem(%columns, %kept) [cta_1] : i32, !address
      cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit [cta_1]
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    // The accumulators take the first 128 columns, and A 32 after them.
    %tmem = cute_nvgpu.arch.sm100.retrieve_tmem_ptr(%kept) : !address -> !tmem
    %after = cute.static : !cute.int_tuple<"128">
    %words_A = cute.add_offset(%tmem, %after) : (!tmem, !cute.int_tuple<"128">)
    %ptr_A = cute.recast_iter(%words_A) : !tmem to !tmem_A
    %accumulators = cute.make_view(%tmem) : !accumulators
    %rows_C = cute.make_view(%tmem) : !rows_C
    %rows_A = cute.make_view(%ptr_A) : !rows_A
    %tCtA = cute.make_view(%ptr_A) : !left

    // B to shared memory, and A to tensor memory.
    %g2s_atom = cute.make_atom() : () -> !cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>
    %g2s = cute.make_tiled_copy(%g2s_atom) : !g2s
    %tBgB = cute.tiled.copy.partition_S(%g2s, %gB, %t) : (!g2s, !tile, !t)
    %tBsB = cute.tiled.copy.partition_D(%g2s, %sB, %t) : (!g2s, !smem, !t)
    cute.copy(%g2s, %tBgB, %tBsB) : (!g2s, !from, !into)
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    %store = cute.make_atom() : () -> !store
    %stores = cute_nvgpu.atom.make_tmem_copy(%store, %rows_A) : (!store, !rows_A)
    %tAgA = cute.tiled.copy.partition_S(%stores, %gA, %t) : (!stores, !tile, !t)
    %tAtA = cute.tiled.copy.partition_D(%stores, %rows_A, %t) : (!stores, !rows_A, !t)
    %row_A = cute.memref.alloca() : !kept_A
    %eight = cute.make_atom() : () -> !eight
    cute.copy(%eight, %tAgA, %row_A) : (!eight, !row_A, !kept_A)
    cute.copy(%store, %row_A, %tAtA) : (!store, !kept_A, !stored)
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    nvvm.tcgen05.fence <after>

    scf.if %is_first {
      %atom = cute.make_atom(%false, %false, %false) : (i1, i1, i1) -> !atom
      %mma = cute.make_tiled_mma(%atom) : !mma
      %cta = cute.make_coord() : () -> !cute.coord<"0">
      %tCsB = cute.tiled.mma.partition B(%mma, %sB, %cta) : (!mma, !smem, !cute.coord<"0">)
      %dB = cute.mma.make_fragment B(%mma, %tCsB) : (!mma, !part_B) -> !descs
      scf.for %block = %c0 to %c4 step %c1 iter_args(%now = %mma) -> (!mma) : i32 {
        %at_block = cute.make_coord(%block) : (i32) -> !cute.coord<"(_,_,?)">
        %a = cute.slice(%tCtA, %at_block) : !left, !cute.coord<"(_,_,?)">
        %b = cute.slice(%dB, %at_block) : !descs, !cute.coord<"(_,_,?)">
        cute.gemm(%now, %accumulators, %a, %b, %accumulators) : (!mma, !accumulators, !left_k, !desc, !accumulators)
        %then = cute_nvgpu.atom.set_value(%now, %true : i1) {field = #cute_nvgpu.atom_mma_field_sm100<accum_c>} : !mma
        scf.yield %then : !mma
      }
      %one = nvvm.elect.sync -> i1
      scf.if %one {
        nvvm.tcgen05.commit %over_p : !llvm.ptr<3>
      }
    }
    nvvm.mbarrier.try_wait.parity %over_p, %c0, %c1 : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>

    // Each thread stores its row of C.
    %load = cute.make_atom() : () -> !load
    %loads = cute_nvgpu.atom.make_tmem_copy(%load, %rows_C) : (!load, !rows_C)
    %tCtC = cute.tiled.copy.partition_S(%loads, %rows_C, %t) : (!loads, !rows_C, !t)
    %tCgC = cute.tiled.copy.partition_D(%loads, %gC, %t) : (!loads, !tile_C, !t)
    %row_C = cute.memref.alloca() : !kept_C
    cute.copy(%load, %tCtC, %row_C) : (!load, !loaded, !kept_C)
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %is_first {
      cute_nvgpu.arch.sm100.dealloc_tmem(%tmem, %columns) [cta_1] : !tmem, i32
    }
    %four = cute.make_atom() : () -> !four
    cute.copy(%four, %row_C, %tCgC) : (!four, !kept_C, !row_C)
    gpu.return
  }
}
