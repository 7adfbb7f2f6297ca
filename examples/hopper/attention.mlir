// O = softmax(scale * Q * K^T) * V for each head, where a query sees the keys up to its own number: causal flash attention forward by
// wgmma, f16 with accumulators in f32, head dimension 64.
//
//   grid (ceil(rows / 64), heads), block 160
//
// Q, K, V and O are (rows, 64, heads) with the second mode contiguous; any number of rows. A block has 64 queries of a head. Warps 0 to 3
// multiply, warp 4 loads tiles of 64 keys of K and V into a ring of two stages, up to the tile that the diagonal crosses.
//
//   S = Q * K^T                      wgmma, both operands in shared memory; a thread has 32 scores, 16 of each of 2 rows
//   m = max(m', S)                   along the rows, which 4 lanes share; m' is the maximum before
//   P = exp2(S - m)                  rounded to f16
//   O = exp2(m' - m) * O + P * V     wgmma, P in registers
//
// P never leaves the registers: an MMA leaves C of the first GEMM where the MMA of the second one takes A. V is B of the second GEMM,
// (columns of V, keys), with the first mode contiguous in memory: a view of the tile, and an MMA that reads B mn-major.
//
//   cutec run examples/hopper/attention.mlir --host --arg "Q:f16[100x64x2]=random(1)" --arg "K:f16[100x64x2]=random(2)" \
//     --arg "V:f16[100x64x2]=random(3)" --arg "O:f16[100x64x2]" --arg scale:f32=0.125 --out O=o.npy

#unroll = #llvm.loop_annotation<unroll = <full = true>>

!tensor = !cute.memref<f16, gmem, align<16>, "(?,64,?):(?{i64 div=8},1,?{i64 div=8})">
!coords = !cute.coord_tensor<"(0,0,0)", "(?,64,?):(1@1,1@0,1@2)">
!of_head = !cute.coord<"(_,_,?)">
!head = !cute.coord_tensor<"(0,0,?)", "(?,64):(1@1,1@0)">

// Rows of 128 bytes, swizzled as the TMA and wgmma both know it; two stages of K and V. The transposed view of V has the same memory.
!tile = !cute.composed_layout<"S<3,4,3> o 0 o (64,64):(64,1)">
!iter = !cute.ptr<f16, smem, align<1024>, S<3,4,3>>
!sQ = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(64,64):(64,1)">
!sK = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(64,64,2):(64,1,4096)">
!sVt = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(64,64,2):(1,64,4096)">
!barriers = !cute.memref<i64, smem, align<8>, "2:1">
!one_barrier = !cute.memref<i64, smem, align<8>, "1:0">
!barrier = !cute.ptr<i64, smem>
!bytes = !cute.ptr<i8, smem, align<1024>>
!number = !cute.int_tuple<"?">
!coord = !cute.coord<"?">

!make_load = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64,1):(1@1,1@0,1@2)">, tma_format = F16_RN>
!make_store = !cute_nvgpu.atom.non_exec_tiled_tma_store<f16, copy_bits = 65536, tma_gbasis = <"(64,64,1):(1@1,1@0,1@2)">, tma_format = F16_RN>
!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,64,1):(1@1,1@0,1@2)">>
!store = !cute_nvgpu.atom.tma_store<f16, copy_bits = 65536, mode = tiled, g_stride = <"()"> tma_gbasis = <"(64,64,1):(1@1,1@0,1@2)">>

// 64 rows of Q and O, and all tiles of 64 rows of K and V, as boxes.
!tiler = !cute.tile<"[64:1;64:1]">
!this_tile = !cute.coord<"(?,0)">
!all_tiles = !cute.coord<"(_,0)">
!cQ = !cute.coord_tensor<"(0,?{div=64},?)", "(64,64):(1@1,1@0)">
!cK = !cute.coord_tensor<"(0,0,?)", "(64,64,?):(1@1,1@0,64@1)">
!cQ_1 = !cute.coord_tensor<"(0,?{div=64},?)", "((64,64)):((1@1,1@0))">
!cK_1 = !cute.coord_tensor<"(0,0,?)", "((64,64),?):((1@1,1@0),64@1)">
!sQ_1 = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,64)):((64,1))">
!sK_1 = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,64),2):((64,1),4096)">
!box = !cute.coord_tensor<"(0,?{div=64},?)", "(((64,64),1)):(((1@0,1@1),0))">
!boxes = !cute.coord_tensor<"(0,0,?)", "(((64,64),1),?):(((1@0,1@1),0),64@1)">
!into = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((4096,1)):((1,0))">
!into_stages = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((4096,1),2):((1,0),4096)">

// The first GEMM reads both operands from shared memory (ss), the second one A from registers and B mn-major (rs).
!atom_S = !cute_nvgpu.sm90.mma<64x64x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
!atom_O = !cute_nvgpu.sm90.mma<64x64x16, ab_major = (k, mn), elem_type = (f16, f16, f32), frag_kind = rs>
!mma_S = !cute.tiled_mma<!atom_S, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!mma_O = !cute.tiled_mma<!atom_O, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!part_Q = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),1,4):((64,1),0,16)">
!part_K = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),1,4,2):((64,1),0,16,4096)">
!part_V = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),1,4,2):((1,64),0,1024,4096)">
!descs_Q = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,2)">
!descs_K = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4,2):(0,0,2,512)">
!descs_V = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4,2):(0,0,128,512)">
!descs_V_stage = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,128)">
!desc = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1):(0,0)">

// C is 8 pairs of columns in each of 2 rows. Of two neighbouring groups of 8 columns it is A of an MMA of 16 keys: the same registers in
// the same order.
!shape_C = !cute.shape<"((2,2,8),1,1)">
!rC = !cute.memref<f32, rmem, align<16>, "((2,2,8),1,1):((1,2,4),0,0)">
!rC_f16 = !cute.memref<f16, rmem, align<16>, "((2,2,8),1,1):((1,2,4),0,0)">
!rP = !cute.memref<f16, rmem, align<16>, "((2,2,2),1,4):((1,2,4),0,8)">
!rows = !cute.memref<f32, rmem, align<16>, "(2,(2,8)):(2,(1,4))">
!row = !cute.memref<f32, rmem, align<8>, "((2,8)):((1,4))">
!stats = !cute.memref<f32, rmem, align<8>, "(2):(1)">

// The row and the column of a thread's scores in the tile.
!coords_S = !cute.coord_tensor<"(0,0)", "(64,64):(1@0,1@1)">
!tScS = !cute.coord_tensor<"(?,?{div=2})", "((2,2,8),1,1):((1@1,8@0,8@1),0,0)">
!here = !cute.coord_tensor<"(?,?)", "():()">
!at_here = !cute.arith_tuple_iter<"(?,?)">
!position = !cute.int_tuple<"(?,?)">

!pair = !cute_nvgpu.atom.universal_copy<f16, 32 b>
!part_O = !cute.memref<f16, smem, align<4>, S<3,4,3>, "((2,2,8),1,1):((1,512,8),0,0)">
!cfg = !cuda.launch_cfg<max_attrs = 1>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @attention_causal(%load_Q: !make_load, %Q: !coords, %load_K: !make_load, %K: !coords, %load_V: !make_load, %V: !coords,
        %store_O: !make_store, %O: !coords, %scale: f32) attributes {
        cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin},
        cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 160, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %c4 = arith.constant 4 : i32
      %c16 = arith.constant 16 : i32
      %c31 = arith.constant 31 : i32
      %c32 = arith.constant 32 : i32
      %c128 = arith.constant 128 : i32
      %false = arith.constant false
      %true = arith.constant true
      %warp_mask = arith.constant -1 : i32
      %bytes_Q = arith.constant 8192 : i32
      %bytes_KV = arith.constant 16384 : i32
      %zero = arith.constant 0.0 : f32
      %one_f = arith.constant 1.0 : f32
      %minus_inf = arith.constant 0xFF800000 : f32
      %log2e = arith.constant 1.44269504 : f32
      %scale_log2 = arith.mulf %scale, %log2e : f32
      %scale_16 = vector.broadcast %scale_log2 : f32 to vector<16xf32>
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block = nvvm.read.ptx.sreg.ctaid.x : i32
      %head = nvvm.read.ptx.sreg.ctaid.y : i32
      %warp_of = arith.divui %thread, %c32 : i32
      %warp = cute_nvgpu.arch.make_warp_uniform(%warp_of) : i32
      %loads = arith.cmpi eq, %warp, %c4 : i32

      // Shared memory: Q, and later O; the stages of K and of V; barriers.
      %memory = cute_nvgpu.arch.get_dyn_smem() : !bytes
      %behind_Q = cute.static : !cute.int_tuple<"8192">
      %behind_K = cute.static : !cute.int_tuple<"24576">
      %memory_K = cute.add_offset(%memory, %behind_Q) : (!bytes, !cute.int_tuple<"8192">) -> !bytes
      %memory_V = cute.add_offset(%memory, %behind_K) : (!bytes, !cute.int_tuple<"24576">) -> !bytes
      %ptr_Q = cute.recast_iter(%memory) : !bytes to !iter
      %ptr_K = cute.recast_iter(%memory_K) : !bytes to !iter
      %ptr_V = cute.recast_iter(%memory_V) : !bytes to !iter
      %sQ = cute.make_view(%ptr_Q) : !sQ
      %sK = cute.make_view(%ptr_K) : !sK
      %sV = cute.make_view(%ptr_V) : !sK
      %sVt = cute.make_view(%ptr_V) : !sVt
      %fulls = cute.memref.alloc_smem() : !barriers
      %empties = cute.memref.alloc_smem() : !barriers
      %of_Q = cute.memref.alloc_smem() : !one_barrier
      %full = cute.get_iter(%fulls) : !barriers
      %empty = cute.get_iter(%empties) : !barriers
      %full_Q = cute.get_iter(%of_Q) : !one_barrier
      %full_Q_p = builtin.unrealized_conversion_cast %full_Q : !barrier to !llvm.ptr<3>
      scf.if %loads {
        %one = nvvm.elect.sync -> i1
        scf.if %one {
          scf.for %stage = %c0 to %c2 step %c1 : i32 {
            %s = cute.make_int_tuple(%stage) : (i32) -> !number
            %full_s = cute.add_offset(%full, %s) : (!barrier, !number) -> !barrier
            %empty_s = cute.add_offset(%empty, %s) : (!barrier, !number) -> !barrier
            %full_p = builtin.unrealized_conversion_cast %full_s : !barrier to !llvm.ptr<3>
            %empty_p = builtin.unrealized_conversion_cast %empty_s : !barrier to !llvm.ptr<3>
            nvvm.mbarrier.init %full_p, %c1 : !llvm.ptr<3>, i32
            nvvm.mbarrier.init %empty_p, %c1 : !llvm.ptr<3>, i32
          }
          nvvm.mbarrier.init %full_Q_p, %c1 : !llvm.ptr<3>, i32
          nvvm.fence.mbarrier.init
        }
        cute_nvgpu.prefetch_tma_desc(%load_Q) : (!make_load) -> ()
        cute_nvgpu.prefetch_tma_desc(%load_K) : (!make_load) -> ()
        cute_nvgpu.prefetch_tma_desc(%load_V) : (!make_load) -> ()
      }
      nvvm.barrier0

      // A block of queries needs the tiles of keys before its own, and its own.
      %tiles = arith.addi %block, %c1 : i32
      %at_head = cute.make_coord(%head) : (i32) -> !of_head
      %at = cute.make_coord(%block) : (i32) -> !this_tile
      %tiler = cute.static : !tiler
      %cta = cute.make_coord() : () -> !cute.coord<"0">
      %ctas = cute.static : !cute.layout<"1:0">
      %sQ_1 = cute.group_modes<0, 2> (%sQ) : (!sQ) -> !sQ_1
      scf.if %loads {
        %all = cute.static : !all_tiles
        %mQ = cute.slice(%Q, %at_head) : !coords, !of_head
        %mK = cute.slice(%K, %at_head) : !coords, !of_head
        %mV = cute.slice(%V, %at_head) : !coords, !of_head
        %cQ = cute.local_tile(%mQ, %tiler, %at) : (!head, !tiler, !this_tile) -> !cQ
        %cK = cute.local_tile(%mK, %tiler, %all) : (!head, !tiler, !all_tiles) -> !cK
        %cV = cute.local_tile(%mV, %tiler, %all) : (!head, !tiler, !all_tiles) -> !cK
        %cQ_1 = cute.group_modes<0, 2> (%cQ) : (!cQ) -> !cQ_1
        %cK_1 = cute.group_modes<0, 2> (%cK) : (!cK) -> !cK_1
        %cV_1 = cute.group_modes<0, 2> (%cV) : (!cK) -> !cK_1
        %sK_1 = cute.group_modes<0, 2> (%sK) : (!sK) -> !sK_1
        %sV_1 = cute.group_modes<0, 2> (%sV) : (!sK) -> !sK_1
        %into_Q, %from_Q = cute_nvgpu.atom.tma_partition(%load_Q, %cta, %ctas, %sQ_1, %cQ_1) : (!make_load, !cute.coord<"0">, !cute.layout<"1:0">, !sQ_1, !cQ_1) -> (!into, !box)
        %into_K, %from_K = cute_nvgpu.atom.tma_partition(%load_K, %cta, %ctas, %sK_1, %cK_1) : (!make_load, !cute.coord<"0">, !cute.layout<"1:0">, !sK_1, !cK_1) -> (!into_stages, !boxes)
        %into_V, %from_V = cute_nvgpu.atom.tma_partition(%load_V, %cta, %ctas, %sV_1, %cV_1) : (!make_load, !cute.coord<"0">, !cute.layout<"1:0">, !sK_1, !cK_1) -> (!into_stages, !boxes)
        %one = nvvm.elect.sync -> i1
        scf.if %one {
          nvvm.mbarrier.arrive.expect_tx %full_Q_p, %bytes_Q : !llvm.ptr<3>, i32
        }
        %exec_Q = cute_nvgpu.atom.make_exec_tma(%load_Q) : (!make_load) -> !load
        %tma_Q = cute_nvgpu.atom.set_value(%exec_Q, %full_Q : !barrier) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load
        cute.copy(%tma_Q, %from_Q, %into_Q) : (!load, !box, !into)
        scf.for %k = %c0 to %tiles step %c1 iter_args(%stage = %c0, %phase = %c1) -> (i32, i32) : i32 {
          %s = cute.make_int_tuple(%stage) : (i32) -> !number
          %full_s = cute.add_offset(%full, %s) : (!barrier, !number) -> !barrier
          %empty_s = cute.add_offset(%empty, %s) : (!barrier, !number) -> !barrier
          %full_p = builtin.unrealized_conversion_cast %full_s : !barrier to !llvm.ptr<3>
          %empty_p = builtin.unrealized_conversion_cast %empty_s : !barrier to !llvm.ptr<3>
          nvvm.mbarrier.try_wait.parity %empty_p, %phase, %c1 : !llvm.ptr<3>, i32, i32
          %elected = nvvm.elect.sync -> i1
          scf.if %elected {
            nvvm.mbarrier.arrive.expect_tx %full_p, %bytes_KV : !llvm.ptr<3>, i32
          }
          %at_k = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,?)">
          %at_s = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,?)">
          %k_K = cute.slice(%from_K, %at_k) : !boxes, !cute.coord<"(_,?)">
          %k_V = cute.slice(%from_V, %at_k) : !boxes, !cute.coord<"(_,?)">
          %s_K = cute.slice(%into_K, %at_s) : !into_stages, !cute.coord<"(_,?)">
          %s_V = cute.slice(%into_V, %at_s) : !into_stages, !cute.coord<"(_,?)">
          %exec_K = cute_nvgpu.atom.make_exec_tma(%load_K) : (!make_load) -> !load
          %exec_V = cute_nvgpu.atom.make_exec_tma(%load_V) : (!make_load) -> !load
          %tma_K = cute_nvgpu.atom.set_value(%exec_K, %full_s : !barrier) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load
          %tma_V = cute_nvgpu.atom.set_value(%exec_V, %full_s : !barrier) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load
          cute.copy(%tma_K, %k_K, %s_K) : (!load, !box, !into)
          cute.copy(%tma_V, %k_V, %s_V) : (!load, !box, !into)
          %next = arith.addi %stage, %c1 : i32
          %wraps = arith.cmpi eq, %next, %c2 : i32
          %next_stage = arith.select %wraps, %c0, %next : i32
          %other = arith.xori %phase, %c1 : i32
          %next_phase = arith.select %wraps, %other, %phase : i32
          scf.yield %next_stage, %next_phase : i32, i32
        }
      } else {
        // Descriptors are the same for the whole warpgroup; each thread has its own accumulators.
        %t = cute.make_coord(%thread) : (i32) -> !coord
        %atom_S = cute.make_atom(%false) : (i1) -> !atom_S
        %atom_O = cute.make_atom(%true) : (i1) -> !atom_O
        %mma_S = cute.make_tiled_mma(%atom_S) : !mma_S
        %mma_O = cute.make_tiled_mma(%atom_O) : !mma_O
        %tSsQ = cute.tiled.mma.partition A(%mma_S, %sQ, %cta) : (!mma_S, !sQ, !cute.coord<"0">) -> !part_Q
        %tSsK = cute.tiled.mma.partition B(%mma_S, %sK, %cta) : (!mma_S, !sK, !cute.coord<"0">) -> !part_K
        %tOsV = cute.tiled.mma.partition B(%mma_O, %sVt, %cta) : (!mma_O, !sVt, !cute.coord<"0">) -> !part_V
        %dQ = cute.mma.make_fragment A(%mma_S, %tSsQ) : (!mma_S, !part_Q) -> !descs_Q
        %dK = cute.mma.make_fragment B(%mma_S, %tSsK) : (!mma_S, !part_K) -> !descs_K
        %dV = cute.mma.make_fragment B(%mma_O, %tOsV) : (!mma_O, !part_V) -> !descs_V
        %shape = cute.static : !shape_C
        %tSrS = cute.mma.make_fragment C(%mma_S, %shape) : (!mma_S, !shape_C) -> !rC
        %tOrO = cute.mma.make_fragment C(%mma_O, %shape) : (!mma_O, !shape_C) -> !rC
        %tOrP = cute.memref.alloca() : !rP
        %iter_S = cute.get_iter(%tSrS) : !rC
        %iter_O = cute.get_iter(%tOrO) : !rC
        %iter_P = cute.get_iter(%tOrP) : !rP
        %rows_S = cute.make_view(%iter_S) : !rows
        %rows_O = cute.make_view(%iter_O) : !rows
        %tSrP = cute.make_view(%iter_P) : !rC_f16
        %square = cute.static : !cute.shape<"(64,64)">
        %coords_S = cute.make_identity_tensor(%square) : !cute.shape<"(64,64)"> -> !coords_S
        %tScS = cute.tiled.mma.partition C(%mma_S, %coords_S, %t) : (!mma_S, !coords_S, !coord) -> !tScS
        %max = cute.memref.alloca() : !stats
        %sum = cute.memref.alloca() : !stats
        %zeros_32 = arith.constant dense<0.0> : vector<32xf32>
        %zeros_2 = arith.constant dense<0.0> : vector<2xf32>
        %minus_inf_2 = arith.constant dense<0xFF800000> : vector<2xf32>
        cute.memref.store_vec %zeros_32, %tOrO : !rC
        cute.memref.store_vec %zeros_2, %sum : !stats
        cute.memref.store_vec %minus_inf_2, %max : !stats
        %releases = arith.cmpi eq, %thread, %c0 : i32

        nvvm.mbarrier.try_wait.parity %full_Q_p, %c0, %c1 : !llvm.ptr<3>, i32, i32
        scf.for %k = %c0 to %tiles step %c1 iter_args(%stage = %c0, %phase = %c0) -> (i32, i32) : i32 {
          %s = cute.make_int_tuple(%stage) : (i32) -> !number
          %full_s = cute.add_offset(%full, %s) : (!barrier, !number) -> !barrier
          %empty_s = cute.add_offset(%empty, %s) : (!barrier, !number) -> !barrier
          %full_p = builtin.unrealized_conversion_cast %full_s : !barrier to !llvm.ptr<3>
          %empty_p = builtin.unrealized_conversion_cast %empty_s : !barrier to !llvm.ptr<3>
          nvvm.mbarrier.try_wait.parity %full_p, %phase, %c1 : !llvm.ptr<3>, i32, i32

          // S = Q K^T.
          nvvm.wgmma.fence.aligned
          %behind = scf.for %b = %c0 to %c4 step %c1 iter_args(%now = %mma_S) -> (!mma_S) : i32 {
            %at_b = cute.make_coord(%b) : (i32) -> !cute.coord<"(_,_,?)">
            %staged = cute.make_coord(%b, %stage) : (i32, i32) -> !cute.coord<"(_,_,?,?)">
            %q = cute.slice(%dQ, %at_b) : !descs_Q, !cute.coord<"(_,_,?)">
            %key = cute.slice(%dK, %staged) : !descs_K, !cute.coord<"(_,_,?,?)">
            cute.gemm(%now, %tSrS, %q, %key, %tSrS) : (!mma_S, !rC, !desc, !desc, !rC)
            %then = cute_nvgpu.atom.set_value(%now, %true : i1) {field = #cute_nvgpu.atom_mma_field_sm90<accum_c>} : !mma_S
            scf.yield %then : !mma_S
          }
          nvvm.wgmma.commit.group.sync.aligned
          nvvm.wgmma.wait.group.sync.aligned 0

          // The last tile is that of the diagonal: keys behind the query weigh nothing. This covers the ragged end, too.
          %diagonal = arith.cmpi eq, %k, %block : i32
          scf.if %diagonal {
            scf.for %i = %c0 to %c32 step %c1 : i32 {
              %which = cute.make_coord(%i) : (i32) -> !coord
              %element = cute.slice(%tScS, %which) : !tScS, !coord
              %iter = cute.get_iter(%element) : !here
              %crd = cute.deref_arith_tuple_iter(%iter) : (!at_here) -> !position
              %query, %key = cute.get_scalars(%crd) : !position
              %behind_query = arith.cmpi sgt, %key, %query : i32
              %score = cute.memref.load(%tSrS, %which) : (!rC, !coord) -> f32
              %masked = arith.select %behind_query, %minus_inf, %score : f32
              cute.memref.store(%tSrS, %which, %masked) : (!rC, !coord, f32) -> ()
            } {loop_annotation = #unroll}
          }

          // Online softmax, row by row. Scale and log2(e) are one factor. exp2 is one instruction: what is smaller than 2^-126 is 0.
          scf.for %i = %c0 to %c2 step %c1 : i32 {
            %row = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,_)">
            %at_i = cute.make_coord(%i) : (i32) -> !coord
            %row_S = cute.slice(%rows_S, %row) : !rows, !cute.coord<"(?,_)">
            %row_O = cute.slice(%rows_O, %row) : !rows, !cute.coord<"(?,_)">
            %scores = cute.memref.load_vec %row_S : !row
            %m_old = cute.memref.load(%max, %at_i) : (!stats, !coord) -> f32
            %l_old = cute.memref.load(%sum, %at_i) : (!stats, !coord) -> f32
            %m_lane = vector.reduction <maximumf>, %scores, %m_old : vector<16xf32> into f32
            %m = gpu.subgroup_reduce maximumf %m_lane cluster(size = 4) : (f32) -> f32
            %m_scaled = arith.mulf %m, %scale_log2 : f32
            %m_minus = arith.negf %m_scaled : f32
            %m_16 = vector.broadcast %m_minus : f32 to vector<16xf32>
            %e = math.fma %scores, %scale_16, %m_16 : vector<16xf32>
            %p = math.exp2 %e fastmath<fast> : vector<16xf32>
            %a = math.fma %m_old, %scale_log2, %m_minus : f32
            %alpha = math.exp2 %a fastmath<fast> : f32
            %l_scaled = arith.mulf %l_old, %alpha : f32
            %l = vector.reduction <add>, %p, %l_scaled : vector<16xf32> into f32
            cute.memref.store_vec %p, %row_S : !row
            cute.memref.store(%max, %at_i, %m) : (!stats, !coord, f32) -> ()
            cute.memref.store(%sum, %at_i, %l) : (!stats, !coord, f32) -> ()
            %o = cute.memref.load_vec %row_O : !row
            %alpha_16 = vector.broadcast %alpha : f32 to vector<16xf32>
            %o_scaled = arith.mulf %o, %alpha_16 : vector<16xf32>
            cute.memref.store_vec %o_scaled, %row_O : !row
          } {loop_annotation = #unroll}
          %p_f32 = cute.memref.load_vec %tSrS : !rC
          %p_f16 = arith.truncf %p_f32 : vector<32xf32> to vector<32xf16>
          cute.memref.store_vec %p_f16, %tSrP : !rC_f16

          // O += P V. The fence covers the registers of P and of O, which were just written; the wait comes before they are used again.
          %at_s = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,_,?)">
          %v = cute.slice(%dV, %at_s) : !descs_V, !cute.coord<"(_,_,_,?)">
          nvvm.wgmma.fence.aligned
          cute.gemm(%mma_O, %tOrO, %tOrP, %v, %tOrO) : (!mma_O, !rC, !rP, !descs_V_stage, !rC)
          nvvm.wgmma.commit.group.sync.aligned
          nvvm.wgmma.wait.group.sync.aligned 0
          scf.if %releases {
            nvvm.mbarrier.arrive %empty_p : !llvm.ptr<3>
          }
          %next = arith.addi %stage, %c1 : i32
          %wraps = arith.cmpi eq, %next, %c2 : i32
          %next_stage = arith.select %wraps, %c0, %next : i32
          %other = arith.xori %phase, %c1 : i32
          %next_phase = arith.select %wraps, %other, %phase : i32
          scf.yield %next_stage, %next_phase : i32, i32
        }

        // O / sum. Only now do the four lanes of a row add up their sums.
        scf.for %i = %c0 to %c2 step %c1 : i32 {
          %row = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,_)">
          %at_i = cute.make_coord(%i) : (i32) -> !coord
          %row_O = cute.slice(%rows_O, %row) : !rows, !cute.coord<"(?,_)">
          %l_lane = cute.memref.load(%sum, %at_i) : (!stats, !coord) -> f32
          %l = gpu.subgroup_reduce add %l_lane cluster(size = 4) : (f32) -> f32
          %inverse = arith.divf %one_f, %l : f32
          %inverse_16 = vector.broadcast %inverse : f32 to vector<16xf32>
          %o = cute.memref.load_vec %row_O : !row
          %o_scaled = arith.mulf %o, %inverse_16 : vector<16xf32>
          cute.memref.store_vec %o_scaled, %row_O : !row
        } {loop_annotation = #unroll}
        %o_f32 = cute.memref.load_vec %tOrO : !rC
        %o_f16 = arith.truncf %o_f32 : vector<32xf32> to vector<32xf16>
        cute.memref.store_vec %o_f16, %tSrP : !rC_f16

        // Through the shared memory of Q, which all four warps have read, for the TMA to store. It leaves out rows beyond the end.
        %pair = cute.make_atom() : () -> !pair
        %tOsO = cute.tiled.mma.partition C(%mma_O, %sQ, %t) : (!mma_O, !sQ, !coord) -> !part_O
        nvvm.barrier id = %c1 number_of_threads = %c128
        cute.copy(%pair, %tSrP, %tOsO) : (!pair, !rC_f16, !part_O)
        nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
        nvvm.barrier id = %c1 number_of_threads = %c128
        %stores = arith.cmpi eq, %warp, %c0 : i32
        scf.if %stores {
          %mO = cute.slice(%O, %at_head) : !coords, !of_head
          %cO = cute.local_tile(%mO, %tiler, %at) : (!head, !tiler, !this_tile) -> !cQ
          %cO_1 = cute.group_modes<0, 2> (%cO) : (!cQ) -> !cQ_1
          %from_O, %into_O = cute_nvgpu.atom.tma_partition(%store_O, %cta, %ctas, %sQ_1, %cO_1) : (!make_store, !cute.coord<"0">, !cute.layout<"1:0">, !sQ_1, !cQ_1) -> (!into, !box)
          %store = cute_nvgpu.atom.make_exec_tma(%store_O) : (!make_store) -> !store
          cute.copy(%store, %from_O, %into_O) : (!store, !into, !box)
          nvvm.cp.async.bulk.commit.group
          nvvm.cp.async.bulk.wait_group 0 {read}
        }
      }
      return
    }
  }

  func.func @host(%Q: !tensor, %K: !tensor, %V: !tensor, %O: !tensor, %scale: f32, %stream: !cuda.stream) -> i32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %threads = arith.constant 160 : i32
    %shared = arith.constant 40960 : i64
    %tile = cute.static : !tile
    %values = cute.static : !cute.layout<"(64,64):(1@0,1@1)">
    %load_Q, %cQ = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%Q, %tile, %values) <{kind = <sm_90> num_multicast = 1}> : (!tensor, !tile, !cute.layout<"(64,64):(1@0,1@1)">) -> (!make_load, !coords)
    %load_K, %cK = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%K, %tile, %values) <{kind = <sm_90> num_multicast = 1}> : (!tensor, !tile, !cute.layout<"(64,64):(1@0,1@1)">) -> (!make_load, !coords)
    %load_V, %cV = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%V, %tile, %values) <{kind = <sm_90> num_multicast = 1}> : (!tensor, !tile, !cute.layout<"(64,64):(1@0,1@1)">) -> (!make_load, !coords)
    %store_O, %cO = cute_nvgpu.atom.make_non_exec_tiled_tma_store(%O, %tile, %values) : (!tensor, !tile, !cute.layout<"(64,64):(1@0,1@1)">) -> (!make_store, !coords)
    %c64 = cute.static : !cute.int_tuple<"64">
    %rows = cute.size<[0]> (%O) : (!tensor) -> !number
    %heads = cute.size<[2]> (%O) : (!tensor) -> !number
    %blocks = cute.ceil_div(%rows, %c64) : (!number, !cute.int_tuple<"64">) -> !number
    %grid_m = cute.get_scalars(%blocks) : !number
    %grid_h = cute.get_scalars(%heads) : !number
    %cfg = cuda.launch_cfg.create<max_attrs = 1 : i32> (blockDim = (%threads, %c1, %c1), dynamicSmemBytes = %shared, gridDim = (%grid_m, %grid_h, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    %done = cuda.launch_ex @kernels::@attention_causal<%cfg> (%load_Q, %cQ, %load_K, %cK, %load_V, %cV, %store_O, %cO, %scale) : !cfg, (!make_load, !coords, !make_load, !coords, !make_load, !coords, !make_store, !coords, f32) -> !cuda.result
    %code = cuda.cast %done : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
