// O = softmax(Q K^T scale) V for one head of 64 and 128 keys: a block for each 128 queries. The scores and the output are accumulated
// in tensor memory; each thread takes one row of scores, and the exponentials go back as the left operand of the second MMA.
// In custom assembly of CuTe DSL 4.7: the atoms of both MMAs have a vector of lanes, and shared memory is allocated by ops.

!Q = !cute.memref<f16, gmem, align<16>, "(?{div=128},64):(64,1)">
!K = !cute.memref<f16, gmem, align<16>, "(128,64):(64,1)">
!V = !cute.memref<f16, gmem, align<16>, "(64,128):(1,64)">
!O = !cute.memref<f32, gmem, align<16>, "(?{div=128},64):(64,1)">
!coords_Q = !cute.coord_tensor<"(0,0)", "(?{div=128},64):(1@1,1@0)">
!coords_K = !cute.coord_tensor<"(0,0)", "(128,64):(1@1,1@0)">
!coords_V = !cute.coord_tensor<"(0,0)", "(64,128):(1@0,1@1)">

!tile = !cute.composed_layout<"S<3,4,3> o 0 o (128,64):(64,1)">
!tile_V = !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(1,64)">
!smem = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(128,64):(64,1)">
!smem_V = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(64,128):(1,64)">
!bars = !cute.memref<i64, smem, align<8>, "3:1">
!barrier = !cute.ptr<i64, smem, align<8>>
!word = !cute.memref<i32, smem, align<8>, "1:0">
!address = !cute.ptr<i32, smem, align<8>>

!make_load = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128):(1@1,1@0)">, tma_format = F16_RN>
!make_load_V = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128):(1@0,1@1)">, tma_format = F16_RN>
!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128):(1@1,1@0)">>
!load_V = !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128):(1@0,1@1)">>
!tiles_Q = !cute.coord_tensor<"(0,?{div=128})", "(128,64):(1@1,1@0)">
!boxes_Q = !cute.coord_tensor<"(0,?{div=128})", "((128,64)):((1@1,1@0))">
!from_Q = !cute.coord_tensor<"(0,?{div=128})", "(((64,128),1)):(((1@0,1@1),0))">
!boxes_K = !cute.coord_tensor<"(0,0)", "((128,64)):((1@1,1@0))">
!from_K = !cute.coord_tensor<"(0,0)", "(((64,128),1)):(((1@0,1@1),0))">
!boxes_V = !cute.coord_tensor<"(0,0)", "((64,128)):((1@0,1@1))">
!boxes = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,64)):((64,1))">
!boxes_sV = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,128)):((1,64))">
!into = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1)):((1,0))">

!atom_S = !cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>
!atom_O = !cute_nvgpu.sm100.mma<128x64x16, num_cta = 1, ab_major = (k, mn), elem_type = (f16, f16, f32), frag_kind = ts, c_scale_exp = 0>
!mma_S = !cute.tiled_mma<!atom_S, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!mma_O = !cute.tiled_mma<!atom_O, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!tmem = !cute.ptr<f32, tmem, align<16>>
!tmem_P = !cute.ptr<f16, tmem, align<16>>
!sums_S = !cute.memref<f32, tmem, align<16>, "((128,128),1,1):((65536,1),0,0)">
!sums_O = !cute.memref<f32, tmem, align<16>, "((128,64),1,1):((65536,1),0,0)">
!rows_S = !cute.memref<f32, tmem, align<16>, "(128,128):(65536,1)">
!rows_O = !cute.memref<f32, tmem, align<16>, "(128,64):(65536,1)">
!rows_P = !cute.memref<f16, tmem, align<16>, "(128,128):(131072,1)">
!left = !cute.memref<f16, tmem, align<16>, "((128,16),1,8):((131072,1),0,16)">
!left_k = !cute.memref<f16, tmem, align<16>, "((128,16),1):((131072,1),0)">
!part = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,16),1,4):((64,1),0,16)">
!part_V = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),1,8):((1,64),0,1024)">
!descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,2)">
!descs_V = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,8):(0,0,128)">
!desc = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1):(0,0)">
!load_S = !cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x128>
!load_O = !cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x64>
!store_P = !cute_nvgpu.atom.tmem_store<f16, 32 DP, 32 bit, x64>
!loads_S = !cute.tiled_copy<!load_S, layout_copy_tv = <"((32,4),(128,32)):((0,1),(128,4))">, tiler_mn = <"[(4,32):(32,1);128:1]">>
!loads_O = !cute.tiled_copy<!load_O, layout_copy_tv = <"((32,4),(64,32)):((0,1),(128,4))">, tiler_mn = <"[(4,32):(32,1);64:1]">>
!stores_P = !cute.tiled_copy<!store_P, layout_copy_tv = <"((32,4),(128,32)):((0,1),(128,4))">, tiler_mn = <"[(4,32):(32,1);128:1]">>
!loaded_S = !cute.memref<f32, tmem, align<16>, "(((128,32),1),1,1):(((1,65536),0),0,0)">
!loaded_O = !cute.memref<f32, tmem, align<16>, "(((64,32),1),1,1):(((1,65536),0),0,0)">
!stored_P = !cute.memref<f16, tmem, align<16>, "(((128,32),1),1,1):(((1,131072),0),0,0)">
!row_S = !cute.memref<f32, rmem, align<32>, "((128,1),1,1):((1,0),0,0)">
!row_P = !cute.memref<f16, rmem, align<32>, "((128,1),1,1):((1,0),0,0)">
!row_O = !cute.memref<f32, rmem, align<32>, "((64,1),1,1):((1,0),0,0)">
!tile_O = !cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">
!to_O = !cute.memref<f32, gmem, align<16>, "((64,1),1,1):((1,0),0,0)">
!four = !cute_nvgpu.atom.universal_copy<f32, 128 b>

!tiler = !cute.tile<"[128:1;64:1]">
!block = !cute.coord<"(?,0)">
!t = !cute.coord<"?">
!zero = !cute.coord<"0">
!one = !cute.layout<"1:0">
!cfg = !cuda.launch_cfg<max_attrs = 17>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @attention(%load_Q: !make_load, %Q: !coords_Q, %load_K: !make_load, %K: !coords_K, %load_V: !make_load_V, %V: !coords_V, %O: !O, %mma_S: !mma_S, %mma_O: !mma_O, %scale: f32) attributes {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32}, cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
      %true = arith.constant true
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c4 = arith.constant 4 : i32
      %c8 = arith.constant 8 : i32
      %c32 = arith.constant 32 : i32
      %c256 = arith.constant 256 : i32
      %bytes = arith.constant 49152 : i32
      %ticks = arith.constant 10000000 : i32
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %m = nvvm.read.ptx.sreg.ctaid.x : i32
      %warp_of = arith.floordivsi %thread, %c32 : i32
      %warp = cute_nvgpu.arch.make_warp_uniform(%warp_of) : i32
      %is_first = arith.cmpi eq, %warp, %c0 : i32
      %smem_bars = cute.memref.alloca() {smem.partition_id = 0 : i32} : !bars
      %smem_word = cute.memref.alloca() {smem.partition_id = 0 : i32} : !word
      %sQ = cute.memref.alloca() {smem.partition_id = 1 : i32} : !smem
      %sK = cute.memref.alloca() {smem.partition_id = 1 : i32} : !smem
      %sV = cute.memref.alloca() {smem.partition_id = 1 : i32} : !smem_V
      %loaded = cute.get_iter(%smem_bars) : !bars
      %int_tuple = cute.make_int_tuple() : () -> !cute.int_tuple<"1">
      %scored = cute.add_offset(%loaded, %int_tuple) : (!barrier, !cute.int_tuple<"1">) -> !barrier
      %int_tuple_0 = cute.make_int_tuple() : () -> !cute.int_tuple<"2">
      %done = cute.add_offset(%loaded, %int_tuple_0) : (!barrier, !cute.int_tuple<"2">) -> !barrier
      %loaded_p = builtin.unrealized_conversion_cast %loaded : !barrier to !llvm.ptr<3>
      %scored_p = builtin.unrealized_conversion_cast %scored : !barrier to !llvm.ptr<3>
      %done_p = builtin.unrealized_conversion_cast %done : !barrier to !llvm.ptr<3>
      %where = cute.get_iter(%smem_word) : !word
      scf.if %is_first {
        cute_nvgpu.prefetch_tma_desc(%load_Q) : (!make_load) -> ()
        %one = nvvm.elect.sync -> i1
        scf.if %one {
          nvvm.mbarrier.init.shared %loaded_p, %c1 : !llvm.ptr<3>, i32
          nvvm.mbarrier.init.shared %scored_p, %c1 : !llvm.ptr<3>, i32
          nvvm.mbarrier.init.shared %done_p, %c1 : !llvm.ptr<3>, i32
        }
        nvvm.fence.mbarrier.init
        cute_nvgpu.arch.sm100.alloc_tmem(%c256, %where) [cta_1] : i32, !address
        cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit [cta_1]
      }
      nvvm.barrier
      // The scores take 128 columns, the exponentials 64, and the output 64.
      %tmem = cute_nvgpu.arch.sm100.retrieve_tmem_ptr(%where) : !address -> !tmem
      %int_tuple_1 = cute.make_int_tuple() : () -> !cute.int_tuple<"128">
      %words_P = cute.add_offset(%tmem, %int_tuple_1) : (!tmem, !cute.int_tuple<"128">) -> !tmem
      %int_tuple_2 = cute.make_int_tuple() : () -> !cute.int_tuple<"192">
      %tmem_O = cute.add_offset(%tmem, %int_tuple_2) : (!tmem, !cute.int_tuple<"192">) -> !tmem
      %tmem_P = cute.recast_iter(%words_P) : !tmem to !tmem_P
      %sums_S = cute.make_view(%tmem) : !sums_S
      %rows_S = cute.make_view(%tmem) : !rows_S
      %sums_O = cute.make_view(%tmem_O) : !sums_O
      %rows_O = cute.make_view(%tmem_O) : !rows_O
      %rows_P = cute.make_view(%tmem_P) : !rows_P
      %left = cute.make_view(%tmem_P) : !left
      %cta = cute.make_coord() : () -> !zero

      scf.if %is_first {
        %tiler = cute.make_tile() : () -> !tiler
        %at = cute.make_coord(%m) : (i32) -> !block
        %gQ = cute.local_tile(%Q, %tiler, %at) : (!coords_Q, !tiler, !block) -> !tiles_Q
        %gQ1 = cute.group_modes(%gQ) <0, 2> : (!tiles_Q) -> !boxes_Q
        %gK1 = cute.group_modes(%K) <0, 2> : (!coords_K) -> !boxes_K
        %gV1 = cute.group_modes(%V) <0, 2> : (!coords_V) -> !boxes_V
        %sQ1 = cute.group_modes(%sQ) <0, 2> : (!smem) -> !boxes
        %sK1 = cute.group_modes(%sK) <0, 2> : (!smem) -> !boxes
        %sV1 = cute.group_modes(%sV) <0, 2> : (!smem_V) -> !boxes_sV
        %ctas = cute.static : !one
        %into_Q, %from_Q = cute_nvgpu.atom.tma_partition(%load_Q, %cta, %ctas, %sQ1, %gQ1) : (!make_load, !zero, !one, !boxes, !boxes_Q) -> (!into, !from_Q)
        %into_K, %from_K = cute_nvgpu.atom.tma_partition(%load_K, %cta, %ctas, %sK1, %gK1) : (!make_load, !zero, !one, !boxes, !boxes_K) -> (!into, !from_K)
        %into_V, %from_V = cute_nvgpu.atom.tma_partition(%load_V, %cta, %ctas, %sV1, %gV1) : (!make_load_V, !zero, !one, !boxes_sV, !boxes_V) -> (!into, !from_K)
        %one = nvvm.elect.sync -> i1
        scf.if %one {
          nvvm.mbarrier.txn %loaded_p, %bytes {kind = #nvvm.mbar_txn_kind<arrive_expect_tx>} : !llvm.ptr<3>, i32
        }
        %exec_Q = cute_nvgpu.atom.make_exec_tma(%load_Q) : (!make_load) -> !load
        %exec_K = cute_nvgpu.atom.make_exec_tma(%load_K) : (!make_load) -> !load
        %exec_V = cute_nvgpu.atom.make_exec_tma(%load_V) : (!make_load_V) -> !load_V
        %tma_Q = cute_nvgpu.atom.set_value<tma_bar>(%exec_Q, %loaded) : (!load, !barrier)
        %tma_K = cute_nvgpu.atom.set_value<tma_bar>(%exec_K, %loaded) : (!load, !barrier)
        %tma_V = cute_nvgpu.atom.set_value<tma_bar>(%exec_V, %loaded) : (!load_V, !barrier)
        cute.copy(%tma_Q, %from_Q, %into_Q) : (!load, !from_Q, !into)
        cute.copy(%tma_K, %from_K, %into_K) : (!load, !from_K, !into)
        cute.copy(%tma_V, %from_V, %into_V) : (!load_V, !from_K, !into)
        // S = Q K^T.
        nvvm.mbarrier.try_wait.parity.shared %loaded_p, %c0, %ticks : !llvm.ptr<3>, i32, i32
        %tSsQ = cute.tiled.mma.partition A (%mma_S, %sQ, %cta) : (!mma_S, !smem, !zero) -> !part
        %tSsK = cute.tiled.mma.partition B (%mma_S, %sK, %cta) : (!mma_S, !smem, !zero) -> !part
        %frg_A = cute.mma.make_fragment A (%mma_S, %tSsQ) : (!mma_S, !part) -> !descs
        %frg_B = cute.mma.make_fragment B (%mma_S, %tSsK) : (!mma_S, !part) -> !descs
        %scores = scf.for %k = %c0 to %c4 step %c1 iter_args(%now = %mma_S) -> (!mma_S) : i32 {
          %coord = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,?)">
          %a = cute.slice(%frg_A, %coord) : !descs, !cute.coord<"(_,_,?)">
          %b = cute.slice(%frg_B, %coord) : !descs, !cute.coord<"(_,_,?)">
          cute.gemm(%now, %sums_S, %a, %b, %sums_S) : (!mma_S, !sums_S, !desc, !desc, !sums_S)
          %then = cute_nvgpu.atom.set_value<accum_c>(%now, %true) : (!mma_S, i1)
          scf.yield %then : !mma_S
        }
        %one_3 = nvvm.elect.sync -> i1
        scf.if %one_3 {
          nvvm.tcgen05.commit %scored_p : !llvm.ptr<3>
        }
      }
      nvvm.mbarrier.try_wait.parity.shared %scored_p, %c0, %ticks : !llvm.ptr<3>, i32, i32

      // A row of scores to registers, its exponentials relative to the row's maximum back to tensor memory.
      %t = cute.make_coord(%thread) : (i32) -> !t
      %load_S = cute.make_atom() : () -> !load_S
      %loads_S = cute_nvgpu.atom.make_tmem_copy(%load_S, %rows_S) : (!load_S, !rows_S) -> !loads_S
      %src_S = cute.tiled.copy.partition_S(%loads_S, %rows_S, %t) : (!loads_S, !rows_S, !t) -> !loaded_S
      %row_S = cute.memref.alloca() : !row_S
      cute.copy(%loads_S, %src_S, %row_S) : (!loads_S, !loaded_S, !row_S)
      %s = cute.memref.load_vec(%row_S) : (!row_S) -> vector<128xf32>
      %lowest = arith.constant 0xFF800000 : f32
      %max = vector.reduction <maximumf>, %s, %lowest : vector<128xf32> into f32
      %max_s = arith.mulf %max, %scale : f32
      %scales = vector.broadcast %scale : f32 to vector<128xf32>
      %maxima = vector.broadcast %max_s : f32 to vector<128xf32>
      %scaled = arith.mulf %s, %scales : vector<128xf32>
      %relative = arith.subf %scaled, %maxima : vector<128xf32>
      %p = math.exp2 %relative fastmath<fast> : vector<128xf32>
      %nothing = arith.constant 0.0 : f32
      %sum = vector.reduction <add>, %p, %nothing : vector<128xf32> into f32
      %p16 = arith.truncf %p : vector<128xf32> to vector<128xf16>
      %row_P = cute.memref.alloca() : !row_P
      cute.memref.store_vec(%p16, %row_P) : (vector<128xf16>, !row_P) -> ()
      %store_P = cute.make_atom() : () -> !store_P
      %stores_P = cute_nvgpu.atom.make_tmem_copy(%store_P, %rows_P) : (!store_P, !rows_P) -> !stores_P
      %dst_P = cute.tiled.copy.partition_D(%stores_P, %rows_P, %t) : (!stores_P, !rows_P, !t) -> !stored_P
      cute.copy(%stores_P, %row_P, %dst_P) : (!stores_P, !row_P, !stored_P)
      nvvm.tcgen05.wait <store>
      nvvm.barrier

      // O = P V.
      scf.if %is_first {
        %tOsV = cute.tiled.mma.partition B (%mma_O, %sV, %cta) : (!mma_O, !smem_V, !zero) -> !part_V
        %frg_V = cute.mma.make_fragment B (%mma_O, %tOsV) : (!mma_O, !part_V) -> !descs_V
        %output = scf.for %k = %c0 to %c8 step %c1 iter_args(%now = %mma_O) -> (!mma_O) : i32 {
          %coord = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,?)">
          %a = cute.slice(%left, %coord) : !left, !cute.coord<"(_,_,?)">
          %b = cute.slice(%frg_V, %coord) : !descs_V, !cute.coord<"(_,_,?)">
          cute.gemm(%now, %sums_O, %a, %b, %sums_O) : (!mma_O, !sums_O, !left_k, !desc, !sums_O)
          %then = cute_nvgpu.atom.set_value<accum_c>(%now, %true) : (!mma_O, i1)
          scf.yield %then : !mma_O
        }
        %one = nvvm.elect.sync -> i1
        scf.if %one {
          nvvm.tcgen05.commit %done_p : !llvm.ptr<3>
        }
      }
      nvvm.mbarrier.try_wait.parity.shared %done_p, %c0, %ticks : !llvm.ptr<3>, i32, i32
      %load_O = cute.make_atom() : () -> !load_O
      %loads_O = cute_nvgpu.atom.make_tmem_copy(%load_O, %rows_O) : (!load_O, !rows_O) -> !loads_O
      %src_O = cute.tiled.copy.partition_S(%loads_O, %rows_O, %t) : (!loads_O, !rows_O, !t) -> !loaded_O
      %row_O = cute.memref.alloca() : !row_O
      cute.copy(%loads_O, %src_O, %row_O) : (!loads_O, !loaded_O, !row_O)
      %o = cute.memref.load_vec(%row_O) : (!row_O) -> vector<64xf32>
      %inverse = nvvm.rcp.approx.ftz.f %sum : f32
      %inverses = vector.broadcast %inverse : f32 to vector<64xf32>
      %normal = arith.mulf %o, %inverses : vector<64xf32>
      cute.memref.store_vec(%normal, %row_O) : (vector<64xf32>, !row_O) -> ()
      %tiler_O = cute.make_tile() : () -> !tiler
      %at_O = cute.make_coord(%m) : (i32) -> !block
      %gO = cute.local_tile(%O, %tiler_O, %at_O) : (!O, !tiler, !block) -> !tile_O
      %to_O = cute.tiled.copy.partition_D(%loads_O, %gO, %t) : (!loads_O, !tile_O, !t) -> !to_O
      %four = cute.make_atom() : () -> !four
      cute.copy(%four, %row_O, %to_O) : (!four, !row_O, !to_O)
      nvvm.barrier
      scf.if %is_first {
        cute_nvgpu.arch.sm100.dealloc_tmem(%tmem, %c256) [cta_1] : !tmem, i32
      }
      return
    }
  }
  func.func @host(%Q: !Q, %K: !K, %V: !V, %O: !O, %scale: f32, %stream: !cuda.stream) -> i32 attributes {llvm.emit_c_interface} {
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %lanes = arith.constant dense<0> : vector<4xi32>
    %atom_S = cute.make_atom(%false, %false, %false, %lanes) : (i1, i1, i1, vector<4xi32>) -> !atom_S
    %mma_S = cute.make_tiled_mma(%atom_S) : !mma_S
    %atom_O = cute.make_atom(%false, %false, %false, %lanes) : (i1, i1, i1, vector<4xi32>) -> !atom_O
    %mma_O = cute.make_tiled_mma(%atom_O) : !mma_O
    %tile = cute.static : !tile
    %values = cute.static : !cute.layout<"(128,64):(1@0,1@1)">
    %load_Q, %cQ = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%Q, %tile, %values) <{kind = <sm_90> num_multicast = 1}> : (!Q, !tile, !cute.layout<"(128,64):(1@0,1@1)">) -> (!make_load, !coords_Q)
    %load_K, %cK = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%K, %tile, %values) <{kind = <sm_90> num_multicast = 1}> : (!K, !tile, !cute.layout<"(128,64):(1@0,1@1)">) -> (!make_load, !coords_K)
    %tile_V = cute.static : !tile_V
    %values_V = cute.static : !cute.layout<"(64,128):(1@0,1@1)">
    %load_V, %cV = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%V, %tile_V, %values_V) <{kind = <sm_90> num_multicast = 1}> : (!V, !tile_V, !cute.layout<"(64,128):(1@0,1@1)">) -> (!make_load_V, !coords_V)
    %lay = cute.get_layout(%Q) : !Q
    %sz = cute.size(%lay) <{mode = [0]}> : (!cute.layout<"(?{div=128},64):(64,1)">) -> !cute.int_tuple<"?{div=128}">
    %rows = cute.get_scalars(%sz) : !cute.int_tuple<"?{div=128}">
    %c128 = arith.constant 128 : i32
    %blocks = arith.floordivsi %rows, %c128 : i32
    %bytes = cute.kernel_smem_size @kernels::@attention : i64
    %cfg = cuda.launch_cfg.create<max_attrs = 17 : i32> (blockDim = (%c128, %c1, %c1), dynamicSmemBytes = %bytes, gridDim = (%blocks, %c1, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    cuda.launch_cfg.programmatic_stream_serialization_allowed[%cfg] %c0 : !cfg, i32
    cuda.launch_cfg.cluster_dim[%cfg] (%c1, %c1, %c1) : !cfg, i32, i32, i32
    cuda.launch_cfg.cooperative[%cfg] %c0 : !cfg, i32
    %launched = cuda.launch_ex @kernels::@attention<%cfg> (%load_Q, %cQ, %load_K, %cK, %load_V, %cV, %O, %mma_S, %mma_O, %scale) {assume_kernel_attr = #cuda.assume_kernel_attr<true>} : !cfg, (!make_load, !coords_Q, !make_load, !coords_K, !make_load_V, !coords_V, !O, !mma_S, !mma_O, f32) -> !cuda.result
    %code = cuda.cast %launched : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
