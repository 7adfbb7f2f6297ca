// C = A B^T of e4m3 with a ue8m0 for every 32 elements of K, by tcgen05.mma with scale factors.
// In custom assembly of CuTe DSL 4.7: shared memory is allocated by ops, the TMA loads the factors, the host makes the MMA with null
// pointers to them, and the kernel sets the pointers before each MMA. The layouts of factors in tensor memory are those of
// make_tmem_layout_sfa and make_tmem_layout_sfb, in the inferred spelling.

!A = !cute.memref<f8E4M3FN, gmem, align<16>, "(?,?):(?{i64},1)">
!C = !cute.memref<f32, gmem, align<16>, "(?,?):(?{i64},1)">

// The factors. In global and in shared memory row i of a block begins at byte 16 (i mod 32) + 4 (i / 32).
!SF = !cute.memref<f8E8M0FNU, gmem, align<16>, "(256,2,?,?):(1,256,512,?{i64 div=512})">
!make_load_SF = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f8E8M0FNU, copy_bits = 4096, tma_gbasis = <"(256,2,1,1):(1@0,1@1,1@2,1@3)">, tma_format = U8>
!load_SF = !cute_nvgpu.atom.tma_load<f8E8M0FNU, copy_bits = 4096, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(256,2,1,1):(1@0,1@1,1@2,1@3)">>
!coords_SF = !cute.coord_tensor<"(0,0,0,0)", "(256,2,?,?):(1@0,1@1,1@2,1@3)">
!box_SF_layout = !cute.layout<"(256,2,1,1):(1,256,512,512)">
!values_SF = !cute.layout<"(256,2,1,1):(1@0,1@1,1@2,1@3)">
!tiler_SF = !cute.tile<"[256:1;2:1;1:1;1:1]">
!block_SF = !cute.coord<"(0,0,_,?)">
!tiles_SF = !cute.coord_tensor<"(0,0,0,?)", "(256,2,1,1,?):(1@0,1@1,1@2,1@3,1@2)">
!boxes_SF = !cute.coord_tensor<"(0,0,0,?)", "((256,2,1,1),?):((1@0,1@1,1@2,1@3),1@2)">
!gSF_from = !cute.coord_tensor<"(0,0,0,?)", "(((256,2),1),?):(((1@0,1@1),0),1@2)">
!gSF = !cute.coord_tensor<"(0,0,?,?)", "(((256,2),1)):(((1@0,1@1),0))">
!sSF = !cute.memref<f8E8M0FNU, smem, align<1024>, "(256,2,1,1,4):(1,256,512,512,512)">
!sSF_boxes = !cute.memref<f8E8M0FNU, smem, align<1024>, "((256,2,1,1),4):((1,256,512,512),512)">
!sSF_into = !cute.memref<f8E8M0FNU, smem, align<1024>, "((512,1),4):((1,0),512)">
!sSF_stage = !cute.memref<f8E8M0FNU, smem, align<512>, "((512,1)):((1,0))">

// A copy to tensor memory moves 32 rows of 16 bytes, and writes them to each group of 32 lanes: (32 lanes, 16 bytes, 4 groups), tiles, stages.
// Tensor memory counts in elements of 8 bits: a column has 4, the next lane is 65536 columns on (262144), the next group 32 lanes (8388608).
!s2t = !cute_nvgpu.atom.s2t_copy<f8E8M0FNU, 32 DP, 128 bit, 1 cta, x4>
!from_SF = !cute.memref<f8E8M0FNU, smem, align<1024>, "((32,16,4),1,4):((16,1,0),512,512)">
!descs_SF = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "((32,1,4),1,4):((1,1,0),32,32)">
!desc_SF = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "((32,1,4),1):((1,1,0),32)">
!into_SF = !cute.memref<f8E8M0FNU, tmem, align<16>, "((32,16,4),1):((262144,1,8388608),16)">

// As an MMA takes them: ((rows, elements and factors of its K), M, k-blocks of a K tile).
!layout_SF = !cute.layout<"((((32,4),4),(32,1)),1,(4,1)):((((262144,4),8388608),(0,1)),0,(1,0))">
!tSF = !cute.memref<f8E8M0FNU, tmem, align<16>, "((((32,4),4),(32,1)),1,(4,1)):((((262144,4),8388608),(0,1)),0,(1,0))">
!tSF_k = !cute.memref<f8E8M0FNU, tmem, "((((32,4),4),(32,1)),1):((((262144,4),8388608),(0,1)),0)">
!tSF_iter = !cute.ptr<f8E8M0FNU, tmem, align<16>>
!factor = !cute.ptr<f8E8M0FNU, tmem>

!coords = !cute.coord_tensor<"(0,0)", "(?,?):(1@1,1@0)">

// Rows of 128 bytes, swizzled as the TMA and tcgen05.mma both know it.
!tile = !cute.composed_layout<"S<3,4,3> o 0 o (128,128):(128,1)">
!tile_C = !cute.composed_layout<"S<3,4,3> o 0 o (128,(32,4)):(32,(1,4096))">
!stages = !cute.memref<f8E4M3FN, smem, align<1024>, S<3,4,3>, "(128,128,4):(128,1,16384)">
!smem_C = !cute.memref<f32, smem, align<1024>, S<3,4,3>, "(128,(32,4)):(32,(1,4096))">
!barriers = !cute.memref<i64, smem, align<8>, "4:1">
!barrier = !cute.ptr<i64, smem>
!one_barrier = !cute.memref<i64, smem, align<8>, "1:0">
!word = !cute.memref<i32, smem, align<16>, "1:0">
!address = !cute.ptr<i32, smem, align<16>>
!number = !cute.int_tuple<"?">

!make_load = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f8E4M3FN, copy_bits = 131072, tma_gbasis = <"(128,128):(1@1,1@0)">, tma_format = U8>
!make_store = !cute_nvgpu.atom.non_exec_tiled_tma_store<f32, copy_bits = 131072, tma_gbasis = <"(32,128):(1@1,1@0)">, tma_format = F32_RN>
!load = !cute_nvgpu.atom.tma_load<f8E4M3FN, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(128,128):(1@1,1@0)">>
!store = !cute_nvgpu.atom.tma_store<f32, copy_bits = 131072, mode = tiled, g_stride = <"()"> tma_gbasis = <"(32,128):(1@1,1@0)">>

// Tiles as boxes: (values of a box, boxes), then the K tiles, or the stages.
!from = !cute.coord_tensor<"(0,?{div=128})", "(((128,128),1),?):(((1@0,1@1),0),128@0)">
!box = !cute.coord_tensor<"(?{div=128},?{div=128})", "(((128,128),1)):(((1@0,1@1),0))">
!into = !cute.memref<f8E4M3FN, smem, align<1024>, S<3,4,3>, "((16384,1),4):((1,0),16384)">
!into_stage = !cute.memref<f8E4M3FN, smem, align<1024>, S<3,4,3>, "((16384,1)):((1,0))">

// One block multiplies 128 x 128 x 32 at once, with a factor for 32 elements of K. The next 32 values of K are 32 bytes on.
!atom = !cute_nvgpu.sm100.mma_bs<128x128x32, num_cta = 1, ab_major = (k, k), elem_type = (f8E4M3FN, f8E4M3FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>
!mma = !cute.tiled_mma<!atom, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!part = !cute.memref<f8E4M3FN, smem, align<1024>, S<3,4,3>, "((128,32),1,4,4):((128,1),0,32,16384)">
!descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4,4):(0,0,2,1024)">
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

!tiler = !cute.tile<"[128:1;128:1;128:1]">
!block = !cute.coord<"(?,?,_)">
!cfg = !cuda.launch_cfg<max_attrs = 17>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @scaled(%load_A: !make_load, %A: !coords, %load_B: !make_load, %B: !coords, %store_C: !make_store, %C: !coords, %load_SFA: !make_load_SF, %SFA: !coords_SF, %load_SFB: !make_load_SF, %SFB: !coords_SF, %mma: !mma) attributes {
        cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32},
        cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %c4 = arith.constant 4 : i32
      %c32 = arith.constant 32 : i32
      // 128 columns of accumulators and four each for SFA and SFB, rounded up to a power of two.
      %columns = arith.constant 256 : i32
      %true = arith.constant true
      %bytes = arith.constant 33792 : i32
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block_m = nvvm.read.ptx.sreg.ctaid.x : i32
      %block_n = nvvm.read.ptx.sreg.ctaid.y : i32
      %warp_of = arith.divui %thread, %c32 : i32
      %warp = cute_nvgpu.arch.make_warp_uniform(%warp_of) : i32
      %is_loader = arith.cmpi eq, %warp, %c0 : i32
      %multiplies = arith.cmpi eq, %warp, %c1 : i32
      %allocates = arith.cmpi eq, %warp, %c2 : i32

      %ticks = arith.constant 10000000 : i32
      %fulls = cute.memref.alloca() {smem.partition_id = 0 : i32} : !barriers
      %empties = cute.memref.alloca() {smem.partition_id = 0 : i32} : !barriers
      %over = cute.memref.alloca() {smem.partition_id = 0 : i32} : !one_barrier
      %where = cute.memref.alloca() {smem.partition_id = 0 : i32} : !word
      %sA = cute.memref.alloca() {smem.partition_id = 1 : i32} : !stages
      %sB = cute.memref.alloca() {smem.partition_id = 1 : i32} : !stages
      %sC = cute.memref.alloca() {smem.partition_id = 1 : i32} : !smem_C
      %sSFA = cute.memref.alloca() {smem.partition_id = 1 : i32} : !sSF
      %sSFB = cute.memref.alloca() {smem.partition_id = 1 : i32} : !sSF
      %full = cute.get_iter(%fulls) : !barriers
      %empty = cute.get_iter(%empties) : !barriers
      %multiplied = cute.get_iter(%over) : !one_barrier
      %address = cute.get_iter(%where) : !word
      %multiplied_p = builtin.unrealized_conversion_cast %multiplied : !barrier to !llvm.ptr<3>
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
          nvvm.fence.mbarrier.init
        }
        cute_nvgpu.prefetch_tma_desc(%load_A) : (!make_load) -> ()
        cute_nvgpu.prefetch_tma_desc(%load_B) : (!make_load) -> ()
      }
      scf.if %allocates {
        cute_nvgpu.arch.sm100.alloc_tmem(%columns, %address) [cta_1] : i32, !address
        cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit [cta_1]
      }
      nvvm.barrier
      %tmem = cute_nvgpu.arch.sm100.retrieve_tmem_ptr(%address) : !address -> !tmem
      %layout = cute.static : !cute.layout<"((128,128),1,1):((65536,1),0,0)">
      %accumulators = cute.make_view(%tmem, %layout) : !accumulators

      // Tiles of A (m,k) and of B (n,k), as boxes.
      %tiler = cute.static : !tiler
      %at = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !block
      %cA = cute.local_tile(%A, %tiler, %at, "(1,_,1)") : (!coords, !tiler, !block) -> !cute.coord_tensor<"(0,?{div=128})", "(128,128,?):(1@1,1@0,128@0)">
      %cB = cute.local_tile(%B, %tiler, %at, "(_,1,1)") : (!coords, !tiler, !block) -> !cute.coord_tensor<"(0,?{div=128})", "(128,128,?):(1@1,1@0,128@0)">
      %cA1 = cute.group_modes<0, 2> (%cA) : (!cute.coord_tensor<"(0,?{div=128})", "(128,128,?):(1@1,1@0,128@0)">) -> !cute.coord_tensor<"(0,?{div=128})", "((128,128),?):((1@1,1@0),128@0)">
      %cB1 = cute.group_modes<0, 2> (%cB) : (!cute.coord_tensor<"(0,?{div=128})", "(128,128,?):(1@1,1@0,128@0)">) -> !cute.coord_tensor<"(0,?{div=128})", "((128,128),?):((1@1,1@0),128@0)">
      %sA1 = cute.group_modes<0, 2> (%sA) : (!stages) -> !cute.memref<f8E4M3FN, smem, align<1024>, S<3,4,3>, "((128,128),4):((128,1),16384)">
      %sB1 = cute.group_modes<0, 2> (%sB) : (!stages) -> !cute.memref<f8E4M3FN, smem, align<1024>, S<3,4,3>, "((128,128),4):((128,1),16384)">
      %cta = cute.make_coord() : () -> !cute.coord<"0">
      %ctas = cute.static : !cute.layout<"1:0">
      %into_A, %from_A = cute_nvgpu.atom.tma_partition(%load_A, %cta, %ctas, %sA1, %cA1) : (!make_load, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f8E4M3FN, smem, align<1024>, S<3,4,3>, "((128,128),4):((128,1),16384)">, !cute.coord_tensor<"(0,?{div=128})", "((128,128),?):((1@1,1@0),128@0)">) -> (!into, !from)
      %into_B, %from_B = cute_nvgpu.atom.tma_partition(%load_B, %cta, %ctas, %sB1, %cB1) : (!make_load, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f8E4M3FN, smem, align<1024>, S<3,4,3>, "((128,128),4):((128,1),16384)">, !cute.coord_tensor<"(0,?{div=128})", "((128,128),?):((1@1,1@0),128@0)">) -> (!into, !from)
      %tiler_SF = cute.static : !tiler_SF
      %at_SFA = cute.make_coord(%block_m) : (i32) -> !block_SF
      %at_SFB = cute.make_coord(%block_n) : (i32) -> !block_SF
      %cSFA = cute.local_tile(%SFA, %tiler_SF, %at_SFA) : (!coords_SF, !tiler_SF, !block_SF) -> !tiles_SF
      %cSFB = cute.local_tile(%SFB, %tiler_SF, %at_SFB) : (!coords_SF, !tiler_SF, !block_SF) -> !tiles_SF
      %cSFA1 = cute.group_modes<0, 4> (%cSFA) : (!tiles_SF) -> !boxes_SF
      %cSFB1 = cute.group_modes<0, 4> (%cSFB) : (!tiles_SF) -> !boxes_SF
      %sSFA1 = cute.group_modes<0, 4> (%sSFA) : (!sSF) -> !sSF_boxes
      %sSFB1 = cute.group_modes<0, 4> (%sSFB) : (!sSF) -> !sSF_boxes
      %into_SFA_s, %from_SFA_g = cute_nvgpu.atom.tma_partition(%load_SFA, %cta, %ctas, %sSFA1, %cSFA1) : (!make_load_SF, !cute.coord<"0">, !cute.layout<"1:0">, !sSF_boxes, !boxes_SF) -> (!sSF_into, !gSF_from)
      %into_SFB_s, %from_SFB_g = cute_nvgpu.atom.tma_partition(%load_SFB, %cta, %ctas, %sSFB1, %cSFB1) : (!make_load_SF, !cute.coord<"0">, !cute.layout<"1:0">, !sSF_boxes, !boxes_SF) -> (!sSF_into, !gSF_from)
      %size = cute.size<[1]> (%from_A) : (!from) -> !number
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
          scf.if %one {
            nvvm.mbarrier.txn %full_p, %bytes {kind = #nvvm.mbar_txn_kind<arrive_expect_tx>} : !llvm.ptr<3>, i32
          }
          %at_k = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,?)">
          %at_s = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,?)">
          %k_A = cute.slice(%from_A, %at_k) : !from, !cute.coord<"(_,?)">
          %k_B = cute.slice(%from_B, %at_k) : !from, !cute.coord<"(_,?)">
          %s_A = cute.slice(%into_A, %at_s) : !into, !cute.coord<"(_,?)">
          %s_B = cute.slice(%into_B, %at_s) : !into, !cute.coord<"(_,?)">
          %exec_A = cute_nvgpu.atom.make_exec_tma(%load_A) : (!make_load) -> !load
          %exec_B = cute_nvgpu.atom.make_exec_tma(%load_B) : (!make_load) -> !load
          %tma_A = cute_nvgpu.atom.set_value<tma_bar>(%exec_A, %full_s) : (!load, !barrier)
          %tma_B = cute_nvgpu.atom.set_value<tma_bar>(%exec_B, %full_s) : (!load, !barrier)
          cute.copy(%tma_A, %k_A, %s_A) : (!load, !box, !into_stage)
          cute.copy(%tma_B, %k_B, %s_B) : (!load, !box, !into_stage)
          // The blocks of factors of these tiles, 512 bytes each: %bytes counts them, too.
          %k_SFA = cute.slice(%from_SFA_g, %at_k) : !gSF_from, !cute.coord<"(_,?)">
          %k_SFB = cute.slice(%from_SFB_g, %at_k) : !gSF_from, !cute.coord<"(_,?)">
          %s_SFA = cute.slice(%into_SFA_s, %at_s) : !sSF_into, !cute.coord<"(_,?)">
          %s_SFB = cute.slice(%into_SFB_s, %at_s) : !sSF_into, !cute.coord<"(_,?)">
          %exec_SFA = cute_nvgpu.atom.make_exec_tma(%load_SFA) : (!make_load_SF) -> !load_SF
          %exec_SFB = cute_nvgpu.atom.make_exec_tma(%load_SFB) : (!make_load_SF) -> !load_SF
          %tma_SFA = cute_nvgpu.atom.set_value<tma_bar>(%exec_SFA, %full_s) : (!load_SF, !barrier)
          %tma_SFB = cute_nvgpu.atom.set_value<tma_bar>(%exec_SFB, %full_s) : (!load_SF, !barrier)
          cute.copy(%tma_SFA, %k_SFA, %s_SFA) : (!load_SF, !gSF, !sSF_stage)
          cute.copy(%tma_SFB, %k_SFB, %s_SFB) : (!load_SF, !gSF, !sSF_stage)
          %next = arith.addi %stage, %c1 : i32
          %wraps = arith.cmpi eq, %next, %c4 : i32
          %next_stage = arith.select %wraps, %c0, %next : i32
          %other = arith.xori %phase, %c1 : i32
          %next_phase = arith.select %wraps, %other, %phase : i32
          scf.yield %next_stage, %next_phase : i32, i32
        }
      }
      scf.if %multiplies {
        // The thread coordinate of the MMA is the number of the block in its pair: here 0. The factors lie behind the 128 columns of C.
        %behind_C = cute.static : !cute.int_tuple<"128">
        %behind_SFA = cute.static : !cute.int_tuple<"132">
        %tmem_SFA = cute.add_offset(%tmem, %behind_C) : (!tmem, !cute.int_tuple<"128">) -> !tmem
        %tmem_SFB = cute.add_offset(%tmem, %behind_SFA) : (!tmem, !cute.int_tuple<"132">) -> !tmem
        %iter_SFA = cute.recast_iter(%tmem_SFA) : !tmem to !tSF_iter
        %iter_SFB = cute.recast_iter(%tmem_SFB) : !tmem to !tSF_iter
        %into_SFA = cute.make_view(%iter_SFA) : !into_SF
        %into_SFB = cute.make_view(%iter_SFB) : !into_SF
        %tile_MNK = cute.make_shape() : () -> !cute.shape<"(128,128,128)">
        %layout_SFA = cute_nvgpu.make_tmem_layout_sfa(%mma, %tile_MNK) {sf_vec_size = 32 : i32} : (!mma, !cute.shape<"(128,128,128)">) -> !layout_SF
        %layout_SFB = cute_nvgpu.make_tmem_layout_sfb(%mma, %tile_MNK) {sf_vec_size = 32 : i32} : (!mma, !cute.shape<"(128,128,128)">) -> !layout_SF
        %tSFA = cute.make_view(%iter_SFA, %layout_SFA) : !tSF
        %tSFB = cute.make_view(%iter_SFB, %layout_SFB) : !tSF
        %s2t = cute.make_atom() : () -> !s2t
        %sSFA_iter = cute.get_iter(%sSFA) : !sSF
        %sSFB_iter = cute.get_iter(%sSFB) : !sSF
        %from_SFA = cute.make_view(%sSFA_iter) : !from_SF
        %from_SFB = cute.make_view(%sSFB_iter) : !from_SF
        %descs_SFA = cute_nvgpu.atom.get_copy_s2t_smem_desc_view(%s2t, %from_SFA) : (!s2t, !from_SF) -> !descs_SF
        %descs_SFB = cute_nvgpu.atom.get_copy_s2t_smem_desc_view(%s2t, %from_SFB) : (!s2t, !from_SF) -> !descs_SF
        %tCsA = cute.tiled.mma.partition A(%mma, %sA, %cta) : (!mma, !stages, !cute.coord<"0">) -> !part
        %tCsB = cute.tiled.mma.partition B(%mma, %sB, %cta) : (!mma, !stages, !cute.coord<"0">) -> !part
        %dA = cute.mma.make_fragment A(%mma, %tCsA) : (!mma, !part) -> !descs
        %dB = cute.mma.make_fragment B(%mma, %tCsB) : (!mma, !part) -> !descs
        scf.for %k = %c0 to %tiles step %c1 iter_args(%before = %mma, %stage = %c0, %phase = %c0) -> (!mma, i32, i32) : i32 {
          %s = cute.make_int_tuple(%stage) : (i32) -> !number
          %full_s = cute.add_offset(%full, %s) : (!barrier, !number) -> !barrier
          %empty_s = cute.add_offset(%empty, %s) : (!barrier, !number) -> !barrier
          %full_p = builtin.unrealized_conversion_cast %full_s : !barrier to !llvm.ptr<3>
          %empty_p = builtin.unrealized_conversion_cast %empty_s : !barrier to !llvm.ptr<3>
          nvvm.mbarrier.try_wait.parity.shared %full_p, %phase, %ticks : !llvm.ptr<3>, i32, i32
          // The MMAs of this thread come after its copies, and its next copies after its MMAs: neither needs a wait.
          %at_sf = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,?)">
          %stage_SFA = cute.slice(%descs_SFA, %at_sf) : !descs_SF, !cute.coord<"(_,_,?)">
          %stage_SFB = cute.slice(%descs_SFB, %at_sf) : !descs_SF, !cute.coord<"(_,_,?)">
          cute.copy(%s2t, %stage_SFA, %into_SFA) : (!s2t, !desc_SF, !into_SF)
          cute.copy(%s2t, %stage_SFB, %into_SFB) : (!s2t, !desc_SF, !into_SF)
          %behind = scf.for %block = %c0 to %c4 step %c1 iter_args(%now = %before) -> (!mma) : i32 {
            %at_block = cute.make_coord(%block, %stage) : (i32, i32) -> !cute.coord<"(_,_,?,?)">
            %a = cute.slice(%dA, %at_block) : !descs, !cute.coord<"(_,_,?,?)">
            %b = cute.slice(%dB, %at_block) : !descs, !cute.coord<"(_,_,?,?)">
            %at_f = cute.make_coord(%block) : (i32) -> !cute.coord<"(_,_,(?,0))">
            %k_SFA = cute.slice(%tSFA, %at_f) : !tSF, !cute.coord<"(_,_,(?,0))">
            %k_SFB = cute.slice(%tSFB, %at_f) : !tSF, !cute.coord<"(_,_,(?,0))">
            %iter_SFA_k = cute.get_iter(%k_SFA) : !tSF_k
            %iter_SFB_k = cute.get_iter(%k_SFB) : !tSF_k
            %with_a = cute_nvgpu.atom.set_value<sf_a>(%now, %iter_SFA_k) : (!mma, !factor)
            %with_b = cute_nvgpu.atom.set_value<sf_b>(%with_a, %iter_SFB_k) : (!mma, !factor)
            cute.gemm(%with_b, %accumulators, %a, %b, %accumulators) : (!mma, !accumulators, !desc, !desc, !accumulators)
            %then = cute_nvgpu.atom.set_value<accum_c>(%with_b, %true) : (!mma, i1)
            scf.yield %then : !mma
          }
          // The stage is empty when the copies and MMAs that have been issued so far are complete.
          %one = nvvm.elect.sync -> i1
          scf.if %one {
            nvvm.tcgen05.commit %empty_p : !llvm.ptr<3>
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
          nvvm.tcgen05.commit %multiplied_p : !llvm.ptr<3>
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
        cute_nvgpu.arch.sm100.dealloc_tmem(%tmem, %columns) [cta_1] : !tmem, i32
      }
      scf.if %is_loader {
        %cC = cute.local_tile(%C, %tiler, %at, "(1,1,_)") : (!coords, !tiler, !block) -> !cute.coord_tensor<"(?{div=128},?{div=128})", "(128,128):(1@1,1@0)">
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

  func.func @host(%A: !A, %B: !A, %C: !C, %SFA: !SF, %SFB: !SF, %stream: !cuda.stream) -> i32 attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %threads = arith.constant 128 : i32
    %shared = cute.kernel_smem_size @kernels::@scaled : i64
    %false = arith.constant false
    %zero = arith.constant 0 : i32
    %tile = cute.static : !tile
    %tile_C = cute.static : !tile_C
    %values = cute.static : !cute.layout<"(128,128):(1@0,1@1)">
    %values_C = cute.static : !cute.layout<"(128,(32,4)):(1@0,(1@1,32@1))">
    %load_A, %cA = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%A, %tile, %values) <{kind = <sm_90> num_multicast = 1}> : (!A, !tile, !cute.layout<"(128,128):(1@0,1@1)">) -> (!make_load, !coords)
    %load_B, %cB = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%B, %tile, %values) <{kind = <sm_90> num_multicast = 1}> : (!A, !tile, !cute.layout<"(128,128):(1@0,1@1)">) -> (!make_load, !coords)
    %store_C, %cC = cute_nvgpu.atom.make_non_exec_tiled_tma_store(%C, %tile_C, %values_C) : (!C, !tile_C, !cute.layout<"(128,(32,4)):(1@0,(1@1,32@1))">) -> (!make_store, !coords)
    %null = cute.inttoptr(%zero) : i32 to !factor
    %atom = cute.make_atom(%false, %false, %false, %null, %null) : (i1, i1, i1, !factor, !factor) -> !atom
    %mma = cute.make_tiled_mma(%atom) : !mma
    %tile_SF = cute.static : !box_SF_layout
    %values_SF = cute.static : !values_SF
    %load_SFA, %cSFA = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%SFA, %tile_SF, %values_SF) <{kind = <sm_90> num_multicast = 1}> : (!SF, !box_SF_layout, !values_SF) -> (!make_load_SF, !coords_SF)
    %load_SFB, %cSFB = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%SFB, %tile_SF, %values_SF) <{kind = <sm_90> num_multicast = 1}> : (!SF, !box_SF_layout, !values_SF) -> (!make_load_SF, !coords_SF)
    %by = cute.make_tile() : () -> !cute.tile<"[128:1;128:1]">
    %blocks = cute.zipped_divide(%C, %by) : (!C, !cute.tile<"[128:1;128:1]">) -> !cute.memref<f32, gmem, align<16>, "((128,128),(?,?)):((?{i64},1),(?{i64 div=128},128))">
    %m = cute.size<[1, 0]> (%blocks) : (!cute.memref<f32, gmem, align<16>, "((128,128),(?,?)):((?{i64},1),(?{i64 div=128},128))">) -> !number
    %n = cute.size<[1, 1]> (%blocks) : (!cute.memref<f32, gmem, align<16>, "((128,128),(?,?)):((?{i64},1),(?{i64 div=128},128))">) -> !number
    %grid_m = cute.get_scalars(%m) : !number
    %grid_n = cute.get_scalars(%n) : !number
    %cfg = cuda.launch_cfg.create<max_attrs = 17 : i32> (blockDim = (%threads, %c1, %c1), dynamicSmemBytes = %shared, gridDim = (%grid_m, %grid_n, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    %done = cuda.launch_ex @kernels::@scaled<%cfg> (%load_A, %cA, %load_B, %cB, %store_C, %cC, %load_SFA, %cSFA, %load_SFB, %cSFB, %mma) {assume_kernel_attr = #cuda.assume_kernel_attr<true>} : !cfg, (!make_load, !coords, !make_load, !coords, !make_store, !coords, !make_load_SF, !coords_SF, !make_load_SF, !coords_SF, !mma) -> !cuda.result
    %code = cuda.cast %done : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
