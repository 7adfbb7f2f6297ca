// C = A B^T of f16 by tcgen05.mma for pairs of blocks: each has 128 rows of A and 64 of B, and the first of a pair multiplies for both.
// In custom assembly of CuTe DSL 4.7: the atom of the MMA has a vector of lanes, shared memory is allocated by ops, and the blocks agree
// by barriers of each other to free tensor memory.

!A = !cute.memref<f16, gmem, align<16>, "(?,?):(?{i64},1)">
!C = !cute.memref<f32, gmem, align<16>, "(?,?):(?{i64},1)">
!coords = !cute.coord_tensor<"(0,0)", "(?,?):(1@1,1@0)">

// Rows of 128 bytes, swizzled as the TMA and tcgen05.mma both know it.
!tile_A = !cute.composed_layout<"S<3,4,3> o 0 o ((128,16),1,4):((64,1),0,16)">
!tile_B = !cute.composed_layout<"S<3,4,3> o 0 o ((64,16),1,4):((64,1),0,16)">
!tile_C = !cute.composed_layout<"S<3,4,3> o 0 o (128,(32,4)):(32,(1,4096))">
!stages_A = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,16),1,4,4):((64,1),0,16,8192)">
!stages_B = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),1,4,4):((64,1),0,16,4096)">
!smem_C = !cute.memref<f32, smem, align<1024>, S<3,4,3>, "(128,(32,4)):(32,(1,4096))">
!barriers = !cute.memref<i64, smem, align<8>, "4:1">
!barrier = !cute.ptr<i64, smem>
!one_barrier = !cute.memref<i64, smem, align<8>, "1:0">
!word = !cute.memref<i32, smem, align<16>, "1:0">
!address = !cute.ptr<i32, smem, align<16>>
!number = !cute.int_tuple<"?">

!make_load_A = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_100_2sm, f16, copy_bits = 131072, tma_gbasis = <"(64,128):(1@1,1@0)">, tma_format = F16_RN>
!make_load_B = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_100_2sm, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>
!make_store = !cute_nvgpu.atom.non_exec_tiled_tma_store<f32, copy_bits = 131072, tma_gbasis = <"(32,128):(1@1,1@0)">, tma_format = F32_RN>
!load_A = !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 2, g_stride = <"()"> tma_gbasis = <"(64,128):(1@1,1@0)">>
!load_B = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 2, g_stride = <"()"> tma_gbasis = <"(64,64):(1@1,1@0)">>
!store = !cute_nvgpu.atom.tma_store<f32, copy_bits = 131072, mode = tiled, g_stride = <"()"> tma_gbasis = <"(32,128):(1@1,1@0)">>

// Tiles of a pair, the parts of a block, and these as boxes.
!tiles_A = !cute.coord_tensor<"(0,?{div=256})", "(256,64,?):(1@1,1@0,64@0)">
!tiles_B = !cute.coord_tensor<"(0,?{div=128})", "(128,64,?):(1@1,1@0,64@0)">
!part_A = !cute.coord_tensor<"(0,?{div=128})", "((128,16),1,4,?):((1@1,1@0),0,16@0,64@0)">
!part_B = !cute.coord_tensor<"(0,?{div=64})", "((64,16),1,4,?):((1@1,1@0),0,16@0,64@0)">
!group_A = !cute.coord_tensor<"(0,?{div=128})", "(((128,16),1,4),?):(((1@1,1@0),0,16@0),64@0)">
!group_B = !cute.coord_tensor<"(0,?{div=64})", "(((64,16),1,4),?):(((1@1,1@0),0,16@0),64@0)">
!group_sA = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(((128,16),1,4),4):(((64,1),0,16),8192)">
!group_sB = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(((64,16),1,4),4):(((64,1),0,16),4096)">
!from_A = !cute.coord_tensor<"(0,?{div=128})", "(((64,128),1),?):(((1@0,1@1),0),64@0)">
!from_B = !cute.coord_tensor<"(0,?{div=64})", "(((64,64),1),?):(((1@0,1@1),0),64@0)">
!box_A = !cute.coord_tensor<"(?{div=64},?{div=128})", "(((64,128),1)):(((1@0,1@1),0))">
!box_B = !cute.coord_tensor<"(?{div=64},?{div=64})", "(((64,64),1)):(((1@0,1@1),0))">
!into_A = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),4):((1,0),8192)">
!into_B = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((4096,1),4):((1,0),4096)">
!stage_A = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1)):((1,0))">
!stage_B = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((4096,1)):((1,0))">

!atom = !cute_nvgpu.sm100.mma<256x128x16, num_cta = 2, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>
!mma = !cute.tiled_mma<!atom, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!descs_A = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4,4):(0,0,2,1024)">
!descs_B = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4,4):(0,0,2,512)">
!desc = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1):(0,0)">

// The accumulators: row i is lane i of tensor memory, and lanes are 65536 apart; column j is column j.
!accumulators = !cute.memref<f32, tmem, align<16>, "((128,128),1,1):((65536,1),0,0)">
!tmem = !cute.ptr<f32, tmem, align<16>>
!chunks = !cute.memref<f32, tmem, align<16>, "(128,32,4):(65536,1,32)">
!chunk = !cute.memref<f32, tmem, align<16>, "(128,32):(65536,1)">

// A load gives each lane 32 columns of its row. Four warps load, each from its own 32 lanes.
!take_atom = !cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x32>
!take = !cute.tiled_copy<!take_atom, layout_copy_tv = <"((32,4),(32,32)):((0,1),(128,4))">, tiler_mn = <"[(4,32):(32,1);32:1]">>
!taken = !cute.memref<f32, tmem, align<16>, "(((32,32),1),1,1,4):(((1,65536),0),0,0,32)">
!taken_chunk = !cute.memref<f32, tmem, align<16>, "(((32,32),1),1,1):(((1,65536),0),0,0)">
!registers = !cute.memref<f32, rmem, align<16>, "((32,1),1,1):((1,0),0,0)">

// A row of them goes to shared memory, 16 bytes at a time.
!put_atom = !cute_nvgpu.atom.universal_copy<f32, 128 b>
!put = !cute.tiled_copy<!put_atom, layout_copy_tv = <"(128,32):(1,128)">, tiler_mn = <"[128:1;32:1]">>
!row_layout = !cute.layout<"((4,8),1):((1,4),0)">
!row = !cute.memref<f32, rmem, align<16>, "((4,8),1):((1,4),0)">
!rows_C = !cute.memref<f32, smem, align<128>, S<3,4,3>, "((4,8),1,4):((1,4),0,4096)">
!row_C = !cute.memref<f32, smem, align<128>, S<3,4,3>, "((4,8),1):((1,4),0)">

!tiler = !cute.tile<"[256:1;128:1;64:1]">
!tiler_C = !cute.tile<"[128:1;128:1]">
!block_C = !cute.coord<"(?,?)">
!block = !cute.coord<"(?,?,_)">
!cfg = !cuda.launch_cfg<max_attrs = 17>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @pair(%load_A: !make_load_A, %A: !coords, %load_B: !make_load_B, %B: !coords, %store_C: !make_store, %C: !coords, %mma: !mma) attributes {
        cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32},
        cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %c4 = arith.constant 4 : i32
      %c32 = arith.constant 32 : i32
      %columns = arith.constant 128 : i32
      %true = arith.constant true
      %bytes = arith.constant 49152 : i32
      %ticks = arith.constant 10000000 : i32
      %both = arith.constant 3 : i16
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block_x = nvvm.read.ptx.sreg.ctaid.x : i32
      %block_m = arith.divui %block_x, %c2 : i32
      %rank_of = nvvm.read.ptx.sreg.cluster.ctarank : i32
      %rank = cute_nvgpu.arch.make_warp_uniform(%rank_of) : i32
      %leads = arith.cmpi eq, %rank, %c0 : i32
      %peer = arith.xori %rank, %c1 : i32
      %block_n = nvvm.read.ptx.sreg.ctaid.y : i32
      %warp_of = arith.divui %thread, %c32 : i32
      %warp = cute_nvgpu.arch.make_warp_uniform(%warp_of) : i32
      %is_loader = arith.cmpi eq, %warp, %c0 : i32
      %is_multiplier = arith.cmpi eq, %warp, %c1 : i32
      %multiplies = arith.andi %is_multiplier, %leads : i1
      %allocates = arith.cmpi eq, %warp, %c2 : i32

      %fulls = cute.memref.alloca() {smem.partition_id = 0 : i32} : !barriers
      %empties = cute.memref.alloca() {smem.partition_id = 0 : i32} : !barriers
      %over = cute.memref.alloca() {smem.partition_id = 0 : i32} : !one_barrier
      %left = cute.memref.alloca() {smem.partition_id = 0 : i32} : !one_barrier
      %where = cute.memref.alloca() {smem.partition_id = 0 : i32} : !word
      %sA = cute.memref.alloca() {smem.partition_id = 1 : i32} : !stages_A
      %sB = cute.memref.alloca() {smem.partition_id = 1 : i32} : !stages_B
      %sC = cute.memref.alloca() {smem.partition_id = 1 : i32} : !smem_C
      %full = cute.get_iter(%fulls) : !barriers
      %empty = cute.get_iter(%empties) : !barriers
      %multiplied = cute.get_iter(%over) : !one_barrier
      %address = cute.get_iter(%where) : !word
      %multiplied_p = builtin.unrealized_conversion_cast %multiplied : !barrier to !llvm.ptr<3>
      %gone = cute.get_iter(%left) : !one_barrier
      %gone_p = builtin.unrealized_conversion_cast %gone : !barrier to !llvm.ptr<3>
      scf.if %is_loader {
        %one = nvvm.elect.sync -> i1
        scf.if %one {
          scf.for %stage = %c0 to %c4 step %c1 : i32 {
            %s = cute.make_int_tuple(%stage) : (i32) -> !number
            %full_s = cute.add_offset(%full, %s) : (!barrier, !number) -> !barrier
            %empty_s = cute.add_offset(%empty, %s) : (!barrier, !number) -> !barrier
            %full_p = builtin.unrealized_conversion_cast %full_s : !barrier to !llvm.ptr<3>
            %empty_p = builtin.unrealized_conversion_cast %empty_s : !barrier to !llvm.ptr<3>
            nvvm.mbarrier.init.shared %full_p, %c1 : !llvm.ptr<3>, i32
            nvvm.mbarrier.init.shared %empty_p, %c1 : !llvm.ptr<3>, i32
          }
          nvvm.mbarrier.init.shared %multiplied_p, %c1 : !llvm.ptr<3>, i32
          nvvm.mbarrier.init.shared %gone_p, %c1 : !llvm.ptr<3>, i32
        }
        nvvm.fence.mbarrier.init
        cute_nvgpu.prefetch_tma_desc(%load_A) : (!make_load_A) -> ()
        cute_nvgpu.prefetch_tma_desc(%load_B) : (!make_load_B) -> ()
      }
      nvvm.cluster.arrive.relaxed
      nvvm.cluster.wait
      scf.if %allocates {
        cute_nvgpu.arch.sm100.alloc_tmem(%columns, %address) [cta_2] : i32, !address
        cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit [cta_2]
      }
      nvvm.barrier
      %tmem = cute_nvgpu.arch.sm100.retrieve_tmem_ptr(%address) : !address -> !tmem
      %layout = cute.static : !cute.layout<"((128,128),1,1):((65536,1),0,0)">
      %accumulators = cute.make_view(%tmem, %layout) : !accumulators

      %tiler = cute.static : !tiler
      %at = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !block
      %half = cute.make_coord(%rank) : (i32) -> !cute.coord<"?">
      %cA = cute.local_tile(%A, %tiler, %at, "(1,_,1)") : (!coords, !tiler, !block) -> !tiles_A
      %cB = cute.local_tile(%B, %tiler, %at, "(_,1,1)") : (!coords, !tiler, !block) -> !tiles_B
      %pA = cute.tiled.mma.partition A (%mma, %cA, %half) : (!mma, !tiles_A, !cute.coord<"?">) -> !part_A
      %pB = cute.tiled.mma.partition B (%mma, %cB, %half) : (!mma, !tiles_B, !cute.coord<"?">) -> !part_B
      %cA1 = cute.group_modes(%pA) <0, 3> : (!part_A) -> !group_A
      %cB1 = cute.group_modes(%pB) <0, 3> : (!part_B) -> !group_B
      %sA1 = cute.group_modes(%sA) <0, 3> : (!stages_A) -> !group_sA
      %sB1 = cute.group_modes(%sB) <0, 3> : (!stages_B) -> !group_sB
      %cta = cute.make_coord() : () -> !cute.coord<"0">
      %ctas = cute.static : !cute.layout<"1:0">
      %into_A, %from_A = cute_nvgpu.atom.tma_partition(%load_A, %cta, %ctas, %sA1, %cA1) : (!make_load_A, !cute.coord<"0">, !cute.layout<"1:0">, !group_sA, !group_A) -> (!into_A, !from_A)
      %into_B, %from_B = cute_nvgpu.atom.tma_partition(%load_B, %cta, %ctas, %sB1, %cB1) : (!make_load_B, !cute.coord<"0">, !cute.layout<"1:0">, !group_sB, !group_B) -> (!into_B, !from_B)
      %size = cute.size<[1]> (%from_A) : (!from_A) -> !number
      %tiles = cute.get_scalars(%size) : !number

      scf.if %is_loader {
        scf.for %k = %c0 to %tiles step %c1 iter_args(%stage = %c0, %phase = %c1) -> (i32, i32) : i32 {
          %s = cute.make_int_tuple(%stage) : (i32) -> !number
          %full_s = cute.add_offset(%full, %s) : (!barrier, !number) -> !barrier
          %empty_s = cute.add_offset(%empty, %s) : (!barrier, !number) -> !barrier
          %full_p = builtin.unrealized_conversion_cast %full_s : !barrier to !llvm.ptr<3>
          %empty_p = builtin.unrealized_conversion_cast %empty_s : !barrier to !llvm.ptr<3>
          nvvm.mbarrier.try_wait.parity.shared %empty_p, %phase, %ticks : !llvm.ptr<3>, i32, i32
          %one = nvvm.elect.sync -> i1
          %expects = arith.andi %one, %leads : i1
          scf.if %expects {
            nvvm.mbarrier.txn %full_p, %bytes {kind = #nvvm.mbar_txn_kind<arrive_expect_tx>} : !llvm.ptr<3>, i32
          }
          %at_k = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,?)">
          %at_s = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,?)">
          %k_A = cute.slice(%from_A, %at_k) : !from_A, !cute.coord<"(_,?)">
          %k_B = cute.slice(%from_B, %at_k) : !from_B, !cute.coord<"(_,?)">
          %s_A = cute.slice(%into_A, %at_s) : !into_A, !cute.coord<"(_,?)">
          %s_B = cute.slice(%into_B, %at_s) : !into_B, !cute.coord<"(_,?)">
          %exec_A = cute_nvgpu.atom.make_exec_tma(%load_A) : (!make_load_A) -> !load_A
          %exec_B = cute_nvgpu.atom.make_exec_tma(%load_B) : (!make_load_B) -> !load_B
          %tma_A = cute_nvgpu.atom.set_value<tma_bar>(%exec_A, %full_s) : (!load_A, !barrier)
          %tma_B = cute_nvgpu.atom.set_value<tma_bar>(%exec_B, %full_s) : (!load_B, !barrier)
          cute.copy(%tma_A, %k_A, %s_A) : (!load_A, !box_A, !stage_A)
          cute.copy(%tma_B, %k_B, %s_B) : (!load_B, !box_B, !stage_B)
          %next = arith.addi %stage, %c1 : i32
          %wraps = arith.cmpi eq, %next, %c4 : i32
          %next_stage = arith.select %wraps, %c0, %next : i32
          %other = arith.xori %phase, %c1 : i32
          %next_phase = arith.select %wraps, %other, %phase : i32
          scf.yield %next_stage, %next_phase : i32, i32
        }
      }
      scf.if %multiplies {
        %dA = cute.mma.make_fragment A (%mma, %sA) : (!mma, !stages_A) -> !descs_A
        %dB = cute.mma.make_fragment B (%mma, %sB) : (!mma, !stages_B) -> !descs_B
        scf.for %k = %c0 to %tiles step %c1 iter_args(%before = %mma, %stage = %c0, %phase = %c0) -> (!mma, i32, i32) : i32 {
          %s = cute.make_int_tuple(%stage) : (i32) -> !number
          %full_s = cute.add_offset(%full, %s) : (!barrier, !number) -> !barrier
          %empty_s = cute.add_offset(%empty, %s) : (!barrier, !number) -> !barrier
          %full_p = builtin.unrealized_conversion_cast %full_s : !barrier to !llvm.ptr<3>
          %empty_p = builtin.unrealized_conversion_cast %empty_s : !barrier to !llvm.ptr<3>
          nvvm.mbarrier.try_wait.parity.shared %full_p, %phase, %ticks : !llvm.ptr<3>, i32, i32
          %behind = scf.for %block = %c0 to %c4 step %c1 iter_args(%now = %before) -> (!mma) : i32 {
            %at_block = cute.make_coord(%block, %stage) : (i32, i32) -> !cute.coord<"(_,_,?,?)">
            %a = cute.slice(%dA, %at_block) : !descs_A, !cute.coord<"(_,_,?,?)">
            %b = cute.slice(%dB, %at_block) : !descs_B, !cute.coord<"(_,_,?,?)">
            cute.gemm(%now, %accumulators, %a, %b, %accumulators) : (!mma, !accumulators, !desc, !desc, !accumulators)
            %then = cute_nvgpu.atom.set_value<accum_c>(%now, %true) : (!mma, i1)
            scf.yield %then : !mma
          }
          // The stage is empty when the MMAs that have been issued so far are complete.
          %one = nvvm.elect.sync -> i1
          scf.if %one {
            nvvm.tcgen05.commit %empty_p, multicast_mask = %both {group = #nvvm.tcgen05_group<cta_2>} : !llvm.ptr<3>, i16
          }
          %next = arith.addi %stage, %c1 : i32
          %wraps = arith.cmpi eq, %next, %c4 : i32
          %next_stage = arith.select %wraps, %c0, %next : i32
          %other = arith.xori %phase, %c1 : i32
          %next_phase = arith.select %wraps, %other, %phase : i32
          scf.yield %behind, %next_stage, %next_phase : !mma, i32, i32
        }
        %one = nvvm.elect.sync -> i1
        scf.if %one {
          nvvm.tcgen05.commit %multiplied_p, multicast_mask = %both {group = #nvvm.tcgen05_group<cta_2>} : !llvm.ptr<3>, i16
        }
      }

      // All four warps wait for the MMAs, and load.
      nvvm.mbarrier.try_wait.parity.shared %multiplied_p, %c0, %ticks : !llvm.ptr<3>, i32, i32
      %t = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
      %chunk_layout = cute.static : !cute.layout<"(128,32,4):(65536,1,32)">
      %chunks = cute.make_view(%tmem, %chunk_layout) : !chunks
      %at_first = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
      %first = cute.slice(%chunks, %at_first) : !chunks, !cute.coord<"(_,_,0)">
      %take_atom = cute.make_atom() : () -> !take_atom
      %take = cute_nvgpu.atom.make_tmem_copy(%take_atom, %first) : (!take_atom, !chunk) -> !take
      %taken = cute.tiled.copy.partition_S(%take, %chunks, %t) : (!take, !chunks, !cute.coord<"?">) -> !taken
      %put_atom = cute.make_atom() : () -> !put_atom
      %put = cute.make_tiled_copy(%put_atom) : !put
      %rows_C = cute.tiled.copy.partition_D(%put, %sC, %t) : (!put, !smem_C, !cute.coord<"?">) -> !rows_C
      %registers = cute.memref.alloca() : !registers
      %numbers = cute.get_iter(%registers) : !registers
      %row_layout = cute.static : !row_layout
      %row = cute.make_view(%numbers, %row_layout) : !row
      scf.for %part = %c0 to %c4 step %c1 : i32 {
        %at_part = cute.make_coord(%part) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from = cute.slice(%taken, %at_part) : !taken, !cute.coord<"(_,_,_,?)">
        cute.copy(%take, %from, %registers) : (!take, !taken_chunk, !registers)
        %at_row = cute.make_coord(%part) : (i32) -> !cute.coord<"(_,_,?)">
        %to = cute.slice(%rows_C, %at_row) : !rows_C, !cute.coord<"(_,_,?)">
        cute.copy(%put, %row, %to) : (!put, !row, !row_C)
      }
      // Loads from tensor memory are complete, for the warp that frees it, and rows are in shared memory, for the TMA.
      nvvm.tcgen05.wait <load>
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.barrier
      scf.if %allocates {
        %one = nvvm.elect.sync -> i1
        scf.if %one {
          %remote = nvvm.mapa %gone_p, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
          %remote_p = llvm.addrspacecast %remote : !llvm.ptr<7> to !llvm.ptr<3>
          nvvm.mbarrier.txn %remote_p, %c1 {kind = #nvvm.mbar_txn_kind<arrive>, space = #nvvm.mbar_space<cluster>} : !llvm.ptr<3>, i32
        }
        nvvm.mbarrier.try_wait.parity.shared %gone_p, %c0, %ticks : !llvm.ptr<3>, i32, i32
        cute_nvgpu.arch.sm100.dealloc_tmem(%tmem, %columns) [cta_2] : !tmem, i32
      }
      scf.if %is_loader {
        %tiler_C = cute.static : !tiler_C
        %at_C = cute.make_coord(%block_x, %block_n) : (i32, i32) -> !block_C
        %cC = cute.local_tile(%C, %tiler_C, %at_C) : (!coords, !tiler_C, !block_C) -> !cute.coord_tensor<"(?{div=128},?{div=128})", "(128,128):(1@1,1@0)">
        %cC1 = cute.group_modes<0, 2> (%cC) : (!cute.coord_tensor<"(?{div=128},?{div=128})", "(128,128):(1@1,1@0)">) -> !cute.coord_tensor<"(?{div=128},?{div=128})", "((128,128)):((1@1,1@0))">
        %sC1 = cute.group_modes<0, 2> (%sC) : (!smem_C) -> !cute.memref<f32, smem, align<1024>, S<3,4,3>, "((128,(32,4))):((32,(1,4096)))">
        %out, %to = cute_nvgpu.atom.tma_partition(%store_C, %cta, %ctas, %sC1, %cC1) : (!make_store, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f32, smem, align<1024>, S<3,4,3>, "((128,(32,4))):((32,(1,4096)))">, !cute.coord_tensor<"(?{div=128},?{div=128})", "((128,128)):((1@1,1@0))">) -> (!cute.memref<f32, smem, align<1024>, S<3,4,3>, "((4096,4)):((1,4096))">, !cute.coord_tensor<"(?{div=128},?{div=128})", "(((32,128),4)):(((1@0,1@1),32@0))">)
        %store = cute_nvgpu.atom.make_exec_tma(%store_C) : (!make_store) -> !store
        cute.copy(%store, %out, %to) : (!store, !cute.memref<f32, smem, align<1024>, S<3,4,3>, "((4096,4)):((1,4096))">, !cute.coord_tensor<"(?{div=128},?{div=128})", "(((32,128),4)):(((1@0,1@1),32@0))">)
        nvvm.cp.async.bulk.commit.group
        nvvm.cp.async.bulk.wait_group 0 {read}
      }
      return
    }
  }

  func.func @host(%A: !A, %B: !A, %C: !C, %stream: !cuda.stream) -> i32 attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %threads = arith.constant 128 : i32
    %c2 = arith.constant 2 : i32
    %false = arith.constant false
    %lanes = arith.constant dense<0> : vector<8xi32>
    %atom = cute.make_atom(%false, %false, %false, %lanes) : (i1, i1, i1, vector<8xi32>) -> !atom
    %mma = cute.make_tiled_mma(%atom) : !mma
    %shared = cute.kernel_smem_size @kernels::@pair : i64
    %tile_A = cute.static : !tile_A
    %tile_B = cute.static : !tile_B
    %tile_C = cute.static : !tile_C
    %values_A = cute.static : !cute.layout<"((128,16),1,4):((1@0,1@1),0,16@1)">
    %values_B = cute.static : !cute.layout<"((64,16),1,4):((1@0,1@1),0,16@1)">
    %values_C = cute.static : !cute.layout<"(128,(32,4)):(1@0,(1@1,32@1))">
    %load_A, %cA = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%A, %tile_A, %values_A) <{kind = <sm_100_2sm> num_multicast = 1}> : (!A, !tile_A, !cute.layout<"((128,16),1,4):((1@0,1@1),0,16@1)">) -> (!make_load_A, !coords)
    %load_B, %cB = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%B, %tile_B, %values_B) <{kind = <sm_100_2sm> num_multicast = 1}> : (!A, !tile_B, !cute.layout<"((64,16),1,4):((1@0,1@1),0,16@1)">) -> (!make_load_B, !coords)
    %store_C, %cC = cute_nvgpu.atom.make_non_exec_tiled_tma_store(%C, %tile_C, %values_C) : (!C, !tile_C, !cute.layout<"(128,(32,4)):(1@0,(1@1,32@1))">) -> (!make_store, !coords)
    %by = cute.make_tile() : () -> !cute.tile<"[256:1;128:1]">
    %blocks = cute.zipped_divide(%C, %by) : (!C, !cute.tile<"[256:1;128:1]">) -> !cute.memref<f32, gmem, align<16>, "((256,128),(?,?)):((?{i64},1),(?{i64 div=256},128))">
    %m = cute.size<[1, 0]> (%blocks) : (!cute.memref<f32, gmem, align<16>, "((256,128),(?,?)):((?{i64},1),(?{i64 div=256},128))">) -> !number
    %n = cute.size<[1, 1]> (%blocks) : (!cute.memref<f32, gmem, align<16>, "((256,128),(?,?)):((?{i64},1),(?{i64 div=256},128))">) -> !number
    %pairs = cute.get_scalars(%m) : !number
    %grid_m = arith.muli %pairs, %c2 : i32
    %grid_n = cute.get_scalars(%n) : !number
    %cfg = cuda.launch_cfg.create<max_attrs = 17 : i32> (blockDim = (%threads, %c1, %c1), dynamicSmemBytes = %shared, gridDim = (%grid_m, %grid_n, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    cuda.launch_cfg.programmatic_stream_serialization_allowed[%cfg] %c0 : !cfg, i32
    cuda.launch_cfg.cluster_dim[%cfg] (%c2, %c1, %c1) : !cfg, i32, i32, i32
    cuda.launch_cfg.cooperative[%cfg] %c0 : !cfg, i32
    %done = cuda.launch_ex @kernels::@pair<%cfg> (%load_A, %cA, %load_B, %cB, %store_C, %cC, %mma) {assume_kernel_attr = #cuda.assume_kernel_attr<true>} : !cfg, (!make_load_A, !coords, !make_load_B, !coords, !make_store, !coords, !mma) -> !cuda.result
    %code = cuda.cast %done : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
