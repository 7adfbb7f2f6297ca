// C = A * B^T, f16 with accumulators in f32, by warpgroups with roles: one loads tiles into a ring of stages, two multiply them.
//
// 384 threads make a tile of 128 x 128. Warpgroup 0 is the producer. One of its warps runs ahead with the TMA and needs few registers; it
// releases the others. Warpgroups 1 and 2 are the consumers, each with 64 rows of the tile, and take these registers. Each stage has two
// barriers, as in examples/tma/gemm.mlir: `full` expects the bytes of a tile of A and of B, `empty` an arrival of each consumer.
//
//   gmem --TMA--> smem, 4 stages --wgmma--> accumulators in registers --> smem --TMA--> gmem
//
//   cutec run examples/hopper/warp_roles.mlir --host --arg "A:f16[136x328]=random(1)" --arg "B:f16[200x328]=random(2)" \
//     --arg "C:f32[136x200]"

!A = !cute.memref<f16, gmem, align<16>, "(?,?):(?{i64},1)">
!C = !cute.memref<f32, gmem, align<16>, "(?,?):(?{i64},1)">
!coords = !cute.coord_tensor<"(0,0)", "(?,?):(1@1,1@0)">

// Rows of 128 bytes, swizzled as the TMA and wgmma both know it.
!tile = !cute.composed_layout<"S<3,4,3> o 0 o (128,64):(64,1)">
!tile_C = !cute.composed_layout<"S<3,4,3> o 0 o (128,(32,4)):(32,(1,4096))">
!stages = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(128,64,4):(64,1,8192)">
!smem_C = !cute.memref<f32, smem, align<1024>, S<3,4,3>, "(128,(32,4)):(32,(1,4096))">
!barriers = !cute.memref<i64, smem, align<8>, "4:1">
!bytes = !cute.ptr<i8, smem, align<1024>>

!make_load = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128):(1@1,1@0)">, tma_format = F16_RN>
!make_store = !cute_nvgpu.atom.non_exec_tiled_tma_store<f32, copy_bits = 131072, tma_gbasis = <"(32,128):(1@1,1@0)">, tma_format = F32_RN>
!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128):(1@1,1@0)">>
!store = !cute_nvgpu.atom.tma_store<f32, copy_bits = 131072, mode = tiled, g_stride = <"()"> tma_gbasis = <"(32,128):(1@1,1@0)">>

// Tiles as boxes: (values of a box, boxes), then the K tiles, or the stages.
!from = !cute.coord_tensor<"(0,?{div=128})", "(((64,128),1),?):(((1@0,1@1),0),64@0)">
!box = !cute.coord_tensor<"(?{div=64},?{div=128})", "(((64,128),1)):(((1@0,1@1),0))">
!into = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1),4):((1,0),8192)">
!into_stage = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1)):((1,0))">

// Two warpgroups along M, 128 x 128 x 16 at once.
!atom = !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
!mma = !cute.tiled_mma<!atom, atom_layout_MNK = <"(2,1,1):(1,0,0)">>
!part_A = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),1,4,4):((64,1),0,16,8192)">
!part_B = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,16),1,4,4):((64,1),0,16,8192)">
!descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4,4):(0,0,2,1024)">
!desc = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1):(0,0)">
!shape_C = !cute.shape<"((2,2,16),1,1)">
!accumulators = !cute.memref<f32, rmem, align<16>, "((2,2,16),1,1):((1,2,4),0,0)">
!part_C = !cute.memref<f32, smem, align<8>, S<3,4,3>, "((2,2,(4,4)),1,1):((1,256,(8,4096)),0,0)">
!pair = !cute_nvgpu.atom.universal_copy<f32, 64 b>

!tiler = !cute.tile<"[128:1;128:1;64:1]">
!block = !cute.coord<"(?,?,_)">
!cfg = !cuda.launch_cfg<max_attrs = 1>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @gemm_roles(%load_A: !make_load, %A: !coords, %load_B: !make_load, %B: !coords, %store_C: !make_store, %C: !coords) attributes {
        cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin},
        cute.kernel, gpu.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 384, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %c4 = arith.constant 4 : i32
      %c32 = arith.constant 32 : i32
      %c128 = arith.constant 128 : i32
      %consumers = arith.constant 256 : i32
      %false = arith.constant false
      %true = arith.constant true
      %bytes = arith.constant 32768 : i32
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block_m = nvvm.read.ptx.sreg.ctaid.x : i32
      %block_n = nvvm.read.ptx.sreg.ctaid.y : i32
      %warp_of = arith.divui %thread, %c32 : i32
      %warp = cute_nvgpu.arch.make_warp_uniform(%warp_of) : i32
      %is_first = arith.cmpi eq, %warp, %c0 : i32
      %group = arith.divui %warp, %c4 : i32

      // Shared memory: the stages of A and of B, a tile of C, the barriers.
      %memory = cute_nvgpu.arch.get_dyn_smem() : !bytes
      %behind_A = cute.static : !cute.int_tuple<"65536">
      %behind_B = cute.static : !cute.int_tuple<"131072">
      %memory_B = cute.add_offset(%memory, %behind_A) : (!bytes, !cute.int_tuple<"65536">) -> !bytes
      %memory_C = cute.add_offset(%memory, %behind_B) : (!bytes, !cute.int_tuple<"131072">) -> !bytes
      %ptr_A = cute.recast_iter(%memory) : !bytes to !cute.ptr<f16, smem, align<1024>, S<3,4,3>>
      %ptr_B = cute.recast_iter(%memory_B) : !bytes to !cute.ptr<f16, smem, align<1024>, S<3,4,3>>
      %ptr_C = cute.recast_iter(%memory_C) : !bytes to !cute.ptr<f32, smem, align<1024>, S<3,4,3>>
      %sA = cute.make_view(%ptr_A) : !stages
      %sB = cute.make_view(%ptr_B) : !stages
      %sC = cute.make_view(%ptr_C) : !smem_C
      %fulls = cute.memref.alloc_smem() : !barriers
      %empties = cute.memref.alloc_smem() : !barriers
      %full = cute.get_iter(%fulls) : !barriers
      %empty = cute.get_iter(%empties) : !barriers
      scf.if %is_first {
        %one = nvvm.elect.sync -> i1
        scf.if %one {
          scf.for %stage = %c0 to %c4 step %c1 : i32 {
            %at = cute.make_int_tuple(%stage) : (i32) -> !cute.int_tuple<"?">
            %full_s = cute.add_offset(%full, %at) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %empty_s = cute.add_offset(%empty, %at) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %full_p = builtin.unrealized_conversion_cast %full_s : !cute.ptr<i64, smem> to !llvm.ptr<3>
            %empty_p = builtin.unrealized_conversion_cast %empty_s : !cute.ptr<i64, smem> to !llvm.ptr<3>
            nvvm.mbarrier.init %full_p, %c1 : !llvm.ptr<3>, i32
            nvvm.mbarrier.init %empty_p, %c2 : !llvm.ptr<3>, i32
          }
          nvvm.fence.mbarrier.init
        }
        cute_nvgpu.prefetch_tma_desc(%load_A) : (!make_load) -> ()
        cute_nvgpu.prefetch_tma_desc(%load_B) : (!make_load) -> ()
      }
      nvvm.barrier0

      // Tiles of A (m,k) and of B (n,k), as boxes.
      %tiler = cute.static : !tiler
      %at = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !block
      %cA = cute.local_tile(%A, %tiler, %at, "(1,_,1)") : (!coords, !tiler, !block) -> !cute.coord_tensor<"(0,?{div=128})", "(128,64,?):(1@1,1@0,64@0)">
      %cB = cute.local_tile(%B, %tiler, %at, "(_,1,1)") : (!coords, !tiler, !block) -> !cute.coord_tensor<"(0,?{div=128})", "(128,64,?):(1@1,1@0,64@0)">
      %cA1 = cute.group_modes<0, 2> (%cA) : (!cute.coord_tensor<"(0,?{div=128})", "(128,64,?):(1@1,1@0,64@0)">) -> !cute.coord_tensor<"(0,?{div=128})", "((128,64),?):((1@1,1@0),64@0)">
      %cB1 = cute.group_modes<0, 2> (%cB) : (!cute.coord_tensor<"(0,?{div=128})", "(128,64,?):(1@1,1@0,64@0)">) -> !cute.coord_tensor<"(0,?{div=128})", "((128,64),?):((1@1,1@0),64@0)">
      %sA1 = cute.group_modes<0, 2> (%sA) : (!stages) -> !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,64),4):((64,1),8192)">
      %sB1 = cute.group_modes<0, 2> (%sB) : (!stages) -> !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,64),4):((64,1),8192)">
      %cta = cute.make_coord() : () -> !cute.coord<"0">
      %ctas = cute.static : !cute.layout<"1:0">
      %into_A, %from_A = cute_nvgpu.atom.tma_partition(%load_A, %cta, %ctas, %sA1, %cA1) : (!make_load, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,64),4):((64,1),8192)">, !cute.coord_tensor<"(0,?{div=128})", "((128,64),?):((1@1,1@0),64@0)">) -> (!into, !from)
      %into_B, %from_B = cute_nvgpu.atom.tma_partition(%load_B, %cta, %ctas, %sB1, %cB1) : (!make_load, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,64),4):((64,1),8192)">, !cute.coord_tensor<"(0,?{div=128})", "((128,64),?):((1@1,1@0),64@0)">) -> (!into, !from)
      %size = cute.size<[1]> (%from_A) : (!from) -> !cute.int_tuple<"?">
      %tiles = cute.get_scalars(%size) : !cute.int_tuple<"?">

      %is_producer = arith.cmpi eq, %group, %c0 : i32
      scf.if %is_producer {
        // The 168 registers of each of 384 threads are redistributed: 40 x 128 + 232 x 256 is the same number.
        nvvm.setmaxregister decrease 40
        scf.if %is_first {
          // A stage is empty to begin with: the wait for the phase before the first one succeeds at once.
          scf.for %k = %c0 to %tiles step %c1 iter_args(%stage = %c0, %phase = %c1) -> (i32, i32) : i32 {
            %s = cute.make_int_tuple(%stage) : (i32) -> !cute.int_tuple<"?">
            %full_s = cute.add_offset(%full, %s) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %empty_s = cute.add_offset(%empty, %s) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %full_p = builtin.unrealized_conversion_cast %full_s : !cute.ptr<i64, smem> to !llvm.ptr<3>
            %empty_p = builtin.unrealized_conversion_cast %empty_s : !cute.ptr<i64, smem> to !llvm.ptr<3>
            nvvm.mbarrier.try_wait.parity %empty_p, %phase, %c1 : !llvm.ptr<3>, i32, i32
            %one = nvvm.elect.sync -> i1
            scf.if %one {
              nvvm.mbarrier.arrive.expect_tx %full_p, %bytes : !llvm.ptr<3>, i32
            }
            %at_k = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,?)">
            %at_s = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,?)">
            %k_A = cute.slice(%from_A, %at_k) : !from, !cute.coord<"(_,?)">
            %k_B = cute.slice(%from_B, %at_k) : !from, !cute.coord<"(_,?)">
            %s_A = cute.slice(%into_A, %at_s) : !into, !cute.coord<"(_,?)">
            %s_B = cute.slice(%into_B, %at_s) : !into, !cute.coord<"(_,?)">
            %exec_A = cute_nvgpu.atom.make_exec_tma(%load_A) : (!make_load) -> !load
            %exec_B = cute_nvgpu.atom.make_exec_tma(%load_B) : (!make_load) -> !load
            %tma_A = cute_nvgpu.atom.set_value(%exec_A, %full_s : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load
            %tma_B = cute_nvgpu.atom.set_value(%exec_B, %full_s : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load
            cute.copy(%tma_A, %k_A, %s_A) : (!load, !box, !into_stage)
            cute.copy(%tma_B, %k_B, %s_B) : (!load, !box, !into_stage)
            %next = arith.addi %stage, %c1 : i32
            %wraps = arith.cmpi eq, %next, %c4 : i32
            %next_stage = arith.select %wraps, %c0, %next : i32
            %other = arith.xori %phase, %c1 : i32
            %next_phase = arith.select %wraps, %other, %phase : i32
            scf.yield %next_stage, %next_phase : i32, i32
          }
        }
      } else {
        nvvm.setmaxregister increase 232
        // Descriptors are the same for a whole warpgroup; each thread has its own accumulators.
        %consumer = arith.subi %thread, %c128 : i32
        %t = cute.make_coord(%consumer) : (i32) -> !cute.coord<"?">
        %own = arith.subi %group, %c1 : i32
        %first_of = arith.muli %own, %c128 : i32
        %g = cute.make_coord(%first_of) : (i32) -> !cute.coord<"?">
        %lane_of = arith.remui %thread, %c128 : i32
        %arrives = arith.cmpi eq, %lane_of, %c0 : i32

        %atom = cute.make_atom(%false) : (i1) -> !atom
        %mma = cute.make_tiled_mma(%atom) : !mma
        %tCsA = cute.tiled.mma.partition A(%mma, %sA, %g) : (!mma, !stages, !cute.coord<"?">) -> !part_A
        %tCsB = cute.tiled.mma.partition B(%mma, %sB, %g) : (!mma, !stages, !cute.coord<"?">) -> !part_B
        %tCsC = cute.tiled.mma.partition C(%mma, %sC, %t) : (!mma, !smem_C, !cute.coord<"?">) -> !part_C
        %dA = cute.mma.make_fragment A(%mma, %tCsA) : (!mma, !part_A) -> !descs
        %dB = cute.mma.make_fragment B(%mma, %tCsB) : (!mma, !part_B) -> !descs
        %shape = cute.static : !shape_C
        %accumulators = cute.mma.make_fragment C(%mma, %shape) : (!mma, !shape_C) -> !accumulators

        // A consumer releases a stage once its MMAs have completed and the next stage's have been issued.
        %end:4 = scf.for %k = %c0 to %tiles step %c1 iter_args(%before = %mma, %stage = %c0, %phase = %c0, %last = %c0) -> (!mma, i32, i32, i32) : i32 {
          %s = cute.make_int_tuple(%stage) : (i32) -> !cute.int_tuple<"?">
          %full_s = cute.add_offset(%full, %s) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
          %full_p = builtin.unrealized_conversion_cast %full_s : !cute.ptr<i64, smem> to !llvm.ptr<3>
          nvvm.mbarrier.try_wait.parity %full_p, %phase, %c1 : !llvm.ptr<3>, i32, i32
          nvvm.wgmma.fence.aligned
          %behind = scf.for %block = %c0 to %c4 step %c1 iter_args(%now = %before) -> (!mma) : i32 {
            %at_block = cute.make_coord(%block, %stage) : (i32, i32) -> !cute.coord<"(_,_,?,?)">
            %a = cute.slice(%dA, %at_block) : !descs, !cute.coord<"(_,_,?,?)">
            %b = cute.slice(%dB, %at_block) : !descs, !cute.coord<"(_,_,?,?)">
            cute.gemm(%now, %accumulators, %a, %b, %accumulators) : (!mma, !accumulators, !desc, !desc, !accumulators)
            %then = cute_nvgpu.atom.set_value(%now, %true : i1) {field = #cute_nvgpu.atom_mma_field_sm90<accum_c>} : !mma
            scf.yield %then : !mma
          }
          nvvm.wgmma.commit.group.sync.aligned
          nvvm.wgmma.wait.group.sync.aligned 1
          %is_later = arith.cmpi sgt, %k, %c0 : i32
          %releases = arith.andi %is_later, %arrives : i1
          scf.if %releases {
            %l = cute.make_int_tuple(%last) : (i32) -> !cute.int_tuple<"?">
            %empty_l = cute.add_offset(%empty, %l) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %empty_p = builtin.unrealized_conversion_cast %empty_l : !cute.ptr<i64, smem> to !llvm.ptr<3>
            nvvm.mbarrier.arrive %empty_p : !llvm.ptr<3>
          }
          %next = arith.addi %stage, %c1 : i32
          %wraps = arith.cmpi eq, %next, %c4 : i32
          %next_stage = arith.select %wraps, %c0, %next : i32
          %other = arith.xori %phase, %c1 : i32
          %next_phase = arith.select %wraps, %other, %phase : i32
          scf.yield %behind, %next_stage, %next_phase, %stage : !mma, i32, i32, i32
        }
        nvvm.wgmma.wait.group.sync.aligned 0

        // Accumulators to shared memory, for the TMA to store: each thread fences what it wrote, then the consumers meet.
        %pair = cute.make_atom() : () -> !pair
        cute.copy(%pair, %accumulators, %tCsC) : (!pair, !accumulators, !part_C)
        nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
        nvvm.barrier id = %c1 number_of_threads = %consumers
        %stores = arith.cmpi eq, %warp, %c4 : i32
        scf.if %stores {
          %cC = cute.local_tile(%C, %tiler, %at, "(1,1,_)") : (!coords, !tiler, !block) -> !cute.coord_tensor<"(?{div=128},?{div=128})", "(128,128):(1@1,1@0)">
          %cC1 = cute.group_modes<0, 2> (%cC) : (!cute.coord_tensor<"(?{div=128},?{div=128})", "(128,128):(1@1,1@0)">) -> !cute.coord_tensor<"(?{div=128},?{div=128})", "((128,128)):((1@1,1@0))">
          %sC1 = cute.group_modes<0, 2> (%sC) : (!smem_C) -> !cute.memref<f32, smem, align<1024>, S<3,4,3>, "((128,(32,4))):((32,(1,4096)))">
          %out, %to = cute_nvgpu.atom.tma_partition(%store_C, %cta, %ctas, %sC1, %cC1) : (!make_store, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f32, smem, align<1024>, S<3,4,3>, "((128,(32,4))):((32,(1,4096)))">, !cute.coord_tensor<"(?{div=128},?{div=128})", "((128,128)):((1@1,1@0))">) -> (!cute.memref<f32, smem, align<1024>, S<3,4,3>, "((4096,4)):((1,4096))">, !cute.coord_tensor<"(?{div=128},?{div=128})", "(((32,128),4)):(((1@0,1@1),32@0))">)
          %store = cute_nvgpu.atom.make_exec_tma(%store_C) : (!make_store) -> !store
          cute.copy(%store, %out, %to) : (!store, !cute.memref<f32, smem, align<1024>, S<3,4,3>, "((4096,4)):((1,4096))">, !cute.coord_tensor<"(?{div=128},?{div=128})", "(((32,128),4)):(((1@0,1@1),32@0))">)
          nvvm.cp.async.bulk.commit.group
          nvvm.cp.async.bulk.wait_group 0 {read}
        }
      }
      return
    }
  }

  func.func @host(%A: !A, %B: !A, %C: !C, %stream: !cuda.stream) -> i32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %threads = arith.constant 384 : i32
    %shared = arith.constant 196608 : i64
    %tile = cute.static : !tile
    %tile_C = cute.static : !tile_C
    %values = cute.static : !cute.layout<"(128,64):(1@0,1@1)">
    %values_C = cute.static : !cute.layout<"(128,(32,4)):(1@0,(1@1,32@1))">
    %load_A, %cA = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%A, %tile, %values) <{kind = <sm_90> num_multicast = 1}> : (!A, !tile, !cute.layout<"(128,64):(1@0,1@1)">) -> (!make_load, !coords)
    %load_B, %cB = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%B, %tile, %values) <{kind = <sm_90> num_multicast = 1}> : (!A, !tile, !cute.layout<"(128,64):(1@0,1@1)">) -> (!make_load, !coords)
    %store_C, %cC = cute_nvgpu.atom.make_non_exec_tiled_tma_store(%C, %tile_C, %values_C) : (!C, !tile_C, !cute.layout<"(128,(32,4)):(1@0,(1@1,32@1))">) -> (!make_store, !coords)
    %by = cute.make_tile() : () -> !cute.tile<"[128:1;128:1]">
    %blocks = cute.zipped_divide(%C, %by) : (!C, !cute.tile<"[128:1;128:1]">) -> !cute.memref<f32, gmem, align<16>, "((128,128),(?,?)):((?{i64},1),(?{i64 div=128},128))">
    %m = cute.size<[1, 0]> (%blocks) : (!cute.memref<f32, gmem, align<16>, "((128,128),(?,?)):((?{i64},1),(?{i64 div=128},128))">) -> !cute.int_tuple<"?">
    %n = cute.size<[1, 1]> (%blocks) : (!cute.memref<f32, gmem, align<16>, "((128,128),(?,?)):((?{i64},1),(?{i64 div=128},128))">) -> !cute.int_tuple<"?">
    %grid_m = cute.get_scalars(%m) : !cute.int_tuple<"?">
    %grid_n = cute.get_scalars(%n) : !cute.int_tuple<"?">
    %cfg = cuda.launch_cfg.create<max_attrs = 1 : i32> (blockDim = (%threads, %c1, %c1), dynamicSmemBytes = %shared, gridDim = (%grid_m, %grid_n, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    %done = cuda.launch_ex @kernels::@gemm_roles<%cfg> (%load_A, %cA, %load_B, %cB, %store_C, %cC) : !cfg, (!make_load, !coords, !make_load, !coords, !make_store, !coords) -> !cuda.result
    %code = cuda.cast %done : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
