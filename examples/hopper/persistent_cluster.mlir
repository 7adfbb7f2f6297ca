// C = A * B^T, f16 with accumulators in f32, by persistent clusters of two blocks, each of which computes two tiles in turn.
//
// The blocks of a cluster have neighbouring tiles of 64 x 128, which need the same tile of B: each loads one half of it, and the TMA writes
// the half into the shared memory of both. A stage is empty when the consumers of both blocks have released it, because both wrote into it.
//
// 256 threads: warpgroup 0 is the producer, warpgroup 1 the consumer, as in warp_roles.mlir. The producer does not stop between tiles; the
// ring goes on where it was, and the first stages of the second tile are loaded while the accumulators of the first are stored.
//
//   gmem --TMA, multicast--> smem of both blocks, 4 stages --wgmma--> accumulators in registers --> smem --TMA--> gmem
//
//   cutec run examples/hopper/persistent_cluster.mlir --host --arg "A:f16[136x328]=random(1)" --arg "B:f16[200x328]=random(2)" \
//     --arg "C:f32[136x200]"

!A = !cute.memref<f16, gmem, align<16>, "(?,?):(?{i64},1)">
!C = !cute.memref<f32, gmem, align<16>, "(?,?):(?{i64},1)">
!coords = !cute.coord_tensor<"(0,0)", "(?,?):(1@1,1@0)">

// Rows of 128 bytes, swizzled as the TMA and wgmma both know it.
!tile_A = !cute.composed_layout<"S<3,4,3> o 0 o (64,64):(64,1)">
!tile_B = !cute.composed_layout<"S<3,4,3> o 0 o (128,64):(64,1)">
!tile_C = !cute.composed_layout<"S<3,4,3> o 0 o (64,(32,4)):(32,(1,2048))">
!stages_A = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(64,64,4):(64,1,4096)">
!stages_B = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(128,64,4):(64,1,8192)">
!smem_C = !cute.memref<f32, smem, align<1024>, S<3,4,3>, "(64,(32,4)):(32,(1,2048))">
!barriers = !cute.memref<i64, smem, align<8>, "4:1">
!barrier = !cute.ptr<i64, smem>
!bytes = !cute.ptr<i8, smem, align<1024>>
!number = !cute.int_tuple<"?">

// A box of B is half of its tile: 64 rows for each block of the cluster.
!make_load_A = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>
!make_load_B = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90_multicast, f16, copy_bits = 131072, tma_gbasis = <"(64,128):(1@1,1@0)">, tma_format = F16_RN>
!make_store = !cute_nvgpu.atom.non_exec_tiled_tma_store<f32, copy_bits = 65536, tma_gbasis = <"(32,64):(1@1,1@0)">, tma_format = F32_RN>
!load_A = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,64):(1@1,1@0)">>
!load_B = !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> mcast = true tma_gbasis = <"(64,128):(1@1,1@0)">>
!store = !cute_nvgpu.atom.tma_store<f32, copy_bits = 65536, mode = tiled, g_stride = <"()"> tma_gbasis = <"(32,64):(1@1,1@0)">>

// Tiles as boxes: (values of a box, boxes), then the K tiles, or the stages. Those of B have moved on by this block's half.
!of_A = !cute.coord_tensor<"(0,?{div=64})", "(64,64,?):(1@1,1@0,64@0)">
!of_B = !cute.coord_tensor<"(0,?{div=128})", "(128,64,?):(1@1,1@0,64@0)">
!from_A = !cute.coord_tensor<"(0,?{div=64})", "(((64,64),1),?):(((1@0,1@1),0),64@0)">
!from_B = !cute.coord_tensor<"(?{div=64},?{div=64})", "(((64,128),1),?):(((1@0,1@1),0),64@0)">
!box_A = !cute.coord_tensor<"(?{div=64},?{div=64})", "(((64,64),1)):(((1@0,1@1),0))">
!box_B = !cute.coord_tensor<"(?{div=64},?{div=64})", "(((64,128),1)):(((1@0,1@1),0))">
!into_A = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((4096,1),4):((1,0),4096)">
!into_B = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),4):((1,0),8192)">
!stage_A = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((4096,1)):((1,0))">
!stage_B = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1)):((1,0))">

!atom = !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
!mma = !cute.tiled_mma<!atom, atom_layout_MNK = <"(1,1,1):(1,0,0)">>
!part_A = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),1,4,4):((64,1),0,16,4096)">
!part_B = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,16),1,4,4):((64,1),0,16,8192)">
!descs_A = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4,4):(0,0,2,512)">
!descs_B = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4,4):(0,0,2,1024)">
!desc = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1):(0,0)">
!shape_C = !cute.shape<"((2,2,16),1,1)">
!accumulators = !cute.memref<f32, rmem, align<16>, "((2,2,16),1,1):((1,2,4),0,0)">
!part_C = !cute.memref<f32, smem, align<8>, S<3,4,3>, "((2,2,(4,4)),1,1):((1,256,(8,2048)),0,0)">
!pair = !cute_nvgpu.atom.universal_copy<f32, 64 b>

!tiler = !cute.tile<"[64:1;128:1;64:1]">
!cfg = !cuda.launch_cfg<max_attrs = 1>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @gemm_clusters(%load_A: !make_load_A, %A: !coords, %load_B: !make_load_B, %B: !coords, %store_C: !make_store, %C: !coords, %tiles_m: i32, %tiles: i32) attributes {
        cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin},
        cute.kernel, gpu.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, nvvm.reqntid = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %c4 = arith.constant 4 : i32
      %c32 = arith.constant 32 : i32
      %c128 = arith.constant 128 : i32
      %both = arith.constant 3 : i16
      %false = arith.constant false
      %true = arith.constant true
      %bytes = arith.constant 24576 : i32
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %rank = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
      %cluster = nvvm.read.ptx.sreg.clusterid.x : i32
      %clusters = nvvm.read.ptx.sreg.nclusterid.x : i32
      %warp_of = arith.divui %thread, %c32 : i32
      %warp = cute_nvgpu.arch.make_warp_uniform(%warp_of) : i32
      %is_first = arith.cmpi eq, %warp, %c0 : i32
      %group = arith.divui %warp, %c4 : i32

      // Shared memory: the stages of A and of B, a tile of C, the barriers.
      %memory = cute_nvgpu.arch.get_dyn_smem() : !bytes
      %behind_A = cute.static : !cute.int_tuple<"32768">
      %behind_B = cute.static : !cute.int_tuple<"98304">
      %memory_B = cute.add_offset(%memory, %behind_A) : (!bytes, !cute.int_tuple<"32768">) -> !bytes
      %memory_C = cute.add_offset(%memory, %behind_B) : (!bytes, !cute.int_tuple<"98304">) -> !bytes
      %ptr_A = cute.recast_iter(%memory) : !bytes to !cute.ptr<f16, smem, align<1024>, S<3,4,3>>
      %ptr_B = cute.recast_iter(%memory_B) : !bytes to !cute.ptr<f16, smem, align<1024>, S<3,4,3>>
      %ptr_C = cute.recast_iter(%memory_C) : !bytes to !cute.ptr<f32, smem, align<1024>, S<3,4,3>>
      %sA = cute.make_view(%ptr_A) : !stages_A
      %sB = cute.make_view(%ptr_B) : !stages_B
      %sC = cute.make_view(%ptr_C) : !smem_C
      %fulls = cute.memref.alloc_smem() : !barriers
      %empties = cute.memref.alloc_smem() : !barriers
      %full = cute.get_iter(%fulls) : !barriers
      %empty = cute.get_iter(%empties) : !barriers
      scf.if %is_first {
        %one = nvvm.elect.sync -> i1
        scf.if %one {
          scf.for %stage = %c0 to %c4 step %c1 : i32 {
            %at = cute.make_int_tuple(%stage) : (i32) -> !number
            %full_s = cute.add_offset(%full, %at) : (!barrier, !number) -> !barrier
            %empty_s = cute.add_offset(%empty, %at) : (!barrier, !number) -> !barrier
            %full_p = builtin.unrealized_conversion_cast %full_s : !barrier to !llvm.ptr<3>
            %empty_p = builtin.unrealized_conversion_cast %empty_s : !barrier to !llvm.ptr<3>
            nvvm.mbarrier.init %full_p, %c1 : !llvm.ptr<3>, i32
            nvvm.mbarrier.init %empty_p, %c2 : !llvm.ptr<3>, i32
          }
          nvvm.fence.mbarrier.init
        }
        cute_nvgpu.prefetch_tma_desc(%load_A) : (!make_load_A) -> ()
        cute_nvgpu.prefetch_tma_desc(%load_B) : (!make_load_B) -> ()
      }
      // The other block writes into this one's shared memory and arrives at its barriers: both must be there first.
      nvvm.cluster.arrive.relaxed {aligned}
      nvvm.cluster.wait {aligned}

      // The number of K tiles.
      %tiler = cute.static : !tiler
      %origin = cute.make_coord() : () -> !cute.coord<"(0,0,_)">
      %cK = cute.local_tile(%A, %tiler, %origin, "(1,_,1)") : (!coords, !tiler, !cute.coord<"(0,0,_)">) -> !cute.coord_tensor<"(0,0)", "(64,64,?):(1@1,1@0,64@0)">
      %size = cute.size<[2]> (%cK) : (!cute.coord_tensor<"(0,0)", "(64,64,?):(1@1,1@0,64@0)">) -> !number
      %k_tiles = cute.get_scalars(%size) : !number

      %is_producer = arith.cmpi eq, %group, %c0 : i32
      scf.if %is_producer {
        scf.if %is_first {
          %end:2 = scf.for %tile = %cluster to %tiles step %clusters iter_args(%stage_0 = %c0, %phase_0 = %c1) -> (i32, i32) : i32 {
            // A cluster has two rows of tiles, of which this block has one.
            %row = arith.remui %tile, %tiles_m : i32
            %column = arith.divui %tile, %tiles_m : i32
            %rows = arith.muli %row, %c2 : i32
            %own = arith.addi %rows, %rank : i32
            %at = cute.make_coord(%own, %column) : (i32, i32) -> !cute.coord<"(?,?,_)">
            %cA = cute.local_tile(%A, %tiler, %at, "(1,_,1)") : (!coords, !tiler, !cute.coord<"(?,?,_)">) -> !of_A
            %cB = cute.local_tile(%B, %tiler, %at, "(_,1,1)") : (!coords, !tiler, !cute.coord<"(?,?,_)">) -> !of_B
            %cA1 = cute.group_modes<0, 2> (%cA) : (!of_A) -> !cute.coord_tensor<"(0,?{div=64})", "((64,64),?):((1@1,1@0),64@0)">
            %cB1 = cute.group_modes<0, 2> (%cB) : (!of_B) -> !cute.coord_tensor<"(0,?{div=128})", "((128,64),?):((1@1,1@0),64@0)">
            %sA1 = cute.group_modes<0, 2> (%sA) : (!stages_A) -> !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,64),4):((64,1),4096)">
            %sB1 = cute.group_modes<0, 2> (%sB) : (!stages_B) -> !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,64),4):((64,1),8192)">
            // A is for this block alone. Each of the two blocks loads its half of B.
            %alone = cute.make_coord() : () -> !cute.coord<"0">
            %single = cute.static : !cute.layout<"1:0">
            %half = cute.make_coord(%rank) : (i32) -> !cute.coord<"?">
            %halves = cute.static : !cute.layout<"2:1">
            %to_A, %from_A = cute_nvgpu.atom.tma_partition(%load_A, %alone, %single, %sA1, %cA1) : (!make_load_A, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,64),4):((64,1),4096)">, !cute.coord_tensor<"(0,?{div=64})", "((64,64),?):((1@1,1@0),64@0)">) -> (!into_A, !from_A)
            %to_B, %from_B = cute_nvgpu.atom.tma_partition(%load_B, %half, %halves, %sB1, %cB1) : (!make_load_B, !cute.coord<"?">, !cute.layout<"2:1">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,64),4):((64,1),8192)">, !cute.coord_tensor<"(0,?{div=128})", "((128,64),?):((1@1,1@0),64@0)">) -> (!into_B, !from_B)
            %then:2 = scf.for %k = %c0 to %k_tiles step %c1 iter_args(%stage = %stage_0, %phase = %phase_0) -> (i32, i32) : i32 {
              %s = cute.make_int_tuple(%stage) : (i32) -> !number
              %full_s = cute.add_offset(%full, %s) : (!barrier, !number) -> !barrier
              %empty_s = cute.add_offset(%empty, %s) : (!barrier, !number) -> !barrier
              %full_p = builtin.unrealized_conversion_cast %full_s : !barrier to !llvm.ptr<3>
              %empty_p = builtin.unrealized_conversion_cast %empty_s : !barrier to !llvm.ptr<3>
              nvvm.mbarrier.try_wait.parity %empty_p, %phase, %c1 : !llvm.ptr<3>, i32, i32
              // The bytes that arrive here: the tile of A, this block's half of B, and the half that the other block sends.
              %one = nvvm.elect.sync -> i1
              scf.if %one {
                nvvm.mbarrier.arrive.expect_tx %full_p, %bytes : !llvm.ptr<3>, i32
              }
              %at_k = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,?)">
              %at_s = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,?)">
              %k_A = cute.slice(%from_A, %at_k) : !from_A, !cute.coord<"(_,?)">
              %k_B = cute.slice(%from_B, %at_k) : !from_B, !cute.coord<"(_,?)">
              %s_A = cute.slice(%to_A, %at_s) : !into_A, !cute.coord<"(_,?)">
              %s_B = cute.slice(%to_B, %at_s) : !into_B, !cute.coord<"(_,?)">
              %exec_A = cute_nvgpu.atom.make_exec_tma(%load_A) : (!make_load_A) -> !load_A
              %exec_B = cute_nvgpu.atom.make_exec_tma(%load_B) : (!make_load_B) -> !load_B
              %tma_A = cute_nvgpu.atom.set_value(%exec_A, %full_s : !barrier) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load_A
              %counted = cute_nvgpu.atom.set_value(%exec_B, %full_s : !barrier) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load_B
              %tma_B = cute_nvgpu.atom.set_value(%counted, %both : i16) {field = #cute_nvgpu.atom_copy_field_tmaload<mcast_mask>} : !load_B
              cute.copy(%tma_A, %k_A, %s_A) : (!load_A, !box_A, !stage_A)
              cute.copy(%tma_B, %k_B, %s_B) : (!load_B, !box_B, !stage_B)
              %next = arith.addi %stage, %c1 : i32
              %wraps = arith.cmpi eq, %next, %c4 : i32
              %next_stage = arith.select %wraps, %c0, %next : i32
              %other = arith.xori %phase, %c1 : i32
              %next_phase = arith.select %wraps, %other, %phase : i32
              scf.yield %next_stage, %next_phase : i32, i32
            }
            scf.yield %then#0, %then#1 : i32, i32
          }
          // The other block's consumers still arrive at this block's barriers. It stays until the last of them has arrived.
          scf.for %left = %c0 to %c4 step %c1 iter_args(%stage = %end#0, %phase = %end#1) -> (i32, i32) : i32 {
            %s = cute.make_int_tuple(%stage) : (i32) -> !number
            %empty_s = cute.add_offset(%empty, %s) : (!barrier, !number) -> !barrier
            %empty_p = builtin.unrealized_conversion_cast %empty_s : !barrier to !llvm.ptr<3>
            nvvm.mbarrier.try_wait.parity %empty_p, %phase, %c1 : !llvm.ptr<3>, i32, i32
            %next = arith.addi %stage, %c1 : i32
            %wraps = arith.cmpi eq, %next, %c4 : i32
            %next_stage = arith.select %wraps, %c0, %next : i32
            %other = arith.xori %phase, %c1 : i32
            %next_phase = arith.select %wraps, %other, %phase : i32
            scf.yield %next_stage, %next_phase : i32, i32
          }
        }
      } else {
        %lane_of = arith.remui %thread, %c128 : i32
        %t = cute.make_coord(%lane_of) : (i32) -> !cute.coord<"?">
        %g = cute.make_coord() : () -> !cute.coord<"0">
        // Threads 0 and 1 release a stage, each in the block of its number.
        %arrives = arith.cmpi ult, %lane_of, %c2 : i32
        %stores = arith.cmpi eq, %warp, %c4 : i32

        %atom = cute.make_atom(%false) : (i1) -> !atom
        %mma = cute.make_tiled_mma(%atom) : !mma
        %tCsA = cute.tiled.mma.partition A(%mma, %sA, %g) : (!mma, !stages_A, !cute.coord<"0">) -> !part_A
        %tCsB = cute.tiled.mma.partition B(%mma, %sB, %g) : (!mma, !stages_B, !cute.coord<"0">) -> !part_B
        %tCsC = cute.tiled.mma.partition C(%mma, %sC, %t) : (!mma, !smem_C, !cute.coord<"?">) -> !part_C
        %dA = cute.mma.make_fragment A(%mma, %tCsA) : (!mma, !part_A) -> !descs_A
        %dB = cute.mma.make_fragment B(%mma, %tCsB) : (!mma, !part_B) -> !descs_B
        %shape = cute.static : !shape_C
        %accumulators = cute.mma.make_fragment C(%mma, %shape) : (!mma, !shape_C) -> !accumulators
        scf.for %tile = %cluster to %tiles step %clusters iter_args(%stage_0 = %c0, %phase_0 = %c0) -> (i32, i32) : i32 {
          // A tile begins with an atom that overwrites the accumulators of the previous tile.
          %end:4 = scf.for %k = %c0 to %k_tiles step %c1 iter_args(%before = %mma, %stage = %stage_0, %phase = %phase_0, %last = %c0) -> (!mma, i32, i32, i32) : i32 {
            %s = cute.make_int_tuple(%stage) : (i32) -> !number
            %full_s = cute.add_offset(%full, %s) : (!barrier, !number) -> !barrier
            %full_p = builtin.unrealized_conversion_cast %full_s : !barrier to !llvm.ptr<3>
            nvvm.mbarrier.try_wait.parity %full_p, %phase, %c1 : !llvm.ptr<3>, i32, i32
            nvvm.wgmma.fence.aligned
            %behind = scf.for %block = %c0 to %c4 step %c1 iter_args(%now = %before) -> (!mma) : i32 {
              %at_block = cute.make_coord(%block, %stage) : (i32, i32) -> !cute.coord<"(_,_,?,?)">
              %a = cute.slice(%dA, %at_block) : !descs_A, !cute.coord<"(_,_,?,?)">
              %b = cute.slice(%dB, %at_block) : !descs_B, !cute.coord<"(_,_,?,?)">
              cute.gemm(%now, %accumulators, %a, %b, %accumulators) : (!mma, !accumulators, !desc, !desc, !accumulators)
              %then = cute_nvgpu.atom.set_value(%now, %true : i1) {field = #cute_nvgpu.atom_mma_field_sm90<accum_c>} : !mma
              scf.yield %then : !mma
            }
            nvvm.wgmma.commit.group.sync.aligned
            nvvm.wgmma.wait.group.sync.aligned 1
            %is_later = arith.cmpi sgt, %k, %c0 : i32
            %releases = arith.andi %is_later, %arrives : i1
            scf.if %releases {
              %l = cute.make_int_tuple(%last) : (i32) -> !number
              %empty_l = cute.add_offset(%empty, %l) : (!barrier, !number) -> !barrier
              %empty_p = builtin.unrealized_conversion_cast %empty_l : !barrier to !llvm.ptr<3>
              %there = nvvm.mapa %empty_p, %lane_of : !llvm.ptr<3> -> !llvm.ptr<7>
              nvvm.mbarrier.arrive %there : !llvm.ptr<7>
            }
            %next = arith.addi %stage, %c1 : i32
            %wraps = arith.cmpi eq, %next, %c4 : i32
            %next_stage = arith.select %wraps, %c0, %next : i32
            %other = arith.xori %phase, %c1 : i32
            %next_phase = arith.select %wraps, %other, %phase : i32
            scf.yield %behind, %next_stage, %next_phase, %stage : !mma, i32, i32, i32
          }
          nvvm.wgmma.wait.group.sync.aligned 0
          // The last stage is released before the accumulators are stored, so that the producer goes on.
          scf.if %arrives {
            %l = cute.make_int_tuple(%end#3) : (i32) -> !number
            %empty_l = cute.add_offset(%empty, %l) : (!barrier, !number) -> !barrier
            %empty_p = builtin.unrealized_conversion_cast %empty_l : !barrier to !llvm.ptr<3>
            %there = nvvm.mapa %empty_p, %lane_of : !llvm.ptr<3> -> !llvm.ptr<7>
            nvvm.mbarrier.arrive %there : !llvm.ptr<7>
          }

          // The tile of C is stored from one place in shared memory: the TMA must have read the tile before.
          scf.if %stores {
            nvvm.cp.async.bulk.wait_group 0 {read}
          }
          nvvm.barrier id = %c1 number_of_threads = %c128
          %pair = cute.make_atom() : () -> !pair
          cute.copy(%pair, %accumulators, %tCsC) : (!pair, !accumulators, !part_C)
          nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
          nvvm.barrier id = %c1 number_of_threads = %c128
          scf.if %stores {
            %row = arith.remui %tile, %tiles_m : i32
            %column = arith.divui %tile, %tiles_m : i32
            %rows = arith.muli %row, %c2 : i32
            %own = arith.addi %rows, %rank : i32
            %at = cute.make_coord(%own, %column) : (i32, i32) -> !cute.coord<"(?,?,_)">
            %alone = cute.make_coord() : () -> !cute.coord<"0">
            %single = cute.static : !cute.layout<"1:0">
            %cC = cute.local_tile(%C, %tiler, %at, "(1,1,_)") : (!coords, !tiler, !cute.coord<"(?,?,_)">) -> !cute.coord_tensor<"(?{div=128},?{div=64})", "(64,128):(1@1,1@0)">
            %cC1 = cute.group_modes<0, 2> (%cC) : (!cute.coord_tensor<"(?{div=128},?{div=64})", "(64,128):(1@1,1@0)">) -> !cute.coord_tensor<"(?{div=128},?{div=64})", "((64,128)):((1@1,1@0))">
            %sC1 = cute.group_modes<0, 2> (%sC) : (!smem_C) -> !cute.memref<f32, smem, align<1024>, S<3,4,3>, "((64,(32,4))):((32,(1,2048)))">
            %out, %to = cute_nvgpu.atom.tma_partition(%store_C, %alone, %single, %sC1, %cC1) : (!make_store, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f32, smem, align<1024>, S<3,4,3>, "((64,(32,4))):((32,(1,2048)))">, !cute.coord_tensor<"(?{div=128},?{div=64})", "((64,128)):((1@1,1@0))">) -> (!cute.memref<f32, smem, align<1024>, S<3,4,3>, "((2048,4)):((1,2048))">, !cute.coord_tensor<"(?{div=128},?{div=64})", "(((32,64),4)):(((1@0,1@1),32@0))">)
            %store = cute_nvgpu.atom.make_exec_tma(%store_C) : (!make_store) -> !store
            cute.copy(%store, %out, %to) : (!store, !cute.memref<f32, smem, align<1024>, S<3,4,3>, "((2048,4)):((1,2048))">, !cute.coord_tensor<"(?{div=128},?{div=64})", "(((32,64),4)):(((1@0,1@1),32@0))">)
            nvvm.cp.async.bulk.commit.group
          }
          scf.yield %end#1, %end#2 : i32, i32
        }
        scf.if %stores {
          nvvm.cp.async.bulk.wait_group 0 {read}
        }
      }
      return
    }
  }

  func.func @host(%A: !A, %B: !A, %C: !C, %stream: !cuda.stream) -> i32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %threads = arith.constant 256 : i32
    %shared = arith.constant 131072 : i64
    %tile_A = cute.static : !tile_A
    %tile_B = cute.static : !tile_B
    %tile_C = cute.static : !tile_C
    %values_A = cute.static : !cute.layout<"(64,64):(1@0,1@1)">
    %values_B = cute.static : !cute.layout<"(128,64):(1@0,1@1)">
    %values_C = cute.static : !cute.layout<"(64,(32,4)):(1@0,(1@1,32@1))">
    %load_A, %cA = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%A, %tile_A, %values_A) <{kind = <sm_90> num_multicast = 1}> : (!A, !tile_A, !cute.layout<"(64,64):(1@0,1@1)">) -> (!make_load_A, !coords)
    %load_B, %cB = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%B, %tile_B, %values_B) <{kind = <sm_90_multicast> num_multicast = 2}> : (!A, !tile_B, !cute.layout<"(128,64):(1@0,1@1)">) -> (!make_load_B, !coords)
    %store_C, %cC = cute_nvgpu.atom.make_non_exec_tiled_tma_store(%C, %tile_C, %values_C) : (!C, !tile_C, !cute.layout<"(64,(32,4)):(1@0,(1@1,32@1))">) -> (!make_store, !coords)
    // A cluster has 128 x 128 of C at a time, and takes two of these tiles: half as many clusters as tiles.
    %by = cute.make_tile() : () -> !cute.tile<"[128:1;128:1]">
    %blocks = cute.zipped_divide(%C, %by) : (!C, !cute.tile<"[128:1;128:1]">) -> !cute.memref<f32, gmem, align<16>, "((128,128),(?,?)):((?{i64},1),(?{i64 div=128},128))">
    %m = cute.size<[1, 0]> (%blocks) : (!cute.memref<f32, gmem, align<16>, "((128,128),(?,?)):((?{i64},1),(?{i64 div=128},128))">) -> !number
    %n = cute.size<[1, 1]> (%blocks) : (!cute.memref<f32, gmem, align<16>, "((128,128),(?,?)):((?{i64},1),(?{i64 div=128},128))">) -> !number
    %tiles_m = cute.get_scalars(%m) : !number
    %tiles_n = cute.get_scalars(%n) : !number
    %tiles = arith.muli %tiles_m, %tiles_n : i32
    %more = arith.addi %tiles, %c1 : i32
    %clusters = arith.divsi %more, %c2 : i32
    %grid = arith.muli %clusters, %c2 : i32
    %cfg = cuda.launch_cfg.create<max_attrs = 1 : i32> (blockDim = (%threads, %c1, %c1), dynamicSmemBytes = %shared, gridDim = (%grid, %c1, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    cuda.launch_cfg.cluster_dim[%cfg] (%c2, %c1, %c1) : !cfg, i32, i32, i32
    %done = cuda.launch_ex @kernels::@gemm_clusters<%cfg> (%load_A, %cA, %load_B, %cB, %store_C, %cC, %tiles_m, %tiles) : !cfg, (!make_load_A, !coords, !make_load_B, !coords, !make_store, !coords, i32, i32) -> !cuda.result
    %code = cuda.cast %done : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
